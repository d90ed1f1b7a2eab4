/* A sweep in the data of the report's page: of each pair one branch, columns in place of an object
 * for every eigenvalue, and which of the report's modes a branch is where the sweep passes through
 * the value that the model has. */
#include <math.h>
#include <string.h>

#include "model/model.h"
#include "output/results.h"
#include "output/sweep_words.h"

enum { DIGITS = 10 };

/* The parameter's value in the report; NAN where there is no such parameter. */
static double own_value(const routh_results *results, const char *name)
{
    const routh_model *model = results->model;
    for (int k = 0; name && k < model->n_parameters; k++)
        if (strcmp(model->parameters[k].name, name) == 0) return model->parameters[k].number.value;
    return NAN;
}

/* The point of the line that the report is of, or NULL. */
static const routh_sweep_point *own_point(const routh_results *results,
                                          const routh_sweep_line *line)
{
    const routh_sweep *s = results->sweep;
    if (s->second && line->second != own_value(results, s->second)) return NULL;
    const double value = own_value(results, s->parameter);
    for (int k = 0; k < line->n_points; k++)
        if (line->points[k].value == value) return &line->points[k];
    return NULL;
}

/* Where several branches have this eigenvalue there are as many modes: the n-th has the n-th. */
static int before(const routh_sweep_line *line, const routh_sweep_point *p, int b, double within)
{
    int n = 0;
    for (int k = 0; k < b; k++)
        if (rt_sweep_shows(line, p, k) &&
            hypot(p->eigenvalues[k][0] - p->eigenvalues[b][0],
                  fabs(p->eigenvalues[k][1]) - fabs(p->eigenvalues[b][1])) <= within)
            n++;
    return n;
}

/* The report's mode at the point's eigenvalue of branch b; -1: there is none, as where the two
 * operating points are not the same. */
static int mode_of(const routh_modes *modes, const routh_sweep_line *line,
                   const routh_sweep_point *p, int b)
{
    if (!p || !rt_sweep_shows(line, p, b)) return -1;
    const double *e = p->eigenvalues[b], size = hypot(e[0], e[1]),
                 within = 1e-8 * size + 10 * p->bounds[b];
    int skip = before(line, p, b, within);
    for (int k = 0; k < modes->n; k++) {
        const routh_mode *m = &modes->modes[k];
        if (m->rigid || m->eigenvalue[1] < 0) continue;
        const double off = hypot(m->eigenvalue[0] - e[0], m->eigenvalue[1] - fabs(e[1]));
        if (off <= within + 10 * m->error_bound && skip-- == 0) return k;
    }
    return -1;
}

static bool report_sweep_is_shown(const routh_sweep_line *line, int b)
{
    for (int k = 0; k < line->n_points; k++)
        if (rt_sweep_shows(line, &line->points[k], b)) return true;
    return false;
}

/* Part 0 or 1 of the branch's eigenvalues, null where it is not shown. */
static void report_sweep_column(rt_json *json, const char *key, const routh_sweep_line *line, int b,
                                int part)
{
    rt_json_flat_array(json, key);
    for (int k = 0; k < line->n_points; k++) {
        const routh_sweep_point *p = &line->points[k];
        const double x = part ? fabs(p->eigenvalues[b][1]) : p->eigenvalues[b][0];
        if (!rt_sweep_shows(line, p, b))
            rt_json_null(json, NULL);
        else
            rt_json_real_short(json, NULL, x, DIGITS);
    }
    rt_json_end(json);
}

static void report_sweep_branches(rt_json *json, const routh_results *results,
                                  const routh_sweep_line *line)
{
    const routh_sweep_point *own = own_point(results, line);
    if (own) rt_json_int(json, "own", own - line->points);
    rt_json_array(json, "branches");
    for (int b = 0; b < line->n_branches; b++) {
        if (!report_sweep_is_shown(line, b)) continue;
        const int mode = mode_of(results->modes, line, own, b);
        rt_json_object(json, NULL);
        rt_json_int(json, "branch", b);
        rt_json_string(json, "name", line->names[b]);
        if (mode >= 0) rt_json_int(json, "mode", mode);
        report_sweep_column(json, "re", line, b, 0);
        report_sweep_column(json, "im", line, b, 1);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void of_points(rt_json *json, const routh_sweep *s, const routh_sweep_line *line)
{
    rt_json_flat_array(json, "values");
    for (int k = 0; k < line->n_points; k++) rt_json_real(json, NULL, line->points[k].value);
    rt_json_end(json);
    rt_json_flat_array(json, "largest");
    for (int k = 0; k < line->n_points; k++)
        rt_json_real_or_null(json, NULL, rt_sweep_largest(line, &line->points[k]));
    rt_json_end(json);
    if (s->speed) {
        rt_json_flat_array(json, "speeds");
        for (int k = 0; k < line->n_points; k++)
            rt_json_real_or_null(json, NULL, line->points[k].speed);
        rt_json_end(json);
    }
    rt_json_array(json, "without");
    for (int k = 0; k < line->n_points; k++) {
        if (!line->points[k].message) continue;
        rt_json_flat_object(json, NULL);
        rt_json_real(json, "value", line->points[k].value);
        rt_json_string(json, "message", line->points[k].message);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void report_sweep_one_line(rt_json *json, const routh_results *results,
                                  const routh_sweep_line *line)
{
    rt_json_object(json, NULL);
    rt_json_real_or_null(json, "second", line->second);
    of_points(json, results->sweep, line);
    report_sweep_branches(json, results, line);
    rt_json_array(json, "events");
    for (int k = 0; k < line->n_events; k++) rt_json_sweep_event(json, &line->events[k]);
    rt_json_end(json);
    rt_json_end(json);
}

void rt_json_report_sweep(rt_json *json, const routh_results *results)
{
    const routh_sweep *s = results->sweep;
    rt_json_string(json, "parameter", s->parameter);
    rt_json_string(json, "second", s->second);
    rt_json_string(json, "speed", s->speed);
    rt_json_reals(json, "orders", s->orders, s->n_orders);
    rt_json_bool(json, "interrupted", s->interrupted);
    rt_json_sweep_boundaries(json, s);
    rt_json_array(json, "lines");
    for (int l = 0; l < s->n_lines; l++) report_sweep_one_line(json, results, &s->lines[l]);
    rt_json_end(json);
}
