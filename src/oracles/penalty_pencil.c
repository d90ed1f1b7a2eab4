/* The penalized equations about a state of rest without the inverse of the mass, on the true modes:
 *     xi = X S + Z c,      G Z = R',  s_x Z = 0,  s_x X = 1,  G X = 0
 *     M W' + (C + dC) W + (K + dK) S = 0,      S' = W,      M = X'M X, K = X'K X, C = X'D X
 * where the violation follows the motion, c = E (S, W). With T the matrix of (S, W)' = T (S, W),
 *     E p(T) = -f_c,      (dK dC) = X'(K Z E + D Z E T + M Z E T^2)
 * and f_c the first rows of all forces, divided by the penalty. A = T holds M^-1 K, whose rounding
 * is as large as the fastest mode; here slow modes of stiff mechanisms keep their digits, since
 * p(T) is divided by in two factors T - r, of the zeros r of p, and
 *     e (T - r) = g:   v (K + r C + r^2 M) = -(g_S + r g_W),   e = (g_W + v (C + r M), v M)
 * needs no inverse of M either. */
#include <cblas.h>
#include <complex.h>
#include <float.h>

#include "base/lapack.h"
#include "oracles/penalty.h"

typedef double _Complex penalty_pencil_complex_number;

typedef struct polish {
    const rt_penalty_space *p;
    rt_penalty_pencil *out;
    size_t n, m, z, z2;
    double *MX, *DX, *KX; /* n x z */
    double *states;       /* z x z: LU of s_x T Q's last columns */
    double *mass;         /* z x z: LU of M */
    double *E;            /* m x 2z */
    double *xi;           /* 3 of n x 2z: Z E, Z E T, Z E T^2 */
    double *f;            /* n x 2z */
    double *full_K;       /* z x z: K + dK */
    double *full_C;
    penalty_pencil_complex_number *P;     /* z x z: (K + r C + r^2 M)' */
    penalty_pencil_complex_number *e, *v; /* 2z x m, z x m: transposed */
    int *state_pivots, *mass_pivots, *pivots;
} polish;

/* c = alpha op(a) b + beta c */
static void penalty_pencil_product(int transposed, size_t rows, size_t inner, size_t columns,
                                   double alpha, const double *a, const double *b, double beta,
                                   double *c)
{
    const int m = (int)rows, n = (int)columns, k = (int)inner;
    if (m == 0 || n == 0 || k == 0) return;
    cblas_dgemm(CblasColMajor, transposed ? CblasTrans : CblasNoTrans, CblasNoTrans, m, n, k, alpha,
                a, transposed ? k : m, b, k, beta, c, m);
}

static bool penalty_pencil_take(polish *q, rt_arena *arena)
{
    const size_t square = q->z * q->z, motions = q->n * q->z;
    double **squares[] = {&q->states, &q->mass,   &q->full_K,  &q->full_C, &q->out->M,
                          &q->out->C, &q->out->K, &q->out->dC, &q->out->dK};
    for (size_t k = 0; k < sizeof squares / sizeof *squares; k++)
        if (!(*squares[k] = RT_TAKE(arena, double, square))) return false;
    bool ok = (q->out->T = RT_TAKE(arena, double, 2 * square)) != NULL;
    ok = ok && (q->MX = RT_TAKE(arena, double, motions));
    ok = ok && (q->DX = RT_TAKE(arena, double, motions));
    ok = ok && (q->KX = RT_TAKE(arena, double, motions));
    ok = ok && (q->E = RT_TAKE(arena, double, q->m * q->z2));
    ok = ok && (q->xi = RT_TAKE(arena, double, 3 * q->n * q->z2));
    ok = ok && (q->f = RT_TAKE(arena, double, q->n * q->z2));
    ok = ok && (q->P = RT_TAKE(arena, penalty_pencil_complex_number, square));
    ok = ok && (q->e = RT_TAKE(arena, penalty_pencil_complex_number, q->z2 * q->m));
    ok = ok && (q->v = RT_TAKE(arena, penalty_pencil_complex_number, q->z * q->m));
    ok = ok && (q->state_pivots = RT_TAKE(arena, int, q->z));
    ok = ok && (q->mass_pivots = RT_TAKE(arena, int, q->z));
    return ok && (q->pivots = RT_TAKE(arena, int, q->z));
}

