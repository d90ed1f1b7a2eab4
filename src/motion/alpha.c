/* The steps of the generalized-alpha method and of HHT (alpha.h): their length, their error, and
 * what lies between their ends. */
#include <stdio.h>
#include <stdlib.h>

#include "motion/alpha.h"

static void set_parameters(rt_alpha *k, double alpha_m, double alpha_f)
{
    const double delta = alpha_m - alpha_f;
    k->alpha_m = alpha_m, k->alpha_f = alpha_f;
    k->gamma = 0.5 - delta;
    k->beta = 0.25 * (1 - delta) * (1 - delta);
    k->kappa = (1 - alpha_f) / (1 - alpha_m);
    k->error_factor = fabs(delta / 2 + k->beta - 1.0 / 6);
}

static routh_status alpha_create(rt_run *run, double alpha_m, double alpha_f, routh_error *error)
{
    const size_t n = (size_t)run->m->n_u, n_x = (size_t)run->m->model->n_control_states;
    const size_t size = 5 * n + 4 * n_x;
    rt_alpha *k = calloc(1, sizeof *k + size * sizeof(double));
    if (!k) return rt_fail_memory(error);
    run->own = k;
    set_parameters(k, alpha_m, alpha_f);
    k->a = (double *)(void *)(k + 1);
    k->a0 = k->a + n, k->a1 = k->a0 + n, k->xi = k->a1 + n, k->way = k->xi + n;
    k->w = k->way + n;
    k->w0 = k->w + n_x, k->w1 = k->w0 + n_x, k->x_predicted = k->w1 + n_x;
    return ROUTH_OK;
}

static routh_status create_hht(rt_run *run, routh_error *error)
{
    const double a = isnan(run->dissipation) ? -0.3 : run->dissipation;
    if (!(a >= -1.0 / 3 && a <= 0))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the dissipation of hht is %.9g, but alpha must be from -1/3 to 0", a);
    return alpha_create(run, 0, -a, error);
}

static routh_status create_generalized(rt_run *run, routh_error *error)
{
    const double rho = isnan(run->dissipation) ? 0.7 : run->dissipation;
    if (!(rho >= 0 && rho <= 1))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the dissipation of generalized-alpha is %.9g, but the spectral radius at "
                       "infinite frequency must be from 0 to 1",
                       rho);
    return alpha_create(run, (2 * rho - 1) / (rho + 1), rho / (rho + 1), error);
}

static void alpha_release(rt_run *run)
{
    rt_alpha *k = run->own;
    if (!k) return;
    rt_newton_free(k->newton);
    free(k);
    run->own = NULL;
}

/* Newton for the rows of the run, without factors; how fast it comes nearer is not known yet. */
static routh_status renew_newton(rt_run *run, routh_error *error)
{
    rt_alpha *k = run->own;
    if (k->newton && !rt_newton_fits(k->newton, run)) {
        rt_newton_free(k->newton);
        k->newton = NULL;
    }
    const routh_status status = k->newton ? ROUTH_OK : rt_newton_create(&k->newton, run, error);
    if (status) return status;
    rt_newton_forget(k->newton);
    k->factored = false;
    k->rate_known = false;
    return ROUTH_OK;
}

static routh_status alpha_begin(rt_run *run, routh_error *error)
{
    rt_alpha *k = run->own;
    const int n_x = run->m->model->n_control_states;
    const routh_status status = renew_newton(run, error);
    if (status) return status;
    k->last_step = k->rest = 0;
    memcpy(k->a, run->now->udot, (size_t)run->m->n_u * sizeof *k->a);
    memcpy(k->w, run->now->signal + n_x, (size_t)n_x * sizeof *k->w);
    return ROUTH_OK;
}

/* The local error of the velocities, over the tolerance of the velocity: against the explicit
 * formula of two steps a sixth of the difference, of a first step a twelfth of what the
 * accelerations change it by. The errors of positions tell little of a stiff contact, which turns
 * the velocity round on a way of nearly nothing. What rounding of positions makes of velocities, as
 * they meet the constraints, does not count. */
