/* Functions of the caller: what is refused when a model is read, what is said where they fail, and
 * what operating points warn of. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <routh/routh.h>

static const char *const FORM =
    "%s"
    "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [%g, 0, 0]}}\n"
    "joints: {rail: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}\n"
    "loads: {f: {type: force, on: b, components: ['%s', 0, 0]}}\n";

static int cube(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = x[0] * x[0] * x[0];
    return 0;
}

static int cube_slope(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = 3 * x[0] * x[0];
    return 0;
}

static int wrong_slope(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = 3.001 * x[0] * x[0];
    return 0;
}

static int square(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = x[0] * x[0];
    return 0;
}

static int square_slope(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = 2 * x[0];
    return 0;
}

static int twice_the_slope(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = 4 * x[0];
    return 0;
}

static int cube_bend(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = 6 * x[0];
    return 0;
}

static int wrong_bend(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = -6 * x[0];
    return 0;
}

static int size(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = fabs(x[0]);
    return 0;
}

static int size_slope(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = (x[0] > 0) - (x[0] < 0);
    return 0;
}

static int root(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = sqrt(x[0]);
    return 0;
}

static int fails(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = x[0];
    return x[0] > 1;
}

static int infinite_slope(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = x[0] / 0.0;
    return 0;
}

static const double below_zero[] = {-1};

/* ---- what is refused ------------------------------------------------------------------------- */

static routh_status parse(routh_model **model, const char *head, double at, const char *force,
                          const routh_function *functions, size_t n, routh_error *error)
{
    char yaml[2048];
    const routh_model_options options = {.functions = functions, .n_functions = n};
    snprintf(yaml, sizeof yaml, FORM, head, at, force);
    return routh_model_parse_with(model, yaml, strlen(yaml), "test", &options, error);
}

static void functions_that_are_not_whole_are_refused(void **unused)
{
    static const struct {
        routh_function function;
        const char *words;
    } cases[] = {
        {{.name = NULL, .n_arguments = 1, .value = cube}, "functions[1] (without a name): a name"},
        {{.name = "2nd", .n_arguments = 1, .value = cube}, "begins with no digit"},
        {{.name = "a.b", .n_arguments = 1, .value = cube}, "letters, digits and underscores"},
        {{.name = "SIN", .n_arguments = 1, .value = cube}, "a function of every expression"},
        {{.name = "DX", .n_arguments = 1, .value = cube}, "the name of a measure"},
        {{.name = "if", .n_arguments = 1, .value = cube}, "a word of expressions"},
        {{.name = "other", .n_arguments = 1, .value = cube}, "it is there twice"},
        {{.name = "f", .n_arguments = 0, .value = cube}, "n_arguments must be between 1 and 8"},
        {{.name = "f", .n_arguments = 9, .value = cube}, "n_arguments must be between 1 and 8"},
        {{.name = "f", .n_arguments = 1}, "value is NULL"},
        {{.name = "f", .n_arguments = 1, .value = cube, .scales = below_zero},
         "scales must be positive"},
    };
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const routh_function list[] = {{.name = "other", .n_arguments = 1, .value = cube},
                                       cases[k].function};
        routh_model *model;
        routh_error error;
        assert_int_equal(parse(&model, "", 0, "1", list, 2, &error), ROUTH_BAD_ARGUMENT);
        assert_null(model);
        if (!strstr(error.message, cases[k].words)) fail_msg("%zu: %s", k, error.message);
    }
}

static void calls_that_do_not_fit_are_refused(void **unused)
{
    static const struct {
        const char *head, *force, *words;
    } cases[] = {
        {"", "-f(DX(b), 1)", "the function f has 1 argument, not 2"},
        {"", "-f(b)", "argument 1 of f, 'b', is no quantity"},
        {"", "-F(DX(b))", "the function 'F' is not known"},
        {"", "-f(1e300)", "the function f has no finite value here"},
        {"functions: {f: {arguments: 2}}\n", "1", "declared with 2 arguments, and given with 1"},
        {"functions: {g: {arguments: 2}}\n", "g(1, 2)",
         "the function g of 2 arguments, declared in line 1, is missing"},
    };
    const routh_function f = {.name = "f", .n_arguments = 1, .value = cube};
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        routh_model *model;
        routh_error error;
        assert_int_equal(parse(&model, cases[k].head, 0, cases[k].force, &f, 1, &error),
                         ROUTH_MODEL_ERROR);
        if (!strstr(error.message, cases[k].words)) fail_msg("%zu: %s", k, error.message);
        assert_true(error.line > 0);
    }
}

/* What is declared and given at once, or declared and not used, is no error. */
static void declarations_are_kept_to(void **unused)
{
    const routh_function f = {.name = "f", .n_arguments = 1, .value = cube};
    routh_model *model;
    routh_error error;
    (void)unused;
    assert_int_equal(
        parse(&model, "functions: {f: {arguments: 1}}\n", 0, "-f(DX(b)) - f(2)", &f, 1, &error),
        ROUTH_OK);
    routh_model_free(model);
    assert_int_equal(parse(&model, "functions: {f: {arguments: 1}}\n", 0, "1", NULL, 0, &error),
                     ROUTH_OK);
    routh_model_free(model);
}

