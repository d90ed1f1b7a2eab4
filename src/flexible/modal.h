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
    const double *Phi, *stiffness;
    double by_mass, by_stiffness;
    double radius;
} rt_modal_basis;

routh_status rt_flexible_modal(const rt_flexible **flexible, const rt_flexible *full,
                               const rt_modal_basis *basis, rt_arena *arena, routh_error *error);

#endif
