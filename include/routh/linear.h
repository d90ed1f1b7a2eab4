/* The linear model: what a linearization gives. Everything above it (modes, response, report)
 * sees only this.
 *
 * States y = (S, W, X): n_position position-like states S, n_velocity velocity-like states W, and
 * n_control states X of controllers, all perturbations from the operating point, seen from the
 * reference frame `reference`. W = dS/dt, but where nonholonomic joints leave fewer velocities
 * free than positions: then W are rates of some of the states, or of others.
 *     y'  = A y + B in + B1 in' + B2 in'' + a0         a0: how the operating point itself moves
 *     out = C y + D in + D1 in' + D2 in''
 *     mass W' + damping W + stiffness S = coupling X + force in + force1 in' + force2 in''
 * or, with E = diag(I, mass, I) and no inverse of the mass in them, E y' = (E A) y + (E B) in + ...
 * (files of linear models hold E, this structure does not).
 * in are the inputs as the model names them; those that prescribe a motion act through their two
 * time derivatives as well. Matrices are row-major: A[i * n_states + j]. */
#ifndef ROUTH_LINEAR_H
#define ROUTH_LINEAR_H

#include "routh/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_state_name {
    char *name;   /* "rotor.x", "rotor.rx", ...; velocities "rotor.x'" */
    char *unit;   /* "m", "rad", "m/s", "rad/s"; of the user's states as in the model, or "" */
    char *frame;  /* marker whose axes the component is resolved in: "ground", "rotor"; "" of states
                    that are no component: expressions and controllers' */
    double value; /* at the operating point, in the reference frame: of a displacement the body's
                     centre from the marker of the reference frame, of a rotation 0, as it is
                     counted from here, of the user's states their expression's; of velocities
                     the rate */
} routh_state_name;

/* An input or an output. */
typedef struct routh_signal_name {
    char *name, *unit; /* of the input or output; the unit as in the model, or "" */
    double value;      /* at the operating point */
    double felt; /* of an output: 1 where it feels accelerations or forces of joints, on which what
                     acts from outside the model has an effect at once; else 0 */
} routh_signal_name;

/* A body at the operating point. */
typedef struct routh_body_pose {
    char *name;                 /* of the body */
    double position[3];         /* of the centre of mass, world, m */
    double orientation[9];      /* row-major, columns are the body's axes */
    double velocity[3];         /* world, m/s */
    double angular_velocity[3]; /* world, rad/s */
} routh_body_pose;

/* The operating point that a linear model belongs to. */
typedef struct routh_operating_record {
    char *type;              /* "given", "static" or "state" */
    double time;             /* s */
    double tolerance;        /* that was asked for */
    double constraint_error; /* m or rad */
    int n_bodies;            /* length of `bodies` */
    routh_body_pose *bodies; /* in the order of the model */
} routh_operating_record;

/* A marker as it stands at the operating point and how it moves with the states. */
typedef struct routh_marker_motion {
    char *name;            /* of the marker */
    char *body;            /* "ground" or the body it sits on */
    double position[3];    /* world, m */
    double orientation[9]; /* columns: marker axes in world */
    double *motion;        /* 6 x n_states: displacement (m) and rotation vector (rad), world
                               components */
} routh_marker_motion;

/* A node of a flexible body. */
typedef struct routh_flexible_node {
    int number;            /* as the model counts */
    double undeformed[3];  /* where it would be in the body's frame as that stands; world, m */
    double position[3];    /* at the operating point; world, m */
    double orientation[9]; /* columns: the node's axes in world; of a beam x along it */
    int n;                 /* elastic coordinates of its body that move it in the body's frame */
    int *column;           /* n: which */
    double *motion;        /* 6 x n: displacement (m) and rotation vector (rad) in the frame at unit
                              coordinate, world components */
} routh_flexible_node;

/* A part of a flexible body, an element: its strain energy is 1/2 q.stiffness q in the
 * perturbations q of its coordinates, without what axial forces of the operating point add. Of a
 * body reduced from matrices a part is a node and has the energy about it, nearly. */
typedef struct routh_flexible_part {
    int n;             /* elastic coordinates that strain it */
    int *column;       /* n */
    double *stiffness; /* n x n */
    int n_nodes;       /* of `nodes`, 1 to 4 */
    int nodes[4];      /* places in the body's list */
    double size;       /* of a part that is one node: the mass there, kg; else 0 */
} routh_flexible_part;

