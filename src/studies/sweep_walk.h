/* Whether steps of a sweep stay on one branch of operating points. */
#ifndef RT_STUDIES_SWEEP_WALK_H
#define RT_STUDIES_SWEEP_WALK_H

#include "studies/sweep.h"

/* Has every eigenvalue of a one of b, as far as two searches find the same operating point? */
bool rt_solutions_agree(const rt_solution *a, const rt_solution *b);

/* Do the bodies move so little from a to b that no other operating point lies between? */
bool rt_is_short_step(const rt_solution *a, const rt_solution *b);

/* *now was found from `from` by one step. A long one is confirmed by shorter ones, whose end
 * replaces it where they lead elsewhere; where they lead nowhere, it does not count as followed. */
routh_status rt_walk_confirm(const rt_sweep_task *task, const rt_solution *from, rt_solution *now,
                             routh_error *error);

#endif
