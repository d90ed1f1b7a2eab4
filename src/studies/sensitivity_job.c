/* See sensitivity_job.h. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "studies/sensitivity_job.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/suggest.h"
#include "system/varied_state.h"

routh_status rt_job_warn(rt_sensitivity_job *j, routh_error *error, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char **more = realloc(j->warnings, (size_t)(j->n_warnings + 1) * sizeof *more);
    if (!more) return rt_fail_memory(error);
    j->warnings = more;
    j->warnings[j->n_warnings] = strdup(text);
    if (!j->warnings[j->n_warnings]) return rt_fail_memory(error);
    j->n_warnings++;
    return ROUTH_OK;
}

/* ---- which parameters ----------------------------------------------------------------------- */

static int sensitivity_job_find_parameter(const routh_model *model, const char *name)
{
    for (int k = 0; k < model->n_parameters; k++)
        if (strcmp(model->parameters[k].name, name) == 0) return k;
    return -1;
}

static routh_status sensitivity_job_unknown(const routh_model *model, const char *name,
                                            routh_error *error)
{
    const char **names = calloc((size_t)model->n_parameters + 1, sizeof *names);
    if (!names) return rt_fail_memory(error);
    for (int k = 0; k < model->n_parameters; k++) names[k] = model->parameters[k].name;
    const char *near = rt_suggest(name, names);
    const routh_status status =
        rt_fail(error, ROUTH_BAD_ARGUMENT, "the model has no parameter '%.80s'%s%.80s%s", name,
                near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    free(names);
    return status;
}

/* A number that depends on the parameter and keeps its value only. */
static const rt_fixed *find_fixed(const rt_sensitivity_job *j)
{
    for (int k = 0; k < j->m->model->n_fixed; k++)
        if (rt_variation_uses(j->variation, j->m->model->fixed[k].expr))
            return &j->m->model->fixed[k];
    return NULL;
}

/* Refused where it was asked for, else left out with a warning. */
static routh_status sensitivity_job_refuse(rt_sensitivity_job *j, int parameter, bool asked,
                                           bool *refused, routh_error *error)
{
    const routh_status status = rt_variation_find_slopes(j->variation, parameter, error);
    const rt_fixed *fixed = status ? NULL : find_fixed(j);
    *refused = fixed != NULL;
    if (!fixed) return status;
    const char *name = j->m->model->parameters[parameter].name;
    if (!asked)
        return rt_job_warn(j, error, "the parameter %s was left out: it acts through %s of %s, %s",
                           name, fixed->what, fixed->element,
                           fixed->whole ? "a whole number, which has no derivative"
                                        : "which is not differentiated");
    return rt_fail_at(error, ROUTH_NOT_SUPPORTED, j->m->model->file, fixed->place, fixed->element,
                      "the parameter %s has no derivative, because it acts through %s, %s; select "
                      "other parameters (--parameters), or write a number there",
                      name, fixed->what,
                      fixed->whole ? "a whole number, which has no derivative"
                                   : "which is not differentiated");
}

static bool has_no_derivative(routh_status status)
{
    return status == ROUTH_SINGULAR || status == ROUTH_NOT_SUPPORTED;
}

/* The point may have no derivative by a parameter. What was asked for is refused when its turn
 * comes; among all it is left out with a warning. */
static routh_status sensitivity_job_try(rt_sensitivity_job *j, int parameter, bool *refused,
                                        routh_error *error)
{
    routh_error cause = {0};
    const routh_status status = rt_change_find(&j->change, j->variation, parameter, &cause);
    *refused = has_no_derivative(status);
    if (*refused)
        return rt_job_warn(j, error, "the parameter %.80s was left out: %s",
                           j->m->model->parameters[parameter].name, cause.message);
    if (status && error) *error = cause;
    return status;
}

routh_status rt_job_find_change(rt_sensitivity_job *j, int k, routh_error *error)
{
    routh_error cause = {0};
    const routh_status status = rt_change_find(&j->change, j->variation, j->parameter[k], &cause);
    if (has_no_derivative(status))
        return rt_fail(error, status, "the parameter %.80s: %s",
                       j->m->model->parameters[j->parameter[k]].name, cause.message);
    if (status && error) *error = cause;
    return status;
}

routh_status rt_job_choose(rt_sensitivity_job *j, const char *const *names, routh_error *error)
{
    const routh_model *model = j->m->model;
    const int n = model->n_parameters;
    int wanted = 0;
    while (names && names[wanted]) wanted++;
    if (!names) wanted = n;
    j->parameter = RT_TAKE(&j->arena, int, wanted);
    j->names = calloc((size_t)wanted + 1, sizeof *j->names);
    j->values = calloc((size_t)wanted + 1, sizeof *j->values);
    if (!j->parameter || !j->names || !j->values) return rt_fail_memory(error);
    for (int k = 0; k < wanted; k++) {
        bool refused;
        const int parameter = names ? sensitivity_job_find_parameter(model, names[k]) : k;
        if (parameter < 0) return sensitivity_job_unknown(model, names[k], error);
        routh_status status = sensitivity_job_refuse(j, parameter, names != NULL, &refused, error);
        if (!status && !refused && !names)
            status = sensitivity_job_try(j, parameter, &refused, error);
        if (status) return status;
        if (refused) continue;
        const int to = j->n_parameters++;
        j->parameter[to] = parameter;
        j->names[to] = model->parameters[parameter].name;
        j->values[to] = model->parameters[parameter].number.value;
    }
    return ROUTH_OK;
}

/* ---- the point ------------------------------------------------------------------------------ */

static routh_status sensitivity_job_linearize(rt_sensitivity_job *j, const char *const *states,
                                              const char *reference, routh_error *error)
{
    routh_linear_options o = routh_linear_defaults();
    o.states = states;
    o.reference = reference;
    j->holder = rt_kept_calloc(NULL, 1, sizeof *j->holder);
    if (!j->holder) return rt_fail_memory(error);
    routh_status status = rt_linear_prepare(j->holder, &j->task, j->m, &j->point, &o, error);
    if (status) return status;
    j->work = (rt_method_task){.search = &j->task.search,
                               .observer = &j->task.observer,
                               .states = &j->task.states,
                               .threads = 1,
                               .whole = true};
    status = rt_task_sensors_take(&j->work, &j->arena, error);
    if (!status) status = rt_linear_find_undetermined(j->holder, &j->work, &j->arena, error);
    return status ? status : rt_pencil_create(&j->pencil, &j->work, &j->arena, error);
}

static routh_status sensitivity_job_vary(rt_sensitivity_job *j, routh_error *error)
{
    const rt_state *state = j->task.search.state;
    const rt_varied_state at = rt_varied_state_of(state);
    routh_status status = rt_variation_create(&j->variation, j->m->model, error);
    if (status) return status;
    rt_variation_place(j->variation, &at, j->point.type != ROUTH_OPERATING_GIVEN);
    return rt_change_create(&j->change, &j->pencil, &j->point, &j->arena, error);
}

/* ---- the job -------------------------------------------------------------------------------- */

routh_status rt_job_begin(rt_sensitivity_job *j, const routh_mechanism *mechanism,
                          const routh_operating_point *point, const char *const *states,
                          const char *reference, routh_error *error)
{
    *j = (rt_sensitivity_job){.m = mechanism->base ? mechanism->base : mechanism, .point = *point};
    if (mechanism->base) j->point.state = point->base_state, j->point.base_state = NULL;
    const routh_status status = sensitivity_job_linearize(j, states, reference, error);
    return status ? status : sensitivity_job_vary(j, error);
}

routh_status rt_job_begin_like(rt_sensitivity_job *job, const routh_mechanism *mechanism,
                               const routh_operating_point *point, const routh_linear *linear,
                               routh_error *error)
{
    const int n = linear->n_position;
    const char **states = calloc((size_t)n + 1, sizeof *states);
    if (!states) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) states[k] = linear->states[k].name;
    const routh_status status =
        rt_job_begin(job, mechanism, point, states, linear->reference, error);
    free(states);
    return status;
}

