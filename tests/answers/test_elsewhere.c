/* Wanted eigenvalues by another solver: the answers of ARPACK come back from a dense one, and what
 * another solver gets wrong is not believed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/lapack.h"
#include "routh/answers.h"
#include "support/mechanisms.h"

/* ---- a dense solver ------------------------------------------------------------------------- */

typedef struct dense {
    int calls;
    double spoil; /* nu is multiplied by 1 + spoil */
    routh_status status;
} dense;

static double *numbers(size_t n)
{
    double *x = calloc(n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* X = (A - s E)^-1 E, order x n; what it gives at the columns of the multipliers is 0 */
static bool make_operator(const routh_shift_invert *p, int n, double *X)
{
    const size_t order = (size_t)p->order;
    double *C = numbers(order * order);
    int *pivots = calloc(order, sizeof *pivots);
    assert_non_null(pivots);
    for (int c = 0; c < p->order; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            C[(size_t)p->row[e] + order * (size_t)c] = p->A[e] - p->shift * p->E[e];
            if (c < n) X[(size_t)p->row[e] + order * (size_t)c] = p->E[e];
        }
    const bool regular = rt_lu_factor(p->order, C, pivots, NULL) == ROUTH_OK;
    if (regular) assert_int_equal(rt_lu_solve(p->order, C, pivots, n, X, 0, NULL), ROUTH_OK);
    free(pivots);
    free(C);
    return regular;
}

/* y = X x / nu for the pair of columns re, im of x; |X x - nu x| / |x| on the first n */
static double purify(const routh_shift_invert *p, int n, const double *X, const double nu[2],
                     const double *re, const double *im, double *out_re, double *out_im)
{
    double off = 0, size = 0;
    const double by = nu[0] * nu[0] + nu[1] * nu[1];
    for (int i = 0; i < p->order; i++) {
        double x = 0, y = 0;
        for (int k = 0; k < n; k++) {
            const double entry = X[(size_t)i + (size_t)p->order * (size_t)k];
            x += entry * re[k], y += im ? entry * im[k] : 0;
        }
        if (i < n) {
            const double b = im ? im[i] : 0;
            off += pow(x - nu[0] * re[i] + nu[1] * b, 2) + pow(y - nu[0] * b - nu[1] * re[i], 2);
            size += re[i] * re[i] + b * b;
        }
        out_re[i] = (nu[0] * x + nu[1] * y) / by;
        if (im) out_im[i] = (nu[0] * y - nu[1] * x) / by;
    }
    return sqrt(off / size);
}

static void take_largest(const dense *d, routh_shift_invert *p, int n, const double *X,
                         const rt_eigen *e)
{
    bool *taken = calloc((size_t)n, sizeof *taken);
    assert_non_null(taken);
    while (p->found < p->wanted) {
        int at = -1;
        for (int k = 0; k < n; k++)
            if (!taken[k] && (at < 0 || hypot(e->re[k], e->im[k]) > hypot(e->re[at], e->im[at])))
                at = k;
        const bool pair = e->im[at] != 0;
        const double nu[2] = {e->re[at], e->im[at]}, *re = e->right + (size_t)n * (size_t)at;
        double *out = p->vectors + (size_t)p->order * (size_t)p->found;
        const double error = purify(p, n, X, nu, re, pair ? re + n : NULL, out, out + p->order);
        for (int k = 0; k < (pair ? 2 : 1); k++) {
            taken[at + k] = true;
            p->re[p->found] = nu[0] * (1 + d->spoil);
            p->im[p->found] = (k ? -nu[1] : nu[1]) * (1 + d->spoil);
            p->error[p->found++] = error;
        }
    }
    free(taken);
}

static routh_status solve_dense(void *context, routh_shift_invert *p, routh_error *error)
{
    dense *d = context;
    const int n = 2 * p->n_coordinates;
    const size_t size = (size_t)n * (size_t)n;
    d->calls++;
    p->n_solves = 1;
    if (d->status) {
        if (error) *error = (routh_error){.status = d->status, .message = "the machine is away"};
        return d->status;
    }
    double *X = numbers((size_t)p->order * (size_t)n), *OP = numbers(size);
    double *many = numbers(2 * size + 3 * (size_t)n);
    rt_eigen e = {.left = many, .right = many + size, .re = many + 2 * size};
    e.im = e.re + n, e.rcond = e.im + n;
    p->singular = !make_operator(p, n, X);
    if (!p->singular) {
        for (int c = 0; c < n; c++)
            memcpy(OP + (size_t)c * (size_t)n, X + (size_t)c * (size_t)p->order,
                   (size_t)n * sizeof *OP);
        assert_int_equal(rt_general_eigen(n, OP, &e, error), ROUTH_OK);
        take_largest(d, p, n, X, &e);
    }
    free(many);
    free(OP);
    free(X);
    return ROUTH_OK;
}

/* ---- the tests ------------------------------------------------------------------------------ */

typedef struct scene {
    test_mechanism t;
    routh_operating_point *point;
    routh_descriptor *descriptor;
} scene;

static void chain_of(scene *s, const char *n)
{
    routh_error error;
    mechanism_make_template(&s->t, "pendulum-chain", (const char *const[]){"n", n, NULL});
    s->point = mechanism_point(&s->t);
    if (routh_descriptor_compute(&s->descriptor, s->t.m, s->point, NULL, &error))
        fail_msg("%s", error.message);
}

static void scene_release(scene *s)
{
    routh_descriptor_free(s->descriptor);
    routh_operating_point_free(s->point);
    mechanism_release(&s->t);
}

static void check_equal(const routh_modes *a, const routh_modes *b, int n_states)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_zero, b->n_zero);
    for (int k = 0; k < a->n; k++) {
        const routh_mode *x = &a->modes[k], *y = &b->modes[k];
        const double size = hypot(x->eigenvalue[0], x->eigenvalue[1]);
        /* either has an error of some 1e-16 of the highest frequency, 1e2 of these */
        for (int i = 0; i < 2; i++)
            assert_true(fabs(x->eigenvalue[i] - y->eigenvalue[i]) <= 1e-11 * size);
        assert_int_equal(x->conjugate, y->conjugate);
        assert_true(x->residual <= 1e-9 && y->residual <= 1e-9);
        for (int i = 0; i < 2 * n_states; i++) assert_true(fabs(x->shape[i] - y->shape[i]) <= 1e-8);
    }
}

