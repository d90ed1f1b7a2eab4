/* How far eigenvalues of one matrix are from those of another.
 *
 * In the basis X of A's eigenvectors, whatever their rounding,
 *     X^-1 B X = Lambda + E,    E = X^-1 (B X - X Lambda)
 * exactly, so B's eigenvalues lie in Gershgorin's disks about Lambda_k + E_kk. A disk is made small
 * by scaling its row by theta, which widens the others' by 1/theta, as long as it stays apart from
 * them: it holds one eigenvalue then. Disks that cannot be parted form a group, which holds as many
 * eigenvalues as it has disks. */
#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/lapack.h"
#include "oracles/penalty.h"

typedef struct disks {
    int n;
    rt_eigen e;
    double *lu, *inverse; /* n x n: of X */
    int *pivots;          /* n */
    double *E;            /* n x n, column-major: |E_jk|, j != k */
    double *re, *im;      /* n: centres Lambda_k + E_kk */
    double *total;        /* n: sum over k != j of |E_jk| */
    double *inside;       /* n: the same over a group's columns */
    int *member;          /* n: of the group at hand */
    double *distance;     /* n x n: of the centres */
    double *radius;       /* n: of the disks as scaled last */
    double *reach;        /* n: how far a disk lies over one of the group */
    double *weighed;      /* 3 of n x n: |X^-1| doubt |X|, and its factors; NULL where it is flat */
} disks;

static bool penalty_bounds_take(disks *d, int n, bool weighed, rt_arena *arena)
{
    const size_t size = (size_t)n * (size_t)n;
    *d = (disks){.n = n};
    double **square[] = {&d->e.left, &d->e.right, &d->lu, &d->inverse, &d->E, &d->distance};
    double **line[] = {&d->e.re,  &d->e.im,   &d->e.rcond, &d->re,   &d->im,
                       &d->total, &d->inside, &d->radius,  &d->reach};
    for (size_t k = 0; k < sizeof square / sizeof *square; k++)
        if (!(*square[k] = RT_TAKE(arena, double, size))) return false;
    for (size_t k = 0; k < sizeof line / sizeof *line; k++)
        if (!(*line[k] = RT_TAKE(arena, double, n))) return false;
    d->pivots = RT_TAKE(arena, int, n);
    d->member = RT_TAKE(arena, int, n);
    if (weighed && !(d->weighed = RT_TAKE(arena, double, 3 * size))) return false;
    return d->pivots && d->member;
}

/* ---- the basis ------------------------------------------------------------------------------ */

static double one_norm(int n, const double *a)
{
    double norm = 0;
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += fabs(a[i + (size_t)n * k]);
        norm = fmax(norm, sum);
    }
    return norm;
}

/* Entries of +-size in a fixed order without pattern. */
static void penalty_bounds_disturb(int n, double size, double *a)
{
    uint32_t word = 1;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++) {
        word = word * 1664525u + 1013904223u;
        a[k] += size * ((double)word / 2147483648.0 - 1);
    }
}

/* Eigenvectors of A, or with noise of a matrix nearby, since any basis will do. rcond 0: they are
 * no basis. */
static routh_status make_basis(disks *d, const double *A, double noise, double *rcond,
                               routh_error *error)
{
    const int n = d->n;
    const double norm = one_norm(n, A);
    *rcond = 0;
    memcpy(d->lu, A, (size_t)n * n * sizeof *A);
    if (noise > 0) penalty_bounds_disturb(n, noise * (norm > 0 ? norm : 1), d->lu);
    routh_status status = rt_general_eigen(n, d->lu, &d->e, error);
    if (status) return status;
    memcpy(d->lu, d->e.right, (size_t)n * n * sizeof *d->lu);
    const double size = one_norm(n, d->lu);
    status = rt_lu_factor(n, d->lu, d->pivots, error);
    if (status == ROUTH_SINGULAR) return ROUTH_OK;
    return status ? status : rt_lu_rcond(n, d->lu, size, rcond, error);
}

static routh_status invert_basis(disks *d, routh_error *error)
{
    memset(d->inverse, 0, (size_t)d->n * d->n * sizeof *d->inverse);
    for (int k = 0; k < d->n; k++) d->inverse[k + (size_t)d->n * k] = 1;
    return rt_lu_solve(d->n, d->lu, d->pivots, d->n, d->inverse, 0, error);
}

/* ---- E -------------------------------------------------------------------------------------- */

