#include "symbolic/joints.h"

#include <stdlib.h>
#include <string.h>

enum { X, Y, Z };

typedef struct joints_builder {
    const rt_natural_bodies *b;
    rt_graph *graph;
    rt_symbolic_row *rows;
    int n, room;
    int joint, body;
    /* of the joint at work: the axes of its triad in both markers, and the place of one from the
     * other */
    rt_form axis[2][3], d;
} joints_builder;

static routh_status joints_add_row(joints_builder *w, const char *label, rt_quadric **quadric,
                                   routh_error *error)
{
    if (w->n == w->room) {
        const int room = w->room ? 2 * w->room : 64;
        rt_symbolic_row *more = realloc(w->rows, (size_t)room * sizeof *more);
        if (!more) return rt_fail_memory(error);
        w->rows = more, w->room = room;
    }
    rt_symbolic_row *row = w->rows + w->n;
    *row = (rt_symbolic_row){.joint = w->joint, .body = w->body, .label = label};
    const routh_status status = rt_quadric_begin(w->b, &row->quadric, error);
    if (status) return status;
    w->n++;
    *quadric = &row->quadric;
    return ROUTH_OK;
}

/* u . v */
static routh_status joints_dot(joints_builder *w, const char *label, const rt_form *u,
                               const rt_form *v, routh_error *error)
{
    rt_quadric *q;
    const routh_status status = joints_add_row(w, label, &q, error);
    return status ? status : rt_quadric_add(w->b, q, NULL, u, v, -1, error);
}

static routh_status joints_points(joints_builder *w, routh_error *error)
{
    static const char *const labels[3] = {"origins coincide along x", "origins coincide along y",
                                          "origins coincide along z"};
    routh_status status = ROUTH_OK;
    for (int k = 0; k < 3 && !status; k++) {
        rt_quadric *q;
        status = joints_add_row(w, labels[k], &q, error);
        if (!status) status = rt_quadric_add(w->b, q, NULL, &w->d, NULL, k, error);
    }
    return status;
}

static routh_status parallel(joints_builder *w, routh_error *error)
{
    const routh_status status = joints_dot(w, "joint axes parallel: no tilt about y",
                                           &w->axis[0][Z], &w->axis[1][X], error);
    return status ? status
                  : joints_dot(w, "joint axes parallel: no tilt about x", &w->axis[0][Z],
                               &w->axis[1][Y], error);
}

static routh_status no_turn(joints_builder *w, routh_error *error)
{
    return joints_dot(w, "no turn about the joint axis", &w->axis[0][X], &w->axis[1][Y], error);
}

static routh_status on_line(joints_builder *w, routh_error *error)
{
    const routh_status status =
        joints_dot(w, "on the joint axis: no offset along x", &w->d, &w->axis[1][X], error);
    return status ? status
                  : joints_dot(w, "on the joint axis: no offset along y", &w->d, &w->axis[1][Y],
                               error);
}

static routh_status in_plane(joints_builder *w, routh_error *error)
{
    return joints_dot(w, "in the plane: no offset along z", &w->d, &w->axis[1][Z], error);
}

/* x_i . y_j = y_i . x_j */
static routh_status symmetry(joints_builder *w, routh_error *error)
{
    rt_quadric *q;
    rt_exact *minus = rt_exact_zeros(w->b->field, 3);
    if (!minus) return rt_fail_memory(error);
    rt_exact_set_integer(w->b->field, minus, -1);
    routh_status status = joints_add_row(w, "equal turn of both shafts", &q, error);
    if (!status) status = rt_quadric_add(w->b, q, NULL, &w->axis[0][X], &w->axis[1][Y], -1, error);
    if (!status) status = rt_quadric_add(w->b, q, minus, &w->axis[0][Y], &w->axis[1][X], -1, error);
    return status;
}

/* d . d = length^2 */
static routh_status rod(joints_builder *w, const rt_joint *joint, routh_error *error)
{
    rt_quadric *q;
    routh_status status = joints_add_row(w, "length", &q, error);
    if (!status) status = rt_quadric_add(w->b, q, NULL, &w->d, &w->d, -1, error);
    if (!status)
        status = rt_exact_of_number(w->b->numbers, joint->length, false, q->constant, error);
    if (status) return status;
    rt_exact_multiply(w->b->field, q->constant, q->constant, q->constant);
    rt_exact_negate(w->b->field, q->constant, q->constant);
    return ROUTH_OK;
}

