/* A cluster of m eigenvalues is brought to the top of a Schur form,
 *     B = Q [T11 T12; 0 T22] Q^H,    T11 = Lambda + N
 * with N strictly upper. Let d be the size of an error of B, p the norm of the cluster's spectral
 * projector and sep the smallest singular value of X -> T11 X - X T22. Where sep > 4 p d, the
 * cluster stays one, its block T11 + E with |E| <= p d (1 + 2 p d / (sep - 2 p d)) (Stewart 1973).
 * An eigenvalue of that at the distance r from all of Lambda needs
 *     1 <= |E| |(lambda - T11)^-1| <= |E| sum_(k < m) |N|^k / r^(k + 1)
 * (Henrici 1962), which bounds r: by |E| for m = 1, by about sqrt(|E| |N|) for a defective pair.
 * Of several equal pairs N is as large but its square is nothing, which norms do not tell. With Z
 * = T11 - c, c the mean of Lambda, and R = lambda - c, R (lambda - T11)^-1 is the sum of the
 * (Z/R)^k, that of k >= p being (Z/R)^p times the whole, so that for every p
 *     1 <= |E| sum_(k < p) |Z^k| / |R|^(k + 1) + |Z^p| / |R|^p,
 * which bounds |R|. The better of the two bounds holds. */
#include "answers/clusters.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/lapack_complex.h"

/* Eigenvalues of a smaller condition keep their bounds of first order: their vectors are far from
 * parallel, and what several of them share is bounded by the largest of their conditions. */
static const double WELL_CONDITIONED = 1e5;

/* So do those whose neighbours are farther away than so many bounds: of the eigenvalues that an
 * error makes of a Jordan block of any order, at most 6.3. */
static const double FAR = 32;

/* Powers of a cluster's block that are tried: a Jordan block of a larger order leaves no digits. */
enum { MOST_POWERS = 8 };

/* A cluster whose radius is larger than the error of its block by this factor moves as a defective
 * eigenvalue does, by a root of the error. */
static const double DEFECTIVE = 100;

typedef struct clusters_form {
    int n;
    double size;        /* of the error of the matrix */
    double _Complex *T; /* the Schur form */
    double _Complex *S; /* the same, a cluster at its top */
    double _Complex *Z; /* of a cluster: what its block is more than the mean times I */
    double _Complex *power, *product;
    int *chosen; /* n */
    int *within; /* n: by which of the clusters found it is bounded, from 1; 0 for none */
} clusters_form;

/* A cluster of m eigenvalues, which an error leaves within a radius of those found, and within
 * another of their mean. */
typedef struct clusters_disk {
    int m, *members; /* n: is one in it? */
    double _Complex mean;
    double around_each, around_mean;
    double moved; /* the error of its block */
} clusters_disk;

/* B balanced as rt_general_eigen balances it, in its Schur form. */
static routh_status clusters_make(clusters_form *f, const double *B, rt_arena *arena,
                                  routh_error *error)
{
    const size_t n = (size_t)f->n, square = n * n;
    double *A = RT_TAKE(arena, double, square);
    f->T = RT_TAKE(arena, double _Complex, square);
    f->S = RT_TAKE(arena, double _Complex, square);
    f->Z = RT_TAKE(arena, double _Complex, square);
    f->power = RT_TAKE(arena, double _Complex, square);
    f->product = RT_TAKE(arena, double _Complex, square);
    f->chosen = RT_TAKE(arena, int, n);
    f->within = RT_TAKE(arena, int, n);
    const bool got = A && f->T && f->S && f->Z && f->power && f->product;
    if (!got || !f->chosen || !f->within) return rt_fail_memory(error);
    memset(f->within, 0, n * sizeof *f->within);
    memcpy(A, B, square * sizeof *A);
    const routh_status status = rt_balance(f->n, A, error);
    for (size_t k = 0; k < square && !status; k++) f->T[k] = A[k];
    return status ? status : rt_complex_triangle(f->n, f->T, error);
}

static double _Complex clusters_value(const clusters_form *f, int k)
{
    return f->T[(size_t)k * ((size_t)f->n + 1)];
}

/* The eigenvalue outside the cluster that is nearest to a member, and how far that is. */
static int clusters_nearest(const clusters_form *f, double *distance)
{
    int nearest = -1;
    *distance = INFINITY;
    for (int k = 0; k < f->n; k++)
        for (int j = 0; !f->chosen[k] && j < f->n; j++) {
            const double d = cabs(clusters_value(f, k) - clusters_value(f, j));
            if (f->chosen[j] && d < *distance) nearest = k, *distance = d;
        }
    return nearest;
}

