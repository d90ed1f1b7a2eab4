/* Numbers to go on from: everything that the rest of a run depends on. */
#include "motion/simulation.h"

/* Its inputs that an event holds (held) are numbers too. */
static size_t state_size(const routh_mechanism *m)
{
    return 1 + (size_t)m->n_q + 2 * (size_t)m->n_u + (size_t)m->n_rows + 3 * (size_t)m->n_signals +
           rt_count_near(m);
}

/* Numbers that are not of the state: the step, whether it was stopped, the counts. */
enum { N_COUNTS = 11, N_OTHERS = 5 + N_COUNTS };

/* Of an integrator that goes on as if unbroken: both ends of its last step, the events that are
 * looked for, and its own. */
static size_t memory_of_steps(const routh_simulation *s)
{
    const rt_integrator *integrator = s->run.integrator;
    if (!integrator->memory) return 0;
    return 2 * state_size(s->run.m) + rt_events_memory(&s->events) + integrator->memory(&s->run);
}

size_t routh_simulation_memory(const routh_simulation *s)
{
    const routh_model *model = s->run.m->model;
    return N_OTHERS + (size_t)(model->n_control_states + s->foresight.n + model->n_inputs) +
           state_size(s->run.m) + memory_of_steps(s);
}

/* The parts of a state in their order; `step` copies one of them and moves on. */
static double *keep_walk(const routh_mechanism *m, rt_state *state, double *numbers,
                         void (*step)(double *numbers, double *part, size_t n))
{
    double *const parts[] = {&state->t,     state->q,      state->u,   state->udot,
                             state->lambda, state->signal, state->near};
    const size_t sizes[] = {1,
                            (size_t)m->n_q,
                            (size_t)m->n_u,
                            (size_t)m->n_u,
                            (size_t)m->n_rows,
                            3 * (size_t)m->n_signals,
                            rt_count_near(m)};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; numbers += sizes[k++])
        step(numbers, parts[k], sizes[k]);
    return numbers;
}

static void write_part(double *numbers, double *part, size_t n)
{
    memcpy(numbers, part, n * sizeof *part);
}

static void read_part(double *numbers, double *part, size_t n)
{
    memcpy(part, numbers, n * sizeof *part);
}

static void keep_hold_inputs(const routh_mechanism *m, const double *held, rt_state *state)
{
    for (int k = 0; k < m->model->n_inputs; k++) state->held[k] = held[k] != 0;
}

/* Begins anew at the state that is shown. */
static routh_status keep_begin_here(routh_simulation *s, routh_error *error)
{
    rt_run *run = &s->run;
    rt_state_copy(run->m, run->now, s->shown);
    const routh_status status = rt_run_begin(run, error);
    return status ? status : rt_events_begin(&s->events, run, error);
}

static void keep_steps(routh_simulation *s, double *numbers)
{
    rt_run *run = &s->run;
    numbers = keep_walk(run->m, run->before, numbers, write_part);
    numbers = keep_walk(run->m, run->now, numbers, write_part);
    rt_events_keep(&s->events, numbers);
    run->integrator->keep(run, numbers + rt_events_memory(&s->events));
}

/* By the unbroken run too, so that both are the same to the last bit. numbers and held are only
 * read. */
static routh_status keep_go_on(routh_simulation *s, const double *numbers, const double *held,
                               routh_error *error)
{
    rt_run *run = &s->run;
    double *from = (double *)numbers; /* read_part does not write the numbers */
    from = keep_walk(run->m, run->before, from, read_part);
    from = keep_walk(run->m, run->now, from, read_part);
    keep_hold_inputs(run->m, held, run->before);
    keep_hold_inputs(run->m, held, run->now);
    rt_events_go_on(&s->events, from);
    routh_status status = rt_run_go_on(run, from + rt_events_memory(&s->events), error);
    if (status) return status;
    rt_state_copy(run->m, run->search.state, s->shown); /* the workspace is to be of it */
    status = rt_run_time(run, run->search.state, s->shown->t, error);
    return status ? status : rt_run_accelerate(run, error);
}

routh_status routh_simulation_keep(routh_simulation *s, double *numbers, routh_error *error)
{
    rt_run *run = &s->run;
    const routh_statistics *c = &run->count;
    const double others[N_OTHERS] = {(double)routh_simulation_memory(s),
                                     run->step,
                                     s->stopped,
                                     run->alert,
                                     run->alert_speed,
                                     (double)c->steps,
                                     (double)c->rejected,
                                     (double)c->iterations,
                                     (double)c->evaluations,
                                     (double)c->factorizations,
                                     (double)c->partitions,
                                     (double)c->events,
                                     c->smallest_step,
                                     c->largest_step,
                                     c->position_error,
                                     c->velocity_error};
    memcpy(numbers, others, sizeof others);
    numbers += N_OTHERS;
    const size_t n_x = (size_t)run->m->model->n_control_states;
    memcpy(numbers, run->x_size, n_x * sizeof *numbers);
    numbers += n_x;
    memcpy(numbers, s->foresight.sizes, (size_t)s->foresight.n * sizeof *numbers);
    double *held = numbers + s->foresight.n;
    for (int k = 0; k < run->m->model->n_inputs; k++) held[k] = s->shown->held[k];
    numbers = keep_walk(run->m, s->shown, held + run->m->model->n_inputs, write_part);
    if (!run->integrator->memory) return keep_begin_here(s, error);
    keep_steps(s, numbers);
    return keep_go_on(s, numbers, held, error);
}

routh_status routh_simulation_resume(routh_simulation *s, const double *numbers, routh_error *error)
{
    rt_run *run = &s->run;
    const size_t n_x = (size_t)run->m->model->n_control_states;
    const double *others = numbers, *x_size = numbers + N_OTHERS;
    const double *sizes = x_size + n_x, *held = sizes + s->foresight.n;
    if (others[0] != (double)routh_simulation_memory(s))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the saved numbers do not belong to this model, coordinate set and "
                       "integrator; start again without --resume");
    run->step = others[1];
    s->stopped = others[2] != 0;
    run->alert = (int)others[3];
    run->alert_speed = others[4];
    memcpy(run->x_size, x_size, n_x * sizeof *x_size);
    memcpy(s->foresight.sizes, sizes, (size_t)s->foresight.n * sizeof *sizes);
    keep_hold_inputs(run->m, held, s->shown);
    /* read_part does not write the numbers */
    const double *steps =
        keep_walk(run->m, s->shown, (double *)held + run->m->model->n_inputs, read_part);
    run->count = (routh_statistics){.steps = (long)others[5],
                                    .rejected = (long)others[6],
                                    .iterations = (long)others[7],
                                    .evaluations = (long)others[8],
                                    .factorizations = (long)others[9],
                                    .partitions = (long)others[10],
                                    .events = (long)others[11],
                                    .smallest_step = others[12],
                                    .largest_step = others[13],
                                    .position_error = others[14],
                                    .velocity_error = others[15]};
    return run->integrator->memory ? keep_go_on(s, steps, held, error) : keep_begin_here(s, error);
}
