/* Zeros between brackets. With derivatives the inverse function is interpolated with them,
 *
 *     x(f) at f = 0,  x(fa) = a, x(fb) = b, x'(fa) = 1/f'(a) and, where it is known, x'(fb),
 *
 * which is Newton's method with what is known of the other end besides, of an order above two.
 * Without, and where that leads nowhere, by Chandrupatla's method (Adv. Eng. Software 28, 1997):
 * inverse quadratic interpolation where that is safe, else bisection. */
#include "studies/sweep_zero.h"

#include <float.h>
#include <math.h>

typedef rt_zero_sample sweep_zero_sample;

/* Chandrupatla's choice between inverse quadratic interpolation and bisection. a: the newest, b:
 * of other sign, c: the one before. As a part of the way from a to b. */
static double chandrupatla(const sweep_zero_sample *a, const sweep_zero_sample *b,
                           const sweep_zero_sample *c)
{
    const double xi = (a->value - b->value) / (c->value - b->value),
                 phi = (a->f - b->f) / (c->f - b->f);
    if (!(1 - sqrt(1 - xi) < phi && phi < sqrt(xi))) return 0.5;
    return a->f / (b->f - a->f) * c->f / (b->f - c->f) + (c->value - a->value) /
                                                             (b->value - a->value) * a->f /
                                                             (c->f - a->f) * b->f / (c->f - b->f);
}

/* dx/df at s where it goes the way from a to b goes; else NAN. */
static double inverse_slope(const sweep_zero_sample *s, const sweep_zero_sample *a,
                            const sweep_zero_sample *b)
{
    const double secant = (b->value - a->value) / (b->f - a->f), own = 1 / s->slope;
    return own * secant > 0 && isfinite(own) ? own : NAN;
}

/* The zero as a part of the way from a to b by Hermite's interpolation of x(f); NAN where there is
 * no derivative, or it leads outside. */
static double hermite(const sweep_zero_sample *a, const sweep_zero_sample *b)
{
    const double h = b->f - a->f, t = -a->f / h, length = b->value - a->value;
    const double u = inverse_slope(a, a, b) * h / length, v = inverse_slope(b, a, b) * h / length;
    double part = NAN;
    if (isfinite(u) && isfinite(v)) /* x = t^2 (3 - 2 t) + u t (1 - t)^2 - v t^2 (1 - t) */
        part = t * t * (3 - 2 * t) + u * t * (1 - t) * (1 - t) - v * t * t * (1 - t);
    else if (isfinite(u)) /* x = u t + (1 - u) t^2 */
        part = u * t + (1 - u) * t * t;
    else if (isfinite(v)) /* the same from b */
        part = 1 - (v * (1 - t) + (1 - v) * (1 - t) * (1 - t));
    return part > 0 && part < 1 ? part : NAN;
}

/* What Newton's step from s would still change. */
static double sweep_zero_newton_step(const sweep_zero_sample *s) { return fabs(s->f / s->slope); }

typedef struct sweep_zero_state {
    sweep_zero_sample a, b, c, wide[2];
    double before[2]; /* widths of the bracket one and two evaluations ago */
    double least[2];  /* the same of the smallest |f| */
    bool slow;        /* neither is much less than two evaluations ago */
    double moved;     /* from the best before to where derivatives led; INFINITY where they did not
                       */
} sweep_zero_state;

static const sweep_zero_sample *better(const sweep_zero_state *k)
{
    return fabs(k->a.f) < fabs(k->b.f) ? &k->a : &k->b;
}

static void sweep_zero_take(sweep_zero_state *k, const sweep_zero_sample *now)
{
    if ((now->f > 0) == (k->a.f > 0))
        k->c = k->a;
    else
        k->c = k->b, k->b = k->a;
    k->a = *now;
    /* the secant that is still wider than noise tells what noise does to the zero */
    if (fabs(k->b.f - k->a.f) > 100 * (k->a.noise + k->b.noise))
        k->wide[0] = k->a, k->wide[1] = k->b;
    const double width = fabs(k->b.value - k->a.value), least = fabs(better(k)->f);
    k->slow = width > 0.25 * k->before[1] && least > 0.25 * k->least[1];
    k->before[1] = k->before[0], k->before[0] = width;
    k->least[1] = k->least[0], k->least[0] = least;
}

/* Where to look next, as a part of the way from a to b. */
static double sweep_zero_choose(const sweep_zero_state *k, bool derivatives, bool first, bool *led)
{
    const double safe = first ? 0.5 : chandrupatla(&k->a, &k->b, &k->c);
    if (!derivatives || k->slow) return safe;
    if (first) return k->a.f / (k->a.f - k->b.f);
    const double part = hermite(&k->a, &k->b);
    *led = isfinite(part);
    return *led ? part : safe;
}

/* A step of 1e-7 that derivatives led leaves some 1e-14 of the value, and less than rounding makes
 * of f. */
static bool is_done(const sweep_zero_state *k, double finest, double size)
{
    const sweep_zero_sample *s = better(k);
    if (k->moved <= 1e-7 * size && fabs(s->f) <= s->noise) return true;
    return fabs(k->b.value - k->a.value) <= 2 * finest || s->f == 0 ||
           fabs(s->f) <= 1e-3 * s->noise || sweep_zero_newton_step(s) <= finest;
}

routh_status rt_zero_find(const rt_zero_search *search, rt_zero_sample a, rt_zero_sample b,
                          rt_sweep_zero *zero, routh_error *error)
{
    sweep_zero_state k = {.a = a,
                          .b = b,
                          .c = a,
                          .wide = {a, b},
                          .before = {INFINITY, INFINITY},
                          .least = {INFINITY, INFINITY},
                          .moved = INFINITY};
    bool derivatives = search->derivatives;
    *zero = (rt_sweep_zero){.found = true};
    for (int step = 0; step < 100; step++) {
        sweep_zero_sample now;
        const double from = better(&k)->value, size = fmax(fabs(from), 1e-9 * search->scale),
                     finest = 2 * DBL_EPSILON * size;
        if (step > 0 && is_done(&k, finest, size)) break;
        const double least = finest / fabs(k.b.value - k.a.value);
        bool led = false;
        const double part = sweep_zero_choose(&k, derivatives, step == 0, &led);
        const double x = k.a.value + fmin(fmax(part, least), 1 - least) * (k.b.value - k.a.value);
        const routh_status status =
            search->evaluate(search->context, x, derivatives, &now, &zero->found, error);
        if (status || !zero->found) return status;
        zero->evaluations++;
        zero->derivatives = zero->derivatives || isfinite(now.slope);
        /* what is refused at first is not asked for again */
        if (step == 0) derivatives = derivatives && isfinite(now.slope);
        sweep_zero_take(&k, &now);
        k.moved = led ? fabs(x - from) : INFINITY;
    }
    zero->at = *better(&k);
    const double slope = fabs((k.wide[1].f - k.wide[0].f) / (k.wide[1].value - k.wide[0].value));
    zero->off =
        4 * DBL_EPSILON * fabs(zero->at.value) + (fabs(zero->at.f) + zero->at.noise) / slope;
    return ROUTH_OK;
}
