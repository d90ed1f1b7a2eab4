/* Inputs that follow a function of time: in(t), in'(t), in''(t), the derivatives exact, taken of
 * the expression. */
#include "system/compile.h"

static routh_status take_inputs(routh_mechanism *m, int *input, routh_error *error)
{
    if (!input) return rt_fail_memory(error);
    for (int k = 0; k < m->model->n_inputs; k++)
        if (m->model->inputs[k].history.expr >= 0) input[m->histories.n++] = k;
    m->histories.input = input;
    return ROUTH_OK;
}

/* The slot of time; -1 where no expression of the model knows it, and all rates are zero. */
static int time_slot(const routh_model *model)
{
    for (int k = 0; k < model->n_quantities; k++)
        if (model->quantities[k].kind == RT_QUANTITY_TIME) return k;
    return -1;
}

static rt_expr histories_rate_of(rt_graph *graph, rt_expr e, int time)
{
    return time < 0 ? rt_constant(graph, 0) : rt_derivative(graph, e, time);
}

static bool histories_fill_outputs(routh_mechanism *m, rt_expr *out)
{
    const int time = time_slot(m->model);
    bool good = true;
    for (int k = 0; k < m->histories.n; k++)
        for (int d = 0; d < 3; d++) {
            const rt_expr below = m->model->inputs[m->histories.input[k]].history.expr;
            out[3 * k + d] = d ? histories_rate_of(m->graph, out[3 * k + d - 1], time) : below;
            good = good && out[3 * k + d] >= 0;
        }
    return good;
}

/* Parameters and time: histories depend on nothing else. */
static int take_slots(routh_mechanism *m, int *slots)
{
    int n = 0;
    for (int k = 0; k < m->model->n_quantities; k++) {
        const rt_quantity *quantity = &m->model->quantities[k];
        if (!rt_is_constant_quantity(quantity) && quantity->kind != RT_QUANTITY_TIME) continue;
        m->histories.slot[n] = quantity;
        slots[n++] = k;
    }
    return n;
}

routh_status rt_compile_histories(routh_mechanism *m, routh_error *error)
{
    rt_histories *h = &m->histories;
    const int n_quantities = m->model->n_quantities;
    int *slots = RT_TAKE(&m->arena, int, n_quantities);
    h->slot = RT_TAKE(&m->arena, const rt_quantity *, n_quantities);
    const routh_status status = take_inputs(m, RT_TAKE(&m->arena, int, m->model->n_inputs), error);
    rt_expr *outputs = RT_TAKE(&m->arena, rt_expr, 3 * (size_t)h->n);
    if (status || !slots || !h->slot || !outputs) return rt_fail_memory(error);
    if (!h->n) return ROUTH_OK;
    h->n_slots = take_slots(m, slots);
    if (!histories_fill_outputs(m, outputs)) return rt_fail_memory(error);
    h->tape = rt_tape_compile(m->graph, outputs, 3 * h->n, slots, h->n_slots, &m->arena);
    if (!h->tape) return rt_fail_memory(error);
    h->work = (size_t)h->n_slots + 3 * (size_t)h->n + rt_tape_work(h->tape);
    return ROUTH_OK;
}

static routh_status histories_check_finite(const routh_mechanism *m, int input, rt_scalar t,
                                           const rt_scalar value[3], routh_error *error)
{
    char element[192];
    if (rt_finite(value[0]) && rt_finite(value[1]) && rt_finite(value[2])) return ROUTH_OK;
    snprintf(element, sizeof element, "input %.120s", m->model->inputs[input].name);
    return rt_fail_at(error, ROUTH_NUMERIC_ERROR, m->model->file,
                      m->model->inputs[input].history.place, element,
                      "its history or a derivative of it is not a finite number at time %.6g; "
                      "check its expression",
                      rt_re(t));
}

routh_status rt_input_histories_set(const routh_mechanism *m, rt_state *state, routh_error *error)
{
    const rt_histories *h = &m->histories;
    rt_scalar *const in = state->work, *out = in + h->n_slots;
    if (!h->n) return ROUTH_OK;
    for (int k = 0; k < h->n_slots; k++)
        in[k] = h->slot[k]->kind == RT_QUANTITY_TIME ? state->t : m->parameters[h->slot[k]->index];
    rt_tape_evaluate(h->tape, in, out, out + 3 * (size_t)h->n);
    for (int k = 0; k < h->n; k++) {
        const rt_quantity quantity = {.kind = RT_QUANTITY_INPUT, .index = h->input[k]};
        const int place = rt_signal_place(m->model, &quantity);
        if (state->held[quantity.index]) continue;
        const routh_status status =
            histories_check_finite(m, quantity.index, state->t, out + 3 * (size_t)k, error);
        if (status) return status;
        for (int d = 0; d < 3; d++)
            state->signal[(size_t)d * (size_t)m->n_signals + (size_t)place] = out[3 * k + d];
    }
    return ROUTH_OK;
}
