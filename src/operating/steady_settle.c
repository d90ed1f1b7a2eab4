/* Where a search for a steady motion begins anew: the mechanism settles at the velocity and the
 * rate of rotation with which the search began. Spins that nothing prescribes have their inertia,
 * the configuration much dissipation instead of its own,
 *     r + M (w xi' + a s') = 0,   Phi = 0,   g(x') = 0,
 * with xi, w, x and r as in steady_relax.c, now, with inputs held and nothing prescribed but rates.
 * A wheel that slips far beyond its largest force, where more slip gives less of it and Newton's
 * method leads astray, comes to where it rolls by the sign of that force, as it does in fact, in a
 * time in which a vehicle hardly changes its speed.
 *
 * Implicit Euler steps h, linear ones. After such a step the equations of the implicit method,
 *     F(y + dy) + T dy/h = 0,      T: what multiplies xi', s', x',
 * fail by how much F is bent over the step; h follows from that. The velocity that is held may be
 * none at which there is a balance: then the place nearest to it on the way counts. */
#include <stdlib.h>

#include "operating/steady.h"
#include "operating/twists.h"

/* In all; and how long, in 1/rate. */
enum { STEPS = 200 };
static const double LONG_ENOUGH = 1e3;

/* How far F may be bent over a step, in parts of what it was. */
static const double BENT = 0.25, STRAIGHT = 0.1;

/* What counts as settled. */
static const double NEAR = 1e-6;

static const double LONGEST = 0.2;

/* T dy/h of the step that is made, in the axes of each body: M (w xi + U y')/h and g(x)/h. */
static void settle_expect(const rt_steady_search *k, double *out)
{
    const rt_search *s = k->s;
    const rt_pattern *M = &s->m->pattern_M;
    const int n_x = s->m->model->n_control_states;
    const size_t n = (size_t)s->m->n_u;
    memset(out, 0, (size_t)k->n_rows * sizeof *out);
    for (int c = 0; c < s->m->n_u; c++) {
        double change = k->damping * k->step[c];
        for (int j = 0; j < k->n_motion; j++)
            change += k->U[(size_t)c + n * (size_t)j] * k->step[k->at_motion + j];
        for (int p = M->start[c]; p < M->start[c + 1]; p++)
            out[M->row[p]] += k->per_step * s->w->M[p] * change;
    }
    for (int b = 0; b < s->m->n_bodies; b++) {
        double x[3];
        rt_m3_tmul_v(x, s->w->bodies[b].A, out + 6 * (size_t)b);
        rt_v3_copy(out + 6 * (size_t)b, x);
    }
    for (int i = 0; s->signals && i < s->signals->n; i++) {
        const rt_sensor_row *row = &s->signals->rows[i];
        for (int l = 0; l < row->n_signals; l++) {
            const int x = row->signals[l] - n_x;
            if (x >= 0 && x < n_x && !k->drifts[x])
                out[k->in_signals + i] += k->per_step * row->by_signal[l] * k->step[k->at_x + x];
        }
    }
}

static double settle_bend(const rt_steady_search *k, const double *expected)
{
    double worst = 0;
    for (int i = 0; i < k->n_rows; i++)
        worst = fmax(worst, fabs(k->whole.F[i] + expected[i]) / k->whole.row_unit[i]);
    return worst;
}

/* Where a step begins: the place nearest to balance so far is kept. */
static void settle_note(rt_steady_search *k, double now, double *best)
{
    if (!(now < *best)) return;
    *best = now;
    rt_steady_keep(k, RT_STEADY_SETTLED);
}

/* One step; *bend: by how much F is bent over it, infinite where the step cannot be taken. */
static routh_status settle_step(rt_steady_search *k, double *expected, double *before, double *best,
                                double *bend, routh_error *error)
{
    *bend = INFINITY;
    routh_status status = rt_steady_prepare_step(k, error);
    if (status) return status;
    *before = rt_steady_error(k);
    settle_note(k, *before, best);
    status = rt_steady_make_step(k, 0, error);
    if (status) return status == ROUTH_SINGULAR ? ROUTH_OK : status;
    if (!(rt_steady_step_length(k) <= LONGEST)) return ROUTH_OK;
    settle_expect(k, expected);
    rt_steady_move(k);
    status = rt_steady_evaluate(k, false, error);
    if (!status && !rt_step_winds(k->s)) *bend = settle_bend(k, expected);
    return status == ROUTH_NUMERIC_ERROR ? ROUTH_OK : status;
}

static routh_status settle_steps(rt_steady_search *k, double *expected, routh_error *error)
{
    static const double FIRST = 1e-3, LEAST = 1e-9, MOST = 1e9;
    double h = FIRST, time = 0, before = INFINITY, best = INFINITY, bend;
    for (int i = 0; i < STEPS && h > LEAST && time < LONG_ENOUGH; i++) {
        k->damping = k->rate;
        k->per_step = k->rate / h;
        routh_status status = rt_progress_ask(k->s->progress, 1, error);
        if (!status) status = settle_step(k, expected, &before, &best, &bend, error);
        if (status) return status;
        if (bend <= BENT * before) {
            rt_angles_settle(k->s->m, k->s->w, k->s->state, true);
            time += h;
        } else {
            rt_steady_restore(k, RT_STEADY_STEP);
        }
        if (before <= NEAR) break;
        if (bend > BENT * before)
            h /= 4;
        else if (bend <= STRAIGHT * before)
            h = fmin(2 * h, MOST);
    }
    return ROUTH_OK;
}

routh_status rt_steady_settle(rt_steady_search *k, routh_error *error)
{
    double *expected = malloc((size_t)k->most_rows * sizeof *expected);
    if (!expected) return rt_fail_memory(error);
    k->settles = true;
    routh_status status = rt_steady_evaluate(k, false, error);
    if (!status) status = settle_steps(k, expected, error);
    k->settles = false;
    k->per_step = 0;
    if (!status) status = rt_steady_evaluate(k, false, error);
    free(expected);
    return status;
}
