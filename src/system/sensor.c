/* Sensors read: on the frames, multipliers and signals as they are, and from frames to columns of
 * u by the motion of each marker,
 *     g_x = c0 J + c1 J1 + c2 J2x,   g_u = c1 J + c2 J2u,   g_a = c2 J
 * for the covectors c0, c1, c2 of the three levels. */
#include "system/compile.h"
#include "system/sensor.h"

#include <stdio.h>
#include <stdlib.h>

#include "system/joined.h"
#include "system/sensors.h"

int rt_sensor_count(const routh_mechanism *m, rt_sensor_kind kind)
{
    return m->sensors->count[kind];
}

/* Of the last use that begins at k or before. */
static void sensor_describe_argument(const routh_model *model, int k, char element[192],
                                     rt_place *place)
{
    int use = model->n_function_uses - 1;
    while (use > 0 && model->function_uses[use].first > k) use--;
    snprintf(element, 192, "%s", model->function_uses[use].element);
    *place = model->function_uses[use].place;
}

void rt_sensor_describe(const routh_mechanism *m, rt_sensor_kind kind, int k, char element[192],
                        rt_place *place)
{
    const routh_model *model = m->model;
    switch (kind) {
    case RT_SENSOR_STATE:
        snprintf(element, 192, "%s", model->control_states[k].element);
        *place = model->control_states[k].place;
        return;
    case RT_SENSOR_VARIABLE:
        snprintf(element, 192, "%s", model->variables[k].element);
        *place = model->variables[k].place;
        return;
    case RT_SENSOR_OUTPUT:
        snprintf(element, 192, "output %s", model->outputs[k].name);
        *place = model->outputs[k].place;
        return;
    case RT_SENSOR_PRESCRIBED:
        snprintf(element, 192, "prescription %s", model->steady.prescribed[k].name);
        *place = model->steady.prescribed[k].place;
        return;
    case RT_SENSOR_KINK:
    case RT_SENSOR_JUMP:
    case RT_SENSOR_STEP:
        snprintf(element, 192, "%s", model->kinks[k].element);
        *place = model->kinks[k].place;
        return;
    case RT_SENSOR_ARGUMENT: sensor_describe_argument(model, k, element, place); return;
    default: snprintf(element, 192, "event %s", model->events[k].name);
    }
    *place = kind == RT_SENSOR_EVENT ? model->events[k].when.place : model->events[k].value.place;
}

/* ---- what it depends on ---------------------------------------------------------------------- */

static bool is_acceleration(const rt_vector *v)
{
    return v->kind == RT_VECTOR_ACCELERATION || v->kind == RT_VECTOR_ALPHA;
}

bool rt_sensor_feels(const routh_mechanism *m, rt_sensor_kind kind, int k)
{
    const rt_program *p = &m->sensors->sensors[kind][k].program[0];
    bool feels = p->n_forces > 0;
    for (int d = 0; d < p->n_dots; d++)
        feels = feels || is_acceleration(&p->quantity[d]->a) || is_acceleration(&p->quantity[d]->b);
    return feels;
}

bool rt_sensor_reads(const routh_mechanism *m, rt_sensor_kind kind, int k, int place)
{
    const rt_program *p = &m->sensors->sensors[kind][k].program[0];
    for (int i = 0; i < p->n_signals; i++)
        if (p->signal[i] == place) return true;
    return false;
}

