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

static volatile sig_atomic_t interrupted; /* the number of the signal */

/* What asks a program to end: each is answered by what is done until then. */
static const int requests[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_REQUESTS = sizeof requests / sizeof *requests };

/* The second one is not waited for. */
static void interrupt(int number)
{
    interrupted = number;
    for (int k = 0; k < N_REQUESTS; k++) signal(requests[k], SIG_DFL);
}

typedef struct watch {
    struct timespec begun, told;
    bool shown, line; /* progress is shown, and a line is under way */
    int values;       /* of the grid */
} watch;

static double since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* The values of the grid come first, then the steps between them. From the second second on, five
 * times a second. */
static int tell(void *data, int done, int all)
{
    watch *w = data;
    if (!w->shown || since(&w->begun) < 1 || since(&w->told) < 0.2) return interrupted;
    if (done < w->values)
        fprintf(stderr, "\r\033[Krouth: %d of %d values, %.0f s", done, w->values,
                since(&w->begun));
    else
        fprintf(stderr, "\r\033[Krouth: %d values; solved between %d of %d, %.0f s", w->values,
                done - w->values, all - w->values, since(&w->begun));
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
            return usage_error("option --orders takes up to %d numbers such as 1,2,4, not \"%s\"",
                               (int)ROUTH_SWEEP_ORDERS, text);
        o->orders[o->n_orders++] = order;
        if (!*end) return EXIT_DONE;
        at = end;
    }
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* What a word of --solve asks for; -1: it is none. */
static int solve_of(const char *text, size_t length)
{
    if (is_word(text, length, "all")) return ROUTH_SWEEP_SOLVE_ALL;
    if (is_word(text, length, "none")) return ROUTH_SWEEP_SOLVE_NONE;
    for (int what = 1; what < ROUTH_SWEEP_SOLVE_ALL; what *= 2)
        if (is_word(text, length, routh_sweep_solve_name(what))) return what;
    return -1;
}

