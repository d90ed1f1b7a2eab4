/* The list of channels, and one record of them. */
#include "motion/history_channels.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rotation.h"
#include "base/text.h"

static const char *const group_names[RT_CHANNELS_N_GROUPS] = {
    "bodies", "markers", "joints", "loads", "signals", "outputs", "energy", "residuals",
};

/* ---- the list ------------------------------------------------------------ */

typedef struct history_channels_shape {
    const char *name, *unit, *components;
    int size;
} history_channels_shape;

static const history_channels_shape motion[] = {
    {"position", "m", "x y z", 3},         {"orientation", "", "w x y z", 4},
    {"velocity", "m/s", "x y z", 3},       {"angular_velocity", "rad/s", "x y z", 3},
    {"acceleration", "m/s^2", "x y z", 3}, {"angular_acceleration", "rad/s^2", "x y z", 3},
};
static const history_channels_shape wrench[] = {{"force", "N", "x y z", 3},
                                                {"torque", "N m", "x y z", 3}};
static const history_channels_shape energies[] = {{"kinetic", "J", "", 1},
                                                  {"gravity", "J", "", 1},
                                                  {"elastic", "J", "", 1},
                                                  {"total", "J", "", 1}};
static const history_channels_shape residuals[] = {{"position", "m", "", 1},
                                                   {"velocity", "m/s", "", 1}};
#define COUNT(history_channels_list)                                                               \
    (int)(sizeof(history_channels_list) / sizeof *(history_channels_list))

/* The list under way; failed: out of memory. Counted first, with channel NULL. */
typedef struct history_channels_list {
    routh_channels *c;
    bool failed;
} history_channels_list;

static void history_channels_add(history_channels_list *l, const char *group, const char *owner,
                                 const history_channels_shape *s, const char *unit)
{
    routh_channels *c = l->c;
    if (c->channel) {
        const size_t room = strlen(group) + (owner ? strlen(owner) : 0) + strlen(s->name) + 3;
        char *path = RT_TAKE(&c->arena, char, room);
        if (!path) {
            l->failed = true;
            return;
        }
        snprintf(path, room, "%s%s%s%s%s", group, *group ? "/" : "", owner ? owner : "",
                 owner && *s->name ? "/" : "", s->name);
        c->channel[c->n] = (routh_channel){.path = path,
                                           .unit = unit ? unit : s->unit,
                                           .components = s->components,
                                           .size = s->size,
                                           .first = c->width};
    }
    c->n++;
    c->width += s->size;
}

static void history_channels_add_all(history_channels_list *l, const char *group, const char *owner,
                                     const history_channels_shape *s, int n)
{
    for (int k = 0; k < n; k++) history_channels_add(l, group, owner, &s[k], NULL);
}

static void add_signal(history_channels_list *l, const char *group, const char *name,
                       const char *unit)
{
    static const history_channels_shape number = {"", "", "", 1};
    history_channels_add(l, group, name, &number, unit);
}

/* ---- elastic coordinates, by what they are ---- */

static const history_channels_shape elastic_shapes[] = {
    [RT_ELASTIC_LENGTH] = {.name = "displacements", .unit = "m"},
    [RT_ELASTIC_ANGLE] = {.name = "rotations", .unit = "rad"},
    [RT_ELASTIC_AMPLITUDE] = {.name = "amplitudes", .unit = ""},
};
enum { N_ELASTIC_KINDS = COUNT(elastic_shapes) };

/* "2.x 2.y 3.x", "mode_1 mode_2" */
static char *elastic_components(rt_arena *arena, const rt_flexible *flexible, rt_elastic_kind kind)
{
    size_t room = 1;
    for (int k = 0; k < flexible->n; k++) room += strlen(flexible->coordinate[k].name) + 1;
    char *text = RT_TAKE(arena, char, room), *at = text;
    for (int k = 0; k < flexible->n && text; k++) {
        if (flexible->coordinate[k].kind != kind) continue;
        if (at > text) *at++ = ' ';
        for (const char *c = flexible->coordinate[k].name; *c; c++) *at++ = *c == ' ' ? '_' : *c;
    }
    return text;
}

static void add_elastic(history_channels_list *l, const rt_body *body)
{
    const rt_flexible *flexible = body->flexible;
    for (int kind = 0; kind < N_ELASTIC_KINDS; kind++) {
        history_channels_shape s = elastic_shapes[kind];
        for (int k = 0; k < flexible->n; k++) s.size += (int)flexible->coordinate[k].kind == kind;
        if (!s.size) continue;
        s.components =
            l->c->channel ? elastic_components(&l->c->arena, flexible, (rt_elastic_kind)kind) : "";
        if (s.components)
            history_channels_add(l, "bodies", body->name, &s, NULL);
        else
            l->failed = true;
    }
}

