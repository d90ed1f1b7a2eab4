/* See retake.h. */
#include "model/retake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/identity.h"
#include "base/number.h"
#include "model/kink_sizes.h"
#include "model/made.h"
#include "model/reader.h"
#include "model/shape.h"

/* The value that is set, as text, beside its number. */
typedef struct retaken {
    int parameter;
    bool shapes;
    routh_setting *setting; /* the model's; its text is `text` */
    char text[RT_NUMBER_SIZE];
} retaken;

struct rt_retake {
    routh_model *model;
    rt_arena arena;
    int n;
    retaken *list;
    bool *set; /* by parameter: of the list */

    /* nodes that depend on parameters alone, and what they are */
    const rt_tape *tape;
    rt_expr *expr;
    int n_expr;
    double *value;                      /* by node */
    double *constants, *outputs, *work; /* parameters, then made numbers */
    double *in, *out, *making_work;
    bool finite; /* all numbers were */
    rt_kink_sizes *sizes;
};

/* ---- the values of expressions --------------------------------------------------------------- */

static bool retake_take_makings(rt_retake *x)
{
    const rt_make_sizes most = rt_make_most(x->model->makings, x->model->n_makings);
    x->in = RT_TAKE(&x->arena, double, most.in);
    x->out = RT_TAKE(&x->arena, double, most.out);
    x->making_work = RT_TAKE(&x->arena, double, most.work);
    return x->in && x->out && x->making_work;
}

static routh_status retake_compile(rt_retake *x, routh_error *error)
{
    const routh_model *m = x->model;
    const int n_nodes = rt_node_count(m->graph), n = m->n_parameters + m->n_made;
    rt_arena *a = &x->arena;
    bool *within = RT_TAKE(a, bool, m->n_quantities);
    int *slots = RT_TAKE(a, int, n);
    x->set = RT_TAKE(a, bool, m->n_parameters);
    x->expr = RT_TAKE(a, rt_expr, n_nodes);
    x->value = RT_TAKE(a, double, n_nodes);
    x->constants = RT_TAKE(a, double, n);
    if (!within || !slots || !x->set || !x->expr || !x->value || !x->constants)
        return rt_fail_memory(error);
    for (int e = 0; e < n_nodes; e++) rt_is_constant(m->graph, e, &x->value[e]);
    for (int k = 0; k < m->n_quantities; k++) {
        within[k] = rt_is_constant_quantity(&m->quantities[k]);
        if (within[k]) slots[m->quantities[k].index] = k;
    }
    x->n_expr = rt_nodes_within(m->graph, within, m->n_quantities, x->expr);
    if (x->n_expr < 0) return rt_fail_memory(error);
    x->tape = rt_tape_compile(m->graph, x->expr, x->n_expr, slots, n, a);
    x->outputs = RT_TAKE(a, double, x->n_expr);
    x->work = x->tape ? RT_TAKE(a, double, rt_tape_work(x->tape)) : NULL;
    return x->outputs && x->work && retake_take_makings(x) ? ROUTH_OK : rt_fail_memory(error);
}

static void retake_evaluate(rt_retake *x)
{
    rt_tape_evaluate(x->tape, x->constants, x->outputs, x->work);
    for (int k = 0; k < x->n_expr; k++) x->value[x->expr[k]] = x->outputs[k];
}

static double retake_value(const rt_retake *x, rt_number number)
{
    return number.expr < 0 ? number.value : x->value[number.expr];
}

static bool retake_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* Parameters that are written in terms of others: did any change? */
static bool retake_follow(rt_retake *x)
{
    bool more = false;
    for (int k = 0; k < x->model->n_parameters; k++) {
        const rt_expr e = x->model->parameters[k].number.expr;
        if (e < 0 || retake_same(x->constants[k], x->value[e])) continue;
        x->constants[k] = x->value[e];
        more = true;
    }
    return more;
}

/* Numbers made of others by computations that are as they were when they were read. */
static bool is_remade(const rt_making *making)
{
    return making->kind == RT_MAKE_ROD || making->kind == RT_MAKE_ROD_LOAD;
}

