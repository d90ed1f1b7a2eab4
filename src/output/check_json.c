/* What routh check found, as JSON (docs/reference/json.md). */
#include "output/check_json.h"

#include <math.h>

static void check_json_counts(rt_json *json, const routh_check *c)
{
    rt_json_flat_object(json, "count");
    rt_json_int(json, "bodies", c->n_bodies);
    rt_json_int(json, "joint_rows", c->n_joint_rows);
    rt_json_int(json, "motion_rows", c->n_motion_rows);
    rt_json_int(json, "gruebler", c->gruebler);
    rt_json_end(json);
    rt_json_int(json, "degrees_of_freedom", c->degrees_of_freedom);
    rt_json_int(json, "degrees_of_freedom_nearby", c->degrees_nearby);
    rt_json_redundant(json, c->point);
    rt_json_bool(json, "rank_clear", c->point->rank_clear);
    rt_json_real_or_null(json, "smallest_pivot", c->point->smallest_pivot);
    rt_json_real_or_null(json, "largest_rejected", c->point->largest_rejected);
    rt_json_real_or_null(json, "smallest_singular_value", c->smallest_singular);
    rt_json_real_or_null(json, "distance_from_singularity", c->distance);
    rt_json_real(json, "constraint_error", c->point->constraint_error);
    rt_json_real(json, "residual", c->point->residual);
}

static void findings(rt_json *json, const routh_check *c)
{
    rt_json_array(json, "answers");
    for (int k = 0; k < c->n_findings; k++) {
        const routh_finding *f = &c->findings[k];
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", f->name);
        rt_json_string(json, "verdict", routh_verdict_name(f->verdict));
        rt_json_real_or_null(json, "margin", f->margin);
        rt_json_string(json, "text", f->text);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void check_json_free_motions(rt_json *json, const routh_check *c)
{
    rt_json_array(json, "free_motions");
    for (int k = 0; k < c->n_free_motions; k++) {
        rt_json_array(json, NULL);
        for (int b = 0; b < c->free_motions[k].n_bodies; b++) {
            const routh_body_motion *body = &c->free_motions[k].bodies[b];
            rt_json_flat_object(json, NULL);
            rt_json_string(json, "body", body->body);
            rt_json_reals(json, "displacement", body->displacement, 3);
            rt_json_reals(json, "rotation", body->rotation, 3);
            rt_json_end(json);
        }
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void check_json_eigenvalues(rt_json *json, const routh_check *c)
{
    rt_json_array(json, "eigenvalues");
    for (int k = 0; c->modes && k < c->modes->n; k++) {
        const routh_mode *mode = &c->modes->modes[k];
        rt_json_flat_object(json, NULL);
        rt_json_reals(json, "eigenvalue", mode->eigenvalue, 2);
        rt_json_real(json, "condition", mode->condition);
        rt_json_real(json, "error_bound", mode->error_bound);
        rt_json_real(json, "right_digits", c->digits[k]);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const char *check_json_state_name(routh_cell_state state)
{
    static const char *const names[] = {"reference", "compared", "refused", "failed", "left out"};
    return names[state];
}

static void check_json_cells(rt_json *json, const routh_check *c)
{
    rt_json_array(json, "cells");
    for (int k = 0; k < c->n_cells; k++) {
        const routh_check_cell *cell = &c->cells[k];
        const bool compared = cell->state == ROUTH_CELL_COMPARED;
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "coordinates", cell->coordinates);
        rt_json_string(json, "method", cell->method);
        rt_json_string(json, "state", check_json_state_name(cell->state));
        if (compared) {
            rt_json_string(json, "verdict", routh_verdict_name(cell->verdict));
            rt_json_real_or_null(json, "margin", cell->margin);
            rt_json_real_or_null(json, "difference", cell->difference);
            rt_json_reals(json, "eigenvalue", cell->eigenvalue, 2);
            rt_json_real(json, "stated_error", cell->stated_error);
            rt_json_real_or_null(json, "mac", cell->mac);
            rt_json_real_or_null(json, "shape_margin", cell->shape_margin);
            rt_json_real_or_null(json, "signals", cell->signals);
        }
        rt_json_real_or_null(json, "seconds", cell->seconds);
        rt_json_string(json, "why", cell->why);
        rt_json_end(json);
    }
    rt_json_end(json);
}

void rt_json_check(rt_json *json, const routh_check *c)
{
    rt_json_string(json, "verdict", routh_verdict_name(c->verdict));
    check_json_counts(json, c);
    findings(json, c);
    check_json_cells(json, c);
}

routh_status routh_check_json(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_CHECK, error);
    if (status) return status;
    const routh_check *c = results->check;
    const routh_results all = {
        .model = results->model, .point = c->point, .linear = c->linear, .modes = c->modes};
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_origin(&json, &all);
    rt_json_string(&json, "verdict", routh_verdict_name(c->verdict));
    check_json_counts(&json, c);
    findings(&json, c);
    check_json_free_motions(&json, c);
    check_json_eigenvalues(&json, c);
    check_json_cells(&json, c);
    rt_json_warnings(&json, &all, NULL);
    rt_json_end(&json);
    status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}
