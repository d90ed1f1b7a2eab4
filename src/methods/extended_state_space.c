/* From the exact response to the state space and the second-order form (linear.h):
 *     S' = s_x u + w_x xi,      W' = s_x u' + a_u u + a_x xi,      X' as it is,
 *     mass = Xw' M Xw,    damping = -mass A_WW,    stiffness = -mass A_WS,    coupling = mass A_WX,
 * whose products of 106 bits keep the digits that those of A's rounded entries have lost. */
#include "methods/extended_parts.h"

static rt_dd *space_take(int rows, int columns, rt_arena *arena, bool *ok)
{
    rt_dd *x = RT_TAKE(arena, rt_dd, (size_t)rows * (size_t)columns);
    *ok = *ok && x;
    return x;
}

static routh_status space_take_all(rt_extended *x, rt_arena *arena, routh_error *error)
{
    const int n = x->z + x->z1 + x->n_x;
    bool ok = true;
    x->A = space_take(n, n, arena, &ok);
    x->noise = RT_TAKE(arena, double, ROUTH_ERROR_SAMPLES *(size_t)n *(size_t)n);
    ok = ok && x->noise;
    x->C = space_take(x->n_out, n, arena, &ok);
    x->mass = space_take(x->z1, x->z1, arena, &ok);
    x->damping = space_take(x->z1, x->z1, arena, &ok);
    x->stiffness = space_take(x->z1, x->z, arena, &ok);
    x->coupling = space_take(x->z1, x->n_x, arena, &ok);
    for (int k = 0; k < 3; k++) {
        x->B[k] = space_take(n, x->n_in, arena, &ok);
        x->D[k] = space_take(x->n_out, x->n_in, arena, &ok);
        x->force[k] = space_take(x->z1, x->n_in, arena, &ok);
    }
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

/* Are the velocity states the rates of the position states, one by one? Then S' = W. */
static bool space_rates_are_states(const rt_states *states)
{
    if (states->z1 != states->z) return false;
    for (int k = 0; k < states->z; k++)
        if (states->rate[k] != states->candidate[k]) return false;
    return true;
}

static void space_fill_column(const rt_extended_work *q, const rt_extended_response *r, int c,
                              bool exact, rt_dd *to, int width)
{
    const rt_states *states = q->task->states;
    const size_t at = (size_t)q->n * (size_t)c;
    const rt_dd *xi = r->xi + at, *u = r->u + at, *y = r->y + (size_t)q->order * (size_t)c;
    for (int i = 0; i < states->z; i++, to += width)
        *to = exact ? rt_dd_of(r->causes[c].kind == RT_CAUSE_W && r->causes[c].k == i)
                    : rt_dd_add(rt_extended_row_times(&q->states, i, 0, u),
                                rt_extended_row_times(&q->states, i, 1, xi));
    for (int i = 0; i < states->z1; i++, to += width)
        *to = rt_dd_add(rt_extended_row_times(&q->rates, i, 0, y),
                        rt_dd_add(rt_extended_row_times(&q->rates, i, 2, u),
                                  rt_extended_row_times(&q->rates, i, 3, xi)));
    for (int i = 0; i < q->n_x; i++, to += width) *to = y[q->n + q->n_rows + i];
}

void rt_extended_compare(const rt_extended_work *q, const rt_extended_response *r, int sample,
                         rt_extended *x)
{
    const int n = x->z + x->z1 + x->n_x;
    double *noise = x->noise + (size_t)sample * (size_t)n * (size_t)n;
    const bool exact = space_rates_are_states(q->task->states);
    rt_dd *column = q->column;
    for (int c = 0; c < n; c++) {
        space_fill_column(q, r, c, exact, column, 1);
        for (int i = 0; i < n; i++) {
            const size_t at = (size_t)i * (size_t)n + (size_t)c;
            noise[at] = rt_dd_subtract(column[i], x->A[at]).high;
        }
    }
}

/* out (z1 x columns) = sign mass (rows of W' in a matrix of that width, from column first) */
static void space_times_mass(const rt_extended *x, double sign, const rt_dd *from, int width,
                             int first, int columns, rt_dd *out)
{
    for (int i = 0; i < x->z1; i++)
        for (int j = 0; j < columns; j++) {
            rt_dd sum = {0};
            for (int k = 0; k < x->z1; k++)
                sum = rt_dd_fma(sum, x->mass[i * x->z1 + k],
                                from[(size_t)(x->z + k) * (size_t)width + (size_t)(first + j)]);
            out[(size_t)i * (size_t)columns + (size_t)j] = sign < 0 ? rt_dd_negative(sum) : sum;
        }
}

static routh_status space_fill_mass(const rt_extended_work *q, const rt_extended_response *r,
                                    rt_extended *x, routh_error *error)
{
    const size_t n = (size_t)q->n;
    const rt_dd *Xw = r->u + n * (size_t)x->z;
    rt_dd *t = RT_TAKE(q->arena, rt_dd, n * (size_t)x->z1);
    if (!t) return rt_fail_memory(error);
    for (int k = 0; k < x->z1; k++)
        rt_extended_add(&q->m->pattern_M, q->M, 1, Xw + n * (size_t)k, t + n * (size_t)k);
    for (int i = 0; i < x->z1; i++)
        for (int k = 0; k < x->z1; k++) {
            rt_dd sum = {0};
            for (size_t c = 0; c < n; c++)
                sum = rt_dd_fma(sum, Xw[n * (size_t)i + c], t[n * (size_t)k + c]);
            x->mass[i * x->z1 + k] = sum;
        }
    return ROUTH_OK;
}

routh_status rt_extended_state_space(const rt_extended_work *q, const rt_extended_response *r,
                                     rt_arena *arena, rt_extended *x, routh_error *error)
{
    *x = (rt_extended){.z = q->task->states->z,
                       .z1 = q->task->states->z1,
                       .n_x = q->n_x,
                       .n_in = q->m->model->n_inputs,
                       .n_out = q->outputs.n};
    routh_status status = space_take_all(x, arena, error);
    if (!status) status = space_fill_mass(q, r, x, error);
    if (status) return status;
    const int n = x->z + x->z1 + x->n_x;
    const bool exact = space_rates_are_states(q->task->states);
    for (int c = 0; c < r->n_columns; c++) {
        const int part = c < n ? -1 : (c - n) / x->n_in, within = c < n ? c : (c - n) % x->n_in;
        const int width = part < 0 ? n : x->n_in;
        space_fill_column(q, r, c, exact, (part < 0 ? x->A : x->B[part]) + within, width);
        for (int i = 0; i < x->n_out; i++)
            (part < 0 ? x->C : x->D[part])[i * width + within] =
                rt_extended_sensor_change(q, &q->outputs, i, r, c, true);
    }
    space_times_mass(x, -1, x->A, n, x->z, x->z1, x->damping);
    space_times_mass(x, -1, x->A, n, 0, x->z, x->stiffness);
    space_times_mass(x, 1, x->A, n, x->z + x->z1, x->n_x, x->coupling);
    for (int k = 0; k < 3; k++) space_times_mass(x, 1, x->B[k], x->n_in, 0, x->n_in, x->force[k]);
    return ROUTH_OK;
}
