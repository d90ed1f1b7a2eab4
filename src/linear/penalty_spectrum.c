/* The penalized equations about a state of rest (Gonzalez et al. 2017, Eqs. 11 to 18 with ERRATA),
 *     M x'' + D x' + K x = 0,    x = (c, y),    2 n eigenvalues,
 * their 2z true eigenvalues, told from the spurious ones by |c| / |x| of their vectors, and the
 * states' equations on the invariant subspace of the true ones,
 *     A = (P V) T (P V)^-1,    B V = V T,    P = [s_x 0; w_x s_x].
 * A Schur form stands repeated and defective eigenvalues. */
#include <stdlib.h>

#include "base/lapack.h"
#include "linear/penalty.h"

typedef struct spectrum {
    rt_penalty_space *p;
    size_t n, n2, z2;  /* n, 2 n, 2 z */
    double rate;       /* the unit of time is 1/rate: 1/s */
    double *D, *K;     /* n x n: then M^-1 D, M^-1 K */
    double *B;         /* 2n x 2n, then its Schur form */
    double *V;         /* 2n x 2n: Schur vectors */
    double *vectors;   /* 2n x 2n */
    double *re, *im;   /* 2n */
    double *violation; /* 2n: |c| / |x| */
    double *sorted;    /* 2n */
    int *select;       /* 2n */
} spectrum;

/* ---- the 2n equations ----------------------------------------------------------------------- */

/* M^-1 of D and K */
static routh_status divide_by_mass(spectrum *q, rt_arena *arena, routh_error *error)
{
    const int n = q->p->n;
    double *lu = RT_TAKE(arena, double, q->n * q->n);
    int *pivots = RT_TAKE(arena, int, n);
    if (!lu || !pivots) return rt_fail_memory(error);
    memcpy(lu, q->p->M, q->n * q->n * sizeof *lu);
    routh_status status = rt_lu_factor(n, lu, pivots, error);
    if (!status) status = rt_lu_solve(n, lu, pivots, n, q->D, 0, error);
    if (!status) status = rt_lu_solve(n, lu, pivots, n, q->K, 0, error);
    return status;
}

static double largest(const double *x, size_t n)
{
    double size = 0;
    for (size_t k = 0; k < n; k++) size = fmax(size, fabs(x[k]));
    return size;
}

/* B = [0 I; -M^-1 K, -M^-1 D] for (x, x'/rate), over rate */
static routh_status make_equations(spectrum *q, rt_arena *arena, routh_error *error)
{
    rt_penalty_space *p = q->p;
    const rt_penalty_options *o = &p->options;
    rt_penalty_turn(p, &p->s->m->pattern_K, p->s->w->D, q->D);
    rt_penalty_turn(p, &p->s->m->pattern_K, p->s->w->K, q->K);
    for (int k = 0; k < p->m; k++) {
        q->D[(q->n + 1) * (size_t)k] += 2 * o->xi * o->omega;
        q->K[(q->n + 1) * (size_t)k] += o->omega * o->omega;
    }
    const routh_status status = divide_by_mass(q, arena, error);
    if (status) return status;
    q->rate = fmax(o->omega, sqrt(largest(q->K, q->n * q->n)));
    for (size_t k = 0; k < q->n; k++) {
        q->B[k + q->n2 * (q->n + k)] = 1;
        for (size_t i = 0; i < q->n; i++) {
            q->B[q->n + i + q->n2 * k] = -q->K[i + q->n * k] / (q->rate * q->rate);
            q->B[q->n + i + q->n2 * (q->n + k)] = -q->D[i + q->n * k] / q->rate;
        }
    }
    return ROUTH_OK;
}

/* ---- true and spurious ---------------------------------------------------------------------- */

static double violation(const spectrum *q, const double *v, size_t columns)
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

