/* Periodic motions: Floquet multipliers and exponents, periodic mode shapes, and the multi-blade
 * coordinates of rotors. A motion that comes back after the period T (bodies may have made whole
 * rotates) is followed by the linear model along it,
 *     y' = A(t) y,      A(t + T) = A(t),      y(t_0 + T) = Y y(t_0),
 * A that of routh_linear_compute in states seen from the ground. The eigenvalues mu of the
 * monodromy matrix Y are the multipliers: the motion is stable where all have |mu| < 1. mu =
 * exp(lambda T) leaves the imaginary part of the exponent lambda open by multiples of 2 pi / T.
 * With the periodic mode shape p,
 *     y(t) = p(t) exp(lambda t) = sum over n of c_n exp((lambda + i n 2 pi / T) t),
 * the exponent that is given is lambda + i n 2 pi / T of the largest c_n. */
#ifndef ROUTH_PERIODIC_H
#define ROUTH_PERIODIC_H

#include "routh/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_floquet_options {
    double period;    /* s; with `autonomous` a guess */
    int autonomous;   /* 1: the period is unknown, and nothing in the model depends on time. Default
                        0 */
    int no_shooting;  /* 1: the motion from the operating point must come back of itself;
                            default 0: a periodic motion near it is searched for (shooting) */
    double tolerance; /* of the multipliers (over 1 or their modulus): steps are halved until two
                         rounds differ by less; 0: the default, 1e-10 */
    int steps;        /* in a round, at first; 0, the default: as the fastest rate asks. Rounded up
                         to a multiple of 64 */
    /* Names of blades in their order around the rotor, either way.
     * Ends with NULL; NULL, the default: none. The states of a blade are those called by its name,
     * with what follows after a dot or an underscore. */
    const char *const *blades;
} routh_floquet_options;

/* Every option at its default. */
ROUTH_API routh_floquet_options routh_floquet_defaults(void);

/* A harmonic of a periodic mode shape. */
typedef struct routh_harmonic {
    int n;         /* exp(i n 2 pi t / T) */
    double share;  /* of the sum of |c_n|^2 over all n, states of position in typical lengths
                          and radians */
    double *shape; /* n_states x 2: c_n, re and im */
} routh_harmonic;

/* A multiplier, or a pair of conjugate ones. */
typedef struct routh_floquet_mode {
    double multiplier[2]; /* re, im >= 0 */
    double modulus;       /* of the multiplier */
    int pair;             /* 1: the conjugate is a multiplier too */
    int trivial;          /* 1: the multiplier 1 of a shift along the motion, where nothing depends
                             on time */
    double exponent[2];   /* 1/s, rad/s, im >= 0: with the harmonic below; NaN, as what follows from
                             it, where the multiplier is no larger than its error */
    double principal;     /* rad/s, the imaginary part between -pi/T and pi/T that it is counted
                             from: exponent[1] = principal + harmonic 2 pi / T */
    int harmonic;         /* of the shape, that is largest: n of routh_harmonic */
    double share;         /* of that harmonic */
    /* of the exponent, as of an eigenvalue */
    double damping_ratio, undamped_frequency_hz, damped_frequency_hz;
    double error;              /* change of the multiplier when the steps were halved last */
    double condition;          /* of the multiplier as an eigenvalue: 1 is best */
    int n_harmonics;           /* length of `harmonics` */
    routh_harmonic *harmonics; /* the largest first, down to a thousandth, at most 9 */
} routh_floquet_mode;

/* A non-smooth point of the forces that the motion passes: a limit that is reached, abs, max and
 * the like. Steps of the round are not ended there, so the error shrinks slowly. */
typedef struct routh_floquet_switch {
    char *element, *what; /* "load stop", "the switch of max" */
    int times;            /* in a round */
    double time;          /* when first, s */
} routh_floquet_switch;

/* The linear model in multi-blade coordinates. Of blade k = 1..N at the azimuth psi_k = s 2 pi t/T
 * + 2 pi (k - 1)/N each state is
 *     a_0 + sum over n of (a_nc cos n psi_k + a_ns sin n psi_k) [+ (-1)^k a_d where N is even],
 * and the a replace it. */
typedef struct routh_multiblade {
    int n_blades, n_states_each; /* states of position of a blade */
    int sense;                   /* s: 1 or -1, whichever leaves the smaller variation */
    int constant;        /* 1: A is constant to 1e-8 in these coordinates: the rotor is isotropic */
    double variation;    /* of A over the azimuth, over its largest entry */
    double before;       /* the same of A in the blades' own states */
    int n_states;        /* length of `names` */
    char **names;        /* of the states in these coordinates */
    double *A;           /* n_states x n_states, row-major: the mean over the azimuth */
    double *eigenvalues; /* n_states x 2: of the mean, 1/s and rad/s */
    double difference;   /* the largest |lambda - lambda_Floquet| modulo 2 pi i / T, 1/s */
    double relative;     /* the same of the multipliers exp(lambda T), over 1 or their modulus */
} routh_multiblade;

