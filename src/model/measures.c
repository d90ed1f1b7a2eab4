/* Functions in the text of a model: measures (measure_class.h), time, parameters and signals. */
#include "model/joint_class.h"
#include "model/measure_class.h"
#include "model/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

/* ---- calls in the text ----------------------------------------------------------------------- */

const char *const *rt_reader_point_names(rt_reader *r)
{
    const routh_model *model = r->model;
    const char **names = RT_TAKE(&r->scratch, const char *, r->n_user_points + 2);
    if (!names) return NULL;
    for (int k = 0; k < r->n_user_points; k++)
        names[k] = rt_name_in_scope(r, k < model->n_bodies ? model->bodies[k].name
                                                           : model->markers[k].name);
    names[r->n_user_points] = "ground";
    return names;
}

static bool marker_argument(rt_reader *r, const char *usage, const rt_call_argument *argument,
                            int number, int *marker, char *problem)
{
    char hint[128];
    *marker = RT_GROUND;
    if (!argument->name) {
        snprintf(problem, 256, "argument %d of %s must be the name of a marker", number, usage);
        return false;
    }
    const char *full = rt_full_name(r, argument->name, problem);
    if (!full) return false;
    if (!strcmp(full, "ground")) return true;
    *marker = rt_names_find(&r->index->points, full);
    if (*marker >= 0) return true;
    rt_did_you_mean(argument->name, rt_reader_point_names(r), hint, sizeof hint);
    snprintf(problem, 256, "marker or body '%.60s' is not defined%.120s", argument->name, hint);
    return false;
}

/* Remembers that the load being read asks for the force of another. */
static void note_use(rt_reader *r, int used)
{
    if (r->n_uses == r->use_room) {
        const int room = r->use_room ? 2 * r->use_room : 64;
        rt_load_use *uses = realloc(r->uses, (size_t)room * sizeof *uses);
        if (!uses) {
            r->calculator.failed = true; /* the reading ends as out of memory */
            return;
        }
        r->uses = uses;
        r->use_room = room;
    }
    r->uses[r->n_uses++] = (rt_load_use){r->function_load, used, r->function_place};
}

static bool element_argument(rt_reader *r, const char *usage, const rt_call_argument *argument,
                             bool *of_load, int *element, char *problem)
{
    if (!argument->name) {
        snprintf(problem, 256, "argument 1 of %s must be the name of a joint or load", usage);
        return false;
    }
    const char *full = rt_full_name(r, argument->name, problem);
    if (!full) return false;
    *element = rt_names_find(&r->index->loads, full);
    *of_load = *element >= 0;
    if (*of_load) {
        if (r->function_load >= 0) note_use(r, *element);
        return true;
    }
    *element = rt_names_find(&r->index->joints, full);
    if (*element < 0) {
        snprintf(problem, 256, "there is no joint or load '%.60s'", argument->name);
        return false;
    }
    const rt_joint *joint = &r->model->joints[*element];
    if (joint->class->without_markers && joint->markers[0] == -2) {
        snprintf(problem, 256, "the constraint '%.60s' has no marker that its force acts on",
                 argument->name);
        return false;
    }
    return true;
}

static bool one_argument(rt_reader *r, const rt_measure_argument *argument, const char *usage,
                         const rt_call_argument *written, int number, rt_measure_call *call,
                         char *problem)
{
    switch (argument->takes) {
    case RT_TAKES_MARKER:
        return marker_argument(r, usage, written, number, (int *)((char *)call + argument->offset),
                               problem);
    case RT_TAKES_ELEMENT:
        return element_argument(r, usage, written, &call->of_load, &call->element, problem);
    case RT_TAKES_STATE: break; /* read by the measure itself */
    }
    return false;
}

/* Components are along the axes of k; angles are between those of i and j. */
static bool measure_axes_are_known(rt_reader *r, const rt_measure_class *class,
                                   const rt_measure_call *call, char *problem)
{
    bool along = false, known = true;
    for (int k = 0; k < class->n_arguments; k++)
        along = along || class->arguments[k] == RT_ARGUMENT_K;
    if (along) return rt_axes_have_image(r, call->k, problem, 256);
    const int markers[2] = {call->i, call->j};
    for (int k = 0; k < 2 && known && class->of_axes; k++)
        known = rt_axes_have_image(r, markers[k], problem, 256);
    return known;
}

