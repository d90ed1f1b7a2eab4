/* The size and phase of mode shapes. */
#ifndef RT_ANSWERS_SHAPE_H
#define RT_ANSWERS_SHAPE_H

#include "routh/answers.h"

/* Divides the complex vector (re, im: n_states each) by its largest marker motion, a component of a
 * displacement (m) or rotation (rad), which so becomes 1 and real; by its largest component where
 * no marker moves. */
void rt_shape_normalise(const routh_linear *linear, double *re, double *im);

/* Where the motion of the mode is rounding beside its states of controllers, both counted in the
 * units of scale (n_states), nothing moves: positions and velocities become 0. */
void rt_shape_still(const routh_linear *linear, const double *scale, double *re, double *im);

#endif