/* Free with routh_floquet_free. */
typedef struct routh_floquet {
    double time, period;                  /* s: where the round begins, and its length */
    int autonomous;                       /* as asked for */
    char *coordinates;                    /* that the motion was followed in */
    int n_states, n_position, n_velocity; /* all; states of position; of velocity */
    char **names, **units;                /* of the states, n_states */
    /* ---- the periodic motion */
    double closure; /* how far it is from coming back: typical lengths, radians, and these times
                          2 pi / T */
    int iterations; /* of Newton's method */
    int n_bodies;   /* length of `bodies` */
    routh_body_pose *bodies; /* at its beginning */
    /* ---- the round */
    int steps;         /* of order 8 */
    int n_choices;     /* how often states were chosen along it, the first time counted */
    double *monodromy; /* Y, n_states x n_states, row-major */
    int n_switches;    /* length of `switches` */
    routh_floquet_switch *switches; /* elements that switch along the round */
    /* ---- what it may be off */
    double error;           /* largest change of a multiplier over 1 or its modulus, steps halved */
    double trace;           /* integral of tr A over the period */
    double log_determinant; /* log |det Y|, which is that by Liouville's formula */
    double liouville;       /* |log_determinant - trace| */
    double pairs; /* how far the multipliers are from pairs mu, 1/mu, over the larger of both;
                          rounding for conservative systems */
    /* ---- multipliers, of the largest modulus first */
    int n_modes;               /* length of `modes`: of a pair one */
    routh_floquet_mode *modes; /* with exponents, harmonics and error bounds */
    double largest;            /* modulus, trivial ones left out */
    int stable; /* 1: largest < 1 beyond its error; 0: > 1 beyond it; -1: not determined */
    routh_multiblade *multiblade; /* NULL where no blades were named */
} routh_floquet;

/* The multipliers of the periodic motion near the point. NUMERIC_ERROR where no periodic motion was
 * found, and by how much the last one did not come back; LIMIT_EXCEEDED where the round takes too
 * many steps; BAD_ARGUMENT names blades without states, or unequal ones. options: needed, with a
 * period. */
ROUTH_API routh_status routh_floquet_compute(routh_floquet **floquet,
                                             const routh_mechanism *mechanism,
                                             const routh_operating_point *point,
                                             const routh_floquet_options *options,
                                             routh_error *error);
ROUTH_API void routh_floquet_free(routh_floquet *floquet); /* NULL is allowed */

/* ---- a boundary of stability ----------------------------------------------------------------- */

/* How multipliers come to the unit circle, and the function that changes its sign there. */
typedef enum routh_crossing {
    ROUTH_CROSSING_ONE,       /* mu = 1: det(Y - I) */
    ROUTH_CROSSING_MINUS_ONE, /* mu = -1, the period doubles: det(Y + I) */
    ROUTH_CROSSING_COMPLEX,   /* a pair, or a product mu_i mu_j = 1: product over i < j of
                                 (mu_i mu_j - 1); of conservative systems always zero */
    ROUTH_CROSSING_ANY        /* the only one of these that changes its sign; of COMPLEX and another
                                 the other */
} routh_crossing;

typedef struct routh_boundary_options {
    const char *parameter;   /* of the model, that is varied */
    double from, to;         /* on both sides of the boundary */
    routh_crossing crossing; /* what happens there */
    const char *period;      /* as an expression of the parameters, in the
                              model's unit of time */
    const char *coordinates; /* NULL: absolute */
    double tolerance; /* of the parameter, over the larger of |from| and |to|; 0: 1e-12 */
    int most;         /* rounds of the search; 0: the default, 60 */
} routh_boundary_options;

/* Every option at its default. */
ROUTH_API routh_boundary_options routh_boundary_defaults(void);

typedef struct routh_boundary {
    double value;            /* of the parameter, on the boundary */
    double width;            /* of the interval that holds it at the end */
    double period;           /* there, s */
    double multiplier[2];    /* the one nearest to where it crosses, re, im */
    routh_crossing crossing; /* which it was */
    double largest[2];       /* modulus of a multiplier at `from` and `to` */
    int stable[2];           /* there, as routh_floquet says */
    int evaluations;         /* models whose multipliers were found */
} routh_boundary;

/* The value of a parameter at which a multiplier of the model in the file crosses, by a search that
 * keeps the two sides (Brent 1973). The model is read again for each value, its other parameters as
 * in settings. BAD_ARGUMENT where the function has one sign at both ends; of ANY where none of them
 * changes it, or both of ONE and MINUS_ONE do. options: needed, with parameter and period. */
ROUTH_API routh_status routh_boundary_find(routh_boundary *boundary, const char *path,
                                           const routh_setting *settings, size_t n_settings,
                                           const routh_boundary_options *options,
                                           routh_error *error);

/* The same of a model that is there, however it was made, with the settings that it was made with.
 * BAD_ARGUMENT where it is NULL. */
ROUTH_API routh_status routh_boundary_find_of_model(routh_boundary *boundary,
                                                    const routh_model *model,
                                                    const routh_boundary_options *options,
                                                    routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
