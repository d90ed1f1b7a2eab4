/* The modes a reduced body keeps. With (K + s M) factored once, s well below the square of the
 * first elastic frequency:
 *   free:           K v = lambda M v
 *   interfaces:     C v = 0 for the fixed-interface modes (Craig and Bampton 1968), and static
 *                   shapes p: K p + C'f = 0, C p = 1
 * then all of them together as one small problem, without the six rigid motions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "flexible/body.h"
#include "flexible/krylov.h"

/* First guess of s over the largest K_ii / M_ii; s over the first elastic lambda; where s may stay.
 */
static const double GUESS = 1e-9, SHIFT = 1e-2, LEAST_SHIFT = 1e-4, MOST_SHIFT = 1e-1;

/* Rigid motion with more than this share of the first elastic lambda is held. */
static const double RIGID = 1e-3;

/* A singular value of the interfaces' rigid motion below this holds nothing. */
static const double HOLDS = 1e-8;

/* lambda above this many times the lowest: no mass. */
static const double MASSLESS = 1e16;

typedef struct work {
    const rt_body_fe *b;
    const rt_reduction *how;
    rt_arena *arena;
    routh_error *error;
    rt_reduction_report *report;
    rt_factor *factor;
    double *shifted; /* K + s M */
    double s;
    double *y; /* n */
    rt_body_rows rows;
    double *Z, *G; /* n x rows, rows x rows */
    int n_left;    /* rigid motions that interfaces leave */
    double *left;  /* n x n_left */
    int n_basis;
    double *basis; /* n x n_basis */
} work;

static size_t column(const work *w, int k) { return (size_t)w->b->n * (size_t)k; }

/* ---- the shift ------------------------------------------------------------------------------ */

static routh_status shift(work *w, double s)
{
    const int entries = w->b->fe->pattern.start[w->b->n];
    w->s = s;
    for (int k = 0; k < entries; k++) w->shifted[k] = w->b->K[k] + s * w->b->M[k];
    rt_factor_forget(w->factor);
    return rt_factor_numeric(w->factor, w->shifted, w->error);
}

static routh_status first_elastic(work *w, double *lambda)
{
    const rt_krylov k = {.b = w->b,
                         .factor = w->factor,
                         .shift = w->s,
                         .n_locked = 6,
                         .locked = w->b->Q,
                         .n_free = w->b->n - 6};
    double *values, *vectors, next;
    int found;
    routh_status status =
        rt_krylov_lowest(&k, 1, 0, 1, &found, &values, &vectors, &next, w->arena, w->error);
    if (!status && found < 1)
        status = rt_fail(w->error, ROUTH_MODEL_ERROR, "the body has no elastic mode");
    if (!status) *lambda = values[0];
    return status;
}

/* r'K r of the rigid motions must be nothing beside the first elastic mode. */
static routh_status check_rigid(work *w, double lambda)
{
    static const char *const names[] = {"displacement along x", "displacement along y",
                                        "displacement along z", "rotation about x",
                                        "rotation about y",     "rotation about z"};
    int worst = 0;
    for (int k = 0; k < 6; k++) {
        const double *r = w->b->R + column(w, k);
        rt_body_times(w->b, w->b->K, r, w->y);
        const double stiff = fabs(rt_body_dot(w->b->n, r, w->y));
        rt_body_times(w->b, w->b->M, r, w->y);
        w->report->rigid[k] = stiff / rt_body_dot(w->b->n, r, w->y) / fabs(lambda);
        if (w->report->rigid[k] > w->report->rigid[worst]) worst = k;
    }
    if (lambda > 0 && w->report->rigid[worst] < RIGID) return ROUTH_OK;
    if (w->report->rigid[worst] * fabs(lambda) > 1e-9 * w->b->largest)
        return rt_fail(w->error, ROUTH_MODEL_ERROR,
                       "the body is held: its stiffness resists a rigid %s; export the matrices "
                       "without supports",
                       names[worst]);
    return rt_fail(w->error, ROUTH_MODEL_ERROR,
                   "the body has more than six motions without stiffness: parts of it are not "
                   "connected, or a rotation is not held");
}

