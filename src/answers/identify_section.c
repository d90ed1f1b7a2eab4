/* One or two exponentials as functions that stay smooth where two meet. With x = delta t^2,
 *
 *     C(x) = cosh sqrt(x),   S(x) = sinh sqrt(x) / sqrt(x),   S'(x) = (C - S) / 2x
 *     c = exp(mu t) C,       w = exp(mu t) t S
 *     dc/ddelta = exp(mu t) t^2 S / 2,      dw/ddelta = exp(mu t) t^3 S'
 */
#include <math.h>

#include "answers/identify_parts.h"

/* C, S, S', each times exp(mu t) */
static void functions(double mu_t, double x, double *C, double *S, double *slope)
{
    if (fabs(x) < 1) {
        double term = exp(mu_t); /* times x^k / (2k + 1)! */
        *C = *S = term;
        *slope = 0;
        for (int k = 1; k < 12; k++) {
            const double next = term / (2 * k * (2 * k + 1));
            *slope += k * next;
            term = next * x;
            *S += term;
            *C += term * (2 * k + 1);
            /* the next derivative's term is by x^k */
        }
        return;
    }
    const double r = sqrt(fabs(x));
    if (x < 0) {
        const double e = exp(mu_t);
        *C = e * cos(r), *S = e * sin(r) / r;
    } else {
        const double a = exp(mu_t + r), b = exp(mu_t - r);
        *C = (a + b) / 2, *S = (a - b) / (2 * r);
    }
    *slope = (*C - *S) / (2 * x);
}

void rt_section_basis(const rt_sampled_section *section, double t, double *value, double *slope)
{
    const double mu = section->mu;
    if (section->n == 1) {
        value[0] = exp(mu * t);
        slope[0] = t * value[0], slope[1] = 0;
        return;
    }
    double C, S, by_x;
    functions(mu * t, section->delta * t * t, &C, &S, &by_x);
    value[0] = C, value[1] = t * S;
    slope[0] = t * C, slope[1] = t * t * S / 2;
    slope[2] = t * t * S, slope[3] = t * t * t * by_x;
}
