/* Where two eigenvalues come nearest and their modes exchange shapes.
 *
 *     D = ((lambda_i - lambda_j) / 2)^2
 *
 * is smooth where the eigenvalues themselves turn sharply (an ordinary veering is
 * D = s^2 ((p - p0)^2 + w^2) with a half gap s w), so it is interpolated at Chebyshev nodes around
 * the nearest value met, at solutions of their own, and |D| is least where Re(conj(D) D') = 0.
 * Where the eigenvalues have exact derivatives, five nodes with D and D' take the place of nine.
 * The last coefficients say what the interpolation leaves out; the interval is made smaller as long
 * as that makes the error less. */
#include <float.h>
#include <math.h>

#include "base/pi.h"
#include "base/lapack.h"
#include "studies/sweep_path.h"

enum { NODES = 9, SLOPED = 5, TERMS = 2 * SLOPED, ROUNDS = 4 };

typedef struct sharp {
    const rt_sweep_task *task;
    const rt_solution *from; /* the nearest value met */
    int i, j;
    int *evaluations;
    rt_sweep_store *store;
} sharp;

typedef struct sweep_veering_series {
    double centre, half; /* of the interval */
    int n;               /* terms */
    double _Complex c[TERMS];
    double left_out; /* of D: by the series, and by the error bounds of eigenvalues */
} sweep_veering_series;

typedef struct sweep_veering_least {
    double value, error, half_gap, width;
} sweep_veering_least;

typedef struct sweep_veering_sample {
    double _Complex D, slope; /* slope: NAN where it is not known or not asked for */
    double noise;
} sweep_veering_sample;

/* The pair's space at another value; false where it is not there. */
static routh_status pair_at(const sharp *k, double value, bool slope, sweep_veering_sample *out,
                            bool *ok, routh_error *error)
{
    rt_solution s;
    rt_match m = {0};
    *ok = false;
    if (!rt_sweep_take(k->store, RT_FOR_CROSSINGS)) return ROUTH_OK;
    routh_status status = rt_solution_find_slopes(k->task, value, k->from, slope, &s, error);
    *ok = !status && rt_solutions_compare(k->from, &s);
    rt_sweep_tell(k->task, 0);
    ++*k->evaluations;
    if (*ok) status = rt_match_find(&m, k->from, &s, false, error);
    if (*ok && !status) {
        int to[2];
        rt_match_place_pair(&m, k->i, k->j, to);
        const double _Complex x = s.lambda[to[0]], y = s.lambda[to[1]], *by = s.slope[0];
        out->D = rt_discriminant(x, y);
        out->slope = by ? (x - y) * (by[to[0]] - by[to[1]]) / 2 : NAN;
        out->noise = cabs(x - y) * (s.bound[to[0]] + s.bound[to[1]]);
    }
    rt_match_free(&m);
    rt_solution_free(&s);
    return status;
}

/* T_n and its first two derivatives at x, by their recurrence. */
static void chebyshev(double x, double T[3][TERMS])
{
    T[0][0] = 1, T[0][1] = x, T[1][0] = 0, T[1][1] = 1, T[2][0] = T[2][1] = 0;
    for (int n = 2; n < TERMS; n++)
        for (int k = 0; k < 3; k++)
            T[k][n] = 2 * x * T[k][n - 1] - T[k][n - 2] + 2 * k * (k ? T[k - 1][n - 1] : 0);
}

/* D = sum of c_n T_n on the interval, by its values at the zeros of T_NODES. */
static routh_status by_values(const sharp *k, sweep_veering_series *s, bool *ok, routh_error *error)
{
    sweep_veering_sample D[NODES];
    double noise = 0;
    *ok = true;
    for (int n = 0; n < NODES && *ok; n++) {
        const double x = cos(RT_PI * (n + 0.5) / NODES);
        const routh_status status = pair_at(k, s->centre + s->half * x, false, &D[n], ok, error);
        if (status) return status;
        if (*ok) noise = fmax(noise, D[n].noise);
    }
    s->n = NODES;
    for (int n = 0; n < NODES && *ok; n++) {
        s->c[n] = 0;
        for (int l = 0; l < NODES; l++)
            s->c[n] += D[l].D * cos(RT_PI * n * (l + 0.5) / NODES) * (n ? 2 : 1) / NODES;
    }
    if (*ok) s->left_out = cabs(s->c[NODES - 1]) + cabs(s->c[NODES - 2]) + noise;
    return ROUTH_OK;
}

