/* From the whole response to the state space: rows of S', W', X' and of the outputs on every
 * column,
 *     S' = s_x u + w_x xi,      W' = s_x u' + a_u u + a_x xi,      X' as it is,
 * and the same system by matrices, Mhat W' + Chat W + Khat S = ... (linear.h). */
#include "linear/holder.h"
#include "methods/whole.h"

/* Are the velocity states the rates of the position states, one by one? Then S' = W exactly. */
static bool rates_are_states(const rt_states *states)
{
    if (states->z1 != states->z) return false;
    for (int k = 0; k < states->z; k++)
        if (states->rate[k] != states->candidate[k]) return false;
    return true;
}

static double position_rate(const rt_state_row *row, const rt_response *r, int column)
{
    const size_t at = (size_t)r->n * (size_t)column;
    return rt_state_row_times(row, row->s_x, r->u + at) +
           rt_state_row_times(row, row->w_x, r->xi + at);
}

static double velocity_rate(const rt_state_row *row, const rt_response *r, int column)
{
    const size_t at = (size_t)r->n * (size_t)column;
    return rt_state_row_times(row, row->s_x, r->udot + at) +
           rt_state_row_times(row, row->a_u, r->u + at) +
           rt_state_row_times(row, row->a_x, r->xi + at);
}

/* The place of a response's column: in A (part -1), or in B, B1, B2. */
static int state_space_part_of(const rt_layout *at, int n_in, int column, int *within)
{
    if (column < at->in) {
        *within = column;
        return -1;
    }
    *within = (column - at->in) % n_in;
    return (column - at->in) / n_in;
}

routh_status rt_state_matrix(const rt_method_task *task, const rt_response *r, double *A,
                             double *const B[3], routh_error *error)
{
    const rt_states *states = task->states;
    const rt_layout at = rt_response_layout(task);
    const int n_states = states->z + states->z1 + r->n_x, n_in = r->n_in;
    const bool exact = rates_are_states(states);
    rt_arena arena = {.kept = task->search->m->analyses};
    rt_state_row *rows = NULL, *rates = NULL;
    routh_status status = rt_state_rows(task, &arena, &rows, error);
    if (!status) status = rt_rate_rows(task, &arena, &rates, error);
    for (int c = 0; c < at.n && !status; c++) {
        int within;
        const int part = state_space_part_of(&at, n_in, c, &within),
                  width = part < 0 ? n_states : n_in;
        double *to = part < 0 ? A : B ? B[part] : NULL;
        if (!to) continue;
        for (int i = 0; i < states->z; i++)
            to[(size_t)i * width + within] = exact ? c == at.W + i : position_rate(&rows[i], r, c);
        for (int i = 0; i < states->z1; i++)
            to[(size_t)(states->z + i) * width + within] = velocity_rate(&rates[i], r, c);
        for (int i = 0; i < r->n_x; i++)
            to[(size_t)(states->z + states->z1 + i) * width + within] =
                r->rate[(size_t)r->n_x * (size_t)c + i];
    }
    rt_arena_free(&arena);
    return status;
}

/* ---- outputs -------------------------------------------------------------------------------- */

/* Does it depend on accelerations or multipliers? */
static bool state_space_is_felt(const rt_sensor_row *row)
{
    bool felt = row->n_lambda > 0;
    for (int k = 0; k < row->n_columns; k++) felt = felt || row->by_a[k] != 0;
    return felt;
}

static routh_status state_space_fill_outputs(rt_linear_holder *h, const rt_method_task *task,
                                             const rt_response *r, const rt_cause *causes,
                                             rt_arena *arena, routh_error *error)
{
    const rt_search *s = task->search;
    const rt_layout at = rt_response_layout(task);
    routh_linear *out = &h->linear;
    double *const D[3] = {out->D, out->D1, out->D2};
    rt_sensor_row *rows;
    routh_status status = rt_sensor_rows(s->m, RT_SENSOR_OUTPUT, &rows, arena, error);
    for (int i = 0; i < out->n_outputs && !status; i++) {
        status =
            rt_sensor_evaluate(s->m, s->w, s->state, RT_SENSOR_OUTPUT, i, true, &rows[i], error);
        for (int c = 0; c < at.n && !status; c++) {
            int within;
            const int part = state_space_part_of(&at, r->n_in, c, &within);
            double *to = part < 0 ? out->C : D[part];
            to[(size_t)i * (size_t)(part < 0 ? out->n_states : out->n_inputs) + (size_t)within] =
                rt_sensor_change(&rows[i], r, &causes[c], c, task, true);
        }
        if (status) break;
        out->outputs[i].value = rows[i].value;
        out->outputs[i].felt = state_space_is_felt(&rows[i]);
    }
    return status;
}

