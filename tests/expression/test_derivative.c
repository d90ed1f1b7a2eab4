/* Tests of expression/derivative: every function and operator to third order, random expressions,
 * sharp points. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"

/* ---- values against C, derivatives of order n against differences of order n - 1 ------------- */

typedef struct text_case {
    const char *text;
    double (*value)(double x, double y);
} text_case;

#define CASE(name, formula)                                                                        \
    static double name(double x, double y)                                                         \
    {                                                                                              \
        (void)x, (void)y;                                                                          \
        return formula;                                                                            \
    }

/* The clamped fraction that steps are made of. */
static double fraction(double x, double x0, double x1)
{
    return fmin(fmax((x - x0) / (x1 - x0), 0), 1);
}
static double cubic(double u)
{
    return 3 * u * u - 2 * u * u * u;
}
static double quintic(double u)
{
    return 10 * pow(u, 3) - 15 * pow(u, 4) + 6 * pow(u, 5);
}

static const double pi = 3.14159265358979323846;

CASE(c_sum, x + y)
CASE(c_difference, x - 3 * y)
CASE(c_product, x * y * x)
CASE(c_quotient, (x + 2) / (y - 5))
CASE(c_negative, -x * y)
CASE(c_square, x * x)
CASE(c_cube, x * x * x)
CASE(c_inverse, 1 / (x * x))
CASE(c_root, pow(2 + x, 1.5))
CASE(c_general_power, pow(2 + x, y))
CASE(c_exponential, pow(2, x))
CASE(c_self_power, pow(2 + x, 2 + x))
CASE(c_sin, sin(x * y))
CASE(c_cos, cos(x))
CASE(c_tan, tan(x))
CASE(c_asin, asin(x / 2))
CASE(c_acos, acos(x / 2))
CASE(c_atan, atan(x))
CASE(c_atan2, atan2(y, x))
CASE(c_atan2_both, atan2(x * y, x - 2))
CASE(c_sinh, sinh(x))
CASE(c_cosh, cosh(x))
CASE(c_tanh, tanh(x))
CASE(c_exp, exp(x))
CASE(c_log, log(2 + x))
CASE(c_log10, log10(2 + x))
CASE(c_sqrt, sqrt(2 + x))
CASE(c_abs, fabs(x))
CASE(c_sign, x > 0 ? x : -x)
CASE(c_min, fmin(x, fmin(y, 0.4)))
CASE(c_max, fmax(sin(x), y * x))
CASE(c_mod, fmod(x, 0.25))
CASE(c_mod_of, fmod(5, 3.1 + x))
CASE(c_floor, floor(x) + x)
CASE(c_ceil, ceil(x) * x)
CASE(c_hypot, hypot(x, y))
CASE(c_step, y + (3 - y) * cubic(fraction(x, -1, 2)))
CASE(c_step_x0, cubic(fraction(0.3, x - 1, 2)))
CASE(c_step_x1, cubic(fraction(0.3, -1, 2 + x)))
CASE(c_step_h, x + (x * x - x) * cubic(fraction(0.3, -1, 2)))
CASE(c_step5, 1 + quintic(fraction(x, -1, 2)))
CASE(c_havsin, 1 + (1 - cos(pi * fraction(x, -1, 2))) / 2)
CASE(c_ramp, (x + hypot(x, 0.3)) / 2)
CASE(c_smooth_sign, tanh(x / 0.5))
CASE(c_smooth_abs, hypot(x, 0.3))
CASE(c_poly, 1 + 2 * (x - 3) + 4 * pow(x - 3, 2) - pow(x - 3, 3))
CASE(c_shf, 2 * sin(3 * (x - 0.1) - 0.2) + y)
CASE(c_degrees, x * pi / 180 + y)

