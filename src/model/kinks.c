/* The kinks of all functions of the model: where abs, sign, min, max, floor, ceil, mod switch. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader.h"

/* A kink in the list of those found, in scratch. */
typedef struct found_kink {
    rt_kink kink;
    struct found_kink *next;
} found_kink;

typedef struct kinks_search {
    rt_reader *r;
    bool *moves;   /* by quantity */
    int *slots;    /* by quantity: room for a list */
    bool *drives;  /* by input: a motion depends on it */
    int n;
    found_kink *first, **last;
    found_kink *element; /* the first of the element at hand */
    bool watches;        /* nothing depends on the element at hand */
} kinks_search;

/* An element's function: which of its slopes a linear model has. */
typedef struct kinks_function_of {
    const char *element;
    rt_function function;
    bool rates; /* it is a motion, whose rates in time enter too */
} kinks_function_of;

static bool kinks_start(kinks_search *s, rt_reader *r)
{
    *s = (kinks_search){.r = r, .n = r->n_quantities};
    s->last = &s->first;
    s->moves = RT_TAKE(&r->scratch, bool, s->n);
    s->slots = RT_TAKE(&r->scratch, int, s->n);
    s->drives = RT_TAKE(&r->scratch, bool, r->model->n_inputs);
    if (!s->moves || !s->slots || !s->drives) return false;
    for (int k = 0; k < s->n; k++) s->moves[k] = !rt_is_constant_quantity(&r->quantities[k]);
    return true;
}

/* ---- the jump across a switch ---------------------------------------------------------------- */

/* sum + |x| / size(x); x RT_NO_EXPR gives RT_NO_EXPR */
static rt_expr add_share(kinks_search *s, rt_expr sum, rt_expr x)
{
    rt_graph *g = s->r->model->graph;
    double value;
    if (x < 0 || sum < 0) return RT_NO_EXPR;
    if (rt_is_constant(g, x, &value) && value == 0) return sum;
    return rt_add(g, sum,
                  rt_multiply(g, rt_weigh_expression(s->r, x), rt_function_of(g, RT_ABS, x)));
}

/* J = f on the positive side - f on the negative: the share of J, of its slopes in what the linear
 * model varies, and of a motion's rates in time. */
static rt_expr jump_of(kinks_search *s, const kinks_function_of *f, rt_expr J)
{
    rt_graph *g = s->r->model->graph;
    rt_expr sum = add_share(s, rt_constant(g, 0), J);
    const int n = J < 0 ? -1 : rt_inputs_of(g, J, s->slots, s->n);
    for (int i = 0; i < n && sum >= 0; i++) {
        const int k = s->slots[i];
        const bool time = s->r->quantities[k].kind == RT_QUANTITY_TIME;
        if (!s->moves[k] || (time && !f->rates)) continue;
        const rt_expr slope = rt_derivative(g, J, k);
        sum = add_share(s, sum, slope);
        if (time && slope >= 0) sum = add_share(s, sum, rt_derivative(g, slope, k));
    }
    return n < 0 ? RT_NO_EXPR : sum;
}

/* What of it is no kink but a step: the share of J, of a motion's J' too. */
static rt_expr step_of(kinks_search *s, const kinks_function_of *f, rt_expr distance, rt_expr J)
{
    rt_graph *g = s->r->model->graph;
    bool moved = false;
    rt_expr sum = rt_constant(g, 0);
    const int n = rt_inputs_of(g, distance, s->slots, s->n);
    if (n < 0) return RT_NO_EXPR;
    for (int k = 0; k < n; k++) {
        const rt_quantity_kind kind = s->r->quantities[s->slots[k]].kind;
        moved = moved || (kind != RT_QUANTITY_TIME && kind != RT_QUANTITY_PARAMETER);
    }
    if (moved) sum = add_share(s, sum, J);
    for (int k = 0; k < s->n && moved && f->rates && sum >= 0; k++)
        if (s->r->quantities[k].kind == RT_QUANTITY_TIME)
            sum = add_share(s, sum, rt_derivative(g, J, k));
    return sum;
}

/* ---- branchings that switch together --------------------------------------------------------- */

enum { MOST_TOGETHER = 16 };

/* Branchings of one distance, or of its negative, as abs(x) and sign(x): they switch together. */
typedef struct together {
    int n;
    rt_expr node[MOST_TOGETHER], branch[2][MOST_TOGETHER];
} together;

