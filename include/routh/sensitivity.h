/* Exact derivatives of eigenvalues and of the frequency response by the parameters of the model,
 * with the motion of the operating point (Trom 1985, appendix; docs/theory/sensitivity.md). Nothing
 * is differenced. */
#ifndef ROUTH_SENSITIVITY_H
#define ROUTH_SENSITIVITY_H

#include "routh/answers.h"
#include "routh/mechanism.h"
#include "routh/response.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_sensitivity_options {
    const char *const *parameters; /* NULL-terminated names; NULL: all of the model's but for those
                                      that are refused, which warnings name */
    const char *const *states;     /* as routh_linear_options: NULL: the model's, or chosen */
    const char *reference;         /* the reference frame; NULL: the model's */
    const int *numbers; /* which modes are to be shown, counted from 1 as tables do, a pair once */
    int n_numbers;      /* 0: all */
} routh_sensitivity_options;

/* Every option at its default. */
ROUTH_API routh_sensitivity_options routh_sensitivity_defaults(void);

/* The derivatives of mode i (of n_modes) by parameter p (of n_parameters) are at [p * n_modes + i].
 * NaN: of a rigid mode, which stays zero or is not differentiable, and of an eigenvalue so nearly
 * defective that it has no derivative. A parameter that others are written in terms of takes those
 * along; one that is written in terms of others is changed alone, as --set does.
 * 0: also what rounding of the sum that a derivative is could have made alone, and an effect within
 * the error bound of the eigenvalue. */
typedef struct routh_sensitivity {
    int n_parameters;           /* length of `parameters` */
    const char **parameters;    /* names; in the model, which must outlive this */
    const char **labels;        /* names, with the unit that a file of other units than SI has for
                                    what it is of: "spring.k [N/mm]"; in the model too */
    double *values;             /* n_parameters: of the parameters */
    int n_modes;                /* those of the routh_modes, in their order */
    int *number;                /* as tables count them, from 1, a pair once; 0: not to be shown */
    double (*eigenvalues)[2];   /* re, im in 1/s and rad/s */
    int *multiplicity;          /* how many agree to 1e-6 of their size, itself included; then the
                                    derivatives are those of the cluster, which parts along each
                                    parameter by itself, largest real part first */
    double (*eigenvalue_by)[2]; /* 1/s per unit of the parameter */
    double *frequency_by;       /* undamped frequency |s| / 2 pi, Hz per unit */
    double *damping_by;         /* damping ratio -Re s / |s|, per unit */
    double *frequency_effect;   /* unit-free: relative change of the undamped frequency per relative
                                    change of the parameter, p/f df/dp */
    double *damping_effect;     /* change of the damping ratio per relative change, p dzeta/dp */
    int n_warnings;             /* length of `warnings` */
    char **warnings;            /* a sentence each */
    unsigned long long of;      /* the library's own: of which linear model; 0: not known */
} routh_sensitivity;

/* At a static equilibrium, a steady motion, or a state as the model has it, assembled and with
 * velocities completed; NOT_SUPPORTED at a state that was given (ROUTH_OPERATING_STATE). modes:
 * those of the same mechanism at the same point, seen from the same reference frame.
 * NOT_SUPPORTED names the parameter and the element where a parameter that was asked for acts
 * through numbers that are not differentiated; BAD_ARGUMENT names one that the model has not,
 * and a number that no mode has. Free with routh_sensitivity_free. */
ROUTH_API routh_status routh_sensitivity_compute(routh_sensitivity **sensitivities,
                                                 const routh_mechanism *mechanism,
                                                 const routh_operating_point *point,
                                                 const routh_modes *modes,
                                                 /* NULL: defaults */
                                                 const routh_sensitivity_options *options,
                                                 routh_error *error);
ROUTH_API void routh_sensitivity_free(routh_sensitivity *sensitivities); /* NULL is allowed */

/* ---- of the operating point ------------------------------------------------------------------ */

/* Derivatives of a body's state, world axes, per unit of the parameter. */
typedef struct routh_body_change {
    const char *name;   /* of the body */
    double position[3]; /* of the centre of mass, of a flexible body as it is deformed; m */
    double rotation[3]; /* the rotation vector: with dp the body rotates by rotation dp; rad */
    double velocity[3]; /* as routh_body_state, m/s */
    double angular_velocity[3]; /* rad/s */
} routh_body_change;

/* What a parameter does to the operating point. Lists are as long, and in the order, as those of
 * the point. Numbers are per unit of the parameter. */
