#include "answers/repeated.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Vectors whose smallest singular value is below this are as good as dependent. */
static const double NEARLY_PARALLEL = 1e-6;

/* A singular value of B - lambda I that counts as zero, in units of n eps |B|. */
static const double NULL_SIZE = 100;

typedef struct cluster {
    int count;
    int *members;  /* indices of eigenvalues, each the first of its pair if complex */
    double re, im; /* their mean */
} cluster;

static int repeated_agree(const rt_eigen *e, const double *bounds, int i, int j)
{
    return hypot(e->re[i] - e->re[j], e->im[i] - e->im[j]) <= bounds[i] + bounds[j];
}

/* Those that agree with eigenvalue k; they are marked as done. */
static void repeated_gather(cluster *c, int n, int k, const rt_eigen *e, const double *bounds,
                            int *done)
{
    c->count = 0;
    c->re = c->im = 0;
    for (int j = k; j < n; j++) {
        /* a real eigenvalue is no partner of a complex one: their vectors are stored differently */
        if (done[j] || e->im[j] < 0 || (e->im[j] == 0) != (e->im[k] == 0) ||
            !repeated_agree(e, bounds, k, j))
            continue;
        c->members[c->count++] = j;
        c->re += e->re[j], c->im += e->im[j];
        done[j] = 1;
    }
    c->re /= c->count, c->im /= c->count;
}

static routh_status are_parallel(int n, const cluster *c, const rt_eigen *e, int *parallel,
                                 rt_arena *arena, routh_error *error)
{
    double _Complex *v = RT_TAKE(arena, double _Complex, (size_t)n *(size_t)c->count);
    double *sigma = RT_TAKE(arena, double, c->count + n);
    if (!v || !sigma) return rt_fail_memory(error);
    for (int m = 0; m < c->count; m++) {
        const double *x = e->right + (size_t)n * (size_t)c->members[m];
        double *to = (double *)(v + (size_t)n * (size_t)m);
        for (int i = 0; i < n; i++) to[2 * i] = x[i], to[2 * i + 1] = c->im != 0 ? x[n + i] : 0;
    }
    const routh_status status = rt_svd_complex(n, c->count, v, sigma, NULL, error);
    *parallel = c->count > n || sigma[c->count - 1] < NEARLY_PARALLEL * sigma[0];
    return status;
}

/* The right singular vectors of B - lambda I to the c->count smallest singular values, if these are
 * all zero. */
static routh_status repeated_replace(int n, const double *B, const cluster *c, rt_eigen *e,
                                     rt_arena *arena, routh_error *error)
{
    const size_t size = (size_t)n * (size_t)n;
    double _Complex *a = RT_TAKE(arena, double _Complex, size),
                    *vt = RT_TAKE(arena, double _Complex, size);
    double *sigma = RT_TAKE(arena, double, n);
    if (!a || !vt || !sigma) return rt_fail_memory(error);
    for (size_t k = 0; k < size; k++) ((double *)a)[2 * k] = B[k];
    for (int i = 0; i < n; i++) {
        double *diagonal = (double *)(a + (size_t)i * ((size_t)n + 1));
        diagonal[0] -= c->re, diagonal[1] -= c->im;
    }
    const routh_status status = rt_svd_complex(n, n, a, sigma, vt, error);
    if (status || c->count > n || sigma[n - c->count] > NULL_SIZE * n * DBL_EPSILON * e->norm)
        return status;
    for (int m = 0; m < c->count; m++) {
        double *x = e->right + (size_t)n * (size_t)c->members[m];
        for (int i = 0; i < n; i++) {
            /* row of V^H: conjugate */
            const double *v = (const double *)(vt + (size_t)(n - 1 - m) + (size_t)n * (size_t)i);
            x[i] = v[0];
            if (c->im != 0) x[n + i] = -v[1];
        }
    }
    return status;
}

routh_status rt_separate_repeated(int n, const double *B, rt_eigen *e, const double *bounds,
                                  rt_arena *arena, routh_error *error)
{
    rt_arena scratch = {.kept = arena->kept};
    int *done = RT_TAKE(arena, int, n);
    cluster c = {.members = RT_TAKE(arena, int, n)};
    routh_status status = done && c.members ? ROUTH_OK : rt_fail_memory(error);
    for (int k = 0; !status && k < n; k++) {
        int parallel = 0;
        if (done[k] || e->im[k] < 0) continue;
        repeated_gather(&c, n, k, e, bounds, done);
        if (c.count < 2) continue;
        status = are_parallel(n, &c, e, &parallel, &scratch, error);
        if (!status && parallel) status = repeated_replace(n, B, &c, e, &scratch, error);
        rt_arena_free(&scratch);
    }
    rt_arena_free(&scratch);
    return status;
}
