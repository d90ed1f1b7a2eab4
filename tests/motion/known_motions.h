/* Models, and what their motions are by other means: the largest difference at a time, to which the
 * simulation goes on. */
#ifndef TESTS_MOTION_KNOWN_MOTIONS_H
#define TESTS_MOTION_KNOWN_MOTIONS_H

#include "moving.h"

/* From 170 degrees, without friction, against Jacobi's elliptic functions; up to 2 s or so. */
extern const char pendulum[];
extern const double pendulum_amplitude;
double pendulum_error(moving *t, double time);
double jacobi_sn(double u, double k);

/* A crank that goes round and round, and two bodies that turn about all axes. */
extern const char crank_rocker[], tumbling[];

/* A disc that leans as it rolls: its height and spin, against the textbook's equations, from the
 * beginning. */
extern const char rolling_disc[];
double disc_error(moving *t, double time);

/* A controller's force on a slide that a motion shakes, against its three equations, from the
 * beginning. */
extern const char controlled[];
double controlled_error(moving *t, double time);

/* A crank that a motion drives, and nothing else moves. */
extern const char driven[];
double driven_error(moving *t, double time);

#endif
