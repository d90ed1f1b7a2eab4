/* Two spectra held against each other.
 *
 * Eigenvalue k may be off by
 *     tolerance * spectral radius * condition_k + the error that the method itself states,
 * since a change dA of the matrix moves it by at most |dA| condition_k. Shape k is judged where
 * that leaves it determined: to first order it turns by
 *     sum over the others j of condition_j |dA| / |s_k - s_j|
 * (Wilkinson 1965, The Algebraic Eigenvalue Problem, ch. 2), so shapes are compared with the space
 * of all that lie close together. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assignment.h"
#include "studies/check.h"

typedef double _Complex check_compare_complex_number;

enum {
    CLOSE = 100,    /* eigenvalues within so many allowed errors have one space of shapes */
    ROUNDING = 100, /* roundings add up to so many */
    ESTIMATE = 10   /* an estimate of an error is good for an order of magnitude */
};

static const double LOOSE = 1e-3;       /* a bound wider than this part of the spectral radius */
static const double LEAST_SHAPE = 1e-8; /* 1 - MAC that is never held against a shape */
static const double MOST_TURN = 0.03;   /* rad: a shape known worse than that is not compared */

typedef struct comparison {
    const routh_linear *a, *b;
    const routh_modes *expected, *found;
    double tolerance, length, rate;
    int n;
    double radius;                       /* largest modulus */
    double norm;                         /* of the balanced matrix */
    int *partner;                        /* of each expected mode */
    double *allowed;                     /* n */
    check_compare_complex_number *shapes_a,
        *shapes_b; /* motion of all markers, 6 n_markers a mode */
    check_compare_complex_number *basis;
    bool *inside; /* n: which shapes the basis is made of */
    int n_basis;  /* -1: none is made yet */
    rt_arena arena;
} comparison;

static check_compare_complex_number check_compare_value(const routh_mode *mode)
{
    return mode->eigenvalue[0] + I * mode->eigenvalue[1];
}

static double largest_modulus(const routh_modes *modes)
{
    double most = 0;
    for (int k = 0; k < modes->n; k++)
        most = fmax(most, cabs(check_compare_value(&modes->modes[k])));
    return most;
}

/* error_bound = sqrt(n) eps norm condition (answers/modes.c) */
static double balanced_norm(const routh_modes *modes)
{
    double norm = 0;
    const double n = fmax(modes->n - modes->n_zero, 1);
    for (int k = 0; k < modes->n; k++)
        norm = fmax(norm, modes->modes[k].error_bound /
                              (sqrt(n) * DBL_EPSILON * modes->modes[k].condition));
    return norm;
}

static bool check_compare_take(comparison *c)
{
    const size_t n = (size_t)c->n;
    const size_t rows = 6 * (size_t)c->a->n_markers;
    c->partner = RT_TAKE(&c->arena, int, n);
    c->allowed = RT_TAKE(&c->arena, double, n);
    c->shapes_a = RT_TAKE(&c->arena, check_compare_complex_number, n * rows);
    c->shapes_b = RT_TAKE(&c->arena, check_compare_complex_number, n * rows);
    c->basis = RT_TAKE(&c->arena, check_compare_complex_number, n * rows);
    c->inside = RT_TAKE(&c->arena, bool, n);
    c->n_basis = -1;
    return c->partner && c->allowed && c->shapes_a && c->shapes_b && c->basis && c->inside;
}

static routh_status check_compare_match(comparison *c, routh_error *error)
{
    const size_t n = (size_t)c->n;
    double *cost = RT_TAKE(&c->arena, double, n *n), *work = RT_TAKE(&c->arena, double, 3 * n + 3);
    int *places = RT_TAKE(&c->arena, int, 3 * n + 3);
    if (!cost || !work || !places) return rt_fail_memory(error);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            cost[i * n + j] = cabs(check_compare_value(&c->expected->modes[i]) -
                                   check_compare_value(&c->found->modes[j]));
    rt_assign(c->n, cost, c->partner, work, places);
    return ROUTH_OK;
}

/* ---- eigenvalues ----------------------------------------------------------------------------- */

/* A zero that was split off exactly, and is torn in the other matrix: it usually ends a chain of
 * two, so an error e of the matrix moves it by sqrt(e |A|). */
static double torn_zero(const comparison *c)
{
    const double e = fmax(ROUNDING * DBL_EPSILON, ESTIMATE * c->b->error_estimate);
    return sqrt(e) * c->norm;
}