static routh_status choose_shift(work *w)
{
    double lambda = 0, guess = GUESS * w->b->largest;
    const int entries = w->b->fe->pattern.start[w->b->n];
    w->shifted = RT_TAKE(w->arena, double, entries);
    w->y = RT_TAKE(w->arena, double, w->b->n);
    if (!w->shifted || !w->y) return rt_fail_memory(w->error);
    routh_status status = rt_factor_create(&w->factor, &w->b->fe->pattern, RT_ORDER_AMD, w->error);
    if (!status) status = shift(w, guess);
    if (!status) status = first_elastic(w, &lambda);
    for (int tries = 0; tries < 3 && !status; tries++) {
        if (lambda > 0 && w->s > LEAST_SHIFT * lambda && w->s < MOST_SHIFT * lambda) break;
        if (!(lambda > 1e-16 * w->b->largest)) break;
        status = shift(w, SHIFT * lambda);
        if (!status) status = first_elastic(w, &lambda);
    }
    return status ? status : check_rigid(w, lambda);
}

/* ---- interfaces ----------------------------------------------------------------------------- */

/* Which rigid motions C leaves: the null space of C R, rotations times the size of the body, rows
 * that are rotations too. */
static routh_status find_left(work *w)
{
    const int m = w->rows.n, room = m > 6 ? m : 6;
    double *A = RT_TAKE(w->arena, double, 6 * (size_t)room);
    double sigma[6], vt[36];
    if (!A) return rt_fail_memory(w->error);
    for (int i = 0; i < m; i++) {
        double *const row = A + i;
        double length = 1; /* rows of rotations: dimension one over length */
        for (int j = 0; j < 3; j++)
            if (fabs(rt_body_row(&w->rows, i, w->b->R + column(w, j))) > 1e-9) length = 0;
        for (int j = 0; j < 6; j++)
            row[(size_t)room * (size_t)j] = rt_body_row(&w->rows, i, w->b->R + column(w, j)) /
                                            (j < 3 ? 1 : w->b->size) *
                                            (length > 0 ? w->b->size : 1);
    }
    const routh_status status = rt_svd(room, 6, A, sigma, NULL, vt, w->error);
    if (status) return status;
    w->report->interface = sigma[5] / sigma[0];
    while (w->n_left < 6 && sigma[5 - w->n_left] < HOLDS * sigma[0]) w->n_left++;
    w->report->n_free = w->n_left;
    w->left = RT_TAKE(w->arena, double, column(w, w->n_left));
    if (!w->left) return rt_fail_memory(w->error);
    for (int k = 0; k < w->n_left; k++)
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < w->b->n; i++)
                w->left[column(w, k) + (size_t)i] += vt[(5 - k) + 6 * j] /
                                                     (j < 3 ? 1 : w->b->size) *
                                                     w->b->R[column(w, j) + (size_t)i];
    return ROUTH_OK;
}

/* u -= Q Q'M u over count M-orthonormal columns */
static void take_out(const work *w, int count, const double *Q, double *u)
{
    for (int pass = 0; pass < 2; pass++) {
        rt_body_times(w->b, w->b->M, u, w->y);
        for (int k = 0; k < count; k++) {
            const double x = rt_body_dot(w->b->n, Q + column(w, k), w->y);
            for (int i = 0; i < w->b->n; i++) u[i] -= x * Q[column(w, k) + (size_t)i];
        }
    }
}

static void normalize(const work *w, double *u)
{
    rt_body_times(w->b, w->b->M, u, w->y);
    const double norm = sqrt(rt_body_dot(w->b->n, u, w->y));
    for (int i = 0; i < w->b->n; i++) u[i] /= norm;
}