static const text_case cases[] = {
    {"x + y", c_sum},
    {"x - 3*y", c_difference},
    {"x*y*x", c_product},
    {"(x + 2)/(y - 5)", c_quotient},
    {"-x*y", c_negative},
    {"x^2", c_square},
    {"x**3", c_cube},
    {"x^-2", c_inverse},
    {"(2 + x)^1.5", c_root},
    {"(2 + x)^y", c_general_power},
    {"pow(2, x)", c_exponential},
    {"(2 + x)^(2 + x)", c_self_power},
    {"sin(x*y)", c_sin},
    {"COS(x)", c_cos},
    {"tan(x)", c_tan},
    {"asin(x/2)", c_asin},
    {"acos(x/2)", c_acos},
    {"atan(x)", c_atan},
    {"atan2(y, x)", c_atan2},
    {"atan2(x*y, x - 2)", c_atan2_both},
    {"sinh(x)", c_sinh},
    {"cosh(x)", c_cosh},
    {"tanh(x)", c_tanh},
    {"exp(x)", c_exp},
    {"log(2 + x)", c_log},
    {"ln(2 + x)", c_log},
    {"log10(2 + x)", c_log10},
    {"Sqrt(2 + x)", c_sqrt},
    {"abs(x)", c_abs},
    {"sign(x)*x", c_sign},
    {"min(x, y, 0.4)", c_min},
    {"max(sin(x), y*x)", c_max},
    {"mod(x, 0.25)", c_mod},
    {"mod(5, 3.1 + x)", c_mod_of},
    {"floor(x) + x", c_floor},
    {"ceil(x)*x", c_ceil},
    {"hypot(x, y)", c_hypot},
    {"STEP(x, -1, y, 2, 3)", c_step},
    {"step(0.3, x - 1, 0, 2, 1)", c_step_x0},
    {"step(0.3, -1, 0, 2 + x, 1)", c_step_x1},
    {"step(0.3, -1, x, 2, x^2)", c_step_h},
    {"STEP5(x, -1, 1, 2, 2)", c_step5},
    {"HAVSIN(x, -1, 1, 2, 2)", c_havsin},
    {"ramp(x, 0.3)", c_ramp},
    {"smooth_sign(x, 0.5)", c_smooth_sign},
    {"smooth_abs(x, 0.3)", c_smooth_abs},
    {"POLY(x, 3, 1, 2, 4, -1)", c_poly},
    {"SHF(x, 0.1, 2, 3, 0.2, y)", c_shf},
    {"(x) deg + y", c_degrees},
};

/* Where all cases are smooth within a difference's reach of 0.02. */
static const double points[][2] = {
    {0.7, 0.55}, {-0.65, 0.31}, {0.31, -0.85}, {0.9, 1.2}, {-0.32, -0.4}};

typedef struct along {
    const rt_graph *graph;
    rt_expr e;
    double x[N_NAMES];
    int slot;
} along;

static double moved(void *context, double at)
{
    along a = *(along *)context;
    a.x[a.slot] = at;
    return value_at(a.graph, a.e, a.x);
}

static void values_agree_with_C(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rt_graph *graph = rt_graph_create();
        const rt_expr e = read_good(graph, cases[i].text);
        for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
            const double x[N_NAMES] = {points[k][0], points[k][1]};
            const double c = cases[i].value(x[0], x[1]), v = value_at(graph, e, x);
            if (!(fabs(v - c) <= 1e-14 * (1 + fabs(c))))
                fail_msg("%s at (%g, %g) is %.17g, not %.17g", cases[i].text, x[0], x[1], v, c);
        }
        rt_graph_free(graph);
    }
}

static void check_orders(rt_graph *graph, const char *text, const double *x, int slot)
{
    along a = {.graph = graph, .e = read_good(graph, text), .slot = slot};
    memcpy(a.x, x, sizeof a.x);
    for (int order = 1; order <= 3; order++) {
        double error;
        const double d = difference(moved, &a, x[slot], 0.02, &error);
        a.e = rt_derivative(graph, a.e, slot);
        const double exact = moved(&a, x[slot]);
        /* the differences must be worth comparing with */
        if (!(error <= 1e-8 * (1 + fabs(d))))
            fail_msg("order %d of %s at (%g, %g): differences +- %g", order, text, x[0], x[1],
                     error);
        if (!(fabs(exact - d) <= 1e-8 * (1 + fabs(d))))
            fail_msg("order %d of %s in %c at (%g, %g) is %.12g, by differences %.12g", order, text,
                     "xyzt"[slot], x[0], x[1], exact, d);
    }
}

static void three_orders_agree_with_differences(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rt_graph *graph = rt_graph_create();
        for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
            const double x[N_NAMES] = {points[k][0], points[k][1]};
            check_orders(graph, cases[i].text, x, 0);
            check_orders(graph, cases[i].text, x, 1);
        }
        rt_graph_free(graph);
    }
}

/* d^2/dx^2 d^2/dy^2, where the base and the exponent of a power both move. */
static void mixed_derivatives_agree_with_differences(void **state)
{
    static const char *const texts[] = {"(2 + x)^y", "(1 + x*y)^(y - x)", "atan2(y, 2 + x)",
                                        "sin(x*y)/(2 + y)"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        rt_graph *graph = rt_graph_create();
        along a = {.graph = graph, .e = read_good(graph, texts[i]), .x = {0.7, 0.55}};
        for (int order = 0; order < 6; order++) {
            double error;
            a.slot = order / 3 == 0 ? order % 2 : 1 - order % 2;
            const double d = difference(moved, &a, a.x[a.slot], 0.05, &error);
            a.e = rt_derivative(graph, a.e, a.slot);
            if (!(fabs(moved(&a, a.x[a.slot]) - d) <= 1e-8 * (1 + fabs(d))))
                fail_msg("order %d of %s", order, texts[i]);
        }
        rt_graph_free(graph);
    }
}

