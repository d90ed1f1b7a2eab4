/* Eigenvalues with error bounds against the exact ones. */
#ifndef SUPPORT_BOUNDED_SPECTRUM_H
#define SUPPORT_BOUNDED_SPECTRUM_H

#include "support/mechanisms.h"

/* How the eigenvalues that a method bounds (linear->bound) compare with those of an exact linear
 * model of the same mechanism, each of which is taken once. */
typedef struct bounded_spectrum {
    double worst; /* largest error over bound and rounding of the exact one: <= 1 where all hold */
    double error; /* largest, 1/s */
    double bound; /* largest, 1/s */
    int n_ratios; /* eigenvalues whose error is well above rounding, and of them: */
    double ratio[64]; /* bound over error */
} bounded_spectrum;

bounded_spectrum compare_spectrum(const routh_linear *bounded, const routh_linear *exact);

#endif
