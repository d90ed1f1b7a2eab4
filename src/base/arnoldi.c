#define _POSIX_C_SOURCE 200809L
#include "base/arnoldi.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <arpack.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

typedef struct arnoldi_work {
    double *basis;                     /* n x basis */
    double *columns;                   /* 3 n: what OP reads and writes */
    double *small;                     /* of size_small */
    double *vectors, *re, *im, *pairs; /* n x (wanted + 1); wanted + 1; 3 basis */
    int *select;                       /* basis */
    int size_small;
    a_int parameters[11], places[14];
} arnoldi_work;

static routh_status arnoldi_check(const rt_arnoldi *a, routh_error *error)
{
    const double small = 3.0 * a->basis * a->basis + 6.0 * a->basis;
    if (a->wanted >= 1 && a->wanted <= a->n - 2 && a->basis >= a->wanted + 2 && a->basis <= a->n &&
        small < INT_MAX && (double)a->n * a->basis < (double)INT_MAX)
        return ROUTH_OK;
    return rt_fail(
        error, ROUTH_BAD_ARGUMENT,
        "%d eigenvalues of an operator of order %d with %d vectors: there must be two "
        "vectors more than eigenvalues, no more than the order, and all of them together "
        "at most 2^31 numbers",
        a->wanted, a->n, a->basis);
}

static bool arnoldi_take(arnoldi_work *w, const rt_arnoldi *a, rt_arena *arena)
{
    const size_t n = (size_t)a->n, basis = (size_t)a->basis, answers = (size_t)a->wanted + 1;
    w->size_small = 3 * a->basis * a->basis + 6 * a->basis;
    w->basis = RT_TAKE(arena, double, n *basis);
    w->columns = RT_TAKE(arena, double, 3 * n);
    w->small = RT_TAKE(arena, double, w->size_small);
    w->vectors = RT_TAKE(arena, double, n *answers);
    w->re = RT_TAKE(arena, double, answers);
    w->im = RT_TAKE(arena, double, answers);
    w->pairs = RT_TAKE(arena, double, 3 * basis);
    w->select = RT_TAKE(arena, int, basis);
    w->parameters[0] = 1; /* exact shifts */
    w->parameters[2] = a->most_restarts;
    w->parameters[3] = 1; /* block size */
    w->parameters[6] = 1; /* mode 1: OP x = lambda x */
    return w->basis && w->columns && w->small && w->vectors && w->re && w->im && w->pairs &&
           w->select;
}

/* The iteration, which asks for OP again and again. *info as dnaupd gives it. */
static routh_status arnoldi_iterate(rt_arnoldi *a, arnoldi_work *w, a_int *info, routh_error *error)
{
    a_int ask = 0;
    *info = 1; /* start is given */
    for (;;) {
        dnaupd_c(&ask, "I", a->n, "LM", a->wanted, 0, a->start, a->basis, w->basis, a->n,
                 w->parameters, w->places, w->columns, w->small, w->size_small, info);
        if (ask != 1 && ask != -1) return ROUTH_OK;
        const routh_status status = a->apply(a->context, w->columns + w->places[0] - 1,
                                             w->columns + w->places[1] - 1, error);
        a->n_applied++;
        if (status) return status;
    }
}

/* Without the half of a pair whose other half is not there: what spans the rest is invariant, and
 * with the half it is not. */
static int whole_pairs(const arnoldi_work *w, int found)
{
    int k = 0;
    while (k < found) k += w->im[k] != 0 ? 2 : 1;
    return k == found ? found : found - 1;
}

/* info 1: the restarts are used up; 3: the basis is small. What converged counts. */
static routh_status arnoldi_extract(rt_arnoldi *a, arnoldi_work *w, a_int info, routh_error *error)
{
    a->n_restarts = w->parameters[2];
    a->found = 0;
    if (info < 0 && info != -9999)
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the iteration for a few eigenvalues failed (code %d)", (int)info);
    if (info < 0 || w->parameters[4] < 1) return ROUTH_OK;
    dneupd_c(1, "A", w->select, w->re, w->im, w->vectors, a->n, 0, 0, w->pairs, "I", a->n, "LM",
             a->wanted, 0, a->start, a->basis, w->basis, a->n, w->parameters, w->places, w->columns,
             w->small, w->size_small, &info);
    if (info == -14) return ROUTH_OK; /* none is accurate enough */
    if (info != 0)
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the eigenvectors of a few eigenvalues were not found (code %d)", (int)info);
    a->found = whole_pairs(w, w->parameters[4] <= a->wanted + 1 ? w->parameters[4] : a->wanted + 1);
    return ROUTH_OK;
}

routh_status rt_arnoldi_solve(rt_arnoldi *a, rt_arena *arena, routh_error *error)
{
    arnoldi_work w = {0};
    a_int info;
    a->found = a->n_applied = a->n_restarts = 0;
    routh_status status = arnoldi_check(a, error);
    if (status) return status;
    if (!arnoldi_take(&w, a, arena)) return rt_fail_memory(error);
    pthread_mutex_lock(&one_at_a_time);
    status = arnoldi_iterate(a, &w, &info, error);
    if (!status) status = arnoldi_extract(a, &w, info, error);
    pthread_mutex_unlock(&one_at_a_time);
    a->re = w.re, a->im = w.im, a->vectors = w.vectors, a->subspace = w.basis;
    return status;
}
