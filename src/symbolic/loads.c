#include "symbolic/loads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/load_class.h"

enum { WORK = 40 };

/* Springs, torsion springs and bushings push along deformations e, which are made of products:
 *     Q = sum_k f_k de_k/dx,    f = preload - K (e - offset) - C e' + function
 * with e the length for a spring, the angle atan2(S, C) for a torsion spring, six for a bushing.
 * Forces and torques have components along axes. */
typedef struct natural_load {
    const rt_load *load;
    int n;            /* deformations */
    rt_quadric e[6];  /* spring: d . d; torsion spring: S, C; bushing: its six */
    rt_exact *K, *C;  /* n x n */
    rt_exact *offset; /* n */
    rt_exact *preload;
    rt_exact *length; /* spring: where it stands; torsion spring: the angle, less the free one */
    rt_form origin[2], axis[3];
    bool functions[3];
} natural_load;

struct rt_natural_loads {
    const rt_natural_bodies *b;
    rt_graph *graph;
    int n;
    natural_load *load;
    rt_exact *gravity; /* 3 */
    rt_exact *work;
    rt_exact *one;
    rt_exact *row; /* 2 n_x: a gradient and its change */
};

void rt_natural_loads_free(rt_natural_loads *loads)
{
    if (!loads) return;
    free(loads->load);
    free(loads);
}

static bool has_function(const natural_load *l, int k) { return l->load->function[k].expr >= 0; }

/* A closed form of loads: what it is made of, and what it adds to the forces Q. */
typedef struct natural_form {
    int n; /* deformations */
    routh_status (*prepare)(rt_natural_loads *s, natural_load *l, routh_error *error);
    routh_status (*add)(rt_natural_loads *s, natural_load *l, const rt_natural_change *change,
                        rt_exact *Q, routh_error *error);
} natural_form;
static const natural_form *loads_form_of(const rt_load *load);

/* ---- what each is made of ------------------------------------------------------------------- */

static routh_status loads_product(rt_natural_loads *s, rt_quadric *q, const rt_form *u,
                                  const rt_form *v, routh_error *error)
{
    const routh_status status = rt_quadric_begin(s->b, q, error);
    return status ? status : rt_quadric_add(s->b, q, NULL, u, v, -1, error);
}

static routh_status loads_read(rt_natural_loads *s, rt_number number, rt_exact *z,
                               routh_error *error)
{
    return rt_exact_of_number(s->b->numbers, number, false, z, error);
}

static routh_status one_by_one(rt_natural_loads *s, natural_load *l, routh_error *error)
{
    const rt_load *load = l->load;
    routh_status status = loads_read(s, load->stiffness, l->K, error);
    if (!status) status = loads_read(s, load->damping, l->C, error);
    if (!status) status = loads_read(s, load->preload, l->preload, error);
    if (!status && load->free_length_given)
        status = loads_read(s, load->free_length, l->offset, error);
    return status;
}

/* l' is d . v / l: nothing in this needs the root where the spring has no length of its own. */
static routh_status prepare_spring(rt_natural_loads *s, natural_load *l, routh_error *error)
{
    rt_form d;
    routh_status status = one_by_one(s, l, error);
    if (!status) status = rt_form_difference(s->b, &l->origin[0], &l->origin[1], &d, error);
    if (!status) status = loads_product(s, &l->e[0], &d, &d, error);
    if (status) return status;
    rt_quadric_value(s->b, &l->e[0], 0, s->b->x, s->work, s->work + 1);
    if (rt_exact_is_zero(s->b->field, s->work))
        return rt_fail(error, ROUTH_SINGULAR, "its two markers coincide; move one");
    status = rt_exact_root(s->b->field, l->length, s->work, error);
    if (!status && !l->load->free_length_given) rt_exact_set(s->b->field, l->offset, l->length);
    return status;
}

/* Is the angle with this sine and cosine (times anything positive) k quarters of a turn on from
 * sign times the parameter? */