typedef struct routh_point_change {
    const char *parameter;     /* name; in the model, which must outlive this */
    double value;              /* of the parameter */
    int n_bodies;              /* length of `bodies` */
    routh_body_change *bodies; /* in the order of the model */
    int n_reactions;           /* joints, then loads */
    routh_reaction *reactions; /* n_reactions: derivatives of force and torque */
    int n_signals;             /* length of `signals` */
    routh_signal *signals;     /* states of controllers, variables, inputs, outputs: derivatives of
                                  value and rate */
    double turn_rate;          /* of a steady motion, about its axis, rad/s; of others 0 */
    int n_spins;               /* length of `spins` */
    routh_spin *spins;         /* of a steady motion: derivatives of the rates, and of their
                                  accelerations */
} routh_point_change;

/* NaN: not determined, for the reason that a warning gives: the force of a joint that redundant
 * constraints leave open, and at a static equilibrium what a motion without stiffness changes. */
typedef struct routh_point_sensitivity {
    int n_parameters;       /* length of `by` */
    routh_point_change *by; /* n_parameters */
    int n_warnings;         /* length of `warnings` */
    char **warnings;        /* a sentence each */
} routh_point_sensitivity;

/* At points as routh_sensitivity_compute. Of options, `parameters` counts alone. A parameter counts
 * wherever it acts: in forces, masses, joints, and where bodies are placed or how they move at
 * first. Of a steady motion, which is the same at any place along itself, the derivatives are those
 * of the motion whose bodies move least. NOT_SUPPORTED, BAD_ARGUMENT as routh_sensitivity_compute;
 * SINGULAR where a parameter that is named leaves no such point near: of all parameters it is left
 * out, with a warning. NOT_SUPPORTED names a force that redundant constraints leave open where the
 * balance itself depends on it. Free with routh_point_sensitivity_free. */
ROUTH_API routh_status routh_point_sensitivity_compute(
    routh_point_sensitivity **sensitivities, const routh_mechanism *mechanism,
    const routh_operating_point *point,
    const routh_sensitivity_options *options, /* NULL: defaults */
    routh_error *error);
ROUTH_API void routh_point_sensitivity_free(
    routh_point_sensitivity *sensitivities); /* NULL is allowed */

/* ---- of the linear model --------------------------------------------------------------------- */

/* What a parameter does to the matrices of the linear model, each of the shape and in the order of
 * that of routh_linear with its name; per unit of the parameter, SI units. */
typedef struct routh_matrix_change {
    const char *parameter;           /* name; in the model, which must outlive this */
    double value;                    /* of the parameter */
    double *A, *B, *B1, *B2;         /* n_states x n_states; n_states x n_inputs */
    double *C, *D, *D1, *D2;         /* n_outputs x n_states; n_outputs x n_inputs */
    double *mass, *damping;          /* n_velocity x n_velocity */
    double *stiffness;               /* n_velocity x n_position */
    double *coupling;                /* n_velocity x n_control */
    double *force, *force1, *force2; /* n_velocity x n_inputs */
} routh_matrix_change;

typedef struct routh_matrix_sensitivity {
    int n_parameters;                                                     /* length of `by` */
    routh_matrix_change *by;                                              /* n_parameters */
    int n_states, n_position, n_velocity, n_control, n_inputs, n_outputs; /* of the linear model */
    int n_warnings;                                                       /* length of `warnings` */
    char **warnings;                                                      /* a sentence each */
} routh_matrix_sensitivity;

/* Exact derivatives of A, B, C, D and of the matrices of second order by parameters, with what they
 * move of the operating point. linear: of the same mechanism at the same point, by any method; the
 * states are its states. Options: `parameters` counts alone. NOT_SUPPORTED and BAD_ARGUMENT as
 * routh_sensitivity_compute, and NOT_SUPPORTED names a state that is not among those derivatives
 * are found with. Free with routh_matrix_sensitivity_free. */
ROUTH_API routh_status routh_matrix_sensitivity_compute(
    routh_matrix_sensitivity **sensitivities, const routh_mechanism *mechanism,
    const routh_operating_point *point, const routh_linear *linear,
    const routh_sensitivity_options *options, /* NULL: defaults */
    routh_error *error);
ROUTH_API void routh_matrix_sensitivity_free(
    routh_matrix_sensitivity *sensitivities); /* NULL is allowed */

/* ---- of shapes ------------------------------------------------------------------------------ */

/* By parameter p, of the k-th of the modes that have derivatives: at p * n_modes + k. */
typedef struct routh_shape_sensitivity {
    int n_parameters;        /* length of `parameters` */
    const char **parameters; /* names; in the model, which must outlive this */
    double *values;          /* n_parameters: of the parameters */
    int n_modes;             /* of each pair the one with im > 0, and the real ones */
    int *modes;              /* n_modes: which of the routh_modes */
    char **held;  /* n_modes: what stays 1 and real, scale and phase with it: "tip: displacement z"
                    of a marker in world axes, or a state */
    int n_states; /* of the linear model */
    double *shape_by; /* from [2 * n_states * (p * n_modes + k)] on as routh_mode's shape */
    double (*eigenvalue_by)[2]; /* they come out with them */
    int n_warnings;             /* of modes and parameters that are left out, and why */
    char **warnings;            /* a sentence each */
} routh_shape_sensitivity;

