/* Eigenvalues of the monodromy matrix. */
#include <stdlib.h>

#include "base/lapack.h"
#include "motion/periodic.h"

routh_status rt_multipliers_take(rt_multipliers *x, int n, rt_arena *arena, routh_error *error)
{
    const size_t size = (size_t)n;
    *x = (rt_multipliers){.n = n};
    x->re = RT_TAKE(arena, double, size);
    x->im = RT_TAKE(arena, double, size);
    x->rcond = RT_TAKE(arena, double, size);
    x->vectors = RT_TAKE(arena, double, size *size);
    return x->re && x->im && x->rcond && x->vectors ? ROUTH_OK : rt_fail_memory(error);
}

/* diag(1/size) Y diag(size) v = mu v */
routh_status rt_multipliers_find(rt_multipliers *x, const double *Y, const double *size,
                                 routh_error *error)
{
    const size_t n = (size_t)x->n;
    double *work = malloc((2 * n * n + 1) * sizeof *work), *a = work;
    if (!work) return rt_fail_memory(error);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) a[i + j * n] = Y[i * n + j] * size[j] / size[i];
    rt_eigen e = {
        .re = x->re, .im = x->im, .left = work + n * n, .right = x->vectors, .rcond = x->rcond};
    const routh_status status = rt_general_eigen(x->n, a, &e, error);
    free(work);
    return status;
}

routh_status rt_multipliers_compare(const rt_multipliers *x, const rt_multipliers *y,
                                    double *change, double *largest, routh_error *error)
{
    bool *taken = calloc((size_t)x->n + 1, sizeof *taken);
    if (!taken) return rt_fail_memory(error);
    *largest = 0;
    for (int k = 0; k < x->n; k++) {
        double nearest = INFINITY;
        int found = 0;
        for (int j = 0; j < y->n; j++) {
            const double d = hypot(x->re[k] - y->re[j], x->im[k] - y->im[j]);
            if (!taken[j] && d < nearest) nearest = d, found = j;
        }
        taken[found] = true;
        if (change) change[k] = nearest;
        *largest = fmax(*largest, nearest / fmax(1, hypot(x->re[k], x->im[k])));
    }
    free(taken);
    return ROUTH_OK;
}
