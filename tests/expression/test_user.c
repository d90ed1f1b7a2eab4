/* Tests of expression/user: differences against derivatives in closed form, and the errors that
 * they state; kinks, noise, ends of where a function is defined; complex arguments; jets. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "expression/expression.h"

/* ---- smooth functions ------------------------------------------------------------------------ */

#define VALUE(name, formula)                                                                       \
    static int name(void *user, const double *x, double *f)                                        \
    {                                                                                              \
        (void)user;                                                                                \
        f[0] = formula;                                                                            \
        return 0;                                                                                  \
    }

VALUE(of_sin, sin(x[0]))
VALUE(of_fast_sin, sin(300 * x[0]))
VALUE(of_exp, exp(x[0]))
VALUE(of_sqrt, sqrt(x[0]))
VALUE(of_runge, 1 / (1 + 25 * x[0] * x[0]))
VALUE(of_stiff_cubic, 1e5 * x[0] + 1e9 * x[0] * x[0] * x[0])
VALUE(of_narrow_tanh, tanh(x[0] / 1e-4))
VALUE(of_bump, x[0] * exp(-1e6 * x[0] * x[0]))
VALUE(of_square, x[0] * x[0])
VALUE(of_preload, 1e6 + 40 * x[0] + x[0] * x[0])

typedef struct smooth_case {
    const char *name;
    int (*value)(void *, const double *, double *);
    double x, d[4]; /* its first derivatives */
    double relative[4];
} smooth_case;

#define SINES(x) cos(x), -sin(x), -cos(x), sin(x)
#define EXPS(x) exp(x), exp(x), exp(x), exp(x)

