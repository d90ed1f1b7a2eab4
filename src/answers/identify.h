/* Frequencies and damping from sampled free responses.
 *
 *     y_cr(t) = sum_k Re(a_kcr exp(s_k t))       channel c of run r
 *
 * Runs are responses of one system from different starts: what is repeated shows only in several of
 * them. Nothing here knows what was sampled. */
#ifndef RT_ANSWERS_IDENTIFY_H
#define RT_ANSWERS_IDENTIFY_H

#include "base/arena.h"
#include "base/error.h"

/* Samples k = 0 .. n_samples - 1 at k step: y[(run n_channels + channel) n_samples + k]. */
typedef struct rt_sampled_record {
    int n_runs, n_channels, n_samples;
    double step; /* s */
    const double *y;
} rt_sampled_record;

/* ---- spectrum -------------------------------------------------------------------------------- */

typedef struct rt_peak {
    double frequency; /* Hz, interpolated between lines (Grandke 1983) */
    double amplitude; /* of the spectrum there, interpolated */
} rt_peak;

/* Of a record under a Hann window. A sine of amplitude a shows as a. Channels are counted in their
 * own largest values, and of all channels and runs the root of the sum of squares is taken. */
typedef struct rt_sampled_spectrum {
    int n;             /* lines, 0 Hz first */
    double resolution; /* 1 / record, Hz: the distance of lines, and the error of a peak. Two
                          modes nearer than twice that share one peak */
    double *amplitude; /* n */
    int n_peaks;
    rt_peak *peaks; /* by frequency; lines larger than their neighbours and than `floor` */
    double floor;
    const char *transform; /* "own", "fftw" */
} rt_sampled_spectrum;

/* Arrays in the arena. floor: of peaks, as a fraction of the largest line. BAD_ARGUMENT where there
 * are fewer than 8 samples. */
routh_status rt_spectrum_find(rt_sampled_spectrum *spectrum, const rt_sampled_record *record,
                              double floor, rt_arena *arena, routh_error *error);

/* ---- modes ----------------------------------------------------------------------------------- */

/* s and, where im > 0, its conjugate. */
typedef struct rt_found_mode {
    double re, im;           /* 1/s, rad/s */
    double sd_re, sd_im;     /* standard deviations, by first-order perturbation of the fit under
                                noise as large as what the fit leaves */
    int copies;              /* independent motions with this s, as far as the runs show them: the
                                rank of the amplitudes over runs and channels */
    double size;             /* largest amplitude at t = 0 over runs and channels, each channel
                                counted in its largest value */
    const double *amplitude; /* a at t = 0: n_runs x n_channels x 2; NULL of the second of a double
                                real one */
    int n_orders;            /* of three orders of the subspace, how many have it */
    int window;              /* which of the windows it was found in */
} rt_found_mode;

/* The beginning of the record, thinned out. */
typedef struct rt_window {
    double duration; /* s */
    double step;     /* s */
    int n_samples, order;
    double residual; /* rms of what the fit leaves, each channel counted in its largest value */
    double band;     /* rad/s: modes are taken from here up to this |s| */
    int n_modes;
    rt_found_mode *modes; /* all that were found here, by |s| */
} rt_window;

typedef struct rt_identified {
    int n_windows;
    rt_window *windows; /* the longest first, each a quarter of the one before */
    int n_modes;
    rt_found_mode *modes; /* each once, from the window that knows it best; by |s| */
} rt_identified;

typedef struct rt_identify_options {
    int max_order;    /* of real exponentials in one window; default 60 */
    int most_samples; /* of a window after thinning out; default 480 */
    double noise;     /* known to be there at least, standard deviation over the largest value of
                         each channel; default 1e-14, of rounding */
} rt_identify_options;

rt_identify_options rt_identify_defaults(void);

/* Everything in the arena. BAD_ARGUMENT where there are fewer than 16 samples, or a number is not
 * finite. A record of zeros has no modes. */
routh_status rt_identify(rt_identified *found, const rt_sampled_record *record,
                         const rt_identify_options *options, rt_arena *arena, routh_error *error);

#endif
