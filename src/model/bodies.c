/* Bodies and markers. */
#include "model/placing.h"
#include "model/read_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/vec3.h"

/* ---- names to things ------------------------------------------------------------------------- */

routh_status rt_find_point(rt_reader *r, rt_word word, const char *what, int *marker)
{
    char hint[128], problem[256];
    const char *full = rt_full_name(r, word.text, problem);
    *marker = RT_GROUND;
    if (!full) return rt_reader_fail(r, word.place, "%s: %.250s", what, problem);
    if (!strcmp(full, "ground")) return ROUTH_OK;
    *marker = rt_names_find(&r->index->points, full);
    if (*marker >= 0) return ROUTH_OK;
    return rt_reader_fail(r, word.place, "%s: marker or body '%.60s' is not defined%s", what,
                          word.text,
                          rt_did_you_mean(word.text, rt_reader_point_names(r), hint, sizeof hint));
}

static const char *const *body_names(rt_reader *r)
{
    const int n = r->model->n_bodies;
    const char **names = RT_TAKE(&r->scratch, const char *, n + 2);
    if (!names) return NULL;
    for (int k = 0; k < n; k++) names[k] = rt_name_in_scope(r, r->model->bodies[k].name);
    names[n] = "ground";
    return names;
}

/* A marker that a connection was given, before what stands on it. */
static routh_status read_before(rt_reader *r, rt_word word, int k)
{
    const routh_model *m = r->model;
    const bool waits = k >= m->n_bodies && k < r->n_user_points && r->marker_entries &&
                       !r->marker_known[k - m->n_bodies];
    if (!waits) return ROUTH_OK;
    if (++r->waiting > r->n_user_points)
        return rt_reader_fail(r, word.place,
                              "'%.60s' and this marker are placed on each other; place one of them "
                              "on a body",
                              m->markers[k].name);
    const rt_scope *scope = r->scope;
    char element[sizeof r->element];
    memcpy(element, r->element, sizeof element);
    const routh_status status = rt_read_user_marker(r, r->marker_entries[k - m->n_bodies], k);
    if (status) return status;
    memcpy(r->element, element, sizeof element);
    r->scope = scope;
    r->waiting--;
    return ROUTH_OK;
}

static routh_status find_body(rt_reader *r, rt_word word, const char *what, int *body)
{
    char hint[128], problem[256];
    const char *full = rt_full_name(r, word.text, problem);
    *body = RT_GROUND;
    if (!full) return rt_reader_fail(r, word.place, "%s: %.250s", what, problem);
    if (!strcmp(word.text, "ground") || !strcmp(full, "ground")) return ROUTH_OK;
    const int point = rt_names_find(&r->index->points, full);
    if (rt_is_connection(r, word.text)) {
        const routh_status status = read_before(r, word, point);
        if (status) return status;
    }
    if (point >= r->model->n_bodies && r->model->markers[point].body == RT_GROUND &&
        (rt_is_ground_name(full) || rt_is_connection(r, word.text)))
        return ROUTH_OK;
    if (point >= 0 && (r->model->markers[point].implicit || rt_is_connection(r, word.text)))
        *body = r->model->markers[point].body;
    else
        *body = point;
    if (*body >= 0 && *body < r->model->n_bodies) return ROUTH_OK;
    if (*body >= 0)
        return rt_reader_fail(r, word.place,
                              "%s: '%.60s' is a marker; the name of a body or ground is needed "
                              "here",
                              what, word.text);
    return rt_reader_fail(r, word.place, "%s: body '%.60s' is not defined%s", what, word.text,
                          rt_did_you_mean(word.text, body_names(r), hint, sizeof hint));
}

int rt_find_named_body(const rt_reader *r, const char *name)
{
    const routh_model *m = r->model;
    const int k = rt_names_find(&r->index->points, name);
    if (k < m->n_bodies) return k;
    const int body = m->markers[k].implicit ? m->markers[k].body : -1;
    return body >= 0 && !strcmp(m->bodies[body].name, name) ? body : -1;
}