/* c = a b + beta c, all n x n */
static void penalty_bounds_product(int n, const double *a, const double *b, double beta, double *c)
{
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, beta, c, n);
}

/* F = X^-1 (B X - X Lambda) in real form, for pairs [x_r x_i] and [re im; -im re] */
static void real_residual(const disks *d, const double *B, double *R, double *F)
{
    const size_t n = (size_t)d->n;
    const double *X = d->e.right;
    for (size_t k = 0; k < n; k++) {
        double *r = R + n * k;
        const bool first = d->e.im[k] > 0, second = d->e.im[k] < 0;
        for (size_t i = 0; i < n; i++) {
            r[i] = -d->e.re[k] * X[i + n * k];
            if (first) r[i] += d->e.im[k] * X[i + n * (k + 1)];
            if (second) r[i] += d->e.im[k] * X[i + n * (k - 1)];
        }
    }
    penalty_bounds_product(d->n, B, X, 1, R);
    penalty_bounds_product(d->n, d->inverse, R, 0, F);
}

/* The other of the pair, or itself. */
static int partner(const disks *d, int k)
{
    return d->e.im[k] > 0 ? k + 1 : d->e.im[k] < 0 ? k - 1 : k;
}

/* E_jk for the complex vectors x = x_r +- i x_i from F: row j of T^-1 F, T = [1 1; i -i], then
 * column k of (T^-1 F) T. */
static void complex_entry(const disks *d, const double *F, int j, int k, double out[2])
{
    const size_t n = (size_t)d->n;
    const double sj = d->e.im[j] > 0 ? 1 : d->e.im[j] < 0 ? -1 : 0;
    const double sk = d->e.im[k] > 0 ? 1 : d->e.im[k] < 0 ? -1 : 0;
    const int j0 = sj < 0 ? j - 1 : j, k0 = sk < 0 ? k - 1 : k;
    double re = 0, im = 0;
    for (int b = 0; b <= (sk != 0); b++)
        for (int a = 0; a <= (sj != 0); a++) {
            const double f = F[(size_t)(j0 + a) + n * (size_t)(k0 + b)] * (sj != 0 ? 0.5 : 1);
            /* row factor 1 or -i sj, column factor 1 or i sk */
            const double row[2] = {a ? 0 : 1, a ? -sj : 0}, column[2] = {b ? 0 : 1, b ? sk : 0};
            re += f * (row[0] * column[0] - row[1] * column[1]);
            im += f * (row[0] * column[1] + row[1] * column[0]);
        }
    out[0] = re, out[1] = im;
}

/* Rounding of B, and of E itself: |X^-1| doubt |X| */
static void basis_sizes(const disks *d, double *rows, double *columns)
{
    const size_t n = (size_t)d->n;
    for (size_t k = 0; k < n; k++) {
        rows[k] = columns[k] = 0;
        for (size_t i = 0; i < n; i++) {
            rows[k] += fabs(d->inverse[k + n * i]);
            columns[k] += fabs(d->e.right[i + n * k]);
        }
    }
}

/* The same of the doubt of each entry: rows of the complex X^-1 and columns of the complex X. */
static void penalty_bounds_weigh(disks *d, const double *doubt)
{
    const size_t n = (size_t)d->n;
    double *sum = d->weighed, *left = sum + n * n, *right = left + n * n;
    for (size_t k = 0; k < n; k++) {
        const size_t other = (size_t)partner(d, (int)k);
        for (size_t i = 0; i < n; i++) {
            const double row = fabs(d->inverse[k + n * i]), column = fabs(d->e.right[i + n * k]);
            left[k + n * i] = (row + fabs(d->inverse[other + n * i])) / 2;
            right[i + n * k] = other == k ? column : column + fabs(d->e.right[i + n * other]);
        }
    }
    penalty_bounds_product(d->n, left, doubt, 0, sum);
    memcpy(left, sum, n * n * sizeof *sum);
    penalty_bounds_product(d->n, left, right, 0, sum);
}

static void fill_disks(disks *d, const double *B, rt_penalty_doubt doubt, double *R, double *F,
                       double *rows, double *columns)
{
    const int n = d->n;
    real_residual(d, B, R, F);
    basis_sizes(d, rows, columns);
    if (doubt.entries) penalty_bounds_weigh(d, doubt.entries);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            const int pj = partner(d, j), pk = partner(d, k);
            const double row = pj == j ? rows[j] : (rows[j] + rows[pj]) / 2;
            const double column = pk == k ? columns[k] : columns[k] + columns[pk];
            double entry[2];
            complex_entry(d, F, j, k, entry);
            const double size = j == k ? 0 : hypot(entry[0], entry[1]);
            /* the doubt of the diagonal is a part of the radius */
            d->E[j + (size_t)n * k] = size + doubt.flat * row * column;
            if (doubt.entries) d->E[j + (size_t)n * k] += d->weighed[j + (size_t)n * k];
            if (j == k) d->re[k] = d->e.re[k] + entry[0], d->im[k] = d->e.im[k] + entry[1];
        }
}

