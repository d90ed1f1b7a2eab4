#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "commands.h"
#include "run.h"
#include "say.h"
#include "write.h"

/* All yes, or nothing worse than a doubt: done. */
static int verdict(const routh_check_result *check, const options *given, const char *of)
{
    for (int k = 0; k < check->n_findings; k++)
        if (check->findings[k].verdict == ROUTH_NO)
            complain("%s%s: no: %s", of, check->findings[k].name, check->findings[k].text);
    if (check->verdict == ROUTH_NO) return EXIT_FAULT;
    if (check->verdict == ROUTH_CANNOT_TELL && !given->quiet)
        complain("%snothing speaks against the model, but not every answer is yes: some say "
                 "\"cannot tell\"",
                 of);
    return EXIT_DONE;
}

static int check_model(run *r, const options *given)
{
    routh_error error = {0};
    routh_check_options o = routh_check_defaults();
    o.operating = routh_operating_defaults();
    int status = run_type(given, &o.operating.type);
    if (status == EXIT_DONE) status = run_to_model(r, given);
    if (status) return status;
    o.reference = given->reference;
    o.threads = given->distributed && given->threads == 0 ? 1 : given->threads;
    return routh_check(&r->check, r->model, &o, &error) ? fault(&error) : EXIT_DONE;
}

/* ---- one model of several ------------------------------------------------------------------- */

static int check_one_of_many(void *context, int k, routh_text *out)
{
    const options *all = context;
    options given = *all;
    run r = {0};
    routh_error error = {0};
    char of[300];
    given.positional = all->positional + k;
    given.n_positional = 1;
    snprintf(of, sizeof of, "%s: ", given.positional[0]);
    int status = check_model(&r, &given);
    if (status == EXIT_DONE) {
        const routh_results results = run_results(&r);
        status = (given.json ? routh_check_json : routh_check_table)(&results, out, &error)
                     ? fault(&error)
                     : verdict(r.check, &given, of);
    }
    run_free(&r);
    return status;
}

/* The texts that there are, as one. */
static int write_all(const options *given, const routh_case *cases)
{
    const int n = given->n_positional;
    int there = 0;
    routh_error error = {0};
    routh_text text, *texts = calloc((size_t)n, sizeof *texts);
    const char **labels = calloc((size_t)n, sizeof *labels);
    routh_status status = ROUTH_OUT_OF_MEMORY;
    for (int k = 0; texts && labels && k < n; k++)
        if (cases[k].out.bytes) texts[there] = cases[k].out, labels[there++] = given->positional[k];
    if (texts && labels)
        status = given->json ? routh_models_json(texts, there, &text, &error)
                             : routh_models_table(texts, labels, there, &text, &error);
    else
        complain("out of memory");
    free(texts);
    free(labels);
    if (status) return error.status ? fault(&error) : EXIT_FAULT;
    return write_text(&text, given->output);
}

static int check_many(const options *given)
{
    const int n = given->n_positional;
    routh_case *cases = calloc((size_t)n, sizeof *cases);
    if (!cases) return complain("out of memory"), EXIT_FAULT;
    int status = cases_run(n, check_one_of_many, (void *)given, given->distributed, cases);
    if (status == EXIT_DONE && cluster_rank() == 0) {
        status = write_all(given, cases);
        for (int k = 0; k < n; k++)
            if (status == EXIT_DONE) status = cases[k].status;
    }
    cases_free(n, cases);
    return status;
}

int run_check(const options *given)
{
    run r = {0};
    if (given->n_positional > 1) return check_many(given);
    if (given->distributed)
        return usage_error("--distributed goes with several models: routh check MODEL MODEL...");
    int status = check_model(&r, given);
    if (status == EXIT_DONE)
        status =
            run_write(&r, given, (run_forms){.table = routh_check_table, .json = routh_check_json});
    if (status == EXIT_DONE) status = verdict(r.check, given, "");
    run_free(&r);
    return status;
}
