#include "symbolic/measures.h"

#include <stdlib.h>

/* ---- vectors -------------------------------------------------------------------------------- */

static int measures_body_of(const routh_model *model, int marker)
{
    return marker < 0 ? RT_GROUND : model->markers[marker].body;
}

/* 2 w += factor sum_k a_k x b_k: twice the angular velocity where b are rates of the axes a. */
static void measures_add_turn(const rt_natural_bodies *b, int body, const rt_exact *axes,
                              const rt_exact *rates, slong factor, rt_exact *w, rt_exact *work)
{
    if (body == RT_GROUND) return;
    for (int k = 1; k < 4; k++) {
        const int at = 12 * body + 3 * k;
        rt_exact_cross(b->field, axes + at, rates + at, work);
        for (int i = 0; i < 3; i++) {
            rt_exact_scale(b->field, work + i, work + i, factor, 2);
            rt_exact_add(b->field, w + i, w + i, work + i);
        }
    }
}

static void measures_clear(const rt_natural_bodies *b, rt_exact *out, int n)
{
    for (int i = 0; i < n; i++) rt_exact_set_integer(b->field, out + i, 0);
}

static routh_status displacement(const rt_natural_bodies *b, int i, int j, rt_form *d,
                                 routh_error *error)
{
    rt_form u, v;
    routh_status status = rt_form_origin(b, i, &u, error);
    if (!status) status = rt_form_origin(b, j, &v, error);
    if (!status) status = rt_form_difference(b, &u, &v, d, error);
    return status;
}

/* w_l x d or its change. */
static routh_status symbolic_measures_transport(const rt_natural_bodies *b, const rt_vector *vector,
                                                const rt_natural_change *change, rt_exact *out,
                                                routh_error *error)
{
    rt_form d;
    const int l = measures_body_of(b->model, vector->l);
    const routh_status status = displacement(b, vector->i, vector->j, &d, error);
    rt_exact *w = rt_exact_zeros(b->field, 15);
    if (status || !w) return status ? status : rt_fail_memory(error);
    measures_add_turn(b, l, b->x, b->v, 1, w, w + 12);
    rt_form_value(b, &d, b->x, false, w + 3);
    if (!change) {
        rt_exact_cross(b->field, w, w + 3, out);
        return ROUTH_OK;
    }
    rt_form_value(b, &d, change->x, true, w + 6);
    rt_exact_cross(b->field, w, w + 6, out);
    measures_clear(b, w, 3);
    measures_add_turn(b, l, change->x, b->v, 1, w, w + 12);
    measures_add_turn(b, l, b->x, change->v, 1, w, w + 12);
    rt_exact_cross(b->field, w, w + 3, w + 9);
    for (int i = 0; i < 3; i++) rt_exact_add(b->field, out + i, out + i, w + 9 + i);
    return ROUTH_OK;
}

static routh_status omega(const rt_natural_bodies *b, const rt_vector *vector,
                          const rt_natural_change *change, rt_exact *out, routh_error *error)
{
    rt_exact *work = rt_exact_zeros(b->field, 3);
    if (!work) return rt_fail_memory(error);
    measures_clear(b, out, 3);
    const int bodies[2] = {measures_body_of(b->model, vector->i),
                           measures_body_of(b->model, vector->j)};
    for (int k = 0; k < 2; k++) {
        const slong sign = k ? -1 : 1;
        if (!change)
            measures_add_turn(b, bodies[k], b->x, b->v, sign, out, work);
        else {
            measures_add_turn(b, bodies[k], change->x, b->v, sign, out, work);
            measures_add_turn(b, bodies[k], b->x, change->v, sign, out, work);
        }
    }
    return ROUTH_OK;
}

/* out[3]: the vector, or its change. */
static routh_status measures_vector_of(const rt_natural_bodies *b, const rt_vector *vector,
                                       const rt_natural_change *change, rt_exact *out,
                                       routh_error *error)
{
    rt_form form;
    routh_status status;
    const double triad[9] = {vector->local[0], 0, 0, vector->local[1], 0, 0, vector->local[2]};
    switch (vector->kind) {
    case RT_VECTOR_AXIS:
        status = rt_form_axis(b, vector->i, triad, 0, &form, error);
        if (!status) rt_form_value(b, &form, change ? change->x : b->x, change != NULL, out);
        return status;
    case RT_VECTOR_DISPLACEMENT:
        status = displacement(b, vector->i, vector->j, &form, error);
        if (!status) rt_form_value(b, &form, change ? change->x : b->x, change != NULL, out);
        return status;
    case RT_VECTOR_VELOCITY:
        status = displacement(b, vector->i, vector->j, &form, error);
        if (!status) rt_form_value(b, &form, change ? change->v : b->v, true, out);
        return status;
    case RT_VECTOR_OMEGA: return omega(b, vector, change, out, error);
    case RT_VECTOR_TRANSPORT: return symbolic_measures_transport(b, vector, change, out, error);
    default:
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "it measures accelerations, which are not supported in formulas; use routh "
                       "linearize");
    }
}

/* ---- quantities ----------------------------------------------------------------------------- */

