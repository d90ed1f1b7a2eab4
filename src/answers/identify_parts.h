/* What the files of this room do of an identification. */
#ifndef RT_ANSWERS_IDENTIFY_PARTS_H
#define RT_ANSWERS_IDENTIFY_PARTS_H

#include <complex.h>
#include <stdbool.h>

#include "answers/identify.h"

/* clang knows no CMPLX here */
static inline double _Complex rt_from_parts(double re, double im) { return re + im * I; }

/* Sizes and finite numbers; at least `least` samples. */
routh_status rt_check_record(const rt_sampled_record *record, int least, routh_error *error);

/* scale[n_channels]: the largest |y| of each channel over all runs; 1 of one that is zero. */
void rt_channel_scales(const rt_sampled_record *record, double *scale);

/* ---- thinning out ---------------------------------------------------------------------------- */

/* y'_m = sum_j h_j y_(m d + j): free responses stay sums of the same exponentials, the amplitude of
 * each multiplied by sum_j h_j exp(s j step). */
typedef struct rt_thinned {
    rt_sampled_record record; /* channels counted in their scales */
    int factor;       /* d; 1: h = [1] */
    int n_taps;
    const double *taps;
    double step; /* of the record before */
} rt_thinned;

enum { RT_TAPS = 40 }; /* times d */

/* The first n samples of the record by `factor`. */
routh_status rt_thin_out(rt_thinned *thinned, const rt_sampled_record *record, const double *scale,
                         int n, int factor, rt_arena *arena, routh_error *error);

/* sum_j h_j exp(s j step) */
double _Complex rt_thinned_gain(const rt_thinned *thinned, double re, double im);

/* ---- subspace -------------------------------------------------------------------------------- */

/* The right singular vectors of the block Hankel matrix, and the orders that its singular values
 * suggest. */
typedef struct rt_subspace {
    int n_columns, n_pairs, n_channels;
    int first_shift; /* delay number i is followed one sample later by number i + first_shift */
    double step;
    double *sigma, *vt; /* n_columns; n_columns square */
    int order;          /* above the noise */
    int most;           /* no more than this */
} rt_subspace;

routh_status rt_subspace_find(rt_subspace *subspace, const rt_sampled_record *record,
                              const rt_identify_options *options, rt_arena *arena,
                              routh_error *error);

/* exp(s step) of that order: z (order) real and imaginary parts, pairs adjacent, into s = log z /
 * step; negative real z have an imaginary part of pi / step and no partner. (allocates) */
routh_status rt_subspace_poles(const rt_subspace *subspace, int order, double *re, double *im,
                               rt_arena *arena, routh_error *error);

/* ---- sections and their fit ------------------------------------------------------------------ */

/* One or two exponentials. Two are s = mu +- sqrt(delta), in
 *     c(t) = exp(mu t) cosh(sqrt(delta) t),      w(t) = exp(mu t) sinh(sqrt(delta) t) / sqrt(delta)
 * which are smooth in mu and delta where a pair turns real, and at a double one. */
typedef struct rt_sampled_section {
    int n;
    double mu, delta;
} rt_sampled_section;

/* value[n], and derivatives by mu and delta: slope[2 n], value by value. */
void rt_section_basis(const rt_sampled_section *section, double t, double *value, double *slope);

/* What rounding makes of samples, basis and elimination, where the largest sample is 1. */
#define RT_ROUNDING 1e-14

/* Sections fitted to a record: least squares over all series at once, amplitudes eliminated. */
typedef struct rt_fit {
    double noise; /* standard deviation that is there at least */
    int n_sections;
    rt_sampled_section *sections; /* room for max_sections */
    int max_sections;
    int n_columns;      /* of all sections */
    double *amplitude;  /* n_columns x n_series, row-major */
    double rss;         /* sum of squares of the residual */
    double *covariance; /* of (mu, delta) of all sections, each channel with a noise of its own:
                           2 n_sections square; rows of a single exponential's delta are zero */
    double *gain;       /* n_sections: how much rss grows without it, amplitudes of the others
                          fitted anew */
} rt_fit;

/* Moves mu and delta to the least rss (Golub and Pereyra 1973, Kaufman 1975), and fills everything.
 * A section that follows from others is not fitted but told by a gain of 0, those of the others and
 * rss being infinite. */
routh_status rt_fit_refine(rt_fit *fit, const rt_sampled_record *record, routh_error *error);

/* Makes a fit of the poles, whose noise is set, and drops what is not needed. */
routh_status rt_fit_poles(rt_fit *fit, const rt_sampled_record *record, int n, const double *re,
                          const double *im, rt_arena *arena, routh_error *error);

/* The variance of one sample's noise that a fit leaves. */
double rt_fit_variance(const rt_fit *fit, const rt_sampled_record *record);

/* Modes of a fit, in the window. */
routh_status rt_modes_of_fit(rt_window *window, const rt_fit *fit, const rt_thinned *thinned,
                             const double *scale, rt_arena *arena, routh_error *error);

#endif
