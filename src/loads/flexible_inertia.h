/* Inertia, weight and elasticity of a flexible body: an element on its floating frame and its
 * elastic coordinates (flexible/flexible.h). Written once, for every coordinate set.
 *
 *     r_frame = (f, t)   what the body takes to move as it does, less its weight; world, about the
 *                        frame's origin: int gamma dm, int s x gamma dm, gamma =
 *                        acceleration - gravity
 *     r_k     = int S_k . gamma dm (+ turning) + elastic force + damping
 * and the exact partials of both by the three levels of the frame's variation (frames.h) and by
 * q, q', q''. */
#ifndef RT_LOADS_FLEXIBLE_INERTIA_H
#define RT_LOADS_FLEXIBLE_INERTIA_H

#include "flexible/flexible.h"
#include "frames/frames.h"

/* Elastic coordinates with their rates. */
typedef struct rt_elastic_state {
    const double *q, *u, *udot; /* n each */
} rt_elastic_state;

/* Arrays of the caller's; a NULL array is not wanted (frame and elastic residuals always are). */
typedef struct rt_flexible_result {
    double wrench[6]; /* r_frame */
    double weight[6]; /* the part of it that is weight (already in it): -int g dm, -int s x g dm */
    double *elastic;  /* n: r_k */
    double *scale;    /* n: largest single contribution to r_k, absolute */
    /* partials by levels 0, 1, 2 (position, velocity, acceleration) */
    double frame[3][36];   /* d wrench_i / d xi_j, row-major, weight included */
    double *by_elastic[3]; /* 6 x n row-major: d wrench_i / d q_k, q_k', q_k'' */
    double *by_frame[3];   /* n x 6 row-major: d r_k / d xi_j */
    double *inner[3];      /* on flexible->pattern: d r_k / d q_l, q_l', q_l'' */
    double *work;          /* rt_flexible_work doubles */
} rt_flexible_result;

size_t rt_flexible_work(const rt_flexible *flexible);

/* Evaluates; partials: also the arrays of partials. Nothing is allocated. */
void rt_flexible_evaluate(const rt_flexible *flexible, const rt_frame *frame,
                          const rt_elastic_state *state, const double gravity[3], bool partials,
                          rt_flexible_result *out);

/* Energies: kinetic, elastic (strain), and the potential of weight zero at the world's origin. */
typedef struct rt_flexible_energy {
    double kinetic, elastic, weight;
} rt_flexible_energy;
rt_flexible_energy rt_flexible_energies(const rt_flexible *flexible, const rt_frame *frame,
                                        const rt_elastic_state *state, const double gravity[3],
                                        double *work);

/* The mass, the centre of mass (frame's axes) and the inertia about it, deformed by q; of s2 the
 * inertia about the frame's origin has what is linear in it, as the kinetic energy does. */
void rt_flexible_mass_properties(const rt_flexible *flexible, const double *q, double *mass,
                                 double centre[3], double inertia[9]);

#endif
