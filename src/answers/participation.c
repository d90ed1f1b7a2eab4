#include "answers/participation.h"

#include <float.h>
#include <math.h>

#include "base/lapack.h"

/* Sum of conj(u_i) x_i over first .. last - 1. */
static double participation(int first, int last, const double *const x[2], const double *const u[2])
{
    double re = 0, im = 0;
    for (int i = first; i < last; i++) {
        const double b = x[1] ? x[1][i] : 0, d = u[1] ? u[1][i] : 0;
        re += u[0][i] * x[0][i] + d * b;
        im += u[0][i] * b - d * x[0][i];
    }
    return hypot(re, im);
}

/* Sum of |u_i| |x_i|, which is left to go by where u^H x vanishes: defective eigenvalues. */
static double participation_product(int first, int last, const double *const x[2],
                                    const double *const u[2])
{
    double sum = 0;
    for (int i = first; i < last; i++)
        sum += hypot(x[0][i], x[1] ? x[1][i] : 0) * hypot(u[0][i], u[1] ? u[1][i] : 0);
    return sum;
}

static double fraction(double part, double rest) { return part > 0 ? part / (part + rest) : 0; }

double rt_control_share(int n, int n_motion, const double *const x[2], const double *const u[2])
{
    const double part = participation(n_motion, n, x, u), rest = participation(0, n_motion, x, u);
    const double sizes = participation_product(0, n, x, u);
    if (part + rest > n * DBL_EPSILON * sizes) return fraction(part, rest);
    return fraction(participation_product(n_motion, n, x, u),
                    participation_product(0, n_motion, x, u));
}

/* ---- the zero eigenvalue --------------------------------------------------------------------- */

/* Z, U: n x k, right and left vectors. U := U (Z'U)^-1, so that U'Z = I. ROUTH_SINGULAR where they
 * do not belong together. */
static routh_status make_dual(int n, int k, const double *Z, double *U, rt_arena *arena,
                              routh_error *error)
{
    double *G = RT_TAKE(arena, double, (size_t)k *(size_t)k);
    double *rows = RT_TAKE(arena, double, (size_t)k *(size_t)n);
    int *pivots = RT_TAKE(arena, int, k);
    if (!G || !rows || !pivots) return rt_fail_memory(error);
    for (int c = 0; c < k; c++)
        for (int d = 0; d < k; d++)
            for (int i = 0; i < n; i++)
                G[c + (size_t)k * d] += U[i + (size_t)n * c] * Z[i + (size_t)n * d];
    for (int c = 0; c < k; c++)
        for (int i = 0; i < n; i++) rows[c + (size_t)k * i] = U[i + (size_t)n * c];
    routh_status status = rt_lu_factor(k, G, pivots, error);
    if (!status) status = rt_lu_solve(k, G, pivots, n, rows, 0, error);
    for (int c = 0; c < k && !status; c++)
        for (int i = 0; i < n; i++) U[i + (size_t)n * c] = rows[c + (size_t)k * i];
    return status;
}

static routh_status shares(const rt_zeros *z, const rt_zeros *t, int n_motion, double *share,
                           rt_arena *arena, routh_error *error)
{
    const int n = z->n, k = z->n_zero;
    double *Z = RT_TAKE(arena, double, (size_t)n *(size_t)k);
    double *U = RT_TAKE(arena, double, (size_t)n *(size_t)k);
    if (!Z || !U) return rt_fail_memory(error);
    for (int c = 0; c < k; c++) rt_zeros_vector(z, c, Z + (size_t)n * c);
    for (int c = 0; c < k; c++) rt_zeros_vector(t, c, U + (size_t)n * c);
    const routh_status status = make_dual(n, k, Z, U, arena, error);
    for (int c = 0; c < k && !status; c++)
        share[c] = rt_control_share(n, n_motion, (const double *[]){Z + (size_t)n * c, NULL},
                                    (const double *[]){U + (size_t)n * c, NULL});
    return status;
}

/* Where the left side counts other zeros than the right one: by the sizes of the vectors. */
static routh_status shares_by_size(const rt_zeros *z, int n_motion, double *share, rt_arena *arena,
                                   routh_error *error)
{
    double *x = RT_TAKE(arena, double, z->n);
    if (!x) return rt_fail_memory(error);
    for (int c = 0; c < z->n_zero; c++) {
        double size[2] = {0, 0};
        rt_zeros_vector(z, c, x);
        for (int i = 0; i < z->n; i++) size[i >= n_motion] += pow(x[i] / z->scale[i], 2);
        share[c] = fraction(size[1], size[0]);
    }
    return ROUTH_OK;
}

routh_status rt_control_shares_of_zeros(const rt_zeros *z, int n_motion, double *share,
                                        routh_error *error)
{
    rt_zeros t;
    rt_arena arena = {.kept = z->arena.kept};
    routh_status status = rt_zeros_split_transposed(&t, z, error);
    if (status) return status;
    status = t.n_zero == z->n_zero ? shares(z, &t, n_motion, share, &arena, error) : ROUTH_SINGULAR;
    if (status == ROUTH_SINGULAR) status = shares_by_size(z, n_motion, share, &arena, error);
    rt_zeros_free(&t);
    rt_arena_free(&arena);
    return status;
}