/* Each within what it says, and, of the first two orders, within what a linear model needs. */
static void differences_are_within_the_error_they_state(void **unused)
{
    const double t = tanh(2), s = 1 - t * t;
    (void)unused;
    const smooth_case cases[] = {
        {"sin", of_sin, 0.3, {SINES(0.3)}, {1e-12, 1e-10, 1e-8, 1e-6}},
        {"sin, large", of_sin, 1e6, {SINES(1e6)}, {1e-11, 1e-9, 1e-7, 1e-5}},
        {"sin(300 x)",
         of_fast_sin,
         0.1,
         {300 * cos(30), -9e4 * sin(30), -27e6 * cos(30), 81e8 * sin(30)},
         {1e-12, 1e-10, 1e-7, 1e-6}},
        {"exp", of_exp, 5, {EXPS(5)}, {1e-12, 1e-10, 1e-8, 1e-6}},
        {"sqrt", of_sqrt, 0.01, {5, -250, 37500, -9375000}, {1e-12, 1e-10, 1e-8, 1e-6}},
        {"sqrt near its end", of_sqrt, 1e-6, {500, -2.5e8, 3.75e14, NAN}, {1e-9, 1e-9, 1e-8, 1}},
        {"runge",
         of_runge,
         0.3,
         {-15 / (3.25 * 3.25), 287.5 / (3.25 * 3.25 * 3.25), NAN, NAN},
         {1e-12, 1e-10, 1, 1}},
        {"stiff cubic", of_stiff_cubic, 1e-3, {1.03e5, 6e6, 6e9, 0}, {1e-12, 1e-10, 1e-8, 1}},
        {"narrow tanh",
         of_narrow_tanh,
         2e-4,
         {1e4 * s, -2e8 * t * s, NAN, NAN},
         {1e-11, 1e-9, 1, 1}},
        {"bump", of_bump, 0, {1, 0, NAN, NAN}, {1e-12, 1, 1, 1}},
        {"square at 0", of_square, 0, {0, 2, 0, 0}, {1, 1e-12, 1, 1}},
        {"preloaded", of_preload, 0.2, {40.4, 2, 0, 0}, {1e-10, 1e-7, 1, 1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const smooth_case *c = &cases[k];
        const rt_user_function f = {.name = "f", .n = 1, .value = c->value};
        for (int order = 1; order <= 4; order++) {
            rt_user_accuracy a;
            const double expected = c->d[order - 1];
            if (isnan(expected)) continue;
            const double found = rt_user_difference(&f, order, &c->x, &a);
            const double off = fabs(found - expected), size = fmax(fabs(expected), a.size);
            if (!(off <= 3 * a.error + 4 * DBL_EPSILON * fabs(expected)))
                fail_msg("%s, order %d: %.1e off, stated %.1e", c->name, order, off, a.error);
            if (!(off <= c->relative[order - 1] * size))
                fail_msg("%s, order %d: %.1e off %.6g", c->name, order, off, expected);
            if (order == 1 && !(a.error <= 1e-8 * size))
                fail_msg("%s: states %.1e of %.1e", c->name, a.error, size);
        }
    }
}

/* ---- rough functions ------------------------------------------------------------------------- */

/* In -1 .. 1, by the digits of x. */
static double digits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits *= 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
    return (double)(bits >> 11) * 0x1p-52 - 1;
}

VALUE(of_abs, fabs(x[0]))
VALUE(of_stop, fmax(x[0] - 1e-3, 0) * 1e6)
VALUE(of_noise, sin(x[0]) + 1e-6 * digits(x[0]))
VALUE(of_float, (double)(float)sin(x[0]))
VALUE(of_hertz, pow(fmax(x[0], 0), 1.5))
VALUE(of_jump, x[0] > 0)

static void what_is_not_smooth_is_said(void **unused)
{
    static const struct {
        const char *name;
        int (*value)(void *, const double *, double *);
        double x, d, least;
    } cases[] = {
        {"abs", of_abs, 0, 0, 0.3},          {"a stop at its edge", of_stop, 1e-3, 0, 3e5},
        {"noise", of_noise, 0.3, NAN, 1e-6}, {"single precision", of_float, 0.3, NAN, 1e-8},
        {"x^1.5 at 0", of_hertz, 0, 0, 0},   {"a jump", of_jump, 0, NAN, 1},
    };
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const rt_user_function f = {.name = "f", .n = 1, .value = cases[k].value};
        rt_user_accuracy a;
        const double found = rt_user_difference(&f, 1, &cases[k].x, &a);
        const double expected = isnan(cases[k].d) ? cos(0.3) : cases[k].d;
        if (!(a.error >= cases[k].least && a.error > 1e-8 * fmax(fabs(found), a.size)))
            fail_msg("%s: states %.1e", cases[k].name, a.error);
        if (cases[k].value != of_jump && !(fabs(found - expected) <= 4 * a.error))
            fail_msg("%s: %.1e off, states %.1e", cases[k].name, found - expected, a.error);
    }
}

static double scale_of_wire;

/* A kink beside x: the steps stay on this side of it. */
static void kinks_nearby_are_kept_away_from(void **unused)
{
    const rt_user_function f = {.name = "f", .n = 1, .value = of_stop};
    (void)unused;
    for (double gap = 1e-6; gap < 1e-3; gap *= 4) {
        const double below = 1e-3 - gap, above = 1e-3 + gap;
        rt_user_accuracy a;
        assert_true(rt_user_difference(&f, 1, &below, &a) == 0);
        assert_true(fabs(rt_user_difference(&f, 1, &above, &a) - 1e6) <= 1e-3);
    }
}

VALUE(of_wire, sqrt(x[0] * x[0] + scale_of_wire * scale_of_wire) - scale_of_wire)
VALUE(of_float_strut, 1000 * ((double)sqrtf((float)((20 + x[0]) * (20 + x[0]))) - 20))
VALUE(of_steps, floor(1e3 * x[0]) / 1e3)
VALUE(of_open_contact, 1e4 * fmax(0, x[0] - 1e-5) * fmax(0, x[0] - 1e-5))

