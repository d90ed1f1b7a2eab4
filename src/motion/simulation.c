/* The public simulation: steps, events between them, and states at the times that are asked for. */
#include "motion/simulation.h"

#include <stdlib.h>

#include "operating/massless.h"

routh_simulation_options routh_simulation_defaults(void)
{
    return (routh_simulation_options){.dissipation = NAN};
}

/* ---- making ------------------------------------------------------------ */

static routh_status simulation_check_options(const routh_simulation_options *o, double start,
                                             routh_error *error)
{
    const struct {
        const char *name;
        double value;
    } sizes[] = {{"tolerance", o->tolerance}, {"step", o->step}, {"largest_step", o->largest_step}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (!(sizes[k].value >= 0) || isinf(sizes[k].value))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "the %s of the simulation is %.9g, but it must be "
                           "positive",
                           sizes[k].name, sizes[k].value);
    if (o->end != 0 && !(o->end > start))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the simulation ends at %.9g s, which is not after its start at %.9g s; "
                       "give a later end",
                       o->end, start);
    return ROUTH_OK;
}

/* What is not given as the model has it (simulate: ..), else as is usual. */
static void fill_options(routh_simulation_options *o, const rt_simulation *model)
{
    if (o->tolerance == 0) o->tolerance = model->tolerance.value;
    if (o->tolerance == 0) o->tolerance = 1e-6;
    if (o->step == 0) o->step = model->step.value;
    if (o->largest_step == 0) o->largest_step = model->largest_step.value;
    if (o->end == 0 && model->end_given) o->end = model->end.value;
}

static routh_status find_integrator(const routh_mechanism *m, const char *wanted,
                                    const rt_integrator **integrator, routh_error *error)
{
    const rt_simulation *model = &m->model->simulation;
    if (wanted || !model->integrator) return rt_integrator_find(wanted, integrator, error);
    routh_error reason = {0};
    const routh_status status = rt_integrator_find(model->integrator, integrator, &reason);
    if (!status) return ROUTH_OK;
    return rt_fail_at(error, status, m->model->file, model->integrator_place, "simulate", "%s",
                      reason.message);
}

static routh_status simulation_create(routh_simulation *s, const routh_mechanism *m,
                                      const routh_operating_point *point, routh_error *error)
{
    const rt_integrator *integrator;
    routh_simulation_options *o = &s->options;
    fill_options(o, &m->model->simulation);
    routh_status status = simulation_check_options(o, point->state->t, error);
    if (!status) status = find_integrator(m, o->integrator, &integrator, error);
    if (!status) status = rt_state_create(&s->shown, m, error);
    if (status) return status;
    s->run = (rt_run){.m = m,
                      .tolerance = o->tolerance,
                      .fixed_step = o->step,
                      .largest_step = o->largest_step > 0 ? o->largest_step : INFINITY,
                      .limit = o->end != 0 ? o->end : INFINITY,
                      .dissipation = o->dissipation};
    s->run.count.smallest_step = INFINITY;
    status = rt_run_create(&s->run, integrator, point->state, error);
    if (!status) status = rt_foresight_create(&s->foresight, m, error);
    if (!status) status = rt_events_create(&s->events, m, error);
    if (!status) status = rt_events_begin(&s->events, &s->run, error);
    if (!status) rt_state_copy(m, s->shown, s->run.now);
    return status;
}

routh_status routh_simulation_create(routh_simulation **simulation, const routh_mechanism *m,
                                     const routh_operating_point *point,
                                     const routh_simulation_options *options, routh_error *error)
{
    *simulation = NULL;
    routh_simulation *s = calloc(1, sizeof *s);
    if (!s) return rt_fail_memory(error);
    s->options = options ? *options : routh_simulation_defaults();
    routh_status status = rt_refuse_massless_point(m, point, "a simulation", error);
    if (!status) status = simulation_create(s, m, point, error);
    if (status)
        routh_simulation_free(s);
    else
        *simulation = s;
    return status;
}

