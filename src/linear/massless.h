/* The linear model about a state at rest where motions without inertia are free. The method has run
 * on the auxiliary mechanism, whose K, D and forces are those of the plain one; what follows is
 * exact and has nothing of the auxiliary masses left:
 *     Mhat W' + Chat W + Khat S = ..,     Mhat = Xw'M Xw of the plain mechanism, singular.
 * Its null rows are balances without acceleration: they determine velocities where Chat is regular
 * on them (a Maxwell element: a state of first order), else positions where Khat is. The states
 * that are left are chosen among those that there were. */
#ifndef RT_LINEAR_MASSLESS_H
#define RT_LINEAR_MASSLESS_H

#include "linear/holder.h"

/* From holder->linear's full matrices and task->x (whole) to the reduced ones, of task->states too.
 */
routh_status rt_linear_reduce_massless(rt_linear_holder *holder, rt_linear_task *task,
                                       const rt_method_task *work, routh_error *error);

/* NOT_SUPPORTED: names what feels accelerations or joint forces in the loop, and the method that
 * gives no whole response. */
routh_status rt_linear_check_massless(const rt_linear_task *task, routh_error *error);

#endif
