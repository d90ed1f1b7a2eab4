/* See variation.h. Compiled with numbers that carry a derivative, and never without. */
#include "system/variation.h"

#include <stdlib.h>

#include "flexible/damping_slope.h"
#include "model/made.h"
#include "system/compile.h"
#include "system/joined.h"
#include "system/sensor.h"
#include "system/varies.h"

/* Imaginary parts are derivatives times this: far below rounding, far above underflow, and a power
 * of two, so that they are read without rounding. */
static const double h = 0x1p-133, per_h = 0x1p133;

/* Numbers that are made: derivatives of what goes in, for which those of what comes out are in
 * by_parameter; and of what goes in now. */
typedef struct rt_variation_making {
    double *done, *in, *out;
} rt_variation_making;

struct rt_variation {
    rt_arena arena;
    const routh_model *model;
    routh_mechanism *m;
    rt_workspace *w;
    rt_state *state, *start;
    rt_slopes along;
    double *by_expr, *by_parameter, by_length;
    bool still;
    int n_found; /* inputs that are found, not as written */
    const int *found;
    rt_scalar turn[3];            /* of the moving frame */
    rt_variation_making *makings; /* of the model's */
    rt_beam_slopes **beams;       /* by body; NULL: its shape depends on no parameter */
    rt_damping_slope **damped;    /* by body: a reduced one with a damping ratio; else NULL */
    const rt_flexible **shapes;   /* by body: derivatives; NULL: there are none */
    void *making_work;
    /* the expressions in parameters and made numbers alone, as one tape */
    int n_expr;
    rt_expr *expr;
    const rt_tape *tape;
    rt_scalar *inputs, *outputs, *work;
    /* the place */
    double t, *q, *u, *udot, *lambda, *signal;
    rt_sensor_row *rows[RT_SENSOR_KINK]; /* of the kinds that have partials */
    rt_program *states;                  /* the user's */
    rt_scalar *state_work, *row;
};

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

static routh_status take_makings(rt_variation *v, routh_error *error)
{
    const routh_model *model = v->model;
    size_t work = 0;
    v->makings = RT_TAKE(&v->arena, rt_variation_making, model->n_makings);
    if (!v->makings) return rt_fail_memory(error);
    for (int k = 0; k < model->n_makings; k++) {
        const rt_making *making = &model->makings[k];
        rt_variation_making *to = &v->makings[k];
        to->done = RT_TAKE(&v->arena, double, making->n_in);
        to->in = RT_TAKE(&v->arena, double, making->n_in);
        to->out = RT_TAKE(&v->arena, double, making->n_out);
        if (!to->done || !to->in || !to->out) return rt_fail_memory(error);
        const size_t needed = rt_make_slopes_work(making);
        work = needed > work ? needed : work;
    }
    v->making_work = RT_TAKE(&v->arena, char, work);
    return v->making_work ? ROUTH_OK : rt_fail_memory(error);
}

/* The numbers of a beam with their derivatives; false: there are none. */
static bool take_beam(const rt_variation *v, const rt_beam_writing *writing, rt_scalar *numbers)
{
    bool varies = false;
    for (int k = 0; k < RT_BEAM_NUMBERS; k++) {
        numbers[k] = rt_value_of(writing->numbers[k], &v->along);
        varies = varies || rt_im(numbers[k]) != 0;
    }
    return varies;
}

static routh_status take_damping(rt_variation *v, routh_error *error)
{
    const routh_model *model = v->model;
    routh_status status = ROUTH_OK;
    v->damped = RT_TAKE(&v->arena, rt_damping_slope *, model->n_bodies);
    if (!v->damped) return rt_fail_memory(error);
    for (int b = 0; b < model->n_bodies && !status; b++)
        if (model->bodies[b].flexible && model->bodies[b].damping_ratio.expr >= 0)
            status =
                rt_damping_slope_create(&v->damped[b], model->bodies[b].flexible, &v->arena, error);
    return status;
}

