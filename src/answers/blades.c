/* The motion of the blades by orders: X_n = 1/N sum over k of x_k exp(-i n psi_k), x_k that of
 * blade k in axes that turn with it, at the azimuth psi = 0. A wave X_n exp(i (w t + n phi)) stands
 * still in phi = -w t/n, and so goes with the rotation where n and w speed have opposite signs.
 * Alternating blades (2 n = N) have one coordinate, in axes that turn: blades see w itself. */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/pi.h"
#include "routh/answers.h"

static double _Complex blades_part(const routh_linear *l, const routh_mode *mode, int blade,
                                   int row)
{
    const size_t n = (size_t)l->n_states;
    const double *r = l->rotor->rows + ((size_t)blade * (size_t)l->rotor->n_rows + (size_t)row) * n;
    double re = 0, im = 0;
    for (size_t j = 0; j < n; j++) re += r[j] * mode->shape[j], im += r[j] * mode->shape[n + j];
    return re + im * (double _Complex)I;
}

/* |X_n|^2 of x, n_blades x n_rows. */
static double blades_order(const routh_rotor *r, const double _Complex *x, int order)
{
    const int N = r->n_blades;
    double sum = 0;
    for (int i = 0; i < r->n_rows; i++) {
        double _Complex X = 0;
        for (int k = 0; k < N; k++) {
            const double angle = RT_TWO_PI * order * k / N;
            X += x[k * r->n_rows + i] * (cos(angle) - sin(angle) * (double _Complex)I) / N;
        }
        sum += creal(X) * creal(X) + cimag(X) * cimag(X);
    }
    return sum;
}

static void blades_describe(routh_blade_motion *m, int n, int n_blades, const double part[2],
                            double all, double rate, double speed)
{
    const bool alternate = 2 * n == n_blades, paired = n && !alternate;
    const double both = part[0] + part[1];
    const int larger = part[1] > part[0] ? -n : n;
    m->order = larger;
    m->name = n == 0 ? "collective" : n == 1 ? "cyclic" : "reactionless";
    m->share = both / all;
    m->whirl = 0;
    if (paired && speed != 0 && rate != 0)
        m->whirl = (rate * speed > 0 ? 1 : -1) * (part[1] - part[0]) / both;
    m->frequency_hz = fabs(rate + (alternate ? 0 : larger * speed)) / RT_TWO_PI;
}

void routh_mode_blades(const routh_linear *l, const routh_mode *mode, routh_blade_motion *motion)
{
    *motion = (routh_blade_motion){.name = "", .share = NAN, .whirl = NAN, .frequency_hz = NAN};
    if (!l->rotor) return;
    const int N = l->rotor->n_blades, rows = l->rotor->n_rows;
    double _Complex *x = malloc((size_t)(N * rows + 1) * sizeof *x);
    if (!x) return;
    for (int k = 0; k < N; k++)
        for (int i = 0; i < rows; i++) x[k * rows + i] = blades_part(l, mode, k, i);
    double all = 0, most = 0, best[2] = {0};
    int order = -1;
    for (int n = 0; 2 * n <= N; n++) {
        const double part[2] = {blades_order(l->rotor, x, n),
                                n && 2 * n < N ? blades_order(l->rotor, x, -n) : 0};
        all += part[0] + part[1];
        if (part[0] + part[1] <= most) continue;
        most = part[0] + part[1], order = n, best[0] = part[0], best[1] = part[1];
    }
    free(x);
    if (order >= 0)
        blades_describe(motion, order, N, best, all, mode->eigenvalue[1], l->rotor->speed);
}
