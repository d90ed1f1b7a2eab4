/* The equations of motion as a state-space ODE by coordinate partitioning (Wehage and Haug; ME751
 * note, Eqs. 8-21): y = (v, w, x),
 *     v   functions (chart.h) of the columns of u that G leaves independent,      n_v of them
 *     w   the rates of such functions, fewer where rows hold velocities only,     n_w
 *     x   the states of controllers,                                              n_x
 *     v' = V u,      w' = W u' + bend,      x' as the controllers have it.
 * The configuration follows from v by Newton on Phi = 0 with v held, velocities by one solve,
 *     [G_p; V] xi = [-Phi; v - v(q)],      [G; W] u = [-Phi_t; w],
 * accelerations from the equations of motion. Which columns are independent is found by elimination
 * of G, and anew where the choice has become a poor one. */
#ifndef RT_MOTION_PARTITION_H
#define RT_MOTION_PARTITION_H

#include "motion/motion.h"

typedef struct rt_partition rt_partition;

routh_status rt_partition_create(rt_partition **partition, rt_run *run, routh_error *error);
void rt_partition_free(rt_partition *partition); /* NULL is allowed */

/* Chooses independent columns at run->now, anew and as if there had been no choice before;
 * rt_partition_size may be another after it. */
routh_status rt_partition_choose(rt_partition *partition, rt_run *run, routh_error *error);

/* Numbers of y; at most n_u of v, n_u of w. */
int rt_partition_size(const rt_partition *partition);
int rt_partition_most(const rt_partition *partition);

/* How many of y are v; and the column of u that number k of y belongs to, -1: it is a state of a
 * controller. */
int rt_partition_n_positions(const rt_partition *partition);
int rt_partition_column(const rt_partition *partition, int k);

/* y of run->search.state, which must have been evaluated. */
void rt_partition_take(rt_partition *partition, const rt_run *run, double *y);

/* The configuration to look for the next one from, and controllers and inputs with it: a state on
 * the constraints into run->search.state. */
routh_status rt_partition_start(rt_partition *partition, rt_run *run, const rt_state *state,
                                routh_error *error);

/* q, u and x of y into run->search.state, from the configuration that it has, which must not be
 * far. NUMERIC_ERROR where there is none. */
routh_status rt_partition_place(rt_partition *partition, rt_run *run, double t, const double *y,
                                routh_error *error);

/* The same with u', lambda, x' and variables, and y'. */
routh_status rt_partition_rate(rt_partition *partition, rt_run *run, double t, const double *y,
                               double *ydot, routh_error *error);

/* ---- for ways in parts (way.h) -------------------------------------------------------------- */

/* No rows bind the configuration and nothing turns: numbers of q are v. */
bool rt_partition_is_direct(const rt_partition *partition);

/* The first correction [-Phi; v - v(q)] of Newton's method at run->search.state, as its time and
 * signals are, by the factors that there are. */
routh_status rt_partition_correction(rt_partition *partition, rt_run *run, const double *y,
                                     double *correction, routh_error *error);

/* As rt_partition_place, but q only, and time and signals as they are: the corrections that it
 * began with (first: n_u numbers), second in the norm of rt_run_norm. */
typedef struct rt_partition_move {
    double *first;
    double second;
} rt_partition_move;

routh_status rt_partition_move_to(rt_partition *partition, rt_run *run, const double *y,
                                  rt_partition_move *move, routh_error *error);

/* New factors at run->search.state. */
routh_status rt_partition_factor_anew(rt_partition *partition, rt_run *run, routh_error *error);

/* The sign of the determinant of [G; V] there: where it changes, v does not determine the
 * configuration in between, or the rows that are kept do not. 0: it may have either, or rows that
 * are left out are open. */
int rt_partition_sign(const rt_partition *partition, const rt_run *run);

/* Are rows left out? */
bool rt_partition_has_choice(const rt_partition *partition);

/* Chooses the rows that are kept anew at run->search.state, v and w as they are. NUMERIC_ERROR
 * where the degrees of freedom are others there. Allocates. */
routh_status rt_partition_choose_rows(rt_partition *partition, rt_run *run, routh_error *error);

/* As rt_partition_rate, at the configuration that run->search.state has, with new factors. */
routh_status rt_partition_rate_there(rt_partition *partition, rt_run *run, const double *y,
                                     double *ydot, routh_error *error);

/* May rates be taken at run->search.state, by the factors there are? */
bool rt_partition_is_usable(rt_partition *partition, const rt_run *run);

/* ---- while it is used ----------------------------------------------------------------------- */

/* Has the choice become poor at run->search.state, where rt_partition_place has been? Small changes
 * of v then move the rest by three times what they did when it was made, or a turn nears the end
 * of its angles. */
bool rt_partition_worn(rt_partition *partition, const rt_run *run);

/* The longest step from run->now in which no turn leaves the room of its angles, s; INFINITY where
 * none turns. */
double rt_partition_longest_step(const rt_partition *partition, const rt_run *run);

/* weight[] such that the largest |dy_k| weight_k is the local error over the tolerance: v in
 * typical lengths and radians, w as these times the rate of the motion at run->now, x over
 * run->x_size. */
void rt_partition_weights(const rt_partition *partition, const rt_run *run, double *weight);

#endif
