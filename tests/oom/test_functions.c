/* Each allocation refused, one after another, of a model with functions of the caller, from its
 * text to its linear model, and of the same model made again: the caller is told, and nothing
 * leaks. */
#define _XOPEN_SOURCE 700
#include "oom/refuse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "routh/routh.h"

static const char *const yaml =
    "parameters: {k: 3}\n"
    "functions: {f: {arguments: 2}, g: {arguments: 1}, unused: {arguments: 3}}\n"
    "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0.125]}}\n"
    "joints:\n"
    "  wire: {type: expression, expression: DZ(b) - g(DX(b))}\n"
    "  plane: {type: expression, expression: DY(b)}\n"
    "  upright: {type: orientation, between: [b, ground]}\n"
    "loads: {l: {type: force, on: b, components: ['-f(DX(b), k)', 0, 0]}}\n"
    "outputs: {o: 'f(VX(b), g(DX(b)))'}\n";

static int product(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = x[0] * x[1];
    return 0;
}

static int half_square(void *user, const double *x, double *out)
{
    (void)user;
    out[0] = x[0] * x[0] / 2;
    return 0;
}

static const double scales[] = {1, 0.5};
static const routh_function functions[] = {
    {.name = "f", .n_arguments = 2, .value = product, .scales = scales},
    {.name = "g", .n_arguments = 1, .value = half_square}};

typedef struct products {
    routh_model *model, *again;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
} products;

static routh_status make(products *p, routh_error *error)
{
    const routh_setting stiffer = {"k", "7"};
    const routh_model_options options = {.functions = functions, .n_functions = 2};
    routh_status status =
        routh_model_parse_with(&p->model, yaml, strlen(yaml), NULL, &options, error);
    if (!status) status = rt_model_again(&p->again, p->model, &stiffer, 1, error);
    if (!status) status = routh_mechanism_compile(&p->mechanism, p->again, NULL, error);
    if (!status) status = routh_operating_point_find(&p->point, p->mechanism, NULL, error);
    if (!status) status = routh_linear_compute(&p->linear, p->mechanism, p->point, NULL, error);
    return status;
}

static void release(products *p)
{
    routh_linear_free(p->linear);
    routh_operating_point_free(p->point);
    routh_mechanism_free(p->mechanism);
    routh_model_free(p->again);
    routh_model_free(p->model);
}

static void each_allocation_of_a_model_with_functions(void **state)
{
    (void)state;
    for (int all_after = 0; all_after < 2; all_after++) {
        long refused = 1, n_told = 0;
        for (long n = 1; refused > 0; n = next_allocation(n)) {
            products p = {0};
            routh_error error = {0};
            catch_output();
            start(n, all_after);
            const routh_status status = make(&p, &error);
            refused = n_refused;
            start(0, false);
            assert_silence();
            assert_int_equal(error.status, status);
            if (status)
                assert_int_equal(status, ROUTH_OUT_OF_MEMORY);
            else
                assert_int_equal(p.again->n_function_uses, 4);
            n_told += status != ROUTH_OK;
            release(&p);
        }
        assert_true(n_told > 20);
    }
}

/* On the way to a library, which is not there. */
static void each_allocation_of_a_plugin(void **state)
{
    static const char *const text = "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                                    "functions: {f: {arguments: 1, library: libnone.so}}\n";
    const routh_model_options options = {.allow_plugins = 1};
    long refused = 1, n_told = 0;
    (void)state;
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        routh_model *model;
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status =
            routh_model_parse_with(&model, text, strlen(text), NULL, &options, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        assert_null(model);
        assert_int_equal(status, refused ? ROUTH_OUT_OF_MEMORY : ROUTH_MODEL_ERROR);
        n_told += refused > 0;
    }
    assert_true(n_told > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_of_a_model_with_functions),
        cmocka_unit_test(each_allocation_of_a_plugin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
