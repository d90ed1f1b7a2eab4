/* One try of a step (alpha.h): where it begins, Newton, and what closes the constraints. */
#include <float.h>

#include "motion/alpha.h"

/* a of a step of another length: a - u' goes with the step. */
static void rescale(const rt_run *run, rt_alpha *k, double h)
{
    const double ratio = k->last_step > 0 ? h / k->last_step : 1;
    const double *udot = run->now->udot, *rate = rt_alpha_rates(run, run->now);
    for (int c = 0; c < run->m->n_u; c++) k->a0[c] = udot[c] + ratio * (k->a[c] - udot[c]);
    for (int j = 0; j < run->m->model->n_control_states; j++)
        k->w0[j] = rate[j] + ratio * (k->w[j] - rate[j]);
}

/* With what rounding took of the time before, as sums of many equal steps are rounded to one side.
 * The limit itself, where rounding would leave a last bit of time to it. */
static double end_of_step(const rt_run *run, const rt_alpha *k, double h)
{
    const double t = run->now->t + (h + k->rest);
    return fabs(run->limit - t) <= 4 * DBL_EPSILON * fabs(t) ? run->limit : t;
}

/* What the unknowns will be: along the line through the ends of the last step. */
routh_status rt_alpha_predict(rt_run *run, rt_alpha *k, double h, routh_error *error)
{
    const routh_mechanism *m = run->m;
    const rt_state *now = run->now, *before = run->before;
    rt_state *s = run->search.state;
    const int n_x = m->model->n_control_states;
    const double by = k->last_step > 0 ? h / k->last_step : 0;
    rescale(run, k, h);
    rt_state_copy(m, s, now);
    for (int c = 0; c < m->n_u; c++) s->udot[c] += by * (now->udot[c] - before->udot[c]);
    for (int r = 0; r < m->n_rows; r++) s->lambda[r] += by * (now->lambda[r] - before->lambda[r]);
    for (int j = n_x; j < 2 * n_x + m->model->n_variables; j++)
        s->signal[j] += by * (now->signal[j] - before->signal[j]);
    return rt_run_time(run, s, end_of_step(run, k, h), error);
}

