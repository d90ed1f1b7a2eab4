/* The penalized equations about a state of rest (Gonzalez et al. 2017, Eqs. 11 to 18 with ERRATA),
 *     M x'' + D x' + K x = 0,    x = (c, y),    2 n eigenvalues,
 * and the states' equations on the invariant subspace V of the 2z true ones, V' = V T,
 *     A = (P V) T (P V)^-1,    P = [s_x 0; w_x s_x]. */
#include <stdlib.h>

#include "base/lapack.h"
#include "oracles/penalty.h"

/* ---- the 2n equations ----------------------------------------------------------------------- */

static double penalty_spectrum_largest(const double *x, size_t n)
{
    double size = 0;
    for (size_t k = 0; k < n; k++) size = fmax(size, fabs(x[k]));
    return size;
}

routh_status rt_penalty_equations(const rt_penalty_space *p, rt_penalty_modes *q, rt_arena *arena,
                                  routh_error *error)
{
    const rt_penalty_options *o = &p->options;
    const rt_pattern *K = &p->s->m->pattern_K;
    const size_t n = (size_t)p->n;
    double *lu = RT_TAKE(arena, double, n *n);
    int *pivots = RT_TAKE(arena, int, n);
    q->D = RT_TAKE(arena, double, n *n);
    q->K = RT_TAKE(arena, double, n *n);
    if (!lu || !pivots || !q->D || !q->K) return rt_fail_memory(error);
    routh_status status = rt_penalty_turn(p, K, p->s->w->D, q->D, arena, error);
    if (!status) status = rt_penalty_turn(p, K, p->s->w->K, q->K, arena, error);
    for (size_t k = 0; k < (size_t)p->m; k++) {
        q->D[(n + 1) * k] += 2 * o->xi * o->omega;
        q->K[(n + 1) * k] += o->omega * o->omega;
    }
    if (!status) status = rt_penalty_mass(p, lu, pivots, arena, error);
    if (!status) status = rt_lu_solve(p->n, lu, pivots, p->n, q->D, 0, error);
    if (!status) status = rt_lu_solve(p->n, lu, pivots, p->n, q->K, 0, error);
    if (status) return status;
    q->rate = fmax(o->omega, sqrt(penalty_spectrum_largest(q->K, n * n)));
    for (size_t k = 0; k < n * n; k++) {
        q->D[k] /= q->rate;
        q->K[k] /= q->rate * q->rate;
    }
    return ROUTH_OK;
}

/* ---- the states' equations ------------------------------------------------------------------ */

typedef struct penalty_spectrum_states {
    const rt_penalty_space *p;
    const rt_penalty_modes *modes;
    size_t n, z2;
    double *PV, *lu; /* 2z x 2z */
    int *pivots;
    double *xi, *u;     /* n x 2z: the motions of V's columns */
    double *row, *work; /* 2z */
} penalty_spectrum_states;

static void map_to_states(penalty_spectrum_states *q)
{
    const rt_penalty_space *p = q->p;
    const size_t z = (size_t)p->z;
    for (size_t k = 0; k < q->z2; k++) {
        const double *v = q->modes->V + 2 * q->n * k;
        double *xi = q->xi + q->n * k, *u = q->u + q->n * k, *PV = q->PV + q->z2 * k;
        memcpy(xi, v, q->n * sizeof *xi);
        memcpy(u, v + q->n, q->n * sizeof *u);
        rt_penalty_motion(p, 1, xi);
        rt_penalty_motion(p, 1, u);
        for (size_t c = 0; c < q->n; c++) u[c] *= q->modes->rate;
        for (size_t i = 0; i < z; i++) {
            const rt_state_row *row = &p->rows[i];
            PV[i] = rt_state_row_times(row, row->s_x, xi);
            PV[z + i] =
                rt_state_row_times(row, row->s_x, u) + rt_state_row_times(row, row->w_x, xi);
        }
    }
}

