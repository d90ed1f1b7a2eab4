/* Sections fitted to all series at once. Amplitudes are linear and eliminated by QR,
 *
 *     Phi = Q [R; 0],    a = R^-1 (Q'Y)_top,    residual (Q'Y)_bottom
 *     J_p = (Q' dPhi/dp)_bottom a                                        (Kaufman 1975)
 *
 * so that J'J and J'r are sums of products of small Gram matrices. */
#include <math.h>
#include <string.h>

#include "base/lapack.h"
#include "base/reflectors.h"
#include "answers/identify_parts.h"

/* One evaluation of a fit. */
typedef struct evaluation {
    rt_arena arena;
    int n, m, n_series; /* samples, columns */
    rt_reflectors q;
    double *phi;   /* n x m */
    double *y;     /* Q'Y: n x n_series */
    double *slope; /* Q' of derivatives, n x 2 m: of column k by mu at 2 k, by delta at 2 k + 1 */
    int *section;  /* m: whose column it is */
    int dependent; /* a section that follows from those before it; -1: none */
    double rss;
} evaluation;

static void identify_fit_release(evaluation *e) { rt_arena_free(&e->arena); }

static int identify_fit_count_columns(const rt_fit *fit)
{
    int m = 0;
    for (int k = 0; k < fit->n_sections; k++) m += fit->sections[k].n;
    return m;
}

static void fill_basis(const rt_fit *fit, const evaluation *e, double step)
{
    const size_t n = (size_t)e->n;
    for (int i = 0; i < e->n; i++) {
        size_t column = 0;
        for (int k = 0; k < fit->n_sections; k++) {
            double value[2], slope[4];
            const int width = fit->sections[k].n;
            rt_section_basis(&fit->sections[k], i * step, value, slope);
            for (int j = 0; j < width; j++, column++) {
                e->section[column] = k;
                e->phi[column * n + (size_t)i] = value[j];
                e->slope[2 * column * n + (size_t)i] = slope[2 * j];
                e->slope[(2 * column + 1) * n + (size_t)i] = slope[2 * j + 1];
            }
        }
    }
}

static double column_size(const evaluation *e, int column)
{
    double sum = 0;
    for (int i = 0; i < e->n; i++) sum += e->phi[column * e->n + i] * e->phi[column * e->n + i];
    return sqrt(sum);
}

/* Of the diagonal of R, in place of the basis in phi, and the columns' lengths before. */
static void find_dependent(evaluation *e, const double *size)
{
    static const double least = 1e-12;
    e->dependent = -1;
    for (int k = 0; k < e->m && e->dependent < 0; k++)
        if (!(fabs(e->phi[k * e->n + k]) > least * size[k])) e->dependent = e->section[k];
}

static routh_status identify_fit_evaluate(rt_fit *fit, const rt_sampled_record *r, evaluation *e,
                                          routh_error *error)
{
    const size_t n = (size_t)r->n_samples;
    const int m = identify_fit_count_columns(fit), n_series = r->n_runs * r->n_channels;
    *e = (evaluation){.n = r->n_samples, .m = m, .n_series = n_series};
    e->phi = RT_TAKE(&e->arena, double, n *(size_t)m);
    e->slope = RT_TAKE(&e->arena, double, 2 * n * (size_t)m);
    e->y = RT_TAKE(&e->arena, double, n *(size_t)n_series);
    double *b = RT_TAKE(&e->arena, double, m);
    e->section = RT_TAKE(&e->arena, int, m);
    if (!e->phi || !e->slope || !e->y || !b || !e->section) return rt_fail_memory(error);
    fill_basis(fit, e, r->step);
    memcpy(e->y, r->y, n * (size_t)n_series * sizeof *e->y);
    for (int k = 0; k < m; k++) b[k] = column_size(e, k);
    routh_status status = rt_reflectors_make(&e->q, e->n, m, e->phi, &e->arena, error);
    if (status) return status;
    fit->n_columns = m;
    find_dependent(e, b);
    if (e->dependent >= 0) return ROUTH_OK;
    rt_reflectors_apply(&e->q, 1, n_series, e->y);
    for (int i = 0; i < n_series; i++) {
        const double *y = e->y + (size_t)i * n;
        memcpy(b, y, (size_t)m * sizeof *b);
        rt_reflectors_solve(&e->q, b);
        for (int k = 0; k < m; k++) fit->amplitude[k * n_series + i] = b[k];
        for (size_t k = (size_t)m; k < n; k++) e->rss += y[k] * y[k];
    }
    fit->rss = e->rss;
    return ROUTH_OK;
}

