/* What the numbers at both ends of an interval do not show: one eigenvalue goes to the other side
 * and comes back, or two go in opposite directions.
 *
 * The first is looked for by the g of every tracked eigenvalue and their derivatives at both ends:
 * the cubic that has these (Hermite) comes to zero between, or nearly so. Two that may meet are m
 * +- sqrt(D) with cubics for their mean and their discriminant. The derivatives are those of a
 * matrix that changes as a parabola over the step and the one before,
 *
 *     dlambda_i = w_i^H dA v_i,   W^H V = I,
 *
 * and exact in the first step and where a hint is followed. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/lapack.h"
#include "studies/sweep_limit.h"

/* ---- derivatives ----------------------------------------------------------------------------- */

/* dA over the interval, at its beginning or its end: by the parabola through the value before a, a
 * and b where there is one, else by a and b alone. */
static double change_of_entry(const rt_limit_step *t, const rt_solution *lo, const rt_solution *hi,
                              bool whole, bool end, size_t entry)
{
    const double *A = lo->linear->A, *B = hi->linear->A, h = hi->value - lo->value,
                 g = lo->value - t->before_value, even = B[entry] - A[entry];
    if (!whole || !t->before) return even;
    const double curve = (even - (A[entry] - t->before[entry]) * h / g) * h / (g + h);
    return end ? even + curve : even - curve;
}

/* by (n): over the interval. NAN where vectors are parallel. */
static routh_status island_change_of(const rt_limit_step *t, const rt_solution *lo,
                                     const rt_solution *hi, bool whole, bool end,
                                     double _Complex *by, rt_arena *arena, routh_error *error)
{
    const rt_solution *at = end ? hi : lo;
    const size_t n = (size_t)at->n;
    double _Complex *V = RT_TAKE(arena, double _Complex, n *n + 1),
                    *C = RT_TAKE(arena, double _Complex, n *n + 1);
    int *pivots = RT_TAKE(arena, int, n + 1);
    if (!V || !C || !pivots) return rt_fail_memory(error);
    memcpy(V, at->V, n * n * sizeof *V);
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < n; c++) {
            const double d = change_of_entry(t, lo, hi, whole, end, r * n + c);
            for (size_t j = 0; j < n && d != 0; j++) C[r + n * j] += d * at->V[c + n * j];
        }
    const routh_status status = rt_complex_solve(at->n, V, pivots, at->n, C, error);
    for (size_t k = 0; k < n; k++) by[k] = status ? NAN : C[k + n * k];
    return status == ROUTH_SINGULAR ? ROUTH_OK : status;
}

/* Those of the model where they are known, over the whole interval. */
static routh_status exact_change(rt_limit_step *t, const rt_solution *at, double length,
                                 double _Complex *by, routh_error *error)
{
    const double _Complex *slope = at->slope[0];
    routh_status status = ROUTH_OK;
    if (!slope) {
        status = rt_predictor_slopes(t->slopes, at, NULL, &slope, error);
        t->left--;
    }
    for (int k = 0; k < at->n && !status; k++) by[k] = length * slope[k];
    return status;
}

/* ---- what two do between --------------------------------------------------------------------- */

/* A number over the interval by its values and derivatives at both ends. */
typedef struct island_cubic {
    double _Complex y0, y1, s0, s1;
} island_cubic;

static double _Complex cubic_at(const island_cubic *c, double t)
{
    const double u = 1 - t;
    return u * u * (1 + 2 * t) * c->y0 + t * t * (3 - 2 * t) * c->y1 +
           t * u * (u * c->s0 - t * c->s1);
}

/* Two eigenvalues as m +- sqrt(D), both smooth also where they meet. Of one alone D is zero. */
typedef struct island_path {
    island_cubic mean, D;
    double speed[2];
} island_path;

static double g_of(const rt_limit_step *t, double _Complex lambda, double speed)
{
    switch (t->wanted.kind) {
    case ROUTH_SWEEP_CRITICAL: return fabs(cimag(lambda)) - t->wanted.order * speed;
    case ROUTH_SWEEP_DAMPING: return creal(lambda) + t->task->options.damping_ratio * cabs(lambda);
    default: return creal(lambda);
    }
}

/* The g of both at part t: the one farthest towards the other side, above zero for side 1. */
static double island_farthest(const rt_limit_step *step, const island_path *p, double t, int side)
{
    const double speed = (1 - t) * p->speed[0] + t * p->speed[1];
    const double _Complex m = cubic_at(&p->mean, t), root = csqrt(cubic_at(&p->D, t));
    return fmax(side * g_of(step, m + root, speed), side * g_of(step, m - root, speed));
}

