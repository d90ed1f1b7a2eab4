/* See sensitivity_given.h. Assembly goes from the file's positions by steps (operating/assemble.c)
 *     [W G'; G -delta I] [x; y] = [0; -Phi],      q <- q (+) s x
 * (motions that are led by parts of their way are held back: Phi less the part of what there was of
 * it at first) and velocities come from those that are written by (operating/motion_state.c)
 *     [X G'; G 0] [x; y] = [X (u_written - u); -Phi'],     u <- u + x,     X = S M S
 * Each of these systems, K k = b, changes by
 *     K k' = b' - K' k
 * with b' and K' along the parameter and what moved so far. At last all positions close,
 *     [W G'; G 0] [xi - xi_w; y] = [0; -Phi_p - G xi_w]. */
#include "studies/sensitivity_given.h"

#include <math.h>
#include <stdlib.h>

#include "methods/redundant_pencil.h"

static double sensitivity_given_largest(const double *x, int n)
{
    double worst = 0;
    for (int k = 0; k < n; k++) worst = fmax(worst, fabs(x[k]));
    return worst;
}

/* ---- the way that was gone ------------------------------------------------------------------ */

static bool take_replay(rt_replay *r, const routh_mechanism *m, rt_arena *arena)
{
    r->q = RT_TAKE(arena, double, m->n_q), r->u = RT_TAKE(arena, double, m->n_u);
    r->x = RT_TAKE(arena, double, m->n_u), r->y = RT_TAKE(arena, double, m->n_rows);
    r->z = RT_TAKE(arena, double, m->n_u);
    r->near = RT_TAKE(arena, double, rt_count_near(m));
    return r->q && r->u && r->x && r->y && r->z && r->near;
}

/* W on pattern_M, as assembly has it. */
static void sensitivity_given_fill_weights(const rt_change_given *g)
{
    const rt_search *s = &g->own;
    const rt_pattern *M = &s->m->pattern_M;
    for (int c = 0; c < M->n_columns; c++)
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            s->w->M[e] = M->row[e] == c ? rt_assembly_weight(s, c) : 0;
}

static void find_longest(const rt_change_given *g, rt_replay *r)
{
    const rt_search *s = &g->own;
    for (int c = 0; c < s->m->n_u; c++)
        if (fabs(r->x[c]) / s->unit[c] > fabs(r->x[r->longest]) / s->unit[r->longest])
            r->longest = c;
}

double rt_held_back(const rt_change_given *g, const rt_replay *r, int *longest)
{
    *longest = 0;
    for (int k = 0; k < g->path.n_led; k++)
        if (fabs(g->way[k]) > fabs(g->way[*longest])) *longest = k;
    return r->led ? 1 - r->gone / fabs(g->way[*longest]) : 0;
}

/* Phi of a step: of motions that are led less what is held back. */
static void replay_residual(rt_change_given *g, rt_replay *r)
{
    const double *phi = g->own.w->phi[0];
    int longest;
    for (int k = 0; k < g->path.n_led && r == g->step; k++) g->way[k] = phi[g->path.row[k]];
    const double held = rt_held_back(g, r, &longest);
    for (int k = 0; k < g->own.m->n_rows; k++) r->y[k] = -phi[k];
    for (int k = 0; k < g->path.n_led; k++) r->y[g->path.row[k]] += held * g->way[k];
}

