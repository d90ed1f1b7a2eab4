#include "commands.h"
#include "run.h"
#include "saved.h"
#include "say.h"
#include "write.h"

static int draw_sparsity(const options *given)
{
    run r = {0};
    routh_error error = {0};
    routh_sparsity *sparsity = NULL;
    routh_text text;
    if (given->output || given->json || given->csv)
        return usage_error("option --sparsity FILE replaces the linear model; leave out --output, "
                           "--json and --csv");
    int status = run_to_point(&r, given);
    if (status == EXIT_DONE && (routh_sparsity_find(&sparsity, r.mechanism, r.point, &error) ||
                                routh_sparsity_svg(sparsity, &text, &error)))
        status = fault(&error);
    if (status == EXIT_DONE) status = write_text(&text, given->sparsity);
    routh_sparsity_free(sparsity);
    run_free(&r);
    return status;
}

static int to_matrices(run *r, const options *given) { return run_to_linear(r, given, 0); }

static int to_whole(run *r, const options *given)
{
    return run_to_linear(r, given, WITH_MARKERS | WITH_SHARES);
}

static int save(const options *given, const char *format)
{
    run r = {0};
    int status = to_whole(&r, given);
    if (status == EXIT_DONE) status = run_save_state(&r, given);
    if (status == EXIT_DONE) status = saved_write(&r, given, format);
    run_free(&r);
    return status;
}

int run_linearize(const options *given)
{
    const char *format;
    if (given->sparsity && !saved_is_given(given)) return draw_sparsity(given);
    const int status = saved_format(&format, given);
    if (status) return status;
    if (format) return save(given, format);
    return run_each(given, given->json ? to_whole : to_matrices,
                    (run_forms){routh_linear_table, routh_linear_json, routh_linear_csv});
}
