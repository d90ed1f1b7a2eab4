/* Bounds of a stiff mechanism's slow eigenvalues. In the undamped modes S = Y eta,
 *     K Y = M Y diag(w^2),   Y'M Y = 1,      p = w eta,  v = eta'
 *     p' = w v,     v' = -(Y'K Y) w^-1 p - (Y'C Y) v
 * every mode has its own scale, and what rounding of an entry of K, C or M makes of each entry is
 * known, |Y|'|K||Y| eps: much for fast modes, little for slow ones. Any basis will do, so rounding
 * of Y is none of the result: products with it are summed in the widest type there is. */
#include <cblas.h>
#include <float.h>
#include <math.h>

#include "base/lapack.h"
#include "oracles/penalty.h"

/* Roundings that an entry of K, C or M has seen. */
static const double ROUNDINGS = 4;

typedef struct modal {
    const rt_penalty_space *p;
    const rt_penalty_pencil *pencil;
    size_t n, z, n2;
    double *Y;        /* z x z */
    double *w;        /* z */
    double *XY, *WXY; /* n x z: |X||Y|, |W||X||Y| */
    double *by_Y;     /* z x z */
    double *mass;     /* z x z: LU of Y'M Y */
    int *pivots;
    double *A, *B, *doubt; /* 2z x 2z */
} modal;

static bool penalty_modal_take(modal *q, rt_arena *arena)
{
    const size_t square = q->z * q->z;
    double **squares[] = {&q->Y, &q->by_Y, &q->mass}, **large[] = {&q->A, &q->B, &q->doubt};
    for (size_t k = 0; k < 3; k++)
        if (!(*squares[k] = RT_TAKE(arena, double, square)) ||
            !(*large[k] = RT_TAKE(arena, double, q->n2 * q->n2)))
            return false;
    bool ok = (q->w = RT_TAKE(arena, double, q->z)) != NULL;
    ok = ok && (q->XY = RT_TAKE(arena, double, q->n * q->z));
    ok = ok && (q->WXY = RT_TAKE(arena, double, q->n * q->z));
    return ok && (q->pivots = RT_TAKE(arena, int, q->z));
}

static void penalty_modal_product(int transposed, size_t rows, size_t inner, size_t columns,
                                  const double *a, const double *b, double *c)
{
    const int m = (int)rows, n = (int)columns, k = (int)inner;
    cblas_dgemm(CblasColMajor, transposed ? CblasTrans : CblasNoTrans, CblasNoTrans, m, n, k, 1, a,
                transposed ? k : m, b, k, 0, c, m);
}

/* Y'W Y, z x z. What is smooth cancels in W Y, and by_Y rounds what is left. */
static void penalty_modal_project(const modal *q, const double *W, double *out, long double *sum)
{
    const size_t z = q->z;
    for (size_t k = 0; k < z; k++) {
        for (size_t i = 0; i < z; i++) sum[i] = 0;
        for (size_t j = 0; j < z; j++) {
            const long double y = q->Y[j + z * k];
            const double *w = W + z * j;
            for (size_t i = 0; i < z; i++)
                if (w[i] != 0) sum[i] += w[i] * y;
        }
        for (size_t i = 0; i < z; i++) q->by_Y[i + z * k] = (double)sum[i];
    }
    for (size_t k = 0; k < z; k++)
        for (size_t i = 0; i < z; i++) {
            const double *y = q->Y + z * i, *b = q->by_Y + z * k;
            long double dot = 0;
            for (size_t j = 0; j < z; j++) dot += (long double)y[j] * b[j];
            out[i + z * k] = (double)dot;
        }
}

/* The same of a small matrix, which needs no more than its digits. */
static void project_small(const modal *q, const double *W, double *out)
{
    penalty_modal_product(0, q->z, q->z, q->z, W, q->Y, q->by_Y);
    penalty_modal_product(1, q->z, q->z, q->z, q->Y, q->by_Y, out);
}

/* |Y|'|X|'|W||X||Y|: what a change of each entry of W by its own size could make of Y'X'W X Y */
static void penalty_modal_find_sizes(const modal *q, const rt_pattern *pattern,
                                     const double *values, double *out)
{
    memset(q->WXY, 0, q->n * q->z * sizeof *q->WXY);
    for (size_t k = 0; k < q->z; k++)
        for (int c = 0; c < pattern->n_columns; c++)
            for (int e = pattern->start[c]; e < pattern->start[c + 1]; e++)
                q->WXY[(size_t)pattern->row[e] + q->n * k] +=
                    fabs(values[e]) * q->XY[(size_t)c + q->n * k];
    penalty_modal_product(1, q->z, q->n, q->z, q->XY, q->WXY, out);
}

/* ---- the basis ------------------------------------------------------------------------------ */

