/* Each allocation refused, one after another, of what the build tells of itself. */
#define _XOPEN_SOURCE 700
#include "oom/refuse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "routh/build.h"

typedef routh_status (*build_writer)(const routh_component *more, int n_more, routh_text *text,
                                     routh_error *error);

static void each_allocation_of_what_the_build_tells(void **state)
{
    (void)state;
    static const build_writer writers[] = {routh_build_table, routh_build_json};
    static const routh_component more = {"x", "y", NULL, "z", "MIT", 1, "1"};
    for (int k = 0; k < 2; k++) {
        long refused = 1, n_told = 0;
        for (long n = 1; refused > 0; n = next_allocation(n)) {
            routh_text text = {0};
            routh_error error = {0};
            catch_output();
            start(n, false);
            const routh_status status = writers[k](&more, 1, &text, &error);
            refused = n_refused;
            start(0, false);
            assert_silence();
            assert_int_equal(status, refused ? ROUTH_OUT_OF_MEMORY : ROUTH_OK);
            assert_true((text.bytes == NULL) == (refused > 0));
            n_told += refused > 0;
            routh_text_free(&text);
        }
        assert_true(n_told > 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_of_what_the_build_tells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
