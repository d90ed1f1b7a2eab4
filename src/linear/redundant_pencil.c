/* Infinite eigenvalues deflated by structure: orthogonal transformations that follow from which
 * rows are algebraic, and no look at how large a number is.
 *
 * Each step takes a block of rows F y = 0 that hold no derivative. By F' = Q [R; 0] every solution
 * is y = Q2 c, with Q2 the last columns of Q, which are orthonormal, so nothing grows. Columns of u
 * are counted in typical lengths and time in 1/rate: else a stiff row would drown the masses. */
#include <float.h>
#include <stdlib.h>

#include "base/reflectors.h"
#include "linear/redundant_pencil.h"

/* ---- scales --------------------------------------------------------------------------------- */

/* Largest entry of unit_row A unit_column; rows unscaled where row_unit is NULL. */
static double largest(const rt_pattern *p, const double *values, const double *row_unit,
                      const double *unit)
{
    double most = 0;
    for (int c = 0; c < p->n_columns; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            const double size = fabs(values[e]) * unit[c] * (row_unit ? row_unit[p->row[e]] : 1);
            if (!(size <= most)) most = size;
        }
    return most;
}

double rt_typical_rate(const rt_search *s)
{
    const routh_mechanism *m = s->m;
    const rt_workspace *w = s->w;
    const double mass = largest(&m->pattern_M, w->M, s->unit, s->unit);
    const double G = largest(&m->pattern_G, w->G, NULL, s->unit);
    const double Ax = largest(&m->pattern_G, w->Ax, NULL, s->unit);
    const double Vx = largest(&m->pattern_G, w->Vx, NULL, s->unit);
    double rate = 0;
    if (G > 0) rate = fmax(Vx / G, sqrt(Ax / G));
    if (mass > 0) {
        rate = fmax(rate, sqrt(largest(&m->pattern_K, w->K, s->unit, s->unit) / mass));
        if (rate == 0) rate = largest(&m->pattern_K, w->D, s->unit, s->unit) / mass;
    }
    return rate > 0 && isfinite(rate) ? rate : 1;
}

static bool negligible(const rt_search *s, const double *values, double G, double rate)
{
    return largest(&s->m->pattern_G, values, NULL, s->unit) <= 64 * DBL_EPSILON * rate * G;
}

static bool row_turns(const rt_state_row *row, const double *unit, double rate)
{
    const double least = 64 * DBL_EPSILON * rate;
    double s = 0, w = 0, u = 0, x = 0;
    for (int c = 0; c < row->n; c++) {
        const double length = unit[row->columns[c]];
        s = fmax(s, fabs(row->s_x[c]) * length), w = fmax(w, fabs(row->w_x[c]) * length);
        u = fmax(u, fabs(row->a_u[c]) * length), x = fmax(x, fabs(row->a_x[c]) * length);
    }
    return w > least * s || u > least * s || x > least * rate * s;
}

bool rt_nothing_turns(const rt_search *s, const rt_state_row *rows, int z, double rate)
{
    const rt_workspace *w = s->w;
    const double G = largest(&s->m->pattern_G, w->G, NULL, s->unit);
    for (int c = 0; c < s->m->n_u; c++)
        if (s->state->u[c] != 0) return false;
    if (!negligible(s, w->Vx, G, rate) || !negligible(s, w->Au, G, rate) ||
        !negligible(s, w->Ax, G, rate * rate))
        return false;
    for (int k = 0; k < z; k++)
        if (row_turns(&rows[k], s->unit, rate)) return false;
    return true;
}

/* ---- dense blocks, column-major ------------------------------------------------------------- */

typedef struct block {
    int rows, columns;
    double *at; /* first entry; columns are `rows of the whole` apart */
    int apart;
} block;

static bool take(block *b, int rows, int columns, rt_arena *arena)
{
    *b = (block){rows, columns, RT_TAKE(arena, double, (size_t)rows *(size_t)columns), rows};
    return b->at != NULL;
}

static double *column(const block *b, int k) { return b->at + (size_t)b->apart * (size_t)k; }

static block part(const block *b, int first_row, int rows)
{
    return (block){rows, b->columns, b->at + first_row, b->apart};
}

/* C = s A' B */
static void times_transposed(const block *A, const block *B, double s, double *C)
{
    for (int j = 0; j < B->columns; j++)
        for (int i = 0; i < A->columns; i++) {
            const double *a = column(A, i), *b = column(B, j);
            double sum = 0;
            for (int l = 0; l < A->rows; l++) sum += a[l] * b[l];
            C[i + (size_t)A->columns * (size_t)j] = s * sum;
        }
}

