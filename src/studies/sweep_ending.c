/* See sweep_ending.h. */
#include "studies/sweep_ending.h"

#include <math.h>

/* ln of the product of the two eigenvalues nearest to zero, a pair or two real ones, without the
 * motions that are free; and how many these are. What else det A is the product of changes little
 * beside its zero, and much where all stiffnesses change. */
static double log_nearest(const rt_solution *s, int *rigid)
{
    double least[2] = {INFINITY, INFINITY};
    *rigid = 0;
    for (int k = 0; k < s->n; k++) {
        const double size = cabs(s->lambda[k]);
        *rigid += s->rigid[k];
        if (s->rigid[k] || size >= least[1]) continue;
        least[1] = size < least[0] ? least[0] : size;
        least[0] = fmin(size, least[0]);
    }
    return log(least[0]) + log(least[1]);
}

double rt_ending(const rt_solution *a, const rt_solution *b, double e)
{
    int rigid[2];
    const double before = log_nearest(a, &rigid[0]), after = log_nearest(b, &rigid[1]);
    const double ratio = exp((after - before) / e);
    if (a->n != b->n || rigid[0] != rigid[1] || !(ratio < 1)) return NAN;
    return b->value + (b->value - a->value) * ratio / (1 - ratio);
}

static bool changes_much(const rt_solution *a, const rt_solution *b)
{
    static const double FACTOR = 3;
    int rigid[2];
    const double change = log_nearest(a, &rigid[0]) - log_nearest(b, &rigid[1]);
    return rigid[0] != rigid[1] || !(fabs(change) < log(FACTOR));
}

bool rt_ending_is_known(const rt_solution *s)
{
    int rigid;
    log_nearest(s, &rigid);
    return rigid == 0;
}

bool rt_ending_is_near(const rt_solution *before, const rt_solution *from, const rt_solution *now)
{
    static const double exponent[2] = {RT_ENDING_FOLD, RT_ENDING_CROSSING}, AROUND = 1.25;
    const double step = now->value - from->value;
    if (!rt_ending_is_known(from)) return before && rt_ending_is_known(before); /* on a crossing */
    if (changes_much(from, now)) return true;
    for (int k = 0; k < 2 && before; k++) {
        const double part = (rt_ending(before, from, exponent[k]) - from->value) / step;
        if (part >= 0 && part <= AROUND) return true;
    }
    return false;
}
