#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "saved.h"
#include "say.h"
#include "write.h"

/* ---- the operating point -------------------------------------------------------------------- */

static const routh_operating_point_type types[] = {[AT_MODEL] = ROUTH_OPERATING_BY_MODEL,
                                                   [AT_GIVEN] = ROUTH_OPERATING_GIVEN,
                                                   [AT_STATIC] = ROUTH_OPERATING_STATIC,
                                                   [AT_STEADY] = ROUTH_OPERATING_STEADY};

int run_type(const options *given, routh_operating_point_type *type)
{
    at_point at = {0};
    if (given->n_at > 1) return usage_error("this command takes one --at; leave out the others");
    const int status = given->n_at ? at_parse(&at, "at", given->at[0]) : EXIT_DONE;
    if (status) return status;
    if (at.kind == AT_STATE)
        return usage_error("this command takes no saved state; give --at given, static or steady");
    *type = types[at.kind];
    return EXIT_DONE;
}

static int check_files(const options *given)
{
    const struct {
        const char *option, *path;
    } written[] = {{"output", given->output},
                   {"sparsity", given->sparsity},
                   {"save-state", given->save_state}};
    for (size_t k = 0; k < sizeof written / sizeof *written; k++)
        if (written[k].path && same_file(written[k].path, given->positional[0]))
            return usage_error("option --%s would overwrite the model %s; give another file",
                               written[k].option, written[k].path);
    return EXIT_DONE;
}

int run_read_model(routh_model **model, const options *given, const routh_setting *settings,
                   size_t n_settings)
{
    const routh_model_options how = {
        .settings = settings, .n_settings = n_settings, .allow_plugins = given->allow_plugins};
    routh_error error = {0};
    return routh_model_read_with(model, given->positional[0], &how, &error) ? fault(&error)
                                                                            : EXIT_DONE;
}

int run_to_model(run *r, const options *given)
{
    if (r->model) return EXIT_DONE;
    if (saved_is_given(given)) return saved_refuse(given);
    const int usage = check_files(given);
    if (usage) return usage;
    return run_read_model(&r->model, given, given->settings, (size_t)given->n_settings);
}

/* allowed: how far bodies may be moved to where the joints hold; 0: a little. */
static routh_initial_state_options options_of_state(double allowed)
{
    routh_initial_state_options how = routh_initial_state_defaults();
    if (allowed != 0) how.allowed = allowed;
    how.follow_settings = 1;
    return how;
}

static int point_of_state(run *r, double allowed, const char *file, routh_operating_point **point)
{
    routh_error error = {0};
    routh_initial_state *state;
    const routh_initial_state_options how = options_of_state(allowed);
    if (routh_initial_state_read(&state, file, &error)) return fault(&error);
    const routh_status status =
        routh_operating_point_of_state(point, r->mechanism, state, &how, &error);
    routh_initial_state_free(state);
    return status ? fault(&error) : EXIT_DONE;
}

static routh_operating_point_options options_of_search(const options *given, at_kind kind)
{
    routh_operating_point_options how = routh_operating_point_defaults();
    how.type = types[kind];
    how.accept_unstable = given->accept_unstable;
    return how;
}

/* start: where the search begins; NULL: at the initial state of the model. */
static int point_of_search(run *r, const options *given, at_kind kind,
                           const routh_operating_point *start, routh_operating_point **point)
{
    routh_error error = {0};
    const routh_operating_point_options how = options_of_search(given, kind);
    const routh_status status =
        start ? routh_operating_point_find_from(point, r->mechanism, start, &how, &error)
              : routh_operating_point_find(point, r->mechanism, &how, &error);
    return status ? fault(&error) : EXIT_DONE;
}

/* What --from says, or the model. */
static int point_to_begin_at(run *r, const options *given, double allowed,
                             routh_operating_point **start)
{
    at_point from = {0};
    const int status = given->from ? at_parse(&from, "from", given->from) : EXIT_DONE;
    if (status) return status;
    return from.kind == AT_STATE ? point_of_state(r, allowed, from.file, start)
                                 : point_of_search(r, given, from.kind, NULL, start);
}

