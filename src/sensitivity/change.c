/* See change.h. With r_p, Phi_p, g_p the derivatives by the parameter at the point held fixed:
 *
 * static   K xi + (G'+L) dlambda + R signals = -r_p,  G xi = -Phi_p,  sensors likewise, at rest
 * given    xi: what is written changes by xi_w, and assembly changes it least,
 *              [W G'; G 0] [xi - xi_w; y] = [0; -Phi_p - G xi_w]
 *          u likewise in the metric of the masses, then the levels of accelerations at once. */
#include "sensitivity/change.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "linear/redundant_pencil.h"

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

static double largest(const double *x, int n)
{
    double worst = 0;
    for (int k = 0; k < n; k++) worst = fmax(worst, fabs(x[k]));
    return worst;
}

/* x of values x = rhs by the factors of `held`: what they differ by fades from pass to pass, and
 * along what nothing holds there is nothing to find. */
static routh_status balance_solve(rt_change *q, routh_error *error)
{
    enum { PASSES = 12 };
    const int n = q->order;
    memset(q->x, 0, (size_t)n * sizeof *q->x);
    double last = INFINITY;
    for (int pass = 0; pass < PASSES; pass++) {
        memcpy(q->residual, q->rhs, (size_t)n * sizeof *q->rhs);
        rt_sparse_multiply_add(&q->pattern, q->values, -1, q->x, q->residual);
        const routh_status status = rt_factor_solve(q->factor, q->residual, 1, NULL, error);
        if (status) return status;
        for (int k = 0; k < n; k++) q->x[k] += q->residual[k];
        last = largest(q->residual, n);
        if (last <= 1e-15 * largest(q->x, n)) return ROUTH_OK;
    }
    if (last <= 1e-6 * largest(q->x, n)) return ROUTH_OK;
    return rt_fail(error, ROUTH_SINGULAR,
                   "the equilibrium does not move smoothly with this parameter: something that "
                   "nothing holds would be pushed away");
}

static routh_status find_static(rt_change *q, rt_variation *v, routh_error *error)
{
    const rt_levels_pencil *p = q->p;
    const rt_varied_state none = {0};
    routh_status status = rt_variation_move(v, &none, error);
    if (!status)
        status = rt_variation_evaluate(
            v, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS,
            error);
    if (status) return status;
    rt_variation_read(v, RT_VARIED_RESIDUAL, q->force);
    rt_variation_read(v, RT_VARIED_PHI, q->phi);
    for (int c = 0; c < p->n; c++) q->rhs[c] = -q->force[c];
    for (int r = 0; r < p->s->m->n_rows; r++)
        if (p->slot[r] >= 0) q->rhs[p->n + p->slot[r]] = p->s->m->nonholonomic[r] ? 0 : -q->phi[r];
    for (int k = 0; k < p->n_x + p->n_v && !status; k++) {
        double *to = &q->rhs[p->n + p->m + k];
        status = rt_variation_sensor(v, k < p->n_x ? RT_SENSOR_STATE : RT_SENSOR_VARIABLE,
                                     k < p->n_x ? k : k - p->n_x, to, NULL, error);
        *to = -*to;
    }
    if (!status) status = balance_solve(q, error);
    if (status) return status;
    memcpy(q->xi, q->x, (size_t)p->n * sizeof *q->x);
    for (int r = 0; r < p->s->m->n_rows; r++)
        q->lambda[r] = p->slot[r] < 0 ? 0 : q->x[p->n + p->slot[r]];
    memcpy(q->signal, q->x + p->n + p->m, (size_t)p->n_x * sizeof *q->x);
    memcpy(q->signal + 2 * p->n_x, q->x + p->n + p->m + p->n_x, (size_t)p->n_v * sizeof *q->x);
    return ROUTH_OK;
}

/* ---- as written ----------------------------------------------------------------------------- */

