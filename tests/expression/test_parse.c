/* Tests of expression/parse, scan and builtin: what is read, what is refused and in which words. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"

/* ---- a small world of names ------------------------------------------------------------------ */

static bool quantity(void *graph, const char *name, rt_expr *out, char *problem)
{
    static const char *const names[] = {"x",          "y",        "stiffness", "left wheel",
                                        "rotor.spin", "\xc3\xa4", "time"};
    if (strcmp(name, "broken") == 0) snprintf(problem, 256, "'broken' refers to itself");
    for (int i = 0; i < 7; i++)
        if (strcmp(name, names[i]) == 0) {
            *out = rt_input(graph, i);
            return true;
        }
    return false;
}

static rt_call_argument seen[8];
static char seen_names[8][32];

/* dx(marker, marker) is input 100; echo keeps its arguments in seen and gives the last one's value
 * or 0. */
static bool call(void *graph, const char *name, const rt_call_argument *arguments, int n,
                 rt_expr *out, char *problem)
{
    if (strcmp(name, "dx") == 0) {
        *out = rt_input(graph, 100);
        if (n != 2) snprintf(problem, 256, "dx has two markers: dx(hub, seat)");
        return n == 2;
    }
    if (strcmp(name, "echo") != 0) return false;
    for (int i = 0; i < n && i < 8; i++) {
        seen[i] = arguments[i];
        snprintf(seen_names[i], sizeof seen_names[i], "%s",
                 arguments[i].name ? arguments[i].name : "(none)");
    }
    *out = n > 0 && arguments[n - 1].value >= 0 ? arguments[n - 1].value : rt_constant(graph, 0);
    return true;
}

static const char *const suggestions[] = {"x", "y", "stiffness", "left wheel", "dx", "echo", NULL};

static routh_status read_text(rt_graph *graph, const char *text, rt_expr *e, routh_error *error)
{
    const rt_resolver resolver = {
        .context = graph, .quantity = quantity, .call = call, .suggestions = suggestions};
    return rt_parse(graph, text, &resolver, e, error);
}

/* ---- good ones ------------------------------------------------------------------------------- */

static void check_constant(const char *text, double expected)
{
    rt_graph *graph = rt_graph_create();
    routh_error error;
    rt_expr e;
    double value = (double)NAN;
    if (read_text(graph, text, &e, &error) != ROUTH_OK)
        fail_msg("'%s' is refused at %d: %s", text, error.column, error.message);
    if (!rt_is_constant(graph, e, &value) || !(fabs(value - expected) <= 4e-16 * fabs(expected)))
        fail_msg("'%s' is %.17g, not %.17g", text, value, expected);
    rt_graph_free(graph);
}

static void arithmetic_keeps_to_its_precedence(void **state)
{
    (void)state;
    check_constant("1 + 2*3", 7);
    check_constant("(1 + 2)*3", 9);
    check_constant("10 - 4 - 3", 3);
    check_constant("24/4/3", 2);
    check_constant("2^3^2", 512);
    check_constant("2**3**2", 512);
    check_constant("-2^2", -4);
    check_constant("2^-1", 0.5);
    check_constant("2*-3", -6);
    check_constant("- - 3", 3);
    check_constant("-+-+3", 3);
    check_constant("6/2*3", 9);
    check_constant("2 - -3", 5);
    check_constant(" \t1\n+\r1 ", 2);
    check_constant("((((7))))", 7);
}

static void numbers_are_read_in_all_their_forms(void **state)
{
    (void)state;
    check_constant("0", 0);
    check_constant("007", 7);
    check_constant(".5", 0.5);
    check_constant("5.", 5);
    check_constant("1e3", 1000);
    check_constant("1E+3", 1000);
    check_constant("1.5e-3", 0.0015);
    check_constant("0.1", 0.1);
    check_constant("1.7976931348623157e308", 1.7976931348623157e308);
    check_constant("1e-400", 0);
    check_constant("3.14159265358979323846264338327950288", 3.14159265358979323846);
    check_constant("pi", 3.14159265358979323846);
    check_constant("PI", 3.14159265358979323846);
    check_constant("e", 2.71828182845904523536);
    check_constant("2*e^1", 2 * 2.71828182845904523536);
}

