/* A flexible body in fewer coordinates: q = Phi p, every column of Phi a shape of the whole. */
#ifndef RT_FLEXIBLE_MODAL_H
#define RT_FLEXIBLE_MODAL_H

#include "flexible/flexible.h"

/* The moments, nodes and parts of `full` (without bars) by the columns of Phi, n x n_modes
 * column-major, whose stiffnesses are given: Phi is taken to make K diagonal. Names are "mode 1",
 * ...; D = by_mass (mass matrix) + by_stiffness K. `size` is the largest displacement of a node, or
 * radius times its largest turn where that is more. Everything lies in the arena, nothing of
 * `full` is kept. */
typedef struct rt_modal_basis {
    int n_modes;
    const rt_scalar *Phi, *stiffness;
    rt_scalar by_mass, by_stiffness;
    rt_scalar radius;
} rt_modal_basis;

routh_status rt_flexible_modal(const rt_flexible **flexible, const rt_flexible *full,
                               const rt_modal_basis *basis, rt_arena *arena, routh_error *error);

/* The same of other numbers, again and again without an allocation, but for the parts, of which
 * there are none: of `full`, its derivatives `slope` (NULL: none) and a basis of n_modes. Where it
 * is compiled for variations (base/scalar.h) it holds derivatives instead of values. `full` and
 * both arenas are kept; what comes out lies in the first one. */
typedef struct rt_modal_change rt_modal_change;
routh_status rt_modal_change_create(rt_modal_change **made, const rt_flexible *full, int n_modes,
                                    rt_arena *arena, rt_arena *scratch, routh_error *error);
rt_flexible *rt_modal_change_fill(rt_modal_change *change, const rt_flexible *slope,
                                  const rt_modal_basis *basis);

#endif
