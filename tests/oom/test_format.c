/* Each allocation refused, one after another, of a model file that is laid out, and of one that is
 * read in units of its own: the caller is told, or gets what he gets otherwise. */
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

/* ---- routh_model_format ---------------------------------------------------------------------- */

static const char untidy[] =
    "# a model\n\n"
    "parameters: {k: \"2*3\",m:  1, list: [max(1,2), 3 , ]}   # two\n"
    "bodies:\n"
    "      block: {mass: m, inertia: [1, 1, 1], position: [0, 0, 0], orientation: {axis: x,  "
    "angle: 30 deg}}\n"
    "      # between\n"
    "      other:   {mass: \"m\", inertia: [1,\n 1, 1]}\n"
    "description: |\n"
    "     of several\n"
    "       lines\n"
    "title: 'one\n"
    "   and two'\n";

static void each_allocation_of_a_layout(void **state)
{
    routh_text wanted = {0};
    (void)state;
    assert_int_equal(routh_model_format(untidy, strlen(untidy), "file", 40, &wanted, NULL), 0);
    for (int all_after = 0; all_after < 2; all_after++) {
        long refused = 1, n_told = 0;
        for (long n = 1; refused > 0; n = next_allocation(n)) {
            routh_text text = {0};
            routh_error error = {0};
            catch_output();
            start(n, all_after);
            const routh_status status =
                routh_model_format(untidy, strlen(untidy), "file", 40, &text, &error);
            refused = n_refused;
            start(0, false);
            assert_silence();
            assert_int_equal(error.status, status);
            if (status) {
                assert_int_equal(status, ROUTH_OUT_OF_MEMORY);
                assert_null(text.bytes);
            } else {
                assert_int_equal(text.length, wanted.length);
                assert_memory_equal(text.bytes, wanted.bytes, wanted.length);
            }
            n_told += status != ROUTH_OK;
            routh_text_free(&text);
        }
        assert_true(n_told > 20);
    }
    routh_text_free(&wanted);
}

/* ---- units ----------------------------------------------------------------------------------- */

static const char in_mm[] = "units: [mm, t, s]\n"
                            "parameters: {k: 5 N/mm, far: 20 cm, c: 2*k}\n"
                            "bodies: {b: {mass: 2 kg, inertia: [1, 1, 1], position: [far, 0, 0]}}\n"
                            "loads:\n"
                            "  s: {type: spring, between: [b, ground], stiffness: k, damping: c, "
                            "free_length: far, table: [[0, 0], [10, 5 N]]}\n"
                            "  f: {type: force, on: b, components: [k*DX(b) + 3 N, 0, FX(s)]}\n"
                            "outputs: {x: DX(b) + 2 cm}\n";

/* A number in another dimension, which is refused whatever memory there is. */
static const char wrong[] = "bodies: {b: {mass: 5 mm, inertia: [1, 1, 1]}}\n";

static routh_status read_text(const char *text, routh_model **model, routh_error *error)
{
    return routh_model_parse(model, text, strlen(text), "file", NULL, 0, error);
}

static void check_read(const routh_model *model)
{
    assert_true(model->bodies[0].mass.value == 2);
    assert_true(model->bodies[0].inertia[0].value == 1e-3);
    assert_true(model->loads[0].stiffness.value == 5000);
}

static void each_allocation_of_units(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        long refused = 1, n_told = 0;
        for (long n = 1; refused > 0; n = next_allocation(n)) {
            routh_model *model = NULL;
            routh_error error = {0};
            catch_output();
            start(n, false);
            const routh_status status = read_text(which ? wrong : in_mm, &model, &error);
            refused = n_refused;
            start(0, false);
            assert_silence();
            assert_int_equal(error.status, status);
            if (status == ROUTH_OK) {
                assert_int_equal(which, 0);
                check_read(model);
            } else if (status != ROUTH_OUT_OF_MEMORY) {
                assert_int_equal(which, 1);
                assert_non_null(strstr(error.message, "a value in kg is needed"));
            }
            n_told += status == ROUTH_OUT_OF_MEMORY;
            routh_model_free(model);
        }
        assert_true(n_told > 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_of_a_layout),
                                       cmocka_unit_test(each_allocation_of_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
