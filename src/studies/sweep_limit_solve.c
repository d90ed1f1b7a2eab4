/* One limit between two values with different numbers of eigenvalues above zero.
 *
 * Where the g of a rank is certainly below zero at one and above at the other, its zero is solved
 * for (sweep_zero.c). Where it is zero all along on one side (undamped modes, of which two meet),
 * it grows as the root of the distance from the limit, or as the distance:
 *
 *     g^p = c (x - x0),   p = 2 or 1,   and so   x0 = x - g / (p g')
 *
 * In either case the zero is taken for one only if the sides beside it differ as those of the ends
 * do, and g there is as small as a continuous function's. */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "studies/sweep_limit.h"

typedef struct limit_search {
    rt_limit_step *step;
    const rt_limit_point *lo, *hi;
    int least;      /* of both numbers above zero */
    int zeros;      /* that are left out */
    bool flat;      /* one side is zero all along */
    double d_speed; /* d|speed| / dvalue */
} limit_search;

/* ---- by a function that changes its sign ----------------------------------------------------- */

static void sample_of(const limit_search *k, const rt_limit_point *p, rt_zero_sample *out)
{
    const int i = rt_limit_pick(p, k->zeros, k->least);
    const double _Complex *by = p->s->slope[0];
    *out = (rt_zero_sample){.value = p->s->value, .f = p->g[i], .noise = p->noise[i] - p->split};
    out->slope = by ? rt_limit_slope(k->step, p->s->lambda[i], by[i], k->d_speed) : NAN;
    out->lambda[0] = p->s->lambda[i];
}

static routh_status limit_evaluate(const void *context, double value, bool derivative,
                                   rt_zero_sample *out, bool *ok, routh_error *error)
{
    const limit_search *k = context;
    rt_limit_point p;
    const routh_status status = rt_limit_solve(k->step, value, k->lo, k->hi, derivative, &p, error);
    *ok = !status && p.there;
    if (*ok) sample_of(k, &p, out);
    rt_limit_release(&p);
    return status;
}

/* *at: next to the zero; *off: what it may be off. */
static routh_status by_sign(const limit_search *k, double *at, double *off, rt_limit_found *found,
                            routh_error *error)
{
    rt_zero_sample a, b;
    rt_sweep_zero zero;
    const rt_zero_search search = {limit_evaluate, k, k->step->task->step,
                                   k->step->task->derivatives};
    sample_of(k, k->lo, &a);
    sample_of(k, k->hi, &b);
    const routh_status status = rt_zero_find(&search, a, b, &zero, error);
    found->ok = !status && zero.found;
    found->evaluations = zero.evaluations, found->derivatives = zero.derivatives;
    *at = zero.at.value, *off = zero.off;
    return status;
}

/* ---- by a function that is zero on one side -------------------------------------------------- */

/* Where g is above zero. */
typedef struct limit_rise {
    double x, g, slope, noise;
} limit_rise;

static limit_rise rise_of(const limit_search *k, const rt_limit_point *p)
{
    rt_zero_sample s;
    limit_search whole = *k;
    whole.zeros = 0;
    sample_of(&whole, p, &s);
    return (limit_rise){s.value, s.f, s.slope, s.noise};
}

static bool is_above(const limit_search *k, const rt_limit_point *p) { return p->plus > k->least; }

/* 2: g grows as a root, 1: as the distance. By what changes less from one to the next. */
static int limit_power(const limit_rise rise[2])
{
    const double by[2] = {rise[0].slope / rise[1].slope,
                          rise[0].slope * rise[0].g / (rise[1].slope * rise[1].g)};
    if (!isfinite(by[0] + by[1])) return 2;
    return fabs(by[0] - 1) < fabs(by[1] - 1) ? 1 : 2;
}

/* Where it begins, by the newest and the one before it (n of them are there). */
static double begin_of(const limit_rise rise[2], int n, int power)
{
    const limit_rise *r = &rise[0];
    if (isfinite(r->slope) && r->slope != 0) return r->x - r->g / (power * r->slope);
    if (n < 2) return NAN;
    const double y = pow(r->g, power), before = pow(rise[1].g, power);
    return r->x - y * (r->x - rise[1].x) / (y - before);
}

/* -1, 1: as lo, as hi; 0: cannot be told. */
static int which_side(const limit_search *k, const rt_limit_point *p)
{
    const bool up = k->hi->plus > k->lo->plus;
    if (k->flat) {
        /* a pair that is nearly zero may be of either side */
        if (!is_above(k, p) && p->rigid > (up ? k->lo : k->hi)->rigid) return 0;
        return is_above(k, p) == up ? 1 : -1;
    }
    const int side = rt_limit_side(p, rt_limit_pick(p, k->zeros, k->least));
    return up ? side : -side;
}

