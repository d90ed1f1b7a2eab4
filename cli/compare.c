#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare.h"
#include "run.h"
#include "saved.h"
#include "say.h"
#include "write.h"

enum { NODES = 6, ROOM = 40 };

static routh_compared compared(const run *r)
{
    return (routh_compared){r->mechanism, r->point, r->linear, r->modes};
}

static bool take_settings(options *o, const options *given, bool second)
{
    const int n = given->n_settings + (second ? given->n_versus : 0);
    o->settings = calloc((size_t)n + 1, sizeof *o->settings);
    if (!o->settings) return false;
    /* of a name that is given twice the second one's counts */
    o->n_settings = 0;
    for (int k = 0; k < given->n_settings; k++) {
        bool replaced = false;
        for (int j = 0; second && j < given->n_versus; j++)
            replaced = replaced || strcmp(given->versus[j].name, given->settings[k].name) == 0;
        if (!replaced) o->settings[o->n_settings++] = given->settings[k];
    }
    for (int j = 0; second && j < given->n_versus; j++)
        o->settings[o->n_settings++] = given->versus[j];
    return true;
}

static int no_memory(void)
{
    complain("out of memory");
    return EXIT_FAULT;
}

static int find_two(pair *p)
{
    for (int k = 0; k < 2; k++) {
        p->options[k] = *p->given;
        p->options[k].positional += k && p->given->n_positional > 1;
        p->options[k].n_positional = 1;
        if (!take_settings(&p->options[k], p->given, k == 1)) return no_memory();
        const int status = run_to_modes(&p->run[k], &p->options[k], 0);
        if (status) return status;
    }
    return EXIT_DONE;
}

/* The second model's settings, those of --versus as numbers between. */
static routh_status at(void *context, double t, routh_compared *there, routh_error *error)
{
    pair *p = context;
    const int n = p->given->n_versus;
    run *r = &p->between[p->turn];
    options o = p->options[1];
    char(*text)[ROOM] = calloc((size_t)n, sizeof *text);
    (void)error; /* what goes wrong is said at once */
    p->turn = !p->turn;
    run_free(r);
    p->failed = text ? EXIT_DONE : no_memory();
    if (!p->failed) {
        routh_setting *own = o.settings + o.n_settings - n;
        routh_setting *kept = calloc((size_t)n, sizeof *kept);
        if (!kept) p->failed = no_memory();
        for (int k = 0; kept && k < n; k++) {
            kept[k] = own[k];
            snprintf(text[k], ROOM, "%.17g", (1 - t) * p->values[0][k] + t * p->values[1][k]);
            own[k].value = text[k];
        }
        if (kept) p->failed = run_to_modes(r, &o, 0);
        for (int k = 0; kept && k < n; k++) own[k] = kept[k];
        free(kept);
    }
    free(text);
    *there = compared(r);
    return p->failed ? ROUTH_BAD_ARGUMENT : ROUTH_OK;
}

/* The values of the parameters of --versus in both models; *named: all of them are parameters, and
 * none a variant or a coordinate of a joint, which have no values between. */
static int find_values(pair *p, const char **names, bool *named)
{
    routh_error error = {0};
    *named = true;
    for (int k = 0; k < p->given->n_versus && *named; k++) {
        names[k] = p->given->versus[k].name;
        for (int side = 0; side < 2 && *named; side++) {
            const routh_status status =
                routh_model_evaluate(p->run[side].model, names[k], &p->values[side][k], &error);
            if (status == ROUTH_OUT_OF_MEMORY) return fault(&error);
            *named = !status;
        }
        if (!*named && !p->given->quiet)
            remark("attribution to parameters is not available: %s", error.message);
    }
    return EXIT_DONE;
}

static int by_parameters(pair *p, routh_comparison *c, const routh_compared *a,
                         const routh_compared *b)
{
    const int n = p->given->n_versus;
    routh_error error = {0};
    const routh_compare_path path = {p, at};
    bool named = false;
    if (n == 0 || p->given->n_positional > 1) return EXIT_DONE;
    const char **names = calloc((size_t)n + 1, sizeof *names);
    for (int k = 0; k < 2; k++) p->values[k] = calloc((size_t)n, sizeof *p->values[k]);
    int status = names && p->values[0] && p->values[1] ? EXIT_DONE : no_memory();
    if (!status) status = find_values(p, names, &named);
    if (!status && named) {
        const routh_status found =
            routh_comparison_by_parameters(c, a, b, &path, names, NODES, &error);
        if (found == ROUTH_OUT_OF_MEMORY) status = fault(&error);
        if (found && !status && !p->given->quiet) {
            char text[2048]; /* with the place and the element */
            routh_error_text(&error, text, sizeof text);
            remark("attribution to parameters is not available: %s",
                   p->failed ? "some model between the two is invalid" : text);
        }
    }
    free(names);
    return status;
}

static int write_both(const pair *p)
{
    const routh_comparison *c = p->comparison;
    routh_error error = {0};
    routh_text text;
    routh_results a = run_results(&p->run[0]), b = run_results(&p->run[1]);
    a.units = p->given->units;
    const routh_status status = p->given->json ? routh_comparison_json(c, &a, &b, &text, &error)
                                               : routh_comparison_table(c, &a, &b, &text, &error);
    return status ? fault(&error) : write_result(&text, p->given);
}

int pair_find(pair *p)
{
    routh_error error = {0};
    int status = find_two(p);
    if (status) return status;
    const routh_compared a = compared(&p->run[0]), b = compared(&p->run[1]);
    if (routh_comparison_compute(&p->comparison, &a, &b, &error)) return fault(&error);
    return by_parameters(p, p->comparison, &a, &b);
}

void pair_free(pair *p)
{
    routh_comparison_free(p->comparison);
    for (int k = 0; k < 2; k++) {
        run_free(&p->run[k]);
        run_free(&p->between[k]);
        free(p->options[k].settings);
        free(p->values[k]);
    }
}

int pair_check(const options *given)
{
    options second = *given;
    second.positional += given->n_positional > 1;
    if (saved_is_given(given)) return saved_refuse(given);
    if (saved_is_given(&second)) return saved_refuse(&second);
    if (given->n_at > 1 || given->save_state)
        return usage_error("command compare takes one --at and no --save-state");
    return EXIT_DONE;
}

int run_compare(const options *given)
{
    if (given->n_positional == 1 && given->n_versus == 0)
        return usage_error("command compare needs two models, or one model and --versus "
                           "NAME=VALUE");
    if (given->csv) return usage_error("command compare has no --csv; use the table or --json");
    int status = pair_check(given);
    if (status) return status;
    pair p = {.given = given};
    status = pair_find(&p);
    if (!status) status = write_both(&p);
    pair_free(&p);
    return status;
}
