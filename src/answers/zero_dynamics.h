/* The zeros of one channel  x' = A x + b u, y = c x + d u  are the eigenvalues of what moves while
 * y = 0 (zero dynamics). While d = 0, y = c x = 0 gives one state by the others,
 *     x_p = sum f_j x_j,    f_j = -c_j / c_p,
 * and c x' = c A x + c b u is the output of a system of one state less (Emami-Naeini and Van
 * Dooren, Automatica 18, 1982, for one input and one output). With d != 0 they are the eigenvalues
 * of A - b c / d, and d is the gain of
 *     d + c (s I - A)^-1 b = gain prod (s - zero) / det (s I - A).
 *
 * Numbers have 106 bits, with running errors; states are taken out as they are, so that what is
 * exactly zero stays so. Whether d is zero is judged by what is not known of it: samples, with each
 * number changed as much as rounding to doubles may have changed it, take the same steps. */
#ifndef RT_ANSWERS_ZERO_DYNAMICS_H
#define RT_ANSWERS_ZERO_DYNAMICS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/double_double.h"
#include "routh/linear.h"

enum { RT_ZERO_COPIES = 1 + ROUTH_ERROR_SAMPLES }; /* the numbers themselves, and the samples */

/* Columns of A have room entries. */
typedef struct rt_single {
    rt_dd *A, *b, *c, d;
} rt_single;

/* d that was taken as zero but is no exact one: how large it may be, beside the states then. */
typedef struct rt_taken {
    int n;
    double *A;   /* n x n, rounded */
    double size; /* of d in the units of the gain */
} rt_taken;

typedef struct rt_zero_dynamics {
    int n, room;
    rt_single copy[RT_ZERO_COPIES];
    double *E_A, *E_b, *E_c, E_d; /* running errors of copy 0 */
    int exponent;                 /* d is to be taken times 2^exponent */
    rt_taken *taken;              /* room + 1 at most */
    int n_taken;
    const char *why; /* NULL; else why nothing can be said */
    /* results */
    int no_way;                 /* 1: H = 0 */
    double gain;                /* rounded */
    double *Z, *Z_rest, *Z_off; /* n x n, row-major; ROUTH_ERROR_SAMPLES of Z_off */
} rt_zero_dynamics;

/* Room for a system of n states, all zero. */
routh_status rt_zero_dynamics_take(rt_zero_dynamics *z, int n, rt_arena *arena, routh_error *error);

/* Puts a number in its place in all copies: `rest` beside it, and changed by `off` (a number for
 * every sample; NULL: as much as rounding may, and +-1 not at all). */
typedef enum rt_zero_place { RT_ZERO_A, RT_ZERO_B, RT_ZERO_C, RT_ZERO_D } rt_zero_place;
void rt_zero_dynamics_put(rt_zero_dynamics *z, rt_zero_place place, int i, int j, double value,
                          double rest, const double *off);

/* by_structure: states are taken out so that what stays is sparse, else so that errors stay
 * small. */
routh_status rt_zero_dynamics_reduce(rt_zero_dynamics *z, bool by_structure, rt_arena *arena,
                                     routh_error *error);

#endif