/* Forces that nearly cancel leave rounding in the stiffness: d(s^2) = eps rate^2. */
static double cancelled(const comparison *c, check_compare_complex_number s)
{
    const double e = ROUNDING * DBL_EPSILON * c->rate * c->rate;
    return fmin(sqrt(e), e / fmax(cabs(s), DBL_MIN));
}

/* What the method says of itself: bounds of eigenvalues (they are in the modes' error bounds), or
 * an estimate for the matrix. */
static double stated_error(const comparison *c, const routh_mode *expected, const routh_mode *found)
{
    if (c->b->n_bounds > 0) return found->error_bound;
    if (expected->rigid && !found->rigid) return torn_zero(c);
    return ESTIMATE * c->b->error_estimate * c->norm * expected->condition;
}

static void judge_values(comparison *c, rt_agreement *out)
{
    const double plain = c->tolerance * c->radius;
    out->verdict = ROUTH_YES;
    for (int k = 0; k < c->n; k++) {
        const routh_mode *x = &c->expected->modes[k], *y = &c->found->modes[c->partner[k]];
        const double off = cabs(check_compare_value(x) - check_compare_value(y));
        const double stated = stated_error(c, x, y);
        c->allowed[k] = plain * x->condition + stated + cancelled(c, check_compare_value(x));
        const double margin = off == 0 ? 0 : off / c->allowed[k];
        const rt_check_doubt doubt =
            off <= plain                                                 ? RT_NO_DOUBT
            : off > c->allowed[k] - stated && stated > LOOSE * c->radius ? RT_LOOSE_BOUND
            : x->error_bound > plain && off > plain + stated             ? RT_ILL_CONDITIONED
                                                                         : RT_NO_DOUBT;
        out->difference = fmax(out->difference, c->radius > 0 ? off / c->radius : 0);
        out->stated_error = fmax(out->stated_error, c->radius > 0 ? stated / c->radius : 0);
        if (!(margin <= out->margin)) out->margin = margin, out->worst = k;
        if (!(margin <= 1))
            out->verdict = ROUTH_NO;
        else if (doubt != RT_NO_DOUBT && out->verdict == ROUTH_YES)
            out->verdict = ROUTH_CANNOT_TELL, out->doubt = doubt;
    }
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static void check_compare_fill_shapes(const comparison *c, const routh_linear *linear,
                                      const routh_modes *modes,
                                      check_compare_complex_number *shapes)
{
    for (int k = 0; k < c->n; k++)
        for (int m = 0; m < linear->n_markers; m++) {
            double motion[12];
            routh_mode_marker(linear, &modes->modes[k], m, motion);
            for (int i = 0; i < 6; i++)
                *shapes++ = (motion[i] + I * motion[6 + i]) * (i < 3 ? 1 : c->length);
        }
}

static check_compare_complex_number check_compare_dot(size_t n,
                                                      const check_compare_complex_number *x,
                                                      const check_compare_complex_number *y)
{
    check_compare_complex_number sum = 0;
    for (size_t i = 0; i < n; i++) sum += conj(x[i]) * y[i];
    return sum;
}

/* Takes the part along the first n_basis vectors out of x. */
static void project_out(const comparison *c, size_t rows, int n_basis,
                        check_compare_complex_number *x)
{
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < n_basis; k++) {
            const check_compare_complex_number *q = c->basis + (size_t)k * rows,
                                               part = check_compare_dot(rows, q, x);
            for (size_t i = 0; i < rows; i++) x[i] -= part * q[i];
        }
}

static bool belongs(const comparison *c, int k, int j)
{
    const routh_mode *x = &c->expected->modes[k], *y = &c->expected->modes[j];
    return k == j || (x->rigid && y->rigid) ||
           cabs(check_compare_value(x) - check_compare_value(y)) <=
               CLOSE * fmax(c->allowed[k], c->allowed[j]);
}

/* Marks the shapes that lie close to k; are they those of the basis at hand? */
static bool mark_close(comparison *c, int k)
{
    bool same = c->n_basis >= 0;
    for (int j = 0; j < c->n; j++) {
        const bool inside = belongs(c, k, j);
        same = same && inside == c->inside[j];
        c->inside[j] = inside;
    }
    return same;
}

/* An orthonormal basis of the shapes that lie close to k; their number. Neighbours often have the
 * same: where a method's bounds are wide, all of them. */