static double velocity_error(const rt_run *run, const rt_alpha *k, double h)
{
    static const double slowest = 1e-3; /* 1/s: slower is rest */
    const rt_state *now = run->now, *old = run->before, *then = run->search.state;
    const double by = k->last_step > 0 ? h / (2 * k->last_step) : 0;
    double *d = run->search.x;
    for (int c = 0; c < run->m->n_u; c++) {
        const double rate = now->udot[c] + by * (now->udot[c] - old->udot[c]);
        d[c] = k->last_step > 0 ? (then->u[c] - now->u[c] - h * rate) / 6
                                : h * (k->a1[c] - k->a0[c]) / 12;
    }
    const double rounding = 8 * rt_run_rounding(run) / h;
    const double e = rt_run_norm(run, d) - rounding;
    const double size = fmax(run->alert_speed, rt_run_norm(run, then->u));
    return fmax(e, 0) / (run->tolerance * fmax(size, slowest));
}

/* Is a step so short that nothing moves in it? Then velocities that change in it jump, as where a
 * motion follows a table of straight pieces, and no shorter one would make them better. */
static bool is_instant(const rt_run *run, double h)
{
    static const double nothing = 1e-11;
    const double speed =
        fmax(rt_run_norm(run, run->now->u), rt_run_norm(run, run->search.state->u));
    return h * speed < nothing;
}

/* The local error over the tolerance. */
static double local_error(const rt_run *run, const rt_alpha *k, double h)
{
    double *d = run->search.x;
    const rt_state *now = run->now, *then = run->search.state;
    for (int c = 0; c < run->m->n_u; c++) d[c] = k->error_factor * h * h * (k->a1[c] - k->a0[c]);
    double e = rt_run_norm(run, d);
    if (run->alert > 0 && !is_instant(run, h))
        e = fmax(e, run->tolerance * velocity_error(run, k, h));
    const int n_x = run->m->model->n_control_states;
    if (n_x > 0 && k->last_step > 0) {
        /* against the explicit formula of two steps: a sixth of the difference */
        const double by = h / (2 * k->last_step);
        const double *rate = rt_alpha_rates(run, now), *old = rt_alpha_rates(run, run->before);
        for (int j = 0; j < n_x; j++)
            k->x_predicted[j] =
                (then->signal[j] - now->signal[j] - h * (rate[j] + by * (rate[j] - old[j]))) / 6;
        e = fmax(e, rt_run_norm_x(run, k->x_predicted));
    }
    return e / run->tolerance;
}

static void alpha_accept(rt_run *run, rt_alpha *k, double h)
{
    const int n_x = run->m->model->n_control_states;
    rt_state *old = run->before;
    k->rest = (h + k->rest) - (run->search.state->t - run->now->t);
    run->before = run->now;
    run->now = old;
    rt_state_copy(run->m, run->now, run->search.state);
    memcpy(k->a, k->a1, (size_t)run->m->n_u * sizeof *k->a);
    memcpy(k->way, k->xi, (size_t)run->m->n_u * sizeof *k->way);
    memcpy(k->w, k->w1, (size_t)n_x * sizeof *k->w);
    k->last_step = h;
}

/* ---- steps ------------------------------------------------------------ */

/* How much longer or shorter the next step should be. */
static double alpha_change(double error)
{
    const double factor = 0.9 / cbrt(fmax(error, 1e-9));
    return fmin(fmax(factor, 0.2), 2);
}

static routh_status too_short(const rt_run *run, double h, routh_error *error)
{
    int most = 0;
    double worst = 0;
    for (int c = 0; c < run->m->n_u; c++) {
        const double a = fabs(run->now->udot[c]) / run->search.unit[c];
        if (a > worst) worst = a, most = c;
    }
    int body;
    bool angle;
    double per_radian;
    rt_column(run->m, most, &body, &angle, &per_radian);
    const rt_body *b = &run->m->model->bodies[body];
    char element[192];
    snprintf(element, sizeof element, "body %s", b->name);
    rt_fail_at(error, ROUTH_NUMERIC_ERROR, run->m->model->file, b->place, element,
               "the integration fails even with a step of %.2g s; this body has the largest "
               "acceleration: check for stiffness without damping, a jump in a function, or joints "
               "that lock",
               h);
    return rt_run_fail(run->now->t, ROUTH_NUMERIC_ERROR, error);
}

