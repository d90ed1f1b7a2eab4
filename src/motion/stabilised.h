/* The equations of motion as an implicit system of index 2, with the constraints of position kept
 * by multipliers of their own (Gear, Gupta, Leimkuhler 1985; Fuehrer, Leimkuhler 1991). Unknowns
 * y = (p, u, lambda, mu, x, v): positions p, which are the numbers of q, but a quaternion for every
 * rotation of three columns; multipliers of rows of G that are independent; states of controllers;
 * variables. Residuals, in that order,
 *     p' - N(p) (u + S G_p' mu) = 0,      S = diag(unit^2)
 *     r(p, u, u', lambda, x, x', v) = 0
 *     Phi'(p, u) = 0                      all rows
 *     Phi(p) = 0                          rows that have a position level
 *     d(x', x, ...) = 0,    v - value(...) = 0
 * The Jacobian d/dy + c d/dy' is exact but for the part of mu times second derivatives of Phi; mu
 * vanishes in the exact solution. */
#ifndef RT_MOTION_STABILISED_H
#define RT_MOTION_STABILISED_H

#include "motion/motion.h"

typedef struct rt_stabilised rt_stabilised;

/* For the rows that run->search.rank and position_rank keep. */
routh_status rt_stabilised_create(rt_stabilised **equations, const rt_run *run, routh_error *error);
void rt_stabilised_free(rt_stabilised *equations); /* NULL is allowed */

/* Is it made for the rows that are kept now? */
bool rt_stabilised_fits(const rt_stabilised *equations, const rt_run *run);

int rt_stabilised_size(const rt_stabilised *equations);

/* y and y' of run->search.state, which is evaluated, and whose multipliers of rows left out are 0;
 * mu = 0, and 0 for rates that no equation has. */
void rt_stabilised_take(const rt_stabilised *equations, const rt_run *run, double *y, double *ydot);

/* The other way round, into run->search.state. */
routh_status rt_stabilised_put(rt_stabilised *equations, rt_run *run, double t, const double *y,
                               const double *ydot, routh_error *error);

routh_status rt_stabilised_residual(rt_stabilised *equations, rt_run *run, double t,
                                    const double *y, const double *ydot, double *residual,
                                    routh_error *error);

/* d residual/dy + c d residual/dy' on its pattern. */
const rt_pattern *rt_stabilised_pattern(const rt_stabilised *equations);
routh_status rt_stabilised_jacobian(rt_stabilised *equations, rt_run *run, double t, double c,
                                    const double *y, const double *ydot, double *values,
                                    routh_error *error);

/* As rt_partition_weights; next to nothing for multipliers and variables, which follow. */
void rt_stabilised_weights(const rt_stabilised *equations, const rt_run *run, double *weight);

/* 1: an unknown whose rate is in the equations; 0: multipliers and variables. */
void rt_stabilised_kinds(const rt_stabilised *equations, double *kind);

#endif
