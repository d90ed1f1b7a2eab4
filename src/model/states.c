/* What `linearize` says of states: the user's own, and those preferred. */
#include "model/reader.h"

#include <string.h>

/* ---- the user's own: s(q) -------------------------------------------------------------------- */

/* A state that no position enters is none. */
static routh_status states_check_moves(rt_reader *r, const rt_function *function)
{
    rt_arena arena = {0};
    const int n = rt_inputs_of(r->model->graph, function->expr, NULL, 0);
    int *slots = n < 0 ? NULL : RT_TAKE(&arena, int, n);
    const bool failed = !slots || rt_inputs_of(r->model->graph, function->expr, slots, n) != n;
    bool moves = false;
    for (int k = 0; k < n && !failed; k++)
        moves = moves || r->quantities[slots[k]].kind == RT_QUANTITY_DOT;
    rt_arena_free(&arena);
    if (failed) return rt_fail_memory(r->error);
    if (moves) return ROUTH_OK;
    return rt_reader_fail(r, function->place,
                          "expression: no position or angle enters it, so it is no state; use "
                          "measures such as DX(cart) or AZ(rod)");
}

static routh_status read_coordinate(rt_reader *r, const rt_yaml *entry, rt_user_state *s)
{
    rt_written_signal written = {.value = rt_plain(0)};
    rt_given given;
    routh_status status = rt_check_quantity_name(r, entry);
    if (!status) status = rt_read_entry(r, &rt_coordinate_section, entry, &written, &given);
    if (status) return status;
    if (rt_names_find(&r->index->signals, entry->key) >= 0)
        return rt_reader_fail(r, entry->key_place,
                              "the name is that of a signal already; choose another, since results "
                              "know both by it");
    s->name = rt_arena_text(&r->model->arena, entry->key, strlen(entry->key));
    s->unit = written.unit ? written.unit : "";
    s->place = entry->key_place;
    if (!s->name) return rt_fail_memory(r->error);
    status = rt_read_function(r, written.function, "expression", RT_ALLOW_POSITIONS, &s->value);
    if (!status) rt_check_signal_unit(r, written.unit);
    return status ? status : states_check_moves(r, &s->value);
}

static routh_status states_read_coordinates(rt_reader *r, const rt_yaml *section)
{
    routh_model *m = r->model;
    const int n = section ? section->count : 0;
    m->user_states = RT_TAKE(&m->arena, rt_user_state, n);
    if (!m->user_states || !rt_names_init(&r->index->user_states, n, &m->arena))
        return rt_fail_memory(r->error);
    r->function_load = -1;
    for (const rt_yaml *entry = section ? section->first : NULL; entry; entry = entry->next) {
        rt_reader_element(r, "coordinate", entry->key);
        const routh_status status = read_coordinate(r, entry, &m->user_states[m->n_user_states]);
        if (status) return status;
        rt_names_add(&r->index->user_states, m->user_states[m->n_user_states].name,
                     m->n_user_states);
        m->n_user_states++;
    }
    return ROUTH_OK;
}

/* ---- names of states ------------------------------------------------------------------------- */

static routh_status check_user_state(rt_reader *r, const rt_yaml *node, const char *what)
{
    const routh_model *m = r->model;
    char hint[128];
    if (rt_names_find(&r->index->user_states, node->text) >= 0) return ROUTH_OK;
    const char **names = RT_TAKE(&r->scratch, const char *, m->n_user_states + 1);
    for (int k = 0; names && k < m->n_user_states; k++) names[k] = m->user_states[k].name;
    return rt_reader_fail(r, node->place,
                          "%s: coordinate '%.60s' is not defined%s; a state is one of "
                          "`coordinates`, or is written body.coordinate, such as rotor.x",
                          what, node->text, rt_did_you_mean(node->text, names, hint, sizeof hint));
}

/* "5.y", "mode 3" */
static bool is_elastic(const rt_flexible *shape, const char *name)
{
    for (int k = 0; k < shape->n; k++)
        if (!strcmp(shape->coordinate[k].name, name)) return true;
    return false;
}

static routh_status fail_elastic(rt_reader *r, const rt_yaml *node, const char *what,
                                 const rt_flexible *shape, const char *name)
{
    const char **names = RT_TAKE(&r->scratch, const char *, shape->n + 1);
    char hint[128];
    for (int k = 0; names && k < shape->n; k++) names[k] = shape->coordinate[k].name;
    rt_did_you_mean(name, names, hint, sizeof hint);
    return rt_reader_fail(r, node->place,
                          "%s: '%.20s' is not a coordinate of this flexible body%s%s one of x, y, "
                          "z, rx, ry, rz of its frame, or an elastic one, %s to %s",
                          what, name, hint, hint[0] ? " It is" : "; it is",
                          shape->coordinate[0].name, shape->coordinate[shape->n - 1].name);
}

