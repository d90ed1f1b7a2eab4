/* The spanning tree of a mechanism: which joint carries which body. */
#ifndef RT_COORDINATES_RELATIVE_TREE_H
#define RT_COORDINATES_RELATIVE_TREE_H

#include "model/model.h"

typedef struct rt_joint_tree {
    int *order;  /* n_bodies: all bodies, each after its parent */
    int *parent; /* n_bodies: a body or RT_GROUND */
    int *joint;  /* n_bodies: the joint to the parent; -1: the body floats */
} rt_joint_tree;

/* Every body gets the path from the ground with the fewest columns; among such, the last joint with
 * fewest columns and then the one found first. Joints with cut or wanted[j] stay out. A body that
 * cannot be reached floats, the first in model order, and those joined to it hang on it. The arrays
 * are taken from the arena. */
routh_status rt_tree_span(rt_joint_tree *tree, const routh_model *model, const bool *wanted,
                          rt_arena *arena, routh_error *error);

#endif
