/* Rates of controllers and variables, found together with the accelerations:
 *
 *     r(u', lambda, p) = 0,   Phi''(u') = 0,   g(u', lambda, p) = 0,   p = (x', v),
 * at given q, u, x, inputs. Newton's method on all of them; mechanics is eliminated,
 *     [M G'+L; G 0] [Z_a; Z_l] = -[R; 0],        J = g_p + g_a Z_a + g_lambda Z_l,
 *     [M G'+L; G 0] [a; l] = -[r; Phi''],        J dp = -(g + g_a a + g_lambda l),
 *     [M G'+L; G 0] [du'; dlambda] = -[r + R dp; Phi''].
 * A step that does not bring the equations nearer is halved. Where J is singular a loop of
 * variables and accelerations has no solution, or no single one. */
#include "operating/signals.h"

#include <float.h>

/* ---- explicit ones -------------------------------------------------------------------------- */

void rt_sweep_signals(rt_search *s, bool all)
{
    rt_signals *k = s->signals;
    if (!all) rt_evaluate_frames(s->m, s->w, s->state);
    for (int i = 0; i < k->n_explicit; i++) {
        const int e = k->explicit_order[i];
        int number;
        const rt_sensor_kind kind = rt_signals_kind(k, e, &number);
        const bool rate = kind == RT_SENSOR_STATE;
        rt_sensor_row *row = &k->rows[e];
        if ((!all && (k->feels[e] || rate)) ||
            rt_sensor_evaluate(s->m, s->w, s->state, kind, number, rate, row, NULL))
            continue;
        double slope = 1; /* an equation of a rate is taken as linear in it */
        for (int j = 0; j < row->n_signals && rate; j++)
            if (row->signals[j] == k->place[e]) slope = row->by_signal[j];
        const double value = s->state->signal[k->n_x + e] - row->value / slope;
        if (isfinite(value)) s->state->signal[k->n_x + e] = value;
    }
}
static routh_status signals_evaluate(rt_search *s, routh_error *error)
{
    const int what =
        RT_EVALUATE_PHI | RT_EVALUATE_RESIDUAL | RT_EVALUATE_JACOBIAN | RT_EVALUATE_MASS;
    const routh_status status = rt_evaluate(s->m, s->w, s->state, what, error);
    return status ? status : rt_signals_evaluate(s, true, error);
}

static routh_status find_step(rt_search *s, bool whole, routh_error *error)
{
    rt_signals *k = s->signals;
    const routh_status status = rt_signals_factor(s, whole, error);
    if (status) return status;
    for (int i = 0; i < k->n; i++) k->g[i] = k->rows[i].value;
    return rt_signals_solve(s, whole, s->w->residual, s->w->phi[2], k->g, error);
}

/* ---- how far to go -------------------------------------------------------------------------- */

static void keep_start(rt_search *s)
{
    rt_signals *k = s->signals;
    for (int j = 0; j < k->n; j++) k->start[j] = *rt_signals_unknown(s, k, j);
    memcpy(k->start_udot, s->state->udot, (size_t)s->m->n_u * sizeof(double));
    memcpy(k->start_lambda, s->state->lambda, (size_t)s->m->n_rows * sizeof(double));
    for (int i = 0; i < k->n; i++) {
        k->weight[i] = fabs(k->rows[i].value) + rt_signals_size(s, i);
        if (k->weight[i] == 0) k->weight[i] = 1;
    }
}

static void signals_go(rt_search *s, double scale)
{
    const rt_signals *k = s->signals;
    for (int j = 0; j < k->n; j++) *rt_signals_unknown(s, k, j) = k->start[j] + scale * k->step[j];
    for (int c = 0; c < s->m->n_u; c++)
        s->state->udot[c] = k->start_udot[c] + scale * k->step_udot[c];
    for (int r = 0; r < s->m->n_rows; r++)
        s->state->lambda[r] = k->start_lambda[r] + scale * k->step_lambda[r];
}

/* Sum of squares, each equation over its size where the step began; `force`: the largest there. */
static double signals_distance(const rt_search *s, double force)
{
    const rt_signals *k = s->signals;
    double sum = 0;
    for (int i = 0; i < k->n; i++) {
        const double e = k->rows[i].value / k->weight[i];
        sum += e * e;
    }
    for (int c = 0; c < s->m->n_u && force > 0; c++) {
        const double e = s->w->residual[c] * s->unit[c] / force;
        sum += e * e;
    }
    return sum;
}

/* The larger of what is left in the equations of signals and in those of motion. These are measured
 * by the largest single force, but where turning is fast and all forces are small they are no
 * better than rounding of what turning takes, though that may cancel: 1e-13 of it counts as good
 * as nothing, 1e-9. */
static double error_of(const rt_search *s)
{
    int at;
    double most = 0;
    for (int c = 0; c < s->m->n_u; c++) most = fmax(most, fabs(s->w->residual[c]) * s->unit[c]);
    const double size = fmax(rt_largest_force(s), 1e-4 * rt_turning_force(s));
    return fmax(rt_signals_error(s, &at), most > 0 ? most / size : 0);
}

/* While initial states are looked for: u' and lambda at the unknowns as tried, by the matrix that
 * the step was found by. So forces that are not linear in a state do not hold its step up, and how
 * far it goes does not depend on how forces, torques and signals are weighed. */
static routh_status follow_motion(rt_search *s, bool whole, routh_error *error)
{
    for (int c = 0; c < s->m->n_u; c++) s->x[c] = -s->w->residual[c];
    for (int r = 0; r < s->m->n_rows; r++) s->y[r] = -s->w->phi[2][r];
    const routh_status status = rt_solve_accelerations(s, whole, s->x, s->y, error);
    if (status) return status;
    for (int c = 0; c < s->m->n_u; c++) s->state->udot[c] += s->x[c];
    for (int r = 0; r < s->m->n_rows; r++) s->state->lambda[r] += s->y[r];
    return signals_evaluate(s, error);
}

static const double NEAR = 1e-6; /* where a full step is Newton's last but one or two */

static routh_status signals_take_step(rt_search *s, bool whole, double *taken, routh_error *error)
{
    const bool near = error_of(s) <= NEAR;
    keep_start(s);
    const double force = rt_largest_force(s), before = signals_distance(s, force);
    routh_status status = ROUTH_OK;
    *taken = 1;
    for (int tries = 0; tries < 40; tries++, *taken /= 2) {
        signals_go(s, *taken);
        status = signals_evaluate(s, error);
        if (!status && s->signals->least_norm) status = follow_motion(s, whole, error);
        if (status && status != ROUTH_NUMERIC_ERROR) return status;
        if (!status && (near || signals_distance(s, force) < before)) return ROUTH_OK;
    }
    *taken = 0;
    signals_go(s, 0);
    return signals_evaluate(s, error);
}

routh_status rt_find_signals(rt_search *s, bool whole, routh_error *error)
{
    enum { MOST = 50 };
    static const double good = 1e-9;
    routh_status status = signals_evaluate(s, error);
    double before = status ? 0 : error_of(s);
    for (int pass = 0; !status; pass++) {
        double taken = 1;
        status = find_step(s, whole, error);
        if (!status) status = signals_take_step(s, whole, &taken, error);
        if (status) return status;
        const double now = error_of(s);
        const bool best = now <= DBL_EPSILON || now >= before / 2 || taken == 0;
        if (now <= good && best && (taken == 1 || taken == 0)) return ROUTH_OK;
        if (taken == 0 || pass == MOST) return rt_signals_fail(s, error);
        before = now;
    }
    return status;
}
