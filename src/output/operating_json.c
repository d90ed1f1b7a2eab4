#include "output/results.h"

static void write(rt_json *json, const routh_results *results)
{
    const routh_operating_point *point = results->point;
    rt_json_object(json, NULL);
    rt_json_origin(json, results);
    rt_json_string(json, "type", rt_operating_type_name(point->type));
    rt_json_real(json, "time", point->time);
    rt_json_int(json, "degrees_of_freedom", point->degrees_of_freedom);
    rt_json_real(json, "residual", point->residual);
    rt_json_real(json, "constraint_error", point->constraint_error);
    rt_json_bool(json, "at_rest", rt_results_at_rest(results));
    rt_json_int(json, "iterations", point->iterations);
    rt_json_bool(json, "rank_clear", point->rank_clear);
    rt_json_real_or_null(json, "smallest_pivot", point->smallest_pivot);
    rt_json_real_or_null(json, "largest_rejected", point->largest_rejected);
    rt_json_redundant(json, point);
    rt_json_warnings(json, results, NULL);
    rt_json_body_states(json, "bodies", point);
    rt_json_reactions(json, "joints", point, false);
    rt_json_reactions(json, "loads", point, true);
    if (point->n_signals > 0) rt_json_signals(json, point);
    rt_json_end(json);
}

routh_status routh_operating_json(const routh_results *results, routh_text *text,
                                  routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_POINT, error);
    if (status) return status;
    rt_json json = {0};
    write(&json, results);
    status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}
