/* The true modes of the penalized equations by iteration. On their subspace the violation follows
 * the motion, c = E h with h = (y, y'), h' = T h, T = [0 1; T_y]. With x = X h, X = [E; 1 0], and
 *     f = M X T^2 + D X T + K X          the rows of motion without the penalty's part
 * the equations say
 *     E p(T) = -f_c,    f_y = 0,         p(T) = T^2 + 2 xi omega T + omega^2
 * where f_c, divided by the penalty, is small: E follows from the last f_c, and T_y is corrected by
 * -M_yy^-1 f_y. A few steps from E = 0 suffice, as long as no true eigenvalue is near a zero of p.
 * The matrices of motion stay sparse. */
#include <float.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "oracles/penalty.h"

typedef struct iteration {
    const rt_penalty_space *p;
    size_t n, m, z, z2;
    double rate;   /* the unit of time is 1/rate: 1/s */
    double *T;     /* 2z x 2z */
    double *X;     /* n x 6z: X, X T, X T^2 */
    double *xi;    /* n x 6z: their motions */
    double *f;     /* n x 2z */
    double *E;     /* 2z x m: transposed, so that rows are columns */
    double *P;     /* 2z x 2z: LU of p(T) */
    double *block; /* z x 2z: a correction of T_y */
    double *Myy;   /* z x z: its LU */
    int *pivots, *mass_pivots;
} iteration;

static bool penalty_iterate_take(iteration *q, rt_arena *arena)
{
    const size_t square = q->z2 * q->z2;
    bool ok = (q->T = RT_TAKE(arena, double, square)) && (q->P = RT_TAKE(arena, double, square));
    ok = ok && (q->X = RT_TAKE(arena, double, 3 * q->n * q->z2));
    ok = ok && (q->xi = RT_TAKE(arena, double, 3 * q->n * q->z2));
    ok = ok && (q->f = RT_TAKE(arena, double, q->n * q->z2));
    ok = ok && (q->E = RT_TAKE(arena, double, q->m * q->z2));
    ok = ok && (q->block = RT_TAKE(arena, double, q->z * q->z2));
    ok = ok && (q->Myy = RT_TAKE(arena, double, q->z * q->z));
    ok = ok && (q->pivots = RT_TAKE(arena, int, q->z2));
    return ok && (q->mass_pivots = RT_TAKE(arena, int, q->z));
}

/* ---- one evaluation ------------------------------------------------------------------------- */

/* to = from T, n x 2z. The first z columns of T are zero but for T_y, the last z hold a 1 each. */
static void penalty_iterate_times_T(const iteration *q, const double *from, double *to)
{
    memset(to, 0, q->n * q->z2 * sizeof *to);
    for (size_t k = 0; k < q->z2; k++)
        for (size_t l = 0; l < q->z2; l++) {
            const double t = q->T[l + q->z2 * k], *x = from + q->n * l;
            for (size_t i = 0; i < q->n && t != 0; i++) to[i + q->n * k] += t * x[i];
        }
}

static void fill_X(const iteration *q)
{
    const size_t size = q->n * q->z2;
    memset(q->X, 0, size * sizeof *q->X);
    for (size_t k = 0; k < q->z2; k++)
        for (size_t r = 0; r < q->m; r++) q->X[r + q->n * k] = q->E[k + q->z2 * r];
    for (size_t k = 0; k < q->z; k++) q->X[q->m + k + q->n * k] = 1;
    penalty_iterate_times_T(q, q->X, q->X + size);
    penalty_iterate_times_T(q, q->X + size, q->X + 2 * size);
}

