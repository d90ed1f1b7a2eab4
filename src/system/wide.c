/* See wide.h. Compiled with numbers of 113 bits, and never without. */
#ifndef RT_WIDE
#error "compiled for extended precision only"
#endif

#include "system/wide.h"

#include <stdlib.h>
#include <string.h>

#include "base/rotation.h"
#include "flexible/beam_parts.h"
#include "model/made.h"
#include "system/arrays.h"
#include "system/compile.h"
#include "system/sensor.h"
#include "system/state_row.h"
#include "system/wide_numbers.h"

/* A beam in a tangent frame: what doubles leave of its shape. */
typedef struct wide_beam {
    rt_beam_assembly *assembly; /* NULL: the body is none */
    rt_scalar numbers[RT_BEAM_NUMBERS];
} wide_beam;

struct rt_wide {
    rt_arena arena;
    const routh_model *model;
    routh_mechanism *m;
    rt_workspace *w;
    rt_state *state;
    rt_scalar turn[3];                   /* of the moving frame */
    rt_scalar *xi;                       /* n_u */
    rt_sensor_row *rows[RT_SENSOR_KINK]; /* of the kinds that have partials */
    rt_program *states;                  /* the user's */
    wide_beam *beams;                    /* by body */
    const rt_flexible **shapes;
    rt_wide_numbers numbers; /* with the shapes' rests: m->along */
    rt_state *start, *kept;
    rt_scalar *by_body;
    rt_scalar *state_work, *row;
};

void rt_wide_free(rt_wide *x)
{
    if (!x) return;
    rt_state_free(x->state);
    rt_state_free(x->start);
    rt_state_free(x->kept);
    rt_workspace_free(x->w);
    if (x->m) rt_free_direct(x->m);
    rt_arena_free(&x->arena);
    free(x);
}

static routh_status wide_compile_states(rt_wide *x, routh_error *error)
{
    const int n = x->model->n_user_states;
    size_t work = 0;
    x->xi = RT_TAKE(&x->arena, rt_scalar, x->m->n_u);
    x->row = RT_TAKE(&x->arena, rt_scalar, 4 * (size_t)x->m->n_u);
    x->by_body = RT_TAKE(&x->arena, rt_scalar, x->m->n_bodies);
    x->states = RT_TAKE(&x->arena, rt_program, n);
    if (!x->xi || !x->row || !x->by_body || !x->states) return rt_fail_memory(error);
    for (int j = 0; j < n; j++) {
        const routh_status status =
            rt_program_compile(&x->states[j], x->m->graph, x->model,
                               x->model->user_states[j].value.expr, false, &x->arena, error);
        if (status) return status;
        const size_t needed = rt_program_work(&x->states[j]);
        work = needed > work ? needed : work;
    }
    x->state_work = RT_TAKE(&x->arena, rt_scalar, work);
    return x->state_work ? ROUTH_OK : rt_fail_memory(error);
}

static void wide_fill_beam(rt_wide *x, int body)
{
    rt_beam beam = {.choices = x->model->bodies[body].beam->choices};
    rt_beam_take(&beam, x->beams[body].numbers);
    x->shapes[body] = rt_beam_assembly_fill(x->beams[body].assembly, &beam);
}

static void wide_take_beam_numbers(rt_wide *x, int body)
{
    const rt_number *of = x->model->bodies[body].beam->numbers;
    for (int k = 0; k < RT_BEAM_NUMBERS; k++)
        x->beams[body].numbers[k] = rt_value_of(of[k], &x->numbers.exact);
}

static routh_status wide_take_beam(rt_wide *x, int body, routh_error *error)
{
    const rt_body *of = &x->model->bodies[body];
    wide_beam *b = &x->beams[body];
    if (!of->beam || of->beam->choices.frame != RT_BEAM_TANGENT) return ROUTH_OK;
    wide_take_beam_numbers(x, body);
    rt_beam beam = {.choices = of->beam->choices};
    rt_beam_take(&beam, b->numbers);
    const routh_status status =
        rt_beam_assembly_create(&b->assembly, &beam, true, of->flexible, &x->arena, error);
    if (!status) wide_fill_beam(x, body);
    return status;
}