static void units_follow_numbers_and_parentheses(void **state)
{
    const double pi = 3.14159265358979323846;
    (void)state;
    check_constant("30 deg", pi / 6);
    check_constant("30deg", pi / 6);
    check_constant("-90 deg", -pi / 2);
    check_constant("1 rad", 1);
    check_constant("3 mm", 0.003);
    check_constant("3 cm", 0.03);
    check_constant("3 m", 3);
    check_constant("3 km", 3000);
    check_constant("3 g", 0.003);
    check_constant("3 kg", 3);
    check_constant("3 s", 3);
    check_constant("3 ms", 0.003);
    check_constant("3 min", 180);
    check_constant("50 Hz", 50);
    check_constant("60 rpm", 2 * pi);
    check_constant("3 N", 3);
    check_constant("3 kN", 3000);
    check_constant("(1 + 2) mm", 0.003);
    check_constant("sqrt(9) mm", 0.003);
    check_constant("2 mm^2", 2e-6);
    check_constant("5 N/mm", 5000);
    check_constant("5 N/(1 mm)", 5000);
    check_constant("1e3mm", 1);
}

static void functions_are_read_in_any_letter_case(void **state)
{
    (void)state;
    check_constant("SIN(0) + Cos(0)", 1);
    check_constant("Atan2(1, 1)*4", 3.14159265358979323846);
    check_constant("max(1, 2, 5, 3)", 5);
    check_constant("MIN(4, 2)", 2);
    check_constant("mod(7, 3)", 1);
    check_constant("mod(-7, 3)", -1);
    check_constant("mod(7, -3)", 1);
    check_constant("pow(2, 10)", 1024);
    check_constant("hypot(3e200, 4e200)", 5e200);
    check_constant("floor(-1.5) + ceil(-1.5)", -3);
    check_constant("sign(-3) + sign(0)", -1);
    check_constant("poly(3, 1, 1, 2, 3)", 17);
    check_constant("shf(1, 0, 2, 0)", 0);
    check_constant("shf(1, 1, 2, 3, pi/2)", -2);
    check_constant("shf(1, 0, 2, 0, 0, 3)", 3);
    check_constant("step(0.5, 0, 0, 1, 8)", 4);
    check_constant("table(0.5, 0, 0, 1, 8)", 4);
    check_constant("ln(e)", 1);
    check_constant("log10(1000)", 3);
}

static void names_are_asked_of_the_resolver(void **state)
{
    static const char *const texts[] = {"x",          "y",        "stiffness", "'left wheel'",
                                        "rotor.spin", "\xc3\xa4", "time"};
    rt_graph *graph = rt_graph_create();
    routh_error error;
    rt_expr e;
    (void)state;
    for (int i = 0; i < 7; i++) {
        assert_int_equal(read_text(graph, texts[i], &e, &error), ROUTH_OK);
        assert_int_equal(e, rt_input(graph, i));
    }
    assert_int_equal(read_text(graph, "\"left wheel\"", &e, &error), ROUTH_OK);
    assert_int_equal(e, rt_input(graph, 3));
    assert_int_equal(read_text(graph, "2*dx(hub, seat)", &e, &error), ROUTH_OK);
    assert_int_equal(e, rt_multiply(graph, rt_constant(graph, 2), rt_input(graph, 100)));
    rt_graph_free(graph);
}

static void arguments_of_calls_arrive_as_names_or_values(void **state)
{
    rt_graph *graph = rt_graph_create();
    routh_error error;
    rt_expr e;
    (void)state;
    assert_int_equal(read_text(graph,
                               "echo(hub, x, 'left wheel', x + 1, 'no such', broken, (x), pi)", &e,
                               &error),
                     ROUTH_OK);
    const char *const names[8] = {"hub",     "x",      "left wheel", "(none)",
                                  "no such", "broken", "(none)",     "pi"};
    const int columns[8] = {6, 11, 14, 28, 35, 46, 54, 59};
    for (int i = 0; i < 8; i++) {
        assert_string_equal(seen_names[i], names[i]);
        assert_int_equal(seen[i].column, columns[i]);
    }
    assert_int_equal(seen[0].value, RT_NO_EXPR);
    assert_int_equal(seen[1].value, rt_input(graph, 0));
    assert_int_equal(seen[2].value, rt_input(graph, 3));
    assert_int_equal(seen[3].value, rt_add(graph, rt_input(graph, 0), rt_constant(graph, 1)));
    assert_int_equal(seen[4].value, RT_NO_EXPR);
    assert_int_equal(seen[5].value, RT_NO_EXPR);
    assert_int_equal(seen[6].value, rt_input(graph, 0));
    assert_true(seen[7].value >= 0);
    /* a name stands alone whatever blanks are before the comma */
    assert_int_equal(read_text(graph, "echo(hub\t,seat\n,axle\r,rim ,\tx \t\r\n )", &e, &error),
                     ROUTH_OK);
    const char *const spaced[5] = {"hub", "seat", "axle", "rim", "x"};
    for (int i = 0; i < 5; i++) assert_string_equal(seen_names[i], spaced[i]);
    assert_int_equal(read_text(graph, "echo()", &e, &error), ROUTH_OK);
    assert_int_equal(read_text(graph, "echo(echo(echo(x)), echo(y))", &e, &error), ROUTH_OK);
    assert_int_equal(e, rt_input(graph, 1));
    rt_graph_free(graph);
}