/* "limits,crossings" */
static int read_solve(routh_sweep_options *o, const char *text)
{
    o->solve = ROUTH_SWEEP_SOLVE_NONE;
    for (const char *at = text;;) {
        const size_t length = strcspn(at, ",");
        const int what = solve_of(at, length);
        if (what < 0)
            return usage_error("option --solve takes limits, critical, crossings, veerings, all or "
                               "none, with commas between, not \"%s\"",
                               text);
        o->solve |= what;
        if (!at[length]) return EXIT_DONE;
        at += length + 1;
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
    if (given->sweep_below != 0) o->below = given->sweep_below;
    if (given->points != 0) o->points = given->points;
    if (given->damping_ratio != 0) o->damping_ratio = given->damping_ratio;
    if (given->alpha != 0 || given->xi != 0 || given->omega != 0)
        return usage_error("command sweep has no --penalty; leave it out");
    if (given->orders && !given->speed) return usage_error("option --orders needs --speed NAME");
    int status = given->orders ? read_orders(o, given->orders) : EXIT_DONE;
    if (!status && given->solve) status = read_solve(o, given->solve);
    return status ? status : run_type(given, &o->type);
}

/* "inner=1:6": the values of a range, of which the ends count. */
static int read_boundary(routh_sweep_options *o, const char *text, const routh_model *model,
                         routh_sweep_axis *range)
{
    routh_error error = {0};
    if (!text) return EXIT_DONE;
    char *values = malloc(strlen(text) + sizeof ":2");
    if (!values) return complain("out of memory"), EXIT_FAULT;
    strcat(strcpy(values, text), ":2");
    const routh_status status = routh_sweep_axis_parse(range, values, model, &error);
    free(values);
    if (status || range->n != 2 || !(range->values[0] < range->values[1]))
        return usage_error("option --boundary takes a parameter and its range, from the lower end "
                           "to the upper one, such as inner=1:6, not \"%s\"",
                           text);
    o->boundary = range->parameter;
    o->boundary_low = range->values[0], o->boundary_high = range->values[1];
    o->boundary_united = range->united;
    return EXIT_DONE;
}

/* Values with a unit become ones of the model. */
static int read_axes(routh_sweep_options *o, const options *given, const routh_model *model,
                     routh_sweep_axis axes[2], routh_sweep_axis *range)
{
    routh_error error = {0};
    for (int k = 0; k < given->n_along; k++)
        if (routh_sweep_axis_parse(&axes[k], given->along[k], model, &error)) return fault(&error);
    return read_boundary(o, given->boundary, model, range);
}

static int compute(routh_sweep **result, const options *given, const routh_model *model,
                   const routh_sweep_options *asked, const routh_sweep_axis *axes)
{
    routh_error error = {0};
    routh_sweep_options o = *asked;
    watch w = {.shown = !given->quiet && isatty(STDERR_FILENO)};
    struct sigaction action = {.sa_handler = interrupt}, before[N_REQUESTS];
    const routh_distributor dealer = given->distributed ? cluster_dealer() : (routh_distributor){0};
    if (given->distributed) o.dealer = &dealer, w.shown = false;
    o.on_progress = tell;
    o.data = &w;
    clock_gettime(CLOCK_MONOTONIC, &w.begun);
    w.told = w.begun;
    w.values = axes[0].n * (given->n_along == 2 ? axes[1].n : 1);
    for (int k = 0; k < N_REQUESTS; k++) sigaction(requests[k], &action, &before[k]);
    const routh_status status =
        routh_sweep_run_of_model(result, model, axes, given->n_along, &o, &error);
    for (int k = 0; k < N_REQUESTS; k++) sigaction(requests[k], &before[k], NULL);
    if (w.line) fputs("\r\033[K", stderr);
    return status && status != ROUTH_STOPPED ? fault(&error) : EXIT_DONE;
}

/* ---- for a section of the report ------------------------------------------------------------- */

static bool is_swept(const char *name, const routh_sweep_axis *axes, int n)
{
    for (int k = 0; k < n; k++)
        if (strcmp(name, axes[k].parameter) == 0) return true;
    return false;
}

/* The report is of one value of the parameter, which may be set; the sweep goes along others. */
static int other_settings(routh_sweep_options *o, const routh_sweep_axis *axes, int n,
                          routh_setting **rest)
{
    size_t kept = 0;
    *rest = calloc(o->n_settings + 1, sizeof **rest);
    if (!*rest) return complain("out of memory"), EXIT_FAULT;
    for (size_t k = 0; k < o->n_settings; k++)
        if (!is_swept(o->settings[k].name, axes, n)) (*rest)[kept++] = o->settings[k];
    o->settings = *rest;
    o->n_settings = kept;
    return EXIT_DONE;
}

/* The value the model has becomes one of the sweep's, where it lies between them: there the modes
 * of the report are those of the sweep. */
static int pass_through(routh_sweep_axis *axis, const routh_model *model)
{
    double own;
    int at = 0;
    if (axis->n < 2 || routh_model_evaluate(model, axis->parameter, &own, NULL)) return EXIT_DONE;
    const double *v = axis->values;
    const bool rising = v[axis->n - 1] > v[0];
    while (at < axis->n && (rising ? v[at] < own : v[at] > own)) at++;
    if (at == 0 || at == axis->n || v[at] == own) return EXIT_DONE;
    double *more = realloc(axis->values, ((size_t)axis->n + 1) * sizeof *more);
    if (!more) return complain("out of memory"), EXIT_FAULT;
    memmove(more + at + 1, more + at, (size_t)(axis->n - at) * sizeof *more);
    more[at] = own;
    axis->values = more;
    axis->n++;
    return EXIT_DONE;
}

int run_to_sweep(run *r, const options *given)
{
    routh_sweep_axis axes[2] = {{0}}, range = {0};
    routh_sweep_options o;
    routh_setting *rest = NULL;
    int status = read_options(&o, given);
    if (!status) status = run_to_model(r, given);
    if (!status) status = read_axes(&o, given, r->model, axes, &range);
    if (!status) status = other_settings(&o, axes, given->n_along, &rest);
    if (!status) status = pass_through(&axes[0], r->model);
    if (!status) status = compute(&r->sweep, given, r->model, &o, axes);
    if (!status && r->sweep->interrupted)
        remark("the sweep was interrupted; the report shows the values computed so far");
    free(rest);
    for (int k = 0; k < 2; k++) routh_sweep_axis_free(&axes[k]);
    routh_sweep_axis_free(&range);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int write_sweep(const routh_sweep *s, const options *given)
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
                                             : routh_sweep_table(s, given->units, &text, &error);
    return status ? fault(&error) : write_result(&text, given);
}

static int check_files(const options *given)
{
    if (given->n_along < 1 || given->n_along > 2)
        return usage_error("command sweep needs --over NAME=VALUES, such as --over spin=0:2*pi:41, "
                           "once or twice");
    if (given->distributed && strcmp(given->positional[0], "-") == 0)
        return usage_error("option --distributed needs a model file, not standard input (-)");
    const char *const written[] = {given->output, given->svg};
    for (int k = 0; k < 2; k++)
        if (written[k] && same_file(written[k], given->positional[0]))
            return usage_error("output would overwrite the model %s; give another file",
                               written[k]);
    return EXIT_DONE;
}

int run_sweep(const options *given)
{
    routh_sweep_axis axes[2] = {{0}}, range = {0};
    routh_sweep_options o;
    routh_sweep *result = NULL;
    routh_model *model = NULL;
    char *room = NULL;
    const char **blades = NULL;
    int status = check_files(given);
    if (!status) status = read_options(&o, given);
    if (!status) status = split_names(given->blades, &blades, &room);
    if (!status) o.blades = blades;
    if (!status) status = run_read_model(&model, given, o.settings, o.n_settings);
    if (!status) status = read_axes(&o, given, model, axes, &range);
    if (!status) status = compute(&result, given, model, &o, axes);
    if (!status && result) status = write_sweep(result, given); /* other ranks have none */
    if (!status && result && result->interrupted) {
        remark("interrupted; the values computed so far are written");
        status = interrupted ? 128 + interrupted : EXIT_FAULT;
    }
    routh_sweep_free(result);
    routh_model_free(model);
    for (int k = 0; k < 2; k++) routh_sweep_axis_free(&axes[k]);
    routh_sweep_axis_free(&range);
    free(blades);
    free(room);
    return status;
}
