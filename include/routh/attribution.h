/* What makes the frequency and the damping of a mode: kinetic energy, stiffness, loss and feeding
 * of each body, joint and load, and the part that each state has (docs/theory/attribution.md). */
#ifndef ROUTH_ATTRIBUTION_H
#define ROUTH_ATTRIBUTION_H

#include "routh/answers.h"
#include "routh/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How an element's forces come about. */
typedef enum routh_way {
    ROUTH_BY_POSITION,     /* by displacements: springs, weight, forces that a joint carries */
    ROUTH_BY_RATE,         /* by velocities: dampers, gyroscopic torques */
    ROUTH_BY_ACCELERATION, /* by accelerations, beyond what is kinetic energy */
    ROUTH_BY_SIGNAL,       /* by states of controllers, variables and joint reactions */
    ROUTH_N_WAYS           /* how many ways there are */

} routh_way;

/* "position", "rate", "acceleration", "signal" */
ROUTH_API const char *routh_way_name(routh_way way);

/* Of one element in one mode. */
typedef struct routh_attributed {
    double kinetic;                 /* fraction of the kinetic energy; they sum to 1 */
    double rotation;                /* what of it is no translation of a body's centre of mass:
                                       rotation and deformation */
    double frequency[ROUTH_N_WAYS]; /* share of the square of the undamped frequency; all of all
                                       elements sum to 1. NaN of modes that do not oscillate */
    double damping[ROUTH_N_WAYS];   /* part of the damping ratio; all of all elements sum to it.
                                       Negative: it feeds the mode. NaN where there is no energy to
                                       compare with */
} routh_attributed;

/* Of mode i (of those of routh_modes, in their order) element e is at parts[i * n_elements + e];
 * all NaN of rigid modes. */
typedef struct routh_attribution {
    int n_modes, n_elements, n_states; /* as of the modes; lengths of the arrays below */
    char **elements;                   /* "body rotor", "joint hinge", "load mount" */
    routh_attributed *parts;           /* n_modes x n_elements */
    double *closure; /* n_modes: what is left of the power of all forces together, over the sum of
                        their absolute values: of rounding size; NaN of rigid modes */
    double (*participation)[2]; /* n_modes x n_states: re, im of conj(w_i) y_i / w'y, w the left
                                   eigenvector; of a mode they sum to 1. NaN of rigid modes and of
                                   eigenvalues that agree or have no left vector of their own */
    unsigned long long of; /* the library's own: of which linear model; 0: not known */
} routh_attribution;

/* modes and linear: of this mechanism at this point, by any method that is exact; all modes.
 * BAD_ARGUMENT where they do not belong together, NOT_SUPPORTED where only some modes were
 * computed. The caller frees *attribution, which refers to nothing else. */
ROUTH_API routh_status routh_attribution_compute(routh_attribution **attribution,
                                                 const routh_mechanism *mechanism,
                                                 const routh_operating_point *point,
                                                 const routh_linear *linear,
                                                 const routh_modes *modes, routh_error *error);
ROUTH_API void routh_attribution_free(routh_attribution *attribution); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
