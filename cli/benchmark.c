/* Problems with a known answer, computed. */
#include <string.h>

#include "commands.h"
#include "say.h"
#include "write.h"

static int write_model(const options *given)
{
    routh_text text;
    routh_error error = {0};
    if (given->n_positional != 1)
        return usage_error("option --model needs the name of one problem");
    if (routh_benchmark_model(given->positional[0], &text, &error)) return fault(&error);
    return write_text(&text, given->output);
}

static int write_benchmark(const routh_benchmark *b, const options *given)
{
    routh_error error = {0};
    routh_text text;
    const routh_status status = given->json   ? routh_benchmark_json(b, &text, &error)
                                : given->csv  ? routh_benchmark_csv(b, &text, &error)
                                : given->list ? routh_benchmark_list(b, &text, &error)
                                              : routh_benchmark_table(b, &text, &error);
    return status ? fault(&error) : write_result(&text, given);
}

static int judge(const routh_benchmark *b)
{
    if (b->n_wrong)
        complain("%d of %d numbers disagree with their source", b->n_wrong, b->n_values);
    return b->n_wrong ? EXIT_FAULT : EXIT_DONE;
}

int run_benchmark(const options *given)
{
    routh_error error = {0};
    routh_benchmark *b = NULL;
    const routh_benchmark_options o = {
        .names = given->positional, .n_names = given->n_positional, .list = given->list};
    if (given->model_text) return write_model(given);
    if (routh_benchmark_run(&b, &o, &error)) return fault(&error);
    int status = write_benchmark(b, given);
    if (!status) status = judge(b);
    routh_benchmark_free(b);
    return status;
}
