#include <stdlib.h>

#include "output/results.h"

/* Of a model that was saved there is no more. */
static void kept_of_operating_point(rt_json *json, const routh_linear *linear)
{
    rt_json_object(json, "operating_point");
    rt_json_string(json, "type", linear->point.type);
    rt_json_real(json, "time", linear->point.time);
    rt_json_real(json, "constraint_error", linear->point.constraint_error);
    rt_json_end(json);
}

static void modes_json_operating_point(rt_json *json, const routh_results *results)
{
    const routh_operating_point *point = results->point;
    if (!point) {
        kept_of_operating_point(json, results->linear);
        return;
    }
    rt_json_object(json, "operating_point");
    rt_json_string(json, "type", rt_operating_type_name(point->type));
    rt_json_real(json, "time", point->time);
    rt_json_real(json, "constraint_error", point->constraint_error);
    rt_json_int(json, "iterations", point->iterations);
    rt_json_int(json, "degrees_of_freedom", point->degrees_of_freedom);
    rt_json_bool(json, "rank_clear", point->rank_clear);
    rt_json_real_or_null(json, "smallest_pivot", point->smallest_pivot);
    rt_json_real_or_null(json, "largest_rejected", point->largest_rejected);
    rt_json_redundant(json, point);
    rt_json_end(json);
}