/* A search may begin far from where joints hold: it closes them. */
static double fit_of_search(const options *given)
{
    return given->fit != 0 ? given->fit : INFINITY;
}

static int point_of_search_from_state(run *r, const options *given, at_kind kind, const char *file,
                                      routh_operating_point **point)
{
    routh_error error = {0};
    routh_initial_state *state;
    const routh_initial_state_options there = options_of_state(fit_of_search(given));
    const routh_operating_point_options how = options_of_search(given, kind);
    if (routh_initial_state_read(&state, file, &error)) return fault(&error);
    const routh_status status =
        routh_operating_point_find_near(point, r->mechanism, state, &there, &how, &error);
    routh_initial_state_free(state);
    return status ? fault(&error) : EXIT_DONE;
}

static int point_of_search_from(run *r, const options *given, at_kind kind,
                                routh_operating_point **point)
{
    routh_operating_point *start = NULL;
    at_point from = {0};
    int status = given->from ? at_parse(&from, "from", given->from) : EXIT_DONE;
    if (status) return status;
    if (from.kind == AT_STATE) return point_of_search_from_state(r, given, kind, from.file, point);
    if (given->from) status = point_of_search(r, given, from.kind, NULL, &start);
    if (!status) status = point_of_search(r, given, kind, start, point);
    routh_operating_point_free(start);
    return status;
}

/* The motion from where it begins, once for all times. */
static int begin_motion(run *r, const options *given)
{
    routh_error error = {0};
    routh_operating_point *start = NULL;
    if (r->motion) return EXIT_DONE;
    int status = point_to_begin_at(r, given, given->fit, &start);
    if (!status && routh_simulation_create(&r->motion, r->mechanism, start, NULL, &error))
        status = fault(&error);
    routh_operating_point_free(start);
    return status;
}

static int point_of_time(run *r, const options *given, double time, routh_operating_point **point)
{
    routh_error error = {0};
    const int status = begin_motion(r, given);
    if (status) return status;
    if (time < routh_simulation_time(r->motion))
        return usage_error("the simulation starts at %g s, after --at time=%g; give a later time",
                           routh_simulation_time(r->motion), time);
    if (routh_simulation_advance(r->motion, time, &error)) return fault(&error);
    if (routh_simulation_stopped(r->motion))
        return complain("an event of the model stopped the simulation at %g s, before --at "
                        "time=%g; give an earlier time",
                        routh_simulation_time(r->motion), time),
               EXIT_FAULT;
    return routh_simulation_point(r->motion, point, &error) ? fault(&error) : EXIT_DONE;
}

static int find_point(run *r, const options *given, const at_point *at)
{
    switch (at->kind) {
    case AT_TIME: return point_of_time(r, given, at->time, &r->point);
    case AT_STATE: return point_of_state(r, given->fit, at->file, &r->point);
    case AT_MODEL:
    case AT_GIVEN:
    case AT_STATIC:
    case AT_STEADY: break;
    }
    return point_of_search_from(r, given, at->kind, &r->point);
}

int run_to_point(run *r, const options *given)
{
    routh_error error = {0};
    at_points at = {0};
    if (r->point) return EXIT_DONE;
    int status = run_to_model(r, given);
    if (!status && !r->mechanism &&
        routh_mechanism_compile(&r->mechanism, r->model, given->coordinates, &error))
        status = fault(&error);
    if (!status && !r->at) status = at_read(&at, given);
    if (!status && at.n > 1)
        status = usage_error("this command takes one operating point, but --at gives %d", at.n);
    if (!status) status = find_point(r, given, r->at ? r->at : &at.points[0]);
    at_free(&at);
    return status;
}

/* ---- what follows from it ------------------------------------------------------------------- */

