#include "motion/periodic_orbit.h"

#include <stdlib.h>

#include "operating/point.h"

/* ---- as an integrator ------------------------------------------------------------------------ */

static routh_status create_own(rt_run *run, routh_error *error)
{
    rt_partition *p;
    const routh_status status = rt_partition_create(&p, run, error);
    run->own = p;
    return status;
}

static void free_own(rt_run *run)
{
    rt_partition_free(run->own);
    run->own = NULL;
}

static routh_status periodic_orbit_begin(rt_run *run, routh_error *error)
{
    rt_partition *p = run->own;
    const routh_status status = rt_partition_choose(p, run, error);
    return status ? status : rt_partition_start(p, run, run->now, error);
}

static const rt_integrator in_rounds = {.name = "round",
                                        .order = RT_FORMULA_ORDER,
                                        .available = true,
                                        .create = create_own,
                                        .free = free_own,
                                        .begin = periodic_orbit_begin};

/* ---- making ---------------------------------------------------------------------------------- */

static routh_status periodic_orbit_take(rt_orbit *o, routh_error *error)
{
    const size_t n = (size_t)o->n, most = (size_t)rt_partition_most(o->partition) + 1;
    bool ok = (o->y = RT_TAKE(&o->arena, double, most)) &&
              (o->y0 = RT_TAKE(&o->arena, double, most)) &&
              (o->y1 = RT_TAKE(&o->arena, double, most));
    for (int i = 0; i < RT_FORMULA_STAGES && ok; i++)
        ok = (o->k[i] = RT_TAKE(&o->arena, double, most)) &&
             (o->K[i] = RT_TAKE(&o->arena, double, n *n));
    ok = ok && (o->Y = RT_TAKE(&o->arena, double, n *n)) &&
         (o->stage = RT_TAKE(&o->arena, double, n *n)) &&
         (o->T = RT_TAKE(&o->arena, double, n *n)) &&
         (o->sample = RT_TAKE(&o->arena, double, RT_ORBIT_SAMPLES *n *n)) &&
         (o->A = RT_TAKE(&o->arena, double, RT_ORBIT_SAMPLES *n *n));
    return ok ? rt_turns_take(&o->turns, o->m, (int)most, &o->arena, error) : rt_fail_memory(error);
}

routh_status rt_orbit_create(rt_orbit *o, const routh_mechanism *m,
                             const routh_operating_point *point, routh_error *error)
{
    *o = (rt_orbit){.m = m};
    rt_formula_fill(&o->formula);
    o->run = (rt_run){.m = m,
                      .tolerance = 1e-10,
                      .largest_step = INFINITY,
                      .limit = INFINITY,
                      .dissipation = NAN};
    routh_status status = rt_state_create(&o->start, m, error);
    if (status) return status;
    rt_state_copy(m, o->start, point->state);
    status = rt_run_create(&o->run, &in_rounds, point->state, error);
    if (!status) status = rt_along_create(&o->first, m, point, error);
    if (!status) status = rt_foresight_create(&o->foresight, m, error);
    if (status) return status;
    o->partition = o->run.own;
    o->n = rt_along_size(o->first);
    return periodic_orbit_take(o, error);
}

void rt_orbit_release(rt_orbit *o)
{
    if (o->now != o->first) rt_along_free(o->now);
    rt_along_free(o->first);
    rt_foresight_release(&o->foresight);
    rt_run_release(&o->run);
    rt_state_free(o->start);
    rt_arena_free(&o->arena);
    *o = (rt_orbit){0};
}

/* ---- small matrices, row-major --------------------------------------------------------------- */

/* C = A B */
static void periodic_orbit_multiply(int n, const double *A, const double *B, double *C)
{
    memset(C, 0, (size_t)n * (size_t)n * sizeof *C);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double a = A[i * n + k];
            if (a == 0) continue;
            for (int j = 0; j < n; j++) C[i * n + j] += a * B[k * n + j];
        }
}

/* ---- the states of the variations ------------------------------------------------------------ */

