#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare.h"
#include "run.h"
#include "saved.h"
#include "say.h"
#include "write.h"

/* The model's name without folder and ending, with .html; "report.html" for standard input. To be
 * freed. */
static char *page_name(const char *model)
{
    const char *slash = strrchr(model, '/');
    const char *name = strcmp(model, "-") == 0 ? "report" : slash ? slash + 1 : model;
    const char *dot = strrchr(name, '.');
    const size_t length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    char *page = malloc(length + sizeof ".html");
    if (!page) return NULL;
    memcpy(page, name, length);
    memcpy(page + length, ".html", sizeof ".html");
    return page;
}

/* The name of an option that says something of the frequency response alone. */
static const char *response_option(const options *given)
{
    if (given->input) return "input";
    if (given->of) return "of";
    if (given->base) return "base";
    if (given->as) return "as";
    if (given->psd) return "psd";
    if (given->over[1] != 0) return "over";
    if (given->error != 0) return "error";
    return given->modes_to != 0 ? "modes-to" : NULL;
}

/* The same of the sweep. */
static const char *sweep_option(const options *given)
{
    if (given->speed) return "speed";
    if (given->orders) return "orders";
    if (given->boundary) return "boundary";
    return given->damping_ratio != 0 ? "damping-ratio" : NULL;
}

/* The same of the periodic motion. */
static const char *floquet_option(const options *given)
{
    return given->period        ? "period"
           : given->period_of   ? "period-of"
           : given->period_near ? "period-near"
           : given->blades      ? "blades"
           : given->no_shooting ? "no-shooting"
                                : NULL;
}

/* What says something of a section that is not asked for. */
static int check_sections(const options *given)
{
    const char *needs = response_option(given);
    if (needs && !given->response) return usage_error("option --%s needs --response", needs);
    needs = floquet_option(given);
    if (needs && !given->floquet) return usage_error("option --%s needs --floquet", needs);
    needs = sweep_option(given);
    if (given->n_along == 0)
        return needs ? usage_error("option --%s needs --sweep", needs) : EXIT_DONE;
    if (given->n_along > 2)
        return usage_error("option --sweep is given %d times; give it once, or twice for a map",
                           given->n_along);
    if (strcmp(given->positional[0], "-") == 0)
        return usage_error("option --sweep needs a model file, not standard input (-)");
    return EXIT_DONE;
}

static int write_page(const run *r, const pair *two, const options *given)
{
    routh_text text;
    routh_error error = {0};
    routh_results results = run_results(r);
    const routh_results second = run_results(&two->run[1]);
    results.comparison = two->comparison;
    if (two->comparison) results.second = &second;
    if (routh_report_html(&results, &text, &error)) return fault(&error);
    const double megabytes = 1e-6 * (double)text.length;
    run_warn(r, given);
    const int status = write_text(&text, given->output);
    if (status == EXIT_DONE && !given->quiet && strcmp(given->output, "-") != 0)
        fprintf(stderr, "%s: %.1f MB; open it in any browser, no network needed\n", given->output,
                megabytes);
    return status;
}

/* Both models with all their modes, whatever part of the first one's the page shows. */
static int add_comparison(pair *two, options *o, const options *given)
{
    *o = *given;
    o->wanted = 0;
    two->given = o;
    if (given->n_positional < 2 && given->n_versus == 0) return EXIT_DONE;
    const int status = pair_check(given);
    return status ? status : pair_find(two);
}

int run_report(const options *given)
{
    run r = {0};
    pair two = {0};
    options of_two;
    options all = *given;
    if (saved_is_given(given)) return saved_refuse(given);
    const int usage = check_sections(given);
    if (usage) return usage;
    char *name = NULL;
    if (!all.output) all.output = name = page_name(given->positional[0]);
    if (!all.output) return complain("out of memory"), EXIT_FAULT;
    int status = all.verify ? run_to_verification(&r, &all, WITH_MARKERS | WITH_SHARES)
                             : run_to_modes(&r, &all, WITH_MARKERS | WITH_SHARES);
    if (status == EXIT_DONE) status = run_to_animation(&r, &all, WITH_MARKERS | WITH_SHARES);
    if (status == EXIT_DONE && all.check) status = run_to_check(&r, &all);
    if (status == EXIT_DONE && all.response) status = run_to_response(&r, &all, WITH_SHARES);
    if (status == EXIT_DONE && all.n_along > 0) status = run_to_sweep(&r, &all);
    if (status == EXIT_DONE && all.sensitivity) status = run_to_sensitivity(&r, &all, WITH_SHARES);
    if (status == EXIT_DONE && all.floquet) status = run_to_floquet(&r, &all);
    if (status == EXIT_DONE) status = add_comparison(&two, &of_two, &all);
    if (status == EXIT_DONE) status = run_save_state(&r, &all);
    if (status == EXIT_DONE) status = write_page(&r, &two, &all);
    pair_free(&two);
    run_free(&r);
    free(name);
    return status;
}
