#include "model/measure_class.h"
#include "model/scope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parsing and evaluating expressions of parameters ---------------------------------------- */

enum { UNKNOWN, ACTIVE, KNOWN };

/* A name inside a plain number: a parameter. One whose value is not there yet stops the parse. */
static bool resolve_parameter(void *context, const char *name, rt_expr *out, char *problem)
{
    rt_reader *r = context;
    double index;
    if (rt_scope_index(r, name, &index)) {
        *out = rt_constant(r->model->graph, index);
        return true;
    }
    const char *full = rt_full_name(r, name, problem);
    if (!full) return false;
    const int k = rt_names_find(&r->index->parameters, full);
    if (k < 0) {
        if (!strcmp(name, "time") || !strcmp(name, "TIME"))
            snprintf(problem, 256, "time may be used in functions only, this value is fixed");
        if (rt_names_find(&r->index->signals, full) >= 0)
            snprintf(problem, 256,
                     "the signal '%.60s' may be used in functions only, this value is fixed", name);
        return false;
    }
    if (r->parameter_state[k] != KNOWN) {
        r->wanted = k;
        snprintf(problem, 256, "the parameter is not known yet");
        return false;
    }
    if (rt_free_parameter(r, k) >= 0) {
        snprintf(
            problem, 256,
            "the parameter '%.60s' is free in the steady motion: expressions of loads, motions "
            "and signals may use it, and this value is fixed",
            name);
        return false;
    }
    *out = rt_input(r->model->graph, k);
    return rt_parameter_in_units(r, k, name, out, problem);
}

bool rt_is_parameter(rt_reader *r, const char *name)
{
    double index;
    return rt_scope_index(r, name, &index) ||
           rt_names_find(&r->index->parameters, rt_full_name_or_none(r, name)) >= 0;
}

static bool is_parameter(void *context, const char *name) { return rt_is_parameter(context, name); }

static bool refuse_call(void *context, const char *name, const rt_call_argument *arguments, int n,
                        rt_expr *out, char *problem)
{
    const rt_reader *r = context;
    (void)arguments, (void)n, (void)out;
    if (rt_find_function(r->model, name))
        snprintf(problem, 256,
                 "the function %.60s of the caller may be used in functions only, this value is "
                 "fixed",
                 name);
    if (rt_measure_find(name))
        snprintf(problem, 256,
                 "the measure %.20s may be used in functions only, this value is fixed", name);
    return false;
}

static const char *const *parameter_names(rt_reader *r)
{
    const int n = r->model->n_parameters;
    const char **names = RT_TAKE(&r->scratch, const char *, n + 1);
    for (int k = 0; names && k < n; k++)
        names[k] = rt_name_in_scope(r, r->model->parameters[k].name);
    return names;
}

rt_dimension rt_dimension_of_parameter(void *context, const char *name)
{
    rt_reader *r = context;
    double index;
    if (rt_scope_index(r, name, &index)) return (rt_dimension){0};
    const int k = rt_names_find(&r->index->parameters, rt_full_name_or_none(r, name));
    return k >= 0 ? r->model->parameters[k].dimension : (rt_dimension){0};
}

routh_status rt_parse_parameters(rt_reader *r, const char *text, rt_expr *out,
                                 rt_dimension *dimension, routh_error *problem)
{
    rt_resolver resolver = {.context = r,
                            .quantity = resolve_parameter,
                            .call = refuse_call,
                            .taken = is_parameter,
                            .units = rt_units_here(r),
                            .dimension = rt_dimension_of_parameter};
    routh_status status =
        rt_parse_dimension(r->model->graph, text, &resolver, out, dimension, problem);
    if (!status || status == ROUTH_OUT_OF_MEMORY || r->wanted >= 0) return status;
    /* the error is final: once more, with names to suggest */
    resolver.suggestions = parameter_names(r);
    return rt_parse(r->model->graph, text, &resolver, out, problem);
}

static routh_status parameters_evaluate(rt_reader *r, rt_expr e, double *value)
{
    const int n = rt_inputs_of(r->model->graph, e, NULL, 0);
    rt_arena arena = {0};
    int *slots = RT_TAKE(&arena, int, n);
    double *inputs = RT_TAKE(&arena, double, n);
    const rt_tape *tape = NULL;
    double *work = NULL;
    if (slots && inputs && rt_inputs_of(r->model->graph, e, slots, n) == n) {
        for (int k = 0; k < n; k++)
            inputs[k] = rt_constant_value(r->model, &r->quantities[slots[k]]);
        tape = rt_tape_compile(r->model->graph, &e, 1, slots, n, &arena);
    }
    if (tape) work = RT_TAKE(&arena, double, rt_tape_work(tape));
    if (work) rt_tape_evaluate(tape, inputs, value, work);
    rt_arena_free(&arena);
    return work ? ROUTH_OK : rt_fail_memory(r->error);
}

