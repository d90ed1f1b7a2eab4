/* Tests of expression/construct, graph, reach, substitute, text: sharing, folding, inputs,
 * replacing, printing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"
#include "expression/graph.h"

static void equal_texts_are_one_node(void **state)
{
    static const char *const pairs[][2] = {
        {"x + y", "y + x"},
        {"x*y", "y*x"},
        {"sin(x*y)", "SIN(y*x)"},
        {"x + 0", "x"},
        {"0 + x", "x"},
        {"x - 0", "x"},
        {"0 - x", "-x"},
        {"x - x", "0"},
        {"1*x", "x"},
        {"x*1", "x"},
        {"0*x", "0"},
        {"x*0", "0"},
        {"x/1", "x"},
        {"0/x", "0"},
        {"x^1", "x"},
        {"x^0", "1"},
        {"1^x", "1"},
        {"--x", "x"},
        {"-(x - y)", "y - x"},
        {"x + -y", "x - y"},
        {"x - -y", "y + x"},
        {"-x*-y", "x*y"},
        {"x/-y", "-x/y"},
        {"2*(3*x)", "6*x"},
        {"2*(3/x)", "6/x"},
        {"-1*x", "-x"},
        {"2 + 3*4", "14"},
        {"sqrt(16)", "4"},
        {"min(x, x)", "x"},
        {"max(2, 3, 1)", "3"},
        {"x^2", "x**2"},
        {"pow(x, 2)", "x^2"},
        {"ln(x)", "log(x)"},
        {"STEP(x, 0, 1, 2, 3)", "step( x , 0.0, 1e0, 2., 3)"},
        {"STEP(3, 0, 1, 2, 3)", "3"},
        {"table(x, 0, 1, 2, 3)", "table(x, 0, 1, 2, 3)"},
        {"0*x + 1", "1"},
        {"-0", "0"},
        {"x*2", "2*x"},
        {"30 deg", "pi/6*1"},
        {"+x", "x"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        rt_graph *graph = rt_graph_create();
        const rt_expr a = read_good(graph, pairs[i][0]), b = read_good(graph, pairs[i][1]);
        double u = 0, v = 1;
        /* 30 deg is 30 (pi/180), one rounding away from pi/6 */
        const bool near =
            rt_is_constant(graph, a, &u) && rt_is_constant(graph, b, &v) && fabs(u - v) <= 1e-15;
        if (a != b && !near) fail_msg("%s and %s are two nodes", pairs[i][0], pairs[i][1]);
        rt_graph_free(graph);
    }
}

static void different_texts_are_different_nodes(void **state)
{
    static const char *const texts[] = {
        "x",
        "y",
        "x + y",
        "x - y",
        "y - x",
        "x/y",
        "y/x",
        "x^y",
        "y^x",
        "atan2(x, y)",
        "atan2(y, x)",
        "sin(x)",
        "cos(x)",
        "-x",
        "2*x",
        "x^2",
        "x^3",
        "1",
        "2",
        "min(x, y)",
        "max(x, y)",
        "STEP(x, 0, 0, 1, 1)",
        "STEP5(x, 0, 0, 1, 1)",
        "HAVSIN(x, 0, 0, 1, 1)",
        "table(x, 0, 0, 1, 1)",
        "table(x, 0, 0, 1, 2)",
        "table(x, 0, 0, 1, 1, 2, 2)",
        "table(y, 0, 0, 1, 1)",
    };
    enum { N = sizeof texts / sizeof texts[0] };
    rt_graph *graph = rt_graph_create();
    rt_expr nodes[N];
    (void)state;
    for (int i = 0; i < N; i++) {
        nodes[i] = read_good(graph, texts[i]);
        for (int k = 0; k < i; k++)
            if (nodes[k] == nodes[i]) fail_msg("%s and %s are one node", texts[k], texts[i]);
    }
    rt_graph_free(graph);
}

