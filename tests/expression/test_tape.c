/* Tests of expression/tape: values, jets along motions, several outputs, renumbered inputs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"

/* A smooth motion of all inputs in time, with its derivatives, kept away from the kinks of the
 * cases. */
static void motion(double t, double *jets)
{
    const double amplitude[N_NAMES] = {0.1, 0.08, 0.12, 0}, centre[N_NAMES] = {0.6, -0.5, 0.4, 0};
    const double frequency[N_NAMES] = {2.1, 1.7, 1.3, 0};
    for (int k = 0; k < 3; k++) {
        const double a = frequency[k] * t + k;
        jets[3 * k] = centre[k] + amplitude[k] * sin(a);
        jets[3 * k + 1] = amplitude[k] * frequency[k] * cos(a);
        jets[3 * k + 2] = -amplitude[k] * frequency[k] * frequency[k] * sin(a);
    }
    jets[9] = t, jets[10] = 1, jets[11] = 0;
}

typedef struct watched {
    const rt_graph *graph;
    rt_expr e;
    int order;
} watched;

static double at_time(void *context, double t)
{
    const watched *w = context;
    double jets[3 * N_NAMES], x[N_NAMES], out[3];
    motion(t, jets);
    for (int k = 0; k < N_NAMES; k++) x[k] = jets[3 * k];
    if (w->order == 0) return value_at(w->graph, w->e, x);
    jet_at(w->graph, w->e, jets, out);
    return out[w->order];
}

static const char *const texts[] = {
    "x + y",
    "x - y",
    "x*y",
    "x/y",
    "-x",
    "x^2",
    "x^3",
    "x^-1",
    "x^-2",
    "x^2.5",
    "2^y",
    "x^y",
    "(x + 1)^(y + x)",
    "sin(x)",
    "cos(x)",
    "tan(x)",
    "asin(x)",
    "acos(y)",
    "atan(x)",
    "atan2(y, x)",
    "atan2(y, -x*z)",
    "sinh(x)",
    "cosh(x)",
    "tanh(y)",
    "exp(x*y)",
    "log(x)",
    "log10(x)",
    "sqrt(x)",
    "abs(y)*x",
    "sign(y)*x",
    "floor(y)*x^2",
    "ceil(y)*x^2",
    "min(x, y)",
    "max(x, x*y)",
    "mod(x, 0.9) + y",
    "hypot(x, y)",
    "STEP(x, 0, y, 1, z)",
    "STEP(0.4, 0.2*y, x, 1 + z, 2)",
    "STEP5(x, 0, y, 1, z)",
    "HAVSIN(x, 0, y, 1, z)",
    "ramp(x*y, 0.2)",
    "smooth_sign(x*y, 0.3)",
    "smooth_abs(x*y, 0.3)",
    "POLY(x, y, 1, 2, 3, z)",
    "SHF(t, x, 2, 3, y, z)",
    "table(x, 0, 1, 0.3, 2, 0.9, 0, 2, 3)*y",
    "sin(t)*x",
    "exp(-t)*cos(3*t + x)",
    "7",
    "x",
    "t",
};

static void jets_agree_with_differences_in_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        rt_graph *graph = rt_graph_create();
        watched w = {.graph = graph, .e = read_good(graph, texts[i])};
        for (double t = 0.1; t < 3; t += 0.7) {
            double jets[3 * N_NAMES], out[3], error;
            motion(t, jets);
            jet_at(graph, w.e, jets, out);
            w.order = 0;
            assert_true(out[0] == at_time(&w, t));
            for (w.order = 0; w.order < 2; w.order++) {
                const double d = difference(at_time, &w, t, 0.02, &error);
                if (!(fabs(out[w.order + 1] - d) <= 1e-8 * (1 + fabs(d))))
                    fail_msg("time derivative %d of %s at t = %g is %.12g, by differences %.12g",
                             w.order + 1, texts[i], t, out[w.order + 1], d);
            }
        }
        rt_graph_free(graph);
    }
}