static bool retake_make(rt_retake *x)
{
    double *made = x->constants + x->model->n_parameters;
    bool more = false;
    for (int k = 0; k < x->model->n_makings; k++) {
        const rt_making *making = &x->model->makings[k];
        if (!is_remade(making)) continue;
        for (int i = 0; i < making->n_in; i++) x->in[i] = retake_value(x, making->in[i]);
        if (rt_make(making, x->in, x->out, x->making_work)) {
            x->finite = false;
            continue;
        }
        for (int i = 0; i < making->n_out; i++) {
            const int to = making->made[i];
            if (to < 0 || retake_same(made[to], x->out[i])) continue;
            made[to] = x->out[i];
            more = true;
        }
    }
    return more;
}

/* Of a chain of parameters and made numbers as many passes as it is long. */
static void retake_evaluate_all(rt_retake *x)
{
    const int most = x->model->n_parameters + x->model->n_made + 2;
    bool more = true;
    for (int pass = 0; pass < most && more; pass++) {
        retake_evaluate(x);
        more = retake_follow(x);
        more = retake_make(x) || more;
    }
}

/* ---- into the model -------------------------------------------------------------------------- */

static void retake_put(rt_retake *x, rt_number *numbers, int n)
{
    for (int k = 0; k < n; k++) {
        if (numbers[k].expr < 0) continue;
        numbers[k].value = x->value[numbers[k].expr];
        x->finite = x->finite && isfinite(numbers[k].value);
    }
}

/* Those that may be left out are NAN where they are. */
static void put_optional(rt_retake *x, rt_number *number)
{
    if (!isnan(number->value)) retake_put(x, number, 1);
}

static void put_body(rt_retake *x, rt_body *body)
{
    retake_put(x, &body->mass, 1);
    retake_put(x, body->inertia, 9);
    retake_put(x, body->position, 3);
    retake_put(x, body->orientation, 9);
    retake_put(x, body->velocity, 3);
    retake_put(x, body->angular_velocity, 3);
    retake_put(x, &body->damping_ratio, 1);
    retake_put(x, body->reference, body->reference ? 12 : 0);
    rt_shape *shape = body->shape;
    if (!shape) return;
    retake_put(x, shape->size, rt_shape_sizes((int)shape->kind));
    retake_put(x, shape->position, 3);
    retake_put(x, shape->orientation, 9);
    retake_put(x, shape->outline, 2 * shape->n_outline);
}

static void put_joint(rt_retake *x, rt_joint *joint)
{
    rt_joint_start *start = joint->start;
    retake_put(x, joint->number, RT_JOINT_NUMBERS);
    retake_put(x, joint->ratio, 3);
    retake_put(x, joint->list, joint->n_list);
    if (!start) return;
    retake_put(x, start->value, RT_JOINT_COORDINATES);
    retake_put(x, start->rate, RT_JOINT_COORDINATES);
    retake_put(x, start->turn, 9);
    retake_put(x, start->turn_rate, 3);
}

static void put_load(rt_retake *x, rt_load *load)
{
    retake_put(x, &load->stiffness, 1);
    retake_put(x, &load->damping, 1);
    retake_put(x, &load->free_length, 1);
    retake_put(x, &load->preload, 1);
    retake_put(x, load->stiffness6, 36);
    retake_put(x, load->damping6, 36);
    retake_put(x, load->preload6, 6);
    retake_put(x, load->offset6, 6);
    retake_put(x, load->ends, 18);
    retake_put(x, load->own, RT_LOAD_OWN);
    retake_put(x, load->list, load->n_list);
}

static void retake_put_signals(rt_retake *x)
{
    routh_model *m = x->model;
    for (int k = 0; k < m->n_control_states; k++) retake_put(x, &m->control_states[k].initial, 1);
    for (int k = 0; k < m->n_variables; k++) retake_put(x, &m->variables[k].guess, 1);
    for (int k = 0; k < m->n_inputs; k++) retake_put(x, &m->inputs[k].value, 1);
}

