#include "models.h"

#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "say.h"
#include "write.h"

typedef struct plan {
    const options *given;
    model_step step;
} plan;

static int run_model(void *context, int k, routh_text *out)
{
    const plan *p = context;
    options one = *p->given;
    one.positional = p->given->positional + k;
    one.n_positional = 1;
    one.distributed = false;
    if (p->given->distributed && one.threads == 0) one.threads = 1;
    say_about(one.positional[0]);
    const int status = p->step(&one, out);
    say_about(NULL);
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
        status = given->json  ? routh_linear_models_json(texts, there, &text, &error)
                 : given->csv ? routh_linear_models_csv(texts, labels, there, &text, &error)
                              : routh_linear_models_table(texts, labels, there, &text, &error);
    else
        complain("out of memory");
    free(texts);
    free(labels);
    if (status) return error.status ? fault(&error) : EXIT_FAULT;
    return write_result(&text, given);
}

static int check(const options *given)
{
    for (int k = 0; k < given->n_positional; k++)
        if (strcmp(given->positional[k], "-") == 0)
            return usage_error("standard input (-) cannot be one of several models; give a file");
        else if (given->output && same_file(given->output, given->positional[k]))
            return usage_error("option --output would overwrite the model %s; give another file",
                               given->output);
    if (given->save_state)
        return usage_error("option --save-state takes one model, and %d are given; run them one by "
                           "one",
                           given->n_positional);
    return EXIT_DONE;
}

int models_run(const options *given, model_step step)
{
    const int n = given->n_positional;
    plan p = {given, step};
    int status = check(given);
    if (status) return status;
    routh_case *cases = calloc((size_t)n, sizeof *cases);
    if (!cases) return complain("out of memory"), EXIT_FAULT;
    status = cases_run(n, run_model, &p, given->distributed, cases);
    if (status == EXIT_DONE && cluster_rank() == 0) {
        status = write_all(given, cases);
        for (int k = 0; k < n; k++)
            if (status == EXIT_DONE) status = cases[k].status;
    }
    cases_free(n, cases);
    return status;
}