/* Numbers that cancel within the function: about 0 it is one number, and not constant. */
static void what_a_function_loses_within_is_no_constant(void **unused)
{
    (void)unused;
    const double at = 0;
    rt_user_accuracy a;
    for (double L = 0.1; L < 2e3; L *= 3.7) {
        scale_of_wire = L;
        const rt_user_function f = {.name = "f", .n = 1, .value = of_wire};
        const double found = rt_user_difference(&f, 2, &at, &a);
        if (!(fabs(found * L - 1) <= 1e-5 && fabs(found - 1 / L) <= 4 * a.error))
            fail_msg("%g: %.9g, states %.1e", L, found * L, a.error * L);
    }
    const rt_user_function strut = {.name = "f", .n = 1, .value = of_float_strut};
    double found = rt_user_difference(&strut, 1, &at, &a);
    assert_true(fabs(found - 1000) <= 4 * a.error && a.error > 1e-8 * 1000 && a.error < 1);
    const rt_user_function steps = {.name = "f", .n = 1, .value = of_steps};
    const double between = 0.30047;
    found = rt_user_difference(&steps, 1, &between, &a);
    assert_true(a.error > 1e-8 * a.size);
    const rt_user_function contact = {.name = "f", .n = 1, .value = of_open_contact};
    for (int order = 1; order < 3; order++) {
        assert_true(rt_user_difference(&contact, order, &at, &a) == 0 && a.error == 0);
    }
}

/* Each may be missing, also the gradient beside a Hessian. */
static int square_hessian(void *user, const double *x, double *H)
{
    (void)user, (void)x;
    H[0] = 2;
    return 0;
}

static void a_hessian_alone_is_enough(void **unused)
{
    (void)unused;
    const rt_user_function f = {.name = "f", .n = 1, .value = of_square, .hessian = square_hessian};
    const double x = 0.7;
    rt_user_accuracy a;
    assert_true(rt_user_partial(&f, 2, &x) == 2);
    assert_true(fabs(rt_user_difference(&f, 2, &x, &a) - 2) <= 4 * a.error + 1e-9);
    assert_true(fabs(rt_user_partial(&f, 1, &x) - 1.4) <= 1e-12);
    assert_true(fabs(rt_user_partial(&f, 3, &x)) <= 1e-9);
}

static int calls_beyond;

static int only_positive(void *user, const double *x, double *f)
{
    (void)user;
    calls_beyond += x[0] < 0;
    f[0] = sqrt(fabs(x[0]));
    return x[0] < 0;
}

static void where_a_function_fails_steps_end(void **unused)
{
    const rt_user_function f = {.name = "f", .n = 1, .value = only_positive};
    const double x = 0.01, end = 0, beyond = -1;
    rt_user_accuracy a;
    (void)unused;
    assert_true(fabs(rt_user_difference(&f, 1, &x, &a) - 5) <= 1e-11);
    assert_int_equal(calls_beyond, 1);
    assert_true(isnan(rt_user_difference(&f, 1, &end, &a)));
    assert_true(isnan(rt_user_partial(&f, 0, &beyond)));
    assert_true(isnan(rt_user_partial(&f, 1, &beyond)));
}

/* ---- several arguments ----------------------------------------------------------------------- */

/* d^(a + c) of sin(x) exp(y) z^2 by x and z; by y it is the same */
static double product_derivative(const double *x, int a, int c)
{
    const double sine[] = {sin(x[0]), cos(x[0]), -sin(x[0]), -cos(x[0])};
    const double square[] = {x[2] * x[2], 2 * x[2], 2, 0};
    return sine[a % 4] * exp(x[1]) * (c < 3 ? square[c] : 0);
}

static int product(void *user, const double *x, double *f)
{
    (void)user;
    f[0] = product_derivative(x, 0, 0);
    return 0;
}

static int product_gradient(void *user, const double *x, double *g)
{
    (void)user;
    for (int k = 0; k < 3; k++) g[k] = product_derivative(x, k == 0, k == 2);
    return 0;
}

