/* Frequency response of a linear model: from inputs to outputs.
 *     H(s) = C (s I - A)^-1 (B + s B1 + s^2 B2) + D + s D1 + s^2 D2,   s = 2 pi i f
 * An input is one of the model's own; or a force on a position state, which does work on that state
 * alone (N on one in m, N m on one in rad); or the ground, moved along x, y or z. An output is one
 * of the model's own or a state. */
#ifndef ROUTH_RESPONSE_H
#define ROUTH_RESPONSE_H

#include "routh/answers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum routh_base_axis {
    ROUTH_BASE_NONE, /* it is none */

    ROUTH_BASE_X, /* the ground moves along x */

    ROUTH_BASE_Y, /* along y */

    ROUTH_BASE_Z /* along z */

} routh_base_axis;

/* What inputs that prescribe a motion, or the ground, count as. */
typedef enum routh_motion_reference {
    ROUTH_DISPLACEMENT, /* H */

    ROUTH_VELOCITY,    /* H / s */
    ROUTH_ACCELERATION /* H / s^2 */
} routh_motion_reference;

/* Spectra of inputs: powers in (unit of the input)^2 / Hz over positive frequencies, so that the
 * mean square is their integral from 0 on. */
typedef struct routh_spectrum routh_spectrum;

/* A CSV file. Its first line names the columns: "hz", then inputs ("road"), and for correlated ones
 * the real and imaginary part of S_ab = mean of a conj(b) as "road:load", "road:load:im" (left out:
 * 0). Between its frequencies log S is a straight line over log f, beyond them S is 0. FILE_ERROR,
 * SYNTAX_ERROR with the line. Free with routh_spectrum_free. */
ROUTH_API routh_status routh_spectrum_read(routh_spectrum **spectrum, const char *path,
                                           routh_error *error);

/* "road=1e-6/f^2; load=3": expressions of f in Hz, inputs not correlated. */
ROUTH_API routh_status routh_spectrum_parse(routh_spectrum **spectrum, const char *text,
                                            routh_error *error);
ROUTH_API void routh_spectrum_free(routh_spectrum *spectrum); /* NULL is allowed */

typedef struct routh_response_options {
    const char *inputs;   /* names, with commas between; NULL: all that the model names */
    const char *outputs;  /* likewise */
    routh_base_axis base; /* the ground is an input too (the only one where inputs is NULL). Needs
                             the energy fractions of the linear model */
    routh_motion_reference reference; /* of the ground and of inputs that act through in'' */
    double low, high; /* Hz; both 0, the default: about the first twelve frequencies */
    int n_points;     /* so many frequencies, evenly on a logarithmic scale; 0, the default: where
                         they are needed */
    double error; /* then: of a straight line in H over log f between neighbours, over the larger
                     |H| there; 0: the default, 1e-2 */
    double modal_high; /* Hz: modes above it enter the superposition by what they do at rest alone;
                          0, the default: all are kept */
    const routh_spectrum *spectrum; /* of random inputs; NULL, the default: none. Inputs that it
                                       does not name are still */
    const double *hz; /* in place of low, high and n_points: these frequencies, ascending, Hz; */
    int n_hz;         /* 0, the default: none */
} routh_response_options;

/* Every option at its default. */
ROUTH_API routh_response_options routh_response_defaults(void);

/* A local maximum of |H|, or a minimum (antiresonance), refined to rounding. */
typedef struct routh_response_peak {
    double hz, magnitude, phase; /* phase in rad */
    int minimum;                 /* 1: a dip of |H|; 0: a peak */
} routh_response_peak;

typedef struct routh_response_channel {
    int input, output;  /* which of the response */
    double static_gain; /* H(0), real; INFINITY where a free motion is driven and seen, NAN where
                           this cannot be reported */
    int n_peaks;        /* length of `peaks` */
    routh_response_peak *peaks; /* by frequency */
    double largest, largest_hz; /* of |H| in the range, refined; INFINITY at an undamped pole */
    int n_zeros;                /* finite transmission zeros; -1: not known, see zeros_why */
    double *zeros;              /* n_zeros x 2: re, im, 1/s, by modulus */
    double *zero_bounds;        /* n_zeros: how far the true one is at most, 1/s */
    int *zero_multiplicities;   /* n_zeros: how many are one within their bounds, itself included:
                                   these are given at their mean */
    const char *zeros_why;      /* why they are not known; NULL: they are, or were not asked for */
    int n_poles_at_rest; /* further poles of this channel at s = 0: of a motion that is counted by
                            its velocity or acceleration */
    double gain; /* with them: H(s) = gain prod (s - zero) / (s^n_poles_at_rest prod (s - pole)) */
    double modal_difference; /* largest |H - modal H| over the largest |H| of the grid; NAN where
                                there is no superposition */
} routh_response_channel;

