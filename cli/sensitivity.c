#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "names.h"
#include "run.h"
#include "saved.h"
#include "say.h"

/* What --parameters and --modes name. */
typedef struct lists {
    name_list parameters;
    int *numbers;
    int n_numbers;
    double *hz;
    int n_hz;
} lists;

static void lists_free(lists *l)
{
    names_free(&l->parameters);
    free(l->numbers);
    free(l->hz);
}

static int no_memory(void)
{
    complain("out of memory");
    return EXIT_FAULT;
}

static int bad_numbers(const char *text)
{
    usage_error("option --modes takes numbers and ranges of modes, such as 1,3-5, not \"%s\"",
                text);
    return EXIT_USAGE;
}

/* "1,3-5" */
static int take_numbers(lists *l, const char *text)
{
    enum { MOST = 100000 };
    if (!text) return EXIT_DONE;
    for (const char *at = text;; at++) {
        char *end;
        const long first = strtol(at, &end, 10);
        if (*at < '0' || *at > '9') return bad_numbers(text);
        long last = first;
        if (*end == '-') {
            at = end + 1;
            if (*at < '0' || *at > '9') return bad_numbers(text);
            last = strtol(at, &end, 10);
        }
        if (first < 1 || last < first || last > MOST) return bad_numbers(text);
        const size_t n = (size_t)l->n_numbers + (size_t)(last - first) + 1;
        int *more = n > MOST ? NULL : realloc(l->numbers, n * sizeof *more);
        if (!more) return n > MOST ? bad_numbers(text) : no_memory();
        l->numbers = more;
        for (long k = first; k <= last; k++) l->numbers[l->n_numbers++] = (int)k;
        if (*end == '\0') return EXIT_DONE;
        if (*end != ',') return bad_numbers(text);
        at = end;
    }
}

/* "0.5,2" */
static int take_hz(lists *l, const char *text)
{
    l->hz = calloc((text ? strlen(text) : 0) + 1, sizeof *l->hz);
    if (!l->hz) return no_memory();
    for (const char *at = text; at;) {
        char *end;
        const double hz = strtod(at, &end);
        if (end == at || !isfinite(hz) || hz < 0 || (*end && *end != ','))
            return usage_error("option --frequencies takes numbers of Hz with commas between, such "
                               "as 0.5,2, not \"%s\"",
                               text);
        l->hz[l->n_hz++] = hz;
        at = *end ? end + 1 : NULL;
    }
    return EXIT_DONE;
}

/* Of the response: at the frequencies given, else where JSON and CSV have room for all. */
static int response_step(run *r, const options *given)
{
    routh_error error = {0};
    routh_response_options asked;
    lists l = {0};
    int status = names_take(&l.parameters, given->parameters);
    if (status == EXIT_DONE) status = take_hz(&l, given->frequencies);
    if (status == EXIT_DONE) status = run_response_options(&asked, given);
    if (status == EXIT_DONE) status = run_to_modes(r, given, WITH_SHARES);
    if (status == EXIT_DONE) status = run_to_response(r, given, WITH_SHARES);
    const bool all = !given->frequencies && (given->json || given->csv);
    const routh_response_sensitivity_options o = {
        .parameters = l.parameters.names, .hz = all ? NULL : l.hz, .n_hz = l.n_hz};
    if (status == EXIT_DONE &&
        routh_response_sensitivity_compute(&r->response_sensitivities, r->mechanism, r->point,
                                           r->linear, r->response, &asked, &o, &error))
        status = fault(&error);
    lists_free(&l);
    return status;
}

/* An option that says something of the response alone. */
static const char *response_option(const options *given)
{
    if (given->input) return "input";
    if (given->of) return "of";
    if (given->base) return "base";
    if (given->as) return "as";
    if (given->frequencies) return "frequencies";
    return given->over[1] != 0 ? "over" : NULL;
}

int run_to_sensitivity(run *r, const options *given, int parts)
{
    routh_error error = {0};
    lists l = {0};
    int status = names_take(&l.parameters, given->parameters);
    if (status == EXIT_DONE) status = take_numbers(&l, given->of_modes);
    if (status == EXIT_DONE && !r->modes) status = run_to_modes(r, given, parts);
    const routh_sensitivity_options o = {.parameters = l.parameters.names,
                                         .reference = given->reference,
                                         .numbers = l.numbers,
                                         .n_numbers = l.n_numbers};
    if (status == EXIT_DONE &&
        routh_sensitivity_compute(&r->sensitivities, r->mechanism, r->point, r->modes, &o, &error))
        status = fault(&error);
    lists_free(&l);
    return status;
}

/* Effects on all modes of the linear model about each operating point that is asked for. */
static int step(run *r, const options *given) { return run_to_sensitivity(r, given, 0); }

int run_sensitivity(const options *given)
{
    const char *needs = response_option(given);
    if (saved_is_given(given)) return saved_refuse(given);
    if (needs && !given->response) return usage_error("option --%s needs --response", needs);
    if (given->response && given->of_modes)
        return usage_error("options --modes and --response exclude each other; leave out one");
    if (given->response)
        return run_each(given, response_step,
                        (run_forms){.table = routh_response_sensitivity_table,
                                    .json = routh_response_sensitivity_json,
                                    .csv = routh_response_sensitivity_csv});
    return run_each(given, step,
                    (run_forms){.table = routh_sensitivity_table,
                                .json = routh_sensitivity_json,
                                .csv = routh_sensitivity_csv});
}
