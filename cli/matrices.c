#include "matrices.h"

#include "cluster.h"
#include "say.h"
#include "write.h"

bool matrices_are_given(const options *given)
{
    return given->mass || given->stiffness || given->damping;
}

static int check_options(const options *given)
{
    const char *of_model = option_of_mechanism(given);
    if (!of_model && given->realization) of_model = "realization";
    if (!of_model && given->shapes) of_model = "shapes";
    if (given->n_positional > 0)
        return usage_error("option --mass replaces the model; leave out %s",
                           given->positional[0]);
    if (!given->mass || !given->stiffness)
        return usage_error("modes of matrices need both --mass FILE and --stiffness FILE");
    if (given->between_given == (given->wanted > 0))
        return usage_error("modes of matrices need --wanted N or --between A,B");
    if (given->between_given && given->n_near > 0)
        return usage_error("option --near needs --wanted N; leave it out with --between");
    if (of_model)
        return usage_error("option --%s needs a model file, not matrices; leave it out", of_model);
    const char *const files[] = {given->mass, given->stiffness, given->damping};
    for (int k = 0; given->output && k < 3; k++)
        if (files[k] && same_file(given->output, files[k]))
            return usage_error("option --output would overwrite the matrix %s; give another file",
                               given->output);
    return EXIT_DONE;
}

static int write_modes(const routh_matrix_modes *modes, const options *given)
{
    routh_error error = {0};
    routh_text text;
    const char *const names[] = {given->mass, given->stiffness, given->damping};
    const routh_status status = given->json ? routh_matrix_modes_json(modes, names, &text, &error)
                                : given->csv
                                    ? routh_matrix_modes_csv(modes, names, &text, &error)
                                    : routh_matrix_modes_table(modes, names, given->units, &text,
                                                               &error);
    return status ? fault(&error) : write_result(&text, given);
}

static routh_status find(routh_matrix_modes **modes, const routh_matrices *matrices,
                         const routh_matrix_request *request, bool distributed, routh_error *error)
{
    if (!distributed) return routh_matrix_modes_compute(modes, matrices, request, error);
    const routh_factors factors = cluster_factors();
    return routh_matrix_modes_compute_by(modes, matrices, request, &factors, error);
}

int run_matrices(const options *given)
{
    routh_error error = {0};
    routh_matrices *matrices;
    routh_matrix_modes *modes = NULL;
    int served = EXIT_DONE;
    const int usage = check_options(given);
    if (usage) return usage;
    if (given->distributed && cluster_served(&served)) return served;
    if (routh_matrices_load(&matrices, given->mass, given->stiffness, given->damping, &error))
        return fault(&error);
    const bool one = given->n_near == 1 && given->near[1] == 0;
    const routh_matrix_request request = {.between = given->between_given,
                                          .low = given->between[0],
                                          .high = given->between[1],
                                          .count = given->wanted,
                                          .near = one ? given->near[0] : 0,
                                          .n_points = one ? 0 : given->n_near,
                                          .points = given->near,
                                          .uncounted = given->uncounted};
    const routh_status status = find(&modes, matrices, &request, given->distributed, &error);
    routh_matrices_free(matrices);
    const int outcome = status ? fault(&error) : write_modes(modes, given);
    routh_matrix_modes_free(modes);
    return outcome;
}