static bool loads_is_angle(rt_natural_loads *s, const rt_exact *S, const rt_exact *C,
                           const rt_exact *c, const rt_exact *s_of, int quarters, rt_exact *w)
{
    rt_exact_field *f = s->b->field;
    rt_exact_set(f, w, c), rt_exact_set(f, w + 1, s_of);
    for (int k = 0; k < quarters; k++) { /* (c, s) -> (-s, c) */
        rt_exact_negate(f, w + 2, w + 1);
        rt_exact_set(f, w + 1, w);
        rt_exact_set(f, w, w + 2);
    }
    rt_exact_multiply(f, w + 2, S, w);
    rt_exact_subtract_product(f, w + 2, C, w + 1);
    if (!rt_exact_is_zero(f, w + 2)) return false;
    rt_exact_multiply(f, w + 2, C, w);
    rt_exact_add_product(f, w + 2, S, w + 1);
    return rt_exact_value(f, w + 2) > 0 && rt_exact_positive(f, w + 2, NULL) == ROUTH_OK;
}

/* The angle itself, where it is a symbol or a part of a turn. */
static bool loads_find_angle(rt_natural_loads *s, const rt_exact *S, const rt_exact *C,
                             rt_exact *angle, rt_exact *w)
{
    rt_exact_field *f = s->b->field;
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(f, &symbols);
    for (int k = -1; k < n; k++) {
        const bool plain = k < 0;
        if (!plain && (symbols[k].kind != RT_SYMBOL_COSINE || !symbols[k].used)) continue;
        for (int sign = 1; sign >= (plain ? 1 : -1); sign -= 2)
            for (int quarters = 0; quarters < 4; quarters++) {
                rt_exact_set_integer(f, w, 1);
                rt_exact_set_integer(f, w + 1, 0);
                if (!plain && rt_exact_angle(f, w, w + 1, symbols[k].parameter, sign, NULL))
                    continue;
                if (!loads_is_angle(s, S, C, w, w + 1, quarters, w + 2)) continue;
                rt_exact_set_integer(f, angle, 0);
                if (!plain) rt_exact_parameter(f, angle, symbols[k].parameter);
                if (sign < 0) rt_exact_negate(f, angle, angle);
                const int turns = quarters == 3 ? -1 : quarters;
                if (!turns) return true;
                rt_exact_pi(f, w);
                rt_exact_scale(f, w, w, turns, 2);
                rt_exact_add(f, angle, angle, w);
                return true;
            }
    }
    return false;
}

/* S = x_i . y_j, C = x_i . x_j */
static routh_status prepare_torsion(rt_natural_loads *s, natural_load *l, routh_error *error)
{
    rt_exact_field *f = s->b->field;
    rt_form x_i, x_j, y_j;
    const int *m = l->load->markers;
    const double *triad = l->load->triad;
    routh_status status = one_by_one(s, l, error);
    if (!status) status = rt_form_axis(s->b, m[0], triad, 0, &x_i, error);
    if (!status) status = rt_form_axis(s->b, m[1] < 0 ? RT_GROUND : m[1], triad, 0, &x_j, error);
    if (!status) status = rt_form_axis(s->b, m[1] < 0 ? RT_GROUND : m[1], triad, 1, &y_j, error);
    if (!status) status = loads_product(s, &l->e[0], &x_i, &y_j, error);
    if (!status) status = loads_product(s, &l->e[1], &x_i, &x_j, error);
    if (status || !l->load->free_length_given || rt_exact_is_zero(f, l->K)) return status;
    rt_exact *w = s->work;
    rt_quadric_value(s->b, &l->e[0], 0, s->b->x, w, w + 2);
    rt_quadric_value(s->b, &l->e[1], 0, s->b->x, w + 1, w + 2);
    if (!loads_find_angle(s, w, w + 1, l->length, w + 2))
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "its angle is not known exactly; make it a parameter, or a fraction of a "
                       "revolution");
    rt_exact_subtract(f, l->length, l->length, l->offset);
    return ROUTH_OK;
}

