#include "symbolic/forms.h"

#include <math.h>
#include <string.h>

void rt_exact_dot(rt_exact_field *f, const rt_exact *u, const rt_exact *v, rt_exact *out)
{
    rt_exact_set_integer(f, out, 0);
    for (int k = 0; k < 3; k++) rt_exact_add_product(f, out, u + k, v + k);
}

void rt_exact_cross(rt_exact_field *f, const rt_exact *u, const rt_exact *v, rt_exact *out)
{
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        rt_exact_multiply(f, out + k, u + m, v + n);
        rt_exact_subtract_product(f, out + k, u + n, v + m);
    }
}

/* ---- bodies --------------------------------------------------------------------------------- */

static routh_status forms_read_numbers(rt_natural_bodies *b, const rt_number *numbers, int n,
                                       bool near, rt_exact *out, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n && !status; k++)
        status = rt_exact_of_number(b->numbers, numbers[k], near, out + k, error);
    return status;
}

/* a_k' a_l = 1 or 0: read back exactly, a rotation is one. */
static bool forms_is_rotation(rt_exact_field *f, const rt_exact *axes, rt_exact *dot)
{
    for (int k = 0; k < 3; k++)
        for (int l = 0; l <= k; l++) {
            rt_exact_dot(f, axes + 3 * k, axes + 3 * l, dot);
            rt_exact_set_integer(f, dot + 1, k == l);
            if (!rt_exact_equal(f, dot, dot + 1)) return false;
        }
    return true;
}

static routh_status forms_read_moments(rt_natural_bodies *b, const rt_body *body, rt_exact *J,
                                       rt_exact *half_trace, routh_error *error)
{
    rt_exact_field *f = b->field;
    const routh_status status = forms_read_numbers(b, body->inertia, 9, false, J, error);
    if (status) return status;
    rt_exact_add(f, half_trace, J, J + 4);
    rt_exact_add(f, half_trace, half_trace, J + 8);
    rt_exact_scale(f, half_trace, half_trace, 1, 2);
    for (int k = 0; k < 9; k++) rt_exact_negate(f, J + k, J + k);
    for (int k = 0; k < 9; k += 4) rt_exact_add(f, J + k, J + k, half_trace);
    return ROUTH_OK;
}

static routh_status forms_read_body(rt_natural_bodies *b, int k, rt_exact *work, routh_error *error)
{
    rt_exact_field *f = b->field;
    const rt_body *body = b->model->bodies + k;
    rt_exact *x = b->x + 12 * k, *v = b->v + 12 * k;
    if (body->flexible)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "a flexible body is not supported in formulas; "
                       "use routh linearize");
    routh_status status = rt_exact_of_number(b->numbers, body->mass, false, b->mass + k, error);
    if (!status) status = forms_read_moments(b, body, b->moments + 9 * k, work, error);
    if (!status) status = forms_read_numbers(b, body->position, 3, true, x, error);
    for (int i = 0; i < 9 && !status; i++) /* columns */
        status = rt_exact_of_number(b->numbers, body->orientation[3 * (i % 3) + i / 3], true,
                                    x + 3 + i, error);
    if (status) return status;
    if (!forms_is_rotation(f, x + 3, work))
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "its orientation is not known exactly; write it with angles that are "
                       "parameters, or multiples of 30 or 45 degrees");
    /* zero where nothing is written, of joints with rates too */
    status = forms_read_numbers(b, body->velocity, 3, true, v, error);
    if (!status) status = forms_read_numbers(b, body->angular_velocity, 3, true, work, error);
    if (status) return status;
    for (int i = 1; i < 4; i++) rt_exact_cross(f, work, x + 3 * i, v + 3 * i);
    return ROUTH_OK;
}

routh_status rt_natural_create(rt_natural_bodies *b, rt_exact_numbers *numbers, routh_error *error)
{
    const routh_model *model = numbers->model;
    rt_exact_field *f = numbers->field;
    *b = (rt_natural_bodies){.numbers = numbers, .field = f, .model = model};
    b->n = 12 * model->n_bodies;
    b->x = rt_exact_zeros(f, b->n);
    b->v = rt_exact_zeros(f, b->n);
    b->a = rt_exact_zeros(f, b->n);
    b->mass = rt_exact_zeros(f, model->n_bodies);
    b->moments = rt_exact_zeros(f, 9 * model->n_bodies);
    rt_exact *work = rt_exact_zeros(f, 3);
    if (!b->x || !b->v || !b->a || !b->mass || !b->moments || !work) return rt_fail_memory(error);
    for (int k = 0; k < model->n_bodies; k++) {
        routh_error why = {0};
        const routh_status status = forms_read_body(b, k, work, &why);
        char element[160] = "body ";
        strncat(element, model->bodies[k].name, 140);
        if (status)
            return rt_fail_at(error, status, model->file, model->bodies[k].place, element, "%s",
                              why.message);
    }
    return ROUTH_OK;
}

