/* Inputs, variables, outputs and controllers, in the two steps of controller_class.h. */
#include "model/controller_class.h"
#include "model/scope.h"

#include <string.h>

static int controllers_count_of(const rt_yaml *section) { return section ? section->count : 0; }

static const rt_yaml *controllers_first_of(const rt_yaml *section)
{
    return section ? section->first : NULL;
}

static const char *controllers_keep(rt_reader *r, const char *text)
{
    return rt_arena_text(&r->model->arena, text, strlen(text));
}

static const char *controllers_unit_of(const char *written) { return written ? written : ""; }

/* ---- first step: shapes and names ------------------------------------------------------------ */

static void controllers_set_defaults(const rt_controller_class *class, rt_written_controller *w)
{
    *w = (rt_written_controller){.initial = rt_plain(0)};
    for (int k = 0; k < RT_CONTROLLER_NUMBERS; k++) w->number[k] = rt_plain(class->defaults[k]);
}

static routh_status controllers_read_shape(rt_reader *r, const rt_yaml *entry, rt_control *c)
{
    const rt_kind *kind;
    rt_reader_enter(r, "controller", entry);
    routh_status status = rt_check_quantity_name(r, entry);
    if (!status) status = rt_read_type(r, &rt_controller_section, entry, &kind);
    if (status) return status;
    c->class = rt_controller_class_of(kind);
    controllers_set_defaults(c->class, &c->written);
    c->node = entry;
    c->name = controllers_keep(r, entry->key);
    c->element = controllers_keep(r, r->element);
    if (!c->name || !c->element) return rt_fail_memory(r->error);
    r->of_signals = true;
    status = rt_read_fields(r, kind, entry, &c->written, &c->given);
    if (!status) status = c->class->shape(r, c);
    r->of_signals = false;
    return status;
}

static routh_status controllers_take_tables(rt_reader *r, const rt_written_model *w,
                                            const rt_control_set *set)
{
    routh_model *m = r->model;
    int n_kinks = 0, n_slips = 0;
    m->n_inputs = controllers_count_of(w->inputs) + rt_count_free_parameters(r);
    m->n_outputs = controllers_count_of(w->outputs);
    r->outputs = w->outputs;
    m->n_variables = controllers_count_of(w->variables);
    for (int k = 0; k < set->n_controls; k++) {
        m->n_control_states += set->controls[k].n_states;
        m->n_variables += set->controls[k].n_outputs;
        n_kinks += set->controls[k].class->most_kinks;
    }
    rt_count_load_states(w->loads, &n_slips, &n_kinks);
    m->n_control_states += n_slips;
    m->inputs = RT_TAKE(&m->arena, rt_named_input, m->n_inputs);
    m->outputs = RT_TAKE(&m->arena, rt_named_output, m->n_outputs);
    m->variables = RT_TAKE(&m->arena, rt_variable, m->n_variables);
    m->control_states = RT_TAKE(&m->arena, rt_control_state, m->n_control_states);
    m->kinks = RT_TAKE(&m->arena, rt_kink, n_kinks);
    if (!m->inputs || !m->outputs || !m->variables || !m->control_states || !m->kinks)
        return rt_fail_memory(r->error);
    return rt_start_signals(r,
                            m->n_inputs + m->n_variables + m->n_control_states + set->n_controls);
}

static routh_status controllers_read_inputs(rt_reader *r, const rt_yaml *section)
{
    int k = 0;
    for (const rt_yaml *entry = controllers_first_of(section); entry; entry = entry->next, k++) {
        rt_written_signal written = {.value = rt_plain(0)};
        rt_given given;
        rt_reader_enter(r, "input", entry);
        routh_status status = rt_check_quantity_name(r, entry);
        if (!status) status = rt_read_entry(r, &rt_input_section, entry, &written, &given);
        if (status) return status;
        r->model->inputs[k] = (rt_named_input){.name = controllers_keep(r, entry->key),
                                               .place = entry->key_place,
                                               .unit = controllers_unit_of(written.unit),
                                               .value = written.value,
                                               .history = {.expr = RT_NO_EXPR}};
        if (!r->model->inputs[k].name) return rt_fail_memory(r->error);
        status = rt_name_signal(r, entry->key_place, r->model->inputs[k].name, "an input",
                                RT_QUANTITY_INPUT, k);
        if (status) return status;
        rt_note_signal(r, written.unit, NULL, r->scope);
    }
    return ROUTH_OK;
}