static routh_status take_beams(rt_variation *v, routh_error *error)
{
    const routh_model *model = v->model;
    routh_status status = ROUTH_OK;
    v->beams = RT_TAKE(&v->arena, rt_beam_slopes *, model->n_bodies);
    v->shapes = RT_TAKE(&v->arena, const rt_flexible *, model->n_bodies);
    if (!v->beams || !v->shapes) return rt_fail_memory(error);
    for (int b = 0; b < model->n_bodies && !status; b++) {
        const rt_beam_writing *writing = model->bodies[b].beam;
        rt_scalar numbers[RT_BEAM_NUMBERS];
        if (!writing) continue;
        take_beam(v, writing, numbers);
        status = rt_beam_slopes_create(&v->beams[b], &writing->choices, numbers, &v->arena, error);
    }
    v->along.shape = v->shapes;
    return status ? status : take_damping(v, error);
}

static void fill_shapes(rt_variation *v)
{
    for (int b = 0; b < v->model->n_bodies; b++) {
        const double ratio = rt_im(rt_value_of(v->model->bodies[b].damping_ratio, &v->along));
        rt_scalar numbers[RT_BEAM_NUMBERS];
        if (v->damped[b])
            v->shapes[b] = ratio != 0 ? rt_damping_slope_fill(v->damped[b], ratio) : NULL;
        if (!v->beams[b]) continue;
        const bool varies = take_beam(v, v->model->bodies[b].beam, numbers);
        v->shapes[b] = varies ? rt_beam_slopes_fill(v->beams[b], numbers) : NULL;
    }
}

