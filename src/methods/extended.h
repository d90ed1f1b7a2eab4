/* The whole response (whole.h) in extended precision: the equations are evaluated with numbers of
 * 113 bits (system/wide.h) and solved with such of 106, in absolute coordinates, where states mean
 * the same as in all others. The state is made consistent first: constraints hold, accelerations
 * and multipliers are those of the equations of motion, all to 1e-28 or so.
 *
 *     P_S xi = [-a in; S],           P_W u = [-(V_x xi + a' in + a in'); W - w_x xi],
 *     [M    G'+L  R  ] [u'    ]     [D u + K xi + R in               ]
 *     [G             ] [lambda] = - [A_u u + A_x xi + ...            ]
 *     [d_a  d_l   d_s] [X', V ]     [d_u u + d_x xi + d_X X + d_in in]
 *
 * (whole.h, whole_augmented.c.) Its matrices are dense. */
#ifndef RT_METHODS_EXTENDED_H
#define RT_METHODS_EXTENDED_H

#include "base/double_double.h"
#include "methods/method.h"

/* Mechanisms with more unknowns than this, u' lambda X' V together, are not for dense factors. */
enum { RT_EXTENDED_ORDER = 700 };

/* Row-major, as in routh/linear.h. */
typedef struct rt_extended {
    int z, z1, n_x, n_in, n_out;
    rt_dd *A;      /* (z + z1 + n_x) square */
    double *noise; /* ROUTH_ERROR_SAMPLES like A: by how much rounding to doubles, in samples of it,
                      changes its entries */
    rt_dd *B[3], *C, *D[3]; /* by in, in', in'' */
    rt_dd *mass, *damping, *stiffness, *coupling, *force[3];
} rt_extended;

/* Can it be had? Not without numbers of 113 bits, of a mechanism that is too large, or where it
 * stands on a kink, whose side rounding would choose. */
bool rt_extended_is_possible(const rt_method_task *task);

/* Is the state within rounding of a kink? */
bool rt_extended_is_on_kink(const rt_search *search);

/* Of a task whose search is in absolute coordinates, and has ranks and a state. turn: angular
 * velocity of the frame that carries a steady motion, 0 in equilibrium; NULL: it is neither. Memory
 * is the arena's. SINGULAR, and others, as of a method. */
routh_status rt_extended_compute(const rt_method_task *task, const double *turn, rt_arena *arena,
                                 rt_extended *out, routh_error *error);

/* The same in equilibrium, or in a steady motion, balanced with all digits beside parts that are up
 * to 1e13 times as stiff, and so is each sample. NUMERIC_ERROR where it cannot be, as near a
 * fold. */
routh_status rt_extended_compute_balanced(const rt_method_task *task, const double turn[3],
                                          rt_arena *arena, rt_extended *out, routh_error *error);

#endif
