/* Mechanisms around the samples of measures and of controllers: the bodies of joint_samples.h and
 * the parameters p = 0.7 and q = 1.3, a revolute joint h between a and c, a bushing f between j and
 * k, a variable v that is a measure, an input u, and the controller x. What is sampled acts on the
 * mechanism by another force, and is its output y. Nothing holds to the ground or to the world but
 * by the bushings. */
#ifndef SUPPORT_SIGNAL_SAMPLES_H
#define SUPPORT_SIGNAL_SAMPLES_H

#include "model/controller_class.h"
#include "model/measure_class.h"
#include "support/joint_samples.h"

/* The text of the model. A measure: x is then a controller with one state. */
void sample_write_measure(const rt_measure_class *measure, const sample_mechanism *as,
                          growing_text *text);
void sample_write_controller(const rt_controller_class *controller, const sample_mechanism *as,
                             growing_text *text);

/* What stands under `inputs`, `variables`, `controllers` and `outputs`, with more variables
 * (", w: ...") and these outputs; for mechanisms with the markers i, j, k and the parameters p and
 * q. */
void sample_write_signals(const char *controller_type, const char *controller_fields,
                          const char *variables, const char *outputs, growing_text *text);

/* The fields of the bushing. */
#define SAMPLE_BUSHING                                                                             \
    "translation: {stiffness: [30, 20, 40], damping: 2}, rotation: {stiffness: [9, 7, 8], "        \
    "damping: 1}"

/* The magnitude of what is at rest has no derivative: the measure is not for such a state. */
bool sample_is_rough_at_rest(const rt_measure_class *measure);

#endif