/* e = (d . x_j, d . y_j, d . z_j, and half of R32 - R23 and so on around), R = A_j' A_i, which is
 * the rotation vector to second order where R = 1. */
static routh_status prepare_bushing(rt_natural_loads *s, natural_load *l, routh_error *error)
{
    rt_exact_field *f = s->b->field;
    rt_form d, a_i, a_j[3], all_i[3];
    rt_exact *half = s->work, *w = s->work + 6;
    routh_status status = rt_form_difference(s->b, &l->origin[0], &l->origin[1], &d, error);
    const int j = l->load->markers[1] < 0 ? RT_GROUND : l->load->markers[1];
    for (int k = 0; k < 3 && !status; k++) {
        status = rt_form_axis(s->b, l->load->markers[0], NULL, k, &a_i, error);
        if (!status) all_i[k] = a_i;
        if (!status) status = rt_form_axis(s->b, j, NULL, k, &a_j[k], error);
        if (!status) status = loads_product(s, &l->e[k], &d, &a_j[k], error);
    }
    for (int k = 0; k < 6; k++) rt_exact_set_integer(f, half + k, 0);
    rt_exact_set_integer(f, half, 1), rt_exact_scale(f, half, half, 1, 2);
    rt_exact_negate(f, half + 3, half);
    for (int k = 0; k < 3 && !status; k++) { /* R_mn = a_j[m] . a_i[n] */
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        status = rt_quadric_begin(s->b, &l->e[3 + k], error);
        if (!status)
            status = rt_quadric_add(s->b, &l->e[3 + k], half, &all_i[m], &a_j[n], -1, error);
        if (!status)
            status = rt_quadric_add(s->b, &l->e[3 + k], half + 3, &all_i[n], &a_j[m], -1, error);
    }
    bool turns = false;
    for (int k = 0; k < 36 && !status; k++) {
        status = loads_read(s, l->load->stiffness6[k], l->K + k, error);
        if (!status) status = loads_read(s, l->load->damping6[k], l->C + k, error);
        if (!status && (k / 6 > 2 || k % 6 > 2))
            turns = turns || !rt_exact_is_zero(f, l->K + k) || !rt_exact_is_zero(f, l->C + k);
    }
    for (int k = 0; k < 6 && !status; k++) {
        status = loads_read(s, l->load->offset6[k], l->offset + k, error);
        if (!status) status = loads_read(s, l->load->preload6[k], l->preload + k, error);
        if (!status && k > 2) turns = turns || !rt_exact_is_zero(f, l->preload + k);
    }
    for (int k = 0; k < 3 && !status && turns; k++) {
        rt_form_value(s->b, &all_i[k], s->b->x, false, w);
        rt_form_value(s->b, &a_j[k], s->b->x, false, w + 3);
        for (int i = 0; i < 3; i++)
            if (!rt_exact_equal(f, w + i, w + 3 + i))
                return rt_fail(error, ROUTH_NOT_SUPPORTED,
                               "its markers are rotated relative to each other, but a bushing with "
                               "rotational stiffness is supported in formulas only with aligned "
                               "axes; align them");
    }
    return status;
}

static routh_status prepare_vector(rt_natural_loads *s, natural_load *l, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < 3 && !status; k++)
        status = rt_form_axis(s->b, l->load->resolved_in, NULL, k, &l->axis[k], error);
    return status;
}

static routh_status loads_refuse(const rt_load *load, routh_error *error)
{
    char names[300] = "";
    size_t length = 0;
    for (int k = 0; k < RT_LOAD_N_TYPES && length < sizeof names; k++) {
        const rt_load_class *class = rt_load_class_of((rt_load_type)k);
        if (class->closed_form != RT_CLOSED_NONE)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s, ",
                                       class->kind.name);
    }
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "a load of type %s is not supported in formulas, which have loads of type %sand "
                   "gravity; use routh linearize",
                   rt_load_type_name(load->type), names);
}

