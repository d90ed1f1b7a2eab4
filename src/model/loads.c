/* Springs, bushings, beams and forces. */
#include "model/angles.h"
#include "model/contact.h"
#include "model/load_class.h"
#include "model/scope.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/vec3.h"

static void set_tyre_defaults(rt_written_tyre *t)
{
    const rt_number zero = rt_plain(0);
    t->radius = t->preload = t->tube_radius = t->stiffness = t->damping = zero;
    t->effective_radius = t->relaxation_length = t->longitudinal_relaxation = zero;
    t->cornering_stiffness = t->cornering_coefficient = zero;
    t->camber_stiffness = t->camber_coefficient = zero;
    t->slip_stiffness = t->slip_coefficient = t->trail = zero;
    t->camber_shift = t->trail_shape = t->trail_stiffness = zero;
    for (int k = 0; k < 2; k++)
        t->curve[k] = (rt_written_curve){zero, zero, zero, zero, zero, zero, zero};
    t->low_speed = rt_plain(0.1);
}

static void loads_set_defaults(rt_written_load *w)
{
    const rt_number zero = rt_plain(0);
    *w = (rt_written_load){0};
    rt_load *load = &w->load;
    rt_m3_identity(load->triad);
    load->stiffness = load->damping = load->free_length = load->preload = zero;
    for (int k = 0; k < 36; k++) load->stiffness6[k] = load->damping6[k] = zero;
    for (int k = 0; k < 6; k++) load->preload6[k] = load->offset6[k] = zero;
    for (int k = 0; k < RT_LOAD_OWN; k++) load->own[k] = zero;
    for (int k = 0; k < 3; k++) {
        w->translation_stiffness[k] = w->translation_damping[k] = zero;
        w->rotation_stiffness[k] = w->rotation_damping[k] = w->side[k] = zero;
    }
    for (int k = 0; k < 18; k++) load->ends[k] = zero;
    for (int k = 0; k < RT_LOAD_FUNCTIONS; k++) load->function[k].expr = RT_NO_EXPR;
    set_tyre_defaults(&w->tyre);
    w->shear_factor_y = w->shear_factor_z = w->damping_ratio = zero;
    load->markers[0] = load->markers[1] = -2;
    load->resolved_in = RT_GROUND;
    rt_default_contact(&w->contact);
}

/* ---- what the spring is at in the configuration as written ----------------------------------- */

static rt_number written_distance(rt_reader *r, const int markers[2])
{
    rt_calculator *c = &r->calculator;
    rt_number a[3], b[3], d[3], axes[9];
    rt_marker_in_world(r, markers[0], a, axes);
    rt_marker_in_world(r, markers[1], b, axes);
    for (int k = 0; k < 3; k++) d[k] = rt_minus(c, a[k], b[k]);
    return rt_root(c, rt_numbers_dot(c, d, d));
}

/* atan2(x_i . y_j, x_i . x_j) with the triad's axes. */
static rt_number written_angle(rt_reader *r, const rt_load *load)
{
    rt_calculator *c = &r->calculator;
    rt_number position[3], axes[9], triad[9], world[2][9];
    for (int k = 0; k < 9; k++) triad[k] = rt_plain(load->triad[k]);
    for (int k = 0; k < 2; k++) {
        rt_marker_in_world(r, load->markers[k], position, axes);
        rt_numbers_matrix(c, world[k], axes, triad);
    }
    const rt_number x_i[3] = {world[0][0], world[0][3], world[0][6]};
    const rt_number x_j[3] = {world[1][0], world[1][3], world[1][6]};
    const rt_number y_j[3] = {world[1][1], world[1][4], world[1][7]};
    return rt_angle(c, rt_numbers_dot(c, x_i, y_j), rt_numbers_dot(c, x_i, x_j));
}

/* ---- tables ---------------------------------------------------------------------------------- */

static rt_expr distance(rt_reader *r, const rt_load *load)
{
    const rt_vector d = {.kind = RT_VECTOR_DISPLACEMENT,
                         .i = load->markers[0],
                         .j = load->markers[1],
                         .l = RT_GROUND};
    return rt_function_of(r->model->graph, RT_SQRT, rt_measure_dot(r, &d, &d));
}

