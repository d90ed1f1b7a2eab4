#include "motion/way.h"

#include <math.h>
#include <stdlib.h>

#include "motion/foresight.h"

static const double LONGEST_PART = 0.5; /* rad, or typical lengths */

/* So far rows that were chosen among redundant ones serve: farther on the determinant could change
 * its sign twice, by them and by v. */
static const double LONGEST_SERVICE = 0.3;
enum { MOST_PARTS = 100000, MOST_HALVES = 40 };

/* An input on the way: from a value, or its history, to a value, or its history. */
typedef struct way_input {
    double from, to;
    bool from_history, to_history;
} way_input;

struct rt_way {
    rt_arena arena;
    rt_run *run;
    rt_partition *partition;
    rt_foresight motions; /* functions of time that move positions */
    rt_state *here;       /* so far the way has been gone */
    way_input *input;     /* n_inputs */
    bool inputs_change;
    int sign;           /* of the determinant of [G; V] at `here` */
    bool stands;        /* run->search.state is where the next way begins, with factors */
    double moved;       /* in the last part */
    double since;       /* how far the configuration has moved since rows were chosen */
    int n;              /* numbers of y */
    double *y_here, *y; /* n: at `here`, and at the end of a part */
    double *third[3];   /* n_u: corrections at thirds of a part, and at its end */
};

/* A part of the way: shares of it, 0 at the beginning and 1 at the end. */
typedef struct way_part {
    double from, to;
} way_part;

routh_status rt_way_create(rt_way **way, rt_run *run, rt_partition *partition, routh_error *error)
{
    *way = NULL;
    rt_way *w = calloc(1, sizeof *w);
    if (!w) return rt_fail_memory(error);
    w->run = run;
    w->partition = partition;
    w->n = rt_partition_size(partition);
    w->input = RT_TAKE(&w->arena, way_input, run->m->model->n_inputs + 1);
    w->y_here = RT_TAKE(&w->arena, double, w->n + 1);
    w->y = RT_TAKE(&w->arena, double, w->n + 1);
    bool good = w->input && w->y_here && w->y;
    for (int k = 0; k < 3; k++) {
        w->third[k] = RT_TAKE(&w->arena, double, run->m->n_u + 1);
        good = good && w->third[k];
    }
    routh_status status = good ? rt_state_create(&w->here, run->m, error) : rt_fail_memory(error);
    if (!status) status = rt_foresight_create_of_positions(&w->motions, run->m, error);
    if (status)
        rt_way_free(w);
    else
        *way = w;
    return status;
}

