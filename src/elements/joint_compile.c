/* From a joint as the user wrote it to its rows. */
#include "elements/joints.h"
#include "elements/joint_table.h"

int rt_joint_count_rows(const rt_joint *joint)
{
    switch (joint->type) {
    case RT_JOINT_ROD:
    case RT_JOINT_MOTION:
    case RT_JOINT_RACK_AND_PINION:
    case RT_JOINT_COUPLER:
    case RT_JOINT_EXPRESSION: return 1;
    case RT_JOINT_SCREW: return rt_joint_count_primitives(joint->type) + 1;
    case RT_JOINT_ROLLING:
    case RT_JOINT_KNIFE_EDGE:
    case RT_JOINT_VELOCITY_COUPLER:
    case RT_JOINT_NONHOLONOMIC: return joint->n_functions;
    default: return rt_joint_count_primitives(joint->type);
    }
}

/* (d . d - L^2) / (2 L): its multiplier is the rod's force. */
static void rod_row(const rt_joint *joint, rt_row *row)
{
    *row = (rt_row){.kind = RT_ROW_DOTS, .label = "distance of the ends", .n_terms = 1};
    row->term[0].a = row->term[0].b = rt_joint_displacement(joint->markers[0], joint->markers[1]);
}

/* Displacement along axis k: (r_i - r_j) . axis k of j.
 * Angle about axis k, with p, q the next two axes in cyclic order: atan2(p_i . q_j, p_i . p_j). */
static rt_joint_coordinate coordinate_of(const rt_joint *joint, rt_coordinate which,
                                         rt_scalar ratio)
{
    const int i = joint->markers[0], j = joint->markers[1];
    rt_joint_coordinate s = {.ratio = ratio, .angle = which >= RT_COORDINATE_RX};
    if (!s.angle) {
        s.a = rt_joint_displacement(i, j);
        s.b = rt_joint_axis(joint, j, which - RT_COORDINATE_X);
        return s;
    }
    const int k = which - RT_COORDINATE_RX, p = (k + 1) % 3, q = (k + 2) % 3;
    s.a = rt_joint_axis(joint, i, p);
    s.b = rt_joint_axis(joint, j, q);
    s.c = rt_joint_axis(joint, i, p);
    s.d = rt_joint_axis(joint, j, p);
    return s;
}