/* ---- forms ---------------------------------------------------------------------------------- */

static routh_status forms_begin(const rt_natural_bodies *b, rt_form *form, routh_error *error)
{
    rt_exact *all = rt_exact_zeros(b->field, RT_FORM_TERMS + 3);
    if (!all) return rt_fail_memory(error);
    form->n = 0;
    for (int k = 0; k < RT_FORM_TERMS; k++) form->c[k] = all + k;
    form->fixed = all + RT_FORM_TERMS;
    return ROUTH_OK;
}

/* local components in the axes of body, all of them terms or all fixed */
static void forms_place(const rt_natural_bodies *b, int body, const rt_exact *local, rt_form *form)
{
    for (int k = 0; k < 3; k++) {
        if (body == RT_GROUND) {
            rt_exact_set(b->field, form->fixed + k, local + k);
            continue;
        }
        if (rt_exact_is_zero(b->field, local + k)) continue;
        form->slot[form->n] = 4 * body + 1 + k;
        rt_exact_set(b->field, form->c[form->n++], local + k);
    }
}

static routh_status refuse_node(const routh_model *model, int marker, routh_error *error)
{
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "marker '%s' is on a flexible body, which is not supported in formulas; use "
                   "routh linearize",
                   model->markers[marker].name);
}

/* Of what the point on a body may be the difference of: the body's place and the point's. */
static double forms_scale(const rt_natural_bodies *b, const rt_marker *m)
{
    double scale = 0;
    for (int k = 0; k < 3; k++) {
        const double X = m->body == RT_GROUND ? 0 : b->model->bodies[m->body].position[k].value;
        scale = fmax(scale, fabs(X) + fabs(m->position[k].value));
    }
    return scale;
}

routh_status rt_form_origin(const rt_natural_bodies *b, int marker, rt_form *form,
                            routh_error *error)
{
    rt_exact *local = rt_exact_zeros(b->field, 3);
    routh_status status = forms_begin(b, form, error);
    if (!local && !status) status = rt_fail_memory(error);
    if (status || marker == RT_GROUND) return status;
    const rt_marker *m = b->model->markers + marker;
    if (m->node >= 0) return refuse_node(b->model, marker, error);
    const double scale = forms_scale(b, m);
    for (int k = 0; k < 3 && !status; k++)
        status = rt_exact_of_difference(b->numbers, m->position[k], scale, local + k, error);
    if (status) return status;
    if (m->body != RT_GROUND) {
        form->slot[form->n] = 4 * m->body;
        rt_exact_set_integer(b->field, form->c[form->n++], 1);
    }
    forms_place(b, m->body, local, form);
    return ROUTH_OK;
}

/* Entries of the triad, read one by one: those of z and of an axis across it where one of these is
 * along an axis of coordinates, or fractions. */
static routh_status forms_read_triad(const rt_natural_bodies *b, const double triad[9],
                                     rt_exact *axes, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int i = 0; i < 9 && !status; i++)
        status = rt_exact_of_number(b->numbers, (rt_number){triad[3 * (i % 3) + i / 3], RT_NO_EXPR},
                                    true, axes + i, error);
    return status;
}

/* v / |v| into u. w: room of 2. */
static routh_status forms_unit(rt_exact_field *f, const rt_exact *v, rt_exact *u, rt_exact *w,
                               routh_error *error)
{
    rt_exact_dot(f, v, v, w);
    const routh_status status = rt_exact_root(f, w + 1, w, error);
    for (int k = 0; k < 3 && !status; k++) rt_exact_divide(f, u + k, v + k, w + 1);
    return status;
}

/* The axis that was written is z up to a factor: its components over the largest are decimals. x is
 * the axis of coordinates that is along it most, less its part along z. */
