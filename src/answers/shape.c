#include "answers/shape.h"

#include <math.h>

/* A component must be larger by this to replace the one found before, so that symmetric modes come
 * out the same whatever the last digits. */
static const double TIE = 1 + 1e-6;

/* Motions below this fraction of the largest state are rounding errors. */
static const double NO_MOTION = 1e-13;

static void shape_offer(double re, double im, double best[3])
{
    const double size = hypot(re, im);
    if (size > TIE * best[2]) best[0] = re, best[1] = im, best[2] = size;
}

/* y = row x for the real and imaginary part. A marker moves with few of the states of a large
 * mechanism: what is zero is passed over, so many at a time. */
static void shape_multiply(int n, const double *row, const double *re, const double *im,
                           double y[2])
{
    enum { AT_ONCE = 16 };
    y[0] = y[1] = 0;
    for (int first = 0; first < n; first += AT_ONCE) {
        const int end = n - first < AT_ONCE ? n : first + AT_ONCE;
        double any = 0;
        for (int j = first; j < end; j++) any = row[j] != 0 ? 1 : any;
        if (any == 0) continue;
        for (int j = first; j < end; j++) y[0] += row[j] * re[j], y[1] += row[j] * im[j];
    }
}

static void shape_largest_motion(const routh_linear *linear, const double *re, const double *im,
                                 double best[3])
{
    for (int k = 0; k < linear->n_markers; k++)
        for (int r = 0; linear->markers[k].motion && r < 6; r++) {
            double y[2];
            shape_multiply(linear->n_states,
                           linear->markers[k].motion + (size_t)r * (size_t)linear->n_states, re, im,
                           y);
            shape_offer(y[0], y[1], best);
        }
}

void rt_shape_still(const routh_linear *linear, const double *scale, double *re, double *im)
{
    const int n_motion = linear->n_position + linear->n_velocity;
    double motion = 0, control = 0;
    for (int i = 0; i < linear->n_states; i++) {
        double *most = i < n_motion ? &motion : &control;
        *most = fmax(*most, hypot(re[i], im[i]) / scale[i]);
    }
    if (motion > NO_MOTION * control) return;
    for (int i = 0; i < n_motion; i++) re[i] = im[i] = 0;
}

void rt_shape_normalise(const routh_linear *linear, double *re, double *im)
{
    double state[3] = {1, 0, 0}, motion[3] = {1, 0, 0};
    for (int i = 0; i < linear->n_states; i++) shape_offer(re[i], im[i], state);
    shape_largest_motion(linear, re, im, motion);
    const double *unit = motion[2] > NO_MOTION * state[2] ? motion : state;
    if (unit[2] == 0) return;
    const double c = unit[0] / unit[2], s = unit[1] / unit[2];
    for (int i = 0; i < linear->n_states; i++) {
        const double x = re[i] / unit[2], y = im[i] / unit[2];
        re[i] = x * c + y * s, im[i] = y * c - x * s;
    }
}

void routh_mode_marker(const routh_linear *linear, const routh_mode *mode, int marker,
                       double motion[12])
{
    const size_t n = (size_t)linear->n_states;
    for (int r = 0; r < 6; r++) {
        double y[2];
        shape_multiply(linear->n_states, linear->markers[marker].motion + (size_t)r * n,
                       mode->shape, mode->shape + n, y);
        motion[r] = y[0], motion[6 + r] = y[1];
    }
}
