/* Two mechanisms beside each other: which mode became which, and what moved it by how much
 * (docs/theory/attribution.md). */
#ifndef ROUTH_COMPARE_H
#define ROUTH_COMPARE_H

#include "routh/answers.h"
#include "routh/mechanism.h"
#include "routh/sensitivity.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One of the two: all modes, in the same kind of reference frame. */
typedef struct routh_compared {
    const routh_mechanism *mechanism;   /* as compiled */
    const routh_operating_point *point; /* of this mechanism */
    const routh_linear *linear;         /* at this point, with energy fractions */
    const routh_modes *modes;           /* of this linear model */
} routh_compared;

/* A change of an eigenvalue, or a part of one. Parts of frequency and damping are those of the
 * exact secants, so that they sum to the change too. */
typedef struct routh_shift {
    double eigenvalue[2]; /* 1/s, rad/s */
    double frequency_hz;  /* of the undamped frequency */
    double damping_ratio; /* change of -Re s / |s| */
} routh_shift;

typedef struct routh_mode_pair {
    int mode[2];             /* in the routh_modes of the two; im >= 0 */
    int number[2];           /* as tables count, from 1, a pair once */
    double eigenvalue[2][2]; /* of the two: re, im */
    double overlap;          /* of left and right vectors: 1 for the same mode, no share */
    routh_shift shift;       /* from the first to the second */
    double closure;         /* how far the parts' sum is from the change, which rounding makes, over
                                the first eigenvalue and the parts, absolute values added */
    double parameters_left; /* likewise of the parts by parameters: what the quadrature leaves; NaN
                                where there are none */
} routh_mode_pair;

typedef struct routh_comparison {
    int n_pairs;            /* modes of both that belong together */
    routh_mode_pair *pairs; /* in the order of the first one's modes */
    int n_terms;            /* length of `terms` */
    char **terms; /* "body rotor": mass, inertia and what the body's motion brings; "joint hinge":
                     where it is and the forces it carries; "load mount"; "states": what states
                     mean; "controller pid", "variable error" */
    routh_shift *parts;        /* n_pairs x n_terms */
    int n_alone[2];            /* modes of each that have no partner, by numbers as tables count */
    int *alone[2];             /* n_alone of each */
    int n_parameters;          /* of routh_comparison_by_parameters; 0 before */
    char **parameters;         /* n_parameters names */
    double *values[2];         /* n_parameters: of each of the two */
    routh_shift *by_parameter; /* n_pairs x n_parameters */
    int n_nodes;               /* of the quadrature */
    unsigned long long of[2]; /* the library's own: of which linear models; 0: not known */
} routh_comparison;

/* Pairs modes by their vectors over the states of the first, which the second must have too, and
 * shares each change lambda_B - lambda_A out by the exact w_A^H (P_B - P_A) v_B / w_A^H v_B, P the
 * equations of all levels, term by term. Loads may be there in one of the two only. BAD_ARGUMENT
 * names the body, joint, state or controller that the two do not share. Free with
 * routh_comparison_free. */
ROUTH_API routh_status routh_comparison_compute(routh_comparison **comparison,
                                                const routh_compared *a, const routh_compared *b,
                                                routh_error *error);
ROUTH_API void routh_comparison_free(routh_comparison *comparison); /* NULL is allowed */

/* Makes the mechanism at a place between the two, 0 < t < 1, with its operating point, linear model
 * and modes, which stay until the call after the next; what goes wrong is passed on. */
typedef struct routh_compare_path {
    void *context; /* handed to at */
    /* Fills `there` at the place t, from 0 (the first) to 1 (the second). */
    routh_status (*at)(void *context, double t, routh_compared *there, routh_error *error);
} routh_compare_path;

/* The same changes by parameters (NULL-terminated names), which go straight from their values in a
 * to those in b, with exact derivatives at n_nodes places (1 to 16; Gauss and Legendre):
 *     lambda_B - lambda_A = sum over p (p_B - p_A) * integral from 0 to 1 of d(lambda)/dp dt
 * Modes are followed from place to place. comparison: of a and b. NOT_SUPPORTED as
 * routh_sensitivity_compute. */
ROUTH_API routh_status routh_comparison_by_parameters(
    routh_comparison *comparison, const routh_compared *a, const routh_compared *b,
    const routh_compare_path *path, const char *const *parameters, int n_nodes, routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
