/* States of the caller's, checked and brought into coordinates. */
#include <stdio.h>
#include <stdlib.h>

#include "base/rotation.h"
#include "base/suggest.h"
#include "model/joint_class.h"
#include "operating/point.h"

/* ---- names ---------------------------------------------------------------------------------- */

/* Where the names of the model's bodies, states, variables and inputs stand. */
typedef const char *(*given_state_name_of)(const routh_model *model, int k);

static const char *body_name(const routh_model *m, int k) { return m->bodies[k].name; }
static const char *given_state_name(const routh_model *m, int k)
{
    return m->control_states[k].name;
}
static const char *given_state_variable_name(const routh_model *m, int k)
{
    return m->variables[k].name;
}
static const char *angle_name(const routh_model *m, int k) { return m->angles[k].name; }
static const char *input_name(const routh_model *m, int k) { return m->inputs[k].name; }

/* What is given by name: a list of things of `size` bytes that begin with their name. */
typedef struct named_list {
    const char *what, *one; /* "bodies", "body" */
    const void *things;
    size_t size;
    int n, n_model;
    given_state_name_of name;
    bool all; /* every one of the model's must be there */
} named_list;

static const char *given_name(const named_list *l, int k)
{
    return *(const char *const *)((const char *)l->things + (size_t)k * l->size);
}

static routh_status unknown_name(const routh_model *model, const named_list *l, int k,
                                 routh_error *error)
{
    const char **names = calloc((size_t)l->n_model + 1, sizeof *names);
    if (!names) return rt_fail_memory(error);
    for (int i = 0; i < l->n_model; i++) names[i] = l->name(model, i);
    const char *near = rt_suggest(given_name(l, k), names);
    const routh_status status = rt_fail(
        error, ROUTH_BAD_ARGUMENT,
        "%s[%d].name of the state: the model has no %s \"%.80s\"%s%.80s%s", l->what, k, l->one,
        given_name(l, k), near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    free(names);
    return status;
}

/* at[model's] = place in the list, -1 where there is none. */
static routh_status given_state_match(const routh_model *model, const named_list *l, int *at,
                                      routh_error *error)
{
    for (int i = 0; i < l->n_model; i++) at[i] = -1;
    for (int k = 0; k < l->n; k++) {
        const char *name = given_name(l, k);
        if (!name)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "%s[%d] of the state has no name; give the "
                           "name in the model",
                           l->what, k);
        int i = 0;
        while (i < l->n_model && strcmp(l->name(model, i), name) != 0) i++;
        if (i == l->n_model) return unknown_name(model, l, k, error);
        if (at[i] >= 0)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "%s[%d] of the state: %s %.80s is given already, as %s[%d]; remove "
                           "one",
                           l->what, k, l->one, name, l->what, at[i]);
        at[i] = k;
    }
    for (int i = 0; i < l->n_model && l->all; i++)
        if (at[i] < 0)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "the state has no %s %.80s, but the model has; give all %s", l->one,
                           l->name(model, i), l->what);
    return ROUTH_OK;
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* Nearer to a rotation than this counts as one that was rounded when it was written. */
static const double NEARLY = 1e-6;

