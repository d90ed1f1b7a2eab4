/* One step towards static equilibrium with controllers and variables; private to the room. */
#ifndef RT_OPERATING_STATIC_SIGNALS_H
#define RT_OPERATING_STATIC_SIGNALS_H

#include "operating/signals.h"

typedef struct rt_static_signals rt_static_signals;

/* Of the rows that search->rank keeps. */
routh_status rt_static_signals_create(rt_static_signals **system, const rt_search *search,
                                      routh_error *error);
void rt_static_signals_free(rt_static_signals *system); /* NULL is allowed */

/* The step from what is evaluated: xi into search->x, dlambda into search->y; those of x and v are
 * kept. SINGULAR as rt_factor_numeric. */
routh_status rt_static_signals_step(rt_static_signals *system, const rt_search *search,
                                    double sigma, routh_error *error);

/* x and v moved by the step found last, and put back. */
void rt_static_signals_move(rt_static_signals *system, rt_search *search);
void rt_static_signals_restore(const rt_static_signals *system, rt_search *search);

/* The state of rest that controllers start from: no rates, variables in no loop as they follow;
 * those that use joint forces only where r is evaluated (`forces`). */
void rt_static_signals_start(rt_search *search, bool forces);

/* The largest real part among the eigenvalues of the closed loop at the equilibrium that is
 * evaluated (K, D and the rows of signals too), what rounding may make of it, whether it is one of
 * a pair, and into search->x the displacement of its motion, its largest step a unit of length.
 * n_z: how many directions the constraints leave. SINGULAR where accelerations and signals cannot
 * be solved for. */
routh_status rt_closed_loop(rt_search *search, int n_z, double *largest, double *rounding,
                            bool *oscillates, routh_error *error);

#endif
