/* The cubic through values and slopes at both ends of a span (Hermite). */
#ifndef RT_BASE_HERMITE_H
#define RT_BASE_HERMITE_H

/* What it is at the part s of the way, 0 <= s <= 1, over a span of length h: into jet its value,
 * its first and its second derivative. a, b: values; a_rate, b_rate: slopes. */
static inline void rt_hermite(double a, double a_rate, double b, double b_rate, double h, double s,
                              double jet[3])
{
    /* a + A s + B s^2 + C s^3 */
    const double A = h * a_rate, rest = b - a - A, slope = h * (b_rate - a_rate);
    const double B = 3 * rest - slope, C = slope - 2 * rest;
    jet[0] = a + s * (A + s * (B + s * C));
    jet[1] = (A + s * (2 * B + s * 3 * C)) / h;
    jet[2] = (2 * B + 6 * s * C) / (h * h);
}

#endif