/* Z = (K + s M)^-1 C', G = C Z factored */
static routh_status make_flexibility(work *w)
{
    const int m = w->rows.n;
    w->Z = RT_TAKE(w->arena, double, column(w, m));
    w->G = RT_TAKE(w->arena, double, (size_t)m *(size_t)m);
    if (!w->Z || !w->G) return rt_fail_memory(w->error);
    for (int j = 0; j < m; j++)
        for (int k = w->rows.start[j]; k < w->rows.start[j + 1]; k++)
            w->Z[column(w, j) + (size_t)w->rows.dof[k]] += w->rows.weight[k];
    routh_status status = rt_factor_solve(w->factor, w->Z, m, NULL, w->error);
    if (status) return status;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            w->G[i + (size_t)m * (size_t)j] = rt_body_row(&w->rows, i, w->Z + column(w, j));
    if (rt_cholesky_factor(m, w->G, NULL) != ROUTH_OK)
        return rt_fail(w->error, ROUTH_MODEL_ERROR,
                       "the interfaces depend on one another: some are the same node, or sets that "
                       "share all their nodes");
    return ROUTH_OK;
}

/* One static shape: K p + C'f = 0, C p = e_k, by the factor of K + s M again and again; each time
 * the error shrinks to s / (s + lambda of the first fixed-interface mode). */
static routh_status static_shape(work *w, int k, double *p, double *r, double *f)
{
    const int m = w->rows.n;
    for (int tries = 0; tries < 12; tries++) {
        double change = 0, size = 0;
        rt_body_times(w->b, w->b->K, p, r);
        for (int j = 0; j < w->b->n; j++) r[j] = -r[j];
        routh_status status = rt_factor_solve(w->factor, r, 1, NULL, w->error);
        if (status) return status;
        for (int i = 0; i < m; i++)
            f[i] = (i == k) - rt_body_row(&w->rows, i, p) - rt_body_row(&w->rows, i, r);
        status = rt_cholesky_solve(m, w->G, 1, f, w->error);
        if (status) return status;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < w->b->n; j++) r[j] += f[i] * w->Z[column(w, i) + (size_t)j];
        take_out(w, w->n_left, w->left, r);
        for (int j = 0; j < w->b->n; j++) {
            p[j] += r[j];
            change += r[j] * r[j];
            size += p[j] * p[j];
        }
        if (change <= 1e-24 * size) break;
    }
    return ROUTH_OK;
}

static routh_status static_shapes(work *w)
{
    double *r = RT_TAKE(w->arena, double, w->b->n);
    double *f = RT_TAKE(w->arena, double, w->rows.n);
    if (!r || !f) return rt_fail_memory(w->error);
    routh_status status = ROUTH_OK;
    for (int k = 0; k < w->rows.n && !status; k++)
        status = static_shape(w, k, w->basis + column(w, k), r, f);
    return status;
}

/* ---- which modes ---------------------------------------------------------------------------- */

static routh_status normal_modes(work *w, const rt_krylov *k, int *found, double **lambda,
                                 double **vectors)
{
    const double cut = w->how->cut > 0 ? pow(2 * 3.14159265358979323846 * w->how->cut, 2) : 0;
    double next = 0;
    const int wanted = cut > 0 ? 12 : w->how->n_modes;
    const routh_status status =
        rt_krylov_lowest(k, wanted, cut, 2000, found, lambda, vectors, &next, w->arena, w->error);
    w->report->n_normal = *found;
    w->report->first_left_out = next > 0 ? sqrt(next) / (2 * 3.14159265358979323846) : 0;
    return status;
}

static routh_status free_basis(work *w, rt_body_modes *modes)
{
    const rt_krylov k = {.b = w->b,
                         .factor = w->factor,
                         .shift = w->s,
                         .n_locked = 6,
                         .locked = w->b->Q,
                         .n_free = w->b->n - 6};
    return normal_modes(w, &k, &modes->n, &modes->lambda, &modes->shape);
}

