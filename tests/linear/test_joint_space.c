/* A and B in joint coordinates against differences of the accelerations that the same space gives,
 * and against the linear model of routh_linear_compute. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/lapack.h"
#include "base/rotation.h"
#include "support/effort.h"
#include "support/mechanisms.h"
#include "support/random_frames.h"

/* Hinges, a slide, a screw, a universal joint, a planar one and a ball on a floating base, with
 * springs, dampers and a force that depends on time. */
static const char tree[] =
    "gravity: [1, -2, -9.81]\n"
    "bodies:\n"
    "  base: {mass: 3, inertia: [0.4, 0.5, 0.6], position: [0.1, 0.2, 0.3]}\n"
    "  arm: {mass: 1, inertia: [0.1, 0.2, 0.15], position: [0.9, 0.2, 0.3]}\n"
    "  tool: {mass: 0.5, inertia: [0.05, 0.04, 0.03], position: [1.5, 0.3, 0.2]}\n"
    "  ballast: {mass: 0.7, inertia: [0.05, 0.06, 0.07], position: [0.1, 0.9, 0.1]}\n"
    "  slider: {mass: 0.4, inertia: [0.02, 0.03, 0.04], position: [0.1, 0.2, 1.1]}\n"
    "  nut: {mass: 0.3, inertia: [0.02, 0.02, 0.03], position: [-0.6, 0.2, 0.3]}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [arm, base], at: [0.5, 0.2, 0.3], axis: y}\n"
    "  cross: {type: universal, between: [tool, arm], at: [1.3, 0.2, 0.3], axis: x}\n"
    "  ball: {type: spherical, between: [ballast, base], at: [0.1, 0.5, 0.3]}\n"
    "  guide: {type: translational, between: [base, slider], at: [0.1, 0.2, 0.8], axis: z}\n"
    "  thread: {type: screw, between: [nut, base], at: [-0.4, 0.2, 0.3], axis: x, pitch: 0.2}\n"
    "loads:\n"
    "  spring: {type: spring, between: [tool, base], stiffness: 30, damping: 2}\n"
    "  coil: {type: bushing, between: [slider, base], translation: {stiffness: [5, 5, 80], "
    "damping: [1, 1, 2]}}\n"
    "operating_point: {type: given}\n";

typedef struct space {
    test_mechanism t;
    routh_mechanism *m;
    routh_joint_space *s;
    int n, n_q;
    double *q, *u, *udot, *tau, *A, *B;
} space;

static void space_make(space *x, const char *text)
{
    routh_error error;
    mechanism_make(&x->t, text);
    if (routh_mechanism_compile(&x->m, x->t.model, "relative", &error) ||
        routh_joint_space_create(&x->s, x->m, &error))
        fail_msg("%s", error.message);
    x->n = routh_joint_space_n_u(x->s);
    x->n_q = routh_joint_space_n_q(x->s);
    const size_t n = (size_t)x->n;
    x->q = calloc((size_t)x->n_q + 3 * n + 6 * n * n, sizeof *x->q);
    assert_non_null(x->q);
    x->u = x->q + x->n_q, x->udot = x->u + n, x->tau = x->udot + n;
    x->A = x->tau + n, x->B = x->A + 4 * n * n;
    routh_joint_space_start(x->s, NULL, x->q, x->u, x->udot);
}

static void space_release(space *x)
{
    free(x->q);
    routh_joint_space_free(x->s);
    routh_mechanism_free(x->m);
    mechanism_release(&x->t);
}

/* A random state with the accelerations it has under random forces. */
static void move_anywhere(space *x, random_stream *random)
{
    routh_error error;
    double *xi = calloc((size_t)x->n, sizeof *xi);
    assert_non_null(xi);
    for (int c = 0; c < x->n; c++) {
        xi[c] = 0.4 * random_real(random);
        x->u[c] = random_real(random);
        x->tau[c] = 3 * random_real(random);
    }
    rt_advance(x->m, x->q, xi);
    free(xi);
    assert_int_equal(
        routh_joint_space_accelerations(x->s, 0.3, x->q, x->u, x->tau, x->udot, &error), ROUTH_OK);
}

