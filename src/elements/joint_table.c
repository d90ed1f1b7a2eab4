#include "elements/joint_table.h"

enum { X, Y, Z };

#define POINTS                                                                                    \
    {RT_PRIMITIVE_POINT, X, 0, "origins coincide along x"},                                       \
        {RT_PRIMITIVE_POINT, Y, 0, "origins coincide along y"},                                   \
    {                                                                                             \
        RT_PRIMITIVE_POINT, Z, 0, "origins coincide along z"                                      \
    }
#define PARALLEL                                                                                  \
    {RT_PRIMITIVE_DOT1, Z, X, "joint axes parallel: no tilt about y"},                            \
    {                                                                                             \
        RT_PRIMITIVE_DOT1, Z, Y, "joint axes parallel: no tilt about x"                           \
    }
#define NO_TURN                                                                                   \
    {                                                                                             \
        RT_PRIMITIVE_DOT1, X, Y, "no turn about the joint axis"                                   \
    }
#define ON_LINE                                                                                   \
    {RT_PRIMITIVE_DOT2, 0, X, "on the joint axis: no offset along x"},                            \
    {                                                                                             \
        RT_PRIMITIVE_DOT2, 0, Y, "on the joint axis: no offset along y"                           \
    }
#define IN_PLANE                                                                                  \
    {                                                                                             \
        RT_PRIMITIVE_DOT2, 0, Z, "in the plane: no offset along z"                                \
    }

static const rt_primitive table[RT_JOINT_N_TYPES][RT_MAX_PRIMITIVES] = {
    [RT_JOINT_FIXED] = {POINTS, PARALLEL, NO_TURN},
    [RT_JOINT_REVOLUTE] = {POINTS, PARALLEL},
    [RT_JOINT_TRANSLATIONAL] = {PARALLEL, NO_TURN, ON_LINE},
    [RT_JOINT_CYLINDRICAL] = {PARALLEL, ON_LINE},
    [RT_JOINT_UNIVERSAL] = {POINTS, {RT_PRIMITIVE_DOT1, X, Y, "cross pins perpendicular"}},
    [RT_JOINT_CONSTANT_VELOCITY] = {POINTS,
                                    {RT_PRIMITIVE_SYMMETRY, X, Y, "equal turn of both shafts"}},
    [RT_JOINT_SPHERICAL] = {POINTS},
    [RT_JOINT_PLANAR] = {PARALLEL, IN_PLANE},
    [RT_JOINT_SCREW] = {PARALLEL, ON_LINE},
    [RT_JOINT_INLINE] = {ON_LINE},
    [RT_JOINT_INPLANE] = {IN_PLANE},
    [RT_JOINT_PARALLEL_AXES] = {PARALLEL},
    [RT_JOINT_PERPENDICULAR_AXES] = {{RT_PRIMITIVE_DOT1, Z, Z, "joint axes perpendicular"}},
    [RT_JOINT_ORIENTATION] = {PARALLEL, NO_TURN},
};

const rt_primitive *rt_joint_primitives(rt_joint_type type) { return table[type]; }

int rt_joint_count_primitives(rt_joint_type type)
{
    int n = 0;
    while (n < RT_MAX_PRIMITIVES && table[type][n].kind != RT_PRIMITIVE_END) n++;
    return n;
}

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

void rt_primitive_row(const rt_primitive *primitive, const rt_joint *joint, rt_row *row)
{
    const int i = joint->markers[0], j = joint->markers[1], p = primitive->p, q = primitive->q;
    *row = (rt_row){.kind = RT_ROW_DOTS, .label = primitive->label, .n_terms = 1};
    row->term[0].factor = 1;
    switch (primitive->kind) {
    case RT_PRIMITIVE_POINT:
        row->term[0].a = rt_joint_displacement(i, j);
        row->term[0].b = rt_world_axis(p);
        return;
    case RT_PRIMITIVE_DOT1:
        row->term[0].a = rt_joint_axis(joint, i, p);
        row->term[0].b = rt_joint_axis(joint, j, q);
        return;
    case RT_PRIMITIVE_DOT2:
        row->term[0].a = rt_joint_displacement(i, j);
        row->term[0].b = rt_joint_axis(joint, j, q);
        return;
    case RT_PRIMITIVE_SYMMETRY:
        row->term[0].a = rt_joint_axis(joint, i, p);
        row->term[0].b = rt_joint_axis(joint, j, q);
        row->n_terms = 2;
        row->term[1].factor = -1;
        row->term[1].a = rt_joint_axis(joint, i, q);
        row->term[1].b = rt_joint_axis(joint, j, p);
        return;
    case RT_PRIMITIVE_END: return;
    }
}