static routh_status interface_basis(work *w)
{
    double *lambda, *vectors;
    int found = 0;
    routh_status status = rt_body_interfaces(&w->rows, w->b, w->how, w->arena, w->error);
    if (!status) status = find_left(w);
    for (int k = 0; k < w->n_left && !status; k++) {
        take_out(w, k, w->left, w->left + column(w, k));
        normalize(w, w->left + column(w, k));
    }
    if (!status) status = make_flexibility(w);
    if (status) return status;
    const rt_krylov k = {.b = w->b,
                         .factor = w->factor,
                         .shift = w->s,
                         .n_locked = w->n_left,
                         .locked = w->left,
                         .n_held = w->rows.n,
                         .C = &w->rows,
                         .Z = w->Z,
                         .G = w->G,
                         .n_free = w->b->n - w->rows.n - w->n_left};
    status = normal_modes(w, &k, &found, &lambda, &vectors);
    if (status) return status;
    w->n_basis = w->rows.n + found;
    w->basis = RT_TAKE(w->arena, double, column(w, w->n_basis));
    if (!w->basis) return rt_fail_memory(w->error);
    memcpy(w->basis + column(w, w->rows.n), vectors, column(w, found) * sizeof *vectors);
    return static_shapes(w);
}

static routh_status user_basis(work *w)
{
    const double length = w->how->unit > 0 ? w->how->unit : 1;
    w->n_basis = w->how->n_shapes;
    w->basis = RT_TAKE(w->arena, double, column(w, w->n_basis));
    if (!w->basis) return rt_fail_memory(w->error);
    for (int k = 0; k < w->n_basis; k++)
        for (int i = 0; i < w->b->n; i++)
            w->basis[column(w, k) + (size_t)i] = (w->b->fe->direction[i] > 2 ? 1 : length) *
                                                 w->how->shapes[column(w, k) + (size_t)i];
    return ROUTH_OK;
}

/* ---- the small problem ---------------------------------------------------------------------- */

/* Rigid motion out of every column, unit mass; a column of nothing else is dropped. */
static void clean(work *w)
{
    int kept = 0;
    for (int k = 0; k < w->n_basis; k++) {
        double *u = w->basis + column(w, kept);
        if (kept != k) memcpy(u, w->basis + column(w, k), column(w, 1) * sizeof *u);
        rt_body_times(w->b, w->b->M, u, w->y);
        const double before = rt_body_dot(w->b->n, u, w->y);
        take_out(w, 6, w->b->Q, u);
        rt_body_times(w->b, w->b->M, u, w->y);
        const double after = rt_body_dot(w->b->n, u, w->y);
        if (!(after > 1e-20 * before)) continue;
        normalize(w, u);
        kept++;
    }
    w->n_basis = kept;
}

/* B'A B */
static void project(const work *w, const double *A, double *out)
{
    const int m = w->n_basis;
    for (int j = 0; j < m; j++) {
        rt_body_times(w->b, A, w->basis + column(w, j), w->y);
        for (int i = 0; i <= j; i++)
            out[i + (size_t)m * (size_t)j] = out[j + (size_t)m * (size_t)i] =
                rt_body_dot(w->b->n, w->basis + column(w, i), w->y);
    }
}

/* Columns that the others make up, such as the six rigid motions of interfaces, are taken out by
 * the eigenvectors of B'(K + s M) B, scaled to a unit diagonal. */
static routh_status independent(work *w, double *small, int *rank)
{
    const int m = w->n_basis;
    double *values = RT_TAKE(w->arena, double, m), *d = RT_TAKE(w->arena, double, m);
    if (!values || !d) return rt_fail_memory(w->error);
    project(w, w->shifted, small);
    for (int k = 0; k < m; k++) d[k] = 1 / sqrt(small[(size_t)k * (size_t)(m + 1)]);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) small[i + (size_t)m * (size_t)j] *= d[i] * d[j];
    const routh_status status = rt_symmetric_eigen(m, small, values, w->error);
    if (status) return status;
    *rank = 0;
    for (int k = 0; k < m; k++) {
        if (!(values[k] > 1e-13 * values[m - 1])) continue;
        for (int i = 0; i < m; i++)
            small[i + (size_t)m * (size_t)*rank] =
                d[i] * small[i + (size_t)m * (size_t)k] / sqrt(values[k]);
        ++*rank;
    }
    return ROUTH_OK;
}

