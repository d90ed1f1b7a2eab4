/* Tests of model/parameters: order, overrides, units, dependence kept in expressions. */
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

#define BODY "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"

static double parameter(const routh_model *model, const char *name)
{
    for (int k = 0; k < model->n_parameters; k++)
        if (!strcmp(model->parameters[k].name, name)) return model->parameters[k].number.value;
    fail_msg("there is no parameter %s", name);
    return 0;
}

static void parameters_may_come_in_any_order(void **state)
{
    (void)state;
    routh_model *m =
        read_model("parameters: {m2: 2*k, spin: 2*pi*0.5, k: c + 1, c: 3, d: 30 deg}\n" BODY);
    assert_near(parameter(m, "m2"), 8, 0);
    assert_near(parameter(m, "k"), 4, 0);
    assert_near(parameter(m, "spin"), 3.14159265358979, 1e-14);
    assert_near(parameter(m, "d"), 0.523598775598299, 1e-14);
    routh_model_free(m);
}

static void a_long_chain_of_parameters_is_followed(void **state)
{
    (void)state;
    enum { N = 20000 };
    char *text = malloc(N * 24 + 200), *p = text;
    assert_non_null(text);
    p += sprintf(p, "parameters:\n");
    for (int k = 0; k < N; k++) p += sprintf(p, "  p%d: p%d + 1\n", k, k + 1);
    sprintf(p, "  p%d: 0\n" BODY, N);
    routh_model *m = read_model(text);
    assert_near(parameter(m, "p0"), N, 0);
    routh_model_free(m);
    free(text);
}

static void an_override_replaces_the_value_and_what_follows_from_it(void **state)
{
    (void)state;
    const char *text = "parameters: {k: 3, m: 2*k}\nbodies: {b: {mass: m, inertia: [1, 1, 1]}}\n";
    routh_model *m = read_model_with(text, "k", "2*5");
    assert_near(parameter(m, "k"), 10, 0);
    assert_near(parameter(m, "m"), 20, 0);
    assert_near(m->bodies[0].mass.value, 20, 0);
    assert_true(m->parameters[0].overridden);
    assert_false(m->parameters[1].overridden);
    routh_model_free(m);
    m = read_model_with(text, "m", "k^2"); /* of another parameter */
    assert_near(m->bodies[0].mass.value, 9, 0);
    routh_model_free(m);
}

static void a_wrong_override_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {{"stifness", "3", "did you mean 'stiffness'"},
                                           {"stiffness", "much", "'much' is not known"},
                                           {"stiffness", "", "the value is empty"},
                                           {"stiffness", "stiffness", "circle"},
                                           {"", "3", "no parameter"}};
    const char *text = "parameters: {stiffness: 3}\n" BODY;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        routh_model *model = NULL;
        routh_error error;
        const routh_setting setting = {wrong[k][0], wrong[k][1]};
        assert_int_equal(routh_model_parse(&model, text, strlen(text), "test", &setting, 1, &error),
                         ROUTH_MODEL_ERROR);
        assert_null(model);
        if (!strstr(error.message, wrong[k][2])) fail_msg("%s", error.message);
    }
}

static void numbers_remember_the_parameters_they_depend_on(void **state)
{
    (void)state;
    int slots[4];
    routh_model *m = read_model("parameters: {a: 2, b: 5}\n"
                                "bodies: {x: {mass: a*b + a, inertia: [1, 1, 1]}}\n");
    const rt_number mass = m->bodies[0].mass;
    assert_true(mass.expr >= 0);
    assert_int_equal(rt_inputs_of(m->graph, mass.expr, slots, 4), 2);
    const double values[] = {3, 7};
    assert_near(evaluate(m, mass.expr, values), 24, 1e-14);
    const double derivative = evaluate(m, rt_derivative(m->graph, mass.expr, 0), values);
    assert_near(derivative, 8, 1e-14);
    assert_int_equal(m->bodies[0].inertia[0].expr, RT_NO_EXPR);
    routh_model_free(m);
}

static void orientation_and_at_keep_their_dependence(void **state)
{
    (void)state;
    routh_model *m = read_model("parameters: {p: 0.3, h: 2}\n"
                                "bodies: {x: {mass: 1, inertia: [1, 1, 1], position: [h, 0, 0], "
                                "orientation: {axis: [0, 0, 1], angle: p}}}\n"
                                "markers: {t: {body: x, at: [2*h, h, 0]}}\n");
    /* x component in the body: cos(p) (2h - h) + sin(p) h */
    const rt_number x = m->markers[1].position[0];
    const double values[] = {0.3, 2};
    assert_near(x.value, 2 * cos(0.3) + 2 * sin(0.3), 1e-14);
    assert_near(evaluate(m, x.expr, values), x.value, 1e-14);
    assert_near(evaluate(m, rt_derivative(m->graph, x.expr, 0), values),
                -2 * sin(0.3) + 2 * cos(0.3), 1e-14);
    routh_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_may_come_in_any_order),
        cmocka_unit_test(a_long_chain_of_parameters_is_followed),
        cmocka_unit_test(an_override_replaces_the_value_and_what_follows_from_it),
        cmocka_unit_test(a_wrong_override_is_refused),
        cmocka_unit_test(numbers_remember_the_parameters_they_depend_on),
        cmocka_unit_test(orientation_and_at_keep_their_dependence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