static bool given_state_finite(const double *x, int n)
{
    for (int k = 0; k < n; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

static bool zero(const double *x, int n)
{
    for (int k = 0; k < n; k++)
        if (x[k] != 0) return false;
    return true;
}

static bool given_state_is_rotation(const double A[9])
{
    double P[9], axis[3], x[3], y[3], z[3];
    rt_m3_tmul(P, A, A);
    for (int i = 0; i < 9; i++)
        if (!(fabs(P[i] - (i % 4 == 0)) <= NEARLY)) return false;
    rt_m3_column(x, A, 0);
    rt_m3_column(y, A, 1);
    rt_m3_column(z, A, 2);
    rt_v3_cross(axis, x, y);
    return rt_v3_dot(axis, z) > 0;
}

static routh_status bad_body(const routh_initial_state *g, int k, const char *what,
                             routh_error *error)
{
    return rt_fail(error, ROUTH_BAD_ARGUMENT, "bodies[%d] of the state (%.80s): %s", k,
                   g->bodies[k].name, what);
}

static routh_status check_body(const routh_initial_state *g, int k, routh_error *error)
{
    const routh_initial_body *b = &g->bodies[k];
    if (!given_state_finite(b->position, 3) || !given_state_finite(b->orientation, 9) ||
        !given_state_finite(b->quaternion, 4) || !given_state_finite(b->velocity, 3) ||
        !given_state_finite(b->angular_velocity, 3))
        return bad_body(g, k, "a number is not finite; correct it", error);
    const bool matrix = !zero(b->orientation, 9), quaternion = !zero(b->quaternion, 4);
    if (matrix && quaternion)
        return bad_body(g, k, "it has both an orientation and a quaternion; give one", error);
    if (!matrix && !quaternion)
        return bad_body(g, k, "it has neither an orientation nor a quaternion; give one", error);
    if (matrix && !given_state_is_rotation(b->orientation))
        return bad_body(g, k,
                        "orientation is not a rotation: its columns must be a right-handed triad "
                        "of unit vectors at right angles, to 1e-6",
                        error);
    double norm = 0;
    for (int i = 0; i < 4; i++) norm += b->quaternion[i] * b->quaternion[i];
    if (quaternion && !(fabs(norm - 1) <= NEARLY))
        return bad_body(g, k, "quaternion is not of length 1, to 1e-6", error);
    return ROUTH_OK;
}

static routh_status check_elastic(const routh_model *model, int body, const routh_initial_state *g,
                                  int k, routh_error *error)
{
    const routh_initial_body *b = &g->bodies[k];
    const rt_flexible *shape = model->bodies[body].flexible;
    const int n = shape ? shape->n : 0;
    if (b->n_elastic != n || (n && !b->elastic))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "bodies[%d] of the state (%.80s): it has %d elastic coordinates, but the "
                       "body of the model has %d; use a state of the same model",
                       k, b->name, b->elastic ? b->n_elastic : 0, n);
    if (!given_state_finite(b->elastic, n) ||
        (b->elastic_rates && !given_state_finite(b->elastic_rates, n)))
        return bad_body(g, k, "a number of elastic or elastic_rates is not finite", error);
    return ROUTH_OK;
}

static routh_status check_signals(const routh_initial_signal *x, int n, const char *what,
                                  routh_error *error)
{
    for (int k = 0; k < n; k++)
        if (!isfinite(x[k].value) || !isfinite(x[k].rate) || !isfinite(x[k].second_rate))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "%s[%d] of the state (%.80s): a number is not finite; correct "
                           "it",
                           what, k, x[k].name);
    return ROUTH_OK;
}

/* Are the texts the same but for blanks? */
static bool same_units_text(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b) return false;
        if (!*a) return true;
    }
}

/* The numbers of a signal are in the units of its file, which must be those of the state; zeros are
 * the same in all. */
static routh_status check_signal_units(const routh_initial_signal *x, const char *units,
                                       const char *what, routh_error *error)
{
    if (!x->units || !units || same_units_text(x->units, units)) return ROUTH_OK;
    if (x->value == 0 && x->rate == 0 && x->second_rate == 0) return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "%s %.80s of the state: its numbers are in the units %.60s, but in the model it "
                   "is in %s; convert them, and write \"units\": \"%s\" there",
                   what, x->name, x->units, units, units);
}

/* x, variable and input: where those of the model stand in the state, -1: they do not. */
static routh_status check_all_units(const routh_model *model, const routh_initial_state *g,
                                    const int *x, const int *variable, const int *input,
                                    routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < model->n_control_states && !status; k++)
        if (x[k] >= 0)
            status = check_signal_units(&g->states[x[k]], model->control_states[k].units,
                                        "the state of a controller", error);
    for (int k = 0; k < model->n_variables && !status; k++)
        if (variable[k] >= 0)
            status = check_signal_units(&g->variables[variable[k]], model->variables[k].units,
                                        "the variable", error);
    for (int k = 0; k < model->n_inputs && !status; k++)
        if (input[k] >= 0)
            status = check_signal_units(&g->inputs[input[k]], model->inputs[k].units, "the input",
                                        error);
    return status;
}

static routh_status check_angles(const routh_initial_state *g, routh_error *error)
{
    for (int k = 0; k < g->n_angles; k++)
        if (!isfinite(g->angles[k].value))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "angles[%d] of the state (%.80s): the number is not finite; correct it",
                           k, g->angles[k].name);
    return ROUTH_OK;
}

/* ---- into a state --------------------------------------------------------------------------- */

