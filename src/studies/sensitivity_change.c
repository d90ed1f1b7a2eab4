/* See sensitivity_change.h. With r_p, Phi_p, g_p the derivatives by the parameter at the point held
 * fixed, at a static equilibrium
 *     K xi + (G'+L) dlambda + R signals = -r_p,  G xi = -Phi_p,  sensors likewise, at rest. */
#include "studies/sensitivity_change.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "methods/redundant_pencil.h"
#include "system/varied_state.h"

/* ---- at rest in balance --------------------------------------------------------------------- */

/* Where a term of the pencil stands in the equations of balance; false: nowhere. */
static bool balance_place(const rt_levels_pencil *p, const rt_term *t, int *row, int *column)
{
    const int r = t->row - p->n1, c = t->column - p->n1, X = t->column - p->z - p->z1;
    if (r < 0) return false;
    const bool is_G = r >= p->velocity && r < p->velocity + p->m && c >= p->u && c < p->u + p->n;
    if (is_G) {
        *row = p->n + r - p->velocity, *column = c - p->u;
        return true;
    }
    if (r >= p->motion && r < p->motion + p->n)
        *row = r - p->motion;
    else if (r >= p->equations)
        *row = p->n + p->m + r - p->equations;
    else
        return false;
    if (c >= p->xi && c < p->xi + p->n)
        *column = c - p->xi;
    else if (c >= p->lambda && c < p->lambda + p->m)
        *column = p->n + c - p->lambda;
    else if (c >= p->v)
        *column = p->n + p->m + p->n_x + c - p->v;
    else if (c < 0 && X >= 0)
        *column = p->n + p->m + X;
    else
        return false;
    return true;
}

/* K's place of an entry of M. */
static bool mass_place(const rt_levels_pencil *p, const rt_term *t, int *row, int *column)
{
    const int r = t->row - p->n1 - p->motion, c = t->column - p->n1 - p->a;
    *row = r, *column = c;
    return r >= 0 && r < p->n && c >= 0 && c < p->n;
}

static routh_status balance_create(rt_change *q, rt_arena *arena, routh_error *error)
{
    const rt_levels_pencil *p = q->p;
    /* directions that nothing holds: so little that what is held does not feel it */
    const double rate = rt_typical_rate(p->s), sigma = 1e-11 * rate * rate;
    rt_arena scratch = {0};
    int n = 0;
    int *row = RT_TAKE(&scratch, int, p->n_terms), *column = RT_TAKE(&scratch, int, p->n_terms);
    int *position = RT_TAKE(&scratch, int, p->n_terms);
    double *value = RT_TAKE(&scratch, double, p->n_terms),
           *held = RT_TAKE(&scratch, double, p->n_terms);
    q->order = p->n + p->m + p->n_x + p->n_v;
    routh_status status =
        row && column && position && value && held ? ROUTH_OK : rt_fail_memory(error);
    for (int k = 0; k < p->n_terms && !status; k++) {
        const rt_term *t = &p->terms[k];
        const double x = t->from ? t->sign * *t->from : t->sign;
        const bool stands = balance_place(p, t, &row[n], &column[n]);
        if (!stands && !mass_place(p, t, &row[n], &column[n])) continue;
        value[n] = stands ? x : 0;
        held[n++] = stands ? x : sigma * x;
    }
    if (!status)
        status = rt_pattern_build(&q->pattern, q->order, q->order, (size_t)n, row, column, position,
                                  arena, error);
    if (!status) {
        q->values = RT_TAKE(arena, double, q->pattern.start[q->order]);
        q->held = RT_TAKE(arena, double, q->pattern.start[q->order]);
        if (!q->values || !q->held) status = rt_fail_memory(error);
    }
    for (int k = 0; k < n && !status; k++) {
        q->values[position[k]] += value[k];
        q->held[position[k]] += held[k];
    }
    rt_arena_free(&scratch);
    if (!status) status = rt_factor_create(&q->factor, &q->pattern, RT_ORDER_COLAMD, error);
    return status ? status : rt_factor_numeric(q->factor, q->held, error);
}

static double sensitivity_change_largest(const double *x, int n)
{
    double worst = 0;
    for (int k = 0; k < n; k++) worst = fmax(worst, fabs(x[k]));
    return worst;
}

static bool sensitivity_change_all_zero(const double *x, int n)
{
    for (int k = 0; k < n; k++)
        if (x[k] != 0) return false;
    return true;
}