static routh_status wide_take_beams(rt_wide *x, routh_error *error)
{
    const int n = x->model->n_bodies;
    routh_status status = ROUTH_OK;
    x->beams = RT_TAKE(&x->arena, wide_beam, n);
    x->shapes = RT_TAKE(&x->arena, const rt_flexible *, n);
    if (!x->beams || !x->shapes) return rt_fail_memory(error);
    for (int b = 0; b < n && !status; b++) status = wide_take_beam(x, b, error);
    x->numbers.exact.shape = x->shapes;
    return status;
}

/* Orientations as written are orthogonal to rounding of doubles: the rotations nearest to them. */
static void wide_straighten(routh_mechanism *m)
{
    for (int k = 0; k < m->n_markers; k++) {
        rt_scalar q[4], *A = m->marker_orientation + 9 * (size_t)k;
        rt_rotation_to_quaternion(q, A);
        rt_rotation_from_quaternion(A, q);
    }
}

/* The numbers of the mechanism, from those of the model: as compile.c does in doubles. */
static void wide_fill(rt_wide *x)
{
    routh_mechanism *m = x->m;
    rt_fill_numbers(m, x->w);
    memcpy(x->start->q, m->start_q, (size_t)m->n_q * sizeof *m->start_q);
    memcpy(x->start->u, m->start_u, (size_t)m->n_u * sizeof *m->start_u);
    rt_start_numbers(m, x->w, x->start);
    wide_straighten(m);
}

routh_status rt_wide_create(rt_wide **wide, const routh_model *model, routh_error *error)
{
    *wide = NULL;
    rt_wide *x = calloc(1, sizeof *x);
    if (!x) return rt_fail_memory(error);
    x->model = model;
    routh_status status = rt_compile_direct(&x->m, model, &rt_absolute, NULL, error);
    if (!status) status = rt_wide_numbers_create(&x->numbers, x->m, &x->arena, error);
    if (!status) status = wide_take_beams(x, error);
    if (!status) x->m->along = &x->numbers.exact;
    if (!status) status = wide_compile_states(x, error);
    if (!status) status = rt_workspace_create(&x->w, x->m, error);
    if (!status) status = rt_state_create(&x->state, x->m, error);
    if (!status) status = rt_state_create(&x->start, x->m, error);
    if (!status) status = rt_state_create(&x->kept, x->m, error);
    if (!status) wide_fill(x);
    for (int kind = 0; kind < RT_SENSOR_KINK && !status; kind++)
        status = rt_sensor_rows(x->m, (rt_sensor_kind)kind, &x->rows[kind], &x->arena, error);
    if (status) {
        rt_wide_free(x);
        return status;
    }
    *wide = x;
    return ROUTH_OK;
}

static void wide_take(rt_scalar *to, const double *from, int n)
{
    for (int k = 0; k < n; k++) to[k] = from[k];
}

/* Inputs without any rate stand still, as in a static equilibrium, wherever their histories go. */
static void wide_hold_inputs(const routh_mechanism *m, const double *signal, rt_state *s)
{
    const int n = m->n_signals;
    for (int k = n - m->model->n_inputs; k < n; k++)
        if (signal[n + k] == 0 && signal[2 * n + k] == 0)
            s->signal[n + k] = 0, s->signal[2 * n + k] = 0;
}

routh_status rt_wide_place(rt_wide *x, const rt_varied_state *at, const bool *held,
                           routh_error *error)
{
    const routh_mechanism *m = x->m;
    rt_state *s = x->state;
    s->t = at->t;
    wide_take(s->q, at->q, m->n_q);
    wide_take(s->u, at->u, m->n_u);
    wide_take(s->udot, at->udot, m->n_u);
    wide_take(s->lambda, at->lambda, m->n_rows);
    wide_take(s->signal, at->signal, 3 * m->n_signals);
    if (m->model->n_angles) memcpy(s->near, at->near, rt_count_near(m) * sizeof *s->near);
    for (int k = 0; k < x->model->n_inputs; k++) s->held[k] = held && held[k];
    const routh_status status = rt_input_histories_set(m, s, error);
    wide_hold_inputs(m, at->signal, s);
    return status;
}

