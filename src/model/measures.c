/* Measures of the field (DX, VX, AX, FX, ...) as expressions over quantities. */
#include "model/joint_class.h"
#include "model/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

/* ---- quantities ------------------------------------------------------------------------------ */

static bool same_vector(const rt_vector *a, const rt_vector *b)
{
    return a->kind == b->kind && a->i == b->i && a->j == b->j && a->l == b->l &&
           a->local[0] == b->local[0] && a->local[1] == b->local[1] && a->local[2] == b->local[2];
}

static bool same_quantity(const rt_quantity *p, const rt_quantity *q)
{
    return p->kind == q->kind && p->index == q->index && p->of_load == q->of_load &&
           p->torque == q->torque && same_vector(&p->a, &q->a) && same_vector(&p->b, &q->b);
}

static void numbers_of_vector(const rt_vector *v, double numbers[7])
{
    const double all[] = {v->kind, v->i, v->j, v->l, v->local[0], v->local[1], v->local[2]};
    for (int k = 0; k < 7; k++) numbers[k] = all[k] + 0.0; /* -0 and 0 are one */
}

static size_t hash_quantity(const rt_quantity *q)
{
    double numbers[18] = {q->kind, q->index, q->of_load, q->torque};
    numbers_of_vector(&q->a, numbers + 4);
    numbers_of_vector(&q->b, numbers + 11);
    return rt_hash_bytes(numbers, sizeof numbers);
}

/* The place of q in the table, or the free place where it belongs. */
static size_t table_place(const rt_reader *r, const rt_quantity *q)
{
    const size_t mask = (size_t)r->table_room - 1;
    size_t k = hash_quantity(q) & mask;
    while (r->quantity_table[k] && !same_quantity(&r->quantities[r->quantity_table[k] - 1], q))
        k = (k + 1) & mask;
    return k;
}

static bool grow_quantities(rt_reader *r)
{
    const int room = r->quantity_room ? 2 * r->quantity_room : 64;
    if (room > 1 << 28) return false;
    rt_quantity *quantities = realloc(r->quantities, (size_t)room * sizeof *quantities);
    if (!quantities) return false;
    r->quantities = quantities;
    int *table = calloc((size_t)room * 2, sizeof *table);
    if (!table) return false;
    free(r->quantity_table);
    r->quantity_table = table;
    r->table_room = room * 2;
    r->quantity_room = room;
    for (int k = 0; k < r->n_quantities; k++) table[table_place(r, &r->quantities[k])] = k + 1;
    return true;
}

int rt_quantity_slot(rt_reader *r, const rt_quantity *quantity)
{
    if (r->n_quantities == r->quantity_room && !grow_quantities(r)) return -1;
    const size_t k = table_place(r, quantity);
    if (!r->quantity_table[k]) {
        r->quantities[r->n_quantities] = *quantity;
        r->quantity_table[k] = ++r->n_quantities;
    }
    return r->quantity_table[k] - 1;
}

static rt_expr input_of(rt_reader *r, const rt_quantity *quantity)
{
    const int slot = rt_quantity_slot(r, quantity);
    return slot < 0 ? RT_NO_EXPR : rt_input(r->model->graph, slot);
}

/* a . b, the same quantity whichever comes first. */
rt_expr rt_measure_dot(rt_reader *r, const rt_vector *a, const rt_vector *b)
{
    const rt_quantity quantity = {.kind = RT_QUANTITY_DOT, .a = *a, .b = *b};
    return input_of(r, &quantity);
}

/* ---- vectors --------------------------------------------------------------------------------- */

static rt_vector between_markers(rt_vector_kind kind, int i, int j)
{
    return (rt_vector){.kind = kind, .i = i, .j = j, .l = RT_GROUND};
}

static rt_vector model_measures_transport(int i, int j, int l)
{
    return (rt_vector){.kind = RT_VECTOR_TRANSPORT, .i = i, .j = j, .l = l};
}

static rt_vector axis_of(int marker, int component)
{
    rt_vector v = {.kind = RT_VECTOR_AXIS, .i = marker, .j = RT_GROUND, .l = RT_GROUND};
    v.local[component] = 1;
    return v;
}

/* ---- the table of measures ------------------------------------------------------------------- */

typedef enum measures_shape {
    MAGNITUDE,
    COMPONENT,
    ANGLE,
    RADIAL_RATE,
    FORCE_MAGNITUDE,
    FORCE_COMPONENT
} measures_shape;

typedef struct measures_measure {
    const char *name;
    measures_shape shape;
    rt_vector_kind vector;
    int component;
    bool torque;
    int least, most; /* numbers of arguments */
    rt_allowed level;
    const char *usage;
} measures_measure;