void rt_job_free_taken(const char **names, double *values, char **warnings, int n_warnings)
{
    for (int k = 0; k < n_warnings; k++) free(warnings[k]);
    free(warnings);
    free(names);
    free(values);
}

void rt_job_release(rt_sensitivity_job *j)
{
    rt_job_free_taken(j->names, j->values, j->warnings, j->n_warnings);
    rt_change_release(&j->change);
    rt_pencil_release(&j->pencil);
    rt_variation_free(j->variation);
    rt_linear_task_release(&j->task);
    if (j->holder) routh_linear_free(&j->holder->linear);
    rt_arena_free(&j->arena);
}

routh_status rt_job_vary(rt_sensitivity_job *j, int k, routh_error *error)
{
    routh_status status = rt_job_find_change(j, k, error);
    if (!status) status = rt_variation_evaluate(j->variation, RT_EVALUATE_ALL, error);
    return status ? status : rt_pencil_vary(&j->pencil, j->variation, error);
}

/* ---- many at a time ------------------------------------------------------------------------- */

static routh_status take_together(rt_sensitivity_job *j, int stride, routh_error *error)
{
    const routh_mechanism *m = j->pencil.s->m;
    if (j->body_of_number) return ROUTH_OK;
    j->rhs = RT_TAKE(&j->arena, double, (size_t)j->change.order *(size_t)stride);
    j->z = RT_TAKE(&j->arena, double, (size_t)(m->n_u + m->n_rows) * (size_t)stride);
    j->column = RT_TAKE(&j->arena, double, m->n_u + m->n_rows);
    if (!j->rhs || !j->z || !j->column ||
        !rt_packets_take(&j->packets, m->n_bodies, stride, &j->arena))
        return rt_fail_memory(error);
    j->body_of_number = rt_bodies_of_numbers(&j->pencil, &j->arena);
    if (!j->body_of_number) return rt_fail_memory(error);
    rt_moves_begin(&j->moves, &j->pencil, j->body_of_number);
    return ROUTH_OK;
}