routh_status rt_evaluate_parameters(rt_reader *r, rt_expr e, double *value)
{
    const int line = e & (RT_VALUE_CACHE - 1);
    if (rt_is_constant(r->model->graph, e, value)) return ROUTH_OK;
    if (r->cached[line] == e + 1) {
        *value = r->cached_value[line];
        return ROUTH_OK;
    }
    const routh_status status = parameters_evaluate(r, e, value);
    if (status) return status;
    r->cached[line] = e + 1;
    r->cached_value[line] = *value;
    return ROUTH_OK;
}

/* ---- the section ----------------------------------------------------------------------------- */

/* What a parameter is written as: in the file, or in an override. */
typedef struct source {
    const rt_yaml *node;
    const char *text;
    int below; /* the parameter that waits for this one, -1 */
} source;

static routh_status parameters_collect(rt_reader *r, const rt_yaml *section, source *sources)
{
    routh_model *model = r->model;
    int k = 0;
    for (const rt_yaml *entry = section->first; entry; entry = entry->next, k++) {
        char found[96];
        rt_parameter *p = &model->parameters[k];
        rt_reader_enter(r, "parameter", entry);
        routh_status status = rt_check_quantity_name(r, entry);
        if (status) return status;
        if (entry->kind != RT_YAML_SCALAR || rt_yaml_is_null(entry) || !entry->text[0])
            return rt_reader_fail(r, entry->place,
                                  "a parameter must be a number or an expression, not %s",
                                  rt_yaml_describe(entry, found, sizeof found));
        p->name = rt_arena_text(&model->arena, entry->key, strlen(entry->key));
        p->place = entry->place;
        p->units = rt_units_of_scope(r, entry->replaces ? entry->replaces->owner : entry->scope);
        if (!p->name) return rt_fail_memory(r->error);
        rt_names_add(&r->index->parameters, p->name, k);
        const rt_quantity quantity = {.kind = RT_QUANTITY_PARAMETER, .index = k};
        if (rt_quantity_slot(r, &quantity) != k) return rt_fail_memory(r->error);
        sources[k] = (source){entry, entry->text, -1};
    }
    return ROUTH_OK;
}

/* The names of parameters, and of parts, whose variants are set by them. */
static const char *const *settable_names(rt_reader *r)
{
    const int n = r->model->n_parameters, n_parts = r->parts ? r->parts->n : 0;
    const char **names = RT_TAKE(&r->scratch, const char *, n + n_parts + 1);
    for (int k = 0; names && k < n; k++) names[k] = r->model->parameters[k].name;
    for (int k = 0; names && k < n_parts; k++) {
        const rt_scope *part = r->parts->scopes[k];
        names[n + k] = rt_arena_text(&r->scratch, part->prefix, part->length - 1);
        if (!names[n + k]) return NULL;
    }
    return names;
}

/* Is it a parameter of each part of an array, "blade.k"? Then that of the first, "blade.1.k". */
static bool names_array(const rt_reader *r, const char *name, char first[128])
{
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
        snprintf(first, 128, "%.*s.1%s", (int)(dot - name), name, dot);
        if (rt_names_find(&r->index->parameters, first) >= 0) return true;
    }
    return false;
}

static routh_status fail_setting(rt_reader *r, const char *name)
{
    char hint[128];
    const char *const *names = settable_names(r);
    if (!names) return rt_fail_memory(r->error);
    rt_reader_element(r, "", "");
    if (!strcmp(name, "variant"))
        return rt_reader_fail(r, (rt_place){0},
                              "the model has no `variants` of which one could be chosen, and no "
                              "parameter 'variant' to set");
    if (names_array(r, name, hint))
        return rt_reader_fail(r, (rt_place){0},
                              "'%.60s' is a parameter of each part of an array; set one of them, "
                              "such as %.60s, or all by a parameter of the model: `set` in the "
                              "entry of the array",
                              name, hint);
    rt_did_you_mean(name, names, hint, sizeof hint);
    const char *what = hint[0]    ? ""
                       : r->parts ? "; only names under `parameters` can be set, coordinates and "
                                    "rates of joints, such as crank.angle, and variants of parts"
                                  : "; only names under `parameters` can be set, and coordinates "
                                    "and rates of joints, such as crank.angle";
    return rt_reader_fail(r, (rt_place){0}, "the model has no parameter '%.60s' to set%s%s", name,
                          hint, what);
}

