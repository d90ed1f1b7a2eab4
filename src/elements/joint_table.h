/* The rows of a joint's class that are products of vectors. */
#ifndef RT_ELEMENTS_JOINT_TABLE_H
#define RT_ELEMENTS_JOINT_TABLE_H

#include "elements/joints.h"

/* Fills the terms of the row: a . b, or a . b - c . d, between the joint's two markers. */
void rt_primitive_row(const rt_joint_row *what, const rt_joint *joint, rt_row *row);

/* Unit vector of the joint's triad axis k, fixed in marker. */
rt_vector rt_joint_axis(const rt_joint *joint, int marker, int k);
rt_vector rt_joint_displacement(int i, int j);
rt_vector rt_world_axis(int k);

#endif
