/* The direction of a variation (variation.h): what each number changes along a parameter. */
#ifndef RT_VARIATION
#error "compiled for variations only"
#endif

#include "model/made.h"
#include "system/compile.h"
#include "system/joined.h"
#include "system/varies.h"
#include "system/variation_work.h"

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
        if (!model->bodies[b].places) continue; /* depends on no parameter */
        take_beam(v, writing, numbers);
        status = rt_beam_slopes_create(&v->beams[b], &writing->choices, numbers, &v->arena, error);
    }
    v->along.shape = v->shapes;
    return status ? status : take_damping(v, error);
}

static void variation_slopes_fill_shapes(rt_variation *v)
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

routh_status rt_variation_compile_slopes(rt_variation *v, routh_error *error)
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

static bool is_asked(int parameter, const int *parameters, int n)
{
    for (int k = 0; k < n; k++)
        if (parameters[k] == parameter) return true;
    return false;
}

/* Parameters that are written in terms of others follow them; of a chain as many passes as it is
 * long. Those asked for change alone, as if they were set. */
static routh_status variation_slopes_find(rt_variation *v, const int *parameters, int n_parameters,
                                          routh_error *error)
{
    const int n = v->model->n_parameters;
    bool more = true;
    memset(v->by_parameter, 0, (size_t)n * sizeof *v->by_parameter);
    for (int k = 0; k < n_parameters; k++) v->by_parameter[parameters[k]] = rt_variation_h;
    evaluate_slopes(v);
    for (int pass = 0; pass < n && more; pass++) {
        more = false;
        for (int k = 0; k < n; k++) {
            const rt_expr e = v->model->parameters[k].number.expr;
            if (e < 0 || v->by_parameter[k] == v->by_expr[e]) continue;
            if (is_asked(k, parameters, n_parameters)) continue;
            v->by_parameter[k] = v->by_expr[e];
            more = true;
        }
        if (more) evaluate_slopes(v);
    }
    while (make_again(v)) evaluate_slopes(v);
    variation_slopes_fill_shapes(v);
    for (int k = 0; k < n; k++)
        if (!isfinite(v->by_parameter[k]))
            return rt_fail(error, ROUTH_NUMERIC_ERROR,
                           "the parameter %s has no finite derivative by %s here; check "
                           "its expression",
                           v->model->parameters[k].name, v->model->parameters[parameters[0]].name);
    return ROUTH_OK;
}

routh_status rt_variation_find_slopes(rt_variation *v, int parameter, routh_error *error)
{
    return variation_slopes_find(v, &parameter, parameter >= 0, error);
}

/* What is taken from the configuration as written: again where that changes along the direction,
 * or did along the last one. */
static void start_numbers(rt_variation *v)
{
    const bool varies = rt_start_varies(v->m);
    if (varies || v->start_varied) rt_start_numbers(v->m, v->w, v->start);
    v->by_length = varies ? rt_im(rt_typical_length(v->m, v->w)) * rt_variation_per_h : 0;
    v->start_varied = varies;
}

routh_status rt_variation_along_all(rt_variation *v, const int *parameters, int n, double *xi,
                                    double *u, routh_error *error)
{
    routh_mechanism *m = v->m;
    routh_status status = variation_slopes_find(v, parameters, n, error);
    if (status) return status;
    rt_fill_numbers(m, v->w);
    v->start->t = rt_value_of(m->model->time, m->along);
    status = rt_input_histories_set(m, v->start, error);
    if (status) return status;
    memcpy(v->start->q, m->start_q, (size_t)m->n_q * sizeof *v->start->q);
    memcpy(v->start->u, m->start_u, (size_t)m->n_u * sizeof *v->start->u);
    start_numbers(v);
    if (xi) rt_variation_read_place(m, m->start_q, xi);
    for (int c = 0; c < m->n_u && u; c++) u[c] = rt_im(m->start_u[c]) * rt_variation_per_h;
    return ROUTH_OK;
}

routh_status rt_variation_along(rt_variation *v, int parameter, double *xi, double *u,
                                routh_error *error)
{
    return rt_variation_along_all(v, &parameter, parameter >= 0, xi, u, error);
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
    return -slope->coordinate[x - shape->coordinate].size / x->size * rt_variation_per_h;
}

double rt_variation_slope(const rt_variation *v, rt_expr e)
{
    return e < 0 ? 0 : v->by_expr[e] * rt_variation_per_h;
}

bool rt_variation_uses(const rt_variation *v, rt_expr e) { return e >= 0 && v->by_expr[e] != 0; }