/* ---- positions ------------------------------------------------------------------------------- */

static bool is_identity(const rt_number A[9])
{
    for (int k = 0; k < 9; k++)
        if (A[k].expr >= 0 || A[k].value != (k % 4 == 0)) return false;
    return true;
}

/* p = A'(x - r): a world point in the body's axes. */
static void into_body(rt_reader *r, int body, const rt_number x[3], rt_number p[3])
{
    rt_number d[3];
    if (body == RT_GROUND) {
        memcpy(p, x, 3 * sizeof *p);
        return;
    }
    const rt_body *b = &r->model->bodies[body];
    for (int k = 0; k < 3; k++) d[k] = rt_minus(&r->calculator, x[k], b->position[k]);
    if (is_identity(b->orientation))
        memcpy(p, d, sizeof d);
    else
        rt_numbers_transposed_times(&r->calculator, p, b->orientation, d);
}

/* ---- checks of a body ------------------------------------------------------------------------ */

/* The symmetric matrix, of entries up to 1, has no negative eigenvalue but for rounding: no
 * principal minor is negative. */
static bool is_positive_semidefinite(const double A[9])
{
    static const double rounding = 1e-14;
    const double third = A[0] * (A[4] * A[8] - A[5] * A[5]) - A[1] * (A[1] * A[8] - A[5] * A[2]) +
                         A[2] * (A[1] * A[5] - A[4] * A[2]);
    bool ok = third >= -rounding;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        ok = ok && A[4 * i] >= -rounding &&
             A[4 * i] * A[4 * j] - A[3 * i + j] * A[3 * i + j] >= -rounding;
    }
    return ok;
}

/* Principal moments may vanish: of a thin rod, of a point mass, of a massless body. They satisfy
 * the triangle inequality when J = (tr I / 2) 1 - I, the second moments of mass, is not negative;
 * rounding in what was written is let pass. */
typedef enum inertia_fault { INERTIA_RIGHT, INERTIA_NEGATIVE, INERTIA_NO_TRIANGLE } inertia_fault;

static inertia_fault fault_of_inertia(const rt_body *body, double *trace)
{
    double inertia[9], scaled[9], second[9];
    rt_numbers_values(inertia, body->inertia, 9);
    *trace = inertia[0] + inertia[4] + inertia[8];
    bool zero = true;
    for (int k = 0; k < 9; k++) zero = zero && inertia[k] == 0;
    if (zero) return INERTIA_RIGHT;
    for (int k = 0; k < 9; k++) {
        scaled[k] = inertia[k] / *trace; /* so that no product overflows */
        second[k] = (k % 4 == 0 ? 0.5 + 1e-7 : 0) - scaled[k];
    }
    if (!(*trace > 0) || !isfinite(*trace) || !is_positive_semidefinite(scaled))
        return INERTIA_NEGATIVE;
    return is_positive_semidefinite(second) ? INERTIA_RIGHT : INERTIA_NO_TRIANGLE;
}

bool rt_inertia_is_wrong(const rt_body *body)
{
    double trace;
    return fault_of_inertia(body, &trace) != INERTIA_RIGHT;
}

static routh_status check_inertia(rt_reader *r, const rt_body *body, const rt_yaml *node)
{
    double trace;
    const inertia_fault fault = fault_of_inertia(body, &trace);
    if (fault == INERTIA_NEGATIVE)
        return rt_reader_fail(r, node->place,
                              "inertia has a negative principal moment; all three must be positive "
                              "or zero (a thin rod has none about its length, a point mass none "
                              "at all)");
    if (fault == INERTIA_NO_TRIANGLE)
        return rt_reader_fail(r, node->place,
                              "inertia violates the triangle inequality: no body has a principal "
                              "moment "
                              "larger than the sum of the other two (trace %.6g, so none may "
                              "exceed %.6g)",
                              rt_as_written(r, "kg m^2", trace),
                              0.5 * rt_as_written(r, "kg m^2", trace));
    return ROUTH_OK;
}

