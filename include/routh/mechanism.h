/* From a model to its operating point and its linear model. */
#ifndef ROUTH_MECHANISM_H
#define ROUTH_MECHANISM_H

#include "routh/linear.h"
#include "routh/model.h"
#include "routh/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model compiled for one coordinate set. Immutable; may be shared between threads. The model
 * must outlive it. */
typedef struct routh_mechanism routh_mechanism;

/* The coordinate sets there are: the name of number k = 0, 1, ..; NULL past the last. */
ROUTH_API const char *routh_coordinate_name(int k);

/* coordinates: "absolute" (NULL means that), "euler-parameters", "euler-angles", "relative" or
 * "natural"; any other is NOT_SUPPORTED. */
ROUTH_API routh_status routh_mechanism_compile(routh_mechanism **mechanism,
                                               const routh_model *model, const char *coordinates,
                                               routh_error *error);
ROUTH_API void routh_mechanism_free(routh_mechanism *mechanism); /* NULL is allowed */

/* ---- operating point ------------------------------------------------------------------------ */

typedef enum routh_operating_point_type {
    ROUTH_OPERATING_BY_MODEL, /* what the model file asks for */
    ROUTH_OPERATING_GIVEN,    /* in the reference configuration, assembled, with consistent
                                 velocities and accelerations */
    ROUTH_OPERATING_STATIC,   /* static equilibrium: assembled, at rest, forces balanced, stable */
    ROUTH_OPERATING_STATE,    /* of a state that was given (routh_operating_point_of_state);
                                 nothing to ask routh_operating_point_find for */
    ROUTH_OPERATING_STEADY    /* steady motion: all bodies carried by one frame that rotates and
                                 moves uniformly, with what the model's section `steady`
                                 prescribes */
} routh_operating_point_type;

typedef struct routh_operating_point_options {
    routh_operating_point_type type; /* default ROUTH_OPERATING_BY_MODEL */
    double tolerance;          /* residual of the constraints and of the balance, relative; 0: the
                                  default, 1e-12 */
    int max_iterations;        /* of Newton's method; 0: the default, 200 */
    int accept_unstable;       /* static: 1 accepts an unstable equilibrium; default 0: as the model
                                  says, else one is left for a stable one */
    /* Called on the way, by the thread that made the call, with the steps of Newton's method and
     * others that are done; all is 0, not known. Other than 0: stop with ROUTH_STOPPED, at once but
     * for a factorization that is under way. NULL: not */
    int (*on_progress)(void *data, int done, int all);
    void *data; /* handed to on_progress */
} routh_operating_point_options;

/* Every option at its default. */
ROUTH_API routh_operating_point_options routh_operating_point_defaults(void);

typedef struct routh_body_state {
    const char *name;           /* of the body */
    double position[3];         /* of the centre of mass, of a flexible body its frame; world, m */
    double orientation[9];      /* row-major, columns are the body's axes */
    double velocity[3];         /* world, m/s */
    double angular_velocity[3]; /* world, rad/s */
    int n_elastic;              /* elastic coordinates of a flexible body; 0: of a rigid one, */
    double centre[3];           /* which has not these: the centre of mass, deformed; world, m */
    int deflected_node;   /* the node that is farthest from its undeformed place in the frame, */
    double deflection[3]; /* and by how much; world axes, m */
    double rotation;      /* in the frame, the largest of a node (of solids, of a line), rad, */
    int rotated_node;     /* and which node */
    double strain;        /* in the frame, the largest in size, without bending; compressed: < 0 */
    /* how far the body had to be moved from a state that was given so that the joints hold: m, rad,
     * m/s, rad/s; 0 of points of other types, and where the state stayed as it was */
    double moved, turned, velocity_change, angular_velocity_change;
} routh_body_state;

/* What a joint (or load) does to its first marker: force (N) and torque about the marker's
 * origin (N m), world. */
typedef struct routh_reaction {
    const char *name; /* of the joint or load */
    const char *type; /* "revolute", "bushing", ... */
    int is_load;      /* 1: a load, 0: a joint */
    double force[3];  /* on its first marker, world axes, N */
    double torque[3]; /* about the origin of its first marker, world axes, N m */
} routh_reaction;