static bool call_measure(rt_reader *r, const rt_measure_class *class,
                         const rt_call_argument *arguments, int n, rt_expr *out, char *problem)
{
    char usage[RT_MEASURE_USAGE];
    const int ground = rt_ground_of_scope(r);
    rt_measure_call call = {.i = ground, .j = ground, .k = ground, .l = RT_GROUND};
    rt_measure_usage(class, usage);
    const int most = class->n_arguments;
    if (n < 1 || n > most) {
        snprintf(problem, 256, "%s has %d arguments; it is written %s with 1 to %d of them",
                 class->name, n, usage, most);
        return false;
    }
    for (int k = 0; k < n; k++)
        if (!one_argument(r, rt_measure_argument_at(class->arguments[k]), usage, &arguments[k],
                          k + 1, &call, problem))
            return false;
    if (!measure_axes_are_known(r, class, &call, problem)) return false;
    if (rt_body_of_marker(r->model, call.l) == RT_GROUND) call.l = RT_GROUND; /* it is at rest */
    if (n > 1 && call.i == call.j && class->apart) {
        snprintf(problem, 256, "%s is taken between a marker and itself; name two markers", usage);
        return false;
    }
    const int sign = class->parity == RT_PARITY_POLAR   ? rt_polar_sign(r, class->component)
                     : class->parity == RT_PARITY_AXIAL ? rt_axial_sign(r, class->component)
                                                        : 1;
    *out = rt_out_of_si(r, class->unit, rt_signed_expr(r, sign, class->build(r, class, &call)));
    return true;
}

static const char *allowed_words(rt_allowed allowed)
{
    switch (allowed) {
    case RT_ALLOW_TIME_ALONE: return "history of an input may depend on time and parameters";
    case RT_ALLOW_TIME: return "motion may depend on time, inputs and parameters";
    case RT_ALLOW_POSITIONS:
        return "constraint or a state may depend on positions and angles (DM, DX, AX, ...), time "
               "and parameters";
    default:
        return "constraint between velocities may depend on positions, velocities (VX, WZ, ...), "
               "time and parameters";
    }
}

static bool resolve_call(void *context, const char *name, const rt_call_argument *arguments, int n,
                         rt_expr *out, char *problem)
{
    rt_reader *r = context;
    const rt_measure_class *class = rt_measure_find(name);
    if (!class) return rt_call_function(r, name, arguments, n, out, problem);
    if (class->call) return class->call(r, arguments, n, out, problem);
    if (class->level > r->allowed) {
        snprintf(problem, 256, "%s cannot be used here: a %s only", class->name,
                 allowed_words(r->allowed));
        return false;
    }
    return call_measure(r, class, arguments, n, out, problem);
}

static bool resolve_quantity(void *context, const char *name, rt_expr *out, char *problem)
{
    rt_reader *r = context;
    double index;
    if (rt_scope_index(r, name, &index)) {
        *out = rt_constant(r->model->graph, index);
        return true;
    }
    if (!strcmp(name, "time") || !strcmp(name, "TIME") || !strcmp(name, "Time")) {
        *out = rt_out_of_si(r, "s", rt_time_expr(r));
        return true;
    }
    const char *full = rt_full_name(r, name, problem);
    if (!full) return false;
    const int k = rt_names_find(&r->index->parameters, full);
    if (k < 0) return rt_resolve_signal(r, name, out, problem);
    if (rt_free_parameter(r, k) >= 0)
        return rt_resolve_free(r, k, out, problem) &&
               rt_parameter_in_units(r, k, name, out, problem);
    *out = rt_input(r->model->graph, k);
    return rt_parameter_in_units(r, k, name, out, problem);
}

/* ---- functions ------------------------------------------------------------------------------- */

static const char *const *known_words(rt_reader *r)
{
    const int n = r->model->n_parameters, n_named = r->index->n_named;
    const char **names = RT_TAKE(&r->scratch, const char *, n + n_named + rt_measure_count() + 2);
    const char **to = names;
    if (!names) return NULL;
    for (int k = 0; k < n; k++) *to++ = rt_name_in_scope(r, r->model->parameters[k].name);
    for (int k = 0; k < n_named; k++) *to++ = rt_name_in_scope(r, r->index->named[k].name);
    for (int k = 0; k < rt_measure_count(); k++) *to++ = rt_measure_at(k)->name;
    *to = "time";
    return names;
}

/* What a measure is of; the time. */
static rt_dimension measured_dimension(void *context, const char *name)
{
    static const struct {
        const char *unit;
        rt_unit of; /* without a text that is read, which takes memory */
    } known[] = {{"m", {1, 0, {1, 0, 0}}},      {"m/s", {1, 0, {1, 0, -1}}},
                 {"m/s^2", {1, 0, {1, 0, -2}}}, {"rad", {1, 0, {0, 0, 0}}},
                 {"rad/s", {1, 0, {0, 0, -1}}}, {"rad/s^2", {1, 0, {0, 0, -2}}},
                 {"N", {1, 0, {1, 1, -2}}},     {"N m", {1, 0, {2, 1, -2}}}};
    const rt_measure_class *class = rt_measure_find(name);
    (void)context;
    for (size_t k = 0; class && k < sizeof known / sizeof *known; k++)
        if (!strcmp(known[k].unit, class->unit))
            return (rt_dimension){.known = true, .measured = true, .unit = known[k].of};
    return (rt_dimension){0};
}