static routh_status measures_quantity(void *context, int slot, rt_exact *z, routh_error *error)
{
    const rt_natural_bodies *b = context;
    const rt_quantity *q = b->model->quantities + slot;
    rt_exact *w;
    routh_status status;
    switch (q->kind) {
    case RT_QUANTITY_TIME: return rt_exact_of_number(b->numbers, b->model->time, false, z, error);
    case RT_QUANTITY_INPUT:
        if (b->model->inputs[q->index].history.expr >= 0)
            return rt_exact_of_expr(b->numbers, b->model->inputs[q->index].history.expr, z, error);
        return rt_exact_of_number(b->numbers, b->model->inputs[q->index].value, false, z, error);
    case RT_QUANTITY_DOT:
        w = rt_exact_zeros(b->field, 6);
        if (!w) return rt_fail_memory(error);
        status = measures_vector_of(b, &q->a, NULL, w, error);
        if (!status) status = measures_vector_of(b, &q->b, NULL, w + 3, error);
        if (!status) rt_exact_dot(b->field, w, w + 3, z);
        return status;
    case RT_QUANTITY_FORCE:
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "it depends on the force of another element, which is not supported in "
                       "formulas; use routh linearize");
    default:
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "it depends on a state or variable of a controller, which is not supported "
                       "in formulas; use routh linearize");
    }
}

void rt_measures_begin(rt_natural_bodies *bodies)
{
    bodies->numbers->quantity = measures_quantity;
    bodies->numbers->context = bodies;
}

/* (a . b)' = a' . b + a . b' */
static routh_status quantity_change(const rt_natural_bodies *b, int slot,
                                    const rt_natural_change *change, rt_exact *out,
                                    routh_error *error)
{
    const rt_quantity *q = b->model->quantities + slot;
    rt_exact_set_integer(b->field, out, 0);
    if (q->kind != RT_QUANTITY_DOT) return ROUTH_OK; /* time and inputs stand */
    rt_exact *w = rt_exact_zeros(b->field, 7);
    if (!w) return rt_fail_memory(error);
    routh_status status = measures_vector_of(b, &q->a, NULL, w, error);
    if (!status) status = measures_vector_of(b, &q->b, change, w + 3, error);
    if (!status) rt_exact_dot(b->field, w, w + 3, out);
    if (!status) status = measures_vector_of(b, &q->a, change, w, error);
    if (!status) status = measures_vector_of(b, &q->b, NULL, w + 3, error);
    if (status) return status;
    rt_exact_dot(b->field, w, w + 3, w + 6);
    rt_exact_add(b->field, out, out, w + 6);
    return ROUTH_OK;
}

/* The slots of an expression that are no parameters; freed by the caller. */
static routh_status slots_of(const routh_model *model, const rt_graph *graph, rt_expr e,
                             int **slots, int *n, routh_error *error)
{
    *n = 0;
    *slots = calloc((size_t)model->n_quantities + 1, sizeof **slots);
    const int all = *slots ? rt_inputs_of(graph, e, *slots, model->n_quantities) : -1;
    if (all < 0) return rt_fail_memory(error);
    for (int k = 0; k < all; k++)
        if (!rt_is_constant_quantity(&model->quantities[(*slots)[k]]))
            (*slots)[(*n)++] = (*slots)[k];
    return ROUTH_OK;
}

routh_status rt_function_change(const rt_natural_bodies *b, rt_graph *graph, rt_expr e,
                                const rt_natural_change *change, rt_exact *out, routh_error *error)
{
    int *slots, n;
    rt_exact *w = rt_exact_zeros(b->field, 2);
    rt_exact_set_integer(b->field, out, 0);
    routh_status status = slots_of(b->model, graph, e, &slots, &n, error);
    if (!w && !status) status = rt_fail_memory(error);
    for (int k = 0; k < n && !status; k++) {
        status = quantity_change(b, slots[k], change, w, error);
        if (status || rt_exact_is_zero(b->field, w)) continue;
        const rt_expr slope = rt_derivative(graph, e, slots[k]);
        if (slope < 0)
            status = rt_fail_memory(error);
        else
            status = rt_exact_of_expr(b->numbers, slope, w + 1, error);
        if (!status) rt_exact_add_product(b->field, out, w, w + 1);
    }
    free(slots);
    return status;
}

routh_status rt_function_of_time(const rt_natural_bodies *b, rt_graph *graph, rt_expr e,
                                 rt_exact *out, routh_error *error)
{
    int *slots, n, time = -1;
    routh_status status = slots_of(b->model, graph, e, &slots, &n, error);
    for (int k = 0; k < n && !status; k++) {
        const rt_quantity_kind kind = b->model->quantities[slots[k]].kind;
        if (kind == RT_QUANTITY_TIME)
            time = slots[k];
        else if (kind != RT_QUANTITY_INPUT)
            status = rt_fail(error, ROUTH_NOT_SUPPORTED,
                             "it depends on measures or signals, but a "
                             "number may depend on parameters only; "
                             "use routh linearize");
    }
    free(slots);
    for (int order = 0; order < 3 && !status; order++) {
        status = rt_exact_of_expr(b->numbers, e, out + order, error);
        if (order == 2 || status) break;
        e = time < 0 ? rt_constant(graph, 0) : rt_derivative(graph, e, time);
        if (e < 0) status = rt_fail_memory(error);
    }
    return status;
}