/* The step to try: what was proposed, no further than the limit. */
static double step_to_try(rt_run *run, const rt_alpha *k, bool *cut)
{
    if (run->step == 0)
        run->step = run->fixed_step > 0 ? run->fixed_step : rt_run_first_step(run, 2);
    const double left = run->limit - run->now->t - k->rest;
    const double h = fmin(run->step, run->largest_step);
    /* steps of one length end next to the limit, but for the rounding of their length */
    *cut = h >= left * (1 - (run->fixed_step > 0 ? 1e-6 : 1e-10));
    return *cut ? left : h;
}

/* Velocities of steps of length h are off their constraints by something of order h^2. A much
 * shorter step would turn that into accelerations of that over its length: it begins from
 * velocities and accelerations that are consistent. */
static routh_status start_shorter(rt_run *run, rt_alpha *k, routh_error *error)
{
    const int n_x = run->m->model->n_control_states;
    if (k->last_step == 0) return ROUTH_OK;
    rt_state_copy(run->m, run->search.state, run->now);
    routh_status status = rt_run_project(run, error);
    if (!status) status = rt_run_accelerate(run, error);
    if (status) return status;
    rt_state_copy(run->m, run->now, run->search.state);
    memcpy(k->a, run->now->udot, (size_t)run->m->n_u * sizeof *k->a);
    memcpy(k->w, run->now->signal + n_x, (size_t)n_x * sizeof *k->w);
    k->last_step = 0;
    return ROUTH_OK;
}

/* Where a step begins anew, a at t + delta h is not known but by the step itself: it is taken once
 * with u' at t, and again with what that shows of u''. */
static routh_status begin_twice(rt_run *run, rt_alpha *k, double h, bool *converged,
                                routh_error *error)
{
    const double delta = k->alpha_m - k->alpha_f;
    const rt_state *now = run->now, *then = run->search.state;
    memcpy(k->a, now->udot, (size_t)run->m->n_u * sizeof *k->a);
    routh_status status = rt_alpha_predict(run, k, h, error);
    if (!status) status = rt_alpha_iterate(run, k, h, converged, error);
    for (int c = 0; c < run->m->n_u; c++) k->a[c] += delta * (then->udot[c] - now->udot[c]);
    return status;
}

static routh_status alpha_try_step(rt_run *run, double h, bool *converged, double *error_size,
                                   routh_error *error)
{
    rt_alpha *k = run->own;
    routh_status status = ROUTH_OK;
    *error_size = 0;
    if (run->alert > 0 && k->last_step == 0) {
        status = begin_twice(run, k, h, converged, error);
        if (status || !*converged) return status;
    }
    status = rt_alpha_predict(run, k, h, error);
    if (!status) status = rt_alpha_iterate(run, k, h, converged, error);
    if (status || !*converged) return status;
    if (run->fixed_step == 0) *error_size = local_error(run, k, h);
    if (*error_size > 1) return ROUTH_OK;
    status = rt_alpha_close(run, k, converged, error);
    if (status || !*converged) return status;
    return rt_run_settle(run, error);
}

static routh_status alpha_step(rt_run *run, routh_error *error)
{
    rt_alpha *k = run->own;
    bool cut;
    double h = step_to_try(run, k, &cut);
    for (;;) {
        bool converged, fresh = !k->factored;
        double e;
        if (k->factored && fabs(h / k->factor_step - 1) > 0.2) k->factored = false, fresh = true;
        routh_status status = alpha_try_step(run, h, &converged, &e, error);
        if (status == ROUTH_OUT_OF_MEMORY) return status;
        if (status) converged = false;
        if (!converged && !fresh) { /* the matrix anew first */
            k->factored = false;
            continue;
        }
        if (converged && e <= 1) {
            alpha_accept(run, k, h);
            run->count.steps++;
            run->alert -= run->alert > 0;
            run->alert_speed = fmax(run->alert_speed, rt_run_norm(run, run->now->u));
            const double by = alpha_change(e);
            if (run->fixed_step == 0 && (!cut || by < 1) && (by < 1 || by > 1.2))
                run->step = h * by;
            return ROUTH_OK;
        }
        run->count.rejected++;
        if (run->fixed_step > 0 || h < 1e-13 * fmax(fabs(run->now->t), 1e-3 * h))
            return status ? rt_run_fail(run->now->t, status, error) : too_short(run, h, error);
        h *= converged ? fmin(alpha_change(e), 0.9) : 0.25;
        run->step = h;
        cut = false;
        if (h < 0.5 * k->last_step && (status = start_shorter(run, k, error)))
            return rt_run_fail(run->now->t, status, error);
    }
}