/* What changed, into column k. */
static routh_status sensitivity_job_put_column(const rt_levels_pencil *p, int k,
                                               rt_varied_rows *rows, routh_error *error)
{
    for (int v = rt_next_varied(p, 0); v < p->n_varied; v = rt_next_varied(p, v + 1)) {
        double *row = rt_varied_row(rows, v);
        if (!row) return rt_fail_memory(error);
        row[k] = p->varied[v];
    }
    return ROUTH_OK;
}

static routh_status replace_column(const rt_levels_pencil *p, int k, rt_varied_rows *rows,
                                   routh_error *error)
{
    for (int v = 0; v < p->n_varied; v++)
        if (rt_varied_row_read(rows, v)) rt_varied_row(rows, v)[k] = 0;
    return sensitivity_job_put_column(p, k, rows, error);
}

/* Each number that changed to the parameter whose it is. */
static routh_status share_numbers(const rt_sensitivity_job *j, const int *owner,
                                  rt_varied_rows *rows, routh_error *error)
{
    const rt_levels_pencil *p = &j->pencil;
    for (int v = rt_next_varied(p, 0); v < p->n_varied; v = rt_next_varied(p, v + 1)) {
        const int k = owner[j->body_of_number[v]];
        double *row = rt_varied_row(rows, v);
        if (!row) return rt_fail_memory(error);
        if (k < 0) return rt_fail(error, ROUTH_NUMERIC_ERROR, "a number changed with no parameter");
        row[k] = p->varied[v];
    }
    return ROUTH_OK;
}

