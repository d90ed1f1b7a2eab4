/* Zeros of the whole system. In motion they come in chains (a body that slides to the side because
 * it is turned), which rounding tears into small eigenvalues; their vectors lie nearly together. So
 * the space that belongs to all of them is found once more, as a space, and
 *
 *     H = V' A V,     A the state matrix, by the rows of the pencil
 *
 * is taken apart: what H maps to nothing are zeros, then of what is left what it maps to nothing,
 * as often as there is any (a staircase). Nothing is what is 1e-10 of the terms. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "answers/wanted_parts.h"
#include "base/krylov.h"
#include "base/lapack.h"
#include "base/lapack_complex.h"

/* So small beside the shift an eigenvalue may be a torn zero. */
static const double GATE = 1e-2;

static const double NOTHING = 1e-10;

/* In 1/rate: where there are no larger terms, these are rounding. */
static const double LEAST_TERMS = 1e-4;

enum { PASSES = 12, MORE = 2 };

typedef struct zero_space {
    int n, k;      /* states; directions */
    double *V, *W; /* n x k: an orthonormal basis, and A V */
    double *y;     /* order */
    double terms, residual;
} zero_space;

static double *wanted_zeros_column(double *V, int n, int c) { return V + (size_t)n * (size_t)c; }

static double wanted_zeros_size(const rt_candidate *c) { return hypot(c->lambda[0], c->lambda[1]); }

/* The leading ones are the group, smallest first; the values in it. */
static int wanted_zeros_ascending(const void *a, const void *b)
{
    const double x = wanted_zeros_size(a), y = wanted_zeros_size(b);
    return (x > y) - (x < y);
}

static int find_group(rt_wanted_search *q, int *n_group)
{
    const double gate = GATE * hypot(q->shift[0], q->shift[1]);
    int k = 0;
    qsort(q->found, (size_t)q->n_found, sizeof *q->found, wanted_zeros_ascending);
    *n_group = 0;
    while (*n_group < q->n_found && wanted_zeros_size(&q->found[*n_group]) <= gate)
        k += rt_values_of(&q->found[(*n_group)++]);
    return k;
}

/* ---- the space ------------------------------------------------------------------------------ */

/* Column c beside those before it; one without a pattern in its place where it is none beside
 * them. */
static void make_orthonormal(zero_space *z, int c, unsigned *seed)
{
    double *v = wanted_zeros_column(z->V, z->n, c);
    for (int attempt = 0; attempt < 8; attempt++) {
        const double before = cblas_dnrm2(z->n, v, 1);
        for (int pass = 0; pass < 3; pass++)
            for (int i = 0; i < c; i++) {
                const double *o = wanted_zeros_column(z->V, z->n, i);
                cblas_daxpy(z->n, -cblas_ddot(z->n, o, 1, v, 1), o, 1, v, 1);
            }
        const double left = cblas_dnrm2(z->n, v, 1);
        if (before > 0 && rt_is_new(left, before, attempt ? 0 : 1e-10)) {
            cblas_dscal(z->n, 1 / left, v, 1);
            return;
        }
        for (int i = 0; i < z->n; i++) v[i] = rt_no_pattern(seed);
    }
}

/* V by OP about a small number beside the group, until nothing else is in it. */
static routh_status improve_space(zero_space *z, rt_wanted_search *q, double beside, unsigned *seed,
                                  routh_error *error)
{
    bool singular = false;
    routh_status status = rt_shifted_factor(q->pencil, beside, &singular, error);
    for (int pass = 0; pass < PASSES && !status && !singular; pass++) {
        for (int c = 0; c < z->k && !status; c++) {
            double *v = wanted_zeros_column(z->V, z->n, c);
            memcpy(z->y, v, (size_t)z->n * sizeof *v);
            status = rt_shifted_apply(q->pencil, z->y, v, error);
            q->n_solves++;
        }
        for (int c = 0; c < z->k && !status; c++) make_orthonormal(z, c, seed);
    }
    return status;
}

/* H = V' A V, and the largest sum of terms in A V. */
static routh_status map_space(zero_space *z, rt_wanted_search *q, double *H, routh_error *error)
{
    z->terms = LEAST_TERMS;
    for (int c = 0; c < z->k; c++) {
        double terms;
        const routh_status status =
            rt_whole_rates(q->pencil, wanted_zeros_column(z->V, z->n, c), z->y,
                           wanted_zeros_column(z->W, z->n, c), &terms, error);
        if (status) return status;
        z->terms = fmax(z->terms, terms);
    }
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, z->k, z->k, z->n, 1, z->V, z->n, z->W,
                z->n, 0, H, z->k);
    return ROUTH_OK;
}

