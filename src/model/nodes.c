/* Markers on nodes of flexible bodies. */
#include "model/reader.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"

static const rt_body *nodes_body_of(const rt_reader *r, const rt_marker *marker)
{
    return &r->model->bodies[marker->body];
}

void rt_node_places(const rt_body *body, int index, rt_number axes[9], rt_number X[3])
{
    const rt_flexible_node *n = &body->flexible->nodes[index];
    const rt_number *at = body->places;
    for (int k = 0; k < 9; k++) axes[k] = at ? at[k] : rt_plain(n->axes[k]);
    for (int k = 0; k < 3; k++) X[k] = at ? at[9 + 3 * index + k] : rt_plain(n->X[k]);
}

/* A node that moves carries the marker; with one that does not it is fixed in the frame, at
 * X + axes position with axes orientation. */
static void attach(rt_reader *r, const rt_flexible_node *n, int index, rt_marker *marker)
{
    rt_number axes[9], X[3], p[3], A[9];
    if (n->n) {
        marker->node = index;
        return;
    }
    rt_node_places(nodes_body_of(r, marker), index, axes, X);
    rt_numbers_times(&r->calculator, p, axes, marker->position);
    rt_numbers_matrix(&r->calculator, A, axes, marker->orientation);
    for (int k = 0; k < 3; k++) marker->position[k] = rt_plus(&r->calculator, X[k], p[k]);
    memcpy(marker->orientation, A, sizeof A);
}

/* Nodes of solid elements have no rotation that would carry a point beside them along. */
static routh_status check_place(rt_reader *r, rt_place place, const rt_flexible_node *n,
                                const rt_marker *marker)
{
    double p[3];
    rt_numbers_values(p, marker->position, 3);
    if (!n->point || rt_v3_norm(p) == 0) return ROUTH_OK;
    return rt_reader_fail(r, place,
                          "node %d of %s is displaced but does not rotate, so a marker on it lies "
                          "at the node itself; leave position out, or reduce the body with an "
                          "interface NUMBER=SET of several nodes there, which rotates",
                          n->number, nodes_body_of(r, marker)->name);
}

routh_status rt_check_turns(rt_reader *r, rt_place place, int marker, const char *what)
{
    const rt_flexible_node *n = rt_marker_node(r->model, marker);
    if (!n || !n->point) return ROUTH_OK;
    return rt_reader_fail(r, place,
                          "%s cannot be on node %d of %s, which is displaced but does not rotate; "
                          "reduce the body with an interface NUMBER=SET of several nodes there, "
                          "which rotates",
                          what, n->number, nodes_body_of(r, &r->model->markers[marker])->name);
}

/* axes'(p - X): a point in the frame's axes, from the node in its axes. */
static void into_node(rt_reader *r, const rt_body *body, int index, const rt_number p[3],
                      rt_number out[3])
{
    rt_number axes[9], X[3], d[3];
    rt_node_places(body, index, axes, X);
    for (int k = 0; k < 3; k++) d[k] = rt_minus(&r->calculator, p[k], X[k]);
    rt_numbers_transposed_times(&r->calculator, out, axes, d);
}

/* ---- by number ------------------------------------------------------------------------------- */

/* "its nodes are 1 to 51", or the first few of them. */
static const char *list_nodes(const rt_flexible *shape, char *text, size_t size)
{
    const int n = shape->n_nodes;
    if (n < 1) return "it keeps no nodes; reduce it with an interface there";
    const int last = shape->nodes[n - 1].number;
    size_t end = 0;
    if (last - shape->nodes[0].number == n - 1) {
        snprintf(text, size, "its nodes are %d to %d", shape->nodes[0].number, last);
        return text;
    }
    end = (size_t)snprintf(text, size, "its %d nodes are", n);
    for (int k = 0; k < n && k < 8 && end < size; k++)
        end +=
            (size_t)snprintf(text + end, size - end, "%s %d", k ? "," : "", shape->nodes[k].number);
    if (n > 8 && end < size) snprintf(text + end, size - end, ", .., %d", last);
    return text;
}

