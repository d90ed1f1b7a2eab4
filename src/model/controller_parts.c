/* What the classes of controllers are made with (controller_class.h). */
#include "model/controller_class.h"

#include <stdio.h>
#include <string.h>

routh_status rt_control_take(rt_reader *r, rt_control *c, int n_states, int n_outputs)
{
    c->n_states = n_states;
    c->n_outputs = n_outputs;
    c->states = RT_TAKE(&r->scratch, rt_control_part, n_states);
    c->outputs = RT_TAKE(&r->scratch, rt_control_part, n_outputs);
    if (!c->states || !c->outputs) return rt_fail_memory(r->error);
    for (int k = 0; k < n_states + n_outputs; k++) {
        rt_control_part *part = k < n_states ? &c->states[k] : &c->outputs[k - n_states];
        part->place = c->node->key_place;
        part->initial = part->written.value = rt_plain(0);
        part->written.unit = c->written.unit;
    }
    return ROUTH_OK;
}

bool rt_control_has(const rt_control *c, const char *field)
{
    return rt_is_given(&c->class->kind, c->given, field);
}

routh_status rt_control_one_state(rt_reader *r, rt_control *c)
{
    const routh_status status = rt_control_take(r, c, 1, 0);
    if (status) return status;
    c->states[0].initial = c->written.initial;
    c->states[0].initial_given = rt_control_has(c, "initial");
    return ROUTH_OK;
}

routh_status rt_control_number(rt_reader *r, rt_control_part *parts, int n, char letter)
{
    char name[24];
    for (int k = 0; k < n; k++) {
        snprintf(name, sizeof name, "%c%d", letter, k + 1);
        parts[k].name = rt_arena_text(&r->scratch, name, strlen(name));
        if (!parts[k].name) return rt_fail_memory(r->error);
    }
    return ROUTH_OK;
}

routh_status rt_control_initials(rt_reader *r, rt_control *c, const rt_yaml *node)
{
    if (!node) return ROUTH_OK;
    if (node->kind == RT_YAML_LIST && node->count != c->n_states)
        return rt_reader_fail(r, node->place,
                              "initial has %d numbers and there are %d states; give one for each",
                              node->count, c->n_states);
    rt_number *numbers;
    int n;
    const routh_status status = rt_read_list(r, node, "initial", &numbers, &n);
    for (int k = 0; k < c->n_states && !status; k++) {
        c->states[k].initial = numbers[k];
        c->states[k].initial_given = true;
    }
    return status;
}

rt_expr rt_control_state_expr(rt_reader *r, const rt_control *c, int k)
{
    return rt_signal_expr(r, RT_QUANTITY_STATE, c->first_state + k);
}

/* By the time of its file. */
rt_expr rt_control_rate_expr(rt_reader *r, const rt_control *c, int k)
{
    return rt_out_of_si(r, "1/s", rt_signal_expr(r, RT_QUANTITY_STATE_RATE, c->first_state + k));
}

routh_status rt_control_set_equation(rt_reader *r, rt_control *c, int k, rt_expr equation,
                                     rt_place place)
{
    r->model->control_states[c->first_state + k].equation = (rt_function){equation, place};
    return equation < 0 ? rt_fail_memory(r->error) : ROUTH_OK;
}

routh_status rt_control_set_output(rt_reader *r, rt_control *c, int k, rt_expr value,
                                   rt_place place)
{
    r->model->variables[c->first_output + k].value = (rt_function){value, place};
    return value < 0 ? rt_fail_memory(r->error) : ROUTH_OK;
}

routh_status rt_control_read(rt_reader *r, const rt_control *c, const char *what, rt_expr *out)
{
    rt_function function;
    const routh_status status =
        rt_read_function(r, c->written.function, what, RT_ALLOW_ALL, &function);
    *out = status ? RT_NO_EXPR : function.expr;
    return status;
}

rt_expr rt_control_add(rt_reader *r, rt_expr sum, rt_number a, rt_expr x)
{
    rt_graph *g = r->model->graph;
    if (a.expr < 0 && a.value == 0) return sum;
    return rt_add(g, sum, rt_multiply(g, rt_number_expr(&r->calculator, a), x));
}

void rt_control_add_kink(rt_reader *r, rt_control *c, const char *field, rt_kink kink)
{
    kink.element = c->element;
    kink.place = rt_yaml_find(c->node, field)->key_place;
    if (kink.distance < 0 || c->n_kinks == c->class->most_kinks) {
        r->calculator.failed = true; /* the reading ends as out of memory */
        return;
    }
    c->n_kinks++;
    r->model->kinks[r->model->n_kinks++] = kink;
}
