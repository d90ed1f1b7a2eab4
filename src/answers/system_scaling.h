/* Units for states, inputs and outputs in which the numbers of a linear model are as nearly alike
 * as they can be. */
#ifndef RT_ANSWERS_SYSTEM_SCALING_H
#define RT_ANSWERS_SYSTEM_SCALING_H

#include "base/arena.h"
#include "routh/linear.h"

/* y = state * scaled y, in = input * scaled in, out = output * scaled out, and rate, 1/s: so
 *     A_ij state_j / state_i,  B_ij input_j / state_i,  B1 likewise times rate, B2 times rate^2
 * are near rate, and C_ij state_j / output_i near 1. They minimise the sum of squares of the
 * logarithms of what is off, over all entries that are not zero (Curtis and Reid, J. Inst. Maths
 * Applics 10, 1972). Other units of the model only change these scales, so that the scaled
 * matrices do not depend on units. Entries that
 * are rounding errors are left out: in A below 1e-13 of the largest, states counted as
 * rt_scale_states does, in a column of B below that part of its largest, in a row of C below that
 * part of the largest in all rows of its written unit, and any below 1e-10 of what the fit makes of
 * it. */
typedef struct rt_system_scale {
    double *state, *input, *output;
    double rate;
} rt_system_scale;

/* Arrays are the arena's. */
routh_status rt_scale_system(rt_system_scale *scale, const routh_linear *linear, rt_arena *arena,
                             routh_error *error);

#endif