static routh_status loads_prepare(rt_natural_loads *s, natural_load *l, routh_error *error)
{
    const rt_load *load = l->load;
    const natural_form *form = loads_form_of(load);
    if (!form->prepare) return loads_refuse(load, error);
    l->n = form->n;
    l->K = rt_exact_zeros(s->b->field, 2 * l->n * l->n + 2 * l->n + 1);
    if (!l->K) return rt_fail_memory(error);
    l->C = l->K + l->n * l->n;
    l->offset = l->C + l->n * l->n;
    l->preload = l->offset + l->n;
    l->length = l->preload + l->n;
    routh_status status = ROUTH_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = rt_form_origin(s->b, load->markers[i] < 0 ? RT_GROUND : load->markers[i],
                                &l->origin[i], error);
    return status ? status : form->prepare(s, l, error);
}

routh_status rt_natural_loads_create(rt_natural_loads **out, const rt_natural_bodies *b,
                                     rt_graph *graph, routh_error *error)
{
    const routh_model *model = b->model;
    *out = NULL;
    rt_natural_loads *s = calloc(1, sizeof *s);
    if (!s) return rt_fail_memory(error);
    s->b = b, s->graph = graph, s->n = model->n_loads;
    s->load = calloc((size_t)s->n + 1, sizeof *s->load);
    s->gravity = rt_exact_zeros(b->field, 3);
    s->work = rt_exact_zeros(b->field, WORK);
    s->one = rt_exact_zeros(b->field, 1);
    s->row = rt_exact_zeros(b->field, 2 * b->n);
    routh_status status = ROUTH_OK;
    if (!s->load || !s->gravity || !s->work || !s->one || !s->row)
        status = rt_fail_memory(error);
    else
        rt_exact_set_integer(b->field, s->one, 1);
    for (int k = 0; k < 3 && !status; k++)
        status = rt_exact_of_number(b->numbers, model->gravity[k], true, s->gravity + k, error);
    for (int k = 0; k < s->n && !status; k++) {
        routh_error why = {0};
        char element[160] = "load ";
        s->load[k].load = model->loads + k;
        status = loads_prepare(s, s->load + k, &why);
        strncat(element, model->loads[k].name, 140);
        if (status)
            rt_fail_at(error, status, model->file, model->loads[k].place, element, "%s",
                       why.message);
    }
    if (status)
        rt_natural_loads_free(s);
    else
        *out = s;
    return status;
}

/* ---- forces --------------------------------------------------------------------------------- */

static routh_status loads_function_of(rt_natural_loads *s, const natural_load *l, int k,
                                      const rt_natural_change *change, rt_exact *z,
                                      routh_error *error)
{
    rt_exact_set_integer(s->b->field, z, 0);
    if (!has_function(l, k)) return ROUTH_OK;
    const rt_expr e = l->load->function[k].expr;
    if (change) return rt_function_change(s->b, s->graph, e, change, z, error);
    return rt_exact_of_expr(s->b->numbers, e, z, error);
}

static void loads_clear(const rt_natural_loads *s, rt_exact *out, int n)
{
    for (int i = 0; i < n; i++) rt_exact_set_integer(s->b->field, out + i, 0);
}

