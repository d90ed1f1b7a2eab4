#include "model/relative.h"

#include "base/vec3.h"
#include "model/angles.h"

rt_vector rt_fixed_axis(int marker, const double components[3])
{
    rt_vector v = {.kind = RT_VECTOR_AXIS, .i = marker, .j = RT_GROUND, .l = RT_GROUND};
    rt_v3_copy(v.local, components);
    return v;
}

rt_vector rt_marker_axis(int marker, int k)
{
    double unit[3] = {0, 0, 0};
    unit[k] = 1;
    return rt_fixed_axis(marker, unit);
}

rt_vector rt_triad_axis(int marker, const double triad[9], int k)
{
    double column[3];
    rt_m3_column(column, triad, k);
    return rt_fixed_axis(marker, column);
}

rt_vector rt_between_markers(rt_vector_kind kind, int i, int j)
{
    return (rt_vector){.kind = kind, .i = i, .j = j, .l = RT_GROUND};
}

rt_expr rt_relative_position(rt_reader *r, const rt_vector *a, int i, int j)
{
    const rt_vector d = rt_between_markers(RT_VECTOR_DISPLACEMENT, i, j);
    return rt_measure_dot(r, a, &d);
}

rt_expr rt_relative_velocity(rt_reader *r, const rt_vector *a, int i, int j)
{
    const rt_vector v = rt_between_markers(RT_VECTOR_VELOCITY, i, j);
    const rt_vector t = {.kind = RT_VECTOR_TRANSPORT, .i = i, .j = j, .l = j};
    const rt_expr whole = rt_measure_dot(r, a, &v);
    if (j == RT_GROUND) return whole;
    return rt_subtract(r->model->graph, whole, rt_measure_dot(r, a, &t));
}

rt_expr rt_relative_omega(rt_reader *r, const rt_vector *a, int i, int j)
{
    const rt_vector w = rt_between_markers(RT_VECTOR_OMEGA, i, j);
    return rt_measure_dot(r, a, &w);
}

rt_expr rt_relative_angle(rt_reader *r, const double triad[9], int i, int j)
{
    rt_counted_angle angle = rt_angle_about(i, j, triad, 2, -1);
    angle.felt = true;
    return rt_angle_expr(r, &angle);
}

rt_expr rt_reaction_along(rt_reader *r, int joint, bool torque, const rt_vector *a)
{
    const rt_quantity quantity = {
        .kind = RT_QUANTITY_FORCE, .index = joint, .torque = torque, .a = *a};
    return rt_quantity_expr(r, &quantity);
}
