#include "base/dd_eigen.h"

#include <stdbool.h>
#include <string.h>

enum { STEPS_PER_VALUE = 60 };

/* ---- complex numbers ------------------------------------------------------------------------- */

/* A root of a. */
static rt_dd_complex z_root(rt_dd_complex a)
{
    const rt_dd half = rt_dd_of(0.5);
    if (rt_ddz_size(a) == 0) return a;
    const rt_dd r = rt_dd_sqrt(rt_dd_multiply(
        half, rt_dd_add(rt_ddz_abs(a), a.re.high < 0 ? rt_dd_negative(a.re) : a.re)));
    const rt_dd other = rt_dd_divide(rt_dd_multiply(half, a.im), r);
    return a.re.high < 0 ? (rt_dd_complex){other, r} : (rt_dd_complex){r, other};
}

/* ---- Hessenberg form ------------------------------------------------------------------------- */

typedef struct dd_schur {
    int n;
    rt_dd_complex *T, *Q, *v;
} dd_schur;

static rt_dd_complex *dd_at(rt_dd_complex *a, int n, int i, int j)
{
    return a + i + (size_t)n * (size_t)j;
}

/* rows first .. n - 1 of the columns from .. n - 1 of a: (I - v v') a, v of square length 2 */
static void dd_reflect_rows(const dd_schur *s, rt_dd_complex *a, int first, int from)
{
    for (int j = from; j < s->n; j++) {
        rt_dd_complex sum = rt_ddz_of(0, 0);
        for (int i = first; i < s->n; i++)
            sum =
                rt_ddz_add(sum, rt_ddz_multiply(rt_ddz_conjugate(s->v[i]), *dd_at(a, s->n, i, j)));
        for (int i = first; i < s->n; i++) {
            rt_dd_complex *to = dd_at(a, s->n, i, j);
            *to = rt_ddz_subtract(*to, rt_ddz_multiply(sum, s->v[i]));
        }
    }
}

static void dd_reflect_columns(const dd_schur *s, rt_dd_complex *a, int first)
{
    for (int i = 0; i < s->n; i++) {
        rt_dd_complex sum = rt_ddz_of(0, 0);
        for (int j = first; j < s->n; j++)
            sum = rt_ddz_add(sum, rt_ddz_multiply(*dd_at(a, s->n, i, j), s->v[j]));
        for (int j = first; j < s->n; j++) {
            rt_dd_complex *to = dd_at(a, s->n, i, j);
            *to = rt_ddz_subtract(*to, rt_ddz_multiply(sum, rt_ddz_conjugate(s->v[j])));
        }
    }
}

/* v: column k below its diagonal, reflected onto its first entry; false: nothing there. */
static bool dd_take_reflector(const dd_schur *s, int k)
{
    rt_dd sum = rt_dd_of(0);
    double below = 0;
    for (int i = k + 1; i < s->n; i++) {
        s->v[i] = *dd_at(s->T, s->n, i, k);
        sum = rt_dd_add(sum, rt_ddz_square(s->v[i]));
        if (i > k + 1) below = fmax(below, rt_ddz_size(s->v[i]));
    }
    if (below == 0) return false;
    const rt_dd norm = rt_dd_sqrt(sum);
    rt_dd_complex *first = &s->v[k + 1];
    const double size = rt_ddz_size(*first);
    const rt_dd_complex turn =
        size > 0 ? rt_ddz_scale(*first, rt_dd_divide(rt_dd_of(1), rt_ddz_abs(*first)))
                 : rt_ddz_of(1, 0);
    *first = rt_ddz_add(*first, rt_ddz_scale(turn, norm));
    rt_dd square = rt_dd_of(0);
    for (int i = k + 1; i < s->n; i++) square = rt_dd_add(square, rt_ddz_square(s->v[i]));
    const rt_dd scale = rt_dd_sqrt(rt_dd_divide(rt_dd_of(2), square));
    for (int i = k + 1; i < s->n; i++) s->v[i] = rt_ddz_scale(s->v[i], scale);
    return true;
}

static void dd_reduce(const dd_schur *s)
{
    for (int k = 0; k + 2 < s->n; k++) {
        if (!dd_take_reflector(s, k)) continue;
        dd_reflect_rows(s, s->T, k + 1, k);
        dd_reflect_columns(s, s->T, k + 1);
        dd_reflect_columns(s, s->Q, k + 1);
        for (int i = k + 2; i < s->n; i++) *dd_at(s->T, s->n, i, k) = rt_ddz_of(0, 0);
    }
}

