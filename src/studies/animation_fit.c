/* Polynomials through the nodes of a disc, by least squares.
 *
 *     term = (V'V)^-1 V' y,     V[k][t] = c_k^i s_k^j of term t at node k,
 *
 * with c and s over the radius of the disc, so that no power is larger than 1. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "studies/animation.h"
#include "base/lapack.h"

static void list_terms(rt_path_fit *fit, bool is_real)
{
    for (int degree = 2; degree <= RT_PATH_DEGREE; degree++)
        for (int j = 0; j <= (is_real ? 0 : degree); j++) {
            fit->power[fit->n_terms][0] = degree - j;
            fit->power[fit->n_terms++][1] = j;
        }
}

/* Chebyshev's points. */
static void line_of_nodes(rt_path_fit *fit, double largest)
{
    enum { N = 10 };
    for (int k = 0; k < N; k++)
        fit->node[fit->n_nodes++][0] = largest * cos(RT_PI * (k + 0.5) / N) / cos(RT_PI * 0.5 / N);
}

/* Rings of odd numbers of nodes, so that no two are opposite. */
static void rings_of_nodes(rt_path_fit *fit, double largest)
{
    static const double radius[] = {1, 0.8, 0.45};
    static const int count[] = {15, 13, 7};
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < count[r]; k++) {
            const double angle = 2 * RT_PI * (k + 0.5 * r) / count[r];
            fit->node[fit->n_nodes][0] = largest * radius[r] * cos(angle);
            fit->node[fit->n_nodes++][1] = largest * radius[r] * sin(angle);
        }
}

static double animation_fit_power(double x, int n)
{
    double y = 1;
    while (n-- > 0) y *= x;
    return y;
}

void rt_path_powers(const rt_path_fit *fit, double c, double s, double *value)
{
    for (int t = 0; t < fit->n_terms; t++)
        value[t] =
            animation_fit_power(c, fit->power[t][0]) * animation_fit_power(s, fit->power[t][1]);
}

routh_status rt_path_fit_make(rt_path_fit *fit, bool is_real, double largest, routh_error *error)
{
    double V[RT_PATH_NODES][RT_PATH_TERMS], normal[RT_PATH_TERMS * RT_PATH_TERMS] = {0};
    double right[RT_PATH_NODES * RT_PATH_TERMS];
    *fit = (rt_path_fit){0};
    list_terms(fit, is_real);
    if (is_real)
        line_of_nodes(fit, largest);
    else
        rings_of_nodes(fit, largest);
    const int n = fit->n_terms;
    for (int k = 0; k < fit->n_nodes; k++)
        rt_path_powers(fit, fit->node[k][0] / largest, fit->node[k][1] / largest, V[k]);
    for (int k = 0; k < fit->n_nodes; k++)
        for (int i = 0; i < n; i++) {
            right[k * n + i] = V[k][i];
            for (int j = 0; j < n; j++) normal[j * n + i] += V[k][i] * V[k][j];
        }
    routh_status status = rt_cholesky_factor(n, normal, error);
    if (!status) status = rt_cholesky_solve(n, normal, fit->n_nodes, right, error);
    for (int k = 0; k < fit->n_nodes; k++)
        for (int t = 0; t < n; t++)
            fit->weight[t * fit->n_nodes + k] =
                right[k * n + t] /
                animation_fit_power(largest, fit->power[t][0] + fit->power[t][1]);
    return status;
}
