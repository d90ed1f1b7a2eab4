/* Linearization: observer, states, method, and the object that is given back. */
#include <stdlib.h>

#include "linear/holder.h"
#include "linear/massless.h"
#include "operating/signals.h"

routh_linear_options routh_linear_defaults(void)
{
    return (routh_linear_options){.method = "augmented", .shares = 1, .markers = 1};
}

/* ---- the object ----------------------------------------------------------------------------- */

/* y -= r A for a row r, A of z x z by rows: along the rows of A, which lie together in memory */
static void linear_subtract_product(int z, const double *r, const double *A, double *y)
{
    for (int l = 0; l < z; l++) {
        const double a = r[l], *row = A + l * z;
        if (a == 0) continue;
        for (int j = 0; j < z; j++) y[j] -= a * row[j];
    }
}

static bool linear_take(rt_linear_holder *h, double **to, int n_rows, int n_columns)
{
    return (*to = RT_TAKE(&h->arena, double, (size_t)n_rows *(size_t)n_columns)) != NULL;
}

routh_status rt_linear_take_matrices(rt_linear_holder *h, routh_error *error)
{
    routh_linear *l = &h->linear;
    const int n = l->n_states, z = l->n_position, z1 = l->n_velocity, in = l->n_inputs,
              out = l->n_outputs;
    const bool ok = linear_take(h, &l->A, n, n) && linear_take(h, &l->affine, n, 1) &&
                    linear_take(h, &l->mass, z1, z1) && linear_take(h, &l->damping, z1, z1) &&
                    linear_take(h, &l->stiffness, z1, z) &&
                    linear_take(h, &l->coupling, z1, l->n_control) &&
                    linear_take(h, &l->B, n, in) && linear_take(h, &l->B1, n, in) &&
                    linear_take(h, &l->B2, n, in) && linear_take(h, &l->C, out, n) &&
                    linear_take(h, &l->D, out, in) && linear_take(h, &l->D1, out, in) &&
                    linear_take(h, &l->D2, out, in) && linear_take(h, &l->force, z1, in) &&
                    linear_take(h, &l->force1, z1, in) && linear_take(h, &l->force2, z1, in);
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

/* A = [0 I; A_SS A_SW] */
static void fill_state_matrix(routh_linear *out, const rt_sensitivity *x)
{
    const int z = x->z, n = 2 * z;
    memcpy(out->mass, x->Mhat, (size_t)z * (size_t)z * sizeof(double));
    for (int i = 0; i < z; i++) {
        out->A[i * n + z + i] = 1;
        memcpy(out->A + (size_t)(z + i) * n, x->A_SS + i * z, (size_t)z * sizeof(double));
        memcpy(out->A + (size_t)(z + i) * n + z, x->A_SW + i * z, (size_t)z * sizeof(double));
    }
}

/* Chat = -Mhat A_SW, Khat = -Mhat A_SS  (Negrut and Ortiz, Eq. 26) */
void rt_linear_fill_matrices(rt_linear_holder *h, const rt_sensitivity *x)
{
    routh_linear *out = &h->linear;
    const int z = x->z;
    const size_t size = (size_t)z * (size_t)z * sizeof(double);
    fill_state_matrix(out, x);
    memset(out->damping, 0, size);
    memset(out->stiffness, 0, size);
    for (int i = 0; i < z; i++) {
        linear_subtract_product(z, x->Mhat + i * z, x->A_SW, out->damping + i * z);
        linear_subtract_product(z, x->Mhat + i * z, x->A_SS, out->stiffness + i * z);
    }
}

/* A and the second-order form: from the equations themselves where the method is exact, so that the
 * form keeps digits that A has not. */
static routh_status fill_numbers(rt_linear_holder *h, const rt_linear_task *t,
                                 const rt_method_task *work, rt_arena *arena, routh_error *error)
{
    const rt_sensitivity *x = &t->x;
    if (work->whole) {
        const routh_status status = rt_linear_fill_whole(h, work, x, arena, error);
        if (status || t->first_order) return status;
    } else if (x->stiffness) {
        const size_t size = (size_t)x->z * (size_t)x->z * sizeof(double);
        fill_state_matrix(&h->linear, x);
        memcpy(h->linear.damping, x->damping, size);
        memcpy(h->linear.stiffness, x->stiffness, size);
    } else if (!rt_has_second_order(work, x)) {
        rt_linear_fill_matrices(h, x);
    } else {
        fill_state_matrix(&h->linear, x);
    }
    return rt_has_second_order(work, x)
               ? rt_linear_fill_second_order(&h->linear, work, x, arena, error)
               : ROUTH_OK;
}

/* The moving frame of a steady motion that turns, where nothing else is asked for. */
static routh_status reference_marker(const routh_mechanism *m, const routh_operating_point *point,
                                     const char *name, int *marker, routh_error *error)
{
    const bool turns = point->steady && point->steady->turn_rate != 0;
    const bool moving =
        name ? strcmp(name, RT_MOVING_FRAME_NAME) == 0 : turns && !m->model->reference_given;
    if (moving && !point->steady)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the reference frame cannot be the moving frame, because the operating "
                       "point is not a steady motion; use --at steady, or another reference frame");
    *marker = moving ? (int)RT_MOVING_FRAME
              : name ? rt_model_find_marker(m->model, name)
                     : m->model->reference;
    if (*marker != -2) return ROUTH_OK;
    return rt_fail(
        error, ROUTH_BAD_ARGUMENT,
        "the model has no marker or body '%s' for the reference frame; name a marker, a body or "
        "ground",
        name);
}

