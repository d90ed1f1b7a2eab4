/* Andrews' squeezing mechanism in its seven angles, derived here from its geometry alone: neither
 * the library nor the published equations are in it. Complex, so that partials can be taken by
 * complex steps; long, so that rounding does not hide the digits of a reference. */
#ifndef CLOSED_FORM_SQUEEZER_H
#define CLOSED_FORM_SQUEEZER_H

#include <complex.h>

typedef long double complex squeezer_number;

enum { SQUEEZER_ANGLES = 7, SQUEEZER_LOOPS = 6, SQUEEZER_VALUES = 27 };

/* The 27 of the Test Set for IVP Solvers: beta, theta, gamma, phi, delta, omega, epsilon; their
 * rates; their accelerations; the multipliers of the loops. */
typedef struct squeezer_state {
    squeezer_number q[SQUEEZER_ANGLES], v[SQUEEZER_ANGLES], a[SQUEEZER_ANGLES],
        lambda[SQUEEZER_LOOPS];
} squeezer_state;

/* a and lambda of q and v:  M a + G' lambda = f,  G a = gamma. */
void squeezer_accelerate(squeezer_state *s);

/* The other angles and rates of beta and beta', by Newton's method from those that are there. */
void squeezer_close(squeezer_state *s);

/* What the loops are open by, m, and at what rate, m/s: the largest component. */
long double squeezer_gap(const squeezer_state *s);
long double squeezer_gap_rate(const squeezer_state *s);

/* Kinetic energy and that of the spring less the work of the motor, J: constant along a motion. */
long double squeezer_energy(const squeezer_state *s);
long double squeezer_kinetic_energy(const squeezer_state *s);

/* On by `time`, s, in n equal steps, each the extrapolation (Gragg, Bulirsch, Stoer) of midpoint
 * rules of 2, 4, .., 16 steps: order 16. */
void squeezer_move(squeezer_state *s, long double time, int n);

#endif