#define VECTOR_MEASURES(m, x, y, z, kind, level, args, l_args, most_m, most)                      \
    {m, MAGNITUDE, kind, 0, false, 1, most_m, level, m l_args},                                   \
        {x, COMPONENT, kind, 0, false, 1, most, level, x args},                                   \
        {y, COMPONENT, kind, 1, false, 1, most, level, y args},                                   \
    {                                                                                             \
        z, COMPONENT, kind, 2, false, 1, most, level, z args                                      \
    }

static const measures_measure measures[] = {
    VECTOR_MEASURES("DM", "DX", "DY", "DZ", RT_VECTOR_DISPLACEMENT, RT_ALLOW_POSITIONS, "(i, j, k)",
                    "(i, j)", 2, 3),
    {"AX", ANGLE, RT_VECTOR_AXIS, 0, false, 1, 2, RT_ALLOW_POSITIONS, "AX(i, j)"},
    {"AY", ANGLE, RT_VECTOR_AXIS, 1, false, 1, 2, RT_ALLOW_POSITIONS, "AY(i, j)"},
    {"AZ", ANGLE, RT_VECTOR_AXIS, 2, false, 1, 2, RT_ALLOW_POSITIONS, "AZ(i, j)"},
    VECTOR_MEASURES("VM", "VX", "VY", "VZ", RT_VECTOR_VELOCITY, RT_ALLOW_VELOCITIES, "(i, j, k, l)",
                    "(i, j, l)", 3, 4),
    {"VR", RADIAL_RATE, RT_VECTOR_VELOCITY, 0, false, 1, 2, RT_ALLOW_VELOCITIES, "VR(i, j)"},
    VECTOR_MEASURES("WM", "WX", "WY", "WZ", RT_VECTOR_OMEGA, RT_ALLOW_VELOCITIES, "(i, j, k)",
                    "(i, j)", 2, 3),
    VECTOR_MEASURES("ACCM", "ACCX", "ACCY", "ACCZ", RT_VECTOR_ACCELERATION, RT_ALLOW_ALL,
                    "(i, j, k)", "(i, j)", 2, 3),
    VECTOR_MEASURES("WDTM", "WDTX", "WDTY", "WDTZ", RT_VECTOR_ALPHA, RT_ALLOW_ALL, "(i, j, k)",
                    "(i, j)", 2, 3),
    {"FM", FORCE_MAGNITUDE, RT_VECTOR_AXIS, 0, false, 1, 1, RT_ALLOW_ALL, "FM(element)"},
    {"FX", FORCE_COMPONENT, RT_VECTOR_AXIS, 0, false, 1, 2, RT_ALLOW_ALL, "FX(element, k)"},
    {"FY", FORCE_COMPONENT, RT_VECTOR_AXIS, 1, false, 1, 2, RT_ALLOW_ALL, "FY(element, k)"},
    {"FZ", FORCE_COMPONENT, RT_VECTOR_AXIS, 2, false, 1, 2, RT_ALLOW_ALL, "FZ(element, k)"},
    {"TM", FORCE_MAGNITUDE, RT_VECTOR_AXIS, 0, true, 1, 1, RT_ALLOW_ALL, "TM(element)"},
    {"TX", FORCE_COMPONENT, RT_VECTOR_AXIS, 0, true, 1, 2, RT_ALLOW_ALL, "TX(element, k)"},
    {"TY", FORCE_COMPONENT, RT_VECTOR_AXIS, 1, true, 1, 2, RT_ALLOW_ALL, "TY(element, k)"},
    {"TZ", FORCE_COMPONENT, RT_VECTOR_AXIS, 2, true, 1, 2, RT_ALLOW_ALL, "TZ(element, k)"},
};
enum { N_MEASURES = sizeof measures / sizeof measures[0] };

/* v . v - 2 v . t + t . t, rooted; t is the transport when seen from l. */
static rt_expr measures_magnitude(rt_reader *r, const measures_measure *m, const int markers[4])
{
    rt_graph *g = r->model->graph;
    const rt_vector v = between_markers(m->vector, markers[0], markers[1]);
    rt_expr sum = rt_measure_dot(r, &v, &v);
    if (m->vector == RT_VECTOR_VELOCITY && markers[2] != RT_GROUND) {
        const rt_vector t = model_measures_transport(markers[0], markers[1], markers[2]);
        sum = rt_subtract(g, sum, rt_multiply(g, rt_constant(g, 2), rt_measure_dot(r, &v, &t)));
        sum = rt_add(g, sum, rt_measure_dot(r, &t, &t));
    }
    return rt_function_of(g, RT_SQRT, sum);
}

