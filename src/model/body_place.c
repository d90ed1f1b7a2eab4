/* What bodies say of where they begin, beside a position in the world. */
#include "model/placing.h"

#include <string.h>

enum { WAITS, LOOKED_AT, FOUND };

void rt_default_place(rt_written_body *w)
{
    rt_numbers_identity(w->moved.orientation);
    w->spin.rate = rt_plain(0);
    for (int k = 0; k < 3; k++)
        w->moved.about[k] = w->moved.displacement[k] = w->spin.about[k] = rt_plain(0);
}

void rt_turning_rate(rt_reader *r, const rt_written_turning *turning, rt_number rate[3])
{
    const rt_axis *axis = &turning->axis;
    for (int k = 0; k < 3; k++)
        rate[k] =
            rt_times(&r->calculator, turning->rate,
                     axis->numbers ? axis->numbers[3 * k + 2] : rt_plain(axis->triad[3 * k + 2]));
}

static routh_status note_moved(rt_reader *r, const rt_written_body *w, rt_body_place *place)
{
    place->moves = true;
    memcpy(place->about, w->moved.about, sizeof place->about);
    memcpy(place->turn, w->moved.orientation, sizeof place->turn);
    memcpy(place->displacement, w->moved.displacement, sizeof place->displacement);
    for (int k = 0; k < 3; k++)
        place->about[k] = rt_signed(r, rt_polar_sign(r, k), place->about[k]);
    rt_into_world(r, place->about, NULL);
    rt_vector_of_part(r, place->displacement, false);
    rt_rotation_of_part(r, place->turn);
    return ROUTH_OK;
}

static routh_status note_spin(rt_reader *r, const rt_yaml *spin, const rt_written_body *w,
                              rt_body_place *place)
{
    place->spins = true;
    place->has_center = rt_yaml_find(spin, "about") != NULL;
    rt_turning_rate(r, &w->spin, place->rate);
    memcpy(place->center, w->spin.about, sizeof place->center);
    for (int k = 0; k < 3; k++)
        place->center[k] = rt_signed(r, rt_polar_sign(r, k), place->center[k]);
    rt_into_world(r, place->center, NULL);
    rt_vector_of_part(r, place->rate, true);
    return ROUTH_OK;
}

routh_status rt_note_place(rt_reader *r, const rt_yaml *node, const rt_kind *kind, rt_given given,
                           const rt_written_body *written, int k)
{
    rt_body_place *place = &r->places[k];
    const rt_yaml *spin = rt_yaml_find(node, "spin");
    routh_status status = ROUTH_OK;
    *place = (rt_body_place){.node = node, .relative_to = RT_NOT_RELATIVE};
    place->relative_word = written->relative_to;
    place->placed = rt_is_given(kind, given, "position") ||
                    rt_is_given(kind, given, "orientation") || written->relative_to.text;
    if (spin && rt_is_given(kind, given, "angular_velocity"))
        return rt_reader_fail(r, spin->key_place,
                              "spin and angular_velocity are both given; give one of them");
    if (rt_is_given(kind, given, "moved")) status = note_moved(r, written, place);
    if (spin && !status) status = note_spin(r, spin, written, place);
    if (place->moves || place->spins || place->relative_word.text) r->places_bodies = true;
    return status;
}

routh_status rt_note_world_point(rt_reader *r, int body, rt_place where)
{
    rt_body_place *place = body < 0 ? NULL : &r->places[body];
    const bool known = place && place->placed && !place->waits;
    if (!place || known || place->world || !place->node) return ROUTH_OK;
    place->world = rt_arena_text(&r->scratch, r->element, strlen(r->element));
    place->world_place = where;
    return place->world ? ROUTH_OK : rt_fail_memory(r->error);
}

/* ---- in the frame of a marker ---------------------------------------------------------------- */

