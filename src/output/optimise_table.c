/* What an optimisation reached, for the terminal. */
#include "base/number.h"
#include "output/heading.h"
#include "output/optimise_fields.h"

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

routh_status routh_optimum_table(const routh_optimum *o, const routh_units *units,
                                 routh_text *text, routh_error *error)
{
    rt_text out = {.units = units};
    char number[RT_NUMBER_SIZE];
    *text = (routh_text){0};
    optimise_table_head(&out, o);
    rt_text_append(&out, "\n");
    rt_result_print(&out, &rt_optimum_variable_table, &(rt_result_row){.of = o}, o->variables,
                    o->n_variables, sizeof *o->variables);
    rt_text_append(&out, "\n");
    rt_result_print(&out, &rt_optimum_goal_table, &(rt_result_row){.of = o}, o->goals, o->n_goals,
                    sizeof *o->goals);
    rt_text_append(&out, "\nJ: the objective. For other commands:\n ");
    for (int k = 0; k < o->n_variables; k++) {
        rt_number_text(number, o->variables[k].after, RT_NUMBER_EXACT);
        rt_text_append(&out, " --set %s=%s", o->variables[k].name, number);
    }
    rt_text_append(&out, "\n");
    return rt_results_hand_over(&out, text, error);
}
