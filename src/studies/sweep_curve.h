/* A curve f(p, q) = 0 over two parameters. */
#ifndef RT_STUDIES_SWEEP_CURVE_H
#define RT_STUDIES_SWEEP_CURVE_H

#include "studies/sweep_wanted.h"

typedef struct rt_boundary_curve {
    rt_sweep_task task;
    rt_wanted w;
    int zeros; /* of the mechanism, beside the curve */
    double low[2], range[2];
    routh_sweep_boundary *out;
    int room;
    bool stop;
} rt_boundary_curve;

/* A place with its solution. */
typedef struct rt_spot {
    double x[2], g[2]; /* g: the gradient */
    rt_zero_sample f;
    rt_solution s;
    int at[2];
    double step; /* that Newton's method would still take */
} rt_spot;

/* Newton's method from x onto the curve, modes told by those of a spot near by; along one
 * coordinate alone where `along` is 0 or 1, else the shortest way (-1). Not ok: it is not reached.
 * The solution of *out is the caller's. */
routh_status rt_curve_correct(rt_boundary_curve *curve, const rt_spot *from, const double x[2],
                              int along, rt_spot *out, bool *ok, routh_error *error);

/* Both ways from a spot on it, into curve->out. */
routh_status rt_curve_follow(rt_boundary_curve *curve, const rt_spot *start, routh_error *error);

#endif
