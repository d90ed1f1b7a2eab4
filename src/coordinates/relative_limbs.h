/* The compiled tree: limbs (a body and the steps that carry it) and steps, each after what it
 * stands on. */
#ifndef RT_COORDINATES_RELATIVE_LIMBS_H
#define RT_COORDINATES_RELATIVE_LIMBS_H

#include "coordinates/relative_links.h"
#include "coordinates/relative_tree.h"

typedef struct rt_limb {
    int body;
    int parent;      /* a body or RT_GROUND */
    int joint;       /* -1: the body floats */
    bool from_first; /* the parent holds the joint's first marker */
    rt_pose
        marker[2];    /* the joint's first and second marker, axes of the joint, each in its body */
    double branch[9]; /* C of relative_chain.h */
    double start;     /* screw: displacement at the angle 0 */
    int step, n_steps; /* its own, in the order from the parent to the body */
    int link;          /* the link the body stands in, and where; -1: the ground */
    rt_pose pose;
} rt_limb;

typedef struct rt_limbs {
    int n_limbs, n_steps, n_q, n_u;
    rt_pose ground; /* the world's frame, counted from O */
    rt_limb *limb;  /* one for each body, after that of its parent */
    int *of_body;   /* its limb */
    rt_joint_step *step;
} rt_limbs;

/* origin: the point O from which links are counted. The arrays are taken from the arena. */
routh_status rt_limbs_compile(rt_limbs *limbs, const routh_model *model, const rt_joint_tree *tree,
                              const double origin[3], rt_arena *arena, routh_error *error);

#endif
