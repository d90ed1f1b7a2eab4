/* What was found about a number: in order, as many as are wanted, and told from zeros. */
#include <math.h>
#include <stdlib.h>

#include "answers/wanted_parts.h"
#include "base/symmetric_split.h"

/* Neighbours nearer than this, relative to the distance, are copies. */
static const double EQUAL = 1e-7;

static int wanted_candidates_nearest_first(const void *a, const void *b)
{
    const double x = ((const rt_candidate *)a)->distance, y = ((const rt_candidate *)b)->distance;
    return (x > y) - (x < y);
}

void rt_wanted_sort(rt_wanted_search *q)
{
    for (int k = 0; k < q->n_found; k++) {
        rt_candidate *c = &q->found[k];
        c->distance = c->rigid ? hypot(q->near[0], q->near[1])
                               : hypot(c->lambda[0] - q->near[0], c->lambda[1] - q->near[1]);
    }
    qsort(q->found, (size_t)q->n_found, sizeof *q->found, wanted_candidates_nearest_first);
}

/* Two neighbours among those found, that are as far away as each other. */
static bool is_copy(const rt_wanted_search *q, int a, int b)
{
    const rt_candidate *x = &q->found[a], *y = &q->found[b];
    return y->errors.residual <= RT_WORST_RESIDUAL &&
           y->distance - x->distance <= EQUAL * y->distance + y->error + x->error;
}

int rt_wanted_enough(const rt_wanted_search *q)
{
    int n = 0;
    for (int values = 0; n < q->n_found && values < q->count; n++)
        values += rt_values_of(&q->found[n]);
    int copies = n;
    while (n > 0 && copies < q->n_found && is_copy(q, copies - 1, copies)) copies++;
    return copies - n > RT_MOST_COPIES ? n : copies;
}

double rt_wanted_radius(const rt_wanted_search *q, int enough)
{
    if (enough >= q->n_found || enough < 1) return INFINITY;
    int first = enough;
    while (first > 0 && is_copy(q, first - 1, first)) first--;
    const double far = q->found[first].distance;
    if (first < enough) return far * (1 - EQUAL) - q->found[first].error;
    return 0.5 * (q->found[enough - 1].distance + far);
}

/* du = lambda xi, exactly: rounding of the solution, which is large where the pencil is stiff, is
 * then in the balance of forces alone. */
static void set_rates(const rt_wanted_search *q, rt_candidate *c)
{
    const int n = q->pencil->n / 2;
    for (int k = 0; k < n && !q->pencil->whole; k++) {
        c->re[n + k] = c->lambda[0] * c->re[k] - c->lambda[1] * c->im[k];
        c->im[n + k] = c->lambda[0] * c->im[k] + c->lambda[1] * c->re[k];
    }
}

bool rt_wanted_is_zero(const rt_wanted_search *q, double size, const rt_pair_errors *errors)
{
    return size <= 1e-4 * hypot(q->shift[0], q->shift[1]) && errors->balance <= RT_WORST_RESIDUAL;
}

/* Rounding tears a double zero into +-1e-8 or so; zero itself, with du = 0, solves the equations
 * far better. */
static void tell_rigid(const rt_wanted_search *q, rt_candidate *c)
{
    if (!rt_wanted_is_zero(q, hypot(c->lambda[0], c->lambda[1]), &c->errors)) return;
    c->rigid = true;
    c->errors.residual = fmax(c->errors.balance, c->errors.violation);
    for (int i = q->pencil->n / 2; i < q->pencil->n; i++) c->re[i] = c->im[i] = 0;
}

void rt_wanted_examine(rt_wanted_search *q, rt_candidate *c)
{
    if (c->lambda[1] < 0) { /* of the pair the one above */
        c->lambda[1] = -c->lambda[1];
        for (int i = 0; i < q->pencil->order; i++) c->im[i] = -c->im[i];
    }
    set_rates(q, c);
    c->errors = rt_shifted_errors(q->pencil, c->lambda, c->re, c->im);
    tell_rigid(q, c);
}
