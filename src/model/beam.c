#include "model/reader.h"

static rt_number product3(rt_calculator *c, rt_number a, rt_number b, rt_number d)
{
    return rt_times(c, rt_times(c, a, b), d);
}

/* One bending plane of the cantilever tip (Przemieniecki 1968, sec. 5.6), phi = 12 E I s / (G A
 * L^2): F = 12 EI/((1+phi) L^3) u - 6 EI/((1+phi) L^2) theta M = -6 EI/((1+phi) L^2) u + (4+phi)
 * EI/((1+phi) L) theta for u and theta of the same handedness (u_y with theta_z); the other plane
 * has +6 (u_z with theta_y). */
static void bend(rt_calculator *c, const rt_written_load *b, rt_number inertia, rt_number shear,
                 int u, int theta, double sign, rt_number K[36])
{
    const rt_number L = b->length, L2 = rt_times(c, L, L);
    const rt_number EI = rt_times(c, b->youngs_modulus, inertia);
    const rt_number GAL2 = product3(c, b->shear_modulus, b->area, L2);
    const rt_number phi = rt_over(c, product3(c, rt_plain(12), EI, shear), GAL2);
    const rt_number base = rt_over(c, EI, rt_times(c, rt_plus(c, rt_plain(1), phi), L));
    K[7 * u] = rt_over(c, rt_times(c, rt_plain(12), base), L2);
    K[7 * theta] = rt_times(c, rt_plus(c, rt_plain(4), phi), base);
    K[6 * u + theta] = K[6 * theta + u] = rt_over(c, rt_times(c, rt_plain(6 * sign), base), L);
}

/* Force and torque on the tip against its displacement and rotation relative to the root, in root
 * axes, the beam along x. */
void rt_beam_matrices(rt_calculator *c, const rt_written_load *b, rt_number stiffness[36],
                      rt_number damping[36])
{
    for (int k = 0; k < 36; k++) stiffness[k] = rt_plain(0);
    stiffness[0] = rt_over(c, rt_times(c, b->youngs_modulus, b->area), b->length);
    stiffness[7 * 3] = rt_over(c, rt_times(c, b->shear_modulus, b->torsion_constant), b->length);
    bend(c, b, b->izz, b->shear_factor_y, 1, 5, -1, stiffness);
    bend(c, b, b->iyy, b->shear_factor_z, 2, 4, 1, stiffness);
    for (int k = 0; k < 36; k++) damping[k] = rt_times(c, b->damping_ratio, stiffness[k]);
}