static const char *bodies_keep(rt_reader *r, const char *name)
{
    return rt_arena_text(&r->model->arena, name, strlen(name));
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void bodies_set_defaults(rt_written_body *w)
{
    rt_body *body = &w->body;
    *w = (rt_written_body){0};
    rt_numbers_identity(body->orientation);
    body->mass = rt_plain(0);
    for (int k = 0; k < 9; k++) body->inertia[k] = rt_plain(0);
    for (int k = 0; k < 3; k++)
        body->position[k] = body->velocity[k] = body->angular_velocity[k] = rt_plain(0);
    rt_default_beam(w);
    rt_default_modal(&w->modal);
    rt_default_shape(&w->shape);
    rt_default_place(w);
}

static routh_status read_body_of(rt_reader *r, const rt_kind *kind, const rt_yaml *node,
                                 rt_body *body)
{
    rt_written_body w;
    rt_given given;
    bodies_set_defaults(&w);
    routh_status status = rt_read_fields(r, kind, node, &w, &given);
    if (status) return status;
    status = rt_note_place(r, node, kind, given, &w, (int)(body - r->model->bodies));
    if (status) return status;
    *body = w.body;
    body->velocity_given = rt_is_given(kind, given, "velocity");
    body->angular_velocity_given = rt_is_given(kind, given, "angular_velocity");
    body->damping_ratio = w.modal.damping_ratio;
    if (kind->type == RT_BODY_MODAL) return rt_build_modal(r, &w.modal, &body->flexible);
    if (kind->type == RT_BODY_BEAM) return rt_build_beam(r, kind, given, node, &w, body);
    status = rt_take_shape(r, node, &w, body);
    if (status) return status;
    const rt_yaml *inertia = rt_yaml_find(node, "inertia");
    return check_inertia(r, body, inertia ? inertia : rt_yaml_find(node, "shape"));
}

/* In the axes of a marker nothing is placed with the part. */
static routh_status read_body_in_frame(rt_reader *r, const rt_kind *kind, const rt_yaml *node,
                                       rt_body *body)
{
    const rt_scope *scope = r->scope;
    rt_scope here;
    if (scope && rt_yaml_find(node, "relative_to")) {
        here = *scope;
        here.frame = NULL;
        r->scope = &here;
    }
    const routh_status status = read_body_of(r, kind, node, body);
    r->scope = scope;
    return status;
}

/* The x axes of its nodes run along it. */
static routh_status refuse_reversed_beam(rt_reader *r, const rt_kind *kind, const rt_yaml *node)
{
    if (kind->type != RT_BODY_BEAM) return ROUTH_OK;
    return rt_refuse_mirror(r, node->key_place, 0, "a beam",
                            "the x axes of its nodes run along it, and would be reversed");
}

/* Of the shape of a modal body only values are kept, but for its damping. */
static routh_status bodies_read_body(rt_reader *r, const rt_yaml *node, rt_body *body)
{
    const rt_kind *kind;
    routh_status status = rt_read_type(r, &rt_body_section, node, &kind);
    if (status) return status;
    r->values_only = kind->type == RT_BODY_MODAL;
    status = refuse_reversed_beam(r, kind, node);
    if (!status) status = read_body_in_frame(r, kind, node, body);
    r->values_only = false;
    return status;
}

routh_status rt_read_bodies(rt_reader *r, const rt_yaml *section)
{
    routh_model *model = r->model;
    int k = 0;
    if (section && !section->count) {
        rt_reader_element(r, "", "");
        return rt_reader_fail(r, section->place, "bodies is empty; give it at least one body");
    }
    for (const rt_yaml *entry = section ? section->first : NULL; entry; entry = entry->next, k++) {
        rt_body *body = &model->bodies[k];
        rt_reader_enter(r, "body", entry);
        routh_status status = rt_check_quantity_name(r, entry);
        if (!status) status = bodies_read_body(r, entry, body);
        if (status) return status;
        body->place = entry->key_place;
        body->name = bodies_keep(r, entry->key);
        if (!body->name) return rt_fail_memory(r->error);
        model->markers[k] =
            (rt_marker){.name = body->name, .place = body->place, .body = k, .node = -1};
        rt_numbers_identity(model->markers[k].orientation);
        for (int i = 0; i < 3; i++) model->markers[k].position[i] = rt_plain(0);
        rt_names_add(&r->index->points, body->name, k);
    }
    return ROUTH_OK;
}

/* ---- markers --------------------------------------------------------------------------------- */

static bool is_flexible(const routh_model *model, int body)
{
    return body >= 0 && model->bodies[body].flexible;
}

/* Position and axes, those of the marker that a connection was given, in its body or node: the
 * ground of another part is one too. position NULL: it is in the body already. */
static void put_on_marker(rt_reader *r, const rt_marker *given, rt_number *position, rt_number A[9])
{
    rt_calculator *c = &r->calculator;
    rt_number arm[3], turned[9];
    if (position) rt_numbers_times(c, arm, given->orientation, position);
    for (int k = 0; k < 3 && position; k++) position[k] = rt_plus(c, given->position[k], arm[k]);
    rt_numbers_matrix(c, turned, given->orientation, A);
    memcpy(A, turned, sizeof turned);
}

/* The marker that a connection called `name` was given, read before (find_body); NULL where it was
 * a body or the ground, or the name is none of a connection. */
static const rt_marker *marker_of_connection(rt_reader *r, const char *name)
{
    const bool connection = r->scope && strcmp(name, "ground") != 0 && rt_is_connection(r, name);
    const int k =
        connection ? rt_names_find(&r->index->points, rt_full_name_or_none(r, name)) : RT_GROUND;
    return k >= r->model->n_bodies ? &r->model->markers[k] : NULL;
}

/* Nodes are those of bodies. */
static routh_status check_on_marker(rt_reader *r, const rt_yaml *node, const rt_marker *given)
{
    const rt_yaml *at = rt_yaml_find(node, "at"), *by_number = rt_yaml_find(node, "node");
    const rt_yaml *wrong = by_number ? by_number : is_flexible(r->model, given->body) ? at : NULL;
    if (!wrong) return ROUTH_OK;
    return rt_reader_fail(r, wrong->key_place,
                          "%s cannot be given here: the part is connected to the marker '%.60s' of "
                          "a flexible body; connect it to the body, or leave %s out",
                          wrong->key, given->name, wrong->key);
}

static routh_status read_marker(rt_reader *r, const rt_yaml *node, rt_marker *marker)
{
    const rt_kind *kind = &rt_marker_section.kinds[0];
    rt_written_marker written = {0};
    rt_given given;
    rt_numbers_identity(written.orientation);
    for (int k = 0; k < 3; k++) written.position[k] = rt_plain(0);
    routh_status status = rt_read_fields(r, kind, node, &written, &given);
    marker->node = -1;
    if (!status) status = find_body(r, written.body, "body", &marker->body);
    if (status) return status;
    const bool at = rt_is_given(kind, given, "at");
    if (at) {
        status = rt_note_world_point(r, marker->body, rt_yaml_find(node, "at")->place);
        if (status) return status;
        into_body(r, marker->body, written.at, written.position);
    }
    const rt_marker *given_marker = marker_of_connection(r, written.body.text);
    if (given_marker) status = check_on_marker(r, node, given_marker);
    if (status) return status;
    if (given_marker) {
        put_on_marker(r, given_marker, at ? NULL : written.position, written.orientation);
        marker->node = at ? -1 : given_marker->node;
    } else if (!strcmp(written.body.text, "ground")) {
        if (!at) rt_into_world(r, written.position, NULL);
        rt_turn_into_world(r, written.orientation);
    }
    const bool turned = rt_is_given(kind, given, "orientation");
    if (!given_marker && (turned || rt_is_given(kind, given, "position")))
        status =
            rt_check_axes(r, node->key_place, marker->body, turned ? "orientation" : "position");
    if (status) return status;
    marker->axes_of_body = !given_marker && !turned && !written.node;
    memcpy(marker->position, written.position, sizeof marker->position);
    memcpy(marker->orientation, written.orientation, sizeof marker->orientation);
    if (written.node)
        status = rt_put_on_node(r, written.node, at ? written.position : NULL, marker);
    else if (at && is_flexible(r->model, marker->body))
        status =
            rt_put_on_node_at(r, rt_yaml_find(node, "at")->place, written.position, false, marker);
    if (status) return status;
    return rt_check_finite(r, node->key_place, "the position in the body's axes", marker->position,
                           3);
}

routh_status rt_body_of_entry(rt_reader *r, const rt_yaml *entry, int *body)
{
    const rt_yaml *node = entry->kind == RT_YAML_MAPPING ? rt_yaml_find(entry, "body") : NULL;
    rt_word word;
    if (!node) return rt_read_user_marker(r, entry, r->n_user_points); /* says what is wrong */
    const routh_status status = rt_read_word(r, node, "body", &word);
    return status ? status : find_body(r, word, "body", body);
}

routh_status rt_read_user_marker(rt_reader *r, const rt_yaml *entry, int k)
{
    routh_model *model = r->model;
    rt_marker spare = {0}, *marker = k < r->n_user_points ? &model->markers[k] : &spare;
    if (k < r->n_user_points && r->marker_known[k - model->n_bodies]) return ROUTH_OK;
    rt_reader_enter(r, "marker", entry);
    const bool of_ground = rt_is_ground_name(entry->key);
    routh_status status = of_ground ? ROUTH_OK : rt_check_quantity_name(r, entry);
    if (!status) status = read_marker(r, entry, marker);
    if (status) return status;
    marker->place = entry->key_place;
    marker->implicit = of_ground;
    if (k < r->n_user_points) r->marker_known[k - model->n_bodies] = true;
    return ROUTH_OK;
}

/* Names first: bodies may be placed by markers further down. */
static routh_status name_markers(rt_reader *r, const rt_yaml *section, const rt_yaml **entries)
{
    int k = r->model->n_bodies;
    for (const rt_yaml *entry = section ? section->first : NULL; entry; entry = entry->next, k++) {
        const char *name = bodies_keep(r, entry->key);
        if (!name) return rt_fail_memory(r->error);
        *entries++ = entry;
        r->model->markers[k].name = name;
        rt_reader_enter(r, "marker", entry);
        if (rt_names_add(&r->index->points, name, k) >= 0)
            return rt_reader_fail(r, entry->key_place,
                                  "the name is that of a body, which is also the marker at its "
                                  "centre of mass; choose another");
    }
    return ROUTH_OK;
}

routh_status rt_read_markers(rt_reader *r, const rt_yaml *section)
{
    const int n = r->n_user_points - r->model->n_bodies;
    const rt_yaml **entries = RT_TAKE(&r->scratch, const rt_yaml *, n);
    r->marker_known = RT_TAKE(&r->scratch, bool, n);
    if (!entries || !r->marker_known) return rt_fail_memory(r->error);
    r->marker_entries = entries;
    routh_status status = name_markers(r, section, entries);
    if (!status) status = rt_place_relative(r, entries);
    for (int k = 0; k < n && !status; k++)
        status = rt_read_user_marker(r, entries[k], r->model->n_bodies + k);
    return status;
}

/* On body: at p in its axes, with the axes it must have for those of the world. */
static void put_on_body(const routh_model *model, const rt_number p[3], rt_marker *marker)
{
    memcpy(marker->position, p, sizeof marker->position);
    rt_numbers_identity(marker->orientation);
    if (marker->body < 0) return;
    const rt_number *A = model->bodies[marker->body].orientation;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) marker->orientation[3 * i + j] = A[3 * j + i];
}

