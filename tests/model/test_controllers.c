/* Tests of model/controllers and the types of controllers: equations and values against those
 * written out by hand, at signals chosen at random. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_text.h"
#include "poses.h"

#define HEAD                                                                                       \
    "parameters: {k: 3, tau: 0.25}\n"                                                              \
    "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"                                                 \
    "inputs: {u: 0, w: 0}\n"

/* The values that signals have; states and rates, variables, inputs by their places. */
typedef struct values {
    double state[8], rate[8], variable[8], input[8];
} values;

static values random_values(uint64_t seed)
{
    values v;
    double *lists[] = {v.state, v.rate, v.variable, v.input};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 8; i++) lists[k][i] = random_number(&seed);
    return v;
}

static double value_of(const routh_model *m, rt_expr e, const values *v)
{
    double slots[40];
    assert_in_range(m->n_quantities, 1, 40);
    for (int k = 0; k < m->n_quantities; k++) {
        const rt_quantity *q = &m->quantities[k];
        switch (q->kind) {
        case RT_QUANTITY_PARAMETER: slots[k] = m->parameters[q->index].number.value; break;
        case RT_QUANTITY_STATE: slots[k] = v->state[q->index]; break;
        case RT_QUANTITY_STATE_RATE: slots[k] = v->rate[q->index]; break;
        case RT_QUANTITY_VARIABLE: slots[k] = v->variable[q->index]; break;
        case RT_QUANTITY_INPUT: slots[k] = v->input[q->index]; break;
        default: fail_msg("no measure was expected");
        }
    }
    return evaluate(m, e, slots);
}

static void check_equation(const routh_model *m, int k, const values *v, double expected)
{
    assert_near(value_of(m, m->control_states[k].equation.expr, v), expected, 1e-14);
}

static void check_output(const routh_model *m, int k, const values *v, double expected)
{
    assert_near(value_of(m, m->variables[k].value.expr, v), expected, 1e-14);
}

static void an_explicit_equation_is_its_rate(void **state)
{
    (void)state;
    const values v = random_values(1);
    routh_model *m = read_model(
        HEAD
        "controllers: {x: {type: differential, rate: \"(u - x)/tau\", initial: k, unit: m}}\n");
    assert_int_equal(m->n_control_states, 1);
    assert_int_equal(m->n_variables, 0);
    assert_string_equal(m->control_states[0].name, "x");
    assert_string_equal(m->control_states[0].element, "controller x");
    assert_string_equal(m->control_states[0].unit, "m");
    assert_true(m->control_states[0].initial_given);
    assert_near(m->control_states[0].initial.value, 3, 0);
    check_equation(m, 0, &v, v.rate[0] - 4 * (v.input[0] - v.state[0]));
    routh_model_free(m);
}

static void an_implicit_equation_is_as_written(void **state)
{
    (void)state;
    const values v = random_values(2);
    routh_model *m =
        read_model(HEAD "controllers:\n"
                        "  x: {type: implicit, equation: \"tau*RATE(x)^3 + x*rate(y) - u\"}\n"
                        "  y: {type: implicit, equation: \"RATE(y)*x\"}\n");
    assert_false(m->control_states[0].initial_given);
    assert_near(m->control_states[0].initial.value, 0, 0);
    check_equation(m, 0, &v,
                   0.25 * v.rate[0] * v.rate[0] * v.rate[0] + v.state[0] * v.rate[1] - v.input[0]);
    check_equation(m, 1, &v, v.rate[1] * v.state[0]);
    routh_model_free(m);
}

static void a_state_space_is_its_matrices(void **state)
{
    (void)state;
    const values v = random_values(3);
    const double *x = v.state, u1 = v.input[0] * v.input[1], u2 = v.input[1];
    routh_model *m = read_model(
        HEAD "controllers:\n"
             "  p: {type: state_space, inputs: [\"u*w\", w], states: [position, rate],\n"
             "      A: [[0, 1], [-k, -0.5]], B: [[0, 0.1], [1, 2]], C: [[1, 0], [7, k^2]],\n"
             "      D: [[0, 0], [0, 4]], initial: [0.5, tau]}\n"
             "  q: {type: state_space, inputs: [p.y2], A: [[2]], B: [[3]], C: [[5]]}\n");
    assert_int_equal(m->n_control_states, 3);
    assert_int_equal(m->n_variables, 3);
    assert_string_equal(m->control_states[1].name, "p.rate");
    assert_string_equal(m->control_states[2].name, "q.x1");
    assert_string_equal(m->variables[1].name, "p.y2");
    assert_string_equal(m->variables[1].element, "controller p");
    assert_true(m->control_states[1].initial_given);
    assert_near(m->control_states[1].initial.value, 0.25, 0);
    assert_false(m->control_states[2].initial_given);
    check_equation(m, 0, &v, v.rate[0] - (x[1] + 0.1 * u2));
    check_equation(m, 1, &v, v.rate[1] - (-3 * x[0] - 0.5 * x[1] + u1 + 2 * u2));
    check_output(m, 0, &v, x[0]);
    check_output(m, 1, &v, 7 * x[0] + 9 * x[1] + 4 * u2);
    check_equation(m, 2, &v, v.rate[2] - (2 * x[2] + 3 * v.variable[1]));
    check_output(m, 2, &v, 5 * x[2]);
    routh_model_free(m);
}