/* Rows and columns of E made equally large by scaling the basis (Osborne 1960): the vectors of an
 * eigenvalue that is nearly defective make very large and very small ones. */
static void penalty_bounds_balance(disks *d)
{
    const size_t n = (size_t)d->n;
    for (int sweep = 0; sweep < 10; sweep++)
        for (size_t k = 0; k < n; k++) {
            double row = 0, column = 0;
            for (size_t j = 0; j < n; j++)
                if (j != k) row += d->E[k + n * j], column += d->E[j + n * k];
            const double scale = sqrt(row / column);
            if (!isfinite(scale) || scale == 0) continue;
            for (size_t j = 0; j < n; j++)
                if (j != k) d->E[k + n * j] /= scale, d->E[j + n * k] *= scale;
        }
    for (size_t j = 0; j < n; j++) {
        d->total[j] = 0;
        for (size_t k = 0; k < n; k++) d->total[j] += d->E[j + n * k];
    }
}

/* ---- groups --------------------------------------------------------------------------------- */

static void fill_distances(disks *d)
{
    for (int k = 0; k < d->n; k++)
        for (int j = 0; j < d->n; j++)
            d->distance[j + (size_t)d->n * k] = hypot(d->re[j] - d->re[k], d->im[j] - d->im[k]);
}

static void penalty_bounds_add_member(disks *d, int k)
{
    d->member[k] = 1;
    for (int j = 0; j < d->n; j++)
        if (j != k) d->inside[j] += d->E[j + (size_t)d->n * k];
}

/* The doubt of the diagonal, which no scaling changes. */
static double own(const disks *d, int k) { return d->E[k + (size_t)d->n * k]; }

static double radius(const disks *d, int k, double theta)
{
    const double outside = fmax(0, d->total[k] - own(d, k) - d->inside[k]);
    return own(d, k) +
           (d->member[k] ? d->inside[k] + theta * outside : outside + d->inside[k] / theta);
}

/* Is the group's disk of k apart from every outsider's? Else *with is one that it overlaps. */
static bool penalty_bounds_is_apart(const disks *d, int k, double theta, int *with)
{
    const double *distance = d->distance + (size_t)d->n * k, own_radius = radius(d, k, theta);
    for (int j = 0; j < d->n; j++)
        if (!d->member[j] && !(own_radius + d->radius[j] - distance[j] < 0))
            return *with = j, false;
    return true;
}

/* Does theta keep the group apart? Two disks that overlap are remembered: while the group grows
 * they mostly go on to, and one look is enough. */
static bool keeps_apart(disks *d, double theta, int pair[2])
{
    if (d->member[pair[0]] && !d->member[pair[1]] &&
        !(radius(d, pair[0], theta) + radius(d, pair[1], theta) -
              d->distance[pair[1] + (size_t)d->n * pair[0]] <
          0))
        return false;
    for (int j = 0; j < d->n; j++) d->radius[j] = radius(d, j, theta);
    for (int k = 0; k < d->n; k++)
        if (d->member[k] && !penalty_bounds_is_apart(d, k, theta, &pair[1]))
            return pair[0] = k, false;
    return true;
}

enum { POWERS = 23 }; /* theta = 2^-44, 2^-42 .. 1 */

/* The smallest theta that keeps the group apart; 0: none does. */
static double smallest_theta(disks *d, int (*pair)[2])
{
    for (int p = 0; p < POWERS; p++) {
        const double theta = ldexp(1, 2 * (p - POWERS + 1));
        if (keeps_apart(d, theta, pair[p])) return theta;
    }
    return 0;
}

/* The outsider whose disk, not scaled, overlaps a member's most. Such disks have the whole row for
 * a radius whoever is in the group, so reach[j], the most that j overlaps a member, grows with the
 * newest member alone. */
static int worst_overlap(disks *d, int newest)
{
    const double *distance = d->distance + (size_t)d->n * newest;
    int worst = -1;
    for (int j = 0; j < d->n; j++) {
        d->reach[j] = fmax(d->reach[j], d->total[newest] + d->total[j] - distance[j]);
        if (!d->member[j] && (worst < 0 || d->reach[j] > d->reach[worst])) worst = j;
    }
    return worst;
}