static rt_expr angle(rt_reader *r, const rt_load *load)
{
    rt_counted_angle own = rt_angle_about(load->markers[0], load->markers[1], load->triad, 2,
                                          (int)(load - r->model->loads));
    own.felt = true;
    return rt_angle_expr(r, &own);
}

/* A table pulls back, the model's function pushes; x is the length or angle less its free value. */
static routh_status loads_read_table(rt_reader *r, const rt_written_load *w, const char *units,
                                     rt_expr measured, rt_load *load)
{
    const rt_table_use use = {.example = "[[0, 0], [0.1, 500]]",
                              .units = units,
                              .sign = -1,
                              .interpolation = w->interpolation};
    const rt_expr x =
        rt_subtract(r->model->graph, measured, rt_number_expr(&r->calculator, load->free_length));
    return rt_read_table(r, w->table, &use, x, &load->function[0]);
}

/* ---- the types ------------------------------------------------------------------------------- */

/* A load whose fields are read: what its type has to work out from them. */
typedef struct loads_reading {
    rt_reader *r;
    const rt_kind *kind;
    rt_given given;
    const rt_yaml *node;
    rt_written_load *w;
    rt_load *load;
} loads_reading;

static routh_status loads_read_plainly(const loads_reading *x)
{
    (void)x;
    return ROUTH_OK;
}

static routh_status loads_read_law(const loads_reading *x, const char *function,
                                   rt_expr (*measured)(rt_reader *r, const rt_load *load))
{
    if (x->w->table)
        return loads_read_table(x->r, x->w, rt_unit_of_field(x->kind, "table"),
                                measured(x->r, x->load), x->load);
    if (!x->w->function) return ROUTH_OK;
    return rt_read_function_in(x->r, x->w->function, function, rt_unit_of_field(x->kind, function),
                               RT_ALLOW_ALL, &x->load->function[0]);
}

static routh_status loads_read_spring(const loads_reading *x)
{
    rt_load *load = x->load;
    load->free_length_given = rt_is_given(x->kind, x->given, "free_length");
    const rt_number length = written_distance(x->r, load->markers);
    if (!(length.value > 0) || !isfinite(length.value))
        return rt_reader_fail(x->r, x->node->key_place,
                              "its two markers are at the same point, so the spring has no "
                              "direction; move one of them");
    const routh_status status = rt_guard_number(x->r, length, RT_GUARD_POSITIVE);
    if (status) return status;
    if (!load->free_length_given) load->free_length = length;
    return loads_read_law(x, "force", distance);
}

static routh_status loads_read_torsion_spring(const loads_reading *x)
{
    x->load->free_length_given = rt_is_given(x->kind, x->given, "free_angle");
    if (!x->load->free_length_given) x->load->free_length = written_angle(x->r, x->load);
    return loads_read_law(x, "torque", angle);
}

static routh_status loads_read_bushing(const loads_reading *x)
{
    const rt_written_load *w = x->w;
    rt_load *load = x->load;
    if (rt_is_given(x->kind, x->given, "stiffness")) return ROUTH_OK;
    for (int k = 0; k < 3; k++) {
        load->stiffness6[7 * k] = w->translation_stiffness[k];
        load->damping6[7 * k] = w->translation_damping[k];
        load->stiffness6[7 * (k + 3)] = w->rotation_stiffness[k];
        load->damping6[7 * (k + 3)] = w->rotation_damping[k];
    }
    return ROUTH_OK;
}

static routh_status loads_read_beam(const loads_reading *x)
{
    rt_load *load = x->load;
    const routh_status refused =
        rt_refuse_mirror(x->r, x->node->key_place, 0, "a beam",
                         "it lies along the x axis of its root, which would be reversed");
    if (refused) return refused;
    rt_beam_matrices(&x->r->calculator, x->w, load->stiffness6, load->damping6);
    load->offset6[0] = x->w->length;
    const rt_place place = x->node->key_place;
    const routh_status status =
        rt_check_finite(x->r, place, "the stiffness matrix", load->stiffness6, 36);
    if (status) return status;
    return rt_check_finite(x->r, place, "the damping matrix", load->damping6, 36);
}

static routh_status loads_read_rod(const loads_reading *x)
{
    const rt_number *side = rt_is_given(x->kind, x->given, "side") ? x->w->side : NULL;
    return rt_read_rod_load(x->r, x->node, side, x->load);
}