/* How far the first columns of V are from being mapped into themselves, relative to the terms. */
static routh_status find_residual(zero_space *z, rt_wanted_search *q, int zeros, double *H,
                                  routh_error *error)
{
    for (int c = 0; c < zeros; c++) {
        double terms, *w = wanted_zeros_column(z->W, z->n, c);
        const routh_status status =
            rt_whole_rates(q->pencil, wanted_zeros_column(z->V, z->n, c), z->y, w, &terms, error);
        if (status) return status;
        cblas_dgemv(CblasColMajor, CblasTrans, z->n, zeros, 1, z->V, z->n, w, 1, 0, H, 1);
        cblas_dgemv(CblasColMajor, CblasNoTrans, z->n, zeros, -1, z->V, z->n, H, 1, 1, w, 1);
        z->residual = fmax(z->residual, cblas_dnrm2(z->n, w, 1) / z->terms);
    }
    return ROUTH_OK;
}

/* ---- the staircase -------------------------------------------------------------------------- */

/* V (its columns from `first` on, m of them) and H (m x m) in the basis of H's singular vectors,
 * those it maps to nothing first: how many there are. room: 4 m^2 + m n. */
static routh_status take_step(zero_space *z, double *H, int first, int *taken, double *room,
                              routh_error *error)
{
    const int m = z->k - first;
    const size_t size = (size_t)m * (size_t)m;
    double *sigma = room, *vt = room + size, *basis = vt + size, *left = basis + size;
    memcpy(left, H, size * sizeof *H);
    const routh_status status = rt_svd(m, m, left, sigma, NULL, vt, error);
    if (status) return status;
    *taken = 0;
    while (*taken < m && sigma[m - 1 - *taken] <= NOTHING * z->terms) (*taken)++;
    for (int j = 0; j < m; j++) /* smallest first */
        for (int i = 0; i < m; i++)
            basis[i + (size_t)m * (size_t)j] = vt[(m - 1 - j) + (size_t)m * (size_t)i];
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, m, m, 1, H, m, basis, m, 0, left, m);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, m, 1, basis, m, left, m, 0, H, m);
    double *V = wanted_zeros_column(z->V, z->n, first), *turned = left + size;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, z->n, m, m, 1, V, z->n, basis, m, 0,
                turned, z->n);
    memcpy(V, turned, (size_t)z->n * (size_t)m * sizeof *V);
    return ROUTH_OK;
}

/* The zeros come first in V: their number. */
static routh_status count_zeros(zero_space *z, double *H, double *room, int *zeros,
                                routh_error *error)
{
    int taken = 1;
    *zeros = 0;
    while (*zeros < z->k && taken > 0) {
        const int m = z->k - *zeros;
        const routh_status status = take_step(z, H, *zeros, &taken, room, error);
        if (status) return status;
        const int left = m - taken;
        for (int j = 0; j < left; j++) /* column by column to the top left, which is read no more */
            memmove(H + (size_t)left * (size_t)j,
                    H + (size_t)taken + (size_t)m * (size_t)(j + taken), (size_t)left * sizeof *H);
        *zeros += taken;
    }
    return ROUTH_OK;
}

/* ---- candidates ----------------------------------------------------------------------------- */

/* Is the candidate but a torn zero: does all of it lie in the space of the zeros? */
static bool is_torn(const zero_space *z, const rt_candidate *c, int zeros)
{
    static const double share = 1e-3;
    double all = 0, within = 0;
    for (int part = 0; part < rt_values_of(c); part++) {
        const double *x = part ? c->im : c->re;
        all += cblas_ddot(z->n, x, 1, x, 1);
        for (int k = 0; k < zeros; k++)
            within += pow(cblas_ddot(z->n, wanted_zeros_column(z->V, z->n, k), 1, x, 1), 2);
    }
    return all - within <= share * share * all;
}

