/* Values and derivatives of functions of the caller (user.h). */
#include "expression/graph.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int rt_user_total(int orders)
{
    int total = 0;
    for (int k = 0; k < RT_USER_ARGUMENTS; k++) total += rt_user_order(orders, k);
    return total;
}

/* The first argument it is differentiated by. */
static int first_argument(int orders)
{
    for (int k = 0; k < RT_USER_ARGUMENTS; k++)
        if (rt_user_order(orders, k)) return k;
    return 0;
}

static bool user_gives_order(const rt_user_function *f, int total)
{
    if (total == 1) return f->gradient || f->complex_value;
    return total == 0 || (total == 2 && f->hessian);
}

bool rt_user_gives(const rt_user_function *f, int orders)
{
    return user_gives_order(f, rt_user_total(orders));
}

/* ---- what the caller gives ------------------------------------------------------------------- */

/* f(x + i h e_k) = f + i h f_k - h^2 f_kk / 2 ...: at h = 1e-100 s nothing but f and f_k. */
static double user_by_complex(const rt_user_function *f, int k, const double *x)
{
    double z[2 * RT_USER_ARGUMENTS] = {0}, w[2] = {NAN, NAN};
    const double h = 0x1p-300;
    for (int i = 0; i < f->n; i++) z[2 * i] = x[i];
    z[2 * k + 1] = h;
    return f->complex_value(f->user, z, w) ? NAN : w[1] / h;
}

/* orders: of those that rt_user_gives. */
static double user_given(const rt_user_function *f, int orders, const double *x)
{
    double out[RT_USER_ARGUMENTS * RT_USER_ARGUMENTS];
    const int a = first_argument(orders), n = f->n;
    for (int k = 0; k < n * n; k++) out[k] = NAN;
    switch (rt_user_total(orders)) {
    case 0: return f->value(f->user, x, out) ? NAN : out[0];
    case 1:
        if (!f->gradient) return user_by_complex(f, a, x);
        return f->gradient(f->user, x, out) ? NAN : out[a];
    default:
        return f->hessian(f->user, x, out) ? NAN
                                           : out[a * n + first_argument(orders - rt_user_one(a))];
    }
}

/* ---- differences ----------------------------------------------------------------------------- */

/* Steps t s, t from 2^-30 on, times four each. */
enum { LEVELS = 16, PAIRS = 4, PATIENCE = 3 };

/* A derivative of orders `by` of a function that is given, the derivative of orders `of`. */
typedef struct differences {
    const rt_user_function *f;
    const double *x;
    int of, by, total;
    double scale[RT_USER_ARGUMENTS];
    double centre;        /* the function at x */
    double rounding;      /* of its values about there */
    double value[LEVELS]; /* central differences by level, */
    double noise[LEVELS]; /* and what rounding does to them at least; */
    double last_digits[LEVELS]; /* what that of the values as numbers does, */
    double size[LEVELS];  /* and the largest of what they are sums of, less its centre */
    double even[LEVELS];  /* by one argument: (g(h) - 2 g(0) + g(-h)) / 2 h, the half of a kink */
    int n;
} differences;

/* prod_i ((E_i^h - E_i^-h) / 2 h)^m_i of g: over all points x_i + (m_i - 2 j_i) h_i with j_i =
 * 0 .. m_i, with signs and binomial coefficients of the powers. Its error is even in t. */