static void arguments_have_lower_numbers_and_none_stays_none(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr x = rt_input(graph, 0), s = rt_function_of(graph, RT_SIN, x), none = RT_NO_EXPR;
    const double points[2] = {0, 1};
    assert_true(x < s);
    assert_int_equal(rt_add(graph, none, x), none);
    assert_int_equal(rt_subtract(graph, x, none), none);
    assert_int_equal(rt_multiply(graph, none, x), none);
    assert_int_equal(rt_divide(graph, x, none), none);
    assert_int_equal(rt_negate(graph, none), none);
    assert_int_equal(rt_power(graph, x, none), none);
    assert_int_equal(rt_atan2(graph, none, x), none);
    assert_int_equal(rt_minimum(graph, x, none), none);
    assert_int_equal(rt_maximum(graph, none, x), none);
    assert_int_equal(rt_function_of(graph, RT_SIN, none), none);
    assert_int_equal(rt_step(graph, x, x, none, s, x), none);
    assert_int_equal(rt_tabulated(graph, RT_MONOTONE, none, 2, points, points), none);
    assert_int_equal(rt_input(graph, -1), none);
    assert_int_equal(rt_substitute(graph, none, NULL, 0), none);
    double value;
    assert_false(rt_is_constant(graph, none, &value));
    assert_false(rt_is_constant(graph, x, &value));
    rt_graph_free(graph);
}

static void a_hundred_thousand_nodes_are_found_again(void **state)
{
    (void)state;
    enum { N = 100000 };
    rt_graph *graph = rt_graph_create();
    const rt_expr x = rt_input(graph, 0);
    rt_expr first = RT_NO_EXPR;
    for (int round = 0; round < 2; round++) {
        rt_expr last = x;
        for (int i = 1; i <= N; i++)
            last = rt_add(graph, rt_constant(graph, i), rt_function_of(graph, RT_SIN, last));
        assert_true(last >= 0);
        if (round == 0) first = last;
        assert_int_equal(first, last);
    }
    rt_graph_free(graph);
}

static void inputs_are_listed_in_ascending_order(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    int slots[4] = {-1, -1, -1, -1};
    const rt_expr e = read_good(graph, "t*x + sin(t)/y");
    assert_int_equal(rt_inputs_of(graph, e, slots, 4), 3);
    assert_true(slots[0] == 0 && slots[1] == 1 && slots[2] == 3 && slots[3] == -1);
    slots[0] = slots[1] = -1;
    assert_int_equal(rt_inputs_of(graph, e, slots, 1), 3);
    assert_true(slots[0] == 0 && slots[1] == -1);
    assert_int_equal(rt_inputs_of(graph, e, NULL, 0), 3);
    assert_int_equal(rt_inputs_of(graph, rt_constant(graph, 3), slots, 4), 0);
    assert_int_equal(rt_inputs_of(graph, rt_multiply(graph, rt_constant(graph, 0), e), slots, 4),
                     0);
    rt_graph_free(graph);
}

static void replaced_inputs_give_the_node_of_the_written_out_text(void **state)
{
    static const char *const texts[] = {
        "x*y + x",
        "STEP(x, 0, y, 2, x)",
        "atan2(x, y)^x",
        "min(x, y, 3)/max(x, 2)",
        "table(x, 0, 0, 1, 5)*y",
        "sin(x)^2 - cos(y)",
        "-x - y*x",
        "mod(x, y)",
        "exp(t)",
        "havsin(x, y, 0, 9, 1)",
        "x^y",
        "7",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        rt_graph *graph = rt_graph_create();
        const rt_expr e = read_good(graph, texts[i]);
        const rt_expr by[2] = {read_good(graph, "(1 + z^2)"), RT_NO_EXPR};
        char text[256], *to = text;
        for (const char *c = texts[i]; *c; c++) {
            const bool name =
                *c == 'x' && (c == texts[i] || c[-1] < 'a' || c[-1] > 'z') && c[1] != 'p';
            to += name ? (int)strlen(strcpy(to, "(1 + z^2)")) : 1;
            if (!name) to[-1] = *c;
        }
        *to = '\0';
        assert_int_equal(rt_substitute(graph, e, by, 2), read_good(graph, text));
        assert_int_equal(rt_substitute(graph, e, by, 0), e);
        rt_graph_free(graph);
    }
}

static void constants_put_in_are_folded(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr e = read_good(graph, "x*sin(y)"),
                  d = rt_derivative(graph, read_good(graph, "x^y"), 0);
    const rt_expr by[2] = {rt_constant(graph, 3), rt_constant(graph, 2)};
    double value = 0;
    assert_true(rt_is_constant(graph, rt_substitute(graph, e, by, 2), &value));
    assert_true(fabs(value - 3 * sin(2)) <= 1e-15);
    assert_true(rt_is_constant(graph, rt_substitute(graph, d, by, 2), &value) && value == 6);
    const rt_expr only[2] = {RT_NO_EXPR, by[1]};
    assert_int_equal(rt_substitute(graph, d, only, 2), read_good(graph, "2*x"));
    rt_graph_free(graph);
}

