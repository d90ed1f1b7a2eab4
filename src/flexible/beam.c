#include "flexible/beam.h"

#include <math.h>

#include "base/vec3.h"
#include "flexible/beam_parts.h"

enum { MOST_ELEMENTS = 100000 };

/* A number that must be above zero, or at least zero. */
typedef struct size {
    const char *what;
    double value;
    bool may_be_zero;
} size;

static routh_status check_sizes(const rt_beam *beam, routh_error *error)
{
    const bool planar = beam->planar;
    const size sizes[] = {
        {"density", beam->density, false},
        {"area", beam->area, false},
        {"modulus of elasticity", beam->young, false},
        {"second moment of area about the section's z", beam->inertia_z, false},
        {"second moment of area about the section's y", beam->inertia_y, planar},
        {"shear modulus", beam->shear, planar},
        {"torsion constant", beam->torsion, planar},
        {"mass part of the damping", beam->damping_mass, true},
        {"stiffness part of the damping", beam->damping_stiffness, true},
    };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const size *s = &sizes[k];
        if (!isfinite(s->value) || s->value < 0 || (s->value == 0 && !s->may_be_zero))
            return rt_fail(error, ROUTH_BAD_ARGUMENT, "the %s is %g and must be %s", s->what,
                           s->value, s->may_be_zero ? "zero or more" : "above zero");
    }
    return ROUTH_OK;
}

static routh_status beam_check_line(const rt_beam *beam, routh_error *error)
{
    double x[3], z[3];
    const double length = rt_beam_length(beam), side = rt_v3_norm(beam->side);
    rt_v3_sub(x, beam->to, beam->from);
    rt_v3_cross(z, x, beam->side);
    if (!(length > 0) || !isfinite(length))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the beam has no length; give `from` and `to` different points");
    if (!isfinite(side) || !(rt_v3_norm(z) > 1e-8 * length * side))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the side of the section points along the beam; give a direction across it");
    return ROUTH_OK;
}

/* Free-free modes without the rigid ones. */
static int modes_of(const rt_beam *beam)
{
    return (beam->planar ? 3 : RT_BEAM_NODE) * beam->n_elements;
}

static routh_status check_frame(const rt_beam *beam, routh_error *error)
{
    if (beam->n_elements < 1 || beam->n_elements > MOST_ELEMENTS)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "the beam has %d elements; give from 1 to %d",
                       beam->n_elements, MOST_ELEMENTS);
    if (beam->frame == RT_BEAM_TANGENT) return ROUTH_OK;
    if (beam->stiffening)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "geometric stiffening needs the tangent frame, because a few modes do not "
                       "contain the shortening due to bending; use `frame: tangent` or "
                       "`stiffening: false`");
    if (beam->n_modes < 0 || beam->n_modes > modes_of(beam))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%d modes are requested, but a beam of %d elements has %d; request fewer "
                       "modes, or use more elements",
                       beam->n_modes, beam->n_elements, modes_of(beam));
    return ROUTH_OK;
}

/* Of the shape that was made just now. */
static routh_status keep_beam(const rt_flexible *made, const rt_beam *beam, rt_arena *arena,
                              routh_error *error)
{
    rt_flexible *shape = (rt_flexible *)made;
    rt_flexible_beam *kept = RT_TAKE(arena, rt_flexible_beam, 1);
    if (!kept) return rt_fail_memory(error);
    double axes[9];
    rt_beam_axes(axes, beam);
    *kept = (rt_flexible_beam){.length = rt_beam_length(beam),
                               .density = beam->density,
                               .area = beam->area,
                               .young = beam->young,
                               .shear = beam->shear,
                               .inertia_y = beam->inertia_y,
                               .inertia_z = beam->inertia_z,
                               .torsion = beam->torsion,
                               .damping_mass = beam->damping_mass,
                               .planar = beam->planar,
                               .tangent = beam->frame == RT_BEAM_TANGENT,
                               .rotary_inertia = beam->rotary_inertia};
    rt_m3_column(kept->axis, axes, 0);
    shape->beam = kept;
    return ROUTH_OK;
}

routh_status rt_flexible_from_beam(const rt_flexible **flexible, const rt_beam *beam,
                                   rt_arena *arena, routh_error *error)
{
    routh_status status = beam_check_line(beam, error);
    if (!status) status = check_sizes(beam, error);
    if (!status) status = check_frame(beam, error);
    if (status) return status;
    status = beam->frame == RT_BEAM_MEAN_AXIS
                 ? rt_beam_mean_axes(flexible, beam, arena, error)
                 : rt_beam_assemble(flexible, beam, true, arena, error);
    return status ? status : keep_beam(*flexible, beam, arena, error);
}