void rt_wide_keep(rt_wide *x) { rt_state_copy(x->m, x->kept, x->state); }

void rt_wide_return(rt_wide *x) { rt_state_copy(x->m, x->state, x->kept); }

static rt_scalar wide_of(rt_dd a) { return (rt_scalar)a.high + a.low; }

static rt_dd wide_split(rt_scalar a)
{
    const double high = (double)a;
    return (rt_dd){high, isfinite(high) ? (double)(a - high) : 0};
}

void rt_wide_advance(rt_wide *x, const rt_dd *xi)
{
    for (int c = 0; c < x->m->n_u; c++) x->xi[c] = wide_of(xi[c]);
    rt_advance(x->m, x->state->q, x->xi);
}

void rt_wide_add(rt_wide *x, rt_wide_part part, const rt_dd *change)
{
    const routh_mechanism *m = x->m;
    rt_scalar *to = part == RT_WIDE_U        ? x->state->u
                    : part == RT_WIDE_UDOT   ? x->state->udot
                    : part == RT_WIDE_LAMBDA ? x->state->lambda
                                             : x->state->signal;
    const int n = part == RT_WIDE_LAMBDA   ? m->n_rows
                  : part == RT_WIDE_SIGNAL ? m->n_signals
                                           : m->n_u;
    for (int k = 0; k < n; k++) to[k] += wide_of(change[k]);
}

routh_status rt_wide_evaluate(rt_wide *x, int what, routh_error *error)
{
    return rt_evaluate(x->m, x->w, x->state, what, error);
}

/* ---- rounding ------------------------------------------------------------------------------- */

/* Some units in the last place of a double: numbers of a model come from some operations. */
static const double WIDE_ULP = 0x1p-51;

/* The next of the sequence, in -WIDE_ULP .. WIDE_ULP. */
static rt_scalar wide_next(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return WIDE_ULP * ((rt_scalar)(*seed >> 11) * 0x1p-52 - 1);
}

static void wide_shake_by(rt_scalar *x, int n, rt_scalar by, unsigned long long *seed)
{
    for (int k = 0; k < n; k++) x[k] += x[k] * by * wide_next(seed);
}

static void wide_shake_each(rt_scalar *x, int n, unsigned long long *seed)
{
    wide_shake_by(x, n, 1, seed);
}

/* Parameters, all but short ones: 2, 0.5, 1000 are exact, and may be powers whose base is
 * negative. What is written in terms of others follows. */
static void wide_shake_parameters(rt_wide *x, unsigned long long *seed)
{
    for (int k = 0; k < x->model->n_parameters; k++) {
        rt_scalar *to = &x->numbers.independent[k];
        const rt_scalar change = *to * wide_next(seed);
        if ((float)*to != *to) *to += change;
    }
    rt_wide_numbers_fill(&x->numbers);
    wide_fill(x);
}

/* By the largest of them, and of `beside` (NULL: none), from which they were taken: coordinates of
 * one place. */
static void wide_shake_place(rt_scalar x[3], const rt_scalar *beside, unsigned long long *seed)
{
    rt_scalar largest = 0;
    for (int k = 0; k < 3; k++) {
        largest = rt_fabs(x[k]) > largest ? rt_fabs(x[k]) : largest;
        if (beside && rt_fabs(beside[k]) > largest) largest = rt_fabs(beside[k]);
    }
    for (int k = 0; k < 3; k++) x[k] += largest * wide_next(seed);
}

static void wide_shake_turn(rt_scalar A[9], unsigned long long *seed)
{
    const rt_scalar angle[3] = {wide_next(seed), wide_next(seed), wide_next(seed)};
    rt_scalar turn[9], now[9];
    rt_rotation_exp(turn, angle);
    rt_m3_mul(now, A, turn);
    memcpy(A, now, sizeof now);
}

