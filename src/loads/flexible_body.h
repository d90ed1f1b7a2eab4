/* A flexible body in motion: what flexible_inertia.c and flexible_frame.c share. */
#ifndef RT_LOADS_FLEXIBLE_BODY_H
#define RT_LOADS_FLEXIBLE_BODY_H

#include "loads/flexible_inertia.h"

/* The motion of the frame in its own axes, and the sums over the coordinates. */
typedef struct rt_flexible_body {
    const rt_flexible *flexible;
    const rt_frame *frame;
    const rt_elastic_state *state;
    double lifted[3]; /* a - gravity, world */
    double a[3], gravity[3], w[3], al[3];
    double g[3];                  /* a - gravity */
    double w2;                    /* w . w */
    double c[3], c_t[3], c_tt[3]; /* int s, and its rates */
    double h_t[3], h_tt[3];       /* sum h_k q_k', h_k q_k'' */
    double P[9], Z[9], Z_tt[9];   /* int s s', int s s_t', int s s_tt' */
} rt_flexible_body;

/* out->frame, with the wrench already there; inertia: tr P 1 - P + rotary, the frame's axes. */
void rt_flexible_fill_frame(const rt_flexible_body *b, const double inertia[9],
                            rt_flexible_result *out);

#endif
