#include "answers/zero_circles.h"

#include <math.h>
#include <string.h>

#include "base/dd_complex_lu.h"
#include "base/pi.h"

/* Points of a circle; between them the spectral radius may be twice as large. */
enum { POINTS = 16 };
static const double BELOW = 0.5;

/* A circle holds as many as that beyond doubt where the integral is as near to a whole number. */
static const double WHOLE = 1e-3;

typedef struct zero_circle {
    int n;
    const double *Z, *Z_rest, *E;
    const int *block; /* n: numbers of the blocks */
    rt_dd_complex_lu lu;
    rt_dd_complex *x;
    double *R; /* |(s I - Z)^-1|, column-major */
    double *v, *w, *y;
} zero_circle;

static routh_status circle_take(zero_circle *c, rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)c->n;
    c->lu.n = c->n;
    c->lu.a = RT_TAKE(arena, rt_dd_complex, n * n);
    c->lu.pivots = RT_TAKE(arena, int, n);
    c->x = RT_TAKE(arena, rt_dd_complex, n);
    c->R = RT_TAKE(arena, double, n *n);
    c->v = RT_TAKE(arena, double, n), c->w = RT_TAKE(arena, double, n);
    c->y = RT_TAKE(arena, double, n);
    return c->lu.a && c->lu.pivots && c->x && c->R && c->v && c->w && c->y ? ROUTH_OK
                                                                           : rt_fail_memory(error);
}

/* |(s I - Z)^-1| and its trace; false: singular. */
static bool circle_resolve(zero_circle *c, double _Complex s, double _Complex *trace)
{
    const int n = c->n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const size_t at = (size_t)i * (size_t)n + (size_t)j;
            rt_dd_complex z = {rt_dd_negative(rt_dd_sum_of(c->Z[at], c->Z_rest[at])), rt_dd_of(0)};
            if (i == j) z.re = rt_dd_add(z.re, rt_dd_of(creal(s))), z.im = rt_dd_of(cimag(s));
            *rt_dd_complex_lu_at(&c->lu, i, j) = z;
        }
    if (!rt_dd_complex_lu_factor(&c->lu)) return false;
    *trace = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) c->x[i] = rt_ddz_of(i == j, 0);
        rt_dd_complex_lu_solve(&c->lu, c->x);
        *trace += rt_ddz_round(c->x[j]);
        for (int i = 0; i < n; i++) c->R[(size_t)i + (size_t)n * (size_t)j] = rt_ddz_size(c->x[i]);
    }
    return isfinite(creal(*trace)) && isfinite(cimag(*trace));
}

/* w := R E v, block by block: what is beside the diagonal blocks of a block triangular matrix does
 * not change its spectral radius */
static void circle_apply(zero_circle *c)
{
    const size_t n = (size_t)c->n;
    double *y = c->y;
    for (size_t i = 0; i < n; i++) {
        y[i] = 0;
        for (size_t j = 0; j < n; j++)
            if (c->block[i] == c->block[j]) y[i] += c->E[i * n + j] * c->v[j];
    }
    memset(c->w, 0, n * sizeof *c->w);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            if (c->block[i] == c->block[j]) c->w[i] += c->R[i + n * j] * y[j];
}

/* Is the spectral radius of R E below BELOW? It is where v > 0 has R E v < BELOW v; v is sought as
 * the limit of v := 1 + R E v / BELOW. */
static bool circle_is_clear(zero_circle *c)
{
    const int rounds = c->n + 30;
    for (int i = 0; i < c->n; i++) c->v[i] = 1;
    for (int k = 0; k < rounds; k++) {
        bool clear = true;
        circle_apply(c);
        for (int i = 0; i < c->n; i++) {
            clear = clear && c->w[i] < BELOW * c->v[i];
            if (!isfinite(c->w[i])) return false;
        }
        if (clear) return true;
        for (int i = 0; i < c->n; i++) c->v[i] = 1 + c->w[i] / BELOW;
    }
    return false;
}

/* Do all points of the circle hold it? moments: of the trace, 1 and (s - middle). */
static bool circle_holds(zero_circle *c, const double middle[2], double radius,
                         double _Complex moments[2])
{
    moments[0] = moments[1] = 0;
    for (int k = 0; k < POINTS; k++) {
        const double _Complex from = radius * cexp(I * RT_TWO_PI * (k + 0.5) / POINTS);
        double _Complex trace;
        if (!circle_resolve(c, middle[0] + I * middle[1] + from, &trace) || !circle_is_clear(c))
            return false;
        moments[0] += from * trace / POINTS;
        moments[1] += from * from * trace / POINTS;
    }
    return true;
}

routh_status rt_zero_circle(int n, const double *Z, const double *Z_rest, const double *E,
                            const int *block, int m, double middle[2], double *radius, bool *done,
                            rt_arena *scratch, routh_error *error)
{
    zero_circle c = {.n = n, .Z = Z, .Z_rest = Z_rest, .E = E, .block = block};
    const routh_status status = circle_take(&c, scratch, error);
    *done = false;
    if (status) return status;
    const double size = hypot(middle[0], middle[1]), most = *radius;
    for (double r = fmax(1e-12 * size, 1e-13 * most); r < most; r *= 16) {
        double _Complex moments[2];
        if (!circle_holds(&c, middle, r, moments)) continue;
        if (cabs(moments[0] - m) > WHOLE) continue;
        const double by[2] = {creal(moments[1]) / m, middle[1] == 0 ? 0 : cimag(moments[1]) / m};
        middle[0] += by[0], middle[1] += by[1];
        *radius = r + hypot(by[0], by[1]);
        *done = true;
        return ROUTH_OK;
    }
    return ROUTH_OK;
}