static void put_settings(rt_retake *x)
{
    routh_model *m = x->model;
    rt_number *const numbers[] = {&m->simulation.end, &m->simulation.every,
                                  &m->simulation.tolerance, &m->simulation.step,
                                  &m->simulation.largest_step};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) put_optional(x, numbers[k]);
    put_optional(x, &m->steady.turn_rate);
    for (int k = 0; k < m->steady.n_spins; k++) put_optional(x, &m->steady.spins[k].rate);
    for (int k = 0; k < m->steady.n_prescribed; k++)
        retake_put(x, &m->steady.prescribed[k].value, 1);
}

static void put_all(rt_retake *x)
{
    routh_model *m = x->model;
    for (int k = 0; k < m->n_parameters; k++) retake_put(x, &m->parameters[k].number, 1);
    for (int k = 0; k < m->n_makings; k++)
        retake_put(x, (rt_number *)m->makings[k].in, m->makings[k].n_in);
    if (m->n_made > 0)
        memcpy(m->made, x->constants + m->n_parameters, (size_t)m->n_made * sizeof *m->made);
    retake_put(x, m->gravity, 3);
    retake_put(x, &m->time, 1);
    for (int k = 0; k < m->n_bodies; k++) put_body(x, &m->bodies[k]);
    for (int k = 0; k < m->n_markers; k++) {
        retake_put(x, m->markers[k].position, 3);
        retake_put(x, m->markers[k].orientation, 9);
    }
    for (int k = 0; k < m->n_joints; k++) put_joint(x, &m->joints[k]);
    for (int k = 0; k < m->n_loads; k++) put_load(x, &m->loads[k]);
    retake_put_signals(x);
    put_settings(x);
}

static void retake_start(rt_retake *x, routh_model *model)
{
    x->model = model;
    x->finite = true;
}

static void take_constants(rt_retake *x)
{
    for (int k = 0; k < x->model->n_parameters + x->model->n_made; k++) {
        const rt_quantity constant = {.kind = RT_QUANTITY_PARAMETER, .index = k};
        x->constants[k] = rt_constant_value(x->model, &constant);
    }
}

routh_status rt_settle_numbers(routh_model *model, routh_error *error)
{
    rt_retake x = {0};
    retake_start(&x, model);
    routh_status status = rt_kink_sizes_take(&x.sizes, model, &x.arena, error);
    if (!status && model->n_parameters) status = retake_compile(&x, error);
    if (!status && model->n_parameters) {
        take_constants(&x);
        retake_evaluate_all(&x);
        put_all(&x);
    }
    if (!status) rt_kink_sizes_run(x.sizes, model);
    rt_arena_free(&x.arena);
    return status;
}

/* ---- which parameters the reader used for more ----------------------------------------------- */

/* Marks what an expression depends on: parameters, then made numbers; did it mark anything new? */
static routh_status mark(rt_retake *x, rt_expr e, bool *marked, int *slots, bool *more,
                         routh_error *error)
{
    const routh_model *m = x->model;
    const int n = e < 0 ? 0 : rt_inputs_of(m->graph, e, slots, m->n_quantities);
    if (n < 0) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) {
        const rt_quantity *quantity = &m->quantities[slots[k]];
        if (!rt_is_constant_quantity(quantity) || marked[quantity->index]) continue;
        marked[quantity->index] = *more = true;
    }
    return ROUTH_OK;
}

static routh_status mark_making(rt_retake *x, const rt_making *making, bool *marked, int *slots,
                                bool *more, routh_error *error)
{
    routh_status status = ROUTH_OK;
    bool any = !is_remade(making);
    for (int i = 0; i < making->n_out && !any; i++)
        any = making->made[i] >= 0 && marked[x->model->n_parameters + making->made[i]];
    for (int i = 0; i < making->n_in && any && !status; i++)
        status = mark(x, making->in[i].expr, marked, slots, more, error);
    return status;
}