/* Of a product sum e: value, rate; with a change, the changes of both. w: 12. */
static void loads_along(rt_natural_loads *s, const rt_quadric *q, const rt_natural_change *change,
                        rt_exact *e, rt_exact *rate, rt_exact *w)
{
    const rt_natural_bodies *b = s->b;
    rt_exact_field *f = b->field;
    rt_exact *g = s->row;
    loads_clear(s, g, b->n);
    rt_quadric_gradient(b, q, 0, b->x, false, s->one, g, w);
    if (!change) {
        rt_quadric_value(b, q, 0, b->x, e, w);
        rt_exact_set_integer(f, rate, 0);
        for (int i = 0; i < b->n; i++) rt_exact_add_product(f, rate, g + i, b->v + i);
        return;
    }
    rt_exact_set_integer(f, e, 0);
    rt_exact_set_integer(f, rate, 0);
    for (int i = 0; i < b->n; i++) {
        rt_exact_add_product(f, e, g + i, change->x + i);
        rt_exact_add_product(f, rate, g + i, change->v + i);
    }
    rt_quadric_second(b, q, 0, change->x, b->v, s->one, rate, w);
}

/* Q += force de/dx, or, with a change, (change of force) de/dx + force (change of de/dx). */
static void push(rt_natural_loads *s, const rt_quadric *q, const rt_exact *force,
                 const rt_exact *force_change, const rt_natural_change *change, rt_exact *Q,
                 rt_exact *w)
{
    if (!change) {
        rt_quadric_gradient(s->b, q, 0, s->b->x, false, force, Q, w);
        return;
    }
    rt_quadric_gradient(s->b, q, 0, s->b->x, false, force_change, Q, w);
    rt_quadric_gradient(s->b, q, 0, change->x, true, force, Q, w);
}

/* With q = d . d = l^2: Q = (f/2l) dq/dx, l' = q'/2l,
 *     d(f/2l) = df/2l - f dl/2l^2,    dl = dq/2l,    dl' = dq'/2l - l' dl/l */
static routh_status spring(rt_natural_loads *s, natural_load *l, const rt_natural_change *change,
                           rt_exact *Q, routh_error *error)
{
    rt_exact_field *f = s->b->field;
    rt_exact *w = s->work, *q = w + 12, *rate = w + 13, *force = w + 14, *h = w + 15;
    rt_exact *dq = w + 16, *drate = w + 17, *df = w + 18, *over = w + 19, *dl = w + 20;
    rt_exact_set_integer(f, over, 1);
    rt_exact_divide(f, over, over, l->length);
    rt_exact_scale(f, over, over, 1, 2); /* 1/2l */
    loads_along(s, &l->e[0], NULL, q, rate, w);
    rt_exact_multiply(f, rate, rate, over); /* l' */
    routh_status status = loads_function_of(s, l, 0, NULL, force, error);
    if (status) return status;
    rt_exact_add(f, force, force, l->preload);
    rt_exact_subtract(f, h, l->length, l->offset);
    rt_exact_subtract_product(f, force, l->K, h);
    rt_exact_subtract_product(f, force, l->C, rate);
    rt_exact_multiply(f, h, force, over); /* f/2l */
    if (change) {
        loads_along(s, &l->e[0], change, dq, drate, w);
        rt_exact_multiply(f, dl, dq, over);
        rt_exact_multiply(f, drate, drate, over);
        rt_exact_multiply(f, dq, rate, dl); /* l' dl/l = 2 (l' dl)(1/2l) */
        rt_exact_multiply(f, dq, dq, over);
        rt_exact_scale(f, dq, dq, 2, 1);
        rt_exact_subtract(f, drate, drate, dq);
        status = loads_function_of(s, l, 0, change, df, error);
        if (status) return status;
        rt_exact_subtract_product(f, df, l->K, dl);
        rt_exact_subtract_product(f, df, l->C, drate);
        rt_exact_multiply(f, df, df, over);
        rt_exact_multiply(f, dl, dl, over);
        rt_exact_scale(f, dl, dl, 2, 1); /* dl/l */
        rt_exact_subtract_product(f, df, h, dl);
    }
    push(s, &l->e[0], h, df, change, Q, w);
    return ROUTH_OK;
}