static void find_violations(spectrum *q)
{
    for (size_t k = 0; k < q->n2; k++) {
        const size_t columns = q->im[k] != 0 && k + 1 < q->n2 ? 2 : 1;
        q->violation[k] = violation(q, q->vectors + q->n2 * k, columns);
        if (columns == 2) q->violation[k + 1] = q->violation[k], k++;
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* There must be 2z of small violation and a gap after them. */
static routh_status select_true(spectrum *q, routh_error *error)
{
    static const double least_gap = 3;
    memcpy(q->sorted, q->violation, q->n2 * sizeof *q->sorted);
    qsort(q->sorted, q->n2, sizeof *q->sorted, ascending);
    const double last = q->sorted[q->z2 - 1];
    const double next = q->z2 < q->n2 ? q->sorted[q->z2] : INFINITY;
    if (!(next >= least_gap * last))
        return rt_fail(
            error, ROUTH_NUMERIC_ERROR,
            "the penalty method cannot tell its %d true eigenvalues from the spurious "
            "ones: the worst of them violates the constraints by %.2g of its motion, the "
            "best spurious one by %.2g, where a factor of %g is asked for; give a larger "
            "alpha or another omega, or use --method augmented",
            (int)q->z2, last, next, least_gap);
    for (size_t k = 0; k < q->n2; k++) q->select[k] = q->violation[k] <= last;
    return ROUTH_OK;
}

static routh_status find_true(spectrum *q, routh_error *error)
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

/* ---- the states' equations ------------------------------------------------------------------ */

/* out (2z x 2z) = P V, and X, U = T Q of V's columns so far (n x 2z each) */
static void map_to_states(const spectrum *q, double *PV, double *xi, double *u)
{
    const rt_penalty_space *p = q->p;
    const size_t z = (size_t)p->z;
    for (size_t k = 0; k < q->z2; k++) {
        double *x = xi + q->n * k, *v = u + q->n * k;
        rt_penalty_motion(p, q->V + q->n2 * k, x);
        rt_penalty_motion(p, q->V + q->n2 * k + q->n, v);
        for (size_t c = 0; c < q->n; c++) v[c] *= q->rate;
        for (size_t i = 0; i < z; i++) {
            const rt_state_row *row = &p->rows[i];
            PV[i + q->z2 * k] = rt_state_row_times(row, row->s_x, x);
            PV[z + i + q->z2 * k] =
                rt_state_row_times(row, row->s_x, v) + rt_state_row_times(row, row->w_x, x);
        }
    }
}

/* rows (2z of them) := row (P V)^-1, by (P V)' */
static routh_status divide_rows(const spectrum *q, const double *lu, const int *pivots,
                                const double *from, size_t stride, double *row, routh_error *error)
{
    for (size_t k = 0; k < q->z2; k++) row[k] = from[stride * k];
    return rt_lu_solve((int)q->z2, lu, pivots, 1, row, 1, error);
}

static routh_status fill_A(const spectrum *q, const double *PV, const double *lu, const int *pivots,
                           double *row, double *work, rt_sensitivity *out, routh_error *error)
{
    const size_t z = (size_t)q->p->z;
    routh_status status = ROUTH_OK;
    for (size_t i = 0; i < z && !status; i++) {
        for (size_t k = 0; k < q->z2; k++) {
            double sum = 0;
            for (size_t l = 0; l < q->z2 && l < k + 2; l++)
                sum += PV[z + i + q->z2 * l] * q->B[l + q->n2 * k];
            work[k] = q->rate * sum;
        }
        status = divide_rows(q, lu, pivots, work, 1, row, error);
        memcpy(out->A_SS + z * i, row, z * sizeof *row);
        memcpy(out->A_SW + z * i, row + z, z * sizeof *row);
    }
    return status;
}

/* xi = X S and u = U S + .. of the subspace, by rows */
static routh_status fill_motion(const spectrum *q, const double *lu, const int *pivots,
                                const double *xi, const double *u, double *row, rt_sensitivity *out,
                                routh_error *error)
{
    const size_t z = (size_t)q->p->z;
    routh_status status = ROUTH_OK;
    for (size_t c = 0; c < q->n && !status; c++) {
        status = divide_rows(q, lu, pivots, xi + c, q->n, row, error);
        for (size_t k = 0; k < z; k++) out->X[c + q->n * k] = row[k];
        if (!status) status = divide_rows(q, lu, pivots, u + c, q->n, row, error);
        for (size_t k = 0; k < z; k++) out->U[c + q->n * k] = row[k];
    }
    return status;
}

static routh_status states_equations(spectrum *q, rt_sensitivity *out, rt_arena *arena,
                                     routh_error *error)
{
    double *PV = RT_TAKE(arena, double, q->z2 * q->z2), *lu = RT_TAKE(arena, double, q->z2 * q->z2);
    double *xi = RT_TAKE(arena, double, q->n * q->z2), *u = RT_TAKE(arena, double, q->n * q->z2);
    double *row = RT_TAKE(arena, double, q->z2), *work = RT_TAKE(arena, double, q->z2);
    int *pivots = RT_TAKE(arena, int, q->z2);
    if (!PV || !lu || !xi || !u || !row || !work || !pivots) return rt_fail_memory(error);
    map_to_states(q, PV, xi, u);
    memcpy(lu, PV, q->z2 * q->z2 * sizeof *lu);
    routh_status status = rt_lu_factor((int)q->z2, lu, pivots, error);
    if (!status) status = fill_A(q, PV, lu, pivots, row, work, out, error);
    if (!status) status = fill_motion(q, lu, pivots, xi, u, row, out, error);
    return status;
}

routh_status rt_penalty_spectrum(rt_penalty_space *p, rt_sensitivity *out, rt_arena *arena,
                                 routh_error *error)
{
    const size_t n = (size_t)p->n, n2 = 2 * n;
    spectrum q = {.p = p, .n = n, .n2 = n2, .z2 = 2 * (size_t)p->z};
    bool ok = (q.D = RT_TAKE(arena, double, n *n)) != NULL;
    ok = ok && (q.K = RT_TAKE(arena, double, n *n)) && (q.B = RT_TAKE(arena, double, n2 *n2));
    ok = ok && (q.V = RT_TAKE(arena, double, n2 *n2));
    ok = ok && (q.vectors = RT_TAKE(arena, double, n2 *n2));
    ok = ok && (q.re = RT_TAKE(arena, double, n2)) && (q.im = RT_TAKE(arena, double, n2));
    ok = ok && (q.violation = RT_TAKE(arena, double, n2));
    ok = ok && (q.sorted = RT_TAKE(arena, double, n2)) && (q.select = RT_TAKE(arena, int, n2));
    routh_status status = ok ? make_equations(&q, arena, error) : rt_fail_memory(error);
    if (!status) status = find_true(&q, error);
    return status ? status : states_equations(&q, out, arena, error);
}
