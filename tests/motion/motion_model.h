/* Mechanisms in motion that the tests of integrators share, and runs of them. */
#ifndef TESTS_MOTION_MODEL_H
#define TESTS_MOTION_MODEL_H

#include "motion/simulation.h"
#include "support/mechanisms.h"

/* A double pendulum in space, released with spin: universal and spherical joint, no symmetry. */
extern const char double_pendulum_yaml[];
/* A closed loop: a four-bar with a spring, driven by gravity. */
extern const char four_bar_yaml[];
/* A disc that rolls and leans. */
extern const char disc_yaml[];
/* A cart with a pendulum under a PID controller whose drive lags. */
extern const char controlled_yaml[];
/* A crank that a motion turns unevenly. */
extern const char driven_yaml[];

typedef struct test_run {
    test_mechanism t;
    routh_operating_point *point;
    routh_simulation *simulation;
} test_run;

/* Fails the test with the error's text where it cannot be made. */
void run_begin(test_run *r, const char *yaml, const char *coordinates,
               const routh_simulation_options *options);
void run_to(test_run *r, double time);
void run_end(test_run *r);

/* Position, axes, velocity and angular velocity of all bodies where the run stands, then the states
 * of controllers: to be freed. */
double *run_result(const test_run *r, int *n);

/* The same by the classical Runge-Kutta method on q and u in Euler parameters, brought onto the
 * constraints after each of n_steps equal steps. */
double *reference_result(const char *yaml, double end, int n_steps, int *n);

/* Largest |a - b|. */
double largest_difference(const double *a, const double *b, int n);

#endif