typedef struct routh_random_output {
    double mean_square, rms; /* over the range of the response */
    double error;            /* of the mean square, estimated by the quadrature */
    double *shares; /* n_shares: of the mean square, mode by mode: the covariance of what the mode
                       does with the whole, over the whole; may be negative */
} routh_random_output;

typedef struct routh_random {
    double *psd; /* n x n_outputs, at the frequencies of the response: S = H S_in H^H */
    routh_random_output *outputs; /* n_outputs */
    int n_shares, *modes;         /* modes, of a pair one; what is missing of 1 in the sum of shares
                                     comes from zero eigenvalues and from direct ways. 0 where there
                                     is no superposition */
    int by_modes; /* 1: H was superposed from modes, which agree with the direct one to 1e-10 */
} routh_random;

typedef struct routh_response {
    int n_inputs, n_outputs;                                 /* lengths of `inputs` and `outputs` */
    char **inputs, **input_units, **outputs, **output_units; /* names; units as in the model, or
                                                                "" */
    int n;                                                   /* frequencies */
    double *hz;                                              /* n, ascending */
    double *re, *im; /* n x n_outputs x n_inputs: [(k * n_outputs + output) * n_inputs + input] */
    double error;    /* largest estimate of an interval, as the option says; 0 for given points */
    int limited;     /* 1: some intervals are too short to be halved (an undamped pole) */
    int order;       /* of the system that was solved at every frequency */
    int sparse;      /* 1: by sparse factors */
    int n_solves;    /* factorizations */
    int n_modal;     /* modes kept in the superposition; -1: there is none, see modal_why */
    const char *modal_why;   /* why there is no superposition; NULL: there is one */
    double modal_difference; /* the largest of the channels */
    int n_poles;             /* all eigenvalues; 0 where only some are known */
    double *poles;           /* n_poles x 2: re, im, 1/s, as the modes are sorted */
    int n_channels;          /* n_outputs x n_inputs, outputs first: [output * n_inputs + input] */
    routh_response_channel *channels; /* n_outputs x n_inputs */
    routh_random *random;             /* NULL where no spectrum was given */
    unsigned long long of; /* the library's own: of which linear model; 0: not known */
} routh_response;

/* modes: all of that linear model. Direct solves at every frequency: of the dynamic stiffness
 * s^2 M + s D + K with the controllers beside it where the velocities are rates of the positions,
 * else of s E - F. The superposition of modes is computed beside, and its difference reported.
 *
 * BAD_ARGUMENT for names that are not there, a model without inputs or outputs where none are
 * named, a range that is none; NOT_SUPPORTED for the ground or a force on a state where the model
 * does not hold what they need. Free with routh_response_free. */
ROUTH_API routh_status routh_response_compute(routh_response **response, const routh_linear *linear,
                                              const routh_modes *modes,
                                              const routh_response_options *options,
                                              routh_error *error);

/* Of a large mechanism about rest, nothing eliminated: complex sparse factors (KLU), refactored at
 * every frequency on one pattern. Inputs are forces on states, outputs states; the range and the
 * modes about which the grid is dense at first are those given (may be NULL: then low, high are
 * needed). No superposition, no zeros. */
ROUTH_API routh_status routh_response_compute_sparse(routh_response **response,
                                                     const routh_descriptor *descriptor,
                                                     const routh_modes *modes,
                                                     const routh_response_options *options,
                                                     routh_error *error);

/* Writes it as .mat, .h5 or .npz (format "mat", "hdf5", "npz"; NULL: by the name of the file), with
 * title and program from the linear model. BAD_ARGUMENT for other formats; FILE_ERROR. */
ROUTH_API routh_status routh_response_save(const routh_response *response,
                                           const routh_linear *linear, const char *path,
                                           const char *format, routh_error *error);
ROUTH_API void routh_response_free(routh_response *response); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