void routh_simulation_free(routh_simulation *s)
{
    if (!s) return;
    rt_events_release(&s->events);
    rt_foresight_release(&s->foresight);
    rt_run_release(&s->run);
    rt_state_free(s->shown);
    free(s);
}

/* ---- going on ------------------------------------------------------------ */

static void count_step(rt_run *run)
{
    const double h = run->now->t - run->before->t;
    run->count.smallest_step = fmin(run->count.smallest_step, h);
    run->count.largest_step = fmax(run->count.largest_step, h);
}

/* The state at t, complete, into s->shown; evaluated in the run's workspace. */
static routh_status show(routh_simulation *s, double t, routh_error *error)
{
    rt_run *run = &s->run;
    rt_open open;
    const routh_status status = rt_run_show(run, t, error);
    if (status) return status;
    rt_run_open(run, &open);
    run->count.position_error = fmax(run->count.position_error, open.position * run->m->length);
    run->count.velocity_error = fmax(run->count.velocity_error, open.velocity * run->m->length);
    rt_state_copy(run->m, s->shown, run->search.state);
    return ROUTH_OK;
}

/* One step that felt all that the switches did in it. */
static routh_status step_and_look(routh_simulation *s, routh_error *error)
{
    rt_run *run = &s->run;
    s->events.again = 0;
    for (bool blind = true; blind;) {
        const double limit = run->limit, seen = rt_foresight_limit(&s->foresight, run);
        if (seen < limit) rt_run_alert(run);
        run->limit = fmin(seen, s->events.until);
        routh_status status = run->integrator->step(run, error);
        run->limit = limit;
        if (!status) status = rt_events_look(&s->events, run, &blind, error);
        if (!status && blind) status = rt_events_retreat(&s->events, run, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status simulation_take_step(routh_simulation *s, routh_error *error)
{
    rt_run *run = &s->run;
    const routh_status status = step_and_look(s, error);
    if (status) return status;
    count_step(run);
    rt_run_measure_states(run);
    if (!s->options.on_step) return ROUTH_OK;
    const routh_progress progress = {run->now->t, run->now->t - run->before->t, run->count.steps,
                                     run->count.rejected};
    if (s->options.on_step(s->options.data, &progress)) s->stopped = true;
    return ROUTH_OK;
}

/* What waits at events.time. */
static routh_status happen(routh_simulation *s, routh_error *error)
{
    return rt_events_happen(&s->events, &s->run, s->options.on_event, s->options.data, &s->stopped,
                            error);
}

routh_status routh_simulation_advance(routh_simulation *s, double time, routh_error *error)
{
    rt_run *run = &s->run;
    if (!(time >= s->shown->t))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the simulation is at %.9g s and cannot go back to %.9g s; give increasing "
                       "times",
                       s->shown->t, time);
    if (time > run->limit)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the simulation ends at %.9g s and cannot continue to %.9g s; give a later "
                       "end",
                       run->limit, time);
    while (!s->stopped && fmin(run->now->t, s->events.time) < time) {
        const routh_status status =
            s->events.time < time ? happen(s, error) : simulation_take_step(s, error);
        if (status) return status;
    }
    return show(s, fmin(time, fmin(run->now->t, s->events.time)), error);
}

/* ---- where it is ------------------------------------------------------------ */

double routh_simulation_time(const routh_simulation *s) { return s->shown->t; }

int routh_simulation_stopped(const routh_simulation *s) { return s->stopped; }

void routh_simulation_statistics(const routh_simulation *s, routh_statistics *statistics)
{
    *statistics = s->run.count;
    if (statistics->steps == 0) statistics->smallest_step = 0;
}

routh_status routh_simulation_point(const routh_simulation *s, routh_operating_point **point,
                                    routh_error *error)
{
    return rt_point_from_state(point, s->run.m, s->shown, NULL, error);
}

const rt_state *rt_simulation_state(const routh_simulation *s) { return s->shown; }
