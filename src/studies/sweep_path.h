/* Two eigenvalues from one value to the next, by the discriminant D = ((lambda_i - lambda_j) / 2)^2
 * of the two, which is smooth where they are not. */
#ifndef RT_STUDIES_SWEEP_PATH_H
#define RT_STUDIES_SWEEP_PATH_H

#include "studies/sweep.h"

/* D(t) = a (1 - t)^2 + 2 control t (1 - t) + b t^2, give or take 2 off t (1 - t) + noise. */
typedef struct rt_path {
    double _Complex a, b, control;
    double off, noise;
} rt_path;

/* By vectors alone: eigenvalues i, j of a, which go on as those the match has for them. */
void rt_path_by_vectors(rt_path *path, const rt_match *match, const rt_solution *a,
                        const rt_solution *b, int i, int j);

/* By the derivatives at both ends (n each), and by vectors too: off is what the three differ by.
 * False where one is not known. */
bool rt_path_by_slopes(rt_path *path, const rt_match *match, const rt_solution *a,
                       const rt_solution *b, const double _Complex *slope_a,
                       const double _Complex *slope_b, int i, int j);

typedef enum rt_passage {
    RT_PASSES_FAR,  /* D stays away from zero, and is not much less between than at its ends */
    RT_PASSES_NEAR, /* it stays away, and is: a veering or a crossing narrow against the step */
    RT_PASSES_OPEN  /* it may be zero */
} rt_passage;

/* How D passes zero, and where it is next to it, between 0 and 1. */
rt_passage rt_path_passage(const rt_path *path, double *where);

/* sqrt(D) followed along the path, where it stays away from zero: what it is at the end over what
 * it was. */
double _Complex rt_path_turn(const rt_path *path);

#endif