/* The partials by the parameters of a packet, nothing moved, and what they do to balance. */
static routh_status vary_packet(rt_sensitivity_job *j, const rt_packet *packet,
                                rt_varied_rows *rows, routh_error *error)
{
    const rt_varied_state none = {0};
    rt_variation *v = j->variation;
    routh_status status =
        rt_variation_along_all(v, packet->parameter, packet->n, NULL, NULL, error);
    if (!status) status = rt_variation_move(v, &none, error);
    if (!status) status = rt_variation_evaluate(v, j->moves.what, error);
    if (!status) status = rt_pencil_vary(&j->pencil, v, error);
    if (status) return status;
    rt_change_share(&j->change, v, packet->owner, j->rhs);
    return share_numbers(j, packet->owner, rows, error);
}

static routh_status vary_packets(rt_sensitivity_job *j, int first, int n, rt_varied_rows *rows,
                                 routh_error *error)
{
    const int observer = j->task.observer.marker;
    routh_status status =
        rt_packets_find(&j->packets, j->variation, observer, j->parameter + first, n, error);
    memset(j->rhs, 0, (size_t)j->change.order * (size_t)n * sizeof *j->rhs);
    for (int k = 0; k < j->packets.n && !status; k++)
        status = vary_packet(j, &j->packets.packet[k], rows, error);
    return status;
}

static bool sensitivity_job_pushes(const rt_sensitivity_job *j, int k)
{
    const double *rhs = j->rhs + (size_t)j->change.order * (size_t)k;
    for (int c = 0; c < j->change.order; c++)
        if (rhs[c] != 0) return true;
    return false;
}

/* Parameter k with the motion in column `at` of z. */
static routh_status vary_moved(rt_sensitivity_job *j, int k, int at, int stride, routh_error *error)
{
    const routh_mechanism *m = j->pencil.s->m;
    const rt_varied_state by = {.xi = j->column, .lambda = j->column + m->n_u};
    for (int c = 0; c < m->n_u + m->n_rows; c++)
        j->column[c] = j->z[(size_t)c * (size_t)stride + (size_t)at];
    routh_status status = rt_variation_along(j->variation, j->parameter[k], NULL, NULL, error);
    if (!status) status = rt_variation_move(j->variation, &by, error);
    if (!status) status = rt_variation_evaluate(j->variation, j->moves.what, error);
    return status ? status : rt_pencil_vary(&j->pencil, j->variation, error);
}

/* What the motion of the equilibrium adds: by coordinates where many parameters move it. */
static routh_status sensitivity_job_add_motion(rt_sensitivity_job *j, int first, int n,
                                               rt_varied_rows *rows, routh_error *error)
{
    const int stride = rows->width;
    int n_moving = 0;
    for (int k = 0; k < n; k++) n_moving += sensitivity_job_pushes(j, k);
    routh_status status = rt_change_solve(&j->change, j->rhs, n, stride, j->z, error);
    if (!status && (j->moves.moves || rt_moves_pay(&j->pencil, n_moving))) {
        status = rt_moves_find(&j->moves, j->z, stride, n, j->variation, &j->arena, error);
        return status ? status : rt_moves_add(&j->moves, j->z, n, rows, error);
    }
    for (int k = 0; k < n && !status; k++) {
        if (!sensitivity_job_pushes(j, k)) continue;
        status = vary_moved(j, first + k, k, stride, error);
        if (!status) status = replace_column(&j->pencil, k, rows, error);
    }
    return status;
}

routh_status rt_job_vary_some(rt_sensitivity_job *j, int first, int n, rt_varied_rows *rows,
                              routh_error *error)
{
    if (j->point.type == ROUTH_OPERATING_STATIC && rt_moves_fit(&j->pencil)) {
        routh_status status = take_together(j, rows->width, error);
        if (!status) status = vary_packets(j, first, n, rows, error);
        return status ? status : sensitivity_job_add_motion(j, first, n, rows, error);
    }
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n && !status; k++) {
        status = rt_job_vary(j, first + k, error);
        if (!status) status = sensitivity_job_put_column(&j->pencil, k, rows, error);
    }
    return status;
}
