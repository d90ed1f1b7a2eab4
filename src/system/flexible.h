/* Flexible bodies in the equations of a mechanism.
 *
 * The floating frame moves as a body of the coordinate set; the elastic coordinates follow those of
 * the set in q and u. A marker on a node,
 *     r = r_frame + A (X + sum S_k q_k) + offset,     A_marker = A exp(psi~) N A0,  psi =
 *     sum R_k q_k
 * (flexible/flexible.h; N: the node's axes) has the columns of its frame's body and those of its
 * node. */
#ifndef RT_SYSTEM_FLEXIBLE_H
#define RT_SYSTEM_FLEXIBLE_H

#include "system/entries.h"
#include "system/system.h"

/* The elastic coordinates of a state into the workspace. */
void rt_flexible_take(const routh_mechanism *m, rt_workspace *w, const rt_state *state);

/* The frame of a flexible marker, and of its node, from its body's. */
void rt_flexible_marker_frame(const routh_mechanism *m, const rt_workspace *w, int number);

/* Adds the node's columns to the map of a flexible marker, of which map->fixed is the body's
 * part. */
void rt_flexible_map(const routh_mechanism *m, const rt_workspace *w, int number,
                     rt_marker_map *map);

/* Columns of the node in maps 6 x n (J, J1, J2u, J2x), from column `first` on. */
void rt_flexible_columns(const routh_mechanism *m, const rt_workspace *w, int number, int first,
                         int n, rt_scalar *J, rt_scalar *J1, rt_scalar *J2u, rt_scalar *J2x);

/* r, M, K, D of flexible body number k: inertia, weight and elasticity; the frame's part is left in
 * element_wrench and element_partial (levels 0 to 2, 6 x 6) for the caller to scatter. */
void rt_flexible_body(const routh_mechanism *m, rt_workspace *w, const rt_state *state, int k,
                      int what);

/* K += what deforming and turning bodies does to all that acts on flexible markers, beyond what
 * turning does to the whole of the body (scatter.c). */
void rt_flexible_geometric(const routh_mechanism *m, rt_workspace *w, const rt_state *state);

/* bend (n x n, n coordinates of its node) += how the forces on the node's coordinates change with
 * them where a wrench on the flexible marker is held; turn: its columns' turns, 3 x n. */
void rt_flexible_bending(const routh_mechanism *m, const rt_workspace *w, int number,
                         const rt_scalar wrench[6], const rt_scalar *turn, rt_scalar *bend);

/* The entries of K (and of M: markers false) that flexible bodies bring, and where they went. */
void rt_flexible_entries(const routh_mechanism *m, rt_entries *e, bool markers);
const int *rt_flexible_positions(routh_mechanism *m, const int *position, bool markers);
void rt_flexible_map_mass(routh_mechanism *m);

/* Room for all this in a workspace. */
bool rt_flexible_room(rt_workspace *w, const routh_mechanism *m);

#endif