typedef rt_linear_task linear_task;

static routh_status name_model(rt_linear_holder *h, const routh_mechanism *m, int marker,
                               routh_error *error)
{
    routh_linear *out = &h->linear;
    out->title = rt_linear_text(h, "%s", m->model->title ? m->model->title : "");
    out->file = rt_linear_text(h, "%s", m->model->file ? m->model->file : "");
    out->coordinates = rt_linear_text(h, "%s", m->coordinates);
    out->reference = rt_linear_text(h, "%s",
                                    marker == RT_MOVING_FRAME ? RT_MOVING_FRAME_NAME
                                    : marker < 0              ? "ground"
                                                              : m->model->markers[marker].name);
    return out->title && out->file && out->coordinates && out->reference ? ROUTH_OK
                                                                         : rt_fail_memory(error);
}

/* The one asked for; auto chooses once the states are known. */
static routh_status find_method(rt_linear_holder *h, linear_task *t, const char *name,
                                routh_error *error)
{
    h->linear.method_by_auto = rt_method_is_auto(name);
    return h->linear.method_by_auto ? ROUTH_OK
                                    : rt_method_find(name, &t->method, &t->variant, error);
}

static routh_status name_method(rt_linear_holder *h, linear_task *t, routh_error *error)
{
    routh_linear *out = &h->linear;
    if (out->method_by_auto) rt_method_choose(t->search.m, t->states.z, &t->method, &t->variant);
    out->method = t->variant ? rt_linear_text(h, "%s:%s", t->method->name, t->variant)
                             : rt_linear_text(h, "%s", t->method->name);
    return out->method ? ROUTH_OK : rt_fail_memory(error);
}

/* Faster than what rounding leaves of rest in a run: typical lengths or radians a second. */
static bool linear_moves(const rt_search *s)
{
    static const double rest = 1e-12;
    for (int b = 0; b < s->m->n_bodies; b++)
        if (rt_v3_norm(s->w->bodies[b].v) > rest * s->m->length ||
            rt_v3_norm(s->w->bodies[b].w) > rest)
            return true;
    return false;
}

static bool is_accelerated(const routh_operating_point *point)
{
    return point->steady && point->steady->accelerated;
}

void rt_linear_note_motion(rt_linear_holder *h, const rt_linear_task *t,
                           const routh_operating_point *point)
{
    h->linear.origin = rt_state_identity(point->state);
    h->linear.residual = point->residual;
    h->linear.at_rest =
        !linear_moves(&t->search) && point->residual <= 1e-9 && !is_accelerated(point);
}

/* A method that is not exact says so. */
static routh_status warn_of_differences(rt_linear_holder *h, const rt_sensitivity *x,
                                        routh_error *error)
{
    if (x->error_estimate == 0 || x->n_bounds) return ROUTH_OK;
    return rt_linear_warn(h, error,
                          "these numbers are differences of the nonlinear equations, with an "
                          "estimated error of %.0e: an oracle for checks, not a result",
                          x->error_estimate);
}

