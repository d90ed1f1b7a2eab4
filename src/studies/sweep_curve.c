/* Curves f(p, q) = 0 over two parameters, by continuation (Keller 1977; Allgower and Georg 1990,
 * Introduction to Numerical Continuation Methods, ch. 3): from a point a step along the tangent,
 * which is normal to the exact gradient of f, then Newton's method back onto the curve by the
 * shortest way,
 *
 *     x <- x - f grad f / |grad f|^2,     x = (p, q), each over its range.
 *
 * Neither parameter is the one that the curve goes along, so that it may turn back in both. Where
 * eigenvalues meet they have no derivatives: the gradient of a little before is kept and corrected
 * by what f says of it (Broyden 1965). */
#include "studies/sweep_curve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MOST_POINTS = 2000, MOST_STEPS = 10 };
typedef rt_boundary_curve sweep_curve;
typedef rt_spot sweep_curve_spot;

static const double FIRST = 0.02, LONGEST = 0.05, SHORTEST = 1e-5; /* steps, of the ranges */

static double sweep_curve_value_of(const sweep_curve *k, const double x[2], int i)
{
    return k->low[i] + x[i] * k->range[i];
}

static double sweep_curve_size_of(const double x[2]) { return hypot(x[0], x[1]); }

/* d|speed|/dp where the parameter is the speed itself. */
static double speed_by(const sweep_curve *k, const rt_solution *s, int i)
{
    const char *speed = k->task.options.speed;
    return speed && strcmp(speed, k->task.parameter[i]) == 0 ? (s->speed < 0 ? -1 : 1) : 0;
}

/* f and its gradient at a solution; false where the gradient is not known. */
static bool sweep_curve_measure(const sweep_curve *k, sweep_curve_spot *p)
{
    rt_wanted_measure(&k->task, &k->w, &p->s, p->at, &p->f);
    double g[2];
    for (int i = 0; i < 2; i++)
        g[i] =
            k->range[i] * rt_wanted_slope(&k->task, &k->w, &p->s, p->at, i, speed_by(k, &p->s, i));
    if (!(isfinite(g[0]) && isfinite(g[1]) && sweep_curve_size_of(g) > 0)) return false;
    p->g[0] = g[0], p->g[1] = g[1];
    return true;
}

/* Broyden: what f has come to by the way d from where it was `before` corrects the gradient. */
static void keep_gradient(const sweep_curve_spot *from, sweep_curve_spot *p)
{
    const double d[2] = {p->x[0] - from->x[0], p->x[1] - from->x[1]}, size = sweep_curve_size_of(d);
    const double off = p->f.f - from->f.f - from->g[0] * d[0] - from->g[1] * d[1];
    for (int i = 0; i < 2; i++) p->g[i] = from->g[i] + (size > 0 ? off * d[i] / size / size : 0);
}

/* On the curve of a divergence an eigenvalue is zero and, beside zeros of the mechanism, has no
 * vector of its own: it is told by its rank, the slowest but these. False: it is not real. */
static bool place_slowest(const sweep_curve *k, sweep_curve_spot *p)
{
    const rt_solution *s = &p->s;
    for (int i = 0; i < s->n; i++) {
        int before = 0;
        for (int j = 0; j < s->n; j++) {
            const double x = cabs(s->lambda[j]), y = cabs(s->lambda[i]);
            before += x < y || (x == y && j < i);
        }
        if (before == k->zeros) p->at[0] = i;
    }
    return s->n > k->zeros && cimag(s->lambda[p->at[0]]) == 0;
}

/* What is at x, found from a spot near by. Not ok: nothing, or it is not certain which mode it is.
 */
static routh_status sweep_curve_look(sweep_curve *k, const sweep_curve_spot *from,
                                     const double x[2], sweep_curve_spot *p, bool *ok,
                                     routh_error *error)
{
    rt_match m = {0};
    *p = (sweep_curve_spot){.x = {x[0], x[1]}, .at = {-1, -1}};
    k->task.second = sweep_curve_value_of(k, x, 1);
    routh_status status =
        rt_solution_find_slopes(&k->task, sweep_curve_value_of(k, x, 0), &from->s, 2, &p->s, error);
    *ok = !status && rt_solutions_compare(&from->s, &p->s);
    k->stop = rt_sweep_tell(&k->task, 0) || k->stop;
    if (*ok) status = rt_match_find(&m, &from->s, &p->s, false, error);
    if (*ok && !status) {
        p->at[0] = m.to[from->at[0]];
        if (k->w.kind == ROUTH_SWEEP_DIVERGENCE)
            *ok = place_slowest(k, p);
        else if (k->w.kind == ROUTH_SWEEP_MEETING)
            rt_match_place_pair(&m, from->at[0], from->at[1], p->at);
        else
            *ok = m.doubt[from->at[0]] != RT_UNCERTAIN && !p->s.rigid[p->at[0]];
        if (!sweep_curve_measure(k, p)) keep_gradient(from, p);
    }
    rt_match_free(&m);
    return status;
}

