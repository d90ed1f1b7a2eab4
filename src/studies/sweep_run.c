/* The whole of a sweep: lines along the first parameter, one for each value of the second; each cut
 * into pieces of a fixed length, which begin where a first pass over their starts has been, so that
 * the result does not depend on how many threads share them. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/tasks.h"
#include "model/model.h"
#include "studies/sweep_boundary.h"
#include "studies/sweep_line.h"

enum { PIECE = 32, MOST_POINTS = 1000000 }; /* values in a piece; --points */

/* Bytes that solutions of the whole grid may take to be kept for what is solved for between. */
static const double MOST_KEPT = 400e6;

routh_sweep_options routh_sweep_defaults(void)
{
    return (routh_sweep_options){.halvings = 20,
                                 .solve = ROUTH_SWEEP_SOLVE_LIMITS | ROUTH_SWEEP_SOLVE_CRITICAL,
                                 .below = INFINITY,
                                 .points = 16,
                                 .derivatives = 1,
                                 .damping_ratio = NAN,
                                 .n_orders = 1,
                                 .orders = {1}};
}

const char *routh_sweep_event_name(routh_sweep_event_kind kind)
{
    static const char *const names[] = {"flutter", "divergence",  "meeting", "critical speed",
                                        "damping", "crossing",    "veering", "ambiguous",
                                        "lost",    "not resolved"};
    const size_t n = sizeof names / sizeof *names;
    return (size_t)kind < n ? names[kind] : "";
}

const char *routh_sweep_solve_name(int solve)
{
    switch (solve) {
    case ROUTH_SWEEP_SOLVE_LIMITS: return "limits";
    case ROUTH_SWEEP_SOLVE_CRITICAL: return "critical";
    case ROUTH_SWEEP_SOLVE_CROSSINGS: return "crossings";
    case ROUTH_SWEEP_SOLVE_VEERINGS: return "veerings";
    default: return "";
    }
}

typedef struct sweep_run_whole {
    routh_sweep *sweep;
    const routh_sweep_axis *axes;
    rt_sweep_task task; /* of the first line */
    rt_sweep_task *lines;
    rt_line_starts *starts;
    int n_lines, n_pieces; /* pieces of a line */
    rt_segment *segments;
    rt_sweep_counts counts;
    rt_sweep_sources sources;
} sweep_run_whole;

/* ---- what is asked for ----------------------------------------------------------------------- */

static int sweep_run_find_parameter(const routh_model *model, const char *name)
{
    for (int k = 0; k < model->n_parameters; k++)
        if (strcmp(model->parameters[k].name, name) == 0) return k;
    return -1;
}

static routh_status no_parameter(const routh_model *model, const char *name, routh_error *error)
{
    char known[200] = "it has none";
    size_t at = 0;
    for (int k = 0; k < model->n_parameters && at < sizeof known - 60; k++)
        at += (size_t)snprintf(known + at, sizeof known - at, "%s%.40s", k ? ", " : "",
                               model->parameters[k].name);
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the model has no parameter '%.60s'; its parameters: %s", name, known);
}

/* Values with a unit are in SI, and become nothing else: the parameter is to be in SI too. */
static routh_status check_united(const routh_model *model, const char *name, int united,
                                 const char *option, routh_error *error)
{
    char text[RT_UNITS_TEXT];
    const int k = sweep_run_find_parameter(model, name);
    if (!united || k < 0 || rt_same_units(model->parameters[k].units, NULL)) return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the values of '%.60s' (%s) have a unit, and its file is in %s: write them as "
                   "numbers in the units of that file",
                   name, option, rt_units_text(model->parameters[k].units, text));
}