static routh_status forms_oblique_triad(const rt_natural_bodies *b, const double triad[9],
                                        rt_exact *axes, routh_error *error)
{
    rt_exact_field *f = b->field;
    rt_exact *v = rt_exact_zeros(f, 5);
    rt_exact *x = axes, *y = axes + 3, *z = axes + 6;
    int largest = 0, start = 0;
    if (!v) return rt_fail_memory(error);
    for (int k = 0; k < 3; k++) {
        if (fabs(triad[3 * k + 2]) > fabs(triad[3 * largest + 2])) largest = k;
        if (triad[3 * k] > triad[3 * start]) start = k;
    }
    routh_status status = ROUTH_OK;
    const double most = fabs(triad[3 * largest + 2]);
    for (int k = 0; k < 3 && !status; k++)
        status = rt_exact_of_difference(
            b->numbers, (rt_number){triad[3 * k + 2] / most, RT_NO_EXPR}, 2, v + k, error);
    if (!status) status = forms_unit(f, v, z, v + 3, error);
    if (status) return status;
    /* (v . v) e - v_start v, which is across v */
    rt_exact_dot(f, v, v, v + 3);
    rt_exact_set(f, v + 4, v + start);
    for (int k = 0; k < 3; k++) {
        rt_exact_multiply(f, v + k, v + k, v + 4);
        rt_exact_negate(f, v + k, v + k);
    }
    rt_exact_add(f, v + start, v + start, v + 3);
    status = forms_unit(f, v, x, v + 3, error);
    if (!status) rt_exact_cross(f, z, x, y);
    return status;
}

/* A single direction may be given in place of a triad, the other columns zero. */
static bool forms_is_triad(const double triad[9])
{
    double squares = 0;
    for (int k = 0; k < 9; k++) squares += triad[k] * triad[k];
    return fabs(squares - 3) < 1e-9;
}

/* Axis k of a triad that belongs to a direction (model/axis.h), exactly. */
static routh_status forms_triad_column(const rt_natural_bodies *b, const double triad[9], int k,
                                       rt_exact *local, routh_error *error)
{
    rt_exact_field *f = b->field;
    rt_exact *axes = rt_exact_zeros(f, 11);
    if (!axes) return rt_fail_memory(error);
    routh_status status = forms_read_triad(b, triad, axes, error);
    if (!status && forms_is_triad(triad) && !forms_is_rotation(f, axes, axes + 9))
        status = forms_oblique_triad(b, triad, axes, error);
    for (int i = 0; i < 3 && !status; i++) rt_exact_set(f, local + i, axes + 3 * k + i);
    return status;
}

routh_status rt_form_axis(const rt_natural_bodies *b, int marker, const double triad[9], int k,
                          rt_form *form, routh_error *error)
{
    rt_exact_field *f = b->field;
    rt_exact *local = rt_exact_zeros(f, 7);
    routh_status status = forms_begin(b, form, error);
    if (!local && !status) status = rt_fail_memory(error);
    if (triad && !status)
        status = forms_triad_column(b, triad, k, local, error);
    else if (!status)
        rt_exact_set_integer(f, local + k, 1);
    if (status) return status;
    if (marker == RT_GROUND) {
        forms_place(b, RT_GROUND, local, form);
        return ROUTH_OK;
    }
    const rt_marker *m = b->model->markers + marker;
    if (m->node >= 0) return refuse_node(b->model, marker, error);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3 && !status; j++) {
            if (rt_exact_is_zero(f, local + j)) continue;
            status =
                rt_exact_of_number(b->numbers, m->orientation[3 * i + j], true, local + 6, error);
            if (!status) rt_exact_add_product(f, local + 3 + i, local + 6, local + j);
        }
    if (!status) forms_place(b, m->body, local + 3, form);
    return status;
}

routh_status rt_form_difference(const rt_natural_bodies *b, const rt_form *u, const rt_form *v,
                                rt_form *form, routh_error *error)
{
    rt_exact_field *f = b->field;
    const routh_status status = forms_begin(b, form, error);
    if (status) return status;
    for (int k = 0; k < 3; k++) rt_exact_subtract(f, form->fixed + k, u->fixed + k, v->fixed + k);
    for (int k = 0; k < u->n; k++) {
        form->slot[form->n] = u->slot[k];
        rt_exact_set(f, form->c[form->n++], u->c[k]);
    }
    for (int k = 0; k < v->n; k++) {
        int at = 0;
        while (at < form->n && form->slot[at] != v->slot[k]) at++;
        if (at == form->n) form->slot[form->n++] = v->slot[k];
        rt_exact_subtract(f, form->c[at], form->c[at], v->c[k]);
    }
    return ROUTH_OK;
}