static void wide_shake_markers(rt_wide *x, unsigned long long *seed)
{
    const routh_mechanism *m = x->m;
    for (int k = m->n_bodies; k < m->n_markers; k++) {
        const int body = m->marker_body[k];
        const rt_marker *marker = &x->model->markers[k];
        const bool of_world = /* by `at` */
            marker->implicit && !marker->is_copy && !marker->of_beam && body >= 0;
        wide_shake_place(m->marker_position + 3 * (size_t)k,
                         of_world ? x->state->q + 7 * (size_t)body : NULL, seed);
        wide_shake_turn(m->marker_orientation + 9 * (size_t)k, seed);
    }
}

static void wide_shake_body(const routh_mechanism *m, int b, rt_scalar by, unsigned long long *seed)
{
    wide_shake_by(&m->bodies[b].mass, 1, by, seed);
    wide_shake_by(m->bodies[b].inertia, 9, by, seed);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            m->bodies[b].inertia[3 * i + j] = m->bodies[b].inertia[3 * j + i];
}

static void wide_shake_beams(rt_wide *x, unsigned long long *seed)
{
    for (int b = 0; b < x->m->n_bodies; b++)
        if (x->beams[b].assembly) {
            wide_take_beam_numbers(x, b);
            wide_shake_each(x->beams[b].numbers, RT_BEAM_NUMBERS, seed);
            wide_fill_beam(x, b);
        }
}

/* A body's own marker, and the ground's, stay: what they are is exact. */
static void wide_shake_numbers(rt_wide *x, unsigned long long *seed)
{
    routh_mechanism *m = x->m;
    rt_graph_shake(m->graph);
    wide_shake_parameters(x, seed);
    wide_shake_markers(x, seed);
    for (int b = 0; b < m->n_bodies; b++) wide_shake_body(m, b, 1, seed);
    wide_shake_beams(x, seed);
    for (int k = 0; k < m->n_loads; k++)
        wide_shake_each(m->loads[k].numbers, m->loads[k].n_numbers, seed);
    wide_shake_each(m->gravity, 3, seed);
}

static void wide_shake_state(rt_wide *x, unsigned long long *seed)
{
    const routh_mechanism *m = x->m;
    rt_state *s = x->state;
    for (int b = 0; b < m->n_bodies; b++) {
        rt_scalar place[3];
        memcpy(place, s->q + 7 * (size_t)b, sizeof place);
        wide_shake_place(place, NULL, seed);
        for (int k = 0; k < 3; k++) {
            x->xi[6 * b + k] = place[k] - s->q[7 * b + k];
            x->xi[6 * b + 3 + k] = wide_next(seed);
        }
    }
    for (int e = 0; e < m->n_elastic; e++)
        x->xi[m->first_elastic + e] = s->q[m->first_elastic_q + e] * wide_next(seed);
    rt_advance(m, s->q, x->xi);
    wide_shake_each(s->u, m->n_u, seed);
}

void rt_wide_shake(rt_wide *x, unsigned long long *seed)
{
    wide_shake_numbers(x, seed);
    wide_shake_state(x, seed);
}

/* ---- what follows from places, too ----------------------------------------------------------- */

/* Where among the numbers of its block a number of the load is; -1: it is none of them. */
static int wide_place_of(const rt_load *load, const rt_number *number)
{
    const rt_load_class *class = rt_load_class_of(load->type);
    int before = 0;
    for (int s = 0; s < RT_LOAD_SPANS; before += class->numbers[s++].n) {
        const rt_number *first = (const rt_number *)((const char *)load + class->numbers[s].offset);
        for (int i = 0; i < class->numbers[s].n; i++)
            if (first + i == number) return before + i;
    }
    for (int i = 0; i < load->n_list; i++)
        if (load->list + i == number) return before + i;
    return -1;
}

/* Of the markers of a load: the largest coordinate, and the least distance of one to the next. */
typedef struct wide_reach {
    rt_scalar place, apart;
} wide_reach;

