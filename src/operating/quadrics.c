#include "operating/quadrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"

enum { P = RT_QUADRICS_MOST_VARIABLES };

static const double zero_residual = 1e-11; /* of forms and directions of length 1 */
static const double same_direction = 1e-5;
static const double no_gradient = 1e-5; /* singular values below count as zero */

typedef struct problem {
    int p, n_forms;
    const double *forms;
    double *J, *copy;  /* equations x unknowns of the larger system */
    double *r, *sigma; /* equations, unknowns */
    double *U, *Vt;
} problem;

/* ---- forms ---------------------------------------------------------------------------------- */

/* g = Q_f a */
static void times_form(const problem *q, int f, const double *a, double *g)
{
    const double *Q = q->forms + (size_t)f * (size_t)(q->p * q->p);
    for (int i = 0; i < q->p; i++) {
        g[i] = 0;
        for (int j = 0; j < q->p; j++) g[i] += Q[i + q->p * j] * a[j];
    }
}

static double quadrics_dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void quadrics_normalize(double *a, int n)
{
    const double length = sqrt(quadrics_dot(a, a, n));
    for (int i = 0; i < n && length > 0; i++) a[i] /= length;
}

/* A direction has no sign: the largest component, the first of equal ones, is made positive. */
static void orient(double *a, int n)
{
    int most = 0;
    for (int i = 1; i < n; i++)
        if (fabs(a[i]) > fabs(a[most]) * (1 + 1e-9)) most = i;
    if (a[most] < 0)
        for (int i = 0; i < n; i++) a[i] = -a[i];
}

static double quadrics_residual(const problem *q, const double *c)
{
    double worst = 0, g[P];
    for (int f = 0; f < q->n_forms; f++) {
        times_form(q, f, c, g);
        const double x = fabs(quadrics_dot(c, g, q->p));
        if (!(x <= worst)) worst = x;
    }
    return worst;
}

/* ---- Newton's method ------------------------------------------------------------------------ */

/* The smallest step with J step = -r in the sense of least squares; singular values below cut are
 * left out. J: rows x columns. */
static routh_status smallest_step(problem *q, int rows, int columns, double cut, double *step,
                                  routh_error *error)
{
    const int least = rows < columns ? rows : columns;
    memcpy(q->copy, q->J, (size_t)(rows * columns) * sizeof *q->J);
    const routh_status status = rt_svd(rows, columns, q->copy, q->sigma, q->U, q->Vt, error);
    if (status) return status;
    memset(step, 0, (size_t)columns * sizeof *step);
    for (int k = 0; k < least && q->sigma[k] > cut; k++) {
        const double x = -quadrics_dot(q->U + rows * k, q->r, rows) / q->sigma[k];
        for (int c = 0; c < columns; c++) step[c] += x * q->Vt[k + columns * c];
    }
    return ROUTH_OK;
}

/* The gradients of the forms at c as rows, and their values. */
static void quadrics_fill_plain(problem *q, int rows, const double *c)
{
    double g[P];
    for (int f = 0; f < q->n_forms; f++) {
        times_form(q, f, c, g);
        for (int i = 0; i < q->p; i++) q->J[f + rows * i] = 2 * g[i];
        q->r[f] = quadrics_dot(c, g, q->p);
    }
}

static routh_status quadrics_newton(problem *q, double *c, routh_error *error)
{
    enum { STEPS = 50 };
    for (int k = 0; k < STEPS && !(quadrics_residual(q, c) < zero_residual / 1000); k++) {
        double step[P];
        quadrics_fill_plain(q, q->n_forms, c);
        const routh_status status = smallest_step(q, q->n_forms, q->p, 1e-14, step, error);
        if (status) return status;
        const double size = sqrt(quadrics_dot(step, step, q->p));
        const double factor = size > 0.3 ? 0.3 / size : 1;
        for (int i = 0; i < q->p; i++) c[i] += factor * step[i];
        quadrics_normalize(c, q->p);
    }
    return ROUTH_OK;
}

/* Singular values of the gradients at c, and into n the direction other than c that they see
 * least. True where it is seen: a simple zero. */
static routh_status quadrics_look(problem *q, const double *c, bool *simple, double *n,
                                  routh_error *error)
{
    double unused[P];
    const int rows = q->n_forms + 1;
    quadrics_fill_plain(q, rows, c);
    for (int i = 0; i < q->p; i++) q->J[q->n_forms + rows * i] = 2 * c[i];
    q->r[q->n_forms] = 0;
    const routh_status status = smallest_step(q, rows, q->p, 1, unused, error);
    if (status) return status;
    *simple = rows >= q->p && q->sigma[q->p - 1] > no_gradient;
    for (int i = 0; i < q->p; i++) n[i] = q->Vt[q->p - 1 + q->p * i];
    return ROUTH_OK;
}

/* A double zero: c'Q c = 0, n'Q c = 0 for all forms, |c| = |n| = 1, n'c = 0, which has full rank
 * in c where c'Q c = 0 has not. */
