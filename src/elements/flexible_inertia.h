/* Inertia, weight and elasticity of a flexible body: an element on its floating frame and its
 * elastic coordinates (flexible/flexible.h). Written once, for every coordinate set.
 *
 *     r_frame = (f, t)   what the body takes to move as it does, less its weight; world, about the
 *                        frame's origin: int gamma dm, int s x gamma dm, gamma =
 *                        acceleration - gravity
 *     r_k     = int S_k . gamma dm (+ turning) + elastic force + damping
 * and the exact partials of both by the three levels of the frame's variation (frames.h) and by
 * q, q', q''. */
#ifndef RT_ELEMENTS_FLEXIBLE_INERTIA_H
#define RT_ELEMENTS_FLEXIBLE_INERTIA_H

#include "flexible/flexible.h"
#include "elements/frames.h"

/* Elastic coordinates with their rates. */
typedef struct rt_elastic_state {
    const rt_scalar *q, *u, *udot; /* n each */
} rt_elastic_state;

/* Arrays of the caller's; a NULL array is not wanted (frame and elastic residuals always are). */
typedef struct rt_flexible_result {
    rt_scalar wrench[6]; /* r_frame */
    rt_scalar
        weight[6]; /* the part of it that is weight (already in it): -int g dm, -int s x g dm */
    rt_scalar *elastic; /* n: r_k */
    double *scale;      /* n: largest single contribution to r_k, absolute */
    /* partials by levels 0, 1, 2 (position, velocity, acceleration) */
    rt_scalar frame[3][36];   /* d wrench_i / d xi_j, row-major, weight included */
    rt_scalar *by_elastic[3]; /* 6 x n row-major: d wrench_i / d q_k, q_k', q_k'' */
    rt_scalar *by_frame[3];   /* n x 6 row-major: d r_k / d xi_j */
    rt_scalar *inner[3];      /* on flexible->pattern: d r_k / d q_l, q_l', q_l'' */
} rt_flexible_result;

/* Evaluates; slope: derivatives of the shape's numbers, NULL: none (flexible.h); partials: also the
 * arrays of partials. Nothing is allocated. */
void rt_flexible_evaluate(const rt_flexible *flexible, const rt_flexible *slope,
                          const rt_frame *frame, const rt_elastic_state *state,
                          const rt_scalar gravity[3], bool partials, rt_flexible_result *out);

/* Energies: kinetic, elastic (strain), and the potential of weight zero at the world's origin. */
typedef struct rt_flexible_energy {
    rt_scalar kinetic, elastic, weight;
} rt_flexible_energy;
rt_flexible_energy rt_flexible_energies(const rt_flexible *flexible, const rt_frame *frame,
                                        const rt_elastic_state *state, const rt_scalar gravity[3]);

/* The mass, the centre of mass (frame's axes) and the inertia about it, deformed by q; of s2 the
 * inertia about the frame's origin has what is linear in it, as the kinetic energy does. */
void rt_flexible_mass_properties(const rt_flexible *flexible, const rt_scalar *q, rt_scalar *mass,
                                 rt_scalar centre[3], rt_scalar inertia[9]);

#endif
