/* A sweep for the terminal: what happens where, and each branch at the first and the last value. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "output/heading.h"
#include "output/sweep_words.h"
#include "output/table.h"

static void sweep_table_real(rt_table *table, double x, int digits)
{
    if (isfinite(x))
        rt_table_real(table, x, digits);
    else
        rt_table_cell(table, "");
}

/* ---- what happens ---------------------------------------------------------------------------- */

static const char *direction(const routh_sweep_event *e)
{
    if (e->kind != ROUTH_SWEEP_FLUTTER && e->kind != ROUTH_SWEEP_DIVERGENCE) return "";
    return e->grows ? ", unstable above" : ", unstable below";
}

static void sweep_table_event(rt_table *table, const routh_sweep_line *line,
                              const routh_sweep_event *e, bool map)
{
    char number[RT_NUMBER_SIZE];
    if (map) rt_table_real(table, line->second, 8);
    rt_table_real(table, e->value, 13);
    rt_number_text(number, e->error, 1);
    rt_table_format(table, "+-%s", number);
    rt_table_format(table, "%s%s", routh_sweep_event_name(e->kind), direction(e));
    const char *first = e->branch[0] >= 0 ? line->names[e->branch[0]] : "",
               *second = e->branch[1] >= 0 ? line->names[e->branch[1]] : "";
    const bool same = strcspn(first, "*") == strcspn(second, "*") &&
                      strncmp(first, second, strcspn(first, "*")) == 0;
    rt_table_format(table, "%.*s%s%.*s", (int)strcspn(first, "*"), first,
                    *second && !same ? ", " : "", same ? 0 : (int)strcspn(second, "*"), second);
    sweep_table_real(table, e->eigenvalue[0], 6);
    sweep_table_real(table, e->eigenvalue[1], 8);
    if (e->kind == ROUTH_SWEEP_CRITICAL) {
        rt_number_text(number, e->order, 4);
        rt_table_format(table, "order %s", number);
    } else if (e->kind == ROUTH_SWEEP_VEERING) {
        rt_number_text(number, e->gap, 4);
        rt_table_format(table, "gap %s 1/s", number);
    } else {
        rt_table_cell(table, "");
    }
}

static void sweep_table_events(rt_text *text, const routh_sweep *s)
{
    const bool map = s->second != NULL;
    rt_table table = {.align = map ? "rrllrrrl" : "rllrrrl"};
    int n = 0;
    for (int l = 0; l < s->n_lines; l++) n += s->lines[l].n_events;
    if (n == 0) return;
    rt_text_append(text, "\nSolved for\n");
    if (map) rt_table_cell(&table, s->second);
    rt_table_cell(&table, s->parameter);
    static const char *const heads[] = {"", "what", "branch", "real part", "imaginary", ""},
                             *const units[] = {"", "", "", "1/s", "rad/s", ""};
    for (int k = 0; k < 6; k++) rt_table_cell(&table, heads[k]);
    for (int k = 0; k <= map; k++) rt_table_cell(&table, "");
    for (int k = 0; k < 6; k++) rt_table_cell(&table, units[k]);
    for (int l = 0; l < s->n_lines; l++)
        for (int k = 0; k < s->lines[l].n_events; k++)
            sweep_table_event(&table, &s->lines[l], &s->lines[l].events[k], map);
    rt_table_write(&table, text);
}

/* ---- branches -------------------------------------------------------------------------------- */

/* Where it is first and last. */
static void ends_of(const routh_sweep_line *line, int b, const routh_sweep_point *end[2])
{
    end[0] = end[1] = NULL;
    for (int k = 0; k < line->n_points; k++) {
        if (!rt_sweep_shows(line, &line->points[k], b)) continue;
        if (!end[0]) end[0] = &line->points[k];
        end[1] = &line->points[k];
    }
}

static void sweep_table_branch(rt_table *table, const routh_sweep_line *line, int b)
{
    const routh_sweep_point *end[2];
    ends_of(line, b, end);
    if (!end[0]) return;
    rt_table_cell(table, line->names[b]);
    for (int k = 0; k < 2; k++) {
        const rt_sweep_figures f = rt_sweep_figures_of(end[k]->eigenvalues[b]);
        rt_table_real(table, end[k]->value, 6);
        rt_table_real(table, f.hertz, 8);
        rt_table_real(table, end[k]->eigenvalues[b][0], 6);
        rt_table_real(table, f.ratio, 4);
    }
}