/* A redundant constraint row. */
typedef struct routh_redundant_row {
    const char *joint; /* its name */
    const char *row;   /* "origins coincide along z" */
} routh_redundant_row;

typedef enum routh_signal_kind {
    ROUTH_SIGNAL_STATE,    /* of a controller */
    ROUTH_SIGNAL_VARIABLE, /* of the model, algebraic */

    ROUTH_SIGNAL_INPUT, /* from outside */

    ROUTH_SIGNAL_OUTPUT /* an expression that is shown */

} routh_signal_kind;

typedef struct routh_signal {
    routh_signal_kind kind; /* what it is */
    const char *name;       /* as in the model */
    const char *unit;       /* as in the model; "" where none was */
    double value;           /* in its unit */
    double rate;            /* of a state: its time derivative; of others 0 */
    int placed; /* of a state: 1: it was placed where its rate is zero, in a static equilibrium or
                    because no initial value was written */
} routh_signal;

/* A body that rotates steadily about an axis fixed in it. */
typedef struct routh_spin {
    const char *body; /* its name */
    double axis[3];   /* unit vector in the body's axes */
    double rate;      /* against the moving frame, rad/s */
    int prescribed;   /* 1: by the model; 0: found */
    double acceleration; /* rad/s^2, of an accelerated motion */
} routh_spin;

typedef struct routh_prescription {
    const char *name, *unit; /* what is prescribed, and its unit */
    double asked, value;     /* as prescribed; as it is in the motion found */
} routh_prescription;

typedef struct routh_found_input {
    const char *name, *unit; /* of the input; the unit as in the model, or "" */
    double value;            /* that the motion needs */
} routh_found_input;

/* A steady motion. The frame that carries all bodies moves with v = origin_velocity + turn_rate
 * axis x r. */
typedef struct routh_steady {
    double axis[3];            /* of the rotation: unit vector, world */
    double turn_rate;          /* rad/s */
    int turn_rate_prescribed;  /* 1: by the model; 0: found */
    double origin_velocity[3]; /* of the frame's point at the world's origin, m/s */
    double velocity[3];        /* of the mechanism's centre of mass, world, m/s */
    double acceleration;       /* centripetal, of the same point, m/s^2 */
    int accelerated;           /* 1: the frame has a constant acceleration, */
    double frame_acceleration[3]; /* and which; world, m/s^2; else 0 */
    double drift; /* the largest part by which the equations of motion fail, forces over the largest
                     single one, where this very motion is carried on by some radians */
    int n_spins;  /* length of `spins` */
    routh_spin *spins;              /* bodies that rotate in the moving frame */
    int n_prescribed;               /* length of `prescribed` */
    routh_prescription *prescribed; /* by the section `steady` */
    int n_found;                    /* free inputs */
    routh_found_input *found;       /* n_found */
} routh_steady;

/* Names point into the model, which must outlive this. Free with routh_operating_point_free. */
typedef struct routh_operating_point {
    routh_operating_point_type type; /* GIVEN, STATIC, STATE or STEADY: what was done */
    double time;                    /* s */
    double tolerance;               /* that was asked for */
    int n_bodies;                   /* length of `bodies` */
    routh_body_state *bodies;       /* in the order of the model */
    int n_reactions;                /* joints, then loads */
    routh_reaction *reactions;      /* n_reactions */
    int n_signals;                  /* states of controllers, variables, inputs, outputs */
    routh_signal *signals;          /* n_signals */
    routh_steady *steady;           /* of a steady motion; NULL of others */
    int n_redundant;                /* length of `redundant` */
    routh_redundant_row *redundant; /* redundant constraints */
    int rank_clear;                 /* 1: independent and redundant rows are far apart; 0: the count
                                could be otherwise */
    double smallest_pivot;          /* the two figures that decided */
    double largest_rejected;        /* likewise: of the rows that were dropped */
    int degrees_of_freedom;         /* coordinates minus independent constraints */
    int degrees_nearby;             /* the same a little away, a moment before or after, or with
                                       other inputs: fewer in a singular configuration */
    int massless;                   /* 1: the joints leave motions free that have no inertia */
    int singular_at_instant;        /* 1: singular now, but not a moment before or after */
    double constraint_error;        /* largest constraint residual (m, or rad) */
    double residual;                /* see routh_linear.residual */
    int iterations;                 /* of Newton's method */
    const char *arrival;            /* how the search arrived, in words ("by Newton's method from
                                       the start"), of a constant text; NULL: there was none */
    int n_warnings;                 /* length of `warnings` */
    char **warnings;                /* a sentence each */
    struct routh_state *state;      /* q, u, u', lambda, signals in the mechanism's coordinates */
    struct routh_state *base_state; /* the same in absolute coordinates, where the mechanism's
                                       are others; else NULL */
} routh_operating_point;