static wide_reach wide_reach_of(rt_wide *x, const rt_load *load)
{
    const int *markers, n = rt_markers_of_load(load, &markers);
    wide_reach reach = {0, INFINITY};
    rt_scalar before[3] = {0};
    for (int k = 0; k < n; k++) {
        if (markers[k] < RT_GROUND) continue;
        if (markers[k] >= 0) rt_evaluate_marker(x->m, x->w, markers[k]);
        const rt_frame *f = rt_frame_of(x->w->markers, markers[k]);
        rt_scalar d[3];
        rt_v3_sub(d, f->r, before);
        const rt_scalar apart = rt_v3_norm(d);
        if (k > 0 && apart < reach.apart) reach.apart = apart;
        for (int i = 0; i < 3; i++)
            reach.place = rt_fabs(f->r[i]) > reach.place ? rt_fabs(f->r[i]) : reach.place;
        rt_v3_copy(before, f->r);
    }
    return reach;
}

/* Lengths that were differences of places, as of elements of a beam far from the origin, are off by
 * rounding of these: by how many times more than by their own, and so all numbers of the load,
 * which go with such a length. */
static rt_scalar wide_rounding_of(const rt_load *load, const wide_reach *reach)
{
    return rt_load_class_of(load->type)->lengths ? 1 + reach->place / reach->apart : 1;
}

/* Three lengths by that of the places: derivatives of a polynomial of degree p along an element are
 * at most p^2 times its values (Markov, 1889). */
static void wide_shake_lengths(const rt_load *load, rt_scalar *x, const wide_reach *reach,
                               unsigned long long *seed)
{
    const int *markers, p = rt_markers_of_load(load, &markers) - 1;
    rt_scalar largest = reach->place;
    for (int k = 0; k < 3; k++) largest = rt_fabs(x[k]) > largest ? rt_fabs(x[k]) : largest;
    for (int k = 0; k < 3; k++) x[k] += (rt_scalar)(p * p) * largest * wide_next(seed);
}

/* Its own axes at its nodes stay axes: others would have no rigid motion without strain. */
static void wide_shake_load(rt_wide *x, int k, unsigned long long *seed)
{
    const rt_load *load = &x->model->loads[k];
    const rt_load_class *class = rt_load_class_of(load->type);
    rt_scalar *numbers = x->m->loads[k].numbers;
    const wide_reach reach = wide_reach_of(x, load);
    const rt_scalar by = wide_rounding_of(load, &reach);
    const int *markers, n_nodes = class->axes ? rt_markers_of_load(load, &markers) : 0,
                        n = x->m->loads[k].n_numbers;
    int at = 0; /* of what is not yet shaken: axes follow one another */
    for (int node = 0; node < n_nodes; node++) {
        const int axes = wide_place_of(load, class->axes(load, node));
        if (axes < at) continue;
        wide_shake_by(numbers + at, axes - at, by, seed);
        wide_shake_turn(numbers + axes, seed);
        at = axes + 9;
    }
    wide_shake_by(numbers + at, n - at, by, seed);
    for (int e = 0; class->lengths && class->lengths(load, e); e++)
        wide_shake_lengths(load, numbers + wide_place_of(load, class->lengths(load, e)), &reach,
                           seed);
    if (class->measure && !load->free_length_given)
        numbers[class->free] += reach.place * wide_next(seed);
}

/* Of bodies the most of what loads say that follow from where they are: nodes of a beam have its
 * mass. */
static void wide_shake_bodies(rt_wide *x, unsigned long long *seed)
{
    const routh_mechanism *m = x->m;
    for (int b = 0; b < m->n_bodies; b++) x->by_body[b] = 1;
    for (int k = 0; k < m->n_loads; k++) {
        const rt_load *load = &x->model->loads[k];
        const wide_reach reach = wide_reach_of(x, load);
        const rt_scalar by = wide_rounding_of(load, &reach);
        const int *markers, n = rt_markers_of_load(load, &markers);
        for (int i = 0; i < n; i++) {
            const int body = markers[i] >= 0 ? m->marker_body[markers[i]] : -1;
            if (body >= 0 && by > x->by_body[body]) x->by_body[body] = by;
        }
    }
    for (int b = 0; b < m->n_bodies; b++) wide_shake_body(m, b, x->by_body[b], seed);
}