static routh_status mark_all(rt_retake *x, bool *marked, int *slots, routh_error *error)
{
    const routh_model *m = x->model;
    routh_status status = ROUTH_OK;
    bool more = true;
    for (int k = 0; k < m->n_guards && !status; k++)
        if (m->guards[k].kind == RT_GUARD_SAME)
            status = mark(x, m->guards[k].expr, marked, slots, &more, error);
    for (int k = 0; k < m->n_fixed && !status; k++)
        status = mark(x, m->fixed[k].expr, marked, slots, &more, error);
    while (more && !status) {
        more = false;
        for (int k = 0; k < m->n_makings && !status; k++)
            status = mark_making(x, &m->makings[k], marked, slots, &more, error);
        for (int k = 0; k < m->n_parameters && !status; k++)
            if (marked[k])
                status = mark(x, m->parameters[k].number.expr, marked, slots, &more, error);
    }
    return status;
}

static routh_status find_shaping(rt_retake *x, routh_error *error)
{
    const routh_model *m = x->model;
    bool *marked = RT_TAKE(&x->arena, bool, m->n_parameters + m->n_made);
    int *slots = RT_TAKE(&x->arena, int, m->n_quantities);
    if (!marked || !slots) return rt_fail_memory(error);
    const routh_status status = mark_all(x, marked, slots, error);
    for (int k = 0; k < x->n; k++)
        x->list[k].shapes = m->values_shape || marked[x->list[k].parameter];
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void keep_texts(rt_retake *x)
{
    for (int k = 0; k < x->n; k++) {
        const char *name = x->model->parameters[x->list[k].parameter].name;
        routh_setting *settings = x->model->settings;
        for (size_t s = 0; s < x->model->n_settings; s++)
            if (!strcmp(settings[s].name, name)) x->list[k].setting = &settings[s];
    }
}

routh_status rt_retake_create(rt_retake **retake, routh_model *model, const int *parameters, int n,
                              routh_error *error)
{
    *retake = NULL;
    rt_retake *x = calloc(1, sizeof *x);
    if (!x) return rt_fail_memory(error);
    retake_start(x, model);
    routh_status status = retake_compile(x, error);
    if (!status) status = rt_kink_sizes_take(&x->sizes, model, &x->arena, error);
    x->list = RT_TAKE(&x->arena, retaken, n);
    if (!status && !x->list) status = rt_fail_memory(error);
    x->n = n;
    for (int k = 0; k < n && !status; k++) x->list[k].parameter = parameters[k];
    if (!status) status = find_shaping(x, error);
    if (status) {
        rt_retake_free(x);
        return status;
    }
    keep_texts(x);
    take_constants(x);
    *retake = x;
    return ROUTH_OK;
}

void rt_retake_free(rt_retake *x)
{
    if (!x) return;
    rt_arena_free(&x->arena);
    free(x);
}

bool rt_retake_shapes(const rt_retake *x, int k) { return x->list[k].shapes; }

static bool guards_hold(const rt_retake *x)
{
    const routh_model *m = x->model;
    for (int k = 0; k < m->n_guards; k++) {
        const double value = x->value[m->guards[k].expr];
        if (!isfinite(value)) return false;
        switch (m->guards[k].kind) {
        case RT_GUARD_FINITE:
        case RT_GUARD_SAME: break;
        case RT_GUARD_POSITIVE:
            if (!(value > 0)) return false;
            break;
        case RT_GUARD_NOT_NEGATIVE:
            if (value < 0) return false;
            break;
        case RT_GUARD_NOT_ZERO:
            if (value == 0) return false;
            break;
        }
    }
    return true;
}

static bool inertias_hold(const routh_model *m)
{
    for (int b = 0; b < m->n_bodies; b++)
        if (!m->bodies[b].flexible && rt_inertia_is_wrong(&m->bodies[b])) return false;
    return true;
}

bool rt_retake_run(rt_retake *x, const double *values)
{
    routh_model *m = x->model;
    for (int k = 0; k < x->n; k++) {
        retaken *of = &x->list[k];
        m->parameters[of->parameter].number.value = x->constants[of->parameter] = values[k];
        rt_number_text(of->text, values[k], RT_NUMBER_EXACT);
        if (of->setting) of->setting->value = of->text;
    }
    x->finite = true;
    retake_evaluate_all(x);
    put_all(x);
    rt_kink_sizes_run(x->sizes, m);
    m->identity = rt_identity_mix(rt_identity_new(m), m->identity);
    return x->finite && guards_hold(x) && inertias_hold(m);
}
