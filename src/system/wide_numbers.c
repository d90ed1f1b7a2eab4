/* See wide_numbers.h. Compiled with numbers of 113 bits, and never without. */
#ifndef RT_WIDE
#error "compiled for extended precision only"
#endif

#include "system/wide_numbers.h"

#include <math.h>
#include <string.h>

#include "model/made.h"
#include "system/compile.h"

static routh_status numbers_take_makings(rt_wide_numbers *x, rt_arena *a, routh_error *error)
{
    const rt_make_sizes most = rt_make_most(x->model->makings, x->model->n_makings);
    x->in = RT_TAKE(a, rt_scalar, most.in);
    x->out = RT_TAKE(a, rt_scalar, most.out);
    x->making_work = RT_TAKE(a, rt_scalar, most.work);
    return x->in && x->out && x->making_work ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status numbers_compile(rt_wide_numbers *x, const rt_graph *graph, rt_arena *a,
                                    routh_error *error)
{
    const int n_nodes = rt_node_count(graph), n_slots = x->model->n_quantities;
    const int n = x->model->n_parameters + x->model->n_made;
    bool *within = RT_TAKE(a, bool, n_slots);
    int *slots = RT_TAKE(a, int, n);
    x->expr = RT_TAKE(a, rt_expr, n_nodes);
    x->by_expr = RT_TAKE(a, rt_scalar, n_nodes);
    x->independent = RT_TAKE(a, rt_scalar, x->model->n_parameters);
    x->parameter = RT_TAKE(a, rt_scalar, n);
    if (!within || !slots || !x->expr || !x->by_expr || !x->independent || !x->parameter)
        return rt_fail_memory(error);
    for (int k = 0; k < n_nodes; k++) x->by_expr[k] = NAN;
    for (int k = 0; k < n_slots; k++) {
        const rt_quantity *quantity = &x->model->quantities[k];
        within[k] = rt_is_constant_quantity(quantity);
        if (within[k]) slots[quantity->index] = k;
    }
    x->n_expr = rt_nodes_within(graph, within, n_slots, x->expr);
    if (x->n_expr < 0) return rt_fail_memory(error);
    x->tape = rt_tape_compile(graph, x->expr, x->n_expr, slots, n, a);
    x->outputs = RT_TAKE(a, rt_scalar, x->n_expr);
    x->work = x->tape ? RT_TAKE(a, rt_scalar, rt_tape_work(x->tape)) : NULL;
    return x->outputs && x->work ? ROUTH_OK : rt_fail_memory(error);
}

static rt_scalar numbers_given(const rt_wide_numbers *x, int k)
{
    const rt_quantity constant = {.kind = RT_QUANTITY_PARAMETER, .index = k};
    return rt_constant_value(x->model, &constant);
}

routh_status rt_wide_numbers_create(rt_wide_numbers *x, const routh_mechanism *m, rt_arena *arena,
                                    routh_error *error)
{
    *x = (rt_wide_numbers){.model = m->model};
    routh_status status = numbers_compile(x, m->graph, arena, error);
    if (!status) status = numbers_take_makings(x, arena, error);
    if (status) return status;
    for (int k = 0; k < m->model->n_parameters; k++) x->independent[k] = numbers_given(x, k);
    x->exact.exact_expr = x->by_expr;
    x->exact.exact_parameter = x->parameter;
    rt_wide_numbers_fill(x);
    return ROUTH_OK;
}

static void numbers_evaluate(rt_wide_numbers *x)
{
    rt_tape_evaluate(x->tape, x->parameter, x->outputs, x->work);
    for (int k = 0; k < x->n_expr; k++) x->by_expr[x->expr[k]] = x->outputs[k];
}

/* Did any change? */
static bool numbers_follow(rt_wide_numbers *x)
{
    bool more = false;
    for (int k = 0; k < x->model->n_parameters; k++) {
        const rt_scalar now = rt_value_of(x->model->parameters[k].number, &x->exact);
        if (x->model->parameters[k].number.expr < 0 || x->parameter[k] == now) continue;
        x->parameter[k] = now;
        more = true;
    }
    return more;
}

static bool numbers_make(rt_wide_numbers *x)
{
    rt_scalar *made = x->parameter + x->model->n_parameters;
    bool more = false;
    for (int k = 0; k < x->model->n_makings; k++) {
        const rt_making *making = &x->model->makings[k];
        for (int i = 0; i < making->n_in; i++) x->in[i] = rt_value_of(making->in[i], &x->exact);
        if (rt_make(making, x->in, x->out, x->making_work)) continue; /* as it was read */
        for (int i = 0; i < making->n_out; i++) {
            if (making->made[i] < 0 || made[making->made[i]] == x->out[i]) continue;
            made[making->made[i]] = x->out[i];
            more = true;
        }
    }
    return more;
}

/* Of a chain as many passes as it is long, as for derivatives (variation_slopes.c). */
void rt_wide_numbers_fill(rt_wide_numbers *x)
{
    const int n = x->model->n_parameters;
    for (int k = 0; k < n + x->model->n_made; k++) x->parameter[k] = numbers_given(x, k);
    memcpy(x->parameter, x->independent, (size_t)n * sizeof *x->parameter);
    numbers_evaluate(x);
    for (int pass = 0; pass < n && numbers_follow(x); pass++) numbers_evaluate(x);
    for (int pass = 0; pass <= x->model->n_makings && numbers_make(x); pass++) numbers_evaluate(x);
}
