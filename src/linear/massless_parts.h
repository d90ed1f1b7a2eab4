/* The steps of massless.h. */
#ifndef RT_LINEAR_MASSLESS_PARTS_H
#define RT_LINEAR_MASSLESS_PARTS_H

#include "linear/holder.h"
#include "linear/index_reduction.h"

/* Mhat W' = -(Chat W + Khat S) + ..  with W = Y y + N w,
 *     W[pivot] = y - Z w,   W[null] = w,      Z = M11^-1 M12,
 * so that Mhat N = 0, and y' = W[pivot]' + Z W[null]' follows from the rows `pivot`:
 *     y' = M11^-1 (rhs of pivot),      0 = (rhs of null) - Z'(rhs of pivot). */
typedef struct rt_massless_equations {
    int z, z1, n_x, n_in; /* the full states S, W, X */
    int r, *pivot, *null; /* W with inertia (r of them), and without (z1 - r) */
    double *Mhat;         /* z1 x z1, of the plain mechanism */
    double *Z;            /* r x (z1 - r), row-major */
    int n_v, n_w, width;  /* v = (S, y, X), w, inputs of all orders */
    rt_sized_rows F, H;   /* index_reduction.h */
    rt_sized_rows full;   /* z1: the rows Mhat W' = .. on (S, W, X, in, in', in'') */
    double tolerance;
    double *demanded; /* n_u x 3 n_in: u' that inputs demand of joints which they drive */
} rt_massless_equations;

routh_status rt_massless_equations_make(rt_massless_equations *e, const rt_linear_holder *h,
                                        const rt_linear_task *t, const rt_method_task *work,
                                        rt_arena *arena, routh_error *error);

/* The states that are left: (S of `position`, W of `velocity`, X), n of them; and everything as
 * rows on them and the inputs of all orders. */
typedef struct rt_massless_states {
    int n_position, n_velocity, *position, *velocity; /* places among S, and among W */
    int n, width, n_held;
    rt_sized_rows S, W, rate, acceleration; /* z, z1, n: y', z1: W' */
} rt_massless_states;

/* What these are made with. */
typedef struct rt_massless_work {
    const rt_massless_equations *e;
    const rt_linear_task *t;
    rt_massless_states *out;
    rt_arena *arena;
    rt_reduced_index index;
    rt_sized_rows H;                     /* as it was before the reduction */
    int n_free, n_y;                     /* of v: independent ones; and of these, of y */
    int *place, *kept;                   /* v -> its place among the independent, or -1; and back */
    int *row_of;                         /* v that depends -> its constraint */
    rt_sized_rows V, w, W;               /* on the independent v and inputs */
    rt_sized_rows rate, acceleration, y; /* y: on the states in its place */
} rt_massless_work;

/* Holds the w that stay free: constraints S = 0 (massless_held.c). */
routh_status rt_massless_hold_free(rt_massless_work *work, routh_error *error);
routh_status rt_massless_fail_unbalanced(const rt_massless_work *work, int input,
                                         routh_error *error);

routh_status rt_massless_states_make(rt_massless_states *states, const rt_massless_equations *e,
                                     const rt_linear_task *t, rt_arena *arena, routh_error *error);

/* The response on the states that are left. */
routh_status rt_massless_response(rt_response *out, const rt_massless_states *states,
                                  const rt_massless_equations *e, const rt_linear_task *t,
                                  const rt_method_task *work, rt_arena *arena, routh_error *error);

/* M of the plain mechanism at the search's state, on its pattern_M. */
routh_status rt_massless_plain_mass(const rt_linear_task *t, double *M, routh_error *error);

#endif