static void a_text_without_names_needs_no_resolver(void **state)
{
    rt_graph *graph = rt_graph_create();
    rt_expr e;
    double value = 0;
    (void)state;
    assert_int_equal(rt_parse(graph, "2*pi*sin(1)", NULL, &e, NULL), ROUTH_OK);
    assert_true(rt_is_constant(graph, e, &value));
    assert_int_equal(rt_parse(graph, "k", NULL, &e, NULL), ROUTH_MODEL_ERROR);
    assert_int_equal(e, RT_NO_EXPR);
    rt_graph_free(graph);
}

static void the_point_stays_a_point_in_every_locale(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "de_DE.utf8")) skip();
    check_constant("1.5", 1.5);
    setlocale(LC_NUMERIC, "C");
}

/* Limits that a parameter exchanges: h0 at x0 and beyond, h1 at x1 and beyond. */
static void a_step_keeps_its_values_at_its_limits(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    routh_error error;
    rt_expr e;
    assert_int_equal(read_text(graph, "STEP(x, 3, 7, y, 5)", &e, &error), ROUTH_OK);
    const double x[] = {4, 3, 2, 1, 0}, wanted[] = {7, 7, 6, 5, 5};
    for (int k = 0; k < 5; k++) {
        const double at[N_NAMES] = {x[k], 1};
        assert_true(fabs(value_at(graph, e, at) - wanted[k]) <= 1e-15 * 8);
    }
    rt_graph_free(graph);
}

/* ---- bad ones -------------------------------------------------------------------------------- */

typedef struct bad_case {
    const char *text;
    int column;
    const char *says; /* a part of the message */
} bad_case;

