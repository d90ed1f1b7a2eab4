/* One element of a spatial beam in a floating frame (rt_flexure): its strains where its nodes
 * rotate by any amount, the energy of them, their forces and partials. All in the beam's axes.
 *
 * With the displacements d and rotation vectors psi of its ends, s = (d_b - d_a)_yz / l the slope
 * of its chord, f(z) = 1 - sqrt(1 - z) how much a line of that slope is shorter along x, and
 * R, theta of the frame half-way between exp(psi_a) and exp(psi_b) (halfway.h),
 *     a = (d_b - d_a)_x / l + f(s.s),     g = R'(1 - f, s_y, s_z)
 * are how far the chord is stretched, and its direction in R. The strains of a beam without shear
 * deformation whose moments are linear along the element are
 *     e_0 = a + (g_y^2 + g_z^2)/10 + (theta_y^2 + theta_z^2)/24                        E A l
 *     e_1 = theta_x (1 - (theta_y^2 + theta_z^2)/24) + theta_y g_y + theta_z g_z       G J / l
 *     e_2 = theta_y (1 - theta_x^2/24 (1 - C/(E Iy))) + C/(E Iy) theta_x e_4           E Iy / l
 *     e_3 = theta_z (1 - theta_x^2/24 (1 + C/(E Iz))) - C/(E Iz) theta_x e_5           E Iz / l
 *     e_4 = g_y - theta_x theta_y/8                                                    12 E Iz / l
 *     e_5 = g_z - theta_x theta_z/8                                                    12 E Iy / l
 *     e_6 = theta_y theta_z / sqrt(1 + c theta_w^2)                           - C^2 / (12 G J l)
 * with C = E Iz - E Iy, c = |C| / (10 G J), w the weaker of y, z: the stretch, the twist, constant
 * and linear curvature, and what the twist gives way within the element. V = 1/2 sum k_i e_i^2;
 * stiffness damping is of the same strains but the last (docs/theory/flexible-bodies.md). */
#ifndef RT_ELEMENTS_FLEXURE_H
#define RT_ELEMENTS_FLEXURE_H

#include "elements/flexible_inertia.h"

/* Energy, and the mean strain e_0, of flexure k at q. */
typedef struct rt_flexure_state {
    rt_scalar energy, strain;
} rt_flexure_state;
rt_flexure_state rt_flexure_at(const rt_flexible *flexible, int k, const rt_scalar *q);

/* The stiffness of its strains, n x n row-major in its coordinates: 1/2 dq.K dq is the energy of
 * the changes of strain that dq brings. */
void rt_flexure_stiffness(const rt_flexible *flexible, int k, const rt_scalar *q, rt_scalar *K);

#endif
