/* Derivatives of eigenvectors by parameters. With z = (y, x) of the pencil (sensitivity_pencil.h)
 * and
 *     F(lambda) z = 0,   F = [s I, -P; Q, R],   c z = 1
 * differentiated along a parameter, bordered (as Nelson 1976, AIAA J. 14, leaves out a row and a
 * column),
 *     [F, E z; c, 0] [dz; dlambda] = [-dF z; -dc z],   E = diag(I, 0)
 * which is regular where lambda is simple: no other vector is needed, so others may be defective. c
 * is the motion of a marker along an axis, or a state, whatever routh_modes has scaled to 1. */
#include "routh/sensitivity.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complex_factor.h"
#include "studies/sensitivity_job.h"

typedef struct sensitivity_shapes_holder {
    routh_shape_sensitivity out; /* first */
    rt_arena arena;
} sensitivity_shapes_holder;

void routh_shape_sensitivity_free(routh_shape_sensitivity *s)
{
    if (!s) return;
    sensitivity_shapes_holder *h = (sensitivity_shapes_holder *)(void *)s;
    rt_job_free_taken(s->parameters, s->values, s->warnings, s->n_warnings);
    rt_arena_free(&h->arena);
    free(h);
}

/* One mode: im of its eigenvalue is 0 or more. */
typedef struct sensitivity_shapes_shape {
    int mode;  /* of the modes */
    int state; /* of y that is held; -1: a component of a marker */
    int marker, component;
    int n;              /* entries of c */
    int *column;        /* of xi */
    double *row, *by;   /* c and dc: n; by: 4 n, of which the first n count */
    double _Complex *z; /* n1 + n2 */
    double _Complex *values;
    rt_complex_factor *factor;
} sensitivity_shapes_shape;

typedef struct sensitivity_shapes_task {
    sensitivity_shapes_holder *h;
    rt_sensitivity_job job;
    const routh_linear *linear;
    const routh_modes *modes;
    int *place; /* n_states: of the linear model's states among y */
    int n_shapes;
    sensitivity_shapes_shape *shapes;
    int n; /* of z */
    rt_pattern pattern;
    int *term, *diagonal, *border, *held; /* places of entries: of terms, s, E z, c over y and xi */
    double _Complex *b, *work;
} sensitivity_shapes_task;

/* ---- states ---------------------------------------------------------------------------------- */

static routh_status sensitivity_shapes_find_places(sensitivity_shapes_task *t, routh_error *error)
{
    const rt_levels_pencil *p = &t->job.pencil;
    const routh_linear *l = t->linear, *mine = &t->job.holder->linear;
    const int to = l->n_position + l->n_velocity;
    t->place = RT_TAKE(&t->job.arena, int, l->n_states);
    if (!t->place) return rt_fail_memory(error);
    for (int i = 0; i < l->n_states; i++) {
        const bool rate = i >= l->n_position;
        t->place[i] = i < to ? -1 : p->z + p->z1 + i - to;
        for (int k = rate ? p->z : 0; i < to && k < (rate ? p->z + p->z1 : p->z); k++)
            if (strcmp(mine->states[k].name, l->states[i].name) == 0) t->place[i] = k;
        if (t->place[i] < 0)
            return rt_fail(error, ROUTH_NOT_SUPPORTED,
                           "the state %s has no derivatives by parameters; name other states "
                           "(linearize: states)",
                           l->states[i].name);
    }
    return l->n_states == p->n1 ? ROUTH_OK
                                : rt_fail(error, ROUTH_BAD_ARGUMENT,
                                          "the linear model has %d states, but this mechanism has "
                                          "%d; give the linear model that belongs to it",
                                          l->n_states, p->n1);
}

/* ---- which modes ----------------------------------------------------------------------------- */

static bool sensitivity_shapes_is_listed(const routh_sensitivity_options *o, int number)
{
    for (int k = 0; k < o->n_numbers; k++)
        if (o->numbers[k] == number) return true;
    return o->n_numbers == 0;
}

static const char *why_not(const routh_mode *mode)
{
    static const double worst = 1e7;
    if (mode->rigid) return "it is rigid";
    if (mode->multiplicity > 1)
        return "its eigenvalue is repeated, and which of the vectors of their space each parameter "
               "picks is not smooth";
    return mode->condition > worst ? "its eigenvalue is nearly defective" : NULL;
}

