#include "support/class_answers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/differences.h"

static void assert_cell_agrees(const routh_check_cell *x, const char *text)
{
    if (x->state != ROUTH_CELL_COMPARED || x->verdict != ROUTH_YES)
        fail_msg("%s, %s: state %d, verdict %d, off by %.3g of what is allowed, signals by %.3g: "
                 "%s\n%s",
                 x->coordinates, x->method, x->state, x->verdict, x->margin, x->signals,
                 x->why ? x->why : "", text);
    assert_false(x->signals > 1e-6); /* not a number: there are none, or it has other states */
}

void assert_cells_agree(const char *text, bool quick, int least,
                        bool (*spared)(const void *context, const routh_check_cell *x),
                        const void *context)
{
    routh_model *model = NULL;
    routh_check *check = NULL;
    routh_error error;
    routh_check_options options = routh_check_defaults();
    int n = 0;
    if (quick) options.most_degrees = 0;
    if (routh_model_parse(&model, text, strlen(text), "sample", NULL, 0, &error) ||
        routh_check_run(&check, model, &options, &error))
        fail_msg("%s in\n%s", error.message, text);
    for (int k = 0; k < check->n_cells; k++) {
        const routh_check_cell *x = &check->cells[k];
        n += x->state == ROUTH_CELL_COMPARED;
        if (x->state == ROUTH_CELL_REFERENCE || (spared && spared(context, x))) continue;
        if (quick && x->state == ROUTH_CELL_LEFT_OUT) continue;
        assert_cell_agrees(x, text);
    }
    if (n < least) fail_msg("%d of %d cells are compared in\n%s", n, check->n_cells, text);
    routh_check_free(check);
    routh_model_free(model);
}

void assert_derivatives_agree(const char *text, int stride)
{
    static char report[8192];
    const difference_model model = {.text = text};
    difference_tally tally = {0};
    compare_with_differences(&model, 0, stride, &tally, report, sizeof report);
    if (report[0]) fail_msg("%sin\n%s", report, text);
    print_message("    %d derivatives, worst %.2g, %d in doubt\n", tally.n_compared, tally.worst,
                  tally.n_doubtful);
    assert_true(tally.n_doubtful < tally.n_compared && tally.n_refused == 0);
}
