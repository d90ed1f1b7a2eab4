/* routh sweep: eigenvalues against parameters, with progress on a terminal. */
#define _POSIX_C_SOURCE 200809L /* sigaction, clock_gettime, isatty */

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cluster.h"
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
    struct timespec begun, told;
    bool shown, line; /* progress is shown, and a line is under way */
} watch;

static double since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* From the second second on, five times a second. */
static int tell(void *data, int done, int all)
{
    watch *w = data;
    if (!w->shown || since(&w->begun) < 1 || since(&w->told) < 0.2) return interrupted;
    fprintf(stderr, "\r\033[Krouth: %d of %d values, %.0f s left", done, all,
            done > 0 ? since(&w->begun) * (all - done) / done : 0);
    w->line = true;
    clock_gettime(CLOCK_MONOTONIC, &w->told);
    return interrupted;
}

/* "1,2,0.5" */
static int read_orders(routh_sweep_options *o, const char *text)
{
    o->n_orders = 0;
    for (const char *at = text;; at++) {
        char *end;
        const double order = strtod(at, &end);
        if (end == at || !(order >= 0) || !isfinite(order) || (*end && *end != ',') ||
            o->n_orders == ROUTH_SWEEP_ORDERS)
            return usage_error("--orders takes up to %d numbers such as 1,2,4, not \"%s\"",
                               (int)ROUTH_SWEEP_ORDERS, text);
        o->orders[o->n_orders++] = order;
        if (!*end) return EXIT_DONE;
        at = end;
    }
}

static int read_options(routh_sweep_options *o, const options *given)
{
    *o = routh_sweep_defaults();
    o->coordinates = given->coordinates;
    o->method = given->method;
    o->reference = given->reference;
    o->settings = given->settings;
    o->n_settings = (size_t)given->n_settings;
    o->threads = given->threads;
    o->speed = given->speed;
    if (given->damping_ratio != 0) o->damping_ratio = given->damping_ratio;
    if (given->alpha != 0 || given->xi != 0 || given->omega != 0)
        return usage_error("routh sweep takes no --penalty");
    if (given->orders && !given->speed) return usage_error("--orders goes with --speed NAME");
    const int status = given->orders ? read_orders(o, given->orders) : EXIT_DONE;
    return status ? status : run_type(given, &o->type);
}

static int sweep(routh_sweep **result, const options *given, const routh_sweep_options *asked,
                 const routh_sweep_axis *axes)
{
    routh_error error = {0};
    routh_sweep_options o = *asked;
    watch w = {.shown = !given->quiet && isatty(STDERR_FILENO)};
    struct sigaction action = {.sa_handler = interrupt}, before;
    const routh_dealer dealer = given->distributed ? cluster_dealer() : (routh_dealer){0};
    if (given->distributed) o.dealer = &dealer, w.shown = false;
    o.on_progress = tell;
    o.data = &w;
    clock_gettime(CLOCK_MONOTONIC, &w.begun);
    w.told = w.begun;
    sigaction(SIGINT, &action, &before);
    const routh_status status =
        routh_sweep_run(result, given->positional[0], axes, given->n_along, &o, &error);
    sigaction(SIGINT, &before, NULL);
    if (w.line) fputs("\r\033[K", stderr);
    return status ? fault(&error) : EXIT_DONE;
}

static int write_result(const routh_sweep *s, const options *given)
{
    routh_error error = {0};
    routh_text text;
    if (given->svg) {
        if (routh_sweep_svg(s, &text, &error)) return fault(&error);
        const int status = write_text(&text, given->svg);
        if (status) return status;
    }
    const routh_status status = given->json  ? routh_sweep_json(s, &text, &error)
                                : given->csv ? routh_sweep_csv(s, &text, &error)
                                             : routh_sweep_table(s, &text, &error);
    return status ? fault(&error) : write_text(&text, given->output);
}

static int check_files(const options *given)
{
    if (given->n_along < 1 || given->n_along > 2)
        return usage_error("routh sweep needs --over NAME=VALUES, such as --over spin=0:2*pi:41, "
                           "once or twice");
    if (given->distributed && strcmp(given->positional[0], "-") == 0)
        return usage_error("--distributed reads the model in every process: give a file, not "
                           "standard input (-)");
    const char *const written[] = {given->output, given->svg};
    for (int k = 0; k < 2; k++)
        if (written[k] && same_file(written[k], given->positional[0]))
            return usage_error("%s would overwrite the model; give another name", written[k]);
    return EXIT_DONE;
}

int run_sweep(const options *given)
{
    routh_sweep_axis axes[2] = {{0}};
    routh_sweep_options o;
    routh_sweep *result = NULL;
    routh_error error = {0};
    int status = check_files(given);
    if (!status) status = read_options(&o, given);
    for (int k = 0; k < given->n_along && !status; k++)
        if (routh_sweep_axis_parse(&axes[k], given->along[k], &error)) status = fault(&error);
    if (!status) status = sweep(&result, given, &o, axes);
    if (!status && result) status = write_result(result, given); /* other ranks have none */
    if (!status && result && result->interrupted) {
        complain("interrupted: what was done until then is written");
        status = EXIT_FAULT;
    }
    routh_sweep_free(result);
    for (int k = 0; k < 2; k++) routh_sweep_axis_release(&axes[k]);
    return status;
}
