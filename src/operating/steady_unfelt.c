/* Velocities that nothing feels.
 *
 * Of a mechanism that is free in space the equations are the same at any velocity along the axis of
 * the turn, and without a turn at any velocity at all (Galilei): the columns of J by v_O vanish
 * along it. Nothing can determine such a velocity, and nothing depends on it, so it stays as it is
 * written. */
#include "base/lapack.h"
#include "operating/steady.h"

/* |J dv|^2 in natural units. From the eigenvectors themselves: eigenvalues of J'J are known to eps
 * of the largest only, and axes need not be those of the world. */
static double steady_unfelt_square(const rt_steady_search *k, const double dv[3])
{
    double sum = 0;
    for (int i = 0; i < k->n_rows; i++) {
        const double *row = k->whole.J + (size_t)i + (size_t)k->most_rows * (size_t)k->at_motion;
        double by = 0;
        for (int a = 0; a < 3; a++) by += row[(size_t)k->most_rows * (size_t)a] * dv[a];
        sum += pow(by * k->column_unit[k->at_motion] / k->whole.row_unit[i], 2);
    }
    return sum;
}

int rt_steady_unfelt(const rt_steady_search *k, double directions[9])
{
    static const double none = 1e-10;
    double N[9] = {0}, values[3];
    for (int i = 0; i < k->n_rows; i++) {
        const double *row = k->whole.J + (size_t)i + (size_t)k->most_rows * (size_t)k->at_motion;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                N[3 * a + b] += row[(size_t)k->most_rows * (size_t)a] *
                                row[(size_t)k->most_rows * (size_t)b] *
                                pow(k->column_unit[k->at_motion] / k->whole.row_unit[i], 2);
    }
    if (rt_symmetric_eigen(3, N, values, NULL)) return 0;
    int n = 0;
    for (int a = 0; a < 3; a++)
        if (steady_unfelt_square(k, N + 3 * a) <= none * none)
            rt_v3_copy(directions + 3 * n++, N + 3 * a);
    return n;
}