/* The eigenvalues of a method that knows their errors, with them. */
static routh_status take_bounds(rt_linear_holder *h, const rt_sensitivity *x, routh_error *error)
{
    routh_linear *out = &h->linear;
    const size_t n = (size_t)x->n_bounds;
    if (n == 0) return ROUTH_OK;
    out->bound_re = RT_TAKE(&h->arena, double, n);
    out->bound_im = RT_TAKE(&h->arena, double, n);
    out->bound = RT_TAKE(&h->arena, double, n);
    if (!out->bound_re || !out->bound_im || !out->bound) return rt_fail_memory(error);
    memcpy(out->bound_re, x->bound_re, n * sizeof *out->bound);
    memcpy(out->bound_im, x->bound_im, n * sizeof *out->bound);
    memcpy(out->bound, x->bound, n * sizeof *out->bound);
    out->n_bounds = x->n_bounds;
    int worst = 0;
    for (int k = 1; k < x->n_bounds; k++)
        if (x->bound[k] > x->bound[worst]) worst = k;
    return rt_linear_warn(h, error,
                          "the eigenvalues are approximate, those of constraints with a penalty "
                          "(alpha %g, xi %g, omega %g): they are off by at most %.1e 1/s (that of "
                          "%.4g%+.4gi)",
                          x->penalty.alpha, x->penalty.xi, x->penalty.omega, x->bound[worst],
                          x->bound_re[worst], x->bound_im[worst]);
}

/* The drift is a small change of A, too small for a method that is not exact. */
static routh_status find_drift(linear_task *t, const rt_method_task *work,
                               rt_reference_frame *moved, double *drift, routh_error *error)
{
    if (t->x.error_estimate == 0)
        return rt_linear_drift(t->method, work, &t->x, moved, drift, error);
    rt_sensitivity x;
    const routh_status status = rt_method_augmented.run(work, &t->arena, &x, error);
    return status ? status : rt_linear_drift(&rt_method_augmented, work, &x, moved, drift, error);
}

/* Away from rest: neither A nor the rates of the states change. */
static routh_status judge_motion(rt_linear_holder *h, linear_task *t, const rt_method_task *work,
                                 routh_error *error)
{
    routh_linear *out = &h->linear;
    rt_linear_task moved = *t;
    const int z1 = t->states.z1, n_x = t->search.m->model->n_control_states;
    double value[3], *later = RT_TAKE(&t->arena, double, z1 + n_x);
    bool *drifts = RT_TAKE(&t->arena, bool, n_x);
    if (!later || !drifts) return rt_fail_memory(error);
    const double rate = rt_linear_fastest(&t->search); /* where it is, not where it is moved to */
    routh_status status = n_x ? rt_signals_evaluate(&t->search, true, error) : ROUTH_OK;
    if (status) return status;
    for (int k = 0; k < n_x; k++) drifts[k] = rt_signals_rate_part(&t->search, k) > 1e-9;
    status = find_drift(t, work, &moved.observer, &out->drift, error);
    if (status || !(out->drift <= 1e-5)) return status;
    for (int k = 0; k < t->states.z1; k++) {
        rt_linear_state_values(&moved, t->states.rate[k], value);
        later[k] = value[2];
    }
    for (int k = 0; k < n_x; k++) later[z1 + k] = t->search.state->signal[n_x + k];
    const rt_uniform_motion motion = {rate, out->n_states, out->A, out->affine, later, drifts};
    out->steady = rt_linear_is_uniform(work, &motion);
    return ROUTH_OK;
}

/* Markers, flexible bodies and shares, by the sensitivities in absolute coordinates where there are
 * such beside. */
static routh_status describe_motion(rt_linear_holder *h, linear_task *t,
                                    const routh_linear_options *o, routh_error *error)
{
    rt_search *s = &t->search;
    const rt_sensitivity *x = &t->x;
    routh_status status = ROUTH_OK;
    if (s->m->base && (o->markers || o->shares)) {
        status = rt_base_sensitivity(s, &t->x, &t->base_x, &t->arena, error);
        s = &t->base, x = &t->base_x;
        if (!status) status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_ALL, error);
    }
    if (!status && o->markers) status = rt_linear_markers(h, s, x, error);
    if (!status && o->markers) status = rt_linear_flexible(h, s, x, error);
    if (!status && o->shares) status = rt_linear_shares(h, s, x, error);
    return status;
}