static routh_status sensitivity_shapes_choose_modes(sensitivity_shapes_task *t,
                                                    const routh_sensitivity_options *o,
                                                    routh_error *error)
{
    int number = 0;
    t->shapes = RT_TAKE(&t->job.arena, sensitivity_shapes_shape, t->modes->n);
    if (!t->shapes) return rt_fail_memory(error);
    for (int i = 0; i < t->modes->n; i++) {
        const routh_mode *mode = &t->modes->modes[i];
        if (mode->eigenvalue[1] < 0 && mode->conjugate != i) continue;
        if (!sensitivity_shapes_is_listed(o, ++number)) continue;
        const char *why = why_not(mode);
        const routh_status status =
            why ? rt_job_warn(&t->job, error, "the shape of mode %d has no derivative: %s", number,
                              why)
                : ROUTH_OK;
        if (status) return status;
        if (!why) t->shapes[t->n_shapes++].mode = i;
    }
    for (int k = 0; k < o->n_numbers; k++)
        if (o->numbers[k] < 1 || o->numbers[k] > number)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "mode %d does not exist; give a number from "
                           "1 to %d",
                           o->numbers[k], number);
    return ROUTH_OK;
}

/* ---- what is held ---------------------------------------------------------------------------- */

static bool is_one(double re, double im) { return hypot(re - 1, im) <= 1e-9; }

/* What routh_modes has scaled to 1: the first that is. */
static void find_held(const sensitivity_shapes_task *t, sensitivity_shapes_shape *s)
{
    const routh_mode *mode = &t->modes->modes[s->mode];
    const int n = t->linear->n_states;
    s->state = s->marker = -1;
    for (int k = 0; k < t->linear->n_markers; k++) {
        double motion[12];
        if (!t->linear->markers[k].motion) continue;
        routh_mode_marker(t->linear, mode, k, motion);
        for (int r = 0; r < 6; r++)
            if (s->marker < 0 && is_one(motion[r], motion[6 + r])) s->marker = k, s->component = r;
    }
    for (int i = 0; i < n && s->marker < 0 && s->state < 0; i++)
        if (is_one(mode->shape[i], mode->shape[n + i])) s->state = i;
}

static routh_status take_row(sensitivity_shapes_task *t, sensitivity_shapes_shape *s,
                             routh_error *error)
{
    const rt_search *search = t->job.pencil.s;
    rt_arena *a = &t->job.arena;
    if (s->marker < 0 && s->state < 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the shape of mode %d is not scaled to 1; give modes as routh_modes_compute "
                       "scales them",
                       s->mode + 1);
    if (s->marker < 0) return ROUTH_OK;
    rt_motion map;
    rt_marker_motion(search->m, search->w, search->state, s->marker, &map);
    s->n = map.n;
    s->column = RT_TAKE(a, int, map.n), s->row = RT_TAKE(a, double, map.n);
    s->by = RT_TAKE(a, double, 4 * (size_t)map.n);
    if (!s->column || !s->row || !s->by) return rt_fail_memory(error);
    memcpy(s->column, map.columns, (size_t)map.n * sizeof *s->column);
    memcpy(s->row, map.J + (size_t)s->component * (size_t)map.n, (size_t)map.n * sizeof *s->row);
    return ROUTH_OK;
}

/* z of the shape: x = -R^-1 Q y */
static routh_status sensitivity_shapes_lift(sensitivity_shapes_task *t, sensitivity_shapes_shape *s,
                                            routh_error *error)
{
    const rt_levels_pencil *p = &t->job.pencil;
    const double *v = t->modes->modes[s->mode].shape;
    s->z = RT_TAKE(&t->job.arena, double _Complex, t->n);
    double *y = RT_TAKE(&t->job.arena, double, p->n1), *x = RT_TAKE(&t->job.arena, double, p->n2);
    if (!s->z || !y || !x) return rt_fail_memory(error);
    for (int part = 0; part < 2; part++) {
        const double _Complex unit = part ? I : 1;
        for (int i = 0; i < p->n1; i++) y[t->place[i]] = v[part * p->n1 + i];
        const routh_status status = rt_pencil_right(p, y, x, error);
        if (status) return status;
        for (int i = 0; i < p->n1; i++) s->z[i] += unit * y[i];
        for (int i = 0; i < p->n2; i++) s->z[p->n1 + i] += unit * x[i];
    }
    return ROUTH_OK;
}

/* ---- the bordered matrix --------------------------------------------------------------------- */