/* Newton's method from x onto the curve; along coordinate `along` alone where that is 0 or 1. */
routh_status rt_curve_correct(sweep_curve *k, const sweep_curve_spot *from, const double x[2],
                              int along, sweep_curve_spot *out, bool *ok, routh_error *error)
{
    sweep_curve_spot now;
    routh_status status = sweep_curve_look(k, from, x, &now, ok, error);
    double before = INFINITY;
    for (int n = 0; n < MOST_STEPS && !status && *ok; n++) {
        const double g2 = now.g[0] * now.g[0] + now.g[1] * now.g[1];
        double d[2] = {-now.f.f * now.g[0] / g2, -now.f.f * now.g[1] / g2};
        if (along >= 0) d[along] = -now.f.f / now.g[along], d[1 - along] = 0;
        now.step = sweep_curve_size_of(d);
        *ok = now.step <= 2 * LONGEST && !k->stop;
        if (!*ok) break;
        if (now.step <= 4 * DBL_EPSILON ||
            (before <= 1e-7 && (fabs(now.f.f) <= now.f.noise || now.step >= 0.5 * before))) {
            *out = now;
            return ROUTH_OK;
        }
        sweep_curve_spot next;
        const double to[2] = {now.x[0] + d[0], now.x[1] + d[1]};
        before = now.step;
        status = sweep_curve_look(k, &now, to, &next, ok, error);
        rt_solution_free(&now.s);
        now = next;
    }
    *ok = false;
    rt_solution_free(&now.s);
    return status;
}

static routh_status sweep_curve_add(sweep_curve *k, const sweep_curve_spot *p, bool turns,
                                    routh_error *error)
{
    routh_sweep_boundary *b = k->out;
    if (b->n == k->room) {
        const int room = 2 * k->room + 64;
        routh_sweep_boundary_point *more = realloc(b->points, (size_t)room * sizeof *more);
        if (!more) return rt_fail_memory(error);
        b->points = more;
        k->room = room;
    }
    const bool one = k->w.kind != ROUTH_SWEEP_MEETING;
    const double _Complex lambda = one ? p->f.lambda[0] : (p->f.lambda[0] + p->f.lambda[1]) / 2;
    const double off = fabs(p->f.f) + p->f.noise;
    double size[2];
    for (int i = 0; i < 2; i++)
        size[i] = 4 * DBL_EPSILON *
                  fmax(fabs(sweep_curve_value_of(k, p->x, i)), 1e-3 * fabs(k->range[i]));
    b->points[b->n++] = (routh_sweep_boundary_point){
        .value = sweep_curve_value_of(k, p->x, 0),
        .second = sweep_curve_value_of(k, p->x, 1),
        .error = size[0] + off / fabs(p->g[0]) * fabs(k->range[0]),
        .second_error = size[1] + off / fabs(p->g[1]) * fabs(k->range[1]),
        .eigenvalue = {creal(lambda), fabs(cimag(lambda))},
        .turns = turns};
    return ROUTH_OK;
}

/* Unit tangent, on the side of `like`. */
static void sweep_curve_tangent(const sweep_curve_spot *p, const double like[2], double t[2])
{
    const double size = sweep_curve_size_of(p->g);
    t[0] = -p->g[1] / size, t[1] = p->g[0] / size;
    if (t[0] * like[0] + t[1] * like[1] < 0) t[0] = -t[0], t[1] = -t[1];
}

/* How far along t the border is, and which coordinate meets it. */
static double to_border(const double x[2], const double t[2], int *which)
{
    double least = INFINITY;
    for (int i = 0; i < 2; i++) {
        const double way = t[i] > 0 ? (1 - x[i]) / t[i] : t[i] < 0 ? -x[i] / t[i] : INFINITY;
        if (way < least) least = way, *which = i;
    }
    return fmax(least, 0);
}

