/* From an element's frames to the mechanism's matrices. */
#ifndef RT_SYSTEM_SCATTER_H
#define RT_SYSTEM_SCATTER_H

#include "system/system.h"

/* Maps of the block's frames into workspace->maps. */
void rt_block_maps(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                   const rt_block *block);

/* Of one marker. */
void rt_one_map(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                int marker, rt_marker_map *map);

/* Adds sign * the wrenches in element_wrench to r and to the bodies' totals. */
void rt_scatter_wrench(const routh_mechanism *m, rt_workspace *w, const rt_block *block,
                       rt_scalar sign);

/* Adds sign * the partials in element_partial (levels up to n_levels) to K, D and, where the
 * block has a part in it and want_mass, M. */
void rt_scatter_partials(rt_workspace *w, const rt_block *block, rt_scalar sign, int n_levels,
                         bool want_mass, bool want_tangent);

/* Adds sign * the partials by multipliers (result[0].lambda, 6 n_frames x n_lambda) to L. */
void rt_scatter_lambda(rt_workspace *w, const rt_block *block, rt_scalar sign, int n_lambda,
                       const int *position);

/* Writes one constraint row, given by the jets of phi, to G and (levels) V_x, A_u, A_x.
 * position: n_columns. */
void rt_scatter_row(rt_workspace *w, const rt_block *block, const rt_gradient *phi,
                    const int *position, bool levels);

/* Adds what a nonholonomic row has besides, its turn (joints.h), to A_u and A_x. */
void rt_scatter_turn(rt_workspace *w, const rt_block *block, const rt_gradient *turn,
                     const int *position);

/* The frame's place in the block, -1 when it is not there. */
int rt_block_place(const rt_block *block, int frame);

#endif
