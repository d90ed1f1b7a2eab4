/* Pieces that go as bytes from process to process: the same sweep to the byte, whoever did them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <routh/routh.h>

/* Processes that do the pieces one after another, the last first. */
typedef struct others {
    int n; /* pieces done */
    int fails, loses;
} others;

static routh_status deal(void *context, int n, void (*run)(void *work, int k, routh_text *result),
                         void *work, routh_text *results, routh_error *error)
{
    others *o = context;
    if (o->fails) {
        *error = (routh_error){.status = ROUTH_NUMERIC_ERROR, .message = "nobody is there"};
        return ROUTH_NUMERIC_ERROR;
    }
    for (int k = n - 1; k >= 0; k--, o->n++) run(work, k, &results[k]);
    if (o->loses) results[0].length /= 2;
    return ROUTH_OK;
}

static routh_status run(routh_sweep **sweep, const char *first, const char *second,
                        const routh_distributor *dealer, routh_error *error)
{
    const char *source = getenv("ROUTH_SOURCE");
    char path[1024];
    routh_sweep_axis axes[2] = {{0}};
    routh_sweep_options o = routh_sweep_defaults();
    o.dealer = dealer;
    o.speed = "spin";
    o.threads = 1;
    snprintf(path, sizeof path, "%s/examples/jeffcott-rotor.yaml", source ? source : ".");
    assert_int_equal(routh_sweep_axis_parse(&axes[0], first, NULL, error), ROUTH_OK);
    if (second) assert_int_equal(routh_sweep_axis_parse(&axes[1], second, NULL, error), ROUTH_OK);
    const routh_status status = routh_sweep_run(sweep, path, axes, second ? 2 : 1, &o, error);
    routh_sweep_axis_free(&axes[0]);
    routh_sweep_axis_free(&axes[1]);
    return status;
}

static void check_same(const char *first, const char *second, int pieces)
{
    routh_error error;
    routh_sweep *one, *dealt;
    routh_text a, b;
    others o = {0};
    const routh_distributor dealer = {.context = &o, .leads = 1, .deal = deal};
    assert_int_equal(run(&one, first, second, NULL, &error), ROUTH_OK);
    assert_int_equal(run(&dealt, first, second, &dealer, &error), ROUTH_OK);
    assert_int_equal(o.n, pieces);
    assert_int_equal(routh_sweep_json(one, &a, &error), ROUTH_OK);
    assert_int_equal(routh_sweep_json(dealt, &b, &error), ROUTH_OK);
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.bytes, b.bytes, a.length);
    assert_int_equal(dealt->n_computed, one->n_computed);
    routh_text_free(&a);
    routh_text_free(&b);
    routh_sweep_free(one);
    routh_sweep_free(dealt);
}

static void a_dealt_sweep_is_the_same_to_the_byte(void **state)
{
    (void)state;
    check_same("spin=0:60:97", NULL, 3);
    check_same("spin=0:60:40", "inner=0:8:3", 6);
    check_same("k=-1, 800, 900", NULL, 1); /* without an equilibrium at the first */
}

static void who_does_not_lead_has_no_result(void **state)
{
    (void)state;
    routh_error error;
    routh_sweep *sweep;
    others o = {0};
    const routh_distributor dealer = {.context = &o, .deal = deal};
    assert_int_equal(run(&sweep, "spin=0:60:40", NULL, &dealer, &error), ROUTH_OK);
    assert_null(sweep);
    assert_int_equal(o.n, 2);
}

static void what_fails_on_the_way_is_told(void **state)
{
    (void)state;
    routh_error error;
    routh_sweep *sweep;
    others o = {.fails = 1};
    const routh_distributor dealer = {.context = &o, .leads = 1, .deal = deal};
    assert_int_equal(run(&sweep, "spin=0:60:40", NULL, &dealer, &error), ROUTH_NUMERIC_ERROR);
    assert_null(sweep);
    assert_string_equal(error.message, "nobody is there");
    o = (others){.loses = 1};
    assert_int_equal(run(&sweep, "spin=0:60:40", NULL, &dealer, &error), ROUTH_OUT_OF_MEMORY);
    assert_null(sweep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dealt_sweep_is_the_same_to_the_byte),
        cmocka_unit_test(who_does_not_lead_has_no_result),
        cmocka_unit_test(what_fails_on_the_way_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