/* error sum_(k < m) size[k] / r^(k + 1) + rest / r^m, which falls with r. */
static double clusters_sum(int m, const double *size, double error, double rest, double r)
{
    double sum = 0, by = 1;
    for (int k = 0; k < m; k++) {
        by /= r; /* may overflow: what is nothing stays so */
        if (size[k] > 0) sum += error * size[k] * by;
    }
    return rest > 0 ? sum + rest * by : sum;
}

/* The r at which that sum is 1, from above. */
static double clusters_radius(int m, const double *size, double error, double rest)
{
    double low = error, high = error;
    while (error > 0 && clusters_sum(m, size, error, rest, high) > 1) low = high, high *= 4;
    while (high > low * 1.001) {
        const double r = sqrt(low) * sqrt(high);
        *(clusters_sum(m, size, error, rest, r) > 1 ? &low : &high) = r;
    }
    return high;
}

/* The block of the m eigenvalues at the top of the Schur form, less its mean. */
static void clusters_take_block(const clusters_form *f, clusters_disk *disk)
{
    const size_t n = (size_t)f->n, m = (size_t)disk->m;
    disk->mean = 0;
    for (size_t j = 0; j < m; j++) disk->mean += f->S[j * (n + 1)] / (double)m;
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++)
            f->Z[i + m * j] = i < j    ? f->S[i + n * j]
                              : i == j ? f->S[i + n * j] - disk->mean
                                       : 0;
}

/* power := power Z, both triangular. */
static void clusters_raise(const clusters_form *f, int m)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            double _Complex sum = 0;
            for (int k = i; k <= j; k++) sum += f->power[i + m * k] * f->Z[k + m * j];
            f->product[i + m * j] = sum;
        }
    memcpy(f->power, f->product, (size_t)m * (size_t)m * sizeof *f->power);
}

/* Frobenius' norm, without the diagonal where strictly. */
static double clusters_norm(const double _Complex *x, int m, bool strictly)
{
    double sum = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < (strictly ? j : m); i++)
            sum += creal(x[i + m * j]) * creal(x[i + m * j]) +
                   cimag(x[i + m * j]) * cimag(x[i + m * j]);
    return sqrt(sum);
}

/* By the powers of the norm of the part above the diagonal. */
static routh_status clusters_bound_each(const clusters_form *f, clusters_disk *disk,
                                        rt_arena *arena, routh_error *error)
{
    double *size = RT_TAKE(arena, double, disk->m);
    if (!size) return rt_fail_memory(error);
    const double norm = clusters_norm(f->Z, disk->m, true);
    size[0] = 1;
    for (int k = 1; k < disk->m; k++) size[k] = size[k - 1] * norm;
    disk->around_each = clusters_radius(disk->m, size, disk->moved, 0);
    return ROUTH_OK;
}

/* By the norms of powers, for the best of their numbers. */
static void clusters_bound_mean(const clusters_form *f, clusters_disk *disk)
{
    const int m = disk->m;
    double size[MOST_POWERS + 1] = {1}, rounding = m * DBL_EPSILON;
    const double norm = clusters_norm(f->Z, m, false);
    memcpy(f->power, f->Z, (size_t)m * (size_t)m * sizeof *f->power);
    disk->around_mean = INFINITY;
    for (int p = 1; p <= MOST_POWERS && p <= m; p++) {
        if (p > 1) clusters_raise(f, m);
        rounding *= norm;
        size[p] = clusters_norm(f->power, m, false) + p * rounding;
        disk->around_mean =
            fmin(disk->around_mean, clusters_radius(p, size, disk->moved, size[p]));
    }
}

/* The disks of the eigenvalues that are chosen, infinite where they are no cluster that an error
 * leaves one. */
static routh_status clusters_bound(const clusters_form *f, clusters_disk *disk, rt_arena *arena,
                                   routh_error *error)
{
    const size_t n = (size_t)f->n;
    double inverse = 1, separation;
    memcpy(f->S, f->T, n * n * sizeof *f->S);
    const routh_status status =
        rt_triangle_choose(f->n, f->S, f->chosen, &inverse, &separation, error);
    disk->around_each = disk->around_mean = INFINITY;
    disk->moved = f->size / inverse;
    const double left = separation - 2 * disk->moved;
    if (status || !(left > 2 * disk->moved)) return status;
    disk->moved *= 1 + 2 * disk->moved / left;
    clusters_take_block(f, disk);
    clusters_bound_mean(f, disk);
    return clusters_bound_each(f, disk, arena, error);
}