static void another_solver_gives_the_same_modes(void **state)
{
    (void)state;
    static const double nears[] = {0, -0.3, 4};
    scene s;
    chain_of(&s, "8");
    for (size_t k = 0; k < sizeof nears / sizeof *nears; k++) {
        dense d = {0};
        const routh_eigensolver solver = {.context = &d, .solve = solve_dense};
        routh_modes *a, *b = NULL;
        routh_error error;
        if (routh_modes_select(&a, s.descriptor, 6, nears[k], &error) ||
            routh_modes_select_by(&b, s.descriptor, 6, nears[k], &solver, &error))
            fail_msg("%s", error.message);
        assert_int_equal(d.calls, 1);
        assert_int_equal(b->wanted.n_solves, 1);
        check_equal(a, b, s.descriptor->linear->n_states);
        routh_modes_free(a);
        routh_modes_free(b);
    }
    scene_release(&s);
}

static void pairs_that_do_not_solve_the_equations_are_refused(void **state)
{
    (void)state;
    scene s;
    chain_of(&s, "8");
    dense d = {.spoil = 1e-6};
    routh_modes *modes;
    routh_error error;
    assert_int_equal(
        routh_modes_select_by(&modes, s.descriptor, 6, 0,
                              &(routh_eigensolver){.context = &d, .solve = solve_dense}, &error),
        ROUTH_NUMERIC_ERROR);
    assert_null(modes);
    assert_non_null(strstr(error.message, "leaves a residual of"));
    scene_release(&s);
}

static void failures_of_another_solver_are_passed_on(void **state)
{
    (void)state;
    scene s;
    chain_of(&s, "3");
    dense d = {.status = ROUTH_FILE_ERROR};
    routh_modes *modes;
    routh_error error;
    assert_int_equal(
        routh_modes_select_by(&modes, s.descriptor, 2, 0,
                              &(routh_eigensolver){.context = &d, .solve = solve_dense}, &error),
        ROUTH_FILE_ERROR);
    assert_string_equal(error.message, "the machine is away");
    assert_int_equal(d.calls, 1);
    assert_int_equal(routh_modes_select_by(&modes, s.descriptor, 2, 0, NULL, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_null(modes);
    scene_release(&s);
}

/* Two bodies that float: 0 is an eigenvalue, and a shift beside it is taken. */
static void a_shift_that_is_an_eigenvalue_is_left(void **state)
{
    (void)state;
    static const char text[] = "gravity: [0, 0, 0]\n"
                               "bodies:\n"
                               "  a: {mass: 1, inertia: [1, 1, 1]}\n"
                               "  b: {mass: 2, inertia: [1, 2, 2], position: [1, 0, 0]}\n"
                               "loads:\n"
                               "  s: {type: bushing, between: [a, b], at: [0.5, 0, 0],\n"
                               "      translation: {stiffness: [100, 120, 90], damping: 0.01},\n"
                               "      rotation: {stiffness: [10, 20, 30], damping: 0.01}}\n";
    scene s;
    dense d = {0};
    routh_modes *modes = NULL;
    routh_error error;
    mechanism_make(&s.t, text);
    s.point = mechanism_point(&s.t);
    if (routh_descriptor_compute(&s.descriptor, s.t.m, s.point, NULL, &error) ||
        routh_modes_select_by(&modes, s.descriptor, 16, 0,
                              &(routh_eigensolver){.context = &d, .solve = solve_dense}, &error))
        fail_msg("%s", error.message);
    assert_true(d.calls > 1);
    assert_true(modes->wanted.regions[0].shift[0] != 0);
    assert_int_equal(modes->n_zero, 12);
    routh_modes_free(modes);
    scene_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_solver_gives_the_same_modes),
        cmocka_unit_test(pairs_that_do_not_solve_the_equations_are_refused),
        cmocka_unit_test(failures_of_another_solver_are_passed_on),
        cmocka_unit_test(a_shift_that_is_an_eigenvalue_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
