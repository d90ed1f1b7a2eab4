/* The linearized equations of a mechanism as one sparse pencil with all levels in it, in absolute
 * coordinates (docs/theory/sensitivity.md): with y = (S, W, X) and x = (xi, du, du', lambda, X', V)
 *     y' = P x,        0 = Q y + R x
 * where, over the independent rows of G,
 *     P:  S' = s_x du + w_x xi,    W' = s_x du' + a_u du + a_x xi,    X' = X'
 *     0 = G xi                       0 = s_x xi - S
 *     0 = G du + V_x xi              0 = s_x du + w_x xi - W
 *     0 = M du' + D du + K xi + (G'+L) lambda + R signals
 *     0 = G du' + A_u du + A_x xi    0 = equations of controllers, of variables
 * so that A = -P R^-1 Q, and with A v = lambda v, w^H A = lambda w^H, w^H v = 1
 *     dlambda = w^H (dP x + g^H (dQ y + dR x)),   x = -R^-1 Q v,   g^H = -w^H P R^-1. */
#ifndef RT_STUDIES_SENSITIVITY_PENCIL_H
#define RT_STUDIES_SENSITIVITY_PENCIL_H

#include "linear/holder.h"
#include "studies/sensitivity_levels.h"
#include "system/sensor.h"
#include "system/variation.h"

/* One entry of the pencil: sign times a number that is evaluated. Rows and columns: of y first,
 * then those of x. */
typedef struct rt_term {
    int row, column;
    double sign;
    const double *from; /* NULL: the sign itself */
    int varied;         /* where its derivative is among those of rt_pencil_vary; -1: it has none */
} rt_term;

typedef struct rt_levels_pencil {
    const rt_search *s;
    const rt_method_task *task;
    int n, m, m_position, z, z1, n_x, n_v;
    int n1, n2;                                      /* of y and of x */
    int xi, u, a, lambda, rate, v;                   /* where these begin in x */
    int position, velocity, motion, rows, equations; /* and these rows, among those of x */
    int *slot, *position_slot; /* n_rows: place among the independent ones, or -1 */
    rt_state_row *states, *rates;
    int n_terms;
    rt_term *terms;
    int n_rates;  /* so many terms are of P, the first */
    rt_pencil_levels R; /* positions, velocities, motion */
    int n_varied; /* how many numbers vary */
    double *varied;
    int array[RT_VARIED_ARRAYS]; /* where the engine's arrays begin among them; -1: not used */
    int *sensor;                 /* n_x + n_v: where the partials of each begin */
    int *state_at, *rate_at;     /* z, z1: where the rows of states and rates begin */
} rt_levels_pencil;

/* Everything is evaluated in the task's search. Memory is the arena's but for the factor. */
routh_status rt_pencil_create(rt_levels_pencil *pencil, const rt_method_task *task, rt_arena *arena,
                              routh_error *error);
void rt_pencil_release(rt_levels_pencil *pencil);

/* x (n2) of y (n1). */
routh_status rt_pencil_right(const rt_levels_pencil *pencil, const double *y, double *x,
                             routh_error *error);
/* x (n2 x n1) of all columns of the unit matrix, and g (n2 x n1) of those of w (n1 x n1). */
routh_status rt_pencil_rights(const rt_levels_pencil *pencil, double *x, routh_error *error);
routh_status rt_pencil_lefts(const rt_levels_pencil *pencil, const double *w, double *g,
                             routh_error *error);

/* out (n1) = P x */
void rt_pencil_rates(const rt_levels_pencil *pencil, const double *x, double *out);

/* The derivatives of all terms along the variation as it was evaluated, in pencil->varied. */
routh_status rt_pencil_vary(rt_levels_pencil *pencil, rt_variation *variation, routh_error *error);

/* The first number from k on whose derivative is not zero, or n_varied: few numbers depend on one
 * parameter, so the others are passed over four at a time. */
static inline int rt_next_varied(const rt_levels_pencil *pencil, int k)
{
    const double *x = pencil->varied;
    const int n = pencil->n_varied;
    while (k < n - 3 && !((x[k] != 0) | (x[k + 1] != 0) | (x[k + 2] != 0) | (x[k + 3] != 0)))
        k += 4;
    while (k < n && x[k] == 0) k++;
    return k;
}

#endif
