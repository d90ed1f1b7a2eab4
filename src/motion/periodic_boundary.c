/* Where a multiplier crosses the unit circle as a parameter changes: a zero of a function of the
 * monodromy matrix that changes its sign there, by Brent's search (Algorithms for Minimization
 * without Derivatives, 1973, chapter 4), which keeps the two sides. A multiplier itself has no
 * slope where two of them meet, as at every boundary of a conservative system; det(Y -+ I) has
 * one. */
#include <float.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "base/number.h"
#include "motion/periodic.h"

routh_boundary_options routh_boundary_defaults(void)
{
    return (routh_boundary_options){.tolerance = 1e-12, .most = 60};
}

typedef struct periodic_boundary_search {
    const routh_boundary_options *asked;
    const routh_model *model;
    routh_boundary *out;
    double *pairs; /* 2: how far the multipliers at both ends are from pairs mu, 1/mu */
} periodic_boundary_search;

/* ---- the function ---------------------------------------------------------------------------- */

/* det(Y - s I) */
static routh_status determinant(const routh_floquet *f, double s, double *value, routh_error *error)
{
    const int n = f->n_states;
    double *a = malloc(((size_t)n * (size_t)n + 1) * sizeof *a);
    int *pivots = malloc(((size_t)n + 1) * sizeof *pivots);
    routh_status status = a && pivots ? ROUTH_OK : rt_fail_memory(error);
    for (int i = 0; i < n && !status; i++)
        for (int j = 0; j < n; j++) a[i + j * n] = f->monodromy[i * n + j] - (i == j) * s;
    if (!status) status = rt_lu_factor(n, a, pivots, error);
    *value = status ? 0 : 1;
    for (int k = 0; k < n && !status; k++) *value *= a[k + k * n] * (pivots[k] == k + 1 ? 1 : -1);
    free(a);
    free(pivots);
    return status == ROUTH_SINGULAR ? ROUTH_OK : status;
}

/* Multiplier k of all, conjugates apart. */
static void periodic_boundary_list(const routh_floquet *f, double (*mu)[2])
{
    for (int k = 0, n = 0; k < f->n_modes; k++)
        for (int side = 0; side <= f->modes[k].pair; side++, n++) {
            mu[n][0] = f->modes[k].multiplier[0];
            mu[n][1] = (side ? -1 : 1) * f->modes[k].multiplier[1];
        }
}

/* The product over i < j of (mu_i mu_j - 1), which is real. */
static routh_status products(const routh_floquet *f, double *value, routh_error *error)
{
    double(*mu)[2] = calloc((size_t)f->n_states + 1, sizeof *mu);
    if (!mu) return rt_fail_memory(error);
    periodic_boundary_list(f, mu);
    double re = 1, im = 0;
    for (int i = 0; i < f->n_states; i++)
        for (int j = i + 1; j < f->n_states; j++) {
            const double x = mu[i][0] * mu[j][0] - mu[i][1] * mu[j][1] - 1;
            const double y = mu[i][0] * mu[j][1] + mu[i][1] * mu[j][0], before = re;
            re = before * x - im * y, im = before * y + im * x;
        }
    free(mu);
    *value = re;
    return ROUTH_OK;
}

/* The multiplier nearest to where the crossing is: 1, -1, or the unit circle. */
static void periodic_boundary_note(const periodic_boundary_search *s, const routh_floquet *f)
{
    double least = INFINITY;
    for (int k = 0; k < f->n_modes; k++) {
        const double *mu = f->modes[k].multiplier;
        const routh_crossing c = s->out->crossing;
        const double d = c == ROUTH_CROSSING_COMPLEX
                             ? fabs(f->modes[k].modulus - 1)
                             : hypot(mu[0] - (c == ROUTH_CROSSING_ONE ? 1 : -1), mu[1]);
        if (!(d < least)) continue;
        least = d;
        memcpy(s->out->multiplier, mu, sizeof s->out->multiplier);
    }
    s->out->period = f->period;
}

/* value[crossing] of those that are asked for */
static routh_status functions_of(const periodic_boundary_search *s, const routh_floquet *f,
                                 double value[3], routh_error *error)
{
    const routh_crossing asked = s->out->crossing;
    const bool any = asked == ROUTH_CROSSING_ANY;
    routh_status status = ROUTH_OK;
    value[0] = value[1] = value[2] = 0;
    if (!any) periodic_boundary_note(s, f);
    if (any || asked == ROUTH_CROSSING_ONE) status = determinant(f, 1, &value[0], error);
    if (!status && (any || asked == ROUTH_CROSSING_MINUS_ONE))
        status = determinant(f, -1, &value[1], error);
    if (!status && (any || asked == ROUTH_CROSSING_COMPLEX)) status = products(f, &value[2], error);
    return status;
}

