#include "cluster.h"
#include "commands.h"
#include "matrices.h"
#include "models.h"
#include "run.h"
#include "say.h"

static int find_branches(run *r)
{
    routh_error error = {0};
    return routh_branches_find(&r->branches, r->mechanism, r->point, &error) ? fault(&error)
                                                                             : EXIT_DONE;
}

static int find_realization(run *r)
{
    routh_error error = {0};
    return routh_realization_compute(&r->realization, r->linear, r->modes, &error) ? fault(&error)
                                                                                   : EXIT_DONE;
}

static int find_attribution(run *r)
{
    routh_error error = {0};
    return routh_attribution_compute(&r->attribution, r->mechanism, r->point, r->linear, r->modes,
                                     &error)
               ? fault(&error)
               : EXIT_DONE;
}

static int check_options(const options *given)
{
    if (given->energies && given->csv)
        return usage_error("option --energies has no --csv form; use the table or --json");
    if (given->energies && (given->wanted || given->between_given))
        return usage_error("option --energies needs all modes; leave out --wanted and --between");
    if (given->parts && given->csv)
        return usage_error("option --parts has no --csv form; use the table or --json");
    if (given->parts && (given->wanted || given->between_given))
        return usage_error("option --parts needs all modes; leave out --wanted and --between");
    if (given->branches && given->csv)
        return usage_error("option --branches has no --csv form; use the table or --json");
    if (given->realization && given->csv)
        return usage_error("option --realization has no --csv form; use the table or --json");
    if (given->realization && (given->wanted || given->between_given))
        return usage_error("option --realization needs all modes; leave out --wanted and "
                           "--between");
    if (given->blades && (given->wanted || given->between_given))
        return usage_error("option --blades needs all modes; leave out --wanted and --between");
    if (given->blades && (given->energies || given->branches || given->realization))
        return usage_error("option --blades excludes --energies, --branches and --realization; "
                           "leave them out");
    if (given->blades && matrices_are_given(given))
        return usage_error("option --blades needs a model, not matrices");
    return EXIT_DONE;
}

static int one_point(run *r, const options *given)
{
    int status =
        run_to_modes(r, given, WITH_BLADES | WITH_MARKERS | (given->csv ? 0 : WITH_SHARES));
    if (status == EXIT_DONE && given->branches) status = find_branches(r);
    if (status == EXIT_DONE && given->realization) status = find_realization(r);
    if (status == EXIT_DONE && given->energies) status = find_attribution(r);
    return status;
}

static const run_forms forms = {routh_modes_table, routh_modes_json, routh_modes_csv};

static int one_of_many(const options *given, routh_text *out)
{
    return run_to_text(given, one_point, forms, out);
}

int run_modes(const options *given)
{
    int status = check_options(given);
    if (status) return status;
    if (matrices_are_given(given)) return run_matrices(given);
    if (given->n_positional == 0)
        return usage_error("command modes needs MODEL; write routh modes MODEL");
    if (given->n_positional > 1) return models_run(given, one_of_many);
    if (given->distributed && !given->wanted)
        return usage_error("option --distributed needs --wanted N or several models");
    if (given->distributed && cluster_served(&status)) return status;
    return run_each(given, one_point, forms);
}