/* Other states, chosen where the motion is now, and Y in them. */
static routh_status choose_states(rt_orbit *o, routh_error *error)
{
    routh_operating_point *point;
    rt_along *along;
    routh_status status = rt_point_from_state(&point, o->m, o->run.now, NULL, error);
    if (status) return status;
    status = rt_along_create(&along, o->m, point, error);
    if (!status) status = rt_along_run(along, o->run.now, error);
    routh_operating_point_free(point);
    if (status) return status;
    if (rt_along_size(along) != o->n) {
        rt_along_free(along);
        return rt_fail(error, ROUTH_SINGULAR,
                       "the number of free states changes along the motion, because it passes "
                       "through a singular configuration; change the motion, or the dimensions of "
                       "the mechanism");
    }
    rt_along_change(o->now, along, o->T);
    periodic_orbit_multiply(o->n, o->T, o->Y, o->stage);
    memcpy(o->Y, o->stage, (size_t)o->n * (size_t)o->n * sizeof *o->Y);
    if (o->now != o->first) rt_along_free(o->now);
    o->now = along;
    o->reach = rt_along_reach(along);
    o->n_choices++;
    return ROUTH_OK;
}

/* The states in use at run.now; others where these have become poor ones. */
static routh_status look_at_states(rt_orbit *o, routh_error *error)
{
    static const double worn = 3;
    const routh_status status = rt_along_run(o->now, o->run.now, error);
    if (status) return status;
    return rt_along_reach(o->now) > worn * o->reach ? choose_states(o, error) : ROUTH_OK;
}

