#include "support/bounded_spectrum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "routh/answers.h"

/* The eigenvalue with the smallest bound that has not been taken. */
static int next_bounded(const routh_linear *bounded, const int *done)
{
    int best = -1;
    for (int k = 0; k < bounded->n_bounds; k++)
        if (!done[k] && (best < 0 || bounded->bound[k] < bounded->bound[best])) best = k;
    return best;
}

static int nearest_exact(const routh_modes *exact, const int *taken, const double s[2],
                         double *distance)
{
    int best = -1;
    *distance = INFINITY;
    for (int k = 0; k < exact->n; k++) {
        const double *e = exact->modes[k].eigenvalue, d = hypot(e[0] - s[0], e[1] - s[1]);
        if (!taken[k] && (best < 0 || d < *distance)) best = k, *distance = d;
    }
    return best;
}

bounded_spectrum compare_spectrum(const routh_linear *bounded, const routh_linear *exact)
{
    bounded_spectrum b = {0};
    routh_modes *modes;
    routh_error error;
    if (routh_modes_compute(&modes, exact, &error)) fail_msg("%s", error.message);
    const size_t n = (size_t)modes->n;
    assert_int_equal(bounded->n_bounds, modes->n);
    int *done = calloc(2 * n + 1, sizeof *done), *taken = done + n;
    double fastest = 0, distance;
    assert_non_null(done);
    for (int k = 0; k < modes->n; k++)
        fastest =
            fmax(fastest, hypot(modes->modes[k].eigenvalue[0], modes->modes[k].eigenvalue[1]));
    for (int k = 0; k < modes->n; k++) {
        const int i = next_bounded(bounded, done);
        const double s[2] = {bounded->bound_re[i], bounded->bound_im[i]}, bound = bounded->bound[i];
        const int j = nearest_exact(modes, taken, s, &distance);
        if (!isfinite(bound) || !isfinite(distance)) fail_msg("a bound or error is not a number");
        const double rounding = modes->modes[j].error_bound + 1e-15 * fastest;
        done[i] = taken[j] = 1;
        b.worst = fmax(b.worst, distance > 0 ? distance / (bound + rounding) : 0);
        b.error = fmax(b.error, distance);
        b.bound = fmax(b.bound, bound);
        if (distance > 1e-10 * fastest && b.n_ratios < 64) b.ratio[b.n_ratios++] = bound / distance;
    }
    free(done);
    routh_modes_free(modes);
    return b;
}