/* x . y over rows m .. n - 1 */
static double below(const evaluation *e, const double *x, const double *y)
{
    double sum = 0;
    for (int i = e->m; i < e->n; i++) sum += x[i] * y[i];
    return sum;
}

/* sum over series of weight a_k a_l */
static double identify_fit_product(const rt_fit *fit, int n_series, const double *weight, int k,
                                   int l)
{
    const double *a = fit->amplitude + k * n_series, *b = fit->amplitude + l * n_series;
    double sum = 0;
    for (int i = 0; i < n_series; i++) sum += (weight ? weight[i] : 1) * a[i] * b[i];
    return sum;
}

/* sum over series of weight J'J of (mu, delta) of all sections, 2 n_sections square. The slopes are
 * Q' of them. weight: n_series; NULL: 1 */
static void identify_fit_gram(const rt_fit *fit, const evaluation *e, const double *weight,
                              double *JJ)
{
    const int m = e->m, n_p = 2 * fit->n_sections;
    const size_t n = (size_t)e->n;
    memset(JJ, 0, (size_t)n_p * (size_t)n_p * sizeof *JJ);
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++) {
            const double by = identify_fit_product(fit, e->n_series, weight, a, b);
            double *at = JJ + 2 * (e->section[a] * n_p + e->section[b]);
            for (int p = 0; p < 2; p++)
                for (int q = 0; q < 2; q++)
                    at[p * n_p + q] += by * below(e, e->slope + (size_t)(2 * a + p) * n,
                                                  e->slope + (size_t)(2 * b + q) * n);
        }
}

/* J'J and J'r. Turns the slopes into Q' of them. */
static void normal_equations(const rt_fit *fit, evaluation *e, double *JJ, double *Jr)
{
    const int m = e->m, n_series = e->n_series;
    const size_t n = (size_t)e->n;
    rt_reflectors_apply(&e->q, 1, 2 * m, e->slope);
    identify_fit_gram(fit, e, NULL, JJ);
    memset(Jr, 0, 2 * (size_t)fit->n_sections * sizeof *Jr);
    for (int a = 0; a < m; a++)
        for (int p = 0; p < 2; p++)
            for (int i = 0; i < n_series; i++)
                Jr[2 * e->section[a] + p] +=
                    fit->amplitude[a * n_series + i] *
                    below(e, e->slope + (size_t)(2 * a + p) * n, e->y + (size_t)i * n);
}

/* (D^-1 J'J D^-1 + damping I), D the lengths of J's columns: factored into L. Parameters that do
 * nothing (a single exponential's delta) stay. */
static routh_status damped_factor(int n, const double *JJ, double damping, double *size, double *L,
                                  routh_error *error)
{
    for (int i = 0; i < n; i++) size[i] = JJ[i * n + i] > 0 ? sqrt(JJ[i * n + i]) : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double scale = size[i] * size[j];
            L[i * n + j] = (scale > 0 ? JJ[i * n + j] / scale : 0) +
                           (i == j ? damping + (size[i] > 0 ? 0 : 1) : 0);
        }
    return rt_cholesky_factor(n, L, error);
}

static bool sensible(const rt_fit *fit, double duration)
{
    for (int k = 0; k < fit->n_sections; k++) {
        const rt_sampled_section *s = &fit->sections[k];
        const double r = s->n == 2 && s->delta > 0 ? sqrt(s->delta) : 0;
        if (!isfinite(s->mu) || !isfinite(s->delta) || (s->mu + r) * duration > 30) return false;
    }
    return true;
}

typedef struct identify_fit_search {
    int n_p;
    double *JJ, *Jr, *L, *size, *step, *amplitude;
    rt_sampled_section *before;
} identify_fit_search;

static bool identify_fit_take(identify_fit_search *s, const rt_fit *fit, int n_series,
                              rt_arena *arena)
{
    const size_t n = s->n_p = 2 * fit->n_sections;
    s->JJ = RT_TAKE(arena, double, n *n);
    s->L = RT_TAKE(arena, double, n *n);
    s->Jr = RT_TAKE(arena, double, 3 * n);
    s->before = RT_TAKE(arena, rt_sampled_section, fit->n_sections);
    s->amplitude = RT_TAKE(arena, double, fit->n_columns *n_series + 1);
    if (!s->JJ || !s->L || !s->Jr || !s->before || !s->amplitude) return false;
    s->size = s->Jr + n;
    s->step = s->size + n;
    return true;
}

