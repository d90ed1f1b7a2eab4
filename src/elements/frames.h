/* Neck 1: frames. An element knows the frames it touches and nothing else.
 *
 * World components throughout. A frame has a pose (r, A), a twist (v, w) and an acceleration (a,
 * al). A variation of a motion moves each frame by xi = (dr, dtheta): displacement of the origin
 * and rotation vector. With xi(t) along the motion, exactly to first order,
 *     dA     = dtheta~ A
 *     dv     = xi_r'            dw  = dtheta' - w x dtheta
 *     da     = xi_r''           dal = dtheta'' - al x dtheta - w x dtheta'
 * so every derivative an element needs is with respect to the three levels (xi, xi', xi''), and
 * no level of a constraint is ever differentiated by hand twice (EQUATIONS.md): with dPhi = phi xi
 *     dPhi'  = phi xi' + phi' xi,      dPhi'' = phi xi'' + 2 phi' xi' + phi'' xi.
 *
 * A covector on a frame has six components, force part first: (force, torque about the frame's
 * origin). */
#ifndef RT_ELEMENTS_FRAMES_H
#define RT_ELEMENTS_FRAMES_H

#include "base/vec3.h"

typedef struct rt_frame {
    rt_scalar r[3];  /* origin */
    rt_scalar A[9];  /* axes as columns */
    rt_scalar v[3];  /* velocity of the origin */
    rt_scalar w[3];  /* angular velocity */
    rt_scalar a[3];  /* acceleration of the origin */
    rt_scalar al[3]; /* angular acceleration */
} rt_frame;

/* The three levels of a variation. */
enum { RT_LEVEL_POSITION, RT_LEVEL_VELOCITY, RT_LEVEL_ACCELERATION, RT_N_LEVELS };

/* The ground: at the origin, at rest. */
extern const rt_frame rt_ground_frame;

/* Marker k's frame among the markers' frames; a negative k is the ground. */
static inline const rt_frame *rt_frame_of(const rt_frame *markers, int k)
{
    return k < 0 ? &rt_ground_frame : &markers[k];
}

/* A marker fixed in a body: position s0 and axes A0 in the body's frame. */
static inline void rt_frame_marker(rt_frame *m, const rt_frame *body, const rt_scalar s0[3],
                                   const rt_scalar A0[9])
{
    rt_scalar s[3], ws[3];
    rt_m3_mul_v(s, body->A, s0);
    rt_v3_cross(ws, body->w, s);
    rt_m3_mul(m->A, body->A, A0);
    rt_v3_add(m->r, body->r, s);
    rt_v3_add(m->v, body->v, ws);
    rt_v3_copy(m->w, body->w);
    rt_v3_copy(m->a, body->a);
    rt_v3_cross_add(m->a, body->al, s);
    rt_v3_cross_add(m->a, body->w, ws);
    rt_v3_copy(m->al, body->al);
}

#endif