static void given_state_frame_of(const routh_initial_body *b, rt_frame *f)
{
    memset(f, 0, sizeof *f);
    rt_v3_copy(f->r, b->position);
    rt_v3_copy(f->v, b->velocity);
    rt_v3_copy(f->w, b->angular_velocity);
    if (!zero(b->quaternion, 4)) {
        rt_rotation_from_quaternion(f->A, b->quaternion);
    } else { /* written numbers are rounded: the nearest that is a rotation */
        double q[4];
        rt_rotation_to_quaternion(q, b->orientation);
        rt_rotation_from_quaternion(f->A, q);
    }
}

static routh_status match_all(const routh_model *model, const routh_initial_state *g, int *body,
                              int *state, int *variable, int *input, int *angle,
                              routh_error *error)
{
    const size_t signal = sizeof(routh_initial_signal);
    const named_list lists[] = {
        {"bodies", "body", g->bodies, sizeof(routh_initial_body), g->n_bodies, model->n_bodies,
         body_name, true},
        {"control_states", "state of a controller", g->states, signal, g->n_states,
         model->n_control_states, given_state_name, true},
        {"variables", "variable", g->variables, signal, g->n_variables, model->n_variables,
         given_state_variable_name, false},
        {"inputs", "input", g->inputs, signal, g->n_inputs, model->n_inputs, input_name, false},
        {"angles", "angle that counts revolutions", g->angles, sizeof(routh_initial_angle),
         g->n_angles, model->n_angles, angle_name, false},
    };
    int *const at[] = {body, state, variable, input, angle};
    routh_status status = ROUTH_OK;
    for (int k = 0; k < 5 && !status; k++)
        status = given_state_match(model, &lists[k], at[k], error);
    for (int k = 0; k < g->n_bodies && !status; k++) status = check_body(g, k, error);
    for (int b = 0; b < model->n_bodies && !status; b++)
        status = check_elastic(model, b, g, body[b], error);
    if (!status) status = check_signals(g->states, g->n_states, "control_states", error);
    if (!status) status = check_signals(g->variables, g->n_variables, "variables", error);
    if (!status) status = check_signals(g->inputs, g->n_inputs, "inputs", error);
    if (!status) status = check_all_units(model, g, state, variable, input, error);
    return status ? status : check_angles(g, error);
}

/* An input whose history goes on is at what that says. */
static routh_status check_history(const routh_mechanism *m, const rt_state *state, int k,
                                  const routh_initial_signal *in, routh_error *error)
{
    const rt_quantity quantity = {.kind = RT_QUANTITY_INPUT, .index = k};
    const double now = state->signal[rt_signal_place(m->model, &quantity)];
    if (m->model->inputs[k].history.expr < 0 || in->held ||
        fabs(in->value - now) <= 1e-9 * fmax(fabs(now), fabs(in->value)))
        return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the input %.80s is %.9g in the state, but %.9g at %.9g s by its history in the "
                   "model; leave the input out, or mark it as held",
                   in->name, in->value, now, state->t);
}

static routh_status take_signals(const routh_mechanism *m, const routh_initial_state *g,
                                 const int *x, const int *variable, const int *input,
                                 rt_state *state, routh_error *error)
{
    const routh_model *model = m->model;
    const int n_x = model->n_control_states, n_v = model->n_variables, n = m->n_signals;
    double *signal = state->signal, *in = signal + 2 * n_x + n_v;
    rt_signals_as_written(model, signal);
    for (int k = 0; k < n_x; k++) {
        signal[k] = g->states[x[k]].value;
        signal[n_x + k] = g->states[x[k]].rate;
    }
    for (int k = 0; k < n_v; k++)
        if (variable[k] >= 0) signal[2 * n_x + k] = g->variables[variable[k]].value;
    for (int k = 0; k < model->n_inputs; k++) {
        if (input[k] < 0) continue;
        const routh_initial_signal *given = &g->inputs[input[k]];
        in[k] = given->value;
        in[n + k] = given->rate;
        in[2 * n + k] = given->second_rate;
        state->held[k] = given->held != 0;
    }
    routh_status status = rt_input_histories_set(m, state, error);
    for (int k = 0; k < model->n_inputs && !status; k++)
        if (input[k] >= 0) status = check_history(m, state, k, &g->inputs[input[k]], error);
    return status;
}

/* ---- settings ------------------------------------------------------------------------------- */

