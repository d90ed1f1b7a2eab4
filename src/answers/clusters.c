/* A cluster of m eigenvalues is brought to the top of a Schur form,
 *     B = Q [T11 T12; 0 T22] Q^H,    T11 = Lambda + N
 * with N strictly upper. Let d be the size of an error of B, p the norm of the cluster's spectral
 * projector and sep the smallest singular value of X -> T11 X - X T22. Where sep > 4 p d, the
 * cluster stays one, its block T11 + E with |E| <= p d (1 + 2 p d / (sep - 2 p d)) (Stewart 1973).
 * An eigenvalue of that at the distance r from all of Lambda needs
 *     1 <= |E| |(lambda - T11)^-1| <= |E| sum_(k < m) |N|^k / r^(k + 1)
 * (Henrici 1962), which bounds r: by |E| for m = 1, by about sqrt(|E| |N|) for a defective pair. */
#include "answers/clusters.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <lapacke.h>

#include "base/lapack_complex.h"

/* Eigenvalues of a smaller condition keep their bounds of first order: their vectors are far from
 * parallel, and what several of them share is bounded by the largest of their conditions. */
static const double WELL_CONDITIONED = 1e5;

/* So do those whose neighbours are farther away than so many bounds: of the eigenvalues that an
 * error makes of a Jordan block of any order, at most 6.3. */
static const double FAR = 32;

/* A cluster whose radius is larger than the error of its block by this factor moves as a defective
 * eigenvalue does, by a root of the error. */
static const double DEFECTIVE = 100;

typedef struct clusters_form {
    int n;
    double size;        /* of the error of the matrix */
    double _Complex *T; /* the Schur form */
    double _Complex *S; /* the same, a cluster at its top */
    int *chosen;        /* n */
} clusters_form;

/* B balanced as rt_general_eigen balances it, in its Schur form. */
static routh_status clusters_make(clusters_form *f, const double *B, rt_arena *arena,
                                  routh_error *error)
{
    const size_t n = (size_t)f->n, square = n * n;
    double *A = RT_TAKE(arena, double, square), *scale = RT_TAKE(arena, double, n);
    f->T = RT_TAKE(arena, double _Complex, square);
    f->S = RT_TAKE(arena, double _Complex, square);
    f->chosen = RT_TAKE(arena, int, n);
    if (!A || !scale || !f->T || !f->S || !f->chosen) return rt_fail_memory(error);
    lapack_int low, high;
    memcpy(A, B, square * sizeof *A);
    if (LAPACKE_dgebal_work(LAPACK_COL_MAJOR, 'B', f->n, A, f->n, &low, &high, scale))
        return rt_fail(error, ROUTH_NUMERIC_ERROR, "a matrix of order %d cannot be balanced", f->n);
    for (size_t k = 0; k < square; k++) f->T[k] = A[k];
    return rt_complex_triangle(f->n, f->T, error);
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

/* error sum_(k < m) norm^k / r^(k + 1), which falls with r. */
static double clusters_sum(int m, double norm, double error, double r)
{
    double sum = 0, term = error / r;
    for (int k = 0; k < m; k++, term *= norm / r) sum += term;
    return sum;
}

/* The r of the head of this file, at which that sum is 1, from above. */
static double clusters_radius(int m, double norm, double error)
{
    double low = error, high = error;
    while (error > 0 && clusters_sum(m, norm, error, high) > 1) low = high, high *= 4;
    while (high > low * 1.001) {
        const double r = sqrt(low) * sqrt(high);
        *(clusters_sum(m, norm, error, r) > 1 ? &low : &high) = r;
    }
    return high;
}

/* The radius of the disks of the m eigenvalues that are chosen, infinite where they are no cluster
 * that an error leaves one; moved: the error of their block. */
static routh_status clusters_bound(const clusters_form *f, int m, double *r, double *moved,
                                   routh_error *error)
{
    const size_t n = (size_t)f->n;
    double inverse = 1, separation, norm = 0;
    memcpy(f->S, f->T, n * n * sizeof *f->S);
    const routh_status status =
        rt_triangle_choose(f->n, f->S, f->chosen, &inverse, &separation, error);
    *r = INFINITY;
    *moved = f->size / inverse;
    const double left = separation - 2 * *moved;
    if (status || !(left > 2 * *moved)) return status;
    *moved *= 1 + 2 * *moved / left;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < j; i++) {
            const double x = cabs(f->S[(size_t)i + n * (size_t)j]);
            norm += x * x;
        }
    *r = clusters_radius(m, sqrt(norm), *moved);
    return status;
}

/* Grows a cluster from one eigenvalue; in the end r is the radius, m the number of members, moved
 * the error of their block. */
static routh_status clusters_grow(const clusters_form *f, int first, int *m, double *r,
                                  double *moved, routh_error *error)
{
    memset(f->chosen, 0, (size_t)f->n * sizeof *f->chosen);
    f->chosen[first] = 1;
    for (*m = 1;; ++*m) {
        double distance;
        const routh_status status = clusters_bound(f, *m, r, moved, error);
        if (status || isfinite(*r)) return status;
        const int next = clusters_nearest(f, &distance);
        if (next < 0) return ROUTH_OK;
        f->chosen[next] = 1;
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

static double clusters_reach(const clusters_form *f, double _Complex value)
{
    double far = 0;
    for (int k = 0; k < f->n; k++)
        if (f->chosen[k]) far = fmax(far, cabs(clusters_value(f, k) - value));
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

routh_status rt_cluster_bounds(int n, const double *B, const rt_eigen *e, double size,
                               double *bounds, int *defective, rt_arena *arena, routh_error *error)
{
    clusters_form f = {.n = n, .size = size};
    double *found = RT_TAKE(arena, double, n);
    routh_status status = found ? ROUTH_OK : rt_fail_memory(error);
    for (int k = 0; k < n && !status; k++) {
        found[k] = bounds[k], defective[k] = 0;
        if (e->im[k] < 0) {
            found[k] = found[k - 1], defective[k] = defective[k - 1];
            continue;
        }
        if (!is_in_doubt(n, e, bounds, k)) continue;
        if (!f.T) status = clusters_make(&f, B, arena, error);
        if (status) break;
        const double _Complex value = e->re[k] + e->im[k] * I;
        double r, moved;
        int m;
        status = clusters_grow(&f, clusters_find(&f, value), &m, &r, &moved, error);
        if (m > 1) found[k] = clusters_reach(&f, value) + r;
        if (m > 1 && r > DEFECTIVE * moved) defective[k] = m;
    }
    if (!status) memcpy(bounds, found, (size_t)n * sizeof *bounds);
    return status;
}