static void history_channels_list_all(history_channels_list *l)
{
    const routh_channels *c = l->c;
    const routh_model *model = c->m->model;
    static const history_channels_shape time = {"time", "s", "", 1};
    l->c->n = l->c->width = 0;
    history_channels_add(l, "", NULL, &time, NULL);
    for (int k = 0; k < model->n_bodies && c->wanted[RT_CHANNELS_BODIES]; k++)
        history_channels_add_all(l, "bodies", model->bodies[k].name, motion, COUNT(motion));
    for (int k = 0; k < model->n_markers && c->wanted[RT_CHANNELS_MARKERS]; k++)
        if (c->user_marker[k])
            history_channels_add_all(l, "markers", model->markers[k].name, motion, COUNT(motion));
    for (int k = 0; k < model->n_bodies && c->wanted[RT_CHANNELS_BODIES]; k++)
        if (model->bodies[k].flexible) add_elastic(l, &model->bodies[k]);
    for (int k = 0; k < c->base->n_constraints && c->wanted[RT_CHANNELS_JOINTS]; k++)
        history_channels_add_all(l, "joints",
                                 model->joints[c->base->constraints[k].constraint.joint].name,
                                 wrench, COUNT(wrench));
    for (int k = 0; k < c->base->n_loads && c->wanted[RT_CHANNELS_LOADS]; k++)
        history_channels_add_all(l, "loads", model->loads[c->base->loads[k].load].name, wrench,
                                 COUNT(wrench));
    if (c->wanted[RT_CHANNELS_SIGNALS]) {
        for (int k = 0; k < model->n_control_states; k++)
            add_signal(l, "states", model->control_states[k].name, model->control_states[k].unit);
        for (int k = 0; k < model->n_variables; k++)
            add_signal(l, "variables", model->variables[k].name, model->variables[k].unit);
        for (int k = 0; k < model->n_inputs; k++)
            add_signal(l, "inputs", model->inputs[k].name, model->inputs[k].unit);
    }
    for (int k = 0; k < model->n_outputs && c->wanted[RT_CHANNELS_OUTPUTS]; k++)
        add_signal(l, "outputs", model->outputs[k].name, model->outputs[k].unit);
    if (c->wanted[RT_CHANNELS_ENERGY])
        history_channels_add_all(l, "energy", NULL, energies, COUNT(energies));
    if (c->wanted[RT_CHANNELS_RESIDUALS])
        history_channels_add_all(l, "residuals", NULL, residuals, COUNT(residuals));
}

static const char *name_of_group(int k) { return k < RT_CHANNELS_N_GROUPS ? group_names[k] : NULL; }

/* "bodies,energy" */
static routh_status choose_groups(routh_channels *c, const char *groups, routh_error *error)
{
    for (int k = 0; k < RT_CHANNELS_N_GROUPS; k++) c->wanted[k] = !groups;
    for (const char *at = groups; at && *at;) {
        const size_t length = strcspn(at, ",");
        int k = 0;
        while (k < RT_CHANNELS_N_GROUPS &&
               (strlen(group_names[k]) != length || strncmp(group_names[k], at, length) != 0))
            k++;
        if (k == RT_CHANNELS_N_GROUPS) {
            char names[200];
            rt_list_names(names, sizeof names, name_of_group);
            return rt_fail(error, ROUTH_NOT_SUPPORTED,
                           "the group of channels \"%.*s\" does not exist; use one of: "
                           "%s",
                           (int)length, at, names);
        }
        c->wanted[k] = true;
        at += length + (at[length] == ',');
    }
    return ROUTH_OK;
}

static routh_status history_channels_make(routh_channels *c, const char *groups, routh_error *error)
{
    const routh_model *model = c->m->model;
    history_channels_list l = {.c = c};
    routh_status status = choose_groups(c, groups, error);
    if (!status) status = rt_search_create(&c->search, c->base, RT_MOTION_CLOSED, 50, error);
    if (status) return status;
    c->user_marker = RT_TAKE(&c->arena, bool, model->n_markers);
    c->last_orientation = RT_TAKE(&c->arena, double, 4 * (model->n_bodies + model->n_markers));
    if (!c->user_marker || !c->last_orientation) return rt_fail_memory(error);
    for (int k = model->n_bodies; k < model->n_markers; k++)
        c->user_marker[k] = !model->markers[k].implicit;
    history_channels_list_all(&l);
    c->channel = RT_TAKE(&c->arena, routh_channel, c->n);
    if (!c->channel) return rt_fail_memory(error);
    history_channels_list_all(&l);
    if (l.failed) return rt_fail_memory(error);
    return rt_sensor_rows(c->base, RT_SENSOR_OUTPUT, &c->outputs, &c->arena, error);
}