/* Parameters that numbers depend on. */
typedef struct dependence {
    const routh_model *model;
    int *slots;   /* n_quantities: of one expression */
    bool *seen;   /* n_parameters */
    int *waiting; /* n_parameters: seen, but not yet what they depend on */
    int n_waiting;
} dependence;

static routh_status dependence_take(dependence *d, const routh_model *model, rt_arena *arena,
                                    routh_error *error)
{
    d->model = model;
    d->slots = RT_TAKE(arena, int, model->n_quantities);
    d->seen = RT_TAKE(arena, bool, model->n_parameters);
    d->waiting = RT_TAKE(arena, int, model->n_parameters);
    return d->slots && d->seen && d->waiting ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status dependence_add(dependence *d, rt_expr expr, routh_error *error)
{
    const routh_model *m = d->model;
    const int n = expr < 0 ? 0 : rt_inputs_of(m->graph, expr, d->slots, m->n_quantities);
    if (n < 0) return rt_fail_memory(error);
    for (int i = 0; i < n; i++) {
        const rt_quantity *quantity = &m->quantities[d->slots[i]];
        const int k = quantity->index;
        if (quantity->kind != RT_QUANTITY_PARAMETER || k >= m->n_parameters || d->seen[k]) continue;
        d->seen[k] = true;
        d->waiting[d->n_waiting++] = k;
    }
    return ROUTH_OK;
}

/* Does the number depend on a parameter that was set when the model was read? */
static routh_status depends_on_settings(dependence *d, rt_expr expr, bool *depends,
                                        routh_error *error)
{
    memset(d->seen, 0, (size_t)d->model->n_parameters * sizeof *d->seen);
    d->n_waiting = 0;
    *depends = false;
    routh_status status = dependence_add(d, expr, error);
    while (!status && d->n_waiting > 0 && !*depends) {
        const rt_parameter *parameter = &d->model->parameters[d->waiting[--d->n_waiting]];
        *depends = parameter->overridden;
        if (!*depends) status = dependence_add(d, parameter->number.expr, error);
    }
    return status;
}

static routh_status joint_follows(dependence *d, const rt_joint *joint, bool *follows,
                                  routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < joint->class->chain.n && !status; k++) {
        const rt_joint_start *start = joint->start;
        bool *rate = &follows[RT_JOINT_COORDINATES + k];
        if (start->value_given[k])
            status = depends_on_settings(d, start->value[k].expr, &follows[k], error);
        if (!status && start->rate_given[k])
            status = depends_on_settings(d, start->rate[k].expr, rate, error);
    }
    return status;
}

routh_status rt_point_say_followed(routh_operating_point *p, const rt_search *s, routh_error *error)
{
    const routh_model *model = s->m->model;
    rt_arena arena = {.kept = s->m->analyses};
    dependence d = {0};
    char text[320];
    routh_status status = dependence_take(&d, model, &arena, error);
    for (int j = 0; j < model->n_joints && !status; j++) {
        bool follows[2 * RT_JOINT_COORDINATES] = {false};
        if (!model->joints[j].start) continue;
        status = joint_follows(&d, &model->joints[j], follows, error);
        if (!status && rt_followed_coordinate_words(s, j, follows, text, sizeof text) &&
            !rt_point_say(p, text))
            status = rt_fail_memory(error);
    }
    rt_arena_free(&arena);
    return status;
}

static bool is_free(const routh_model *model, int input)
{
    for (int k = 0; k < model->steady.n_free; k++)
        if (model->steady.free[k] == input) return true;
    return false;
}

/* Those inputs as the model has them; changed[n_inputs]: they are others in the state. */
static routh_status follow_settings(const routh_mechanism *m, rt_state *state, bool *changed,
                                    rt_arena *arena, routh_error *error)
{
    const routh_model *model = m->model;
    dependence d = {0};
    routh_status status = dependence_take(&d, model, arena, error);
    for (int k = 0; k < model->n_inputs && !status; k++) {
        const rt_quantity quantity = {.kind = RT_QUANTITY_INPUT, .index = k};
        const size_t place = (size_t)rt_signal_place(model, &quantity), n = (size_t)m->n_signals;
        const rt_named_input *input = &model->inputs[k];
        bool depends;
        if (state->held[k] || input->history.expr >= 0 || is_free(model, k)) continue;
        status = depends_on_settings(&d, input->value.expr, &depends, error);
        if (status || !depends) continue;
        changed[k] = state->signal[place] != input->value.value;
        state->signal[place] = input->value.value;
        state->signal[n + place] = state->signal[2 * n + place] = 0;
    }
    return status;
}