static routh_status quadrics_deflate(problem *q, double *c, double *n, routh_error *error)
{
    enum { STEPS = 20 };
    const int p = q->p, f = q->n_forms, rows = 2 * f + 3;
    for (int k = 0; k < STEPS; k++) {
        double step[2 * P], g[P], h[P];
        memset(q->J, 0, (size_t)(rows * 2 * p) * sizeof *q->J);
        for (int e = 0; e < f; e++) {
            times_form(q, e, c, g);
            times_form(q, e, n, h);
            q->r[e] = quadrics_dot(c, g, p);
            q->r[f + e] = quadrics_dot(n, g, p);
            for (int i = 0; i < p; i++) {
                q->J[e + rows * i] = 2 * g[i];
                q->J[f + e + rows * i] = h[i];
                q->J[f + e + rows * (p + i)] = g[i];
            }
        }
        q->r[2 * f] = quadrics_dot(c, c, p) - 1;
        q->r[2 * f + 1] = quadrics_dot(n, n, p) - 1;
        q->r[2 * f + 2] = quadrics_dot(n, c, p);
        for (int i = 0; i < p; i++) {
            q->J[2 * f + rows * i] = 2 * c[i];
            q->J[2 * f + 1 + rows * (p + i)] = 2 * n[i];
            q->J[2 * f + 2 + rows * i] = n[i];
            q->J[2 * f + 2 + rows * (p + i)] = c[i];
        }
        const routh_status status = smallest_step(q, rows, 2 * p, no_gradient, step, error);
        if (status) return status;
        for (int i = 0; i < p; i++) c[i] += step[i], n[i] += step[p + i];
    }
    quadrics_normalize(c, p);
    return ROUTH_OK;
}

/* ---- collecting ----------------------------------------------------------------------------- */

static void quadrics_keep(rt_quadric_zeros *out, const problem *q, double *c, bool simple)
{
    orient(c, q->p);
    for (int k = 0; k < out->n; k++) {
        double there = 0, back = 0;
        for (int i = 0; i < q->p; i++) {
            there = fmax(there, fabs(c[i] - out->zero[k].c[i]));
            back = fmax(back, fabs(c[i] + out->zero[k].c[i]));
        }
        if (fmin(there, back) < same_direction) return;
    }
    if (out->n == RT_QUADRICS_MOST_ZEROS) {
        out->surface = true;
        return;
    }
    rt_quadric_zero *z = &out->zero[out->n++];
    memset(z, 0, sizeof *z);
    memcpy(z->c, c, (size_t)q->p * sizeof *c);
    z->simple = simple;
}

static routh_status consider(rt_quadric_zeros *out, problem *q, double *c, routh_error *error)
{
    bool simple;
    double n[P], deflated[P];
    if (!(quadrics_residual(q, c) < zero_residual)) return ROUTH_OK;
    routh_status status = quadrics_look(q, c, &simple, n, error);
    if (!status && !simple) {
        memcpy(deflated, c, sizeof deflated);
        status = quadrics_deflate(q, deflated, n, error);
        double off = 0;
        for (int i = 0; i < q->p; i++) off = fmax(off, fabs(deflated[i] - c[i]));
        if (quadrics_residual(q, deflated) < zero_residual && off < 1e-3)
            memcpy(c, deflated, (size_t)q->p * sizeof *c);
    }
    if (!status) quadrics_keep(out, q, c, simple);
    return status;
}

/* ---- one and two variables ------------------------------------------------------------------ */

/* a x^2 + 2 b x y + d y^2 = 0: (x, y) = (-b -+ w, a) or (d, -b -+ w), w^2 = b^2 - a d. A double
 * zero stays one where w is rounding. */
static routh_status solve_two(rt_quadric_zeros *out, problem *q, routh_error *error)
{
    const double *Q = q->forms;
    const double a = Q[0], b = Q[1], d = Q[3], under = b * b - a * d;
    if (under < -1e-12) return ROUTH_OK;
    const double w = under > 1e-12 ? sqrt(under) : 0;
    const double t = b >= 0 ? -b - w : -b + w; /* no cancellation */
    double c[2][P] = {{t, a}, {d, t}};
    if (fabs(a) + fabs(t) == 0) c[0][0] = 1;
    if (fabs(d) + fabs(t) == 0) c[1][1] = 1;
    for (int k = 0; k < 2; k++) {
        quadrics_normalize(c[k], 2);
        if (k == 1 && w == 0 && out->n > 0) break;
        const routh_status status = consider(out, q, c[k], error);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* Numbers in [-1, 1], the same in every run. */
static double quadrics_next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

/* As many starts again, times twenty, as the last new zero took. */
static routh_status solve_many(rt_quadric_zeros *out, problem *q, routh_error *error)
{
    enum { LEAST = 300, MOST = 6000, PATIENCE = 20 };
    unsigned seed = 1;
    for (int k = 0, last = 0; k < MOST && k < LEAST + PATIENCE * last && !out->surface; k++) {
        double c[P];
        const int before = out->n;
        for (int i = 0; i < q->p; i++) c[i] = quadrics_next_random(&seed);
        quadrics_normalize(c, q->p);
        routh_status status = quadrics_newton(q, c, error);
        if (!status) status = consider(out, q, c, error);
        if (status) return status;
        if (out->n > before) last = k;
    }
    return ROUTH_OK;
}

static bool quadrics_make_room(problem *q)
{
    const size_t rows = 2 * (size_t)q->n_forms + 3, columns = 2 * (size_t)q->p;
    const size_t size = rows * columns;
    q->J = malloc((2 * size + rows * rows + columns * columns + rows + columns) * sizeof *q->J);
    if (!q->J) return false;
    q->copy = q->J + size;
    q->U = q->copy + size;
    q->Vt = q->U + rows * rows;
    q->r = q->Vt + columns * columns;
    q->sigma = q->r + rows;
    return true;
}

routh_status rt_quadrics_solve(rt_quadric_zeros *out, int p, int n_forms, const double *forms,
                               routh_error *error)
{
    problem q = {.p = p, .n_forms = n_forms, .forms = forms};
    *out = (rt_quadric_zeros){.all = p <= 2};
    if (p < 2 || n_forms < 1) return ROUTH_OK;
    if (!quadrics_make_room(&q)) return rt_fail_memory(error);
    const routh_status status = p == 2 ? solve_two(out, &q, error) : solve_many(out, &q, error);
    free(q.J);
    return status;
}
