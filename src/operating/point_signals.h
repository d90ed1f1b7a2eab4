/* Signals of an operating point that was found, and what is to be said of them; private to the
 * room. */
#ifndef RT_OPERATING_POINT_SIGNALS_H
#define RT_OPERATING_POINT_SIGNALS_H

#include "operating/signals.h"

/* point->signals: states, variables, inputs, outputs. The state is evaluated. */
routh_status rt_fill_signals(routh_operating_point *point, rt_search *search, bool is_static,
                             routh_error *error);

/* Sentences for the list of warnings, one after another: `say` gives false where memory is short,
 * which ends it. Kinks that the point is on, states that were to be placed and are not, inputs that
 * reach nothing, joint forces that are used and not determined. M must be evaluated. */
typedef bool (*rt_say)(routh_operating_point *point, const char *text);
routh_status rt_tell_of_signals(routh_operating_point *point, rt_search *search, rt_say say,
                                routh_error *error);

/* Functions of the caller whose derivatives are not good at the point (point_functions.c). */
routh_status rt_tell_of_functions(routh_operating_point *point, const rt_search *search, rt_say say,
                                  routh_error *error);

#endif