static routh_status loads_read_spectral_rod(const loads_reading *x)
{
    const rt_number *side = rt_is_given(x->kind, x->given, "side") ? x->w->side : NULL;
    return rt_read_spectral_load(x->r, x->node, x->w->through, side, x->load);
}

static routh_status loads_read_vector(const loads_reading *x)
{
    rt_reader *r = x->r;
    const rt_written_load *w = x->w;
    rt_load *load = x->load;
    char found[96];
    const rt_yaml *list = w->components;
    const bool axial = rt_sense_of_field(x->kind, "components") == RT_PARTS_AXIAL;
    routh_status status = rt_find_point(r, w->on, "on", &load->markers[0]);
    load->resolved_in = rt_ground_of_scope(r);
    if (!status && w->resolved_in.text)
        status = rt_find_point(r, w->resolved_in, "resolved_in", &load->resolved_in);
    if (!status && w->reaction_on.text)
        status = rt_find_point(r, w->reaction_on, "reaction_on", &load->markers[1]);
    if (status) return status;
    if (list->kind != RT_YAML_LIST || list->count != 3)
        return rt_reader_fail(r, list->place,
                              "components must be a list of 3 expressions, such as [0, 0, "
                              "\"5*time\"], not "
                              "%s",
                              rt_yaml_describe(list, found, sizeof found));
    int k = 0;
    for (const rt_yaml *entry = list->first; entry && !status; entry = entry->next, k++) {
        status =
            rt_read_function_in(r, entry, "components", rt_unit_of_field(x->kind, "components"),
                                RT_ALLOW_ALL, &load->function[k]);
        if (status) return status;
        const int sign = axial ? rt_axial_sign(r, k) : rt_polar_sign(r, k);
        load->function[k].expr = rt_signed_expr(r, sign, load->function[k].expr);
        if (load->function[k].expr < 0) return rt_fail_memory(r->error);
    }
    return status;
}

/* The normal of a road or plane, z of its marker, would point away from what stands on it. */
static routh_status refuse_reversed_normal(const loads_reading *x, const char *what)
{
    return rt_refuse_mirror(
        x->r, x->node->key_place, 2, what,
        "the z axes of its markers would be reversed, and the normal with them");
}

static routh_status loads_read_tyre(const loads_reading *x)
{
    const routh_status refused = refuse_reversed_normal(x, "a tyre");
    if (refused) return refused;
    return rt_read_tyre(x->r, x->kind, x->given, x->node, false, x->w, x->load);
}

static routh_status loads_read_magic_tyre(const loads_reading *x)
{
    const routh_status refused = refuse_reversed_normal(x, "a tyre");
    if (refused) return refused;
    return rt_read_tyre(x->r, x->kind, x->given, x->node, true, x->w, x->load);
}

static rt_contact_writing loads_contact_of(const loads_reading *x)
{
    return (rt_contact_writing){x->r, x->kind, x->given, x->node, &x->w->contact, x->load};
}

static routh_status loads_read_friction(const loads_reading *x)
{
    const rt_contact_writing contact = loads_contact_of(x);
    return rt_expand_friction(&contact);
}

static routh_status loads_read_contact(const loads_reading *x)
{
    const rt_contact_writing contact = loads_contact_of(x);
    const routh_status refused = rt_contact_has(&contact, "other_radius")
                                     ? ROUTH_OK
                                     : refuse_reversed_normal(x, "a contact with a plane");
    if (refused) return refused;
    if (!rt_contact_has(&contact, "exponent")) x->w->contact.exponent = rt_plain(1.5);
    return rt_expand_contact(&contact);
}

static routh_status loads_read_limit(const loads_reading *x)
{
    const rt_contact_writing contact = loads_contact_of(x);
    return rt_expand_limit(&contact);
}

#define LOADS_READER(NAME, name, reader) [RT_LOAD_##NAME] = loads_read_##reader,
static routh_status (*const load_readers[RT_LOAD_N_TYPES])(const loads_reading *x) = {
    RT_LOAD_LIST(LOADS_READER)};

static routh_status loads_check_axes(rt_reader *r, rt_place place, int marker, const char *what)
{
    const routh_status status = rt_check_turns(r, place, marker, what);
    return status ? status : rt_check_axes(r, place, marker, what);
}