static const char *letter_of(void *context, int slot)
{
    static const char *const names[] = {"x", "y", "z", "t"};
    (void)context;
    return names[slot];
}

static void printed_text_reads_back_as_the_same_node(void **state)
{
    static const char *const texts[] = {
        "x + y*z",
        "(x + y)*z",
        "x - (y - z)",
        "x - (y + z)",
        "x/(y/z)",
        "x/y/z",
        "x/(y*z)",
        "x*(y/z)",
        "-x^2",
        "(-x)^2",
        "x^-2",
        "(x^2)^3",
        "x^(y^z)",
        "(x^y)^z",
        "-(x + y)",
        "2*x - 3.25e-7",
        "atan2(x, min(y, 2))",
        "0.1 + x",
        "1e300*x",
        "-2*x",
        "(-2)^x",
        "sqrt(abs(x))",
        "x*(y*z)",
        "x + (y + z)",
        "x + -2",
        "x/-3",
        "-(x*y)",
        "-(x/y)*z",
        "1/3 + x",
        "x^y^z",
        "max(x, y)",
        "2^-x",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        rt_graph *graph = rt_graph_create();
        char text[256];
        const rt_expr e = read_good(graph, texts[i]);
        const int n = rt_expression_text(graph, e, letter_of, NULL, text, sizeof text);
        assert_int_equal(n, strlen(text));
        if (read_good(graph, text) != e) fail_msg("%s is printed as %s", texts[i], text);
        rt_graph_free(graph);
    }
}

static void text_is_cut_to_its_room_and_shared_nodes_do_not_explode(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    char text[64];
    rt_expr e = rt_input(graph, 7);
    assert_int_equal(rt_expression_text(graph, e, NULL, NULL, text, sizeof text), 2);
    assert_string_equal(text, "#7");
    for (int i = 0; i < 1000; i++) e = rt_function_of(graph, RT_SIN, rt_multiply(graph, e, e));
    memset(text, 1, sizeof text);
    assert_int_equal(rt_expression_text(graph, e, NULL, NULL, text, 20), 19);
    assert_int_equal(strlen(text), 19);
    assert_int_equal(text[20], 1);
    assert_int_equal(rt_expression_text(graph, e, NULL, NULL, text, 0), 0);
    rt_expression_text(graph, RT_NO_EXPR, NULL, NULL, text, sizeof text);
    assert_string_equal(text, "?");
    rt_graph_free(graph);
}

/* d^m (x^b) / dx^m = b (b-1) .. (b-m+1) x^(b-m), the product as gamma functions have it. */
static void partials_of_a_power_with_a_constant_exponent(void **state)
{
    static const double exponents[] = {2.5, -1.5, 0.3};
    const double x[N_NAMES] = {1.7, 0, 0, 0};
    (void)state;
    rt_graph *graph = rt_graph_create();
    for (int i = 0; i < 3; i++)
        for (int m = 1; m < 6; m++) {
            const double b = exponents[i];
            const rt_expr e =
                rt_power_partial(graph, m, 0, rt_input(graph, 0), rt_constant(graph, b));
            const double right = tgamma(b + 1) / tgamma(b - m + 1) * pow(x[0], b - m);
            assert_true(fabs(value_at(graph, e, x) - right) <= 1e-13 * fabs(right));
        }
    assert_true(value_at(graph, rt_power_partial(graph, 4, 0, rt_input(graph, 0),
                                                 rt_constant(graph, 3)), x) == 0);
    rt_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_texts_are_one_node),
        cmocka_unit_test(partials_of_a_power_with_a_constant_exponent),
        cmocka_unit_test(different_texts_are_different_nodes),
        cmocka_unit_test(arguments_have_lower_numbers_and_none_stays_none),
        cmocka_unit_test(a_hundred_thousand_nodes_are_found_again),
        cmocka_unit_test(inputs_are_listed_in_ascending_order),
        cmocka_unit_test(replaced_inputs_give_the_node_of_the_written_out_text),
        cmocka_unit_test(constants_put_in_are_folded),
        cmocka_unit_test(printed_text_reads_back_as_the_same_node),
        cmocka_unit_test(text_is_cut_to_its_room_and_shared_nodes_do_not_explode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
