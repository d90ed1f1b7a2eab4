/* The coordinates that the penalty method works in. */
#include <stdlib.h>

#include "base/lapack.h"
#include "linear/penalty.h"

/* b := R'^-1 b, R m x m upper */
static void solve_lower(int m, const double *R, double *b)
{
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++) b[i] -= R[k + (size_t)m * i] * b[k];
        b[i] /= R[i + (size_t)m * i];
    }
}

/* b := R^-1 b */
static void solve_upper(int m, const double *R, double *b)
{
    for (int i = m - 1; i >= 0; i--) {
        b[i] /= R[i + (size_t)m * i];
        for (int k = 0; k < i; k++) b[k] -= R[k + (size_t)m * i] * b[i];
    }
}

/* b := R b */
static void multiply_upper(int m, const double *R, double *b)
{
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int k = i; k < m; k++) sum += R[i + (size_t)m * k] * b[k];
        b[i] = sum;
    }
}

/* y = A' x of an n x columns matrix; four sums at a time keep the arithmetic busy. */
static void times_columns(int n, int columns, const double *A, const double *x, double *y)
{
    const size_t stride = (size_t)n;
    int k = 0;
    for (; k + 4 <= columns; k += 4) {
        const double *a0 = A + stride * (size_t)k, *a1 = a0 + stride, *a2 = a1 + stride,
                     *a3 = a2 + stride;
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int c = 0; c < n; c++) {
            s0 += x[c] * a0[c], s1 += x[c] * a1[c];
            s2 += x[c] * a2[c], s3 += x[c] * a3[c];
        }
        y[k] = s0, y[k + 1] = s1, y[k + 2] = s2, y[k + 3] = s3;
    }
    for (; k < columns; k++) {
        double sum = 0;
        for (int c = 0; c < n; c++) sum += x[c] * A[c + stride * (size_t)k];
        y[k] = sum;
    }
}

void rt_penalty_motion(const rt_penalty_space *p, const double *x, double *xi)
{
    memset(xi, 0, (size_t)p->n * sizeof *xi);
    for (int k = 0; k < p->n; k++)
        for (int c = 0; c < p->n; c++) xi[c] += p->Q[c + (size_t)p->n * k] * x[k];
    for (int c = 0; c < p->n; c++) xi[c] *= p->s->unit[c];
}

/* Y' T r; with reactions the multipliers' part is R_y R^-1 p(c), to be divided by R_y R^-1. */
void rt_penalty_turn_rows(rt_penalty_space *p, double *r, double *out)
{
    for (int c = 0; c < p->n; c++) r[c] *= p->s->unit[c];
    times_columns(p->n, p->n, p->Y, r, out);
    if (p->reactions) {
        solve_upper(p->m, p->Ry, out);
        multiply_upper(p->m, p->R, out);
    }
    for (int k = 0; k < p->m; k++) out[k] /= p->penalty;
}

