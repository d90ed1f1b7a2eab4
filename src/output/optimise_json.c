/* What an optimisation reached, as JSON (docs/reference/json.md). */
#include <math.h>

#include "output/results.h"

static void optimise_json_variable(rt_json *json, const routh_optimum_variable *v)
{
    static const char *const sides[] = {"low", NULL, "high"};
    rt_json_object(json, NULL);
    rt_json_string(json, "name", v->name);
    rt_json_real(json, "before", v->before);
    rt_json_real(json, "after", v->after);
    rt_json_real(json, "low", v->low);
    rt_json_real(json, "high", v->high);
    rt_json_bool(json, "logarithmic", v->logarithmic);
    rt_json_string(json, "at_bound", sides[v->at_bound + 1]);
    rt_json_real(json, "objective_by_bound", v->objective_by_bound);
    rt_json_end(json);
}

static void goal(rt_json *json, const routh_optimum_goal *g)
{
    static const char *const wishes[] = {NULL, "minimise", "maximise", "near"};
    rt_json_object(json, NULL);
    rt_json_string(json, "name", g->name);
    rt_json_string(json, "what", g->what);
    rt_json_string(json, "unit", g->unit);
    rt_json_real_or_null(json, "low", g->low);
    rt_json_real_or_null(json, "high", g->high);
    rt_json_string(json, "wish", wishes[g->wish]);
    rt_json_real_or_null(json, "target", g->target);
    rt_json_real(json, "weight", g->weight);
    rt_json_int(json, "members", g->n_members);
    rt_json_real(json, "before", g->before);
    rt_json_real(json, "after", g->after);
    rt_json_real_or_null(json, "hz", g->hz);
    rt_json_real_or_null(json, "slack", g->slack);
    rt_json_bool(json, "active", g->active);
    rt_json_real(json, "objective_by_bound", g->objective_by_bound);
    rt_json_end(json);
}

routh_status routh_optimum_json(const routh_optimum *o, routh_text *text, routh_error *error)
{
    rt_json json = {0};
    *text = (routh_text){0};
    rt_json_object(&json, NULL);
    rt_json_string(&json, "program", "routh " ROUTH_VERSION);
    rt_json_string(&json, "title", o->title);
    rt_json_string(&json, "file", o->file);
    rt_json_string(&json, "study", o->study);
    rt_json_string(&json, "algorithm", o->algorithm);
    rt_json_string(&json, "end", routh_optimum_end_name(o->end));
    rt_json_string(&json, "message", o->message[0] ? o->message : NULL);
    rt_json_int(&json, "evaluations", o->n_evaluations);
    rt_json_int(&json, "taken_from_log", o->n_taken);
    rt_json_int(&json, "failed", o->n_failed);
    rt_json_string(&json, "failure", o->failure[0] ? o->failure : NULL);
    rt_json_int(&json, "uncertain", o->n_uncertain);
    rt_json_bool(&json, "least_change", o->least_change);
    rt_json_real(&json, "objective_before", o->before);
    rt_json_real(&json, "objective", o->after);
    rt_json_real(&json, "violation", o->violation);
    rt_json_real_or_null(&json, "optimality", o->optimality);
    rt_json_array(&json, "variables");
    for (int k = 0; k < o->n_variables; k++) optimise_json_variable(&json, &o->variables[k]);
    rt_json_end(&json);
    rt_json_array(&json, "goals");
    for (int k = 0; k < o->n_goals; k++) goal(&json, &o->goals[k]);
    rt_json_end(&json);
    rt_json_end(&json);
    const routh_status status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}