static routh_status compile_slopes(rt_variation *v, routh_error *error)
{
    const rt_graph *graph = v->model->graph;
    const int n_nodes = rt_node_count(graph), n_slots = v->model->n_quantities;
    const int n = v->model->n_parameters + v->model->n_made;
    rt_arena *a = &v->arena;
    bool *within = RT_TAKE(a, bool, n_slots);
    v->expr = RT_TAKE(a, rt_expr, n_nodes);
    v->by_expr = RT_TAKE(a, double, n_nodes);
    v->by_parameter = RT_TAKE(a, double, n);
    int *slots = RT_TAKE(a, int, n);
    if (!v->expr || !v->by_expr || !v->by_parameter || !slots || !within)
        return rt_fail_memory(error);
    for (int k = 0; k < n_slots; k++) {
        const rt_quantity *quantity = &v->model->quantities[k];
        within[k] = rt_is_constant_quantity(quantity);
        if (within[k]) slots[quantity->index] = k;
    }
    v->n_expr = rt_nodes_within(graph, within, n_slots, v->expr);
    if (v->n_expr < 0) return rt_fail_memory(error);
    v->tape = rt_tape_compile(graph, v->expr, v->n_expr, slots, n, a);
    v->inputs = RT_TAKE(a, rt_scalar, n);
    v->outputs = RT_TAKE(a, rt_scalar, v->n_expr);
    v->work = v->tape ? RT_TAKE(a, rt_scalar, rt_tape_work(v->tape)) : NULL;
    if (!v->inputs || !v->outputs || !v->work) return rt_fail_memory(error);
    v->along = (rt_slopes){.expr = v->by_expr, .parameter = v->by_parameter};
    const routh_status status = take_makings(v, error);
    return status ? status : take_beams(v, error);
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

static routh_status compile_states(rt_variation *v, routh_error *error)
{
    const int n = v->model->n_user_states;
    size_t work = 0;
    v->row = RT_TAKE(&v->arena, rt_scalar, 4 * (size_t)v->m->n_u);
    v->states = RT_TAKE(&v->arena, rt_program, n);
    if (!v->row || !v->states) return rt_fail_memory(error);
    for (int j = 0; j < n; j++) {
        const routh_status status =
            rt_program_compile(&v->states[j], v->m->graph, v->model,
                               v->model->user_states[j].value.expr, false, &v->arena, error);
        if (status) return status;
        const size_t needed = rt_program_work(&v->states[j]);
        work = needed > work ? needed : work;
    }
    v->state_work = RT_TAKE(&v->arena, rt_scalar, work);
    return v->state_work ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_variation_create(rt_variation **variation, const routh_model *model,
                                 routh_error *error)
{
    *variation = NULL;
    rt_variation *v = calloc(1, sizeof *v);
    if (!v) return rt_fail_memory(error);
    v->model = model;
    routh_status status = rt_compile_direct(&v->m, model, &rt_absolute, NULL, error);
    if (!status) status = compile_slopes(v, error);
    if (!status) status = compile_states(v, error);
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
}

/* ---- the direction -------------------------------------------------------------------------- */

static void evaluate_slopes(rt_variation *v)
{
    for (int k = 0; k < v->model->n_parameters + v->model->n_made; k++) {
        const rt_quantity constant = {.kind = RT_QUANTITY_PARAMETER, .index = k};
        v->inputs[k] = rt_complex(rt_constant_value(v->model, &constant), v->by_parameter[k]);
    }
    rt_tape_evaluate(v->tape, v->inputs, v->outputs, v->work);
    for (int k = 0; k < v->n_expr; k++) v->by_expr[v->expr[k]] = rt_im(v->outputs[k]);
}

/* What is made of numbers whose derivatives have changed, anew: did any? */
static bool make_again(rt_variation *v)
{
    bool more = false;
    double *made = v->by_parameter + v->model->n_parameters;
    for (int k = 0; k < v->model->n_makings; k++) {
        const rt_making *making = &v->model->makings[k];
        const rt_variation_making *x = &v->makings[k];
        const size_t size = (size_t)making->n_in * sizeof *x->in;
        for (int i = 0; i < making->n_in; i++)
            x->in[i] = making->in[i].expr < 0 ? 0 : v->by_expr[making->in[i].expr];
        if (memcmp(x->in, x->done, size) == 0) continue;
        memcpy(x->done, x->in, size);
        rt_make_slopes(making, x->in, x->out, v->making_work);
        for (int i = 0; i < making->n_out; i++)
            if (making->made[i] >= 0) made[making->made[i]] = x->out[i];
        more = true;
    }
    return more;
}

/* Parameters that are written in terms of others follow them; of a chain as many passes as it is
 * long. The one asked for changes alone, as if it were set. */
routh_status rt_variation_find_slopes(rt_variation *v, int parameter, routh_error *error)
{
    const int n = v->model->n_parameters;
    bool more = true;
    for (int k = 0; k < n; k++) v->by_parameter[k] = k == parameter ? h : 0;
    evaluate_slopes(v);
    for (int pass = 0; pass < n && more; pass++) {
        more = false;
        for (int k = 0; k < n; k++) {
            const rt_expr e = v->model->parameters[k].number.expr;
            if (e < 0 || k == parameter || v->by_parameter[k] == v->by_expr[e]) continue;
            v->by_parameter[k] = v->by_expr[e];
            more = true;
        }
        if (more) evaluate_slopes(v);
    }
    while (make_again(v)) evaluate_slopes(v);
    fill_shapes(v);
    for (int k = 0; k < n; k++)
        if (!isfinite(v->by_parameter[k]))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "the parameter %s has no finite derivative by %s here",
                           v->model->parameters[k].name, v->model->parameters[parameter].name);
    return ROUTH_OK;
}

/* dtheta in the body's axes: twice the vector part of q* dq */
static void turn_of(const rt_scalar q[4], double turn[3])
{
    const double x[3] = {rt_re(q[1]), rt_re(q[2]), rt_re(q[3])}, w = rt_re(q[0]);
    const double dx[3] = {rt_im(q[1]), rt_im(q[2]), rt_im(q[3])}, dw = rt_im(q[0]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        turn[i] = 2 * (w * dx[i] - dw * x[i] - (x[j] * dx[k] - x[k] * dx[j])) * per_h;
    }
}

static void read_place(const routh_mechanism *m, const rt_scalar *q, double *xi)
{
    memset(xi, 0, (size_t)m->n_u * sizeof *xi);
    for (int b = 0; b < m->n_bodies; b++) {
        for (int i = 0; i < 3; i++) xi[6 * b + i] = rt_im(q[7 * b + i]) * per_h;
        turn_of(q + 7 * (size_t)b + 3, xi + 6 * (size_t)b + 3);
    }
    for (int e = 0; e < m->n_elastic; e++)
        xi[m->first_elastic + e] = rt_im(q[m->first_elastic_q + e]) * per_h;
}

routh_status rt_variation_along(rt_variation *v, int parameter, double *xi, double *u,
                                routh_error *error)
{
    routh_mechanism *m = v->m;
    routh_status status = rt_variation_find_slopes(v, parameter, error);
    if (status) return status;
    rt_fill_numbers(m, v->w);
    v->start->t = rt_value_of(m->model->time, m->along);
    status = rt_input_histories_set(m, v->start, error);
    if (status) return status;
    memcpy(v->start->q, m->start_q, (size_t)m->n_q * sizeof *v->start->q);
    memcpy(v->start->u, m->start_u, (size_t)m->n_u * sizeof *v->start->u);
    rt_start_numbers(m, v->w, v->start);
    v->by_length = rt_im(rt_typical_length(m, v->w)) * per_h;
    if (xi) read_place(m, m->start_q, xi);
    for (int c = 0; c < m->n_u && u; c++) u[c] = rt_im(m->start_u[c]) * per_h;
    return ROUTH_OK;
}

double rt_variation_length(const rt_variation *v) { return v->by_length; }

double rt_variation_unit(const rt_variation *v, int c)
{
    const int e = rt_elastic_of_column(v->m, c);
    int body;
    if (e < 0) return 0;
    const rt_elastic *x = rt_elastic_coordinate(v->m, e, &body);
    const rt_flexible *slope = v->shapes[body], *shape = v->model->bodies[body].flexible;
    if (!slope || x->kind != RT_ELASTIC_AMPLITUDE || !(x->size > 0)) return 0;
    return -slope->coordinate[x - shape->coordinate].size / x->size * per_h;
}

double rt_variation_slope(const rt_variation *v, rt_expr e)
{
    return e < 0 ? 0 : v->by_expr[e] * per_h;
}

bool rt_variation_uses(const rt_variation *v, rt_expr e) { return e >= 0 && v->by_expr[e] != 0; }

/* ---- the change ----------------------------------------------------------------------------- */

static void vary(rt_scalar *to, const double *at, const double *by, int n)
{
    for (int k = 0; k < n; k++) to[k] = rt_complex(at[k], by ? h * by[k] : 0);
}

/* q by xi * i h, into s->q; s->udot serves for xi */
static void vary_place(rt_variation *v, const double *q, const double *xi)
{
    const routh_mechanism *m = v->m;
    rt_state *s = v->state;
    vary(s->q, q, NULL, m->n_q);
    for (int c = 0; c < m->n_u && xi; c++) s->udot[c] = rt_complex(0, h * xi[c]);
    if (xi) rt_advance(m, s->q, s->udot);
}

void rt_variation_step(rt_variation *v, double *q, double *xi, const double *step, const double *by)
{
    const routh_mechanism *m = v->m;
    rt_state *s = v->state;
    vary_place(v, q, xi);
    vary(s->udot, step, by, m->n_u);
    rt_advance(m, s->q, s->udot);
    for (int k = 0; k < m->n_q; k++) q[k] = rt_re(s->q[k]);
    read_place(m, s->q, xi);
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
    vary(s->u, v->u, by->u, m->n_u);
    vary(s->udot, v->udot, by->udot, m->n_u);
    vary(s->lambda, v->lambda, by->lambda, m->n_rows);
    vary(s->signal, v->signal, by->signal, m->n_signals);
    vary(s->signal + m->n_signals, v->signal + m->n_signals, NULL, 2 * m->n_signals);
    return move_inputs(v, error);
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
    *value = rt_im(row->value) * per_h;
    if (!partials) return ROUTH_OK;
    for (int i = 0; i < 3 * row->n_columns; i++) *partials++ = rt_im(row->by_x[i]) * per_h;
    for (int i = 0; i < row->n_lambda; i++) *partials++ = rt_im(row->by_lambda[i]) * per_h;
    for (int i = 0; i < row->n_signals; i++) *partials++ = rt_im(row->by_signal[i]) * per_h;
    return ROUTH_OK;
}

/* ---- rows of states (linear/state_rows.c) ---------------------------------------------------- */

static void add_frame(rt_variation *v, int marker, int first, int count, const rt_scalar *p,
                      const rt_scalar *p1, const rt_scalar *p2, const int *columns, int n)
{
    rt_motion map;
    int to = 0;
    rt_marker_motion(v->m, v->w, v->state, marker, &map);
    for (int c = 0; c < map.n; c++) {
        while (columns[to] != map.columns[c]) to++;
        rt_scalar *s_x = v->row + to, *w_x = s_x + n, *a_u = w_x + n, *a_x = a_u + n;
        for (int i = 0; i < count; i++) {
            const int at = (first + i) * map.n + c;
            *s_x += p[i] * map.J[at];
            *w_x += p[i] * map.J1[at] + p1[i] * map.J[at];
            *a_u += p[i] * map.J2u[at] + 2 * p1[i] * map.J[at];
            *a_x += p[i] * map.J2x[at] + 2 * p1[i] * map.J1[at] + p2[i] * map.J[at];
        }
    }
}

static void read_row(const rt_variation *v, int n, double *out)
{
    for (int k = 0; k < 4 * n; k++) out[k] = rt_im(v->row[k]) * per_h;
}

void rt_variation_turn(rt_variation *v, const double w[3], const double by[3])
{
    vary(v->turn, w, by, 3);
}

static rt_frame moving_frame(const rt_variation *v)
{
    rt_frame frame = {0};
    rt_m3_identity(frame.A);
    rt_v3_copy(frame.w, v->turn);
    return frame;
}

/* e, e' = w x e, e'' = al x e + w x e' of the observer's axis */
void rt_variation_component(rt_variation *v, int body, int component, int observer,
                            const int *columns, int n, double *out)
{
    const rt_frame moving = moving_frame(v);
    const rt_frame *frame = observer < RT_GROUND ? &moving : rt_frame_of(v->w->markers, observer);
    rt_scalar e[3], e1[3], e2[3];
    if (!rt_marker_varies(v->m, v->w, body) && !rt_frame_varies(frame)) {
        memset(out, 0, 4 * (size_t)n * sizeof *out);
        return;
    }
    memset(v->row, 0, 4 * (size_t)n * sizeof *v->row);
    rt_m3_column(e, frame->A, component % 3);
    rt_v3_cross(e1, frame->w, e);
    rt_v3_cross(e2, frame->al, e);
    rt_v3_cross_add(e2, frame->w, e1);
    add_frame(v, body, component / 3 * 3, 3, e, e1, e2, columns, n);
    read_row(v, n, out);
}

void rt_variation_user_state(rt_variation *v, int j, const int *columns, int n, double *out)
{
    const rt_program_input in = rt_input_at(v->m, v->w->markers, v->state, v->state_work);
    rt_scalar value[3];
    rt_gradient phi;
    memset(v->row, 0, 4 * (size_t)n * sizeof *v->row);
    rt_program_jets(&v->states[j], &in, value, &phi);
    for (int k = 0; k < phi.n; k++)
        add_frame(v, phi.frame[k], 0, 6, phi.p[0][k], phi.p[1][k], phi.p[2][k], columns, n);
    read_row(v, n, out);
}

/* ---- what comes out ------------------------------------------------------------------------- */

static const rt_scalar *array_of(const rt_variation *v, rt_varied_array which, int *n)
{
    const routh_mechanism *m = v->m;
    const rt_workspace *w = v->w;
    const int n_K = m->pattern_K.start[m->n_u], n_G = m->pattern_G.start[m->n_u];
    switch (which) {
    case RT_VARIED_RESIDUAL: *n = m->n_u; return w->residual;
    case RT_VARIED_PHI:
    case RT_VARIED_PHI1:
    case RT_VARIED_PHI2: *n = m->n_rows; return w->phi[which - RT_VARIED_PHI];
    case RT_VARIED_M: *n = m->pattern_M.start[m->n_u]; return w->M;
    case RT_VARIED_K: *n = n_K; return w->K;
    case RT_VARIED_D: *n = n_K; return w->D;
    case RT_VARIED_G: *n = n_G; return w->G;
    case RT_VARIED_VX: *n = n_G; return w->Vx;
    case RT_VARIED_AU: *n = n_G; return w->Au;
    case RT_VARIED_AX: *n = n_G; return w->Ax;
    case RT_VARIED_L: *n = rt_count_L(m); return w->L;
    case RT_VARIED_DRIVE: *n = 3 * m->n_driven; return w->drive;
    case RT_VARIED_SIGNAL: *n = m->n_signals; return v->state->signal;
    case RT_VARIED_ARRAYS: break;
    }
    *n = 0;
    return NULL;
}

int rt_variation_read(const rt_variation *v, rt_varied_array which, double *out)
{
    int n;
    const rt_scalar *x = array_of(v, which, &n);
    for (int k = 0; k < n; k++) out[k] = rt_im(x[k]) * per_h;
    return n;
}
