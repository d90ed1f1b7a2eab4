/* The true modes of the penalized equations by iteration. On their subspace the violation follows
 * the motion, c = E h with h = (y, y'), h' = T h, and
 *     E p(T) = -[(K_cc - omega^2) E + (D_cc - 2 xi omega) E T + (K_cy D_cy)]
 *     T = [0 1; -(K_yy D_yy) - K_yc E - D_yc E T],    p(T) = T^2 + 2 xi omega T + omega^2
 * The right side of the first is of the order 1/alpha, so that a few steps from E = 0 suffice, as
 * long as no true eigenvalue is near a zero of p. */
#include <float.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "linear/penalty.h"

typedef struct iteration {
    const rt_penalty_space *p;
    const rt_penalty_modes *modes;
    size_t n, m, z, z2;
    double damping, stiffness; /* 2 xi omega, omega^2, of the modes' time */
    double *T;                 /* 2z x 2z */
    double *E, *ET;            /* 2z x m: transposed, so that rows are columns */
    double *next;              /* 2z x m */
    double *P, *w;             /* 2z x 2z; z */
    int *pivots;
} iteration;

/* (E T)' = T' E' */
static void multiply_by_T(const iteration *q)
{
    for (size_t r = 0; r < q->m; r++)
        for (size_t k = 0; k < q->z2; k++) {
            double sum = 0;
            for (size_t l = 0; l < q->z2; l++) sum += q->E[l + q->z2 * r] * q->T[l + q->z2 * k];
            q->ET[k + q->z2 * r] = sum;
        }
}

/* row i (of n) of K (E; 1 0) + D (E T; 0 1), the penalty's part left out, into out (2z) */
static void row_of_forces(const iteration *q, size_t i, double *out)
{
    const double *K = q->modes->K + i, *D = q->modes->D + i;
    for (size_t k = 0; k < q->z; k++) {
        out[k] = K[q->n * (q->m + k)];
        out[q->z + k] = D[q->n * (q->m + k)];
    }
    for (size_t r = 0; r < q->m; r++) {
        const double a = K[q->n * r] - (r == i ? q->stiffness : 0);
        const double b = D[q->n * r] - (r == i ? q->damping : 0);
        const double *E = q->E + q->z2 * r, *ET = q->ET + q->z2 * r;
        for (size_t k = 0; k < q->z2; k++) out[k] += a * E[k] + b * ET[k];
    }
}

static void update_T(const iteration *q, double *row)
{
    for (size_t i = 0; i < q->z; i++) {
        row_of_forces(q, q->m + i, row);
        q->T[i + q->z2 * (q->z + i)] = 1;
        for (size_t k = 0; k < q->z2; k++) q->T[q->z + i + q->z2 * k] = -row[k];
    }
}

/* P = T^2 + 2 xi omega T + omega^2, factored */
static routh_status factor_P(const iteration *q, routh_error *error)
{
    for (size_t k = 0; k < q->z2; k++)
        for (size_t i = 0; i < q->z2; i++) {
            double sum = q->damping * q->T[i + q->z2 * k] + (i == k ? q->stiffness : 0);
            for (size_t l = 0; l < q->z2; l++) sum += q->T[i + q->z2 * l] * q->T[l + q->z2 * k];
            q->P[i + q->z2 * k] = sum;
        }
    return rt_lu_factor((int)q->z2, q->P, q->pivots, error);
}

/* One step; the largest entry of E and its largest change. */
static routh_status step(const iteration *q, double *size, double *change, routh_error *error)
{
    const size_t entries = q->z2 * q->m;
    routh_status status = factor_P(q, error);
    for (size_t r = 0; r < q->m && !status; r++) {
        double *row = q->next + q->z2 * r;
        row_of_forces(q, r, row);
        for (size_t k = 0; k < q->z2; k++) row[k] = -row[k];
    }
    if (!status) status = rt_lu_solve((int)q->z2, q->P, q->pivots, (int)q->m, q->next, 1, error);
    *size = *change = 0;
    for (size_t k = 0; k < entries && !status; k++) {
        const double difference = fabs(q->next[k] - q->E[k]);
        /* a NaN stays */
        if (!(fabs(q->next[k]) <= *size)) *size = fabs(q->next[k]);
        if (!(difference <= *change)) *change = difference;
        q->E[k] = q->next[k];
    }
    if (status) return status;
    multiply_by_T(q);
    update_T(q, q->w);
    multiply_by_T(q);
    return ROUTH_OK;
}

/* Until the changes are rounding, which they are when they no longer fall. */
static routh_status iterate(const iteration *q, bool *found, routh_error *error)
{
    enum { MOST_STEPS = 30 };
    static const double most_violation = 1e-2;
    double before = INFINITY, size, change;
    *found = false;
    update_T(q, q->w);
    for (int k = 0; k < MOST_STEPS; k++) {
        const routh_status status = step(q, &size, &change, error);
        if (status == ROUTH_SINGULAR) return ROUTH_OK;
        if (status) return status;
        if (!(size <= most_violation)) return ROUTH_OK;
        if (change <= 1e3 * DBL_EPSILON * size && change >= before / 4) *found = true;
        if (change == 0) *found = true;
        if (*found) return ROUTH_OK;
        before = change;
    }
    return ROUTH_OK;
}

/* V = [E; 1 0; E T; 0 1] */
static void fill_modes(const iteration *q, rt_penalty_modes *modes)
{
    memset(modes->V, 0, 2 * q->n * q->z2 * sizeof *modes->V);
    for (size_t k = 0; k < q->z2; k++) {
        double *v = modes->V + 2 * q->n * k;
        for (size_t r = 0; r < q->m; r++) {
            v[r] = q->E[k + q->z2 * r];
            v[q->n + r] = q->ET[k + q->z2 * r];
        }
        v[k < q->z ? q->m + k : q->n + q->m + k - q->z] = 1;
    }
    memcpy(modes->T, q->T, q->z2 * q->z2 * sizeof *q->T);
}

routh_status rt_penalty_iterate(const rt_penalty_space *p, rt_penalty_modes *modes, bool *found,
                                rt_arena *arena, routh_error *error)
{
    const rt_penalty_options *o = &p->options;
    iteration q = {.p = p,
                   .modes = modes,
                   .n = (size_t)p->n,
                   .m = (size_t)p->m,
                   .z = (size_t)p->z,
                   .z2 = 2 * (size_t)p->z};
    q.damping = 2 * o->xi * o->omega / modes->rate;
    q.stiffness = o->omega / modes->rate * (o->omega / modes->rate);
    bool ok = (q.T = RT_TAKE(arena, double, q.z2 *q.z2)) != NULL;
    ok = ok && (q.E = RT_TAKE(arena, double, q.z2 *q.m));
    ok = ok && (q.ET = RT_TAKE(arena, double, q.z2 *q.m));
    ok = ok && (q.next = RT_TAKE(arena, double, q.z2 *q.m));
    ok = ok && (q.P = RT_TAKE(arena, double, q.z2 *q.z2));
    ok = ok && (q.w = RT_TAKE(arena, double, q.z2)) && (q.pivots = RT_TAKE(arena, int, q.z2));
    if (!ok) return rt_fail_memory(error);
    const routh_status status = iterate(&q, found, error);
    if (!status && *found) fill_modes(&q, modes);
    return status;
}