/* ---- the exact equations -------------------------------------------------------------------- */

/* WX = W X and X'W X */
static void penalty_pencil_project(const polish *q, const rt_pattern *pattern, const double *values,
                                   const double *X, double *WX, double *reduced)
{
    for (size_t k = 0; k < q->z; k++)
        rt_sparse_multiply_add(pattern, values, 1, X + q->n * k, WX + q->n * k);
    penalty_pencil_product(1, q->z, q->n, q->z, 1, X, WX, 0, reduced);
}

static routh_status penalty_pencil_begin(polish *q, const double *X, routh_error *error)
{
    const rt_search *s = q->p->s;
    penalty_pencil_project(q, &s->m->pattern_M, s->w->M, X, q->MX, q->out->M);
    penalty_pencil_project(q, &s->m->pattern_K, s->w->D, X, q->DX, q->out->C);
    penalty_pencil_project(q, &s->m->pattern_K, s->w->K, X, q->KX, q->out->K);
    memcpy(q->mass, q->out->M, q->z * q->z * sizeof *q->mass);
    memcpy(q->states, q->p->state + q->z * q->m, q->z * q->z * sizeof *q->states);
    const routh_status status = rt_lu_factor((int)q->z, q->mass, q->mass_pivots, error);
    return status ? status : rt_lu_factor((int)q->z, q->states, q->state_pivots, error);
}

/* ---- one evaluation ------------------------------------------------------------------------- */

/* T's last rows, -M^-1 [K + dK, C + dC] */
static routh_status fill_T(const polish *q, routh_error *error)
{
    const rt_penalty_pencil *o = q->out;
    const size_t square = q->z * q->z;
    for (size_t e = 0; e < square; e++) {
        q->full_K[e] = o->K[e] + o->dK[e];
        q->full_C[e] = o->C[e] + o->dC[e];
        o->T[e] = -q->full_K[e];
        o->T[square + e] = -q->full_C[e];
    }
    return rt_lu_solve((int)q->z, q->mass, q->mass_pivots, (int)q->z2, o->T, 0, error);
}

/* to = from T, rows x 2z */
static void penalty_pencil_times_T(const polish *q, size_t rows, const double *from, double *to)
{
    const double *second = from + rows * q->z;
    memset(to, 0, rows * q->z * sizeof *to);
    memcpy(to + rows * q->z, from, rows * q->z * sizeof *to);
    penalty_pencil_product(0, rows, q->z, q->z2, 1, second, q->out->T, 1, to);
}

/* Z c: the motion of a violation that the states do not see */
static routh_status penalty_pencil_move(const polish *q, const double *c, double *xi,
                                        routh_error *error)
{
    for (size_t k = 0; k < q->z2; k++) {
        memcpy(xi + q->n * k, c + q->m * k, q->m * sizeof *xi);
        double *y = xi + q->n * k + q->m;
        memset(y, 0, q->z * sizeof *y);
        for (size_t r = 0; r < q->m; r++)
            for (size_t i = 0; i < q->z; i++) y[i] -= q->p->state[i + q->z * r] * c[r + q->m * k];
        const routh_status status =
            rt_lu_solve((int)q->z, q->states, q->state_pivots, 1, y, 0, error);
        if (status) return status;
    }
    rt_penalty_motion(q->p, (int)q->z2, xi);
    return ROUTH_OK;
}