routh_status routh_channels_create(routh_channels **channels, const routh_mechanism *m,
                                   const char *groups, routh_error *error)
{
    *channels = NULL;
    routh_channels *c = calloc(1, sizeof *c);
    if (!c) return rt_fail_memory(error);
    c->m = m;
    c->base = m->base ? m->base : m;
    const routh_status status = history_channels_make(c, groups, error);
    if (status)
        routh_channels_free(c);
    else
        *channels = c;
    return status;
}

void routh_channels_free(routh_channels *c)
{
    if (!c) return;
    rt_state_free(c->search.state);
    rt_search_release(&c->search);
    rt_arena_free(&c->arena);
    free(c);
}

int routh_channels_count(const routh_channels *c) { return c->n; }

const routh_channel *routh_channels_get(const routh_channels *c, int k)
{
    return k >= 0 && k < c->n ? &c->channel[k] : NULL;
}

int routh_channels_width(const routh_channels *c) { return c->width; }

/* ---- one record ------------------------------------------------------------ */

static double *history_channels_put(double *at, const double *x, int n)
{
    memcpy(at, x, (size_t)n * sizeof *x);
    return at + n;
}

/* The quaternion of A, of the sign that is nearer to the last one. */
static double *put_orientation(double *at, const double A[9], double last[4])
{
    double p[4], dot = 0;
    rt_rotation_to_quaternion(p, A);
    for (int i = 0; i < 4; i++) dot += p[i] * last[i];
    for (int i = 0; i < 4; i++) last[i] = dot < 0 ? -p[i] : p[i];
    return history_channels_put(at, last, 4);
}

static double *history_channels_put_motion(double *at, const rt_frame *f, double last[4])
{
    at = history_channels_put(at, f->r, 3);
    at = put_orientation(at, f->A, last);
    at = history_channels_put(at, f->v, 3);
    at = history_channels_put(at, f->w, 3);
    at = history_channels_put(at, f->a, 3);
    return history_channels_put(at, f->al, 3);
}

/* In the order of add_elastic. */
static double *history_channels_put_elastic(double *at, const routh_mechanism *m,
                                            const rt_workspace *w)
{
    for (int f = 0; f < m->n_flexible; f++) {
        const rt_flexible *flexible = m->flexible[f].shape;
        const double *q = w->elastic[0] + m->flexible[f].first;
        for (int kind = 0; kind < N_ELASTIC_KINDS; kind++)
            for (int k = 0; k < flexible->n; k++)
                if ((int)flexible->coordinate[k].kind == kind) *at++ = q[k];
    }
    return at;
}

static double kinetic_energy(const routh_mechanism *m, const rt_workspace *w)
{
    double sum = 0;
    for (int b = 0; b < m->n_bodies; b++) {
        const rt_frame *f = &w->bodies[b];
        double omega[3], L[3];
        rt_m3_tmul_v(omega, f->A, f->w);
        rt_m3_mul_v(L, m->bodies[b].inertia, omega);
        sum += (m->bodies[b].mass * rt_v3_dot(f->v, f->v) + rt_v3_dot(L, omega)) / 2;
    }
    return sum;
}

static double weight_energy(const routh_mechanism *m, const rt_workspace *w)
{
    double sum = 0;
    for (int b = 0; b < m->n_bodies; b++)
        sum -= m->bodies[b].mass * rt_v3_dot(m->gravity, w->bodies[b].r);
    return sum;
}

/* Of flexible bodies; rt_body.mass and inertia, which the sums above see, are zero of them. */
static void add_flexible_energies(const routh_mechanism *m, const rt_workspace *w, double *kinetic,
                                  double *gravity, double *elastic)
{
    for (int f = 0; f < m->n_flexible; f++) {
        const rt_flexible_block *block = &m->flexible[f];
        const rt_elastic_state state = {w->elastic[0] + block->first, w->elastic[1] + block->first,
                                        w->elastic[2] + block->first};
        const rt_flexible_energy energy =
            rt_flexible_energies(block->shape, &w->bodies[block->body], &state, m->gravity);
        *kinetic += energy.kinetic;
        *gravity += energy.weight;
        *elastic += energy.elastic;
    }
}

static double *put_energies(double *at, const routh_channels *c)
{
    const rt_workspace *w = c->search.w;
    double kinetic = kinetic_energy(c->base, w), gravity = weight_energy(c->base, w);
    double elastic = rt_elastic_energy(c->base, w);
    add_flexible_energies(c->base, w, &kinetic, &gravity, &elastic);
    const double all[] = {kinetic, gravity, elastic, kinetic + gravity + elastic};
    return history_channels_put(at, all, 4);
}