/* Of an input that the part is given: the unit is that of the input. */
static void note_variable(rt_reader *r, const rt_yaml *entry, const rt_written_signal *written)
{
    const rt_replaced *input = entry->replaces;
    const bool has = input && input->own->kind == RT_YAML_MAPPING;
    const rt_yaml *unit = has ? rt_yaml_find(input->own, "unit") : NULL;
    if (entry->of_input) rt_note_given_input(r, written->function);
    rt_note_signal(r, unit ? unit->text : written->unit, written->function,
                   input ? input->owner : r->scope);
}

static routh_status name_variables(rt_reader *r, const rt_yaml *section, rt_control_set *set)
{
    int k = 0;
    set->variables = RT_TAKE(&r->scratch, rt_written_signal, controllers_count_of(section));
    if (!set->variables) return rt_fail_memory(r->error);
    for (const rt_yaml *entry = controllers_first_of(section); entry; entry = entry->next, k++) {
        rt_written_signal *written = &set->variables[k];
        rt_variable *v = &r->model->variables[k];
        rt_given given;
        written->value = rt_plain(0);
        rt_reader_enter(r, "variable", entry);
        routh_status status = rt_check_quantity_name(r, entry);
        if (!status) status = rt_read_entry(r, &rt_variable_section, entry, written, &given);
        if (status) return status;
        *v = (rt_variable){.name = controllers_keep(r, entry->key),
                           .element = controllers_keep(r, r->element),
                           .place = entry->key_place,
                           .unit = controllers_unit_of(written->unit),
                           .guess = written->value};
        if (!v->name || !v->element) return rt_fail_memory(r->error);
        status = rt_name_signal(r, v->place, v->name, "a variable", RT_QUANTITY_VARIABLE, k);
        if (status) return status;
        note_variable(r, entry, written);
    }
    return ROUTH_OK;
}

/* The name of a part, and its place among the signals. */
static routh_status name_part(rt_reader *r, const rt_control *c, const rt_control_part *part,
                              rt_quantity_kind kind, int index, const char **name)
{
    *name = part->name ? rt_dotted_name(r, c->name, part->name) : c->name;
    if (!*name) return rt_fail_memory(r->error);
    const routh_status status = rt_name_signal(
        r, part->place, *name, kind == RT_QUANTITY_STATE ? "a state" : "an output", kind, index);
    if (!status) rt_note_signal(r, part->written.unit, NULL, r->scope);
    return status;
}

