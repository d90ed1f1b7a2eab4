/* From a model to its operating point and its linear model. */
#ifndef ROUTH_MECHANISM_H
#define ROUTH_MECHANISM_H

#include "routh/linear.h"
#include "routh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model compiled for one coordinate set. Immutable; may be shared between threads. The model
 * must outlive it. */
typedef struct routh_mechanism routh_mechanism;

/* coordinates: "absolute" (NULL means that), "euler-parameters", "euler-angles", "relative" or
 * "natural". */
/* The coordinate sets there are: the name of number k = 0, 1, ..; NULL past the last. */
ROUTH_API const char *routh_coordinate_name(int k);

ROUTH_API routh_status routh_mechanism_compile(routh_mechanism **mechanism,
                                               const routh_model *model, const char *coordinates,
                                               routh_error *error);
ROUTH_API void routh_mechanism_free(routh_mechanism *mechanism); /* NULL is allowed */

/* ---- operating point ------------------------------------------------------------------------ */

typedef enum routh_operating_type {
    ROUTH_OPERATING_BY_MODEL, /* what the model file asks for */
    ROUTH_OPERATING_GIVEN,    /* as written, assembled, with consistent velocities and
                                 accelerations */
    ROUTH_OPERATING_STATIC    /* static equilibrium: assembled, at rest, forces balanced, stable */
} routh_operating_type;

typedef struct routh_operating_options {
    routh_operating_type type; /* default ROUTH_OPERATING_BY_MODEL */
    double tolerance;          /* residual of the constraints and of the balance, relative;
                                  default 1e-12 */
    int max_iterations;        /* of Newton's method; default 200 */
    int accept_unstable;       /* static: 1 accepts an unstable equilibrium; default 0: one is
                                  left for a stable one */
} routh_operating_options;

ROUTH_API routh_operating_options routh_operating_defaults(void);

typedef struct routh_body_state {
    const char *name;
    double position[3];         /* of the centre of mass, world, m */
    double orientation[9];      /* row-major, columns are the body's axes */
    double velocity[3];         /* world, m/s */
    double angular_velocity[3]; /* world, rad/s */
} routh_body_state;

/* What a joint (or load) does to its first marker: force (N) and torque about the marker's
 * origin (N m), world. */
typedef struct routh_reaction {
    const char *name;
    const char *type; /* "revolute", "bushing", ... */
    int is_load;
    double force[3];
    double torque[3];
} routh_reaction;

/* A constraint row that says nothing new. */
typedef struct routh_redundant_row {
    const char *joint;
    const char *row; /* "origins coincide along z" */
} routh_redundant_row;

/* Names point into the model, which must outlive this. Free with routh_operating_point_free. */
typedef struct routh_operating_point {
    routh_operating_type type; /* GIVEN or STATIC: what was done */
    double time;
    int n_bodies;
    routh_body_state *bodies;
    int n_reactions; /* joints, then loads */
    routh_reaction *reactions;
    int n_redundant;
    routh_redundant_row *redundant;
    int rank_clear;          /* 1: independent and redundant rows are far apart; 0: the count
                                could be otherwise */
    double smallest_pivot;   /* the two figures that decided */
    double largest_rejected;
    int degrees_of_freedom;  /* coordinates minus independent constraints */
    double constraint_error; /* largest constraint residual (m, or rad) */
    double residual;         /* see routh_linear.residual */
    int iterations;
    int n_warnings;
    char **warnings;
    struct routh_state *state; /* q, u, u', lambda in the mechanism's coordinates */
    struct routh_state *base_state; /* the same in absolute coordinates, where the mechanism's
                                       are coordinates that bodies share; else NULL */
} routh_operating_point;

ROUTH_API routh_status routh_operating_point_find(routh_operating_point **point,
                                                  const routh_mechanism *mechanism,
                                                  /* NULL: defaults */
                                                  const routh_operating_options *options,
                                                  routh_error *error);
ROUTH_API void routh_operating_point_free(routh_operating_point *point); /* NULL is allowed */

/* ---- linearization -------------------------------------------------------------------------- */

typedef struct routh_linearize_options {
    const char *method;    /* "augmented" (default), "minimal", or "minimal:" and one of
                              partition, qr, svd, zero-eigenvalue, gram-schmidt;
                              "redundant"; or "difference", an oracle for checks, not exact */
    const char *reference; /* marker of the observer; NULL: what the model asks for (else
                              "ground") */
    const char *const *states; /* wanted states in place of the model's, ends with NULL; NULL:
                                  what the model asks for. What the constraints do not leave
                                  free is dropped */
    int threads;           /* for the right-hand sides; 0: what OpenMP gives. Default 0 */
    int shares;            /* 1: also energy shares. Default 1 */
    int markers;           /* 1: also the motion of every marker. Default 1 */
} routh_linearize_options;

ROUTH_API routh_linearize_options routh_linearize_defaults(void);

/* The methods there are, each variant by itself ("minimal:qr"): the name of number k = 0, 1, ..;
 * NULL past the last. */
ROUTH_API const char *routh_method_name(int k);

/* The linear model at the operating point. Warnings (user states that were dropped and such) are in
 * linear->warnings. */
ROUTH_API routh_status routh_linearize(routh_linear **linear, const routh_mechanism *mechanism,
                                       const routh_operating_point *point,
                                       const routh_linearize_options *options, /* NULL: defaults */
                                       routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
