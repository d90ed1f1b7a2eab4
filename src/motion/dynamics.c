/* x' = f(t, x, u) by coordinate partitioning (partition.h), for callers with integrators of their
 * own: the way from the x that was evaluated last is gone in parts that no angle and no branch of
 * the configurations is lost in. */
#include "routh/dynamics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "motion/partition.h"
#include "operating/massless.h"

static const double LONGEST_PART = 0.5; /* rad, or typical lengths */
enum { MOST_PARTS = 100000, NAME_ROOM = 256 };

struct routh_dynamics {
    rt_run run; /* run.now: the start */
    rt_partition *partition;
    rt_arena arena;
    rt_state *last; /* where it was evaluated last */
    int n, n_coordinates;
    double *start, *x, *part; /* n each: x of run.now and of last; on the way */
    routh_dynamics_state *state;
};

/* ---- a run without an integrator ------------------------------------------------------------- */

static routh_status dynamics_nothing(rt_run *run, routh_error *error)
{
    (void)run, (void)error;
    return ROUTH_OK;
}

static void dynamics_free_nothing(rt_run *run) { (void)run; }

static const rt_integrator without_integrator = {
    .name = "none",
    .create = dynamics_nothing,
    .free = dynamics_free_nothing,
    .begin = dynamics_nothing,
};

/* ---- names ----------------------------------------------------------------------------------- */

/* "rod.rx"; of coordinates that bodies share "rod.angle", "rod.shift2" where one body has more. */
static void name_column(const routh_mechanism *m, int column, char name[NAME_ROOM],
                        const char **unit)
{
    static const char *const components[] = {"x", "y", "z", "rx", "ry", "rz", "r"};
    const int elastic = rt_elastic_of_column(m, column);
    int body, component;
    bool angle;
    double per_radian;
    rt_column(m, column, &body, &angle, &per_radian);
    *unit = angle ? "rad" : "m";
    const char *owner = m->model->bodies[body].name;
    if (elastic >= 0) {
        const rt_elastic *e = rt_elastic_coordinate(m, elastic, &body);
        if (e->kind == RT_ELASTIC_AMPLITUDE) *unit = "";
        snprintf(name, NAME_ROOM, "%.120s.%.120s", m->model->bodies[body].name, e->name);
        return;
    }
    if (!m->joined) {
        m->set->column(m->model, column, &body, &component);
        snprintf(name, NAME_ROOM, "%.120s.%s", owner, components[component < 6 ? component : 6]);
        return;
    }
    int before = 0;
    for (int c = 0; c < column; c++)
        before += m->joined->column_body[c] == body && m->joined->angle[c] == angle;
    snprintf(name, NAME_ROOM, before ? "%.120s.%s%d" : "%.120s.%s", owner,
             angle ? "angle" : "shift", before + 1);
}

