/* What is asked of a linear model: from which inputs to which outputs; and how it is evaluated.
 *
 * All ways give H(s) and, where wanted, dH/ds, n_outputs x n_inputs, row-major. */
#ifndef RT_ANSWERS_RESPONSE_TRANSFER_H
#define RT_ANSWERS_RESPONSE_TRANSFER_H

#include <complex.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/complex_factor.h"
#include "base/error.h"
#include "routh/response.h"

/* ---- channels -------------------------------------------------------------------------------- */

typedef enum rt_channel_kind {
    RT_CHANNEL_OWN,   /* an input or output of the model */
    RT_CHANNEL_STATE, /* a force on a position state, or a state seen */
    RT_CHANNEL_BASE   /* the ground */
} rt_channel_kind;

typedef struct rt_channel {
    rt_channel_kind kind;
    int index; /* of the model's input, output or state; 0, 1, 2 of the ground's axes */
    char *name, *unit;
} rt_channel;

typedef struct rt_channels {
    int n_in, n_out;
    rt_channel *in, *out;
} rt_channels;

/* own: the model's inputs and outputs may be taken. */
routh_status rt_channels_find(rt_channels *channels, const routh_linear *linear,
                              const routh_response_options *options, bool own, rt_arena *arena,
                              routh_error *error);

/* ---- the system of equations at a frequency -------------------------------------------------- */

enum { RT_Z = 3, RT_R = 4, RT_C = 2, RT_D = 4 };

/* Z(s) x = R(s) in,  out = C(s) x + D(s) in: polynomials in s with real coefficients. */
typedef struct rt_system {
    int n, n_in, n_out;
    double *Z[RT_Z];           /* dense, n x n, column-major; or by the entries of the pattern */
    const rt_pattern *pattern; /* NULL: dense */
    double *R[RT_R];           /* n x n_in, column-major */
    double *C[RT_C];           /* n_out x n, row-major */
    double *D[RT_D];           /* n_out x n_in, row-major */
} rt_system;

routh_status rt_system_make(rt_system *system, const routh_linear *linear,
                            const rt_channels *channels, rt_arena *arena, routh_error *error);
routh_status rt_system_make_sparse(rt_system *system, const routh_descriptor *descriptor,
                                   const rt_channels *channels, rt_arena *arena,
                                   routh_error *error);

/* Only C[0] (n_out x n_states) and D, of outputs on the states y. */
routh_status rt_outputs_find(rt_system *seen, const routh_linear *linear,
                             const rt_channels *channels, rt_arena *arena, routh_error *error);

/* Forces on W (n_velocity x n_in, row-major) by in, in', in'' of one channel, and rates of S and X
 * (n_states x n_in in B; rows of W are left zero). */
typedef struct rt_loads {
    double *force[3], *rate[3];
} rt_loads;
routh_status rt_loads_find(rt_loads *loads, const routh_linear *linear, const rt_channels *channels,
                           rt_arena *arena, routh_error *error);

/* All as rates of the states, by in, in', in'': y' = A y + B[0] in + ..; n_states x n_in,
 * column-major. */
routh_status rt_rates_find(double *const B[3], const routh_linear *linear, const rt_loads *loads,
                           int n_in, rt_arena *arena, routh_error *error);

/* ---- ways of evaluating ---------------------------------------------------------------------- */

typedef struct rt_transfer rt_transfer;
struct rt_transfer {
    int n_in, n_out;
    /* dH: NULL, not wanted. SINGULAR at a pole. Allocates nothing. */
    routh_status (*evaluate)(rt_transfer *transfer, double _Complex s, double _Complex *H,
                             double _Complex *dH, routh_error *error);
    int n_solves;
};

typedef struct rt_direct {
    rt_transfer transfer; /* first */
    const rt_system *system;
    double _Complex *Z, *X, *dX;
    int *pivots;
    rt_complex_factor *factor; /* of a sparse one */
} rt_direct;