static routh_status given_create(rt_change *q, rt_arena *arena, routh_error *error)
{
    static const double follows = 1e-6;
    const rt_levels_pencil *p = q->p;
    const rt_search *s = p->s;
    const rt_pattern *M = &s->m->pattern_M;
    double *X = RT_TAKE(arena, double, M->start[p->n]);
    q->weight = RT_TAKE(arena, double, p->n);
    if (!X || !q->weight) return rt_fail_memory(error);
    for (int c = 0; c < p->n; c++) {
        int body;
        bool angle;
        double per_radian;
        rt_column(s->m, c, &body, &angle, &per_radian);
        const rt_body *b = &s->m->model->bodies[body];
        q->weight[c] = (angle ? b->angular_velocity_given : b->velocity_given) ? 1 : sqrt(follows);
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            X[e] = M->row[e] == c ? 1 / (s->unit[c] * s->unit[c]) : 0;
    }
    const rt_elimination *position = rt_position_rank(s);
    routh_status status = rt_kkt_create(&q->assembly, s->m, M, position->row_step, error);
    if (!status) status = rt_kkt_factor(q->assembly, X, s->w->G, NULL, 0, error);
    if (status) return status;
    for (int c = 0; c < p->n; c++)
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            X[e] = s->w->M[e] * q->weight[c] * q->weight[M->row[e]];
    q->values = X; /* the metric of velocities */
    status = rt_kkt_create(&q->velocities, s->m, M, s->rank->row_step, error);
    return status ? status : rt_kkt_factor(q->velocities, X, s->w->G, NULL, 0, error);
}

/* xi = xi_w + the least that closes G xi = -Phi_p */
static routh_status change_configuration(rt_change *q, routh_error *error)
{
    const rt_levels_pencil *p = q->p;
    const rt_workspace *w = p->s->w;
    double *y = q->lambda;
    memset(q->xi, 0, (size_t)p->n * sizeof *q->xi);
    memset(q->rhs, 0, (size_t)p->s->m->n_rows * sizeof *q->rhs);
    rt_sparse_multiply_add(&p->s->m->pattern_G, w->G, 1, q->written_xi, q->rhs);
    for (int r = 0; r < p->s->m->n_rows; r++) y[r] = -q->phi[r] - q->rhs[r];
    const routh_status status = rt_kkt_solve(q->assembly, q->xi, y, error);
    for (int c = 0; c < p->n; c++) q->xi[c] += q->written_xi[c];
    return status;
}

/* The passes of rt_find_velocities, which are linear: about u that fits what is written. */
static routh_status change_velocities(rt_change *q, routh_error *error)
{
    enum { PASSES = 3 };
    const rt_levels_pencil *p = q->p;
    const rt_search *s = p->s;
    const int n_rows = s->m->n_rows;
    double *z = q->residual, *step = q->udot, *y = q->lambda, *now = q->rhs;
    memcpy(q->u, q->written_u, (size_t)p->n * sizeof *q->u);
    for (int pass = 0; pass < PASSES; pass++) {
        for (int c = 0; c < p->n; c++) z[c] = q->weight[c] == 1 ? q->written_u[c] - q->u[c] : 0;
        memset(step, 0, (size_t)p->n * sizeof *step);
        rt_sparse_multiply_add(&s->m->pattern_M, q->values, 1, z, step);
        memset(now, 0, (size_t)n_rows * sizeof *now);
        rt_sparse_multiply_add(&s->m->pattern_G, s->w->G, 1, q->u, now);
        rt_sparse_multiply_add(&s->m->pattern_G, s->w->Vx, 1, q->xi, now);
        for (int r = 0; r < n_rows; r++) y[r] = -q->phi[n_rows + r] - now[r];
        const routh_status status = rt_kkt_solve(q->velocities, step, y, error);
        if (status) return status;
        for (int c = 0; c < p->n; c++) q->u[c] += step[c];
    }
    return ROUTH_OK;
}

/* The rows of x that xi and u are to keep, then those of accelerations. */
static routh_status change_accelerations(rt_change *q, rt_variation *v, routh_error *error)
{
    const rt_levels_pencil *p = q->p;
    const int n_rows = p->s->m->n_rows;
    double *b = q->rhs;
    memset(b, 0, (size_t)p->n2 * sizeof *b);
    for (int k = 0; k < p->n_terms; k++) {
        const rt_term *t = &p->terms[k];
        const int r = t->row - p->n1, c = t->column - p->n1;
        if (r < 0 || r >= p->motion || c < 0 || c >= p->a) continue;
        b[r] += (t->from ? t->sign * *t->from : t->sign) * (c < p->u ? q->xi[c] : q->u[c - p->u]);
    }
    for (int c = 0; c < p->n; c++) b[p->motion + c] = -q->force[c];
    for (int r = 0; r < n_rows; r++)
        if (p->slot[r] >= 0) b[p->rows + p->slot[r]] = -q->phi[2 * n_rows + r];
    for (int k = 0; k < p->n_x + p->n_v; k++) {
        double *to = &b[p->equations + k];
        const routh_status status =
            rt_variation_sensor(v, k < p->n_x ? RT_SENSOR_STATE : RT_SENSOR_VARIABLE,
                                k < p->n_x ? k : k - p->n_x, to, NULL, error);
        if (status) return status;
        *to = -*to;
    }
    const routh_status status = rt_factor_solve(p->factor, b, 1, NULL, error);
    memcpy(q->udot, b + p->a, (size_t)p->n * sizeof *b);
    for (int r = 0; r < n_rows; r++) q->lambda[r] = p->slot[r] < 0 ? 0 : b[p->lambda + p->slot[r]];
    memcpy(q->signal + p->n_x, b + p->rate, (size_t)p->n_x * sizeof *b);
    memcpy(q->signal + 2 * p->n_x, b + p->v, (size_t)p->n_v * sizeof *b);
    return status;
}