/* Finds the operating point with accelerations and joint forces. NOT_ASSEMBLED names the joint that
 * cannot be closed; NO_EQUILIBRIUM says how far the search came; SINGULAR and NUMERIC_ERROR name
 * the element; BAD_ARGUMENT: options out of range. Free with routh_operating_point_free. */
ROUTH_API routh_status routh_operating_point_find(routh_operating_point **point,
                                                  const routh_mechanism *mechanism,
                                                  /* NULL: defaults */
                                                  const routh_operating_point_options *options,
                                                  routh_error *error);

/* The same, with the search begun at `start`, an operating point of this mechanism, and not at the
 * initial state of the model; time and inputs are the model's, but the free inputs of a steady
 * motion begin as there. The start is not changed and the point does not refer to it. BAD_ARGUMENT
 * where the type is ROUTH_OPERATING_GIVEN; NOT_SUPPORTED where motions without inertia are free. */
ROUTH_API routh_status routh_operating_point_find_from(routh_operating_point **point,
                                                       const routh_mechanism *mechanism,
                                                       const routh_operating_point *start,
                                                       /* NULL: defaults */
                                                       const routh_operating_point_options *options,
                                                       routh_error *error);
ROUTH_API void routh_operating_point_free(routh_operating_point *point); /* NULL is allowed */

/* ---- an operating point of a state that is given --------------------------------------------- */

typedef struct routh_initial_state_options {
    double tolerance;   /* of the constraints, over the typical length (velocities: and per second,
                         or over the largest speed where that is more); 0: the default, 1e-11. A
                         state that keeps them stays as it is, bit for bit */
    double allowed;     /* how far bodies may be moved to where the joints hold: displacements over
                         the typical length, radians, and velocities over the largest speed; 0: the
                         default, 1e-6; INFINITY: any */
    int max_iterations; /* of Newton's method; 0: the default, 200 */
    int follow_settings; /* 1: inputs whose value in the model depends on parameters that were set
                            when it was read have that value, whatever the state says, and a warning
                            reports it; not those that an event holds, nor the free ones of a steady
                            motion. Coordinates of joints that were set, and are others in the
                            state, are BAD_ARGUMENT. Default 0: the state's count */
} routh_initial_state_options;

/* Every option at its default. */
ROUTH_API routh_initial_state_options routh_initial_state_defaults(void);

/* The operating point at the state: made consistent (routh_body_state.moved and so on say how far),
 * with accelerations and joint forces found. BAD_ARGUMENT names a body or signal that is unknown,
 * wanting or given twice, and numbers that are none; NOT_ASSEMBLED names the body that would have
 * to be moved most, where that is more than allowed. The point does not refer to the state. */
ROUTH_API routh_status routh_operating_point_of_state(routh_operating_point **point,
                                                      const routh_mechanism *mechanism,
                                                      const routh_initial_state *state,
                                                      /* NULL: defaults */
                                                      const routh_initial_state_options *options,
                                                      routh_error *error);

/* routh_operating_point_find, with the search begun at the state and not at the initial state of
 * the model; as routh_operating_point_find_from from the point of the state, but the state need not
 * be at rest and in balance where motions without inertia are free. Of a rough state more is
 * allowed than the default: state_options.allowed = INFINITY. The errors of both. */
ROUTH_API routh_status
routh_operating_point_find_near(routh_operating_point **point, const routh_mechanism *mechanism,
                                const routh_initial_state *state,
                                /* NULL: defaults */
                                const routh_initial_state_options *state_options,
                                /* NULL: defaults */
                                const routh_operating_point_options *options, routh_error *error);

