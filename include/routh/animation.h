/* Modes at a finite amplitude with their joints closed.
 *
 * A mode is a direction along the constraints; as far as bodies are moved straight along it, joints
 * open by the square of the amplitude. Here what it makes of the configuration is brought back onto
 * the constraints, and what that adds is given as polynomials. */
#ifndef ROUTH_ANIMATION_H
#define ROUTH_ANIMATION_H

#include "routh/answers.h"
#include "routh/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

/* At c = a cos p, s = -a sin p (amplitude a, phase p) a marker of the mode z = re + i im has moved,
 * displacement and rotation vector as routh_mode_marker has them, by
 *     amplitude (c re + s im) + sum over terms of term c^i s^j,       i + j >= 2. */
typedef struct routh_mode_path {
    int mode;              /* its place among the modes */
    double amplitude;      /* what the mode is multiplied by at a = 1 */
    int n_terms;           /* of the sum, beside the straight motion */
    const int (*power)[2]; /* n_terms: i, j */
    double *term;          /* n_terms x n_markers x 6: m, rad; world components */
    double open;           /* along a = 1: how far joints open without the terms, at the most; m */
    double closed;         /* and with them */
} routh_mode_path;

typedef struct routh_animation {
    double largest; /* the paths hold for a up to this */
    int n_markers;  /* that are drawn */
    int *markers; /* places among the linear model's: the bodies' own, and those of flexible ones */
    int n_paths;  /* length of `paths` */
    routh_mode_path
        *paths;     /* of the modes that open joints, in the order of the option, of a pair one */
    int n_straight; /* length of `straight` */
    int *straight;  /* places of the modes that open joints and have no path */
    unsigned long long of; /* the library's own: of which linear model; 0: not known */
} routh_animation;

typedef struct routh_animation_options {
    int most_modes;    /* of the modes that move, so many: those in the order of
                         routh_modes_notable; 0: the default, 50 */
    const int *chosen; /* places of modes that come first; default none */
    int n_chosen;
    double most_work; /* steps of Newton's method times entries of the joints' Jacobian; modes after
                         that have no path; 0: the default, 2e7, a second or so */
} routh_animation_options;

/* Every option at its default. */
ROUTH_API routh_animation_options routh_animation_defaults(void);

/* Paths of the modes of a linear model with markers, of this mechanism and operating point. At
 * a = 1 the largest displacement of a marker is a tenth of the model's size or the largest rotation
 * 0.6 rad, or less by powers of 2 where joints do not allow that; modes that need less than 1/16 of
 * it have no path. options NULL: defaults. BAD_ARGUMENT where the linear model has no markers. The
 * caller frees *animation, which refers to nothing else. */
ROUTH_API routh_status routh_animation_compute(routh_animation **animation,
                                               const routh_mechanism *mechanism,
                                               const routh_operating_point *point,
                                               const routh_linear *linear, const routh_modes *modes,
                                               const routh_animation_options *options,
                                               routh_error *error);
ROUTH_API void routh_animation_free(routh_animation *animation); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