/* Adds the nearest eigenvalue; to a large cluster a quarter of it at once, where they are about as
 * near; false where none is left. */
static bool clusters_add(const clusters_form *f, clusters_disk *disk)
{
    double distance, far;
    const int most = disk->m + 1 + disk->m / 4;
    int next = clusters_nearest(f, &distance);
    if (next < 0) return false;
    far = fmax(2 * distance, 4 * f->size);
    for (; next >= 0 && distance <= far && disk->m < most; next = clusters_nearest(f, &distance)) {
        f->chosen[next] = 1;
        disk->m++;
    }
    return true;
}

/* Grows a cluster from one eigenvalue. */
static routh_status clusters_grow(const clusters_form *f, int first, clusters_disk *disk,
                                  rt_arena *arena, routh_error *error)
{
    memset(f->chosen, 0, (size_t)f->n * sizeof *f->chosen);
    f->chosen[first] = 1;
    *disk = (clusters_disk){.m = 1};
    for (;;) {
        const routh_status status = clusters_bound(f, disk, arena, error);
        if (status || isfinite(disk->around_each) || !clusters_add(f, disk)) return status;
    }
}

/* The member of the Schur form that is nearest to the eigenvalue. */
static int clusters_find(const clusters_form *f, double _Complex value)
{
    int best = 0;
    for (int k = 1; k < f->n; k++)
        if (cabs(clusters_value(f, k) - value) < cabs(clusters_value(f, best) - value)) best = k;
    return best;
}

static double clusters_reach(const clusters_form *f, const clusters_disk *disk,
                             double _Complex value)
{
    double far = 0;
    for (int k = 0; k < f->n; k++)
        if (disk->members[k]) far = fmax(far, cabs(clusters_value(f, k) - value));
    return far;
}

static bool is_in_doubt(int n, const rt_eigen *e, const double *bounds, int k)
{
    if (1 / e->rcond[k] < WELL_CONDITIONED) return false;
    for (int j = 0; j < n; j++)
        if (j != k && hypot(e->re[j] - e->re[k], e->im[j] - e->im[k]) <= FAR * bounds[k])
            return true;
    return false;
}

/* The cluster of the value; one found before holds for all its members. */
static routh_status clusters_of(clusters_form *f, double _Complex value, clusters_disk *disks,
                                int *n_disks, int *at, rt_arena *arena, routh_error *error)
{
    const int first = clusters_find(f, value);
    *at = f->within[first];
    if (*at) return ROUTH_OK;
    clusters_disk *disk = &disks[*n_disks];
    const routh_status status = clusters_grow(f, first, disk, arena, error);
    if (status) return status;
    disk->members = RT_TAKE(arena, int, f->n);
    if (!disk->members) return rt_fail_memory(error);
    memcpy(disk->members, f->chosen, (size_t)f->n * sizeof *f->chosen);
    *at = ++*n_disks;
    for (int k = 0; k < f->n; k++)
        if (f->chosen[k] && !f->within[k]) f->within[k] = *at;
    return ROUTH_OK;
}

routh_status rt_cluster_bounds(int n, const double *B, const rt_eigen *e, double size,
                               double *bounds, int *defective, rt_arena *arena, routh_error *error)
{
    clusters_form f = {.n = n, .size = size};
    int n_disks = 0, at;
    double *found = RT_TAKE(arena, double, n);
    clusters_disk *disks = RT_TAKE(arena, clusters_disk, n);
    routh_status status = found && disks ? ROUTH_OK : rt_fail_memory(error);
    for (int k = 0; k < n && !status; k++) {
        found[k] = bounds[k], defective[k] = 0;
        if (e->im[k] < 0) {
            found[k] = found[k - 1], defective[k] = defective[k - 1];
            continue;
        }
        if (!is_in_doubt(n, e, bounds, k)) continue;
        if (!f.T) status = clusters_make(&f, B, arena, error);
        const double _Complex value = e->re[k] + e->im[k] * I;
        if (!status) status = clusters_of(&f, value, disks, &n_disks, &at, arena, error);
        if (status) break;
        const clusters_disk *disk = &disks[at - 1];
        const double r = fmin(disk->around_each, disk->around_mean);
        if (disk->m > 1)
            found[k] = fmin(clusters_reach(&f, disk, value) + disk->around_each,
                            cabs(value - disk->mean) + disk->around_mean);
        if (disk->m > 1 && r > DEFECTIVE * disk->moved) defective[k] = disk->m;
    }
    if (!status) memcpy(bounds, found, (size_t)n * sizeof *bounds);
    return status;
}