static rt_expr measures_component(rt_reader *r, const measures_measure *m, const int markers[4])
{
    const rt_vector v = between_markers(m->vector, markers[0], markers[1]);
    const rt_vector axis = axis_of(markers[2], m->component);
    const rt_expr whole = rt_measure_dot(r, &axis, &v);
    if (m->vector != RT_VECTOR_VELOCITY || markers[3] == RT_GROUND) return whole;
    const rt_vector t = model_measures_transport(markers[0], markers[1], markers[3]);
    return rt_subtract(r->model->graph, whole, rt_measure_dot(r, &axis, &t));
}

/* About axis c of j, with m, n the next two in cyclic order: atan2(m_i . n_j, m_i . m_j). */
static rt_expr measures_angle(rt_reader *r, const measures_measure *m, const int markers[4])
{
    const int first = (m->component + 1) % 3, second = (m->component + 2) % 3;
    const rt_vector of_i = axis_of(markers[0], first);
    const rt_vector along = axis_of(markers[1], first), across = axis_of(markers[1], second);
    return rt_atan2(r->model->graph, rt_measure_dot(r, &of_i, &across),
                    rt_measure_dot(r, &of_i, &along));
}

/* v . d / |d| */
static rt_expr radial_rate(rt_reader *r, const int markers[4])
{
    rt_graph *g = r->model->graph;
    const rt_vector v = between_markers(RT_VECTOR_VELOCITY, markers[0], markers[1]);
    const rt_vector d = between_markers(RT_VECTOR_DISPLACEMENT, markers[0], markers[1]);
    return rt_divide(g, rt_measure_dot(r, &v, &d),
                     rt_function_of(g, RT_SQRT, rt_measure_dot(r, &d, &d)));
}

static rt_expr force_component(rt_reader *r, bool torque, bool of_load, int element, int along,
                               int k)
{
    const rt_quantity quantity = {.kind = RT_QUANTITY_FORCE,
                                  .index = element,
                                  .of_load = of_load,
                                  .torque = torque,
                                  .a = axis_of(k, along)};
    return input_of(r, &quantity);
}

static rt_expr force_magnitude(rt_reader *r, bool torque, bool of_load, int element)
{
    rt_graph *g = r->model->graph;
    rt_expr sum = RT_NO_EXPR;
    for (int k = 0; k < 3; k++) {
        const rt_expr f = force_component(r, torque, of_load, element, k, RT_GROUND);
        const rt_expr square = rt_multiply(g, f, f);
        sum = k ? rt_add(g, sum, square) : square;
    }
    return rt_function_of(g, RT_SQRT, sum);
}

/* ---- calls in the text ----------------------------------------------------------------------- */

static bool same_word(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        const char x = *a >= 'a' && *a <= 'z' ? (char)(*a - 'a' + 'A') : *a;
        const char y = *b >= 'a' && *b <= 'z' ? (char)(*b - 'a' + 'A') : *b;
        if (x != y) return false;
    }
    return !*a && !*b;
}

static const measures_measure *find_measure(const char *name)
{
    for (size_t k = 0; k < N_MEASURES; k++)
        if (same_word(name, measures[k].name)) return &measures[k];
    return NULL;
}

bool rt_is_measure(const char *name)
{
    return find_measure(name) || same_word(name, "RATE");
}

const char *const *rt_reader_point_names(rt_reader *r)
{
    const routh_model *model = r->model;
    const char **names = RT_TAKE(&r->scratch, const char *, r->n_user_points + 2);
    if (!names) return NULL;
    for (int k = 0; k < r->n_user_points; k++)
        names[k] = k < model->n_bodies ? model->bodies[k].name : model->markers[k].name;
    names[r->n_user_points] = "ground";
    return names;
}