/* Y in the first states, which are run at run.now. */
static routh_status in_first_states(rt_orbit *o, double *Y, routh_error *error)
{
    const size_t size = (size_t)o->n * (size_t)o->n * sizeof *Y;
    if (o->now == o->first) {
        memmove(Y, o->Y, size);
        return ROUTH_OK;
    }
    const routh_status status = rt_along_look(o->first, o->run.now, error);
    if (status) return status;
    rt_along_change(o->now, o->first, o->T);
    periodic_orbit_multiply(o->n, o->T, o->Y, o->stage);
    memcpy(Y, o->stage, size);
    return ROUTH_OK;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Y_i = Y + h sum over j < i of a_ij K_j,      K_i = A Y_i,      d_i' = tr A */
static void periodic_orbit_vary(rt_orbit *o, int i, double h)
{
    const size_t n = (size_t)o->n;
    const double *A = rt_along_matrix(o->now);
    memcpy(o->stage, o->Y, n * n * sizeof *o->Y);
    for (int j = 0; j < i; j++) {
        const double a = h * o->formula.a[i][j];
        if (a == 0) continue;
        for (size_t e = 0; e < n * n; e++) o->stage[e] += a * o->K[j][e];
    }
    periodic_orbit_multiply(o->n, A, o->stage, o->K[i]);
    o->slope[i] = 0;
    for (size_t e = 0; e < n; e++) o->slope[i] += A[e * n + e];
}

static routh_status stages(rt_orbit *o, double t, double h, routh_error *error)
{
    const int size = rt_partition_size(o->partition);
    for (int i = 0; i < RT_FORMULA_STAGES; i++) {
        for (int e = 0; e < size; e++) {
            double sum = 0;
            for (int j = 0; j < i; j++) sum += o->formula.a[i][j] * o->k[j][e];
            o->y[e] = o->y0[e] + h * sum;
        }
        routh_status status =
            rt_partition_rate(o->partition, &o->run, t + o->formula.c[i] * h, o->y, o->k[i], error);
        if (!status) status = rt_along_run(o->now, o->run.search.state, error);
        if (status) return status;
        periodic_orbit_vary(o, i, h);
    }
    return ROUTH_OK;
}

static void periodic_orbit_sum_up(rt_orbit *o, double h)
{
    const size_t n = (size_t)o->n;
    const int size = rt_partition_size(o->partition);
    for (int i = 0; i < RT_FORMULA_STAGES; i++) {
        const double b = h * o->formula.b[i];
        if (b == 0) continue;
        for (int e = 0; e < size; e++) o->y0[e] += b * o->k[i][e];
        for (size_t e = 0; e < n * n; e++) o->Y[e] += b * o->K[i][e];
        o->trace += b * o->slope[i];
    }
}

/* Other independent coordinates, those for run.now, and y0 in them. */
static routh_status choose_coordinates(rt_orbit *o, routh_error *error)
{
    const routh_status status = periodic_orbit_begin(&o->run, error);
    if (!status) rt_partition_take(o->partition, &o->run, o->y0);
    return status;
}

/* The stages, where they fail once more with coordinates chosen anew. */
static routh_status try_stages(rt_orbit *o, double t, double h, routh_error *error)
{
    rt_run *run = &o->run;
    routh_status status = rt_partition_start(o->partition, run, run->now, error);
    if (!status) status = stages(o, t, h, error);
    if (status != ROUTH_NUMERIC_ERROR && status != ROUTH_SINGULAR) return status;
    status = choose_coordinates(o, error);
    return status ? status : stages(o, t, h, error);
}

/* From run.now, whose y is y0, to the time. Where there are constraints coordinates are chosen anew
 * after every step: those that are best at its beginning bend least in it, and no step is to be
 * chosen by how they do. */
static routh_status periodic_orbit_step(rt_orbit *o, double t, double h, double end,
                                        routh_error *error)
{
    rt_run *run = &o->run;
    routh_status status = try_stages(o, t, h, error);
    if (status) return status;
    memcpy(o->y1, o->y0, (size_t)rt_partition_size(o->partition) * sizeof *o->y1);
    periodic_orbit_sum_up(o, h);
    status = rt_partition_place(o->partition, run, end, o->y0, error);
    if (!status) status = rt_run_accelerate(run, error);
    if (!status) status = rt_run_settle(run, error);
    if (status) return status;
    rt_state_copy(o->m, run->before, run->now);
    rt_state_copy(o->m, run->now, run->search.state);
    status = rt_turns_look(&o->turns, run, o->partition, o->y1, o->y0, t, end, error);
    if (status) return status;
    return o->m->n_rows > 0 || rt_partition_worn(o->partition, run) ? choose_coordinates(o, error)
                                                                    : ROUTH_OK;
}

/* ---- a round --------------------------------------------------------------------------------- */

static routh_status begin_round(rt_orbit *o, routh_error *error)
{
    const size_t n = (size_t)o->n;
    if (o->now && o->now != o->first) rt_along_free(o->now);
    o->now = o->first;
    o->n_choices = 1;
    o->trace = o->fastest = 0;
    memset(o->foresight.sizes, 0, (size_t)o->foresight.n * sizeof *o->foresight.sizes);
    memset(o->Y, 0, n * n * sizeof *o->Y);
    for (size_t i = 0; i < n; i++) o->Y[i * n + i] = 1;
    rt_state_copy(o->m, o->run.now, o->start);
    routh_status status = rt_run_begin(&o->run, error);
    if (status) return status;
    rt_partition_take(o->partition, &o->run, o->y0);
    status = rt_turns_begin(&o->turns, &o->run, error);
    if (!status) status = rt_along_run(o->first, o->start, error);
    o->reach = rt_along_reach(o->first);
    return status;
}

static void look_at_speed(rt_orbit *o)
{
    const rt_workspace *w = rt_along_search(o->now)->w;
    for (int b = 0; b < o->m->n_bodies; b++)
        o->fastest = fmax(o->fastest, rt_v3_norm(w->bodies[b].w));
}

static routh_status periodic_orbit_keep(rt_orbit *o, int k, routh_error *error)
{
    const size_t n = (size_t)o->n, at = (size_t)k * n * n;
    memcpy(o->A + at, rt_along_matrix(o->now), n * n * sizeof *o->A);
    return in_first_states(o, o->sample + at, error);
}

/* To `end` by way of the times at which functions of time begin to change; what is left of the
 * step after one is no shorter than a billionth of it. */
static routh_status periodic_orbit_pieces(rt_orbit *o, double t, double end, routh_error *error)
{
    const double least = 1e-9 * (end - t);
    routh_status status = ROUTH_OK;
    while (t < end && !status) {
        double to = end;
        if (rt_orbit_is_driven(o)) {
            o->run.limit = end;
            to = rt_foresight_limit(&o->foresight, &o->run);
            o->run.limit = INFINITY;
            to = to < t + least ? t + least : to;
            if (!(to < end - least)) to = end;
        }
        status = look_at_states(o, error);
        if (!status) status = periodic_orbit_step(o, t, to - t, to, error);
        t = to;
    }
    return status;
}

routh_status rt_orbit_round(rt_orbit *o, double period, int steps, routh_error *error)
{
    const int every = steps / RT_ORBIT_SAMPLES;
    routh_status status = begin_round(o, error);
    o->t0 = o->start->t, o->period = period, o->steps = steps;
    for (int k = 0; k < steps && !status; k++) {
        const double t = o->t0 + period * k / steps, end = o->t0 + period * (k + 1) / steps;
        status = look_at_states(o, error);
        if (!status) look_at_speed(o);
        if (!status && k % every == 0) status = periodic_orbit_keep(o, k / every, error);
        if (!status) status = periodic_orbit_pieces(o, t, end, error);
        if (status) return rt_run_fail(t, status, error);
    }
    if (!status) status = rt_along_run(o->now, o->run.now, error);
    return status ? status : in_first_states(o, o->Y, error);
}