static routh_status multipliers_of(const periodic_boundary_search *s, const routh_model *model,
                                   routh_floquet **floquet, routh_error *error)
{
    routh_mechanism *m = NULL;
    routh_operating_point *point = NULL;
    routh_floquet_options o = routh_floquet_defaults();
    routh_status status = routh_model_evaluate_si(model, s->asked->period, "s", &o.period, error);
    if (!status) status = routh_mechanism_compile(&m, model, s->asked->coordinates, error);
    if (!status) status = routh_operating_point_find(&point, m, NULL, error);
    if (!status) status = routh_floquet_compute(floquet, m, point, &o, error);
    routh_operating_point_free(point);
    routh_mechanism_free(m);
    return status;
}

static routh_status evaluate_all(const periodic_boundary_search *s, double x, int side,
                                 double value[3], routh_error *error)
{
    char text[64];
    routh_model *model = NULL;
    routh_floquet *floquet = NULL;
    rt_number_text(text, x, 17);
    const routh_setting setting = {s->asked->parameter, text};
    routh_status status = rt_model_again(&model, s->model, &setting, 1, error);
    if (!status) status = multipliers_of(s, model, &floquet, error);
    if (!status) status = functions_of(s, floquet, value, error);
    if (!status && side >= 0) {
        s->out->largest[side] = floquet->largest;
        s->out->stable[side] = floquet->stable;
        s->pairs[side] = floquet->pairs;
    }
    routh_floquet_free(floquet);
    routh_model_free(model);
    s->out->evaluations++;
    return status;
}

static routh_status periodic_boundary_evaluate(const periodic_boundary_search *s, double x,
                                               double *value, routh_error *error)
{
    double all[3];
    const routh_status status = evaluate_all(s, x, -1, all, error);
    *value = status ? 0 : all[s->out->crossing];
    return status;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* b the best place, a the one before, c on the other side of the zero. */
typedef struct periodic_boundary_bracket {
    double a, fa, b, fb, c, fc, d, e;
} periodic_boundary_bracket;

/* The next step from b: through the last places where that is within the bracket and shorter than
 * half the step before the last, else half the bracket. */
static void choose_step(periodic_boundary_bracket *k, double half, double tolerance)
{
    if (fabs(k->e) < tolerance || fabs(k->fa) <= fabs(k->fb)) {
        k->d = k->e = half;
        return;
    }
    const double s = k->fb / k->fa;
    double p, q;
    if (k->a == k->c) {
        p = 2 * half * s, q = 1 - s;
    } else {
        const double r = k->fb / k->fc, t = k->fa / k->fc;
        p = s * (2 * half * t * (t - r) - (k->b - k->a) * (r - 1));
        q = (t - 1) * (r - 1) * (s - 1);
    }
    if (p > 0)
        q = -q;
    else
        p = -p;
    const double before = k->e;
    k->e = k->d;
    if (2 * p < 3 * half * q - fabs(tolerance * q) && p < fabs(before * q / 2))
        k->d = p / q;
    else
        k->d = k->e = half;
}

/* b becomes the better of both sides, c the other. */
static void periodic_boundary_order(periodic_boundary_bracket *k)
{
    if ((k->fb > 0) == (k->fc > 0)) {
        k->c = k->a, k->fc = k->fa;
        k->d = k->e = k->b - k->a;
    }
    if (fabs(k->fc) >= fabs(k->fb)) return;
    k->a = k->b, k->fa = k->fb;
    k->b = k->c, k->fb = k->fc;
    k->c = k->a, k->fc = k->fa;
}

static routh_status periodic_boundary_find(const periodic_boundary_search *s,
                                           periodic_boundary_bracket *k, double size,
                                           routh_error *error)
{
    for (int n = 0; n < s->asked->most; n++) {
        periodic_boundary_order(k);
        const double tolerance = 2 * DBL_EPSILON * fabs(k->b) + s->asked->tolerance * size / 2;
        const double half = (k->c - k->b) / 2;
        if (fabs(half) <= tolerance || k->fb == 0) break;
        choose_step(k, half, tolerance);
        k->a = k->b, k->fa = k->fb;
        k->b += fabs(k->d) > tolerance ? k->d : copysign(tolerance, half);
        const routh_status status = periodic_boundary_evaluate(s, k->b, &k->fb, error);
        if (status) return status;
    }
    periodic_boundary_order(k);
    s->out->value = k->b;
    s->out->width = k->fb == 0 ? 0 : fabs(k->c - k->b);
    return periodic_boundary_evaluate(s, k->b, &k->fb, error);
}

static bool periodic_boundary_changes(double from, double to)
{
    return from == 0 || to == 0 || (from > 0) != (to > 0);
}

/* The one that is asked for, which must change its sign; of ANY the one that does. */
static routh_status choose_crossing(const periodic_boundary_search *s, const double from[3],
                                    const double to[3], routh_error *error)
{
    static const char *const functions[] = {"det(Y - I)", "det(Y + I)",
                                            "the product of mu_i mu_j - 1"};
    const routh_boundary_options *o = s->asked;
    routh_crossing *c = &s->out->crossing;
    if (*c == ROUTH_CROSSING_ANY) {
        const bool one = periodic_boundary_changes(from[0], to[0]),
                   minus = periodic_boundary_changes(from[1], to[1]);
        if (one && minus)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "multipliers cross at 1 and at -1 between %s = %g and %g; select one "
                           "(--crossing one or minus-one), or give a smaller interval",
                           o->parameter, o->from, o->to);
        *c = one ? ROUTH_CROSSING_ONE : minus ? ROUTH_CROSSING_MINUS_ONE : ROUTH_CROSSING_COMPLEX;
        const bool conservative = fmin(s->pairs[0], s->pairs[1]) < 1e-9;
        if (*c == ROUTH_CROSSING_COMPLEX &&
            (conservative || !periodic_boundary_changes(from[2], to[2])))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "no crossing was found between %s = %g and %g: det(Y - I), det(Y + I)%s "
                           "of one sign at both; the largest moduli are %.6g and %.6g",
                           o->parameter, o->from, o->to,
                           conservative ? " are" : " and the product of mu_i mu_j - 1 are",
                           s->out->largest[0], s->out->largest[1]);
    }
    if (periodic_boundary_changes(from[*c], to[*c])) return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "no crossing was found between %s = %g and %g: %s is %.3g and %.3g there, of "
                   "one sign",
                   o->parameter, o->from, o->to, functions[*c], from[*c], to[*c]);
}