/* C = A B */
static bool times(block *C, const block *A, const block *B, rt_arena *arena)
{
    if (!take(C, A->rows, B->columns, arena)) return false;
    for (int j = 0; j < B->columns; j++)
        for (int l = 0; l < A->columns; l++) {
            const double b = column(B, j)[l], *a = column(A, l);
            for (int i = 0; i < A->rows && b != 0; i++) column(C, j)[i] += b * a[i];
        }
    return true;
}

static double largest_entry(const block *b)
{
    double most = 0;
    for (int j = 0; j < b->columns; j++)
        for (int i = 0; i < b->rows; i++) most = fmax(most, fabs(column(b, j)[i]));
    return most;
}

/* The last columns of Q in F' = Q [R; 0], as many as F' has rows too many: an orthonormal basis of
 * all y with F y = 0. F' is overwritten. */
static routh_status deflate(block *transposed, block *basis, rt_arena *arena, routh_error *error)
{
    const int n = transposed->rows, m = transposed->columns;
    rt_reflectors q;
    if (!take(basis, n, n - m, arena)) return rt_fail_memory(error);
    const routh_status status = rt_reflectors_make(&q, n, m, transposed->at, arena, error);
    if (!status) rt_reflectors_null(&q, basis->at);
    return status;
}

/* ---- what both pencils are made of ---------------------------------------------------------- */

typedef struct parts {
    const rt_search *s;
    const rt_state_row *rows;
    int n, m, z;
    int *slot;    /* all rows of Phi: place among the independent ones, or -1 */
    double *full; /* n_rows */
    double *x;    /* n */
    double rate;
} parts;

static bool prepare(parts *p, const rt_search *s, const rt_state_row *rows, int z, rt_arena *arena)
{
    *p = (parts){.s = s, .rows = rows, .n = s->m->n_u, .m = s->rank->rank, .z = z};
    p->slot = RT_TAKE(arena, int, s->m->n_rows);
    p->full = RT_TAKE(arena, double, s->m->n_rows);
    p->x = RT_TAKE(arena, double, p->n);
    if (!p->slot || !p->full || !p->x) return false;
    if (!rt_number_rows(s, p->slot, arena)) return false;
    p->rate = rt_typical_rate(s);
    return true;
}

