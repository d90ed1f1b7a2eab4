#include "output/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "output/shown_units.h"

routh_status rt_results_check(const routh_results *results, int needed, routh_error *error)
{
    if (!results)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "there are no results to write: results is NULL");
    const struct {
        int need;
        const void *part;
        const char *name;
    } parts[] = {
        {RT_NEED_POINT, results->point, "point (routh_operating_point_find gives it)"},
        {RT_NEED_LINEAR, results->linear, "linear (routh_linear_compute gives it)"},
        {RT_NEED_MODES, results->modes, "modes (routh_modes_compute gives it)"},
        {RT_NEED_MODEL, results->model, "model (routh_model_read gives it)"},
        {RT_NEED_CHECK, results->check, "check (routh_check_run gives it)"},
        {RT_NEED_RESPONSE, results->response, "response (routh_response_compute gives it)"},
        {RT_NEED_SENSITIVITIES, results->sensitivities,
         "sensitivities (routh_sensitivity_compute gives them)"},
        {RT_NEED_RESPONSE_SENSITIVITIES, results->response_sensitivities,
         "response_sensitivities (routh_response_sensitivity_compute gives them)"},
        {RT_NEED_CONFIRMATION, results->verification,
         "verification (routh_verification_run gives it)"},
        {RT_NEED_FLOQUET, results->floquet, "floquet (routh_floquet_compute gives it)"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if ((needed & parts[i].need) && !parts[i].part)
            return rt_fail(error, ROUTH_BAD_ARGUMENT, "this output needs results->%s",
                           parts[i].name);
    return ROUTH_OK;
}

routh_status rt_results_hand_over(rt_text *from, routh_text *to, routh_error *error)
{
    rt_units_say_unused(from);
    const size_t length = from->length;
    to->bytes = rt_text_take(from);
    to->length = to->bytes ? length : 0;
    return to->bytes ? ROUTH_OK : rt_fail_memory(error);
}

const char *rt_results_title(const routh_results *results)
{
    if (results->linear && results->linear->title && *results->linear->title)
        return results->linear->title;
    if (results->model && results->model->title && *results->model->title)
        return results->model->title;
    return "untitled";
}

const char *rt_results_file(const routh_results *results)
{
    if (results->model && results->model->file) return results->model->file;
    return results->linear && results->linear->file ? results->linear->file : "";
}

const char *const rt_operating_type_names[] = {"given", "static", "state", "steady", NULL};

const char *rt_operating_type_name(routh_operating_point_type type)
{
    return rt_operating_type_names[type > ROUTH_OPERATING_GIVEN ? type - ROUTH_OPERATING_GIVEN : 0];
}

const char *const rt_signal_kind_names[] = {"state", "variable", "input", "output", NULL};

const char *rt_signal_kind_name(routh_signal_kind kind)
{
    return rt_signal_kind_names[kind];
}

static bool results_still(const routh_operating_point *point)
{
    for (int b = 0; b < point->n_bodies; b++)
        for (int k = 0; k < 3; k++)
            if (point->bodies[b].velocity[k] != 0 || point->bodies[b].angular_velocity[k] != 0)
                return false;
    return true;
}

double rt_results_residual(const routh_results *results)
{
    return results->linear ? results->linear->residual : results->point->residual;
}

double rt_results_time(const routh_results *results)
{
    return results->point ? results->point->time : results->linear->point.time;
}

const char *rt_results_point_type(const routh_results *results)
{
    if (results->point) return rt_operating_type_name(results->point->type);
    const char *type = results->linear->point.type;
    return type ? type : "";
}

bool rt_results_at_rest(const routh_results *results)
{
    if (results->linear) return results->linear->at_rest;
    if (results->point->steady && results->point->steady->accelerated) return false;
    return results_still(results->point) && results->point->residual <= 1e-9;
}

const char *rt_results_meaning(const routh_results *results)
{
    if (isinf(results->linear->drift))
        return "the eigenvalues are those of the linear model frozen at this instant, from which "
               "the motion cannot continue; they do not describe stability of the motion";
    return "the eigenvalues are those of the linear model frozen at this instant: they describe "
           "small departures for times short against that in which A changes, and do not describe "
           "stability of the motion";
}

const char *rt_results_state(const routh_results *results)
{
    if (rt_results_at_rest(results)) return "at rest";
    if (results->linear && results->linear->steady) return "steady motion";
    if (results->point && results_still(results->point)) return "not in equilibrium";
    if (!results->linear) return results->point->steady ? "steady motion" : "in motion";
    return "neither at rest nor in steady motion";
}

double rt_eigenvalue_part(const routh_mode *mode, int part)
{
    return fabs(mode->eigenvalue[part]) <= mode->error_bound ? 0 : mode->eigenvalue[part];
}

double rt_mode_damping(const routh_mode *mode)
{
    return rt_eigenvalue_part(mode, 0) == 0 ? 0 : mode->damping_ratio;
}

bool rt_shows_control(const routh_results *results)
{
    return results->linear && results->linear->n_control > 0 && results->modes &&
           results->modes->wanted.n_regions == 0;
}