/* a+, q+, u+ and x+ of the unknowns u'+ and x'+. */
static void alpha_step_follow(const rt_run *run, rt_alpha *k, double h)
{
    const routh_mechanism *m = run->m;
    const rt_state *now = run->now;
    rt_state *s = run->search.state;
    const double *rate = rt_alpha_rates(run, s), *old_rate = rt_alpha_rates(run, now);
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

static void alpha_step_take(const rt_run *run, const rt_newton_step *step)
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
 * accelerations turn in a step. What the steps make wrong goes back and forth with the motion, what
 * Newton leaves does not: steps of one length, of which there may be millions, leave a millionth.
 * No nearer than accelerations are rounded, and that of weights, which are there at rest too. */
static double newton_tolerance(const rt_run *run, const rt_alpha *k, double h)
{
    const bool close = run->fixed_step > 0 || run->alert > 0;
    const double part = close ? 1e-6 : 1e-3, rounding = 1e-14;
    double *d = run->search.x;
    for (int c = 0; c < run->m->n_u; c++) d[c] = k->a1[c] - k->a0[c];
    const double change = rt_run_norm(run, d), size = rt_run_norm(run, k->a1);
    const double weight = rt_v3_norm(run->m->gravity) / run->m->length;
    const double turn = change < size ? change / size : 1;
    const double wrong = run->fixed_step > 0 ? k->error_factor * h * h * change : run->tolerance;
    return fmax(part * turn * wrong, rounding * k->beta * h * h * fmax(size, weight));
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

/* What Newton still is away after a step of that size, if that can be told. Rates of factors of
 * other states, of other steps and from before an event say nothing of a first step. */
static double left_over(const rt_run *run, const rt_alpha *k, int i, double size)
{
    if (i == 0 && run->fixed_step > 0) return size;
    if (i == 0 && !k->rate_known) return INFINITY;
    return size * k->rate / (1 - k->rate);
}

/* Residuals, or also the matrix and its factors, in the state at hand; then Newton's step. */
static routh_status alpha_step_newton(rt_run *run, rt_alpha *k, double h, rt_newton_step *step,
                                      routh_error *error)
{
    rt_search *s = &run->search;
    const double c_u = k->kappa * k->gamma * h, c_x = k->kappa * k->beta * h * h;
    const bool factor = !k->factored;
    const int what = factor ? rt_newton_needs(k->newton) : RT_EVALUATE_PHI | RT_EVALUATE_RESIDUAL;
    alpha_step_follow(run, k, h);
    routh_status status = rt_evaluate(run->m, s->w, s->state, what, error);
    if (!status) status = rt_newton_sensors(k->newton, run, factor, error);
    if (!status && factor) {
        status = rt_newton_factor(k->newton, run, c_u, c_x, error);
        k->factored = !status, k->factor_step = h;
        k->rate_known = false;
    }
    if (!status) status = rt_newton_solve(k->newton, run, step, error);
    run->count.evaluations++;
    return status;
}

/* Factors are kept until the further steps that they cost would have paid new ones. */
static void judge_factors(rt_alpha *k, bool fresh, int n)
{
    enum { PRICE = 3 };
    if (fresh) k->n_fresh = n, k->extra = 0;
    k->extra += n > k->n_fresh ? n - k->n_fresh : 0;
    if (k->extra >= PRICE) k->factored = false;
}

/* Is Newton there after its step i of size q, or x of states, that is `ratio` of the one before?
 * What rounding makes of a step tells no rate. It may also let steps grow smaller slowly: those
 * that still do after the last of Newton, and are nothing beside the first. */
static bool alpha_step_is_there(const rt_run *run, rt_alpha *k, int i, double ratio, double q,
                                double x, double enough, bool nothing)
{
    const double size = fmax(q, x);
    if (ratio > 0.9 || (nothing && run->fixed_step > 0))
        return size <= enough || is_rounding(run, q, x);
    if (i > 0) {
        k->rate = fmax(k->rate_known ? 0.2 * k->rate : 0, fmax(ratio, LEAST_RATE));
        k->rate_known = true;
    }
    return left_over(run, k, i, size) <= enough;
}

routh_status rt_alpha_iterate(rt_run *run, rt_alpha *k, double h, bool *converged,
                              routh_error *error)
{
    enum { MOST = 10, MOST_OLD = 4 }; /* with factors of another state */
    const double c_u = k->kappa * k->gamma * h, c_x = k->kappa * k->beta * h * h;
    const bool fresh = !k->factored;
    const int most = fresh ? MOST : MOST_OLD;
    double before = 0, ratio = 0, first = 0;
    *converged = false;
    for (int i = 0; i < most && ratio <= 0.9; i++) {
        rt_newton_step step;
        const routh_status status = alpha_step_newton(run, k, h, &step, error);
        if (status) return status;
        run->count.iterations++;
        alpha_step_take(run, &step);
        const double q = c_x * rt_run_norm(run, step.udot);
        const double x = c_u * rt_run_norm_x(run, step.rate), size = fmax(q, x);
        if (!isfinite(size)) return ROUTH_OK;
        if (i == 0) first = size;
        if (i > 0 && before > 0) ratio = size / before;
        const bool nothing = i == MOST - 1 && size <= 1e-6 * first;
        const bool there =
            alpha_step_is_there(run, k, i, ratio, q, x, newton_tolerance(run, k, h), nothing);
        *converged = there && is_rounding(run, 0, c_x * step.push);
        if (there) ratio = 0; /* where multipliers alone are on their way yet */
        if (*converged) {
            alpha_step_follow(run, k, h);
            judge_factors(k, fresh, i + 1);
            return ROUTH_OK;
        }
        before = size;
    }
    return ROUTH_OK;
}

routh_status rt_alpha_close(rt_run *run, rt_alpha *k, bool *closed, routh_error *error)
{
    enum { MOST = 5 };
    rt_search *s = &run->search;
    rt_newton_step step;
    const double c_x = k->kappa * k->beta * k->factor_step * k->factor_step;
    *closed = run->m->n_rows == 0;
    for (int i = 0; i < MOST && !*closed; i++) {
        routh_status status = rt_evaluate(run->m, s->w, s->state, RT_EVALUATE_PHI, error);
        if (status) return status;
        run->count.evaluations++;
        *closed = rt_is_closed(rt_newton_open(k->newton, run), 8 * rt_run_rounding(run));
        if (*closed) return ROUTH_OK;
        status = rt_newton_close(k->newton, run, &step, error);
        if (status) return status;
        for (int c = 0; c < run->m->n_u; c++) s->x[c] = c_x * step.udot[c];
        rt_advance(run->m, s->state->q, s->x);
    }
    return ROUTH_OK;
}
