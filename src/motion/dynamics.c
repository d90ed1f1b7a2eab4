/* x' = f(t, x, u) by coordinate partitioning (partition.h), for callers with integrators of their
 * own, on the way from the x that was evaluated last (way.h). */
#include "routh/dynamics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "motion/way.h"
#include "operating/massless.h"

enum { NAME_ROOM = 256 };

struct routh_dynamics {
    rt_run run; /* run.now: the start */
    rt_partition *partition;
    rt_way *way;
    rt_arena arena;
    rt_state *last; /* where it was evaluated last */
    int n, n_coordinates;
    double *start, *x, *rate; /* n each: x of run.now and of last; of a point */
    int *given;   /* n_inputs: does u give it? */
    bool chosen;  /* that counts; else it gives all */
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

/* "x", "rx", "e0" */
static const char *name_component(const rt_coordinate_set *set, int component, const char **unit)
{
    static const char *const components[] = {"x", "y", "z", "rx", "ry", "rz"};
    if (component < 3 || !set->component_names) return components[component];
    *unit = set->component_unit;
    return set->component_names[component - 3];
}

/* "rod.rx"; of coordinates that bodies share "rod.angle", "rod.shift2" where one body has more. */
static void name_column(const routh_mechanism *m, int column, char name[NAME_ROOM],
                        const char **unit)
{
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
        snprintf(name, NAME_ROOM, "%.120s.%s", owner, name_component(m->set, component, unit));
        return;
    }
    if (m->joined->set->describe) {
        char what[NAME_ROOM / 4];
        m->joined->set->describe(m->joined, column, what, sizeof what, unit);
        snprintf(name, NAME_ROOM, "%.120s.%s", owner, what);
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
    rt_way_stand(d->way, false);
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
    if (!status) status = rt_way_create(&d->way, &d->run, d->partition, error);
    if (!status) status = rt_state_create(&d->last, m, error);
    if (status) return status;
    d->n = rt_partition_size(d->partition);
    d->n_coordinates = rt_partition_n_positions(d->partition);
    d->start = RT_TAKE(&d->arena, double, d->n + 1);
    d->x = RT_TAKE(&d->arena, double, d->n + 1);
    d->rate = RT_TAKE(&d->arena, double, d->n + 1);
    d->given = RT_TAKE(&d->arena, int, m->model->n_inputs + 1);
    if (!d->given || !d->start || !d->x || !d->rate) return rt_fail_memory(error);
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
    rt_way_free(d->way);
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

static const double *input_in(const routh_dynamics *d, const rt_state *state, int k)
{
    const rt_quantity input = {.kind = RT_QUANTITY_INPUT, .index = k};
    return &state->signal[rt_signal_place(d->run.m->model, &input)];
}

void routh_dynamics_start(const routh_dynamics *d, double *t, double *x, double *u)
{
    if (t) *t = d->run.now->t;
    if (x) memcpy(x, d->start, (size_t)d->n * sizeof *x);
    for (int k = 0; u && k < d->run.m->model->n_inputs; k++) u[k] = *input_in(d, d->run.now, k);
}

routh_status routh_dynamics_inputs(routh_dynamics *d, double t, double *u, routh_error *error)
{
    rt_state *state = d->run.before; /* of no use where nothing integrates */
    rt_state_copy(d->run.m, state, d->run.now);
    const routh_status status = rt_run_time(&d->run, state, t, error);
    for (int k = 0; !status && k < d->run.m->model->n_inputs; k++) u[k] = *input_in(d, state, k);
    return status;
}

routh_status routh_dynamics_choose_inputs(routh_dynamics *d, const int *given, routh_error *error)
{
    (void)error;
    d->chosen = given;
    if (given) memcpy(d->given, given, (size_t)d->run.m->model->n_inputs * sizeof *d->given);
    return ROUTH_OK;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* x' from the last x on; run.search.state is then complete. */
static routh_status dynamics_go_to(routh_dynamics *d, double t, const double *x, const double *u,
                                   double *rate, routh_error *error)
{
    const rt_way_end to = {.t = t, .y = x, .u = u, .given = d->chosen ? d->given : NULL};
    routh_status status = rt_way_go(d->way, d->last, d->x, &to, error);
    if (!status) status = rt_partition_rate_there(d->partition, &d->run, x, rate, error);
    return status ? status : rt_way_settle(&d->run, error);
}

/* Of a tree in the coordinates of its joints every way leads to the same configuration: where none
 * leads from the last x, as after an integration that ran away, the way from the start is tried. */
static routh_status go_from_anywhere(routh_dynamics *d, double t, const double *x, const double *u,
                                     double *rate, routh_error *error)
{
    const routh_status status = dynamics_go_to(d, t, x, u, rate, error);
    const bool one = rt_partition_is_direct(d->partition) && !d->run.twists;
    if (status != ROUTH_NUMERIC_ERROR || !one) return status;
    routh_error second = {0};
    forget_the_way(d);
    return dynamics_go_to(d, t, x, u, rate, &second) ? status : ROUTH_OK;
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

static bool is_the_start(const routh_dynamics *d, double t, const double *x)
{
    bool same = t == d->run.now->t;
    for (int k = 0; k < d->n && same; k++) same = x[k] == d->start[k];
    return same;
}

static routh_status dynamics_find_rate(routh_dynamics *d, double t, const double *x,
                                       const double *u, double *rate, routh_error *error)
{
    routh_error reason = {0};
    routh_status status = check_numbers(d, t, x, u, error);
    if (status) return status;
    if (is_the_start(d, t, x)) forget_the_way(d);
    status = go_from_anywhere(d, t, x, u, rate, &reason);
    if (status) {
        rt_way_stand(d->way, false);
        return rt_fail(error, status,
                       "the states do not lead to a motion here, at t = %.9g s: %.300s; make the "
                       "dynamics anew at an operating point nearby, or in other coordinates",
                       t, reason.message);
    }
    rt_state_copy(d->run.m, d->last, d->run.search.state);
    memcpy(d->x, x, (size_t)d->n * sizeof *d->x);
    rt_way_stand(d->way, true);
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
    const routh_status status = dynamics_find_rate(d, t, x, u, d ? d->rate : NULL, error);
    return status ? status : rt_point_from_state(point, d->run.m, d->last, NULL, error);
}