/* ---- at operating points --------------------------------------------------------------------- */

typedef struct made {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
} made;

static routh_status make(made *x, double at, const routh_function *f, routh_error *error)
{
    routh_linear_options options = routh_linear_defaults();
    *x = (made){0};
    options.extended = 1; /* without effect */
    routh_status status = parse(&x->model, "", at, "-f(DX(b)) - DX(b)", f, 1, error);
    if (!status) status = routh_mechanism_compile(&x->mechanism, x->model, NULL, error);
    if (!status) status = routh_operating_point_find(&x->point, x->mechanism, NULL, error);
    if (!status)
        status = routh_linear_compute(&x->linear, x->mechanism, x->point, &options, error);
    return status;
}

static void release(made *x)
{
    routh_linear_free(x->linear);
    routh_operating_point_free(x->point);
    routh_mechanism_free(x->mechanism);
    routh_model_free(x->model);
}

static void operating_points_warn_of_bad_derivatives(void **unused)
{
    static const struct {
        routh_function function;
        double at;
        const char *words; /* NULL: no warning */
    } cases[] = {
        {{.value = cube}, 0.5, NULL},
        {{.value = cube}, 0, NULL},
        {{.value = cube, .gradient = cube_slope}, 0.5, NULL},
        {{.value = cube, .gradient = cube_slope, .hessian = cube_bend}, 0.5, NULL},
        {{.value = size}, 0.5, NULL},
        {{.value = size, .gradient = size_slope}, 0.5, NULL},
        {{.value = size, .gradient = size_slope},
         0,
         "load f is exactly at a non-smooth point of the function f, (0): the linear model has the "
         "derivative of f by its argument 1 as the caller gives it, 0"},
        {{.value = size},
         0,
         "the derivative of f by its argument 1 is taken by differences, 0 at (0), "
         "and may be off by 1.0e+00"},
        {{.value = cube, .gradient = wrong_slope},
         0.5,
         "the derivative of f by its argument 1 as the "
         "caller gives it is 0.75025 at (0.5), and by "
         "differences 0.75 with"},
        {{.value = square, .gradient = square_slope}, 0, NULL},
        {{.value = square, .gradient = twice_the_slope},
         0,
         "the second derivative of f by its arguments 1 and 1 is 4 at (0) by the gradient that the "
         "caller gives, and 2 by the values"},
        {{.value = cube, .gradient = cube_slope, .hessian = wrong_bend},
         0.5,
         "the second derivative of f by its arguments 1 and 1 as the caller gives it is -3"},
    };
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        routh_function f = cases[k].function;
        routh_error error;
        made x;
        f.name = "f", f.n_arguments = 1;
        if (make(&x, cases[k].at, &f, &error)) fail_msg("%zu: %s", k, error.message);
        bool found = false;
        for (int i = 0; i < x.point->n_warnings; i++) {
            const bool of_function = strstr(x.point->warnings[i], "load f") != NULL;
            if (!cases[k].words) assert_false(of_function);
            found = found || (cases[k].words && strstr(x.point->warnings[i], cases[k].words));
        }
        if (cases[k].words && !found)
            fail_msg("%zu: %s", k, x.point->n_warnings ? x.point->warnings[0] : "no warning");
        assert_null(x.linear->A_rest); /* doubles alone */
        release(&x);
    }
}

static void failures_name_the_function_and_its_arguments(void **unused)
{
    static const struct {
        routh_function function;
        double at;
        const char *words;
    } cases[] = {
        {{.value = fails}, 1.5, "the function f has no finite value at (1.5)"},
        {{.value = root}, -0.25, "the function f has no finite value at (-0.25)"},
        {{.value = root}, 0, "the derivative of f by its argument 1 has no finite value at (0)"},
        {{.value = cube, .gradient = infinite_slope},
         0.5,
         "the derivative of f by its argument 1 has no finite value at (0.5)"},
    };
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        routh_function f = cases[k].function;
        routh_error error;
        made x;
        f.name = "f", f.n_arguments = 1;
        assert_int_equal(make(&x, cases[k].at, &f, &error), ROUTH_NUMERIC_ERROR);
        if (!strstr(error.message, cases[k].words)) fail_msg("%zu: %s", k, error.message);
        assert_string_equal(error.element, "load f");
        release(&x);
    }
}

static void there_are_no_formulas(void **unused)
{
    const routh_function f = {.name = "f", .n_arguments = 1, .value = cube};
    routh_model *model;
    routh_symbolic *symbolic;
    routh_error error;
    (void)unused;
    assert_int_equal(parse(&model, "", 0, "-f(DX(b))", &f, 1, &error), ROUTH_OK);
    const routh_status status = routh_symbolic_compute(&symbolic, model, NULL, &error);
    assert_int_equal(status, ROUTH_NOT_SUPPORTED);
    assert_string_equal(error.element, "load f");
    routh_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_that_are_not_whole_are_refused),
        cmocka_unit_test(calls_that_do_not_fit_are_refused),
        cmocka_unit_test(declarations_are_kept_to),
        cmocka_unit_test(operating_points_warn_of_bad_derivatives),
        cmocka_unit_test(failures_name_the_function_and_its_arguments),
        cmocka_unit_test(there_are_no_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