static routh_status sensitivity_shapes_make_pattern(sensitivity_shapes_task *t, routh_error *error)
{
    const rt_levels_pencil *p = &t->job.pencil;
    const int N = t->n, n1 = p->n1, n_xi = p->n;
    const size_t n = (size_t)p->n_terms + 3 * (size_t)n1 + (size_t)n_xi;
    rt_arena scratch = {0}, *a = &t->job.arena;
    int *row = RT_TAKE(&scratch, int, n), *column = RT_TAKE(&scratch, int, n), to = 0;
    t->term = RT_TAKE(a, int, n);
    t->b = RT_TAKE(a, double _Complex, N + 1), t->work = RT_TAKE(a, double _Complex, N + 1);
    routh_status status =
        row && column && t->term && t->b && t->work ? ROUTH_OK : rt_fail_memory(error);
    for (int k = 0; k < p->n_terms && !status; k++, to++)
        row[to] = p->terms[k].row, column[to] = p->terms[k].column;
    for (int k = 0; k < n1 && !status; k++, to++) row[to] = column[to] = k;
    for (int k = 0; k < n1 && !status; k++, to++) row[to] = k, column[to] = N;
    for (int k = 0; k < n1 + n_xi && !status; k++, to++)
        row[to] = N, column[to] = k < n1 ? k : n1 + p->xi + k - n1;
    if (!status)
        status = rt_pattern_build(&t->pattern, N + 1, N + 1, n, row, column, t->term, a, error);
    rt_arena_free(&scratch);
    t->diagonal = t->term ? t->term + p->n_terms : NULL;
    t->border = t->diagonal ? t->diagonal + n1 : NULL;
    t->held = t->border ? t->border + n1 : NULL;
    return status;
}

static double sensitivity_shapes_side(const rt_levels_pencil *p, int row)
{
    return row < p->n1 ? -1 : 1;
}

static routh_status sensitivity_shapes_factor(sensitivity_shapes_task *t,
                                              sensitivity_shapes_shape *s, routh_error *error)
{
    const rt_levels_pencil *p = &t->job.pencil;
    const double *lambda = t->modes->modes[s->mode].eigenvalue;
    double _Complex *A = RT_TAKE(&t->job.arena, double _Complex, t->pattern.start[t->n + 1]);
    if (!A) return rt_fail_memory(error);
    for (int k = 0; k < p->n_terms; k++) {
        const rt_term *x = &p->terms[k];
        A[t->term[k]] +=
            sensitivity_shapes_side(p, x->row) * (x->from ? x->sign * *x->from : x->sign);
    }
    for (int k = 0; k < p->n1; k++) {
        A[t->diagonal[k]] += lambda[0] + I * lambda[1];
        A[t->border[k]] += s->z[k];
    }
    if (s->state >= 0) A[t->held[t->place[s->state]]] += 1;
    for (int k = 0; k < s->n; k++) A[t->held[p->n1 + s->column[k]]] += s->row[k];
    s->values = A;
    const routh_status status = rt_complex_factor_create(&s->factor, &t->pattern, error);
    return status ? status : rt_complex_factor_numeric(s->factor, A, error);
}

static routh_status sensitivity_shapes_prepare(sensitivity_shapes_task *t, routh_error *error)
{
    t->n = t->job.pencil.n1 + t->job.pencil.n2;
    routh_status status = sensitivity_shapes_find_places(t, error);
    if (!status) status = sensitivity_shapes_make_pattern(t, error);
    for (int k = 0; k < t->n_shapes && !status; k++) {
        sensitivity_shapes_shape *s = &t->shapes[k];
        find_held(t, s);
        status = take_row(t, s, error);
        if (!status) status = sensitivity_shapes_lift(t, s, error);
        if (!status) status = sensitivity_shapes_factor(t, s, error);
    }
    return status;
}

/* ---- along a parameter ----------------------------------------------------------------------- */

static routh_status sensitivity_shapes_differentiate(sensitivity_shapes_task *t,
                                                     sensitivity_shapes_shape *s, int k,
                                                     int parameter, routh_error *error)
{
    const rt_levels_pencil *p = &t->job.pencil;
    routh_shape_sensitivity *out = &t->h->out;
    double _Complex *b = t->b;
    memset(b, 0, ((size_t)t->n + 1) * sizeof *b);
    for (int e = 0; e < p->n_terms; e++) {
        const rt_term *x = &p->terms[e];
        if (x->varied >= 0)
            b[x->row] -= sensitivity_shapes_side(p, x->row) * x->sign * p->varied[x->varied] *
                         s->z[x->column];
    }
    if (s->marker >= 0) {
        rt_variation_component(t->job.variation, s->marker, s->component, -1, s->column, s->n,
                               s->by);
        for (int c = 0; c < s->n; c++) b[t->n] -= s->by[c] * s->z[p->n1 + p->xi + s->column[c]];
    }
    const routh_status status =
        rt_complex_factor_solve_refined(s->factor, s->values, b, t->work, error);
    if (status) return status;
    const size_t at = (size_t)parameter * (size_t)out->n_modes + (size_t)k, n = (size_t)p->n1;
    for (size_t i = 0; i < n; i++) {
        out->shape_by[2 * n * at + i] = creal(b[t->place[i]]);
        out->shape_by[2 * n * at + n + i] = cimag(b[t->place[i]]);
    }
    out->eigenvalue_by[at][0] = creal(b[t->n]), out->eigenvalue_by[at][1] = cimag(b[t->n]);
    return ROUTH_OK;
}

