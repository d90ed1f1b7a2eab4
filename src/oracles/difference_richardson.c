/* Differences extrapolated to step zero. */
#include <float.h>
#include <math.h>

#include "oracles/difference.h"

enum { LEVELS = 6 };                     /* steps h, h/2, ... of one table */
static const double good_enough = 1e-10; /* no further table is begun */
static const double fine = 1e-12;        /* nor is a table gone on with */

bool rt_richardson_take(rt_richardson *t, int n_parts, const int *start, const double *weight,
                        rt_arena *arena)
{
    const size_t width = (size_t)start[n_parts];
    *t = (rt_richardson){.n_parts = n_parts, .start = start, .weight = weight};
    t->plus = RT_TAKE(arena, double, width);
    t->minus = RT_TAKE(arena, double, width);
    t->best = RT_TAKE(arena, double, width);
    t->row = RT_TAKE(arena, double, LEVELS *width);
    t->row_before = RT_TAKE(arena, double, LEVELS *width);
    t->error = RT_TAKE(arena, double, n_parts);
    t->least = RT_TAKE(arena, double, n_parts);
    t->done = RT_TAKE(arena, bool, n_parts);
    t->still = RT_TAKE(arena, bool, n_parts);
    return t->plus && t->minus && t->best && t->row && t->row_before && t->error && t->least &&
           t->done && t->still;
}

/* Largest weighted entry of a - b in a part; b NULL: zero. */
static double difference_richardson_size_of(const rt_richardson *t, int part, const double *a,
                                            const double *b)
{
    double worst = 0;
    for (int i = t->start[part]; i < t->start[part + 1]; i++)
        worst = fmax(worst, t->weight[i] * fabs(a[i] - (b ? b[i] : 0)));
    return worst;
}

double rt_richardson_size(const rt_richardson *t, int part, const double *x)
{
    return difference_richardson_size_of(t, part, x, NULL);
}

/* A table of longer steps than others before may look over what is close: it only adds digits to
 * what these say. */
static bool consistent(const rt_richardson *t, int part, const double *x)
{
    return !t->longer || difference_richardson_size_of(t, part, x, t->best) <= 10 * t->error[part];
}

/* Keeps the entry x of the table if it agrees better with its two neighbours than the best one;
 * what rounding makes of a difference at step h counts too. Of a part that does not move at all it
 * is that of the longest step of the table: so much would have been seen there. */
static void keep_best(rt_richardson *t, double longest, double h, const double *x,
                      const double *left, const double *above)
{
    for (int part = 0; part < t->n_parts; part++) {
        const double rounding = DBL_EPSILON *
                                difference_richardson_size_of(t, part, t->plus, NULL) /
                                (t->still[part] ? longest : h);
        const double off = rounding + fmax(difference_richardson_size_of(t, part, x, left),
                                           difference_richardson_size_of(t, part, x, above));
        if (t->done[part] || !(off < t->error[part]) || !consistent(t, part, x)) continue;
        const int from = t->start[part], count = t->start[part + 1] - from;
        memcpy(t->best + from, x + from, (size_t)count * sizeof *x);
        t->error[part] = off;
    }
}

static double sufficient_size(const rt_richardson *t, int part)
{
    return fmax(difference_richardson_size_of(t, part, t->best, NULL), t->least[part]);
}

static bool all_are_fine(const rt_richardson *t)
{
    for (int part = 0; part < t->n_parts; part++)
        if (!(t->error[part] <= fine * sufficient_size(t, part))) return false;
    return true;
}

/* Which parts have not moved at any step of the table. */
static void see_what_moves(rt_richardson *t, bool first)
{
    for (int part = 0; part < t->n_parts; part++)
        t->still[part] = (first || t->still[part]) &&
                         difference_richardson_size_of(t, part, t->plus, t->minus) == 0;
}

/* T_i0 = (f(h) - f(-h)) / 2h at h/2^i,  T_ij = T_i,j-1 + (T_i,j-1 - T_i-1,j-1) / (4^j - 1) */
static routh_status fill_table(rt_richardson *t, rt_richardson_function function, void *context,
                               double h, routh_error *error)
{
    const size_t width = (size_t)t->start[t->n_parts];
    const double longest = h;
    for (int i = 0; i < LEVELS; i++, h /= 2) {
        routh_status status = function(context, h, t->plus, error);
        if (!status) status = function(context, -h, t->minus, error);
        if (status) return status;
        for (size_t c = 0; c < width; c++) t->row[c] = (t->plus[c] - t->minus[c]) / (2 * h);
        see_what_moves(t, i == 0);
        double power = 1;
        for (int j = 1; j <= i; j++) {
            const double *left = t->row + width * (size_t)(j - 1);
            const double *above = t->row_before + width * (size_t)(j - 1);
            double *x = t->row + width * (size_t)j;
            power *= 4;
            for (size_t c = 0; c < width; c++) x[c] = left[c] + (left[c] - above[c]) / (power - 1);
            keep_best(t, longest, h, x, left, above);
        }
        double *swap = t->row;
        t->row = t->row_before;
        t->row_before = swap;
        if (all_are_fine(t)) break;
    }
    return ROUTH_OK;
}

/* Parts that are good enough stay. */
static bool all_done(rt_richardson *t)
{
    bool all = true;
    for (int part = 0; part < t->n_parts; part++) {
        t->done[part] = t->error[part] <= good_enough * sufficient_size(t, part);
        all = all && t->done[part];
    }
    return all;
}

routh_status rt_richardson_differentiate(rt_richardson *t, rt_richardson_function function,
                                         void *context, const double *steps, int n_steps,
                                         routh_error *error)
{
    routh_status status = ROUTH_OK;
    double shortest = INFINITY;
    for (int part = 0; part < t->n_parts; part++) t->error[part] = INFINITY, t->done[part] = false;
    for (int k = 0; k < n_steps; k++) {
        t->longer = steps[k] > shortest && isfinite(t->error[0]);
        status = fill_table(t, function, context, steps[k], error);
        if (status == ROUTH_OUT_OF_MEMORY) return status;
        shortest = fmin(shortest, steps[k]);
        if (all_done(t)) break;
    }
    if (status == ROUTH_OK || isfinite(t->error[0])) return ROUTH_OK;
    return status;
}
