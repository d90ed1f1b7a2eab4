/* Derivatives of the shape of a beam. Compiled with numbers that carry a derivative, and never
 * without (beam.h). */
#ifndef RT_VARIATION
#error "compiled for variations only"
#endif

#include <string.h>

#include "flexible/beam_modes.h"
#include "flexible/beam_parts.h"
#include "flexible/modal.h"

struct rt_beam_slopes {
    rt_beam_choices choices;
    rt_beam_assembly *assembly; /* in a tangent frame, or free */
    /* mean axes: */
    rt_beam_modes *modes;
    rt_beam_basis basis;
    rt_modal_change *change;
    double *by_Phi, *by_stiffness;
    rt_scalar *Phi, *stiffness;
    rt_scalar numbers[RT_BEAM_NUMBERS]; /* those that `shape` is of; NULL: of none */
    const rt_flexible *shape;
};

static routh_status beam_slopes_take_modes(rt_beam_slopes *s, const rt_scalar *numbers,
                                           rt_arena *arena, routh_error *error)
{
    double values[RT_BEAM_NUMBERS];
    for (int k = 0; k < RT_BEAM_NUMBERS; k++) values[k] = rt_re(numbers[k]);
    routh_status status =
        rt_beam_modes_find(&s->modes, &s->basis, &s->choices, values, arena, error);
    if (status) return status;
    const size_t n = (size_t)s->basis.n_modes, size = (size_t)s->basis.free->n * n;
    s->by_Phi = RT_TAKE(arena, double, size), s->by_stiffness = RT_TAKE(arena, double, n);
    s->Phi = RT_TAKE(arena, rt_scalar, size), s->stiffness = RT_TAKE(arena, rt_scalar, n);
    if (!s->by_Phi || !s->by_stiffness || !s->Phi || !s->stiffness) return rt_fail_memory(error);
    return rt_modal_change_create(&s->change, s->basis.free, s->basis.n_modes, arena, arena, error);
}

routh_status rt_beam_slopes_create(rt_beam_slopes **made, const rt_beam_choices *choices,
                                   const rt_scalar numbers[RT_BEAM_NUMBERS], rt_arena *arena,
                                   routh_error *error)
{
    const bool tangent = choices->frame == RT_BEAM_TANGENT;
    rt_beam beam = {.choices = *choices};
    rt_beam_slopes *s = *made = RT_TAKE(arena, rt_beam_slopes, 1);
    if (!s) return rt_fail_memory(error);
    s->choices = *choices;
    rt_beam_take(&beam, numbers);
    const routh_status status =
        rt_beam_assembly_create(&s->assembly, &beam, tangent, NULL, arena, error);
    return status || tangent ? status : beam_slopes_take_modes(s, numbers, arena, error);
}

/* The squares of frequencies, and shapes, with their derivatives. */
static void vary_modes(rt_beam_slopes *s, const rt_flexible *free)
{
    const rt_beam_basis *x = &s->basis;
    const size_t n = (size_t)x->n_modes, size = (size_t)x->free->n * n;
    rt_beam_modes_vary(s->modes, free, s->by_Phi, s->by_stiffness);
    for (size_t k = 0; k < size; k++) s->Phi[k] = rt_complex(x->Phi[k], s->by_Phi[k]);
    for (size_t k = 0; k < n; k++)
        s->stiffness[k] = rt_complex(x->stiffness[k], s->by_stiffness[k]);
}

const rt_flexible *rt_beam_slopes_fill(rt_beam_slopes *s, const rt_scalar numbers[RT_BEAM_NUMBERS])
{
    rt_beam beam = {.choices = s->choices};
    if (s->shape && memcmp(s->numbers, numbers, sizeof s->numbers) == 0) return s->shape;
    memcpy(s->numbers, numbers, sizeof s->numbers);
    rt_beam_take(&beam, numbers);
    s->shape = rt_beam_assembly_fill(s->assembly, &beam);
    if (!s->modes) return s->shape;
    vary_modes(s, s->shape);
    const rt_modal_basis basis = {
        s->basis.n_modes,       s->Phi,
        s->stiffness,           beam.damping_mass,
        beam.damping_stiffness, rt_sqrt((beam.inertia_y + beam.inertia_z) / beam.area)};
    s->shape = rt_modal_change_fill(s->change, s->shape, &basis);
    return s->shape;
}