/* x += the correction. Is it all that can be had? last: the size of the one before. */
static bool sensitivity_change_correct(double *x, const double *by, int n, int pass, double *last)
{
    const double before = *last, now = *last = sensitivity_change_largest(by, n);
    for (int k = 0; k < n; k++) x[k] += by[k];
    const double size = sensitivity_change_largest(x, n);
    if (now == 0 || (pass > 0 && now / before * now <= 1e-17 * size)) return true;
    return now > before / 8 && now <= 1e-12 * size;
}

/* x of values x = rhs by the factors of `held`, n columns at a time: what they differ by fades from
 * pass to pass, by the same factor, until only rounding is left, and along what nothing holds there
 * is nothing to find. */
static routh_status balance_solve(rt_change *q, const double *rhs, int n, double *x,
                                  routh_error *error)
{
    enum { PASSES = 12 };
    const size_t order = (size_t)q->order;
    double last[RT_CHANGE_COLUMNS];
    bool done[RT_CHANGE_COLUMNS], all = false;
    memset(x, 0, order * (size_t)n * sizeof *x);
    for (int c = 0; c < n; c++)
        last[c] = INFINITY, done[c] = sensitivity_change_all_zero(rhs + order * c, q->order);
    for (int pass = 0; pass < PASSES && !all; pass++) {
        memcpy(q->residual, rhs, order * (size_t)n * sizeof *rhs);
        for (int c = 0; c < n && pass > 0; c++)
            rt_sparse_multiply_add(&q->pattern, q->values, -1, x + order * c,
                                   q->residual + order * c);
        const routh_status status = rt_factor_solve_once(q->factor, q->residual, n, q->work, error);
        if (status) return status;
        all = true;
        for (int c = 0; c < n; c++) {
            done[c] = done[c] || sensitivity_change_correct(x + order * c, q->residual + order * c,
                                                            q->order, pass, &last[c]);
            all = all && done[c];
        }
    }
    for (int c = 0; c < n; c++)
        if (!done[c] && last[c] > 1e-6 * sensitivity_change_largest(x + order * c, q->order))
            return rt_fail(error, ROUTH_SINGULAR,
                           "the equilibrium has no derivative by this parameter, because its force "
                           "acts in a direction without stiffness; add a support in that "
                           "direction, or select other parameters (--parameters)");
    return ROUTH_OK;
}

/* What the parameter does to balance, with nothing moved. */
static routh_status sensitivity_change_find_forces(rt_change *q, rt_variation *v, double *rhs,
                                                   routh_error *error)
{
    const rt_levels_pencil *p = q->p;
    routh_status status = ROUTH_OK;
    rt_variation_read(v, RT_VARIED_RESIDUAL, q->force);
    rt_variation_read(v, RT_VARIED_PHI, q->phi);
    for (int c = 0; c < p->n; c++) rhs[c] = -q->force[c];
    for (int r = 0; r < p->s->m->n_rows; r++)
        if (p->slot[r] >= 0) rhs[p->n + p->slot[r]] = p->s->m->nonholonomic[r] ? 0 : -q->phi[r];
    for (int k = 0; k < p->n_x + p->n_v && !status; k++) {
        double *to = &rhs[p->n + p->m + k];
        status = rt_variation_sensor(v, k < p->n_x ? RT_SENSOR_STATE : RT_SENSOR_VARIABLE,
                                     k < p->n_x ? k : k - p->n_x, to, NULL, error);
        *to = -*to;
    }
    return status;
}

static int body_of_row(const routh_mechanism *m, int row)
{
    const rt_block *block = &m->constraints[m->row_constraint[row]].block;
    int body = RT_GROUND;
    for (int f = 0; f < block->n_frames && body < 0; f++) body = m->marker_body[block->frames[f]];
    return body;
}

void rt_change_share(rt_change *q, const rt_variation *v, const int *owner, double *rhs)
{
    const rt_levels_pencil *p = q->p;
    const routh_mechanism *m = p->s->m;
    const size_t order = (size_t)q->order;
    rt_variation_read(v, RT_VARIED_RESIDUAL, q->force);
    rt_variation_read(v, RT_VARIED_PHI, q->phi);
    for (int c = 0; c < p->n; c++)
        if (q->force[c] != 0 && owner[c / 6] >= 0)
            rhs[order * (size_t)owner[c / 6] + (size_t)c] = -q->force[c];
    for (int r = 0; r < m->n_rows; r++) {
        const int body = body_of_row(m, r), k = body < 0 ? -1 : owner[body];
        if (k >= 0 && p->slot[r] >= 0 && !m->nonholonomic[r])
            rhs[order * (size_t)k + (size_t)(p->n + p->slot[r])] = -q->phi[r];
    }
}

