/* See kink_sizes.h. */
#include "model/kink_sizes.h"

#include <math.h>

#include "base/vec3.h"
#include "model/reader.h"

struct rt_kink_sizes {
    double *size;         /* by quantity */
    double *of;           /* by node of the graph */
    rt_sizing all;        /* what is weighed, and distances */
    rt_sizing *variables; /* by variable */
};

/* ---- while the model is read ----------------------------------------------------------------- */

rt_expr rt_weigh_expression(rt_reader *r, rt_expr e)
{
    routh_model *m = r->model;
    rt_kink_weight *all =
        rt_reader_grow(r, m->kink_weights, sizeof *all, m->n_kink_weights, &r->kink_weight_room);
    if (!all) return RT_NO_EXPR;
    m->kink_weights = all;
    rt_kink_weight *weight = &all[m->n_kink_weights];
    weight->of = e;
    const rt_expr made = rt_add_made(r, 1, &weight->made);
    m->n_kink_weights += made >= 0;
    return made;
}

/* ---- how large quantities are ---------------------------------------------------------------- */

/* Lengths of the mechanism: the farthest marker from its body, or body from the first. */
static double kinks_typical_length(const routh_model *m)
{
    double length = 0, d[3], p[3], first[3];
    for (int k = 0; k < m->n_markers; k++) {
        if (m->markers[k].body == RT_GROUND) continue;
        const rt_flexible_node *node = rt_marker_node(m, k);
        rt_numbers_values(p, m->markers[k].position, 3);
        length = fmax(length, rt_v3_norm(p) + (node ? rt_v3_norm(node->X) : 0));
    }
    for (int b = 0; b < m->n_bodies; b++) {
        rt_numbers_values(b ? p : first, m->bodies[b].position, 3);
        if (!b) continue;
        rt_v3_sub(d, p, first);
        length = fmax(length, rt_v3_norm(d));
    }
    return length > 0 && isfinite(length) ? length : 1;
}

/* Weights, or masses times the typical length over a second squared. */
static double kinks_typical_force(const routh_model *m, double length)
{
    double mass = 0, g[3];
    for (int b = 0; b < m->n_bodies; b++) {
        const rt_flexible *shape = m->bodies[b].flexible;
        mass += shape ? shape->mass : m->bodies[b].mass.value;
    }
    rt_numbers_values(g, m->gravity, 3);
    return mass * fmax(rt_v3_norm(g), length);
}

/* Rates are counted in seconds. */
static double size_of_vector(const rt_vector *v, double length)
{
    switch (v->kind) {
    case RT_VECTOR_AXIS:
    case RT_VECTOR_OMEGA:
    case RT_VECTOR_ALPHA: return 1;
    default: return length;
    }
}

static double size_or_one(double value) { return isnormal(value) ? fabs(value) : 1; }

static double size_of_quantity(const routh_model *m, const rt_quantity *q, double length,
                               double force)
{
    switch (q->kind) {
    case RT_QUANTITY_PARAMETER:
    case RT_QUANTITY_MADE: return fabs(rt_constant_value(m, q));
    case RT_QUANTITY_DOT: return size_of_vector(&q->a, length) * size_of_vector(&q->b, length);
    case RT_QUANTITY_FORCE: return force * (q->torque ? length : 1);
    case RT_QUANTITY_STATE:
    case RT_QUANTITY_STATE_RATE: return size_or_one(m->control_states[q->index].initial.value);
    case RT_QUANTITY_VARIABLE: return size_or_one(m->variables[q->index].guess.value);
    case RT_QUANTITY_INPUT: return size_or_one(m->inputs[q->index].value.value);
    default: return 1; /* time: a second */
    }
}

/* Of a variable whose guess says nothing: the terms of its expression. */
static void size_variables(rt_kink_sizes *s, const routh_model *m)
{
    for (int k = 0; k < m->n_quantities; k++) {
        const rt_quantity *q = &m->quantities[k];
        if (q->kind != RT_QUANTITY_VARIABLE || m->variables[q->index].guess.value != 0) continue;
        rt_sizing_run(&s->variables[q->index], m->graph, s->size, s->of);
        s->size[k] = rt_sizing_of(s->of, m->variables[q->index].value.expr);
    }
}

static void size_quantities(rt_kink_sizes *s, const routh_model *m)
{
    const double length = kinks_typical_length(m), force = kinks_typical_force(m, length);
    for (int k = 0; k < m->n_quantities; k++)
        s->size[k] = size_of_quantity(m, &m->quantities[k], length, force);
    size_variables(s, m);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool take_sizings(rt_kink_sizes *s, const routh_model *m, rt_arena *arena)
{
    rt_expr *weighed = RT_TAKE(arena, rt_expr, m->n_kink_weights + m->n_kinks);
    s->variables = RT_TAKE(arena, rt_sizing, m->n_variables);
    bool good = weighed && s->variables;
    int n = 0;
    for (int k = 0; k < m->n_kink_weights && good; k++) weighed[n++] = m->kink_weights[k].of;
    for (int k = 0; k < m->n_kinks && good; k++)
        if (m->kinks[k].sized) weighed[n++] = m->kinks[k].distance;
    good = good && rt_sizing_take(&s->all, m->graph, weighed, n, arena);
    for (int k = 0; k < m->n_variables && good; k++)
        good = rt_sizing_take(&s->variables[k], m->graph, &m->variables[k].value.expr, 1, arena);
    return good;
}

routh_status rt_kink_sizes_take(rt_kink_sizes **sizes, const routh_model *m, rt_arena *arena,
                                routh_error *error)
{
    rt_kink_sizes *s = RT_TAKE(arena, rt_kink_sizes, 1);
    *sizes = s;
    if (!s) return rt_fail_memory(error);
    if (!m->n_kinks) return ROUTH_OK;
    s->size = RT_TAKE(arena, double, m->n_quantities);
    s->of = RT_TAKE(arena, double, rt_node_count(m->graph));
    if (!s->size || !s->of || !take_sizings(s, m, arena)) return rt_fail_memory(error);
    return ROUTH_OK;
}

void rt_kink_sizes_run(rt_kink_sizes *s, routh_model *m)
{
    if (!m->n_kinks) return;
    size_quantities(s, m);
    rt_sizing_run(&s->all, m->graph, s->size, s->of);
    for (int k = 0; k < m->n_kink_weights; k++)
        m->made[m->kink_weights[k].made] = 1 / rt_sizing_of(s->of, m->kink_weights[k].of);
    for (int k = 0; k < m->n_kinks; k++)
        if (m->kinks[k].sized) m->kinks[k].scale = rt_sizing_of(s->of, m->kinks[k].distance);
}
