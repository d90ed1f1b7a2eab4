/* The finite pencil from the basis that the levels of the redundant method leave. */
#include <stdlib.h>

#include "oracles/redundant_levels.h"

/* Row `row` of y' = A c and of y = E c, y = (S, W / rate, X) in their sizes. */
static double state_rate(const rt_redundant_levels *q, int row, int c)
{
    const double *xi = rt_dense_column(&q->part[RT_VARIED_XI], c);
    const double *u = rt_dense_column(&q->part[RT_VARIED_U], c);
    const double *a = rt_dense_column(&q->part[RT_VARIED_UDOT], c);
    const double rate = q->p.rate, size = row < q->p.z + q->z1 ? q->size[row] : 1;
    if (row < q->p.z) {
        const rt_state_row *s = &q->p.rows[row];
        return (rt_parts_state_times(&q->p, s, s->s_x, u) +
                rt_parts_state_times(&q->p, s, s->w_x, xi) / rate) /
               size;
    }
    if (row < q->p.z + q->z1) {
        const rt_state_row *s = &q->rates[row - q->p.z];
        return (rt_parts_state_times(&q->p, s, s->s_x, a) +
                rt_parts_state_times(&q->p, s, s->a_u, u) / rate +
                rt_parts_state_times(&q->p, s, s->a_x, xi) / rate / rate) /
               size;
    }
    return rt_dense_column(&q->part[RT_VARIED_RATE], c)[row - q->p.z - q->z1];
}

static double redundant_fill_state(const rt_redundant_levels *q, int row, int c)
{
    if (row < q->p.z) return rt_dense_column(&q->part[RT_PART_S], c)[row];
    if (row < q->p.z + q->z1) return rt_dense_column(&q->part[RT_PART_W], c)[row - q->p.z];
    return rt_dense_column(&q->part[RT_PART_X], c)[row - q->p.z - q->z1];
}

/* The basis c = free c_h + held in: the columns of `free` at which the inputs vanish, those of
 * `held` at which one of them is 1 and c_h is 0. in = [R' 0] Q' c. */
static routh_status part_inputs(rt_redundant_levels *q, rt_dense *free_part, rt_dense *held,
                                routh_error *error)
{
    const int n_in = q->n_in, n = 3 * n_in, N = q->n_c;
    rt_dense F;
    rt_reflectors reflectors;
    if (!rt_dense_take(&F, N, n, q->arena) || !rt_dense_take(held, N, n, q->arena))
        return rt_fail_memory(error);
    for (int d = 0; d < 3; d++)
        for (int i = 0; i < n_in; i++)
            for (int c = 0; c < N; c++)
                rt_dense_column(&F, d * n_in + i)[c] =
                    rt_dense_column(&q->part[RT_PART_IN + d], c)[i];
    const routh_status status = rt_deflate(&F, free_part, &reflectors, q->arena, error);
    for (int k = 0; k < n && !status; k++) {
        double *c = rt_dense_column(held, k);
        c[k] = 1;
        rt_reflectors_solve_transposed(&reflectors, c);
        rt_reflectors_apply(&reflectors, 0, 1, c);
    }
    return status;
}

static routh_status fill_pencil(rt_redundant_levels *q, const rt_dense *free_part,
                                const rt_dense *held, rt_finite_pencil *out, routh_error *error)
{
    const int order = out->order;
    rt_dense E, A, product;
    if (!rt_dense_take(&E, order, q->n_c, q->arena) || !rt_dense_take(&A, order, q->n_c, q->arena))
        return rt_fail_memory(error);
    for (int c = 0; c < q->n_c; c++)
        for (int i = 0; i < order; i++) {
            rt_dense_column(&E, c)[i] = redundant_fill_state(q, i, c);
            rt_dense_column(&A, c)[i] = state_rate(q, i, c);
        }
    if (!rt_dense_times(&product, &E, free_part, q->arena)) return rt_fail_memory(error);
    out->E = product.at;
    if (!rt_dense_times(&product, &A, free_part, q->arena)) return rt_fail_memory(error);
    out->A = product.at;
    if (!rt_dense_times(&product, &E, held, q->arena)) return rt_fail_memory(error);
    out->states_by_input = product.at;
    out->states = RT_TAKE(q->arena, double, (size_t)order *(size_t)order);
    if (!out->states) return rt_fail_memory(error);
    memcpy(out->states, out->E, (size_t)order * (size_t)order * sizeof(double));
    return ROUTH_OK;
}

/* What the rows of a kind are counted in. */
static double varied_size(const rt_redundant_levels *q, rt_varied kind, int i)
{
    const double rate = q->p.rate;
    switch (kind) {
    case RT_VARIED_XI: return q->p.s->unit[i];
    case RT_VARIED_U: return q->p.s->unit[i] * rate;
    case RT_VARIED_UDOT: return q->p.s->unit[i] * rate * rate;
    case RT_VARIED_LAMBDA: return q->lambda_size;
    case RT_VARIED_RATE: return q->x_size[i] * rate;
    default: return q->v_size[i];
    }
}

static routh_status fill_varied(rt_redundant_levels *q, const rt_dense *free_part,
                                const rt_dense *held, rt_finite_pencil *out, routh_error *error)
{
    for (int kind = 0; kind < RT_VARIED_N; kind++) {
        rt_dense by_c, by_input, *part = &q->part[kind];
        for (int c = 0; c < part->columns; c++)
            for (int i = 0; i < part->rows; i++)
                rt_dense_column(part, c)[i] *= varied_size(q, (rt_varied)kind, i);
        if (!rt_dense_times(&by_c, part, free_part, q->arena) ||
            !rt_dense_times(&by_input, part, held, q->arena))
            return rt_fail_memory(error);
        out->by_c[kind] = by_c.at;
        out->by_input[kind] = by_input.at;
    }
    return ROUTH_OK;
}

static routh_status fill_sizes(rt_redundant_levels *q, rt_finite_pencil *out, routh_error *error)
{
    const int n_mechanical = q->p.z + q->z1;
    out->size = RT_TAKE(q->arena, double, out->order);
    out->in_size = RT_TAKE(q->arena, double, 3 * (size_t)q->n_in);
    if (!out->size || !out->in_size) return rt_fail_memory(error);
    for (int k = 0; k < out->order; k++)
        out->size[k] = k < n_mechanical ? q->size[k] : q->x_size[k - n_mechanical];
    for (int k = 0; k < 3 * q->n_in; k++)
        out->in_size[k] = q->in_size[k % q->n_in] * pow(q->p.rate, k / q->n_in);
    return ROUTH_OK;
}

routh_status rt_levels_fill(rt_redundant_levels *q, rt_finite_pencil *out, routh_error *error)
{
    rt_dense free_part, held;
    routh_status status = part_inputs(q, &free_part, &held, error);
    if (status) return status;
    *out = (rt_finite_pencil){.n = q->p.n, .z = q->p.z, .z1 = q->z1, .n_x = q->n_x, .n_v = q->n_v};
    out->order = q->p.z + q->z1 + q->n_x;
    out->rate = q->p.rate;
    out->n_infinite = 3 * q->p.n + q->p.m + q->n_x + q->n_v;
    out->n_inputs = 3 * q->n_in;
    out->n_kept = q->p.m;
    out->slot = q->p.slot;
    status = fill_pencil(q, &free_part, &held, out, error);
    if (!status) status = fill_varied(q, &free_part, &held, out, error);
    if (!status) status = fill_sizes(q, out, error);
    out->xi = out->by_c[RT_VARIED_XI];
    out->u = out->by_c[RT_VARIED_U];
    return status;
}