static bool is_inside(const double x[2])
{
    return x[0] >= 0 && x[0] <= 1 && x[1] >= 0 && x[1] <= 1;
}

/* The last point, on the border; false where the curve does not meet it near. */
static routh_status end_at_border(sweep_curve *k, const sweep_curve_spot *from, const double t[2],
                                  bool turns, bool *ended, routh_error *error)
{
    sweep_curve_spot last;
    int which = 0;
    const double way = to_border(from->x, t, &which);
    double x[2] = {from->x[0] + way * t[0], from->x[1] + way * t[1]};
    x[which] = t[which] > 0 ? 1 : 0;
    if (way <= 4 * DBL_EPSILON) {
        *ended = true;
        return ROUTH_OK;
    }
    routh_status status = rt_curve_correct(k, from, x, 1 - which, &last, ended, error);
    if (status || !*ended) return status;
    *ended = is_inside(last.x);
    if (*ended) status = sweep_curve_add(k, &last, turns, error);
    rt_solution_free(&last.s);
    return status;
}

/* From the start one way; *closed where it comes back to it. */
static routh_status sweep_curve_follow(sweep_curve *k, const sweep_curve_spot *start, double side,
                                       bool *closed, int *border, routh_error *error)
{
    const double like[2] = {side * -start->g[1], side * start->g[0]};
    double h = FIRST, t[2];
    sweep_curve_spot here = {0};
    const sweep_curve_spot *from = start;
    routh_status status = ROUTH_OK;
    sweep_curve_tangent(start, like, t);
    bool ended = false;
    for (int n = 0; !status && !ended && !k->stop && n < MOST_POINTS && h >= SHORTEST;) {
        int which;
        sweep_curve_spot next;
        double turned[2];
        bool ok = false;
        if (to_border(from->x, t, &which) <= h) {
            status = end_at_border(k, from, t, false, &ended, error);
            *border = ended;
            if (status || ended) break;
        }
        const double x[2] = {from->x[0] + h * t[0], from->x[1] + h * t[1]};
        if (is_inside(x)) status = rt_curve_correct(k, from, x, -1, &next, &ok, error);
        if (status) break;
        if (ok) sweep_curve_tangent(&next, t, turned);
        if (ok && (turned[0] * t[0] + turned[1] * t[1] < 0.95 || !is_inside(next.x))) {
            rt_solution_free(&next.s);
            ok = false;
        }
        if (!ok) {
            h /= 2;
            continue;
        }
        const double back[2] = {start->x[0] - from->x[0], start->x[1] - from->x[1]};
        const double along = back[0] * t[0] + back[1] * t[1];
        const bool home =
            n > 2 && along > 0 && along <= 1.01 * h && sweep_curve_size_of(back) <= 1.2 * h;
        /* a curve straight along the other parameter does not turn by rounding */
        const bool turns = turned[0] * t[0] < 0 && fmin(fabs(turned[0]), fabs(t[0])) > 1e-5;
        status = sweep_curve_add(k, home ? start : &next, turns, error);
        rt_solution_free(&here.s);
        here = next;
        from = &here;
        t[0] = turned[0], t[1] = turned[1];
        h = fmin(1.5 * h, LONGEST);
        n++;
        ended = *closed = home;
    }
    rt_solution_free(&here.s);
    return status;
}

static void reverse(routh_sweep_boundary *b)
{
    for (int i = 0, j = b->n - 1; i < j; i++, j--) {
        const routh_sweep_boundary_point swap = b->points[i];
        b->points[i] = b->points[j];
        b->points[j] = swap;
    }
    /* what has turned since the point before has turned before the one behind */
    for (int i = b->n - 1; i > 0; i--) b->points[i].turns = b->points[i - 1].turns;
    if (b->n) b->points[0].turns = 0;
}

routh_status rt_curve_follow(sweep_curve *k, const sweep_curve_spot *start, routh_error *error)
{
    bool closed = false;
    routh_sweep_boundary *b = k->out;
    routh_status status = sweep_curve_add(k, start, false, error);
    if (!status) status = sweep_curve_follow(k, start, 1, &closed, &b->border[1], error);
    b->closed = closed;
    if (status || closed) return status;
    reverse(b);
    b->border[0] = b->border[1], b->border[1] = 0;
    return sweep_curve_follow(k, start, -1, &closed, &b->border[1], error);
}