static routh_status periodic_boundary_check(const routh_boundary_options *o, routh_error *error)
{
    if (o->from != o->to && isfinite(o->from) && isfinite(o->to) && o->period && o->tolerance >= 0)
        return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "a stability boundary needs two different values of a parameter, a period, and "
                   "a tolerance of 0 or more");
}

routh_status routh_boundary_find_of_model(routh_boundary *boundary, const routh_model *model,
                                          const routh_boundary_options *options, routh_error *error)
{
    *boundary = (routh_boundary){0};
    double pairs[2] = {0};
    const periodic_boundary_search s = {options, model, boundary, pairs};
    periodic_boundary_bracket k = {.a = options->from, .b = options->to};
    if (!model) return rt_fail(error, ROUTH_BAD_ARGUMENT, "the model is NULL");
    routh_status status = periodic_boundary_check(options, error);
    if (status) return status;
    boundary->crossing = options->crossing;
    double from[3], to[3];
    status = evaluate_all(&s, k.a, 0, from, error);
    if (!status) status = evaluate_all(&s, k.b, 1, to, error);
    if (!status) status = choose_crossing(&s, from, to, error);
    if (status) return status;
    k.fa = from[boundary->crossing], k.fb = to[boundary->crossing];
    k.c = k.a, k.fc = k.fa, k.d = k.e = k.b - k.a;
    return periodic_boundary_find(&s, &k, fmax(fabs(k.a), fabs(k.b)), error);
}

routh_status routh_boundary_find(routh_boundary *boundary, const char *path,
                                 const routh_setting *settings, size_t n_settings,
                                 const routh_boundary_options *options, routh_error *error)
{
    routh_model *model = NULL;
    *boundary = (routh_boundary){0};
    routh_status status = periodic_boundary_check(options, error);
    if (!status) status = routh_model_read(&model, path, settings, n_settings, error);
    if (!status) status = routh_boundary_find_of_model(boundary, model, options, error);
    routh_model_free(model);
    return status;
}
