/* Derivatives of eigenvalues against differences of the whole chain, of examples: all parameters of
 * all of them with ROUTH_TEST_EFFORT, else some of those that are quick. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/differences.h"
#include "support/effort.h"
#include "support/mechanisms.h"

static void compare(const char *name, int stride, difference_tally *tally)
{
    static char text[8192];
    char path[400];
    snprintf(path, sizeof path, "examples/%.300s", name);
    /* the span moves the last station of the blade against its end, where the twist stops */
    const bool blade = strcmp(name, "helicopter-blade.yaml") == 0;
    const difference_model model = {.path = path, .kink = blade ? "span" : NULL};
    compare_with_differences(&model, 0, stride, tally, text, sizeof text);
    if (text[0]) fail_msg("%s: %s", name, text);
}

static void tell(const difference_tally *t)
{
    print_message("    %d derivatives compared, %d where differences say too little, worst %.2g of "
                  "the others; %d parameters refused\n",
                  t->n_compared, t->n_doubtful, t->worst, t->n_refused);
    assert_true(t->worst <= 1e-7);
}

static void all_examples(difference_tally *tally)
{
    DIR *directory = opendir("examples");
    assert_non_null(directory);
    for (struct dirent *e; (e = readdir(directory));) {
        const size_t length = strlen(e->d_name);
        if (length > 5 && strcmp(e->d_name + length - 5, ".yaml") == 0)
            compare(e->d_name, 1, tally);
    }
    closedir(directory);
}

static void examples(void **unused)
{
    (void)unused;
    /* written, completed and assembled states; steady motions; equilibria; and every how-manyeth of
     * the parameters */
    static const struct {
        const char *name;
        int stride;
    } quick[] = {
        {"crank-slider.yaml", 1},      {"trailing-wheel.yaml", 1},
        {"spinning-pendulum.yaml", 2}, {"mathieu-pendulum.yaml", 2},
        {"bicycle-whipple.yaml", 3},   {"rotor-run-up.yaml", 3},
        {"rotor-stator.yaml", 4},      {"conical-pendulum.yaml", 1},
        {"disc-on-circle.yaml", 1},    {"steady-turn.yaml", 4},
        {"four-bar.yaml", 4},          {"gear-train.yaml", 2},
        {"cart-pendulum-lqr.yaml", 4}, {"pendulum-with-friction.yaml", 3},
    };
    difference_tally tally = {0};
    if (full_effort()) {
        all_examples(&tally);
        assert_true(tally.n_compared - tally.n_doubtful > 700);
    } else {
        for (size_t k = 0; k < sizeof quick / sizeof *quick; k++)
            compare(quick[k].name, quick[k].stride, &tally);
        assert_true(tally.n_compared - tally.n_doubtful > 50);
    }
    tell(&tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