/* Of the shapes as routh_modes_compute scales them: the component of a marker's motion that is 1
 * stays 1 (also where another one becomes the larger), where no marker moves or the linear model
 * has none the state. Of simple eigenvalues; those that are repeated within their error bounds,
 * rigid or nearly defective are left out with a warning. One sparse complex factorization a mode,
 * and a solution for each parameter.
 *
 * linear: of the same mechanism at the same point; modes: all of its own. options: parameters and
 * numbers count. NOT_SUPPORTED as routh_sensitivity_compute, and where a state of the linear
 * model is not among those derivatives are found with. Free with routh_shape_sensitivity_free. */
ROUTH_API routh_status routh_shape_sensitivity_compute(
    routh_shape_sensitivity **sensitivities, const routh_mechanism *mechanism,
    const routh_operating_point *point, const routh_linear *linear, const routh_modes *modes,
    const routh_sensitivity_options *options, /* NULL: defaults */
    routh_error *error);
ROUTH_API void routh_shape_sensitivity_free(
    routh_shape_sensitivity *sensitivities); /* NULL is allowed */

/* ---- of the frequency response --------------------------------------------------------------- */

typedef struct routh_response_sensitivity_options {
    const char *const *parameters; /* as routh_sensitivity_options */
    const double *hz;              /* n_hz frequencies, 0 or more; NULL: those of the response */
    int n_hz;                      /* length of `hz` */
} routh_response_sensitivity_options;

/* A peak of a channel, or an antiresonance, as parameters move it. Of the height
 *     d|H|/dp  at the peak's frequency as it stands,    as d|H|/df = 0 there,
 * and of the frequency - d(d|H|^2/df)/dp / (d^2|H|^2/df^2). NaN at an undamped pole, and where H is
 * 0. */
typedef struct routh_peak_sensitivity {
    int input, output, minimum;           /* as in the response */
    double hz, magnitude;                 /* where it is; |H| there */
    double *hz_by, *magnitude_by;         /* n_parameters: Hz and unit of H, per unit */
    double *hz_effect, *magnitude_effect; /* unit-free: p/f df/dp, p/|H| d|H|/dp */
} routh_peak_sensitivity;

/* By parameter p, at frequency k, of channel c = output * n_inputs + input: at
 * [(p * n + k) * n_channels + c]. NaN: at a pole. */
typedef struct routh_response_sensitivity {
    int n_parameters;                    /* length of `parameters` */
    const char **parameters;             /* names; in the model, which must outlive this */
    double *values;                      /* n_parameters: of the parameters */
    int n_inputs, n_outputs, n_channels; /* n_channels = n_outputs n_inputs */
    char **inputs, **input_units, **outputs, **output_units; /* names; units as in the model, or
                                                                "" */
    int n;                                                   /* frequencies */
    double *hz;                                              /* n */
    double (*H)[2];                                          /* n x n_channels: re, im */
    double (*by)[2];                                         /* dH/dp: re, im */
    double *magnitude_by;          /* d|H|/dp; NaN where H is 0, as the next two */
    double *phase_by;              /* rad per unit */
    double *magnitude_effect;      /* unit-free: p/|H| d|H|/dp */
    int n_peaks;                   /* length of `peaks` */
    routh_peak_sensitivity *peaks; /* by channel, then by frequency */
    int n_warnings;                /* length of `warnings` */
    char **warnings;               /* a sentence each */
} routh_response_sensitivity;

/* linear: of the same mechanism at the same point. response: of that linear model, computed by
 * routh_response_compute with these options. One sparse complex factorization and a solution for
 * every input and, transposed, every output at each frequency, whatever the number of parameters.
 *
 * NOT_SUPPORTED as routh_sensitivity_compute, of a response by sparse factors, and of a state
 * that is not among those derivatives are found with; BAD_ARGUMENT for a response that is not of
 * these options, and for frequencies below 0. Free with routh_response_sensitivity_free. */
ROUTH_API routh_status routh_response_sensitivity_compute(
    routh_response_sensitivity **sensitivities, const routh_mechanism *mechanism,
    const routh_operating_point *point, const routh_linear *linear, const routh_response *response,
    const routh_response_options *response_options,
    const routh_response_sensitivity_options *options, /* NULL: all parameters */
    routh_error *error);
ROUTH_API void routh_response_sensitivity_free(
    routh_response_sensitivity *sensitivities); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