/* row := from (P V)^-1, entries of from `stride` apart */
static routh_status divide_row(const penalty_spectrum_states *q, const double *from, size_t stride,
                               routh_error *error)
{
    for (size_t k = 0; k < q->z2; k++) q->row[k] = from[stride * k];
    return rt_lu_solve((int)q->z2, q->lu, q->pivots, 1, q->row, 1, error);
}

static routh_status penalty_spectrum_fill_A(const penalty_spectrum_states *q, rt_sensitivity *out,
                                            routh_error *error)
{
    const size_t z = (size_t)q->p->z;
    routh_status status = ROUTH_OK;
    for (size_t i = 0; i < z && !status; i++) {
        for (size_t k = 0; k < q->z2; k++) {
            double sum = 0;
            for (size_t l = 0; l < q->z2; l++)
                sum += q->PV[z + i + q->z2 * l] * q->modes->T[l + q->z2 * k];
            q->work[k] = q->modes->rate * sum;
        }
        status = divide_row(q, q->work, 1, error);
        memcpy(out->A_SS + z * i, q->row, z * sizeof(double));
        memcpy(out->A_SW + z * i, q->row + z, z * sizeof(double));
    }
    return status;
}

/* xi = X S + .., u = U S + .. of the subspace */
static routh_status penalty_spectrum_fill_motion(const penalty_spectrum_states *q,
                                                 rt_sensitivity *out, routh_error *error)
{
    const size_t z = (size_t)q->p->z;
    routh_status status = ROUTH_OK;
    for (size_t c = 0; c < q->n && !status; c++) {
        status = divide_row(q, q->xi + c, q->n, error);
        for (size_t k = 0; k < z; k++) out->X[c + q->n * k] = q->row[k];
        if (!status) status = divide_row(q, q->u + c, q->n, error);
        for (size_t k = 0; k < z; k++) out->U[c + q->n * k] = q->row[k];
    }
    return status;
}

static bool penalty_spectrum_take(penalty_spectrum_states *q, rt_arena *arena)
{
    const size_t square = q->z2 * q->z2, motions = q->n * q->z2;
    bool ok = (q->PV = RT_TAKE(arena, double, square)) && (q->lu = RT_TAKE(arena, double, square));
    ok = ok && (q->xi = RT_TAKE(arena, double, motions));
    ok = ok && (q->u = RT_TAKE(arena, double, motions));
    ok = ok && (q->row = RT_TAKE(arena, double, q->z2));
    ok = ok && (q->work = RT_TAKE(arena, double, q->z2));
    return ok && (q->pivots = RT_TAKE(arena, int, q->z2));
}

static routh_status states_equations(const rt_penalty_space *p, const rt_penalty_modes *modes,
                                     rt_sensitivity *out, rt_arena *arena, routh_error *error)
{
    penalty_spectrum_states q = {.p = p, .modes = modes, .n = (size_t)p->n, .z2 = 2 * (size_t)p->z};
    if (!penalty_spectrum_take(&q, arena)) return rt_fail_memory(error);
    map_to_states(&q);
    memcpy(q.lu, q.PV, q.z2 * q.z2 * sizeof *q.lu);
    routh_status status = rt_lu_factor((int)q.z2, q.lu, q.pivots, error);
    if (!status) status = penalty_spectrum_fill_A(&q, out, error);
    return status ? status : penalty_spectrum_fill_motion(&q, out, error);
}

routh_status rt_penalty_spectrum(rt_penalty_space *p, rt_sensitivity *out, rt_arena *arena,
                                 routh_error *error)
{
    rt_penalty_modes modes = {0};
    bool found = false;
    routh_status status = rt_penalty_iterate(p, &modes, &found, arena, error);
    if (!status && !found) {
        status = rt_penalty_equations(p, &modes, arena, error);
        if (!status) status = rt_penalty_schur(p, &modes, arena, error);
    }
    return status ? status : states_equations(p, &modes, out, arena, error);
}