/* basis := basis T (n_basis x rank) */
static routh_status combine(work *w, const double *T, int rank, double **out)
{
    double *shape = RT_TAKE(w->arena, double, column(w, rank));
    if (!shape) return rt_fail_memory(w->error);
    for (int j = 0; j < rank; j++)
        for (int k = 0; k < w->n_basis; k++) {
            const double x = T[k + (size_t)w->n_basis * (size_t)j];
            const double *u = w->basis + column(w, k);
            double *v = shape + column(w, j);
            for (int i = 0; i < w->b->n; i++) v[i] += x * u[i];
        }
    *out = shape;
    return ROUTH_OK;
}

/* The modes of the body within the basis: M v = mu (K + s M) v. */
static routh_status small_problem(work *w, rt_body_modes *modes)
{
    clean(w);
    const int m = w->n_basis;
    if (m < 1) return rt_fail(w->error, ROUTH_MODEL_ERROR, "nothing but rigid motion is kept");
    double *T = RT_TAKE(w->arena, double, (size_t)m *(size_t)m), *better;
    double *A = RT_TAKE(w->arena, double, (size_t)m *(size_t)m);
    double *B = RT_TAKE(w->arena, double, (size_t)m *(size_t)m);
    double *mu = RT_TAKE(w->arena, double, m);
    int rank = 0;
    if (!T || !A || !B || !mu) return rt_fail_memory(w->error);
    routh_status status = independent(w, T, &rank);
    if (!status) status = combine(w, T, rank, &better);
    if (status) return status;
    w->basis = better;
    w->n_basis = rank;
    project(w, w->b->M, A);
    project(w, w->shifted, B); /* nearly the unit matrix: once more, without cancellation */
    status = rt_symmetric_generalized_eigen(rank, A, B, mu, w->error);
    if (status) return status;
    modes->lambda = RT_TAKE(w->arena, double, rank);
    if (!modes->lambda) return rt_fail_memory(w->error);
    double *order = T; /* best first */
    for (int k = rank - 1; k >= 0; k--) {
        if (!(mu[k] > mu[rank - 1] / MASSLESS)) {
            w->report->n_massless++;
            continue;
        }
        memcpy(order + (size_t)rank * (size_t)modes->n, A + (size_t)rank * (size_t)k,
               (size_t)rank * sizeof *order);
        modes->lambda[modes->n++] = 1 / mu[k] - w->s;
    }
    return combine(w, order, modes->n, &modes->shape);
}

/* Unit mass, no rigid motion, the largest entry positive. */
static void finish(work *w, rt_body_modes *modes)
{
    for (int k = 0; k < modes->n; k++) {
        double *u = modes->shape + column(w, k), largest = 0;
        take_out(w, 6, w->b->Q, u);
        normalize(w, u);
        for (int i = 0; i < w->b->n; i++)
            if (fabs(u[i]) > fabs(largest) * (1 + 1e-6)) largest = u[i];
        for (int i = 0; i < w->b->n && largest < 0; i++) u[i] = -u[i];
    }
}

static routh_status reduce(work *w, rt_body_modes *modes)
{
    routh_status status = choose_shift(w);
    if (status) return status;
    if (w->how->kind == RT_REDUCE_FREE)
        status = free_basis(w, modes);
    else {
        status = w->how->kind == RT_REDUCE_USER ? user_basis(w) : interface_basis(w);
        if (!status) status = small_problem(w, modes);
    }
    if (!status && modes->n < 1)
        status = rt_fail(w->error, ROUTH_MODEL_ERROR, "no mode lies below the cut of %g Hz",
                         w->how->cut);
    if (!status) finish(w, modes);
    return status;
}

routh_status rt_body_reduce(rt_body_modes *modes, rt_reduction_report *report, const rt_body_fe *b,
                            const rt_reduction *how, rt_arena *arena, routh_error *error)
{
    work w = {.b = b, .how = how, .arena = arena, .error = error, .report = report};
    *modes = (rt_body_modes){0};
    const routh_status status = reduce(&w, modes);
    rt_factor_free(w.factor);
    return status;
}