/* A flexible body: its frame moves as its marker, its nodes by the elastic coordinates in it. */
typedef struct routh_flexible_body {
    char *name;      /* of the body */
    int marker;      /* of its frame, among the linear model's */
    int n;           /* elastic coordinates */
    double *elastic; /* n x n_states: how they move with the states */
    double radius;   /* m, of the round rod of the same polar moment about its axis; 0: not known */
    int n_nodes;     /* length of `nodes` */
    routh_flexible_node *nodes; /* where it is drawn */
    int n_lines;                /* drawn between two nodes */
    int *lines;                 /* n_lines x 2 places in nodes */
    int n_triangles;            /* drawn between three */
    int *triangles;             /* n_triangles x 3 */
    int n_parts;                /* length of `parts` */
    routh_flexible_part *parts; /* whose strain is distinguished; none: of the whole body alone */
} routh_flexible_body;

typedef enum routh_energy_kind {
    ROUTH_ENERGY_KINETIC,    /* of a body */
    ROUTH_ENERGY_STRAIN,     /* of a load (gravity included), of a flexible body with its geometric
                                stiffness, or of the joints' geometric stiffness */
    ROUTH_ENERGY_DISSIPATION /* power lost in a load or in a flexible body */
} routh_energy_kind;

/* One contribution: energy (or power) = 1/2 v' weight v (power: v' weight v) with v = rows y. */
typedef struct routh_energy_fraction {
    char *name;             /* "body rotor", "load mount" */
    routh_energy_kind kind; /* which energy */
    int n_rows;             /* of `rows` */
    double *rows;           /* n_rows x n_states */
    double *weight;         /* n_rows x n_rows, symmetric */
} routh_energy_fraction;

/* A rotor whose linear model is in multi-blade coordinates. */
typedef struct routh_rotor {
    int n_blades;      /* N */
    double axis[3];    /* of the rotation; the blades follow one another in the positive sense */
    double centre[3];  /* a point on it; world, m */
    double speed;      /* about it, rad/s */
    int n_azimuths;    /* at which the model was made */
    double variation;  /* how much A changes with the azimuth: the largest change of an eigenvalue
                          to second order, over the eigenvalue or the speed, of the 40 slowest */
    int n_rows;        /* of `rows` */
    double *rows; /* n_blades x n_rows x n_states: how each blade moves in axes that rotate with it,
                     at the azimuth of the operating point; weighed by the roots of masses */
} routh_rotor;

/* How many such changes are tried (A_error). */
enum { ROUTH_ERROR_SAMPLES = 4 };

