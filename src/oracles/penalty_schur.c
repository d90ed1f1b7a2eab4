/* All 2n eigenvalues of the penalized equations, and the invariant subspace of the 2z true ones,
 * told from the spurious ones by |c| / |x| of their vectors (Gonzalez et al. 2017, sec. 3.3). A
 * Schur form stands repeated and defective eigenvalues. */
#include <stdlib.h>

#include "base/lapack.h"
#include "oracles/penalty.h"

typedef struct penalty_schur_spectrum {
    const rt_penalty_space *p;
    size_t n, n2, z2;  /* n, 2 n, 2 z */
    double *B;         /* 2n x 2n, then its Schur form */
    double *V;         /* 2n x 2n: Schur vectors */
    double *vectors;   /* 2n x 2n */
    double *re, *im;   /* 2n */
    double *violation; /* 2n: |c| / |x| */
    double *sorted;    /* 2n */
    int *select;       /* 2n */
} penalty_schur_spectrum;

/* B = [0 I; -K -D] */
static void make_equations(penalty_schur_spectrum *q, const rt_penalty_modes *modes)
{
    for (size_t k = 0; k < q->n; k++) {
        q->B[k + q->n2 * (q->n + k)] = 1;
        for (size_t i = 0; i < q->n; i++) {
            q->B[q->n + i + q->n2 * k] = -modes->K[i + q->n * k];
            q->B[q->n + i + q->n2 * (q->n + k)] = -modes->D[i + q->n * k];
        }
    }
}

static double penalty_schur_violation(const penalty_schur_spectrum *q, const double *v,
                                      size_t columns)
{
    double out = 0, all = 0;
    for (size_t c = 0; c < columns; c++)
        for (size_t i = 0; i < q->n; i++) {
            const double square = v[i + q->n2 * c] * v[i + q->n2 * c];
            all += square;
            if (i < (size_t)q->p->m) out += square;
        }
    return all > 0 ? sqrt(out / all) : 1;
}

static void find_violations(penalty_schur_spectrum *q)
{
    for (size_t k = 0; k < q->n2; k++) {
        const size_t columns = q->im[k] != 0 && k + 1 < q->n2 ? 2 : 1;
        q->violation[k] = penalty_schur_violation(q, q->vectors + q->n2 * k, columns);
        if (columns == 2) q->violation[k + 1] = q->violation[k], k++;
    }
}

static int penalty_schur_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* There must be 2z of small violation and a gap after them. */
static routh_status select_true(penalty_schur_spectrum *q, routh_error *error)
{
    static const double least_gap = 3;
    memcpy(q->sorted, q->violation, q->n2 * sizeof *q->sorted);
    qsort(q->sorted, q->n2, sizeof *q->sorted, penalty_schur_ascending);
    const double last = q->sorted[q->z2 - 1];
    const double next = q->z2 < q->n2 ? q->sorted[q->z2] : INFINITY;
    if (!(next >= least_gap * last))
        return rt_fail(
            error, ROUTH_NUMERIC_ERROR,
            "the penalty method cannot separate its %d true eigenvalues from the spurious ones: "
            "the worst true one violates the constraints by %.2g of its motion, the best spurious "
            "one by %.2g, but a factor of %g is required; give a larger alpha or another omega "
            "(--penalty), or use --method augmented",
            (int)q->z2, last, next, least_gap);
    for (size_t k = 0; k < q->n2; k++) q->select[k] = q->violation[k] <= last;
    return ROUTH_OK;
}

static routh_status find_true(penalty_schur_spectrum *q, routh_error *error)
{
    const int n2 = (int)q->n2;
    routh_status status = rt_schur(n2, q->B, q->V, q->re, q->im, error);
    if (status) return status;
    memcpy(q->vectors, q->V, q->n2 * q->n2 * sizeof *q->V);
    status = rt_schur_vectors(n2, q->B, q->vectors, error);
    if (status) return status;
    find_violations(q);
    status = select_true(q, error);
    return status ? status : rt_schur_select(n2, q->select, q->B, q->V, q->re, q->im, error);
}

static bool penalty_schur_take(penalty_schur_spectrum *q, rt_arena *arena)
{
    const size_t n2 = q->n2;
    bool ok = (q->B = RT_TAKE(arena, double, n2 *n2)) && (q->V = RT_TAKE(arena, double, n2 *n2));
    ok = ok && (q->vectors = RT_TAKE(arena, double, n2 *n2));
    ok = ok && (q->re = RT_TAKE(arena, double, n2)) && (q->im = RT_TAKE(arena, double, n2));
    ok = ok && (q->violation = RT_TAKE(arena, double, n2));
    return ok && (q->sorted = RT_TAKE(arena, double, n2)) && (q->select = RT_TAKE(arena, int, n2));
}

routh_status rt_penalty_schur(const rt_penalty_space *p, rt_penalty_modes *modes, rt_arena *arena,
                              routh_error *error)
{
    const size_t n = (size_t)p->n;
    penalty_schur_spectrum q = {.p = p, .n = n, .n2 = 2 * n, .z2 = 2 * (size_t)p->z};
    modes->V = RT_TAKE(arena, double, q.n2 *q.z2);
    modes->T = RT_TAKE(arena, double, q.z2 *q.z2);
    if (!modes->V || !modes->T || !penalty_schur_take(&q, arena)) return rt_fail_memory(error);
    make_equations(&q, modes);
    const routh_status status = find_true(&q, error);
    if (status) return status;
    memcpy(modes->V, q.V, q.n2 * q.z2 * sizeof *q.V);
    for (size_t k = 0; k < q.z2; k++)
        memcpy(modes->T + q.z2 * k, q.B + q.n2 * k, q.z2 * sizeof *q.B);
    return ROUTH_OK;
}