/* The zeros in place of those of the group that are torn ones. */
static routh_status put_zeros(zero_space *z, rt_wanted_search *q, int n_group, int zeros,
                              routh_error *error)
{
    int n = 0;
    rt_candidate *found = RT_TAKE(&q->arena, rt_candidate, zeros + q->n_found);
    if (!found) return rt_fail_memory(error);
    for (; n < zeros; n++) {
        rt_candidate *to = &found[n];
        double terms;
        *to = (rt_candidate){.rigid = true,
                             .errors = {.residual = z->residual},
                             .re = RT_TAKE(&q->arena, double, q->pencil->order),
                             .im = RT_TAKE(&q->arena, double, q->pencil->order)};
        if (!to->re || !to->im) return rt_fail_memory(error);
        const routh_status status = rt_whole_rates(q->pencil, wanted_zeros_column(z->V, z->n, n),
                                                   to->re, z->W, &terms, error);
        if (status) return status;
    }
    for (int k = 0; k < q->n_found; k++)
        if (k >= n_group || !is_torn(z, &q->found[k], zeros)) found[n++] = q->found[k];
    q->found = found;
    q->n_found = n;
    return ROUTH_OK;
}

/* Is all that the space holds as small as a torn zero may be? Then there may be more of them, and H
 * belongs to none. */
static routh_status is_too_small(const zero_space *z, const double *H, double gate, rt_arena *arena,
                                 bool *small, routh_error *error)
{
    const size_t k = (size_t)z->k;
    double _Complex *T = RT_TAKE(arena, double _Complex, k *k);
    int n = 0;
    *small = false;
    if (z->k == z->n) return ROUTH_OK;
    if (!T) return rt_fail_memory(error);
    for (size_t i = 0; i < k * k; i++) T[i] = H[i];
    const routh_status status = rt_complex_triangle(z->k, T, error);
    for (size_t i = 0; i < k && !status; i++) n += cabs(T[i * (k + 1)]) <= gate;
    *small = n == z->k;
    return status;
}

/* Zeros in a space of k directions, about a small number, the first columns of z->V; none where
 * they are not told from others. */
static routh_status examine_space(zero_space *z, rt_wanted_search *q, double beside, int *zeros,
                                  bool *small, routh_error *error)
{
    const size_t n = (size_t)z->n, k = (size_t)z->k, size = k * k;
    double *room = RT_TAKE(&q->arena, double, 5 * size + n * k), *H = room + 4 * size + n * k;
    unsigned seed = 7;
    z->V = RT_TAKE(&q->arena, double, 2 * n * k);
    z->W = z->V + n * k;
    z->y = RT_TAKE(&q->arena, double, q->pencil->order);
    z->residual = 0;
    if (!room || !z->V || !z->y) return rt_fail_memory(error);
    for (int c = 0; c < z->k; c++) make_orthonormal(z, c, &seed);
    routh_status status = improve_space(z, q, beside, &seed, error);
    if (!status) status = map_space(z, q, H, error);
    if (!status) status = is_too_small(z, H, 0.3 * beside, &q->arena, small, error);
    *zeros = 0;
    if (status || *small) return status;
    status = count_zeros(z, H, room, zeros, error);
    if (!status) status = find_residual(z, q, *zeros, room, error);
    if (!(z->residual <= RT_WORST_RESIDUAL)) *zeros = 0;
    return status;
}

/* About several numbers, as something else may lie beside one of them, and with more directions
 * where all of them are zeros: the most that were found. */
static routh_status examine_group(rt_wanted_search *q, int k, int n_group, routh_error *error)
{
    static const double beside[] = {3e-2, 1e-3, 1e-5};
    const int n = q->pencil->n;
    const double shift = hypot(q->shift[0], q->shift[1]);
    zero_space best = {0};
    int most = 0;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        bool small = true;
        for (int m = k + MORE; small; m *= 2) {
            zero_space z = {.n = n, .k = m < n ? m : n};
            int zeros;
            const routh_status status =
                examine_space(&z, q, beside[i] * shift, &zeros, &small, error);
            if (status) return status;
            if (zeros > most) most = zeros, best = z;
        }
    }
    return most ? put_zeros(&best, q, n_group, most, error) : ROUTH_OK;
}

routh_status rt_wanted_tell_zeros(rt_wanted_search *q, routh_error *error)
{
    int n_group;
    const double before = q->pencil->shift;
    const bool factored = q->pencil->factor != NULL;
    bool singular;
    const int k = q->pencil->whole ? find_group(q, &n_group) : 0;
    if (k == 0) return ROUTH_OK;
    routh_status status = rt_shifted_make_operator(q->pencil, error);
    if (!status) status = examine_group(q, k, n_group, error);
    if (!status && factored) status = rt_shifted_factor(q->pencil, before, &singular, error);
    return status;
}
