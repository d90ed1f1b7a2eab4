/* See variation.h. Compiled with numbers that carry a derivative, and never without. */
#ifndef RT_VARIATION
#error "compiled for variations only"
#endif

#include <stdlib.h>

#include "system/arrays.h"
#include "system/compile.h"
#include "system/joined.h"
#include "system/varies.h"
#include "system/variation_work.h"

void rt_variation_free(rt_variation *v)
{
    if (!v) return;
    rt_state_free(v->state);
    rt_state_free(v->start);
    rt_workspace_free(v->w);
    if (v->m) rt_free_direct(v->m);
    rt_arena_free(&v->arena);
    free(v);
}

static bool take_place(rt_variation *v)
{
    const routh_mechanism *m = v->m;
    rt_arena *a = &v->arena;
    v->q = RT_TAKE(a, double, m->n_q);
    v->u = RT_TAKE(a, double, m->n_u);
    v->udot = RT_TAKE(a, double, m->n_u);
    v->lambda = RT_TAKE(a, double, m->n_rows);
    v->signal = RT_TAKE(a, double, 3 * (size_t)m->n_signals);
    return v->q && v->u && v->udot && v->lambda && v->signal;
}

routh_status rt_variation_create(rt_variation **variation, const routh_model *model,
                                 routh_error *error)
{
    *variation = NULL;
    rt_variation *v = calloc(1, sizeof *v);
    if (!v) return rt_fail_memory(error);
    v->model = model;
    routh_status status = rt_compile_direct(&v->m, model, &rt_absolute, NULL, error);
    if (!status) status = rt_variation_compile_slopes(v, error);
    if (!status) status = rt_variation_compile_rows(v, error);
    if (!status) status = rt_workspace_create(&v->w, v->m, error);
    if (!status) status = rt_state_create(&v->state, v->m, error);
    if (!status) status = rt_state_create(&v->start, v->m, error);
    for (int kind = 0; kind < RT_SENSOR_KINK && !status; kind++)
        status = rt_sensor_rows(v->m, (rt_sensor_kind)kind, &v->rows[kind], &v->arena, error);
    if (!status && !take_place(v)) status = rt_fail_memory(error);
    if (status) {
        rt_variation_free(v);
        return status;
    }
    v->m->along = &v->along;
    *variation = v;
    return ROUTH_OK;
}

void rt_variation_place(rt_variation *v, const rt_varied_state *at, bool still)
{
    const routh_mechanism *m = v->m;
    v->t = at->t;
    v->still = still;
    memcpy(v->q, at->q, (size_t)m->n_q * sizeof(double));
    memcpy(v->u, at->u, (size_t)m->n_u * sizeof(double));
    memcpy(v->udot, at->udot, (size_t)m->n_u * sizeof(double));
    memcpy(v->lambda, at->lambda, (size_t)m->n_rows * sizeof(double));
    memcpy(v->signal, at->signal, 3 * (size_t)m->n_signals * sizeof(double));
    if (m->model->n_angles) memcpy(v->state->near, at->near, rt_count_near(m) * sizeof(double));
}

/* dtheta in the body's axes: twice the vector part of q* dq */
static void variation_turn_of(const rt_scalar q[4], double turn[3])
{
    const double x[3] = {rt_re(q[1]), rt_re(q[2]), rt_re(q[3])}, w = rt_re(q[0]);
    const double dx[3] = {rt_im(q[1]), rt_im(q[2]), rt_im(q[3])}, dw = rt_im(q[0]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        turn[i] = 2 * (w * dx[i] - dw * x[i] - (x[j] * dx[k] - x[k] * dx[j])) * rt_variation_per_h;
    }
}

void rt_variation_read_place(const routh_mechanism *m, const rt_scalar *q, double *xi)
{
    memset(xi, 0, (size_t)m->n_u * sizeof *xi);
    for (int b = 0; b < m->n_bodies; b++) {
        for (int i = 0; i < 3; i++) xi[6 * b + i] = rt_im(q[7 * b + i]) * rt_variation_per_h;
        variation_turn_of(q + 7 * (size_t)b + 3, xi + 6 * (size_t)b + 3);
    }
    for (int e = 0; e < m->n_elastic; e++)
        xi[m->first_elastic + e] = rt_im(q[m->first_elastic_q + e]) * rt_variation_per_h;
}

/* ---- the change ----------------------------------------------------------------------------- */

static void variation_vary(rt_scalar *to, const double *at, const double *by, int n)
{
    for (int k = 0; k < n; k++) to[k] = rt_complex(at[k], by ? rt_variation_h * by[k] : 0);
}