static routh_status find_by_number(rt_reader *r, const rt_yaml *node, const rt_flexible *shape,
                                   int *index)
{
    rt_number number;
    const char *word = node->kind == RT_YAML_SCALAR ? node->text : "";
    *index = !strcmp(word, "first") ? 0 : !strcmp(word, "last") ? shape->n_nodes - 1 : -1;
    if (*index >= 0) return ROUTH_OK;
    const char *before = r->unit;
    r->unit = RT_UNIT_NONE;
    const routh_status status = rt_read_number(r, node, "node", RT_ANY, &number);
    r->unit = before;
    if (status) return status;
    if (number.value == floor(number.value) && fabs(number.value) < INT_MAX)
        *index = rt_flexible_find_node(shape, (int)number.value);
    return ROUTH_OK;
}

routh_status rt_put_on_node(rt_reader *r, const rt_yaml *node, const rt_number *at,
                            rt_marker *marker)
{
    char nodes[200];
    int index;
    const rt_body *body = marker->body < 0 ? NULL : nodes_body_of(r, marker);
    if (!body || !body->flexible)
        return rt_reader_fail(r, node->key_place,
                              "%s has no nodes: it is %s; leave node out and say where the marker "
                              "is with position",
                              body ? body->name : "ground", body ? "a rigid body" : "no body");
    const rt_flexible *shape = body->flexible;
    const routh_status status = find_by_number(r, node, shape, &index);
    if (status) return status;
    if (index < 0)
        return rt_reader_fail(r, node->place, "there is no node %.60s in %s: %s", node->text,
                              body->name, list_nodes(shape, nodes, sizeof nodes));
    if (at) into_node(r, body, index, at, marker->position);
    attach(r, &shape->nodes[index], index, marker);
    return check_place(r, node->place, &shape->nodes[index], marker);
}

/* ---- by place -------------------------------------------------------------------------------- */

static int nodes_find_nearest(const rt_flexible *shape, const double p[3], double *distance)
{
    int nearest = 0;
    double d[3];
    *distance = INFINITY;
    for (int k = 0; k < shape->n_nodes; k++) {
        rt_v3_sub(d, shape->nodes[k].X, p);
        if (!(rt_v3_norm(d) < *distance)) continue;
        *distance = rt_v3_norm(d);
        nearest = k;
    }
    return nearest;
}

/* The diagonal of the box about its nodes. */
static double nodes_size_of(const rt_flexible *shape)
{
    double low[3], high[3], d[3];
    rt_v3_copy(low, shape->nodes[0].X);
    rt_v3_copy(high, low);
    for (int k = 1; k < shape->n_nodes; k++)
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], shape->nodes[k].X[i]);
            high[i] = fmax(high[i], shape->nodes[k].X[i]);
        }
    rt_v3_sub(d, high, low);
    return rt_v3_norm(d);
}

/* A = axes' A_body': the world's axes in the node's. */
static void set_world_axes(rt_reader *r, const rt_body *body, int index, rt_number A[9])
{
    rt_number both[9], axes[9], X[3];
    rt_node_places(body, index, axes, X);
    rt_numbers_matrix(&r->calculator, both, body->orientation, axes);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) A[3 * i + j] = both[3 * j + i];
}

routh_status rt_put_on_node_at(rt_reader *r, rt_place place, const rt_number p[3], bool world_axes,
                               rt_marker *marker)
{
    const rt_body *body = nodes_body_of(r, marker);
    const rt_flexible *shape = body->flexible;
    double at[3], distance;
    rt_numbers_values(at, p, 3);
    const int k = nodes_find_nearest(shape, at, &distance);
    if (!(distance <= 1e-9 * nodes_size_of(shape)))
        return rt_reader_fail(r, place,
                              "no node of %s is at this point: the nearest is node %d, %.6g m "
                              "away; move the point there, or use a marker that node carries, "
                              "{body: %s, node: %d, at: [..]}",
                              body->name, shape->nodes[k].number, distance, body->name,
                              shape->nodes[k].number);
    for (int i = 0; i < 3; i++) marker->position[i] = rt_plain(0);
    if (world_axes) set_world_axes(r, body, k, marker->orientation);
    attach(r, &shape->nodes[k], k, marker);
    return ROUTH_OK;
}