static void sensitivity_change_put_motion(const rt_change *q, const double *x, int stride,
                                          double *z)
{
    const rt_levels_pencil *p = q->p;
    for (int c = 0; c < p->n; c++) z[(size_t)c * (size_t)stride] = x[c];
    for (int r = 0; r < p->s->m->n_rows; r++)
        z[(size_t)(p->n + r) * (size_t)stride] = p->slot[r] < 0 ? 0 : x[p->n + p->slot[r]];
}

/* Those of one packet; of[c]: which they are. */
static routh_status solve_packet(rt_change *q, const int *of, int n, int stride, double *z,
                                 routh_error *error)
{
    const routh_status status = balance_solve(q, q->packed, n, q->x, error);
    for (int c = 0; c < n && !status; c++)
        sensitivity_change_put_motion(q, q->x + (size_t)q->order * c, stride, z + of[c]);
    return status;
}

routh_status rt_change_solve(rt_change *q, const double *rhs, int n, int stride, double *z,
                             routh_error *error)
{
    const size_t order = (size_t)q->order;
    int of[RT_CHANGE_COLUMNS], taken = 0;
    for (int k = 0; k < n; k++) { /* what nothing pushes stays */
        const double *own = rhs + order * k;
        if (sensitivity_change_all_zero(own, q->order)) {
            memset(q->x, 0, order * sizeof *q->x);
            sensitivity_change_put_motion(q, q->x, stride, z + k);
        } else {
            memcpy(q->packed + order * taken, own, order * sizeof *own);
            of[taken++] = k;
        }
        if (taken < RT_CHANGE_COLUMNS && (k < n - 1 || taken == 0)) continue;
        const routh_status status = solve_packet(q, of, taken, stride, z, error);
        if (status) return status;
        taken = 0;
    }
    return ROUTH_OK;
}

/* What was solved for into what is found: at rest, whatever is written. */
static void sensitivity_change_put_static(rt_change *q)
{
    const rt_levels_pencil *p = q->p;
    memset(q->by.u, 0, (size_t)p->n * sizeof *q->x);
    memcpy(q->by.xi, q->x, (size_t)p->n * sizeof *q->x);
    for (int r = 0; r < p->s->m->n_rows; r++)
        q->by.lambda[r] = p->slot[r] < 0 ? 0 : q->x[p->n + p->slot[r]];
    memcpy(q->by.signal, q->x + p->n + p->m, (size_t)p->n_x * sizeof *q->x);
    memcpy(q->by.signal + 2 * p->n_x, q->x + p->n + p->m + p->n_x, (size_t)p->n_v * sizeof *q->x);
}

static routh_status find_static(rt_change *q, rt_variation *v, routh_error *error)
{
    const rt_varied_state none = {0};
    routh_status status = rt_variation_move(v, &none, error);
    if (!status) status = rt_variation_evaluate(v, RT_EVALUATE_PHI | RT_EVALUATE_RESIDUAL, error);
    if (!status) status = sensitivity_change_find_forces(q, v, q->rhs, error);
    if (!status) status = balance_solve(q, q->rhs, 1, q->x, error);
    if (status) return status;
    sensitivity_change_put_static(q);
    return ROUTH_OK;
}

/* x <- sigma (values + sigma M)^-1 M x: what has the stiffness omega^2 against its inertia becomes
 * sigma / (omega^2 + sigma) of itself, what has none stays. */
static routh_status sensitivity_change_sift(rt_change *q, double *x, routh_error *error)
{
    const rt_pattern *pattern = &q->pattern;
    memset(q->residual, 0, (size_t)q->order * sizeof *x);
    rt_sparse_multiply_add(pattern, q->held, 1, x, q->residual);
    rt_sparse_multiply_add(pattern, q->values, -1, x, q->residual);
    for (int k = q->p->n; k < q->order; k++) q->residual[k] = 0;
    const routh_status status = rt_factor_solve_once(q->factor, q->residual, 1, q->work, error);
    if (!status) memcpy(x, q->residual, (size_t)q->order * sizeof *x);
    return status;
}

