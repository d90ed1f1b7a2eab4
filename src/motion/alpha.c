/* The generalized-alpha method on the index-3 equations, on the group that the coordinates form
 * (Arnold and Bruels 2007; Bruels, Cardona and Arnold 2012), and with it the HHT method of the
 * Adams solver (Hilber, Hughes, Taylor 1977; Negrut, Rampalli, Ottarsson, Sajdak 2007), which is
 * its member alpha_m = 0, alpha_f = -alpha. One step from n to n+1 of length h:
 *
 *     (1 - alpha_m) a+ + alpha_m a = (1 - alpha_f) u'+ + alpha_f u'
 *     q+ = q o exp(h u + h^2 ((1/2 - beta) a + beta a+)),    u+ = u + h ((1 - gamma) a + gamma a+)
 *     r(q+, u+, u'+, lambda+) = 0,   Phi(q+) = 0
 *     gamma = 1/2 - delta,   beta = (1 - delta)^2 / 4,   delta = alpha_m - alpha_f  (<= 0)
 *
 * a is u' at t + delta h to first order. States of controllers go by the same rule for first-order
 * equations, x+ = x + h ((1 - gamma) w + gamma w+). Nonholonomic rows are met at velocity level.
 * Local error of position: (delta/2 + beta - 1/6) h^2 (a+ - a). */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "motion/newton.h"

typedef struct alpha {
    double alpha_m, alpha_f, beta, gamma;
    double kappa; /* da+/du'+ = (1 - alpha_f) / (1 - alpha_m) */
    double error_factor;
    rt_newton *newton;
    bool factored;
    double factor_step; /* the step that the factors are for */
    double rate;        /* at which Newton's steps became smaller last */
    double last_step;   /* 0: none since the beginning */
    double *a, *w;      /* n_u, n_x: at run->now, for last_step */
    double *a0, *w0;    /* the same for the step at hand */
    double *a1, *w1;    /* at its end */
    double *xi;         /* n_u: the way from q to q+ */
    double *way;        /* n_u: that of the last step, for dense output */
    double *x_predicted;
} alpha;

static void set_parameters(alpha *k, double alpha_m, double alpha_f)
{
    const double delta = alpha_m - alpha_f;
    k->alpha_m = alpha_m, k->alpha_f = alpha_f;
    k->gamma = 0.5 - delta;
    k->beta = 0.25 * (1 - delta) * (1 - delta);
    k->kappa = (1 - alpha_f) / (1 - alpha_m);
    k->error_factor = fabs(delta / 2 + k->beta - 1.0 / 6);
}

static routh_status create(rt_run *run, double alpha_m, double alpha_f, routh_error *error)
{
    const size_t n = (size_t)run->m->n_u, n_x = (size_t)run->m->model->n_control_states;
    const size_t size = 5 * n + 4 * n_x;
    alpha *k = calloc(1, sizeof *k + size * sizeof(double));
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
                       "the dissipation of hht is its alpha, from -1/3 to 0, not %.9g", a);
    return create(run, 0, -a, error);
}

static routh_status create_generalized(rt_run *run, routh_error *error)
{
    const double rho = isnan(run->dissipation) ? 0.7 : run->dissipation;
    if (!(rho >= 0 && rho <= 1))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the dissipation of generalized-alpha is its spectral radius at infinite "
                       "frequency, from 0 to 1, not %.9g",
                       rho);
    return create(run, (2 * rho - 1) / (rho + 1), rho / (rho + 1), error);
}

static void release(rt_run *run)
{
    alpha *k = run->own;
    if (!k) return;
    rt_newton_free(k->newton);
    free(k);
    run->own = NULL;
}

static routh_status begin(rt_run *run, routh_error *error)
{
    alpha *k = run->own;
    const int n_x = run->m->model->n_control_states;
    if (k->newton && !rt_newton_fits(k->newton, run)) {
        rt_newton_free(k->newton);
        k->newton = NULL;
    }
    const routh_status status = k->newton ? ROUTH_OK : rt_newton_create(&k->newton, run, error);
    if (status) return status;
    rt_newton_forget(k->newton);
    k->factored = false;
    k->rate = 0.5;
    k->last_step = 0;
    memcpy(k->a, run->now->udot, (size_t)run->m->n_u * sizeof *k->a);
    memcpy(k->w, run->now->signal + n_x, (size_t)n_x * sizeof *k->w);
    return ROUTH_OK;
}

/* ---- one try ------------------------------------------------------------ */

/* x' of the state, and x. */
static double *rates(const rt_run *run, const rt_state *s)
{
    return s->signal + run->m->model->n_control_states;
}