/* The state of an operating point of this mechanism. Names point into the model and the mechanism,
 * which must outlive it; the point need not. Free with routh_initial_state_free. */
ROUTH_API routh_status routh_initial_state_of_point(routh_initial_state **state,
                                                    const routh_mechanism *mechanism,
                                                    const routh_operating_point *point,
                                                    routh_error *error);

/* The rotor of these blades (as of routh_linear_options) in rotation at its rate about an axis at
 * rest, all else at rest but what spins about an axis of its own: the point `from`,
 * brought into balance. The balance is that of the blades in the axes that rotate
 * with them, of all else in the world's, so that blades may be deflected by centrifugal forces and
 * the support by thrust. NO_EQUILIBRIUM names the body that does not keep its place so, as blades
 * under gravity across the axis; BAD_ARGUMENT where blades are not alike. A rotor at rest is one at
 * rate 0. */
ROUTH_API routh_status routh_rotor_point_find(routh_operating_point **point,
                                              const routh_mechanism *mechanism,
                                              const routh_operating_point *from,
                                              const char *const *blades, routh_error *error);

/* ---- branches of motion at a singular configuration ------------------------------------------ */

/* One of the motions that meet in a singular configuration. */
typedef struct routh_branch {
    int degrees_of_freedom; /* on this branch */
    int certain; /* 1: to second order the constraints prove that this motion exists; 0: it meets
                     them to second order, and higher orders were not examined */
    int n_eigenvalues;        /* 2 degrees_of_freedom */
    double (*eigenvalues)[2]; /* re, im in 1/s and rad/s; by modulus, then imaginary part */
    double *motion; /* degrees_of_freedom x n_bodies x 6: displacement of the centre of mass and
                       rotation vector, world; the largest component is 1, where 1 rad counts as
                       1 m. The first direction is the branch's own, the others are of freedoms
                       that all branches share */
} routh_branch;

/* Free with routh_branches_free. Names point into the model. */
typedef struct routh_branches {
    int degrees_of_freedom;    /* to first order, as the operating point has them */
    int nearby;                /* degrees of freedom a little away */
    int singular;              /* 1: the constraints to second order allow less than to first */
    int all;                   /* 1: there are no more branches; 0: these were found */
    int n_bodies;              /* of the mechanism */
    int n;                     /* length of `branches` */
    routh_branch *branches;    /* those that were found */
    int n_undetermined;        /* length of `undetermined` */
    const char **undetermined; /* joints whose forces the balance leaves open, and K with them */
} routh_branches;

/* The branches at an operating point at rest and in balance: directions that keep the constraints
 * to second order, and the eigenvalues of the motion along each, which do not depend on the joint
 * forces that were chosen. Of a configuration that is not singular there are none to distinguish: n
 * is 0. BAD_ARGUMENT where the mechanism moves or is not in balance; NOT_SUPPORTED, LIMIT_EXCEEDED
 * where loads use joint forces, where the branches are more than curves or where there are too many
 * variables. */
ROUTH_API routh_status routh_branches_find(routh_branches **branches,
                                           const routh_mechanism *mechanism,
                                           const routh_operating_point *point, routh_error *error);
ROUTH_API void routh_branches_free(routh_branches *branches); /* NULL is allowed */

/* ---- linearization -------------------------------------------------------------------------- */