/* The marker that body b is placed by, and the body which that is on. */
static routh_status find_carrier(rt_reader *r, const rt_yaml *const *markers, int b, int *on)
{
    const routh_model *m = r->model;
    rt_body_place *place = &r->places[b];
    rt_reader_enter(r, "body", place->node);
    routh_status status =
        rt_find_point(r, place->relative_word, "relative_to", &place->relative_to);
    if (status) return status;
    const int k = place->relative_to;
    *on = RT_GROUND;
    if (k >= m->n_bodies && k < r->n_user_points) {
        const rt_yaml *entry = markers[k - m->n_bodies];
        rt_reader_enter(r, "marker", entry);
        status = rt_body_of_entry(r, entry, on);
    } else if (k >= 0) {
        *on = m->markers[k].body;
    }
    place->on = *on;
    return status;
}

static routh_status put_in_frame(rt_reader *r, const rt_yaml *const *markers, int b)
{
    routh_model *m = r->model;
    const int k = r->places[b].relative_to;
    rt_body *body = &m->bodies[b];
    rt_number r0[3], A0[9], arm[3], axes[9];
    if (k >= m->n_bodies && k < r->n_user_points) {
        const routh_status status = rt_read_user_marker(r, markers[k - m->n_bodies], k);
        if (status) return status;
    }
    r->places[b].progress = FOUND;
    const int on = r->places[b].on;
    r->places[b].waits = on >= 0 && (!r->places[on].placed || r->places[on].waits);
    if (r->places[b].waits) return ROUTH_OK;
    rt_marker_in_world(r, k, r0, A0);
    rt_numbers_times(&r->calculator, arm, A0, body->position);
    rt_numbers_matrix(&r->calculator, axes, A0, body->orientation);
    for (int i = 0; i < 3; i++) body->position[i] = rt_plus(&r->calculator, r0[i], arm[i]);
    memcpy(body->orientation, axes, sizeof axes);
    rt_reader_enter(r, "body", r->places[b].node);
    return rt_check_finite(r, body->place, "its position in the world", body->position, 3);
}

/* Along what each is placed in, to the first that is known, and back. */
static routh_status place_with_carriers(rt_reader *r, const rt_yaml *const *markers, int first,
                                        int *chain)
{
    routh_status status = ROUTH_OK;
    int n = 0;
    for (int b = first; b >= 0 && r->places[b].relative_word.text && !status;) {
        rt_body_place *place = &r->places[b];
        if (place->progress == FOUND) break;
        if (place->progress == LOOKED_AT) {
            rt_reader_enter(r, "body", place->node);
            return rt_reader_fail(r, place->relative_word.place,
                                  "relative_to leads in a circle: its position follows from that "
                                  "of '%.60s', which follows from its own; place one of them in "
                                  "the world",
                                  place->relative_word.text);
        }
        place->progress = LOOKED_AT;
        chain[n++] = b;
        status = find_carrier(r, markers, b, &b);
    }
    while (n > 0 && !status) status = put_in_frame(r, markers, chain[--n]);
    return status;
}

void rt_place_waiting(rt_reader *r, int b, const rt_place_frame *on, rt_place_frame *frame)
{
    const rt_body *body = &r->model->bodies[b];
    rt_place_frame marker = *on, own = *on;
    rt_marker_in_body(r, r->places[b].relative_to, marker.r, marker.A);
    memcpy(own.r, body->position, sizeof own.r);
    memcpy(own.A, body->orientation, sizeof own.A);
    rt_frame_join(&r->calculator, &marker, on, &marker);
    rt_frame_join(&r->calculator, frame, &marker, &own);
}

routh_status rt_place_relative(rt_reader *r, const rt_yaml *const *markers)
{
    routh_status status = ROUTH_OK;
    int *chain = r->places_bodies ? RT_TAKE(&r->scratch, int, r->model->n_bodies + 1) : NULL;
    if (!r->places_bodies) return ROUTH_OK;
    if (!chain) return rt_fail_memory(r->error);
    for (int b = 0; b < r->model->n_bodies && !status; b++)
        if (r->places[b].relative_word.text) status = place_with_carriers(r, markers, b, chain);
    return status;
}
