/* Bodies without mass or inertia (system/auxiliary.h): where the equations of motion are regular
 * all the same, and what is refused where they are not. */
#ifndef RT_OPERATING_MASSLESS_H
#define RT_OPERATING_MASSLESS_H

#include "operating/operating.h"

/* A motion that has no inertia and is not held by the joints: of a body's centre along x, y, z (0
 * to 2), or about an axis in the body (3). */
typedef struct rt_massless_motion {
    int body, component;
    double axis[3];
} rt_massless_motion;

/* Of a search in absolute coordinates with G evaluated: *free: do the joints leave a motion without
 * inertia? Which, where `motion` is not NULL. */
routh_status rt_massless_is_free(const rt_search *search, bool *free, rt_massless_motion *motion,
                                 routh_error *error);

/* "the displacement of body node along x", "the rotation of body bob about its axis [0, 0, 1]" */
void rt_massless_words(const routh_model *model, const rt_massless_motion *motion, char *text,
                       size_t room);

/* NOT_SUPPORTED: what cannot be done ("a simulation") needs accelerations of a motion without
 * inertia; names it. OK where there is none. */
routh_status rt_refuse_massless(const rt_search *search, const char *what, routh_error *error);
routh_status rt_refuse_massless_point(const routh_mechanism *mechanism,
                                      const routh_operating_point *point, const char *what,
                                      routh_error *error);

/* Of a search in absolute coordinates, assembled, with the plain mechanism: is it one for the
 * auxiliary? Of any other *free is left as it is. */
routh_status rt_look_for_massless(const rt_search *search, int *free, routh_error *error);

/* A state that was given, in the auxiliary mechanism: NOT_SUPPORTED unless it is at rest and in
 * balance. */
routh_status rt_check_massless_rest(rt_search *search, routh_error *error);

#endif