void rt_way_free(rt_way *way)
{
    if (!way) return;
    rt_state_free(way->here);
    rt_foresight_release(&way->motions);
    rt_arena_free(&way->arena);
    free(way);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static double *way_value_of(const rt_run *run, const rt_state *state, int k)
{
    const rt_quantity input = {.kind = RT_QUANTITY_INPUT, .index = k};
    return &state->signal[rt_signal_place(run->m->model, &input)];
}

static bool gives(const rt_way_end *to, int k) { return to->u && (!to->given || to->given[k]); }

static void take_ends_of_inputs(rt_way *way, const rt_state *from, const rt_way_end *to)
{
    const rt_run *run = way->run;
    way->inputs_change = false;
    for (int k = 0; k < run->m->model->n_inputs; k++) {
        way_input *in = &way->input[k];
        const bool history = run->m->model->inputs[k].history.expr >= 0;
        in->from_history = history && !from->held[k];
        in->to_history = history && !gives(to, k) && !run->now->held[k];
        in->from = *way_value_of(run, from, k);
        in->to = gives(to, k) ? to->u[k] : *way_value_of(run, run->now, k);
        way->inputs_change |=
            in->from_history != in->to_history || (!in->from_history && in->from != in->to);
    }
}

/* At the end all is as it was asked for, rates too. */
static void set_last_inputs(rt_way *way, const rt_way_end *to)
{
    const rt_run *run = way->run;
    rt_state *state = run->search.state;
    const size_t n = (size_t)run->m->n_signals;
    for (int k = 0; k < run->m->model->n_inputs; k++) {
        double *value = way_value_of(run, state, k);
        const double *start = way_value_of(run, run->now, k);
        for (size_t level = 0; level < 3; level++)
            value[level * n] = !gives(to, k) ? start[level * n] : level ? 0 : to->u[k];
        state->held[k] = gives(to, k) || run->now->held[k];
    }
}

/* Time and inputs of run->search.state at a share of the way. */
static routh_status set_time(rt_way *way, const rt_state *from, const rt_way_end *to, double share,
                             routh_error *error)
{
    rt_run *run = way->run;
    rt_state *state = run->search.state;
    const int n = run->m->model->n_inputs;
    if (share >= 1) {
        set_last_inputs(way, to);
        return rt_run_time(run, state, to->t, error);
    }
    for (int k = 0; k < n; k++) state->held[k] = false;
    const double t = from->t + share * (to->t - from->t);
    const routh_status status = rt_run_time(run, state, t, error);
    for (int k = 0; k < n && !status; k++) {
        const way_input *in = &way->input[k];
        double *value = way_value_of(run, state, k);
        const double a = in->from_history ? *value : in->from;
        const double b = in->to_history ? *value : in->to;
        state->held[k] = !in->from_history || !in->to_history;
        *value = a + share * (b - a);
    }
    return status;
}

/* ---- one part -------------------------------------------------------------------------------- */

static double moved_by(const rt_way *way)
{
    const rt_run *run = way->run;
    double longest = 0;
    for (int k = 0; k < rt_partition_n_positions(way->partition); k++) {
        const double unit = run->search.unit[rt_partition_column(way->partition, k)];
        longest = fmax(longest, fabs(way->y[k] - way->y_here[k]) / (unit * run->m->length));
    }
    return longest;
}

static void set_y(rt_way *way, const double *from, const rt_way_end *to, double share)
{
    for (int k = 0; k < way->n; k++)
        way->y[k] = share < 1 ? from[k] + share * (to->y[k] - from[k]) : to->y[k];
}

/* By how much a body turns about any axis, where the configuration changes by d. */
static double turned_by(const rt_run *run, const double *d)
{
    const rt_search *s = &run->search;
    double *u = s->state->u, most = 0;
    for (int c = 0; c < run->m->n_u; c++) s->x[c] = u[c], u[c] = d[c];
    rt_evaluate_frames(run->m, s->w, s->state);
    for (int b = 0; b < run->m->n_bodies; b++) most = fmax(most, rt_v3_norm(s->w->bodies[b].w));
    memcpy(u, s->x, (size_t)run->m->n_u * sizeof *u);
    return most;
}

/* Does time, or an input, move positions? */
static bool is_timed(const rt_way *way) { return way->motions.clock || way->inputs_change; }

/* The corrections at thirds of the part. */
static routh_status look_at_thirds(rt_way *way, const rt_state *from, const double *y,
                                   const rt_way_end *to, way_part p, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < 2 && !status; k++) {
        const double share = p.from + (k + 1) * (p.to - p.from) / 3;
        set_y(way, y, to, share);
        status = set_time(way, from, to, share, error);
        if (!status)
            status =
                rt_partition_correction(way->partition, way->run, way->y, way->third[k], error);
    }
    return status;
}

/* Are the corrections at thirds a third and two thirds of that at the end, to a quarter of the
 * largest? Less than a hundredth does not count: no branch is so near where v is a good choice. */
static bool moves_evenly(const rt_way *way)
{
    static const double share = 0.25, least = 0.01;
    const rt_run *run = way->run;
    const double *end = way->third[2];
    double largest = rt_run_norm(run, end), off = 0;
    for (int k = 0; k < 2; k++) {
        double *at = way->third[k];
        const double size = rt_run_norm(run, at);
        if (!(size <= largest)) largest = size;
        for (int c = 0; c < run->m->n_u; c++) at[c] -= (k + 1) / 3.0 * end[c];
        const double apart = rt_run_norm(run, at);
        if (!(apart <= off)) off = apart;
    }
    return largest <= LONGEST_PART && off <= fmax(share * largest, least);
}