/* ---- QR steps -------------------------------------------------------------------------------- */

/* The eigenvalue of the last 2 x 2 block that is nearer to its last entry. */
static rt_dd_complex dd_shift(const dd_schur *s, int last)
{
    const rt_dd_complex a = *dd_at(s->T, s->n, last - 1, last - 1),
                        b = *dd_at(s->T, s->n, last - 1, last),
                        c = *dd_at(s->T, s->n, last, last - 1), d = *dd_at(s->T, s->n, last, last);
    const rt_dd_complex half = rt_ddz_scale(rt_ddz_subtract(a, d), rt_dd_of(0.5)),
                        bc = rt_ddz_multiply(b, c);
    rt_dd_complex root = z_root(rt_ddz_add(rt_ddz_multiply(half, half), bc));
    const rt_dd_complex minus = {rt_dd_negative(root.re), rt_dd_negative(root.im)};
    if (rt_ddz_size(rt_ddz_add(half, root)) < rt_ddz_size(rt_ddz_add(half, minus))) root = minus;
    const rt_dd_complex far = rt_ddz_add(half, root);
    return rt_ddz_size(far) == 0 ? d : rt_ddz_subtract(d, rt_ddz_divide(bc, far));
}

typedef struct dd_turn {
    rt_dd c;
    rt_dd_complex s;
} dd_turn;

/* [c s; -s' c] [x; y] = [r; 0] */
static dd_turn dd_turn_of(rt_dd_complex x, rt_dd_complex y)
{
    const rt_dd p = rt_ddz_abs(x), q = rt_ddz_abs(y);
    if (q.high == 0) return (dd_turn){rt_dd_of(1), rt_ddz_of(0, 0)};
    if (p.high == 0)
        return (dd_turn){rt_dd_of(0),
                         rt_ddz_conjugate(rt_ddz_scale(y, rt_dd_divide(rt_dd_of(1), q)))};
    const rt_dd r = rt_ddz_abs((rt_dd_complex){p, q});
    const rt_dd_complex direction = rt_ddz_scale(x, rt_dd_divide(rt_dd_of(1), p));
    return (dd_turn){rt_dd_divide(p, r),
                     rt_ddz_scale(rt_ddz_multiply(direction, rt_ddz_conjugate(y)),
                                  rt_dd_divide(rt_dd_of(1), r))};
}

static void dd_turn_rows(const dd_schur *s, dd_turn t, int k, int from)
{
    for (int j = from; j < s->n; j++) {
        rt_dd_complex *x = dd_at(s->T, s->n, k, j), *y = x + 1;
        const rt_dd_complex u = rt_ddz_add(rt_ddz_scale(*x, t.c), rt_ddz_multiply(t.s, *y));
        *y = rt_ddz_subtract(rt_ddz_scale(*y, t.c), rt_ddz_multiply(rt_ddz_conjugate(t.s), *x));
        *x = u;
    }
}

static void dd_turn_columns(const dd_schur *s, dd_turn t, rt_dd_complex *a, int k, int rows)
{
    for (int i = 0; i < rows; i++) {
        rt_dd_complex *x = dd_at(a, s->n, i, k), *y = dd_at(a, s->n, i, k + 1);
        const rt_dd_complex u =
            rt_ddz_add(rt_ddz_scale(*x, t.c), rt_ddz_multiply(rt_ddz_conjugate(t.s), *y));
        *y = rt_ddz_subtract(rt_ddz_scale(*y, t.c), rt_ddz_multiply(t.s, *x));
        *x = u;
    }
}

/* One step on rows first .. last, chased down by turns. */
static void dd_step(const dd_schur *s, int first, int last, rt_dd_complex shift)
{
    rt_dd_complex x = rt_ddz_subtract(*dd_at(s->T, s->n, first, first), shift),
                  y = *dd_at(s->T, s->n, first + 1, first);
    for (int k = first; k < last; k++) {
        const dd_turn t = dd_turn_of(x, y);
        dd_turn_rows(s, t, k, k > first ? k - 1 : first);
        dd_turn_columns(s, t, s->T, k, k + 3 <= last ? k + 3 : last + 1);
        dd_turn_columns(s, t, s->Q, k, s->n);
        if (k > first) *dd_at(s->T, s->n, k + 1, k - 1) = rt_ddz_of(0, 0);
        if (k + 1 < last) x = *dd_at(s->T, s->n, k + 1, k), y = *dd_at(s->T, s->n, k + 2, k);
    }
}

