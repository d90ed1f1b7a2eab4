/* Tests of expression/clock and expression/interval: spans hold all that functions do in them, and
 * a step goes no further than what its ends tell. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"
#include "expression/clock.h"
#include "expression/interval.h"

enum { TIME = 3 }; /* the slot of t */

#define QUARTER 0.78539816339744831 /* of pi */

/* ---- spans ----------------------------------------------------------------------------------- */

static const char *const texts[] = {
    "3*t - 2",
    "t^2 - t^3/5",
    "t^-1",
    "(t^2 + 1)^2.5",
    "2^t",
    "(t^2 + 1)^t",
    "sin(3*t)",
    "cos(t^2)",
    "tan(t)",
    "asin(t/11)",
    "acos(t/11)",
    "atan(t*5)",
    "sinh(t)",
    "cosh(t)",
    "tanh(3*t)",
    "exp(-t^2)",
    "log(t^2 + 0.1)",
    "log10(t + 20)",
    "sqrt(t^2 + 0.01)",
    "abs(t - 1)",
    "sign(t - 1)*t",
    "floor(t)",
    "ceil(2*t)",
    "min(t, 2 - t)",
    "max(t^2, 3)",
    "mod(t, 3)",
    "atan2(t, 1 + t^2)",
    "atan2(1 + t^2, t)",
    "atan2(-1 - t^2, t - 1)",
    "atan2(t - 2, -1 - t^2)",
    "STEP(t, -1, 2, 3, 5)",
    "STEP5(t, -1, 2, 3, 5)",
    "HAVSIN(t, -1, 2, 3, 5)",
    "sin(t)*exp(-t/4)/(1 + t^2)",
    "t*STEP(t, 0, 0, 1, 1) - cos(t)*abs(sin(t))",
};

/* What rounding leaves of numbers of the size that went into them. */
static bool holds(rt_interval span, double x)
{
    const double slack = 1e-9 * (1 + fabs(x));
    return isnan(x) || (x >= span.low - slack && x <= span.high + slack);
}

typedef struct spanned {
    const rt_tape *tape;
    double work[3 * 200];
    rt_interval span_work[3 * 200];
} spanned;

static void look(spanned *s, double t, double jet[3])
{
    const double in[3] = {t, 1, 0};
    rt_tape_evaluate_jets(s->tape, in, jet, s->work);
}

static void check_span(spanned *s, const char *what, double a, double b, uint64_t *seed)
{
    const rt_interval in[3] = {{a, b}, {1, 1}, {0, 0}};
    rt_interval span[3];
    rt_tape_enclose(s->tape, in, span, s->span_work);
    for (int k = 0; k < 20; k++) {
        const double t = k == 0 ? a : k == 1 ? b : random_between(seed, a, b);
        double jet[3];
        look(s, t, jet);
        for (int d = 0; d < 3; d++)
            if (!holds(span[d], jet[d]))
                fail_msg("%s: order %d at %.17g of [%.17g, %.17g] is %.17g, not in [%.17g, %.17g]",
                         what, d, t, a, b, jet[d], span[d].low, span[d].high);
    }
}

static rt_expr with_tables(rt_graph *g, int k)
{
    static const double x[] = {-6, -3, -2.9, 0, 0.5, 2, 2.01, 7}, y[] = {0, 1, 1, -3, 4, 4, 9, 2};
    return rt_tabulated(g, (rt_interpolation)k, rt_input(g, TIME), 8, x, y);
}

static void spans_hold_what_functions_do(void **unused)
{
    (void)unused;
    enum { N = sizeof texts / sizeof *texts };
    const int slots[1] = {TIME};
    uint64_t seed = 11;
    for (int k = 0; k < N + 3; k++) {
        rt_graph *g = rt_graph_create();
        rt_arena arena = {0};
        const rt_expr e = k < N ? read_good(g, texts[k]) : with_tables(g, k - N);
        spanned s = {.tape = rt_tape_compile(g, &e, 1, slots, 1, &arena)};
        assert_non_null(s.tape);
        assert_true(rt_tape_work(s.tape) <= 600);
        for (int i = 0; i < 300; i++) {
            const double width = pow(10, random_between(&seed, -6, 1)),
                         a = random_between(&seed, -10, 10 - width);
            check_span(&s, k < N ? texts[k] : "a table", a, a + width, &seed);
        }
        check_span(&s, k < N ? texts[k] : "a table", 0, 1, &seed);
        rt_arena_free(&arena);
        rt_graph_free(g);
    }
}

