#include "symbolic/forms.h"

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

routh_status rt_form_origin(const rt_natural_bodies *b, int marker, rt_form *form,
                            routh_error *error)
{
    rt_exact *local = rt_exact_zeros(b->field, 3);
    routh_status status = forms_begin(b, form, error);
    if (!local && !status) status = rt_fail_memory(error);
    if (status || marker == RT_GROUND) return status;
    const rt_marker *m = b->model->markers + marker;
    if (m->node >= 0) return refuse_node(b->model, marker, error);
    for (int k = 0; k < 3 && !status; k++)
        status = rt_exact_of_number(b->numbers, m->position[k], true, local + k, error);
    if (status) return status;
    if (m->body != RT_GROUND) {
        form->slot[form->n] = 4 * m->body;
        rt_exact_set_integer(b->field, form->c[form->n++], 1);
    }
    forms_place(b, m->body, local, form);
    return ROUTH_OK;
}

routh_status rt_form_axis(const rt_natural_bodies *b, int marker, const double triad[9], int k,
                          rt_form *form, routh_error *error)
{
    rt_exact_field *f = b->field;
    rt_exact *local = rt_exact_zeros(f, 7);
    routh_status status = forms_begin(b, form, error);
    if (!local && !status) status = rt_fail_memory(error);
    for (int i = 0; i < 3 && !status; i++)
        status = rt_exact_of_number(b->numbers,
                                    (rt_number){triad ? triad[3 * i + k] : (i == k), RT_NO_EXPR},
                                    true, local + i, error);
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
