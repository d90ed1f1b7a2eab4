/* Models and studies that the tests of this room write to files. */
#ifndef TESTS_STUDIES_STUDIES_H
#define TESTS_STUDIES_STUDIES_H

#include <routh/routh.h>

#include "support/temporary.h"

/* Is NLopt there? */
int nlopt_is_there(void);

/* Fails the test where the run fails. To be freed. */
routh_optimum *optimise(const char *model, const char *study, const routh_optimum_options *options);

/* Two masses in a row on springs, m1 = 2, m2 = 1, k1 = 300, k2 = 100, damper c = 0.5 between. */
extern const char two_masses[];

/* The damped absorber on an undamped mass that is pushed, all in units of the mass and its spring:
 * mu = 0.1, tuning 0.8, zeta 0.1. Output x. */
extern const char absorber[];

/* Two masses that have nothing to do with each other, m = 1: ka = 40, kb = 160. */
extern const char apart[];

#endif