/* A span that holds everything would pass the test above. */
static void spans_are_no_wider_than_they_must(void **unused)
{
    (void)unused;
    const struct {
        const char *text;
        double a, b, low, high;
    } cases[] = {{"sin(t)", 0, 1, 0, 0.8414709848078965},
                 {"sin(t)", 1, 3, 0.14112000805986721, 1},
                 {"STEP(t, 0, 0, 1, 1)", -3, 0.5, 0, 0.5},
                 {"STEP(t, 2, 0, 3, 7)", 4, 9, 7, 7},
                 {"exp(-((t - 5)/0.1)^2)", 0, 4, 0, 1e-40},
                 {"max(0, 1 - abs(t - 5))", 0, 3.9, 0, 0},
                 {"t^2", -1, 2, 0, 4},
                 {"atan2(t, 1)", -1, 1, -QUARTER, QUARTER},
                 {"atan2(1, t)", -1, 1, QUARTER, 3 * QUARTER},
                 {"atan2(-1, t)", -1, 1, -3 * QUARTER, -QUARTER},
                 {"atan2(t, -1)", 0.5, 1, 3 * QUARTER, 4 * QUARTER - 0.46364760900080612}};
    const int slots[1] = {TIME};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rt_graph *g = rt_graph_create();
        rt_arena arena = {0};
        const rt_expr e = read_good(g, cases[k].text);
        spanned s = {.tape = rt_tape_compile(g, &e, 1, slots, 1, &arena)};
        const rt_interval in[3] = {{cases[k].a, cases[k].b}, {1, 1}, {0, 0}};
        rt_interval span[3];
        rt_tape_enclose(s.tape, in, span, s.span_work);
        assert_true(fabs(span[0].low - cases[k].low) < 1e-13);
        assert_true(fabs(span[0].high - cases[k].high) < 1e-13);
        rt_arena_free(&arena);
        rt_graph_free(g);
    }
}

/* ---- how far a step may go ------------------------------------------------------------------- */

typedef struct clock_bench {
    rt_graph *g;
    rt_clock *clock;
    double sizes[50];
} clock_bench;

static void begin(clock_bench *b, const char *text)
{
    const bool known[N_NAMES] = {false, true, false, false}; /* y is a parameter */
    *b = (clock_bench){.g = rt_graph_create()};
    const rt_expr e = read_good(b->g, text);
    assert_int_equal(rt_clock_create(&b->clock, b->g, &e, 1, known, N_NAMES, TIME, NULL), ROUTH_OK);
    assert_true(rt_clock_count(b->clock) <= 50);
}

static void end(clock_bench *b)
{
    rt_clock_free(b->clock);
    rt_graph_free(b->g);
}

static double limit_of(clock_bench *b, double t, double to)
{
    const double in[N_NAMES] = {NAN, 2, NAN, NAN};
    return rt_clock_limit(b->clock, in, b->sizes, t, to);
}

static void what_is_not_of_time_alone_has_no_clock(void **unused)
{
    (void)unused;
    const char *const none[] = {"x", "x*t", "y + 3", "sin(x + t)", "3*t - y", "x*(t + 1)"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        clock_bench b;
        begin(&b, none[k]);
        assert_int_equal(rt_clock_count(b.clock), 0);
        assert_null(b.clock);
        end(&b);
    }
}

