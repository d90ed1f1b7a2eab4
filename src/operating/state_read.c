/* A state from JSON, strictly: members that are not known, that are wanting or of another form are
 * refused by their place in the document, "bodies[2].position[1]". */
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/state_holder.h"
#include "base/suggest.h"
#include "base/file.h"
#include "operating/state_form.h"

enum { PATH = 160, MOST = 1 << 20 };

typedef struct state_read_reader {
    rt_arena *arena;
    const char *file;
    routh_error *error;
} state_read_reader;

static routh_status state_read_wrong(const state_read_reader *r, const char *path,
                                     const char *format, ...) __attribute__((format(printf, 3, 4)));

static routh_status state_read_wrong(const state_read_reader *r, const char *path,
                                     const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return rt_fail_at(r->error, ROUTH_SYNTAX_ERROR, r->file, (rt_place){0}, path, "%s", text);
}

/* "path.name", "name" at the top. */
static const char *state_read_join(char to[PATH], const char *path, const char *name)
{
    snprintf(to, PATH, "%.90s%s%.60s", path, *path ? "." : "", name);
    return to;
}

static const char *state_read_entry(char to[PATH], const char *path, size_t k)
{
    snprintf(to, PATH, "%.120s[%zu]", path, k);
    return to;
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* rows, columns: 0, 0 a number; 0, n a list; m, n a list of rows; -1 true or false (an int). */
typedef struct state_read_shape {
    int rows, columns;
} state_read_shape;

enum { ANY_LENGTH = -2, A_TEXT = -3 }; /* rows: of a list that is read elsewhere; of a text */

static routh_status read_real(const state_read_reader *r, const char *path, const json_t *json,
                              double *out)
{
    if (!json_is_number(json)) return state_read_wrong(r, path, "this is not a number; correct it");
    *out = json_number_value(json);
    return isfinite(*out) ? ROUTH_OK
                          : state_read_wrong(r, path,
                                             "this number is not finite; "
                                             "correct it");
}

static routh_status state_read_list(const state_read_reader *r, const char *path,
                                    const json_t *json, int n, double *out)
{
    char at[PATH];
    if (!json_is_array(json) || json_array_size(json) != (size_t)n)
        return state_read_wrong(r, path, "this is not a list of %d numbers; correct it", n);
    for (int k = 0; k < n; k++) {
        const routh_status status = read_real(r, state_read_entry(at, path, (size_t)k),
                                              json_array_get(json, (size_t)k), &out[k]);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status read_flag(const state_read_reader *r, const char *path, const json_t *json,
                              int *out)
{
    if (!json_is_boolean(json))
        return state_read_wrong(r, path,
                                "this is neither true nor false; "
                                "give one of them");
    *out = json_is_true(json);
    return ROUTH_OK;
}

static routh_status state_read_text(const state_read_reader *r, const char *path,
                                    const json_t *json, const char **out)
{
    if (!json) return state_read_wrong(r, path, "this member is missing; add it");
    if (!json_is_string(json))
        return state_read_wrong(r, path, "this is not a text; write it in quotes");
    *out = rt_arena_text(r->arena, json_string_value(json), json_string_length(json));
    return *out ? ROUTH_OK : rt_fail_memory(r->error);
}

static routh_status state_read_read_shape(const state_read_reader *r, const char *path,
                                          const json_t *json, state_read_shape s, void *to)
{
    char at[PATH];
    double *out = to;
    if (s.rows == A_TEXT) return state_read_text(r, path, json, to);
    if (s.rows < 0) return read_flag(r, path, json, to);
    if (s.columns == 0) return read_real(r, path, json, out);
    if (s.rows == 0) return state_read_list(r, path, json, s.columns, out);
    if (json_is_number(json_array_get(json, 0))) /* row by row, as in all results */
        return state_read_list(r, path, json, s.rows * s.columns, out);
    if (!json_is_array(json) || json_array_size(json) != (size_t)s.rows)
        return state_read_wrong(r, path,
                                "this is not a list of %d rows, nor one of %d numbers; correct it",
                                s.rows, s.rows * s.columns);
    for (int k = 0; k < s.rows; k++) {
        const json_t *row = json_array_get(json, (size_t)k);
        const routh_status status = state_read_list(r, state_read_entry(at, path, (size_t)k), row,
                                                    s.columns, out + k * s.columns);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* ---- objects -------------------------------------------------------------------------------- */

/* A member of an object: numbers at `offset` of what is read into. */
typedef struct state_read_member {
    const char *name;
    state_read_shape shape;
    size_t offset;
    bool required;
} state_read_member;

static const state_read_member body_members[] = {
    {"position", {0, 3}, offsetof(routh_initial_body, position), true},
    {"orientation", {3, 3}, offsetof(routh_initial_body, orientation), false},
    {"quaternion", {0, 4}, offsetof(routh_initial_body, quaternion), false},
    {"velocity", {0, 3}, offsetof(routh_initial_body, velocity), false},
    {"angular_velocity", {0, 3}, offsetof(routh_initial_body, angular_velocity), false},
    {"elastic", {ANY_LENGTH, 0}, 0, false},
    {"elastic_rates", {ANY_LENGTH, 0}, 0, false},
    {.name = NULL},
};

static const state_read_member signal_members[] = {
    {"value", {0, 0}, offsetof(routh_initial_signal, value), true},
    {"rate", {0, 0}, offsetof(routh_initial_signal, rate), false},
    {"second_rate", {0, 0}, offsetof(routh_initial_signal, second_rate), false},
    {"units", {A_TEXT, 0}, offsetof(routh_initial_signal, units), false},
    {"held", {-1, 0}, offsetof(routh_initial_signal, held), false},
    {.name = NULL},
};

static const state_read_member angle_members[] = {
    {"value", {0, 0}, offsetof(routh_initial_angle, value), true},
    {.name = NULL},
};

static const state_read_member joint_members[] = {
    {"value", {0, 0}, offsetof(routh_initial_coordinate, value), true},
    {.name = NULL},
};

static routh_status check_object(const state_read_reader *r, const char *path, json_t *json,
                                 const char *const *names)
{
    const char *key;
    json_t *value;
    if (!json_is_object(json))
        return state_read_wrong(r, path,
                                "this is not a JSON object; "
                                "correct it");
    json_object_foreach(json, key, value)
    {
        int k = 0;
        while (names[k] && strcmp(names[k], key) != 0) k++;
        if (names[k]) continue;
        const char *near = rt_suggest(key, names);
        return state_read_wrong(r, path, "\"%.60s\" is no member of it%s%s%s", key,
                                near ? "; did you mean \"" : "", near ? near : "",
                                near ? "\"?" : "");
    }
    return ROUTH_OK;
}

/* An object with a name and the members; `to` begins with the name. */
static routh_status read_named(const state_read_reader *r, const char *path, json_t *json,
                               const state_read_member *members, void *to)
{
    char at[PATH];
    const char *names[12] = {"name"}; /* ends with NULL */
    for (int k = 0; members[k].name; k++) names[k + 1] = members[k].name;
    routh_status status = check_object(r, path, json, names);
    if (!status)
        status = state_read_text(r, state_read_join(at, path, "name"),
                                 json_object_get(json, "name"), to);
    for (const state_read_member *m = members; m->name && !status; m++) {
        const json_t *value = json_object_get(json, m->name);
        if (m->shape.rows == ANY_LENGTH) continue;
        state_read_join(at, path, m->name);
        if (value)
            status = state_read_read_shape(r, at, value, m->shape, (char *)to + m->offset);
        else if (m->required)
            status = state_read_wrong(r, at, "this member is missing; add it");
    }
    return status;
}

/* ---- the document --------------------------------------------------------------------------- */

static routh_status state_read_all(const state_read_reader *r, const char *path, const json_t *list,
                                   const state_read_member *members, size_t size, void **out,
                                   int *n)
{
    char at[PATH];
    *n = 0;
    *out = NULL;
    if (!list) return ROUTH_OK;
    if (!json_is_array(list)) return state_read_wrong(r, path, "this is not a list; correct it");
    const size_t count = json_array_size(list);
    if (count > MOST)
        return state_read_wrong(r, path,
                                "this list has more than %d entries, which "
                                "is the limit",
                                MOST);
    char *all = rt_arena_take(r->arena, count, size);
    if (!all) return rt_fail_memory(r->error);
    for (size_t k = 0; k < count; k++) {
        const routh_status status = read_named(r, state_read_entry(at, path, k),
                                               json_array_get(list, k), members, all + k * size);
        if (status) return status;
    }
    *n = (int)count;
    *out = all;
    return ROUTH_OK;
}

static routh_status check_orientations(const state_read_reader *r, const json_t *list)
{
    char at[PATH];
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *body = json_array_get(list, k);
        const bool matrix = json_object_get(body, "orientation");
        if (matrix == !json_object_get(body, "quaternion")) continue;
        return state_read_wrong(r, state_read_entry(at, "bodies", k),
                                matrix ? "it has both orientation and quaternion; remove one"
                                       : "it has neither orientation nor quaternion; give "
                                         "orientation (9 numbers, row by row) or quaternion");
    }
    return ROUTH_OK;
}

static routh_status read_vector(const state_read_reader *r, const char *path, const json_t *json,
                                const double **out, int *n)
{
    if (!json) return state_read_wrong(r, path, "this member is missing; add it");
    if (!json_is_array(json) || json_array_size(json) > 16 * MOST)
        return state_read_wrong(r, path, "this is not a list of numbers; correct it");
    *n = (int)json_array_size(json);
    double *x = RT_TAKE(r->arena, double, *n);
    if (!x) return rt_fail_memory(r->error);
    *out = x;
    return state_read_list(r, path, json, *n, x);
}

static routh_status state_read_coordinates(const state_read_reader *r, json_t *json,
                                           routh_initial_state *state)
{
    static const char *const names[] = {"name", "q", "u", NULL};
    if (!json) return ROUTH_OK;
    routh_status status = check_object(r, "coordinates", json, names);
    if (!status)
        status = state_read_text(r, "coordinates.name", json_object_get(json, "name"),
                                 &state->coordinates);
    if (!status)
        status =
            read_vector(r, "coordinates.q", json_object_get(json, "q"), &state->q, &state->n_q);
    if (!status)
        status =
            read_vector(r, "coordinates.u", json_object_get(json, "u"), &state->u, &state->n_u);
    return status;
}

/* The elastic coordinates of flexible bodies, of any number; rates that are left out are zero. */
static routh_status state_read_elastic(const state_read_reader *r, const json_t *list,
                                       routh_initial_body *bodies)
{
    char body[PATH], at[PATH];
    routh_status status = ROUTH_OK;
    for (size_t k = 0; k < json_array_size(list) && !status; k++) {
        const json_t *json = json_array_get(list, k);
        const json_t *q = json_object_get(json, "elastic");
        const json_t *rates = json_object_get(json, "elastic_rates");
        routh_initial_body *b = &bodies[k];
        int n_rates;
        state_read_entry(body, "bodies", k);
        if (q)
            status =
                read_vector(r, state_read_join(at, body, "elastic"), q, &b->elastic, &b->n_elastic);
        if (status || !rates) continue;
        state_read_join(at, body, "elastic_rates");
        status = read_vector(r, at, rates, &b->elastic_rates, &n_rates);
        if (!status && n_rates != b->n_elastic)
            status = state_read_wrong(r, at,
                                      "this list has %d numbers, but elastic has %d; give "
                                      "as many",
                                      n_rates, b->n_elastic);
    }
    return status;
}

/* A later version says so in its name. */
static routh_status state_read_check_schema(const state_read_reader *r, const json_t *json)
{
    const json_t *schema = json_object_get(json, "schema");
    if (json_is_string(schema) && strcmp(json_string_value(schema), RT_STATE_SCHEMA) == 0)
        return ROUTH_OK;
    return state_read_wrong(r, "schema",
                            "it must be \"" RT_STATE_SCHEMA
                            "\": so states of mechanisms are marked that "
                            "--save-state writes");
}

static routh_status read_document(const state_read_reader *r, json_t *json,
                                  routh_initial_state *state)
{
    static const char *const names[] = {"schema",         "title",     "time",   "bodies",
                                        "control_states", "variables", "inputs", "angles",
                                        "coordinates",    "joints",    NULL};
    const size_t signal = sizeof(routh_initial_signal);
    void *bodies = NULL, *joints = NULL, *states = NULL, *variables = NULL, *inputs = NULL,
         *angles = NULL;
    routh_status status = json_is_object(json)
                              ? state_read_check_schema(r, json)
                              : state_read_wrong(r, "", "it is not one object in JSON");
    if (!status) status = check_object(r, "", json, names);
    const json_t *title = json_object_get(json, "title");
    if (!status && title) status = state_read_text(r, "title", title, &state->title);
    if (status) return status;
    const json_t *time = json_object_get(json, "time"), *list = json_object_get(json, "bodies");
    const json_t *coordinates = json_object_get(json, "joints");
    state->time = NAN; /* the model's, with coordinates of joints alone */
    if (time)
        status = read_real(r, "time", time, &state->time);
    else if (!coordinates)
        status = state_read_wrong(r, "time", "this member is missing; add it");
    if (!status && !list && !coordinates)
        status = state_read_wrong(r, "bodies", "this member is missing; add it");
    if (!status)
        status = state_read_all(r, "bodies", list, body_members, sizeof(routh_initial_body),
                                &bodies, &state->n_bodies);
    if (!status) status = check_orientations(r, list);
    if (!status) status = state_read_elastic(r, list, bodies);
    if (!status)
        status = state_read_all(r, "control_states", json_object_get(json, "control_states"),
                                signal_members, signal, &states, &state->n_states);
    if (!status)
        status = state_read_all(r, "variables", json_object_get(json, "variables"), signal_members,
                                signal, &variables, &state->n_variables);
    if (!status)
        status = state_read_all(r, "inputs", json_object_get(json, "inputs"), signal_members,
                                signal, &inputs, &state->n_inputs);
    if (!status)
        status = state_read_all(r, "angles", json_object_get(json, "angles"), angle_members,
                                sizeof(routh_initial_angle), &angles, &state->n_angles);
    if (!status)
        status = state_read_all(r, "joints", coordinates, joint_members,
                                sizeof(routh_initial_coordinate), &joints, &state->n_joints);
    if (!status && coordinates && !list && !state->n_joints)
        status = state_read_wrong(r, "joints", "this list is empty; give a coordinate, or bodies");
    state->joints = joints;
    state->bodies = bodies;
    state->states = states;
    state->variables = variables;
    state->inputs = inputs;
    state->angles = angles;
    return status ? status : state_read_coordinates(r, json_object_get(json, "coordinates"), state);
}

/* Where memory is short, jansson mostly says nothing. */
static routh_status state_read_not_json(const state_read_reader *r, const json_error_t *why)
{
    if (json_error_code(why) == json_error_out_of_memory || !why->text[0])
        return rt_fail_memory(r->error);
    return rt_fail_at(r->error, ROUTH_SYNTAX_ERROR, r->file, rt_place_at(why->line, why->column),
                      NULL, "the text is not well-formed JSON: %s", why->text);
}

routh_status routh_initial_state_parse(routh_initial_state **state, const char *text, size_t length,
                                       const char *name, routh_error *error)
{
    routh_error local = {0};
    json_error_t why;
    *state = NULL;
    rt_state_holder *h = calloc(1, sizeof *h);
    if (!h) return rt_fail_memory(error);
    const state_read_reader r = {.arena = &h->arena, .file = name, .error = error ? error : &local};
    /* whole numbers as doubles, so that -0 keeps its sign and none overflows */
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &why);
    const routh_status status =
        json ? read_document(&r, json, &h->state) : state_read_not_json(&r, &why);
    json_decref(json);
    if (status)
        routh_initial_state_free(&h->state);
    else
        *state = &h->state;
    return status;
}

routh_status routh_initial_state_read(routh_initial_state **state, const char *path,
                                      routh_error *error)
{
    rt_file file;
    *state = NULL;
    routh_status status = rt_file_read(path, &file, error);
    if (status) return status;
    status = routh_initial_state_parse(state, file.bytes, file.length, path, error);
    free(file.bytes);
    return status;
}
