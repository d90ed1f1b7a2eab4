/* What an optimisation reached, for the terminal. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "output/heading.h"
#include "output/table.h"

static void optimise_table_real(rt_table *table, double x, int digits)
{
    if (isfinite(x))
        rt_table_real(table, x, digits);
    else
        rt_table_cell(table, "");
}

static void variables(rt_text *text, const routh_optimum *o)
{
    static const char *const heads[] = {"variable", "before", "after",    "from",
                                        "to",       "",       "dJ/dbound"};
    static const char *const sides[] = {"at its lower bound", "", "at its upper bound"};
    rt_table table = {.align = "lrrrrlr"};
    rt_text_append(text, "\n");
    rt_table_heads(&table, heads);
    for (int k = 0; k < o->n_variables; k++) {
        const routh_optimum_variable *v = &o->variables[k];
        rt_table_cell(&table, v->name);
        rt_table_real(&table, v->before, 6);
        rt_table_real(&table, v->after, 10);
        rt_table_real(&table, v->low, 6);
        rt_table_real(&table, v->high, 6);
        rt_table_cell(&table, sides[v->at_bound + 1]);
        optimise_table_real(&table, v->at_bound ? v->objective_by_bound : NAN, 4);
    }
    rt_table_write(&table, text);
}

static void optimise_table_wanted(rt_table *table, const routh_optimum_goal *g)
{
    char low[RT_NUMBER_SIZE], high[RT_NUMBER_SIZE], target[RT_NUMBER_SIZE];
    rt_number_text(low, g->low, 6);
    rt_number_text(high, g->high, 6);
    rt_number_text(target, g->target, 6);
    const char *wish = g->wish == ROUTH_WISH_MINIMISE   ? "small"
                       : g->wish == ROUTH_WISH_MAXIMISE ? "large"
                       : g->wish == ROUTH_WISH_NEAR     ? "near "
                                                        : "";
    const char *between = *wish && (isfinite(g->low) || isfinite(g->high)) ? ", " : "";
    const bool near = g->wish == ROUTH_WISH_NEAR;
    if (g->low == g->high)
        rt_table_format(table, "%s%s%sat %s", wish, near ? target : "", between, low);
    else if (isfinite(g->low) && isfinite(g->high))
        rt_table_format(table, "%s%s%s%s to %s", wish, near ? target : "", between, low, high);
    else if (isfinite(g->low))
        rt_table_format(table, "%s%s%sat least %s", wish, near ? target : "", between, low);
    else if (isfinite(g->high))
        rt_table_format(table, "%s%s%sat most %s", wish, near ? target : "", between, high);
    else
        rt_table_format(table, "%s%s", wish, near ? target : "");
}

static void goals(rt_text *text, const routh_optimum *o)
{
    static const char *const heads[] = {"goal",  "of",   "wanted", "before",
                                        "after", "unit", "slack",  "dJ/dbound"};
    rt_table table = {.align = "lllrrlrr"};
    rt_text_append(text, "\n");
    rt_table_heads(&table, heads);
    for (int k = 0; k < o->n_goals; k++) {
        const routh_optimum_goal *g = &o->goals[k];
        rt_table_cell(&table, g->name);
        rt_table_cell(&table, g->what);
        optimise_table_wanted(&table, g);
        rt_table_real(&table, g->before, 8);
        rt_table_real(&table, g->after, 8);
        rt_table_cell(&table, g->unit);
        if (g->active)
            rt_table_cell(&table, "active");
        else
            optimise_table_real(&table, g->slack, 4);
        optimise_table_real(&table, g->active ? g->objective_by_bound : NAN, 4);
    }
    rt_table_write(&table, text);
}

static void optimise_table_head(rt_text *text, const routh_optimum *o)
{
    char before[RT_NUMBER_SIZE], after[RT_NUMBER_SIZE];
    rt_text_plain(text, o->title[0] ? o->title : "untitled");
    rt_text_append(text, "\n");
    rt_heading_line(text, "algorithm", "%s: %s after %d evaluations", o->algorithm,
                    routh_optimum_end_name(o->end), o->n_evaluations);
    if (o->n_taken) rt_heading_line(text, "", "of which %d are the log's", o->n_taken);
    rt_number_text(before, o->before, 8);
    rt_number_text(after, o->after, 8);
    rt_heading_line(text, "objective", "%s, at the start %s%s", after, before,
                    o->least_change ? " (square of the change: nothing else was to be small)" : "");
    rt_number_text(before, o->violation, 2);
    rt_number_text(after, o->optimality, 2);
    if (o->violation > 1e-6)
        rt_heading_line(text, "warning",
                        "not all bounds of goals are kept: the largest is missed by %s of its size",
                        before);
    else
        rt_heading_line(text, "optimality",
                        "gradient of the Lagrangian over that of the objective %s", after);
    if (o->message[0]) rt_heading_line(text, "warning", "%s", o->message);
    if (o->n_failed)
        rt_heading_line(text, "warning", "%d evaluations failed, the first: %s", o->n_failed,
                        o->failure);
    if (o->n_uncertain)
        rt_heading_line(text, "warning",
                        "at %d evaluations it is not certain which mode continues as which",
                        o->n_uncertain);
}

routh_status routh_optimum_table(const routh_optimum *o, routh_text *text, routh_error *error)
{
    rt_text out = {0};
    char number[RT_NUMBER_SIZE];
    *text = (routh_text){0};
    optimise_table_head(&out, o);
    variables(&out, o);
    goals(&out, o);
    rt_text_append(&out, "\nJ: the objective. For other commands:\n ");
    for (int k = 0; k < o->n_variables; k++) {
        rt_number_text(number, o->variables[k].after, RT_NUMBER_EXACT);
        rt_text_append(&out, " --set %s=%s", o->variables[k].name, number);
    }
    rt_text_append(&out, "\n");
    return rt_results_hand_over(&out, text, error);
}
