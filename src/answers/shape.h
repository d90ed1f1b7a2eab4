/* The size and phase of mode shapes. */
#ifndef RT_ANSWERS_SHAPE_H
#define RT_ANSWERS_SHAPE_H

#include "routh/answers.h"

/* Divides the complex vector (re, im: n_states each) by its largest marker motion, a component of a
 * displacement (m) or rotation (rad), which so becomes 1 and real; by its largest component where
 * no marker moves. */
void rt_shape_normalise(const routh_linear *linear, double *re, double *im);

#endif