typedef struct routh_linear_options {
    const char *method;    /* "augmented" (default), "minimal", or "minimal:" and one of
                              sparse, partition, qr, svd, zero-eigenvalue, gram-schmidt;
                              "redundant"; "penalty", approximate with error bounds; or
                              "difference", an oracle for checks, not exact. "auto": the
                              fastest of the exact ones that fits */
    const char *reference; /* marker of the reference frame, or "moving-frame", that of a steady
                              motion; NULL: what the model asks for, else "ground", or
                              "moving-frame" of a steady motion that rotates */
    const char *const *states; /* wanted states in place of the model's, ends with NULL; NULL:
                                  what the model asks for. What the constraints do not leave
                                  free is dropped. "rotor.rz'", with an apostrophe, is wanted as
                                  a velocity state, where joints leave fewer of these */
    int threads;               /* for the right-hand sides; 0: what OpenMP gives. Default 0 */
    int shares;                /* 1: also energy fractions. Default 1 */
    int markers;               /* 1: also the motion of every marker. Default 1 */
    const char *const *blades; /* the blades of a rotor, in their order around it, ends with NULL:
                                  the linear model in multi-blade coordinates, which is constant;
                                  of a point of routh_rotor_point_find. Bodies of a blade are those
                                  of its name, or of it and a dot or an underscore. Without inputs
                                  and outputs, and extended is not looked at. NULL: none */
    int details;  /* 1: warnings name all states that were added, not the first few. Default 0 */
    int extended; /* 1: the equations are evaluated and solved in extended precision, and each
                     number of the matrices is rounded once, where that can be had: not of large
                     mechanisms, nor of methods that are approximate. 2: and an equilibrium or a
                     steady motion is balanced with all digits beside parts that are up to 1e13
                     times as stiff, without A_rest where it cannot be, as near a fold: for modes
                     that are in doubt otherwise (routh_modes_in_doubt). Default 0 */
    /* Of the penalty method, lambda = lambda_0 + alpha (Phi'' + 2 xi omega Phi' + omega^2 Phi);
     * 0: the default. Negative or not finite: BAD_ARGUMENT. */
    double penalty_alpha; /* over the largest mass; default 1e6 */
    double penalty_xi;    /* damping ratio; default 1 */
    double penalty_omega; /* rad/s; default 10 */
    /* As of routh_operating_point_options: between the method's steps, among right-hand sides of a
     * factorization, and within the searches of "difference". Late in what is dense: products, and
     * the decompositions of minimal:qr, :svd and others, of redundant and of penalty */
    int (*on_progress)(void *data, int done, int all);
    void *data; /* handed to on_progress */
} routh_linear_options;

/* Every option at its default. */
ROUTH_API routh_linear_options routh_linear_defaults(void);

/* The methods there are, each variant by itself ("minimal:qr"): the name of number k = 0, 1, ..;
 * NULL past the last. */
ROUTH_API const char *routh_method_name(int k);

/* The linear model at the operating point. Warnings (user states that were dropped and such) are in
 * linear->warnings. */
ROUTH_API routh_status routh_linear_compute(
    routh_linear **linear, const routh_mechanism *mechanism, const routh_operating_point *point,
    const routh_linear_options *options, /* NULL: defaults */
    routh_error *error);

/* The linear model as a sparse descriptor system, for selected eigenvalues of large mechanisms
 * (routh_modes_select). Only about a state of rest: NOT_SUPPORTED where something moves, is
 * accelerated or has a prescribed motion. Of the options only `reference`, `states` and `details`
 * are used.
 * Free with routh_descriptor_free. */
ROUTH_API routh_status routh_descriptor_compute(routh_descriptor **descriptor,
                                                const routh_mechanism *mechanism,
                                                const routh_operating_point *point,
                                                /* NULL: defaults */
                                                const routh_linear_options *options,
                                                routh_error *error);

/* ---- the same linearization again and again -------------------------------------------------- */

/* Everything that does not change from one operating point of a mechanism to the next, made once:
 * states, patterns, symbolic factorization. The method is minimal:sparse, on one thread; the states
 * and the rows of constraints counted as independent are those chosen at the first point, so points
 * should be neighbours. */
typedef struct routh_linearizer routh_linearizer;

/* point: of this mechanism. reference, states: as in routh_linear_options, may be NULL. The
 * mechanism must outlive it. */
ROUTH_API routh_status routh_linearizer_create(routh_linearizer **linearizer,
                                               const routh_mechanism *mechanism,
                                               const routh_operating_point *point,
                                               const char *reference, const char *const *states,
                                               routh_error *error);
ROUTH_API void routh_linearizer_free(routh_linearizer *linearizer); /* NULL is allowed */

/* The numbers at another point of the same mechanism. Allocates nothing, unless a factorization
 * needs fresh pivots. SINGULAR where the states no longer fix the motion. */
ROUTH_API routh_status routh_linearizer_run(routh_linearizer *linearizer,
                                            const routh_operating_point *point, routh_error *error);

/* The linear model that the last run filled, without markers and energies, and without a look at
 * whether the motion is steady (steady and drift are 0); the linearizer's own. */