static double bound_of(disks *d, int k)
{
    memset(d->member, 0, (size_t)d->n * sizeof *d->member);
    memset(d->inside, 0, (size_t)d->n * sizeof *d->inside);
    for (int j = 0; j < d->n; j++) d->reach[j] = -INFINITY;
    penalty_bounds_add_member(d, k);
    int pair[POWERS][2] = {{0}}, newest = k;
    double theta;
    while ((theta = smallest_theta(d, pair)) == 0) {
        newest = worst_overlap(d, newest);
        penalty_bounds_add_member(d, newest);
    }
    double bound = 0;
    for (int j = 0; j < d->n; j++) {
        if (!d->member[j]) continue;
        const double far = hypot(d->e.re[k] - d->re[j], d->e.im[k] - d->im[j]);
        bound = fmax(bound, far + radius(d, j, theta));
    }
    return bound;
}

static bool penalty_bounds_all_finite(const disks *d)
{
    for (int k = 0; k < d->n; k++)
        if (!isfinite(d->re[k]) || !isfinite(d->im[k]) || !isfinite(d->total[k])) return false;
    return true;
}

/* What one basis gives, into found (3 n: re, im, bound); the largest bound, or infinity. */
static routh_status try_basis(disks *d, const double *B, rt_penalty_doubt doubt, double *work,
                              double *found, double *largest, routh_error *error)
{
    const size_t n = (size_t)d->n;
    double *R = work, *F = work + n * n, *sizes = work + 2 * n * n, *bound = found + 2 * n;
    const routh_status status = invert_basis(d, error);
    if (status) return status;
    *largest = INFINITY;
    fill_disks(d, B, doubt, R, F, sizes, sizes + n);
    penalty_bounds_balance(d);
    if (!penalty_bounds_all_finite(d)) return ROUTH_OK;
    *largest = 0;
    fill_distances(d);
    for (int k = 0; k < d->n; k++) {
        found[k] = d->e.re[k], found[(size_t)k + n] = d->e.im[k];
        bound[k] = d->e.im[k] < 0 ? bound[k - 1] : bound_of(d, k);
        *largest = fmax(*largest, bound[k]);
    }
    return ROUTH_OK;
}

/* The eigenvectors of a matrix that is defective, or as good as that, are no basis or a poor one;
 * then those of matrices nearby are tried too. */
static routh_status best_basis(disks *d, const double *A, const double *B, rt_penalty_doubt doubt,
                               double *work, double *found, double *best, routh_error *error)
{
    static const double noise[] = {0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11}, good_rcond = 1e-5;
    const size_t size = 3 * (size_t)d->n * sizeof *best;
    double least = INFINITY, rcond = 0;
    for (size_t k = 0; k < sizeof noise / sizeof *noise && rcond < good_rcond; k++) {
        double largest = INFINITY;
        routh_status status = make_basis(d, A, noise[k], &rcond, error);
        if (!status && rcond > 0) status = try_basis(d, B, doubt, work, found, &largest, error);
        if (status) return status;
        if (largest < least) least = largest, memcpy(best, found, size);
    }
    return least < INFINITY ? ROUTH_OK
                            : rt_fail(error, ROUTH_NUMERIC_ERROR,
                                      "the penalty method has no error bounds here, because the "
                                      "modes are linearly dependent; use --method augmented");
}

routh_status rt_eigenvalue_bounds(int n, const double *A, const double *B, rt_penalty_doubt doubt,
                                  double *re, double *im, double *bound, routh_error *error)
{
    rt_arena arena = {0};
    disks d;
    const size_t line = (size_t)n, square = line * line;
    double *work = RT_TAKE(&arena, double, 2 * square + 2 * line);
    double *found = RT_TAKE(&arena, double, 3 * line), *best = RT_TAKE(&arena, double, 3 * line);
    const bool ok =
        work && found && best && penalty_bounds_take(&d, n, doubt.entries != NULL, &arena);
    const routh_status status =
        ok ? best_basis(&d, A, B, doubt, work, found, best, error) : rt_fail_memory(error);
    if (!status) {
        memcpy(re, best, line * sizeof *re);
        memcpy(im, best + line, line * sizeof *im);
        memcpy(bound, best + 2 * line, line * sizeof *bound);
    }
    rt_arena_free(&arena);
    return status;
}