bool rt_sensor_reads_time(const routh_mechanism *m, rt_sensor_kind kind, int k)
{
    return rt_program_reads_time(&m->sensors->sensors[kind][k].program[0]);
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* The mechanism whose elements and frames are looked at. */
static const routh_mechanism *sensor_elements_of(const routh_mechanism *m)
{
    return m->joined ? m->inner : m;
}

static int sensor_compare_ints(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static routh_status sensor_take_columns(const routh_mechanism *m, const rt_load_block *sensor,
                                        rt_sensor_row *row, rt_arena *arena, routh_error *error)
{
    int n = 0;
    for (int f = 0; f < sensor->block.n_frames; f++)
        n += rt_marker_width(m, sensor->block.frames[f]);
    row->columns = RT_TAKE(arena, int, n);
    if (!row->columns) return rt_fail_memory(error);
    n = 0;
    for (int f = 0; f < sensor->block.n_frames; f++)
        n += rt_marker_columns(m, sensor->block.frames[f], row->columns + n);
    if (n) qsort(row->columns, (size_t)n, sizeof *row->columns, sensor_compare_ints);
    for (int k = 0; k < n; k++)
        if (k == 0 || row->columns[k] != row->columns[k - 1])
            row->columns[row->n_columns++] = row->columns[k];
    return ROUTH_OK;
}

static routh_status make_row(const routh_mechanism *m, const rt_load_block *sensor,
                             rt_sensor_row *row, rt_arena *arena, routh_error *error)
{
    const int n_rows = sensor_elements_of(m)->n_rows;
    const routh_status status = sensor_take_columns(m, sensor, row, arena, error);
    if (status) return status;
    row->by_x = RT_TAKE(arena, rt_scalar, 3 * (size_t)row->n_columns);
    row->lambda = RT_TAKE(arena, int, sensor->n_lambda);
    row->signals = RT_TAKE(arena, int, sensor->n_lambda);
    row->by_lambda = RT_TAKE(arena, rt_scalar, sensor->n_lambda);
    row->by_signal = RT_TAKE(arena, rt_scalar, sensor->n_lambda);
    if (!row->by_x || !row->lambda || !row->signals || !row->by_lambda || !row->by_signal)
        return rt_fail_memory(error);
    row->by_u = row->by_x + row->n_columns;
    row->by_a = row->by_u + row->n_columns;
    for (int k = 0; k < sensor->n_lambda; k++) {
        const int place = sensor->lambda[k];
        if (place < n_rows)
            row->lambda[row->n_lambda++] = place;
        else
            row->signals[row->n_signals++] = place - n_rows;
    }
    return ROUTH_OK;
}

routh_status rt_sensor_rows(const routh_mechanism *m, rt_sensor_kind kind, rt_sensor_row **rows,
                            rt_arena *arena, routh_error *error)
{
    const int n = rt_sensor_count(m, kind);
    *rows = RT_TAKE(arena, rt_sensor_row, n);
    if (!*rows) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) {
        const routh_status status =
            make_row(m, &m->sensors->sensors[kind][k], &(*rows)[k], arena, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static int sensor_find(const int *list, int n, int item)
{
    const int *at = bsearch(&item, list, (size_t)n, sizeof *list, sensor_compare_ints);
    return (int)(at - list);
}

/* y += c' X, X 6 x n */
static void sensor_add_product(rt_sensor_row *row, rt_scalar *y, const rt_motion *map,
                               const rt_scalar c[6], const rt_scalar *X)
{
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < map->n && c[i] != 0; k++)
            y[sensor_find(row->columns, row->n_columns, map->columns[k])] +=
                c[i] * X[i * map->n + k];
}

static void to_columns(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                       const rt_load_block *sensor, const rt_scalar_gradient *g, rt_sensor_row *row)
{
    memset(row->by_x, 0, 3 * (size_t)row->n_columns * sizeof *row->by_x);
    for (int f = 0; f < sensor->block.n_frames; f++) {
        rt_motion map;
        const rt_scalar *c0 = g->by_frame[0] + 6 * f, *c1 = g->by_frame[1] + 6 * f,
                        *c2 = g->by_frame[2] + 6 * f;
        rt_marker_motion(m, w, state, sensor->block.frames[f], &map);
        if (map.n == 0) continue;
        sensor_add_product(row, row->by_x, &map, c0, map.J);
        sensor_add_product(row, row->by_x, &map, c1, map.J1);
        sensor_add_product(row, row->by_x, &map, c2, map.J2x);
        sensor_add_product(row, row->by_u, &map, c1, map.J);
        sensor_add_product(row, row->by_u, &map, c2, map.J2u);
        sensor_add_product(row, row->by_a, &map, c2, map.J);
    }
}

/* by_lambda of the gradient, which lists multipliers and signals together in the sensor's order */
static void to_places(const rt_load_block *sensor, int n_rows, const rt_scalar_gradient *g,
                      rt_sensor_row *row)
{
    int lambda = 0, signal = 0;
    for (int k = 0; k < sensor->n_lambda; k++)
        if (sensor->lambda[k] < n_rows)
            row->by_lambda[lambda++] = g->by_lambda[k];
        else
            row->by_signal[signal++] = g->by_lambda[k];
}

/* v - value */
static void turn_into_residual(const routh_mechanism *m, const rt_state *state, int k,
                               bool partials, rt_sensor_row *row)
{
    const rt_quantity itself = {.kind = RT_QUANTITY_VARIABLE, .index = k};
    const int place = rt_signal_place(m->model, &itself);
    row->value = state->signal[place] - row->value;
    if (!partials) return;
    for (int i = 0; i < 3 * row->n_columns; i++) row->by_x[i] = -row->by_x[i];
    for (int i = 0; i < row->n_lambda; i++) row->by_lambda[i] = -row->by_lambda[i];
    for (int i = 0; i < row->n_signals; i++)
        row->by_signal[i] = (row->signals[i] == place) - row->by_signal[i];
}

static bool is_finite(const rt_sensor_row *row, bool partials)
{
    rt_scalar sum = row->value;
    for (int k = 0; k < 3 * row->n_columns && partials; k++) sum += row->by_x[k];
    for (int k = 0; k < row->n_lambda && partials; k++) sum += row->by_lambda[k];
    for (int k = 0; k < row->n_signals && partials; k++) sum += row->by_signal[k];
    return rt_finite(sum);
}

static routh_status sensor_blame(const routh_mechanism *m, rt_sensor_kind kind, int k,
                                 const char *what, routh_error *error)
{
    char element[192];
    rt_place place;
    rt_sensor_describe(m, kind, k, element, &place);
    return rt_fail_at(error, ROUTH_NUMERIC_ERROR, m->model->file, place, element, "%s", what);
}

static bool sensor_read(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                        const rt_load_block *sensor, bool partials, rt_scalar *value,
                        rt_scalar_gradient *g)
{
    const routh_mechanism *e = sensor_elements_of(m);
    rt_workspace *on = m->joined ? w->joined->inner : w;
    for (int f = 0; f < sensor->block.n_frames; f++)
        rt_evaluate_marker(e, on, sensor->block.frames[f]);
    return rt_load_function(e, on, sensor, state, 0, partials, 0, value, g);
}

bool rt_sensor_value(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                     rt_sensor_kind kind, int k, rt_scalar *value)
{
    rt_scalar_gradient unused;
    return sensor_read(m, w, state, &m->sensors->sensors[kind][k], false, value, &unused);
}

routh_status rt_sensor_evaluate(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                                rt_sensor_kind kind, int k, bool partials, rt_sensor_row *row,
                                routh_error *error)
{
    const rt_load_block *sensor = &m->sensors->sensors[kind][k];
    rt_scalar_gradient g;
    partials = partials && kind < RT_SENSOR_KINK;
    if (!sensor_read(m, w, state, sensor, partials, &row->value, &g))
        return sensor_blame(
            m, kind, k, "it uses the force of a load that has no direction here; move its markers",
            error);
    if (partials) {
        to_columns(m, w, state, sensor, &g, row);
        to_places(sensor, sensor_elements_of(m)->n_rows, &g, row);
    }
    if (kind == RT_SENSOR_VARIABLE) turn_into_residual(m, state, k, partials, row);
    if (is_finite(row, partials)) return ROUTH_OK;
    char text[512];
    const bool of_caller =
        rt_load_blame(sensor_elements_of(m), m->joined ? w->joined->inner : w, sensor, state, text);
    return sensor_blame(
        m, kind, k,
        of_caller
            ? text
            : "its value or its derivative is not a finite number here; look at its expression",
        error);
}
