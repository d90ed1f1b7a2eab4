/* The minimal method with one sparse factorization: equations projected on the tangent that the
 * states parametrize. Made once for a task, run many times. */
#ifndef RT_METHODS_PROJECTION_H
#define RT_METHODS_PROJECTION_H

#include "methods/manifold.h"

typedef struct rt_projection {
    rt_manifold P;
    double *B; /* n x 2z: u' particular, by W and by S */
    double *f; /* n */
    double *T; /* z x z: LU of X'MX */
    double *a; /* z */
    int *pivots;
} rt_projection;

/* NOT_SUPPORTED where loads use joint reactions. Release with rt_projection_release. */
routh_status rt_projection_create(rt_projection *projection, const rt_method_task *task,
                                  rt_arena *arena, routh_error *error);
void rt_projection_release(rt_projection *projection);

/* Everything is evaluated in task->search->w; out's arrays are there. Allocates nothing (a factor
 * that needs fresh pivots apart). */
routh_status rt_projection_run(rt_projection *projection, const rt_method_task *task,
                               rt_sensitivity *out, routh_error *error);

#endif