/* f = (K Z E + D Z E T + M Z E T^2), dK and dC of it; then with the motion along the tangent too */
static routh_status penalty_pencil_evaluate(const polish *q, const double *X, routh_error *error)
{
    const rt_search *s = q->p->s;
    const size_t motion = q->n * q->z2, half = q->n * q->z;
    const routh_status status = penalty_pencil_move(q, q->E, q->xi, error);
    if (status) return status;
    penalty_pencil_times_T(q, q->n, q->xi, q->xi + motion);
    penalty_pencil_times_T(q, q->n, q->xi + motion, q->xi + 2 * motion);
    memset(q->f, 0, motion * sizeof *q->f);
    for (size_t k = 0; k < q->z2; k++) {
        double *f = q->f + q->n * k, *xi = q->xi + q->n * k;
        rt_sparse_multiply_add(&s->m->pattern_K, s->w->K, 1, xi, f);
        rt_sparse_multiply_add(&s->m->pattern_K, s->w->D, 1, xi + motion, f);
        rt_sparse_multiply_add(&s->m->pattern_M, s->w->M, 1, xi + 2 * motion, f);
    }
    penalty_pencil_product(1, q->z, q->n, q->z, 1, X, q->f, 0, q->out->dK);
    penalty_pencil_product(1, q->z, q->n, q->z, 1, X, q->f + half, 0, q->out->dC);
    for (size_t e = 0; e < half; e++) q->f[e] += q->KX[e], q->f[half + e] += q->DX[e];
    penalty_pencil_product(0, q->n, q->z, q->z2, 1, q->MX, q->out->T, 1, q->f);
    rt_penalty_turn_rows(q->p, (int)q->z2, q->f);
    return ROUTH_OK;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* e := e (T - r)^-1, rows of e are columns */
static routh_status penalty_pencil_divide(const polish *q, penalty_pencil_complex_number r,
                                          routh_error *error)
{
    const size_t z = q->z;
    const double *M = q->out->M;
    for (size_t i = 0; i < z; i++)
        for (size_t k = 0; k < z; k++)
            q->P[k + z * i] = q->full_K[i + z * k] + r * (q->full_C[i + z * k] + r * M[i + z * k]);
    for (size_t c = 0; c < q->m; c++)
        for (size_t i = 0; i < z; i++)
            q->v[i + z * c] = -(q->e[i + q->z2 * c] + r * q->e[z + i + q->z2 * c]);
    const routh_status status = rt_complex_solve((int)z, q->P, q->pivots, (int)q->m, q->v, error);
    for (size_t c = 0; c < q->m && !status; c++)
        for (size_t k = 0; k < z; k++) {
            penalty_pencil_complex_number damped = 0, heavy = 0;
            for (size_t i = 0; i < z; i++) {
                damped += q->v[i + z * c] * q->full_C[i + z * k];
                heavy += q->v[i + z * c] * M[i + z * k];
            }
            q->e[k + q->z2 * c] = q->e[z + k + q->z2 * c] + damped + r * heavy;
            q->e[z + k + q->z2 * c] = heavy;
        }
    return status;
}

/* E := -f_c p(T)^-1; its largest entry and its largest change */
static routh_status penalty_pencil_correct_E(const polish *q, double *size, double *change,
                                             routh_error *error)
{
    const rt_penalty_options *o = &q->p->options;
    const penalty_pencil_complex_number root =
        csqrt((penalty_pencil_complex_number)(o->xi * o->xi - 1));
    for (size_t k = 0; k < q->z2; k++)
        for (size_t c = 0; c < q->m; c++) q->e[k + q->z2 * c] = -q->f[c + q->n * k];
    routh_status status = penalty_pencil_divide(q, -o->omega * (o->xi + root), error);
    if (!status) status = penalty_pencil_divide(q, -o->omega * (o->xi - root), error);
    *size = *change = 0;
    for (size_t k = 0; k < q->z2 && !status; k++)
        for (size_t c = 0; c < q->m; c++) {
            double *E = &q->E[c + q->m * k];
            const double next = creal(q->e[k + q->z2 * c]), difference = fabs(next - *E);
            /* a NaN stays */
            if (!(fabs(next) <= *size)) *size = fabs(next);
            if (!(difference <= *change)) *change = difference;
            *E = next;
        }
    return status;
}

/* How far the motion leaves the tangent: the largest entry of E by y = s_x T Q's last columns^-1 S,
 * and by y' / omega. */
static double penalty_pencil_violation(const polish *q)
{
    double largest = 0;
    for (size_t c = 0; c < q->m; c++)
        for (size_t k = 0; k < q->z2; k++) {
            double sum = 0;
            for (size_t i = 0; i < q->z; i++)
                sum += q->E[c + q->m * (i + (k < q->z ? 0 : q->z))] *
                       q->p->state[i + q->z * (q->m + k % q->z)];
            largest = fmax(largest, fabs(k < q->z ? sum : sum * q->p->options.omega));
        }
    return largest;
}

/* Until the next change would be rounding, or until they no longer fall. */
static routh_status penalty_pencil_iterate(const polish *q, const double *X, bool *found,
                                           routh_error *error)
{
    enum { MOST_STEPS = 40 };
    static const double most_violation = 1e-2, settled = 1e-3;
    double before = INFINITY, size, change;
    routh_status status = ROUTH_OK;
    *found = false;
    for (int k = 0; k < MOST_STEPS && !status; k++) {
        status = fill_T(q, error);
        if (!status) status = penalty_pencil_evaluate(q, X, error);
        if (status || *found) break;
        status = penalty_pencil_correct_E(q, &size, &change, error);
        if (!isfinite(size) || !isfinite(change)) return ROUTH_OK;
        *found = (k > 0 && change * (change / before) <= DBL_EPSILON * size) ||
                 (change <= settled * size && change >= before);
        before = change;
    }
    if (!status && *found) *found = penalty_pencil_violation(q) <= most_violation;
    return status ? status : *found ? fill_T(q, error) : ROUTH_OK;
}

static bool states_see_velocities(const rt_penalty_space *p)
{
    for (int i = 0; i < p->z; i++)
        for (int c = 0; c < p->rows[i].n; c++)
            if (p->rows[i].w_x[c] != 0) return true;
    return false;
}

/* xi = X S + Z E (S, ..), u = Z E T (S, ..) + .. */
static void penalty_pencil_fill_motion(const polish *q, const double *X, rt_sensitivity *out)
{
    const size_t motion = q->n * q->z2;
    for (size_t e = 0; e < q->n * q->z; e++) {
        out->X[e] = X[e] + q->xi[e];
        out->U[e] = q->xi[motion + e];
    }
}

routh_status rt_penalty_polish(const rt_penalty_space *p, const double *X,
                               rt_penalty_pencil *pencil, rt_sensitivity *out, bool *found,
                               rt_arena *arena, routh_error *error)
{
    polish q = {.p = p, .out = pencil};
    q.n = (size_t)p->n, q.m = (size_t)p->m, q.z = (size_t)p->z, q.z2 = 2 * q.z;
    *found = false;
    *pencil = (rt_penalty_pencil){.z = p->z};
    if (p->reactions || states_see_velocities(p)) return ROUTH_OK;
    if (!penalty_pencil_take(&q, arena)) return rt_fail_memory(error);
    routh_status status = penalty_pencil_begin(&q, X, error);
    if (!status) status = penalty_pencil_iterate(&q, X, found, error);
    /* a true eigenvalue at a zero of p */
    const bool diverged = status == ROUTH_SINGULAR || status == ROUTH_NUMERIC_ERROR;
    if (diverged) *found = false;
    if (diverged) return ROUTH_OK;
    if (!status && *found) penalty_pencil_fill_motion(&q, X, out);
    return status;
}
