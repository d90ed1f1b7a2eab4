/* How an operating point moves with a parameter, in absolute coordinates. */
#ifndef RT_STUDIES_SENSITIVITY_CHANGE_H
#define RT_STUDIES_SENSITIVITY_CHANGE_H

#include "studies/sensitivity_given.h"

enum { RT_CHANGE_COLUMNS = 4 }; /* solved together */

typedef struct rt_change {
    const rt_levels_pencil *p;
    routh_operating_point_type type;
    rt_moved by; /* what is found */
    rt_change_given given;
    rt_steady_change *steady;
    double turn[3];                             /* of the moving frame */
    double *rhs, *residual, *x, *packed, *work; /* of RT_CHANGE_COLUMNS, but for rhs */
    double *phi, *force;
    /* static: [K G'+L R; G; sensors] over (xi, lambda, X, V), and with a little of M in K */
    int order;
    rt_pattern pattern;
    double *values, *held;
    rt_factor *factor;
} rt_change;

/* Memory is the arena's but for what rt_change_release frees. NOT_SUPPORTED where the point is of a
 * kind whose motion is not known. */
routh_status rt_change_create(rt_change *change, const rt_levels_pencil *pencil,
                              const routh_operating_point *point, rt_arena *arena,
                              routh_error *error);
void rt_change_release(rt_change *change);

/* Along one parameter: the variation is left with that direction, moved by what was found. SINGULAR
 * where the parameter leaves no such point near. */
routh_status rt_change_find(rt_change *change, rt_variation *variation, int parameter,
                            routh_error *error);

/* The two steps of it at a static equilibrium of rigid bodies without controllers, for parameters
 * that are varied together. What they do to balance, with nothing moved, as RT_EVALUATE_PHI |
 * RT_EVALUATE_RESIDUAL left it: each force and row into the column of rhs (change->order each) of
 * the one that owns its body. */
void rt_change_share(rt_change *change, const rt_variation *variation, const int *owner,
                     double *rhs);
/* By n such columns, how coordinates and multipliers move: z ((n_u + n_rows) x stride). */
routh_status rt_change_solve(rt_change *change, const double *rhs, int n, int stride, double *z,
                             routh_error *error);

/* A motion of a static equilibrium that nothing resists, into change->by: a chance mixture of all
 * there are, so that whatever any of them moves it moves too. *free: is there one? */
routh_status rt_change_free(rt_change *change, bool *free, routh_error *error);

#endif
