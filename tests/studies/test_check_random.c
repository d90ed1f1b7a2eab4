/* Random mechanisms, open and closed, at rest and in motion: no coordinate set and no method gives
 * other eigenvalues or other shapes than the reference. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

/* How many cells were run, and how many of them tell nothing: in doubt, or without an operating
 * point, which Newton's method need not find in every coordinate set. */
typedef struct tally {
    int n_run, n_doubtful;
} tally;

static void look_at_cells(const routh_check *check, const char *text, tally *t)
{
    for (int k = 0; k < check->n_cells; k++) {
        const routh_check_cell *x = &check->cells[k];
        if (x->verdict == ROUTH_NO)
            fail_msg("%s, %s is off by %.3g, %.3g of what is allowed; shapes %.3g: %s in\n%s",
                     x->coordinates, x->method, x->difference, x->margin, x->shape_margin,
                     x->why ? x->why : "", text);
        const bool run = x->state == ROUTH_CELL_COMPARED || x->state == ROUTH_CELL_FAILED;
        t->n_run += run;
        t->n_doubtful += run && x->verdict == ROUTH_CANNOT_TELL;
    }
}

static void check_one(random_stream *random, int what, tally *t)
{
    random_mechanism mechanism;
    growing_text text = {0};
    routh_model *model = NULL;
    routh_check *check = NULL;
    routh_error error;
    random_mechanism_make(&mechanism, random, what);
    random_mechanism_write(&mechanism, &no_disguise, &text);
    if (routh_model_parse(&model, text.bytes, text.length, "random", NULL, 0, &error) ||
        routh_check_run(&check, model, NULL, &error))
        fail_msg("%s in\n%s", error.message, text.bytes);
    look_at_cells(check, text.bytes, t);
    routh_check_free(check);
    routh_model_free(model);
    free(text.bytes);
}

enum { MECHANISMS = 10 };

static void check_many(int what)
{
    random_stream random = {(uint64_t)(77 + what)};
    tally t = {0};
    for (int k = 0; k < with_effort(MECHANISMS); k++) check_one(&random, what, &t);
    print_message("    %d cells, %d tell nothing\n", t.n_run, t.n_doubtful);
    /* nothing is proved by doubts */
    assert_true(t.n_run > 100 && 20 * t.n_doubtful <= t.n_run);
}

static void all_cells_agree_at_rest(void **state)
{
    (void)state;
    check_many(RANDOM_STATIC);
}

static void all_cells_agree_in_motion(void **state)
{
    (void)state;
    check_many(RANDOM_MOVING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cells_agree_at_rest),
        cmocka_unit_test(all_cells_agree_in_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
