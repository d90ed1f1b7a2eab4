#include "run.h"

#include <string.h>

#include "saved.h"
#include "say.h"
#include "write.h"

static int operating_type(routh_operating_type *type, const char *at)
{
    static const char *const names[] = {"given", "static", NULL};
    if (!at)
        *type = ROUTH_OPERATING_BY_MODEL;
    else if (strcmp(at, "given") == 0)
        *type = ROUTH_OPERATING_GIVEN;
    else if (strcmp(at, "static") == 0)
        *type = ROUTH_OPERATING_STATIC;
    else if (routh_suggest(at, names))
        return usage_error("--at takes given or static, not \"%s\"; did you mean %s?", at,
                           routh_suggest(at, names));
    else
        return usage_error("--at takes given or static, not \"%s\"", at);
    return EXIT_DONE;
}

int run_to_model(run *r, const options *given, routh_operating_options *operating)
{
    routh_error error = {0};
    *operating = routh_operating_defaults();
    *r = (run){0};
    const int usage = operating_type(&operating->type, given->at);
    if (usage) return usage;
    if (saved_is_given(given)) return saved_refuse(given);
    if (given->output && same_file(given->output, given->positional[0]))
        return usage_error("--output %s would overwrite the model; give another name",
                           given->output);
    if (given->sparsity && same_file(given->sparsity, given->positional[0]))
        return usage_error("--sparsity %s would overwrite the model; give another name",
                           given->sparsity);
    if (routh_model_read(&r->model, given->positional[0], given->settings,
                         (size_t)given->n_settings, &error))
        return fault(&error);
    return EXIT_DONE;
}

int run_to_point(run *r, const options *given)
{
    routh_error error = {0};
    routh_operating_options operating;
    const int status = run_to_model(r, given, &operating);
    if (status) return status;
    if (routh_mechanism_compile(&r->mechanism, r->model, given->coordinates, &error))
        return fault(&error);
    if (routh_operating_point_find(&r->point, r->mechanism, &operating, &error))
        return fault(&error);
    return EXIT_DONE;
}

int run_to_linear(run *r, const options *given, int parts)
{
    routh_error error = {0};
    if (saved_is_given(given)) return saved_load(r, given);
    const int status = run_to_point(r, given);
    if (status) return status;
    routh_linearize_options linearize = routh_linearize_defaults();
    if (given->method) linearize.method = given->method;
    if (given->reference) linearize.reference = given->reference;
    linearize.penalty_alpha = given->alpha;
    linearize.penalty_xi = given->xi;
    linearize.penalty_omega = given->omega;
    linearize.threads = given->threads;
    linearize.shares = (parts & WITH_SHARES) != 0;
    linearize.markers = (parts & WITH_MARKERS) != 0;
    if (routh_linearize(&r->linear, r->mechanism, r->point, &linearize, &error))
        return fault(&error);
    return EXIT_DONE;
}

/* The time goes with the third power of the states. */
static void announce_long_wait(const run *r, const options *given)
{
    enum { MANY_STATES = 3000 };
    if (!given->quiet && r->linear->n_states > MANY_STATES)
        complain("the eigenvalues of %d states are computed from a full matrix; that takes "
                 "minutes from some 3000 states on, hours from 10000 (equilibrium and linearize "
                 "do without)",
                 r->linear->n_states);
}

static int check_wanted(const options *given)
{
    if (given->wanted == 0)
        return given->near == 0 ? EXIT_DONE : usage_error("--near goes with --wanted N");
    if (given->method && strcmp(given->method, "redundant") != 0 &&
        strcmp(given->method, "auto") != 0)
        return usage_error("--wanted goes with --method redundant, not %s", given->method);
    if (given->shapes) return usage_error("--shapes goes with all modes, not with --wanted");
    return EXIT_DONE;
}

static int run_to_wanted(run *r, const options *given)
{
    routh_error error = {0};
    const int status = run_to_point(r, given);
    if (status) return status;
    routh_linearize_options linearize = routh_linearize_defaults();
    if (given->reference) linearize.reference = given->reference;
    if (routh_linearize_descriptor(&r->descriptor, r->mechanism, r->point, &linearize, &error) ||
        routh_modes_wanted(&r->modes, r->descriptor, given->wanted, given->near, &error))
        return fault(&error);
    return EXIT_DONE;
}

int run_to_modes(run *r, const options *given, int parts)
{
    routh_error error = {0};
    *r = (run){0};
    const int usage = check_wanted(given);
    if (usage) return usage;
    if (given->wanted && !saved_is_given(given)) return run_to_wanted(r, given);
    const int status = run_to_linear(r, given, parts);
    if (status) return status;
    announce_long_wait(r, given);
    if (routh_modes_compute(&r->modes, r->linear, &error)) return fault(&error);
    return EXIT_DONE;
}

void run_free(run *r)
{
    routh_branches_free(r->branches);
    routh_realization_free(r->realization);
    routh_check_free(r->check);
    routh_confirmation_free(r->confirmation);
    routh_modes_free(r->modes);
    routh_linear_free(r->linear);
    routh_descriptor_free(r->descriptor);
    routh_operating_point_free(r->point);
    routh_mechanism_free(r->mechanism);
    routh_model_free(r->model);
    *r = (run){0};
}

static const routh_linear *linear_of(const run *r)
{
    return r->descriptor ? r->descriptor->linear : r->linear;
}

routh_results run_results(const run *r)
{
    return (routh_results){.model = r->model,
                           .point = r->point,
                           .linear = linear_of(r),
                           .modes = r->modes,
                           .branches = r->branches,
                           .realization = r->realization,
                           .check = r->check,
                           .confirmation = r->confirmation};
}

void run_warn(const run *r, const options *given)
{
    if (given->quiet) return;
    for (int i = 0; r->point && i < r->point->n_warnings; i++)
        complain("warning: %s", r->point->warnings[i]);
    const routh_linear *linear = linear_of(r);
    for (int i = 0; linear && i < linear->n_warnings; i++)
        complain("warning: %s", linear->warnings[i]);
}

int run_write(const run *r, const options *given, run_forms forms)
{
    routh_text text;
    routh_error error = {0};
    routh_results results = run_results(r);
    results.shapes = given->shapes;
    if (given->csv) run_warn(r, given);
    const run_writer writer = given->json ? forms.json : given->csv ? forms.csv : forms.table;
    if (writer(&results, &text, &error)) return fault(&error);
    return write_text(&text, given->output);
}
