#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "answers/energy_fractions.h"

enum { BLOCK = 32 };

/* Sums below this fraction of their terms are nothing but rounding. */
static const double CANCELLED = 1e-13;

/* v = rows y for count rows from first on: real parts, then imaginary parts */
static void shares_motion(const routh_energy_fraction *share, int n, int first, int count,
                          const double *shape, double v[2 * BLOCK])
{
    for (int r = 0; r < count; r++) {
        const double *row = share->rows + (size_t)(first + r) * (size_t)n;
        double re = 0, im = 0;
        for (int j = 0; j < n; j++) re += row[j] * shape[j], im += row[j] * shape[n + j];
        v[r] = re, v[BLOCK + r] = im;
    }
}

static int shares_least(int a, int b) { return a < b ? a : b; }

/* Is there anything in the rows from a on and the columns from b on? */
static bool has_weight(const routh_energy_fraction *share, int a, int b)
{
    const int m = share->n_rows;
    for (int i = a; i < a + BLOCK && i < m; i++)
        for (int j = b; j < b + BLOCK && j < m; j++)
            if (share->weight[(size_t)i * (size_t)m + (size_t)j] != 0) return true;
    return false;
}

/* Re(v^H W v): twice the cycle average of v' W v. Block by block, so that it needs no memory;
 * blocks without weight, which most of a finite-element body's are, cost nothing. */
static double shares_quadratic(const routh_energy_fraction *share, int n, const double *shape)
{
    const int m = share->n_rows;
    double u[2 * BLOCK], v[2 * BLOCK], sum = 0;
    for (int a = 0; a < m; a += BLOCK) {
        shares_motion(share, n, a, shares_least(BLOCK, m - a), shape, u);
        for (int b = 0; b < m; b += BLOCK) {
            if (!has_weight(share, a, b)) continue;
            shares_motion(share, n, b, shares_least(BLOCK, m - b), shape, v);
            for (int i = 0; i < BLOCK && a + i < m; i++)
                for (int j = 0; j < BLOCK && b + j < m; j++)
                    sum += share->weight[(size_t)(a + i) * (size_t)m + (size_t)(b + j)] *
                           (u[i] * v[j] + u[BLOCK + i] * v[BLOCK + j]);
        }
    }
    return sum;
}

bool rt_energy_counts(const routh_mode *mode, routh_energy_kind kind)
{
    return !mode->rigid || kind == ROUTH_ENERGY_KINETIC;
}

void rt_energy_fractions(int n, double *energies)
{
    double sum = 0, size = 0;
    for (int k = 0; k < n; k++) sum += energies[k], size += fabs(energies[k]);
    const double factor = fabs(sum) > CANCELLED * size ? 1 / sum : 0;
    for (int k = 0; k < n; k++) energies[k] *= factor;
}

void routh_mode_energy_fractions(const routh_linear *linear, const routh_mode *mode,
                                 routh_energy_kind kind, double *fractions)
{
    const bool counts = rt_energy_counts(mode, kind);
    for (int k = 0; k < linear->n_shares; k++) {
        const routh_energy_fraction *share = &linear->shares[k];
        fractions[k] = share->kind == kind && counts
                           ? shares_quadratic(share, linear->n_states, mode->shape)
                           : 0;
    }
    rt_energy_fractions(linear->n_shares, fractions);
}