static void kinks_join(together *t, const rt_branching *b, bool turned)
{
    if (t->n == MOST_TOGETHER) return; /* the others are kinks of their own */
    t->node[t->n] = b->node;
    t->branch[0][t->n] = b->branch[turned];
    t->branch[1][t->n++] = b->branch[!turned];
}

/* Joins those of list[k + 1] .. that switch with list[k], and takes them out of the list. */
static void kinks_gather(rt_graph *g, rt_branching *list, int n, int k, together *t)
{
    const rt_expr negative = rt_negate(g, list[k].distance);
    t->n = 0;
    kinks_join(t, &list[k], false);
    for (int i = k + 1; i < n && t->n < MOST_TOGETHER; i++) {
        const bool same = list[i].distance == list[k].distance;
        if (list[i].node < 0 || (!same && list[i].distance != negative)) continue;
        kinks_join(t, &list[i], !same);
        list[i].node = RT_NO_EXPR;
    }
}

static rt_expr kinks_difference(rt_graph *g, rt_expr e, const together *t)
{
    const rt_expr positive = rt_replace(g, e, t->node, t->branch[1], t->n);
    return rt_subtract(g, positive, rt_replace(g, e, t->node, t->branch[0], t->n));
}

/* ---- the list -------------------------------------------------------------------------------- */

/* Elements that told of this distance, or of its negative, themselves. */
static bool is_known(const kinks_search *s, const kinks_function_of *f, rt_expr distance)
{
    const routh_model *m = s->r->model;
    const rt_expr negative = rt_negate(m->graph, distance);
    for (int k = 0; k < m->n_kinks; k++) {
        const rt_kink *kink = &m->kinks[k];
        if (kink->distance != distance && kink->distance != negative) continue;
        if (!strcmp(kink->element, f->element)) return true;
    }
    return false;
}

static found_kink *find_same(const kinks_search *s, rt_expr distance)
{
    for (found_kink *x = s->element; x; x = x->next)
        if (x->kink.distance == distance) return x;
    return NULL;
}

static bool kinks_add(kinks_search *s, const kinks_function_of *f, const rt_branching *b,
                      rt_expr jump, rt_expr step)
{
    rt_reader *r = s->r;
    found_kink *x = find_same(s, b->distance);
    if (x) {
        x->kink.jump = rt_add(r->model->graph, x->kink.jump, jump);
        x->kink.step = rt_add(r->model->graph, x->kink.step, step);
        return x->kink.jump >= 0 && x->kink.step >= 0;
    }
    x = RT_TAKE(&r->scratch, found_kink, 1);
    if (!x) return false;
    x->kink = (rt_kink){.element = f->element,
                        .place = f->function.place,
                        .what = b->name,
                        .distance = b->distance,
                        .sides = {b->sides[0], b->sides[1]},
                        .tie = b->tie,
                        .between = b->between,
                        .watches = s->watches,
                        .weighed = true,
                        .jump = jump,
                        .step = step};
    *s->last = x;
    s->last = &x->next;
    if (!s->element) s->element = x;
    return true;
}

static bool look_at(kinks_search *s, const kinks_function_of *f)
{
    rt_graph *g = s->r->model->graph;
    rt_branching *list;
    if (!rt_note_function_uses(s->r, f->element, &f->function)) return false;
    const int n = rt_branchings_of(g, f->function.expr, s->moves, &list, &s->r->scratch);
    for (int k = 0; k < n; k++) {
        together t;
        double value;
        if (list[k].node < 0 || is_known(s, f, list[k].distance)) continue;
        kinks_gather(g, list, n, k, &t);
        const rt_expr J = kinks_difference(g, f->function.expr, &t);
        if (J < 0) return false;
        if (rt_is_constant(g, J, &value) && value == 0) continue; /* sign(x) abs(x) */
        const rt_expr jump = jump_of(s, f, J), step = step_of(s, f, list[k].distance, J);
        if (jump < 0 || step < 0 || !kinks_add(s, f, &list[k], jump, step)) return false;
    }
    return n >= 0;
}

/* ---- all functions --------------------------------------------------------------------------- */

static const char *kinks_name_of(kinks_search *s, const char *kind, const char *name)
{
    char text[192];
    const int n = snprintf(text, sizeof text, "%s %.120s", kind, name);
    return rt_arena_text(&s->r->model->arena, text, (size_t)n);
}

