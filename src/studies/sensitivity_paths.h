/* From inputs to outputs through the pencil, and what its numbers do on the way: with z = (y, x)
 *     F(s) z + S(s) in = 0,   F = [s I, -P; Q, R],      out = T z + U(s) in
 *     a^T F = T:   H = U - a^T S,   dH = dU + dT z - a^T (dF z + dS)
 * so that one z of every input and one a of every output serve all parameters. S:
 *     G xi + a in = 0,   G du + V_x xi + a' in + a in' = 0,   a = dPhi/din
 *     M du' + .. + R in = 0,   - s_x of a force on a state, M e in'' of the ground along e
 *     G du' + .. + a'' in + 2 a' in' + a in'' = 0 */
#ifndef RT_STUDIES_SENSITIVITY_PATHS_H
#define RT_STUDIES_SENSITIVITY_PATHS_H

#include <complex.h>

#include "base/complex_factor.h"
#include "answers/response_transfer.h"
#include "studies/sensitivity_pencil.h"

/* An entry of S (row, input), T (output, column of z) or U: sign s^power times a number. */
typedef struct rt_path_entry {
    int row, column, power;
    double sign;
    const double *from; /* NULL: the sign itself */
    int varied;         /* where its derivative is in paths->varied; -1: it has none */
} rt_path_entry;

typedef struct rt_path_entries {
    int n;
    rt_path_entry *paths;
} rt_path_entries;

typedef struct rt_paths {
    const rt_levels_pencil *p;
    int n, n_in, n_out; /* n: of z */
    rt_path_entries S, T, U;
    rt_sensor_row *outputs; /* all of the model */
    int *output_at;         /* where the partials of each begin in varied */
    int drive_at;
    int n_varied;
    double *varied; /* those of the pencil first */
    rt_pattern pattern;
    int *place, *diagonal; /* of terms and of s */
    double _Complex *values, *work;
    rt_complex_factor *factor;
} rt_paths;

/* linear: whose channels they are; its states are those of the pencil, under the same names, or
 * NOT_SUPPORTED names one that is not. Memory is the arena's but for the factor. */
routh_status rt_paths_create(rt_paths *paths, const rt_levels_pencil *pencil,
                             const routh_linear *mine, const routh_linear *linear,
                             const rt_channels *channels, rt_arena *arena, routh_error *error);
void rt_paths_release(rt_paths *paths);

/* The lists alone, without what factors F: for H where no frequency is asked for. */
routh_status rt_paths_find(rt_paths *paths, const rt_levels_pencil *pencil,
                           const routh_linear *mine, const routh_linear *linear,
                           const rt_channels *channels, rt_arena *arena, routh_error *error);

/* The place among the pencil's y of a state of the linear model; -1: it is not there. */
int rt_paths_place_of(const rt_levels_pencil *pencil, const routh_linear *mine,
                      const routh_linear *linear, int state);

/* The last step of it, once the lists are there: the pattern of F. */
routh_status rt_paths_prepare(rt_paths *paths, rt_arena *arena, routh_error *error);

/* The derivatives of all numbers along the variation, into paths->varied, after rt_pencil_vary. */
routh_status rt_paths_vary(rt_paths *paths, rt_variation *variation, routh_error *error);

/* F(s) factored. SINGULAR at a pole. */
routh_status rt_paths_factor(rt_paths *paths, double _Complex s, routh_error *error);

/* z (n) of an input, or its order-th derivative by s; before: of the order one less. */
routh_status rt_paths_right(rt_paths *paths, double _Complex s, int order, int input,
                            const double _Complex *before, double _Complex *z, routh_error *error);
/* a of an output, likewise; order 0 or 1. */
routh_status rt_paths_left(rt_paths *paths, int order, int output, const double _Complex *before,
                           double _Complex *a, routh_error *error);

/* The order-th derivative of H by s, of the same of z. */
double _Complex rt_paths_value(const rt_paths *paths, double _Complex s, int order, int input,
                               int output, const double _Complex *z);

/* G (n_varied) += what each number does to H: dH = sum G d(number); and where order is 1 to dH/ds,
 * a1 and z1 being the derivatives of a and z by s. */
void rt_paths_gradient(const rt_paths *paths, double _Complex s, int order, int input, int output,
                       const double _Complex *a, const double _Complex *z,
                       const double _Complex *a1, const double _Complex *z1, double _Complex *G);

#endif
