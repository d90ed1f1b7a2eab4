/* Mechanisms around the sample of each class of joints: three bodies on bushings, and the joint
 * between them. There are the bodies a, b, c, the parameter p = 0.7, and the markers
 *     i, axle on a     j on b     k, far on c
 * axle has its z across that of i, far is 0.8 from the others. Nothing of a sample may hold to the
 * ground or to the world. */
#ifndef SUPPORT_JOINT_SAMPLES_H
#define SUPPORT_JOINT_SAMPLES_H

#include "model/joint_class.h"
#include "support/mechanisms.h"

typedef struct sample_mechanism {
    bool moving;     /* bodies have velocities; else, where nothing is driven, in equilibrium */
    bool fits;       /* all but far are at one place, with parallel axes (but for axle's), in exact
                        numbers, at time 0; else all stand anyhow */
    double turn[9];  /* the world's axes */
    double shift[3]; /* and its origin */
} sample_mechanism;

/* In the usual world. */
sample_mechanism sample_usual(bool moving);

/* Its parts, for mechanisms around something else: the parameters, p and s = 0 among them, and the
 * bodies and markers; the loads, those given first ("  f: {...}\n"), and the operating point; with
 * these states ("[a.x, ...]"), NULL: as the program chooses. */
void sample_write_bodies(const char *parameters, const sample_mechanism *as, growing_text *text);
void sample_write_holds(const char *loads, const char *states, bool rest,
                        const sample_mechanism *as, growing_text *text);

/* The text of the model. */
void sample_write(const rt_joint_class *joint_class, const sample_mechanism *as,
                  growing_text *text);

#endif