/* u' = f_i x_i', u'' = f_ij x_i' x_j' + f_i x_i'' for all the cases and for their first
 * derivatives, whose nodes the texts alone cannot make. */
static void check_against_partials(rt_graph *graph, rt_expr e, const char *text)
{
    double jets[3 * N_NAMES], x[N_NAMES], out[3], first = 0, second = 0;
    motion(0.37, jets);
    for (int k = 0; k < N_NAMES; k++) x[k] = jets[3 * k];
    jet_at(graph, e, jets, out);
    for (int i = 0; i < N_NAMES; i++) {
        const rt_expr slope = rt_derivative(graph, e, i);
        const double f = value_at(graph, slope, x);
        first += f * jets[3 * i + 1];
        second += f * jets[3 * i + 2];
        for (int j = 0; j < N_NAMES; j++)
            second += value_at(graph, rt_derivative(graph, slope, j), x) * jets[3 * i + 1] *
                      jets[3 * j + 1];
    }
    if (!(fabs(out[1] - first) <= 1e-12 * (1 + fabs(first)) &&
          fabs(out[2] - second) <= 1e-12 * (1 + fabs(second))))
        fail_msg("%s: jet (%.15g, %.15g), by partials (%.15g, %.15g)", text, out[1], out[2], first,
                 second);
}

static void jets_agree_with_partial_derivatives(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        rt_graph *graph = rt_graph_create();
        const rt_expr e = read_good(graph, texts[i]);
        check_against_partials(graph, e, texts[i]);
        for (int k = 0; k < 3; k++)
            check_against_partials(graph, rt_derivative(graph, e, k), texts[i]);
        rt_graph_free(graph);
    }
}

static void check_jet(const char *text, const double *x, double f, double f1, double f2)
{
    rt_graph *graph = rt_graph_create();
    double out[3];
    jet_at(graph, read_good(graph, text), x, out);
    rt_graph_free(graph);
    if (out[0] != f || out[1] != f1 || out[2] != f2)
        fail_msg("%s: (%g, %g, %g), not (%g, %g, %g)", text, out[0], out[1], out[2], f, f1, f2);
}

static void jets_hold_at_zero(void **state)
{
    (void)state;
    const double moving[3 * N_NAMES] = {0, 3, 5, 2, 0, 0};
    check_jet("x^2", moving, 0, 0, 18);
    check_jet("x^3", moving, 0, 0, 0);
    check_jet("x^1", moving, 0, 3, 5);
    check_jet("x^y", moving, 0, 0, 18);
    check_jet("abs(x)", moving, 0, 0, 0);
    check_jet("min(2*x, 3*x)", moving, 0, 6, 10);
    check_jet("max(2*x, 3*x)", moving, 0, 6, 10);
    /* what stands still has no rates, even where the slope is infinite or not defined */
    const double still[3 * N_NAMES] = {0};
    check_jet("sqrt(x)", still, 0, 0, 0);
    check_jet("hypot(x, y)", still, 0, 0, 0);
    check_jet("atan2(x, y)", still, 0, 0, 0);
    check_jet("x^0.5", still, 0, 0, 0);
    check_jet("x^1.5", still, 0, 0, 0);
}

static void the_slope_of_a_speed_at_rest_is_still(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const double still[3 * N_NAMES] = {0};
    double out[3] = {1, 1, 1};
    jet_at(graph, rt_derivative(graph, read_good(graph, "sqrt(x^2 + y^2)"), 0), still, out);
    assert_true(out[0] == 0 && out[1] == 0 && out[2] == 0);
    rt_graph_free(graph);
}

