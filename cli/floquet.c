#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "run.h"
#include "saved.h"
#include "say.h"
#include "write.h"

static const double full_turn = 6.28318530717958647692;

/* The period as one of the options has it, an expression of the model's parameters. */
static int find_period(const run *r, const options *given, double *period)
{
    routh_error error = {0};
    const char *const forms[] = {given->period, given->period_of, given->period_near};
    int n = 0;
    for (size_t k = 0; k < 3; k++) n += forms[k] != NULL;
    if (n != 1)
        return usage_error("command floquet needs --period, --period-of or --period-near, such as "
                           "--period-of spin");
    static const char *const options_of[] = {"period", "period-of", "period-near"};
    const size_t given_one = forms[0] ? 0 : forms[1] ? 1 : 2;
    double value;
    if (routh_model_evaluate_si(r->model, forms[given_one], given->period_of ? "rad/s" : "s",
                                &value, &error)) {
        snprintf(error.element, sizeof error.element, "option --%s", options_of[given_one]);
        return fault(&error);
    }
    *period = given->period_of ? full_turn / fabs(value) : value;
    return EXIT_DONE;
}

int split_names(const char *names, const char ***list, char **room)
{
    size_t n = 2;
    if (!names) return EXIT_DONE;
    for (const char *c = names; *c; c++) n += *c == ',';
    *room = malloc(strlen(names) + 1);
    *list = calloc(n, sizeof **list);
    if (!*room || !*list) return complain("out of memory"), EXIT_FAULT;
    strcpy(*room, names);
    n = 0;
    for (char *at = *room; at;) {
        char *comma = strchr(at, ',');
        if (comma) *comma = '\0';
        (*list)[n++] = at;
        at = comma ? comma + 1 : NULL;
    }
    return EXIT_DONE;
}

static int compute(run *r, const options *given, const char *const *blades)
{
    routh_error error = {0};
    routh_floquet_options o = routh_floquet_defaults();
    const int status = find_period(r, given, &o.period);
    if (status) return status;
    o.autonomous = given->period_near != NULL;
    o.no_shooting = given->no_shooting;
    o.blades = blades;
    if (given->tolerance > 0) o.tolerance = given->tolerance;
    if (routh_floquet_compute(&r->floquet, r->mechanism, r->point, &o, &error))
        return fault(&error);
    return EXIT_DONE;
}

/* ---- a boundary of stability ----------------------------------------------------------------- */

/* "amplitude=0.01:0.02"; the name in room, which holds the whole text. */
static bool parse_boundary(routh_boundary_options *o, const char *text, char *room)
{
    strcpy(room, text);
    char *equals = strchr(room, '='), *end;
    if (!equals || equals == room) return false;
    *equals = '\0';
    o->parameter = room;
    o->from = strtod(equals + 1, &end);
    if (end == equals + 1 || *end != ':') return false;
    const char *second = end + 1;
    o->to = strtod(second, &end);
    return end != second && !*end && isfinite(o->from) && isfinite(o->to) && o->from != o->to;
}

static int parse_crossing(routh_boundary_options *o, const char *name)
{
    static const char *const names[] = {"one", "minus-one", "circle"};
    o->crossing = ROUTH_CROSSING_ANY;
    for (int k = 0; name && k < 3; k++)
        if (strcmp(name, names[k]) == 0) o->crossing = (routh_crossing)k;
    if (name && o->crossing == ROUTH_CROSSING_ANY)
        return usage_error("option --crossing takes one, minus-one or circle, not \"%s\"", name);
    return EXIT_DONE;
}

/* What a boundary has no use for. */
static int check_boundary(const options *given)
{
    const char *other = given->n_at          ? "at"
                        : given->from        ? "from"
                        : given->save_state  ? "save-state"
                        : given->blades      ? "blades"
                        : given->no_shooting ? "no-shooting"
                        : given->csv         ? "csv"
                        : given->units       ? "units"
                        : given->period_near ? "period-near"
                                             : NULL;
    if (other)
        return usage_error("option --%s excludes --boundary, which uses the operating point and "
                           "the period of the model; leave it out",
                           other);
    if (!given->period == !given->period_of)
        return usage_error("option --boundary needs --period or --period-of, such as --period-of "
                           "spin");
    return EXIT_DONE;
}

static int find_boundary(const options *given, routh_boundary_options *o, routh_text *text)
{
    routh_error error = {0};
    routh_boundary boundary;
    routh_model *model = NULL;
    const int read = run_read_model(&model, given, given->settings, (size_t)given->n_settings);
    if (read) return read;
    const routh_status found = routh_boundary_find_of_model(&boundary, model, o, &error);
    routh_model_free(model);
    if (found) return fault(&error);
    const routh_status status = given->json ? routh_boundary_json(&boundary, o, text, &error)
                                            : routh_boundary_table(&boundary, o, text, &error);
    return status ? fault(&error) : EXIT_DONE;
}

static int run_boundary(const options *given)
{
    routh_boundary_options o = routh_boundary_defaults();
    routh_text text = {0};
    int status = check_boundary(given);
    if (!status) status = parse_crossing(&o, given->crossing);
    if (status) return status;
    const size_t size = given->period_of ? strlen(given->period_of) + 16 : 1;
    char *room = malloc(strlen(given->boundary) + 1), *period = malloc(size);
    if (!room || !period) {
        complain("out of memory");
        status = EXIT_FAULT;
    } else if (!parse_boundary(&o, given->boundary, room)) {
        status = usage_error("option --boundary takes a parameter and two values, such as "
                             "amplitude=0.01:0.02, not \"%s\"",
                             given->boundary);
    }
    if (!status && given->period_of) snprintf(period, size, "2*pi/abs(%s)", given->period_of);
    o.period = given->period_of ? period : given->period;
    o.coordinates = given->coordinates;
    if (given->tolerance > 0) o.tolerance = given->tolerance;
    if (!status) status = find_boundary(given, &o, &text);
    if (!status) status = write_result(&text, given);
    free(room);
    free(period);
    return status;
}

int run_to_floquet(run *r, const options *given)
{
    char *room = NULL;
    const char **blades = NULL;
    int status = run_to_point(r, given);
    if (status == EXIT_DONE) status = split_names(given->blades, &blades, &room);
    if (status == EXIT_DONE) status = compute(r, given, blades);
    free(blades);
    free(room);
    return status;
}

int run_floquet(const options *given)
{
    run r = {0};
    if (given->boundary && !saved_is_given(given)) return run_boundary(given);
    if (given->crossing && !given->boundary)
        return usage_error("option --crossing needs "
                           "--boundary");
    int status = saved_is_given(given) ? saved_refuse(given) : run_to_floquet(&r, given);
    if (status == EXIT_DONE) status = run_save_state(&r, given);
    if (status == EXIT_DONE)
        status = run_write(&r, given,
                           (run_forms){.table = routh_floquet_table,
                                       .json = routh_floquet_json,
                                       .csv = routh_floquet_csv});
    run_free(&r);
    return status;
}
