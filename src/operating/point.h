/* Filling an operating point; private to the room. */
#ifndef RT_OPERATING_POINT_H
#define RT_OPERATING_POINT_H

#include "operating/operating.h"

/* All that is said of a point, from where the search stands: in absolute coordinates, with rank and
 * rank_nearby found. */
routh_status rt_point_fill(routh_operating_point *point, rt_search *search,
                           routh_operating_point_type type, routh_error *error);

/* What is said of flexible bodies: point->bodies are filled, the search has been evaluated. */
void rt_point_fill_flexible(routh_operating_point *point, const rt_search *search);

/* Adds a sentence to the warnings; false where memory is short. */
bool rt_point_say(routh_operating_point *point, const char *text);

/* What flexible bodies leave out and would matter here. */
bool rt_point_warn_of_limits(routh_operating_point *point, const rt_search *search);

/* Coordinates that have a singularity say where point->state is close to it. */
bool rt_point_warn_of_coordinates(routh_operating_point *point, const routh_mechanism *mechanism);

/* Of a state that is given by coordinates of joints (joint_state.c). */
routh_status rt_point_of_joints(routh_operating_point **point, const routh_mechanism *mechanism,
                                const routh_initial_state *given,
                                const routh_initial_state_options *options, bool begins,
                                routh_error *error);

/* Says which coordinates and rates of joints follow from parameters that were set, and are others
 * where the search stands (given_state.c). */
routh_status rt_point_say_followed(routh_operating_point *point, const rt_search *search,
                                   routh_error *error);

/* Says where a loop was closed that is not drawn closed (undrawn.c); the search as evaluated. */
routh_status rt_point_say_undrawn(routh_operating_point *point, rt_search *search,
                                  routh_error *error);

/* rt_point_from_state of a state in absolute coordinates, whatever m's are, or in m's own. begins:
 * it is where a search begins, which need not be in balance where motions without inertia are free,
 * and of which nothing else may be made. */
routh_status rt_point_from_given(routh_operating_point **point, const routh_mechanism *m,
                                 const rt_state *state, const routh_initial_state_options *options,
                                 bool absolute, bool begins, routh_error *error);

/* The initial state of the model; begins: as above (point.c). */
routh_status rt_point_of_model(routh_operating_point **point, const routh_mechanism *m, bool begins,
                               routh_error *error);

/* routh_operating_point_of_state; begins: as above (given_state.c). */
routh_status rt_point_of_given(routh_operating_point **point, const routh_mechanism *m,
                               const routh_initial_state *given,
                               const routh_initial_state_options *options, bool begins,
                               routh_error *error);

#endif