static bool marker_argument(rt_reader *r, const measures_measure *m,
                            const rt_call_argument *argument, int number, int *marker,
                            char *problem)
{
    char hint[128];
    *marker = RT_GROUND;
    if (!argument->name) {
        snprintf(problem, 256, "argument %d of %s must be the name of a marker", number, m->usage);
        return false;
    }
    if (!strcmp(argument->name, "ground")) return true;
    *marker = rt_names_find(&r->index->points, argument->name);
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

static bool element_argument(rt_reader *r, const measures_measure *m,
                             const rt_call_argument *argument, bool *of_load, int *element,
                             char *problem)
{
    if (!argument->name) {
        snprintf(problem, 256, "argument 1 of %s must be the name of a joint or load", m->usage);
        return false;
    }
    *element = rt_names_find(&r->index->loads, argument->name);
    *of_load = *element >= 0;
    if (*of_load) {
        if (r->function_load >= 0) note_use(r, *element);
        return true;
    }
    *element = rt_names_find(&r->index->joints, argument->name);
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

static bool call_force(rt_reader *r, const measures_measure *m, const rt_call_argument *arguments,
                       int n, rt_expr *out, char *problem)
{
    bool of_load;
    int element, k = RT_GROUND;
    if (!element_argument(r, m, &arguments[0], &of_load, &element, problem)) return false;
    if (n > 1 && !marker_argument(r, m, &arguments[1], 2, &k, problem)) return false;
    *out = m->shape == FORCE_MAGNITUDE
               ? force_magnitude(r, m->torque, of_load, element)
               : force_component(r, m->torque, of_load, element, m->component, k);
    return true;
}

static bool call_measure(rt_reader *r, const measures_measure *m, const rt_call_argument *arguments,
                         int n, rt_expr *out, char *problem)
{
    int markers[4] = {RT_GROUND, RT_GROUND, RT_GROUND, RT_GROUND};
    for (int k = 0; k < n; k++)
        if (!marker_argument(r, m, &arguments[k], k + 1, &markers[k], problem)) return false;
    if (n > 1 && markers[0] == markers[1] && m->shape != COMPONENT) {
        snprintf(problem, 256, "%s is taken between a marker and itself; name two markers",
                 m->usage);
        return false;
    }
    switch (m->shape) {
    case MAGNITUDE: *out = measures_magnitude(r, m, markers); break;
    case COMPONENT: *out = measures_component(r, m, markers); break;
    case ANGLE: *out = measures_angle(r, m, markers); break;
    default: *out = radial_rate(r, markers); break;
    }
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
    if (same_word(name, "RATE")) return rt_resolve_rate(r, arguments, n, out, problem);
    const measures_measure *m = find_measure(name);
    if (!m) return false;
    if (m->level > r->allowed) {
        snprintf(problem, 256, "%s cannot be used here: a %s only", m->name,
                 allowed_words(r->allowed));
        return false;
    }
    if (n < m->least || n > m->most) {
        snprintf(problem, 256, "%s has %d arguments; it is written %s with %d to %d of them",
                 m->name, n, m->usage, m->least, m->most);
        return false;
    }
    return m->shape == FORCE_MAGNITUDE || m->shape == FORCE_COMPONENT
               ? call_force(r, m, arguments, n, out, problem)
               : call_measure(r, m, arguments, n, out, problem);
}

rt_expr rt_time_expr(rt_reader *r)
{
    const rt_quantity quantity = {.kind = RT_QUANTITY_TIME};
    return input_of(r, &quantity);
}

static bool resolve_quantity(void *context, const char *name, rt_expr *out, char *problem)
{
    rt_reader *r = context;
    if (!strcmp(name, "time") || !strcmp(name, "TIME") || !strcmp(name, "Time")) {
        *out = rt_time_expr(r);
        return true;
    }
    const int k = rt_names_find(&r->index->parameters, name);
    if (k < 0) return rt_resolve_signal(r, name, out, problem);
    if (rt_free_parameter(r, k) >= 0) return rt_resolve_free(r, k, out, problem);
    *out = rt_input(r->model->graph, k);
    return true;
}

/* ---- functions ------------------------------------------------------------------------------- */

static const char *const *known_words(rt_reader *r)
{
    const int n = r->model->n_parameters, n_named = r->index->n_named;
    const char **names = RT_TAKE(&r->scratch, const char *, n + n_named + N_MEASURES + 3);
    const char **to = names;
    if (!names) return NULL;
    for (int k = 0; k < n; k++) *to++ = r->model->parameters[k].name;
    for (int k = 0; k < n_named; k++) *to++ = r->index->named[k].name;
    for (int k = 0; k < (int)N_MEASURES; k++) *to++ = measures[k].name;
    *to++ = "RATE";
    *to = "time";
    return names;
}

routh_status rt_read_function(rt_reader *r, const rt_yaml *node, const char *what,
                              rt_allowed allowed, rt_function *out)
{
    char found[96];
    routh_error problem = {0};
    rt_resolver resolver = {r, resolve_quantity, resolve_call, NULL};
    if (node->kind != RT_YAML_SCALAR || rt_yaml_is_null(node) || !node->text[0])
        return rt_reader_fail(r, node->place,
                              "%s must be an expression, such as 3*sin(time), not %s", what,
                              rt_yaml_describe(node, found, sizeof found));
    r->allowed = allowed;
    r->function_place = node->place;
    routh_status status = rt_parse(r->model->graph, node->text, &resolver, &out->expr, &problem);
    out->place = node->place;
    if (!status) return ROUTH_OK;
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
    resolver.suggestions =
        known_words(r); /* the error is final: once more, with names to suggest */
    status = rt_parse(r->model->graph, node->text, &resolver, &out->expr, &problem);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
    rt_place place = node->place;
    if (problem.column > 0 && !strchr(node->text, '\n'))
        place = rt_place_after(place, problem.column - 1 + node->quoted);
    return rt_reader_fail(r, place, "%s: %.800s", what, problem.message);
}
