#include "commands.h"
#include "run.h"
#include "saved.h"
#include "say.h"
#include "write.h"

static int draw_sparsity(const options *given)
{
    run r;
    routh_error error = {0};
    routh_sparsity *sparsity = NULL;
    routh_text text;
    if (given->output || given->json || given->csv)
        return usage_error("--sparsity FILE is written in place of the linear model; leave out "
                           "--output, --json and --csv");
    int status = run_to_point(&r, given);
    if (status == EXIT_DONE && (routh_sparsity_find(&sparsity, r.mechanism, r.point, &error) ||
                                routh_sparsity_svg(sparsity, &text, &error)))
        status = fault(&error);
    if (status == EXIT_DONE) status = write_text(&text, given->sparsity);
    routh_sparsity_free(sparsity);
    run_free(&r);
    return status;
}

int run_linearize(const options *given)
{
    run r = {0};
    const char *format;
    if (given->sparsity && !saved_is_given(given)) return draw_sparsity(given);
    int status = saved_format(&format, given);
    if (status) return status;
    const bool whole = format || given->json;
    status = run_to_linear(&r, given, whole ? WITH_MARKERS | WITH_SHARES : 0);
    if (status == EXIT_DONE)
        status =
            format
                ? saved_write(&r, given, format)
                : run_write(&r, given,
                            (run_forms){routh_linear_table, routh_linear_json, routh_linear_csv});
    run_free(&r);
    return status;
}