static routh_status controllers_name_states(rt_reader *r, const rt_control *c)
{
    for (int k = 0; k < c->n_states; k++) {
        const rt_control_part *part = &c->states[k];
        rt_control_state *x = &r->model->control_states[c->first_state + k];
        *x = (rt_control_state){.element = c->element,
                                .place = part->place,
                                .unit = controllers_unit_of(part->written.unit),
                                .initial = part->initial,
                                .initial_given = part->initial_given};
        const routh_status status =
            name_part(r, c, part, RT_QUANTITY_STATE, c->first_state + k, &x->name);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status name_outputs(rt_reader *r, const rt_control *c)
{
    for (int k = 0; k < c->n_outputs; k++) {
        const rt_control_part *part = &c->outputs[k];
        rt_variable *v = &r->model->variables[c->first_output + k];
        *v = (rt_variable){.element = c->element,
                           .place = part->place,
                           .unit = controllers_unit_of(part->written.unit),
                           .guess = rt_plain(0)};
        const routh_status status =
            name_part(r, c, part, RT_QUANTITY_VARIABLE, c->first_output + k, &v->name);
        if (status) return status;
    }
    return ROUTH_OK;
}

static bool has_own_signal(const rt_control *c)
{
    return (c->n_states && !c->states[0].name) || (c->n_outputs && !c->outputs[0].name);
}

static routh_status name_control(rt_reader *r, const rt_control *c)
{
    routh_status status = ROUTH_OK;
    rt_reader_enter(r, "controller", c->node);
    if (!has_own_signal(c))
        status =
            rt_name_signal(r, c->node->key_place, c->name, "a controller", RT_QUANTITY_STATE, -1);
    if (!status) status = controllers_name_states(r, c);
    return status ? status : name_outputs(r, c);
}

routh_status rt_declare_signals(rt_reader *r, const rt_written_model *w, rt_control_set *set)
{
    int k = 0, state = 0, output = controllers_count_of(w->variables);
    set->n_controls = controllers_count_of(w->controllers);
    set->controls = RT_TAKE(&r->scratch, rt_control, set->n_controls);
    if (!set->controls) return rt_fail_memory(r->error);
    for (const rt_yaml *entry = controllers_first_of(w->controllers); entry;
         entry = entry->next, k++) {
        rt_control *c = &set->controls[k];
        const routh_status status = controllers_read_shape(r, entry, c);
        if (status) return status;
        c->first_state = state;
        c->first_output = output;
        state += c->n_states;
        output += c->n_outputs;
    }
    routh_status status = controllers_take_tables(r, w, set);
    if (!status) status = controllers_read_inputs(r, w->inputs);
    if (!status) status = rt_add_free_inputs(r);
    if (!status) status = name_variables(r, w->variables, set);
    for (k = 0; k < set->n_controls && !status; k++) status = name_control(r, &set->controls[k]);
    return status ? status : rt_name_load_states(r, w->loads, state);
}

/* ---- second step: expressions ---------------------------------------------------------------- */

static routh_status read_outputs(rt_reader *r, const rt_yaml *section)
{
    int k = 0;
    for (const rt_yaml *entry = controllers_first_of(section); entry; entry = entry->next, k++) {
        rt_written_signal written = {.value = rt_plain(0)};
        rt_given given;
        rt_named_output *out = &r->model->outputs[k];
        rt_reader_enter(r, "output", entry);
        routh_status status = rt_check_quantity_name(r, entry);
        if (!status) status = rt_read_entry(r, &rt_output_section, entry, &written, &given);
        if (status) return status;
        *out = (rt_named_output){.name = controllers_keep(r, entry->key),
                                 .place = entry->key_place,
                                 .unit = controllers_unit_of(written.unit)};
        if (!out->name) return rt_fail_memory(r->error);
        status = rt_read_function(r, written.function, "expression", RT_ALLOW_ALL, &out->value);
        if (status) return status;
        rt_check_signal_unit(r, written.unit);
    }
    return ROUTH_OK;
}

static routh_status pass_into_part(rt_reader *r, const rt_yaml *entry, rt_variable *v)
{
    char problem[256];
    const rt_signal_name *signal = rt_signal_named(r, v->name);
    return rt_function_for_signal(r, signal, &v->value, problem)
               ? ROUTH_OK
               : rt_reader_fail(r, entry->place, "%s", problem);
}

routh_status rt_read_signals(rt_reader *r, const rt_written_model *w, rt_control_set *set)
{
    routh_status status = ROUTH_OK;
    r->function_load = -1;
    int v = 0;
    for (const rt_yaml *entry = controllers_first_of(w->variables); entry && !status;
         entry = entry->next, v++) {
        rt_reader_enter(r, "variable", entry);
        status = rt_read_function(r, set->variables[v].function, "expression", RT_ALLOW_ALL,
                                  &r->model->variables[v].value);
        if (!status && !entry->of_input) rt_check_signal_unit(r, set->variables[v].unit);
        if (!status && entry->of_input) status = pass_into_part(r, entry, &r->model->variables[v]);
    }
    for (int k = 0; k < set->n_controls && !status; k++) {
        rt_reader_enter(r, "controller", set->controls[k].node);
        status = set->controls[k].class->expand(r, &set->controls[k]);
    }
    return status ? status : read_outputs(r, w->outputs);
}