typedef struct routh_linear {
    char *title;                  /* of the model */
    char *file;                   /* of the model, as it was named; "" where there was none */
    char *version;                /* of the program that made it */
    routh_operating_record point; /* where it was taken */
    char *coordinates;            /* "absolute", "euler-parameters", "euler-angles" */
    char *method;       /* "augmented", "minimal", "minimal:qr", "redundant", "penalty", ... */
    int method_by_auto; /* 1: "auto" was asked for, and chose that method */
    char *reference;    /* the marker of the reference frame, "ground" */
    int n_position;     /* states of position */
    int n_velocity;     /* states of velocity: the degrees of freedom */
    int n_control;      /* states of controllers */
    int n_states;       /* n_position + n_velocity + n_control */
    int n_infinite; /* "redundant": infinite eigenvalues of its pencil, deflated by structure; 0 in
                       other methods; and those of motions without inertia, in all */
    routh_state_name *states; /* n_states: positions, velocities, controllers */
    double *A;                /* n_states x n_states: y' = A y + a0 */
    double *A_rest;  /* n_states x n_states: what rounding took from A, so that A + A_rest has some
                       30 digits; NULL where it is not known (routh_linear_options.extended) */
    double *A_error; /* NULL with A_rest; ROUTH_ERROR_SAMPLES matrices of that size, one after the
                        other: how much the entries of A + A_rest change where the model's numbers
                        and the operating point are changed as much as rounding to doubles may */
    int balanced;    /* 1: with A_rest, and in balance with all digits, as options.extended 2 asks:
                        zeros are then known by what samples do to them, or not at all */
    double *affine;  /* a0, n_states */
    double *mass;    /* n_velocity x n_velocity */
    double *damping; /* n_velocity x n_velocity */
    double *stiffness;                   /* n_velocity x n_position */
    double *coupling;                    /* n_velocity x n_control */
    int n_inputs, n_outputs;             /* lengths of `inputs` and `outputs` */
    routh_signal_name *inputs, *outputs; /* in the order of the model, or as asked for */
    double *B, *B1, *B2;                 /* n_states x n_inputs, by in, in', in'' */
    double *C;                           /* n_outputs x n_states */
    double *D, *D1, *D2;                 /* n_outputs x n_inputs */
    double *force, *force1, *force2;     /* n_velocity x n_inputs */
    double residual; /* how far from rest: the largest inertia force of the operating point as a
                        fraction of the largest single force on any body (torques over a typical
                        length); 0 in balance */
    int at_rest;     /* 1: velocities are zero and residual <= 1e-9 */
    double drift;    /* relative change of A along the motion per radian of its fastest part; 0
                        at rest, INFINITY where the motion cannot go on (a dead point) */
    int steady;      /* 1: drift <= 1e-5 and the rates of the states stay as they are, so that the
                        eigenvalues describe stability */
    double error_estimate; /* 0: exact up to rounding; else the estimated error of A, relative to
                              its largest entry, in typical lengths and radians */
    int n_markers;         /* length of `markers` */
    routh_marker_motion *markers; /* how each moves with the states */
    int n_flexible; /* flexible bodies; 0 in a model that was read from a file, which has none */
    routh_flexible_body *flexible; /* n_flexible */
    routh_rotor *rotor;            /* of multi-blade coordinates; NULL of others */
    int n_shares;                  /* length of `shares` */
    routh_energy_fraction *shares; /* by element and kind of energy */
    /* Of a method that is approximate and knows by how much (penalty): n_states eigenvalues of A
     * and how far the exact one may be from each, 1/s; 0 and NULL of all others. */
    int n_bounds;
    double *bound_re, *bound_im, *bound; /* n_bounds each */
    int n_warnings;                      /* length of `warnings` */
    char **warnings;                     /* a sentence each */
    unsigned long long origin; /* the library's own: which operating point of which mechanism it is
                                  of; 0: none, as of a file */
} routh_linear;

ROUTH_API void routh_linear_free(routh_linear *linear); /* NULL is allowed */

/* A sparse matrix in compressed columns: entries of column j are start[j] .. start[j + 1] - 1, with
 * their rows ascending. */
typedef struct routh_sparse {
    int n_rows, n_columns; /* in compressed columns */
    int *start;            /* n_columns + 1 */
    int *row;              /* start[n_columns]: rows, from 0 */
    double *value;         /* likewise: the entries */
} routh_sparse;

/* The same linear model about a state of rest, nothing eliminated: y = (xi, du, lambda) and
 * E y' = A y. linear->n_states of its eigenvalues are those of the mechanism, linear->n_infinite
 * are infinite.
 *     E = diag(I, M, 0),   A = [0 I 0; -K -D -(G'+L); -G 0 0]
 * In motion, and with controllers, variables or joints that hold velocities only, y = (S, W, X, xi,
 * u, u', lambda, X', V), E = diag(I, 0), and no infinite eigenvalue is in a chain.
 * SI units, lengths and angles as in the mechanism's coordinates. */
typedef struct routh_descriptor {
    int n_coordinates;  /* of xi, and of du */
    int n_constraints;  /* of lambda: the independent rows of G */
    int n_differential; /* 0: y = (xi, du, lambda); else n_states, of y = (S, W, X, ..) */
    routh_sparse E, A;  /* square, of the order of y */
    /* What doubles leave of the entries of E and A, in their order, and ROUTH_ERROR_SAMPLES times
     * how much these change where the numbers of the model change as rounding to doubles may, one
     * after the other; NULL where it is not known (routh_linear_options.extended, about a state of
     * rest). */
    double *E_rest, *A_rest, *E_error, *A_error;
    routh_sparse states;  /* n_states rows: (S, W) = states y */
    routh_linear *linear; /* its states and all that is said about it; the matrices are NULL but for
                             A (A_rest, A_error) of y = (S, W, X, ..) with 200 states at most, and
                             there are no markers and no shares */
} routh_descriptor;

ROUTH_API void routh_descriptor_free(routh_descriptor *descriptor); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