static const bad_case bad[] = {
    {"", 1, "empty"},
    {"   ", 4, "write a number or a name"},
    {"1 +", 4, "ends too early"},
    {"1 + * 2", 5, "'(' is missing"},
    {"* 2", 1, "'(' is missing"},
    {"2 ^", 4, "ends too early"},
    {"-", 2, "ends too early"},
    {"()", 2, "'(' is missing"},
    {"(1 + 2", 1, "not closed"},
    {"1 + 2)", 6, "no matching '('"},
    {"((1)", 1, "not closed"},
    {"(1 2)", 4, "operator or ')'"},
    {"1 2", 3, "operator is missing"},
    {"x y", 3, "operator is missing"},
    {"(x)(y)", 4, "operator is missing"},
    {"1.2.3", 4, "operator is missing"},
    {"1, 2", 2, "comma"},
    {"2 x", 3, "'x' is no unit"},
    {"3 kgs", 3, "did you mean kg?"},
    {"2e", 2, "'e' is no unit"},
    {"1e400", 1, "too large"},
    {"x + 1e999", 5, "too large"},
    {"5/mm", 3, "'mm' is a unit, and no parameter"},
    {"1/2 mm", 5, "two readings"},
    {"5 N/m/s", 7, "two readings"},
    {"x deg", 3, "operator is missing"},
    {"x = 3", 3, "conditions"},
    {"x < y", 3, "conditions"},
    {"x ? 1 : 2", 3, "conditions"},
    {"x # y", 3, "'#'"},
    {"x[1]", 2, "'['"},
    {"x @ y", 3, "'@'"},
    {"x \x01", 3, "code 1"},
    {"'left wheel", 1, "closing quote"},
    {"''", 1, "empty"},
    {"stifness*2", 1, "did you mean 'stiffness'?"},
    {"2*Stiffness", 3, "did you mean 'stiffness'?"},
    {"'left wheal'", 1, "did you mean 'left wheel'?"},
    {"zebra", 1, "the name 'zebra' is not known"},
    {"1 + broken", 5, "refers to itself"},
    {"sin(broken)", 5, "refers to itself"},
    {"sin(hub)", 5, "'hub' is not known"},
    {"sqr(x)", 1, "did you mean 'sqrt'?"},
    {"cosine(x)", 1, "the function 'cosine' is not known"},
    {"ecko(x)", 1, "did you mean 'echo'?"},
    {"x(3)", 1, "is a quantity, not a function"},
    {"sin", 1, "is a function"},
    {"2*sin + 1", 3, "is a function"},
    {"sin()", 1, "sin(x)"},
    {"sin(1, 2)", 1, "has 2 arguments"},
    {"atan2(1)", 1, "atan2(y, x)"},
    {"min(1)", 1, "min(a, b, ...)"},
    {"STEP(x, 0, 1, 2)", 1, "has 4 arguments"},
    {"shf(x, 0, 1)", 1, "SHF(x, x0, a, w, phi, b)"},
    {"poly(x, 0)", 1, "POLY"},
    {"sin(x", 1, "'sin(' is not closed"},
    {"sin(", 5, "ends too early"},
    {"sin(x,", 7, "ends too early"},
    {"sin(x,)", 7, "is missing before this"},
    {"sin(,x)", 5, "is missing before this"},
    {"sin(x y)", 7, "comma or ')'"},
    {"dx(hub)", 1, "two markers"},
    {"1 + dx(hub)", 5, "two markers"},
    {"if(x, 1, 2)", 1, "blend"},
    {"1/0", 2, "divides by zero"},
    {"x/(2 - 2)", 2, "divides by zero"},
    {"x/(y - y)", 2, "divides by zero"},
    {"0^-1", 2, "zero"},
    {"(-8)^(1/3)", 5, "fractional"},
    {"pow(-8, 0.5)", 5, "fractional"},
    {"sqrt(-1)", 6, "negative"},
    {"1 + log(-1)", 9, "logarithm"},
    {"log(0*x)", 5, "logarithm"},
    {"log10(0)", 7, "logarithm"},
    {"asin(1.5)", 6, "between -1 and 1"},
    {"acos(-2)", 6, "between -1 and 1"},
    {"atan2(0, 0)", 7, "no direction"},
    {"mod(x, 0)", 8, "divides by zero"},
    {"STEP(x, 1, 0, 1, 5)", 15, "beyond"},
    {"havsin(x, 2, 0, 1, 5)", 17, "beyond"},
    {"smooth_abs(x, 0)", 15, "above zero"},
    {"ramp(x, -1)", 9, "above zero"},
    {"table(x, 0, 1, 2)", 1, "table(x, x1, y1"},
    {"table(x, 0, 1, 2, 3, 4)", 22, "no y"},
    {"table(x, 0, 1)", 1, "table(x, x1, y1"},
    {"table(x, 0, 1, 0, 2)", 16, "increase"},
    {"table(x, 0, 1, y, 2)", 16, "x values of a table must be constant"},
    {"exp(1000)", 5, "not a finite"},
    {"1e200*1e200", 6, "not a finite"},
    {"10^400", 3, "not a finite"},
    {"1e308 km", 7, "not a finite"},
    {"\xef\xbb\xbf"
     "1",
     1, "not known"},
};

static void bad_texts_are_refused_at_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rt_graph *graph = rt_graph_create();
        routh_error error = {0};
        rt_expr e = 0;
        const routh_status status = read_text(graph, bad[i].text, &e, &error);
        if (status == ROUTH_OK) fail_msg("'%s' is accepted", bad[i].text);
        if (error.column != bad[i].column || !strstr(error.message, bad[i].says))
            fail_msg("'%s' is refused at %d: %s", bad[i].text, error.column, error.message);
        assert_int_equal(error.status, status);
        assert_int_equal(e, RT_NO_EXPR);
        /* refused without a place to write to, too */
        assert_int_equal(read_text(graph, bad[i].text, &e, NULL), status);
        rt_graph_free(graph);
    }
}

/* prefix, then n times middle, then suffix; the caller frees. */
static char *repeat(const char *middle, size_t n, const char *core, const char *end)
{
    const size_t a = strlen(middle), b = strlen(end);
    char *text = malloc(n * (a + b) + strlen(core) + 1), *to = text;
    assert_non_null(text);
    for (size_t i = 0; i < n; i++) to = (char *)memcpy(to, middle, a) + a;
    to = strcpy(to, core) + strlen(core);
    for (size_t i = 0; i < n; i++) to = (char *)memcpy(to, end, b) + b;
    *to = '\0';
    return text;
}

