/* Constraints between velocities that the user writes: read, and checked to be linear. */
#include "model/joints/class.h"

static bool is_velocity(const rt_vector *v)
{
    return v->kind == RT_VECTOR_VELOCITY || v->kind == RT_VECTOR_OMEGA ||
           v->kind == RT_VECTOR_TRANSPORT;
}

/* How many of the dot product's two vectors are velocities. */
static int nonholonomic_level_of(const rt_quantity *q)
{
    return q->kind == RT_QUANTITY_DOT ? is_velocity(&q->a) + is_velocity(&q->b) : 0;
}

/* The slots of e that hold velocities, to the front; -1: out of memory. */
static int velocity_slots(rt_reader *r, rt_expr e, rt_arena *arena, int **slots)
{
    const int n = rt_inputs_of(r->model->graph, e, NULL, 0);
    int m = 0;
    *slots = n < 0 ? NULL : RT_TAKE(arena, int, n);
    if (!*slots || rt_inputs_of(r->model->graph, e, *slots, n) != n) return -1;
    for (int k = 0; k < n; k++)
        if (nonholonomic_level_of(&r->quantities[(*slots)[k]])) (*slots)[m++] = (*slots)[k];
    return m;
}

/* d^2 f / d v_a d v_b = 0 for all pairs of velocities. */
static routh_status nonholonomic_check_pairs(rt_reader *r, const rt_function *f, const int *slots,
                                             int n)
{
    rt_graph *g = r->model->graph;
    double value;
    for (int a = 0; a < n; a++) {
        bool zero = nonholonomic_level_of(&r->quantities[slots[a]]) == 1;
        const rt_expr first = rt_derivative(g, f->expr, slots[a]);
        for (int b = a; b < n && zero; b++) {
            const rt_expr second = rt_derivative(g, first, slots[b]);
            if (second < 0) return rt_fail_memory(r->error);
            zero = rt_is_constant(g, second, &value) && value == 0;
        }
        if (!zero)
            return rt_reader_fail(r, f->place,
                                  "expressions: it is not linear in the velocities; products, "
                                  "powers and magnitudes of them (VM, WM) cannot be constraints, "
                                  "sums such as VX(a) - r*WY(a) can");
    }
    return ROUTH_OK;
}

static routh_status nonholonomic_check_linear(rt_reader *r, const rt_function *f)
{
    rt_arena arena = {0};
    int *slots;
    const int n = velocity_slots(r, f->expr, &arena, &slots);
    routh_status status = n < 0 ? rt_fail_memory(r->error) : ROUTH_OK;
    if (!status && n == 0)
        status = rt_reader_fail(r, f->place,
                                "expressions: no velocity enters it; a constraint between "
                                "positions is a joint of type expression");
    if (!status) status = nonholonomic_check_pairs(r, f, slots, n);
    rt_arena_free(&arena);
    return status;
}

static routh_status nonholonomic_read(rt_reader *r, const rt_written_joint *w, rt_joint *joint)
{
    const rt_yaml *list = w->functions;
    static const char *const labels[RT_MOST_ROW_FUNCTIONS] = {"the first expression is zero",
                                                              "the second expression is zero",
                                                              "the third expression is zero"};
    char found[96];
    if (list->kind != RT_YAML_LIST || list->count < 1 || list->count > RT_MOST_ROW_FUNCTIONS)
        return rt_reader_fail(r, list->place,
                              "expressions must be a list of 1 to %d of them, such as [\"VX(a) - "
                              "r*WY(a)\"], not %s",
                              (int)RT_MOST_ROW_FUNCTIONS,
                              rt_yaml_describe(list, found, sizeof found));
    for (const rt_yaml *entry = list->first; entry; entry = entry->next) {
        const int k = joint->n_functions++;
        joint->labels[k] = list->count == 1 ? "the expression is zero" : labels[k];
        routh_status status =
            rt_read_function(r, entry, "expressions", RT_ALLOW_VELOCITIES, &joint->functions[k]);
        if (!status) status = nonholonomic_check_linear(r, &joint->functions[k]);
        if (status) return status;
    }
    return ROUTH_OK;
}

static const rt_field nonholonomic_fields[] = {
    JOINT_TYPE,
    {"expressions", RT_FIELD_SOME_FUNCTIONS, JOINT(functions), .required = true, .sense = RT_SCALAR,
     .unit = "",
     .doc = "one to three expressions of positions and velocities (VX, WZ, VR, ...), time and "
            "parameters, linear in the velocities, that are kept zero"},
    {"between", RT_FIELD_BETWEEN, JOINT(between), .unit = "", .fallback = "none",
     .doc = "two markers, for messages and for FX, TX, ...: the force that keeps the expressions "
            "zero is then reported on the first"},
};

const rt_joint_class rt_joint_class_nonholonomic = {
    .kind = {"nonholonomic", 0, FIELDS(nonholonomic_fields),
             .doc = "Constraints of the user's own between velocities."},
    .rows = {ROW_FUNCTIONS},
    .without_markers = true,
    .picture = "plain",
    .read = nonholonomic_read,
    .sample = "x: {type: nonholonomic, expressions: "
              "[\"VX(i, j, k)*cos(AZ(i, j)) + p*VY(k, i, j)\", "
              "\"WZ(i, k, j)*DX(i, j, k)^2 - VY(j, k, i)\"]}",
};