/* ---- random expressions ---------------------------------------------------------------------- */

/* Text of a random smooth expression of x, y, z whose functions stay inside their domains and away
 * from kinks, and whose values stay moderate. */
static void grow(uint64_t *seed, int depth, char *text, size_t size)
{
    static const char *const leaves[] = {"x", "y", "z", "0.7", "2", "-1.3"};
    static const char *const unary[] = {
        "sin(%s)",
        "cos(%s)",
        "tanh(%s)",
        "atan(%s)",
        "exp(sin(%s))",
        "log(2 + sin(%s))",
        "sqrt(1 + (%s)^2)",
        "-(%s)",
        "asin(0.7*sin(%s))",
        "tan(0.8*sin(%s))",
        "sinh(sin(%s))",
        "cosh(sin(%s))",
        "(1.5 + sin(%s))^-1.7",
        "(2 + cos(%s))^3",
        "STEP(0.5 + 0.4*sin(%s), 0, -1, 1, 2)",
        "havsin(0.5 + 0.4*cos(%s), 0, 1, 1, 2)",
        "step5(0.5 + 0.4*cos(%s), 0, 1, 1, 3)",
        "smooth_abs(%s, 0.8)",
        "ramp(%s, 0.8)",
        "acos(0.6*cos(%s))",
        "log10(3 + cos(%s))",
        "abs(1.2 + sin(%s))",
        "max(3, %s/100)",
        "poly(sin(%s), 0.3, 1, -2, 0.5)",
        "shf(%s, 0.2, 1.1, 0.9, 0.3)",
    };
    static const char *const binary[] = {
        "(%s) + (%s)",
        "(%s) - (%s)",
        "sin(%s)*cos(%s)",
        "(%s)/(1.5 + cos(%s))",
        "atan2(sin(%s), 2 + cos(%s))",
        "(1.5 + sin(%s))^(1 + 0.5*cos(%s))",
        "hypot(1 + (%s)/9, 3 + cos(%s))",
        "step(0.5, 0.1*sin(%s), 1, 1 + 0.2*cos(%s), 2)",
        "0.3*(%s)*tanh(%s)",
    };
    char a[4096], b[4096];
    const int kind = depth == 0 ? 0 : random_below(seed, 5);
    if (kind == 0) {
        snprintf(text, size, "%s",
                 leaves[random_below(seed, (int)(sizeof leaves / sizeof *leaves))]);
        return;
    }
    grow(seed, depth - 1, a, sizeof a);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (kind <= 2) {
        snprintf(text, size, unary[random_below(seed, (int)(sizeof unary / sizeof *unary))], a);
    } else {
        grow(seed, depth - 1, b, sizeof b);
        snprintf(text, size, binary[random_below(seed, (int)(sizeof binary / sizeof *binary))], a,
                 b);
    }
#pragma GCC diagnostic pop
}

static void random_expressions_have_the_derivatives_of_differences(void **state)
{
    (void)state;
    uint64_t seed = 20240607;
    int with_derivative = 0;
    for (int i = 0; i < 300; i++) {
        char text[4096];
        rt_graph *graph = rt_graph_create();
        grow(&seed, 4, text, sizeof text);
        along a = {.graph = graph};
        for (int k = 0; k < 3; k++) a.x[k] = random_between(&seed, -1.5, 1.5);
        const rt_expr e = read_good(graph, text);
        for (a.slot = 0; a.slot < 3; a.slot++) {
            double error;
            a.e = e;
            const double d = difference(moved, &a, a.x[a.slot], 0.05, &error),
                         v = moved(&a, a.x[a.slot]);
            a.e = rt_derivative(graph, e, a.slot);
            const double exact = moved(&a, a.x[a.slot]);
            if (!(fabs(exact - d) <= 1e-8 * (1 + fabs(d) + fabs(v))))
                fail_msg("case %d, d/d%c of %s is %.12g, by differences %.12g (+- %.1g)", i,
                         "xyz"[a.slot], text, exact, d, error);
            if (exact != 0) with_derivative++;
        }
        rt_graph_free(graph);
    }
    assert_true(with_derivative > 300); /* the cases are not trivial */
}

