/* What all integrators share: states on the constraints, sizes, beginning anew. */
#include "motion/motion.h"

#include "base/pi.h"
#include "operating/twists.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

/* The rotation vectors of bushings and beams in the evaluated state, from where they go on. */
void rt_run_note_twists(rt_run *run) { rt_note_twists(&run->search, run->twist); }

static routh_status run_create(rt_run *run, const rt_state *start, routh_error *error)
{
    const routh_mechanism *m = run->m;
    enum { ITERATIONS = 50 };
    const int n_x = m->model->n_control_states;
    routh_status status = rt_search_create(&run->search, m, RT_MOTION_CLOSED, ITERATIONS, error);
    if (!status) status = rt_state_create(&run->before, m, error);
    if (!status) status = rt_state_create(&run->now, m, error);
    if (status) return status;
    run->x_size = calloc((size_t)n_x + 1, sizeof *run->x_size);
    const int n_twists = rt_count_twists(m->model);
    run->twist = calloc(3 * (size_t)n_twists + 1, sizeof *run->twist);
    if (!run->x_size || !run->twist) return rt_fail_memory(error);
    run->twists = n_twists > 0;
    rt_state_copy(m, run->now, start);
    rt_run_measure_states(run);
    status = run->integrator->create(run, error);
    return status ? status : rt_run_begin(run, error);
}

routh_status rt_run_create(rt_run *run, const rt_integrator *integrator, const rt_state *start,
                           routh_error *error)
{
    run->integrator = integrator;
    return run_create(run, start, error);
}

void rt_run_release(rt_run *run)
{
    if (run->integrator) run->integrator->free(run);
    rt_state_free(run->search.state);
    rt_search_release(&run->search);
    rt_state_free(run->before);
    rt_state_free(run->now);
    free(run->x_size);
    free(run->twist);
    *run = (rt_run){0};
}

/* Rows, and the matrices made for them, as if there had been none before. */
static routh_status choose_rows(rt_run *run, routh_error *error)
{
    rt_search *s = &run->search;
    rt_state_copy(run->m, s->state, run->now);
    rt_elimination_free(s->rank);
    s->rank = NULL; /* so that nothing made for it stays */
    routh_status status =
        rt_evaluate(run->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (!status) status = rt_find_rank(s, error);
    if (!status) rt_run_note_twists(run);
    return status ? status : rt_search_mass(s, error);
}

routh_status rt_run_begin(rt_run *run, routh_error *error)
{
    routh_status status = choose_rows(run, error);
    if (status) return status;
    rt_angles_settle(run->m, run->search.w, run->now, false);
    rt_state_copy(run->m, run->before, run->now);
    status = run->integrator->begin(run, error);
    return status ? rt_run_fail(run->now->t, status, error) : ROUTH_OK;
}

routh_status rt_run_go_on(rt_run *run, const double *numbers, routh_error *error)
{
    routh_status status = choose_rows(run, error);
    if (!status) status = run->integrator->go_on(run, numbers, error);
    return status ? rt_run_fail(run->now->t, status, error) : ROUTH_OK;
}

routh_status rt_run_show(rt_run *run, double t, routh_error *error)
{
    rt_search *s = &run->search;
    const bool at_end = t >= run->now->t || run->before->t == run->now->t;
    routh_status status = ROUTH_OK;
    if (at_end)
        rt_state_copy(run->m, s->state, run->now);
    else
        status = run->integrator->between(run, t, s->state, error);
    if (!status) status = rt_run_time(run, s->state, at_end ? run->now->t : t, error);
    if (!status) status = rt_run_project(run, error);
    if (!status) status = rt_run_accelerate(run, error);
    return status ? rt_run_fail(t, status, error) : ROUTH_OK;
}

routh_status rt_run_time(const rt_run *run, rt_state *state, double t, routh_error *error)
{
    state->t = t;
    return rt_input_histories_set(run->m, state, error);
}

/* ---- whole turns ---------------------------------------------------------------------------- */

routh_status rt_run_check_twists(rt_run *run, routh_error *error)
{
    const rt_load *load = rt_wound_since(&run->search, run->twist);
    if (load) return rt_fail_wound(&run->search, load, ROUTH_NUMERIC_ERROR, error);
    rt_run_note_twists(run);
    return ROUTH_OK;
}

static routh_status check_angles_turned(const rt_run *run, routh_error *error)
{
    static const double most = RT_PI / 2;
    const int n = run->m->model->n_angles;
    const double *a = run->now->near, *b = run->search.state->near;
    const double h = n ? b[2 * n] - a[2 * n] : 0;
    for (int k = 0; k < n; k++)
        if (!(fabs(b[k] - a[k] - h / 2 * (a[n + k] + b[n + k])) < most))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "the angular velocity of %.100s changes so much in one step that its "
                           "revolutions cannot be counted; take shorter steps",
                           run->m->model->angles[k].name);
    return ROUTH_OK;
}

