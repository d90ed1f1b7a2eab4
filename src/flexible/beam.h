/* Beams of finite elements in a floating frame (Gonzalez et al., sec. 4.2; Shabana, ch. 6):
 * two-node Euler-Bernoulli elements on a straight line, stretch and torsion linear, bending cubic,
 * consistent mass. */
#ifndef RT_FLEXIBLE_BEAM_H
#define RT_FLEXIBLE_BEAM_H

#include "flexible/flexible.h"

typedef enum rt_beam_frame {
    RT_BEAM_TANGENT,   /* the frame is clamped to the first node */
    RT_BEAM_MEAN_AXIS, /* deformation has no momentum in the frame: coordinates are amplitudes
                          of the free-free modes */
} rt_beam_frame;

typedef struct rt_beam {
    double from[3], to[3]; /* in the frame's axes */
    double side[3];        /* the section's y lies in the plane of this and the beam */
    int n_elements;
    bool planar; /* bending in the section's x-y plane only, no torsion */
    rt_beam_frame frame;
    int n_modes;          /* mean axes: how many free-free modes; 0: all */
    bool stiffening;      /* bars (rt_bar): for tangent frames */
    bool rotary_inertia;  /* of the sections about their own y and z (about x always) */
    double density, area; /* mass per volume, m^2 */
    double young, shear;  /* moduli */
    double inertia_y, inertia_z,
        torsion; /* second moments of area about the section's y, z; torsion
                                             constant */
    double damping_mass, damping_stiffness; /* Rayleigh: D = m M + s K */
} rt_beam;

/* Nodes are numbered from 1 at `from`. Everything lies in the arena. A failure (BAD_ARGUMENT) says
 * what is wrong without a place: the caller adds the element. */
routh_status rt_flexible_from_beam(const rt_flexible **flexible, const rt_beam *beam,
                                   rt_arena *arena, routh_error *error);

#endif
