/* Eigenvalues of a matrix that is known in extended precision, each with a bound that holds.
 *
 * With vectors X from the rounded matrix, G = X^-1 B X is computed with 106 bits. Its diagonal are
 * the eigenvalues up to second order in its other entries; vectors are corrected by
 *     x_d += sum_c x_c G_cd / (G_dd - G_cc),
 * those that rounding has mixed are told apart by the eigenvectors of their own block of G, until
 * Gershgorin's discs, scaled, hold every eigenvalue apart from the others. Discs that touch are one
 * cluster, whose members' bound is the size of the whole.
 *
 * Ogita and Aishima, Japan J. Indust. Appl. Math. 35 (2018), for symmetric matrices; Wilkinson, The
 * Algebraic Eigenvalue Problem (1965), 2.13 to 2.16, for scaled discs. */
#ifndef RT_ANSWERS_EXTENDED_SPECTRUM_H
#define RT_ANSWERS_EXTENDED_SPECTRUM_H

#include <stdbool.h>

#include "answers/zeros.h"
#include "base/lapack.h"

/* Of zeros->B with its rest and its errors. e: as rt_general_eigen left it for B, with its bounds;
 * values, vectors, conditions and bounds (n; 1/s) are replaced where *done. Of others nothing was
 * changed, and of those whose bounds would become larger. noise (n; 1/s): what the errors of B add
 * to the bounds, to first order. */
routh_status rt_extended_eigen(const rt_zeros *zeros, rt_eigen *e, double *bounds, double *noise,
                               bool *done, routh_error *error);

#endif
