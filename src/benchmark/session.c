/* From a problem to the numbers that are asked of it. */
#include "benchmark/session.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "routh/sweep.h"

/* ---- the model ------------------------------------------------------------------------------- */

/* The text as it is found: of a template it is `made`, which is to be freed. */
static routh_status find_text(const rt_benchmark_entry *entry, const rt_benchmark_case *of,
                              routh_text *made, const char **text, routh_error *error)
{
    *text = entry->from == RT_FROM_TEXT ? entry->model : NULL;
    if (entry->from == RT_FROM_TEMPLATE) {
        const routh_status status =
            routh_template_write(entry->model, of->shape, (size_t)of->n_shape, made, error);
        *text = made->bytes;
        return status;
    }
    for (const rt_benchmark_example *e = rt_benchmark_examples; e->name && !*text; e++)
        if (strcmp(e->name, entry->model) == 0) *text = e->text;
    if (*text) return ROUTH_OK;
    return rt_fail(error, ROUTH_MODEL_ERROR, "problem %s: there is no example '%s'", entry->name,
                   entry->model);
}

routh_status rt_benchmark_text(const rt_benchmark_entry *entry, const rt_benchmark_case *of,
                               routh_text *text, routh_error *error)
{
    routh_text made = {0};
    rt_text whole = {0};
    const char *found = NULL;
    *text = (routh_text){0};
    const routh_status status = find_text(entry, of, &made, &found, error);
    if (!status) rt_text_append(&whole, "%s%s", found, entry->append ? entry->append : "");
    routh_text_free(&made);
    if (status) return status;
    text->length = whole.length;
    text->bytes = rt_text_take(&whole);
    return text->bytes ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_benchmark_begin(rt_benchmark_session *s, const rt_benchmark_entry *entry,
                                const rt_benchmark_case *of, routh_error *error)
{
    routh_text text;
    *s = (rt_benchmark_session){.entry = entry, .of = of};
    routh_status status = rt_benchmark_text(entry, of, &text, error);
    if (!status)
        status = routh_model_parse(&s->model, text.bytes, text.length, entry->name, of->settings,
                                   (size_t)of->n_settings, error);
    routh_text_free(&text);
    if (!status)
        status = routh_mechanism_compile(&s->mechanism, s->model, entry->coordinates, error);
    return status;
}

void rt_benchmark_end(rt_benchmark_session *s)
{
    routh_operating_point_free(s->later);
    routh_simulation_free(s->simulation);
    routh_branches_free(s->branches);
    routh_modes_free(s->modes);
    routh_linear_free(s->linear);
    routh_operating_point_free(s->point);
    routh_mechanism_free(s->mechanism);
    routh_model_free(s->model);
    *s = (rt_benchmark_session){0};
}

static routh_status session_point(rt_benchmark_session *s, routh_error *error)
{
    return s->point ? ROUTH_OK : routh_operating_point_find(&s->point, s->mechanism, NULL, error);
}

static routh_status session_linear(rt_benchmark_session *s, routh_error *error)
{
    routh_linear_options o = routh_linear_defaults();
    o.method = s->entry->method;
    o.reference = s->entry->frame;
    o.shares = o.markers = 0;
    if (s->linear) return ROUTH_OK;
    const routh_status status = session_point(s, error);
    return status ? status : routh_linear_compute(&s->linear, s->mechanism, s->point, &o, error);
}

static routh_status session_modes(rt_benchmark_session *s, routh_error *error)
{
    if (s->modes) return ROUTH_OK;
    const routh_status status = session_linear(s, error);
    return status ? status : routh_modes_compute(&s->modes, s->linear, error);
}

/* ---- eigenvalues ----------------------------------------------------------------------------- */

/* What an eigenvalue is ordered by, and what is asked of it; false where it is not of the kind. */
static bool sorts_by(rt_benchmark_kind kind, const routh_mode *mode, double *key, double *number)
{
    const double re = mode->eigenvalue[0], im = mode->eigenvalue[1];
    *key = *number = kind == RT_QUANTITY_REAL ? re : im;
    if (kind == RT_QUANTITY_GROWTH) *number = re;
    if (kind == RT_QUANTITY_SQUARE) *key = *number = im * im - re * re;
    if (mode->rigid) return false;
    if (kind == RT_QUANTITY_REAL) return im == 0;
    /* of a pair +-s the one that is not below the real axis, and not left of the imaginary one */
    if (kind == RT_QUANTITY_SQUARE) return im > 0 || (im == 0 && re > 0);
    return im > 0;
}

/* Number `index` by rising key: as many are before it as have a smaller key, or the same and stand
 * before it. */
static routh_status eigenvalue(const rt_benchmark_session *s, const rt_benchmark_quantity *q,
                               double *computed, routh_error *error)
{
    double key, number, other, unused;
    int n = 0;
    for (int k = 0; k < s->modes->n; k++) {
        int before = 0;
        if (!sorts_by(q->kind, &s->modes->modes[k], &key, &number)) continue;
        n++;
        for (int j = 0; j < s->modes->n; j++)
            if (sorts_by(q->kind, &s->modes->modes[j], &other, &unused) &&
                (other < key || (other == key && j < k)))
                before++;
        if (before != q->index[0] - 1) continue;
        *computed = number;
        return ROUTH_OK;
    }
    return rt_fail(error, ROUTH_NUMERIC_ERROR, "there are %d such eigenvalues, not %d", n,
                   q->index[0]);
}

/* ---- other numbers --------------------------------------------------------------------------- */

static routh_status entry(const rt_benchmark_session *s, const rt_benchmark_quantity *q,
                          double *computed, routh_error *error)
{
    const routh_linear *l = s->linear;
    const double *const matrices[] = {l->mass, l->damping, l->stiffness};
    const int columns = q->kind == RT_QUANTITY_STIFFNESS ? l->n_position : l->n_velocity;
    if (q->index[0] > l->n_velocity || q->index[1] > columns)
        return rt_fail(error, ROUTH_NUMERIC_ERROR, "the matrix is %d x %d", l->n_velocity, columns);
    *computed = matrices[q->kind - RT_QUANTITY_MASS][(q->index[0] - 1) * columns + q->index[1] - 1];
    return ROUTH_OK;
}

static routh_status output(const routh_operating_point *point, const char *name, double *computed,
                           routh_error *error)
{
    for (int k = 0; k < point->n_signals; k++)
        if (strcmp(point->signals[k].name, name) == 0) {
            *computed = point->signals[k].value;
            return ROUTH_OK;
        }
    return rt_fail(error, ROUTH_MODEL_ERROR, "the model has no output '%s'", name);
}

/* The simulation begins anew where the time is before that of the number before. */
static routh_status simulate(rt_benchmark_session *s, const rt_benchmark_quantity *q,
                             routh_error *error)
{
    double time;
    routh_simulation_options o = routh_simulation_defaults();
    routh_status status = routh_model_evaluate(s->model, q->time, &time, error);
    if (!status) status = session_point(s, error);
    if (status) return status;
    o.integrator = s->entry->integrator;
    o.tolerance = s->entry->tolerance;
    o.step = s->entry->step;
    if (s->simulation && routh_simulation_time(s->simulation) > time) {
        routh_simulation_free(s->simulation);
        s->simulation = NULL;
    }
    routh_operating_point_free(s->later);
    s->later = NULL;
    if (!s->simulation)
        status = routh_simulation_create(&s->simulation, s->mechanism, s->point, &o, error);
    if (!status) status = routh_simulation_advance(s->simulation, time, error);
    return status ? status : routh_simulation_point(s->simulation, &s->later, error);
}

static routh_status branch(rt_benchmark_session *s, const rt_benchmark_quantity *q,
                           double *computed, routh_error *error)
{
    routh_status status = session_point(s, error);
    if (!status && !s->branches)
        status = routh_branches_find(&s->branches, s->mechanism, s->point, error);
    if (status) return status;
    if (q->index[0] > s->branches->n)
        return rt_fail(error, ROUTH_NUMERIC_ERROR, "there are %d branches", s->branches->n);
    const routh_branch *b = &s->branches->branches[q->index[0] - 1];
    *computed = NAN;
    for (int k = 0; k < b->n_eigenvalues; k++)
        if (b->eigenvalues[k][1] > 0 && !(*computed <= b->eigenvalues[k][1]))
            *computed = b->eigenvalues[k][1];
    return ROUTH_OK;
}

/* ---- where stability changes ----------------------------------------------------------------- */

/* The first flutter or divergence along the parameter; where there is none, the first value at
 * which modes cannot be told apart, as where eigenvalues go through a multiple zero. */
static routh_status first_limit(const routh_sweep *sweep, double *computed, routh_error *error)
{
    const routh_sweep_line *line = &sweep->lines[0];
    const routh_sweep_event *found = NULL;
    for (int k = 0; k < line->n_events; k++) {
        const routh_sweep_event *e = &line->events[k];
        const bool certain = e->kind == ROUTH_SWEEP_FLUTTER || e->kind == ROUTH_SWEEP_DIVERGENCE;
        if (certain || (e->kind == ROUTH_SWEEP_AMBIGUOUS && !found)) found = e;
        if (certain) break;
    }
    if (!found)
        return rt_fail(error, ROUTH_NUMERIC_ERROR, "stability does not change along %s",
                       sweep->parameter);
    *computed = found->value;
    return ROUTH_OK;
}

static routh_status stability_limit(rt_benchmark_session *s, const rt_benchmark_quantity *q,
                                    double *computed, routh_error *error)
{
    double from, to;
    char text[64];
    routh_sweep_axis axis = {0};
    routh_sweep *sweep = NULL;
    routh_sweep_options o = routh_sweep_defaults();
    routh_status status = routh_model_evaluate(s->model, q->from, &from, error);
    if (!status) status = routh_model_evaluate(s->model, q->to, &to, error);
    if (status) return status;
    double values[] = {from, from + (to - from) / 3, from + (to - from) * 2 / 3, to};
    snprintf(text, sizeof text, "%s", q->name);
    axis = (routh_sweep_axis){
        .parameter = text, .n = sizeof values / sizeof *values, .values = values};
    o.coordinates = s->entry->coordinates;
    o.reference = s->entry->frame;
    o.method = s->entry->method;
    o.threads = 1;
    status = routh_sweep_run_of_model(&sweep, s->model, &axis, 1, &o, error);
    if (!status) status = first_limit(sweep, computed, error);
    routh_sweep_free(sweep);
    return status;
}

/* ---- one number ------------------------------------------------------------------------------ */

static routh_status compute(rt_benchmark_session *s, const rt_benchmark_quantity *q,
                            double *computed, routh_error *error)
{
    routh_status status = ROUTH_OK;
    switch (q->kind) {
    case RT_QUANTITY_FREQUENCY:
    case RT_QUANTITY_GROWTH:
    case RT_QUANTITY_REAL:
    case RT_QUANTITY_SQUARE:
        status = session_modes(s, error);
        return status ? status : eigenvalue(s, q, computed, error);
    case RT_QUANTITY_MASS:
    case RT_QUANTITY_DAMPING:
    case RT_QUANTITY_STIFFNESS:
        status = session_linear(s, error);
        return status ? status : entry(s, q, computed, error);
    case RT_QUANTITY_OUTPUT:
        status = q->time ? simulate(s, q, error) : session_point(s, error);
        return status ? status : output(q->time ? s->later : s->point, q->name, computed, error);
    case RT_QUANTITY_FREEDOM:
        status = session_point(s, error);
        if (!status) *computed = s->point->degrees_of_freedom;
        return status;
    case RT_QUANTITY_REDUNDANT:
        status = session_point(s, error);
        if (!status) *computed = s->point->n_redundant;
        return status;
    case RT_QUANTITY_BRANCH: return branch(s, q, computed, error);
    case RT_QUANTITY_LIMIT: return stability_limit(s, q, computed, error);
    case RT_QUANTITY_KINDS: break;
    }
    return status;
}

routh_status rt_benchmark_compute(rt_benchmark_session *s, const rt_benchmark_quantity *q,
                                  double *computed, routh_error *error)
{
    double number = NAN, per = 1;
    routh_status status = compute(s, q, &number, error);
    if (!status && q->per) status = routh_model_evaluate(s->model, q->per, &per, error);
    *computed = status ? NAN : q->power == 1 ? number / per : pow(number / per, q->power);
    return status;
}
