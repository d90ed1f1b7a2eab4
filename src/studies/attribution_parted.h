/* A mode as a motion of the mechanism, in parts that go with S, with W and with W'. */
#ifndef RT_STUDIES_ATTRIBUTION_PARTED_H
#define RT_STUDIES_ATTRIBUTION_PARTED_H

#include "studies/attribution_work.h"
#include "methods/manifold.h"
#include "studies/sensitivity_pencil.h"

typedef struct rt_parter {
    const rt_levels_pencil *p;
    rt_manifold position, velocity;
    const rt_manifold *P; /* of velocities: one of the two */
    double *B;            /* n x 2 */
    double *y, *x;        /* n1, n2 */
} rt_parter;

/* Of the pencil's mechanism, as evaluated. Memory is the arena's but for what is released. */
routh_status rt_parter_create(rt_parter *parter, const rt_levels_pencil *pencil, rt_arena *arena,
                              routh_error *error);
void rt_parter_release(rt_parter *parter);

/* Room for a motion. */
routh_status rt_parted_take(rt_parted_motion *motion, const routh_mechanism *m, rt_arena *arena,
                            routh_error *error);

/* The motion of y (n1) that grows as exp(s t), W' = s W; signals' rates and the multipliers by the
 * equations. */
routh_status rt_part(const rt_parter *parter, double _Complex s, const double _Complex *y,
                     rt_parted_motion *out, routh_error *error);

#endif
