/* Whether steps of a sweep stay on one branch of operating points. */
#ifndef RT_STUDIES_SWEEP_WALK_H
#define RT_STUDIES_SWEEP_WALK_H

#include "studies/sweep.h"

/* Has every eigenvalue of a one of b, as far as two searches find the same operating point? */
bool rt_solutions_agree(const rt_solution *a, const rt_solution *b);

/* Do the bodies move so little from a to b that no other operating point lies between? */
bool rt_is_short_step(const rt_solution *a, const rt_solution *b);

/* Where a step is divided. Not half-way: grids are often symmetric about a crossing. */
static const double RT_STEP_MIDDLE = 0.47;

/* What a branch is nearly linear in: the value, or, beside its end, sqrt(|end - value|). */
typedef struct rt_step_measure {
    bool by_root;
    double end;
} rt_step_measure;

/* At which part of the way from `from` to `before` a value lies by that measure; 0 where none is
 * known before (NULL). */
double rt_step_part(const rt_step_measure *measure, const rt_solution *before,
                    const rt_solution *from, double value);

/* Where a branch may end or be crossed by another one: does a step go elsewhere than the one before
 * it? On a line now would be at `part` of the way from `from` to `before`. Where none is known
 * before (NULL): does anything move? */
bool rt_step_bends(const rt_solution *before, const rt_solution *from, const rt_solution *now,
                   double part);

/* Is a step of the branch, by halves of it that lie on one line? */
routh_status rt_step_is_straight(const rt_sweep_task *task, const rt_step_measure *measure,
                                 const rt_solution *before, const rt_solution *from,
                                 const rt_solution *now, bool *straight, routh_error *error);

/* *now was found from `from` by one step. One that is long, or goes elsewhere than the step from
 * `before` (NULL: there is none), is compared with shorter ones, whose end replaces it where they
 * lead elsewhere; where they lead nowhere, it does not count as followed. */
routh_status rt_walk_confirm(const rt_sweep_task *task, const rt_solution *before,
                             const rt_solution *from, rt_solution *now, routh_error *error);

#endif