/* u' with column c of (q, u, tau) moved by h: level 0, 1, 2 */
static void moved(space *x, int level, int c, double h, double *udot)
{
    routh_error error;
    double *xi = calloc((size_t)x->n, sizeof *xi);
    double *q = malloc((size_t)x->n_q * sizeof *q), u = x->u[c], tau = x->tau[c];
    assert_true(xi && q);
    memcpy(q, x->q, (size_t)x->n_q * sizeof *q);
    xi[c] = h;
    if (level == 0) rt_advance(x->m, q, xi);
    if (level == 1) x->u[c] += h;
    if (level == 2) x->tau[c] += h;
    assert_int_equal(routh_joint_space_accelerations(x->s, 0.3, q, x->u, x->tau, udot, &error),
                     ROUTH_OK);
    x->u[c] = u, x->tau[c] = tau;
    free(xi);
    free(q);
}

/* Sixth order differences */
static void difference(space *x, int level, int c, double *d)
{
    static const double weight[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    const double h = 2e-3;
    double *plus = malloc(2 * (size_t)x->n * sizeof *plus), *minus = plus + x->n;
    assert_non_null(plus);
    memset(d, 0, (size_t)x->n * sizeof *d);
    for (int k = 1; k <= 3; k++) {
        moved(x, level, c, k * h, plus);
        moved(x, level, c, -k * h, minus);
        for (int r = 0; r < x->n; r++) d[r] += weight[k - 1] * (plus[r] - minus[r]) / h;
    }
    free(plus);
}

static void check_accelerations(space *x)
{
    const int n = x->n;
    double *d = malloc((size_t)n * sizeof *d), size = 1;
    assert_non_null(d);
    for (int k = 2 * n * n; k < 4 * n * n; k++) size = fmax(size, fabs(x->A[k]));
    for (int level = 0; level < 3; level++)
        for (int c = 0; c < n; c++) {
            difference(x, level, c, d);
            for (int r = 0; r < n; r++) {
                const double found = level < 2 ? x->A[(n + r) * 2 * n + level * n + c]
                                               : x->B[(n + r) * n + c];
                assert_true(fabs(found - d[r]) <= 1e-8 * size);
            }
        }
    free(d);
}

static void the_lower_rows_are_derivatives_of_the_accelerations(void **state)
{
    (void)state;
    random_stream random = {11};
    space x;
    routh_error error;
    space_make(&x, tree);
    assert_int_equal(x.n, 6 + 1 + 2 + 3 + 1 + 1);
    for (int trial = 0; trial < with_effort(10); trial++) {
        move_anywhere(&x, &random);
        assert_int_equal(routh_joint_space_evaluate(x.s, 0.3, x.q, x.u, x.udot, x.A, x.B, &error),
                         ROUTH_OK);
        check_accelerations(&x);
    }
    space_release(&x);
}

/* d(xi)/dt = du - w x xi on a ball, and xi' = du else; B's upper half is zero. */
static void the_upper_rows_are_the_kinematics(void **state)
{
    (void)state;
    random_stream random = {12};
    space x;
    routh_error error;
    space_make(&x, tree);
    move_anywhere(&x, &random);
    assert_int_equal(routh_joint_space_evaluate(x.s, 0.3, x.q, x.u, x.udot, x.A, x.B, &error),
                     ROUTH_OK);
    double *expected = calloc((size_t)x.n * 2 * (size_t)x.n, sizeof *expected);
    assert_non_null(expected);
    const rt_joined *j = x.m->joined;
    int n_balls = 0;
    for (int c = 0; c < x.n; c++) {
        expected[c * 2 * x.n + x.n + c] = 1;
        if (j->carrier[c] != c + 2) continue;
        double S[9];
        rt_m3_skew(S, x.u + c);
        for (int i = 0; i < 9; i++) expected[(c + i / 3) * 2 * x.n + c + i % 3] = -S[i];
        n_balls++;
    }
    assert_int_equal(n_balls, 2);
    for (int k = 0; k < x.n * 2 * x.n; k++) assert_true(fabs(x.A[k] - expected[k]) <= 1e-14);
    for (int k = 0; k < x.n * x.n; k++) assert_true(x.B[k] == 0);
    free(expected);
    space_release(&x);
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    const double p = x[0] * x[0] + x[1] * x[1], q = y[0] * y[0] + y[1] * y[1];
    return p < q ? -1 : p > q;
}

/* n pairs (re, |im|), smallest first */
static double *eigenvalues(int n, const double *A)
{
    routh_error error;
    const size_t size = (size_t)n * (size_t)n;
    double *work = calloc(3 * size + 6 * (size_t)n, sizeof *work), *pairs = work;
    assert_non_null(work);
    rt_eigen e = {.re = work + 2 * n,
                  .im = work + 3 * n,
                  .rcond = work + 4 * n,
                  .right = work + 6 * n,
                  .left = work + 6 * n + size};
    double *copy = work + 6 * n + 2 * size;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) copy[i + n * k] = A[i * n + k];
    assert_int_equal(rt_general_eigen(n, copy, &e, &error), ROUTH_OK);
    for (int k = 0; k < n; k++) pairs[2 * k] = e.re[k], pairs[2 * k + 1] = fabs(e.im[k]);
    qsort(pairs, (size_t)n, 2 * sizeof *pairs, by_size);
    return pairs;
}

