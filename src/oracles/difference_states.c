/* States of finite size, and the motion that has them. */
#include <math.h>
#include <stdlib.h>

#include "oracles/difference.h"

enum { MOST_STEPS = 20, CANDIDATES = 6 };

/* ---- reading -------------------------------------------------------------------------------- */

static void vee(double v[3], const double R[9])
{
    rt_v3_set(v, (R[7] - R[5]) / 2, (R[2] - R[6]) / 2, (R[3] - R[1]) / 2);
}

/* C += s A B */
static void difference_states_add_product(double C[9], double s, const double A[9],
                                          const double B[9])
{
    double P[9];
    rt_m3_mul(P, A, B);
    for (int i = 0; i < 9; i++) C[i] += s * P[i];
}

/* vee R and its two rates: R = A A_n',  R' = w~ R - R w_n~ */
static void difference_states_turn_of(const rt_frame *f, const rt_frame *n, double x[3][3])
{
    double R[3][9] = {{0}}, w[9], w_n[9], al[9], al_n[9];
    rt_m3_skew(w, f->w);
    rt_m3_skew(w_n, n->w);
    rt_m3_skew(al, f->al);
    rt_m3_skew(al_n, n->al);
    rt_m3_mul_t(R[0], f->A, n->A);
    difference_states_add_product(R[1], 1, w, R[0]);
    difference_states_add_product(R[1], -1, R[0], w_n);
    difference_states_add_product(R[2], 1, al, R[0]);
    difference_states_add_product(R[2], 1, w, R[1]);
    difference_states_add_product(R[2], -1, R[1], w_n);
    difference_states_add_product(R[2], -1, R[0], al_n);
    for (int d = 0; d < 3; d++) vee(x[d], R[d]);
}

/* Candidate k of the list: component of a body, or (body -1) number of a user state. */
static int difference_states_component_of(const rt_finite_states *f, int k, int *body)
{
    const int user = f->candidate[k] - rt_first_user_candidate(f->s->m);
    *body = user < 0 ? f->candidate[k] / CANDIDATES : -1;
    return user < 0 ? f->candidate[k] % CANDIDATES : user;
}

static bool is_user(const rt_finite_states *f, int k)
{
    return f->candidate[k] >= rt_first_user_candidate(f->s->m);
}

/* The elastic coordinate that candidate k is, or -1. */
static int difference_states_elastic_of(const rt_finite_states *f, int k)
{
    return is_user(f, k) ? -1 : f->candidate[k] - rt_first_elastic_candidate(f->s->m);
}

static void difference_states_read_elastic(const rt_finite_states *f, int k, double value[3])
{
    const routh_mechanism *m = f->s->m;
    const int e = difference_states_elastic_of(f, k);
    value[0] = f->s->state->q[m->first_elastic_q + e];
    value[1] = f->s->state->u[m->first_elastic + e];
    value[2] = f->s->state->udot[m->first_elastic + e];
}

static void read_component(rt_finite_states *f, int k)
{
    int body;
    const int component = difference_states_component_of(f, k, &body), axis = component % 3;
    const rt_frame *now = &f->s->w->bodies[body], *then = &f->body[body];
    const double *e0 = f->o->e[0][axis], *e1 = f->o->e[1][axis], *e2 = f->o->e[2][axis];
    double x[3][3];
    if (component < 3) {
        rt_v3_sub(x[0], now->r, then->r);
        rt_v3_sub(x[1], now->v, then->v);
        rt_v3_sub(x[2], now->a, then->a);
    } else {
        difference_states_turn_of(now, then, x);
    }
    f->S[0][k] = rt_v3_dot(e0, x[0]);
    f->S[1][k] = rt_v3_dot(e1, x[0]) + rt_v3_dot(e0, x[1]);
    f->S[2][k] = rt_v3_dot(e2, x[0]) + 2 * rt_v3_dot(e1, x[1]) + rt_v3_dot(e0, x[2]);
}

static void read_user(const rt_finite_states *f, int k, double value[3])
{
    int body;
    rt_gradient phi;
    rt_user_state_jets(f->s, f->user_states, difference_states_component_of(f, k, &body), value,
                       &phi);
}

void rt_finite_read(rt_finite_states *f)
{
    for (int k = 0; k < f->z + f->z1; k++) {
        double value[3];
        if (!is_user(f, k) && difference_states_elastic_of(f, k) < 0) {
            read_component(f, k);
            continue;
        }
        if (is_user(f, k))
            read_user(f, k, value);
        else
            difference_states_read_elastic(f, k, value);
        for (int d = 0; d < 3; d++) f->S[d][k] = value[d] - f->user[3 * k + d];
    }
}

/* ---- gradients ------------------------------------------------------------------------------ */

