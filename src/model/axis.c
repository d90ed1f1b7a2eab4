/* Directions of axes, and the triads that belong to them. */
#include "model/read_values.h"

#include <math.h>

#include "base/vec3.h"

/* z along the axis; x perpendicular to it: for a coordinate axis the next but one in cyclic order,
 * so that z gives the identity; else the component of the coordinate axis farthest from z. */
void rt_triad_of_axis(const double axis[3], double triad[9])
{
    double x[3] = {0, 0, 0}, y[3], z[3];
    int largest = 0, smallest = 0;
    const double length = rt_v3_norm(axis);
    for (int k = 0; k < 3; k++) {
        z[k] = axis[k] / length;
        if (fabs(z[k]) > fabs(z[largest])) largest = k;
        if (fabs(z[k]) < fabs(z[smallest])) smallest = k;
    }
    const bool aligned = fabs(z[(largest + 1) % 3]) + fabs(z[(largest + 2) % 3]) == 0;
    const int start = aligned ? (largest + 1) % 3 : smallest;
    x[start] = 1;
    rt_v3_add_scaled(x, -z[start], z);
    rt_v3_scale(x, 1 / rt_v3_norm(x), x);
    rt_v3_cross(y, z, x);
    for (int k = 0; k < 3; k++)
        triad[3 * k] = x[k], triad[3 * k + 1] = y[k], triad[3 * k + 2] = z[k];
}

/* The same with numbers, by the rule that their values choose. */
static routh_status triad_of_numbers(rt_reader *r, const rt_number axis[3], rt_axis *out)
{
    rt_calculator *c = &r->calculator;
    rt_number *triad = RT_TAKE(&r->model->arena, rt_number, 9), x[3], y[3], z[3], along;
    if (!triad) return rt_fail_memory(r->error);
    int start = 0;
    for (int k = 0; k < 3; k++) /* x is steepest along the coordinate axis that it began with */
        if (out->triad[3 * k] > out->triad[3 * start]) start = k;
    rt_numbers_unit(c, z, axis);
    along = rt_minus(c, rt_plain(0), z[start]);
    for (int k = 0; k < 3; k++) y[k] = rt_plus(c, rt_plain(k == start), rt_times(c, along, z[k]));
    rt_numbers_unit(c, x, y);
    rt_numbers_cross(c, y, z, x);
    for (int k = 0; k < 3; k++)
        triad[3 * k] = x[k], triad[3 * k + 1] = y[k], triad[3 * k + 2] = z[k];
    out->numbers = triad;
    return ROUTH_OK;
}

routh_status rt_read_axis(rt_reader *r, const rt_yaml *node, rt_axis *out)
{
    double axis[3] = {0, 0, 0};
    rt_number numbers[3];
    bool depends = false;
    char found[96];
    const int named =
        node->kind == RT_YAML_SCALAR ? rt_word_position(node->text, rt_axis_names) : -1;
    if (named >= 0) {
        axis[named % 3] = named < 3 ? 1 : -1;
    } else if (node->kind == RT_YAML_LIST && node->count == 3) {
        const routh_status status = rt_read_direction(r, node, "axis", numbers);
        if (status) return status;
        rt_numbers_values(axis, numbers, 3);
        for (int k = 0; k < 3; k++) depends = depends || numbers[k].expr >= 0;
    } else {
        return rt_reader_fail(r, node->place,
                              "axis must be x, y, z, -x, -y, -z or a list of 3 numbers, not %s",
                              rt_yaml_describe(node, found, sizeof found));
    }
    const double length = rt_v3_norm(axis);
    if (!(length > 0) || !isfinite(length))
        return rt_reader_fail(r, node->place, "axis has %s length; it must have a direction",
                              length > 0 ? "an infinite" : "zero");
    rt_triad_of_axis(axis, out->triad);
    out->numbers = NULL;
    return depends ? triad_of_numbers(r, numbers, out) : ROUTH_OK;
}
