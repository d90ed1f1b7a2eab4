#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/results.h"

const char *const rt_energy_names[3] = {"kinetic", "strain", "dissipation"};

routh_status rt_shares_create(rt_shares *shares, const routh_linear *linear, routh_error *error)
{
    const size_t n = linear->n_shares > 0 ? (size_t)linear->n_shares : 1;
    *shares = (rt_shares){.fractions = calloc(n, sizeof *shares->fractions),
                          .order = calloc(n, sizeof *shares->order)};
    const routh_status status = shares->fractions && shares->order
                                    ? routh_energy_forms_create(&shares->forms, linear, error)
                                    : rt_fail_memory(error);
    if (status) rt_shares_free(shares);
    return status;
}

void rt_shares_free(rt_shares *shares)
{
    routh_energy_forms_free(shares->forms);
    free(shares->fractions);
    free(shares->order);
    *shares = (rt_shares){0};
}

double rt_share_size(double fraction) { return rint(1e9 * fabs(fraction)); }

/* The smaller one; of equal ones, as those of symmetric machines, the later one. */
static bool shares_comes_after(const rt_shares *shares, int index, int other)
{
    const double a = rt_share_size(shares->fractions[index]),
                 b = rt_share_size(shares->fractions[other]);
    return a != b ? a < b : index > other;
}

/* Sinks the top of the heap order[0..n), the last share on top. */
static void shares_sink(rt_shares *shares, int top, int n)
{
    for (int child; (child = 2 * top + 1) < n; top = child) {
        int *order = shares->order;
        if (child + 1 < n && shares_comes_after(shares, order[child + 1], order[child])) child++;
        if (!shares_comes_after(shares, order[child], order[top])) return;
        const int index = order[top];
        order[top] = order[child], order[child] = index;
    }
}

/* Heap sort: the C library's needs global state to see the fractions. */
static void shares_sort(rt_shares *shares)
{
    for (int i = shares->n / 2; i-- > 0;) shares_sink(shares, i, shares->n);
    for (int last = shares->n - 1; last > 0; last--) {
        const int index = shares->order[0];
        shares->order[0] = shares->order[last], shares->order[last] = index;
        shares_sink(shares, 0, last);
    }
}

void rt_shares_of(rt_shares *shares, const routh_linear *linear, const routh_mode *mode,
                  routh_energy_kind kind)
{
    shares->n = 0;
    if (linear->n_shares <= 0) return;
    routh_energy_forms_fractions(shares->forms, mode, kind, shares->fractions);
    for (int i = 0; i < linear->n_shares; i++)
        if (!(fabs(shares->fractions[i]) < RT_SHARE_LEAST)) shares->order[shares->n++] = i;
    shares_sort(shares);
}