void rt_wide_shake_all(rt_wide *x, unsigned long long *seed)
{
    routh_mechanism *m = x->m;
    rt_graph_shake(m->graph);
    wide_shake_parameters(x, seed);
    wide_shake_bodies(x, seed);
    for (int k = 0; k < m->n_loads; k++) wide_shake_load(x, k, seed);
    wide_shake_markers(x, seed);
    wide_shake_beams(x, seed);
    wide_shake_each(m->gravity, 3, seed);
    wide_shake_state(x, seed);
}

/* ---- what comes out ------------------------------------------------------------------------- */

int rt_wide_read(const rt_wide *x, rt_varied_array which, rt_dd *out)
{
    int n;
    const rt_scalar *from = rt_array_of(x->m, x->w, x->state, which, &n);
    for (int k = 0; k < n; k++) out[k] = wide_split(from[k]);
    return n;
}

routh_status rt_wide_sensor(rt_wide *x, int kind, int k, rt_dd *value, rt_dd *partials,
                            routh_error *error)
{
    rt_sensor_row *row = &x->rows[kind][k];
    const routh_status status = rt_sensor_evaluate(x->m, x->w, x->state, (rt_sensor_kind)kind, k,
                                                   partials != NULL, row, error);
    if (status) return status;
    *value = wide_split(row->value);
    if (!partials) return ROUTH_OK;
    for (int i = 0; i < 3 * row->n_columns; i++) *partials++ = wide_split(row->by_x[i]);
    for (int i = 0; i < row->n_lambda; i++) *partials++ = wide_split(row->by_lambda[i]);
    for (int i = 0; i < row->n_signals; i++) *partials++ = wide_split(row->by_signal[i]);
    return ROUTH_OK;
}

void rt_wide_unsteadiness(const rt_wide *x, const double w[3], rt_dd *udot)
{
    const routh_mechanism *m = x->m;
    const rt_scalar turn[3] = {w[0], w[1], w[2]};
    for (int b = 0; b < m->n_bodies; b++) {
        const rt_frame *f = &x->w->bodies[b];
        rt_scalar carried[3], a[3], al[3], own[3];
        rt_v3_cross(carried, turn, f->v);
        for (int i = 0; i < 3; i++) a[i] = f->a[i] - carried[i];
        rt_v3_cross(carried, turn, f->w);
        for (int i = 0; i < 3; i++) al[i] = f->al[i] - carried[i];
        rt_m3_tmul_v(own, f->A, al);
        for (int i = 0; i < 3; i++) {
            udot[6 * b + i] = wide_split(a[i]);
            udot[6 * b + 3 + i] = wide_split(own[i]);
        }
    }
    for (int c = m->first_elastic; c < m->first_elastic + m->n_elastic; c++)
        udot[c] = wide_split(x->state->udot[c]);
}

/* ---- rows of states ------------------------------------------------------------------------- */

void rt_wide_turn(rt_wide *x, const double w[3])
{
    for (int k = 0; k < 3; k++) x->turn[k] = w[k];
}

static void wide_read_row(const rt_wide *x, int n, rt_dd *out)
{
    for (int k = 0; k < 4 * n; k++) out[k] = wide_split(x->row[k]);
}

void rt_wide_component(rt_wide *x, int body, int component, int observer, const int *columns, int n,
                       rt_dd *row)
{
    rt_frame moving = {0};
    rt_m3_identity(moving.A);
    rt_v3_copy(moving.w, x->turn);
    const rt_frame *frame = &moving;
    if (observer >= RT_GROUND) {
        if (observer >= 0) rt_evaluate_marker(x->m, x->w, observer);
        frame = rt_frame_of(x->w->markers, observer);
    }
    rt_component_row(x->m, x->w, x->state, frame, body, component, columns, n, x->row);
    wide_read_row(x, n, row);
}

void rt_wide_user_state(rt_wide *x, int j, const int *columns, int n, rt_dd *row)
{
    rt_user_state_row(x->m, x->w, x->state, &x->states[j], x->state_work, columns, n, x->row);
    wide_read_row(x, n, row);
}