/* In multi-blade coordinates, at the point where the rotor is in balance. */
static int linear_of_rotor(run *r, const options *given, const routh_linear_options *how)
{
    routh_error error = {0};
    routh_operating_point *point = NULL;
    routh_linear_options linearize = *how;
    char *room = NULL;
    const char **blades = NULL;
    int status = split_names(given->blades, &blades, &room);
    linearize.blades = blades;
    if (!given->method) linearize.method = "auto";
    if (!status && routh_rotor_point_find(&point, r->mechanism, r->point, blades, &error))
        status = fault(&error);
    if (point) {
        routh_operating_point_free(r->point);
        r->point = point;
    }
    if (!status && routh_linear_compute(&r->linear, r->mechanism, r->point, &linearize, &error))
        status = fault(&error);
    free(blades);
    free(room);
    return status;
}

static routh_linear_options linear_options(const options *given, int parts)
{
    routh_linear_options how = routh_linear_defaults();
    if (given->method) how.method = given->method;
    if (given->reference) how.reference = given->reference;
    how.penalty_alpha = given->alpha;
    how.penalty_xi = given->xi;
    how.penalty_omega = given->omega;
    how.threads = given->threads;
    how.details = given->details;
    how.extended = 1;
    how.shares = (parts & WITH_SHARES) != 0;
    how.markers = (parts & WITH_MARKERS) != 0;
    return how;
}

int run_to_linear(run *r, const options *given, int parts)
{
    routh_error error = {0};
    if (saved_is_given(given)) return saved_load(r, given);
    const int status = run_to_point(r, given);
    if (status) return status;
    routh_linear_options linearize = linear_options(given, parts);
    if ((parts & WITH_BLADES) && given->blades) return linear_of_rotor(r, given, &linearize);
    if (routh_linear_compute(&r->linear, r->mechanism, r->point, &linearize, &error))
        return fault(&error);
    return EXIT_DONE;
}

/* The time goes with the third power of the states. */
static void announce_long_wait(const run *r, const options *given)
{
    enum { MANY_STATES = 3000 };
    if (!given->quiet && r->linear->n_states > MANY_STATES)
        remark("the eigenvalues of %d states are computed from a dense matrix, which takes minutes "
               "from about 3000 states and hours from 10000; --wanted N is much faster at rest",
               r->linear->n_states);
}

static int check_wanted(const options *given)
{
    if (given->n_near > 0 && given->wanted == 0)
        return usage_error("option --near needs --wanted N");
    if (given->uncounted && given->wanted == 0)
        return usage_error("option --uncounted needs --wanted N");
    if (given->wanted == 0 && !given->between_given) return EXIT_DONE;
    if (given->wanted && given->between_given)
        return usage_error("options --between and --wanted exclude each other; leave out --wanted");
    if (given->distributed && (given->n_near > 1 || (given->n_near && given->near[1] != 0)))
        return usage_error("option --near takes one real number with --distributed");
    if (given->method && strcmp(given->method, "redundant") != 0 &&
        strcmp(given->method, "auto") != 0)
        return usage_error("option --%s needs --method redundant, not %s",
                           given->wanted ? "wanted" : "between", given->method);
    if (given->distributed && saved_is_given(given))
        return usage_error("option --distributed needs a model file, not a saved linear model");
    if (given->shapes) return usage_error("option --shapes needs all modes; leave out --wanted");
    return EXIT_DONE;
}

static int run_to_wanted(run *r, const options *given)
{
    routh_error error = {0};
    const int status = run_to_point(r, given);
    if (status) return status;
    routh_linear_options linearize = routh_linear_defaults();
    if (given->reference) linearize.reference = given->reference;
    linearize.details = given->details;
    linearize.extended = 1;
    if (routh_descriptor_compute(&r->descriptor, r->mechanism, r->point, &linearize, &error))
        return fault(&error);
    const routh_eigensolver solver = given->distributed ? cluster_solver() : (routh_eigensolver){0};
    const routh_selection_request request = {.count = given->wanted,
                                             .n_near = given->n_near,
                                             .near = given->near,
                                             .between = given->between_given,
                                             .low = given->between[0],
                                             .high = given->between[1],
                                             .uncounted = given->uncounted};
    if (given->distributed
            ? routh_modes_select_by(&r->modes, r->descriptor, given->wanted,
                                    given->n_near ? given->near[0] : 0, &solver, &error)
            : routh_modes_search(&r->modes, r->descriptor, &request, &error))
        return fault(&error);
    return EXIT_DONE;
}