static routh_status override(rt_reader *r, const routh_setting *settings, size_t n_settings,
                             source *sources)
{
    for (size_t k = 0; k < n_settings; k++) {
        const char *name = settings[k].name ? settings[k].name : "";
        const int p = rt_names_find(&r->index->parameters, name);
        if (p < 0 && rt_is_variant_setting(r, k)) continue;  /* taken already */
        if (p < 0 && rt_is_joint_setting(r, name)) continue; /* taken when the joint is read */
        if (p < 0) return fail_setting(r, name);
        sources[p].text = settings[k].value ? settings[k].value : "";
        r->model->parameters[p].overridden = true;
        r->model->parameters[p].place = (rt_place){0};
    }
    return ROUTH_OK;
}

static routh_status fail_cycle(rt_reader *r, const source *sources, int from, int wanted)
{
    char names[500] = "";
    size_t length = 0;
    int chain[8], n = 0;
    for (int k = from; k >= 0 && n < 8; k = sources[k].below) {
        chain[n++] = k;
        if (k == wanted) break;
    }
    while (n-- > 0 && length < sizeof names - 1)
        length += (size_t)snprintf(names + length, sizeof names - length, "%.50s -> ",
                                   r->model->parameters[chain[n]].name);
    rt_reader_element(r, "parameter", r->model->parameters[wanted].name);
    return rt_reader_fail(r, r->model->parameters[wanted].place,
                          "the parameters need each other in a circle: %s%.50s; give one of them a "
                          "number",
                          names, r->model->parameters[wanted].name);
}

static routh_status fail_parameter(rt_reader *r, const source *s, int k, const char *message,
                                   int column)
{
    rt_place place = r->model->parameters[k].place;
    rt_reader_element(r, "parameter", r->model->parameters[k].name);
    if (r->model->parameters[k].overridden)
        return rt_reader_fail(r, place, "set to '%.60s': %.600s", s->text, message);
    if (column > 0 && !strchr(s->text, '\n'))
        place = rt_place_after(place, column - 1 + s->node->quoted);
    return rt_reader_fail(r, place, "%.700s", message);
}

/* What the caller sets is in the model's names, and in the units of the parameter's own file. */
static routh_status parse_source(rt_reader *r, const source *s, rt_parameter *p,
                                 routh_error *problem)
{
    r->scope = p->overridden ? NULL : s->node->scope;
    r->set_in_units = p->overridden;
    r->set_units = p->units;
    const routh_status status =
        rt_parse_parameters(r, s->text, &p->number.expr, &p->dimension, problem);
    r->set_in_units = false;
    return status;
}

/* What the parameter is of by its own file; not known where that waits for what waits for it. Where
 * it waits for another, *next names that one. */
static routh_status own_dimension(rt_reader *r, const rt_yaml *node, rt_dimension *of, int *next)
{
    const rt_yaml *own = node->replaces ? node->replaces->own : node;
    routh_error unheard = {0};
    rt_expr e;
    if (own->kind != RT_YAML_SCALAR) return ROUTH_OK;
    r->scope = node->replaces ? node->replaces->owner : node->scope;
    const routh_status status = rt_parse_parameters(r, own->text, &e, of, &unheard);
    if (!status) return ROUTH_OK;
    *of = (rt_dimension){0};
    if (r->wanted >= 0 && r->parameter_state[r->wanted] != ACTIVE) *next = r->wanted;
    r->wanted = -1;
    return status == ROUTH_OUT_OF_MEMORY ? status : ROUTH_OK;
}

static routh_status fail_passing(rt_reader *r, const char *name, const rt_dimension *one,
                                 const rt_dimension *own, routh_error *problem)
{
    char first[RT_DIMENSION_SIZE], second[RT_DIMENSION_SIZE];
    if (one->known)
        snprintf(problem->message, sizeof problem->message,
                 "'%.60s' is %s in its own file, and what it is set to is %s", name,
                 rt_dimension_describe(&own->unit, first),
                 rt_dimension_describe(&one->unit, second));
    else
        snprintf(problem->message, sizeof problem->message,
                 "'%.60s' goes from %s into a file in %s, and nothing says what it is of; write it "
                 "with a unit in either file, such as 60 kN/m",
                 name, rt_units_text(rt_units_here(r), first), rt_units_text(r->set_units, second));
    problem->column = 0;
    return ROUTH_MODEL_ERROR;
}

/* What a part, or a file by its variant, is given for a parameter is of what the parameter is of;
 * where parts have units of their own, it becomes a number in the units of the part. */
