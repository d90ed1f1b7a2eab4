/* Sweeps of a model that is there are those of its file, with the settings it was made with. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <routh/routh.h>

static const char oscillator[] =
    "parameters: {k: 100, c: 1, m: 2}\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  block: {mass: m, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  slide: {type: translational, between: [block, ground], at: [0, 0, 0], axis: x}\n"
    "loads:\n"
    "  spring: {type: force, on: block, components: [-k*DX(block) - c*VX(block), 0, 0]}\n"
    "operating_point: {type: static}\n";

static routh_model *parse(const routh_setting *settings, size_t n)
{
    routh_model *model;
    routh_error error = {0};
    if (routh_model_parse(&model, oscillator, strlen(oscillator), "oscillator", settings, n,
                          &error))
        fail_msg("%s: %s", error.element, error.message);
    return model;
}

static routh_sweep *sweep(const routh_model *model, const char *along,
                          const routh_sweep_options *options)
{
    routh_sweep_axis axis;
    routh_sweep *s;
    routh_error error = {0};
    assert_int_equal(routh_sweep_axis_parse(&axis, along, NULL, &error), ROUTH_OK);
    if (routh_sweep_run_of_model(&s, model, &axis, 1, options, &error))
        fail_msg("%s", error.message);
    routh_sweep_axis_free(&axis);
    return s;
}

static void near(double x, double wanted)
{
    if (!(fabs(x - wanted) <= 1e-10 * wanted)) fail_msg("%.15g where %.15g was to be", x, wanted);
}

/* |s|^2 = k/m, -2 Re s = c/m */
static void holds(const routh_sweep *s, int point, double k, double c, double m)
{
    const routh_sweep_point *p = &s->lines[0].points[point];
    const double *e = p->eigenvalues[0];
    assert_int_equal(p->n, 2);
    near(e[0] * e[0] + e[1] * e[1], k / m);
    near(-2 * e[0], c / m);
}

static void a_model_is_swept_without_its_file(void **state)
{
    (void)state;
    routh_model *model = parse(NULL, 0);
    routh_sweep *s = sweep(model, "k=100,200,400", NULL);
    routh_model_free(model); /* the result does not refer to it */
    assert_string_equal(s->file, "oscillator");
    for (int k = 0; k < 3; k++) holds(s, k, 100 << k, 1, 2);
    routh_sweep_free(s);
}

/* The model's own settings stay, those of the options come on top, and what is swept over counts
 * before all. */
static void settings_are_kept(void **state)
{
    (void)state;
    const routh_setting own[] = {{"c", "3"}, {"m", "k/100"}, {"k", "7"}}, more = {"c", "5"};
    routh_model *model = parse(own, 3);
    routh_sweep *s = sweep(model, "k=100,200", NULL);
    for (int k = 0; k < 2; k++) holds(s, k, 100 << k, 3, 1 << k);
    routh_sweep_free(s);
    routh_sweep_options options = routh_sweep_defaults();
    options.settings = &more, options.n_settings = 1;
    s = sweep(model, "k=100,200", &options);
    for (int k = 0; k < 2; k++) holds(s, k, 100 << k, 5, 1 << k);
    routh_sweep_free(s);
    routh_model_free(model);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    routh_sweep *s;
    routh_error error = {0};
    routh_sweep_axis axis;
    assert_int_equal(routh_sweep_axis_parse(&axis, "k=1,2", NULL, &error), ROUTH_OK);
    assert_int_equal(routh_sweep_run_of_model(&s, NULL, &axis, 1, NULL, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_null(s);
    routh_model *model = parse(NULL, 0);
    const routh_setting unknown = {"kk", "1"};
    routh_sweep_options options = routh_sweep_defaults();
    options.settings = &unknown, options.n_settings = 1;
    assert_int_equal(routh_sweep_run_of_model(&s, model, &axis, 1, &options, &error),
                     ROUTH_MODEL_ERROR);
    assert_non_null(strstr(error.message, "kk"));
    const routh_setting same = {"k", "1"};
    options.settings = &same;
    assert_int_equal(routh_sweep_run_of_model(&s, model, &axis, 1, &options, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "cannot be set"));
    routh_sweep_axis_free(&axis);
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_swept_without_its_file),
        cmocka_unit_test(settings_are_kept),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