static bool is_short(const rt_way *way, const rt_partition_move *move)
{
    static const double contraction = 0.25, rounding = 1e-12;
    const rt_run *run = way->run;
    const double first = rt_run_norm(run, move->first);
    if (!(first <= LONGEST_PART)) return false;
    if (!(move->second <= fmax(contraction * first, rounding))) return false;
    return first * run->m->n_u <= LONGEST_PART || turned_by(run, move->first) <= LONGEST_PART;
}

/* May functions of time do in the part what is not seen at its ends? Those that jump or kink do at
 * any length; then what it moves says how short the part has to be. */
static bool hides_motion(rt_way *way, const rt_state *from, const rt_way_end *to, way_part p)
{
    const double a = from->t + p.from * (to->t - from->t), b = from->t + p.to * (to->t - from->t);
    if (a == b || p.to - p.from < ldexp(1, -MOST_HALVES / 2)) return false;
    return !rt_foresight_is_seen(&way->motions, way->run->m, fmin(a, b), fmax(a, b),
                                 1e-6 * fmin(1, way->run->m->length));
}

typedef enum way_result { REACHED, TOO_LONG, ROWS_FAIL } way_result;

/* From `here`, which is set, with factors. ROWS_FAIL: those that are kept, or v, do not determine
 * the configuration at the end, or in between. */
static routh_status go_part(rt_way *way, const rt_state *from, const double *y,
                            const rt_way_end *to, way_part p, way_result *result,
                            routh_error *error)
{
    rt_partition_move move = {.first = way->third[2]};
    const bool timed = is_timed(way);
    routh_status status = ROUTH_OK;
    *result = TOO_LONG;
    set_y(way, y, to, p.to);
    if (!(moved_by(way) <= LONGEST_PART) || hides_motion(way, from, to, p)) return ROUTH_OK;
    if (timed && !rt_partition_is_direct(way->partition))
        status = look_at_thirds(way, from, y, to, p, error);
    set_y(way, y, to, p.to);
    if (!status) status = set_time(way, from, to, p.to, error);
    if (!status) status = rt_partition_move_to(way->partition, way->run, way->y, &move, error);
    if (status || !is_short(way, &move)) return status;
    if (timed && !rt_partition_is_direct(way->partition) && !moves_evenly(way)) return ROUTH_OK;
    status = rt_partition_factor_anew(way->partition, way->run, error);
    if (!status)
        *result = rt_partition_sign(way->partition, way->run) == way->sign ? REACHED : ROWS_FAIL;
    way->moved = rt_run_norm(way->run, move.first);
    return status;
}

routh_status rt_way_settle(rt_run *run, routh_error *error)
{
    rt_search *s = &run->search;
    if (run->m->model->n_angles == 0 && !run->twists) return ROUTH_OK;
    rt_evaluate_frames(run->m, s->w, s->state);
    rt_angles_settle(run->m, s->w, s->state, true);
    return rt_run_check_twists(run, error);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static routh_status leads_nowhere(const rt_way *way, routh_error *error)
{
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "on the way from the state evaluated last, at t = %.9g s, the joints lock, the "
                   "function of a motion jumps, or the coordinates do not determine the "
                   "configuration, as at a dead point or where two of its branches meet",
                   way->here->t);
}

static routh_status is_too_far(const rt_way *way, double share, routh_error *error)
{
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "the state is too far from the one evaluated last: after %d parts of the way "
                   "%.3g %% of it are gone, to t = %.9g s; evaluate states between",
                   MOST_PARTS, 100 * share, way->here->t);
}

/* run->search.state becomes `here`, with factors. */
static routh_status return_to_here(rt_way *way, routh_error *error)
{
    const routh_status status = rt_partition_start(way->partition, way->run, way->here, error);
    if (!status) way->sign = rt_partition_sign(way->partition, way->run);
    return status;
}

static routh_status way_choose_rows(rt_way *way, routh_error *error)
{
    way->since = 0;
    if (!rt_partition_has_choice(way->partition)) return return_to_here(way, error);
    routh_status status = rt_partition_start(way->partition, way->run, way->here, error);
    if (status && status != ROUTH_SINGULAR) return status;
    status = rt_partition_choose_rows(way->partition, way->run, error);
    return status ? status : return_to_here(way, error);
}