/* A row of n joint coordinates, to be filled in. */
static routh_status coordinates_row(rt_row *row, const char *label, int n, rt_arena *arena,
                                    routh_error *error)
{
    *row = (rt_row){.kind = RT_ROW_COORDINATES, .label = label, .n_coordinates = n};
    row->coordinate = RT_TAKE(arena, rt_joint_coordinate, n);
    return row->coordinate ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status screw_row(const rt_joint *joint, rt_row *row, rt_arena *arena,
                              routh_error *error)
{
    const routh_status status = coordinates_row(row, "advance tied to turn", 2, arena, error);
    if (status) return status;
    row->coordinate[0] = coordinate_of(joint, RT_COORDINATE_Z, 1);
    row->coordinate[1] = coordinate_of(joint, RT_COORDINATE_RZ, 1);
    return ROUTH_OK;
}

static routh_status coupler_row(const rt_joint *joint, const routh_model *model, rt_row *row,
                                rt_arena *arena, routh_error *error)
{
    const routh_status status =
        coordinates_row(row, "coupled motions", joint->n_coupled, arena, error);
    if (status) return status;
    for (int k = 0; k < joint->n_coupled; k++)
        row->coordinate[k] =
            coordinate_of(&model->joints[joint->coupled[k]], joint->coordinate[k], 1);
    return ROUTH_OK;
}

static routh_status rack_row(const rt_joint *joint, const routh_model *model, rt_row *row,
                             rt_arena *arena, routh_error *error)
{
    const routh_status status = coordinates_row(row, "rack rolls on pinion", 2, arena, error);
    if (status) return status;
    row->coordinate[0] = coordinate_of(&model->joints[joint->coupled[0]], joint->coordinate[0], 1);
    row->coordinate[1] = coordinate_of(&model->joints[joint->coupled[1]], joint->coordinate[1], 1);
    return ROUTH_OK;
}

static routh_status motion_row(const rt_joint *joint, const routh_model *model, rt_graph *graph,
                               rt_row *row, rt_arena *arena, routh_error *error)
{
    const routh_status status = coordinates_row(row, "prescribed motion", 1, arena, error);
    if (status) return status;
    row->coordinate[0] = coordinate_of(joint, joint->coordinate[0], 1);
    row->has_program = true;
    return rt_program_compile(&row->program, graph, model, joint->function.expr, false, arena,
                              error);
}

static routh_status expression_row(const rt_joint *joint, const routh_model *model, rt_graph *graph,
                                   rt_row *row, rt_arena *arena, routh_error *error)
{
    *row =
        (rt_row){.kind = RT_ROW_EXPRESSION, .label = "the expression is zero", .has_program = true};
    return rt_program_compile(&row->program, graph, model, joint->function.expr, true, arena,
                              error);
}

/* Rows of a joint of functions: those of position level first, then those of velocities. */
static routh_status function_rows(const rt_joint *joint, const routh_model *model, rt_graph *graph,
                                  rt_row *rows, rt_arena *arena, routh_error *error)
{
    for (int k = 0; k < joint->n_functions; k++) {
        rows[k] =
            (rt_row){.kind = k < joint->n_position_functions ? RT_ROW_EXPRESSION : RT_ROW_RATES,
                     .label = joint->labels[k],
                     .has_program = true};
        const routh_status status = rt_program_compile(
            &rows[k].program, graph, model, joint->functions[k].expr, true, arena, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static void row_frames(const rt_row *row, int *list, int *n)
{
    for (int k = 0; k < row->n_terms; k++) {
        rt_vector_frames(&row->term[k].a, list, n);
        rt_vector_frames(&row->term[k].b, list, n);
    }
    for (int k = 0; k < row->n_coordinates; k++) {
        rt_vector_frames(&row->coordinate[k].a, list, n);
        rt_vector_frames(&row->coordinate[k].b, list, n);
    }
    if (row->has_program) rt_program_frames(&row->program, list, n);
}

static routh_status joint_compile_fill_rows(rt_constraint *c, const rt_joint *joint,
                                            const routh_model *model, rt_graph *graph,
                                            rt_arena *arena, routh_error *error)
{
    const rt_primitive *primitives = rt_joint_primitives(joint->type);
    const int n = rt_joint_count_primitives(joint->type);
    for (int k = 0; k < n; k++) rt_primitive_row(&primitives[k], joint, &c->rows[k]);
    switch (joint->type) {
    case RT_JOINT_ROD: rod_row(joint, c->rows); break;
    case RT_JOINT_SCREW: return screw_row(joint, &c->rows[n], arena, error);
    case RT_JOINT_COUPLER: return coupler_row(joint, model, c->rows, arena, error);
    case RT_JOINT_RACK_AND_PINION: return rack_row(joint, model, c->rows, arena, error);
    case RT_JOINT_MOTION: return motion_row(joint, model, graph, c->rows, arena, error);
    case RT_JOINT_EXPRESSION: return expression_row(joint, model, graph, c->rows, arena, error);
    case RT_JOINT_ROLLING:
    case RT_JOINT_KNIFE_EDGE:
    case RT_JOINT_VELOCITY_COUPLER:
    case RT_JOINT_NONHOLONOMIC: return function_rows(joint, model, graph, c->rows, arena, error);
    default: break;
    }
    return ROUTH_OK;
}

/* The frames of all rows together. */
static routh_status list_frames(rt_constraint *c, routh_error *error)
{
    int list[2 * RT_GRADIENT_FRAMES] = {0}, n = 0; /* a row adds no more than that many */
    for (int k = 0; k < c->n_rows; k++) {
        row_frames(&c->rows[k], list, &n);
        if (n > RT_GRADIENT_FRAMES)
            return rt_fail(
                error, ROUTH_LIMIT_EXCEEDED,
                "the joint's expressions touch more than %d markers; split it into several joints",
                RT_GRADIENT_FRAMES);
    }
    memcpy(c->frames, list, sizeof c->frames);
    c->n_frames = n;
    return ROUTH_OK;
}

/* Numbers of a row of joint coordinates. */
static void coordinate_numbers(rt_row *row, const rt_joint *joint, const rt_slopes *along)
{
    static const double two_pi = 6.283185307179586476925286766559;
    switch (joint->type) {
    case RT_JOINT_SCREW:
        row->coordinate[1].ratio = -rt_value_of(joint->pitch, along) / two_pi;
        return;
    case RT_JOINT_RACK_AND_PINION:
        row->coordinate[1].ratio = -rt_value_of(joint->radius, along);
        return;
    case RT_JOINT_COUPLER:
        for (int k = 0; k < joint->n_coupled; k++)
            row->coordinate[k].ratio = rt_value_of(joint->ratio[k], along);
        row->constant = joint->offset_given ? -rt_value_of(joint->offset, along) : 0;
        return;
    default: return;
    }
}

void rt_constraint_numbers(rt_constraint *c, const routh_model *model, const rt_slopes *along)
{
    const rt_joint *joint = &model->joints[c->joint];
    for (int k = 0; k < c->n_rows; k++) {
        rt_row *row = &c->rows[k];
        if (row->kind == RT_ROW_COORDINATES) coordinate_numbers(row, joint, along);
        if (joint->type != RT_JOINT_ROD) continue;
        const rt_scalar length = rt_value_of(joint->length, along);
        row->constant = -length / 2;
        row->term[0].factor = 1 / (2 * length);
    }
}

routh_status rt_constraint_compile(rt_constraint *c, const routh_model *model, int number,
                                   rt_graph *graph, rt_arena *arena, routh_error *error)
{
    const rt_joint *joint = &model->joints[number];
    *c = (rt_constraint){.joint = number, .n_rows = rt_joint_count_rows(joint)};
    c->rows = RT_TAKE(arena, rt_row, c->n_rows);
    if (!c->rows) return rt_fail_memory(error);
    const routh_status status = joint_compile_fill_rows(c, joint, model, graph, arena, error);
    if (!status) rt_constraint_numbers(c, model, NULL);
    return status ? status : list_frames(c, error);
}