typedef struct island_ends {
    const rt_limit_point *lo, *hi;
    const int *to;
    double _Complex *const *by; /* of lo, of hi, over the interval */
} island_ends;

/* j = i: one alone. False where a derivative is not known. */
static bool path_of(const island_ends *e, int i, int j, island_path *p)
{
    const rt_solution *a = e->lo->s, *b = e->hi->s;
    const int k = e->to[i], l = e->to[j];
    const double _Complex *u = e->by[0], *v = e->by[1];
    p->mean = (island_cubic){(a->lambda[i] + a->lambda[j]) / 2, (b->lambda[k] + b->lambda[l]) / 2,
                             (u[i] + u[j]) / 2, (v[k] + v[l]) / 2};
    p->D = (island_cubic){rt_discriminant(a->lambda[i], a->lambda[j]),
                          rt_discriminant(b->lambda[k], b->lambda[l]),
                          (a->lambda[i] - a->lambda[j]) * (u[i] - u[j]) / 2,
                          (b->lambda[k] - b->lambda[l]) * (v[k] - v[l]) / 2};
    p->speed[0] = fabs(a->speed), p->speed[1] = fabs(b->speed);
    return isfinite(cabs(p->mean.s0) + cabs(p->mean.s1) + cabs(p->D.s0) + cabs(p->D.s1));
}

/* The side that they are on at both ends; 0: on both, or not on the same. */
static bool same_side(const island_ends *e, int i, int j, int *side)
{
    const int s[4] = {rt_limit_side(e->lo, i), rt_limit_side(e->lo, j),
                      rt_limit_side(e->hi, e->to[i]), rt_limit_side(e->hi, e->to[j])};
    bool below = true, above = true;
    for (int k = 0; k < 4; k++) below = below && s[k] <= 0, above = above && s[k] > 0;
    *side = above ? 1 : -1;
    return below || above;
}

/* What a rise must be above to be one. */
static double island_noise(const island_ends *e, int i, int j)
{
    const rt_limit_point *a = e->lo, *b = e->hi;
    const int k = e->to[i], l = e->to[j];
    double highest = 0;
    for (int n = 0; n < a->n; n++) highest = fmax(highest, cabs(a->s->lambda[n]));
    return 10 * fmax(fmax(a->noise[i], a->noise[j]), fmax(b->noise[k], b->noise[l])) +
           1e-6 * fmax(cabs(a->s->lambda[i]), cabs(a->s->lambda[j])) + 1e-10 * highest;
}

/* Of two that meet between: D does more between than at the ends, and might lead to the axis. */
static bool island_swings(const island_path *p, double ends, double *part)
{
    enum { SAMPLES = 24 };
    static const double more = 4, far = 10;
    double most = 0;
    for (int k = 1; k < SAMPLES; k++) {
        const double x = cabs(cubic_at(&p->D, (double)k / SAMPLES));
        if (x > most) most = x, *part = (double)k / SAMPLES;
    }
    return most > more * fmax(cabs(p->D.y0), cabs(p->D.y1)) && far * sqrt(most) > fabs(ends);
}

/* They are a pair at one end alone, so that they meet between; where is not always solved for
 * (sweep_events.c). */
static bool meets_between(const island_ends *e, int i, int j)
{
    const bool before = e->lo->s->conjugate[i] == j;
    return i != j && before != (e->hi->s->conjugate[e->to[i]] == e->to[j]);
}

static bool island_leave(const rt_limit_step *t, const island_ends *e, int i, int j, double *part,
                         bool *certain)
{
    enum { SAMPLES = 24 };
    /* of what it rises by; many times where the root of D hides most of what D does */
    static const double one = 0.25, meeting = 10;
    const double doubt = meets_between(e, i, j) ? meeting : one;
    island_path p;
    int side;
    if (e->lo->s->rigid[i] && e->lo->s->rigid[j]) return false;
    if (!same_side(e, i, j, &side) || !path_of(e, i, j, &p)) return false;
    const double ends = fmax(island_farthest(t, &p, 0, -side), island_farthest(t, &p, 1, -side));
    double most = -INFINITY;
    *certain = false;
    if (meets_between(e, i, j) && island_swings(&p, ends, part)) return true;
    for (int k = 1; k < SAMPLES; k++) {
        const double g = island_farthest(t, &p, (double)k / SAMPLES, -side);
        if (g > most) most = g, *part = (double)k / SAMPLES;
    }
    const double rise = most - ends;
    if (!(rise > island_noise(e, i, j))) return false;
    *certain = most - one * rise > 0;
    return most + doubt * rise > 0;
}

