#include "output/results.h"

/* How far a state that was given had to be changed. */
static void operating_json_changes(rt_json *json, const routh_operating_point *point)
{
    rt_json_array(json, "changes");
    for (int k = 0; k < point->n_bodies; k++) {
        const routh_body_state *body = &point->bodies[k];
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "body", body->name);
        rt_json_real(json, "moved", body->moved);
        rt_json_real(json, "turned", body->turned);
        rt_json_real(json, "velocity", body->velocity_change);
        rt_json_real(json, "angular_velocity", body->angular_velocity_change);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void flexible(rt_json *json, const routh_operating_point *point)
{
    rt_json_array(json, "flexible");
    for (int k = 0; k < point->n_bodies; k++) {
        const routh_body_state *body = &point->bodies[k];
        if (!(body->n_elastic > 0)) continue;
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "body", body->name);
        rt_json_reals(json, "centre_of_mass", body->centre, 3);
        rt_json_int(json, "node", body->deflected_node);
        rt_json_reals(json, "deflection", body->deflection, 3);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void operating_json_write(rt_json *json, const routh_results *results)
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
    if (point->steady) rt_json_steady(json, point->steady);
    rt_json_redundant(json, point);
    rt_json_warnings(json, results, NULL);
    rt_json_body_states(json, "bodies", point);
    flexible(json, point);
    if (point->type == ROUTH_OPERATING_STATE) operating_json_changes(json, point);
    rt_json_reactions(json, "joints", point, false);
    rt_json_reactions(json, "loads", point, true);
    if (point->n_signals > 0) rt_json_signals(json, point);
    rt_json_end(json);
}

routh_status routh_operating_point_json(const routh_results *results, routh_text *text,
                                        routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_POINT, error);
    if (status) return status;
    rt_json json = {0};
    operating_json_write(&json, results);
    status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}