/* A spring acts on points, a force at one; its reaction has a moment about the other's. */
static routh_status loads_check_nodes(rt_reader *r, const rt_kind *kind, const rt_written_load *w,
                                      const rt_load *load)
{
    char what[80];
    routh_status status = ROUTH_OK;
    snprintf(what, sizeof what, "a load of type %s", kind->name);
    const int *on, n_on = rt_markers_of_load(load, &on);
    for (int k = rt_load_class_of(load->type)->points; k < n_on && !status; k++)
        status = loads_check_axes(r, load->place, on[k], what);
    if (status || !w->resolved_in.text) return status;
    return loads_check_axes(r, w->resolved_in.place, load->resolved_in, "resolved_in");
}

static routh_status read_load(rt_reader *r, const rt_yaml *node, rt_load *load)
{
    const rt_kind *kind;
    rt_written_load w;
    rt_given given;
    routh_status status = rt_read_type(r, &rt_load_section, node, &kind);
    if (status) return status;
    loads_set_defaults(&w);
    status = rt_read_fields(r, kind, node, &w, &given);
    if (status) return status;
    const char *name = load->name;
    *load = w.load;
    load->name = name;
    load->place = node->key_place;
    load->type = (rt_load_type)kind->type;
    if (rt_is_given(kind, given, "between")) {
        const rt_number *at = rt_is_given(kind, given, "at") ? w.at : NULL;
        status = rt_read_pair(r, node->key, w.between, at, node->key_place, load->markers);
        if (!status)
            status = rt_turn_markers(r, node->key, node->key_place, &load->axis, load->markers);
        if (status) return status;
    }
    const loads_reading x = {r, kind, given, node, &w, load};
    status = load_readers[load->type](&x);
    return status ? status : loads_check_nodes(r, kind, &w, load);
}

/* ---- loads that ask for each other's forces -------------------------------------------------- */

/* Removes loads that wait for none, one after another (Kahn 1962); what is left goes in a circle.
 */
static routh_status check_circles(rt_reader *r)
{
    const int n = r->model->n_loads, m = r->n_uses;
    if (!m) return ROUTH_OK;
    int *waits = RT_TAKE(&r->scratch, int, n), *queue = RT_TAKE(&r->scratch, int, n);
    int *first = RT_TAKE(&r->scratch, int, n), *next = RT_TAKE(&r->scratch, int, m);
    int end = 0;
    if (!waits || !queue || !first || !next) return rt_fail_memory(r->error);
    for (int k = 0; k < n; k++) first[k] = -1;
    for (int k = 0; k < m; k++) {
        next[k] = first[r->uses[k].used];
        first[r->uses[k].used] = k;
        waits[r->uses[k].load]++;
    }
    for (int k = 0; k < n; k++)
        if (!waits[k]) queue[end++] = k;
    for (int start = 0; start < end; start++)
        for (int u = first[queue[start]]; u >= 0; u = next[u])
            if (!--waits[r->uses[u].load]) queue[end++] = r->uses[u].load;
    for (int k = 0; k < m && end < n; k++) {
        const rt_load_use *use = &r->uses[k];
        if (!waits[use->load] || !waits[use->used]) continue;
        rt_reader_element(r, "load", r->model->loads[use->load].name);
        if (use->used == use->load)
            return rt_reader_fail(r, use->place,
                                  "its function needs the load's own force: a circle; write the "
                                  "force without '%.60s'",
                                  r->model->loads[use->used].name);
        return rt_reader_fail(r, use->place,
                              "its function needs the force of '%.60s', which in turn needs this "
                              "load's force: a circle; write one of them without the other",
                              r->model->loads[use->used].name);
    }
    return ROUTH_OK;
}

routh_status rt_read_loads(rt_reader *r, const rt_yaml *section)
{
    int k = 0;
    for (const rt_yaml *entry = section ? section->first : NULL; entry; entry = entry->next, k++) {
        rt_reader_enter(r, "load", entry);
        routh_status status = rt_check_name(r, entry);
        if (status) return status;
        if (!strcmp(entry->key, "ground") || rt_names_find(&r->index->joints, entry->key) >= 0)
            return rt_reader_fail(r, entry->key_place, "the name is that of %s; choose another",
                                  strcmp(entry->key, "ground") ? "a joint" : "the ground");
        r->function_load = k;
        status = read_load(r, entry, &r->model->loads[k]);
        if (status) return status;
    }
    return check_circles(r);
}
