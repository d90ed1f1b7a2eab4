/* Where markers that were read are: on which body, and where in its axes and in the world. */
#include <string.h>

#include "model/placing.h"

int rt_body_of_marker(const routh_model *model, int marker)
{
    return marker < 0 ? RT_GROUND : model->markers[marker].body;
}

/* In the body's axes; X + axes position, axes orientation where an undeformed node carries it. */
static void in_body_axes(rt_calculator *c, const routh_model *model, int marker,
                         rt_number position[3], rt_number orientation[9])
{
    const rt_marker *m = &model->markers[marker];
    const rt_flexible_node *node = rt_marker_node(model, marker);
    rt_number axes[9], X[3], p[3];
    memcpy(position, m->position, sizeof m->position);
    memcpy(orientation, m->orientation, sizeof m->orientation);
    if (!node) return;
    rt_node_places(&model->bodies[m->body], m->node, axes, X);
    rt_numbers_times(c, p, axes, m->position);
    for (int k = 0; k < 3; k++) position[k] = rt_plus(c, X[k], p[k]);
    rt_numbers_matrix(c, orientation, axes, m->orientation);
}

void rt_marker_in_body(rt_reader *r, int marker, rt_number position[3], rt_number axes[9])
{
    for (int k = 0; k < 3; k++) position[k] = rt_plain(0);
    rt_numbers_identity(axes);
    if (marker >= 0) in_body_axes(&r->calculator, r->model, marker, position, axes);
}

void rt_marker_in_world(rt_reader *r, int marker, rt_number position[3], rt_number axes[9])
{
    rt_calculator *c = &r->calculator;
    for (int k = 0; k < 3; k++) position[k] = rt_plain(0);
    rt_numbers_identity(axes);
    if (marker < 0) return;
    const rt_marker *m = &r->model->markers[marker];
    if (m->body == RT_GROUND) {
        memcpy(position, m->position, sizeof m->position);
        memcpy(axes, m->orientation, sizeof m->orientation);
        return;
    }
    const rt_body *b = &r->model->bodies[m->body];
    rt_number arm[3], in_body[3], turned[9];
    in_body_axes(c, r->model, marker, in_body, turned);
    rt_numbers_times(c, arm, b->orientation, in_body);
    for (int k = 0; k < 3; k++) position[k] = rt_plus(c, b->position[k], arm[k]);
    rt_numbers_matrix(c, axes, b->orientation, turned);
}