void rt_penalty_turn(rt_penalty_space *p, const rt_pattern *pattern, const double *values,
                     double *out)
{
    const size_t n = (size_t)p->n;
    double *x = p->t, *r = p->turned;
    for (size_t k = 0; k < n; k++) {
        for (size_t c = 0; c < n; c++) x[c] = p->Q[c + n * k] * p->s->unit[c];
        memset(r, 0, n * sizeof *r);
        rt_sparse_multiply_add(pattern, values, 1, x, r);
        rt_penalty_turn_rows(p, r, out + n * k);
    }
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

static routh_status factor(rt_penalty_space *p, double *C, routh_error *error)
{
    const size_t size = (size_t)p->n * p->m;
    memset(C, 0, size * sizeof *C);
    fill_constraints(p, C);
    routh_status status = rt_qr(p->n, p->m, C, p->Q, p->R, error);
    if (status || !p->reactions) return status;
    memset(C, 0, size * sizeof *C);
    fill_constraints(p, C);
    add_reactions(p, C);
    return rt_qr(p->n, p->m, C, p->Y, p->Ry, error);
}

static void fill_states(rt_penalty_space *p)
{
    for (int k = 0; k < p->n; k++) {
        for (int c = 0; c < p->n; c++) p->t[c] = p->Q[c + (size_t)p->n * k] * p->s->unit[c];
        for (int i = 0; i < p->z; i++)
            p->state[i + (size_t)p->z * k] = rt_state_row_times(&p->rows[i], p->rows[i].s_x, p->t);
    }
}

static bool take(rt_penalty_space *p, rt_arena *arena)
{
    const size_t n = (size_t)p->n, m = (size_t)p->m;
    bool ok = (p->slot = RT_TAKE(arena, int, p->s->m->n_rows)) != NULL;
    ok = ok && (p->Q = RT_TAKE(arena, double, n *n)) && (p->R = RT_TAKE(arena, double, m *m));
    p->Y = p->Q, p->Ry = p->R;
    if (ok && p->reactions)
        ok = (p->Y = RT_TAKE(arena, double, n *n)) && (p->Ry = RT_TAKE(arena, double, m *m));
    ok = ok && (p->state = RT_TAKE(arena, double, (size_t)p->z *n));
    ok = ok && (p->M = RT_TAKE(arena, double, n *n)) && (p->t = RT_TAKE(arena, double, n));
    ok = ok && (p->turned = RT_TAKE(arena, double, n));
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
    double *C = RT_TAKE(arena, double, (size_t)n * p->m);
    if (!C || !take(p, arena)) return rt_fail_memory(error);
    for (int r = 0, kept = 0; r < s->m->n_rows; r++)
        p->slot[r] = s->rank->row_step[r] < 0 ? -1 : kept++;
    p->penalty = p->options.alpha * typical_mass(s);
    status = factor(p, C, error);
    if (status) return status;
    fill_states(p);
    rt_penalty_turn(p, &s->m->pattern_M, s->w->M, p->M);
    for (int k = 0; k < p->m; k++) p->M[k + (size_t)n * k] += 1;
    return ROUTH_OK;
}

/* ---- along the tangent ---------------------------------------------------------------------- */

/* out[m] += R'^-1 of the kept rows of (values on pattern_G) x: as c would be */
static void add_violation(rt_penalty_space *p, const double *values, const double *x, double *out)
{
    memset(p->full, 0, (size_t)p->s->m->n_rows * sizeof(double));
    rt_sparse_multiply_add(&p->s->m->pattern_G, values, 1, x, p->full);
    for (int r = 0; r < p->s->m->n_rows; r++)
        if (p->slot[r] >= 0) p->turned[p->slot[r]] = p->full[r];
    solve_lower(p->m, p->R, p->turned);
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
    double *x = RT_TAKE(arena, double, n);
    int *pivots = RT_TAKE(arena, int, z);
    if (!lu || !S || !x || !pivots) return rt_fail_memory(error);
    memcpy(lu, p->state + (size_t)z * m, (size_t)z * z * sizeof *lu);
    routh_status status = rt_lu_factor(z, lu, pivots, error);
    for (int k = 0; k < z && !status; k++) {
        double *xi = X + (size_t)n * k;
        for (int i = 0; i < z; i++) S[i] = i == k;
        memset(x, 0, (size_t)n * sizeof *x);
        status = fill_free_part(p, lu, pivots, S, x, error);
        rt_penalty_motion(p, x, xi);
        memset(x, 0, (size_t)n * sizeof *x);
        add_violation(p, p->s->w->Vx, xi, x);
        for (int i = 0; i < m; i++) x[i] = -x[i];
        for (int i = 0; i < z; i++) S[i] = -rt_state_row_times(&p->rows[i], p->rows[i].w_x, xi);
        if (!status) status = fill_free_part(p, lu, pivots, S, x, error);
        rt_penalty_motion(p, x, U + (size_t)n * k);
    }
    return status;
}

/* ---- accelerations -------------------------------------------------------------------------- */

typedef struct accelerations {
    rt_penalty_space *p;
    bool penalized;
    double *lu; /* of M, or of its free block (M_yy) */
    int *pivots;
    double *x, *f, *r; /* n: (c'', y''), forces */
} accelerations;

/* Exact: c'' = -R'^-1 (A_u u + A_x xi), M_yy y'' = -f_y - M_yc c''. Penalized: M x'' = -(f + c''),
 * where M holds the unit penalty. xi NULL: zero. */
static routh_status accelerate(accelerations *a, const double *u, const double *xi,
                               routh_error *error)
{
    rt_penalty_space *p = a->p;
    const rt_workspace *w = p->s->w;
    const int n = p->n, m = p->m, z = p->z;
    memset(a->r, 0, (size_t)n * sizeof(double));
    rt_sparse_multiply_add(&p->s->m->pattern_K, w->D, -1, u, a->r);
    if (xi) rt_sparse_multiply_add(&p->s->m->pattern_K, w->K, -1, xi, a->r);
    rt_penalty_turn_rows(p, a->r, a->f);
    memset(a->x, 0, (size_t)n * sizeof(double));
    add_violation(p, w->Au, u, a->x);
    if (xi) add_violation(p, w->Ax, xi, a->x);
    for (int k = 0; k < m; k++) a->x[k] = -a->x[k];
    if (a->penalized) {
        for (int k = 0; k < n; k++) a->x[k] += a->f[k];
        return rt_lu_solve(n, a->lu, a->pivots, 1, a->x, 0, error);
    }
    memcpy(a->x + m, a->f + m, (size_t)z * sizeof(double));
    for (int k = 0; k < m; k++)
        for (int i = m; i < n; i++) a->x[i] -= p->M[i + (size_t)n * k] * a->x[k];
    return rt_lu_solve(z, a->lu, a->pivots, 1, a->x + m, 0, error);
}

/* column k of a z x z row-major matrix = s_x u' + a_u u + a_x xi */
static void state_accelerations(const accelerations *a, const double *u, const double *xi, int k,
                                double *A)
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

static routh_status factor_mass(accelerations *a, routh_error *error)
{
    const rt_penalty_space *p = a->p;
    const int n = p->n, m = a->penalized ? 0 : p->m, size = n - m;
    for (int k = 0; k < size; k++)
        memcpy(a->lu + (size_t)size * k, p->M + m + (size_t)n * (m + k),
               (size_t)size * sizeof(double));
    return rt_lu_factor(size, a->lu, a->pivots, error);
}

routh_status rt_penalty_accelerations(rt_penalty_space *p, const double *X, const double *U,
                                      bool penalized, double *A_SS, double *A_SW, rt_arena *arena,
                                      routh_error *error)
{
    const size_t n = (size_t)p->n;
    accelerations a = {p,
                       penalized,
                       RT_TAKE(arena, double, n *n),
                       RT_TAKE(arena, int, n),
                       RT_TAKE(arena, double, n),
                       RT_TAKE(arena, double, n),
                       RT_TAKE(arena, double, n)};
    if (!a.lu || !a.pivots || !a.x || !a.f || !a.r) return rt_fail_memory(error);
    routh_status status = factor_mass(&a, error);
    for (int k = 0; k < p->z && !status; k++) {
        const double *x = X + n * (size_t)k, *u = U + n * (size_t)k;
        status = accelerate(&a, x, NULL, error);
        state_accelerations(&a, x, NULL, k, A_SW);
        if (!status) status = accelerate(&a, u, x, error);
        state_accelerations(&a, u, x, k, A_SS);
    }
    return status;
}