/* The first row of the part that ends in `last` and hangs together. */
static int dd_part(const dd_schur *s, int last, double norm)
{
    for (int k = last; k > 0; k--) {
        rt_dd_complex *below = dd_at(s->T, s->n, k, k - 1);
        const double beside =
            rt_ddz_size(*dd_at(s->T, s->n, k, k)) + rt_ddz_size(*dd_at(s->T, s->n, k - 1, k - 1));
        if (rt_ddz_size(*below) <= RT_DD_EPSILON * (beside > 0 ? beside : norm)) {
            *below = rt_ddz_of(0, 0);
            return k;
        }
    }
    return 0;
}

static bool dd_iterate(const dd_schur *s)
{
    double norm = 0;
    for (int e = 0; e < s->n * s->n; e++) norm = fmax(norm, rt_ddz_size(s->T[e]));
    int steps = 0;
    for (int last = s->n - 1; last > 0;) {
        const int first = dd_part(s, last, norm);
        if (first == last) {
            last--, steps = 0;
            continue;
        }
        if (++steps > STEPS_PER_VALUE) return false;
        rt_dd_complex shift = dd_shift(s, last);
        if (steps % 11 == 10) /* an exceptional one */
            shift = rt_ddz_add(
                shift, rt_ddz_of(0.75 * rt_ddz_size(*dd_at(s->T, s->n, last, last - 1)), 0));
        dd_step(s, first, last, shift);
    }
    return true;
}

/* ---- vectors --------------------------------------------------------------------------------- */

/* (T - t_kk) y = 0 with y_k = 1, and x = Q y of unit length. */
static void dd_vector(const dd_schur *s, int k, double small, rt_dd_complex *x)
{
    rt_dd_complex *y = s->v;
    const rt_dd_complex own = *dd_at(s->T, s->n, k, k);
    y[k] = rt_ddz_of(1, 0);
    for (int i = k - 1; i >= 0; i--) {
        rt_dd_complex sum = rt_ddz_of(0, 0), gap = rt_ddz_subtract(own, *dd_at(s->T, s->n, i, i));
        for (int j = i + 1; j <= k; j++)
            sum = rt_ddz_add(sum, rt_ddz_multiply(*dd_at(s->T, s->n, i, j), y[j]));
        if (rt_ddz_size(gap) < small) gap = rt_ddz_of(small, 0);
        y[i] = rt_ddz_divide(sum, gap);
    }
    rt_dd square = rt_dd_of(0);
    for (int i = 0; i < s->n; i++) {
        x[i] = rt_ddz_of(0, 0);
        for (int j = 0; j <= k; j++)
            x[i] = rt_ddz_add(x[i], rt_ddz_multiply(*dd_at(s->Q, s->n, i, j), y[j]));
        square = rt_dd_add(square, rt_ddz_square(x[i]));
    }
    const rt_dd scale = rt_dd_divide(rt_dd_of(1), rt_dd_sqrt(square));
    for (int i = 0; i < s->n; i++) x[i] = rt_ddz_scale(x[i], scale);
}

routh_status rt_dd_eigen(int n, rt_dd_complex *a, rt_dd_complex *values, rt_dd_complex *vectors,
                         rt_arena *scratch, routh_error *error)
{
    const size_t size = (size_t)n * (size_t)n;
    dd_schur s = {n, a, RT_TAKE(scratch, rt_dd_complex, size), RT_TAKE(scratch, rt_dd_complex, n)};
    if (!s.Q || !s.v) return rt_fail_memory(error);
    for (int i = 0; i < n; i++) *dd_at(s.Q, n, i, i) = rt_ddz_of(1, 0);
    dd_reduce(&s);
    if (!dd_iterate(&s))
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the QR iteration in extended precision of a matrix of order %d did not "
                       "settle",
                       n);
    double norm = 0;
    for (size_t e = 0; e < size; e++) norm = fmax(norm, rt_ddz_size(a[e]));
    for (int k = 0; k < n; k++) {
        values[k] = *dd_at(a, n, k, k);
        dd_vector(&s, k, RT_DD_EPSILON * norm, vectors + (size_t)n * (size_t)k);
    }
    return ROUTH_OK;
}