static void check_nesting(const char *open, const char *close, size_t n, routh_status expected)
{
    char *text = repeat(open, n, "x", close);
    rt_graph *graph = rt_graph_create();
    routh_error error = {0};
    rt_expr e;
    if (read_text(graph, text, &e, &error) != expected)
        fail_msg("%d times '%s': %s, %s", (int)n, open, routh_status_name(error.status),
                 error.message);
    rt_graph_free(graph);
    free(text);
}

static void nesting_ends_at_one_hundred(void **state)
{
    (void)state;
    check_nesting("(", ")", 99, ROUTH_OK);
    check_nesting("(", ")", 100, ROUTH_LIMIT_EXCEEDED);
    check_nesting("(", ")", 4000, ROUTH_LIMIT_EXCEEDED);
    check_nesting("sin(", ")", 99, ROUTH_OK);
    check_nesting("sin(", ")", 1000, ROUTH_LIMIT_EXCEEDED);
    check_nesting("echo(x,", ")", 1000, ROUTH_LIMIT_EXCEEDED);
    check_nesting("2^", "", 99, ROUTH_OK);
    check_nesting("2^", "", 3000, ROUTH_LIMIT_EXCEEDED);
    check_nesting("-(", ")", 1000, ROUTH_LIMIT_EXCEEDED);
    check_nesting("-", "", 9000, ROUTH_OK);
    check_nesting("x + ", "", 2000, ROUTH_OK);
}

static void length_ends_at_ten_thousand(void **state)
{
    (void)state;
    check_nesting("+", "", 9999, ROUTH_OK);
    check_nesting("+", "", 10000, ROUTH_LIMIT_EXCEEDED);
    check_nesting("+", "", 10000000, ROUTH_LIMIT_EXCEEDED);
    check_nesting("1", "", 500, ROUTH_SYNTAX_ERROR);
    check_nesting("a", "", 9000, ROUTH_MODEL_ERROR);
}

static void messages_about_long_names_stay_short(void **state)
{
    char *text = repeat("ab%s%n", 1000, "(x)", "");
    rt_graph *graph = rt_graph_create();
    routh_error error;
    rt_expr e;
    (void)state;
    read_text(graph, text, &e, &error);
    free(text);
    text = repeat("long", 1000, "", "");
    assert_int_equal(read_text(graph, text, &e, &error), ROUTH_MODEL_ERROR);
    assert_true(strlen(error.message) < 120);
    free(text);
    rt_graph_free(graph);
}

/* Every prefix of a good text, and every text with one character changed, is read or refused, never
 * worse. */
static void every_damage_to_a_good_text_is_survived(void **state)
{
    static const char good[] =
        "2*stiffness*dx(hub, 'left wheel') + STEP(time, 0, 0, 1, 5 deg)^2/table(x,0,1,2,3)";
    static const char changes[] = "()+-*/^,.'\"e1x \x7f\xff=";
    char text[sizeof good];
    rt_graph *graph = rt_graph_create();
    routh_error error;
    rt_expr e;
    int refused = 0;
    (void)state;
    for (size_t n = 0; n < sizeof good; n++) {
        memcpy(text, good, n);
        text[n] = '\0';
        refused += read_text(graph, text, &e, &error) != ROUTH_OK;
        for (const char *c = changes; *c; c++) {
            memcpy(text, good, sizeof good);
            if (n + 1 < sizeof good) text[n] = *c;
            const routh_status status = read_text(graph, text, &e, &error);
            assert_true((status == ROUTH_OK) == (e >= 0));
            if (status != ROUTH_OK) assert_true(error.message[0] != '\0' && error.column > 0);
        }
    }
    assert_true(refused > 50);
    rt_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_keeps_to_its_precedence),
        cmocka_unit_test(numbers_are_read_in_all_their_forms),
        cmocka_unit_test(units_follow_numbers_and_parentheses),
        cmocka_unit_test(functions_are_read_in_any_letter_case),
        cmocka_unit_test(names_are_asked_of_the_resolver),
        cmocka_unit_test(arguments_of_calls_arrive_as_names_or_values),
        cmocka_unit_test(a_text_without_names_needs_no_resolver),
        cmocka_unit_test(the_point_stays_a_point_in_every_locale),
        cmocka_unit_test(a_step_keeps_its_values_at_its_limits),
        cmocka_unit_test(bad_texts_are_refused_at_their_place),
        cmocka_unit_test(nesting_ends_at_one_hundred),
        cmocka_unit_test(length_ends_at_ten_thousand),
        cmocka_unit_test(messages_about_long_names_stay_short),
        cmocka_unit_test(every_damage_to_a_good_text_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
