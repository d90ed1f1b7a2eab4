/* The way that led to a point as written, taken again with its derivative (sensitivity_given.h,
 * sensitivity_given.c). */
#include <math.h>

#include "base/lapack.h"
#include "studies/sensitivity_given.h"
#include "system/varied_state.h"

static bool sensitivity_given_along_is_angle(const routh_mechanism *m, int c)
{
    int body;
    bool angle;
    double per_radian;
    rt_column(m, c, &body, &angle, &per_radian);
    return angle;
}

static routh_status sensitivity_given_along_vary(rt_change_given *g, rt_variation *v,
                                                 const rt_replay *r, const double *xi,
                                                 const double *u, int what, routh_error *error)
{
    const rt_state *s = g->own.state;
    const rt_varied_state at = {
        .t = s->t, .q = r->q, .u = r->u, .udot = s->udot, .lambda = s->lambda, .signal = s->signal,
        .near = r->near};
    const rt_varied_state by = {.xi = xi, .u = u};
    rt_variation_place(v, &at, false);
    routh_status status = rt_variation_move(v, &by, error);
    if (!status) status = rt_variation_evaluate(v, what, error);
    if (status) return status;
    for (int d = 0; d < 2; d++)
        rt_variation_read(v, (rt_varied_array)(RT_VARIED_PHI + d), g->phi + d * g->own.m->n_rows);
    rt_variation_read(v, RT_VARIED_G, g->dG);
    return ROUTH_OK;
}

/* [x; y] of K' k less what of it is in X, and of b' what is in `phi`. */
static void change_rows(const rt_change_given *g, const rt_replay *r, const double *phi)
{
    const rt_pattern *G = &g->own.m->pattern_G;
    rt_sparse_transpose_multiply_add(G, g->dG, -1, r->y, g->x);
    for (int k = 0; k < g->own.m->n_rows; k++) g->y[k] = -phi[k];
    rt_sparse_multiply_add(G, g->dG, -1, r->x, g->y);
}

/* What the unit of a column changes, over itself: an angle's is one over the typical length. */
static double unit_change(const rt_change_given *g, const rt_variation *v, int c)
{
    const routh_mechanism *m = g->own.m;
    return sensitivity_given_along_is_angle(m, c) ? -rt_variation_length(v) / m->length
                                                  : rt_variation_unit(v, c);
}

/* The step's scale is half the typical length L over its longest displacement, if it is limited. */
static double scale_change(const rt_change_given *g, const rt_replay *r, const rt_variation *v)
{
    const int c = r->longest;
    if (!r->limited || r->x[c] == 0) return 0;
    const double of_length = rt_variation_length(v) / g->own.m->length;
    return r->scale * (of_length - g->x[c] / r->x[c] + unit_change(g, v, c));
}

/* What is held back of a motion, h = 1 - gone/longest of its way, changes with all ways. */
static void change_held_back(rt_change_given *g, const rt_replay *r)
{
    int longest;
    const rt_assembly_path *path = &g->path;
    for (int k = 0; k < path->n_led && r == g->step; k++) g->dway[k] = g->phi[path->row[k]];
    const double held = rt_held_back(g, r, &longest);
    if (held <= 0) return; /* the end, wherever that is */
    const double by_longest = (1 - held) * g->dway[longest] / g->way[longest];
    for (int k = 0; k < path->n_led; k++)
        g->phi[path->row[k]] -= held * g->dway[k] + by_longest * g->way[k];
}

