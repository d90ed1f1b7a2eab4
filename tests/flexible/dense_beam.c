#include "flexible/dense_beam.h"

#include "base/lapack.h"

rt_beam some_beam(int n_elements)
{
    const double width = 0.03, height = 0.05;
    return (rt_beam){.to = {2, 0, 0},
                     .side = {0, 1, 0},
                     .n_elements = n_elements,
                     .density = 2700,
                     .area = width * height,
                     .young = 7e10,
                     .shear = 2.6e10,
                     .inertia_y = height * width * width * width / 12,
                     .inertia_z = width * height * height * height / 12,
                     .torsion = 3e-7};
}

rt_beam oblique_beam(int n_elements)
{
    rt_beam beam = some_beam(n_elements);
    const double from[3] = {0.3, -0.2, 0.5}, to[3] = {1.1, 1.3, -0.4}, side[3] = {0.2, 1, 0.7};
    memcpy(beam.from, from, sizeof from);
    memcpy(beam.to, to, sizeof to);
    memcpy(beam.side, side, sizeof side);
    return beam;
}

const rt_flexible *make_beam(const rt_beam *beam, rt_arena *arena)
{
    const rt_flexible *flexible = NULL;
    routh_error error;
    const routh_status status = rt_flexible_from_beam(&flexible, beam, arena, &error);
    if (status) fail_msg("%s", error.message);
    return flexible;
}

double *zeros(size_t n)
{
    double *x = calloc(n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

double *dense(const rt_flexible *flexible, const double *values)
{
    const rt_pattern *p = &flexible->pattern;
    const size_t n = (size_t)flexible->n;
    double *X = zeros(n * n);
    for (size_t l = 0; l < n; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++)
            X[n * l + (size_t)p->row[e]] = values[e];
    return X;
}

double *dense_mass(const rt_flexible *flexible)
{
    const size_t count = (size_t)flexible->pattern.start[flexible->n];
    double *values = zeros(count);
    for (size_t e = 0; e < count; e++) {
        const double *N = flexible->N + 9 * e;
        values[e] = N[0] + N[4] + N[8] + flexible->M[e];
    }
    double *X = dense(flexible, values);
    free(values);
    return X;
}

static int hold(double *X, int n, int n_dropped, const int *dropped)
{
    int columns = 0;
    for (int l = 0; l < n; l++) {
        bool keep = true;
        for (int d = 0; d < n_dropped; d++) keep = keep && dropped[d] != l;
        if (!keep) continue;
        int rows = 0;
        for (int k = 0; k < n; k++) {
            bool stay = true;
            for (int d = 0; d < n_dropped; d++) stay = stay && dropped[d] != k;
            if (stay) X[(n - n_dropped) * columns + rows++] = X[n * l + k];
        }
        columns++;
    }
    return columns;
}

void squared_frequencies(const rt_flexible *flexible, int n_dropped, const int *dropped,
                         double *squares)
{
    double *M = dense_mass(flexible), *K = dense(flexible, flexible->K);
    const int n = hold(M, flexible->n, n_dropped, dropped);
    hold(K, flexible->n, n_dropped, dropped);
    double *mu = zeros((size_t)n);
    assert_int_equal(rt_symmetric_generalized_eigen(n, M, K, mu, NULL), ROUTH_OK);
    for (int k = 0; k < n; k++) squares[k] = 1 / mu[n - 1 - k];
    free(M), free(K), free(mu);
}

void assert_relative(double found, double right, double tolerance)
{
    if (!(fabs(found - right) <= tolerance * fabs(right)))
        fail_msg("%.15g should be %.15g, within %g", found, right, tolerance);
}