static routh_status check_boundary(const routh_model *model, const routh_sweep_axis *axes, int n,
                                   const routh_sweep_options *o, routh_error *error)
{
    const int k = sweep_run_find_parameter(model, o->boundary);
    if (n != 1)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "boundaries (--boundary) need a sweep over one parameter; leave out the "
                       "second --over");
    if (k < 0) return no_parameter(model, o->boundary, error);
    const routh_status status =
        check_united(model, o->boundary, o->boundary_united, "--boundary", error);
    if (status) return status;
    if (strcmp(o->boundary, axes[0].parameter) == 0 || axes[0].n < 2)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "boundaries (--boundary) need a second parameter that differs from the "
                       "swept one, and a sweep of two values or more");
    const double own = model->parameters[k].number.value;
    if (o->boundary_low < o->boundary_high && own >= o->boundary_low && own <= o->boundary_high)
        return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "boundaries start at the value of '%.60s' in the model, %.9g, but the range is "
                   "from %.9g to %.9g; give a range (--boundary) that contains the value",
                   o->boundary, own, o->boundary_low, o->boundary_high);
}

/* Critical speeds compare it with eigenvalues, which are in 1/s. */
static routh_status check_speed(const routh_model *model, const char *name, routh_error *error)
{
    const int p = sweep_run_find_parameter(model, name);
    if (p < 0) return no_parameter(model, name, error);
    const rt_unit_system *units = model->parameters[p].units;
    if (!units || rt_unit_value(&units->base[2], 1) == 1) return ROUTH_OK;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "the speed '%.60s' is in rad by the model's unit of time, and critical speeds "
                   "need one in rad/s; leave out --speed, or write the model's 'units' with s",
                   name);
}

static routh_status check_axes(const routh_model *model, const routh_sweep_axis *axes, int n,
                               const routh_sweep_options *o, routh_error *error)
{
    if (n < 1 || n > 2)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a sweep needs one or two parameters, not %d; give --over once or twice", n);
    for (int k = 0; k < n; k++) {
        if (sweep_run_find_parameter(model, axes[k].parameter) < 0)
            return no_parameter(model, axes[k].parameter, error);
        const routh_status status =
            check_united(model, axes[k].parameter, axes[k].united, "--over", error);
        if (status) return status;
        for (size_t s = 0; s < o->n_settings; s++)
            if (strcmp(o->settings[s].name, axes[k].parameter) == 0)
                return rt_fail(error, ROUTH_BAD_ARGUMENT,
                               "the parameter '%.60s' is swept and cannot be set; leave out --set "
                               "for it",
                               axes[k].parameter);
    }
    if (n == 2 && strcmp(axes[0].parameter, axes[1].parameter) == 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the parameter '%.60s' is swept twice; give two "
                       "different parameters",
                       axes[0].parameter);
    if (o->n_orders < 0 || o->n_orders > ROUTH_SWEEP_ORDERS || o->halvings < 0 || o->halvings > 60)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a sweep takes up to %d orders and 0 to 60 halvings",
                       (int)ROUTH_SWEEP_ORDERS);
    if (o->solve < 0 || o->solve > ROUTH_SWEEP_SOLVE_ALL || !(o->below > 0) || o->points < 1 ||
        o->points > MOST_POINTS)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a sweep solves for limits, critical speeds, crossings and veerings "
                       "(--solve), below a positive frequency (--below), with 1 to %d points for "
                       "each value (--points)",
                       (int)MOST_POINTS);
    const routh_status status = o->boundary ? check_boundary(model, axes, n, o, error) : ROUTH_OK;
    if (status) return status;
    return o->speed ? check_speed(model, o->speed, error) : ROUTH_OK;
}