routh_status rt_linear_prepare(rt_linear_holder *h, linear_task *t, const routh_mechanism *m,
                               const routh_operating_point *point, const routh_linear_options *o,
                               routh_error *error)
{
    int marker;
    if (!t->arena.blocks) t->arena.kept = m->analyses;
    routh_status status = find_method(h, t, o->method, error);
    if (!status) status = reference_marker(m, point, o->reference, &marker, error);
    if (!status) status = name_model(h, m, marker, error);
    if (!status) status = rt_linear_record(h, point, error);
    if (!status) status = rt_check_drives(m, point, error);
    if (!status) status = rt_linear_choose_states(t, m, point, marker, o->states, error);
    if (!status) status = name_method(h, t, error);
    t->details = o->details != 0;
    if (!status) status = rt_linear_report_states(h, t, error);
    if (!status) status = rt_evaluate(m, t->search.w, t->search.state, RT_EVALUATE_ALL, error);
    if (status) return status;
    routh_linear *out = &h->linear;
    out->n_position = t->states.z;
    out->n_velocity = t->states.z1;
    out->n_control = m->model->n_control_states;
    out->n_states = out->n_position + out->n_velocity + out->n_control;
    rt_linear_note_motion(h, t, point);
    status = rt_linear_name_states(h, t, error);
    return status ? status : rt_linear_name_signals(h, t, error);
}

void rt_linear_task_release(linear_task *t)
{
    rt_state_free(t->search.state);
    rt_search_release(&t->search);
    rt_state_free(t->base.state);
    rt_search_release(&t->base);
    rt_arena_free(&t->arena);
}

routh_status rt_linear_linearize(rt_linear_holder *h, linear_task *t, const routh_mechanism *m,
                                 const routh_operating_point *point, const routh_linear_options *o,
                                 rt_progress *progress, routh_error *error)
{
    routh_linear *out = &h->linear;
    routh_status status = rt_linear_prepare(h, t, m, point, o, error);
    t->search.progress = progress;
    if (!status) status = rt_progress_ask(progress, 1, error);
    if (status) return status;
    rt_method_task work = {.search = &t->search,
                           .observer = &t->observer,
                           .states = &t->states,
                           .variant = t->variant,
                           .threads = o->threads,
                           .penalty = {o->penalty_alpha, o->penalty_xi, o->penalty_omega},
                           .whole = t->whole || point->massless || rt_needs_whole(m)};
    if (point->massless) status = rt_linear_check_massless(t, error);
    if (!status && work.whole) status = rt_task_sensors_take(&work, &t->arena, error);
    if (!status) status = rt_linear_find_undetermined(h, &work, &t->arena, error);
    if (!status) status = rt_progress_ask(progress, 1, error);
    if (!status) status = t->method->run(&work, &t->arena, &t->x, error);
    if (!status) status = rt_progress_ask(progress, 1, error);
    if (status) return status;
    out->n_infinite = t->x.n_infinite;
    out->error_estimate = t->x.error_estimate;
    status = warn_of_differences(h, &t->x, error);
    if (!status) status = take_bounds(h, &t->x, error);
    if (!status) status = rt_linear_take_matrices(h, error);
    if (!status) status = fill_numbers(h, t, &work, &t->arena, error);
    if (!status && point->massless) status = rt_linear_reduce_massless(h, t, &work, error);
    if (!status && o->extended && !point->massless)
        status = rt_linear_fill_extended(h, t, &work, point, o->extended > 1, error);
    if (!status) rt_linear_fill_affine(h, t);
    if (!status) status = rt_progress_ask(progress, 1, error);
    if (!status) status = describe_motion(h, t, o, error);
    if (!status) status = rt_progress_ask(progress, 1, error);
    if (status) return status;
    out->steady = out->at_rest;
    if (!out->at_rest && !t->whole) status = judge_motion(h, t, &work, error);
    /* the states' own accelerations stay as they are */
    if (is_accelerated(point)) out->steady = out->drift <= 1e-5;
    /* a moment later other motions are possible */
    if (point->singular_at_instant) out->steady = 0;
    return status;
}
