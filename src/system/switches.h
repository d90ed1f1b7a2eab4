/* Switching functions: the distances of kinks, then the functions of events. Where one of them
 * changes its sign in a run, the motion loses its smoothness or an event happens. */
#ifndef RT_SYSTEM_SWITCHES_H
#define RT_SYSTEM_SWITCHES_H

#include "system/sensor.h"

/* How many: kinks first, in the model's order, then events. */
int rt_switch_count(const routh_mechanism *mechanism);

/* The event that the switching function k belongs to; -1: it is a kink's. */
int rt_switch_event(const routh_mechanism *mechanism, int k);

/* All values (rt_switch_count of them) at a state where r was evaluated. An infinite one is the
 * largest finite number; NUMERIC_ERROR names the element where one is not a number. Allocates
 * nothing. */
routh_status rt_switch_values(const routh_mechanism *mechanism, rt_workspace *workspace,
                              const rt_state *state, rt_scalar *values, routh_error *error);

/* Does the motion lose its smoothness where switching function k crosses zero in that state: do the
 * two sides differ in value or slope (v*abs(v) does not)? True of events. */
bool rt_switch_matters(const routh_mechanism *mechanism, rt_workspace *workspace,
                       const rt_state *state, int k);

/* Where k matters: do values step from one to another there by the motion, or does an event set an
 * input? False where a force goes on from the same value, or steps at a given time. */
bool rt_switch_steps(const routh_mechanism *mechanism, rt_workspace *workspace,
                     const rt_state *state, int k);

/* What event k gives its input in the state where r was evaluated; 0 where it sets none.
 * NUMERIC_ERROR where the value is not finite. Allocates nothing. */
routh_status rt_event_value(const routh_mechanism *mechanism, rt_workspace *workspace,
                            const rt_state *state, int k, double *value, routh_error *error);

/* Gives it that value, without rates, and ends its history; nothing where event k sets none. */
void rt_event_set(const routh_mechanism *mechanism, rt_state *state, int k, double value);

#endif
