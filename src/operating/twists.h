/* Bushings and exact beams go by the rotation of each marker or node against the next, a rotation
 * vector of less than half a revolution. A step that takes one through half a revolution leaves it
 * with the rotation less a revolution: another state, of other forces. */
#ifndef RT_OPERATING_TWISTS_H
#define RT_OPERATING_TWISTS_H

#include "operating/operating.h"

/* How many such rotations a load goes by, and a model has. */
int rt_load_twists(const rt_load *load);
int rt_count_twists(const routh_model *model);

/* Their vectors in the state whose frames are evaluated, 3 each. */
void rt_note_twists(const rt_search *search, double *theta);

/* The first load of which one went through half a revolution since; NULL: none. */
const rt_load *rt_wound_since(const rt_search *search, const double *theta);

/* The error that names the load and what to do. */
routh_status rt_fail_wound(const rt_search *search, const rt_load *load, routh_status status,
                           routh_error *error);

/* Finds which motions wind any of them (winding.c): search->winds, by joints. */
routh_status rt_find_winding(rt_search *search, routh_error *error);

/* May assembly wind any from a state that is only written? By those motions, or by joints that are
 * expressions; what else is written apart is not followed from there. */
bool rt_assembly_may_wind(const rt_search *search);

/* From here on, until rt_ignore_twists, the steps of a search wind nothing through half a
 * revolution: rt_begin_step before one, rt_step_winds after it, the frames evaluated; the load is
 * kept in search->wound. */
routh_status rt_watch_twists(rt_search *search, routh_error *error);
void rt_ignore_twists(rt_search *search);
void rt_begin_step(rt_search *search);
bool rt_step_winds(rt_search *search);

/* Where a search stops: the load that keeps it from going further, as it is near half a revolution;
 * NULL: none does. */
const rt_load *rt_stopped_by_twist(const rt_search *search);

/* The element of an exact beam whose ends rotate so far against each other that polynomials through
 * its nodes are off most, the frames evaluated; false: none by 1 %. */
bool rt_large_angle_words(const rt_search *search, char *text, size_t room);

#endif
