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

/* What of a beam is no number that varies. */
typedef struct rt_beam_choices {
    int n_elements;
    bool planar; /* bending in the section's x-y plane only, no torsion */
    rt_beam_frame frame;
    int n_modes;         /* mean axes: how many free-free modes; 0: all */
    bool stiffening;     /* bars (rt_bar): for tangent frames */
    bool rotary_inertia; /* of the sections about their own y and z (about x always); without it
                            only twist has inertia, and a section that tilts does not spin */
} rt_beam_choices;

typedef struct rt_beam {
    rt_scalar from[3], to[3]; /* in the frame's axes */
    rt_scalar side[3];        /* the section's y lies in the plane of this and the beam */
    union {
        rt_beam_choices choices;
        struct {
            int n_elements;
            bool planar;
            rt_beam_frame frame;
            int n_modes;
            bool stiffening, rotary_inertia;
        };
    };
    rt_scalar density, area;                   /* mass per volume, m^2 */
    rt_scalar young, shear;                    /* moduli */
    rt_scalar inertia_y, inertia_z, torsion;   /* second moments of area about the section's y, z;
                                                torsion constant */
    rt_scalar damping_mass, damping_stiffness; /* Rayleigh: D = m M + s K */
} rt_beam;

/* The numbers of a beam in one row: from, to, side, then density to damping_stiffness. */
enum { RT_BEAM_NUMBERS = 18 };
void rt_beam_take(rt_beam *beam, const rt_scalar numbers[RT_BEAM_NUMBERS]);

/* Where its nodes are: axes (9, the same for all), then 3 for every node. */
void rt_beam_places(const rt_beam *beam, rt_scalar *out);

/* Nodes are numbered from 1 at `from`. Everything lies in the arena. A failure (BAD_ARGUMENT) says
 * what is wrong without a place: the caller adds the element. */
routh_status rt_flexible_from_beam(const rt_flexible **flexible, const rt_beam *beam,
                                   rt_arena *arena, routh_error *error);

/* The derivatives of the shape of a beam along changes of its numbers, again and again without an
 * allocation: those are the imaginary parts (base/scalar.h). For variations alone. Everything lies
 * in the arena. */
#ifdef RT_VARIATION
typedef struct rt_beam_slopes rt_beam_slopes;
routh_status rt_beam_slopes_create(rt_beam_slopes **made, const rt_beam_choices *choices,
                                   const rt_scalar numbers[RT_BEAM_NUMBERS], rt_arena *arena,
                                   routh_error *error);
const rt_flexible *rt_beam_slopes_fill(rt_beam_slopes *slopes,
                                       const rt_scalar numbers[RT_BEAM_NUMBERS]);
#endif

#endif
