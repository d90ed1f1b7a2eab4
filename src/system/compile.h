/* Pieces of the compilation of a mechanism. */
#ifndef RT_SYSTEM_COMPILE_H
#define RT_SYSTEM_COMPILE_H

#include <stdio.h>

#include "system/load.h"

/* The block of an element on these frames: the union of their columns, and where each frame's own
 * are in it. */
routh_status rt_make_block(routh_mechanism *mechanism, rt_block *block, const int *frames,
                           int n_frames, routh_error *error);

/* The most columns of u that may move a marker; 0 on the ground. */
int rt_marker_width(const routh_mechanism *mechanism, int marker);

/* The columns of u that move a marker, its body's and then its node's, into columns (room for the
 * marker's width); how many. */
int rt_marker_columns(const routh_mechanism *mechanism, int marker, int *columns);

/* Adds the element's name and place to an error made deeper down. */
routh_status rt_blame(const routh_mechanism *mechanism, routh_status status, const char *what,
                      const char *name, rt_place place, routh_error *error);

routh_status rt_compile_bodies(routh_mechanism *mechanism, routh_error *error);
/* Counts elastic coordinates and lists flexible bodies and the markers on their nodes; needs the
 * number of bodies and the set's numbers of columns, before any block is made. */
routh_status rt_compile_flexible(routh_mechanism *mechanism, routh_error *error);
routh_status rt_compile_constraints(routh_mechanism *mechanism, routh_error *error);
routh_status rt_compile_loads(routh_mechanism *mechanism, routh_error *error);
routh_status rt_compile_histories(routh_mechanism *mechanism, routh_error *error);

/* A user's function, with work space for it counted; its value alone, or its partials too. */
routh_status rt_compile_function(routh_mechanism *mechanism, rt_program *program, rt_expr e,
                                 bool partials, routh_error *error);

/* Frames, multipliers and signals that the expressions of block touch: frames are added to the list
 * (room for RT_LOAD_FRAMES), the others become the block's; lambda is scratch (RT_LOAD_LAMBDA). */
routh_status rt_add_dependencies(routh_mechanism *mechanism, rt_load_block *block, int *frames,
                                 int *n_frames, int *lambda, routh_error *error);
routh_status rt_set_lambda(routh_mechanism *mechanism, rt_load_block *block, const int *lambda,
                           int n, routh_error *error);

/* pattern_L, built over multipliers and signals, cut in two. */
void rt_split_L(routh_mechanism *mechanism);

/* Room for a mechanism's numbers that are not of elements; then all numbers as the model has them,
 * along m->along; then those that are taken from the state as written. w is scratch. */
routh_status rt_take_numbers(routh_mechanism *mechanism, routh_error *error);
void rt_fill_numbers(routh_mechanism *mechanism, rt_workspace *workspace);
void rt_start_numbers(routh_mechanism *mechanism, rt_workspace *workspace, rt_state *start);
/* At the frames in the workspace. */
rt_scalar rt_typical_length(const routh_mechanism *mechanism, const rt_workspace *workspace);

/* A mechanism in a set that is not joined, or on spatial frames for one that is. */
routh_status rt_compile_direct(routh_mechanism **mechanism, const routh_model *model,
                               const rt_coordinate_set *set, const rt_joined *joined,
                               routh_error *error);
void rt_free_direct(routh_mechanism *mechanism);

/* A mechanism in the coordinates of that name, without an auxiliary one beside it. */
routh_status rt_compile_plain(routh_mechanism **mechanism, const routh_model *model,
                              const char *coordinates, routh_error *error);

/* Patterns of K, M and G, and every block's positions in them. */
routh_status rt_make_patterns(routh_mechanism *mechanism, routh_error *error);

#endif
