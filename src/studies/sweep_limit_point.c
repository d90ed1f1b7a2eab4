/* Eigenvalues of one value of the parameter, counted by the side of the border that they are on. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "studies/sweep_limit.h"

/* Bounds are of first order: what is beyond twice of them is certain. */
static const double CERTAIN = 2;

/* Zeros that are split off although they are not quite zero move the other eigenvalues, which their
 * bounds do not know: by this times the highest frequency times the margin of that decision. */
static const double SPLIT = 10;

static double highest_of(const rt_solution *s)
{
    double highest = 0;
    for (int k = 0; k < s->n; k++) highest = fmax(highest, cabs(s->lambda[k]));
    return highest;
}

static double noise_of_zeros(const rt_solution *s)
{
    return SPLIT * s->zero_margin * highest_of(s);
}

int rt_limit_count_unstable(const rt_solution *s)
{
    const double split = noise_of_zeros(s);
    int n = 0;
    for (int k = 0; k < s->n; k++)
        n += creal(s->lambda[k]) >
             CERTAIN * s->bound[k] + 4 * DBL_EPSILON * cabs(s->lambda[k]) + split;
    return n;
}

int rt_limit_side(const rt_limit_point *p, int k)
{
    return (p->g[k] > p->noise[k]) - (p->g[k] < -p->noise[k]);
}

/* g, and 0 of what cannot be told from it. */
static double snapped(const rt_limit_point *p, int k)
{
    return rt_limit_side(p, k) == 0 ? 0 : p->g[k];
}

static bool is_before(const rt_limit_point *p, int i, int j)
{
    const double x = snapped(p, i), y = snapped(p, j);
    if (x != y) return x > y;
    return p->g[i] != p->g[j] ? p->g[i] > p->g[j] : cimag(p->s->lambda[i]) > cimag(p->s->lambda[j]);
}

static void sort(rt_limit_point *p)
{
    for (int k = 0; k < p->n; k++) {
        int at = k;
        while (at > 0 && is_before(p, k, p->order[at - 1])) {
            p->order[at] = p->order[at - 1];
            at--;
        }
        p->order[at] = k;
        p->plus += rt_limit_side(p, k) > 0;
        p->zero += rt_limit_side(p, k) == 0;
    }
}

static int count_rigid(const rt_solution *s)
{
    int n = 0;
    for (int k = 0; k < s->n; k++) n += s->rigid[k];
    return n;
}

/* The eigenvalue nearest to zero that is told from it; after `before` in that. -1: none. */
static int nearest_to_zero(const rt_limit_point *p, int before)
{
    int least = -1;
    for (int k = 0; k < p->n; k++)
        if (!p->s->rigid[k] && p->noise[k] < cabs(p->s->lambda[k]) && k != before &&
            (least < 0 || cabs(p->s->lambda[k]) < cabs(p->s->lambda[least])))
            least = k;
    return least;
}

/* Double zeros of a mechanism that rounding of its operating point has parted, into +-sqrt(eps) of
 * the highest frequency, are zero where an end of the step has them. */
static void take_parted_zeros(const rt_limit_step *t, rt_limit_point *p)
{
    static const double PARTED = 1e-7, SAME = 1e-2;
    const int a = count_rigid(t->a), b = count_rigid(t->b), most = a > b ? a : b;
    const double highest = fmax(fmax(highest_of(t->a), highest_of(t->b)), highest_of(p->s));
    for (; p->rigid + 2 <= most; p->rigid += 2) {
        const int i = nearest_to_zero(p, -1), j = nearest_to_zero(p, i);
        if (i < 0 || j < 0 || cabs(p->s->lambda[j]) > PARTED * highest) return;
        if (cabs(p->s->lambda[i] + p->s->lambda[j]) > SAME * cabs(p->s->lambda[j])) return;
        p->noise[i] = p->noise[j] = CERTAIN * cabs(p->s->lambda[j]);
    }
}