/* Functions of one element, under "kind name", or under a name that is whole (kind NULL). */
static bool look_at_element(kinks_search *s, const char *kind, const char *name,
                            const rt_function *functions, int n, bool rates)
{
    bool any = false, good = true;
    for (int k = 0; k < n; k++) any = any || functions[k].expr >= 0;
    if (!any) return true;
    kinks_function_of f = {.element = kind ? kinks_name_of(s, kind, name) : name, .rates = rates};
    if (!f.element) return false;
    if (s->element && strcmp(s->element->kink.element, f.element) != 0) s->element = NULL;
    for (int k = 0; k < n && good; k++) {
        f.function = functions[k];
        if (f.function.expr >= 0) good = look_at(s, &f);
    }
    return good;
}

static bool look_at_joint(kinks_search *s, const rt_joint *joint)
{
    return look_at_element(s, "joint", joint->name, &joint->function, 1, true) &&
           look_at_element(s, "joint", joint->name, joint->functions, joint->n_functions, true);
}

/* Rates of a history matter where its input drives a motion. */
static bool find_driving(kinks_search *s)
{
    const routh_model *m = s->r->model;
    int *slots = RT_TAKE(&s->r->scratch, int, s->n);
    if (!slots) return false;
    for (int j = 0; j < m->n_joints; j++) {
        if (m->joints[j].function.expr < 0) continue;
        const int n = rt_inputs_of(m->graph, m->joints[j].function.expr, slots, s->n);
        if (n < 0) return false;
        for (int k = 0; k < n; k++) {
            const rt_quantity *q = &s->r->quantities[slots[k]];
            if (q->kind == RT_QUANTITY_INPUT) s->drives[q->index] = true;
        }
    }
    return true;
}

static bool look_at_signals(kinks_search *s)
{
    const routh_model *m = s->r->model;
    bool good = true;
    for (int k = 0; k < m->n_variables && good; k++)
        good = look_at_element(s, NULL, m->variables[k].element, &m->variables[k].value, 1, false);
    for (int k = 0; k < m->n_control_states && good; k++)
        good = look_at_element(s, NULL, m->control_states[k].element,
                               &m->control_states[k].equation, 1, false);
    s->watches = true;
    for (int k = 0; k < m->n_outputs && good; k++)
        good = look_at_element(s, "output", m->outputs[k].name, &m->outputs[k].value, 1, false);
    for (int k = 0; k < m->n_user_states && good; k++)
        good = look_at_element(s, "coordinate", m->user_states[k].name, &m->user_states[k].value, 1,
                               false);
    s->watches = false;
    for (int k = 0; k < m->n_inputs && good; k++)
        good =
            look_at_element(s, "input", m->inputs[k].name, &m->inputs[k].history, 1, s->drives[k]);
    return good;
}

static bool look_at_all(kinks_search *s)
{
    const routh_model *m = s->r->model;
    bool good = find_driving(s);
    for (int k = 0; k < m->n_loads && good; k++)
        good = look_at_element(s, "load", m->loads[k].name, m->loads[k].function, RT_LOAD_FUNCTIONS,
                               false);
    for (int k = 0; k < m->n_joints && good; k++) good = look_at_joint(s, &m->joints[k]);
    return good && look_at_signals(s);
}

/* Those of controllers first, then those found. */
static bool kinks_take_over(kinks_search *s)
{
    routh_model *m = s->r->model;
    int n = m->n_kinks;
    for (const found_kink *x = s->first; x; x = x->next) n++;
    rt_kink *kinks = RT_TAKE(&m->arena, rt_kink, n);
    if (!kinks) return false;
    if (m->n_kinks) memcpy(kinks, m->kinks, (size_t)m->n_kinks * sizeof *kinks);
    for (const found_kink *x = s->first; x; x = x->next) kinks[m->n_kinks++] = x->kink;
    m->kinks = kinks;
    for (int k = 0; k < n; k++) kinks[k].sized = !(kinks[k].scale > 0);
    return true;
}

routh_status rt_find_kinks(rt_reader *r)
{
    kinks_search s;
    const bool good = kinks_start(&s, r) && look_at_all(&s) && kinks_take_over(&s);
    return good ? ROUTH_OK : rt_fail_memory(r->error);
}
