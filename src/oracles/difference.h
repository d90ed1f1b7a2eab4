/* States of finite size and differences, of difference*.c alone. */
#ifndef RT_ORACLES_DIFFERENCE_H
#define RT_ORACLES_DIFFERENCE_H

#include "methods/method.h"

/* ---- states of finite size (difference_states.c) --------------------------------------------- */

/* P = [G; dS/dxi] over the independent rows of a level. */
typedef struct rt_finite_tangent {
    int first, count; /* its states in the list */
    int n_kept;
    int *slot; /* n_rows: the row in P, -1 where it follows from others or is of another level */
    rt_pattern pattern;
    rt_factor *factor;
    int *position;
    double *values;
} rt_finite_tangent;

/* States of finite size are
 *     S_k = e_k . (r - r_n)   or   e_k . vee(A A_n'),     vee(R)_i = 1/2 eps_ijk R_kj,
 * with r_n, A_n, e_k the nominal motion, functions of time, so S' and S'' follow by the product
 * rule; a state of the user's is s(q, t) less its nominal value. The list: the z position states,
 * then the z1 states whose rates are the velocity states. */
typedef struct rt_finite_states {
    rt_search *s;
    const rt_reference_frame *o;
    const rt_user_states *user_states;
    int n, z, z1;
    int *candidate;       /* z + z1 */
    rt_frame *body;       /* nominal */
    double *user;         /* 3 for each: of user states, nominal s, s', s'' */
    rt_state_row *rows;   /* z + z1: of user states */
    double *S[3];         /* z + z1: S, S', S'' of the frames evaluated last */
    double *gradient;     /* n: of one state, on the columns gradient_column */
    int *gradient_column; /* n */
    double *step;         /* n */
    double *xi;           /* n: the sum of the steps from the nominal configuration */
    rt_finite_tangent position, velocity;
} rt_finite_states;

/* At the nominal motion, which is evaluated. Release with rt_finite_release. */
routh_status rt_finite_create(rt_finite_states *f, const rt_method_task *task, rt_arena *arena,
                              routh_error *error);
void rt_finite_release(rt_finite_states *f);

/* S, S', S'' of the frames as evaluated. */
void rt_finite_read(rt_finite_states *f);

/* q with Phi = 0 (rows of position level) and S(q) = S, from the nominal one; then u with Phi' = 0
 * and S' = W. xi is then what q has moved by, to first order. */
routh_status rt_finite_find(rt_finite_states *f, const double *S, const double *W,
                            routh_error *error);

/* ---- derivatives by differences (difference_richardson.c) ------------------------------------ */

/* Central differences at halved steps are extrapolated to step zero by Richardson's table; of each
 * part of the vector the entry whose neighbours agree best is taken (Ridders 1982). A table ends
 * where all parts have twelve digits. */
typedef struct rt_richardson {
    int n_parts;
    const int *start;     /* n_parts + 1: where each part of the vector begins */
    const double *weight; /* of each entry: errors of a part are of its largest weighted entry */
    double *plus, *minus;
    double *row, *row_before;
    double *best;  /* the derivative */
    double *error; /* n_parts: of best, weighted */
    double *least; /* n_parts: sizes below which a derivative need not be exact, for the caller to
                      fill */
    bool *done;    /* n_parts: good enough */
    bool *still;   /* n_parts: not moved by any step of the table */
    bool longer;   /* than other steps before */
} rt_richardson;

/* The vector at step h. */
typedef routh_status (*rt_richardson_function)(void *context, double h, double *out,
                                               routh_error *error);

bool rt_richardson_take(rt_richardson *table, int n_parts, const int *start, const double *weight,
                        rt_arena *arena);

/* Largest weighted entry of x in a part. */
double rt_richardson_size(const rt_richardson *table, int part, const double *x);

/* The derivative at h = 0, by tables that begin with the steps[n_steps], one after another until
 * one is good enough. A step at which there is no value counts for nothing; its status is returned
 * where all are such. */
routh_status rt_richardson_differentiate(rt_richardson *table, rt_richardson_function function,
                                         void *context, const double *steps, int n_steps,
                                         routh_error *error);

#endif