routh_status rt_run_settle(rt_run *run, routh_error *error)
{
    rt_search *s = &run->search;
    const routh_mechanism *m = run->m;
    if (m->model->n_angles == 0 && !run->twists) return ROUTH_OK;
    rt_evaluate_frames(m, s->w, s->state);
    rt_angles_settle(m, s->w, s->state, false);
    routh_status status = check_angles_turned(run, error);
    return status ? status : rt_run_check_twists(run, error);
}

/* ---- onto the constraints ------------------------------------------------------------ */

/* The largest of |phi_r| / size_r and its row. */
static double worst_row(const rt_run *run, const double *phi, const double *size, int *row)
{
    double worst = 0;
    *row = -1;
    for (int r = 0; r < run->m->n_rows; r++) {
        const double e = fabs(phi[r]) / (size[r] > 0 ? size[r] : 1);
        if (e > worst) worst = e, *row = r;
    }
    return worst / run->m->length;
}

double rt_run_open_position(const rt_run *run, const double *size)
{
    int row;
    return worst_row(run, run->search.w->phi[0], size, &row);
}

double rt_run_rounding(const rt_run *run)
{
    double reach = run->m->length;
    for (int b = 0; b < run->m->n_bodies; b++)
        reach = fmax(reach, rt_v3_norm(run->search.w->bodies[b].r));
    return 2 * DBL_EPSILON * reach / run->m->length;
}

void rt_run_open(const rt_run *run, rt_open *open)
{
    const rt_search *s = &run->search;
    double speed = 0;
    rt_row_sizes(s, s->y);
    open->position = worst_row(run, s->w->phi[0], s->y, &open->position_row);
    open->velocity = worst_row(run, s->w->phi[1], s->y, &open->velocity_row);
    for (int b = 0; b < run->m->n_bodies; b++) {
        const rt_frame *f = &s->w->bodies[b];
        speed = fmax(speed, fmax(rt_v3_norm(f->v), rt_v3_norm(f->w) * run->m->length));
    }
    open->position_rounding = 8 * rt_run_rounding(run);
    open->velocity_rounding = RT_MOTION_CLOSED * speed / run->m->length;
}

/* One step of the smallest change that meets G x = -phi, into search.x. */
static routh_status smallest_change(rt_search *s, const double *phi, routh_error *error)
{
    memset(s->x, 0, (size_t)s->m->n_u * sizeof *s->x);
    for (int r = 0; r < s->m->n_rows; r++) s->y[r] = -phi[r];
    return rt_kkt_solve(s->mass, s->x, s->y, error);
}

static routh_status stays_open(const rt_run *run, const rt_open *open, bool velocities,
                               routh_error *error)
{
    char element[192];
    const char *label;
    rt_place place;
    rt_row_describe(run->m, velocities ? open->velocity_row : open->position_row, element, &place,
                    &label);
    return rt_fail_at(error, ROUTH_NOT_ASSEMBLED, run->m->model->file, place, element,
                      "the simulation cannot satisfy the constraints: this joint stays open by "
                      "%.3g %s (\"%s\"); the mechanism is at a position where its joints lock or "
                      "contradict each other: check lengths and driving motions",
                      (velocities ? open->velocity : open->position) * run->m->length,
                      velocities ? "m/s" : "m", label);
}

