#include "support/signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 16 };

/* The name behind the prefix, or NULL. */
static const char *behind(const char *name, const char *prefix)
{
    const size_t n = strlen(prefix);
    return strncmp(name, prefix, n) ? NULL : name + n;
}

static int parameter(const routh_model *model, const char *prefix, const char *name)
{
    char whole[128];
    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    for (int k = 0; k < model->n_parameters; k++)
        if (!strcmp(model->parameters[k].name, whole)) return k;
    return -1;
}

static rt_number become(routh_model *model, const char *prefix, const char *name,
                        rt_quantity_kind kind, int index)
{
    const int k = parameter(model, prefix, name);
    if (k < 0) return (rt_number){.expr = RT_NO_EXPR};
    model->quantities[k] = (rt_quantity){.kind = kind, .index = index};
    return model->parameters[k].number;
}

static const char *describe(routh_model *model, const char *what, const char *name)
{
    char text[128];
    const int n = snprintf(text, sizeof text, "%s %s", what, name);
    return rt_arena_text(&model->arena, text, (size_t)n);
}

static void take_load(routh_model *model, const rt_load *load)
{
    const char *name;
    if ((name = behind(load->name, "state_"))) {
        rt_control_state *x = &model->control_states[model->n_control_states];
        *x = (rt_control_state){.name = name,
                                .element = describe(model, "controller", name),
                                .place = load->place,
                                .unit = "",
                                .equation = load->function[0],
                                .initial_given = true};
        become(model, "rate_", name, RT_QUANTITY_STATE_RATE, model->n_control_states);
        x->initial = become(model, "", name, RT_QUANTITY_STATE, model->n_control_states++);
    } else if ((name = behind(load->name, "variable_"))) {
        rt_variable *v = &model->variables[model->n_variables];
        *v = (rt_variable){.name = name,
                           .element = describe(model, "variable", name),
                           .place = load->place,
                           .unit = "",
                           .value = load->function[0]};
        v->guess = become(model, "", name, RT_QUANTITY_VARIABLE, model->n_variables++);
    } else if ((name = behind(load->name, "output_"))) {
        model->outputs[model->n_outputs++] =
            (rt_named_output){name, load->place, "", load->function[0]};
    }
}

static bool stands_for_signals(const rt_load *load)
{
    return behind(load->name, "state_") || behind(load->name, "variable_") ||
           behind(load->name, "output_");
}

static void take_inputs(routh_model *model)
{
    for (int k = 0; k < model->n_parameters; k++) {
        const char *name = model->parameters[k].name;
        if (!behind(name, "input_")) continue;
        assert_true(model->n_inputs < MOST);
        rt_named_input *in = &model->inputs[model->n_inputs];
        *in = (rt_named_input){
            .name = name, .place = model->parameters[k].place, .unit = "", .used = true};
        in->value = become(model, "", name, RT_QUANTITY_INPUT, model->n_inputs++);
    }
}

void signals_from_loads(routh_model *model)
{
    int first = model->n_loads;
    while (first > 0 && stands_for_signals(&model->loads[first - 1])) first--;
    if (first == model->n_loads) return;
    assert_true(model->n_loads - first <= MOST);
    model->control_states = RT_TAKE(&model->arena, rt_control_state, MOST);
    model->variables = RT_TAKE(&model->arena, rt_variable, MOST);
    model->outputs = RT_TAKE(&model->arena, rt_named_output, MOST);
    model->inputs = RT_TAKE(&model->arena, rt_named_input, MOST);
    assert_true(model->control_states && model->variables && model->outputs && model->inputs);
    for (int k = first; k < model->n_loads; k++) take_load(model, &model->loads[k]);
    model->n_loads = first;
    take_inputs(model);
}