/* A marker at a world point, with axes as the world's, or the part's, in the configuration as
 * written. */
static routh_status add_marker(rt_reader *r, const char *owner, int body, const rt_number at[3],
                               rt_place place, int *index)
{
    routh_model *model = r->model;
    routh_status status = ROUTH_OK;
    char name[256];
    rt_number p[3];
    if (model->n_markers >= r->marker_room) return rt_fail_memory(r->error);
    rt_marker *marker = &model->markers[model->n_markers];
    snprintf(name, sizeof name, "%s@%s", owner, body < 0 ? "ground" : model->bodies[body].name);
    *marker = (rt_marker){
        .name = bodies_keep(r, name), .place = place, .body = body, .node = -1, .implicit = true};
    if (!marker->name) return rt_fail_memory(r->error);
    status = rt_note_world_point(r, body, place);
    if (status) return status;
    into_body(r, body, at, p);
    if (is_flexible(model, body))
        status = rt_put_on_node_at(r, place, p, true, marker);
    else
        put_on_body(model, p, marker);
    if (status) return status;
    rt_axes_of_part(r, marker->orientation);
    *index = model->n_markers++;
    return rt_check_finite(r, place, "the position in the body's axes", marker->position, 3);
}

/* A copy of a marker, ground's too, that is the owner's own. */
static routh_status copy_marker(rt_reader *r, const char *owner, rt_place place, int *index)
{
    routh_model *model = r->model;
    char name[256];
    if (model->n_markers >= r->marker_room) return rt_fail_memory(r->error);
    rt_marker *marker = &model->markers[model->n_markers];
    snprintf(name, sizeof name, "%s@%s", owner,
             *index < 0 ? "ground" : model->markers[*index].name);
    if (*index >= 0) {
        *marker = model->markers[*index];
    } else {
        *marker = (rt_marker){.body = RT_GROUND, .node = -1};
        rt_numbers_identity(marker->orientation);
        for (int i = 0; i < 3; i++) marker->position[i] = rt_plain(0);
    }
    marker->name = bodies_keep(r, name);
    marker->place = place;
    marker->implicit = marker->is_copy = true;
    *index = model->n_markers++;
    return marker->name ? ROUTH_OK : rt_fail_memory(r->error);
}