/* States that were placed where their rates are zero stay so: x_j moves by what makes
 *     X'_k + sum_j dX'_k/dx_j dx_j = 0,      and all else with it. */
static routh_status change_placed(rt_change *q, routh_error *error)
{
    const rt_levels_pencil *p = q->p;
    const int n = q->n_placed;
    const size_t n2 = (size_t)p->n2;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            q->lu[k + n * j] = q->response[n2 * (size_t)j + (size_t)(p->rate + q->placed[k])];
    for (int k = 0; k < n; k++) q->step[k] = -q->signal[p->n_x + q->placed[k]];
    routh_status status = rt_lu_factor(n, q->lu, q->pivots, error);
    if (!status) status = rt_lu_solve(n, q->lu, q->pivots, 1, q->step, 0, error);
    for (int j = 0; j < n && !status; j++) {
        const double *x = q->response + n2 * (size_t)j, s = q->step[j];
        for (int c = 0; c < p->n; c++) q->udot[c] += s * x[p->a + c];
        for (int r = 0; r < p->s->m->n_rows; r++)
            if (p->slot[r] >= 0) q->lambda[r] += s * x[p->lambda + p->slot[r]];
        for (int k = 0; k < p->n_x; k++) q->signal[p->n_x + k] += s * x[p->rate + k];
        for (int k = 0; k < p->n_v; k++) q->signal[2 * p->n_x + k] += s * x[p->v + k];
        q->signal[q->placed[j]] += s;
    }
    return status;
}

/* Which these are, and how all moves with each. */
static routh_status placed_create(rt_change *q, const routh_operating_point *point, rt_arena *arena,
                                  routh_error *error)
{
    const rt_levels_pencil *p = q->p;
    const size_t n_x = (size_t)p->n_x;
    q->placed = RT_TAKE(arena, int, n_x), q->pivots = RT_TAKE(arena, int, n_x);
    q->lu = RT_TAKE(arena, double, n_x *n_x), q->step = RT_TAKE(arena, double, n_x);
    double *unit = RT_TAKE(arena, double, p->n1);
    if (!q->placed || !q->pivots || !q->lu || !q->step || !unit) return rt_fail_memory(error);
    for (int k = 0; k < point->n_signals && k < p->n_x; k++)
        if (point->signals[k].placed) q->placed[q->n_placed++] = k;
    q->response = RT_TAKE(arena, double, (size_t)p->n2 *(size_t)q->n_placed);
    if (!q->response) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    for (int j = 0; j < q->n_placed && !status; j++) {
        memset(unit, 0, (size_t)p->n1 * sizeof *unit);
        unit[p->z + p->z1 + q->placed[j]] = 1;
        status = rt_pencil_right(p, unit, q->response + (size_t)p->n2 * (size_t)j, error);
    }
    return status;
}

static routh_status find_given(rt_change *q, rt_variation *v, routh_error *error)
{
    const rt_levels_pencil *p = q->p;
    const int n_rows = p->s->m->n_rows;
    for (int k = 0; k < p->n_x; k++)
        q->signal[k] = rt_variation_slope(v, p->s->m->model->control_states[k].initial.expr);
    const rt_varied_state signals = {.signal = q->signal};
    routh_status status = rt_variation_move(v, &signals, error);
    if (!status)
        status = rt_variation_evaluate(
            v, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS,
            error);
    if (status) return status;
    rt_variation_read(v, RT_VARIED_RESIDUAL, q->force);
    for (int d = 0; d < 3; d++)
        rt_variation_read(v, (rt_varied_array)(RT_VARIED_PHI + d), q->phi + d * n_rows);
    status = change_configuration(q, error);
    if (!status) status = change_velocities(q, error);
    if (!status) status = change_accelerations(q, v, error);
    return status || !q->n_placed ? status : change_placed(q, error);
}