static void second_derivatives_do_not_depend_on_the_order_taken(void **state)
{
    (void)state;
    uint64_t seed = 77;
    for (int i = 0; i < 100; i++) {
        char text[4096];
        rt_graph *graph = rt_graph_create();
        grow(&seed, 4, text, sizeof text);
        double x[N_NAMES] = {0};
        for (int k = 0; k < 3; k++) x[k] = random_between(&seed, -1.5, 1.5);
        const rt_expr e = read_good(graph, text);
        const double xy = value_at(graph, rt_derivative(graph, rt_derivative(graph, e, 0), 1), x);
        const double yx = value_at(graph, rt_derivative(graph, rt_derivative(graph, e, 1), 0), x);
        if (!(fabs(xy - yx) <= 1e-11 * (1 + fabs(xy))))
            fail_msg("%s: %.15g and %.15g", text, xy, yx);
        rt_graph_free(graph);
    }
}

/* ---- sharp points ---------------------------------------------------------------------------- */

static double derivative_at(const char *text, int order, double x, double y)
{
    rt_graph *graph = rt_graph_create();
    const double at[N_NAMES] = {x, y};
    rt_expr e = read_good(graph, text);
    for (int i = 0; i < order; i++) e = rt_derivative(graph, e, 0);
    const double value = value_at(graph, e, at);
    rt_graph_free(graph);
    return value;
}

static void whole_powers_are_exact_at_zero_and_below(void **state)
{
    (void)state;
    assert_true(derivative_at("x^2", 1, 0, 0) == 0);
    assert_true(derivative_at("x^2", 2, 0, 0) == 2);
    assert_true(derivative_at("x^2", 3, 0, 0) == 0);
    assert_true(derivative_at("x^3", 3, 0, 0) == 6);
    assert_true(derivative_at("x^5", 2, -2, 0) == -160);
    assert_true(derivative_at("x^1", 1, 0, 0) == 1);
    assert_true(derivative_at("x^0", 0, 0, 0) == 1);
    assert_true(derivative_at("x^0", 1, 0, 0) == 0);
    assert_true(derivative_at("(-2)^3 + x", 0, 0, 0) == -8);
}

static void exponents_that_are_inputs_hold_at_zero_base(void **state)
{
    (void)state;
    /* y is the exponent */
    assert_true(derivative_at("x^y", 1, 0, 2) == 0);
    assert_true(derivative_at("x^y", 2, 0, 2) == 2);
    assert_true(derivative_at("x^y", 3, 0, 2) == 0);
    assert_true(derivative_at("x^y", 1, 0, 1) == 1);
    assert_true(derivative_at("x^y", 2, 0, 1) == 0);
    assert_true(derivative_at("x^y", 2, -3, 2) == 2);
    /* d/dx 0^x = 0 for x > 0 */
    assert_true(derivative_at("y^x", 1, 2, 0) == 0);
}

static void kinks_take_the_branch_that_is_promised(void **state)
{
    (void)state;
    assert_true(derivative_at("abs(x)", 1, 0, 0) == 0);
    assert_true(derivative_at("abs(x)", 1, -1e-300, 0) == -1);
    assert_true(derivative_at("min(2*x, 3*x)", 1, 0, 0) == 2);
    assert_true(derivative_at("max(2*x, 3*x)", 1, 0, 0) == 2);
    assert_true(derivative_at("max(2*x, 3*x)", 1, 1, 0) == 3);
    assert_true(derivative_at("sign(x)", 1, 0, 0) == 0);
    assert_true(derivative_at("floor(x)", 1, 2, 0) == 0);
    /* an infinite slope of the branch that sleeps does no harm */
    assert_true(derivative_at("max(x, sqrt(x)*0 + 2*x)", 1, 1, 0) == 2);
    assert_true(derivative_at("max(1 + x, sqrt(x))", 1, 0, 0) == 1);
}

/* Speed at rest and drag that grows with its square: sqrt(0) under a smooth whole. */
static void roots_that_vanish_with_their_slope_give_zero(void **state)
{
    (void)state;
    static const char *const texts[] = {"sqrt(x^2 + y^2)",   "x*sqrt(x^2 + y^2)", "hypot(x, y)",
                                        "x*(x^2 + y^2)^0.5", "(x^2 + y^2)^1.5",   "(x^2)^0.75",
                                        "asin(cos(x))*x"};
    for (size_t i = 0; i + 1 < sizeof texts / sizeof texts[0]; i++)
        if (derivative_at(texts[i], 1, 0, 0) != 0) fail_msg("%s", texts[i]);
    assert_true(derivative_at("asin(cos(x))*x", 1, 0, 0) == asin(1));
    assert_true(derivative_at("(x^2 + y^2)^1.5", 2, 0, 0) == 0);
    /* the second derivative of x^2 written as a root is not invented */
    assert_true(derivative_at("sqrt(x^4)", 1, 0, 0) == 0);
    assert_true(isnan(derivative_at("sqrt(x^4)", 2, 0, 0)));
    assert_true(isinf(derivative_at("sqrt(x)", 1, 0, 0)));
    assert_true(isinf(derivative_at("x^0.5", 1, 0, 0)));
}