/* run->search.state, which was reached, becomes `here`. */
static routh_status arrive(rt_way *way, routh_error *error)
{
    rt_run *run = way->run;
    routh_status status = rt_way_settle(run, error);
    if (status) return status;
    rt_state_copy(run->m, way->here, run->search.state);
    memcpy(way->y_here, way->y, (size_t)way->n * sizeof *way->y);
    way->since += way->moved;
    const bool serve = way->since <= LONGEST_SERVICE || !rt_partition_has_choice(way->partition);
    if (serve && rt_partition_is_usable(way->partition, run)) return ROUTH_OK;
    status = way_choose_rows(way, error);
    if (status || rt_partition_is_usable(way->partition, run)) return status;
    return leads_nowhere(way, error);
}

static routh_status begin_way(rt_way *way, routh_error *error)
{
    rt_run *run = way->run;
    const routh_status status = way->stands ? ROUTH_OK : way_choose_rows(way, error);
    way->stands = false;
    if (status || !run->twists) return status;
    rt_evaluate_frames(run->m, run->search.w, run->search.state);
    rt_run_note_twists(run);
    return ROUTH_OK;
}

/* A part was too long. Other rows are tried where those that are kept may be the cause. */
static routh_status shorten_part(rt_way *way, way_result result, double *length, int *halves,
                                 routh_error *error)
{
    enum { SOME = 4 };
    static const double least = 1e-4; /* nearer to a sign that changes rounding would hide it */
    const bool choice = way->since > 0 && rt_partition_has_choice(way->partition);
    if (choice && (result == ROWS_FAIL || *halves == SOME)) return way_choose_rows(way, error);
    if (result == ROWS_FAIL && way->moved < least) return leads_nowhere(way, error);
    *length /= 2, ++*halves;
    if (*length < ldexp(1, -MOST_HALVES)) return leads_nowhere(way, error);
    return return_to_here(way, error);
}

static routh_status go_parts(rt_way *way, const rt_state *from, const double *y,
                             const rt_way_end *to, routh_error *error)
{
    way_part p = {0, 1};
    double length = 1;
    routh_status status = begin_way(way, error);
    for (int tries = 0, halves = 0; tries < MOST_PARTS && !status; tries++) {
        way_result result;
        status = go_part(way, from, y, to, p, &result, error);
        if (status == ROUTH_OUT_OF_MEMORY) return status;
        if (status || result != REACHED) {
            status = shorten_part(way, result, &length, &halves, error);
        } else {
            status = arrive(way, error);
            if (status || p.to >= 1) return status;
            p.from = p.to;
            if (halves == 0) length *= 2;
            halves = 0;
        }
        p.to = p.from + length < 1 ? p.from + length : 1;
    }
    return status ? status : is_too_far(way, p.from, error);
}

/* Numbers of q are v, and nothing is lost between. */
static routh_status go_at_once(rt_way *way, const rt_way_end *to, routh_error *error)
{
    rt_partition_move move = {.first = way->third[2]};
    routh_status status = rt_partition_start(way->partition, way->run, way->here, error);
    if (!status) status = set_time(way, way->here, to, 1, error);
    if (!status) status = rt_partition_move_to(way->partition, way->run, to->y, &move, error);
    return status ? status : rt_partition_factor_anew(way->partition, way->run, error);
}

void rt_way_stand(rt_way *way, bool stands) { way->stands = stands; }

routh_status rt_way_go(rt_way *way, const rt_state *from, const double *y, const rt_way_end *to,
                       routh_error *error)
{
    rt_run *run = way->run;
    const int n_angles = run->m->model->n_angles;
    take_ends_of_inputs(way, from, to);
    rt_state_copy(run->m, way->here, from);
    for (int k = 0; k < n_angles; k++) way->here->near[n_angles + k] = 0; /* as after a settling */
    memcpy(way->y_here, y, (size_t)way->n * sizeof *y);
    if (!rt_partition_is_direct(way->partition) || n_angles || run->twists)
        return go_parts(way, from, y, to, error);
    return go_at_once(way, to, error);
}
