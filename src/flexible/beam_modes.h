/* The free-free modes of a beam, kept: with how they change with its numbers. Plain doubles, also
 * for sources that are compiled for variations (base/scalar.h). */
#ifndef RT_FLEXIBLE_BEAM_MODES_H
#define RT_FLEXIBLE_BEAM_MODES_H

#include "flexible/beam.h"

/* n_modes of them, as many as the beam is to have, the rigid ones dropped, in order. */
typedef struct rt_beam_modes rt_beam_modes;
typedef struct rt_beam_basis {
    const rt_flexible *free; /* the beam with no node fixed */
    int n_modes;
    const double *Phi;       /* free->n x n_modes, column-major, of unit mass */
    const double *stiffness; /* squares of the frequencies */
} rt_beam_basis;

/* Everything lies in the arena. */
routh_status rt_beam_modes_find(rt_beam_modes **modes, rt_beam_basis *basis,
                                const rt_beam_choices *choices,
                                const double numbers[RT_BEAM_NUMBERS], rt_arena *arena,
                                routh_error *error);

/* Along a change of the free beam (slope: derivatives of what `free` holds): derivatives of Phi and
 * stiffness, times what those of slope are times. Nothing is allocated. */
void rt_beam_modes_vary(rt_beam_modes *modes, const rt_flexible *slope, double *Phi,
                        double *stiffness);

#endif
