/* The N-th allocation of a benchmark fails, for every N: the caller is told OUT_OF_MEMORY and gets
 * nothing, or gets what he gets otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "oom/refuse.h"
#include "routh/routh.h"

static routh_status run(int *agree, routh_error *error)
{
    static const char *const names[] = {"vibration-absorber", "governor-arm", "four-bar-singular"};
    const routh_benchmark_options o = {.names = names, .n_names = 3};
    routh_benchmark *b = NULL;
    routh_text text[5] = {{0}};
    routh_status status = routh_benchmark_run(&b, &o, error);
    if (!status) status = routh_benchmark_table(b, &text[0], error);
    if (!status) status = routh_benchmark_json(b, &text[1], error);
    if (!status) status = routh_benchmark_csv(b, &text[2], error);
    if (!status) status = routh_benchmark_list(b, &text[3], error);
    if (!status) status = routh_benchmark_model("four-bar", &text[4], error);
    if (!status) *agree = b->n_agree;
    for (int k = 0; k < 5; k++) routh_text_free(&text[k]);
    routh_benchmark_free(b);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    int whole = 0;
    routh_error error = {0};
    start(0, false);
    if (run(&whole, &error)) fail_msg("%s", error.message);
    assert_int_equal(whole, 7);
    long refused = 1, told = 0;
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        int agree = 0;
        error = (routh_error){0};
        catch_output();
        start(n, false);
        const routh_status status = run(&agree, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        told += status == ROUTH_OUT_OF_MEMORY;
        if (status != ROUTH_OUT_OF_MEMORY && (status || agree != whole))
            fail_msg("allocation %ld: status %d, %d numbers agree, %s", n, status, agree,
                     error.message);
    }
    assert_true(told > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