static rt_dimension quantity_dimension(void *context, const char *name)
{
    const rt_unit second = {.mantissa = 1, .powers = {0, 0, 1}};
    if (!strcmp(name, "time") || !strcmp(name, "TIME") || !strcmp(name, "Time"))
        return (rt_dimension){.known = true, .measured = true, .unit = second};
    return rt_dimension_of_parameter(context, name);
}

/* One for each thing that is said of an expression: some are read twice. */
void rt_warn_of_function(void *context, const char *message)
{
    rt_reader *r = context;
    routh_model *m = r->model;
    char text[768];
    snprintf(text, sizeof text, "%s%s%s: %s", r->element, r->element[0] ? ": " : "",
             r->function_what, message);
    for (int k = 0; k < m->n_warnings; k++)
        if (!strcmp(m->warnings[k], text)) return;
    if (m->n_warnings == r->warning_room) {
        const int room = 2 * r->warning_room + 4;
        const char **more = RT_TAKE(&m->arena, const char *, room);
        if (!more) {
            r->calculator.failed = true; /* the reading ends as out of memory */
            return;
        }
        if (m->n_warnings) memcpy(more, m->warnings, (size_t)m->n_warnings * sizeof *more);
        m->warnings = more;
        r->warning_room = room;
    }
    m->warnings[m->n_warnings] = rt_arena_text(&m->arena, text, strlen(text));
    if (m->warnings[m->n_warnings])
        m->n_warnings++;
    else
        r->calculator.failed = true;
}

routh_status rt_read_function(rt_reader *r, const rt_yaml *node, const char *what,
                              rt_allowed allowed, rt_function *out)
{
    char found[96];
    routh_error problem = {0};
    rt_resolver resolver = {.context = r,
                            .quantity = resolve_quantity,
                            .call = resolve_call,
                            .units = rt_units_here(r),
                            .dimension = quantity_dimension,
                            .measured = measured_dimension,
                            .warn = rt_warn_of_function};
    if (node->kind != RT_YAML_SCALAR || rt_yaml_is_null(node) || !node->text[0])
        return rt_reader_fail(r, node->place,
                              "%s must be an expression, such as 3*sin(time), not %s", what,
                              rt_yaml_describe(node, found, sizeof found));
    r->allowed = allowed;
    r->function_place = node->place;
    r->function_what = what;
    rt_dimension dimension;
    routh_status status = rt_parse_dimension(r->model->graph, node->text, &resolver, &out->expr,
                                             &dimension, &problem);
    out->place = node->place;
    r->function_dimension = dimension;
    if (!status) {
        if (dimension.measured) dimension = (rt_dimension){0};
        status = rt_check_dimension(r, node, what, &dimension);
        return status ? status : rt_function_into_si(r, out);
    }
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
    if (r->following) return rt_reader_fail(r, node->place, "%s: %.800s", what, problem.message);
    resolver.suggestions =
        known_words(r); /* the error is final: once more, with names to suggest */
    status = rt_parse(r->model->graph, node->text, &resolver, &out->expr, &problem);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
    rt_place place = node->place;
    if (problem.column > 0 && !strchr(node->text, '\n'))
        place = rt_place_after(place, problem.column - 1 + node->quoted);
    return rt_reader_fail(r, place, "%s: %.800s", what, problem.message);
}

rt_dimension rt_dimension_of_function(rt_reader *r, const rt_yaml *node, const rt_scope *scope)
{
    const rt_scope *before = r->scope;
    const rt_allowed allowed = r->allowed;
    const int load = r->function_load;
    const rt_resolver resolver = {.context = r,
                                  .quantity = resolve_quantity,
                                  .call = resolve_call,
                                  .dimension = quantity_dimension,
                                  .measured = measured_dimension};
    rt_dimension dimension = {0};
    routh_error unheard = {0};
    rt_expr e;
    if (node->kind != RT_YAML_SCALAR || r->measuring) return dimension;
    r->scope = scope;
    r->allowed = RT_ALLOW_ALL;
    r->function_load = -1;
    r->measuring = true;
    const routh_status status =
        rt_parse_dimension(r->model->graph, node->text, &resolver, &e, &dimension, &unheard);
    if (status == ROUTH_OUT_OF_MEMORY) r->calculator.failed = true; /* the reading ends so */
    r->measuring = false;
    r->function_load = load;
    r->allowed = allowed;
    r->scope = before;
    return status ? (rt_dimension){0} : dimension;
}

routh_status rt_read_function_in(rt_reader *r, const rt_yaml *node, const char *what,
                                 const char *unit, rt_allowed allowed, rt_function *out)
{
    const char *before = r->unit;
    r->unit = unit;
    const routh_status status = rt_read_function(r, node, what, allowed, out);
    r->unit = before;
    return status;
}