/* Y and w. *found: all w are real, beyond rounding. */
static routh_status find_basis(modal *q, const double *X, bool *found, rt_arena *arena,
                               routh_error *error)
{
    const size_t z = q->z, square = z * z;
    const rt_search *s = q->p->s;
    double *M = RT_TAKE(arena, double, square), *size = RT_TAKE(arena, double, square);
    double *absolute = RT_TAKE(arena, double, q->n *z);
    if (!M || !size || !absolute) return rt_fail_memory(error);
    for (size_t k = 0; k < z; k++)
        for (size_t i = 0; i < z; i++) {
            const size_t e = i + z * k, t = k + z * i;
            q->Y[e] = (q->pencil->K[e] + q->pencil->K[t]) / 2;
            M[e] = (q->pencil->M[e] + q->pencil->M[t]) / 2;
        }
    *found = false;
    const routh_status status = rt_symmetric_generalized_eigen((int)z, q->Y, M, q->w, error);
    if (status == ROUTH_SINGULAR) return ROUTH_OK;
    if (status) return status;
    for (size_t e = 0; e < q->n * z; e++) absolute[e] = fabs(X[e]);
    for (size_t e = 0; e < square; e++) M[e] = fabs(q->Y[e]);
    penalty_modal_product(0, q->n, z, z, absolute, M, q->XY);
    penalty_modal_find_sizes(q, &s->m->pattern_K, s->w->K, size);
    for (size_t k = 0; k < z; k++) {
        if (!(q->w[k] > 10 * ROUNDINGS * DBL_EPSILON * size[(z + 1) * k])) return ROUTH_OK;
        q->w[k] = sqrt(q->w[k]);
    }
    *found = true;
    return ROUTH_OK;
}

/* ---- the equations -------------------------------------------------------------------------- */

/* to (2z x 2z), last z rows, += (Y'M Y)^-1 of W's negative, columns from `first` on over w */
static routh_status penalty_modal_add(const modal *q, double *W, size_t first, double *to,
                                      routh_error *error)
{
    const size_t z = q->z;
    const routh_status status = rt_lu_solve((int)z, q->mass, q->pivots, (int)z, W, 0, error);
    for (size_t k = 0; k < z; k++)
        for (size_t i = 0; i < z; i++)
            to[z + i + q->n2 * (first + k)] -= W[i + z * k] / (first ? 1 : q->w[k]);
    return status;
}

/* B of the exact equations, A with what the penalties add */
static routh_status fill_equations(modal *q, rt_arena *arena, routh_error *error)
{
    const size_t z = q->z;
    const rt_penalty_pencil *o = q->pencil;
    long double *sum = RT_TAKE(arena, long double, z);
    double *W = RT_TAKE(arena, double, z *z);
    if (!sum || !W) return rt_fail_memory(error);
    penalty_modal_project(q, o->M, q->mass, sum);
    routh_status status = rt_lu_factor((int)z, q->mass, q->pivots, error);
    if (status) return status;
    for (size_t k = 0; k < z; k++) q->B[k + q->n2 * (z + k)] = q->w[k];
    penalty_modal_project(q, o->K, W, sum);
    status = penalty_modal_add(q, W, 0, q->B, error);
    penalty_modal_project(q, o->C, W, sum);
    if (!status) status = penalty_modal_add(q, W, z, q->B, error);
    memcpy(q->A, q->B, q->n2 * q->n2 * sizeof *q->A);
    project_small(q, o->dK, W);
    if (!status) status = penalty_modal_add(q, W, 0, q->A, error);
    project_small(q, o->dC, W);
    return status ? status : penalty_modal_add(q, W, z, q->A, error);
}

/* Of each entry of B: what is open in K, C and M, and rounding of the entry itself in the sums that
 * it goes through. */
static routh_status fill_doubt(modal *q, rt_arena *arena, routh_error *error)
{
    const size_t z = q->z, n2 = q->n2;
    const rt_search *s = q->p->s;
    const double open = ROUNDINGS * DBL_EPSILON;
    double *size = RT_TAKE(arena, double, z *z);
    if (!size) return rt_fail_memory(error);
    for (size_t e = 0; e < n2 * n2; e++) q->doubt[e] = (double)n2 * DBL_EPSILON * fabs(q->B[e]);
    penalty_modal_find_sizes(q, &s->m->pattern_K, s->w->K, size);
    for (size_t k = 0; k < z; k++)
        for (size_t i = 0; i < z; i++) q->doubt[z + i + n2 * k] += open * size[i + z * k] / q->w[k];
    penalty_modal_find_sizes(q, &s->m->pattern_M, s->w->M, size);
    for (size_t k = 0; k < z; k++)
        for (size_t i = 0; i < z; i++) q->doubt[z + i + n2 * k] += open * size[i + z * k] * q->w[k];
    penalty_modal_find_sizes(q, &s->m->pattern_K, s->w->D, size);
    for (size_t k = 0; k < z; k++)
        for (size_t i = 0; i < z; i++) q->doubt[z + i + n2 * (z + k)] += open * size[i + z * k];
    return ROUTH_OK;
}

routh_status rt_penalty_modal_bounds(const rt_penalty_space *p, const double *X,
                                     const rt_penalty_pencil *pencil, double *re, double *im,
                                     double *bound, bool *found, rt_arena *arena,
                                     routh_error *error)
{
    modal q = {.p = p, .pencil = pencil};
    q.n = (size_t)p->n, q.z = (size_t)p->z, q.n2 = 2 * q.z;
    *found = false;
    if (!penalty_modal_take(&q, arena)) return rt_fail_memory(error);
    routh_status status = find_basis(&q, X, found, arena, error);
    if (status || !*found) return status;
    status = fill_equations(&q, arena, error);
    if (!status) status = fill_doubt(&q, arena, error);
    return status
               ? status
               : rt_eigenvalue_bounds((int)q.n2, q.A, q.B, (rt_penalty_doubt){.entries = q.doubt},
                                      re, im, bound, error);
}