/* a of a step of another length: a - u' goes with the step. */
static void rescale(const rt_run *run, alpha *k, double h)
{
    const double ratio = k->last_step > 0 ? h / k->last_step : 1;
    const double *udot = run->now->udot, *rate = rates(run, run->now);
    for (int c = 0; c < run->m->n_u; c++) k->a0[c] = udot[c] + ratio * (k->a[c] - udot[c]);
    for (int j = 0; j < run->m->model->n_control_states; j++)
        k->w0[j] = rate[j] + ratio * (k->w[j] - rate[j]);
}

/* The limit itself, where rounding would leave a last bit of time to it. */
static double end_of_step(const rt_run *run, double h)
{
    const double t = run->now->t + h;
    return fabs(run->limit - t) <= 4 * DBL_EPSILON * fabs(t) ? run->limit : t;
}

/* What the unknowns will be: along the line through the ends of the last step. */
static routh_status predict(const rt_run *run, const alpha *k, double h, routh_error *error)
{
    const routh_mechanism *m = run->m;
    const rt_state *now = run->now, *before = run->before;
    rt_state *s = run->search.state;
    const int n_x = m->model->n_control_states;
    const double by = k->last_step > 0 ? h / k->last_step : 0;
    rt_state_copy(m, s, now);
    for (int c = 0; c < m->n_u; c++) s->udot[c] += by * (now->udot[c] - before->udot[c]);
    for (int r = 0; r < m->n_rows; r++) s->lambda[r] += by * (now->lambda[r] - before->lambda[r]);
    for (int j = n_x; j < 2 * n_x + m->model->n_variables; j++)
        s->signal[j] += by * (now->signal[j] - before->signal[j]);
    return rt_run_time(run, s, end_of_step(run, h), error);
}

/* a+, q+, u+ and x+ of the unknowns u'+ and x'+. */
static void follow(const rt_run *run, alpha *k, double h)
{
    const routh_mechanism *m = run->m;
    const rt_state *now = run->now;
    rt_state *s = run->search.state;
    const double *rate = rates(run, s), *old_rate = rates(run, now);
    for (int c = 0; c < m->n_u; c++) {
        k->a1[c] =
            ((1 - k->alpha_f) * s->udot[c] + k->alpha_f * now->udot[c] - k->alpha_m * k->a0[c]) /
            (1 - k->alpha_m);
        k->xi[c] = h * now->u[c] + h * h * ((0.5 - k->beta) * k->a0[c] + k->beta * k->a1[c]);
        s->u[c] = now->u[c] + h * ((1 - k->gamma) * k->a0[c] + k->gamma * k->a1[c]);
    }
    for (int j = 0; j < m->model->n_control_states; j++) {
        k->w1[j] = ((1 - k->alpha_f) * rate[j] + k->alpha_f * old_rate[j] - k->alpha_m * k->w0[j]) /
                   (1 - k->alpha_m);
        s->signal[j] = now->signal[j] + h * ((1 - k->gamma) * k->w0[j] + k->gamma * k->w1[j]);
    }
    memcpy(s->q, now->q, (size_t)m->n_q * sizeof *s->q);
    rt_advance(m, s->q, k->xi);
}

static void take_step(const rt_run *run, const rt_newton_step *step)
{
    const routh_mechanism *m = run->m;
    rt_state *s = run->search.state;
    const int n_x = m->model->n_control_states;
    for (int c = 0; c < m->n_u; c++) s->udot[c] += step->udot[c];
    for (int r = 0; r < m->n_rows; r++) s->lambda[r] += step->lambda[r];
    for (int j = 0; j < n_x; j++) s->signal[n_x + j] += step->rate[j];
    for (int j = 0; j < m->model->n_variables; j++) s->signal[2 * n_x + j] += step->variable[j];
}

/* How far Newton must come, as a change of position. What it leaves is one and the same force left
 * over in step after step, and so an error of the velocities: it must be a small part of what a
 * step makes wrong of them, which over what it makes wrong of the positions is how far
 * accelerations turn in a step. No nearer than accelerations are rounded. */
static double newton_tolerance(const rt_run *run, const alpha *k, double h)
{
    const double part = run->fixed_step > 0 ? 1e-4 : 1e-3, rounding = 1e-14;
    double *d = run->search.x;
    for (int c = 0; c < run->m->n_u; c++) d[c] = k->a1[c] - k->a0[c];
    const double change = rt_run_norm(run, d), size = rt_run_norm(run, k->a1);
    const double turn = change < size ? change / size : 1;
    const double wrong = run->fixed_step > 0 ? k->error_factor * h * h * change : run->tolerance;
    return fmax(part * turn * wrong, rounding * k->beta * h * h * size);
}