routh_status rt_limit_measure(const rt_limit_step *t, const rt_solution *s, rt_limit_point *p,
                              routh_error *error)
{
    const size_t n = (size_t)s->n;
    p->s = s;
    p->there = !s->status && s->n == t->a->n;
    if (!p->there) return ROUTH_OK;
    p->n = s->n;
    p->room = calloc(2 * n + 1, sizeof *p->room);
    p->order = calloc(n + 1, sizeof *p->order);
    if (!p->room || !p->order) return rt_fail_memory(error);
    p->g = p->room, p->noise = p->room + n;
    p->split = noise_of_zeros(s);
    for (int k = 0; k < s->n; k++) {
        rt_zero_sample sample;
        const int at[2] = {k, -1};
        rt_wanted_measure(t->task, &t->wanted, s, at, &sample);
        p->g[k] = sample.f;
        p->noise[k] = CERTAIN * sample.noise + 4 * DBL_EPSILON * cabs(s->lambda[k]) + p->split;
    }
    p->rigid = count_rigid(s);
    take_parted_zeros(t, p);
    sort(p);
    return ROUTH_OK;
}

void rt_limit_release(rt_limit_point *p)
{
    rt_solution_free(&p->own);
    free(p->room);
    free(p->order);
    *p = (rt_limit_point){0};
}

/* Between two, or beyond them, from the nearer one. */
static routh_status limit_point_find(rt_limit_step *t, double value, const rt_limit_point *lo,
                                     const rt_limit_point *hi, rt_solution_way way,
                                     rt_limit_point *p, routh_error *error)
{
    const bool first = fabs(value - lo->s->value) <= fabs(hi->s->value - value);
    const rt_solution *near = first ? lo->s : hi->s;
    *p = (rt_limit_point){0};
    way.other = first ? hi->s : lo->s;
    const routh_status status = rt_solution_find_by(t->task, value, near, &way, &p->own, error);
    rt_sweep_tell(t->task, 0);
    t->left--;
    return status ? status : rt_limit_measure(t, &p->own, p, error);
}

routh_status rt_limit_solve(rt_limit_step *t, double value, const rt_limit_point *lo,
                            const rt_limit_point *hi, bool slope, rt_limit_point *p,
                            routh_error *error)
{
    return limit_point_find(t, value, lo, hi, (rt_solution_way){.n_slopes = slope, .doubles = true},
                            p, error);
}

routh_status rt_limit_solve_surely(rt_limit_step *t, double value, const rt_limit_point *lo,
                                   const rt_limit_point *hi, rt_limit_point *p, routh_error *error)
{
    return limit_point_find(t, value, lo, hi, (rt_solution_way){.extended = true}, p, error);
}

/* Nearer to zero, as far as can be told. */
static bool is_nearer(const rt_limit_point *p, int i, int j)
{
    const double x = fabs(snapped(p, i)), y = fabs(snapped(p, j));
    return x != y ? x < y : fabs(p->g[i]) < fabs(p->g[j]);
}

int rt_limit_pick(const rt_limit_point *p, int zeros, int rank)
{
    /* those left out are neighbours in the order */
    int first = 0, last = 0;
    while (first < p->n && p->g[p->order[first]] > p->noise[p->order[first]]) first++;
    last = first;
    for (int k = 0; k < zeros; k++) {
        const bool up =
            last >= p->n || (first > 0 && is_nearer(p, p->order[first - 1], p->order[last]));
        if (up)
            first--;
        else
            last++;
    }
    return p->order[rank < first ? rank : rank + zeros];
}

double rt_limit_slope(const rt_limit_step *t, double _Complex lambda, double _Complex by,
                      double d_speed)
{
    const rt_solution s = {.lambda = &lambda, .slope = {&by, NULL}};
    const int at[2] = {0, -1};
    return rt_wanted_slope(t->task, &t->wanted, &s, at, 0, d_speed);
}