static routh_status change_step(rt_change_given *g, rt_variation *v, const rt_replay *r, double *xi,
                                routh_error *error)
{
    const rt_search *s = &g->own;
    const int n = s->m->n_u;
    routh_status status = sensitivity_given_along_vary(
        g, v, r, xi, NULL, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (status) return status;
    for (int c = 0; c < n; c++)
        g->x[c] = 2 * unit_change(g, v, c) * r->x[c] * rt_assembly_weight(s, c);
    change_held_back(g, r);
    change_rows(g, r, g->phi);
    status = rt_kkt_solve(r->kkt, g->x, g->y, error);
    if (status) return status;
    const double by_scale = scale_change(g, r, v);
    for (int c = 0; c < n; c++) {
        g->x[c] = r->scale * g->x[c] + by_scale * r->x[c];
        g->rhs[c] = r->scale * r->x[c];
    }
    memcpy(g->q, r->q, (size_t)s->m->n_q * sizeof *g->q);
    rt_variation_step(v, g->q, xi, g->rhs, g->x);
    return ROUTH_OK;
}

static routh_status change_pass(rt_change_given *g, rt_variation *v, const rt_replay *r,
                                const double *xi, double *u, routh_error *error)
{
    const routh_mechanism *m = g->own.m;
    const rt_pattern *M = &m->pattern_M;
    const int what = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_MASS;
    routh_status status = sensitivity_given_along_vary(g, v, r, xi, u, what, error);
    if (status) return status;
    double *dz = g->rhs, *left = g->rhs + m->n_u;
    rt_variation_read(v, RT_VARIED_M, g->dM);
    rt_evaluate(m, g->own.w, g->own.state, RT_EVALUATE_MASS, error);
    for (int c = 0; c < m->n_u; c++) {
        dz[c] = g->weight[c] == 1 ? g->written_u[c] - u[c] : 0;
        left[c] = r->z[c] - r->x[c];
        for (int e = M->start[c]; e < M->start[c + 1]; e++) {
            const double weight = g->weight[c] * g->weight[M->row[e]];
            g->dM[e] *= weight, g->own.w->M[e] *= weight;
        }
    }
    memset(g->x, 0, (size_t)m->n_u * sizeof *g->x);
    rt_sparse_multiply_add(M, g->own.w->M, 1, dz, g->x);
    rt_sparse_multiply_add(M, g->dM, 1, left, g->x);
    change_rows(g, r, g->phi + m->n_rows);
    status = rt_kkt_solve(r->kkt, g->x, g->y, error);
    for (int c = 0; c < m->n_u && !status; c++) u[c] += g->x[c];
    return status;
}

/* xi = xi_w + the least that closes G xi = -Phi_p */
static routh_status close_positions(rt_change_given *g, double *xi, routh_error *error)
{
    const rt_search *s = g->p->s;
    const int n_rows = s->m->n_rows;
    for (int r = 0; r < n_rows; r++) g->y[r] = -g->phi[r];
    rt_sparse_multiply_add(&s->m->pattern_G, s->w->G, -1, xi, g->y);
    memset(g->x, 0, (size_t)s->m->n_u * sizeof *g->x);
    const routh_status status = rt_kkt_solve(g->closing, g->x, g->y, error);
    for (int c = 0; c < s->m->n_u && !status; c++) xi[c] += g->x[c];
    return status;
}

static routh_status change_velocities(rt_change_given *g, rt_variation *v, const rt_moved *to,
                                      routh_error *error)
{
    const size_t n = (size_t)g->p->n;
    routh_status status = ROUTH_OK;
    memcpy(g->written_u, to->u, n * sizeof *to->u);
    for (int k = 0; k < RT_VELOCITY_PASSES && !status; k++)
        status = change_pass(g, v, &g->pass[k], to->xi, to->u, error);
    if (g->still) memset(to->u, 0, n * sizeof *to->u);
    return status;
}

/* The rows of x that xi and u are to keep, then those of accelerations. */
static routh_status change_accelerations(rt_change_given *g, rt_variation *v, const rt_moved *to,
                                         routh_error *error)
{
    const rt_levels_pencil *p = g->p;
    const int n_rows = p->s->m->n_rows;
    double *b = g->rhs;
    memset(b, 0, (size_t)p->n2 * sizeof *b);
    for (int k = 0; k < p->n_terms; k++) {
        const rt_term *t = &p->terms[k];
        const int r = t->row - p->n1, c = t->column - p->n1;
        if (r < 0 || r >= p->motion || c < 0 || c >= p->a) continue;
        b[r] += (t->from ? t->sign * *t->from : t->sign) * (c < p->u ? to->xi[c] : to->u[c - p->u]);
    }
    for (int c = 0; c < p->n; c++) b[p->motion + c] = -g->force[c];
    for (int r = 0; r < n_rows; r++)
        if (p->slot[r] >= 0) b[p->rows + p->slot[r]] = -g->phi[2 * n_rows + r];
    for (int k = 0; k < p->n_x + p->n_v; k++) {
        double *value = &b[p->equations + k];
        const routh_status status =
            rt_variation_sensor(v, k < p->n_x ? RT_SENSOR_STATE : RT_SENSOR_VARIABLE,
                                k < p->n_x ? k : k - p->n_x, value, NULL, error);
        if (status) return status;
        *value = -*value;
    }
    const routh_status status = rt_levels_solve(&p->R, b, 1, error);
    memcpy(to->udot, b + p->a, (size_t)p->n * sizeof *b);
    for (int r = 0; r < n_rows; r++) to->lambda[r] = p->slot[r] < 0 ? 0 : b[p->lambda + p->slot[r]];
    memcpy(to->signal + p->n_x, b + p->rate, (size_t)p->n_x * sizeof *b);
    memcpy(to->signal + 2 * p->n_x, b + p->v, (size_t)p->n_v * sizeof *b);
    return status;
}

/* States that were placed where their rates are zero stay so: x_j moves by what makes
 *     X'_k + sum_j dX'_k/dx_j dx_j = 0,      and all else with it. */
static routh_status change_placed(rt_change_given *g, const rt_moved *to, routh_error *error)
{
    const rt_levels_pencil *p = g->p;
    const int n = g->n_placed;
    const size_t n2 = (size_t)p->n2;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            g->lu[k + n * j] = g->response[n2 * (size_t)j + (size_t)(p->rate + g->placed[k])];
    for (int k = 0; k < n; k++) g->step_placed[k] = -to->signal[p->n_x + g->placed[k]];
    routh_status status = rt_lu_factor(n, g->lu, g->pivots, error);
    if (!status) status = rt_lu_solve(n, g->lu, g->pivots, 1, g->step_placed, 0, error);
    for (int j = 0; j < n && !status; j++) {
        const double *x = g->response + n2 * (size_t)j, s = g->step_placed[j];
        for (int c = 0; c < p->n; c++) to->udot[c] += s * x[p->a + c];
        for (int r = 0; r < p->s->m->n_rows; r++)
            if (p->slot[r] >= 0) to->lambda[r] += s * x[p->lambda + p->slot[r]];
        for (int k = 0; k < p->n_x; k++) to->signal[p->n_x + k] += s * x[p->rate + k];
        for (int k = 0; k < p->n_v; k++) to->signal[2 * p->n_x + k] += s * x[p->v + k];
        to->signal[g->placed[j]] += s;
    }
    return status;
}

/* What the parameter does at the point itself, held fixed but for signals that are written. */
static routh_status vary_point(rt_change_given *g, rt_variation *v, const rt_moved *to,
                               routh_error *error)
{
    const rt_levels_pencil *p = g->p;
    const rt_state *s = p->s->state;
    const rt_varied_state at = rt_varied_state_of(s);
    const rt_varied_state signals = {.signal = to->signal};
    memset(to->signal, 0, (size_t)p->s->m->n_signals * sizeof *to->signal);
    for (int k = 0; k < p->n_x; k++)
        to->signal[k] = rt_variation_slope(v, p->s->m->model->control_states[k].initial.expr);
    rt_variation_place(v, &at, false);
    routh_status status = rt_variation_move(v, &signals, error);
    if (!status)
        status = rt_variation_evaluate(
            v, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL | RT_EVALUATE_MASS,
            error);
    if (status) return status;
    rt_variation_read(v, RT_VARIED_RESIDUAL, g->force);
    for (int d = 0; d < 3; d++)
        rt_variation_read(v, (rt_varied_array)(RT_VARIED_PHI + d), g->phi + d * p->s->m->n_rows);
    return ROUTH_OK;
}

routh_status rt_given_find(rt_change_given *g, rt_variation *v, const rt_moved *to,
                           routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < g->n_steps && !status; k++)
        status = change_step(g, v, &g->step[k], to->xi, error);
    if (!status) status = vary_point(g, v, to, error);
    if (!status) status = close_positions(g, to->xi, error);
    if (!status) status = change_velocities(g, v, to, error);
    if (!status) status = vary_point(g, v, to, error);
    if (!status) status = change_accelerations(g, v, to, error);
    return status || !g->n_placed ? status : change_placed(g, to, error);
}
