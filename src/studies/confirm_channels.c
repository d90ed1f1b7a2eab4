/* What is sampled: the position states of the linear model and the states of controllers, of the
 * moving mechanism itself. The difference of two motions is seen along the axes of the observer,
 * which follow the motion between them. */
#include <string.h>

#include "base/rotation.h"
#include "base/suggest.h"
#include "studies/confirm.h"

static const char *const components[] = {"x", "y", "z", "rx", "ry", "rz"};

/* "link.5.y": an elastic coordinate, among all; -1: it is none. */
static int find_elastic(const routh_mechanism *m, const char *name)
{
    for (int e = 0; e < m->n_elastic; e++) {
        int body;
        const rt_elastic *x = rt_elastic_coordinate(m, e, &body);
        const char *of = m->model->bodies[body].name;
        const size_t length = strlen(of);
        if (strncmp(name, of, length) == 0 && name[length] == '.' &&
            strcmp(name + length + 1, x->name) == 0)
            return e;
    }
    return -1;
}

/* "rotor.rx", "link.5.y", or the name of a user state; -1: none of this model. */
static int find_candidate(const routh_mechanism *m, const char *name)
{
    const routh_model *model = m->model;
    const int e = find_elastic(m, name);
    for (int j = 0; j < model->n_user_states; j++)
        if (strcmp(model->user_states[j].name, name) == 0) return 6 * model->n_bodies + j;
    if (e >= 0) return 6 * model->n_bodies + model->n_user_states + e;
    const char *dot = strrchr(name, '.');
    for (int b = 0; dot && b < model->n_bodies; b++) {
        const size_t length = strlen(model->bodies[b].name);
        if (length != (size_t)(dot - name) || memcmp(model->bodies[b].name, name, length) != 0)
            continue;
        for (int k = 0; k < 6; k++)
            if (strcmp(dot + 1, components[k]) == 0) return 6 * b + k;
    }
    return -1;
}

int rt_confirm_elastic(const rt_confirm_holder *h, int k)
{
    const int e = h->candidate[k] - 6 * h->m->n_bodies - h->m->model->n_user_states;
    return e >= 0 ? e : -1;
}

routh_status rt_confirm_channels(rt_confirm_holder *h, routh_error *error)
{
    const routh_model *model = h->m->model;
    const routh_linear *l = h->linear;
    static const char not_its[] = "the linear model is not of this mechanism: ";
    h->n_position = l->n_position;
    h->n_x = l->n_control;
    h->result.n_channels = h->n_position + h->n_x;
    h->marker = h->point->steady && strcmp(l->reference, RT_MOVING_FRAME_NAME) == 0
                    ? (int)RT_MOVING_FRAME
                    : rt_model_find_marker(model, l->reference);
    h->candidate = RT_TAKE(&h->arena, int, h->n_position);
    if (!h->candidate) return rt_fail_memory(error);
    if (h->marker == -2 || l->n_control != model->n_control_states ||
        l->n_markers < h->m->n_bodies || h->modes->n != l->n_states)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%sit needs the reference frame %s, %d states of controllers, the motion of "
                       "all markers and all modes",
                       not_its, l->reference, model->n_control_states);
    for (int k = 0; k < h->n_position; k++) {
        h->candidate[k] = find_candidate(h->m, l->states[k].name);
        if (h->candidate[k] < 0)
            return rt_fail(error, ROUTH_BAD_ARGUMENT, "%sit has a state %s", not_its,
                           l->states[k].name);
    }
    return rt_user_states_compile(model, &h->arena, &h->user, error);
}

routh_status rt_snapshot_take(rt_snapshot *s, const rt_confirm_holder *h, rt_arena *arena,
                              routh_error *error)
{
    const int n = h->m->n_bodies, n_user = h->user ? h->user->n : 0, n_e = h->m->n_elastic;
    double *room = RT_TAKE(arena, double, 12 * n + n_user + n_e + h->n_x + 1);
    if (!room) return rt_fail_memory(error);
    *s = (rt_snapshot){.r = room, .A = room + 3 * n, .user = room + 12 * n};
    s->elastic = s->user + n_user;
    s->x = s->elastic + n_e;
    return ROUTH_OK;
}

/* Of the observer, who sits on a marker, or in the frame of a steady motion. */
static void take_axes(rt_snapshot *s, const rt_confirm_holder *h, routh_simulation *simulation)
{
    rt_reference_frame observer;
    if (h->marker == RT_MOVING_FRAME) {
        rt_reference_frame_set_moving(&observer, h->point->steady);
        rt_reference_frame_carry(&observer, routh_simulation_time(simulation) - h->point->time);
    } else {
        rt_reference_frame_set(&observer, simulation->run.search.w, h->marker);
    }
    memcpy(s->e, observer.e[0], sizeof s->e);
}

void rt_snapshot_fill(rt_snapshot *s, const rt_confirm_holder *h, routh_simulation *simulation)
{
    const rt_search *search = &simulation->run.search;
    for (int b = 0; b < h->m->n_bodies; b++) {
        memcpy(s->r + 3 * b, search->w->bodies[b].r, 3 * sizeof *s->r);
        memcpy(s->A + 9 * b, search->w->bodies[b].A, 9 * sizeof *s->A);
    }
    for (int k = 0; k < h->m->n_markers; k++) rt_evaluate_marker(h->m, search->w, k);
    for (int j = 0; h->user && j < h->user->n; j++) {
        double value[3];
        rt_gradient phi;
        rt_user_state_jets(search, h->user, j, value, &phi);
        s->user[j] = value[0];
    }
    if (h->m->n_elastic)
        memcpy(s->elastic, search->w->elastic[0], (size_t)h->m->n_elastic * sizeof *s->elastic);
    if (h->n_x)
        memcpy(s->x, rt_simulation_state(simulation)->signal, (size_t)h->n_x * sizeof *s->x);
    take_axes(s, h, simulation);
}

void rt_snapshot_difference(const rt_confirm_holder *h, const rt_snapshot *a, const rt_snapshot *b,
                            const rt_snapshot *seen, double factor, double *channel)
{
    for (int k = 0; k < h->n_position; k++) {
        const int body = h->candidate[k] / 6, component = h->candidate[k] % 6;
        const int e = rt_confirm_elastic(h, k);
        double d[3], R[9];
        if (e >= 0) {
            channel[k] = factor * (a->elastic[e] - b->elastic[e]);
            continue;
        }
        if (body >= h->m->n_bodies) {
            const int j = h->candidate[k] - 6 * h->m->n_bodies;
            channel[k] = factor * (a->user[j] - b->user[j]);
            continue;
        }
        if (component < 3) {
            rt_v3_sub(d, a->r + 3 * body, b->r + 3 * body);
        } else {
            rt_m3_mul_t(R, a->A + 9 * body, b->A + 9 * body);
            rt_rotation_log(d, R);
        }
        channel[k] = factor * rt_v3_dot(seen->e[component % 3], d);
    }
    for (int k = 0; k < h->n_x; k++) channel[h->n_position + k] = factor * (a->x[k] - b->x[k]);
}
