/* routh optimise: parameters by a study file, with progress on a terminal. */
#define _POSIX_C_SOURCE 200809L /* sigaction, clock_gettime, isatty */

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "run.h"
#include "say.h"
#include "write.h"

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

typedef struct watch {
    struct timespec told;
    bool shown, line; /* progress is shown, and a line is under way */
} watch;

static double since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* Five times a second. */
static int tell(void *data, int evaluation, double objective, double violation)
{
    watch *w = data;
    if (!w->shown || since(&w->told) < 0.2) return interrupted;
    fprintf(stderr, "\r\033[Krouth: evaluation %d, ", evaluation);
    if (isnan(objective))
        fputs("which failed", stderr);
    else
        fprintf(stderr, "objective %.6g, violation %.2g", objective, violation);
    w->line = true;
    clock_gettime(CLOCK_MONOTONIC, &w->told);
    return interrupted;
}

static int read_options(routh_optimum_options *o, const options *given)
{
    *o = routh_optimum_defaults();
    o->coordinates = given->coordinates;
    o->method = given->method;
    o->reference = given->reference;
    o->settings = given->settings;
    o->n_settings = (size_t)given->n_settings;
    o->algorithm = given->algorithm;
    o->evaluations = given->evaluations;
    o->seconds = given->seconds;
    o->log = given->resume_log ? given->resume_log : given->log;
    o->resume = given->resume_log != NULL;
    return run_type(given, &o->type);
}

static int optimise(routh_optimum **result, const options *given,
                    const routh_optimum_options *asked)
{
    routh_error error = {0};
    routh_optimum_options o = *asked;
    watch w = {.shown = !given->quiet && isatty(STDERR_FILENO)};
    routh_model *model = NULL;
    const int read = run_read_model(&model, given, o.settings, o.n_settings);
    if (read) return read;
    struct sigaction action = {.sa_handler = interrupt}, before;
    o.on_evaluation = tell;
    o.data = &w;
    clock_gettime(CLOCK_MONOTONIC, &w.told);
    sigaction(SIGINT, &action, &before);
    const routh_status status =
        routh_optimum_find_of_model(result, model, given->study, NULL, &o, &error);
    routh_model_free(model);
    sigaction(SIGINT, &before, NULL);
    if (w.line) fputs("\r\033[K", stderr);
    return status && status != ROUTH_STOPPED ? fault(&error) : EXIT_DONE;
}

static bool is_variable(const routh_optimum *o, const char *name)
{
    for (int k = 0; k < o->n_variables; k++)
        if (strcmp(o->variables[k].name, name) == 0) return true;
    return false;
}

/* The model with the values found, and with those of --set. */
static int write_model(const routh_optimum *o, const options *given)
{
    enum { SIZE = 32 };
    const size_t n_x = (size_t)o->n_variables, most = n_x + (size_t)given->n_settings;
    routh_error error = {0};
    routh_text text = {0};
    if (!given->write_model) return EXIT_DONE;
    const char *to = strcmp(given->write_model, "-") == 0 ? NULL : given->write_model;
    routh_setting *settings = calloc(most + 1, sizeof *settings);
    char(*values)[SIZE] = calloc(n_x + 1, sizeof *values);
    int status = settings && values ? EXIT_DONE : EXIT_FAULT;
    if (status) complain("out of memory");
    size_t n = 0;
    for (int k = 0; k < given->n_settings && !status; k++)
        if (!is_variable(o, given->settings[k].name)) settings[n++] = given->settings[k];
    for (size_t k = 0; k < n_x && !status; k++) {
        snprintf(values[k], SIZE, "%.17g", o->variables[k].after);
        settings[n++] = (routh_setting){o->variables[k].name, values[k]};
    }
    if (!status && routh_model_rewrite(given->positional[0], to, settings, n, &text, &error))
        status = fault(&error);
    if (!status) status = write_text(&text, given->write_model);
    free(settings);
    free(values);
    return status;
}

static int write_optimum(const routh_optimum *o, const options *given)
{
    routh_error error = {0};
    routh_text text;
    const routh_status status =
        given->json ? routh_optimum_json(o, &text, &error)
                    : routh_optimum_table(o, given->units, &text, &error);
    return status ? fault(&error) : write_result(&text, given);
}

static int check_files(const options *given)
{
    const char *const written[] = {given->output, given->write_model, given->log,
                                   given->resume_log};
    if (!given->study)
        return usage_error("command optimise needs --study FILE, which lists the design parameters "
                           "and the goals");
    if (given->log && given->resume_log)
        return usage_error("options --resume and --log exclude each other: --resume FILE appends "
                           "to FILE; leave out --log");
    if (given->write_model && strcmp(given->positional[0], "-") == 0)
        return usage_error("option --write-model needs a model file, not standard input (-)");
    for (int k = 0; k < 4; k++)
        if (written[k] &&
            (same_file(written[k], given->positional[0]) || same_file(written[k], given->study)))
            return usage_error("output would overwrite the input file %s; give another file",
                               written[k]);
    return EXIT_DONE;
}

/* Did it reach what was asked for? */
static int judge(const routh_optimum *o)
{
    if (o->end == ROUTH_OPTIMISE_CONVERGED && o->violation <= 1e-6) return EXIT_DONE;
    if (o->end == ROUTH_OPTIMISE_CONVERGED)
        complain("no values satisfy all bounds of the goals; those with the smallest violation "
                 "are written");
    else
        complain("%s; the best values so far are written", routh_optimum_end_name(o->end));
    return EXIT_FAULT;
}

int run_optimise(const options *given)
{
    routh_optimum_options o;
    routh_optimum *result = NULL;
    int status = check_files(given);
    if (!status) status = read_options(&o, given);
    if (!status) status = optimise(&result, given, &o);
    if (!status) status = write_model(result, given);
    if (!status) status = write_optimum(result, given);
    if (!status) status = judge(result);
    routh_optimum_free(result);
    return status;
}
