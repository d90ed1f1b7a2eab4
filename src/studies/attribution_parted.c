/* See attribution_parted.h. With P_S, P_W of methods/manifold.h, and a_u, a_x of the states' rows,
 *     P_S xi = [0; S]
 *     P_W u_S = [-V_x xi; -w_x xi]                    P_W u_W = [0; W]
 *     P_W a_S = -[A_u u_S + A_x xi; a_u u_S + a_x xi] P_W a_W = -[A_u u_W; a_u u_W]
 *     a_W' = s u_W
 * so that u = u_S + u_W and u' = a_S + a_W + a_W' without any mass or stiffness in them. */
#include "studies/attribution_parted.h"

routh_status rt_parter_create(rt_parter *k, const rt_levels_pencil *p, rt_arena *arena,
                              routh_error *error)
{
    const bool two = p->s->m->n_nonholonomic > 0;
    *k = (rt_parter){.p = p};
    k->B = RT_TAKE(arena, double, 2 * (size_t)p->n);
    k->y = RT_TAKE(arena, double, p->n1), k->x = RT_TAKE(arena, double, p->n2);
    if (!k->B || !k->y || !k->x) return rt_fail_memory(error);
    routh_status status =
        rt_manifold_create(&k->position, p->task, RT_MANIFOLD_POSITION, arena, error);
    if (!status) status = rt_manifold_factor(&k->position, p->task, error);
    if (!status && two)
        status = rt_manifold_create(&k->velocity, p->task, RT_MANIFOLD_VELOCITY, arena, error);
    if (!status && two) status = rt_manifold_factor(&k->velocity, p->task, error);
    k->P = two ? &k->velocity : &k->position;
    return status;
}

void rt_parter_release(rt_parter *k)
{
    rt_manifold_release(&k->position);
    rt_manifold_release(&k->velocity);
}

routh_status rt_parted_take(rt_parted_motion *v, const routh_mechanism *m, rt_arena *arena,
                            routh_error *error)
{
    double _Complex **const of_u[] = {&v->xi,     &v->u_position, &v->a_position,
                                      &v->u_rate, &v->a_rate,     &v->a_inertia};
    bool ok = true;
    for (size_t k = 0; k < sizeof of_u / sizeof *of_u; k++)
        ok = (*of_u[k] = RT_TAKE(arena, double _Complex, m->n_u)) && ok;
    v->lambda = RT_TAKE(arena, double _Complex, m->n_rows);
    v->signal = RT_TAKE(arena, double _Complex, m->n_signals);
    return ok && v->lambda && v->signal ? ROUTH_OK : rt_fail_memory(error);
}

static double attribution_parted_part_of(double _Complex x, int part)
{
    return part ? cimag(x) : creal(x);
}

/* A part of x by itself, into real numbers. */
static const double *only(const double _Complex *x, int n, int part, double *to)
{
    for (int i = 0; i < n; i++) to[i] = attribution_parted_part_of(x[i], part);
    return to;
}

static void attribution_parted_clear(const rt_parter *k)
{
    memset(k->B, 0, 2 * (size_t)k->p->n * sizeof *k->B);
}

static void set_states(const rt_parter *k, const rt_manifold *P, const double _Complex *x)
{
    attribution_parted_clear(k);
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < P->z; i++)
            k->B[(size_t)part * (size_t)k->p->n + (size_t)(P->n_kept + i)] =
                attribution_parted_part_of(x[i], part);
}

static routh_status attribution_parted_solve(const rt_parter *k, const rt_manifold *P,
                                             double _Complex *to, routh_error *error)
{
    const size_t n = (size_t)k->p->n;
    const routh_status status = rt_manifold_solve(P, k->B, 2, 1, error);
    for (size_t i = 0; i < n; i++) to[i] = k->B[i] + I * k->B[n + i];
    return status;
}

/* -[A_u u; a_u u] - [A_x xi; a_x xi]; xi NULL: zero */
static void attribution_parted_demand(const rt_parter *k, const double _Complex *u,
                                      const double _Complex *xi)
{
    const rt_workspace *w = k->p->s->w;
    const int n = k->p->n;
    attribution_parted_clear(k);
    for (int part = 0; part < 2; part++) {
        double *b = k->B + (size_t)part * (size_t)n;
        for (int level = 0; level < (xi ? 2 : 1); level++) {
            const double *x = only(level ? xi : u, n, part, k->x);
            rt_manifold_subtract(k->P, level ? w->Ax : w->Au, x, b);
            for (int i = 0; i < k->P->z; i++) {
                const rt_state_row *row = &k->P->rows[i];
                b[k->P->n_kept + i] -= rt_state_row_times(row, level ? row->a_x : row->a_u, x);
            }
        }
    }
}

static void drift(const rt_parter *k, const double _Complex *xi)
{
    attribution_parted_clear(k);
    for (int part = 0; part < 2; part++) {
        double *b = k->B + (size_t)part * (size_t)k->p->n;
        const double *x = only(xi, k->p->n, part, k->x);
        rt_manifold_subtract(k->P, k->p->s->w->Vx, x, b);
        for (int i = 0; i < k->P->z; i++)
            b[k->P->n_kept + i] -= rt_state_row_times(&k->P->rows[i], k->P->rows[i].w_x, x);
    }
}

/* Multipliers, rates of control states and variables that belong to y. */
static routh_status find_signals(const rt_parter *k, const double _Complex *y, rt_parted_motion *v,
                                 routh_error *error)
{
    const rt_levels_pencil *p = k->p;
    const routh_mechanism *m = p->s->m;
    memset(v->lambda, 0, (size_t)m->n_rows * sizeof *v->lambda);
    memset(v->signal, 0, (size_t)m->n_signals * sizeof *v->signal);
    for (int part = 0; part < 2; part++) {
        const double _Complex unit = part ? I : 1;
        const routh_status status = rt_pencil_right(p, only(y, p->n1, part, k->y), k->x, error);
        if (status) return status;
        for (int r = 0; r < m->n_rows; r++)
            if (p->slot[r] >= 0) v->lambda[r] += unit * k->x[p->lambda + p->slot[r]];
        for (int i = 0; i < p->n_x; i++) v->signal[p->n_x + i] += unit * k->x[p->rate + i];
        for (int i = 0; i < p->n_v; i++) v->signal[2 * p->n_x + i] += unit * k->x[p->v + i];
    }
    for (int i = 0; i < p->n_x; i++) v->signal[i] = y[p->z + p->z1 + i];
    return ROUTH_OK;
}

routh_status rt_part(const rt_parter *k, double _Complex s, const double _Complex *y,
                     rt_parted_motion *v, routh_error *error)
{
    set_states(k, &k->position, y);
    routh_status status = attribution_parted_solve(k, &k->position, v->xi, error);
    if (status) return status;
    set_states(k, k->P, y + k->p->z);
    status = attribution_parted_solve(k, k->P, v->u_rate, error);
    if (status) return status;
    drift(k, v->xi);
    status = attribution_parted_solve(k, k->P, v->u_position, error);
    if (status) return status;
    attribution_parted_demand(k, v->u_rate, NULL);
    status = attribution_parted_solve(k, k->P, v->a_rate, error);
    if (status) return status;
    attribution_parted_demand(k, v->u_position, v->xi);
    status = attribution_parted_solve(k, k->P, v->a_position, error);
    for (int c = 0; c < k->p->n; c++) v->a_inertia[c] = s * v->u_rate[c];
    return status ? status : find_signals(k, y, v, error);
}
