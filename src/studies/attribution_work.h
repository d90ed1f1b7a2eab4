/* The work of one element's forces on a virtual motion, as they change with another motion.
 *
 * The virtual motion moves the centre of mass of each body along the world's axes and turns the
 * body about it (and deforms it); the forces of an element on a body are counted there. So they sum
 * to zero over all elements of a body, and shares of elements do not depend on coordinates:
 *     sum over elements of  d(F_e . v) = 0,     F_e . v = sum over frames of (f, t) . (dr, dtheta)
 */
#ifndef RT_STUDIES_ATTRIBUTION_WORK_H
#define RT_STUDIES_ATTRIBUTION_WORK_H

#include <complex.h>

#include "operating/operating.h"

/* A motion, in three parts which are kept apart: xi and what of u and u' goes with the position,
 * with the velocity states, and with their rates. n_u each; lambda n_rows, signal n_signals. */
typedef struct rt_parted_motion {
    double _Complex *xi, *u_position, *a_position;
    double _Complex *u_rate, *a_rate;
    double _Complex *a_inertia;
    double _Complex *lambda, *signal;
} rt_parted_motion;

typedef struct rt_work {
    double _Complex position, rate, inertia, signal;
    double _Complex translation; /* of a body: what of inertia moves its centre of mass */
} rt_work;

typedef struct rt_worker {
    const rt_search *s;
    struct rt_frame_motion *frames; /* max_frames */
    double *scratch;                /* of flexible markers */
} rt_worker;

/* Of a mechanism whose bodies have columns of their own, evaluated in s->w. Room in the arena. */
routh_status rt_worker_create(rt_worker *worker, const rt_search *s, rt_arena *arena,
                              routh_error *error);

/* conj(test) . d(forces in the sense of the residual). test: n_u */
rt_work rt_work_of_body(const rt_worker *worker, int body, const double _Complex *test,
                        const rt_parted_motion *motion);
rt_work rt_work_of_load(const rt_worker *worker, int load, const double _Complex *test,
                        const rt_parted_motion *motion);
rt_work rt_work_of_joint(const rt_worker *worker, int constraint, const double _Complex *test,
                         const rt_parted_motion *motion);

#endif