routh_status rt_turn_markers(rt_reader *r, const char *owner, rt_place place, rt_axis *axis,
                             int markers[2])
{
    routh_status status = ROUTH_OK;
    if (!axis->numbers) return ROUTH_OK;
    for (int k = 0; k < 2 && !status; k++) {
        if (markers[k] < RT_GROUND) continue;
        const bool own = markers[k] >= r->n_user_points && r->model->markers[markers[k]].implicit &&
                         !r->model->markers[markers[k]].of_beam;
        if (!own) status = copy_marker(r, owner, place, &markers[k]);
        if (status) return status;
        rt_number *A = r->model->markers[markers[k]].orientation, turned[9];
        rt_numbers_matrix(&r->calculator, turned, A, axis->numbers);
        memcpy(A, turned, sizeof turned);
    }
    rt_m3_identity(axis->triad);
    axis->numbers = NULL;
    axis->turned = true;
    return ROUTH_OK;
}

routh_status rt_read_pair(rt_reader *r, const char *owner, const rt_word between[2],
                          const rt_number *at, rt_place place, int markers[2])
{
    int bodies[2];
    routh_status status = ROUTH_OK;
    for (int k = 0; k < 2 && !status; k++)
        status = at ? find_body(r, between[k], "between", &bodies[k])
                    : rt_find_point(r, between[k], "between", &markers[k]);
    if (status) return status;
    for (int k = 0; k < 2 && !at; k++) bodies[k] = rt_body_of_marker(r->model, markers[k]);
    if (!at && markers[0] == markers[1])
        return rt_reader_fail(r, between[1].place,
                              "between names '%.60s' twice; two markers on different bodies are "
                              "needed",
                              between[0].text);
    if (bodies[0] == bodies[1])
        return rt_reader_fail(r, between[1].place,
                              "'%.60s' and '%.60s' are both on %.60s; two different bodies are "
                              "needed",
                              between[0].text, between[1].text,
                              bodies[0] < 0 ? "ground" : r->model->bodies[bodies[0]].name);
    for (int k = 0; k < 2 && at && !status; k++)
        status = add_marker(r, owner, bodies[k], at, place, &markers[k]);
    return status;
}
