/* P = [G; s_x] over the independent rows of G: the tangent of the constraint manifold in the
 * states. There are two of them,
 *     P_S = [G of the holonomic rows; s_x of the states],            P_S xi = [0; S]
 *     P_W = [G of all rows;           s_x of the states of rates],   P_W u  = [-V_x xi; W - w_x xi]
 * which are one where all rows are holonomic. Its pattern and symbolic factorization are made once,
 * numbers filled and factored many times. */
#ifndef RT_METHODS_MANIFOLD_H
#define RT_METHODS_MANIFOLD_H

#include "methods/method.h"

typedef enum rt_manifold_level {
    RT_MANIFOLD_POSITION, /* P_S */
    RT_MANIFOLD_VELOCITY, /* P_W, of accelerations too */
} rt_manifold_level;

/* Another way to P^-1 than the sparse factors, which are not made then. */
typedef struct rt_manifold_solver {
    routh_status (*solve)(const struct rt_manifold_solver *solver, double *B, int n_columns,
                          routh_error *error);
    routh_status (*solve_transposed)(const struct rt_manifold_solver *solver, double *b,
                                     routh_error *error);
} rt_manifold_solver;

typedef struct rt_manifold {
    const rt_search *s;
    rt_manifold_level level;
    int n, z, n_kept; /* n = n_kept + z; z1 of them at velocity level */
    int *slot;        /* n_rows: the row of P, or -1 */
    rt_state_row *rows;
    rt_pattern pattern;
    int *position; /* of the entries of the kept rows of G, column by column, then of s_x */
    double *values, *full;
    rt_factor *factor;
    const rt_manifold_solver *solver; /* NULL: by the factors */
} rt_manifold;

/* Memory is the arena's but for the factor, which rt_manifold_release frees. */
routh_status rt_manifold_create(rt_manifold *manifold, const rt_method_task *task,
                                rt_manifold_level level, rt_arena *arena, routh_error *error);
void rt_manifold_release(rt_manifold *manifold);

/* Numbers of task->search->w and of the rows, factored. SINGULAR where the states do not fix the
 * motion. */
routh_status rt_manifold_factor(rt_manifold *manifold, const rt_method_task *task,
                                routh_error *error);

/* P X = B, n_columns of n, and P' x = b, in place. */
routh_status rt_manifold_solve(const rt_manifold *manifold, double *B, int n_columns, int threads,
                               routh_error *error);
routh_status rt_manifold_solve_transposed(const rt_manifold *manifold, double *b,
                                          routh_error *error);

/* b (n) -= the kept rows of (values on pattern_G) x */
void rt_manifold_subtract(const rt_manifold *manifold, const double *values, const double *x,
                          double *b);

#endif