static bool is_slower(double _Complex by, double _Complex lambda)
{
    return cimag(lambda) == 0 || cabs(by) <= 2 * fabs(cimag(lambda));
}

/* Does not come so near to the real axis that it meets its conjugate: then it has no derivative,
 * and the pair together tells more. */
static bool is_smooth(const island_ends *e, int i)
{
    const double _Complex x = e->lo->s->lambda[i], y = e->hi->s->lambda[e->to[i]];
    return (cimag(x) == 0) == (cimag(y) == 0) && is_slower(e->by[0][i], x) &&
           is_slower(e->by[1][e->to[i]], y);
}

/* i and j are a pair at one end or at both, or two frequencies. */
static bool may_meet(const island_ends *e, int i, int j)
{
    const int k = e->to[i], l = e->to[j];
    const rt_solution *a = e->lo->s, *b = e->hi->s;
    if (a->conjugate[i] == j || b->conjugate[k] == l) return true;
    return is_smooth(e, i) && is_smooth(e, j) && cimag(a->lambda[i]) > 0 &&
           cimag(a->lambda[j]) > 0 && cimag(b->lambda[k]) > 0 && cimag(b->lambda[l]) > 0;
}

static bool any_leaves(const rt_limit_step *t, const island_ends *e, double *part, bool *certain)
{
    for (int i = 0; i < e->lo->n; i++)
        for (int j = i; j < e->lo->n; j++)
            if ((i == j ? is_smooth(e, i) : may_meet(e, i, j)) &&
                island_leave(t, e, i, j, part, certain))
                return true;
    return false;
}

/* ---- two that change places ------------------------------------------------------------------ */

/* Where the straight line from one g to the other is zero. */
static double passes_at(const rt_limit_point *lo, const rt_limit_point *hi, int k, int l)
{
    return lo->g[k] / (lo->g[k] - hi->g[l]);
}

static bool change_places(const rt_limit_point *lo, const rt_limit_point *hi, const int *to,
                          double *part)
{
    double sum[2] = {0};
    int n[2] = {0};
    for (int k = 0; k < lo->n; k++) {
        const bool before = rt_limit_side(lo, k) > 0, after = rt_limit_side(hi, to[k]) > 0;
        if (before == after) continue;
        sum[after] += passes_at(lo, hi, k, to[k]);
        n[after]++;
    }
    if (!n[0] || !n[1]) return false;
    *part = (sum[0] / n[0] + sum[1] / n[1]) / 2;
    return true;
}

/* ---- both ------------------------------------------------------------------------------------ */

static routh_status island_look(rt_limit_step *t, const rt_limit_point *lo,
                                const rt_limit_point *hi, const rt_match *m, double *part,
                                bool *certain, rt_arena *arena, routh_error *error)
{
    const rt_limit_point *end[2] = {lo, hi};
    const double length = hi->s->value - lo->s->value;
    double _Complex *by[2];
    if (change_places(lo, hi, m->to, part)) {
        *certain = true;
        return ROUTH_OK;
    }
    const bool whole = lo->s == t->a && hi->s == t->b,
               exact = t->task->derivatives && !(whole && t->before);
    for (int e = 0; e < 2; e++) {
        by[e] = RT_TAKE(arena, double _Complex, lo->n + 1);
        if (!by[e]) return rt_fail_memory(error);
        routh_status status = island_change_of(t, lo->s, hi->s, whole, e, by[e], arena, error);
        if (!status && exact) status = exact_change(t, end[e]->s, length, by[e], error);
        if (status) return status;
    }
    double at = -1;
    const island_ends ends = {lo, hi, m->to, by};
    if (any_leaves(t, &ends, &at, certain)) *part = at;
    return ROUTH_OK;
}

routh_status rt_limit_doubt(rt_limit_step *t, const rt_limit_point *lo, const rt_limit_point *hi,
                            double *part, bool *certain, routh_error *error)
{
    rt_match own = {0};
    rt_arena arena = {0};
    const rt_match *m = &own;
    *part = -1, *certain = false;
    if (!rt_solutions_compare(lo->s, hi->s)) return ROUTH_OK;
    routh_status status = ROUTH_OK;
    if (lo->s == t->a && hi->s == t->b)
        m = t->match;
    else
        status = rt_match_find(&own, lo->s, (rt_solution *)hi->s, false, error);
    if (!status) status = island_look(t, lo, hi, m, part, certain, &arena, error);
    rt_match_free(&own);
    rt_arena_free(&arena);
    return status;
}