/* q by xi * i h, into s->q; s->udot serves for xi */
static void vary_place(rt_variation *v, const double *q, const double *xi)
{
    const routh_mechanism *m = v->m;
    rt_state *s = v->state;
    variation_vary(s->q, q, NULL, m->n_q);
    for (int c = 0; c < m->n_u && xi; c++) s->udot[c] = rt_complex(0, rt_variation_h * xi[c]);
    if (xi) rt_advance(m, s->q, s->udot);
}

void rt_variation_step(rt_variation *v, double *q, double *xi, const double *step, const double *by)
{
    const routh_mechanism *m = v->m;
    rt_state *s = v->state;
    vary_place(v, q, xi);
    variation_vary(s->udot, step, by, m->n_u);
    rt_advance(m, s->q, s->udot);
    for (int k = 0; k < m->n_q; k++) q[k] = rt_re(s->q[k]);
    rt_variation_read_place(m, s->q, xi);
}

void rt_variation_find_inputs(rt_variation *v, const int *inputs, int n)
{
    v->found = inputs, v->n_found = n;
}

static bool is_found(const rt_variation *v, int input)
{
    for (int k = 0; k < v->n_found; k++)
        if (v->found[k] == input) return true;
    return false;
}

/* Inputs: values as written change with the parameters, histories with those and with time; held
 * ones are constant in time. */
static routh_status move_inputs(rt_variation *v, routh_error *error)
{
    const routh_mechanism *m = v->m;
    rt_state *s = v->state;
    for (int k = 0; k < v->model->n_inputs; k++) {
        const rt_quantity in = {.kind = RT_QUANTITY_INPUT, .index = k};
        const int place = rt_signal_place(v->model, &in);
        const rt_expr e = v->model->inputs[k].value.expr;
        if (e >= 0 && !is_found(v, k))
            s->signal[place] = rt_complex(v->signal[place], v->by_expr[e]);
    }
    const routh_status status = rt_input_histories_set(m, s, error);
    for (int k = m->n_signals; k < 3 * m->n_signals && v->still; k++) s->signal[k] = v->signal[k];
    return status;
}

routh_status rt_variation_move(rt_variation *v, const rt_varied_state *by, routh_error *error)
{
    const routh_mechanism *m = v->m;
    rt_state *s = v->state;
    const rt_number *time = &v->model->time;
    s->t = rt_complex(v->t, time->expr >= 0 ? v->by_expr[time->expr] : 0);
    vary_place(v, v->q, by->xi);
    variation_vary(s->u, v->u, by->u, m->n_u);
    variation_vary(s->udot, v->udot, by->udot, m->n_u);
    variation_vary(s->lambda, v->lambda, by->lambda, m->n_rows);
    variation_vary(s->signal, v->signal, by->signal, m->n_signals);
    variation_vary(s->signal + m->n_signals, v->signal + m->n_signals, NULL, 2 * m->n_signals);
    return move_inputs(v, error);
}

void rt_variation_touched(const rt_variation *v, int observer, bool *bodies)
{
    if (observer >= 0 && rt_marker_is_varied(v->m, observer))
        memset(bodies, 1, (size_t)v->m->n_bodies * sizeof *bodies);
    rt_touched_bodies(v->m, v->state, bodies);
}

routh_status rt_variation_evaluate(rt_variation *v, int what, routh_error *error)
{
    return rt_evaluate(v->m, v->w, v->state, what, error);
}

routh_status rt_variation_sensor(rt_variation *v, int kind, int k, double *value, double *partials,
                                 routh_error *error)
{
    rt_sensor_row *row = &v->rows[kind][k];
    const routh_status status = rt_sensor_evaluate(v->m, v->w, v->state, (rt_sensor_kind)kind, k,
                                                   partials != NULL, row, error);
    if (status) return status;
    *value = rt_im(row->value) * rt_variation_per_h;
    if (!partials) return ROUTH_OK;
    for (int i = 0; i < 3 * row->n_columns; i++)
        *partials++ = rt_im(row->by_x[i]) * rt_variation_per_h;
    for (int i = 0; i < row->n_lambda; i++)
        *partials++ = rt_im(row->by_lambda[i]) * rt_variation_per_h;
    for (int i = 0; i < row->n_signals; i++)
        *partials++ = rt_im(row->by_signal[i]) * rt_variation_per_h;
    return ROUTH_OK;
}

/* ---- what comes out ------------------------------------------------------------------------- */

int rt_variation_read(const rt_variation *v, rt_varied_array which, double *out)
{
    int n;
    const rt_scalar *x = rt_array_of(v->m, v->w, v->state, which, &n);
    for (int k = 0; k < n; k++) out[k] = rt_im(x[k]) * rt_variation_per_h;
    return n;
}
