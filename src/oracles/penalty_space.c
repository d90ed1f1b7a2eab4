/* The coordinates that the penalty method works in. */
#include <stdlib.h>

#include "base/lapack.h"
#include "oracles/penalty.h"

static void penalty_space_scale_rows(const rt_penalty_space *p, int columns, double *x)
{
    for (int k = 0; k < columns; k++)
        for (int c = 0; c < p->n; c++) x[c + (size_t)p->n * k] *= p->s->unit[c];
}

void rt_penalty_motion(const rt_penalty_space *p, int columns, double *x)
{
    rt_reflectors_apply(&p->Q, 0, columns, x);
    penalty_space_scale_rows(p, columns, x);
}

/* Y' T r; with reactions the multipliers' part is R_y R^-1 p(c), to be divided by R_y R^-1. */
void rt_penalty_turn_rows(const rt_penalty_space *p, int columns, double *r)
{
    penalty_space_scale_rows(p, columns, r);
    rt_reflectors_apply(&p->Y, 1, columns, r);
    for (int k = 0; k < columns; k++) {
        double *column = r + (size_t)p->n * k;
        if (p->reactions) {
            rt_reflectors_solve(&p->Y, column);
            rt_reflectors_multiply(&p->Q, column);
        }
        for (int i = 0; i < p->m; i++) column[i] /= p->penalty;
    }
}

routh_status rt_penalty_turn(const rt_penalty_space *p, const rt_pattern *pattern,
                             const double *values, double *out, rt_arena *arena,
                             routh_error *error)
{
    const size_t n = (size_t)p->n;
    double *x = RT_TAKE(arena, double, n *n);
    if (!x) return rt_fail_memory(error);
    for (size_t k = 0; k < n; k++) x[k + n * k] = 1;
    rt_penalty_motion(p, p->n, x);
    for (size_t k = 0; k < n; k++)
        rt_sparse_multiply_add(pattern, values, 1, x + n * k, out + n * k);
    rt_penalty_turn_rows(p, p->n, out);
    return ROUTH_OK;
}

routh_status rt_penalty_mass(const rt_penalty_space *p, double *lu, int *pivots, rt_arena *arena,
                             routh_error *error)
{
    const size_t n = (size_t)p->n;
    const routh_status status =
        rt_penalty_turn(p, &p->s->m->pattern_M, p->s->w->M, lu, arena, error);
    for (int k = 0; k < p->m && !status; k++) lu[(n + 1) * (size_t)k] += 1;
    return status ? status : rt_lu_factor(p->n, lu, pivots, error);
}

/* ---- making it ------------------------------------------------------------------------------ */

/* The largest of the masses as the scaled columns feel them: T M T's diagonal. */
static double typical_mass(const rt_search *s)
{
    const rt_pattern *M = &s->m->pattern_M;
    double mass = 0;
    for (int c = 0; c < M->n_columns; c++)
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            if (M->row[e] == c) mass = fmax(mass, s->w->M[e] * s->unit[c] * s->unit[c]);
    return mass;
}