static void sweep_table_branches(rt_text *text, const routh_sweep *s, const routh_sweep_line *line)
{
    static const char *const heads[] = {"branch", "from",      "frequency", "real part", "damping",
                                        "to",     "frequency", "real part", "damping"},
                             *const units[] = {"", "",   "Hz",  "1/s",  "ratio",
                                               "", "Hz", "1/s", "ratio"};
    rt_table table = {.align = "lrrrrrrrr"};
    rt_text_append(text, "\n");
    if (s->second) {
        char number[RT_NUMBER_SIZE];
        rt_number_text(number, line->second, 8);
        rt_text_append(text, "%s = %s\n", s->second, number);
    }
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    for (int b = 0; b < line->n_branches; b++) sweep_table_branch(&table, line, b);
    rt_table_write(&table, text);
}

/* ---- boundaries ------------------------------------------------------------------------------ */

static const char *end_word(const routh_sweep_boundary *b, int end)
{
    return b->border[end] ? "border" : "lost";
}

static void boundary_point(rt_table *table, const routh_sweep_boundary *b, int k)
{
    const routh_sweep_boundary_point *p = &b->points[k];
    char number[RT_NUMBER_SIZE];
    rt_table_real(table, p->value, 13);
    rt_table_real(table, p->second, 13);
    rt_number_text(number, fmin(p->error, p->second_error), 1);
    rt_table_format(table, "+-%s", number);
    rt_table_real(table, fabs(p->eigenvalue[1]), 8);
    const char *word = p->turns ? "reverses" : "";
    if (!b->closed && k == 0) word = end_word(b, 0);
    if (!b->closed && k == b->n - 1) word = end_word(b, 1);
    rt_table_cell(table, word);
}

static void sweep_table_boundaries(rt_text *text, const routh_sweep *s)
{
    for (int k = 0; k < s->n_boundaries; k++) {
        const routh_sweep_boundary *b = &s->boundaries[k];
        rt_table table = {.align = "rrlrl"};
        if (b->n == 0) continue;
        rt_text_append(text, "\nBoundary: %s", routh_sweep_event_name(b->kind));
        if (b->kind == ROUTH_SWEEP_CRITICAL) {
            char number[RT_NUMBER_SIZE];
            rt_number_text(number, b->order, 4);
            rt_text_append(text, ", order %s", number);
        }
        rt_text_append(text, "%s\n", b->closed ? ", closed" : "");
        const char *const heads[] = {s->parameter, s->boundary, "", "imaginary", ""},
                          *const units[] = {"", "", "", "rad/s", ""};
        for (int i = 0; i < 5; i++) rt_table_cell(&table, heads[i]);
        for (int i = 0; i < 5; i++) rt_table_cell(&table, units[i]);
        for (int i = 0; i < b->n; i++) boundary_point(&table, b, i);
        rt_table_write(&table, text);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void sweep_table_counts(rt_text *text, const routh_sweep *s)
{
    int values = 0, between = 0, failed = 0, unsteady = 0;
    for (int l = 0; l < s->n_lines; l++)
        for (int k = 0; k < s->lines[l].n_points; k++) {
            const routh_sweep_point *p = &s->lines[l].points[k];
            values += p->on_grid, between += !p->on_grid;
            failed += p->message != NULL;
            unsteady += !p->message && !p->steady;
        }
    rt_heading_line(text, "values",
                    "%d, and %d between them to distinguish modes; %d operating "
                    "points in all",
                    values, between, s->n_computed);
    if (failed)
        rt_heading_line(text, "warning", "%d %s no operating point or modes", failed,
                        failed == 1 ? "value has" : "values have");
    if (unsteady)
        rt_heading_line(text, "warning",
                        "at %d value%s the motion is not steady, and eigenvalues do not describe "
                        "stability",
                        unsteady, unsteady == 1 ? "" : "s");
}

static void messages(rt_text *text, const routh_sweep_line *line)
{
    const char *last = "";
    for (int k = 0; k < line->n_points; k++) {
        const routh_sweep_point *p = &line->points[k];
        char number[RT_NUMBER_SIZE];
        if (!p->message || strcmp(p->message, last) == 0) continue;
        last = p->message;
        rt_number_text(number, p->value, 8);
        rt_text_append(text, "\nat %s: ", number);
        rt_text_plain(text, p->message);
        rt_text_append(text, "\n");
    }
}

routh_status routh_sweep_table(const routh_sweep *s, routh_text *text, routh_error *error)
{
    rt_text out = {0};
    *text = (routh_text){0};
    rt_text_plain(&out, s->title[0] ? s->title : "untitled");
    rt_text_append(&out, "\n");
    sweep_table_counts(&out, s);
    sweep_table_events(&out, s);
    sweep_table_boundaries(&out, s);
    for (int l = 0; l < s->n_lines; l++)
        if (l == 0 || l == s->n_lines - 1) sweep_table_branches(&out, s, &s->lines[l]);
    for (int l = 0; l < s->n_lines; l++) messages(&out, &s->lines[l]);
    (void)error;
    return rt_results_hand_over(&out, text, error);
}
