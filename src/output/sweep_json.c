/* A sweep as JSON (docs/reference/json.md). */
#include <math.h>

#include "output/results.h"

static void sweep_json_point(rt_json *json, const routh_sweep_line *line,
                             const routh_sweep_point *p)
{
    rt_json_object(json, NULL);
    rt_json_real(json, "value", p->value);
    rt_json_bool(json, "on_grid", p->on_grid);
    rt_json_bool(json, "steady", p->steady);
    rt_json_string(json, "message", p->message);
    rt_json_real(json, "certainty", p->certainty);
    rt_json_array(json, "eigenvalues");
    for (int b = 0; b < line->n_branches; b++) {
        if (p->partner[b] < 0) continue;
        rt_json_flat_object(json, NULL);
        rt_json_int(json, "branch", b);
        rt_json_reals(json, "eigenvalue", p->eigenvalues[b], 2);
        rt_json_real_or_null(json, "error_bound", p->bounds[b]);
        rt_json_int(json, "partner", p->partner[b]);
        rt_json_bool(json, "rigid", p->rigid[b]);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_end(json);
}

void rt_json_sweep_event(rt_json *json, const routh_sweep_event *e)
{
    rt_json_object(json, NULL);
    rt_json_string(json, "kind", routh_sweep_event_name(e->kind));
    rt_json_real(json, "value", e->value);
    rt_json_real_or_null(json, "error", e->error);
    rt_json_flat_array(json, "branches");
    for (int k = 0; k < 2; k++)
        if (e->branch[k] >= 0) rt_json_int(json, NULL, e->branch[k]);
    rt_json_end(json);
    rt_json_flat_array(json, "eigenvalue");
    for (int k = 0; k < 2; k++) rt_json_real_or_null(json, NULL, e->eigenvalue[k]);
    rt_json_end(json);
    rt_json_real(json, "order", e->order);
    rt_json_real(json, "gap", e->gap);
    rt_json_bool(json, "grows", e->grows);
    rt_json_int(json, "evaluations", e->evaluations);
    rt_json_bool(json, "derivatives", e->derivatives);
    rt_json_end(json);
}

void rt_json_sweep_boundaries(rt_json *json, const routh_sweep *s)
{
    rt_json_string(json, "boundary", s->boundary);
    rt_json_array(json, "boundaries");
    for (int k = 0; k < s->n_boundaries; k++) {
        const routh_sweep_boundary *b = &s->boundaries[k];
        rt_json_object(json, NULL);
        rt_json_string(json, "kind", routh_sweep_event_name(b->kind));
        rt_json_real(json, "order", b->order);
        rt_json_bool(json, "closed", b->closed);
        rt_json_flat_array(json, "border");
        for (int i = 0; i < 2; i++) rt_json_bool(json, NULL, b->border[i]);
        rt_json_end(json);
        rt_json_array(json, "points");
        for (int i = 0; i < b->n; i++) {
            const routh_sweep_boundary_point *p = &b->points[i];
            rt_json_flat_object(json, NULL);
            rt_json_real(json, "value", p->value);
            rt_json_real(json, "second", p->second);
            rt_json_real_or_null(json, "error", p->error);
            rt_json_real_or_null(json, "second_error", p->second_error);
            rt_json_reals(json, "eigenvalue", p->eigenvalue, 2);
            rt_json_bool(json, "turns", p->turns);
            rt_json_end(json);
        }
        rt_json_end(json);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void write_line(rt_json *json, const routh_sweep_line *line)
{
    rt_json_object(json, NULL);
    rt_json_real_or_null(json, "second", line->second);
    rt_json_flat_array(json, "names");
    for (int b = 0; b < line->n_branches; b++) rt_json_string(json, NULL, line->names[b]);
    rt_json_end(json);
    rt_json_array(json, "events");
    for (int k = 0; k < line->n_events; k++) rt_json_sweep_event(json, &line->events[k]);
    rt_json_end(json);
    rt_json_array(json, "points");
    for (int k = 0; k < line->n_points; k++) sweep_json_point(json, line, &line->points[k]);
    rt_json_end(json);
    rt_json_end(json);
}

routh_status routh_sweep_json(const routh_sweep *s, routh_text *text, routh_error *error)
{
    rt_json json = {0};
    *text = (routh_text){0};
    rt_json_object(&json, NULL);
    rt_json_string(&json, "program", "routh " ROUTH_VERSION);
    rt_json_string(&json, "title", s->title);
    rt_json_string(&json, "file", s->file);
    rt_json_string(&json, "parameter", s->parameter);
    rt_json_string(&json, "second", s->second);
    rt_json_string(&json, "speed", s->speed);
    rt_json_reals(&json, "orders", s->orders, s->n_orders);
    rt_json_bool(&json, "interrupted", s->interrupted);
    rt_json_int(&json, "computed", s->n_computed);
    rt_json_bool(&json, "derivatives", s->derivatives);
    rt_json_string(&json, "refused", s->refused);
    rt_json_sweep_boundaries(&json, s);
    rt_json_array(&json, "lines");
    for (int l = 0; l < s->n_lines; l++) write_line(&json, &s->lines[l]);
    rt_json_end(&json);
    rt_json_end(&json);
    const routh_status status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}
