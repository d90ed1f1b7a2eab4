#include "base/dd_apart.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/dd_matrix.h"

typedef struct dd_apart {
    int n;
    rt_dd *Q;     /* n x n: what of each column is outside the span of those that are taken; of
                  those, orthonormal ones */
    double *norm; /* n: of the columns */
    bool *taken;  /* n */
} dd_apart;

static rt_dd apart_dot(int n, const rt_dd *x, const rt_dd *y)
{
    rt_dd sum = rt_dd_of(0);
    for (int i = 0; i < n; i++) sum = rt_dd_fma(sum, x[i], y[i]);
    return sum;
}

static double apart_norm(int n, const rt_dd *x) { return sqrt(fmax(apart_dot(n, x, x).high, 0)); }

static void apart_normalise(int n, rt_dd *x)
{
    const rt_dd norm = rt_dd_sqrt(apart_dot(n, x, x));
    for (int i = 0; i < n; i++) x[i] = rt_dd_divide(x[i], norm);
}

/* x -= q q'x */
static void apart_remove(int n, const rt_dd *q, rt_dd *x)
{
    rt_dd_add_column(n, rt_dd_negative(apart_dot(n, q, x)), q, x);
}

/* The column of which the largest part is outside what is taken; -1: none of `least` is left. */
static int apart_next(const dd_apart *a, double least)
{
    int best = -1;
    double most = least;
    for (int j = 0; j < a->n; j++) {
        if (a->taken[j]) continue;
        const double part = apart_norm(a->n, a->Q + (size_t)a->n * (size_t)j) / a->norm[j];
        if (part > most) best = j, most = part;
    }
    return best;
}

static void apart_take(dd_apart *a, int j)
{
    const size_t n = (size_t)a->n;
    rt_dd *q = a->Q + n * (size_t)j;
    apart_normalise(a->n, q);
    a->taken[j] = true;
    for (int k = 0; k < a->n; k++)
        if (!a->taken[k]) apart_remove(a->n, q, a->Q + n * (size_t)k);
}

/* x := the unit vector's part that is outside what is taken; twice, as little may be left. */
static void apart_outside(const dd_apart *a, int unit, rt_dd *x)
{
    memset(x, 0, (size_t)a->n * sizeof *x);
    x[unit] = rt_dd_of(1);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < a->n; k++)
            if (a->taken[k]) apart_remove(a->n, a->Q + (size_t)a->n * (size_t)k, x);
}

/* Column j := a direction that is outside what is taken, that of the unit vector which is most. */
static void apart_invent(dd_apart *a, int j)
{
    rt_dd *x = a->Q + (size_t)a->n * (size_t)j;
    int best = 0;
    double most = -1;
    for (int i = 0; i < a->n; i++) {
        apart_outside(a, i, x);
        const double size = apart_norm(a->n, x);
        if (size > 1.01 * most) best = i, most = size;
    }
    apart_outside(a, best, x);
    apart_normalise(a->n, x);
    a->taken[j] = true;
}

routh_status rt_dd_keep_apart(int n, rt_dd *V, double least, rt_arena *arena, routh_error *error)
{
    const size_t size = (size_t)n * (size_t)n;
    dd_apart a = {n, RT_TAKE(arena, rt_dd, size), RT_TAKE(arena, double, n),
                  RT_TAKE(arena, bool, n)};
    if (!a.Q || !a.norm || !a.taken) return rt_fail_memory(error);
    memcpy(a.Q, V, size * sizeof *V);
    for (int j = 0; j < n; j++) a.norm[j] = apart_norm(n, V + (size_t)n * (size_t)j);
    for (int j = apart_next(&a, least); j >= 0; j = apart_next(&a, least)) apart_take(&a, j);
    for (int j = 0; j < n; j++) {
        if (a.taken[j]) continue;
        apart_invent(&a, j);
        rt_dd_add_column(n, rt_dd_of(least * a.norm[j]), a.Q + (size_t)n * (size_t)j,
                         V + (size_t)n * (size_t)j);
    }
    return ROUTH_OK;
}