/* d . axis_j = f(t) */
static routh_status joints_slide(joints_builder *w, int k, const rt_exact *f, routh_error *error)
{
    rt_quadric *q;
    routh_status status = joints_add_row(w, "displacement as driven", &q, error);
    if (!status) status = rt_quadric_add(w->b, q, NULL, &w->d, &w->axis[1][k], -1, error);
    for (int order = 0; order < 3 && !status; order++)
        rt_exact_negate(w->b->field, q->constant + order, f + order);
    return status;
}

/* cos f (x_i . y_j) - sin f (x_i . x_j) = 0 about z, and so on around. With c = cos f, s = sin f:
 *     c' = -s f',  c'' = -s f'' - c f'^2,    s' = c f',  s'' = c f'' - s f'^2 */
static routh_status joints_turn(joints_builder *w, int k, rt_expr angle, const rt_exact *f,
                                routh_error *error)
{
    rt_exact_field *field = w->b->field;
    rt_quadric *q;
    rt_exact *c = rt_exact_zeros(field, 8), *s = c + 3, *square = c + 6;
    if (!c) return rt_fail_memory(error);
    const rt_expr cosine = rt_function_of(w->graph, RT_COS, angle);
    const rt_expr sine = rt_function_of(w->graph, RT_SIN, angle);
    if (cosine < 0 || sine < 0) return rt_fail_memory(error);
    routh_status status = rt_exact_of_expr(w->b->numbers, cosine, c, error);
    if (!status) status = rt_exact_of_expr(w->b->numbers, sine, s, error);
    if (status) return status;
    rt_exact_multiply(field, square, f + 1, f + 1);
    rt_exact_subtract_product(field, c + 1, s, f + 1);
    rt_exact_subtract_product(field, c + 2, s, f + 2);
    rt_exact_subtract_product(field, c + 2, c, square);
    rt_exact_add_product(field, s + 1, c, f + 1);
    rt_exact_add_product(field, s + 2, c, f + 2);
    rt_exact_subtract_product(field, s + 2, s, square);
    for (int i = 0; i < 3; i++) rt_exact_negate(field, s + i, s + i);
    const int x = (k + 1) % 3, y = (k + 2) % 3;
    status = joints_add_row(w, "angle as driven", &q, error);
    if (!status) status = rt_quadric_add(w->b, q, c, &w->axis[0][x], &w->axis[1][y], -1, error);
    if (!status) status = rt_quadric_add(w->b, q, s, &w->axis[0][x], &w->axis[1][x], -1, error);
    return status;
}

static routh_status joints_motion(joints_builder *w, const rt_joint *joint, routh_error *error)
{
    rt_exact *f = rt_exact_zeros(w->b->field, 3);
    if (!f) return rt_fail_memory(error);
    const routh_status status = rt_function_of_time(w->b, w->graph, joint->function.expr, f, error);
    if (status) return status;
    const rt_coordinate coordinate = joint->coordinate[0];
    if (coordinate < RT_COORDINATE_RX) return joints_slide(w, (int)coordinate, f, error);
    return joints_turn(w, (int)(coordinate - RT_COORDINATE_RX), joint->function.expr, f, error);
}

