/* Arguments that belong together: an operating point is of one mechanism, a linear model of one
 * operating point, modes of one linear model. Found by comparing numbers that each carries
 * (base/identity.h). All of these ask for the arguments to be there, too. */
#ifndef RT_ENTRY_BELONGS_H
#define RT_ENTRY_BELONGS_H

#include "entry/call.h"

void rt_call_point(rt_call *call, const routh_operating_point *point,
                   const routh_mechanism *mechanism, const char *name);
/* Computed at this point of this mechanism. */
void rt_call_linear(rt_call *call, const routh_linear *linear, const routh_operating_point *point,
                    const char *name);
/* A linear model by itself: counts that add up. */
void rt_call_whole(rt_call *call, const routh_linear *linear, const char *name);
void rt_call_modes(rt_call *call, const routh_modes *modes, const routh_linear *linear,
                   const char *name);
/* Of a linear model at this point, which is not an argument. */
void rt_call_modes_at(rt_call *call, const routh_modes *modes, const routh_operating_point *point,
                      const char *name);
/* A mode whose shape is as long as the states are. */
void rt_call_mode(rt_call *call, const routh_mode *mode, int n_states, const char *name);
/* A result that holds the number `of` of its linear model; 0: not known, and taken as it is. */
void rt_call_result(rt_call *call, unsigned long long of, const routh_linear *linear,
                    const char *name);
void rt_call_compared(rt_call *call, const routh_compared *compared, const char *name);
/* What is in the results belongs together, as far as it is there. */
void rt_call_results(rt_call *call, const routh_results *results, const char *name);

#define RT_POINT(point, mechanism) RT_CHECK(rt_call_point(&call, point, mechanism, #point))
#define RT_LINEAR(linear, point) RT_CHECK(rt_call_linear(&call, linear, point, #linear))
#define RT_WHOLE(linear) RT_CHECK(rt_call_whole(&call, linear, #linear))
#define RT_MODES(modes, linear) RT_CHECK(rt_call_modes(&call, modes, linear, #modes))
#define RT_MODES_AT(modes, point) RT_CHECK(rt_call_modes_at(&call, modes, point, #modes))
#define RT_MODE(mode, n_states) RT_CHECK(rt_call_mode(&call, mode, n_states, #mode))
#define RT_COMPARED(compared) RT_CHECK(rt_call_compared(&call, compared, #compared))
#define RT_RESULTS(results) RT_CHECK(rt_call_results(&call, results, #results))

#endif