/* "tip: displacement z", "rod.rx" */
static char *name_held(const sensitivity_shapes_task *t, const sensitivity_shapes_shape *s,
                       rt_arena *arena)
{
    static const char *const words[6] = {"displacement x", "displacement y", "displacement z",
                                         "rotation x",     "rotation y",     "rotation z"};
    char text[400];
    if (s->state >= 0)
        snprintf(text, sizeof text, "%s", t->linear->states[s->state].name);
    else
        snprintf(text, sizeof text, "%s: %s", t->linear->markers[s->marker].name,
                 words[s->component]);
    return rt_arena_text(arena, text, strlen(text));
}

static routh_status sensitivity_shapes_take_out(sensitivity_shapes_task *t, routh_error *error)
{
    routh_shape_sensitivity *s = &t->h->out;
    rt_arena *a = &t->h->arena;
    s->n_parameters = t->job.n_parameters;
    s->parameters = t->job.names, s->values = t->job.values;
    t->job.names = NULL, t->job.values = NULL;
    s->n_modes = t->n_shapes, s->n_states = t->linear->n_states;
    const size_t all = (size_t)s->n_parameters * (size_t)s->n_modes;
    s->modes = RT_TAKE(a, int, s->n_modes);
    s->held = RT_TAKE(a, char *, s->n_modes);
    s->shape_by = RT_TAKE(a, double, 2 * all * (size_t)s->n_states);
    s->eigenvalue_by = (double(*)[2])RT_TAKE(a, double, 2 * all);
    if (!s->modes || !s->held || !s->shape_by || !s->eigenvalue_by) return rt_fail_memory(error);
    for (int k = 0; k < s->n_modes; k++) {
        s->modes[k] = t->shapes[k].mode;
        s->held[k] = name_held(t, &t->shapes[k], a);
        if (!s->held[k]) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

static routh_status sensitivity_shapes_compute(sensitivity_shapes_task *t,
                                               const routh_mechanism *mechanism,
                                               const routh_operating_point *point,
                                               const routh_sensitivity_options *o,
                                               routh_error *error)
{
    if (t->modes->n != t->linear->n_states)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "derivatives of shapes need all modes of the linear model");
    routh_status status = rt_job_begin_like(&t->job, mechanism, point, t->linear, error);
    if (!status) status = rt_job_choose(&t->job, o->parameters, error);
    if (!status) status = sensitivity_shapes_choose_modes(t, o, error);
    if (!status) status = sensitivity_shapes_prepare(t, error);
    if (!status) status = sensitivity_shapes_take_out(t, error);
    for (int p = 0; p < t->h->out.n_parameters && !status; p++) {
        status = rt_job_vary(&t->job, p, error);
        for (int k = 0; k < t->n_shapes && !status; k++)
            status = sensitivity_shapes_differentiate(t, &t->shapes[k], k, p, error);
    }
    t->h->out.n_warnings = t->job.n_warnings, t->h->out.warnings = t->job.warnings;
    t->job.n_warnings = 0, t->job.warnings = NULL;
    return status;
}

routh_status routh_shape_sensitivity_compute(routh_shape_sensitivity **sensitivities,
                                             const routh_mechanism *mechanism,
                                             const routh_operating_point *point,
                                             const routh_linear *linear, const routh_modes *modes,
                                             const routh_sensitivity_options *options,
                                             routh_error *error)
{
    const routh_sensitivity_options o = options ? *options : routh_sensitivity_defaults();
    *sensitivities = NULL;
    sensitivity_shapes_task t = {.h = calloc(1, sizeof *t.h), .linear = linear, .modes = modes};
    if (!t.h) return rt_fail_memory(error);
    const routh_status status = sensitivity_shapes_compute(&t, mechanism, point, &o, error);
    for (int k = 0; k < t.n_shapes; k++) rt_complex_factor_free(t.shapes[k].factor);
    rt_job_release(&t.job);
    if (status)
        routh_shape_sensitivity_free(&t.h->out);
    else
        *sensitivities = &t.h->out;
    return status;
}