static void a_tape_renumbers_its_inputs_and_fills_many_outputs(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    rt_arena arena = {0};
    const rt_expr outputs[4] = {read_good(graph, "x - y"), read_good(graph, "y"),
                                read_good(graph, "4"), read_good(graph, "(x - y)^2")};
    const int slots[3] = {1, 3, 0};
    const double inputs[3] = {10, -1, 3}; /* y, t, x */
    double out[4], work[64];
    const rt_tape *tape = rt_tape_compile(graph, outputs, 4, slots, 3, &arena);
    assert_non_null(tape);
    rt_graph_free(graph); /* a tape stands on its own */
    assert_true(rt_tape_work(tape) <= 64);
    rt_tape_evaluate(tape, inputs, out, work);
    assert_true(out[0] == -7 && out[1] == 10 && out[2] == 4 && out[3] == 49);
    rt_arena_free(&arena);
}

static void a_tape_keeps_its_own_tables(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    rt_arena arena = {0};
    const rt_expr e =
        read_good(graph, "table(x, 0, 1, 2, 5) + table(y, 0, 1, 2, 5) + table(x, 0, 0, 1, 1)");
    const int slots[2] = {0, 1};
    const double inputs[2] = {1, 2};
    double out, work[64];
    const rt_tape *tape = rt_tape_compile(graph, &e, 1, slots, 2, &arena);
    rt_graph_free(graph);
    assert_non_null(tape);
    rt_tape_evaluate(tape, inputs, &out, work);
    assert_true(out == 3 + 5 + 1);
    rt_arena_free(&arena);
}

static void a_missing_input_or_output_gives_no_tape(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    rt_arena arena = {0};
    const rt_expr e = read_good(graph, "x + y"), none = RT_NO_EXPR;
    const int slots[1] = {0};
    assert_null(rt_tape_compile(graph, &e, 1, slots, 1, &arena));
    assert_null(rt_tape_compile(graph, &none, 1, slots, 1, &arena));
    assert_non_null(rt_tape_compile(graph, NULL, 0, NULL, 0, &arena));
    rt_arena_free(&arena);
    rt_graph_free(graph);
}

static void nothing_is_written_beyond_the_work_space(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    rt_arena arena = {0};
    const rt_expr e = read_good(graph, "sin(x)*y + x^3");
    const int slots[2] = {0, 1};
    const double jets[6] = {1, 2, 3, 4, 5, 6};
    double work[64], out[3];
    const rt_tape *tape = rt_tape_compile(graph, &e, 1, slots, 2, &arena);
    const size_t n = rt_tape_work(tape);
    assert_true(n < 64);
    for (int i = 0; i < 64; i++) work[i] = -77;
    rt_tape_evaluate_jets(tape, jets, out, work);
    for (size_t i = n; i < 64; i++) assert_true(work[i] == -77);
    rt_arena_free(&arena);
    rt_graph_free(graph);
}

static void what_is_not_a_number_is_not_hidden(void **state)
{
    (void)state;
    static const char *const all[] = {"min(x, 1)",         "max(1, x)", "STEP(x, 0, 0, 1, 1)",
                                      "sign(x)",           "abs(x)",    "table(x, 0, 0, 1, 1)",
                                      "log(-1 - 0*x + x)", "x^y"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        rt_graph *graph = rt_graph_create();
        const double x[N_NAMES] = {(double)NAN, 2};
        if (!isnan(value_at(graph, read_good(graph, all[i]), x)))
            fail_msg("%s is a number", all[i]);
        rt_graph_free(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jets_agree_with_differences_in_time),
        cmocka_unit_test(jets_agree_with_partial_derivatives),
        cmocka_unit_test(jets_hold_at_zero),
        cmocka_unit_test(the_slope_of_a_speed_at_rest_is_still),
        cmocka_unit_test(a_tape_renumbers_its_inputs_and_fills_many_outputs),
        cmocka_unit_test(a_tape_keeps_its_own_tables),
        cmocka_unit_test(a_missing_input_or_output_gives_no_tape),
        cmocka_unit_test(nothing_is_written_beyond_the_work_space),
        cmocka_unit_test(what_is_not_a_number_is_not_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
