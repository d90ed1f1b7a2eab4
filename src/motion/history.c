/* A recorded run: records at equal intervals, in blocks; after each block the run can be taken up
 * again (routh_simulation_keep): factors are made anew there, in an unbroken run too. */
#include "motion/history_writer.h"

#include <stdlib.h>

#include "base/save.h"
#include "operating/massless.h"

routh_history_options routh_history_defaults(void)
{
    return (routh_history_options){.simulate = routh_simulation_defaults()};
}

enum { USUAL_BLOCK = 64, USUAL_RECORDS = 500 };

typedef struct recording {
    const routh_history_options *options;
    const routh_mechanism *m;
    const routh_operating_point *point;
    const rt_history_writer *writer;
    void *file; /* the writer's own */
    routh_simulation *simulation;
    routh_channels *channels;
    rt_history_head head;
    rt_history_past past;
    long most;       /* records of the whole run */
    long records;    /* so far */
    int in_block;    /* of them not yet written */
    double *block;   /* head.block x width */
    double *numbers; /* to take the run up from */
    routh_history_summary *summary;
    bool interrupted;
    routh_status event_status; /* of the first event that could not be written */
    routh_status run_status;   /* of the integration */
    routh_error *run_error;
} recording;

static bool history_tell(recording *r, double time, long steps)
{
    const routh_history_progress progress = {r->head.start, time, r->head.end, r->records, steps};
    if (!r->interrupted && r->options->on_progress)
        r->interrupted = r->options->on_progress(r->options->data, &progress) != 0;
    return r->interrupted;
}

static int on_step(void *data, const routh_progress *progress)
{
    return history_tell(data, progress->time, progress->steps);
}

static void on_event(void *data, const routh_event *event)
{
    recording *r = data;
    if (!r->event_status) r->event_status = r->writer->event(r->file, event, r->run_error);
}

/* ---- the order of things ------------------------------------------------------------ */

static routh_status write_block(recording *r, routh_error *error)
{
    const int n = r->in_block;
    r->in_block = 0;
    return n > 0 ? r->writer->append(r->file, r->block, n, error) : ROUTH_OK;
}

/* The run goes on from what is written only: from the numbers and the last record. */
static routh_status history_keep(recording *r, routh_error *error)
{
    const double *last = r->block + (size_t)(r->head.block - 1) * (size_t)r->channels->width;
    rt_channels_renew(r->channels, last);
    routh_status status = routh_simulation_keep(r->simulation, r->numbers, error);
    return status ? status : r->writer->keep(r->file, r->numbers, error);
}

static double time_of(const recording *r, long k)
{
    return fmin(r->head.start + (double)k * r->head.every, r->head.end);
}

/* The records that were taken over, written as they were the first time. */
static routh_status write_past(recording *r, routh_error *error)
{
    const size_t width = (size_t)r->channels->width;
    const int block = r->head.block;
    routh_status status = ROUTH_OK;
    long event = 0;
    for (long k = 0; k < r->past.n_records && !status; k += block) {
        const double *records = r->past.records + (size_t)k * width;
        const double until = records[(size_t)(block - 1) * width];
        for (; event < r->past.n_events && r->past.events[event].time <= until && !status; event++)
            status = r->writer->event(
                r->file,
                &(routh_event){.name = r->past.events[event].name,
                               .what = r->past.events[event].what,
                               .time = r->past.events[event].time,
                               .direction = r->past.events[event].direction,
                               .action = (routh_event_action)r->past.events[event].action},
                error);
        if (!status) status = r->writer->append(r->file, records, block, error);
        if (!status) status = r->writer->keep(r->file, r->past.numbers, error);
        if (!status) rt_channels_renew(r->channels, records + (size_t)(block - 1) * width);
    }
    if (status || r->past.n_records == 0) return status;
    r->records = r->past.n_records;
    return routh_simulation_resume(r->simulation, r->past.numbers, error);
}

/* One more record; false: the run is at its end. */
static routh_status history_add_record(recording *r, bool *more, routh_error *error)
{
    const double t = time_of(r, r->records);
    routh_status status = routh_simulation_advance(r->simulation, t, error);
    if (status) return status;
    const bool stopped = routh_simulation_stopped(r->simulation);
    double *record = r->block + (size_t)r->in_block * (size_t)r->channels->width;
    status = routh_channels_read(r->channels, r->simulation, record, error);
    if (status) return status;
    r->records++, r->in_block++;
    *more = !stopped && r->records < r->most;
    return ROUTH_OK;
}

static routh_status history_go_on(recording *r, routh_error *error)
{
    bool more = r->records < r->most;
    while (more) {
        r->run_status = history_add_record(r, &more, r->run_error);
        if (!r->run_status) r->run_status = r->event_status;
        if (r->run_status) break;
        history_tell(r, r->simulation->shown->t, r->simulation->run.count.steps);
        if (r->interrupted) more = false;
        if (r->in_block < r->head.block) continue;
        routh_status status = write_block(r, error);
        if (!status && more) status = history_keep(r, error);
        if (status) return status;
    }
    return write_block(r, error);
}