static void energies(rt_json *json, const routh_linear *linear, const routh_mode *mode,
                     rt_shares *shares)
{
    rt_json_object(json, "energies");
    for (int kind = ROUTH_ENERGY_KINETIC; kind <= ROUTH_ENERGY_DISSIPATION; kind++) {
        rt_shares_of(shares, linear, mode, (routh_energy_kind)kind);
        rt_json_flat_object(json, rt_energy_names[kind]);
        for (int i = 0; i < shares->n; i++)
            rt_json_real(json, linear->shares[shares->order[i]].name,
                         shares->fractions[shares->order[i]]);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* 12 numbers a marker: displacement and rotation, real parts then imaginary parts, as in the
 * report. */
static void modes_json_shape(rt_json *json, const routh_linear *linear, const routh_mode *mode)
{
    rt_json_array(json, "shape");
    for (int k = 0; k < linear->n_markers; k++) {
        double motion[12];
        routh_mode_marker(linear, mode, k, motion);
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "marker", linear->markers[k].name);
        rt_json_reals(json, "motion", motion, 12);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* The same of the nodes of flexible bodies; q has room for the coordinates of any. */
static void modes_json_nodes(rt_json *json, const routh_linear *linear, const routh_mode *mode,
                             double *q)
{
    rt_json_array(json, "nodes");
    for (int b = 0; b < linear->n_flexible; b++) {
        const routh_flexible_body *body = &linear->flexible[b];
        double frame[12], motion[12];
        routh_mode_marker(linear, mode, body->marker, frame);
        routh_mode_elastic(linear, mode, b, q);
        for (int k = 0; k < body->n_nodes; k++) {
            routh_mode_node(linear, b, frame, q, k, motion);
            rt_json_flat_object(json, NULL);
            rt_json_string(json, "body", body->name);
            rt_json_int(json, "node", body->nodes[k].number);
            rt_json_reals(json, "motion", motion, 12);
            rt_json_end(json);
        }
    }
    rt_json_end(json);
}

/* Room for the elastic coordinates of any flexible body, re and im. */
static double *room_for_elastic(const routh_linear *linear)
{
    int most = 1;
    for (int b = 0; b < linear->n_flexible; b++)
        if (linear->flexible[b].n > most) most = linear->flexible[b].n;
    return calloc(2 * (size_t)most, sizeof(double));
}

static void modes_json_one_mode(rt_json *json, const routh_results *results, int i,
                                rt_shares *shares, double *q)
{
    const routh_mode *mode = &results->modes->modes[i];
    rt_json_object(json, NULL);
    rt_json_reals(json, "eigenvalue", mode->eigenvalue, 2);
    rt_json_real(json, "undamped_frequency_hz", mode->undamped_frequency_hz);
    rt_json_real(json, "damped_frequency_hz", mode->damped_frequency_hz);
    rt_json_real(json, "damping_ratio", mode->damping_ratio);
    rt_json_bool(json, "rigid", mode->rigid);
    if (rt_shows_control(results)) rt_json_real(json, "control", mode->control);
    rt_json_int(json, "multiplicity", mode->multiplicity);
    rt_json_int(json, "conjugate", mode->conjugate);
    rt_json_real_or_null(json, "condition", mode->condition);
    rt_json_real_or_null(json, "error_bound", mode->error_bound);
    if (results->modes->wanted.n_regions) rt_json_real(json, "residual", mode->residual);
    energies(json, results->linear, mode, shares);
    rt_json_realization(json, results, i);
    rt_json_attribution(json, results, i);
    if (results->shapes) modes_json_shape(json, results->linear, mode);
    if (results->shapes && results->linear->n_flexible)
        modes_json_nodes(json, results->linear, mode, q);
    rt_json_end(json);
}

/* Where eigenvalues were sought, and how they were counted. */
static void modes_json_region(rt_json *json, const routh_selection *w,
                              const routh_selection_region *r)
{
    rt_json_flat_object(json, NULL);
    if (w->between)
        rt_json_reals(json, "between", (const double[]){w->low, w->high}, 2);
    else {
        rt_json_reals(json, "near", r->near, 2);
        if (r->counted == ROUTH_COUNT_NONE)
            rt_json_null(json, "radius");
        else
            rt_json_real_or_null(json, "radius", r->radius);
    }
    rt_json_reals(json, "shift", r->shift, 2);
    rt_json_string(json, "counted", routh_count_name(r->counted));
    rt_json_end(json);
}

/* How they were found, where only some eigenvalues were wanted. */
static void modes_json_wanted(rt_json *json, const routh_selection *w)
{
    if (w->n_regions == 0) {
        rt_json_null(json, "wanted");
        return;
    }
    rt_json_object(json, "wanted");
    rt_json_int(json, "count", w->count);
    rt_json_real(json, "constraint_violation", w->violation);
    rt_json_int(json, "solves", w->n_solves);
    rt_json_int(json, "restarts", w->n_restarts);
    rt_json_array(json, "regions");
    for (int k = 0; k < w->n_regions; k++) modes_json_region(json, w, &w->regions[k]);
    rt_json_end(json);
    rt_json_end(json);
}

static void modes_json_write(rt_json *json, const routh_results *results, rt_shares *shares,
                             double *q)
{
    const routh_linear *linear = results->linear;
    const routh_modes *modes = results->modes;
    rt_json_object(json, NULL);
    rt_json_origin(json, results);
    rt_json_method(json, results);
    rt_json_int(json, "infinite_eigenvalues", linear->n_infinite);
    rt_json_real(json, "residual", linear->residual);
    rt_json_bool(json, "at_rest", linear->at_rest);
    rt_json_bool(json, "steady", linear->steady);
    rt_json_real_or_null(json, "drift", linear->drift);
    modes_json_operating_point(json, results);
    rt_json_warnings(json, results, NULL);
    rt_json_states(json, linear);
    modes_json_wanted(json, &modes->wanted);
    rt_json_array(json, "eigenvalues");
    for (int i = 0; i < modes->n; i++) rt_json_reals(json, NULL, modes->modes[i].eigenvalue, 2);
    rt_json_end(json);
    rt_json_int(json, "zero_eigenvalues", modes->n_zero);
    rt_json_real_or_null(json, "zero_margin", modes->zero_margin);
    rt_json_array(json, "modes");
    for (int i = 0; i < modes->n; i++) modes_json_one_mode(json, results, i, shares, q);
    rt_json_end(json);
    rt_json_branches(json, results);
    rt_json_end(json);
}

routh_status routh_modes_json(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    rt_shares shares;
    routh_status status = rt_results_check(results, RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (!status) status = rt_shares_create(&shares, results->linear, error);
    if (status) return status;
    rt_json json = {0};
    double *q = room_for_elastic(results->linear);
    if (q) modes_json_write(&json, results, &shares, q);
    rt_shares_free(&shares);
    status = q ? rt_json_finish(&json, error) : rt_fail_memory(error);
    free(q);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}