static routh_status sweep_run_describe(sweep_run_whole *w, const routh_model *model,
                                       const routh_sweep_options *o, int n_axes, routh_error *error)
{
    routh_sweep *s = w->sweep;
    s->title = strdup(model->title ? model->title : "");
    s->file = strdup(model->file ? model->file : "");
    s->parameter = strdup(w->axes[0].parameter);
    if (n_axes == 2) s->second = strdup(w->axes[1].parameter);
    if (o->speed) s->speed = strdup(o->speed);
    if (o->boundary) s->boundary = strdup(o->boundary);
    if (!s->title || !s->file || !s->parameter || (n_axes == 2 && !s->second) ||
        (o->speed && !s->speed) || (o->boundary && !s->boundary))
        return rt_fail_memory(error);
    s->n_orders = o->speed ? o->n_orders : 0;
    s->solve = o->solve, s->below = o->below, s->points = o->points;
    memcpy(s->orders, o->orders, sizeof s->orders);
    w->n_lines = n_axes == 2 ? w->axes[1].n : 1;
    w->n_pieces = (w->axes[0].n - 1 + PIECE - 1) / PIECE;
    if (w->n_pieces < 1) w->n_pieces = 1;
    w->lines = calloc((size_t)w->n_lines, sizeof *w->lines);
    w->starts = calloc((size_t)w->n_lines, sizeof *w->starts);
    w->segments = calloc((size_t)w->n_lines * (size_t)w->n_pieces, sizeof *w->segments);
    s->lines = calloc((size_t)w->n_lines, sizeof *s->lines);
    return w->lines && w->starts && w->segments && s->lines ? ROUTH_OK : rt_fail_memory(error);
}

static double sweep_run_longest_step(const routh_sweep_axis *axis)
{
    double step = 0;
    for (int k = 1; k < axis->n; k++)
        step = fmax(step, fabs(axis->values[k] - axis->values[k - 1]));
    return step;
}

static double sweep_run_end_of(const routh_sweep_axis *axis, bool high)
{
    const double first = axis->values[0], last = axis->values[axis->n - 1];
    return high ? fmax(first, last) : fmin(first, last);
}

static void set_tasks(sweep_run_whole *w, const routh_model *model, const routh_sweep_options *o,
                      int n_axes)
{
    rt_sweep_task t = {.model = model,
                       .options = *o,
                       .parameter = {w->axes[0].parameter, n_axes == 2 ? w->axes[1].parameter : ""},
                       .n_axes = n_axes,
                       .second = NAN,
                       .step = sweep_run_longest_step(&w->axes[0]),
                       .low = sweep_run_end_of(&w->axes[0], false),
                       .high = sweep_run_end_of(&w->axes[0], true),
                       .speed = o->speed ? sweep_run_find_parameter(model, o->speed) : -1,
                       .counts = &w->counts,
                       .sources = &w->sources,
                       .all = w->n_lines * (w->axes[0].n + (o->solve ? w->axes[0].n - 1 : 0))};
    for (int l = 0; l < w->n_lines; l++) {
        w->lines[l] = t;
        if (n_axes == 2) w->lines[l].second = w->axes[1].values[l];
    }
}

/* ---- the work -------------------------------------------------------------------------------- */

static void run_grid(void *context, int k)
{
    sweep_run_whole *w = context;
    rt_segment *s = &w->segments[k];
    if (rt_sweep_stopped(&w->lines[0]) && s->last > s->first + 1) s->interrupted = true;
    if (s->begin) rt_segment_run_grid(s);
}

static void refine(void *context, int k)
{
    sweep_run_whole *w = context;
    if (w->segments[k].begin) rt_segment_refine(&w->segments[k]);
}

/* About what the solutions of the grid take. */
static bool may_keep(const sweep_run_whole *w)
{
    double most = 0;
    for (int l = 0; l < w->n_lines; l++)
        for (int k = 0; k < w->starts[l].n; k++) most = fmax(most, w->starts[l].solutions[k].n);
    return w->lines[0].options.solve &&
           (64 * most * most + 2e4) * w->n_lines * w->axes[0].n <= MOST_KEPT;
}

static routh_status find_starts(sweep_run_whole *w, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int l = 0; l < w->n_lines && !status && !w->counts.stop; l++)
        status =
            rt_line_starts_find(&w->starts[l], &w->lines[l], &w->axes[0], w->n_pieces,
                                l ? &w->starts[l - 1] : NULL, &w->segments[l * w->n_pieces], error);
    return status;
}

/* Whether there are exact derivatives is found out once, at the last start that is there: the first
 * may be at rest, where more is known. */
