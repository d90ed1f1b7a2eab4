#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "run.h"
#include "saved.h"
#include "say.h"

static const double full_turn = 6.28318530717958647692;

/* The period as one of the options has it, an expression of the model's parameters. */
static int find_period(const run *r, const options *given, double *period)
{
    routh_error error = {0};
    const char *const forms[] = {given->period, given->period_of, given->period_near};
    int n = 0;
    for (size_t k = 0; k < 3; k++) n += forms[k] != NULL;
    if (n != 1)
        return usage_error("one of --period, --period-of and --period-near is needed, such as "
                           "--period-of spin");
    const char *form = given->period      ? given->period
                       : given->period_of ? given->period_of
                                          : given->period_near;
    double value;
    if (routh_model_evaluate(r->model, form, &value, &error)) return fault(&error);
    *period = given->period_of ? full_turn / fabs(value) : value;
    return EXIT_DONE;
}

/* "blade1,blade2,blade3" as a list that ends with NULL; *room is to be freed. */
static int split(const char *names, const char ***list, char **room)
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
    o.as_given = given->as_given;
    o.blades = blades;
    if (given->tolerance > 0) o.tolerance = given->tolerance;
    if (routh_floquet_compute(&r->floquet, r->mechanism, r->point, &o, &error))
        return fault(&error);
    return EXIT_DONE;
}

int run_floquet(const options *given)
{
    run r = {0};
    char *room = NULL;
    const char **blades = NULL;
    int status = saved_is_given(given) ? saved_refuse(given) : run_to_point(&r, given);
    if (status == EXIT_DONE) status = split(given->blades, &blades, &room);
    if (status == EXIT_DONE) status = compute(&r, given, blades);
    if (status == EXIT_DONE) status = run_save_state(&r, given);
    if (status == EXIT_DONE)
        status = run_write(&r, given,
                           (run_forms){.table = routh_floquet_table,
                                       .json = routh_floquet_json,
                                       .csv = routh_floquet_csv});
    run_free(&r);
    free(blades);
    free(room);
    return status;
}