/* ---- the second-order form ------------------------------------------------------------------ */

/* out (z1 x columns) = sign Mhat (rows of W' in a matrix of that width, from column first) */
static void times_mass(const routh_linear *l, double sign, const double *from, int width, int first,
                       int columns, double *out)
{
    const int z1 = l->n_velocity;
    for (int i = 0; i < z1; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int k = 0; k < z1; k++)
                sum += l->mass[i * z1 + k] *
                       from[(size_t)(l->n_position + k) * (size_t)width + (size_t)(first + j)];
            out[(size_t)i * (size_t)columns + (size_t)j] = sign * sum;
        }
}

static void fill_second_order(routh_linear *l)
{
    const int n = l->n_states, z = l->n_position, z1 = l->n_velocity;
    times_mass(l, -1, l->A, n, z, z1, l->damping);
    times_mass(l, -1, l->A, n, 0, z, l->stiffness);
    times_mass(l, 1, l->A, n, z + z1, l->n_control, l->coupling);
    times_mass(l, 1, l->B, l->n_inputs, 0, l->n_inputs, l->force);
    times_mass(l, 1, l->B1, l->n_inputs, 0, l->n_inputs, l->force1);
    times_mass(l, 1, l->B2, l->n_inputs, 0, l->n_inputs, l->force2);
}

routh_status rt_linear_fill_whole(rt_linear_holder *h, const rt_method_task *task,
                                  const rt_sensitivity *x, rt_arena *arena, routh_error *error)
{
    routh_linear *out = &h->linear;
    const rt_response *r = &x->response;
    double *const B[3] = {out->B, out->B1, out->B2};
    rt_response unused;
    rt_cause *causes;
    memcpy(out->mass, x->Mhat, (size_t)x->z1 * (size_t)x->z1 * sizeof *x->Mhat);
    routh_status status = rt_state_matrix(task, r, out->A, B, error);
    if (!status) status = rt_response_take(&unused, task, false, &causes, arena, error);
    if (!status) status = state_space_fill_outputs(h, task, r, causes, arena, error);
    if (status) return status;
    if (!rt_has_second_order(task, x)) fill_second_order(out);
    const double *rates = task->search->state->signal + r->n_x;
    for (int k = 0; k < r->n_x; k++) out->affine[out->n_position + out->n_velocity + k] = rates[k];
    return ROUTH_OK;
}

/* ---- names ---------------------------------------------------------------------------------- */

static routh_status name_signal(rt_linear_holder *h, const char *name, const char *unit,
                                double value, routh_signal_name *out, routh_error *error)
{
    *out = (routh_signal_name){rt_linear_text(h, "%s", name), rt_linear_text(h, "%s", unit), value,
                               0};
    return out->name && out->unit ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_linear_name_signals(rt_linear_holder *h, const rt_linear_task *t,
                                    routh_error *error)
{
    routh_linear *out = &h->linear;
    const rt_search *s = &t->search;
    const routh_model *model = s->m->model;
    out->n_inputs = model->n_inputs;
    out->n_outputs = model->n_outputs;
    out->inputs = RT_TAKE(&h->arena, routh_signal_name, out->n_inputs);
    out->outputs = RT_TAKE(&h->arena, routh_signal_name, out->n_outputs);
    routh_status status = out->inputs && out->outputs ? ROUTH_OK : rt_fail_memory(error);
    for (int k = 0; k < out->n_inputs && !status; k++)
        status = name_signal(h, model->inputs[k].name, model->inputs[k].unit,
                             s->state->signal[s->m->n_signals - out->n_inputs + k], &out->inputs[k],
                             error);
    for (int k = 0; k < out->n_outputs && !status; k++)
        status = name_signal(h, model->outputs[k].name, model->outputs[k].unit, 0, &out->outputs[k],
                             error);
    for (int k = 0; k < out->n_control && !status; k++) {
        routh_state_name *state = &out->states[out->n_position + out->n_velocity + k];
        *state = (routh_state_name){rt_linear_text(h, "%s", model->control_states[k].name),
                                    rt_linear_text(h, "%s", model->control_states[k].unit),
                                    rt_linear_text(h, "%s", ""), s->state->signal[k]};
        if (!state->name || !state->unit || !state->frame) status = rt_fail_memory(error);
    }
    return status;
}