static routh_status try_derivatives(sweep_run_whole *w, routh_error *error)
{
    const rt_line_starts *starts = &w->starts[0];
    const routh_sweep_options *o = &w->lines[0].options;
    rt_solution s;
    if (!o->derivatives || !o->solve || w->counts.stop) return ROUTH_OK;
    const rt_solution *last = NULL;
    for (int i = 0; i < starts->n; i++)
        if (!starts->solutions[i].status) last = &starts->solutions[i];
    if (!last) return ROUTH_OK;
    routh_status status = rt_solution_find_slopes(&w->lines[0], last->value, last, 1, &s, error);
    rt_sweep_tell(&w->lines[0], 0);
    if (!status && !s.status) {
        w->sweep->derivatives = s.slope[0] != NULL;
        if (!s.slope[0]) w->sweep->refused = strdup(s.message);
        if (!s.slope[0] && !w->sweep->refused) status = rt_fail_memory(error);
    }
    for (int l = 0; l < w->n_lines; l++) w->lines[l].derivatives = w->sweep->derivatives;
    rt_solution_free(&s);
    return status;
}

static routh_status sweep_run_first_failure(const sweep_run_whole *w, routh_error *error)
{
    for (int k = 0; k < w->n_lines * w->n_pieces; k++)
        if (w->segments[k].status) {
            if (error) *error = w->segments[k].error;
            return w->segments[k].status;
        }
    return ROUTH_OK;
}

static void run_dealt(void *context, int k, routh_text *result)
{
    sweep_run_whole *w = context;
    const int before = w->counts.computed;
    run_grid(w, k);
    if (w->lines[0].options.solve) refine(w, k);
    rt_segment_pack(&w->segments[k], w->counts.computed - before, result);
}

static routh_status deal(sweep_run_whole *w, const routh_distributor *dealer, routh_error *error)
{
    const int n = w->n_lines * w->n_pieces, before = w->counts.computed;
    routh_text *results = calloc((size_t)n, sizeof *results);
    if (!results) return rt_fail_memory(error);
    routh_status status = dealer->deal(dealer->context, n, run_dealt, w, results, error);
    w->counts.computed = before;
    for (int k = 0; k < n && !status && dealer->leads; k++)
        status = rt_segment_unpack(&w->segments[k], &results[k], &w->counts.computed, error);
    for (int k = 0; k < n; k++) free(results[k].bytes);
    free(results);
    return status;
}

static routh_status run_pieces(sweep_run_whole *w, routh_error *error)
{
    const routh_sweep_options *o = &w->lines[0].options;
    routh_status status = ROUTH_OK;
    if (o->dealer)
        status = deal(w, o->dealer, error);
    else
        rt_run_tasks(w->n_lines * w->n_pieces, o->threads, run_grid, w);
    if (!status) status = sweep_run_first_failure(w, error);
    if (!status && !o->dealer && o->solve && !w->counts.stop)
        rt_run_tasks(w->n_lines * w->n_pieces, o->threads, refine, w);
    return status ? status : sweep_run_first_failure(w, error);
}

static routh_status sweep_run(sweep_run_whole *w, routh_error *error)
{
    const routh_sweep_options *o = &w->lines[0].options;
    routh_status status = find_starts(w, error);
    const bool keeps = may_keep(w);
    for (int k = 0; k < w->n_lines * w->n_pieces; k++) w->segments[k].keeps = keeps;
    if (!status) status = try_derivatives(w, error);
    if (!status) status = run_pieces(w, error);
    if (o->dealer && !o->dealer->leads) return status;
    for (int l = 0; l < w->n_lines && !status; l++) {
        if (w->segments[l * w->n_pieces].n_kept == 0) break;
        w->sweep->n_lines++;
        status = rt_line_join(&w->sweep->lines[l], &w->starts[l], l ? &w->starts[l - 1] : NULL,
                              l ? &w->sweep->lines[l - 1] : NULL, w->lines[l].second,
                              &w->segments[l * w->n_pieces], w->n_pieces,
                              o->solve & ROUTH_SWEEP_SOLVE_LIMITS, error);
    }
    if (!status && o->boundary && w->sweep->n_lines == 1 && !w->counts.stop)
        status = rt_boundaries_follow(w->sweep, &w->lines[0], &w->axes[0], &w->starts[0], error);
    for (int k = 0; k < w->n_lines * w->n_pieces; k++) {
        const rt_segment *s = &w->segments[k];
        w->sweep->n_bounded += s->n_bounded;
        w->sweep->n_left += o->solve && !s->refined ? s->last - s->first : s->n_left;
    }
    w->sweep->n_computed = w->counts.computed;
    w->sweep->interrupted = w->counts.stop;
    return status;
}

