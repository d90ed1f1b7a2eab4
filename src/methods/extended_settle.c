/* The state made consistent to the digits of extended precision, with the states S and W as they
 * are:
 *     P_S xi = [-Phi; 0],      P_W du = [-Phi'; 0],
 *     [M G'+L R; ...] [du'; dlambda; dX'; dV] = -residual.
 * Each begins so near (1e-12 or better) that the matrices of the first step serve for all. */
#include <string.h>

#include "base/dd_matrix.h"
#include "methods/extended_parts.h"

enum { MOST_STEPS = 8 };

/* A step that leaves more than this of what was there is the last: the rest is rounding. */
static const double SETTLED = 0.25;

static double settle_size(const rt_dd *x, const int *slot, int n)
{
    double largest = 0;
    for (int k = 0; k < n; k++)
        if (!slot || slot[k] >= 0) largest = fmax(largest, fabs(x[k].high));
    return largest;
}

/* b (rows by slot) := -phi */
static void settle_take_rows(const rt_extended_work *q, const int *slot, const rt_dd *phi, rt_dd *b)
{
    for (int r = 0; r < q->m->n_rows; r++)
        if (slot[r] >= 0) b[slot[r]] = rt_dd_negative(phi[r]);
}

static routh_status settle_positions(rt_extended_work *q, rt_dd *b, routh_error *error)
{
    double before = INFINITY;
    for (int step = 0; step < MOST_STEPS; step++) {
        rt_wide_read(q->wide, RT_VARIED_PHI, q->phi[0]);
        const double size = settle_size(q->phi[0], q->held_slot, q->m->n_rows);
        if (!(size < SETTLED * before) || size == 0) break;
        before = size;
        memset(b, 0, (size_t)q->n * sizeof *b);
        settle_take_rows(q, q->held_slot, q->phi[0], b);
        rt_dd_solve(q->n, q->position.a, q->position.pivots, 1, b);
        rt_wide_advance(q->wide, b);
        const routh_status status = rt_wide_evaluate(q->wide, RT_EVALUATE_PHI, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status settle_velocities(rt_extended_work *q, rt_dd *b, routh_error *error)
{
    double before = INFINITY;
    for (int step = 0; step < MOST_STEPS; step++) {
        rt_wide_read(q->wide, RT_VARIED_PHI1, q->phi[1]);
        const double size = settle_size(q->phi[1], q->slot, q->m->n_rows);
        if (!(size < SETTLED * before) || size == 0) break;
        before = size;
        memset(b, 0, (size_t)q->n * sizeof *b);
        settle_take_rows(q, q->slot, q->phi[1], b);
        rt_dd_solve(q->n, q->velocity.a, q->velocity.pivots, 1, b);
        rt_wide_add(q->wide, RT_WIDE_U, b);
        const routh_status status = rt_wide_evaluate(q->wide, RT_EVALUATE_PHI, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* What the equations of motion, of controllers and of variables leave, as right-hand side. */
static routh_status settle_residual(rt_extended_work *q, rt_dd *b, routh_error *error)
{
    rt_wide_read(q->wide, RT_VARIED_RESIDUAL, q->residual);
    rt_wide_read(q->wide, RT_VARIED_PHI2, q->phi[2]);
    for (int c = 0; c < q->n; c++) b[c] = rt_dd_negative(q->residual[c]);
    settle_take_rows(q, q->slot, q->phi[2], b + q->n);
    rt_extended_sensors *const sensors[] = {&q->equations, &q->variables};
    rt_dd *to = b + q->n + q->n_rows;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < sensors[s]->n; k++) {
            const routh_status status = rt_wide_sensor(q->wide, (int)sensors[s]->kind, k,
                                                       &sensors[s]->value[k], NULL, error);
            if (status) return status;
            *to++ = rt_dd_negative(sensors[s]->value[k]);
        }
    return ROUTH_OK;
}

/* u', lambda, X', V += y */
static void settle_add(rt_extended_work *q, const rt_dd *y, rt_dd *signal)
{
    rt_wide_add(q->wide, RT_WIDE_UDOT, y);
    for (int r = 0; r < q->m->n_rows; r++)
        q->full[r] = q->slot[r] >= 0 ? y[q->n + q->slot[r]] : rt_dd_of(0);
    rt_wide_add(q->wide, RT_WIDE_LAMBDA, q->full);
    memset(signal, 0, (size_t)q->m->n_signals * sizeof *signal);
    memcpy(signal + q->n_x, y + q->n + q->n_rows, (size_t)(q->n_x + q->n_v) * sizeof *y);
    rt_wide_add(q->wide, RT_WIDE_SIGNAL, signal);
}

static routh_status settle_motion(rt_extended_work *q, rt_dd *b, rt_dd *signal, routh_error *error)
{
    double before = INFINITY;
    for (int step = 0; step < MOST_STEPS; step++) {
        routh_status status =
            rt_wide_evaluate(q->wide, RT_EVALUATE_PHI | RT_EVALUATE_RESIDUAL, error);
        if (!status) status = settle_residual(q, b, error);
        if (status) return status;
        const double size = settle_size(b, NULL, q->order);
        if (!(size < SETTLED * before) || size == 0) break;
        before = size;
        rt_dd_solve(q->order, q->motion.a, q->motion.pivots, 1, b);
        settle_add(q, b, signal);
    }
    return ROUTH_OK;
}

static routh_status settle_each_level(rt_extended_work *q, routh_error *error)
{
    rt_arena scratch = {0};
    rt_dd *b = RT_TAKE(&scratch, rt_dd, q->order);
    rt_dd *signal = RT_TAKE(&scratch, rt_dd, q->m->n_signals);
    routh_status status = b && signal ? ROUTH_OK : rt_fail_memory(error);
    if (!status) status = settle_positions(q, b, error);
    if (!status) status = settle_velocities(q, b, error);
    if (!status) status = settle_motion(q, b, signal, error);
    rt_arena_free(&scratch);
    return status;
}

routh_status rt_extended_settle(rt_extended_work *q, routh_error *error)
{
    routh_status status = rt_extended_evaluate(q, error);
    if (!status) status = settle_each_level(q, error);
    return status ? status : rt_extended_evaluate(q, error);
}

routh_status rt_extended_follow(rt_extended_work *q, routh_error *error)
{
    const routh_status status = rt_wide_evaluate(q->wide, RT_EVALUATE_PHI, error);
    return status ? status : settle_each_level(q, error);
}
