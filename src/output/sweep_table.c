/* A sweep for the terminal: what happens where, and each branch at the first and the last value. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "output/heading.h"
#include "output/sweep_fields.h"
#include "output/sweep_words.h"

/* ---- what happens ---------------------------------------------------------------------------- */

static void sweep_table_events(rt_text *text, const routh_sweep *s)
{
    rt_result_lines lines;
    rt_result_row row = {.work = (void *)s};
    int n = 0;
    for (int l = 0; l < s->n_lines; l++) n += s->lines[l].n_events;
    if (n == 0) return;
    rt_text_append(text, "\nSolved for\n");
    rt_result_begin(&lines, text, &rt_sweep_event_table, &row);
    for (int l = 0; l < s->n_lines; l++)
        for (int k = 0; k < s->lines[l].n_events; k++) {
            row.of = &s->lines[l].events[k], row.parent = &s->lines[l];
            rt_result_line(&lines, &row);
        }
    rt_result_end(&lines);
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

/* A branch with the figures of both ends. */
typedef struct branch_line {
    const char *name;
    double value[2], hertz[2], real[2], ratio[2];
} branch_line;

#define END(member, k, head_, unit_, digits_, meaning_)                                            \
    {.type = RT_RESULT_REAL, RT_AT(branch_line, member), .out_of = 2, .part_of = (k),              \
     .head = (head_), .unit = (unit_), .digits = (digits_), .meaning = (meaning_)}
#define ENDS(k, head_)                                                                             \
    {.type = RT_RESULT_REAL, RT_AT(branch_line, value), .out_of = 2, .part_of = (k),               \
     .head = (head_), .digits = 6, .meaning = "value of the parameter",                            \
     .unit_of = branch_line_unit, .one_unit = true},                                               \
        END(hertz, k, "frequency", "Hz", 8, "damped frequency there"),                             \
        END(real, k, "real part", "1/s", 6, "real part there"),                                    \
        END(ratio, k, "damping", "ratio", 4, "damping ratio there")

/* work: the sweep */
static const char *branch_line_unit(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return rt_sweep_unit(row->work, ((const routh_sweep *)row->work)->parameter);
}

static const rt_result_field branch_line_fields[] = {
    {.type = RT_RESULT_TEXT, RT_AT(branch_line, name), .meaning = "name of the branch",
     .head = "branch", .align = 'l'},
    ENDS(0, "from"),
    ENDS(1, "to"),
};
static const rt_result_table branch_line_table = {"branch_line", "", "",
                                                  RT_FIELDS(branch_line_fields)};

static void sweep_table_branch(rt_result_lines *lines, const routh_sweep *s,
                               const routh_sweep_line *line, int b)
{
    const routh_sweep_point *end[2];
    branch_line x = {.name = line->names[b]};
    ends_of(line, b, end);
    if (!end[0]) return;
    for (int k = 0; k < 2; k++) {
        const rt_sweep_figures f = rt_sweep_figures_of(end[k]->eigenvalues[b]);
        x.value[k] = end[k]->value, x.real[k] = end[k]->eigenvalues[b][0];
        x.hertz[k] = f.hertz, x.ratio[k] = f.ratio;
    }
    rt_result_line(lines, &(rt_result_row){.of = &x, .work = (void *)s});
}

static void sweep_table_branches(rt_text *text, const routh_sweep *s, const routh_sweep_line *line)
{
    rt_result_lines lines;
    rt_text_append(text, "\n");
    if (s->second) {
        char number[RT_NUMBER_SIZE], room[RT_UNIT_SIZE];
        const char *shown;
        const double scale =
            rt_unit_shown(text, rt_sweep_unit(s, s->second), false, &shown, room);
        const bool named = shown && text->units;
        rt_number_text(number, scale * line->second, 8);
        rt_text_append(text, "%s = %s%s%s\n", s->second, number, named ? " " : "",
                       named ? shown : "");
    }
    rt_result_begin(&lines, text, &branch_line_table, &(rt_result_row){.work = (void *)s});
    for (int b = 0; b < line->n_branches; b++) sweep_table_branch(&lines, s, line, b);
    rt_result_end(&lines);
}

/* ---- boundaries ------------------------------------------------------------------------------ */

static void sweep_table_boundaries(rt_text *text, const routh_sweep *s)
{
    for (int k = 0; k < s->n_boundaries; k++) {
        const routh_sweep_boundary *b = &s->boundaries[k];
        if (b->n == 0) continue;
        rt_text_append(text, "\nBoundary: %s", routh_sweep_event_name(b->kind));
        if (b->kind == ROUTH_SWEEP_CRITICAL) {
            char number[RT_NUMBER_SIZE];
            rt_number_text(number, b->order, 4);
            rt_text_append(text, ", order %s", number);
        }
        rt_text_append(text, "%s\n", b->closed ? ", closed" : "");
        rt_result_print(text, &rt_boundary_point_table,
                        &(rt_result_row){.of = b, .work = (void *)s}, b->points, b->n,
                        sizeof *b->points);
    }
}

/* ---- what was not looked at ------------------------------------------------------------------ */

/* What was not asked for; critical speeds are only where there is a speed. */
static void sweep_table_sought(rt_text *text, const routh_sweep *s)
{
    static const struct {
        int what;
        const char *name;
    } all[] = {{ROUTH_SWEEP_SOLVE_LIMITS, "stability limits"},
               {ROUTH_SWEEP_SOLVE_CRITICAL, "critical speeds"},
               {ROUTH_SWEEP_SOLVE_CROSSINGS, "crossings"},
               {ROUTH_SWEEP_SOLVE_VEERINGS, "veerings"}};
    char list[120] = "", number[RT_NUMBER_SIZE];
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (s->solve & all[k].what || (all[k].what == ROUTH_SWEEP_SOLVE_CRITICAL && !s->speed))
            continue;
        if (*list) strcat(list, ", ");
        strcat(list, all[k].name);
    }
    if (*list) rt_heading_line(text, "not sought", "%s (--solve)", list);
    if (isfinite(s->below)) {
        rt_number_text(number, s->below, 6);
        rt_heading_line(text, "", "modes above %s Hz are not distinguished", number);
    }
    if (s->n_bounded)
        rt_heading_line(text, "warning",
                        "in %d of the steps between values the bound on operating points was met; "
                        "what was left out there needs closer values or --points above %d",
                        s->n_bounded, s->points);
    if (s->interrupted && s->solve)
        rt_heading_line(text, "stopped", "%d %s between values not looked at", s->n_left,
                        s->n_left == 1 ? "step" : "steps");
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
    sweep_table_sought(text, s);
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

routh_status routh_sweep_table(const routh_sweep *s, const routh_units *units, routh_text *text,
                               routh_error *error)
{
    rt_text out = {.units = units};
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