/* to[c + apart * slot] = factor unit_c G_rc: the transposed independent rows */
static void put_G(const parts *p, double factor, double *to, int apart)
{
    const rt_pattern *G = &p->s->m->pattern_G;
    for (int c = 0; c < p->n; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            if (p->slot[G->row[e]] >= 0)
                to[c + (size_t)apart * (size_t)p->slot[G->row[e]]] =
                    factor * p->s->unit[c] * p->s->w->G[e];
}

/* to[c + apart * slot] += factor unit_c L_cr */
static void add_L(const parts *p, double factor, double *to, int apart)
{
    const rt_pattern *L = &p->s->m->pattern_L;
    for (int r = 0; r < p->s->m->n_rows; r++)
        for (int e = L->start[r]; e < L->start[r + 1] && p->slot[r] >= 0; e++)
            to[L->row[e] + (size_t)apart * (size_t)p->slot[r]] +=
                factor * p->s->unit[L->row[e]] * p->s->w->L[e];
}

/* y (n) += factor unit A unit x */
static void add_product(const parts *p, const rt_pattern *pattern, const double *values,
                        double factor, const double *x, double *y)
{
    for (int c = 0; c < p->n; c++) {
        const double entry = factor * p->s->unit[c] * x[c];
        for (int e = pattern->start[c]; e < pattern->start[c + 1]; e++)
            y[pattern->row[e]] += p->s->unit[pattern->row[e]] * values[e] * entry;
    }
}

/* y (m) += factor (the independent rows) unit x */
static void add_rows(const parts *p, const double *values, double factor, const double *x,
                     double *y)
{
    for (int c = 0; c < p->n; c++) p->x[c] = p->s->unit[c] * x[c];
    memset(p->full, 0, (size_t)p->s->m->n_rows * sizeof(double));
    rt_sparse_multiply_add(&p->s->m->pattern_G, values, factor, p->x, p->full);
    for (int r = 0; r < p->s->m->n_rows; r++)
        if (p->slot[r] >= 0) y[p->slot[r]] += p->full[r];
}

/* (one of the four lists of state k) unit x */
static double state_times(const parts *p, int k, const double *entries, const double *x)
{
    const rt_state_row *row = &p->rows[k];
    double sum = 0;
    for (int c = 0; c < row->n; c++)
        sum += entries[c] * p->s->unit[row->columns[c]] * x[row->columns[c]];
    return sum;
}

static bool take_pencil(const parts *p, rt_finite_pencil *out, rt_arena *arena)
{
    const size_t order = 2 * (size_t)p->z, n = (size_t)p->n;
    *out = (rt_finite_pencil){.n = p->n, .z = p->z, .rate = p->rate};
    out->E = RT_TAKE(arena, double, order *order);
    out->A = RT_TAKE(arena, double, order *order);
    out->states = RT_TAKE(arena, double, order *order);
    out->xi = RT_TAKE(arena, double, n *order);
    out->u = RT_TAKE(arena, double, n *order);
    return out->E && out->A && out->states && out->xi && out->u;
}

/* to = unit basis, in the units of u */
static void put_motion(const parts *p, const block *basis, double *to)
{
    for (int k = 0; k < basis->columns; k++)
        for (int c = 0; c < p->n; c++)
            to[c + (size_t)p->n * (size_t)k] = p->s->unit[c] * column(basis, k)[c];
}

/* ---- at rest -------------------------------------------------------------------------------- */

/* right: G right = 0; left: left'(G' + L) = 0, the same where L = 0 */
static routh_status bases(const parts *p, block *right, block *left, rt_arena *arena,
                          routh_error *error)
{
    block G;
    if (!take(&G, p->n, p->m, arena)) return rt_fail_memory(error);
    put_G(p, 1, G.at, p->n);
    routh_status status = deflate(&G, right, arena, error);
    *left = *right;
    if (status || !p->s->m->pattern_L.start[p->s->m->n_rows]) return status;
    if (!take(&G, p->n, p->m, arena)) return rt_fail_memory(error);
    put_G(p, 1, G.at, p->n);
    add_L(p, 1, G.at, p->n);
    return deflate(&G, left, arena, error);
}

/* out (z x z) = left' (unit values unit) right */
static void project(const parts *p, const rt_pattern *pattern, const double *values,
                    const block *left, const block *right, block *work, double *out)
{
    memset(work->at, 0, (size_t)p->n * (size_t)p->z * sizeof(double));
    for (int k = 0; k < p->z; k++)
        add_product(p, pattern, values, 1, column(right, k), column(work, k));
    times_transposed(left, work, 1, out);
}

/* E = diag(I, M / |M|),  A = [0 I; -K / (rate^2 |M|)  -D / (rate |M|)], rate^2 = |K| / |M|
 * (Fan, Lin and Van Dooren, SIAM J. Matrix Anal. Appl. 26, 2004) */
static void fill_at_rest(rt_finite_pencil *out, const block *M, const block *D, const block *K)
{
    const int z = out->z, order = 2 * z;
    const double mass = largest_entry(M), rate = largest_entry(K) > 0 && mass > 0
                                                     ? sqrt(largest_entry(K) / mass)
                                                     : out->rate;
    const double scale = mass > 0 ? mass : 1;
    out->rate = rate;
    for (int j = 0; j < z; j++) {
        double *by_x = out->A + (size_t)order * (size_t)j, *by_u = by_x + (size_t)order * (size_t)z;
        double *e = out->E + (size_t)order * (size_t)(z + j);
        out->E[j + (size_t)order * (size_t)j] = 1;
        by_u[j] = 1;
        for (int i = 0; i < z; i++) {
            e[z + i] = column(M, j)[i] / scale;
            by_x[z + i] = -column(K, j)[i] / rate / rate / scale;
            by_u[z + i] = -column(D, j)[i] / rate / scale;
        }
    }
}

static void fill_rest_states(const parts *p, const block *right, rt_finite_pencil *out)
{
    const int z = p->z, order = 2 * z;
    for (int k = 0; k < z; k++)
        for (int i = 0; i < z; i++) {
            const double entry = state_times(p, i, p->rows[i].s_x, column(right, k));
            out->states[i + (size_t)order * (size_t)k] = entry;
            out->states[z + i + (size_t)order * (size_t)(z + k)] = entry;
        }
    put_motion(p, right, out->xi);
    put_motion(p, right, out->u + (size_t)p->n * (size_t)z);
}

/* Columns (xi, du, lambda): G xi = 0 and its two derivatives leave xi = Q2 a, du = Q2 b. Rows: of
 * P2', with P2'(G'+L) = 0: they hold no lambda. */
routh_status rt_deflate_at_rest(const rt_search *s, const rt_state_row *rows, int z,
                                rt_arena *arena, rt_finite_pencil *out, routh_error *error)
{
    parts p;
    block right, left, work, M, D, K;
    if (!prepare(&p, s, rows, z, arena) || !take_pencil(&p, out, arena) ||
        !take(&work, p.n, z, arena) || !take(&M, z, z, arena) || !take(&D, z, z, arena) ||
        !take(&K, z, z, arena))
        return rt_fail_memory(error);
    const routh_status status = bases(&p, &right, &left, arena, error);
    if (status) return status;
    project(&p, &s->m->pattern_M, s->w->M, &left, &right, &work, M.at);
    project(&p, &s->m->pattern_K, s->w->D, &left, &right, &work, D.at);
    project(&p, &s->m->pattern_K, s->w->K, &left, &right, &work, K.at);
    fill_at_rest(out, &M, &D, &K);
    fill_rest_states(&p, &right, out);
    out->n_infinite = 2 * p.n + p.m - 2 * z;
    return ROUTH_OK;
}

/* ---- in motion ------------------------------------------------------------------------------ */

/* The columns so far, each a combination of the basis; an empty block where not reached. */
typedef struct motion {
    block S, W, xi, u, a;
} motion;

/* G xi = 0,  s_x xi - S = 0 over (S, xi) */
static routh_status position_level(const parts *p, motion *y, rt_arena *arena, routh_error *error)
{
    const int n = p->n, z = p->z, size = z + n;
    block F, basis;
    if (!take(&F, size, p->m + z, arena)) return rt_fail_memory(error);
    put_G(p, 1, F.at + z, size);
    for (int k = 0; k < z; k++) {
        double *f = column(&F, p->m + k);
        f[k] = -1;
        for (int c = 0; c < p->rows[k].n; c++) {
            const int to = p->rows[k].columns[c];
            f[z + to] += p->rows[k].s_x[c] * p->s->unit[to];
        }
    }
    const routh_status status = deflate(&F, &basis, arena, error);
    y->S = part(&basis, 0, z);
    y->xi = part(&basis, z, n);
    return status;
}

/* G u + V_x xi = 0,  s_x u + w_x xi - W = 0 over (c, W, u), u in rate */
static routh_status velocity_level(const parts *p, motion *y, rt_arena *arena, routh_error *error)
{
    const int n = p->n, m = p->m, z = p->z, size = 2 * z + n;
    block F, basis, by_c;
    double *column_of_c = RT_TAKE(arena, double, m);
    if (!column_of_c || !take(&F, size, m + z, arena)) return rt_fail_memory(error);
    put_G(p, 1, F.at + 2 * z, size);
    for (int k = 0; k < z; k++) {
        memset(column_of_c, 0, (size_t)m * sizeof(double));
        add_rows(p, p->s->w->Vx, 1 / p->rate, column(&y->xi, k), column_of_c);
        for (int r = 0; r < m; r++) column(&F, r)[k] = column_of_c[r];
        for (int i = 0; i < z; i++)
            column(&F, m + i)[k] = state_times(p, i, p->rows[i].w_x, column(&y->xi, k)) / p->rate;
    }
    for (int k = 0; k < z; k++) {
        double *f = column(&F, m + k);
        f[z + k] = -1;
        for (int c = 0; c < p->rows[k].n; c++) {
            const int to = p->rows[k].columns[c];
            f[2 * z + to] += p->rows[k].s_x[c] * p->s->unit[to];
        }
    }
    const routh_status status = deflate(&F, &basis, arena, error);
    by_c = part(&basis, 0, z);
    y->W = part(&basis, z, z);
    y->u = part(&basis, 2 * z, n);
    block S, xi;
    if (status) return status;
    if (!times(&S, &y->S, &by_c, arena) || !times(&xi, &y->xi, &by_c, arena))
        return rt_fail_memory(error);
    y->S = S, y->xi = xi;
    return ROUTH_OK;
}

/* M u' + (G'+L) lambda + D u + K xi = 0 over (c, u', lambda), divided by rate^2 |M|; lambda counted
 * such that its columns are as large as those of M */
static void put_motion_rows(const parts *p, const motion *y, double *t, block *F)
{
    const int n = p->n, m = p->m, z = p->z, first = 2 * z + n, size = first + m;
    const rt_search *s = p->s;
    const routh_mechanism *mechanism = s->m;
    const double mass = largest(&mechanism->pattern_M, s->w->M, s->unit, s->unit);
    const double G = largest(&mechanism->pattern_G, s->w->G, NULL, s->unit);
    const double by_mass = mass > 0 ? 1 / mass : 1, by_G = G > 0 ? 1 / G : 1;
    for (int k = 0; k < 2 * z; k++) {
        memset(t, 0, (size_t)n * sizeof *t);
        add_product(p, &mechanism->pattern_K, s->w->D, by_mass / p->rate, column(&y->u, k), t);
        add_product(p, &mechanism->pattern_K, s->w->K, by_mass / p->rate / p->rate,
                    column(&y->xi, k), t);
        for (int c = 0; c < n; c++) column(F, c)[k] = t[c];
    }
    const rt_pattern *M = &mechanism->pattern_M, *Gp = &mechanism->pattern_G,
                     *L = &mechanism->pattern_L;
    for (int c = 0; c < n; c++) {
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            column(F, M->row[e])[2 * z + c] =
                by_mass * s->unit[M->row[e]] * s->w->M[e] * s->unit[c];
        for (int e = Gp->start[c]; e < Gp->start[c + 1]; e++)
            if (p->slot[Gp->row[e]] >= 0)
                column(F, c)[first + p->slot[Gp->row[e]]] = by_G * s->unit[c] * s->w->G[e];
    }
    for (int r = 0; r < mechanism->n_rows; r++)
        for (int e = L->start[r]; e < L->start[r + 1] && p->slot[r] >= 0; e++)
            column(F, L->row[e])[first + p->slot[r]] += by_G * s->unit[L->row[e]] * s->w->L[e];
    put_G(p, 1, F->at + (size_t)size * (size_t)n + 2 * z, size);
}

/* ... and G u' + A_u u + A_x xi = 0 */
static routh_status acceleration_level(const parts *p, motion *y, rt_arena *arena,
                                       routh_error *error)
{
    const int n = p->n, m = p->m, z = p->z;
    block F, basis, by_c, now[4];
    double *t = RT_TAKE(arena, double, n + m);
    if (!t || !take(&F, 2 * z + n + m, n + m, arena)) return rt_fail_memory(error);
    put_motion_rows(p, y, t, &F);
    for (int k = 0; k < 2 * z; k++) {
        memset(t, 0, (size_t)m * sizeof *t);
        add_rows(p, p->s->w->Au, 1 / p->rate, column(&y->u, k), t);
        add_rows(p, p->s->w->Ax, 1 / p->rate / p->rate, column(&y->xi, k), t);
        for (int r = 0; r < m; r++) column(&F, n + r)[k] = t[r];
    }
    const routh_status status = deflate(&F, &basis, arena, error);
    if (status) return status;
    by_c = part(&basis, 0, 2 * z);
    y->a = part(&basis, 2 * z, n);
    if (!times(&now[0], &y->S, &by_c, arena) || !times(&now[1], &y->W, &by_c, arena) ||
        !times(&now[2], &y->xi, &by_c, arena) || !times(&now[3], &y->u, &by_c, arena))
        return rt_fail_memory(error);
    y->S = now[0], y->W = now[1], y->xi = now[2], y->u = now[3];
    return ROUTH_OK;
}

/* E = [S; W],  A = [W; s_x u' + a_u u + a_x xi] */
static void fill_in_motion(const parts *p, const motion *y, rt_finite_pencil *out)
{
    const int z = p->z, order = 2 * z;
    const double rate = p->rate;
    for (int k = 0; k < order; k++)
        for (int i = 0; i < z; i++) {
            double *E = out->E + (size_t)order * (size_t)k, *A = out->A + (size_t)order * (size_t)k;
            const rt_state_row *row = &p->rows[i];
            E[i] = column(&y->S, k)[i];
            E[z + i] = A[i] = column(&y->W, k)[i];
            A[z + i] = state_times(p, i, row->s_x, column(&y->a, k)) +
                       state_times(p, i, row->a_u, column(&y->u, k)) / rate +
                       state_times(p, i, row->a_x, column(&y->xi, k)) / rate / rate;
        }
    memcpy(out->states, out->E, (size_t)order * (size_t)order * sizeof(double));
    put_motion(p, &y->xi, out->xi);
    put_motion(p, &y->u, out->u);
}

routh_status rt_deflate_in_motion(const rt_search *s, const rt_state_row *rows, int z,
                                  rt_arena *arena, rt_finite_pencil *out, routh_error *error)
{
    parts p;
    motion y = {0};
    if (!prepare(&p, s, rows, z, arena) || !take_pencil(&p, out, arena))
        return rt_fail_memory(error);
    routh_status status = position_level(&p, &y, arena, error);
    if (!status) status = velocity_level(&p, &y, arena, error);
    if (!status) status = acceleration_level(&p, &y, arena, error);
    if (status) return status;
    fill_in_motion(&p, &y, out);
    out->n_infinite = 3 * p.n + p.m;
    return ROUTH_OK;
}