/* One step with more and more damping until rss falls: *e is at the new place then. *settled: it
 * falls no further, or by nothing to speak of. */
static routh_status identify_fit_improve(rt_fit *fit, const rt_sampled_record *r, evaluation *e,
                                         identify_fit_search *s, double *damping, bool *settled,
                                         routh_error *error)
{
    const int n_p = s->n_p;
    const size_t n_amplitudes = (size_t)e->m * (size_t)e->n_series;
    const double rss = e->rss;
    memcpy(s->before, fit->sections, (size_t)fit->n_sections * sizeof *s->before);
    memcpy(s->amplitude, fit->amplitude, n_amplitudes * sizeof *s->amplitude);
    for (int attempt = 0; attempt < 8; attempt++, *damping = fmax(10 * *damping, 1e-12)) {
        if (damped_factor(n_p, s->JJ, *damping, s->size, s->L, NULL)) continue;
        for (int i = 0; i < n_p; i++) s->step[i] = s->size[i] > 0 ? s->Jr[i] / s->size[i] : 0;
        if (rt_cholesky_solve(n_p, s->L, 1, s->step, NULL)) continue;
        for (int k = 0; k < fit->n_sections; k++) {
            fit->sections[k] = s->before[k];
            if (s->size[2 * k] > 0) fit->sections[k].mu += s->step[2 * k] / s->size[2 * k];
            if (s->size[2 * k + 1] > 0)
                fit->sections[k].delta += s->step[2 * k + 1] / s->size[2 * k + 1];
        }
        if (!sensible(fit, r->n_samples * r->step)) continue;
        evaluation next;
        const routh_status status = identify_fit_evaluate(fit, r, &next, NULL);
        if (status == ROUTH_OUT_OF_MEMORY) {
            identify_fit_release(&next);
            return rt_fail_memory(error);
        }
        if (!status && next.dependent < 0 && next.rss < rss) {
            identify_fit_release(e);
            *e = next;
            *settled = rss - next.rss < 1e-10 * next.rss;
            *damping *= 0.1;
            return ROUTH_OK;
        }
        identify_fit_release(&next);
    }
    memcpy(fit->sections, s->before, (size_t)fit->n_sections * sizeof *s->before);
    memcpy(fit->amplitude, s->amplitude, n_amplitudes * sizeof *s->amplitude);
    fit->rss = rss;
    *settled = true;
    return ROUTH_OK;
}

/* The variance of noise of each channel, from what the fit leaves of it; weight: of each series. */
static void find_variances(const rt_fit *fit, const rt_sampled_record *r, const evaluation *e,
                           double *weight)
{
    const double least = fit->noise * fit->noise;
    double unknowns = 0;
    for (int k = 0; k < fit->n_sections; k++) unknowns += fit->sections[k].n;
    const double samples = (double)r->n_runs * (e->n - e->m) - unknowns / r->n_channels;
    for (int c = 0; c < r->n_channels; c++) {
        double rss = 0;
        for (int i = c; i < e->n_series; i += r->n_channels) {
            const double *y = e->y + (size_t)i * (size_t)e->n;
            rss += below(e, y, y);
        }
        for (int i = c; i < e->n_series; i += r->n_channels)
            weight[i] = fmax(rss / fmax(samples, 1), least);
    }
}

/* x := D^-1 L^-T L^-1 D^-1 x, (J'J)^-1 by its factors */
static void solve_normal(const identify_fit_search *s, double *x)
{
    for (int i = 0; i < s->n_p; i++) x[i] = s->size[i] > 0 ? x[i] / s->size[i] : 0;
    rt_cholesky_solve(s->n_p, s->L, 1, x, NULL);
    for (int i = 0; i < s->n_p; i++) x[i] = s->size[i] > 0 ? x[i] / s->size[i] : 0;
}

/* (J'J)^-1 (sum of variance J'J) (J'J)^-1; where J'J has no inverse, the variances have no
 * bound. */
