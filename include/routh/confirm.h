/* Eigenvalues verified by simulation: the nonlinear model is excited, its motion sampled, and
 * frequencies and damping are read from the samples, without the linear model. */
#ifndef ROUTH_CONFIRM_H
#define ROUTH_CONFIRM_H

#include "routh/answers.h"
#include "routh/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_verification_options {
    double duration;        /* s, of the response; 0, the default: eight periods of the slowest
                               mode, more where modes lie close together, less where one grows */
    double amplitude;       /* of each mode, typical lengths or radians; 0, the default: 1e-3,
                               and less where the response is not linear to 1e-3 then */
    unsigned seed;          /* of the random phases, any; default 1 */
    double below;           /* Hz: only eigenvalues of at most this modulus over 2 pi; 0, the
                               default: all, but with flexible bodies and beams whose fastest modes
                               are too fast for a record of eight periods of the slowest */
    const char *integrator; /* NULL, the default: the most exact that this build has */
    /* Called by the thread that made the call after every step of integration, with the samples
     * that are recorded and all that are to be, which become more where a smaller amplitude is
     * taken. Other than 0: stop with ROUTH_STOPPED. Late while frequencies are read from a record.
     * NULL: not */
    int (*on_progress)(void *data, int done, int all);
    void *data; /* handed to on_progress */
} routh_verification_options;

/* Every option at its default. */
ROUTH_API routh_verification_options routh_verification_defaults(void);

typedef enum routh_verification_verdict {
    ROUTH_CONFIRMED,    /* found within what it may be off */
    ROUTH_NOT_SEEN,     /* the response does not show it, or not well enough to decide: see why */
    ROUTH_CONTRADICTED, /* found elsewhere, or nothing where it should be plain to see */
} routh_verification_verdict;

/* "confirmed", "not seen", "contradicted" */
ROUTH_API const char *routh_verification_verdict_name(routh_verification_verdict verdict);

/* One eigenvalue of a pair, or a real one. */
typedef struct routh_verified_mode {
    int mode;                      /* its number among the modes; of a pair that with im > 0 */
    double eigenvalue[2];          /* re, im in 1/s and rad/s */
    routh_verification_verdict verdict; /* what the response says of it */
    const char *why;               /* NULL where confirmed */
    double found[2];               /* re, im; NAN where it was not found */
    double bar[2];    /* what these may be off: three standard deviations of the fit, and the two
                        that follow, and the eigenvalue's own error bound */
    double noise[2];  /* standard deviations of the fit */
    double spread[2]; /* what changes in experiments of twice the amplitude and with a coarser
                         integration: what is not linear, and the integrator's error */
    double distance;  /* |found - eigenvalue| over what is allowed: at most 1 where confirmed */
    double size;      /* amplitude found, of the largest channel, in its largest value */
    double peak_hz;   /* of the spectrum, the nearest; NAN where there is none within two lines */
} routh_verified_mode;

/* What the response holds and no eigenvalue explains; larger than ten times `odd`, since what is
 * not linear brings sums of eigenvalues. */
typedef struct routh_unexplained {
    double found[2], bar[2]; /* re, im: an eigenvalue that no mode has, and what it may be off */
    double size;             /* amplitude, as in routh_verified_mode */
} routh_unexplained;

/* Names are the library's own. Free with routh_verification_free. */
typedef struct routh_verification {
    /* ---- the experiment */
    const char *integrator; /* that was used */
    double tolerance;       /* of a step, of the amplitude; of integrators with a fixed step NAN */
    double fixed_step;      /* s; 0: controlled by the tolerance */
    double duration, step;  /* s: of the record, and between samples */
    int n_samples, n_channels; /* of the record; numbers in each */
    int n_runs;        /* starts: as many as the most repeated eigenvalue has copies, up to 3 */
    int n_simulations; /* all, with those at twice the amplitude and coarser steps */
    long n_steps;      /* of integration, of all of them */
    double amplitude;  /* of each mode, typical lengths or radians */
    unsigned seed;     /* of the random phases */
    double below;      /* Hz: faster modes are neither set swinging nor looked for; 0: all are */
    int n_faster;      /* so many eigenvalues, one of each pair */
    double even; /* the part of the response that does not change its sign with the start, over the
                    response: left out by taking half the difference of opposite starts */
    double odd;  /* how much the response over the amplitude changes when that is doubled */
    double residual; /* rms of what the fit of the whole record leaves, of each channel's largest
                        value */
    /* ---- the eigenvalues, but for faster ones */
    int n_modes;                                 /* length of `modes`: of a pair one */
    routh_verified_mode *modes;                  /* in the order of the modes */
    int n_confirmed, n_not_seen, n_contradicted; /* they add up to n_modes */
    int n_unexplained;                           /* length of `unexplained` */
    routh_unexplained *unexplained;              /* what else the response shows */
    /* ---- the spectrum of the response, Hann window */
    const char *transform; /* "own", "fftw" */
    int n_lines;           /* length of `spectrum` */
    double resolution; /* Hz: distance of lines, 1/duration; two modes nearer than two lines share
                          one peak */
    double *spectrum;  /* n_lines, 0 Hz first; channels in their largest values */
    unsigned long long of; /* the library's own: of which linear model; 0: not known */
} routh_verification;

/* linear and modes: with markers (routh_linear_options.markers) and all modes. Whether they are of
 * this mechanism at this point is the question: those of other numbers are contradicted.
 * NOT_SUPPORTED where the motion is not steady in the reference frame, so that responses have no
 * frequencies, and what routh_simulation_create does not support; BAD_ARGUMENT where linear and
 * mechanism do not belong together. An eigenvalue that is contradicted is a result. */
ROUTH_API routh_status routh_verification_run(routh_verification **verification,
                                              const routh_mechanism *mechanism,
                                              const routh_operating_point *point,
                                              const routh_linear *linear, const routh_modes *modes,
                                              /* NULL: defaults */
                                              const routh_verification_options *options,
                                              routh_error *error);
ROUTH_API void routh_verification_free(routh_verification *verification); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