static routh_status dynamics_name_states(routh_dynamics *d, routh_error *error)
{
    const routh_mechanism *m = d->run.m;
    d->state = RT_TAKE(&d->arena, routh_dynamics_state, d->n);
    if (!d->state) return rt_fail_memory(error);
    for (int k = 0; k < d->n; k++) {
        char name[NAME_ROOM], unit[32];
        const char *own = NULL;
        const int column = rt_partition_column(d->partition, k);
        if (column < 0) {
            const rt_control_state *x =
                &m->model->control_states[k - (d->n - m->model->n_control_states)];
            d->state[k] = (routh_dynamics_state){x->name, x->unit ? x->unit : ""};
            continue;
        }
        name_column(m, column, name, &own);
        const bool rate = k >= d->n_coordinates;
        snprintf(unit, sizeof unit, "%s%s", rate && !*own ? "1" : own, rate ? "/s" : "");
        if (rate) strncat(name, "'", 2);
        d->state[k].name = rt_arena_text(&d->arena, name, strlen(name));
        d->state[k].unit = rt_arena_text(&d->arena, unit, strlen(unit));
        if (!d->state[k].name || !d->state[k].unit) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

/* ---- making ---------------------------------------------------------------------------------- */

static void forget_the_way(routh_dynamics *d)
{
    rt_state_copy(d->run.m, d->last, d->run.now);
    memcpy(d->x, d->start, (size_t)d->n * sizeof *d->x);
}

static routh_status dynamics_create(routh_dynamics *d, const routh_mechanism *m,
                                    const routh_operating_point *point, routh_error *error)
{
    d->run = (rt_run){.m = m, .tolerance = 1e-6, .largest_step = INFINITY, .limit = INFINITY};
    routh_status status = rt_run_create(&d->run, &without_integrator, point->state, error);
    if (!status) status = rt_partition_create(&d->partition, &d->run, error);
    if (!status) status = rt_partition_choose(d->partition, &d->run, error);
    if (!status) status = rt_partition_start(d->partition, &d->run, d->run.now, error);
    if (!status) status = rt_state_create(&d->last, m, error);
    if (status) return status;
    d->n = rt_partition_size(d->partition);
    d->n_coordinates = rt_partition_n_positions(d->partition);
    d->start = RT_TAKE(&d->arena, double, d->n + 1);
    d->x = RT_TAKE(&d->arena, double, d->n + 1);
    d->part = RT_TAKE(&d->arena, double, d->n + 1);
    if (!d->start || !d->x || !d->part) return rt_fail_memory(error);
    status = rt_evaluate(m, d->run.search.w, d->run.search.state,
                         RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (status) return status;
    rt_partition_take(d->partition, &d->run, d->start);
    forget_the_way(d);
    return dynamics_name_states(d, error);
}

routh_status routh_dynamics_create(routh_dynamics **dynamics, const routh_mechanism *mechanism,
                                   const routh_operating_point *point, routh_error *error)
{
    if (!dynamics) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the place for the dynamics is NULL");
    *dynamics = NULL;
    if (!mechanism || !point)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "the mechanism or the operating point is NULL");
    routh_status status = rt_refuse_massless_point(mechanism, point, "the dynamics", error);
    if (status) return status;
    routh_dynamics *d = calloc(1, sizeof *d);
    if (!d) return rt_fail_memory(error);
    status = dynamics_create(d, mechanism, point, error);
    if (status)
        routh_dynamics_free(d);
    else
        *dynamics = d;
    return status;
}

void routh_dynamics_free(routh_dynamics *d)
{
    if (!d) return;
    rt_partition_free(d->partition);
    rt_state_free(d->last);
    if (d->run.m) rt_run_release(&d->run);
    rt_arena_free(&d->arena);
    free(d);
}

int routh_dynamics_n_states(const routh_dynamics *d) { return d->n; }

int routh_dynamics_n_coordinates(const routh_dynamics *d) { return d->n_coordinates; }

const routh_dynamics_state *routh_dynamics_get_state(const routh_dynamics *d, int k)
{
    return k >= 0 && k < d->n ? &d->state[k] : NULL;
}

static double *input_in(const routh_dynamics *d, const rt_state *state, int k, int level)
{
    const rt_quantity input = {.kind = RT_QUANTITY_INPUT, .index = k};
    const size_t place = (size_t)rt_signal_place(d->run.m->model, &input);
    return &state->signal[(size_t)level * (size_t)d->run.m->n_signals + place];
}

void routh_dynamics_start(const routh_dynamics *d, double *t, double *x, double *u)
{
    if (t) *t = d->run.now->t;
    if (x) memcpy(x, d->start, (size_t)d->n * sizeof *x);
    for (int k = 0; u && k < d->run.m->model->n_inputs; k++) u[k] = *input_in(d, d->run.now, k, 0);
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* Into run.search.state; u NULL: as at the start. */
static void set_inputs(const routh_dynamics *d, const double *u)
{
    rt_state *state = d->run.search.state;
    for (int k = 0; k < d->run.m->model->n_inputs; k++) {
        for (int level = 0; level < 3; level++)
            *input_in(d, state, k, level) = !u      ? *input_in(d, d->run.now, k, level)
                                            : level ? 0
                                                    : u[k];
        state->held[k] = u || d->run.now->held[k];
    }
}

/* In how many parts the way from the last x is gone. */
static int count_moved_parts(const routh_dynamics *d, const double *x)
{
    double longest = 0;
    for (int k = 0; k < d->n_coordinates; k++) {
        const double unit = d->run.search.unit[rt_partition_column(d->partition, k)];
        longest = fmax(longest, fabs(x[k] - d->x[k]) / (unit * d->run.m->length));
    }
    const double n = ceil(longest / LONGEST_PART);
    return n < MOST_PARTS ? (int)fmax(n, 1) : MOST_PARTS;
}

/* Angles that count turns, and rotation vectors, go on from the state that was found. */
static routh_status keep_turns(routh_dynamics *d, routh_error *error)
{
    rt_search *s = &d->run.search;
    if (d->run.m->model->n_angles == 0 && !d->run.twists) return ROUTH_OK;
    rt_evaluate_frames(d->run.m, s->w, s->state);
    rt_angles_settle(d->run.m, s->w, s->state, true);
    return rt_run_check_twists(&d->run, error);
}

/* x' from the last x on, in n parts; run.search.state is then complete. */
static routh_status dynamics_go_to(routh_dynamics *d, double t, const double *x, const double *u,
                                   int n, double *rate, routh_error *error)
{
    rt_run *run = &d->run;
    const double from = d->last->t;
    routh_status status = rt_partition_start(d->partition, run, d->last, error);
    set_inputs(d, u);
    if (!status && run->twists) {
        rt_evaluate_frames(run->m, run->search.w, run->search.state);
        rt_run_note_twists(run);
    }
    for (int j = 1; j < n && !status; j++) {
        const double share = (double)j / n;
        for (int k = 0; k < d->n; k++) d->part[k] = d->x[k] + share * (x[k] - d->x[k]);
        status = rt_partition_place(d->partition, run, from + share * (t - from), d->part, error);
        if (!status) status = keep_turns(d, error);
    }
    if (!status) status = rt_partition_rate(d->partition, run, t, x, rate, error);
    return status ? status : keep_turns(d, error);
}

static routh_status check_numbers(const routh_dynamics *d, double t, const double *x,
                                  const double *u, routh_error *error)
{
    if (!d || !x) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the dynamics or x is NULL");
    if (!isfinite(t)) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the time is not finite");
    for (int k = 0; k < d->n; k++)
        if (!isfinite(x[k]))
            return rt_fail(error, ROUTH_BAD_ARGUMENT, "x: the state %.100s is not finite",
                           d->state[k].name);
    for (int k = 0; u && k < d->run.m->model->n_inputs; k++)
        if (!isfinite(u[k]))
            return rt_fail(error, ROUTH_BAD_ARGUMENT, "u: the input %.100s is not finite",
                           d->run.m->model->inputs[k].name);
    return ROUTH_OK;
}

/* From the last x, else anew from the point by shorter parts. */
static routh_status dynamics_find_rate(routh_dynamics *d, double t, const double *x,
                                       const double *u, double *rate, routh_error *error)
{
    routh_error reason = {0};
    routh_status status = check_numbers(d, t, x, u, error);
    if (status) return status;
    status = dynamics_go_to(d, t, x, u, count_moved_parts(d, x), rate, &reason);
    if (status && status != ROUTH_OUT_OF_MEMORY) {
        forget_the_way(d);
        status = dynamics_go_to(d, t, x, u, 4 * count_moved_parts(d, x), rate, &reason);
    }
    if (status) {
        forget_the_way(d);
        return rt_fail(error, status,
                       "the states do not lead to a motion here, at t = %.9g s: %.300s; make the "
                       "dynamics anew at an operating point nearby, or in other coordinates",
                       t, reason.message);
    }
    rt_state_copy(d->run.m, d->last, d->run.search.state);
    memcpy(d->x, x, (size_t)d->n * sizeof *x);
    return ROUTH_OK;
}

routh_status routh_dynamics_evaluate(routh_dynamics *dynamics, double t, const double *x,
                                     const double *u, double *rate, routh_error *error)
{
    if (!rate) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the place for the rates is NULL");
    return dynamics_find_rate(dynamics, t, x, u, rate, error);
}

routh_status routh_dynamics_point(routh_dynamics *d, double t, const double *x, const double *u,
                                  routh_operating_point **point, routh_error *error)
{
    if (!point) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the place for the point is NULL");
    *point = NULL;
    const routh_status status = dynamics_find_rate(d, t, x, u, d ? d->part : NULL, error);
    return status ? status : rt_point_from_state(point, d->run.m, d->last, NULL, error);
}