/* Steps that grow no smaller, of q and of the states of controllers: may what is left be rounding?
 * Rates of states that have hardly moved yet are rounding of velocities over next to nothing. */
static bool is_rounding(const rt_run *run, double q, double x)
{
    if (run->fixed_step == 0) return fmax(q, x) <= 0.1 * run->tolerance;
    return q <= fmax(1e-11, 100 * rt_run_rounding(run)) && x <= 1e-8;
}

/* Newton is not taken to come nearer faster than this before the next step has shown it. */
static const double LEAST_RATE = 0.05;

/* Newton on the equations of the step. *converged false: it went astray, or too slowly. */
static routh_status iterate(rt_run *run, alpha *k, double h, bool *converged, routh_error *error)
{
    enum { MOST = 10 };
    rt_search *s = &run->search;
    const double c_u = k->kappa * k->gamma * h, c_x = k->kappa * k->beta * h * h;
    const int residuals = RT_EVALUATE_PHI | RT_EVALUATE_RESIDUAL;
    double before = 0;
    bool fresh = false;
    *converged = false;
    for (int i = 0; i < MOST; i++) {
        follow(run, k, h);
        const bool factor = i == 0 && !k->factored;
        const int what = factor ? rt_newton_needs(k->newton) : residuals;
        routh_status status = rt_evaluate(run->m, s->w, s->state, what, error);
        if (!status) status = rt_newton_sensors(k->newton, run, factor, error);
        if (!status && factor) status = rt_newton_factor(k->newton, run, c_u, c_x, error);
        if (factor) fresh = true, k->factored = !status, k->factor_step = h;
        rt_newton_step step;
        if (!status) status = rt_newton_solve(k->newton, run, &step, error);
        if (status) return status;
        run->count.iterations++, run->count.evaluations++;
        take_step(run, &step);
        const double size_q = c_x * rt_run_norm(run, step.udot);
        const double size_x = c_u * rt_run_norm_x(run, step.rate), size = fmax(size_q, size_x);
        if (i > 0) k->rate = fmax(0.2 * k->rate, size / before);
        k->rate = fmax(k->rate, LEAST_RATE);
        const double enough = newton_tolerance(run, k, h);
        if (!isfinite(size)) return ROUTH_OK;
        if (i > 0 && size > 0.9 * before && size > enough) {
            *converged = is_rounding(run, size_q, size_x);
            follow(run, k, h);
            return ROUTH_OK;
        }
        const bool unknown = i == 0 && run->fixed_step > 0; /* rates of other steps do not count */
        const double left = unknown       ? size
                            : k->rate < 1 ? size * k->rate / (1 - k->rate)
                                          : INFINITY;
        if (left <= enough) {
            *converged = true;
            follow(run, k, h);
            return ROUTH_OK;
        }
        if (!fresh && i == 3) return ROUTH_OK; /* old factors are no longer good enough */
        before = size;
    }
    return ROUTH_OK;
}

/* q+ onto Phi = 0 to the last digits, by the factors of the step. u+ stays: a step that began with
 * velocities brought onto Phi' = 0 would be of first order only, as what it brings there is of
 * second order in every step. States that are shown are brought there. */
static routh_status close_constraints(rt_run *run, alpha *k, bool *closed, routh_error *error)
{
    enum { MOST = 5 };
    rt_search *s = &run->search;
    rt_newton_step step;
    const double c_x = k->kappa * k->beta * k->factor_step * k->factor_step;
    *closed = run->m->n_rows == 0;
    for (int i = 0; i < MOST && !*closed; i++) {
        rt_open open;
        routh_status status =
            rt_evaluate(run->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
        if (status) return status;
        run->count.evaluations++;
        rt_run_open(run, &open);
        *closed = rt_is_closed(open.position, open.position_rounding);
        if (*closed) return ROUTH_OK;
        status = rt_newton_close(k->newton, run, &step, error);
        if (status) return status;
        for (int c = 0; c < run->m->n_u; c++) s->x[c] = c_x * step.udot[c];
        rt_advance(run->m, s->state->q, s->x);
    }
    return ROUTH_OK;
}

/* The local error over the tolerance. */
static double local_error(const rt_run *run, const alpha *k, double h)
{
    double *d = run->search.x;
    const rt_state *now = run->now, *then = run->search.state;
    for (int c = 0; c < run->m->n_u; c++) d[c] = k->error_factor * h * h * (k->a1[c] - k->a0[c]);
    double e = rt_run_norm(run, d);
    const int n_x = run->m->model->n_control_states;
    if (n_x > 0 && k->last_step > 0) {
        /* against the explicit formula of two steps: a sixth of the difference */
        const double by = h / (2 * k->last_step);
        const double *rate = rates(run, now), *old = rates(run, run->before);
        for (int j = 0; j < n_x; j++)
            k->x_predicted[j] =
                (then->signal[j] - now->signal[j] - h * (rate[j] + by * (rate[j] - old[j]))) / 6;
        e = fmax(e, rt_run_norm_x(run, k->x_predicted));
    }
    return e / run->tolerance;
}

static void accept(rt_run *run, alpha *k, double h)
{
    const int n_x = run->m->model->n_control_states;
    rt_state *old = run->before;
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
static double change(double error)
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
               "the step has become %.2g s and still fails; this body is accelerated most: look "
               "for stiffness without damping, a jump in a function, or joints that lock",
               h);
    return rt_run_fail(run->now->t, ROUTH_NUMERIC_ERROR, error);
}