/* The text up to its end is the name of a body. */
static bool names_body(const rt_reader *r, const char *text, const char *end)
{
    char name[128];
    const size_t length = (size_t)(end - text);
    if (length >= sizeof name) return false;
    memcpy(name, text, length);
    name[length] = '\0';
    return rt_find_named_body(r, name) >= 0;
}

static routh_status states_check_state(rt_reader *r, const rt_yaml *node, const char *what)
{
    char body[128], found[96];
    if (node->kind != RT_YAML_SCALAR || rt_yaml_is_null(node) || !node->text[0])
        return rt_reader_fail(r, node->place,
                              "a state is written body.coordinate, such as rotor.x or rotor.rz, or "
                              "is one of `coordinates`, not %s",
                              rt_yaml_describe(node, found, sizeof found));
    const char *dot = strchr(node->text, '.');
    if (!dot) return check_user_state(r, node, what);
    if (dot != node->text && !names_body(r, node->text, dot)) {
        const char *last = strrchr(node->text, '.'); /* nodes of beams have a dot in their names */
        if (names_body(r, node->text, last)) dot = last;
    }
    if (dot == node->text || (size_t)(dot - node->text) >= sizeof body)
        return rt_reader_fail(r, node->place,
                              "a state is written body.coordinate, such as rotor.x or rotor.rz, "
                              "not %s",
                              rt_yaml_describe(node, found, sizeof found));
    memcpy(body, node->text, (size_t)(dot - node->text));
    body[dot - node->text] = '\0';
    const int k = rt_find_named_body(r, body);
    if (k < 0) {
        const char **names = RT_TAKE(&r->scratch, const char *, r->model->n_bodies + 1);
        char hint[128];
        for (int i = 0; names && i < r->model->n_bodies; i++) names[i] = r->model->bodies[i].name;
        return rt_reader_fail(r, node->place, "%s: body '%.60s' is not defined%s", what, body,
                              rt_did_you_mean(body, names, hint, sizeof hint));
    }
    for (int i = 0; rt_coordinate_names[i]; i++)
        if (!strcmp(dot + 1, rt_coordinate_names[i])) return ROUTH_OK;
    const rt_flexible *shape = r->model->bodies[k].flexible;
    if (shape && is_elastic(shape, dot + 1)) return ROUTH_OK;
    if (strchr(dot + 1, '\''))
        return rt_reader_fail(r, node->place,
                              "%s: '%.100s' is written without ': velocity states are asked for by "
                              "the names of the positions, under `velocities`",
                              what, node->text);
    return shape ? fail_elastic(r, node, what, shape, dot + 1)
                 : rt_reader_fail(r, node->place,
                                  "%s: '%.20s' is not a coordinate; it is one of x, y, z, rx, ry, "
                                  "rz",
                                  what, dot + 1);
}

static routh_status states_read_names(rt_reader *r, const rt_yaml *list, const char *what,
                                      const char ***names, rt_place **places, int *n)
{
    routh_model *m = r->model;
    char found[96];
    rt_names seen;
    if (!list) return ROUTH_OK;
    if (list->kind != RT_YAML_LIST)
        return rt_reader_fail(r, list->place,
                              "%s must be a list, such as [rotor.x, rotor.rz], not %s", what,
                              rt_yaml_describe(list, found, sizeof found));
    *names = RT_TAKE(&m->arena, const char *, list->count);
    *places = RT_TAKE(&m->arena, rt_place, list->count);
    if (!*names || !*places || !rt_names_init(&seen, list->count, &r->scratch))
        return rt_fail_memory(r->error);
    for (const rt_yaml *entry = list->first; entry; entry = entry->next) {
        const routh_status status = states_check_state(r, entry, what);
        if (status) return status;
        if (rt_names_add(&seen, entry->text, *n) >= 0)
            return rt_reader_fail(r, entry->place, "%s: '%.100s' is given twice", what,
                                  entry->text);
        (*places)[*n] = entry->place;
        (*names)[*n] = rt_arena_text(&m->arena, entry->text, strlen(entry->text));
        if (!(*names)[(*n)++]) return rt_fail_memory(r->error);
    }
    return ROUTH_OK;
}

routh_status rt_read_states(rt_reader *r, const rt_written_model *w)
{
    routh_model *m = r->model;
    routh_status status = states_read_coordinates(r, w->coordinates);
    rt_reader_element(r, "linearize", "");
    if (!status)
        status =
            states_read_names(r, w->states, "states", &m->states, &m->state_places, &m->n_states);
    if (!status)
        status = states_read_names(r, w->velocities, "velocities", &m->velocities,
                                   &m->velocity_places, &m->n_velocities);
    return status;
}

int rt_model_find_user_state(const routh_model *model, const char *name)
{
    const int k = rt_names_find(&model->index->user_states, name);
    return k < 0 ? -2 : k;
}