static double user_central(differences *d, double t, double *noise)
{
    static const double binomial[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
    double x[RT_USER_ARGUMENTS], sum = 0, size = 0, largest = 0, rise = 0, scale = 1, even = 0;
    int j[RT_USER_ARGUMENTS] = {0};
    for (int i = 0; i < d->f->n; i++) {
        x[i] = d->x[i];
        for (int k = 0; k < rt_user_order(d->by, i); k++) scale *= 2 * t * d->scale[i];
    }
    for (bool more = true; more;) {
        double weight = 1;
        for (int i = 0; i < d->f->n; i++) {
            const int m = rt_user_order(d->by, i);
            if (!m) continue;
            weight *= binomial[m][j[i]] * (j[i] % 2 ? -1 : 1);
            x[i] = d->x[i] + (m - 2 * j[i]) * t * d->scale[i];
        }
        const double g = user_given(d->f, d->of, x);
        sum += weight * g;
        even += g;
        size = fmax(size, fabs(weight * g));
        largest = fmax(largest, fabs(weight));
        rise = fmax(rise, fabs(weight * (g - d->centre)));
        more = false;
        for (int i = 0; i < d->f->n && !more; i++) {
            more = j[i] < rt_user_order(d->by, i);
            j[i] = more ? j[i] + 1 : 0;
        }
    }
    d->even[d->n] = d->total == 1 ? (even - 2 * d->centre) / scale : 0;
    d->size[d->n] = rise / scale;
    d->last_digits[d->n] = 2 * DBL_EPSILON * size / scale;
    *noise = fmax(d->last_digits[d->n], 4 * largest * d->rounding / scale);
    return sum / scale;
}

/* The k-th differences of values that are but rounding of sigma have a mean square of sigma^2
 * (2k)!/(k!)^2 (More, Wild, SIAM J. Sci. Comput. 33, 2011); of seven values the fifth and sixth. */
static double user_rounding_of(double T[7])
{
    static const double binomial_of_twice[7] = {1, 2, 6, 20, 70, 252, 924};
    double rounding = 0;
    for (int k = 1; k < 7; k++) {
        double square = 0;
        for (int i = 0; i + k < 7; i++) T[i] = T[i + 1] - T[i], square += T[i] * T[i];
        if (k > 4) rounding = fmax(rounding, sqrt(square / (7 - k) / binomial_of_twice[k]));
    }
    return rounding;
}

/* Seven values along an argument at a level; false: not all are finite. */
static bool user_seven(const differences *d, int argument, int level, double T[7])
{
    double x[RT_USER_ARGUMENTS];
    for (int i = 0; i < d->f->n; i++) x[i] = d->x[i];
    for (int k = 0; k < 7; k++) {
        x[argument] = d->x[argument] + (k - 3) * ldexp(d->scale[argument], 2 * level - 30);
        T[k] = user_given(d->f, d->of, x);
        if (!isfinite(T[k])) return false;
    }
    return true;
}

static bool user_all_are(const double T[7], double centre)
{
    for (int k = 0; k < 7; k++)
        if (T[k] != centre) return false;
    return true;
}

static bool user_all_multiples(const double *T, int n, double of)
{
    for (int k = 0; k < n; k++) {
        const double times = T[k] / of;
        if (!(fabs(times - rint(times)) <= 1e-6 * times)) return false;
    }
    return true;
}

/* Values that are one number about x and others farther off: is that rounding, or is the function
 * constant there, as the force of a contact that is open? What is rounded is an integer number of
 * times a part of the least change, which is small beside what the function does farther off. */
static bool user_is_rounded(const differences *d, int argument, int level)
{
    enum { LOOKED_AT = 3, MOST_PARTS = 16 };
    double T[LOOKED_AT * 7], least = INFINITY, most = 0;
    int n = 0;
    for (int l = level; l < LEVELS; l++) {
        double now[7];
        if (!user_seven(d, argument, l, now)) break;
        for (int k = 0; k < 7; k++) {
            const double change = fabs(now[k] - d->centre);
            most = fmax(most, change);
            if (change == 0 || l >= level + LOOKED_AT) continue;
            least = fmin(least, change);
            T[n++] = change;
        }
    }
    int parts = 1;
    while (parts <= MOST_PARTS && !user_all_multiples(T, n, least / parts)) parts++;
    return parts <= MOST_PARTS && least <= 1e-5 * most;
}

/* What rounds the values about x, which the function may have lost within: as sqrt(x^2 + L^2) - L
 * has about 0. By values along the argument, as near as they are not all one. */
static double user_rounding(const differences *d, int argument)
{
    double T[7];
    for (int level = 0; level < LEVELS; level++) {
        if (!user_seven(d, argument, level, T)) return 0;
        if (user_all_are(T, d->centre)) continue;
        return level == 0 || user_is_rounded(d, argument, level) ? user_rounding_of(T) : 0;
    }
    return 0;
}

/* Of D(h), D(4 h), .. without the first n - 1 terms of their errors: h^2, h^4, .. of smooth
 * functions; h, h^2, .. where curvature jumps at x, as that of |v| v. */
static double user_extrapolate(const double *D, int n, bool smooth)
{
    double T[PAIRS], power = 1;
    for (int i = 0; i < n; i++) T[i] = D[i];
    for (int m = 1; m < n; m++) {
        power *= smooth ? 16 : 4;
        for (int i = 0; i + m < n; i++) T[i] = (power * T[i] - T[i + 1]) / (power - 1);
    }
    return T[0];
}

/* One level more; false where the function is not defined that far. */
static bool user_next_level(differences *d)
{
    const double t = ldexp(1, 2 * d->n - 30);
    if (d->n == LEVELS) return false;
    d->value[d->n] = user_central(d, t, &d->noise[d->n]);
    return isfinite(d->value[d->n++]);
}

/* How much of a kink at x the even parts of the levels up to k leave: of a smooth function they are
 * odd in h, and (4 E(h) - E(4 h)) / 3 is of third order. */
static double user_kink(const differences *d, int k)
{
    double least = INFINITY;
    for (int i = k; i >= 0 && i > k - PAIRS; i--) {
        const double kink = fabs(4 * d->even[i] - d->even[i + 1]) / 3;
        least = fmin(least, fmax(0, kink - 4 * d->last_digits[i]));
    }
    return least;
}

/* One of the extrapolations of level k, of levels k .. k + PAIRS - 1. */
typedef struct extrapolation {
    double fine, off;
} extrapolation;

/* What it may be off by: what the last term of the extrapolation changes; what it changes from
 * level to level, of which rounding makes a `fall` of the level before; no less than rounding lets
 * it fall to from there, lest two numbers agree by chance. */
static extrapolation user_level(const differences *d, extrapolation before, double fall, int k,
                                bool smooth)
{
    const double *D = d->value + k;
    extrapolation now = {.fine = user_extrapolate(D, PAIRS, smooth)};
    now.off = fabs(now.fine - user_extrapolate(D, PAIRS - 1, smooth)) + d->noise[k];
    if (k > 0) now.off = fmax(now.off, fmax(fabs(now.fine - before.fine), before.off) / fall);
    return now;
}

/* The best level by one of the extrapolations; false: there are not two levels. */
static bool user_best_of(const differences *d, bool smooth, double *best,
                         rt_user_accuracy *accuracy)
{
    const double fall = ldexp(1, 2 * d->total);
    extrapolation level[LEVELS];
    int at = 0;
    for (int k = 0; k + PAIRS <= d->n; k++) {
        level[k] = user_level(d, level[k > 0 ? k - 1 : 0], fall, k, smooth);
        if (k == 1) level[0].off = fmax(level[0].off, fabs(level[1].fine - level[0].fine));
        if (k > 0 && level[k].off < level[at].off) at = k;
    }
    if (d->n <= PAIRS) return false;
    *best = level[at].fine;
    accuracy->error = level[at].off;
    if (at > 0) accuracy->error = fmax(accuracy->error, fabs(*best - level[at - 1].fine) / 2);
    if (d->total == 1) accuracy->error = fmax(accuracy->error, user_kink(d, at));
    accuracy->size = 0;
    for (int k = at; k < at + PAIRS; k++) accuracy->size = fmax(accuracy->size, d->size[k]);
    return true;
}

/* Levels are taken until both extrapolations are worse than they were, or as good as can be. */
static double user_best(differences *d, rt_user_accuracy *accuracy)
{
    double best = NAN, other;
    rt_user_accuracy rough;
    int since = 0;
    while (since < PATIENCE && user_next_level(d)) {
        double found;
        rt_user_accuracy now;
        if (!user_best_of(d, true, &found, &now) || !user_best_of(d, false, &other, &rough))
            continue;
        if (rough.error < now.error) found = other, now = rough;
        since = isnan(best) || now.error < accuracy->error ? 0 : since + 1;
        best = found;
        *accuracy = now;
        if (now.error <= 4 * DBL_EPSILON * fabs(found)) break;
    }
    return best;
}

/* A power of two, so that x + h is exact; far above rounding of x. */
static double user_scale(const rt_user_function *f, int i, double x)
{
    const double scale = f->scale[i] > 0 ? f->scale[i] : fmax(1, fabs(x));
    return ldexp(1, ilogb(fmax(scale, fabs(x) * 0x1p-12)));
}

static double user_by_differences(const rt_user_function *f, int of, int by, const double *x,
                                  rt_user_accuracy *accuracy)
{
    differences d = {.f = f, .x = x, .of = of, .by = by, .total = rt_user_total(by)};
    for (int i = 0; i < f->n; i++) {
        d.scale[i] = user_scale(f, i, x[i]);
    }
    d.centre = user_given(f, of, x);
    for (int i = 0; i < f->n; i++)
        if (rt_user_order(by, i)) d.rounding = fmax(d.rounding, user_rounding(&d, i));
    *accuracy = (rt_user_accuracy){.error = INFINITY};
    return isfinite(d.centre) ? user_best(&d, accuracy) : NAN;
}

/* ---- both ------------------------------------------------------------------------------------ */

double rt_user_difference(const rt_user_function *f, int orders, const double *x,
                          rt_user_accuracy *accuracy)
{
    int of = orders, order = rt_user_total(orders) - 1;
    while (order > 0 && !user_gives_order(f, order)) order--;
    for (int total = rt_user_total(of); total > order; total--)
        of -= rt_user_one(first_argument(of));
    return user_by_differences(f, of, orders - of, x, accuracy);
}

double rt_user_partial(const rt_user_function *f, int orders, const double *x)
{
    rt_user_accuracy accuracy;
    if (rt_user_gives(f, orders)) return user_given(f, orders, x);
    if (rt_user_total(orders) > RT_USER_ORDER) return NAN;
    return rt_user_difference(f, orders, x, &accuracy);
}

double rt_user_recall(rt_user_memory *m, const rt_user_function *f, int orders, const double *x)
{
    const int total = rt_user_total(orders), a = first_argument(orders), n = f->n;
    const bool second = total == 2;
    if (total == 0 || total > 2 || !(second ? f->hessian : f->gradient))
        return rt_user_partial(f, orders, x);
    if (m->function != f || memcmp(m->x, x, (size_t)n * sizeof *x) != 0) {
        m->function = f;
        memcpy(m->x, x, (size_t)n * sizeof *x);
        m->has[0] = m->has[1] = false;
    }
    double *out = second ? m->hessian : m->gradient;
    if (!m->has[second]) {
        const int count = second ? n * n : n;
        for (int k = 0; k < count; k++) out[k] = NAN;
        if ((second ? f->hessian : f->gradient)(f->user, x, out))
            for (int k = 0; k < count; k++) out[k] = NAN;
        m->has[second] = true;
    }
    return second ? out[a * n + first_argument(orders - rt_user_one(a))] : out[a];
}

const char *rt_user_describe(const rt_user_function *f, int orders, char *text, size_t size)
{
    const int total = rt_user_total(orders), a = first_argument(orders);
    if (total == 0)
        snprintf(text, size, "the function %.60s", f->name);
    else if (total == 1)
        snprintf(text, size, "the derivative of %.60s by its argument %d", f->name, a + 1);
    else if (total == 2)
        snprintf(text, size, "the second derivative of %.60s by its arguments %d and %d", f->name,
                 a + 1, first_argument(orders - rt_user_one(a)) + 1);
    else
        snprintf(text, size, "a derivative of order %d of %.60s", total, f->name);
    return text;
}

const char *rt_user_blame(const rt_user_function *f, int orders, const double *x, char *text,
                          size_t size)
{
    char what[160], at[256] = "";
    size_t n = 0;
    for (int k = 0; k < f->n && n < sizeof at - 1; k++)
        n += (size_t)snprintf(at + n, sizeof at - n, k ? ", %.6g" : "%.6g", x[k]);
    snprintf(text, size,
             "%s has no finite value at (%s): it failed there, or gave NaN or an infinite number; "
             "let it be defined where the search and the motion go",
             rt_user_describe(f, orders, what, sizeof what), at);
    return text;
}
