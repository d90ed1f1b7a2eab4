/* How much the states of controllers take part in a mode. */
#ifndef RT_ANSWERS_PARTICIPATION_H
#define RT_ANSWERS_PARTICIPATION_H

#include "answers/zeros.h"

/* Of an eigenvalue with right vector x and left vector u (re, im; im NULL: real), n numbers each,
 * of which those from n_motion on belong to controllers: |p_X| / (|p_X| + |p_M|), 0 to 1, where
 *     p_X = sum over X of conj(u_i) x_i,     p_M likewise over the mechanism's states,
 * the participation factors (Perez-Arriaga, Verghese and Schweppe, IEEE Trans. PAS 101, 1982).
 * Units of the states do not change it, nor other states in place of those of the mechanism, or of
 * the controllers. */
double rt_control_share(int n, int n_motion, const double *const x[2], const double *const u[2]);

/* The same of each vector of the zero eigenvalue (rt_zeros_vector), with the vectors dual to these;
 * share: n_zero. */
routh_status rt_control_shares_of_zeros(const rt_zeros *zeros, int n_motion, double *share,
                                        routh_error *error);

#endif