static void sweep_run_release(sweep_run_whole *w)
{
    for (int k = 0; w->segments && k < w->n_lines * w->n_pieces; k++)
        rt_segment_release(&w->segments[k]);
    for (int l = 0; w->starts && l < w->n_lines; l++) rt_line_starts_free(&w->starts[l]);
    rt_sweep_sources_release(&w->sources);
    free(w->segments);
    free(w->starts);
    free(w->lines);
}

static routh_status sweep(sweep_run_whole *w, const routh_model *model, int n_axes,
                          const routh_sweep_options *o, routh_error *error)
{
    routh_status status = check_axes(model, w->axes, n_axes, o, error);
    if (!status) status = sweep_run_describe(w, model, o, n_axes, error);
    if (status) return status;
    set_tasks(w, model, o, n_axes);
    return sweep_run(w, error);
}

static routh_status sweep_run_run_whole(routh_sweep **result, const routh_model *model,
                                        const routh_sweep_axis *axes, int n_axes,
                                        const routh_sweep_options *o, routh_error *error)
{
    sweep_run_whole w = {.axes = axes,
                         .counts.lock = PTHREAD_MUTEX_INITIALIZER,
                         .sources.lock = PTHREAD_MUTEX_INITIALIZER};
    w.sweep = calloc(1, sizeof *w.sweep);
    if (!w.sweep) return rt_fail_memory(error);
    const routh_status status = sweep(&w, model, n_axes, o, error);
    sweep_run_release(&w);
    if (status || (o->dealer && !o->dealer->leads))
        routh_sweep_free(w.sweep);
    else
        *result = w.sweep;
    return status;
}

routh_status routh_sweep_run(routh_sweep **result, const char *path, const routh_sweep_axis *axes,
                             int n_axes, const routh_sweep_options *options, routh_error *error)
{
    const routh_sweep_options o = options ? *options : routh_sweep_defaults();
    routh_model *model = NULL;
    *result = NULL;
    routh_status status = routh_model_read(&model, path, o.settings, o.n_settings, error);
    if (!status) status = sweep_run_run_whole(result, model, axes, n_axes, &o, error);
    routh_model_free(model);
    return status;
}

routh_status routh_sweep_run_of_model(routh_sweep **result, const routh_model *model,
                                      const routh_sweep_axis *axes, int n_axes,
                                      const routh_sweep_options *options, routh_error *error)
{
    const routh_sweep_options o = options ? *options : routh_sweep_defaults();
    routh_model *set = NULL;
    *result = NULL;
    if (!model) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the model is NULL");
    routh_status status =
        o.n_settings ? rt_model_again(&set, model, o.settings, o.n_settings, error) : ROUTH_OK;
    if (!status) status = sweep_run_run_whole(result, set ? set : model, axes, n_axes, &o, error);
    routh_model_free(set);
    return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void free_line(routh_sweep_line *line)
{
    for (int k = 0; k < line->n_points; k++) {
        free(line->points[k].message);
        free(line->points[k].eigenvalues);
        free(line->points[k].bounds);
        free(line->points[k].partner);
    }
    for (int k = 0; line->names && k < line->n_branches; k++) free(line->names[k]);
    free(line->names);
    free(line->first_branch);
    free(line->points);
    free(line->events);
}

void routh_sweep_free(routh_sweep *s)
{
    if (!s) return;
    for (int l = 0; l < s->n_lines; l++) free_line(&s->lines[l]);
    free(s->lines);
    free(s->title);
    free(s->file);
    free(s->parameter);
    free(s->second);
    free(s->speed);
    free(s->refused);
    free(s->boundary);
    for (int k = 0; k < s->n_boundaries; k++) free(s->boundaries[k].points);
    free(s->boundaries);
    free(s);
}