static int close_shapes(comparison *c, int k, size_t rows)
{
    if (mark_close(c, k)) return c->n_basis;
    int n = 0;
    for (int j = 0; j < c->n; j++) {
        if (!c->inside[j]) continue;
        check_compare_complex_number *q = c->basis + (size_t)n * rows;
        memcpy(q, c->shapes_a + (size_t)j * rows, rows * sizeof *q);
        const double before = sqrt(creal(check_compare_dot(rows, q, q)));
        project_out(c, rows, n, q);
        const double left = sqrt(creal(check_compare_dot(rows, q, q)));
        if (!(left > 1e-6 * before)) continue;
        for (size_t i = 0; i < rows; i++) q[i] /= left;
        n++;
    }
    return c->n_basis = n;
}

/* By how much shape k may turn. */
static double allowed_turn(const comparison *c, int k)
{
    const double change = c->allowed[k] / c->expected->modes[k].condition;
    double turn = 0;
    for (int j = 0; j < c->n; j++) {
        if (belongs(c, k, j)) continue;
        const routh_mode *x = &c->expected->modes[k], *y = &c->expected->modes[j];
        turn += y->condition * change / cabs(check_compare_value(x) - check_compare_value(y));
    }
    return turn;
}

/* The part of |x|^2 in the space of the basis. */
static double share_inside(const comparison *c, size_t rows, int n_basis,
                           const check_compare_complex_number *x)
{
    double inside = 0;
    const double all = creal(check_compare_dot(rows, x, x));
    for (int k = 0; k < n_basis; k++) {
        const double part = cabs(check_compare_dot(rows, c->basis + (size_t)k * rows, x));
        inside += part * part;
    }
    return all > 0 ? inside / all : NAN;
}

/* A mode of controllers alone moves no marker; what another cell finds of its motion is
 * rounding. */
static bool moves_nothing(const comparison *c, size_t rows, int k)
{
    const check_compare_complex_number *x = c->shapes_a + (size_t)k * rows;
    return creal(check_compare_dot(rows, x, x)) == 0;
}

static void judge_shapes(comparison *c, rt_agreement *out)
{
    const size_t rows = 6 * (size_t)c->a->n_markers;
    if (rows == 0 || c->a->n_markers != c->b->n_markers) return;
    check_compare_fill_shapes(c, c->a, c->expected, c->shapes_a);
    check_compare_fill_shapes(c, c->b, c->found, c->shapes_b);
    for (int k = 0; k < c->n; k++) {
        const int j = c->partner[k];
        const double turn = allowed_turn(c, k);
        if (moves_nothing(c, rows, k)) continue;
        if (!(turn <= MOST_TURN) || c->expected->modes[k].rigid != c->found->modes[j].rigid)
            continue;
        const int n_basis = close_shapes(c, k, rows);
        const double mac = share_inside(c, rows, n_basis, c->shapes_b + (size_t)j * rows);
        const double margin = (1 - mac) / fmax(LEAST_SHAPE, ESTIMATE * ESTIMATE * turn * turn);
        if (isnan(mac)) continue; /* neither moves a marker */
        if (!(mac >= out->mac)) out->mac = fmin(mac, 1);
        if (!(margin <= out->shape_margin)) out->shape_margin = fmax(margin, 0);
        if (!(margin <= 1)) out->verdict = ROUTH_NO;
    }
}

routh_status rt_compare_spectra(const routh_linear *reference, const routh_modes *expected,
                                const routh_linear *linear, const routh_modes *found,
                                double tolerance, double length, double rate, rt_agreement *out,
                                routh_error *error)
{
    *out = (rt_agreement){.verdict = ROUTH_NO,
                          .difference = INFINITY,
                          .margin = INFINITY,
                          .mac = NAN,
                          .shape_margin = NAN};
    if (expected->n != found->n) return ROUTH_OK;
    comparison c = {.a = reference,
                    .b = linear,
                    .expected = expected,
                    .found = found,
                    .tolerance = tolerance,
                    .length = length,
                    .rate = rate,
                    .n = expected->n,
                    .radius = largest_modulus(expected),
                    .norm = balanced_norm(expected)};
    if (c.radius == 0) c.radius = fmax(largest_modulus(found), rate);
    out->difference = out->margin = 0;
    routh_status status =
        check_compare_take(&c) ? check_compare_match(&c, error) : rt_fail_memory(error);
    if (!status) judge_values(&c, out);
    if (!status) judge_shapes(&c, out);
    rt_arena_free(&c.arena);
    return status;
}