static routh_status add_joint(joints_builder *w, const rt_joint *joint, routh_error *error)
{
    routh_status status;
    switch (joint->type) {
    case RT_JOINT_FIXED:
        status = joints_points(w, error);
        if (!status) status = parallel(w, error);
        return status ? status : no_turn(w, error);
    case RT_JOINT_REVOLUTE:
        status = joints_points(w, error);
        return status ? status : parallel(w, error);
    case RT_JOINT_TRANSLATIONAL:
        status = parallel(w, error);
        if (!status) status = no_turn(w, error);
        return status ? status : on_line(w, error);
    case RT_JOINT_CYLINDRICAL:
        status = parallel(w, error);
        return status ? status : on_line(w, error);
    case RT_JOINT_UNIVERSAL:
        status = joints_points(w, error);
        return status ? status
                      : joints_dot(w, "cross pins perpendicular", &w->axis[0][X], &w->axis[1][Y],
                                   error);
    case RT_JOINT_CONSTANT_VELOCITY:
        status = joints_points(w, error);
        return status ? status : symmetry(w, error);
    case RT_JOINT_SPHERICAL: return joints_points(w, error);
    case RT_JOINT_PLANAR: status = parallel(w, error); return status ? status : in_plane(w, error);
    case RT_JOINT_ROD: return rod(w, joint, error);
    case RT_JOINT_INLINE: return on_line(w, error);
    case RT_JOINT_INPLANE: return in_plane(w, error);
    case RT_JOINT_PARALLEL_AXES: return parallel(w, error);
    case RT_JOINT_PERPENDICULAR_AXES:
        return joints_dot(w, "joint axes perpendicular", &w->axis[0][Z], &w->axis[1][Z], error);
    case RT_JOINT_ORIENTATION:
        status = parallel(w, error);
        return status ? status : no_turn(w, error);
    case RT_JOINT_MOTION: return joints_motion(w, joint, error);
    case RT_JOINT_SCREW:
    case RT_JOINT_COUPLER:
    case RT_JOINT_RACK_AND_PINION:
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a joint of type %s counts angles by themselves, of which natural "
                       "coordinates know only sines and cosines; routh linearize takes it as "
                       "numbers",
                       rt_joint_type_name(joint->type));
    default:
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a joint of type %s is not a sum of products of natural coordinates and "
                       "leaves the class that is kept in symbols",
                       rt_joint_type_name(joint->type));
    }
}

static routh_status joints_prepare(joints_builder *w, const rt_joint *joint, routh_error *error)
{
    rt_form origin[2];
    routh_status status = ROUTH_OK;
    for (int i = 0; i < 2 && !status; i++) {
        const int marker = joint->markers[i] < 0 ? RT_GROUND : joint->markers[i];
        status = rt_form_origin(w->b, marker, &origin[i], error);
        for (int k = 0; k < 3 && !status; k++)
            status = rt_form_axis(w->b, marker, joint->triad, k, &w->axis[i][k], error);
    }
    return status ? status : rt_form_difference(w->b, &origin[0], &origin[1], &w->d, error);
}

/* a_k . a_l = 1 or 0 */
static routh_status joints_add_body(joints_builder *w, int body, routh_error *error)
{
    rt_form axis[3];
    routh_status status = ROUTH_OK;
    for (int k = 0; k < 3 && !status; k++)
        status = rt_form_axis(w->b, body, NULL, k, axis + k, error);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l <= k && !status; l++) {
            rt_quadric *q;
            status =
                joints_add_row(w, k == l ? "axes of unit length" : "axes perpendicular", &q, error);
            if (!status) status = rt_quadric_add(w->b, q, NULL, axis + k, axis + l, -1, error);
            if (!status && k == l) rt_exact_set_integer(w->b->field, q->constant, -1);
        }
    return status;
}

routh_status rt_natural_rows(const rt_natural_bodies *b, rt_graph *graph, rt_symbolic_row **rows,
                             int *n, routh_error *error)
{
    const routh_model *model = b->model;
    joints_builder w = {.b = b, .graph = graph, .joint = -1};
    routh_status status = ROUTH_OK;
    for (w.body = 0; w.body < model->n_bodies && !status; w.body++)
        status = joints_add_body(&w, w.body, error);
    for (w.joint = 0; w.joint < model->n_joints && !status; w.joint++) {
        const rt_joint *joint = model->joints + w.joint;
        routh_error why = {0};
        char element[160] = "joint ";
        status = joints_prepare(&w, joint, &why);
        if (!status) status = add_joint(&w, joint, &why);
        strncat(element, joint->name, 140);
        if (status)
            rt_fail_at(error, status, model->file, joint->place, element, "%s", why.message);
    }
    if (status) free(w.rows), w.rows = NULL, w.n = 0;
    *rows = w.rows;
    *n = w.n;
    return status;
}