static double distance_to_nearest(const double a[2], const double *b, int n)
{
    double nearest = INFINITY;
    for (int k = 0; k < n; k++)
        nearest = fmin(nearest, hypot(a[0] - b[2 * k], a[1] - b[2 * k + 1]));
    return nearest;
}

/* At rest the choice of coordinates does not matter. */
static void eigenvalues_are_those_of_the_linear_model(void **state)
{
    (void)state;
    space x;
    routh_error error;
    routh_operating_point *point;
    routh_linear *linear;
    routh_text text;
    assert_int_equal(routh_template_write("humanoid", NULL, 0, &text, &error), ROUTH_OK);
    space_make(&x, text.bytes);
    assert_int_equal(routh_operating_point_find(&point, x.m, NULL, &error), ROUTH_OK);
    routh_joint_space_start(x.s, point, x.q, x.u, x.udot);
    assert_int_equal(routh_joint_space_evaluate(x.s, 0, x.q, x.u, x.udot, x.A, NULL, &error),
                     ROUTH_OK);
    assert_int_equal(routh_linear_compute(&linear, x.m, point, NULL, &error), ROUTH_OK);
    assert_int_equal(linear->n_states, 2 * x.n);
    double *a = eigenvalues(2 * x.n, x.A), *b = eigenvalues(2 * x.n, linear->A);
    /* 16 hinges about the vertical have double zeros, good for half the digits */
    const double largest = hypot(a[4 * x.n - 2], a[4 * x.n - 1]);
    for (int k = 32; k < 2 * x.n; k++)
        assert_true(distance_to_nearest(a + 2 * k, b + 64, 2 * x.n - 32) <= 1e-9 * largest);
    free(a);
    free(b);
    routh_text_free(&text);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    space_release(&x);
}

static void what_stands_in_the_way_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *coordinates, *text, *word;
    } cases[] = {
        {"absolute",
         "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\noperating_point: {type: given}\n",
         "absolute coordinates"},
        {"relative",
         "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
         "joints: {pin: {type: revolute, between: [a, ground], axis: z, cut: true}}\n"
         "operating_point: {type: given}\n",
         "joint pin"},
        {"relative",
         "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
         "loads: {l: {type: force, on: a, components: [\"ACCX(a)\", 0, 0]}}\n"
         "operating_point: {type: given}\n",
         "accelerations"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        test_mechanism t;
        routh_mechanism *m;
        routh_joint_space *s;
        routh_error error;
        mechanism_make(&t, cases[k].text);
        assert_int_equal(routh_mechanism_compile(&m, t.model, cases[k].coordinates, &error),
                         ROUTH_OK);
        assert_int_equal(routh_joint_space_create(&s, m, &error), ROUTH_NOT_SUPPORTED);
        assert_null(s);
        if (!strstr(error.message, cases[k].word) && !strstr(error.element, cases[k].word))
            fail_msg("%s: %s", error.element, error.message);
        routh_mechanism_free(m);
        mechanism_release(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lower_rows_are_derivatives_of_the_accelerations),
        cmocka_unit_test(the_upper_rows_are_the_kinematics),
        cmocka_unit_test(eigenvalues_are_those_of_the_linear_model),
        cmocka_unit_test(what_stands_in_the_way_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
