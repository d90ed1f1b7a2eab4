/* Beams for tests, and their matrices written out. */
#ifndef FLEXIBLE_DENSE_BEAM_H
#define FLEXIBLE_DENSE_BEAM_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flexible/beam.h"

/* Section of 30 mm by 50 mm along x from the origin, 2 m long: slender, all stiffnesses unlike. */
rt_beam some_beam(int n_elements);
/* The same, oblique and away from the origin. */
rt_beam oblique_beam(int n_elements);

const rt_flexible *make_beam(const rt_beam *beam, rt_arena *arena);

/* n zeros. */
double *zeros(size_t n);

/* Column-major: the mass matrix trace(N) + M, or what the values on the pattern say. */
double *dense_mass(const rt_flexible *flexible);
double *dense(const rt_flexible *flexible, const double *values);

/* Squares of the frequencies of K v = w^2 M v for positive definite K, ascending; the coordinates
 * in `dropped` (their number may be 0) are held. */
void squared_frequencies(const rt_flexible *flexible, int n_dropped, const int *dropped,
                         double *squares);

/* fails unless |found - right| <= tolerance |right| */
void assert_relative(double found, double right, double tolerance);

#endif