static bool tell_of_settings(routh_operating_point *p, const routh_model *model,
                             const bool *changed)
{
    char text[320];
    for (int k = 0; k < model->n_inputs; k++) {
        if (!changed[k]) continue;
        snprintf(text, sizeof text,
                 "input %.120s is %.9g, which follows from a parameter that was set, not what the "
                 "saved state has",
                 model->inputs[k].name, model->inputs[k].value.value);
        if (!rt_point_say(p, text)) return false;
    }
    return true;
}

/* ---- q and u that are given besides --------------------------------------------------------- */

static bool has_own(const routh_mechanism *m, const routh_initial_state *g)
{
    return g->coordinates && strcmp(g->coordinates, m->coordinates) == 0;
}

/* The elastic coordinates of all bodies, in the model's order, and their rates. */
static void given_state_put_elastic(const routh_mechanism *m, const routh_initial_state *g,
                                    const int *body, double *q, double *u)
{
    for (int b = 0; b < m->n_bodies; b++) {
        const routh_initial_body *given = &g->bodies[body[b]];
        for (int k = 0; k < given->n_elastic; k++) {
            q[m->elastic_start[b] + k] = given->elastic[k];
            u[m->elastic_start[b] + k] = given->elastic_rates ? given->elastic_rates[k] : 0;
        }
    }
}

/* a is b to 1e-9 of its largest entry. */
static bool same_numbers(const double *a, const double *b, int n)
{
    double size = 0;
    for (int k = 0; k < n; k++) size = fmax(size, fabs(b[k]));
    for (int k = 0; k < n; k++)
        if (!(fabs(a[k] - b[k]) <= 1e-9 * size)) return false;
    return true;
}

/* They must say what the bodies say. */
static routh_status given_state_compare(const routh_mechanism *m, const rt_workspace *w,
                                        const rt_frame *frames, const double *elastic,
                                        const rt_state *state, routh_error *error)
{
    static const double most = 1e-9;
    double extent = m->length, speed = 0;
    for (int b = 0; b < m->n_bodies; b++) {
        extent = fmax(extent, rt_v3_norm(frames[b].r));
        speed = fmax(speed, fmax(rt_v3_norm(frames[b].v), m->length * rt_v3_norm(frames[b].w)));
    }
    for (int b = 0; b < m->n_bodies; b++) {
        const rt_frame *f = &frames[b], *own = &w->bodies[b];
        bool same = true;
        for (int i = 0; i < 3; i++)
            same = same && fabs(f->r[i] - own->r[i]) <= most * extent &&
                   fabs(f->v[i] - own->v[i]) <= most * fmax(speed, extent) &&
                   fabs(f->w[i] - own->w[i]) * m->length <= most * fmax(speed, extent);
        for (int i = 0; i < 9; i++) same = same && fabs(f->A[i] - own->A[i]) <= NEARLY;
        const int e = m->elastic_start[b], n = m->elastic_start[b + 1] - e;
        same = same && same_numbers(state->q + m->first_elastic_q + e, elastic + e, n) &&
               same_numbers(state->u + m->first_elastic + e, elastic + m->n_elastic + e, n);
        if (!same)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "body %.80s of the state has another position or velocity than q and u "
                           "give in %s coordinates; remove `coordinates`, `q` and `u` from the "
                           "state if you changed bodies",
                           m->model->bodies[b].name, m->coordinates);
    }
    return ROUTH_OK;
}

static routh_status take_own(const routh_mechanism *m, const routh_initial_state *g,
                             const rt_frame *frames, const double *elastic, rt_state *state,
                             routh_error *error)
{
    if (g->n_q != m->n_q || g->n_u != m->n_u || !g->q || !g->u)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "q and u of the state have %d and %d numbers, but in %s coordinates this "
                       "mechanism has %d and %d; remove `coordinates`, `q` and `u` from the state",
                       g->n_q, g->n_u, m->coordinates, m->n_q, m->n_u);
    if (!given_state_finite(g->q, g->n_q) || !given_state_finite(g->u, g->n_u))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a number of q or u of the state is not finite; "
                       "remove `coordinates`, `q` and `u` from the "
                       "state");
    memcpy(state->q, g->q, (size_t)m->n_q * sizeof *g->q);
    memcpy(state->u, g->u, (size_t)m->n_u * sizeof *g->u);
    rt_workspace *w;
    routh_status status = rt_workspace_create(&w, m, error);
    if (!status) {
        rt_evaluate_frames(m, w, state);
        status = given_state_compare(m, w, frames, elastic, state, error);
    }
    rt_workspace_free(w);
    return status;
}