static routh_status by_begin(const limit_search *k, double *at, double *off, double *steep,
                             double *rate, rt_limit_found *found, routh_error *error)
{
    const bool up = is_above(k, k->hi);
    const double from = up ? k->lo->s->value : k->hi->s->value; /* where g is zero */
    double zero = from, noise_part = 0;
    limit_rise rise[2];
    int n = 1, power = 2;
    bool ended = false, over = false, known = false;
    const bool slopes = k->step->task->derivatives;
    routh_status status = ROUTH_OK;
    rise[0] = rise_of(k, up ? k->hi : k->lo);
    found->ok = true;
    for (int step = 0; step < 100 && !ended && !status; step++) {
        const double width = rise[0].x - zero, fine = 4 * DBL_EPSILON * fabs(rise[0].x);
        if (n > 1) power = limit_power(rise);
        double x = over ? zero + 1e-3 * width : begin_of(rise, n, power);
        const bool led = (x - zero) * (x - rise[0].x) < 0;
        if (!led || step % 4 == 3) x = zero + width / 2;
        ended = fabs(width) <= 2 * fine || (led && !over && fabs(x - rise[0].x) <= fine);
        if (ended) break;
        rt_limit_point p;
        status = rt_limit_solve(k->step, x, k->lo, k->hi, slopes, &p, error);
        found->evaluations++;
        found->ok = !status && p.there;
        found->derivatives = found->derivatives || (found->ok && p.s->slope[0]);
        if (found->ok && is_above(k, &p)) {
            rise[1] = rise[0], rise[0] = rise_of(k, &p);
            n = 2, over = false;
            noise_part = pow(rise[0].noise / rise[0].g, power);
            /* what is left is what noise makes of it */
            ended = noise_part > 0.05;
        } else if (found->ok && which_side(k, &p) == 0) {
            *at = x, *off = 4 * DBL_EPSILON * fabs(x);
            known = ended = true;
        } else {
            over = !over;
            zero = x;
        }
        rt_limit_release(&p);
        if (!found->ok) break;
    }
    const double x = begin_of(rise, n, power);
    if (!known) *at = (x - zero) * (x - rise[0].x) < 0 ? x : zero;
    /* g^p = steep |x - x0| */
    *steep = pow(rise[0].g, power) / fabs(rise[0].x - *at), *rate = power;
    if (!known) *off = 4 * DBL_EPSILON * fabs(*at) + fmax(noise_part, 1e-3) * fabs(rise[0].x - *at);
    return status;
}

/* ---- what is beside it ----------------------------------------------------------------------- */

/* Bounds in extended precision are of no use where zeros in chains are not told from slow modes:
 * the mode is known to less than a thousandth of the highest frequency. Then double precision may
 * tell. */
static bool tells_nothing(const rt_limit_point *p)
{
    double highest = 0, noise = 0;
    if (!p->there || !p->s->linear->A_rest) return false;
    for (int i = 0; i < p->n; i++) {
        highest = fmax(highest, cabs(p->s->lambda[i]));
        noise = fmax(noise, p->noise[i]);
    }
    return noise > 1e-3 * highest;
}

static routh_status solve_beside(const limit_search *k, double x, rt_limit_point *p,
                                 routh_error *error)
{
    const routh_status status = rt_limit_solve_surely(k->step, x, k->lo, k->hi, p, error);
    if (status || !tells_nothing(p)) return status;
    rt_limit_release(p);
    return rt_limit_solve(k->step, x, k->lo, k->hi, false, p, error);
}

/* From `at` by `off` towards an end, farther until it is on the side of that end; the end itself at
 * last. */
static routh_status look_beside(const limit_search *k, double at, double off, bool behind,
                                rt_limit_point *p, int *evaluations, routh_error *error)
{
    const rt_limit_point *end = behind ? k->hi : k->lo;
    const double sign = end->s->value > at ? 1 : -1;
    routh_status status = ROUTH_OK;
    for (double by = off; fabs(end->s->value - at) > by && k->step->left > 0; by *= 4) {
        status = solve_beside(k, at + sign * by, p, error);
        ++*evaluations;
        if (status) return status;
        if (p->there && which_side(k, p) == (behind ? 1 : -1)) return ROUTH_OK;
        rt_limit_release(p);
    }
    return rt_limit_measure(k->step, end->s, p, error);
}

static double size_of(const limit_search *k, const rt_limit_point *p, double *noise)
{
    const int i = rt_limit_pick(p, k->flat ? 0 : k->zeros, k->least);
    *noise = p->noise[i];
    return fabs(p->g[i]);
}

/* Is g as small as that of a continuous function must be so near to its zero? The roughest, of an
 * eigenvalue that three make, is the third root of the distance. */