/* With rates and states of the exponential e^(s t), s = 0.3, and an input that drives it, the
 * equations hold and the output is b(s)/a(s) times the input. */
static void a_transfer_function_is_the_ratio_of_its_polynomials(void **state)
{
    (void)state;
    static const struct {
        const char *b, *a;
        double b_at, a_at;
        int n;
    } cases[] = {{"[2, 1]", "[4, 0, k, 2]", 2 * 0.3 + 1, 4 * 0.027 + 3 * 0.3 + 2, 3},
                 {"[k, 0, 1]", "[2, 5, 6]", 3 * 0.09 + 1, 2 * 0.09 + 5 * 0.3 + 6, 2},
                 {"[0, 0, 7]", "[0, 2, 1]", 7, 2 * 0.3 + 1, 1},
                 {"[k]", "[tau]", 3, 0.25, 0},
                 {"[k - 3]", "[1, 1]", 0, 1.3, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char text[400];
        values v = {.input = {cases[c].a_at}};
        double power = 1; /* w = e^(s t) at t = 0, and its derivatives s^k */
        for (int k = 0; k < cases[c].n; k++, power *= 0.3)
            v.state[k] = power, v.rate[k] = 0.3 * power;
        snprintf(text, sizeof text,
                 HEAD "controllers: {g: {type: transfer_function, input: \"u\", numerator: %s, "
                      "denominator: %s}}\n",
                 cases[c].b, cases[c].a);
        routh_model *m = read_model(text);
        assert_int_equal(m->n_control_states, cases[c].n);
        assert_string_equal(m->variables[0].name, "g");
        if (cases[c].n) assert_string_equal(m->control_states[0].name, "g.x1");
        for (int k = 0; k < cases[c].n; k++) check_equation(m, k, &v, 0);
        check_output(m, 0, &v, cases[c].b_at);
        routh_model_free(m);
    }
}

static void several_equations_are_read_together(void **state)
{
    (void)state;
    const values v = random_values(5);
    routh_model *m = read_model(
        HEAD "controllers:\n"
             "  g: {type: general, states: {p: \"g.q - u\", q: {rate: \"-g.p*g.out\", initial: 2, "
             "unit: rad}}, outputs: {out: \"g.p + RATE(g.q)\", other: {expression: \"u\", unit: "
             "N}}}\n");
    assert_string_equal(m->control_states[1].name, "g.q");
    assert_string_equal(m->control_states[1].unit, "rad");
    assert_true(m->control_states[1].initial_given);
    assert_false(m->control_states[0].initial_given);
    assert_string_equal(m->variables[1].unit, "N");
    check_equation(m, 0, &v, v.rate[0] - (v.state[1] - v.input[0]));
    check_equation(m, 1, &v, v.rate[1] + v.state[0] * v.variable[0]);
    check_output(m, 0, &v, v.state[0] + v.rate[1]);
    check_output(m, 1, &v, v.input[0]);
    routh_model_free(m);
}

static void a_pid_has_the_states_that_it_needs(void **state)
{
    (void)state;
    const values v = random_values(6);
    const double u = v.input[0] - v.input[1];
    routh_model *m = read_model(
        HEAD "controllers:\n"
             "  a: {type: pid, input: \"u - w\", proportional: k, integral: 5, derivative: 7, "
             "filter: tau, initial: 2, unit: N}\n"
             "  b: {type: pid, input: u, derivative: 1, filter: 0.5}\n"
             "  c: {type: pid, input: u, proportional: 4}\n");
    assert_int_equal(m->n_control_states, 3);
    assert_string_equal(m->control_states[0].name, "a.integral");
    assert_string_equal(m->control_states[1].name, "a.derivative");
    assert_string_equal(m->control_states[2].name, "b.derivative");
    assert_true(m->control_states[0].initial_given);
    assert_false(m->control_states[1].initial_given);
    assert_string_equal(m->variables[0].unit, "N");
    assert_string_equal(m->control_states[0].unit, "");
    assert_string_equal(m->control_states[1].unit, "");
    check_equation(m, 0, &v, v.rate[0] - u);
    check_equation(m, 1, &v, 0.25 * v.rate[1] - (u - v.state[1]));
    check_output(m, 0, &v, 3 * u + 5 * v.state[0] + 7 * (u - v.state[1]) / 0.25);
    check_equation(m, 2, &v, 0.5 * v.rate[2] - (v.input[0] - v.state[2]));
    check_output(m, 1, &v, (v.input[0] - v.state[2]) / 0.5);
    check_output(m, 2, &v, 4 * v.input[0]);
    routh_model_free(m);
}

static const char limited[] =
    HEAD "controllers: {g: {type: gain, input: \"u\", gain: k, lower: -2, upper: 1, dead_zone: "
         "tau}}\n";

static void a_gain_has_its_dead_zone_and_limits(void **state)
{
    (void)state;
    static const double pairs[][2] = {{0.1, 0},    {-0.2, 0}, {0.35, 0.3}, {-0.5, -0.75},
                                      {0.55, 0.9}, {0.7, 1},  {5, 1},      {-0.9, -1.95},
                                      {-1, -2},    {-9, -2}};
    routh_model *m = read_model(limited);
    assert_int_equal(m->n_control_states, 0);
    assert_string_equal(m->variables[0].name, "g");
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        const values v = {.input = {pairs[k][0]}};
        check_output(m, 0, &v, pairs[k][1]);
    }
    routh_model_free(m);
}