/* ---- both ----------------------------------------------------------------------------------- */

static bool take(rt_change *q, rt_arena *arena)
{
    const rt_levels_pencil *p = q->p;
    const size_t n = (size_t)p->n, m = (size_t)p->s->m->n_rows, all = (size_t)p->n2 + n + m;
    q->xi = RT_TAKE(arena, double, n), q->u = RT_TAKE(arena, double, n);
    q->udot = RT_TAKE(arena, double, n), q->lambda = RT_TAKE(arena, double, m);
    q->signal = RT_TAKE(arena, double, p->s->m->n_signals);
    q->written_xi = RT_TAKE(arena, double, n), q->written_u = RT_TAKE(arena, double, n);
    q->rhs = RT_TAKE(arena, double, all), q->residual = RT_TAKE(arena, double, all);
    q->x = RT_TAKE(arena, double, all);
    q->phi = RT_TAKE(arena, double, 3 * m), q->force = RT_TAKE(arena, double, n);
    return q->xi && q->u && q->udot && q->lambda && q->signal && q->written_xi && q->written_u &&
           q->rhs && q->residual && q->x && q->phi && q->force;
}

/* Of a point as written: the file's positions must be those of the point, or how assembly moved it
 * would have to be followed. */
static routh_status check_given(const rt_levels_pencil *p, const double *weight, routh_error *error)
{
    const routh_mechanism *m = p->s->m;
    for (int k = 0; k < m->n_q; k++)
        if (fabs(m->start_q[k] - p->s->state->q[k]) > 1e-9 * fmax(1, m->length))
            return rt_fail(
                error, ROUTH_NOT_SUPPORTED,
                "the positions written do not fit the joints and were changed, so how "
                "the point moves with parameters is not known; write positions that fit, "
                "or look at a static equilibrium (--at static)");
    const double speed = largest(p->s->state->u, m->n_u);
    for (int c = 0; c < m->n_u && speed > 0; c++) {
        if (weight[c] == 1 && fabs(m->start_u[c] - p->s->state->u[c]) <= 1e-9 * speed) continue;
        int body;
        bool angle;
        double per_radian;
        rt_column(m, c, &body, &angle, &per_radian);
        char element[192];
        snprintf(element, sizeof element, "body %s", m->model->bodies[body].name);
        return rt_fail_at(error, ROUTH_NOT_SUPPORTED, m->model->file, m->model->bodies[body].place,
                          element,
                          "something moves, and the %s of this body is not written or does not fit "
                          "the joints, so how it moves with parameters is not known; write the "
                          "velocities of all bodies, or look at a static equilibrium (--at static)",
                          angle ? "angular velocity" : "velocity");
    }
    return ROUTH_OK;
}

routh_status rt_change_create(rt_change *q, const rt_levels_pencil *p,
                              const routh_operating_point *point, rt_arena *arena,
                              routh_error *error)
{
    *q = (rt_change){.p = p, .is_static = point->type == ROUTH_OPERATING_STATIC};
    if (!take(q, arena)) return rt_fail_memory(error);
    if (q->is_static) return balance_create(q, arena, error);
    if (point->type != ROUTH_OPERATING_GIVEN)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "sensitivities are found at a static equilibrium or at a state as the model "
                       "has it, not of a steady motion or of a state that was given");
    routh_status status = given_create(q, arena, error);
    if (!status) status = placed_create(q, point, arena, error);
    return status ? status : check_given(p, q->weight, error);
}

void rt_change_release(rt_change *q)
{
    rt_kkt_free(q->assembly);
    rt_kkt_free(q->velocities);
    rt_factor_free(q->factor);
    q->assembly = q->velocities = NULL, q->factor = NULL;
}

routh_status rt_change_find(rt_change *q, rt_variation *v, int parameter, routh_error *error)
{
    routh_status status = rt_variation_along(v, parameter, q->written_xi, q->written_u, error);
    if (!status) status = q->is_static ? find_static(q, v, error) : find_given(q, v, error);
    const rt_varied_state by = {
        .xi = q->xi, .u = q->u, .udot = q->udot, .lambda = q->lambda, .signal = q->signal};
    return status ? status : rt_variation_move(v, &by, error);
}