/* (G T)', n x m */
static void fill_constraints(const rt_penalty_space *p, double *C)
{
    const rt_pattern *G = &p->s->m->pattern_G;
    for (int c = 0; c < p->n; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            if (p->slot[G->row[e]] >= 0)
                C[c + (size_t)p->n * p->slot[G->row[e]]] = p->s->w->G[e] * p->s->unit[c];
}

/* += T L, whose columns are multipliers */
static void add_reactions(const rt_penalty_space *p, double *C)
{
    const rt_pattern *L = &p->s->m->pattern_L;
    for (int r = 0; r < L->n_columns; r++)
        for (int e = L->start[r]; e < L->start[r + 1] && p->slot[r] >= 0; e++)
            C[L->row[e] + (size_t)p->n * p->slot[r]] += p->s->w->L[e] * p->s->unit[L->row[e]];
}

static routh_status penalty_space_factor(rt_penalty_space *p, rt_arena *arena, routh_error *error)
{
    const size_t size = (size_t)p->n * p->m;
    double *C = RT_TAKE(arena, double, size);
    if (!C) return rt_fail_memory(error);
    fill_constraints(p, C);
    routh_status status = rt_reflectors_make(&p->Q, p->n, p->m, C, arena, error);
    p->Y = p->Q;
    if (status || !p->reactions) return status;
    C = RT_TAKE(arena, double, size);
    if (!C) return rt_fail_memory(error);
    fill_constraints(p, C);
    add_reactions(p, C);
    return rt_reflectors_make(&p->Y, p->n, p->m, C, arena, error);
}

/* s_x T Q, from Q'T s_x' */
static void penalty_space_fill_states(rt_penalty_space *p)
{
    double *x = p->turned;
    for (int i = 0; i < p->z; i++) {
        const rt_state_row *row = &p->rows[i];
        memset(x, 0, (size_t)p->n * sizeof *x);
        for (int c = 0; c < row->n; c++)
            x[row->columns[c]] += row->s_x[c] * p->s->unit[row->columns[c]];
        rt_reflectors_apply(&p->Q, 1, 1, x);
        for (int k = 0; k < p->n; k++) p->state[i + (size_t)p->z * k] = x[k];
    }
}

static routh_status penalty_space_fill_mass(rt_penalty_space *p, rt_arena *arena,
                                            routh_error *error)
{
    const size_t n = (size_t)p->n, z = (size_t)p->z;
    double *Y = RT_TAKE(arena, double, n *z), *r = RT_TAKE(arena, double, n *z);
    if (!Y || !r) return rt_fail_memory(error);
    for (size_t k = 0; k < z; k++) Y[(size_t)p->m + k + n * k] = 1;
    rt_penalty_motion(p, p->z, Y);
    for (size_t k = 0; k < z; k++)
        rt_sparse_multiply_add(&p->s->m->pattern_M, p->s->w->M, 1, Y + n * k, r + n * k);
    rt_penalty_turn_rows(p, p->z, r);
    for (size_t k = 0; k < z; k++)
        memcpy(p->Myy + z * k, r + (size_t)p->m + n * k, z * sizeof *r);
    return ROUTH_OK;
}

static bool penalty_space_take(rt_penalty_space *p, rt_arena *arena)
{
    const size_t n = (size_t)p->n, z = (size_t)p->z;
    bool ok = (p->slot = RT_TAKE(arena, int, p->s->m->n_rows)) != NULL;
    ok = ok && (p->state = RT_TAKE(arena, double, z *n));
    ok = ok && (p->Myy = RT_TAKE(arena, double, z *z)) && (p->turned = RT_TAKE(arena, double, n));
    return ok && (p->full = RT_TAKE(arena, double, p->s->m->n_rows));
}

routh_status rt_penalty_space_make(rt_penalty_space *p, const rt_method_task *task, rt_arena *arena,
                                   routh_error *error)
{
    const rt_search *s = task->search;
    const int n = s->m->n_u, z = task->states->z;
    *p = (rt_penalty_space){.s = s, .n = n, .m = n - z, .z = z, .options = task->penalty};
    p->reactions = s->m->pattern_L.start[s->m->n_rows] > 0;
    routh_status status = rt_state_rows(task, arena, &p->rows, error);
    if (status) return status;
    if (!penalty_space_take(p, arena) || !rt_number_rows(s, p->slot, arena))
        return rt_fail_memory(error);
    p->penalty = p->options.alpha * typical_mass(s);
    status = penalty_space_factor(p, arena, error);
    if (status) return status;
    penalty_space_fill_states(p);
    return penalty_space_fill_mass(p, arena, error);
}

/* ---- along the tangent ---------------------------------------------------------------------- */

/* out[m] += R'^-1 of the kept rows of (values on pattern_G) x: as c would be */
static void add_violation(rt_penalty_space *p, const double *values, const double *x, double *out)
{
    memset(p->full, 0, (size_t)p->s->m->n_rows * sizeof(double));
    rt_sparse_multiply_add(&p->s->m->pattern_G, values, 1, x, p->full);
    for (int r = 0; r < p->s->m->n_rows; r++)
        if (p->slot[r] >= 0) p->turned[p->slot[r]] = p->full[r];
    rt_reflectors_solve_transposed(&p->Q, p->turned);
    for (int k = 0; k < p->m; k++) out[k] += p->turned[k];
}

/* y in x = (c, y), so that the states' rows of it are S: S_y y = S - S_c c */
static routh_status fill_free_part(const rt_penalty_space *p, const double *lu, const int *pivots,
                                   const double *S, double *x, routh_error *error)
{
    for (int i = 0; i < p->z; i++) {
        double sum = S[i];
        for (int k = 0; k < p->m; k++) sum -= p->state[i + (size_t)p->z * k] * x[k];
        x[p->m + i] = sum;
    }
    return rt_lu_solve(p->z, lu, pivots, 1, x + p->m, 0, error);
}

/* c = 0, S = I;   c' = -R'^-1 V_x X, s_x u = -w_x X */
routh_status rt_penalty_tangent(rt_penalty_space *p, double *X, double *U, rt_arena *arena,
                                routh_error *error)
{
    const int n = p->n, m = p->m, z = p->z;
    double *lu = RT_TAKE(arena, double, (size_t)z *z), *S = RT_TAKE(arena, double, z);
    int *pivots = RT_TAKE(arena, int, z);
    if (!lu || !S || !pivots) return rt_fail_memory(error);
    memcpy(lu, p->state + (size_t)z * m, (size_t)z * z * sizeof *lu);
    routh_status status = rt_lu_factor(z, lu, pivots, error);
    for (int k = 0; k < z && !status; k++) {
        double *xi = X + (size_t)n * k, *u = U + (size_t)n * k;
        for (int i = 0; i < z; i++) S[i] = i == k;
        memset(xi, 0, (size_t)n * sizeof *xi);
        status = fill_free_part(p, lu, pivots, S, xi, error);
        rt_penalty_motion(p, 1, xi);
        memset(u, 0, (size_t)n * sizeof *u);
        add_violation(p, p->s->w->Vx, xi, u);
        for (int i = 0; i < m; i++) u[i] = -u[i];
        for (int i = 0; i < z; i++) S[i] = -rt_state_row_times(&p->rows[i], p->rows[i].w_x, xi);
        if (!status) status = fill_free_part(p, lu, pivots, S, u, error);
        rt_penalty_motion(p, 1, u);
    }
    return status;
}

/* ---- accelerations -------------------------------------------------------------------------- */

typedef struct penalty_space_accelerations {
    rt_penalty_space *p;
    bool penalized;
    double *lu; /* of M, or of its free block (M_yy) */
    int *pivots;
    double *x, *f; /* n: (c'', y''), forces */
} penalty_space_accelerations;

/* f -= M on (c'', 0), through the columns of u; z: n numbers of scratch */
static void subtract_inertia(const rt_penalty_space *p, const double *x, double *z, double *f)
{
    bool nothing = true;
    for (int k = 0; k < p->m && nothing; k++) nothing = x[k] == 0;
    if (nothing) return;
    memcpy(z, x, (size_t)p->m * sizeof *z);
    memset(z + p->m, 0, (size_t)p->z * sizeof *z);
    rt_penalty_motion(p, 1, z);
    rt_sparse_multiply_add(&p->s->m->pattern_M, p->s->w->M, -1, z, f);
}

/* Exact: c'' = -R'^-1 (A_u u + A_x xi), M_yy y'' = -f_y - M_yc c''. Penalized: M x'' = -(f + c''),
 * where M holds the unit penalty. xi NULL: zero. */
static routh_status penalty_space_accelerate(penalty_space_accelerations *a, const double *u,
                                             const double *xi, routh_error *error)
{
    rt_penalty_space *p = a->p;
    const rt_workspace *w = p->s->w;
    const int n = p->n, m = p->m, z = p->z;
    memset(a->x, 0, (size_t)n * sizeof(double));
    add_violation(p, w->Au, u, a->x);
    if (xi) add_violation(p, w->Ax, xi, a->x);
    for (int k = 0; k < m; k++) a->x[k] = -a->x[k];
    memset(a->f, 0, (size_t)n * sizeof(double));
    rt_sparse_multiply_add(&p->s->m->pattern_K, w->D, -1, u, a->f);
    if (xi) rt_sparse_multiply_add(&p->s->m->pattern_K, w->K, -1, xi, a->f);
    if (!a->penalized) subtract_inertia(p, a->x, p->turned, a->f);
    rt_penalty_turn_rows(p, 1, a->f);
    if (a->penalized) {
        for (int k = 0; k < n; k++) a->x[k] += a->f[k];
        return rt_lu_solve(n, a->lu, a->pivots, 1, a->x, 0, error);
    }
    memcpy(a->x + m, a->f + m, (size_t)z * sizeof(double));
    return rt_lu_solve(z, a->lu, a->pivots, 1, a->x + m, 0, error);
}

/* column k of a z x z row-major matrix = s_x u' + a_u u + a_x xi */
static void penalty_space_state_accelerations(const penalty_space_accelerations *a, const double *u,
                                              const double *xi, int k, double *A)
{
    const rt_penalty_space *p = a->p;
    for (int i = 0; i < p->z; i++) {
        const rt_state_row *row = &p->rows[i];
        double sum = rt_state_row_times(row, row->a_u, u);
        if (xi) sum += rt_state_row_times(row, row->a_x, xi);
        for (int c = 0; c < p->n; c++) sum += p->state[i + (size_t)p->z * c] * a->x[c];
        A[i * p->z + k] = sum;
    }
}

static routh_status penalty_space_factor_mass(penalty_space_accelerations *a, rt_arena *arena,
                                              routh_error *error)
{
    const rt_penalty_space *p = a->p;
    if (a->penalized) return rt_penalty_mass(p, a->lu, a->pivots, arena, error);
    memcpy(a->lu, p->Myy, (size_t)p->z * (size_t)p->z * sizeof(double));
    return rt_lu_factor(p->z, a->lu, a->pivots, error);
}

routh_status rt_penalty_accelerations(rt_penalty_space *p, const double *X, const double *U,
                                      bool penalized, double *A_SS, double *A_SW, rt_arena *arena,
                                      routh_error *error)
{
    const size_t n = (size_t)p->n, order = penalized ? n : (size_t)p->z;
    penalty_space_accelerations a = {p,
                                     penalized,
                                     RT_TAKE(arena, double, order *order),
                                     RT_TAKE(arena, int, order),
                                     RT_TAKE(arena, double, n),
                                     RT_TAKE(arena, double, n)};
    if (!a.lu || !a.pivots || !a.x || !a.f) return rt_fail_memory(error);
    routh_status status = penalty_space_factor_mass(&a, arena, error);
    for (int k = 0; k < p->z && !status; k++) {
        const double *x = X + n * (size_t)k, *u = U + n * (size_t)k;
        status = penalty_space_accelerate(&a, x, NULL, error);
        penalty_space_state_accelerations(&a, x, NULL, k, A_SW);
        if (!status) status = penalty_space_accelerate(&a, u, x, error);
        penalty_space_state_accelerations(&a, u, x, k, A_SS);
    }
    return status;
}