/* f over rate^2, which is the unit of all that follows */
static void penalty_iterate_evaluate(const iteration *q)
{
    const rt_pattern *M = &q->p->s->m->pattern_M, *K = &q->p->s->m->pattern_K;
    const rt_workspace *w = q->p->s->w;
    const size_t size = q->n * q->z2;
    fill_X(q);
    memcpy(q->xi, q->X, 3 * size * sizeof *q->xi);
    rt_penalty_motion(q->p, 3 * (int)q->z2, q->xi);
    memset(q->f, 0, size * sizeof *q->f);
    for (size_t k = 0; k < q->z2; k++) {
        const double *x = q->xi + q->n * k;
        double *f = q->f + q->n * k;
        rt_sparse_multiply_add(K, w->K, 1 / (q->rate * q->rate), x, f);
        rt_sparse_multiply_add(K, w->D, 1 / q->rate, x + size, f);
        rt_sparse_multiply_add(M, w->M, 1, x + 2 * size, f);
    }
    rt_penalty_turn_rows(q->p, (int)q->z2, q->f);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* T_y -= M_yy^-1 f_y */
static routh_status correct_T(const iteration *q, routh_error *error)
{
    for (size_t k = 0; k < q->z2; k++)
        memcpy(q->block + q->z * k, q->f + q->m + q->n * k, q->z * sizeof *q->f);
    const routh_status status =
        rt_lu_solve((int)q->z, q->Myy, q->mass_pivots, (int)q->z2, q->block, 0, error);
    for (size_t k = 0; k < q->z2; k++)
        for (size_t i = 0; i < q->z; i++) q->T[q->z + i + q->z2 * k] -= q->block[i + q->z * k];
    return status;
}

/* p(T), factored */
static routh_status factor_P(const iteration *q, routh_error *error)
{
    const double omega = q->p->options.omega / q->rate;
    const double damping = 2 * q->p->options.xi * omega, stiffness = omega * omega;
    for (size_t k = 0; k < q->z2; k++)
        for (size_t i = 0; i < q->z2; i++) {
            double sum = damping * q->T[i + q->z2 * k] + (i == k ? stiffness : 0);
            for (size_t l = 0; l < q->z2; l++) sum += q->T[i + q->z2 * l] * q->T[l + q->z2 * k];
            q->P[i + q->z2 * k] = sum;
        }
    return rt_lu_factor((int)q->z2, q->P, q->pivots, error);
}

/* E := -f_c p(T)^-1; its largest entry and its largest change */
static routh_status penalty_iterate_correct_E(const iteration *q, double *size, double *change,
                                              routh_error *error)
{
    double *next = q->xi; /* no longer needed; n x 6z is enough */
    routh_status status = factor_P(q, error);
    for (size_t r = 0; r < q->m; r++)
        for (size_t k = 0; k < q->z2; k++) next[k + q->z2 * r] = -q->f[r + q->n * k];
    if (!status) status = rt_lu_solve((int)q->z2, q->P, q->pivots, (int)q->m, next, 1, error);
    *size = *change = 0;
    for (size_t k = 0; k < q->z2 * q->m && !status; k++) {
        const double difference = fabs(next[k] - q->E[k]);
        /* a NaN stays */
        if (!(fabs(next[k]) <= *size)) *size = fabs(next[k]);
        if (!(difference <= *change)) *change = difference;
        q->E[k] = next[k];
    }
    return status;
}

static double penalty_iterate_largest(const double *x, size_t n)
{
    double size = 0;
    for (size_t k = 0; k < n; k++)
        if (!(fabs(x[k]) <= size)) size = fabs(x[k]);
    return size;
}

/* T of the exact tangent, with the unit of time that makes it of the order of one. */
static routh_status penalty_iterate_begin(iteration *q, routh_error *error)
{
    memcpy(q->Myy, q->p->Myy, q->z * q->z * sizeof *q->Myy);
    routh_status status = rt_lu_factor((int)q->z, q->Myy, q->mass_pivots, error);
    for (size_t i = 0; i < q->z; i++) q->T[i + q->z2 * (q->z + i)] = 1;
    q->rate = 1;
    if (!status) penalty_iterate_evaluate(q), status = correct_T(q, error);
    if (status) return status;
    const size_t half = q->z * q->z;
    const double square = penalty_iterate_largest(q->block, half),
                 linear = penalty_iterate_largest(q->block + half, half);
    q->rate = fmax(q->p->options.omega, fmax(sqrt(square), linear));
    for (size_t k = 0; k < q->z2; k++)
        for (size_t i = 0; i < q->z; i++)
            q->T[q->z + i + q->z2 * k] /= k < q->z ? q->rate * q->rate : q->rate;
    return ROUTH_OK;
}

/* Until the changes are rounding, which they are when they no longer fall. */
static routh_status penalty_iterate(iteration *q, bool *found, routh_error *error)
{
    enum { MOST_STEPS = 40 };
    static const double most_violation = 1e-2;
    double before = INFINITY, size, change;
    *found = false;
    routh_status status = penalty_iterate_begin(q, error);
    for (int k = 0; k < MOST_STEPS && !status; k++) {
        penalty_iterate_evaluate(q);
        status = penalty_iterate_correct_E(q, &size, &change, error);
        if (status == ROUTH_SINGULAR) return ROUTH_OK;
        if (status) return status;
        if (!(size <= most_violation)) return ROUTH_OK;
        *found = change == 0 || (change <= 1e3 * DBL_EPSILON * size && change >= before / 4);
        status = correct_T(q, error);
        if (*found || status) break;
        before = change;
    }
    return status;
}

/* V = [X; X T] */
static void penalty_iterate_fill_modes(const iteration *q, rt_penalty_modes *modes)
{
    fill_X(q);
    for (size_t k = 0; k < q->z2; k++) {
        double *v = modes->V + 2 * q->n * k;
        memcpy(v, q->X + q->n * k, q->n * sizeof *v);
        memcpy(v + q->n, q->X + q->n * (q->z2 + k), q->n * sizeof *v);
    }
    memcpy(modes->T, q->T, q->z2 * q->z2 * sizeof *q->T);
    modes->rate = q->rate;
}

routh_status rt_penalty_iterate(const rt_penalty_space *p, rt_penalty_modes *modes, bool *found,
                                rt_arena *arena, routh_error *error)
{
    iteration q = {
        .p = p, .n = (size_t)p->n, .m = (size_t)p->m, .z = (size_t)p->z, .z2 = 2 * (size_t)p->z};
    modes->V = RT_TAKE(arena, double, 2 * q.n * q.z2);
    modes->T = RT_TAKE(arena, double, q.z2 *q.z2);
    if (!modes->V || !modes->T || !penalty_iterate_take(&q, arena)) return rt_fail_memory(error);
    const routh_status status = penalty_iterate(&q, found, error);
    if (!status && *found) penalty_iterate_fill_modes(&q, modes);
    return status;
}