/* d angle = (C dS - S dC)/rho, rho = S^2 + C^2: Q = (T/rho)(C dS/dx - S dC/dx). */
static routh_status torsion(rt_natural_loads *s, natural_load *l, const rt_natural_change *change,
                            rt_exact *Q, routh_error *error)
{
    rt_exact_field *f = s->b->field;
    rt_exact *w = s->work, *S = w + 12, *C = w + 13, *S1 = w + 14, *C1 = w + 15, *over = w + 16;
    rt_exact *rate = w + 17, *h = w + 18, *a = w + 19, *b = w + 20;
    rt_exact *dS = w + 21, *dC = w + 22, *dS1 = w + 23, *dC1 = w + 24, *angle = w + 25;
    rt_exact *drate = w + 26, *da = w + 27, *db = w + 28, *drho = w + 29, *dh = w + 30;
    loads_along(s, &l->e[0], NULL, S, S1, w);
    loads_along(s, &l->e[1], NULL, C, C1, w);
    rt_exact_multiply(f, over, S, S);
    rt_exact_add_product(f, over, C, C);
    if (rt_exact_is_zero(f, over))
        return rt_fail(error, ROUTH_SINGULAR,
                       "its angle is not defined, because x is along the "
                       "axis; rotate the marker");
    rt_exact_set_integer(f, h, 1);
    rt_exact_divide(f, over, h, over); /* 1/rho */
    rt_exact_multiply(f, rate, C, S1);
    rt_exact_subtract_product(f, rate, S, C1);
    rt_exact_multiply(f, rate, rate, over);
    routh_status status = loads_function_of(s, l, 0, NULL, h, error);
    if (status) return status;
    rt_exact_add(f, h, h, l->preload);
    rt_exact_subtract_product(f, h, l->K, l->length);
    rt_exact_subtract_product(f, h, l->C, rate);
    rt_exact_multiply(f, h, h, over); /* T/rho */
    rt_exact_multiply(f, a, h, C);
    rt_exact_multiply(f, b, h, S);
    rt_exact_negate(f, b, b);
    if (change) {
        loads_along(s, &l->e[0], change, dS, dS1, w);
        loads_along(s, &l->e[1], change, dC, dC1, w);
        rt_exact_multiply(f, angle, C, dS);
        rt_exact_subtract_product(f, angle, S, dC);
        rt_exact_multiply(f, angle, angle, over);
        rt_exact_multiply(f, drho, S, dS);
        rt_exact_add_product(f, drho, C, dC);
        rt_exact_scale(f, drho, drho, 2, 1);
        rt_exact_multiply(f, drate, dC, S1);
        rt_exact_add_product(f, drate, C, dS1);
        rt_exact_subtract_product(f, drate, dS, C1);
        rt_exact_subtract_product(f, drate, S, dC1);
        rt_exact_subtract_product(f, drate, rate, drho);
        rt_exact_multiply(f, drate, drate, over);
        status = loads_function_of(s, l, 0, change, dh, error);
        if (status) return status;
        rt_exact_subtract_product(f, dh, l->K, angle);
        rt_exact_subtract_product(f, dh, l->C, drate);
        rt_exact_subtract_product(f, dh, h, drho);
        rt_exact_multiply(f, dh, dh, over); /* d(T/rho) */
        rt_exact_multiply(f, da, dh, C);
        rt_exact_add_product(f, da, h, dC);
        rt_exact_multiply(f, db, dh, S);
        rt_exact_add_product(f, db, h, dS);
        rt_exact_negate(f, db, db);
    }
    push(s, &l->e[0], a, da, change, Q, w);
    push(s, &l->e[1], b, db, change, Q, w);
    return ROUTH_OK;
}