routh_status rt_run_project(rt_run *run, routh_error *error)
{
    enum { MOST = 12 };
    rt_search *s = &run->search;
    const int what = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_MASS;
    double best = INFINITY;
    for (int k = 0;; k++) {
        rt_open open;
        routh_status status = rt_evaluate(run->m, s->w, s->state, what, error);
        if (status) return status;
        run->count.evaluations++;
        rt_run_open(run, &open);
        const bool placed = rt_is_closed(open.position, open.position_rounding);
        if (placed && rt_is_closed(open.velocity, open.velocity_rounding)) return ROUTH_OK;
        const double left = placed ? open.velocity : 1 + open.position;
        if (k >= MOST || (k > 2 && !(left < best))) return stays_open(run, &open, placed, error);
        best = left;
        status = rt_kkt_factor(s->mass, s->w->M, s->w->G, NULL, 0, error);
        if (!status) status = smallest_change(s, s->w->phi[placed ? 1 : 0], error);
        if (status) return status;
        if (placed)
            for (int c = 0; c < run->m->n_u; c++) s->state->u[c] += s->x[c];
        else
            rt_advance(run->m, s->state->q, s->x);
    }
}

routh_status rt_run_accelerate(rt_run *run, routh_error *error)
{
    run->count.evaluations += 3;
    return rt_find_accelerations(&run->search, error);
}

/* ---- sizes ------------------------------------------------------------ */

double rt_run_norm(const rt_run *run, const double *xi)
{
    double worst = 0;
    for (int c = 0; c < run->m->n_u; c++) {
        const double a = fabs(xi[c]) / run->search.unit[c];
        if (!(a <= worst)) worst = a; /* a NaN stays */
    }
    return worst / run->m->length;
}

double rt_run_size_x(const rt_run *run, int k)
{
    static const double least = 1e-6;
    return run->x_size[k] > 0 ? fmax(run->x_size[k], least) : 1;
}

double rt_run_norm_x(const rt_run *run, const double *x)
{
    double worst = 0;
    for (int k = 0; k < run->m->model->n_control_states; k++) {
        const double a = fabs(x[k]) / rt_run_size_x(run, k);
        if (!(a <= worst)) worst = a;
    }
    return worst;
}

/* How fast the motion at run->now changes by typical sizes, 1/s. */
static double run_fastest(const rt_run *run)
{
    return fmax(rt_run_norm(run, run->now->u), sqrt(rt_run_norm(run, run->now->udot)));
}

void rt_run_measure_states(rt_run *run)
{
    const int n_x = run->m->model->n_control_states;
    const double *x = run->now->signal, *rate = x + n_x, speed = run_fastest(run);
    for (int k = 0; k < n_x; k++) {
        const double change = speed > 0 ? fabs(rate[k]) / speed : 0;
        run->x_size[k] = fmax(run->x_size[k], fmax(fabs(x[k]), change));
    }
}

void rt_run_alert(rt_run *run)
{
    const double steps = 5 / cbrt(fmax(run->tolerance, 1e-15)); /* by a formula of order 2 */
    if (run->alert == 0) run->alert_speed = 0;
    run->alert = (int)steps;
    run->alert_speed = fmax(run->alert_speed, rt_run_norm(run, run->now->u));
}

double rt_run_first_step(const rt_run *run, int order)
{
    const rt_state *now = run->now;
    const int n_x = run->m->model->n_control_states;
    const double rate = fmax(run_fastest(run), rt_run_norm_x(run, now->signal + n_x));
    const double left = run->limit - now->t;
    double h = rate > 0 ? 0.1 * pow(run->tolerance, 1.0 / (order + 1)) / rate : INFINITY;
    h = fmin(h, run->largest_step);
    if (isfinite(left)) h = fmin(h, 1e-2 * left);
    return isfinite(h) ? h : 1e-3;
}

routh_status rt_run_fail(double t, routh_status status, routh_error *error)
{
    enum { ROOM = 64 };
    char text[ROOM + sizeof error->message];
    if (!error) return status;
    snprintf(text, sizeof text, "at t = %.9g s: %s", t, error->message);
    text[sizeof error->message - 1] = 0;
    memcpy(error->message, text, sizeof error->message);
    return status;
}
