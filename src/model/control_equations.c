/* Controllers that are differential equations as written: differential, implicit, general. */
#include "model/control.h"

static routh_status shape_one_state(rt_reader *r, rt_control *c)
{
    const routh_status status = rt_control_take(r, c, 1, 0);
    if (status) return status;
    c->states[0].initial = c->written.initial;
    c->states[0].initial_given = rt_is_given(c->kind, c->given, "initial");
    return ROUTH_OK;
}

/* x' - rate = 0 */
static routh_status expand_differential(rt_reader *r, rt_control *c)
{
    rt_expr rate;
    const routh_status status = rt_control_read(r, c, "rate", &rate);
    if (status) return status;
    return rt_control_set_equation(
        r, c, 0, rt_subtract(r->model->graph, rt_control_rate_expr(r, c, 0), rate),
        c->written.function->place);
}

const rt_control_type rt_control_differential = {shape_one_state, expand_differential};

/* An equation without its own rate is none of a state. */
static routh_status check_own_rate(rt_reader *r, const rt_control *c, rt_expr equation)
{
    const rt_quantity rate = {.kind = RT_QUANTITY_STATE_RATE, .index = c->first_state};
    const int slot = rt_quantity_slot(r, &rate);
    double value;
    if (slot < 0) return rt_fail_memory(r->error);
    const rt_expr slope = rt_derivative(r->model->graph, equation, slot);
    if (slope < 0) return rt_fail_memory(r->error);
    if (!rt_is_constant(r->model->graph, slope, &value) || value != 0) return ROUTH_OK;
    return rt_reader_fail(r, c->written.function->place,
                          "equation: it does not hold RATE(%.60s), so '%.60s' is no state; a "
                          "quantity without a rate is a variable",
                          c->name, c->name);
}

static routh_status expand_implicit(rt_reader *r, rt_control *c)
{
    rt_expr equation;
    routh_status status = rt_control_read(r, c, "equation", &equation);
    if (!status) status = check_own_rate(r, c, equation);
    if (status) return status;
    return rt_control_set_equation(r, c, 0, equation, c->written.function->place);
}

const rt_control_type rt_control_implicit = {shape_one_state, expand_implicit};

/* ---- several of them ------------------------------------------------------------------------- */

static routh_status read_parts(rt_reader *r, const rt_section *section, const rt_yaml *mapping,
                               rt_control_part *parts)
{
    for (const rt_yaml *entry = mapping ? mapping->first : NULL; entry;
         entry = entry->next, parts++) {
        rt_given given;
        routh_status status = rt_check_quantity_name(r, entry);
        if (!status) status = rt_read_entry(r, section, entry, &parts->written, &given);
        if (status) return status;
        parts->name = entry->key;
        parts->place = entry->key_place;
        parts->initial = parts->written.value;
        parts->initial_given = rt_is_given(section->kinds, given, "initial");
    }
    return ROUTH_OK;
}

static routh_status shape_general(rt_reader *r, rt_control *c)
{
    const rt_yaml *states = c->written.states, *outputs = c->written.outputs;
    if (!states->count)
        return rt_reader_fail(r, states->place,
                              "states is empty; a controller without states is a variable or a "
                              "gain");
    routh_status status = rt_control_take(r, c, states->count, outputs ? outputs->count : 0);
    if (!status) status = read_parts(r, &rt_general_state_section, states, c->states);
    if (!status) status = read_parts(r, &rt_general_output_section, outputs, c->outputs);
    return status;
}

static routh_status expand_general(rt_reader *r, rt_control *c)
{
    rt_function f;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < c->n_states && !status; k++) {
        status = rt_read_function(r, c->states[k].written.function, "rate", RT_ALLOW_ALL, &f);
        if (status) return status;
        const rt_expr rate = rt_control_rate_expr(r, c, k);
        status =
            rt_control_set_equation(r, c, k, rt_subtract(r->model->graph, rate, f.expr), f.place);
    }
    for (int k = 0; k < c->n_outputs && !status; k++) {
        status =
            rt_read_function(r, c->outputs[k].written.function, "expression", RT_ALLOW_ALL, &f);
        if (!status) status = rt_control_set_output(r, c, k, f.expr, f.place);
    }
    return status;
}

const rt_control_type rt_control_general = {shape_general, expand_general};
