/* Random frames, and dot products of frame vectors by their definition. */
#ifndef TESTS_POSES_H
#define TESTS_POSES_H

#include <stdint.h>

#include "model/model.h"

/* A frame's pose and motion in the world. */
typedef struct frame {
    double r[3], A[9], v[3], a[3], w[3], al[3];
} frame;

double random_number(uint64_t *seed); /* in [-1, 1) */
void random_frame(frame *f, uint64_t *seed);

/* frames[0] is the ground, frames[1 + m] marker m; n in all */
void random_frames(frame *frames, int n, uint64_t *seed);
void vector_value(const frame *frames, const rt_vector *u, double out[3]);
double dot_value(const frame *frames, const rt_quantity *dot);

#endif
