#include "symbolic/joints.h"

#include <stdlib.h>
#include <string.h>

#include "model/joint_class.h"

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

static routh_status joints_add_dot(joints_builder *w, rt_quadric *q, double sign, const rt_form *u,
                                   const rt_form *v, routh_error *error)
{
    if (sign > 0) return rt_quadric_add(w->b, q, NULL, u, v, -1, error);
    rt_exact *minus = rt_exact_zeros(w->b->field, 3);
    if (!minus) return rt_fail_memory(error);
    rt_exact_set_integer(w->b->field, minus, -1);
    return rt_quadric_add(w->b, q, minus, u, v, -1, error);
}

/* What the row keeps, with the opposite sign: a number or its cosine. */
static routh_status joints_kept(joints_builder *w, const rt_joint *joint, const rt_joint_row *row,
                                rt_quadric *q, routh_error *error)
{
    if (row->keeps == RT_KEEPS_ZERO) return ROUTH_OK;
    if (!rt_joint_number_given(joint, row->number))
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a joint of type %s is supported in formulas only with a given value; give "
                       "the value that it keeps",
                       rt_joint_type_name(joint));
    const rt_number number = rt_joint_number(joint, row->number);
    routh_status status;
    if (row->keeps == RT_KEEPS_COSINE) {
        rt_expr e = number.expr >= 0 ? number.expr : rt_constant(w->graph, number.value);
        if (e >= 0) e = rt_function_of(w->graph, RT_COS, e);
        status =
            e < 0 ? rt_fail_memory(error) : rt_exact_of_expr(w->b->numbers, e, q->constant, error);
    } else {
        status = rt_exact_of_number(w->b->numbers, number, false, q->constant, error);
    }
    if (!status && row->kind == RT_JOINT_ROW_DISTANCE)
        rt_exact_multiply(w->b->field, q->constant, q->constant, q->constant);
    if (!status) rt_exact_negate(w->b->field, q->constant, q->constant);
    return status;
}

/* A product of vectors; of a rod d . d = L^2. */
static routh_status joints_primitive(joints_builder *w, const rt_joint *joint,
                                     const rt_joint_row *row, routh_error *error)
{
    const rt_form *const x = w->axis[0], *const y = w->axis[1];
    const int p = row->p, r = row->q;
    rt_quadric *q;
    routh_status status = joints_add_row(w, row->label, &q, error);
    if (status) return status;
    if (row->kind == RT_JOINT_ROW_POINT)
        status = rt_quadric_add(w->b, q, NULL, &w->d, NULL, p, error);
    if (row->kind == RT_JOINT_ROW_DISTANCE) status = joints_add_dot(w, q, 1, &w->d, &w->d, error);
    if (row->kind == RT_JOINT_ROW_DOT2) status = joints_add_dot(w, q, 1, &w->d, &y[r], error);
    if (row->kind == RT_JOINT_ROW_DOT1 || row->kind == RT_JOINT_ROW_SYMMETRY)
        status = joints_add_dot(w, q, 1, &x[p], &y[r], error);
    if (!status && row->kind == RT_JOINT_ROW_SYMMETRY)
        status = joints_add_dot(w, q, -1, &x[r], &y[p], error);
    return status ? status : joints_kept(w, joint, row, q, error);
}

/* d . axis_j = f(t) */
static routh_status joints_slide(joints_builder *w, const char *label, int k, const rt_exact *f,
                                 routh_error *error)
{
    rt_quadric *q;
    routh_status status = joints_add_row(w, label, &q, error);
    if (!status) status = rt_quadric_add(w->b, q, NULL, &w->d, &w->axis[1][k], -1, error);
    for (int order = 0; order < 3 && !status; order++)
        rt_exact_negate(w->b->field, q->constant + order, f + order);
    return status;
}

/* cos f (x_i . y_j) - sin f (x_i . x_j) = 0 about z, and so on around. With c = cos f, s = sin f:
 *     c' = -s f',  c'' = -s f'' - c f'^2,    s' = c f',  s'' = c f'' - s f'^2 */
static routh_status joints_turn(joints_builder *w, const char *label, int k, rt_expr angle,
                                const rt_exact *f, routh_error *error)
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
    status = joints_add_row(w, label, &q, error);
    if (!status) status = rt_quadric_add(w->b, q, c, &w->axis[0][x], &w->axis[1][y], -1, error);
    if (!status) status = rt_quadric_add(w->b, q, s, &w->axis[0][x], &w->axis[1][x], -1, error);
    return status;
}

static routh_status joints_motion(joints_builder *w, const rt_joint *joint, const char *label,
                                  routh_error *error)
{
    rt_exact *f = rt_exact_zeros(w->b->field, 3);
    if (!f) return rt_fail_memory(error);
    const routh_status status = rt_function_of_time(w->b, w->graph, joint->function.expr, f, error);
    if (status) return status;
    const rt_coordinate coordinate = joint->coordinate[0];
    if (coordinate < RT_COORDINATE_RX) return joints_slide(w, label, (int)coordinate, f, error);
    return joints_turn(w, label, (int)(coordinate - RT_COORDINATE_RX), joint->function.expr, f,
                       error);
}

/* Does a sum of coordinates have an angle among them? */
static bool joints_sum_has_angle(const rt_joint *joint, const rt_joint_row *row)
{
    if (row->term[0].factor == 0)
        for (int k = 0; k < joint->n_coupled; k++)
            if (joint->coordinate[k] >= RT_COORDINATE_RX) return true;
    for (int k = 0; k < RT_JOINT_TERMS && row->term[k].factor != 0; k++)
        if (row->term[k].coordinate >= RT_COORDINATE_RX) return true;
    return false;
}

static routh_status joints_class_row(joints_builder *w, const rt_joint *joint,
                                     const rt_joint_row *row, routh_error *error)
{
    switch (row->kind) {
    case RT_JOINT_ROW_POINT:
    case RT_JOINT_ROW_DOT1:
    case RT_JOINT_ROW_DOT2:
    case RT_JOINT_ROW_SYMMETRY:
    case RT_JOINT_ROW_DISTANCE: return joints_primitive(w, joint, row, error);
    case RT_JOINT_ROW_DRIVEN: return joints_motion(w, joint, row->label, error);
    case RT_JOINT_ROW_SUM:
    case RT_JOINT_ROW_COUPLED:
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       joints_sum_has_angle(joint, row)
                           ? "a joint of type %s uses an angle itself, but formulas contain only "
                             "sines and cosines of angles; use routh linearize"
                           : "a joint of type %s, a relation between coordinates, is not supported "
                             "in formulas; use routh linearize",
                       rt_joint_type_name(joint));
    case RT_JOINT_ROW_FUNCTION:
    case RT_JOINT_ROW_FUNCTIONS:
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a joint of type %s is not supported in formulas; use routh linearize",
                       rt_joint_type_name(joint));
    case RT_JOINT_ROW_STRAINS:
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "beams that keep strains zero are not supported in formulas: the rotation "
                       "within an element is a quotient; use routh linearize");
    case RT_JOINT_ROW_END: break;
    }
    return ROUTH_OK;
}

static routh_status add_joint(joints_builder *w, const rt_joint *joint, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < rt_joint_class_count_rows(joint->class) && !status; k++)
        status = joints_class_row(w, joint, &joint->class->rows[k], error);
    return status;
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