/* The same by values and derivatives at the zeros of T_SLOPED. sloped false: one has none. */
static routh_status by_slopes(const sharp *k, sweep_veering_series *s, bool *ok, bool *sloped,
                              routh_error *error)
{
    double _Complex A[TERMS * TERMS], c[TERMS];
    int pivots[TERMS];
    double noise = 0, T[3][TERMS];
    *ok = *sloped = true;
    for (int l = 0; l < SLOPED; l++) {
        sweep_veering_sample D;
        const double x = cos(RT_PI * (l + 0.5) / SLOPED);
        const routh_status status = pair_at(k, s->centre + s->half * x, true, &D, ok, error);
        if (status || !*ok) return status;
        *sloped = isfinite(creal(D.slope)) && isfinite(cimag(D.slope));
        if (!*sloped) return ROUTH_OK;
        noise = fmax(noise, D.noise);
        chebyshev(x, T);
        for (int n = 0; n < TERMS; n++)
            A[l + TERMS * n] = T[0][n], A[SLOPED + l + TERMS * n] = T[1][n];
        c[l] = D.D, c[SLOPED + l] = D.slope * s->half;
    }
    const routh_status status = rt_complex_solve(TERMS, A, pivots, 1, c, error);
    if (status) return status;
    s->n = TERMS;
    for (int n = 0; n < TERMS; n++) s->c[n] = c[n];
    s->left_out = cabs(c[TERMS - 1]) + cabs(c[TERMS - 2]) + noise;
    return ROUTH_OK;
}

static routh_status sweep_veering_interpolate(const sharp *k, sweep_veering_series *s, bool *sloped,
                                              bool *ok, routh_error *error)
{
    if (*sloped) {
        const routh_status status = by_slopes(k, s, ok, sloped, error);
        if (status || !*ok || *sloped) return status;
    }
    return by_values(k, s, ok, error);
}

/* D, D', D'' in x on -1 .. 1. */
static void sweep_veering_evaluate(const sweep_veering_series *s, double x, double _Complex d[3])
{
    double T[3][TERMS];
    chebyshev(x, T);
    d[0] = d[1] = d[2] = 0;
    for (int n = 0; n < s->n; n++)
        for (int k = 0; k < 3; k++) d[k] += s->c[n] * T[k][n];
}

/* |D| is least where F = Re(conj(D) D') is zero. False where that is not inside. */
static bool find_least(const sweep_veering_series *s, sweep_veering_least *out)
{
    double x = 0, slope = 0;
    double _Complex d[3];
    for (int step = 0; step < 40; step++) {
        sweep_veering_evaluate(s, x, d);
        const double F = creal(conj(d[0]) * d[1]);
        slope = creal(conj(d[1]) * d[1]) + creal(conj(d[0]) * d[2]);
        if (!(slope > 0)) return false;
        const double next = fmin(fmax(x - F / slope, -1), 1);
        const bool there = fabs(next - x) <= 4 * DBL_EPSILON;
        x = next;
        if (there) break;
    }
    if (!(fabs(x) < 1)) return false;
    sweep_veering_evaluate(s, x, d);
    const double off = (cabs(d[1]) + cabs(d[0]) * s->n * s->n) * s->left_out / slope;
    out->value = s->centre + s->half * x;
    out->error = s->half * off + 4 * DBL_EPSILON * fabs(out->value);
    out->half_gap = sqrt(cabs(d[0]));
    out->width = s->half * sqrt(2 * cabs(d[0]) / fmax(cabs(d[2]), DBL_MIN));
    return true;
}

static routh_status sweep_veering_solve(const sharp *k, double centre, double half,
                                        sweep_veering_least *best, bool *sloped, bool *ok,
                                        routh_error *error)
{
    *ok = false;
    for (int round = 0; round < ROUNDS; round++) {
        sweep_veering_series s = {.centre = centre, .half = half};
        sweep_veering_least now;
        bool there;
        const routh_status status = sweep_veering_interpolate(k, &s, sloped, &there, error);
        if (status || !there || !find_least(&s, &now)) return status;
        if (*ok && now.error >= best->error) return ROUTH_OK;
        *best = now;
        *ok = true;
        if (now.error <= 1e-12 * fabs(now.value)) return ROUTH_OK;
        centre = now.value;
        half /= 3;
    }
    return ROUTH_OK;
}

