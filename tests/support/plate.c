#include "support/plate.h"

#include <stdbool.h>
#include <string.h>

#include "base/lapack.h"

/* x^a y^b of the element's twelve terms, in -1 .. 1 */
static const int TERMS[12][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2},
                                 {3, 0}, {2, 1}, {1, 2}, {0, 3}, {3, 1}, {1, 3}};
static const double CORNER[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

/* d^dx/dx d^dy/dy of x^a y^b */
static double term(int k, double x, double y, int dx, int dy)
{
    double value = 1;
    int a = TERMS[k][0], b = TERMS[k][1];
    for (int d = 0; d < dx; d++) value *= a--;
    for (int d = 0; d < dy; d++) value *= b--;
    if (value == 0) return 0;
    for (int i = 0; i < a; i++) value *= x;
    for (int i = 0; i < b; i++) value *= y;
    return value;
}

/* K and M of one element, 12 x 12: shape functions are the terms times the inverse of their values
 * in the corners. */
static routh_status element(const plate *p, double *K, double *M, routh_error *error)
{
    static const double at[4] = {-0.861136311594052575, -0.339981043584856265, 0.339981043584856265,
                                 0.861136311594052575};
    static const double weight[4] = {0.347854845137453857, 0.652145154862546143,
                                     0.652145154862546143, 0.347854845137453857};
    const double a = 0.5 * p->width / p->nx, b = 0.5 * p->height / p->ny;
    double values[144], shape[144] = {0};
    int pivots[12];
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 12; k++) {
            values[3 * c + 12 * k] = term(k, CORNER[c][0], CORNER[c][1], 0, 0);
            values[3 * c + 1 + 12 * k] = term(k, CORNER[c][0], CORNER[c][1], 1, 0) / a;
            values[3 * c + 2 + 12 * k] = term(k, CORNER[c][0], CORNER[c][1], 0, 1) / b;
        }
    for (int i = 0; i < 12; i++) shape[13 * i] = 1;
    routh_status status = rt_lu_factor(12, values, pivots, error);
    if (!status) status = rt_lu_solve(12, values, pivots, 12, shape, 0, error);
    memset(K, 0, 144 * sizeof *K);
    memset(M, 0, 144 * sizeof *M);
    for (int g = 0; g < 16 && !status; g++) {
        const double x = at[g % 4], y = at[g / 4], w = weight[g % 4] * weight[g / 4] * a * b;
        double N[12] = {0}, xx[12] = {0}, yy[12] = {0}, xy[12] = {0};
        for (int i = 0; i < 12; i++)
            for (int k = 0; k < 12; k++) {
                const double s = shape[k + 12 * i];
                N[i] += s * term(k, x, y, 0, 0);
                xx[i] += s * term(k, x, y, 2, 0) / (a * a);
                yy[i] += s * term(k, x, y, 0, 2) / (b * b);
                xy[i] += s * term(k, x, y, 1, 1) / (a * b);
            }
        for (int i = 0; i < 12; i++)
            for (int j = 0; j < 12; j++) {
                const double nu = p->poisson;
                K[i + 12 * j] += w * p->stiffness *
                                 (xx[i] * xx[j] + yy[i] * yy[j] + nu * xx[i] * yy[j] +
                                  nu * yy[i] * xx[j] + 2 * (1 - nu) * xy[i] * xy[j]);
                M[i + 12 * j] += w * p->mass * N[i] * N[j];
            }
    }
    return status;
}

/* The lower triangle: a node meets itself and its neighbours of higher number. */
static int fill_pattern(const plate *p, rt_pattern *pattern, bool count_only)
{
    static const int beside[5][2] = {{0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    int at = 0;
    for (int node = 0; node < (p->nx + 1) * (p->ny + 1); node++)
        for (int c = 0; c < 3; c++) {
            if (!count_only) pattern->start[3 * node + c] = at;
            for (int k = 0; k < 5; k++) {
                const int x = node % (p->nx + 1) + beside[k][0],
                          y = node / (p->nx + 1) + beside[k][1];
                if (x < 0 || x > p->nx || y > p->ny) continue;
                for (int r = k ? 0 : c; r < 3; r++, at++)
                    if (!count_only) pattern->row[at] = 3 * (x + y * (p->nx + 1)) + r;
            }
        }
    return at;
}

static void add(plate_matrices *m, int row, int column, double K, double M)
{
    for (int e = m->pattern.start[column]; e < m->pattern.start[column + 1]; e++)
        if (m->pattern.row[e] == row) {
            m->K[e] += K, m->M[e] += M;
            return;
        }
}

static void fix(plate_matrices *m, const char *fixed)
{
    for (int c = 0; c < m->n; c++)
        for (int e = m->pattern.start[c]; e < m->pattern.start[c + 1]; e++) {
            const int r = m->pattern.row[e];
            if (fixed[c] || fixed[r]) m->K[e] = r == c, m->M[e] = 0;
        }
}

routh_status plate_build(plate_matrices *out, const plate *p, const char *fixed, rt_arena *arena,
                         routh_error *error)
{
    double K[144], M[144];
    *out = (plate_matrices){.n = 3 * (p->nx + 1) * (p->ny + 1)};
    const int entries = fill_pattern(p, &out->pattern, true);
    out->pattern = (rt_pattern){.n_rows = out->n,
                                .n_columns = out->n,
                                .start = RT_TAKE(arena, int, out->n + 1),
                                .row = RT_TAKE(arena, int, entries)};
    out->K = RT_TAKE(arena, double, entries);
    out->M = RT_TAKE(arena, double, entries);
    if (!out->pattern.start || !out->pattern.row || !out->K || !out->M)
        return rt_fail_memory(error);
    fill_pattern(p, &out->pattern, false);
    out->pattern.start[out->n] = entries;
    const routh_status status = element(p, K, M, error);
    for (int e = 0; e < p->nx * p->ny && !status; e++) {
        const int first = e % p->nx + (e / p->nx) * (p->nx + 1);
        const int nodes[4] = {first, first + 1, first + p->nx + 2, first + p->nx + 1};
        for (int i = 0; i < 12; i++)
            for (int j = 0; j < 12; j++) {
                const int r = 3 * nodes[i / 3] + i % 3, c = 3 * nodes[j / 3] + j % 3;
                if (r >= c) add(out, r, c, K[i + 12 * j], M[i + 12 * j]);
            }
    }
    if (fixed && !status) fix(out, fixed);
    return status;
}