routh_status rt_change_free(rt_change *q, bool *free, routh_error *error)
{
    enum { PASSES = 3 };
    static const double some = 1e-5;
    const rt_search *s = q->p->s;
    uint64_t chance = 88172645463325252u;
    routh_status status = ROUTH_OK;
    double least = 0;
    memset(q->x, 0, (size_t)q->order * sizeof *q->x);
    for (int c = 0; c < q->p->n; c++) { /* xorshift */
        chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
        q->x[c] = s->unit[c] * ((double)(chance >> 11) * 0x1p-52 - 1);
    }
    for (int k = 0; k < PASSES && !status; k++) status = sensitivity_change_sift(q, q->x, error);
    for (int c = 0; c < q->p->n; c++) least = fmax(least, fabs(q->x[c]) / s->unit[c]);
    *free = !status && least > some;
    for (int k = 0; k < q->order && *free; k++) q->x[k] /= least;
    if (*free) sensitivity_change_put_static(q);
    return status;
}

/* ---- both ----------------------------------------------------------------------------------- */

static bool sensitivity_change_take(rt_change *q, rt_arena *arena)
{
    const rt_levels_pencil *p = q->p;
    const size_t n = (size_t)p->n, m = (size_t)p->s->m->n_rows, all = (size_t)p->n2 + n + m;
    const size_t columns = all * RT_CHANGE_COLUMNS;
    q->by = (rt_moved){.xi = RT_TAKE(arena, double, n),
                       .u = RT_TAKE(arena, double, n),
                       .udot = RT_TAKE(arena, double, n),
                       .lambda = RT_TAKE(arena, double, m),
                       .signal = RT_TAKE(arena, double, p->s->m->n_signals)};
    q->rhs = RT_TAKE(arena, double, all), q->residual = RT_TAKE(arena, double, columns);
    q->x = RT_TAKE(arena, double, columns), q->work = RT_TAKE(arena, double, columns);
    q->packed = RT_TAKE(arena, double, columns);
    q->phi = RT_TAKE(arena, double, 3 * m), q->force = RT_TAKE(arena, double, n);
    return q->by.xi && q->by.u && q->by.udot && q->by.lambda && q->by.signal && q->rhs &&
           q->residual && q->x && q->work && q->packed && q->phi && q->force;
}

routh_status rt_change_create(rt_change *q, const rt_levels_pencil *p,
                              const routh_operating_point *point, rt_arena *arena,
                              routh_error *error)
{
    *q = (rt_change){.p = p, .type = point->type};
    if (!sensitivity_change_take(q, arena)) return rt_fail_memory(error);
    switch (point->type) {
    case ROUTH_OPERATING_STATIC: return balance_create(q, arena, error);
    case ROUTH_OPERATING_GIVEN: return rt_given_create(&q->given, p, point, arena, error);
    case ROUTH_OPERATING_STEADY:
        rt_v3_scale(q->turn, point->steady->turn_rate, point->steady->axis);
        return rt_steady_change_create(&q->steady, p->s->m, p->s->state, point, error);
    default:
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the operating point is a state from a file, whose dependence on parameters "
                       "is not known; use the operating point of the model (--at given, static or "
                       "steady)");
    }
}

void rt_change_release(rt_change *q)
{
    if (q->type == ROUTH_OPERATING_GIVEN) rt_given_release(&q->given);
    rt_steady_change_free(q->steady);
    rt_factor_free(q->factor);
    q->steady = NULL, q->factor = NULL;
}

static routh_status sensitivity_change_find(rt_change *q, rt_variation *v, int parameter,
                                            routh_error *error)
{
    double turn[3];
    switch (q->type) {
    case ROUTH_OPERATING_STATIC: return find_static(q, v, error);
    case ROUTH_OPERATING_GIVEN: return rt_given_find(&q->given, v, &q->by, error);
    default: break;
    }
    const routh_status status = rt_steady_change_find(q->steady, v, parameter, &q->by, turn, error);
    if (!status) rt_variation_turn(v, q->turn, turn);
    return status;
}

routh_status rt_change_find(rt_change *q, rt_variation *v, int parameter, routh_error *error)
{
    const rt_moved *by = &q->by;
    const rt_state *s = q->p->s->state;
    const rt_varied_state at = rt_varied_state_of(s);
    const rt_varied_state change = {
        .xi = by->xi, .u = by->u, .udot = by->udot, .lambda = by->lambda, .signal = by->signal};
    const bool written = q->type != ROUTH_OPERATING_STATIC; /* where an equilibrium is, is found */
    routh_status status =
        rt_variation_along(v, parameter, written ? by->xi : NULL, written ? by->u : NULL, error);
    if (!status) status = sensitivity_change_find(q, v, parameter, error);
    rt_variation_place(v, &at, q->type != ROUTH_OPERATING_GIVEN);
    return status ? status : rt_variation_move(v, &change, error);
}