/* Inputs at which the four kinks lie: 0.25, -0.25, and where k times the rest is a limit. */
static void kinks_are_where_the_slope_jumps(void **state)
{
    (void)state;
    static const double at[] = {0.25, -0.25, -0.25 - 2.0 / 3, 0.25 + 1.0 / 3};
    static const char *const what[] = {"the upper edge of the dead zone",
                                       "the lower edge of the dead zone", "the lower limit",
                                       "the upper limit"};
    routh_model *m = read_model(limited);
    assert_int_equal(m->n_kinks, 4);
    for (int k = 0; k < 4; k++) {
        const values on = {.input = {at[k]}}, off = {.input = {at[k] + 0.1}};
        assert_near(value_of(m, m->kinks[k].distance, &on), 0, 1e-15);
        assert_true(fabs(value_of(m, m->kinks[k].distance, &off)) > 0.09);
        assert_string_equal(m->kinks[k].what, what[k]);
        assert_string_equal(m->kinks[k].element, "controller g");
        assert_true(m->kinks[k].scale > 0);
    }
    assert_near(m->kinks[0].scale, 0.25, 0);
    assert_near(m->kinks[3].scale, 3, 0);
    routh_model_free(m);
}

static void a_plain_gain_has_no_kink(void **state)
{
    (void)state;
    const values v = random_values(8);
    routh_model *m = read_model(HEAD "controllers:\n"
                                     "  g: {type: gain, input: u, gain: k}\n"
                                     "  h: {type: gain, input: u, dead_zone: 0}\n");
    assert_int_equal(m->n_kinks, 0);
    check_output(m, 0, &v, 3 * v.input[0]);
    check_output(m, 1, &v, v.input[0]);
    routh_model_free(m);
}

static void every_field_of_every_type_is_read(void **state)
{
    (void)state;
    static const char *const files[] = {"tests/model/whole/controllers.yaml",
                                        "tests/model/whole/velocities.yaml"};
    for (int k = 0; k < 2; k++) {
        size_t length;
        char *text = read_source(files[k], &length);
        routh_model_free(read_model(text));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_explicit_equation_is_its_rate),
        cmocka_unit_test(an_implicit_equation_is_as_written),
        cmocka_unit_test(a_state_space_is_its_matrices),
        cmocka_unit_test(a_transfer_function_is_the_ratio_of_its_polynomials),
        cmocka_unit_test(several_equations_are_read_together),
        cmocka_unit_test(a_pid_has_the_states_that_it_needs),
        cmocka_unit_test(a_gain_has_its_dead_zone_and_limits),
        cmocka_unit_test(kinks_are_where_the_slope_jumps),
        cmocka_unit_test(a_plain_gain_has_no_kink),
        cmocka_unit_test(every_field_of_every_type_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