void rt_form_value(const rt_natural_bodies *b, const rt_form *form, const rt_exact *y, bool rate,
                   rt_exact *out)
{
    rt_exact_field *f = b->field;
    for (int i = 0; i < 3; i++) {
        if (rate)
            rt_exact_set_integer(f, out + i, 0);
        else
            rt_exact_set(f, out + i, form->fixed + i);
        for (int k = 0; k < form->n; k++)
            rt_exact_add_product(f, out + i, form->c[k], y + 3 * form->slot[k] + i);
    }
}

void rt_form_force(const rt_natural_bodies *b, const rt_form *form, const rt_exact *force,
                   rt_exact *Q)
{
    for (int k = 0; k < form->n; k++)
        for (int i = 0; i < 3; i++)
            rt_exact_add_product(b->field, Q + 3 * form->slot[k] + i, form->c[k], force + i);
}

/* ---- products ------------------------------------------------------------------------------- */

routh_status rt_quadric_begin(const rt_natural_bodies *b, rt_quadric *q, routh_error *error)
{
    q->n = 0;
    q->constant = rt_exact_zeros(b->field, 3);
    return q->constant ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_quadric_add(const rt_natural_bodies *b, rt_quadric *q, const rt_exact *scale,
                            const rt_form *u, const rt_form *v, int component, routh_error *error)
{
    rt_product *p = q->product + q->n++;
    p->scale = rt_exact_zeros(b->field, 3);
    if (!p->scale) return rt_fail_memory(error);
    if (scale)
        for (int k = 0; k < 3; k++) rt_exact_set(b->field, p->scale + k, scale + k);
    else
        rt_exact_set_integer(b->field, p->scale, 1);
    p->u = *u;
    p->component = component;
    if (component < 0) p->v = *v;
    return ROUTH_OK;
}

void rt_quadric_value(const rt_natural_bodies *b, const rt_quadric *q, int order, const rt_exact *x,
                      rt_exact *out, rt_exact *work)
{
    rt_exact_field *f = b->field;
    rt_exact_set(f, out, q->constant + order);
    for (int k = 0; k < q->n; k++) {
        const rt_product *p = q->product + k;
        if (rt_exact_is_zero(f, p->scale + order)) continue;
        rt_form_value(b, &p->u, x, false, work);
        if (p->component < 0) {
            rt_form_value(b, &p->v, x, false, work + 3);
            rt_exact_dot(f, work, work + 3, work + 6);
            rt_exact_add_product(f, out, p->scale + order, work + 6);
        } else
            rt_exact_add_product(f, out, p->scale + order, work + p->component);
    }
}

/* scale (u_x' v + v_x' u) */
void rt_quadric_gradient(const rt_natural_bodies *b, const rt_quadric *q, int order,
                         const rt_exact *y, bool rate, const rt_exact *factor, rt_exact *row,
                         rt_exact *work)
{
    rt_exact_field *f = b->field;
    for (int k = 0; k < q->n; k++) {
        const rt_product *p = q->product + k;
        if (rt_exact_is_zero(f, p->scale + order)) continue;
        rt_exact_multiply(f, work + 6, p->scale + order, factor);
        if (p->component >= 0) {
            if (rate) continue;
            for (int i = 0; i < 3; i++) rt_exact_set_integer(f, work + i, 0);
            rt_exact_set(f, work + p->component, work + 6);
            rt_form_force(b, &p->u, work, row);
            continue;
        }
        rt_form_value(b, &p->v, y, rate, work);
        rt_form_value(b, &p->u, y, rate, work + 3);
        for (int i = 0; i < 6; i++) rt_exact_multiply(f, work + i, work + i, work + 6);
        rt_form_force(b, &p->u, work, row);
        rt_form_force(b, &p->v, work + 3, row);
    }
}

void rt_quadric_second(const rt_natural_bodies *b, const rt_quadric *q, int order,
                       const rt_exact *y, const rt_exact *z, const rt_exact *factor, rt_exact *out,
                       rt_exact *work)
{
    rt_exact_field *f = b->field;
    for (int k = 0; k < q->n; k++) {
        const rt_product *p = q->product + k;
        if (p->component >= 0 || rt_exact_is_zero(f, p->scale + order)) continue;
        rt_exact_multiply(f, work + 7, p->scale + order, factor);
        rt_form_value(b, &p->u, y, true, work);
        rt_form_value(b, &p->v, z, true, work + 3);
        rt_exact_dot(f, work, work + 3, work + 6);
        rt_exact_add_product(f, out, work + 7, work + 6);
        rt_form_value(b, &p->u, z, true, work);
        rt_form_value(b, &p->v, y, true, work + 3);
        rt_exact_dot(f, work, work + 3, work + 6);
        rt_exact_add_product(f, out, work + 7, work + 6);
    }
}
