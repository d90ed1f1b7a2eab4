/* Where two eigenvalues come nearest and their modes exchange shapes.
 *
 *     D = ((lambda_i - lambda_j) / 2)^2
 *
 * is smooth where the eigenvalues themselves turn sharply (an ordinary veering is
 * D = s^2 ((p - p0)^2 + w^2) with a half gap s w), so it is interpolated at Chebyshev nodes around
 * the nearest value met, at solutions of their own, and |D| is least where Re(conj(D) D') = 0. Its
 * last coefficients say what the interpolation leaves out; the interval is made smaller as long as
 * that makes the error less. */
#include <float.h>
#include <math.h>

#include "sweep/sweep.h"

enum { NODES = 9, ROUNDS = 4 };
static const double PI = 3.14159265358979323846;

typedef struct sharp {
    const rt_sweep_task *task;
    const rt_solution *from; /* the nearest value met */
    int i, j;
} sharp;

typedef struct series {
    double centre, half; /* of the interval */
    double _Complex c[NODES];
    double left_out; /* of D: by the series, and by the error bounds of eigenvalues */
} series;

typedef struct least {
    double value, error, half_gap, width;
} least;

/* The pair's space at another value; false where it is not there. */
static routh_status pair_at(const sharp *k, double value, double _Complex *D, double *noise,
                            bool *ok, routh_error *error)
{
    rt_solution s;
    rt_match m = {0};
    routh_status status = rt_solution_find(k->task, value, k->from, &s, error);
    *ok = !status && rt_solutions_compare(k->from, &s);
    rt_sweep_tell(k->task, 0);
    if (*ok) status = rt_match_find(&m, k->from, &s, false, error);
    if (*ok && !status) {
        int to[2];
        rt_match_place_pair(&m, k->i, k->j, to);
        *D = rt_discriminant(s.lambda[to[0]], s.lambda[to[1]]);
        *noise = cabs(s.lambda[to[0]] - s.lambda[to[1]]) * (s.bound[to[0]] + s.bound[to[1]]);
    }
    rt_match_free(&m);
    rt_solution_free(&s);
    return status;
}

/* D = sum of c_n T_n on the interval, by its values at the zeros of T_NODES. */
static routh_status interpolate(const sharp *k, series *s, bool *ok, routh_error *error)
{
    double _Complex D[NODES];
    double noise = 0;
    *ok = true;
    for (int n = 0; n < NODES && *ok; n++) {
        double own = 0;
        const double x = cos(PI * (n + 0.5) / NODES);
        const routh_status status = pair_at(k, s->centre + s->half * x, &D[n], &own, ok, error);
        if (status) return status;
        noise = fmax(noise, own);
    }
    for (int n = 0; n < NODES && *ok; n++) {
        s->c[n] = 0;
        for (int l = 0; l < NODES; l++)
            s->c[n] += D[l] * cos(PI * n * (l + 0.5) / NODES) * (n ? 2 : 1) / NODES;
    }
    if (*ok) s->left_out = cabs(s->c[NODES - 1]) + cabs(s->c[NODES - 2]) + noise;
    return ROUTH_OK;
}

/* D, D', D'' in x on -1 .. 1, by the recurrence of T_n and its derivatives. */
static void evaluate(const series *s, double x, double _Complex d[3])
{
    double T[3][NODES] = {{1, x}, {0, 1}, {0, 0}};
    d[0] = d[1] = d[2] = 0;
    for (int n = 2; n < NODES; n++)
        for (int k = 0; k < 3; k++)
            T[k][n] = 2 * x * T[k][n - 1] - T[k][n - 2] + 2 * k * (k ? T[k - 1][n - 1] : 0);
    for (int n = 0; n < NODES; n++)
        for (int k = 0; k < 3; k++) d[k] += s->c[n] * T[k][n];
}

/* |D| is least where F = Re(conj(D) D') is zero. False where that is not inside. */
static bool find_least(const series *s, least *out)
{
    double x = 0, slope = 0;
    double _Complex d[3];
    for (int step = 0; step < 40; step++) {
        evaluate(s, x, d);
        const double F = creal(conj(d[0]) * d[1]);
        slope = creal(conj(d[1]) * d[1]) + creal(conj(d[0]) * d[2]);
        if (!(slope > 0)) return false;
        const double next = fmin(fmax(x - F / slope, -1), 1);
        const bool there = fabs(next - x) <= 4 * DBL_EPSILON;
        x = next;
        if (there) break;
    }
    if (!(fabs(x) < 1)) return false;
    evaluate(s, x, d);
    const double off = (cabs(d[1]) + cabs(d[0]) * NODES * NODES) * s->left_out / slope;
    out->value = s->centre + s->half * x;
    out->error = s->half * off + 4 * DBL_EPSILON * fabs(out->value);
    out->half_gap = sqrt(cabs(d[0]));
    out->width = s->half * sqrt(2 * cabs(d[0]) / fmax(cabs(d[2]), DBL_MIN));
    return true;
}

static routh_status solve(const sharp *k, double centre, double half, least *best, bool *ok,
                          routh_error *error)
{
    *ok = false;
    for (int round = 0; round < ROUNDS; round++) {
        series s = {.centre = centre, .half = half};
        least now;
        bool there;
        const routh_status status = interpolate(k, &s, &there, error);
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

/* From two widths before to two widths behind, more than half of each shape is the other's. */
static routh_status exchanges(const sharp *k, const least *at, bool *yes, routh_error *error)
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
        *yes = cabs(far.X[first + (size_t)far.n * (size_t)other]) > 0.5;
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
                             const rt_nearing *nearing, const int *branch, rt_event_list *list,
                             routh_error *error)
{
    const sharp k = {.task = task, .from = a, .i = i, .j = j};
    double width;
    least at;
    bool ok;
    if (!is_candidate(task, nearing, &width)) return ROUTH_OK;
    const double step = fmin(fabs(nearing->value[1] - nearing->value[0]),
                             fabs(nearing->value[2] - nearing->value[1]));
    const double half = fmin(fmax(step, width), fmin(a->value - task->low, task->high - a->value));
    routh_status status = solve(&k, a->value, half, &at, &ok, error);
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
                                             .gap = 2 * at.half_gap},
                        error);
}