static routh_status pass_parameter(rt_reader *r, const source *s, int k, int *next,
                                   routh_error *problem)
{
    rt_parameter *p = &r->model->parameters[k];
    rt_dimension own = {0};
    if (!p->overridden && !s->node->replaces) return ROUTH_OK;
    const routh_status status = own_dimension(r, s->node, &own, next);
    if (status || *next >= 0) return status;
    r->scope = s->node->scope;
    r->set_units = p->units;
    const bool passes = !p->overridden && !rt_same_units(rt_units_here(r), p->units);
    const bool differ =
        own.known && p->dimension.known && !rt_unit_same_dimension(&own.unit, &p->dimension.unit);
    const bool unknown = !own.known && !p->dimension.known;
    if ((!p->overridden && differ) || (passes && unknown))
        return fail_passing(r, p->name, &p->dimension, &own, problem);
    if (!p->dimension.known) p->dimension = own;
    if (passes)
        p->number.expr = rt_between_units(r->model->graph, rt_units_here(r), p->units,
                                          &p->dimension, p->number.expr);
    return p->number.expr < 0 ? ROUTH_OUT_OF_MEMORY : ROUTH_OK;
}

static routh_status label_parameter(rt_reader *r, rt_parameter *p)
{
    char unit[RT_UNIT_NAME];
    p->label = p->name;
    if (rt_same_units(p->units, NULL) || !p->dimension.known) return ROUTH_OK;
    rt_unit_name(p->units, &p->dimension.unit, unit);
    if (!unit[0]) return ROUTH_OK;
    const size_t room = strlen(p->name) + sizeof unit + 4;
    char *label = rt_arena_take(&r->model->arena, room, 1);
    if (!label) return rt_fail_memory(r->error);
    snprintf(label, room, "%s [%s]", p->name, unit);
    p->label = label;
    return ROUTH_OK;
}

/* Parses parameter k; when it waits for another, *next names that one. */
static routh_status parameters_settle(rt_reader *r, source *sources, int k, int *next)
{
    routh_error problem = {0};
    rt_number *number = &r->model->parameters[k].number;
    *next = -1;
    r->wanted = -1;
    if (!sources[k].text[0]) return fail_parameter(r, &sources[k], k, "the value is empty", 0);
    rt_parameter *p = &r->model->parameters[k];
    routh_status status = parse_source(r, &sources[k], p, &problem);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
    if (status && r->wanted >= 0) {
        *next = r->wanted;
        if (r->parameter_state[*next] == ACTIVE) return fail_cycle(r, sources, k, *next);
        sources[*next].below = k;
        return ROUTH_OK;
    }
    if (!status && r->parts && (r->parts->mixed || sources[k].node->replaces)) {
        status = pass_parameter(r, &sources[k], k, next, &problem);
        if (*next >= 0) sources[*next].below = k;
        if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
        if (*next >= 0) return ROUTH_OK;
    }
    if (status) return fail_parameter(r, &sources[k], k, problem.message, problem.column);
    status = rt_evaluate_parameters(r, number->expr, &number->value);
    if (status) return status;
    double constant;
    if (rt_is_constant(r->model->graph, number->expr, &constant)) number->expr = RT_NO_EXPR;
    if (!isfinite(number->value))
        return fail_parameter(r, &sources[k], k,
                              "the value is not finite; a finite number is needed", 0);
    r->parameter_state[k] = KNOWN;
    return label_parameter(r, p);
}

/* Depth first, on a chain of `below` links instead of a recursion, so that no chain is too long. */
static routh_status settle_all(rt_reader *r, source *sources)
{
    for (int start = 0; start < r->model->n_parameters; start++) {
        int k = r->parameter_state[start] == KNOWN ? -1 : start;
        while (k >= 0) {
            int next;
            r->parameter_state[k] = ACTIVE;
            const routh_status status = parameters_settle(r, sources, k, &next);
            if (status) return status;
            k = next >= 0 ? next : sources[k].below;
        }
    }
    r->wanted = -1;
    r->scope = NULL;
    return ROUTH_OK;
}

routh_status rt_read_parameters(rt_reader *r, const rt_yaml *section, const routh_setting *settings,
                                size_t n_settings)
{
    routh_model *model = r->model;
    const int n = section ? section->count : 0;
    model->parameters = RT_TAKE(&model->arena, rt_parameter, n);
    r->parameter_state = RT_TAKE(&r->scratch, unsigned char, n);
    source *sources = RT_TAKE(&r->scratch, source, n);
    if (!model->parameters || !r->parameter_state || !sources ||
        !rt_names_init(&r->index->parameters, n, &model->arena))
        return rt_fail_memory(r->error);
    model->n_parameters = n;
    routh_status status = section ? parameters_collect(r, section, sources) : ROUTH_OK;
    if (!status) status = override(r, settings, n_settings, sources);
    if (!status) status = settle_all(r, sources);
    return status;
}