static void steps_end_where_something_begins(void **unused)
{
    (void)unused;
    const struct {
        const char *text;
        double begins, late; /* no later than that */
    } cases[] = {{"x + STEP(t, 7, 0, 7.01, 5)", 7, 1e-4},
                 {"x*STEP5(t, 7, 0, 7.01, 5)", 7, 1e-3},
                 {"1000*max(0, 1 - abs(t - 5)/1e-6) + x", 5 - 1e-6, 1e-11},
                 {"sign(t - 5.5)*y", 5.5, 0},
                 {"1e6*sin(t/100) + STEP(t, 3, 0, 3.001, 1) + x", 3, 1e-5},
                 {"x - y*floor(t/8)", 8, 1e-14},
                 {"exp(-((t - 6)/1e-3)^2)", 6 - 0.005, 2e-3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        clock_bench b;
        begin(&b, cases[k].text);
        double t = 0;
        for (int steps = 0; steps < 20 && t < cases[k].begins - 0.02; steps++)
            t = limit_of(&b, t, 20);
        if (!(t <= cases[k].begins + cases[k].late))
            fail_msg("%s: a step goes to %.17g", cases[k].text, t);
        end(&b);
    }
}

/* Of pulses at random: some step ends while the pulse lasts. */
static void no_pulse_is_stepped_over(void **unused)
{
    (void)unused;
    const char *const forms[] = {"exp(-((t - %.17g)/%.17g)^2)", "1/(1 + ((t - %.17g)/%.17g)^2)",
                                 "max(0, 1 - abs(t - %.17g)/%.17g)",
                                 "100 + x + sin(t/50) - STEP(abs(t - %.17g)/%.17g, 0, 1, 1, 0)"};
    uint64_t seed = 5;
    for (int n = 0; n < 600; n++) {
        const double at = random_between(&seed, 0.5, 15),
                     width = pow(10, random_between(&seed, -5, 0)), span = 20;
        char text[200];
        snprintf(text, sizeof text, forms[n % 4], at, width);
        clock_bench b;
        begin(&b, text);
        double t = 0;
        bool seen = false;
        for (int steps = 0; steps < 500 && t < span; steps++) {
            t = limit_of(&b, t, span);
            seen = seen || fabs(t - at) < width;
        }
        if (!seen) fail_msg("%s: no step ends in the pulse", text);
        end(&b);
    }
}

/* f and f' by their formulas */
typedef struct known {
    const char *text;
    double (*f)(double t), (*slope)(double t);
} known;

static double wave(double t) { return sin(2 * t); }
static double wave_slope(double t) { return 2 * cos(2 * t); }
static double bell(double t) { return exp(-(t - 7) * (t - 7) / 0.5); }
static double bell_slope(double t) { return -(t - 7) / 0.25 * bell(t); }
static double root(double t) { return sqrt((t - 4) * (t - 4) + 1e-2); }
static double root_slope(double t) { return (t - 4) / root(t); }
static double late(double t) { return t * t + sin(t * t / 3); }
static double late_slope(double t) { return 2 * t + 2 * t / 3 * cos(t * t / 3); }

/* At 1000 instants of every step the function is by the cubic through both ends, to a hundredth of
 * its range there. A millionth of how far it goes until where the step was to end, and a billionth
 * of its size so far, do not count. */
static void functions_stay_by_the_cubic_of_a_step(void **unused)
{
    (void)unused;
    const known all[] = {{"sin(2*t) + 0*x", wave, wave_slope},
                         {"exp(-(t - 7)^2/0.5)", bell, bell_slope},
                         {"sqrt((t - 4)^2 + 0.01)", root, root_slope},
                         {"t^2 + sin(t^2/3)", late, late_slope}};
    const double reach[] = {20, 3, 0.7};
    for (size_t k = 0; k < 3 * sizeof all / sizeof *all; k++) {
        const known *q = &all[k / 3];
        clock_bench b;
        begin(&b, q->text);
        double next;
        for (double t = 0; t < 15; t = next) {
            next = limit_of(&b, t, t + reach[k % 3]);
            const double h = next - t;
            double low = INFINITY, high = -INFINITY, off = 0, ahead = 0;
            for (int i = 0; i <= 1000; i++) {
                const double s = i / 1000.0, f = q->f(t + s * h);
                const double H = (1 + 2 * s) * (1 - s) * (1 - s) * q->f(t) +
                                 s * (1 - s) * (1 - s) * h * q->slope(t) +
                                 s * s * (3 - 2 * s) * q->f(next) +
                                 s * s * (s - 1) * h * q->slope(next);
                low = fmin(low, f), high = fmax(high, f), off = fmax(off, fabs(f - H));
                ahead = fmax(ahead, fabs(q->f(t + s * reach[k % 3]) - q->f(t)));
            }
            const double nothing = fmax(1e-6 * ahead, 1e-9 * b.sizes[0]);
            if (high - low > nothing && !(off <= 0.01 * (high - low) + nothing))
                fail_msg("%s: from %.17g to %.17g it is %g of %g off", q->text, t, next, off,
                         high - low);
        }
        end(&b);
    }
}

static void smooth_functions_do_not_stop_steps(void **unused)
{
    (void)unused;
    const char *const still[] = {"x + sin(t)", "exp(-t/30)", "cos(t)*exp(-t/10)", "t^2/7 + t",
                                 "tanh(t/3)"};
    for (size_t k = 0; k < sizeof still / sizeof *still; k++) {
        clock_bench b;
        begin(&b, still[k]);
        for (double t = 0; t < 20; t += 0.31) assert_true(limit_of(&b, t, t + 0.3) == t + 0.3);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_hold_what_functions_do),
        cmocka_unit_test(spans_are_no_wider_than_they_must),
        cmocka_unit_test(what_is_not_of_time_alone_has_no_clock),
        cmocka_unit_test(steps_end_where_something_begins),
        cmocka_unit_test(no_pulse_is_stepped_over),
        cmocka_unit_test(functions_stay_by_the_cubic_of_a_step),
        cmocka_unit_test(smooth_functions_do_not_stop_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