/* In balance with all digits, where doubt is left otherwise; taken only where that leaves none. */
static int modes_again(run *r, const options *given, int parts)
{
    routh_error error = {0};
    routh_linear_options linearize = linear_options(given, parts);
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    int status = EXIT_DONE;
    linearize.extended = 2;
    if (routh_linear_compute(&linear, r->mechanism, r->point, &linearize, &error) ||
        (linear->A_rest && routh_modes_compute(&modes, linear, &error)))
        status = fault(&error);
    if (modes && !routh_modes_in_doubt(modes)) {
        routh_modes *of_before = r->modes;
        routh_linear *before = r->linear;
        r->modes = modes, r->linear = linear;
        modes = of_before, linear = before;
    }
    routh_modes_free(modes);
    routh_linear_free(linear);
    return status;
}

int run_to_modes(run *r, const options *given, int parts)
{
    routh_error error = {0};
    const int usage = check_wanted(given);
    if (usage) return usage;
    if ((given->wanted || given->between_given) && !saved_is_given(given))
        return run_to_wanted(r, given);
    const int status = run_to_linear(r, given, parts);
    if (status) return status;
    announce_long_wait(r, given);
    if (routh_modes_compute(&r->modes, r->linear, &error)) return fault(&error);
    if (!r->linear->A_rest || saved_is_given(given) || !routh_modes_in_doubt(r->modes))
        return EXIT_DONE;
    return modes_again(r, given, parts);
}

void run_forget(run *r)
{
    routh_branches_free(r->branches);
    routh_realization_free(r->realization);
    routh_attribution_free(r->attribution);
    routh_check_free(r->check);
    routh_verification_free(r->verification);
    routh_animation_free(r->animation);
    free(r->animated);
    routh_response_free(r->response);
    routh_floquet_free(r->floquet);
    routh_sensitivity_free(r->sensitivities);
    routh_response_sensitivity_free(r->response_sensitivities);
    routh_point_sensitivity_free(r->point_sensitivities);
    routh_matrix_sensitivity_free(r->matrix_sensitivities);
    routh_sweep_free(r->sweep);
    routh_modes_free(r->modes);
    routh_linear_free(r->linear);
    routh_descriptor_free(r->descriptor);
    routh_operating_point_free(r->point);
    *r = (run){.model = r->model, .mechanism = r->mechanism, .motion = r->motion};
}

void run_free(run *r)
{
    run_forget(r);
    routh_simulation_free(r->motion);
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
                           .attribution = r->attribution,
                           .check = r->check,
                           .verification = r->verification,
                           .animation = r->animation,
                           .animated = r->animated,
                           .n_animated = r->n_animated,
                           .response = r->response,
                           .floquet = r->floquet,
                           .sensitivities = r->sensitivities,
                           .response_sensitivities = r->response_sensitivities,
                           .point_sensitivities = r->point_sensitivities,
                           .matrix_sensitivities = r->matrix_sensitivities,
                           .sweep = r->sweep};
}

void run_warn(const run *r, const options *given)
{
    if (given->quiet) return;
    for (int i = 0; r->point && i < r->point->n_warnings; i++) warn("%s", r->point->warnings[i]);
    const routh_linear *linear = linear_of(r);
    for (int i = 0; linear && i < linear->n_warnings; i++) warn("%s", linear->warnings[i]);
    const routh_point_sensitivity *s = r->point_sensitivities;
    for (int i = 0; s && i < s->n_warnings; i++) warn("%s", s->warnings[i]);
    const routh_matrix_sensitivity *d = r->matrix_sensitivities;
    for (int i = 0; d && i < d->n_warnings; i++) warn("%s", d->warnings[i]);
}
