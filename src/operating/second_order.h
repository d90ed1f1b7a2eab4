/* The constraints to second order, where they are redundant.
 *
 * N spans the directions the joints leave free to first order, G N = 0; Y the combinations of rows
 * that say nothing to first order, Y'G = 0. A motion q(s) along v = N c needs an acceleration a
 * with G a + Phi_xx[v, v] = 0, so
 *     Q_y(c) = y' Phi_xx[N c, N c] = c' N' (d(G'y)/dxi) N c = 0      for every y in Y.
 * Where rows are redundant on the way, all Q_y vanish; where one does not, the configuration is
 * singular, lambda + s y balances as well as lambda, and K along N depends on s. */
#ifndef RT_OPERATING_SECOND_ORDER_H
#define RT_OPERATING_SECOND_ORDER_H

#include "operating/operating.h"

typedef struct rt_second_order {
    int z;         /* columns of N */
    double *N;     /* n_u x z, column-major, orthonormal in lengths (search->unit) */
    int n_forms;   /* independent Q_y */
    double *forms; /* n_forms of z x z, symmetric, orthonormal */
    double *y;     /* n_rows x n_forms, column-major: of each the multipliers, all of unit joint
                      forces together */
} rt_second_order;

/* At most so many columns, twice as many rows, and degrees of freedom: the work is dense. */
enum { RT_SECOND_ORDER_MOST = 600, RT_SECOND_ORDER_MOST_FREE = 60 };
bool rt_second_order_fits(const routh_mechanism *mechanism);

/* At search->state, with search->rank made there. Leaves search->w evaluated at the state with
 * other multipliers. */
routh_status rt_second_order_find(rt_second_order *out, rt_search *search, rt_arena *arena,
                                  routh_error *error);

/* How much of the force of each constraint is undetermined, as a fraction of that of all joints
 * together; below RT_UNDETERMINED_LEAST it is rounding. */
#define RT_UNDETERMINED_LEAST 1e-6
routh_status rt_undetermined_forces(const rt_second_order *second, const rt_search *search,
                                    rt_arena *arena, double *of_constraint, routh_error *error);

#endif