static routh_status replay_step(rt_change_given *g, rt_replay *r, const int *keep,
                                routh_error *error)
{
    rt_search *s = &g->own;
    const routh_mechanism *m = s->m;
    routh_status status =
        rt_evaluate(m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    rt_angles_settle(m, s->w, s->state, true);
    if (!status) status = rt_kkt_create(&r->kkt, m, &m->pattern_M, keep, error);
    if (status) return status;
    sensitivity_given_fill_weights(g);
    status = rt_kkt_factor(r->kkt, s->w->M, s->w->G, NULL, RT_ASSEMBLY_DELTA, error);
    if (status) return status;
    memcpy(r->q, s->state->q, (size_t)m->n_q * sizeof *r->q);
    memcpy(r->near, s->state->near, rt_count_near(m) * sizeof *r->near);
    replay_residual(g, r);
    status = rt_kkt_solve(r->kkt, r->x, r->y, error);
    if (status) return status;
    find_longest(g, r);
    for (int c = 0; c < m->n_u; c++) s->x[c] = r->scale * r->x[c];
    rt_advance(m, s->state->q, s->x);
    return ROUTH_OK;
}

static routh_status replay_assembly(rt_change_given *g, rt_arena *arena, routh_error *error)
{
    rt_search *s = &g->own;
    const routh_mechanism *m = s->m;
    int *keep = RT_TAKE(arena, int, m->n_rows);
    s->path = &g->path;
    routh_status status = keep ? rt_assemble(s, error) : rt_fail_memory(error);
    s->path = NULL;
    if (status) return status;
    for (int r = 0; r < m->n_rows; r++) keep[r] = m->nonholonomic[r] ? -1 : r;
    g->step = RT_TAKE(arena, rt_replay, g->path.n_steps);
    g->way = RT_TAKE(arena, double, g->path.n_led), g->dway = RT_TAKE(arena, double, g->path.n_led);
    if (!g->step || !g->way || !g->dway) return rt_fail_memory(error);
    memcpy(s->state->q, m->start_q, (size_t)m->n_q * sizeof *s->state->q);
    if (g->path.near) memcpy(s->state->near, g->path.near, rt_count_near(m) * sizeof(double));
    for (int k = 0; k < g->path.n_steps && !status; k++) {
        rt_replay *r = &g->step[g->n_steps++];
        if (!take_replay(r, m, arena)) return rt_fail_memory(error);
        r->scale = g->path.step[k].scale, r->limited = g->path.step[k].limited;
        r->led = g->path.step[k].led, r->gone = g->path.step[k].gone;
        status = replay_step(g, r, keep, error);
    }
    return status;
}

static routh_status replay_pass(rt_change_given *g, rt_replay *r, const double *written,
                                routh_error *error)
{
    rt_search *s = &g->own;
    const routh_mechanism *m = s->m;
    const rt_pattern *M = &m->pattern_M;
    memcpy(r->q, s->state->q, (size_t)m->n_q * sizeof *r->q);
    memcpy(r->u, s->state->u, (size_t)m->n_u * sizeof *r->u);
    memcpy(r->near, s->state->near, rt_count_near(m) * sizeof *r->near);
    routh_status status = rt_evaluate(
        m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_MASS, error);
    if (!status) status = rt_kkt_create(&r->kkt, m, M, s->rank->row_step, error);
    if (status) return status;
    for (int c = 0; c < m->n_u; c++) {
        r->z[c] = g->weight[c] == 1 ? written[c] - r->u[c] : 0;
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            s->w->M[e] *= g->weight[c] * g->weight[M->row[e]];
    }
    status = rt_kkt_factor(r->kkt, s->w->M, s->w->G, NULL, 0, error);
    if (status) return status;
    rt_sparse_multiply_add(M, s->w->M, 1, r->z, r->x);
    for (int k = 0; k < m->n_rows; k++) r->y[k] = -s->w->phi[1][k];
    status = rt_kkt_solve(r->kkt, r->x, r->y, error);
    for (int c = 0; c < m->n_u && !status; c++) s->state->u[c] += r->x[c];
    return status;
}

static routh_status replay_velocities(rt_change_given *g, rt_arena *arena, routh_error *error)
{
    static const double follows = 1e-3;
    rt_search *s = &g->own;
    const routh_mechanism *m = s->m;
    routh_status status =
        rt_evaluate(m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (!status) status = rt_find_rank(s, error);
    if (status) return status;
    for (int c = 0; c < m->n_u; c++) {
        int body;
        bool angle;
        double per_radian;
        rt_column(m, c, &body, &angle, &per_radian);
        const rt_body *b = &m->model->bodies[body];
        g->weight[c] = (angle ? b->angular_velocity_given : b->velocity_given) ? 1 : follows;
    }
    for (int k = 0; k < RT_VELOCITY_PASSES && !status; k++)
        status = take_replay(&g->pass[k], m, arena) ? replay_pass(g, &g->pass[k], m->start_u, error)
                                                    : rt_fail_memory(error);
    const double speed = sensitivity_given_largest(m->start_u, m->n_u);
    g->still = speed > 0 && sensitivity_given_largest(s->state->u, m->n_u) <= 1e-14 * speed;
    if (g->still) memset(s->state->u, 0, (size_t)m->n_u * sizeof(double));
    return status;
}

/* The way must lead to the point. */
static routh_status sensitivity_given_check_end(const rt_change_given *g, routh_error *error)
{
    const rt_state *found = g->own.state, *point = g->p->s->state;
    const routh_mechanism *m = g->own.m;
    const double speed = fmax(sensitivity_given_largest(found->u, m->n_u), 1e-6);
    double off = 0;
    for (int k = 0; k < m->n_q; k++)
        off = fmax(off, fabs(found->q[k] - point->q[k]) / fmax(1, m->length));
    for (int c = 0; c < m->n_u; c++) off = fmax(off, fabs(found->u[c] - point->u[c]) / speed);
    if (off <= 1e-9) return ROUTH_OK;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "the operating point differs by %.2g from the initial state of the model, so "
                   "its dependence on parameters is not known; find it from the model, or use a "
                   "static equilibrium (--at static)",
                   off);
}

/* ---- what follows from it ------------------------------------------------------------------- */

static bool sensitivity_given_take(rt_change_given *g, rt_arena *arena)
{
    const routh_mechanism *m = g->p->s->m;
    const size_t n = (size_t)m->n_u, all = (size_t)g->p->n2 + n + (size_t)m->n_rows;
    g->weight = RT_TAKE(arena, double, n), g->written_u = RT_TAKE(arena, double, n);
    g->phi = RT_TAKE(arena, double, 3 * (size_t)m->n_rows);
    g->force = RT_TAKE(arena, double, n), g->rhs = RT_TAKE(arena, double, all);
    g->x = RT_TAKE(arena, double, all), g->y = RT_TAKE(arena, double, m->n_rows);
    g->dG = RT_TAKE(arena, double, m->pattern_G.start[n]);
    g->dM = RT_TAKE(arena, double, m->pattern_M.start[n]);
    g->q = RT_TAKE(arena, double, m->n_q);
    return g->weight && g->written_u && g->phi && g->force && g->rhs && g->x && g->y && g->dG &&
           g->dM && g->q;
}

/* States of controllers that were placed, and how all moves with each. */
static routh_status placed_create(rt_change_given *g, const routh_operating_point *point,
                                  rt_arena *arena, routh_error *error)
{
    const rt_levels_pencil *p = g->p;
    const size_t n_x = (size_t)p->n_x;
    g->placed = RT_TAKE(arena, int, n_x), g->pivots = RT_TAKE(arena, int, n_x);
    g->lu = RT_TAKE(arena, double, n_x *n_x), g->step_placed = RT_TAKE(arena, double, n_x);
    double *unit = RT_TAKE(arena, double, p->n1);
    if (!g->placed || !g->pivots || !g->lu || !g->step_placed || !unit)
        return rt_fail_memory(error);
    for (int k = 0; k < point->n_signals && k < p->n_x; k++)
        if (point->signals[k].placed) g->placed[g->n_placed++] = k;
    g->response = RT_TAKE(arena, double, (size_t)p->n2 *(size_t)g->n_placed);
    if (!g->response) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    for (int j = 0; j < g->n_placed && !status; j++) {
        memset(unit, 0, (size_t)p->n1 * sizeof *unit);
        unit[p->z + p->z1 + g->placed[j]] = 1;
        status = rt_pencil_right(p, unit, g->response + (size_t)p->n2 * (size_t)j, error);
    }
    return status;
}

routh_status rt_given_create(rt_change_given *g, const rt_levels_pencil *p,
                             const routh_operating_point *point, rt_arena *arena,
                             routh_error *error)
{
    enum { ITERATIONS = 1000 };
    const routh_mechanism *m = p->s->m;
    *g = (rt_change_given){.p = p};
    if (!sensitivity_given_take(g, arena)) return rt_fail_memory(error);
    routh_status status = rt_search_create(&g->own, m, point->tolerance, ITERATIONS, error);
    if (!status) status = replay_assembly(g, arena, error);
    if (!status) status = replay_velocities(g, arena, error);
    if (!status) status = sensitivity_given_check_end(g, error);
    if (status) return status;
    sensitivity_given_fill_weights(g);
    status = rt_kkt_create(&g->closing, m, &m->pattern_M, rt_position_rank(p->s)->row_step, error);
    if (!status) status = rt_kkt_factor(g->closing, g->own.w->M, p->s->w->G, NULL, 0, error);
    return status ? status : placed_create(g, point, arena, error);
}

void rt_given_release(rt_change_given *g)
{
    for (int k = 0; k < g->n_steps; k++) rt_kkt_free(g->step[k].kkt);
    for (int k = 0; k < RT_VELOCITY_PASSES; k++) rt_kkt_free(g->pass[k].kkt);
    rt_kkt_free(g->closing);
    rt_release_path(&g->path);
    rt_state_free(g->own.state);
    rt_search_release(&g->own);
    *g = (rt_change_given){0};
}