/* Does the upper one stay the upper one, sqrt(D) followed along the path that vectors say? */
static bool keeps_order(const rt_match *m, const rt_solution *a, const rt_solution *b, int i, int j)
{
    rt_path path;
    const double _Complex before = a->lambda[i] - a->lambda[j],
                          after = b->lambda[m->to[i]] - b->lambda[m->to[j]];
    rt_path_by_vectors(&path, m, a, b, i, j);
    const bool swap = creal(rt_path_turn(&path) * before * conj(after)) < 0;
    return (cimag(before) > 0) == (cimag(swap ? -after : after) > 0);
}

/* From two widths before to two widths behind, more than half of each shape is the other's. */
static routh_status exchanges(const sharp *k, const sweep_veering_least *at, bool *yes,
                              routh_error *error)
{
    rt_solution s[2];
    rt_match near = {0}, far = {0};
    *yes = false;
    routh_status status =
        rt_solution_find(k->task, at->value - 2 * at->width, k->from, &s[0], error);
    if (status) return status;
    status = rt_solution_find(k->task, at->value + 2 * at->width, k->from, &s[1], error);
    const bool ok =
        !status && rt_solutions_compare(k->from, &s[0]) && rt_solutions_compare(&s[0], &s[1]);
    if (ok) status = rt_match_find(&near, k->from, &s[0], false, error);
    if (ok && !status) status = rt_match_find(&far, &s[0], &s[1], false, error);
    if (ok && !status) {
        int to[2], on[2];
        rt_match_place_pair(&near, k->i, k->j, to);
        rt_match_place_pair(&far, to[0], to[1], on);
        const bool upper[2] = {cimag(s[0].lambda[to[0]]) > cimag(s[0].lambda[to[1]]),
                               cimag(s[1].lambda[on[0]]) > cimag(s[1].lambda[on[1]])};
        const int first = to[upper[0] ? 0 : 1], other = on[upper[1] ? 1 : 0];
        *yes = cabs(far.X[first + (size_t)far.n * (size_t)other]) > 0.5 &&
               keeps_order(&far, &s[0], &s[1], to[0], to[1]);
    }
    rt_match_free(&near);
    rt_match_free(&far);
    rt_solution_free(&s[0]);
    rt_solution_free(&s[1]);
    return status;
}

/* Is |D| least at a, and so sharply that it rises again within the sweep? D by a parabola through
 * all three values. */
static bool is_candidate(const rt_sweep_task *t, const rt_nearing *n, double *width)
{
    const double x = n->value[0] - n->value[1], y = n->value[2] - n->value[1];
    const double _Complex before = (n->D[0] - n->D[1]) / x, after = (n->D[2] - n->D[1]) / y,
                          second = (after - before) / (y - x);
    if (!(cabs(n->D[1]) < cabs(n->D[0]) && cabs(n->D[1]) <= cabs(n->D[2]))) return false;
    *width = sqrt(cabs(n->D[1]) / fmax(cabs(second), DBL_MIN));
    return n->value[1] - 2 * *width > t->low && n->value[1] + 2 * *width < t->high;
}

routh_status rt_veering_look(const rt_sweep_task *task, const rt_solution *a, int i, int j,
                             const rt_nearing *nearing, const int *branch, rt_sweep_store *store,
                             rt_event_list *list, routh_error *error)
{
    int evaluations = 0;
    const sharp k = {
        .task = task, .from = a, .i = i, .j = j, .evaluations = &evaluations, .store = store};
    bool sloped = task->derivatives;
    double width;
    sweep_veering_least at;
    bool ok;
    if (!is_candidate(task, nearing, &width)) return ROUTH_OK;
    const double step = fmin(fabs(nearing->value[1] - nearing->value[0]),
                             fabs(nearing->value[2] - nearing->value[1]));
    const double half = fmin(fmax(step, width), fmin(a->value - task->low, task->high - a->value));
    routh_status status = sweep_veering_solve(&k, a->value, half, &at, &sloped, &ok, error);
    if (status || !ok || at.width <= 1e-7 * task->step) return status;
    /* two that are equal all along are nearest nowhere: only rounding has a smallest value */
    if (at.error > 1e-3 * task->step) return ROUTH_OK;
    status = exchanges(&k, &at, &ok, error);
    if (status || !ok) return status;
    const double _Complex mean = (a->lambda[i] + a->lambda[j]) / 2;
    return rt_event_add(list,
                        &(routh_sweep_event){.kind = ROUTH_SWEEP_VEERING,
                                             .value = at.value,
                                             .error = at.error,
                                             .branch = {branch[i], branch[j]},
                                             .eigenvalue = {creal(mean), cimag(mean)},
                                             .gap = 2 * at.half_gap,
                                             .evaluations = evaluations,
                                             .derivatives = sloped},
                        error);
}
