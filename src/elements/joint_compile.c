/* From a joint as the user wrote it to its rows: those of its class. */
#include "elements/joints.h"
#include "elements/joint_table.h"
#include "model/angles.h"

static bool made_of_functions(const rt_joint_class *joint_class)
{
    return joint_class->rows[0].kind == RT_JOINT_ROW_FUNCTIONS;
}

int rt_joint_count_rows(const rt_joint *joint)
{
    if (joint->n_strains) return joint->n_strains;
    return made_of_functions(joint->class) ? joint->n_functions
                                           : rt_joint_class_count_rows(joint->class);
}

/* Displacement along axis k: (r_i - r_j) . axis k of j.
 * Angle about axis k, with p, q the next two axes in cyclic order: atan2(p_i . q_j, p_i . p_j), one
 * of the model's that count their turns. */
static rt_joint_coordinate coordinate_of(const routh_model *model, const rt_joint *joint,
                                         rt_coordinate which, rt_scalar ratio)
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
    const rt_counted_angle angle = rt_angle_about(i, j, joint->triad, k, -1);
    s.number = rt_find_angle(model, &angle);
    return s;
}

/* A row of n joint coordinates, to be filled in. */
static routh_status coordinates_row(rt_row *row, int n, rt_arena *arena, routh_error *error)
{
    row->kind = RT_ROW_COORDINATES;
    row->n_coordinates = n;
    row->coordinate = RT_TAKE(arena, rt_joint_coordinate, n);
    return row->coordinate ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status sum_row(const rt_joint *joint, const routh_model *model, rt_row *row,
                            rt_arena *arena, routh_error *error)
{
    int n = 0;
    while (n < RT_JOINT_TERMS && row->what->term[n].factor != 0) n++;
    const routh_status status = coordinates_row(row, n, arena, error);
    for (int k = 0; k < n && !status; k++)
        row->coordinate[k] = coordinate_of(model, joint, row->what->term[k].coordinate, 1);
    return status;
}

static routh_status coupled_row(const rt_joint *joint, const routh_model *model, rt_row *row,
                                rt_arena *arena, routh_error *error)
{
    const routh_status status = coordinates_row(row, joint->n_coupled, arena, error);
    for (int k = 0; k < joint->n_coupled && !status; k++)
        row->coordinate[k] =
            coordinate_of(model, &model->joints[joint->coupled[k]], joint->coordinate[k], 1);
    return status;
}

static routh_status driven_row(const rt_joint *joint, const routh_model *model, rt_graph *graph,
                               rt_row *row, rt_arena *arena, routh_error *error)
{
    const routh_status status = coordinates_row(row, 1, arena, error);
    if (status) return status;
    row->coordinate[0] = coordinate_of(model, joint, joint->coordinate[0], 1);
    row->has_program = true;
    return rt_program_compile(&row->program, graph, model, joint->function.expr, false, arena,
                              error);
}

static routh_status expression_row(const rt_joint *joint, const routh_model *model, rt_graph *graph,
                                   rt_row *row, rt_arena *arena, routh_error *error)
{
    row->kind = RT_ROW_EXPRESSION;
    row->has_program = true;
    return rt_program_compile(&row->program, graph, model, joint->function.expr, true, arena,
                              error);
}

static routh_status compile_row(const rt_joint *joint, const rt_joint_row *what,
                                const routh_model *model, rt_graph *graph, rt_row *row,
                                rt_arena *arena, routh_error *error)
{
    *row = (rt_row){.what = what, .label = what->label};
    switch (what->kind) {
    case RT_JOINT_ROW_POINT:
    case RT_JOINT_ROW_DOT1:
    case RT_JOINT_ROW_DOT2:
    case RT_JOINT_ROW_SYMMETRY:
    case RT_JOINT_ROW_DISTANCE: rt_primitive_row(what, joint, row); return ROUTH_OK;
    case RT_JOINT_ROW_SUM: return sum_row(joint, model, row, arena, error);
    case RT_JOINT_ROW_COUPLED: return coupled_row(joint, model, row, arena, error);
    case RT_JOINT_ROW_DRIVEN: return driven_row(joint, model, graph, row, arena, error);
    case RT_JOINT_ROW_FUNCTION: return expression_row(joint, model, graph, row, arena, error);
    case RT_JOINT_ROW_FUNCTIONS:
    case RT_JOINT_ROW_STRAINS:
    case RT_JOINT_ROW_END: break;
    }
    return ROUTH_OK;
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

/* Rows of a beam element: of each point of Gauss the same strains. */
static routh_status strain_rows(rt_constraint *c, const rt_joint *joint, rt_arena *arena,
                                routh_error *error)
{
    const int n = joint->n_nodes, each = joint->n_strains / (n - 1);
    c->n_numbers = joint->n_list;
    c->numbers = RT_TAKE(arena, rt_scalar, c->n_numbers);
    if (!c->numbers) return rt_fail_memory(error);
    for (int k = 0; k < joint->n_strains; k++)
        c->rows[k] = (rt_row){
            .kind = RT_ROW_STRAIN,
            .label = joint->strain_labels[k],
            .strain = {.n_nodes = n,
                       .nodes = joint->nodes,
                       .point = k / each,
                       .axes = c->numbers,
                       .own = c->numbers + 9 * (size_t)n + (size_t)RT_STRAIN_NUMBERS * (size_t)k}};
    return ROUTH_OK;
}

static void row_frames(const rt_row *row, int *list, int *n)
{
    for (int k = 0; k < row->strain.n_nodes; k++) {
        bool there = row->strain.nodes[k] < 0;
        for (int i = 0; i < *n; i++) there = there || list[i] == row->strain.nodes[k];
        if (!there) list[(*n)++] = row->strain.nodes[k];
    }
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
    routh_status status = ROUTH_OK;
    if (joint->n_strains) return strain_rows(c, joint, arena, error);
    if (made_of_functions(joint->class))
        return function_rows(joint, model, graph, c->rows, arena, error);
    for (int k = 0; k < c->n_rows && !status; k++)
        status =
            compile_row(joint, &joint->class->rows[k], model, graph, &c->rows[k], arena, error);
    return status;
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

/* ---- numbers --------------------------------------------------------------------------------- */

static rt_scalar ratio_of(const rt_joint *joint, const rt_joint_term *term, const rt_slopes *along)
{
    rt_scalar ratio = term->factor;
    if (term->number != RT_NO_NUMBER)
        ratio *= rt_value_of(rt_joint_number(joint, term->number), along);
    return term->divisor != 0 ? ratio / term->divisor : ratio;
}

static void coordinate_numbers(rt_row *row, const rt_joint *joint, const rt_slopes *along)
{
    const rt_joint_row *what = row->what;
    const bool users = what->kind == RT_JOINT_ROW_COUPLED && what->term[0].factor == 0;
    if (what->kind == RT_JOINT_ROW_DRIVEN) return;
    for (int k = 0; k < row->n_coordinates; k++)
        row->coordinate[k].ratio =
            users ? rt_value_of(joint->ratio[k], along) : ratio_of(joint, &what->term[k], along);
}

/* What the row keeps, with the opposite sign, where it was given. */
static rt_scalar kept(const rt_row *row, const rt_joint *joint, const rt_slopes *along)
{
    const rt_joint_row *what = row->what;
    if (!rt_joint_number_given(joint, what->number)) return row->constant;
    const rt_scalar number = rt_value_of(rt_joint_number(joint, what->number), along);
    switch (what->keeps) {
    case RT_KEEPS_ZERO: break;
    case RT_KEEPS_NUMBER: return -number;
    case RT_KEEPS_COSINE: return -rt_cos(number);
    }
    return 0;
}

/* (d . d - L^2)/(2 L) */
static void distance_numbers(rt_row *row, const rt_joint *joint, const rt_slopes *along)
{
    const rt_scalar length = rt_value_of(rt_joint_number(joint, row->what->number), along);
    row->constant = -length / 2;
    row->term[0].factor = 1 / (2 * length);
}

void rt_constraint_numbers(rt_constraint *c, const routh_model *model, const rt_slopes *along)
{
    const rt_joint *joint = &model->joints[c->joint];
    for (int k = 0; k < c->n_numbers; k++) c->numbers[k] = rt_value_of(joint->list[k], along);
    for (int k = 0; k < c->n_rows; k++) {
        rt_row *row = &c->rows[k];
        if (!row->what) continue;
        if (row->what->kind == RT_JOINT_ROW_DISTANCE) {
            distance_numbers(row, joint, along);
            continue;
        }
        if (row->kind == RT_ROW_COORDINATES) coordinate_numbers(row, joint, along);
        row->constant = kept(row, joint, along);
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
