/* Zeros against the equations themselves: gain prod (s - zero) = det (s I - A) H(s) at points on
 * the imaginary axis and off it, with numbers of 106 bits. */
#ifndef RT_ANSWERS_ZERO_DYNAMICS_CHECK_H
#define RT_ANSWERS_ZERO_DYNAMICS_CHECK_H

#include <complex.h>
#include <stdbool.h>

#include "answers/response_transfer.h"

enum { RT_ZERO_POINTS = 7 };

/* What of one point serves all channels. */
struct rt_zero_point {
    double _Complex s;
    bool singular;
    double _Complex log_det;
    double _Complex *H; /* n_out x n_in */
    double *error;      /* of H, n_out x n_in */
};

/* scale: n_states, of the states; low, high: rad/s. */
routh_status rt_zero_points_make(rt_zero_point points[RT_ZERO_POINTS], double low, double high,
                                 const routh_linear *linear, double *const B[3],
                                 const rt_system *seen, const double *scale, rt_arena *arena,
                                 routh_error *error);

/* Do gain and zeros (n x 2) give H where it is known? bounds: of the zeros, 1/s. */
bool rt_zero_points_agree(const rt_zero_point points[RT_ZERO_POINTS], int channel, double gain,
                          int n, const double *zeros, const double *bounds);

#endif
