/* Simulations of models written as text, for the tests of this room. */
#ifndef TESTS_MOTION_MOVING_H
#define TESTS_MOTION_MOVING_H

#include "motion/simulation.h"

typedef struct moving {
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    routh_simulation *s;
} moving;

/* Begins the motion of the model in these coordinates, or fails the test with the library's
 * message. step 0: by the tolerance. */
void moving_begin(moving *t, const char *yaml, const char *coordinates, const char *integrator,
                  double tolerance, double step);
void moving_end(moving *t);

/* Goes on to the time, and must come there. */
void moving_to(moving *t, double time);

/* The frame of a body where the simulation is. */
const rt_frame *moving_body(const moving *t, int body);

/* Kinetic energy, and that of weight; springs are not counted. */
double moving_energy(const moving *t);

/* The largest difference between two simulations: of positions, and of angular velocities times a
 * second and the typical length. */
double moving_distance(const moving *a, const moving *b);

routh_statistics moving_counts(const moving *t);

#endif