ROUTH_API const routh_linear *routh_linearizer_linear(const routh_linearizer *linearizer);

/* ---- joint space, many times a second -------------------------------------------------------- */

/* The state space of a tree in its own joint coordinates: y = (xi, u), xi a small motion of the
 * joints, u their rates,
 *     y' = A y + B tau,      tau: forces and torques along the columns of u (N, N m),
 * A: 2n x 2n and B: 2n x n, row-major, n = routh_joint_space_n_u. For mechanisms compiled in
 * "relative" coordinates without cut joints, motions or other constraints; NOT_SUPPORTED names the
 * element that stands in the way. q has routh_joint_space_n_q numbers: one per hinge, slide or
 * screw, a unit quaternion per ball, whose columns of u are its angular velocity in the axes of the
 * body after it. The mechanism must outlive the space; one thread at a time. Nothing is allocated
 * but by create. */
typedef struct routh_joint_space routh_joint_space;

/* Free with routh_joint_space_free; n_q numbers are q, n_u numbers are u. */
ROUTH_API routh_status routh_joint_space_create(routh_joint_space **space,
                                                const routh_mechanism *mechanism,
                                                routh_error *error);
ROUTH_API void routh_joint_space_free(routh_joint_space *space); /* NULL is allowed */
ROUTH_API int routh_joint_space_n_q(const routh_joint_space *space);
ROUTH_API int routh_joint_space_n_u(const routh_joint_space *space);

/* The body after the joint that column c belongs to, NULL where there is no such column; and
 * whether it is an angle. */
ROUTH_API const char *routh_joint_space_body(const routh_joint_space *space, int column);
ROUTH_API int routh_joint_space_is_angle(const routh_joint_space *space, int column);

/* q, u and u' of an operating point of this mechanism (of another one: NAN); of the reference
 * configuration, with u' = 0, where it is NULL. */
ROUTH_API void routh_joint_space_start(const routh_joint_space *space,
                                       const routh_operating_point *point, double *q, double *u,
                                       double *udot);

/* u' at q and u (NULL: zero) under tau (n_u; NULL: none). SINGULAR names a body that nothing
 * resists. */
ROUTH_API routh_status routh_joint_space_accelerations(routh_joint_space *space, double time,
                                                       const double *q, const double *u,
                                                       const double *tau, double *udot,
                                                       routh_error *error);

/* A and B (each may be NULL: not wanted) at q, u and u' (each of these two may be NULL: zero). */
ROUTH_API routh_status routh_joint_space_evaluate(routh_joint_space *space, double time,
                                                  const double *q, const double *u,
                                                  const double *udot, double *A, double *B,
                                                  routh_error *error);

/* ---- sparsity -------------------------------------------------------------------------------- */

/* Where a matrix has entries that are not zero, in compressed columns: those of column j are
 * row[start[j]] .. row[start[j + 1] - 1], ascending. */
typedef struct routh_pattern {
    const char *name;      /* "M", "[M G'; G 0]", "L", ... */
    const char *about;     /* one line */
    int factor_of;         /* of factors: which pattern they are of, its number; else -1 */
    int n_rows, n_columns; /* in compressed columns */
    int *start;            /* n_columns + 1 */
    int *row;              /* start[n_columns]: rows, from 0, of entries that are not zero */
} routh_pattern;

/* Free with routh_sparsity_free. */
typedef struct routh_sparsity {
    char *title;             /* of the model */
    char *coordinates;       /* "absolute", ... */
    int n;                   /* length of `patterns` */
    routh_pattern *patterns; /* matrices and factors of the equations */
} routh_sparsity;

/* The matrices at the operating point as sparse ones, and their factors (KLU, in its ordering):
 * M, K, D, G, the saddle-point matrix [M G'; G 0] over the independent rows of G with its L and U,
 * and about a state of rest E and A of the descriptor system and A - s E with its L and U. */
ROUTH_API routh_status routh_sparsity_find(routh_sparsity **sparsity,
                                           const routh_mechanism *mechanism,
                                           const routh_operating_point *point, routh_error *error);
ROUTH_API void routh_sparsity_free(routh_sparsity *sparsity); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