static bool is_continuous(const limit_search *k, const rt_limit_found *f)
{
    const double far = fabs(k->hi->s->value - k->lo->s->value),
                 near = fabs(f->after.s->value - f->before.s->value);
    double noise[5];
    const double most = fmax(size_of(k, k->lo, &noise[0]), size_of(k, k->hi, &noise[1]));
    const double least =
        fmin(size_of(k, &f->at, &noise[2]),
             fmin(size_of(k, &f->before, &noise[3]), size_of(k, &f->after, &noise[4])));
    return least <= 10 * fmax(noise[2], fmax(noise[3], noise[4])) + 10 * most * cbrt(near / far);
}

/* Is each eigenvalue that is above zero on one side also there on the other, as near as the two
 * values are? Not where a stiffness jumps, an eigenvalue goes through infinity, or one of the two
 * is of another operating point. */
static bool is_one_spectrum(const limit_search *k, const rt_limit_found *f)
{
    const bool up = f->after.plus > f->before.plus;
    const rt_limit_point *p = up ? &f->after : &f->before, *q = up ? &f->before : &f->after;
    const double far = fabs(k->hi->s->value - k->lo->s->value),
                 near = fabs(p->s->value - q->s->value), part = 10 * cbrt(near / far);
    double noise[2];
    const double most = fmax(size_of(k, k->lo, &noise[0]), size_of(k, k->hi, &noise[1]));
    for (int rank = q->plus; rank < p->plus; rank++) {
        const int i = p->order[rank];
        double gap = INFINITY;
        for (int j = 0; j < q->n; j++)
            gap = fmin(gap, cabs(q->s->lambda[j] - p->s->lambda[i]) - q->noise[j]);
        if (gap > 10 * p->noise[i] + part * fmax(most, cabs(p->s->lambda[i]))) return false;
    }
    return true;
}

/* Where g is zero all along, as far as can be told, it may have begun to grow: up to its noise. */
static double unseen(const rt_limit_found *f, double steep, double rate)
{
    const rt_limit_point *p = f->after.plus > f->before.plus ? &f->before : &f->after;
    double noise = 0;
    for (int i = 0; i < p->n; i++)
        if (rt_limit_side(p, i) == 0 && !p->s->rigid[i]) noise = fmax(noise, p->noise[i]);
    return pow(noise, rate) / steep;
}

/* Where g is not to be told from zero all around, as of a slow mode among exact zeros, it is zero
 * on the straight line from one side to the other. */
static routh_status look_again(const limit_search *k, rt_limit_found *f, routh_error *error)
{
    rt_zero_sample a, b;
    if (!f->at.there || which_side(k, &f->at) != 0) return ROUTH_OK;
    sample_of(k, &f->before, &a);
    sample_of(k, &f->after, &b);
    const double x = a.value - a.f * (b.value - a.value) / (b.f - a.f);
    rt_limit_release(&f->at);
    f->evaluations++;
    return rt_limit_solve_surely(k->step, x, k->lo, k->hi, &f->at, error);
}

routh_status rt_limit_close(rt_limit_step *t, const rt_limit_point *lo, const rt_limit_point *hi,
                            rt_limit_found *f, routh_error *error)
{
    const double step = hi->s->value - lo->s->value;
    limit_search k = {t,
                      lo,
                      hi,
                      lo->plus < hi->plus ? lo->plus : hi->plus,
                      lo->zero < hi->zero ? lo->zero : hi->zero,
                      lo->zero != hi->zero,
                      (fabs(hi->s->speed) - fabs(lo->s->speed)) / step};
    double at, off, steep = 1, rate = 1;
    *f = (rt_limit_found){0};
    routh_status status = k.flat ? by_begin(&k, &at, &off, &steep, &rate, f, error)
                                 : by_sign(&k, &at, &off, f, error);
    if (status || !f->ok) return status;
    off = fmax(2 * off, 8 * DBL_EPSILON * fmax(fabs(at), 1e-3 * t->task->step));
    status = rt_limit_solve_surely(t, at, lo, hi, &f->at, error);
    if (!status) status = look_beside(&k, at, off, false, &f->before, &f->evaluations, error);
    if (!status) status = look_beside(&k, at, off, true, &f->after, &f->evaluations, error);
    if (!status && k.flat) f->open = unseen(f, steep, rate);
    if (!status && !k.flat) status = look_again(&k, f, error);
    if (!status)
        f->ok = f->at.there && f->open <= fabs(step) && is_continuous(&k, f) &&
                (f->before.s->n != f->after.s->n || is_one_spectrum(&k, f));
    return status;
}

void rt_limit_found_release(rt_limit_found *f)
{
    rt_limit_release(&f->before);
    rt_limit_release(&f->after);
    rt_limit_release(&f->at);
    *f = (rt_limit_found){0};
}