/* xi(s) = A s + B s^2 + C s^3 on 0 <= s <= 1 through both ends, with u at both; its slope is u. */
static routh_status alpha_between(rt_run *run, double t, rt_state *out, routh_error *error)
{
    (void)error;
    const rt_alpha *k = run->own;
    const routh_mechanism *m = run->m;
    const rt_state *a = run->before, *b = run->now;
    const double h = b->t - a->t, s = (t - a->t) / h;
    double *xi = run->search.z;
    rt_state_copy(m, out, a);
    for (int c = 0; c < m->n_u; c++) {
        const double A = h * a->u[c], rest = k->way[c] - A, slope = h * (b->u[c] - a->u[c]);
        const double B = 3 * rest - slope, C = slope - 2 * rest;
        xi[c] = s * (A + s * (B + s * C));
        out->u[c] = (A + s * (2 * B + s * 3 * C)) / h;
    }
    const int n_x = m->model->n_control_states;
    const double *rate0 = rt_alpha_rates(run, a), *rate1 = rt_alpha_rates(run, b);
    for (int j = 0; j < n_x; j++) {
        const double A = h * rate0[j], rest = b->signal[j] - a->signal[j] - A;
        const double slope = h * (rate1[j] - rate0[j]);
        out->signal[j] = a->signal[j] + s * (A + s * (3 * rest - slope + s * (slope - 2 * rest)));
    }
    for (int j = n_x; j < 2 * n_x + m->model->n_variables; j++)
        out->signal[j] += s * (b->signal[j] - a->signal[j]);
    rt_advance(m, out->q, xi);
    out->t = t;
    return ROUTH_OK;
}

/* ---- going on ------------------------------------------------------------ */

enum { N_TIMES = 2 };

static size_t memory(const rt_run *run)
{
    return N_TIMES + 2 * (size_t)run->m->n_u + (size_t)run->m->model->n_control_states;
}

static void alpha_keep(const rt_run *run, double *numbers)
{
    const rt_alpha *k = run->own;
    const size_t n = (size_t)run->m->n_u, n_x = (size_t)run->m->model->n_control_states;
    numbers[0] = k->last_step, numbers[1] = k->rest;
    memcpy(numbers + N_TIMES, k->a, n * sizeof *numbers);
    memcpy(numbers + N_TIMES + n, k->way, n * sizeof *numbers);
    memcpy(numbers + N_TIMES + 2 * n, k->w, n_x * sizeof *numbers);
}

static routh_status alpha_go_on(rt_run *run, const double *numbers, routh_error *error)
{
    rt_alpha *k = run->own;
    const size_t n = (size_t)run->m->n_u, n_x = (size_t)run->m->model->n_control_states;
    k->last_step = numbers[0], k->rest = numbers[1];
    memcpy(k->a, numbers + N_TIMES, n * sizeof *numbers);
    memcpy(k->way, numbers + N_TIMES + n, n * sizeof *numbers);
    memcpy(k->w, numbers + N_TIMES + 2 * n, n_x * sizeof *numbers);
    return renew_newton(run, error);
}

const rt_integrator rt_hht = {
    .name = "hht",
    .about = "Hilber, Hughes, Taylor on the index-3 equations, as in the Adams solver; order 2, "
             "damps high frequencies",
    .order = 2,
    .available = true,
    .tells_step = true,
    .create = create_hht,
    .free = alpha_release,
    .begin = alpha_begin,
    .step = alpha_step,
    .between = alpha_between,
    .memory = memory,
    .keep = alpha_keep,
    .go_on = alpha_go_on,
};

const rt_integrator rt_generalized_alpha = {
    .name = "generalized-alpha",
    .about = "generalized alpha on the Lie group of the rotations; order 2, chosen damping of high "
             "frequencies",
    .order = 2,
    .available = true,
    .tells_step = true,
    .create = create_generalized,
    .free = alpha_release,
    .begin = alpha_begin,
    .step = alpha_step,
    .between = alpha_between,
    .memory = memory,
    .keep = alpha_keep,
    .go_on = alpha_go_on,
};
