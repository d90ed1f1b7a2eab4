/* The table of joints: which primitives each type is made of. */
#ifndef RT_ELEMENTS_JOINT_TABLE_H
#define RT_ELEMENTS_JOINT_TABLE_H

#include "elements/joints.h"

typedef enum rt_primitive_kind {
    RT_PRIMITIVE_END,
    RT_PRIMITIVE_POINT,    /* (r_i - r_j) . e_p = 0, world axis p */
    RT_PRIMITIVE_DOT1,     /* axis p of i . axis q of j = 0 */
    RT_PRIMITIVE_DOT2,     /* (r_i - r_j) . axis q of j = 0 */
    RT_PRIMITIVE_SYMMETRY, /* axis p of i . axis q of j - axis q of i . axis p of j = 0: no turn
                              about the third */
} rt_primitive_kind;

typedef struct rt_primitive {
    rt_primitive_kind kind;
    int p, q; /* 0 x, 1 y, 2 z of the joint's triad */
    const char *label;
} rt_primitive;

enum { RT_MAX_PRIMITIVES = 6 };

/* The primitives of a joint type, ended by RT_PRIMITIVE_END unless there are RT_MAX_PRIMITIVES;
 * NULL for the types that are not made of these (rod, screw's last row, couplers, motions,
 * expressions have rows of their own). */
const rt_primitive *rt_joint_primitives(rt_joint_type type);
int rt_joint_count_primitives(rt_joint_type type);

/* a . b (or a . b - c . d) of a primitive between the joint's two markers */
void rt_primitive_row(const rt_primitive *primitive, const rt_joint *joint, rt_row *row);

/* Unit vector of the joint's triad axis k, fixed in marker. */
rt_vector rt_joint_axis(const rt_joint *joint, int marker, int k);
rt_vector rt_joint_displacement(int i, int j);
rt_vector rt_world_axis(int k);

#endif