static void history_sum_up(recording *r)
{
    *r->summary = (routh_history_summary){.start = r->head.start,
                                          .end = r->simulation->shown->t,
                                          .records = r->records,
                                          .resumed_from = r->past.n_records,
                                          .interrupted = r->interrupted,
                                          .failed = r->run_status != ROUTH_OK,
                                          .stopped = !r->interrupted && r->simulation->stopped};
    routh_simulation_statistics(r->simulation, &r->summary->statistics);
}

/* Fills the file of that name with the whole run. */
static routh_status history_fill(void *context, int fd, const char *name, routh_error *error)
{
    recording *r = context;
    (void)fd;
    routh_status status = r->writer->create(&r->file, name, &r->head, error);
    if (!status) status = write_past(r, error);
    if (!status) status = history_go_on(r, error);
    if (!status) history_sum_up(r);
    if (!status) status = r->writer->finish(r->file, r->summary, error);
    r->writer->close(r->file);
    r->file = NULL;
    return status;
}

/* ---- beginning ------------------------------------------------------------ */

static routh_status check_times(const recording *r, routh_error *error)
{
    const rt_history_head *h = &r->head;
    if (!(h->end > h->start) || isinf(h->end))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the simulation has no end after its start at %.9g s; give it (--end TIME), "
                       "or write simulate: {end: ..} in the model",
                       h->start);
    if (!(h->every > 0))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the interval between records is %.9g s, but it must be positive "
                       "(--every)",
                       h->every);
    if (h->every > (h->end - h->start) * (1 + 1e-9))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the interval between records is %.9g s, but the run from %.9g to %.9g s is "
                       "shorter; give a shorter interval (--every), or a later end",
                       h->every, h->start, h->end);
    if ((h->end - h->start) / h->every > 1e8)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "a record every %.3g s from %.9g to %.9g s is more than 100 million "
                       "records; give a longer interval (--every)",
                       h->every, h->start, h->end);
    return ROUTH_OK;
}

static routh_status history_plan(recording *r, routh_error *error)
{
    const routh_history_options *o = r->options;
    rt_history_head *h = &r->head;
    h->start = r->point->state->t;
    const rt_simulation *model = &r->m->model->simulation;
    h->end = o->end != 0 ? o->end : model->end_given ? model->end.value : h->start;
    h->every = o->every != 0            ? o->every
               : model->every.value > 0 ? model->every.value
                                        : (h->end - h->start) / USUAL_RECORDS;
    h->block = o->block > 0 ? o->block : USUAL_BLOCK;
    h->groups = o->groups ? o->groups : "";
    const routh_status status = check_times(r, error);
    if (!status) r->most = (long)floor((h->end - h->start) / h->every * (1 + 1e-12) + 1e-9) + 1;
    return status;
}

static routh_status history_begin(recording *r, routh_error *error)
{
    routh_simulation_options simulate = r->options->simulate;
    simulate.end = r->head.end;
    simulate.on_step = on_step;
    simulate.on_event = on_event;
    simulate.data = r;
    routh_status status = routh_simulation_create(&r->simulation, r->m, r->point, &simulate, error);
    if (!status) status = routh_channels_create(&r->channels, r->m, r->options->groups, error);
    if (status) return status;
    const rt_run *run = &r->simulation->run;
    rt_history_head *h = &r->head;
    h->channels = r->channels;
    h->model = r->m->model;
    h->coordinates = r->m->coordinates;
    h->integrator = run->integrator->name;
    h->tolerance = run->tolerance;
    h->fixed_step = run->fixed_step;
    h->largest_step = run->largest_step;
    h->dissipation = run->dissipation;
    h->n_numbers = routh_simulation_memory(r->simulation);
    r->block =
        malloc(((size_t)h->block * (size_t)r->channels->width + h->n_numbers) * sizeof *r->block);
    if (!r->block) return rt_fail_memory(error);
    r->numbers = r->block + (size_t)h->block * (size_t)r->channels->width;
    return ROUTH_OK;
}

static routh_status record(recording *r, routh_error *error)
{
    const routh_history_options *o = r->options;
    if (!o->file)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the simulation has no output file; give one "
                       "(--output FILE)");
    routh_status status = rt_history_writer_find(o->file, &r->writer, error);
    if (!status) status = history_plan(r, error);
    if (!status) status = history_begin(r, error);
    if (!status && o->resume && !r->writer->resumes)
        status = rt_fail(error, ROUTH_NOT_SUPPORTED,
                         "%s cannot be resumed, because it is not an HDF5 file; record to a file "
                         "that ends in .h5",
                         o->file);
    if (!status && o->resume) status = rt_history_read_past(o->file, &r->head, &r->past, error);
    if (!status) status = rt_save(o->file, history_fill, r, error);
    return status ? status : r->run_status;
}

routh_status routh_history_run(const routh_mechanism *m, const routh_operating_point *point,
                               const routh_history_options *options, routh_history_summary *summary,
                               routh_error *error)
{
    routh_history_summary unused;
    const routh_history_options usual = routh_history_defaults();
    recording r = {.m = m,
                   .point = point,
                   .options = options ? options : &usual,
                   .summary = summary ? summary : &unused,
                   .run_error = error};
    routh_status status = rt_refuse_massless_point(m, point, "a simulation", error);
    if (!status) status = record(&r, error);
    rt_history_past_free(&r.past);
    routh_channels_free(r.channels);
    routh_simulation_free(r.simulation);
    free(r.block);
    return status;
}