/* dS_k/dxi = dS_k'/du on its body's columns; d vee(R) = 1/2 (tr R - R) dtheta. */
static int component_gradient(const rt_finite_states *f, int k)
{
    int body;
    const int component = difference_states_component_of(f, k, &body);
    const double *e = f->o->e[0][component % 3];
    double p[3];
    rt_motion map;
    rt_marker_motion(f->s->m, f->s->w, f->s->state, body, &map);
    rt_v3_copy(p, e);
    if (component >= 3) {
        double R[9], T[9];
        rt_m3_mul_t(R, f->s->w->bodies[body].A, f->body[body].A);
        for (int i = 0; i < 9; i++) T[i] = ((i % 4 == 0 ? R[0] + R[4] + R[8] : 0) - R[i]) / 2;
        rt_m3_tmul_v(p, T, e);
    }
    const double *J = map.J + component / 3 * 3 * map.n;
    for (int c = 0; c < map.n; c++) {
        f->gradient_column[c] = map.columns[c];
        f->gradient[c] = p[0] * J[c] + p[1] * J[map.n + c] + p[2] * J[2 * map.n + c];
    }
    return map.n;
}

static int state_gradient(const rt_finite_states *f, int k)
{
    if (difference_states_elastic_of(f, k) >= 0) {
        f->gradient_column[0] = f->s->m->first_elastic + difference_states_elastic_of(f, k);
        f->gradient[0] = 1;
        return 1;
    }
    if (!is_user(f, k)) return component_gradient(f, k);
    rt_state_row *row = &f->rows[k];
    rt_state_row_fill(f->s, f->o, f->user_states, f->candidate[k], row);
    memcpy(f->gradient_column, row->columns, (size_t)row->n * sizeof *row->columns);
    memcpy(f->gradient, row->s_x, (size_t)row->n * sizeof *row->s_x);
    return row->n;
}

/* ---- P = [G; dS/dxi] ------------------------------------------------------------------------ */