static routh_status bushing(rt_natural_loads *s, natural_load *l, const rt_natural_change *change,
                            rt_exact *Q, routh_error *error)
{
    (void)error;
    rt_exact_field *f = s->b->field;
    rt_exact *w = s->work, *force = w + 12, *df = w + 18, *e = w + 24, *rate = w + 25;
    for (int k = 0; k < 6; k++) rt_exact_set(f, force + k, l->preload + k);
    loads_clear(s, df, 6);
    for (int m = 0; m < 6; m++) {
        loads_along(s, &l->e[m], NULL, e, rate, w);
        rt_exact_subtract(f, e, e, l->offset + m);
        for (int k = 0; k < 6; k++) {
            rt_exact_subtract_product(f, force + k, l->K + 6 * k + m, e);
            rt_exact_subtract_product(f, force + k, l->C + 6 * k + m, rate);
        }
        if (!change) continue;
        loads_along(s, &l->e[m], change, e, rate, w);
        for (int k = 0; k < 6; k++) {
            rt_exact_subtract_product(f, df + k, l->K + 6 * k + m, e);
            rt_exact_subtract_product(f, df + k, l->C + 6 * k + m, rate);
        }
    }
    for (int k = 0; k < 6; k++) push(s, &l->e[k], force + k, df + k, change, Q, w);
    return ROUTH_OK;
}

/* The work of a torque: t . dtheta with dtheta = 1/2 sum a_k x da_k, so Q_k = 1/2 t x a_k. */
static void twist(rt_natural_loads *s, int body, const rt_exact *t, const rt_exact *x, slong sign,
                  rt_exact *Q, rt_exact *w)
{
    if (body == RT_GROUND) return;
    for (int k = 1; k < 4; k++) {
        rt_exact_cross(s->b->field, t, x + 12 * body + 3 * k, w);
        for (int i = 0; i < 3; i++) {
            rt_exact_scale(s->b->field, w + i, w + i, sign, 2);
            rt_exact_add(s->b->field, Q + 12 * body + 3 * k + i, Q + 12 * body + 3 * k + i, w + i);
        }
    }
}

/* sum of functions along the axes: value or change */
static routh_status loads_vector_of(rt_natural_loads *s, natural_load *l,
                                    const rt_natural_change *change, rt_exact *out, rt_exact *w,
                                    routh_error *error)
{
    rt_exact_field *f = s->b->field;
    loads_clear(s, out, 3);
    for (int k = 0; k < 3; k++) {
        routh_status status = loads_function_of(s, l, k, change, w, error);
        if (status) return status;
        rt_form_value(s->b, &l->axis[k], s->b->x, false, w + 1);
        for (int i = 0; i < 3; i++) rt_exact_add_product(f, out + i, w, w + 1 + i);
        if (!change) continue;
        status = loads_function_of(s, l, k, NULL, w, error);
        if (status) return status;
        rt_form_value(s->b, &l->axis[k], change->x, true, w + 1);
        for (int i = 0; i < 3; i++) rt_exact_add_product(f, out + i, w, w + 1 + i);
    }
    return ROUTH_OK;
}

/* A vector and its change, and which of them is asked for; 3 each. */
typedef struct loads_pushed {
    rt_exact *F, *dF, *now;
    int i, j; /* bodies of the first and the second marker */
    bool reaction;
} loads_pushed;

static routh_status loads_push_of(rt_natural_loads *s, natural_load *l,
                                  const rt_natural_change *change, loads_pushed *p,
                                  routh_error *error)
{
    const rt_natural_bodies *b = s->b;
    const rt_load *load = l->load;
    rt_exact *w = s->work;
    *p = (loads_pushed){.F = w + 12, .dF = w + 15, .reaction = load->markers[1] >= 0};
    p->i = b->model->markers[load->markers[0]].body;
    p->j = p->reaction ? b->model->markers[load->markers[1]].body : RT_GROUND;
    p->now = change ? p->dF : p->F;
    const routh_status status = loads_vector_of(s, l, NULL, p->F, w, error);
    return status || !change ? status : loads_vector_of(s, l, change, p->dF, w, error);
}