static routh_status fill_covariance(rt_fit *fit, const rt_sampled_record *r, identify_fit_search *s,
                                    evaluation *e, routh_error *error)
{
    const int n = s->n_p;
    double *weight = RT_TAKE(&e->arena, double, e->n_series), *V = fit->covariance;
    if (!weight) return rt_fail_memory(error);
    find_variances(fit, r, e, weight);
    if (damped_factor(n, s->JJ, 0, s->size, s->L, NULL)) {
        memset(V, 0, (size_t)n * (size_t)n * sizeof *V);
        for (int i = 0; i < n; i++) V[i * n + i] = s->size[i] > 0 ? INFINITY : 0;
        return ROUTH_OK;
    }
    identify_fit_gram(fit, e, weight, V);
    for (int side = 0; side < 2; side++) {
        for (int j = 0; j < n; j++) solve_normal(s, V + (size_t)j * (size_t)n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                const double x = V[i * n + j];
                V[i * n + j] = V[j * n + i];
                V[j * n + i] = x;
            }
    }
    return ROUTH_OK;
}

/* What rss grows by without a section: a' ((Phi'Phi)^-1 of it)^-1 a */
static routh_status fill_gains(rt_fit *fit, evaluation *e, routh_error *error)
{
    const int m = e->m, n_series = e->n_series;
    double *x = RT_TAKE(&e->arena, double, 2 * m + 1);
    if (!x) return rt_fail_memory(error);
    for (int k = 0, column = 0; k < fit->n_sections; column += fit->sections[k++].n) {
        const int width = fit->sections[k].n;
        double V[3] = {0}; /* of the block: 11, 12, 22 */
        memset(x, 0, 2 * (size_t)m * sizeof *x);
        for (int j = 0; j < width; j++) {
            x[j * m + column + j] = 1;
            rt_reflectors_solve_transposed(&e->q, x + j * m);
        }
        for (int i = 0; i < m; i++) {
            V[0] += x[i] * x[i], V[1] += x[i] * x[m + i], V[2] += x[m + i] * x[m + i];
        }
        double gain = 0;
        const double det = V[0] * V[2] - V[1] * V[1];
        for (int i = 0; i < n_series; i++) {
            const double *a = fit->amplitude + column * n_series + i;
            const double b = width == 2 ? a[n_series] : 0;
            gain += width == 1 ? a[0] * a[0] / V[0]
                               : (a[0] * a[0] * V[2] - 2 * a[0] * b * V[1] + b * b * V[0]) / det;
        }
        fit->gain[k] = gain >= 0 ? gain : 0;
    }
    return ROUTH_OK;
}

routh_status rt_fit_refine(rt_fit *fit, const rt_sampled_record *r, routh_error *error)
{
    enum { MOST_STEPS = 60 };
    rt_arena arena = {0};
    evaluation e;
    identify_fit_search s = {0};
    double damping = 0;
    bool settled = false;
    routh_status status = identify_fit_evaluate(fit, r, &e, error);
    if (!status && e.dependent >= 0) {
        for (int k = 0; k < fit->n_sections; k++) fit->gain[k] = INFINITY;
        fit->gain[e.dependent] = 0;
        fit->rss = INFINITY;
        identify_fit_release(&e);
        return ROUTH_OK;
    }
    if (!status && !identify_fit_take(&s, fit, e.n_series, &arena)) status = rt_fail_memory(error);
    if (!status) normal_equations(fit, &e, s.JJ, s.Jr);
    for (int k = 0; k < MOST_STEPS && !settled && !status; k++) {
        const double *here = e.phi;
        status = identify_fit_improve(fit, r, &e, &s, &damping, &settled, error);
        if (!status && e.phi != here) normal_equations(fit, &e, s.JJ, s.Jr);
    }
    if (!status) status = fill_covariance(fit, r, &s, &e, error);
    if (!status) status = fill_gains(fit, &e, error);
    identify_fit_release(&e);
    rt_arena_free(&arena);
    return status;
}

double rt_fit_variance(const rt_fit *fit, const rt_sampled_record *r)
{
    const int n_series = r->n_runs * r->n_channels;
    double unknowns = (double)fit->n_columns * n_series, samples = (double)r->n_samples * n_series;
    for (int k = 0; k < fit->n_sections; k++) unknowns += fit->sections[k].n;
    return fmax(fit->rss / fmax(samples - unknowns, 1), fit->noise * fit->noise);
}
