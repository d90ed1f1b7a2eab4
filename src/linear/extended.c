/* The matrices in extended precision (methods/extended.h), each number rounded once. */
#include "linear/holder.h"
#include "methods/extended.h"

static void extended_round(const rt_dd *from, size_t n, double *to)
{
    for (size_t e = 0; e < n; e++) to[e] = 0 + from[e].high; /* no zero is negative */
}

static routh_status extended_keep_rest(rt_linear_holder *h, const rt_extended *x,
                                       routh_error *error)
{
    routh_linear *out = &h->linear;
    const size_t n = (size_t)out->n_states, size = n * n;
    double *A_error = RT_TAKE(&h->arena, double, ROUTH_ERROR_SAMPLES *size);
    out->A_rest = RT_TAKE(&h->arena, double, size);
    if (!out->A_rest || !A_error) return rt_fail_memory(error);
    for (size_t e = 0; e < size; e++) out->A_rest[e] = x->A[e].low;
    memcpy(A_error, x->noise, ROUTH_ERROR_SAMPLES * size * sizeof *A_error);
    out->A_error = A_error;
    return ROUTH_OK;
}

static routh_status extended_fill(rt_linear_holder *h, const rt_extended *x, routh_error *error)
{
    routh_linear *out = &h->linear;
    const size_t n = (size_t)out->n_states, z = (size_t)out->n_position,
                 z1 = (size_t)out->n_velocity, n_x = (size_t)out->n_control,
                 in = (size_t)out->n_inputs, n_out = (size_t)out->n_outputs;
    double *const B[] = {out->B, out->B1, out->B2}, *const D[] = {out->D, out->D1, out->D2},
                  *const force[] = {out->force, out->force1, out->force2};
    extended_round(x->A, n * n, out->A);
    extended_round(x->C, n_out * n, out->C);
    extended_round(x->mass, z1 * z1, out->mass);
    extended_round(x->damping, z1 * z1, out->damping);
    extended_round(x->stiffness, z1 * z, out->stiffness);
    extended_round(x->coupling, z1 * n_x, out->coupling);
    for (int k = 0; k < 3; k++) {
        extended_round(x->B[k], n * in, B[k]);
        extended_round(x->D[k], n_out * in, D[k]);
        extended_round(x->force[k], z1 * in, force[k]);
    }
    return extended_keep_rest(h, x, error);
}

/* How the frame turns that carries the motion: of an equilibrium not; false: there is none, or it
 * is not the one that states are seen from. */
static bool extended_turn(const routh_linear *linear, const routh_operating_point *point,
                          const rt_reference_frame *observer, double turn[3])
{
    rt_v3_set(turn, 0, 0, 0);
    if (point->type != ROUTH_OPERATING_STEADY) return linear->at_rest != 0;
    if (point->steady->turn_rate == 0) return true;
    rt_v3_scale(turn, point->steady->turn_rate, point->steady->axis);
    return observer->marker == RT_MOVING_FRAME;
}

/* A static equilibrium that doubles balance to no more than this, of the largest force, is none. */
static const double NO_BALANCE = 1e-6;

/* As told of options.extended: 2 asks for a balance. */
static routh_status extended_compute(const rt_method_task *task, const double *turn, bool balanced,
                                     rt_arena *arena, rt_extended *x, routh_error *error)
{
    if (!balanced) return rt_extended_compute(task, turn, arena, x, error);
    if (turn) return rt_extended_compute_balanced(task, turn, arena, x, error);
    return rt_fail(error, ROUTH_NUMERIC_ERROR, "it is no equilibrium");
}

routh_status rt_linear_fill_extended(rt_linear_holder *h, rt_linear_task *t,
                                     const rt_method_task *work, const routh_operating_point *point,
                                     bool balanced, routh_error *error)
{
    rt_search *s = t->search.m->base ? &t->base : &t->search;
    rt_method_task task = *work;
    rt_arena arena = {.kept = work->search->m->analyses};
    rt_extended x;
    double turn[3];
    task.search = s;
    if (h->linear.error_estimate != 0) return ROUTH_OK;
    routh_status status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_ALL, error);
    if (status || !rt_extended_is_possible(&task)) return status;
    const bool turns =
        extended_turn(&h->linear, point, &t->observer, turn) ||
        (balanced && point->type == ROUTH_OPERATING_STATIC && point->residual <= NO_BALANCE);
    routh_error why;
    status = extended_compute(&task, turns ? turn : NULL, balanced, &arena, &x, &why);
    /* what the method has made in doubles stays, with what it says of itself */
    if (status == ROUTH_SINGULAR || status == ROUTH_NUMERIC_ERROR)
        status = ROUTH_OK;
    else
        status = status == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error)
                 : status                      ? rt_fail(error, status, "%s", why.message)
                                               : extended_fill(h, &x, error);
    h->linear.balanced = !status && balanced && h->linear.A_rest;
    rt_arena_free(&arena);
    return status;
}