static int product_hessian(void *user, const double *x, double *H)
{
    (void)user;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            H[3 * k + l] = product_derivative(x, (k == 0) + (l == 0), (k == 2) + (l == 2));
    return 0;
}

static int product_complex(void *user, const double *x, double *f)
{
    (void)user;
    const double complex p = x[0] + I * x[1], q = x[2] + I * x[3], r = x[4] + I * x[5];
    const double complex z = csin(p) * cexp(q) * r * r;
    f[0] = creal(z), f[1] = cimag(z);
    return 0;
}

static void all_orders_agree_whatever_is_given(void **unused)
{
    static const double relative[] = {1e-15, 1e-11, 1e-9, 1e-7, 1e-5};
    const double x[] = {0.7, -0.2, 1.3};
    const rt_user_function given[] = {
        {"f", 3, product, NULL, NULL, NULL, NULL, {0}},
        {"f", 3, product, product_gradient, NULL, NULL, NULL, {0}},
        {"f", 3, product, NULL, NULL, product_complex, NULL, {0}},
        {"f", 3, product, product_gradient, product_hessian, NULL, NULL, {0}},
        {"f", 3, product, NULL, NULL, NULL, NULL, {0.5, 0.5, 0.5}}};
    static const int exact_to[] = {0, 1, 1, 2, 0};
    (void)unused;
    for (int way = 0; way < 5; way++)
        for (int a = 0; a <= 4; a++)
            for (int b = 0; a + b <= 4; b++)
                for (int c = 0; a + b + c <= 4; c++) {
                    const int orders = a * rt_user_one(0) + b * rt_user_one(1) + c * rt_user_one(2);
                    const int total = a + b + c, steps = total - exact_to[way];
                    const double expected = product_derivative(x, a, c);
                    const double found = rt_user_partial(&given[way], orders, x);
                    if (!(fabs(found - expected) <= relative[steps > 0 ? steps : 0] * 4))
                        fail_msg("given %d, orders %d %d %d: %.17g, not %.17g", way, a, b, c, found,
                                 expected);
                }
    assert_true(isnan(rt_user_partial(&given[0], 5 * rt_user_one(1), x)));
}

/* ---- in a graph ------------------------------------------------------------------------------ */

/* f(sin(p), p q, q) along p(t), q(t) by jets, and its derivatives as nodes, against the same
 * written as an expression. */
static void nodes_and_jets_follow_the_chain_rule(void **unused)
{
    const rt_user_function f = {"f",  3,    product, product_gradient, product_hessian,
                                NULL, NULL, {0}};
    rt_graph *g = rt_graph_create();
    rt_arena arena = {0};
    const rt_expr p = rt_input(g, 0), q = rt_input(g, 1);
    const rt_expr x[] = {rt_function_of(g, RT_SIN, p), rt_multiply(g, p, q), q};
    const rt_expr call = rt_user_call(g, &f, x);
    const rt_expr plain = rt_multiply(
        g, rt_multiply(g, rt_function_of(g, RT_SIN, x[0]), rt_function_of(g, RT_EXP, x[1])),
        rt_power(g, x[2], rt_constant(g, 2)));
    const rt_expr out[] = {call,
                           plain,
                           rt_derivative(g, call, 0),
                           rt_derivative(g, plain, 0),
                           rt_derivative(g, rt_derivative(g, call, 0), 1),
                           rt_derivative(g, rt_derivative(g, plain, 0), 1)};
    const int slots[] = {0, 1};
    double in[6] = {0.4, 0.7, -0.3, 1.1, -0.2, 0.5}, jets[18];
    (void)unused;
    rt_graph *copy = rt_graph_clone(g);
    const rt_tape *tape = rt_tape_compile(copy, out, 6, slots, 2, &arena);
    double *work = RT_TAKE(&arena, double, rt_tape_work(tape));
    rt_tape_evaluate_jets(tape, in, jets, work);
    /* the first one's jets, and the value of all, need no more than what is given */
    for (int d = 0; d < 3; d++) assert_true(fabs(jets[d] - jets[3 + d]) <= 1e-14);
    assert_true(fabs(jets[6] - jets[9]) <= 1e-14);
    assert_true(fabs(jets[12] - jets[15]) <= 1e-14);
    /* third derivatives by differences of the second ones */
    assert_true(fabs(jets[7] - jets[10]) <= 1e-14);
    assert_true(fabs(jets[8] - jets[11]) <= 1e-10);
    const double values[] = {in[0], in[3]};
    double found[6];
    rt_tape_evaluate(tape, values, found, work);
    for (int k = 0; k < 6; k++) assert_true(found[k] == jets[3 * k]);
    assert_true(rt_graph_has_users(copy));
    rt_graph_free(copy);
    rt_graph_free(g);
    rt_arena_free(&arena);
}

