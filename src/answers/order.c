#include "answers/order.h"

#include <math.h>
#include <string.h>

/* Parts of eigenvalues that agree to this fraction of the modulus are equal but for rounding. */
static const double SAME = 1e-12;

static double order_modulus(const routh_mode *m)
{
    return hypot(m->eigenvalue[0], m->eigenvalue[1]);
}

/* < 0: a before b. Equal parts compare as 0, so that a stable sort keeps the order they came in. */
static int order_by_modulus(const routh_mode *a, const routh_mode *b)
{
    return (order_modulus(a) > order_modulus(b)) - (order_modulus(a) < order_modulus(b));
}

static int by_parts(const routh_mode *a, const routh_mode *b)
{
    const double same = SAME * (order_modulus(a) + order_modulus(b));
    for (int part = 1; part >= 0; part--) {
        const double difference = a->eigenvalue[part] - b->eigenvalue[part];
        if (fabs(difference) > same) return difference < 0 ? -1 : 1;
    }
    return 0;
}

/* Merge sort of places: stable, and safe even if rounding makes "equal" not transitive. */
static void order_sort(int n, int *places, int *scratch, const routh_mode *modes,
                       int (*compare)(const routh_mode *, const routh_mode *))
{
    if (n < 2) return;
    const int half = n / 2;
    order_sort(half, places, scratch, modes, compare);
    order_sort(n - half, places + half, scratch, modes, compare);
    memcpy(scratch, places, (size_t)n * sizeof *scratch);
    for (int k = 0, a = 0, b = half; k < n; k++) {
        const int left =
            b == n || (a < half && compare(&modes[scratch[a]], &modes[scratch[b]]) <= 0);
        places[k] = left ? scratch[a++] : scratch[b++];
    }
}

static void renumber_conjugates(int n, routh_mode *modes, const int *places, int *now)
{
    for (int k = 0; k < n; k++) now[places[k]] = k;
    for (int k = 0; k < n; k++) modes[k].conjugate = now[modes[k].conjugate];
}

/* How many lie within the sum of both error bounds. */
static void count_multiplicity(int n, routh_mode *modes)
{
    for (int i = 0; i < n; i++) {
        modes[i].multiplicity = 0;
        for (int j = 0; j < n; j++) {
            const double re = modes[i].eigenvalue[0] - modes[j].eigenvalue[0];
            const double im = modes[i].eigenvalue[1] - modes[j].eigenvalue[1];
            const int same = hypot(re, im) <= modes[i].error_bound + modes[j].error_bound;
            modes[i].multiplicity += same && modes[i].rigid == modes[j].rigid;
        }
    }
}

void rt_order_modes(int n, routh_mode *modes, routh_mode *scratch, int *places)
{
    int *other = places + n;
    for (int k = 0; k < n; k++) places[k] = k;
    order_sort(n, places, other, modes, order_by_modulus);
    for (int first = 0, last; first < n; first = last) {
        const double same = (1 + SAME) * order_modulus(&modes[places[first]]);
        last = first + 1;
        while (last < n && order_modulus(&modes[places[last]]) <= same) last++;
        order_sort(last - first, places + first, other, modes, by_parts);
    }
    memcpy(scratch, modes, (size_t)n * sizeof *modes);
    for (int k = 0; k < n; k++) modes[k] = scratch[places[k]];
    renumber_conjugates(n, modes, places, other);
    count_multiplicity(n, modes);
}
