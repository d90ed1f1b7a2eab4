/* The experiment: every run from two opposite starts, side by side with the undisturbed motion
 * where there is one. Half the difference of the two holds no even powers of the amplitude; half
 * their sum, less the undisturbed, tells how large these are. */
#include <math.h>
#include <string.h>

#include "studies/confirm.h"

enum { PLUS, MINUS, MIDDLE, N_SIDES };

typedef struct sides {
    int n; /* 2, or 3 with the undisturbed motion */
    routh_simulation *simulation[N_SIDES];
    rt_snapshot at[N_SIDES];
    double *channel; /* n_channels */
    rt_arena arena;
} sides;

static routh_status begin_side(rt_confirm_holder *h, const rt_experiment *e, int run, int side,
                               sides *s, routh_error *error)
{
    routh_operating_point *start = NULL;
    routh_status status = rt_snapshot_take(&s->at[side], h, &s->arena, error);
    if (status) return status;
    if (side == MIDDLE)
        return routh_simulation_create(&s->simulation[side], h->m, h->point, &e->simulate, error);
    status = rt_confirm_start(h, run, side == PLUS ? e->amplitude : -e->amplitude, &start, error);
    if (!status)
        status = routh_simulation_create(&s->simulation[side], h->m, start, &e->simulate, error);
    routh_operating_point_free(start);
    return status;
}

static routh_status confirm_simulate_advance(rt_confirm_holder *h, sides *s, double time,
                                             routh_error *error)
{
    for (int side = 0; side < s->n; side++) {
        /* the first call brings the workspace to the start */
        const routh_status status = routh_simulation_advance(s->simulation[side], time, error);
        if (status || rt_progress_stopped(&h->progress))
            return rt_progress_end(&h->progress, status, error);
        if (routh_simulation_stopped(s->simulation[side]))
            return rt_fail(error, ROUTH_NOT_SUPPORTED,
                           "an event of the model stops the simulation after %.3g s, before the "
                           "record of %.3g s is complete; give a shorter --duration, or remove the "
                           "event",
                           routh_simulation_time(s->simulation[side]) - h->point->time,
                           h->result.duration);
        rt_snapshot_fill(&s->at[side], h, s->simulation[side]);
    }
    return ROUTH_OK;
}

/* Sample k of the run. Where the motion is at rest, its middle is what it begins with. */
static void confirm_simulate_sample(rt_confirm_holder *h, rt_experiment *e, sides *s, int run,
                                    int k)
{
    const int n_channels = h->result.n_channels, n = h->result.n_samples;
    const rt_snapshot *middle = &s->at[MIDDLE];
    double *y = e->y + (size_t)run * (size_t)n_channels * (size_t)n;
    rt_snapshot_difference(h, &s->at[PLUS], &s->at[MINUS], middle, 0.5, s->channel);
    for (int c = 0; c < n_channels; c++) {
        y[(size_t)c * (size_t)n + (size_t)k] = s->channel[c];
        e->size = fmax(e->size, fabs(s->channel[c]));
    }
    rt_snapshot_difference(h, &s->at[PLUS], middle, middle, 0.5, s->channel);
    for (int c = 0; c < n_channels; c++) s->channel[c] = -s->channel[c];
    double *plus = s->channel, *minus = s->channel + n_channels;
    rt_snapshot_difference(h, &s->at[MINUS], middle, middle, 0.5, minus);
    for (int c = 0; c < n_channels; c++) e->even = fmax(e->even, fabs(minus[c] - plus[c]));
}

static routh_status one_run(rt_confirm_holder *h, rt_experiment *e, int run, sides *s,
                            routh_error *error)
{
    const bool moving = !h->linear->at_rest;
    routh_status status = ROUTH_OK;
    s->n = moving ? 3 : 2;
    for (int side = 0; side < N_SIDES && !status; side++)
        status = begin_side(h, e, run, side, s, error);
    s->channel = RT_TAKE(&s->arena, double, 2 * h->result.n_channels + 1);
    if (!status && !s->channel) status = rt_fail_memory(error);
    if (!status) status = routh_simulation_advance(s->simulation[MIDDLE], h->point->time, error);
    if (!status) rt_snapshot_fill(&s->at[MIDDLE], h, s->simulation[MIDDLE]);
    for (int k = 0; k < h->result.n_samples && !status; k++) {
        status = confirm_simulate_advance(h, s, h->point->time + k * h->result.step, error);
        if (!status) status = rt_progress_ask(&h->progress, 1, error);
        if (!status) confirm_simulate_sample(h, e, s, run, k);
    }
    for (int side = 0; side < N_SIDES; side++) {
        routh_statistics count = {0};
        if (s->simulation[side]) routh_simulation_statistics(s->simulation[side], &count);
        h->result.n_steps += count.steps;
        h->result.n_simulations += side < s->n;
        routh_simulation_free(s->simulation[side]);
        s->simulation[side] = NULL;
    }
    return status;
}

routh_status rt_confirm_simulate(rt_confirm_holder *h, rt_experiment *e, routh_error *error)
{
    const size_t n =
        (size_t)h->result.n_runs * (size_t)h->result.n_channels * (size_t)h->result.n_samples;
    if (!e->y) e->y = RT_TAKE(&h->arena, double, n);
    if (!e->y) return rt_fail_memory(error);
    e->even = e->size = 0;
    for (int run = 0; run < h->result.n_runs; run++) {
        sides s = {0};
        const routh_status status = one_run(h, e, run, &s, error);
        rt_arena_free(&s.arena);
        if (status) return status;
    }
    return ROUTH_OK;
}
