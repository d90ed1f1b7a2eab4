#include <string.h>

#include "commands.h"
#include "names.h"
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
    if (given->sensitivity_by)
        return usage_error("option --sparsity FILE replaces the linear model; leave out "
                           "--sensitivity");
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

/* The linear model, and derivatives of its matrices where they are asked for. */
static int to_linear(run *r, const options *given, int parts)
{
    const char *by = given->sensitivity_by;
    routh_error error = {0};
    name_list names = {0};
    int status = by && strcmp(by, "all") != 0 ? names_take(&names, by) : EXIT_DONE;
    if (status == EXIT_DONE) status = run_to_linear(r, given, parts);
    const routh_sensitivity_options o = {.parameters = names.names};
    if (status == EXIT_DONE && by &&
        routh_matrix_sensitivity_compute(&r->matrix_sensitivities, r->mechanism, r->point,
                                         r->linear, &o, &error))
        status = fault(&error);
    names_free(&names);
    return status;
}

static int to_matrices(run *r, const options *given) { return to_linear(r, given, 0); }

static int to_whole(run *r, const options *given)
{
    return to_linear(r, given, WITH_MARKERS | WITH_SHARES);
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
    if (format && given->sensitivity_by)
        return usage_error("derivatives are not part of saved linear models; write them by --json "
                           "or --csv (routh linearize MODEL --sensitivity %s --json --output FILE)",
                           given->sensitivity_by);
    if (format) options_say_si(given, "saved linear models are");
    if (format) return save(given, format);
    return run_each(given, given->json ? to_whole : to_matrices,
                    (run_forms){routh_linear_table, routh_linear_json, routh_linear_csv});
}