static routh_status vector_torque(rt_natural_loads *s, natural_load *l,
                                  const rt_natural_change *change, rt_exact *Q, routh_error *error)
{
    const rt_natural_bodies *b = s->b;
    rt_exact *w = s->work;
    loads_pushed p;
    const routh_status status = loads_push_of(s, l, change, &p, error);
    if (status) return status;
    twist(s, p.i, p.now, b->x, 1, Q, w);
    if (p.reaction) twist(s, p.j, p.now, b->x, -1, Q, w);
    if (change) twist(s, p.i, p.F, change->x, 1, Q, w);
    if (change && p.reaction) twist(s, p.j, p.F, change->x, -1, Q, w);
    return ROUTH_OK;
}

/* The reaction of a force acts where the force does: with -f at the second marker goes the torque
 * -d x f. */
static routh_status vector_force(rt_natural_loads *s, natural_load *l,
                                 const rt_natural_change *change, rt_exact *Q, routh_error *error)
{
    const rt_natural_bodies *b = s->b;
    rt_exact_field *f = b->field;
    rt_exact *w = s->work, *t = w + 18, *dt = w + 21, *d = w + 24;
    loads_pushed p;
    routh_status status = loads_push_of(s, l, change, &p, error);
    if (status) return status;
    rt_form_force(b, &l->origin[0], p.now, Q);
    if (!p.reaction || p.j == RT_GROUND) return ROUTH_OK;
    rt_form apart;
    status = rt_form_difference(b, &l->origin[0], &l->origin[1], &apart, error);
    if (status) return status;
    for (int k = 0; k < 3; k++) rt_exact_negate(f, w + 6 + k, p.now + k);
    rt_form_force(b, &l->origin[1], w + 6, Q);
    rt_form_value(b, &apart, b->x, false, d);
    rt_exact_cross(f, d, p.F, t);
    if (!change) {
        twist(s, p.j, t, b->x, -1, Q, w);
        return ROUTH_OK;
    }
    rt_exact_cross(f, d, p.dF, dt);
    rt_form_value(b, &apart, change->x, true, d);
    rt_exact_cross(f, d, p.F, w + 6);
    for (int k = 0; k < 3; k++) rt_exact_add(f, dt + k, dt + k, w + 6 + k);
    twist(s, p.j, dt, b->x, -1, Q, w);
    twist(s, p.j, t, change->x, -1, Q, w);
    return ROUTH_OK;
}

/* By what rt_load_class says of a type (`closed_form`). */
static const natural_form forms[RT_CLOSED_FORMS] = {
    [RT_CLOSED_LENGTH] = {1, prepare_spring, spring},
    [RT_CLOSED_ANGLE] = {1, prepare_torsion, torsion},
    [RT_CLOSED_BUSHING] = {6, prepare_bushing, bushing},
    [RT_CLOSED_FORCE] = {1, prepare_vector, vector_force},
    [RT_CLOSED_TORQUE] = {1, prepare_vector, vector_torque},
};

static const natural_form *loads_form_of(const rt_load *load)
{
    return &forms[rt_load_class_of(load->type)->closed_form];
}

routh_status rt_natural_forces(rt_natural_loads *s, const rt_natural_change *change, rt_exact *Q,
                               routh_error *error)
{
    const rt_natural_bodies *b = s->b;
    loads_clear(s, Q, b->n);
    for (int k = 0; k < b->model->n_bodies && !change; k++)
        for (int i = 0; i < 3; i++)
            rt_exact_add_product(b->field, Q + 12 * k + i, b->mass + k, s->gravity + i);
    routh_status status = ROUTH_OK;
    for (int k = 0; k < s->n && !status; k++) {
        routh_error why = {0};
        char element[160] = "load ";
        status = loads_form_of(s->load[k].load)->add(s, s->load + k, change, Q, &why);
        strncat(element, b->model->loads[k].name, 140);
        if (status)
            rt_fail_at(error, status, b->model->file, b->model->loads[k].place, element, "%s",
                       why.message);
    }
    return status;
}