static void steps_are_flat_outside(void **state)
{
    (void)state;
    static const char *const texts[] = {"STEP(x, 1, 3, 2, 7)", "STEP5(x, 1, 3, 2, 7)",
                                        "HAVSIN(x, 1, 3, 2, 7)"};
    for (int i = 0; i < 3; i++) {
        assert_true(derivative_at(texts[i], 0, 1, 0) == 3);
        assert_true(derivative_at(texts[i], 0, -100, 0) == 3);
        assert_true(derivative_at(texts[i], 0, 2, 0) == 7);
        assert_true(derivative_at(texts[i], 0, 1e300, 0) == 7);
        for (int order = 1; order < 8; order++) {
            assert_true(derivative_at(texts[i], order, 0.5, 0) == 0);
            assert_true(derivative_at(texts[i], order, 2.5, 0) == 0);
        }
        assert_true(derivative_at(texts[i], 1, 1.5, 0) != 0);
    }
    /* beyond its degree a step is flat inside too */
    assert_true(derivative_at("STEP(x, 0, 0, 1, 1)", 3, 0.5, 0) == -12);
    assert_true(derivative_at("STEP(x, 0, 0, 1, 1)", 4, 0.5, 0) == 0);
    assert_true(derivative_at("STEP5(x, 0, 0, 1, 1)", 5, 0.5, 0) == 720);
    assert_true(derivative_at("STEP5(x, 0, 0, 1, 1)", 6, 0.5, 0) == 0);
}

static void smooth_sign_stays_finite_far_out(void **state)
{
    (void)state;
    for (int order = 1; order <= 4; order++)
        assert_true(derivative_at("smooth_sign(x, 1e-3)", order, 5, 0) == 0);
}

static void derivatives_are_remembered(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr e = read_good(graph, "sin(x*y)^2/(1 + x^2)");
    const rt_expr first = rt_derivative(graph, e, 0);
    assert_true(first >= 0);
    assert_int_equal(rt_derivative(graph, e, 0), first);
    assert_true(rt_derivative(graph, e, 1) != first);
    double zero = 1;
    assert_true(rt_is_constant(graph, rt_derivative(graph, e, 2), &zero) && zero == 0);
    /* slot 64 falls into the same bit of the mask as slot 0 */
    assert_true(rt_is_constant(graph, rt_derivative(graph, e, 64), &zero) && zero == 0);
    assert_int_equal(rt_derivative(graph, RT_NO_EXPR, 0), RT_NO_EXPR);
    rt_graph_free(graph);
}

static void a_long_chain_needs_no_deep_stack(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const double x[N_NAMES] = {0.5};
    rt_expr e = rt_input(graph, 0);
    /* x_{k+1} = sin(x_k) + x, each node on the one before */
    for (int i = 0; i < 8000; i++)
        e = rt_add(graph, rt_function_of(graph, RT_SIN, e), rt_input(graph, 0));
    double value = 0.5, slope = 1;
    for (int i = 0; i < 8000; i++) slope = cos(value) * slope + 1, value = sin(value) + 0.5;
    assert_true(fabs(value_at(graph, e, x) - value) <= 1e-14);
    assert_true(fabs(value_at(graph, rt_derivative(graph, e, 0), x) - slope) <=
                1e-12 * fabs(slope));
    rt_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_agree_with_C),
        cmocka_unit_test(three_orders_agree_with_differences),
        cmocka_unit_test(mixed_derivatives_agree_with_differences),
        cmocka_unit_test(random_expressions_have_the_derivatives_of_differences),
        cmocka_unit_test(second_derivatives_do_not_depend_on_the_order_taken),
        cmocka_unit_test(whole_powers_are_exact_at_zero_and_below),
        cmocka_unit_test(exponents_that_are_inputs_hold_at_zero_base),
        cmocka_unit_test(kinks_take_the_branch_that_is_promised),
        cmocka_unit_test(roots_that_vanish_with_their_slope_give_zero),
        cmocka_unit_test(steps_are_flat_outside),
        cmocka_unit_test(smooth_sign_stays_finite_far_out),
        cmocka_unit_test(derivatives_are_remembered),
        cmocka_unit_test(a_long_chain_needs_no_deep_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
