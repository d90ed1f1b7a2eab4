/* A periodic motion by shooting: the state that comes back after a round.
 *
 * What a body has moved in a round is a displacement d = r(T) - r(0) and a rotation theta from
 * A(0) to A(T), so whole turns count as coming back. In the states, with e their axes,
 *     g_S = e.d or e.theta,      g_W = e.(v(T) - v(0)) or e.(w(T) - w(0) + w(0) x theta),
 * of the user's states the differences of values and rates; angles without whole turns. Newton's
 * method, Y the monodromy matrix,
 *     (Y - I) y = -g,
 * and where the period is unknown (autonomous motion), with f = (S', W', X') the motion's own rate,
 *     [Y - I  f(T)] [y ]     [g]
 *     [f(0)'   0  ] [dT] = - [0].
 * Where Y - I is singular (one of many periodic motions, of a rotor that turns freely), the
 * smallest y. */
#ifndef RT_MOTION_PERIODIC_SHOOTING_H
#define RT_MOTION_PERIODIC_SHOOTING_H

#include "motion/periodic_orbit.h"

typedef struct rt_shooting {
    rt_orbit *o;
    rt_arena arena;
    rt_frame *bodies;                   /* at the start */
    double *value, *rate;               /* of states and rates there, value[0] and value[1] */
    double *size;                       /* n: of the states; rates over the round's own frequency */
    double *g, *f;                      /* n */
    double *J, *u, *vt, *sigma, *b, *y; /* of a step; (n + 1)^2 and n + 1 */
    double closure;                     /* the largest part of g over its size */
    int worst;                          /* whose */
    double way; /* the rates at the start times the period, over the sizes: 0 at rest */
    int iterations;
    bool at_rest; /* rt_shooting_find_motion ended at rest: shorter steps do not help */
} rt_shooting;

routh_status rt_shooting_create(rt_shooting *s, rt_orbit *orbit, routh_error *error);
void rt_shooting_release(rt_shooting *s);

/* Is what the search has ended at a state of rest, as far as can be told? */
static inline bool rt_shooting_rests(const rt_shooting *s)
{
    return s->way <= fmax(1e-6, 1e4 * s->closure);
}

/* The state at which `first` has been run is what rt_shooting_compare compares with. */
void rt_shooting_note(rt_shooting *s, double period);

/* How far run.now is from the last round's start, into closure; bodies may have made whole turns.
 * `first` has been run there. */
void rt_shooting_compare(rt_shooting *s);

/* Rounds from orbit->start in so many steps, until one closes to `good`; *period is changed where
 * it is `free`. Without `search` one round alone. orbit has the last round; s->closure says how it
 * closes, which may be more than `good`. */
routh_status rt_shooting_find(rt_shooting *s, double *period, bool free, bool search, int steps,
                              double good, routh_error *error);

/* The same with a free period and no rest at its end: where the search ends at rest, or nowhere, it
 * begins again where the motion of itself comes nearest to where it was (periodic_search.c).
 * NUMERIC_ERROR where there is no motion to be found. */
routh_status rt_shooting_find_motion(rt_shooting *s, double *period, int steps, double good,
                                     routh_error *error);

/* Has the motion that was found gone round several times? Then *period becomes a part of it. */
routh_status rt_shooting_divide(rt_shooting *s, double *period, int steps, bool *divided,
                                routh_error *error);

#endif
