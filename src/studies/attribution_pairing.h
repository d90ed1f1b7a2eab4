/* Which mode of one mechanism is which of another, and vectors between the two. */
#ifndef RT_STUDIES_ATTRIBUTION_PAIRING_H
#define RT_STUDIES_ATTRIBUTION_PAIRING_H

#include "studies/attribution_side.h"

typedef struct rt_pairing {
    const rt_side *side[2];
    int *partner;    /* n of the first spectrum: which of the second's, or -1 */
    double *overlap; /* n of the first */
} rt_pairing;

/* Greatest overlap first, |tr(Pi_A Pi_B)| over how many agree, with the spectral projections
 * Pi = V (W^H V)^-1 W^H over the states of one eigenvalue. allowed: of each spectrum, those that
 * may be paired. In the arena. */
routh_status rt_pair_modes(rt_pairing *pairing, const rt_side *a, const rt_side *b,
                           bool *const allowed[2], rt_arena *arena, routh_error *error);

/* A right vector of the second side's partner of mode i, and a left vector of mode i, each n1 + n2
 * of its own pencil; of eigenvalues that agree those that fit the other's. NUMERIC_ERROR where the
 * eigenvalue is defective. */
routh_status rt_vectors_between(const rt_pairing *pairing, int i, double _Complex *left,
                                double _Complex *right, routh_error *error);

#endif