/* The step to try: what was proposed, no further than the limit. */
static double step_to_try(rt_run *run, bool *cut)
{
    if (run->step == 0)
        run->step = run->fixed_step > 0 ? run->fixed_step : rt_run_first_step(run, 2);
    const double left = run->limit - run->now->t;
    const double h = fmin(run->step, run->largest_step);
    /* sums of many steps of one length end next to the limit */
    *cut = h >= left * (1 - (run->fixed_step > 0 ? 1e-6 : 1e-10));
    return *cut ? left : h;
}

/* Velocities of steps of length h are off their constraints by something of order h^2. A much
 * shorter step would turn that into accelerations of that over its length: it begins from
 * velocities and accelerations that are consistent. */
static routh_status start_shorter(rt_run *run, alpha *k, routh_error *error)
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

static routh_status try_step(rt_run *run, double h, bool *converged, double *error_size,
                             routh_error *error)
{
    alpha *k = run->own;
    *error_size = 0;
    rescale(run, k, h);
    routh_status status = predict(run, k, h, error);
    if (!status) status = iterate(run, k, h, converged, error);
    if (status || !*converged) return status;
    if (run->fixed_step == 0) *error_size = local_error(run, k, h);
    if (*error_size > 1) return ROUTH_OK;
    return close_constraints(run, k, converged, error);
}

static routh_status step(rt_run *run, routh_error *error)
{
    alpha *k = run->own;
    bool cut;
    double h = step_to_try(run, &cut);
    for (;;) {
        bool converged, fresh = !k->factored;
        double e;
        if (k->factored && fabs(h / k->factor_step - 1) > 0.2) k->factored = false, fresh = true;
        routh_status status = try_step(run, h, &converged, &e, error);
        if (status == ROUTH_OUT_OF_MEMORY) return status;
        if (status) converged = false;
        if (!converged && !fresh) { /* the matrix anew first */
            k->factored = false;
            continue;
        }
        if (converged && e <= 1) {
            accept(run, k, h);
            run->count.steps++;
            const double by = change(e);
            if (run->fixed_step == 0 && (!cut || by < 1) && (by < 1 || by > 1.2))
                run->step = h * by;
            return ROUTH_OK;
        }
        run->count.rejected++;
        if (run->fixed_step > 0 || h < 1e-13 * fmax(fabs(run->now->t), 1e-3 * h))
            return status ? rt_run_fail(run->now->t, status, error) : too_short(run, h, error);
        h *= converged ? fmin(change(e), 0.9) : 0.25;
        run->step = h;
        cut = false;
        if (h < 0.5 * k->last_step && (status = start_shorter(run, k, error)))
            return rt_run_fail(run->now->t, status, error);
    }
}

/* xi(s) = A s + B s^2 + C s^3 on 0 <= s <= 1 through both ends, with u at both; its slope is u. */
static routh_status between(rt_run *run, double t, rt_state *out, routh_error *error)
{
    (void)error;
    const alpha *k = run->own;
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
    const double *rate0 = rates(run, a), *rate1 = rates(run, b);
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

const rt_integrator rt_hht = {
    .name = "hht",
    .about = "Hilber, Hughes, Taylor on the index-3 equations, as in the Adams solver; order 2, "
             "damps high frequencies",
    .order = 2,
    .available = true,
    .create = create_hht,
    .free = release,
    .begin = begin,
    .step = step,
    .between = between,
};

const rt_integrator rt_generalized_alpha = {
    .name = "generalized-alpha",
    .about = "generalized alpha on the Lie group of the rotations; order 2, chosen damping of high "
             "frequencies",
    .order = 2,
    .available = true,
    .create = create_generalized,
    .free = release,
    .begin = begin,
    .step = step,
    .between = between,
};
