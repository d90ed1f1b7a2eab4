/* See joint_table.h. Of constraints over rt_scalar. */
#include "elements/joint_table.h"

rt_vector rt_joint_axis(const rt_joint *joint, int marker, int k)
{
    rt_vector axis = {.kind = RT_VECTOR_AXIS, .i = marker, .j = RT_GROUND, .l = RT_GROUND};
    for (int i = 0; i < 3; i++) axis.local[i] = joint->triad[3 * i + k];
    return axis;
}

rt_vector rt_joint_displacement(int i, int j)
{
    return (rt_vector){.kind = RT_VECTOR_DISPLACEMENT, .i = i, .j = j, .l = RT_GROUND};
}

rt_vector rt_world_axis(int k)
{
    rt_vector axis = {.kind = RT_VECTOR_AXIS, .i = RT_GROUND, .j = RT_GROUND, .l = RT_GROUND};
    axis.local[k] = 1;
    return axis;
}

static void set_term(rt_row *row, rt_scalar factor, rt_vector a, rt_vector b)
{
    row->term[row->n_terms++] = (rt_row_term){.factor = factor, .a = a, .b = b};
}

void rt_primitive_row(const rt_joint_row *what, const rt_joint *joint, rt_row *row)
{
    const int i = joint->markers[0], j = joint->markers[1], p = what->p, q = what->q;
    const rt_vector d = rt_joint_displacement(i, j);
    *row = (rt_row){.kind = RT_ROW_DOTS, .what = what, .label = what->label};
    switch (what->kind) {
    case RT_JOINT_ROW_POINT: set_term(row, 1, d, rt_world_axis(p)); return;
    case RT_JOINT_ROW_DOT1:
        set_term(row, 1, rt_joint_axis(joint, i, p), rt_joint_axis(joint, j, q));
        return;
    case RT_JOINT_ROW_DOT2: set_term(row, 1, d, rt_joint_axis(joint, j, q)); return;
    case RT_JOINT_ROW_SYMMETRY:
        set_term(row, 1, rt_joint_axis(joint, i, p), rt_joint_axis(joint, j, q));
        set_term(row, -1, rt_joint_axis(joint, i, q), rt_joint_axis(joint, j, p));
        return;
    case RT_JOINT_ROW_DISTANCE: set_term(row, 1, d, d); return;
    case RT_JOINT_ROW_SUM:
    case RT_JOINT_ROW_COUPLED:
    case RT_JOINT_ROW_DRIVEN:
    case RT_JOINT_ROW_FUNCTION:
    case RT_JOINT_ROW_FUNCTIONS:
    case RT_JOINT_ROW_STRAINS:
    case RT_JOINT_ROW_END: return;
    }
}