/* ---- the public functions ------------------------------------------------------------------- */

static routh_status fill_state(const routh_mechanism *m, const routh_initial_state *g, bool own,
                               rt_arena *arena, rt_state *state, routh_error *error)
{
    const routh_model *model = m->model;
    int *body = RT_TAKE(arena, int, model->n_bodies);
    int *x = RT_TAKE(arena, int, model->n_control_states);
    int *v = RT_TAKE(arena, int, model->n_variables), *in = RT_TAKE(arena, int, model->n_inputs);
    int *angle = RT_TAKE(arena, int, model->n_angles);
    rt_frame *frames = RT_TAKE(arena, rt_frame, model->n_bodies);
    double *elastic = RT_TAKE(arena, double, 2 * m->n_elastic); /* and their rates */
    if (!body || !x || !v || !in || !angle || !frames || !elastic) return rt_fail_memory(error);
    if (!isfinite(g->time))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the time of the state is not finite; correct "
                       "it");
    state->t = g->time;
    routh_status status = match_all(model, g, body, x, v, in, angle, error);
    if (!status) status = take_signals(m, g, x, v, in, state, error);
    if (status) return status;
    for (int k = 0; k < model->n_angles; k++)
        if (angle[k] >= 0) state->near[k] = g->angles[angle[k]].value;
    if (model->n_angles) state->near[2 * model->n_angles] = state->t;
    for (int b = 0; b < model->n_bodies; b++) given_state_frame_of(&g->bodies[body[b]], &frames[b]);
    given_state_put_elastic(m, g, body, elastic, elastic + m->n_elastic);
    if (own) return take_own(m, g, frames, elastic, state, error);
    rt_take_frames(m, NULL, frames, state); /* absolute coordinates need no workspace for it */
    const size_t size = (size_t)m->n_elastic * sizeof *elastic;
    memcpy(state->q + m->first_elastic_q, elastic, size);
    memcpy(state->u + m->first_elastic, elastic + m->n_elastic, size);
    return ROUTH_OK;
}

routh_status rt_point_of_given(routh_operating_point **point, const routh_mechanism *m,
                               const routh_initial_state *given,
                               const routh_initial_state_options *options, bool begins,
                               routh_error *error)
{
    *point = NULL;
    if (given->n_joints) return rt_point_of_joints(point, m, given, options, begins, error);
    const bool own = has_own(m, given);
    const routh_mechanism *of = own || !m->base ? m : m->base;
    rt_state *state;
    rt_arena arena = {0};
    bool *changed = RT_TAKE(&arena, bool, m->model->n_inputs);
    routh_status status = rt_state_create(&state, of, error);
    if (!status && !changed) status = rt_fail_memory(error);
    if (!status) status = fill_state(of, given, own, &arena, state, error);
    if (!status && options && options->follow_settings)
        status = follow_settings(of, state, changed, &arena, error);
    if (!status) status = rt_point_from_given(point, m, state, options, !own, begins, error);
    if (!status && !tell_of_settings(*point, m->model, changed)) {
        routh_operating_point_free(*point);
        *point = NULL;
        status = rt_fail_memory(error);
    }
    rt_arena_free(&arena);
    rt_state_free(state);
    return status;
}

routh_status routh_operating_point_of_state(routh_operating_point **point, const routh_mechanism *m,
                                            const routh_initial_state *given,
                                            const routh_initial_state_options *options,
                                            routh_error *error)
{
    return rt_point_of_given(point, m, given, options, false, error);
}

routh_status routh_operating_point_find_near(routh_operating_point **point,
                                             const routh_mechanism *m,
                                             const routh_initial_state *given,
                                             const routh_initial_state_options *state_options,
                                             const routh_operating_point_options *options,
                                             routh_error *error)
{
    routh_operating_point *start = NULL;
    *point = NULL;
    routh_status status = rt_point_of_given(&start, m, given, state_options, true, error);
    if (!status) status = routh_operating_point_find_from(point, m, start, options, error);
    routh_operating_point_free(start);
    return status;
}