static double *put_residuals(double *at, const routh_simulation *simulation)
{
    rt_open open;
    rt_run_open(&simulation->run, &open);
    const double length = simulation->run.m->length;
    const double both[] = {open.position * length, open.velocity * length};
    return history_channels_put(at, both, 2);
}

static double *put_reactions(double *at, routh_channels *c)
{
    rt_search *s = &c->search;
    for (int k = 0; k < c->base->n_constraints && c->wanted[RT_CHANNELS_JOINTS]; k++, at += 6)
        rt_joint_reaction(c->base, s->w, s->state, k, at);
    for (int k = 0; k < c->base->n_loads && c->wanted[RT_CHANNELS_LOADS]; k++, at += 6)
        rt_load_on_first(c->base, s->w, &c->base->loads[k], s->state, at);
    return at;
}

static double *put_signals(double *at, const routh_channels *c)
{
    const routh_model *model = c->m->model;
    const double *signal = c->search.state->signal;
    const int n_x = model->n_control_states;
    at = history_channels_put(at, signal, n_x);
    return history_channels_put(at, signal + 2 * n_x, model->n_variables + model->n_inputs);
}

static routh_status put_outputs(double **at, routh_channels *c, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < c->m->model->n_outputs && !status; k++) {
        status = rt_sensor_evaluate(c->base, c->search.w, c->search.state, RT_SENSOR_OUTPUT, k,
                                    false, &c->outputs[k], error);
        *(*at)++ = c->outputs[k].value;
    }
    return status;
}

/* The state in absolute coordinates, with the accelerations and forces of all joints. */
static routh_status bring_over(routh_channels *c, const routh_simulation *simulation,
                               routh_error *error)
{
    rt_search *s = &c->search;
    const rt_state *from = simulation->shown;
    if (c->base == c->m)
        rt_state_copy(c->m, s->state, from);
    else {
        rt_take_frames(c->base, s->w, simulation->run.search.w->bodies, s->state);
        rt_take_elastic(c->base, s->state, c->m, from);
    }
    s->state->t = from->t;
    rt_take_angles(c->m, s->state, from);
    memcpy(s->state->signal, from->signal, 3 * (size_t)c->m->n_signals * sizeof(double));
    routh_status status = ROUTH_OK;
    if (!c->begun) {
        status =
            rt_evaluate(c->base, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
        if (!status) status = rt_find_rank(s, error);
        c->begun = !status;
    }
    return status ? status : rt_find_accelerations(s, error);
}

routh_status routh_channels_read(routh_channels *c, const routh_simulation *simulation,
                                 double *record, routh_error *error)
{
    const routh_model *model = c->m->model;
    const rt_workspace *w = c->search.w;
    double *at = record;
    routh_status status = bring_over(c, simulation, error);
    if (status) return rt_run_fail(simulation->shown->t, status, error);
    *at++ = simulation->shown->t;
    for (int k = 0; k < model->n_bodies && c->wanted[RT_CHANNELS_BODIES]; k++)
        at = history_channels_put_motion(at, &w->bodies[k], c->last_orientation + 4 * k);
    for (int k = 0; k < model->n_markers && c->wanted[RT_CHANNELS_MARKERS]; k++)
        if (c->user_marker[k])
            at = history_channels_put_motion(at, &w->markers[k],
                                             c->last_orientation + 4 * (model->n_bodies + k));
    if (c->wanted[RT_CHANNELS_BODIES]) at = history_channels_put_elastic(at, c->base, w);
    at = put_reactions(at, c);
    if (c->wanted[RT_CHANNELS_SIGNALS]) at = put_signals(at, c);
    if (c->wanted[RT_CHANNELS_OUTPUTS]) status = put_outputs(&at, c, error);
    if (c->wanted[RT_CHANNELS_ENERGY]) at = put_energies(at, c);
    if (c->wanted[RT_CHANNELS_RESIDUALS]) put_residuals(at, simulation);
    return status;
}

/* The signs of an owner's orientation as recorded: it is the second of the six of a motion. */
static void take_signs(routh_channels *c, const double *record)
{
    const routh_model *model = c->m->model;
    const int width = 19, orientation = 3;
    const double *at = record + 1;
    for (int k = 0; k < model->n_bodies && c->wanted[RT_CHANNELS_BODIES]; k++, at += width)
        history_channels_put(c->last_orientation + 4 * k, at + orientation, 4);
    for (int k = 0; k < model->n_markers && c->wanted[RT_CHANNELS_MARKERS]; k++) {
        if (!c->user_marker[k]) continue;
        history_channels_put(c->last_orientation + 4 * (model->n_bodies + k), at + orientation, 4);
        at += width;
    }
}

void rt_channels_renew(routh_channels *c, const double *record)
{
    rt_elimination_free(c->search.rank);
    c->search.rank = NULL;
    c->begun = false;
    if (record) take_signs(c, record);
}