static int n_gradients, n_hessians;

static int counted_gradient(void *user, const double *x, double *g)
{
    n_gradients++;
    return product_gradient(user, x, g);
}

static int counted_hessian(void *user, const double *x, double *H)
{
    n_hessians++;
    return product_hessian(user, x, H);
}

/* All first partials of two calls, and all second ones of the first, at two places. */
static void gradients_are_asked_for_once_in_an_evaluation(void **unused)
{
    const rt_user_function f = {"f",  3,    product, counted_gradient, counted_hessian,
                                NULL, NULL, {0}};
    rt_graph *g = rt_graph_create();
    rt_arena arena = {0};
    const int slots[] = {0, 1, 2};
    const rt_expr x[] = {rt_input(g, 0), rt_input(g, 1), rt_input(g, 2)};
    const rt_expr y[] = {x[0], x[0], x[2]};
    const rt_expr call = rt_user_call(g, &f, x), other = rt_user_call(g, &f, y);
    rt_expr out[12];
    double in[] = {0.4, -0.3, 0.9}, found[12];
    int n = 0;
    (void)unused;
    for (int k = 0; k < 3; k++) out[n++] = rt_derivative(g, call, k);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l <= k; l++) out[n++] = rt_derivative(g, rt_derivative(g, call, k), l);
    for (int k = 0; k < 3; k += 2) out[n++] = rt_derivative(g, other, k);
    const rt_tape *tape = rt_tape_compile(g, out, n, slots, 3, &arena);
    double *work = RT_TAKE(&arena, double, rt_tape_work(tape));
    for (int again = 0; again < 2; again++) {
        n_gradients = n_hessians = 0;
        in[0] += again;
        rt_tape_evaluate(tape, in, found, work);
        assert_int_equal(n_gradients, 2);
        assert_int_equal(n_hessians, 1);
        assert_true(fabs(found[0] - product_derivative(in, 1, 0)) <= 1e-15);
        assert_true(fabs(found[2] - product_derivative(in, 0, 1)) <= 1e-15);
        assert_true(fabs(found[6] - product_derivative(in, 1, 1)) <= 1e-15);
        const double at[] = {in[0], in[0], in[2]};
        const double along = product_derivative(at, 1, 0) + product_derivative(at, 0, 0);
        assert_true(fabs(found[9] - along) <= 1e-14);
    }
    rt_graph_free(g);
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_within_the_error_they_state),
        cmocka_unit_test(what_is_not_smooth_is_said),
        cmocka_unit_test(kinks_nearby_are_kept_away_from),
        cmocka_unit_test(what_a_function_loses_within_is_no_constant),
        cmocka_unit_test(a_hessian_alone_is_enough),
        cmocka_unit_test(where_a_function_fails_steps_end),
        cmocka_unit_test(all_orders_agree_whatever_is_given),
        cmocka_unit_test(nodes_and_jets_follow_the_chain_rule),
        cmocka_unit_test(gradients_are_asked_for_once_in_an_evaluation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