static routh_status make_tangent(rt_finite_states *f, rt_finite_tangent *P,
                                 const rt_elimination *rank, int first, int count, rt_arena *arena,
                                 routh_error *error)
{
    const routh_mechanism *m = f->s->m;
    const rt_pattern *G = &m->pattern_G;
    const size_t room = (size_t)G->start[f->n] + (size_t)f->n * (size_t)count;
    int *row = RT_TAKE(arena, int, room), *column = RT_TAKE(arena, int, room);
    P->first = first, P->count = count;
    P->position = RT_TAKE(arena, int, room);
    P->slot = RT_TAKE(arena, int, m->n_rows);
    if (!row || !column || !P->position || !P->slot) return rt_fail_memory(error);
    size_t e = 0;
    for (int r = 0; r < m->n_rows; r++) P->slot[r] = rank->row_step[r] < 0 ? -1 : P->n_kept++;
    for (int c = 0; c < f->n; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            if (P->slot[G->row[p]] >= 0) row[e] = P->slot[G->row[p]], column[e++] = c;
    for (int k = 0; k < count; k++) {
        const int n = state_gradient(f, first + k);
        for (int c = 0; c < n; c++) row[e] = P->n_kept + k, column[e++] = f->gradient_column[c];
    }
    routh_status status =
        rt_pattern_build(&P->pattern, f->n, f->n, e, row, column, P->position, arena, error);
    if (status) return status;
    P->values = RT_TAKE(arena, double, P->pattern.start[f->n]);
    if (!P->values) return rt_fail_memory(error);
    return rt_factor_create(&P->factor, &P->pattern, RT_ORDER_COLAMD, error);
}

static routh_status factor_tangent(const rt_finite_states *f, const rt_finite_tangent *P,
                                   routh_error *error)
{
    const rt_pattern *G = &f->s->m->pattern_G;
    const int *to = P->position;
    memset(P->values, 0, (size_t)P->pattern.start[f->n] * sizeof *P->values);
    for (int p = 0; p < G->start[f->n]; p++)
        if (P->slot[G->row[p]] >= 0) P->values[*to++] += f->s->w->G[p];
    for (int k = 0; k < P->count; k++) {
        const int n = state_gradient(f, P->first + k);
        for (int c = 0; c < n; c++) P->values[*to++] += f->gradient[c];
    }
    return rt_factor_numeric(P->factor, P->values, error);
}

/* P step = -[phi; S - wanted] */
static routh_status solve_tangent(const rt_finite_states *f, const rt_finite_tangent *P, int level,
                                  const double *wanted, routh_error *error)
{
    const double *phi = f->s->w->phi[level], *S = f->S[level] + P->first;
    for (int r = 0; r < f->s->m->n_rows; r++)
        if (P->slot[r] >= 0) f->step[P->slot[r]] = -phi[r];
    for (int k = 0; k < P->count; k++) f->step[P->n_kept + k] = wanted[k] - S[k];
    return rt_factor_solve(P->factor, f->step, 1, NULL, error);
}

/* ---- the nonlinear equations, given S and W ------------------------------------------------- */

static routh_status evaluate_levels(rt_finite_states *f, routh_error *error)
{
    const int what = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN;
    const routh_status status = rt_evaluate(f->s->m, f->s->w, f->s->state, what, error);
    if (!status) rt_finite_read(f);
    return status;
}

/* Newton's method, which converges quadratically: after a step of a billionth only rounding is
 * left. The steps after the first are of second order, so that their sum is xi to first order,
 * though turns do not add. */
static routh_status find_position(rt_finite_states *f, const double *S, routh_error *error)
{
    const rt_search *s = f->s;
    memset(f->xi, 0, (size_t)f->n * sizeof *f->xi);
    for (int k = 0; k < MOST_STEPS; k++) {
        double largest = 0;
        routh_status status = evaluate_levels(f, error);
        if (!status) status = factor_tangent(f, &f->position, error);
        if (!status) status = solve_tangent(f, &f->position, 0, S, error);
        if (status) return status;
        for (int c = 0; c < f->n; c++) {
            largest = fmax(largest, fabs(f->step[c]) / (s->unit[c] * s->m->length));
            f->xi[c] += f->step[c];
        }
        rt_advance(s->m, s->state->q, f->step);
        if (largest < 1e-9) return ROUTH_OK;
    }
    const char *jump = f->user_states ? ", or a state of `coordinates` jumps here, as an angle "
                                        "does at 180 degrees"
                                      : "";
    return rt_fail(error, ROUTH_NOT_ASSEMBLED,
                   "the mechanism could not be assembled after a small step of its states, because "
                   "it is close to a singular configuration%s; use --method augmented",
                   jump);
}

/* Linear in u, so the second pass removes rounding only. */
static routh_status find_velocity(rt_finite_states *f, const double *W, routh_error *error)
{
    routh_status status = evaluate_levels(f, error);
    if (!status) status = factor_tangent(f, &f->velocity, error);
    for (int pass = 0; pass < 2 && !status; pass++) {
        status = solve_tangent(f, &f->velocity, 1, W, error);
        for (int c = 0; c < f->n && !status; c++) f->s->state->u[c] += f->step[c];
        if (!status) status = evaluate_levels(f, error);
    }
    return status;
}

routh_status rt_finite_find(rt_finite_states *f, const double *S, const double *W,
                            routh_error *error)
{
    const routh_status status = find_position(f, S, error);
    return status ? status : find_velocity(f, W, error);
}

/* ---- making --------------------------------------------------------------------------------- */

static bool difference_states_take(rt_finite_states *f, rt_arena *arena)
{
    const size_t n = (size_t)f->n, count = (size_t)f->z + (size_t)f->z1;
    bool ok = (f->body = RT_TAKE(arena, rt_frame, f->s->m->n_bodies)) != NULL;
    for (int d = 0; d < 3; d++) ok = ok && (f->S[d] = RT_TAKE(arena, double, count));
    ok = ok && (f->candidate = RT_TAKE(arena, int, count));
    ok = ok && (f->user = RT_TAKE(arena, double, 3 * count));
    ok = ok && (f->rows = RT_TAKE(arena, rt_state_row, count));
    ok = ok && (f->gradient = RT_TAKE(arena, double, n));
    ok = ok && (f->gradient_column = RT_TAKE(arena, int, n));
    ok = ok && (f->step = RT_TAKE(arena, double, n));
    return ok && (f->xi = RT_TAKE(arena, double, n));
}

static routh_status set_nominal(rt_finite_states *f, const rt_states *states, rt_arena *arena,
                                routh_error *error)
{
    memcpy(f->body, f->s->w->bodies, (size_t)f->s->m->n_bodies * sizeof *f->body);
    for (int k = 0; k < f->z + f->z1; k++) {
        f->candidate[k] = k < f->z ? states->candidate[k] : states->rate[k - f->z];
        if (difference_states_elastic_of(f, k) >= 0)
            difference_states_read_elastic(f, k, f->user + 3 * (size_t)k);
        if (!is_user(f, k)) continue;
        const routh_status status =
            rt_state_row_take(f->s, f->user_states, f->candidate[k], arena, &f->rows[k], error);
        if (status) return status;
        read_user(f, k, f->user + 3 * (size_t)k);
    }
    return ROUTH_OK;
}

routh_status rt_finite_create(rt_finite_states *f, const rt_method_task *task, rt_arena *arena,
                              routh_error *error)
{
    rt_search *s = task->search;
    *f = (rt_finite_states){.s = s,
                            .o = task->observer,
                            .user_states = task->states->user,
                            .n = s->m->n_u,
                            .z = task->states->z,
                            .z1 = task->states->z1};
    if (!difference_states_take(f, arena)) return rt_fail_memory(error);
    routh_status status = set_nominal(f, task->states, arena, error);
    if (!status) status = make_tangent(f, &f->position, rt_position_rank(s), 0, f->z, arena, error);
    return status ? status : make_tangent(f, &f->velocity, s->rank, f->z, f->z1, arena, error);
}

void rt_finite_release(rt_finite_states *f)
{
    rt_factor_free(f->position.factor);
    rt_factor_free(f->velocity.factor);
}