routh_status rt_direct_create(rt_direct *direct, const rt_system *system, rt_arena *arena,
                              routh_error *error);
void rt_direct_release(rt_direct *direct);

/* H = sum over the modes kept of c_k b_k(s) / (s - lambda_k) + C0 (s I - J)^-1 b_0(s) - sum over
 * the others of c_k b_k(s) / lambda_k + D(s), J the nilpotent block of the zero eigenvalues. */
typedef struct rt_modal {
    rt_transfer transfer; /* first */
    int n, n_zero, n_kept;
    double _Complex *lambda; /* n - n_zero */
    bool *kept;
    double _Complex *b[3]; /* n x n_in: by in, in', in'' */
    double _Complex *c;    /* n_out x n */
    double *J;             /* n_zero x n_zero, row-major */
    double *D[3];
    double _Complex *work, *x;
    int *pivots;
} rt_modal;

/* *why: a sentence where there is no superposition, else NULL. seen: outputs on the states
 * (rt_outputs_find). */
routh_status rt_modal_create(rt_modal *modal, const routh_linear *linear, const routh_modes *modes,
                             const rt_channels *channels, const rt_system *seen, double high,
                             const char **why, rt_arena *arena, routh_error *error);

/* The part of mode k >= n_zero alone. */
void rt_modal_part(const rt_modal *modal, int k, double _Complex s, double _Complex *H);

/* H(0); INFINITY where a free motion is driven and seen. */
double rt_modal_static(const rt_modal *modal, int output, int input);

/* Taylor coefficients of H at s = 0: H[k] (n_out x n_in) of s^k, k < n <= 3. SINGULAR at a pole. */
routh_status rt_direct_taylor(rt_direct *direct, int n, double _Complex *const *H, rt_arena *arena,
                              routh_error *error);

/* ---- what is computed ------------------------------------------------------------------------ */

/* H of columns that are motions, by velocity or acceleration: over s, s^2. */
typedef struct rt_referenced {
    rt_transfer transfer; /* first */
    rt_transfer *inner;
    int *power; /* n_in */
} rt_referenced;

routh_status rt_referenced_create(rt_referenced *referenced, rt_transfer *inner, const int *power,
                                  rt_arena *arena, routh_error *error);

/* Frequencies, ascending, with H at each; H of point k at H + k * n_out * n_in. Grown by malloc. */
typedef struct rt_grid {
    int n, room;
    double *hz;
    double _Complex *H;
    double error; /* largest estimate left */
    bool limited;
} rt_grid;

routh_status rt_grid_make(rt_grid *grid, rt_transfer *transfer, const routh_modes *modes,
                          const routh_response_options *options, routh_error *error);
void rt_grid_release(rt_grid *grid);

/* The range of the options, or where the modes lie. */
routh_status rt_grid_range(double range[2], const routh_modes *modes,
                           const routh_response_options *options, routh_error *error);

/* Peaks of a channel and the largest |H|. */
routh_status rt_peaks_find(routh_response_channel *channel, rt_transfer *transfer,
                           const rt_grid *grid, const routh_modes *modes, rt_arena *arena,
                           routh_error *error);

typedef struct rt_zero_point rt_zero_point;

/* Transmission zeros and gain of a channel, by rates B of rt_rates_find and outputs on the states;
 * gain 0 where there is no way from input to output. scale: of the states (rt_scale_states); points
 * (zero_dynamics_check.h) at which they are verified. */
routh_status rt_zeros_of_channel(routh_response_channel *c, int channel, const routh_linear *linear,
                                 double *const B[3], const rt_system *seen, const double *scale,
                                 const rt_zero_point *points, rt_arena *arena, routh_error *error);

/* Of a channel over s^power as many zeros at 0 cancel poles there. */
void rt_zeros_settle(routh_response_channel *channel, int power);

typedef struct rt_response_holder {
    routh_response response; /* first */
    rt_arena arena;
} rt_response_holder;

#endif
