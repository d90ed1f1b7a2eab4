/* The tables of what an optimisation reached, and its JSON. */
#include "output/optimise_fields.h"

#include <math.h>

#include "base/number.h"

/* ---- variables ------------------------------------------------------------------------------- */

static const routh_optimum_variable *variable_at(const rt_result_row *row) { return row->of; }

static const char *const sides[] = {"low", "high", NULL};

static const char *variable_side(const rt_result_row *row)
{
    const int side = variable_at(row)->at_bound;
    return side < 0 ? sides[0] : side > 0 ? sides[1] : NULL;
}

static void variable_cell_side(rt_table *table, const rt_result_row *row)
{
    const int side = variable_at(row)->at_bound;
    rt_table_cell(table, side < 0   ? "at its lower bound"
                         : side > 0 ? "at its upper bound"
                                    : "");
}

static double variable_by_bound_shown(const rt_result_row *row)
{
    return variable_at(row)->at_bound ? variable_at(row)->objective_by_bound : NAN;
}

static const rt_result_field variable_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(routh_optimum_variable, name),
     .meaning = "of the parameter", .head = "variable", .align = 'l'},
    {.key = "before", .type = RT_RESULT_REAL, RT_AT(routh_optimum_variable, before),
     .meaning = "its value at the start", .head = "before", .digits = 6},
    {.key = "after", .type = RT_RESULT_REAL, RT_AT(routh_optimum_variable, after),
     .meaning = "in the end", .head = "after", .digits = 10},
    {.key = "low", .type = RT_RESULT_REAL, RT_AT(routh_optimum_variable, low),
     .meaning = "lower bound", .head = "from", .digits = 6},
    {.key = "high", .type = RT_RESULT_REAL, RT_AT(routh_optimum_variable, high),
     .meaning = "upper bound", .head = "to", .digits = 6},
    {.key = "logarithmic", .type = RT_RESULT_TRUTH, RT_AT(routh_optimum_variable, logarithmic),
     .meaning = "true: varied by its logarithm"},
    {.key = "at_bound", .type = RT_RESULT_TEXT, .text = variable_side, .words = sides,
     .nullable = true, .meaning = "at which bound it is in the end", .head = "", .align = 'l',
     .cell = variable_cell_side},
    {.key = "objective_by_bound", .type = RT_RESULT_REAL,
     RT_AT(routh_optimum_variable, objective_by_bound), .shown = variable_by_bound_shown,
     .meaning = "derivative of the best objective by that bound; 0 where at none",
     .head = "dJ/dbound", .digits = 4},
};
const rt_result_table rt_optimum_variable_table = {"optimum_variable", "Design parameter", "",
                                                   RT_FIELDS(variable_fields)};

/* ---- goals ----------------------------------------------------------------------------------- */

static const routh_optimum_goal *goal_at(const rt_result_row *row) { return row->of; }

static const char *const wishes[] = {"minimise", "maximise", "near", NULL};

static const char *goal_wish(const rt_result_row *row)
{
    const routh_wish wish = goal_at(row)->wish;
    return wish == ROUTH_WISH_NONE ? NULL : wishes[wish - ROUTH_WISH_MINIMISE];
}

/* "small, at most 3" */
static void goal_cell_wanted(rt_table *table, const rt_result_row *row)
{
    const routh_optimum_goal *g = row->of;
    char low[RT_NUMBER_SIZE], high[RT_NUMBER_SIZE], target[RT_NUMBER_SIZE];
    rt_number_text(low, rt_table_scaled(table, g->low), 6);
    rt_number_text(high, rt_table_scaled(table, g->high), 6);
    rt_number_text(target, rt_table_scaled(table, g->target), 6);
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

static void goal_cell_slack(rt_table *table, const rt_result_row *row)
{
    const routh_optimum_goal *g = row->of;
    if (g->active)
        rt_table_cell(table, "active");
    else if (isfinite(g->slack))
        rt_table_real(table, g->slack, 4);
    else
        rt_table_cell(table, "");
}

static double goal_by_bound_shown(const rt_result_row *row)
{
    return goal_at(row)->active ? goal_at(row)->objective_by_bound : NAN;
}

static const char *goal_unit(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return goal_at(row)->unit;
}

static const rt_result_field goal_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(routh_optimum_goal, name),
     .meaning = "as in the study", .head = "goal", .align = 'l'},
    {.key = "what", .type = RT_RESULT_TEXT, RT_AT(routh_optimum_goal, what),
     .meaning = "what it is about, as `frequency of mode 2`", .head = "of", .align = 'l'},
    {.key = "unit", .type = RT_RESULT_TEXT, RT_AT(routh_optimum_goal, unit),
     .meaning = "of its values", .head = "unit", .head_rank = 2, .unit_of = goal_unit,
     .names_unit = true, .align = 'l'},
    {.type = RT_RESULT_TEXT, .cell = goal_cell_wanted, .meaning = "wish and bounds",
     .unit_of = goal_unit,
     .head = "wanted", .align = 'l'},
    {.key = "low", .type = RT_RESULT_REAL, RT_AT(routh_optimum_goal, low), .nullable = true,
     .meaning = "lower bound; equal to `high`: placed there"},
    {.key = "high", .type = RT_RESULT_REAL, RT_AT(routh_optimum_goal, high), .nullable = true,
     .meaning = "upper bound"},
    {.key = "wish", .type = RT_RESULT_TEXT, .text = goal_wish, .words = wishes, .nullable = true,
     .meaning = "besides the bounds"},
    {.key = "target", .type = RT_RESULT_REAL, RT_AT(routh_optimum_goal, target), .nullable = true,
     .meaning = "of the wish `near`"},
    {.key = "weight", .type = RT_RESULT_REAL, RT_AT(routh_optimum_goal, weight),
     .meaning = "of the wish"},
    {.key = "members", .type = RT_RESULT_COUNT, RT_AT(routh_optimum_goal, n_members),
     .meaning = "how many modes, or parts of the band, it is made of"},
    {.key = "before", .type = RT_RESULT_REAL, RT_AT(routh_optimum_goal, before),
     .meaning = "value at the start, of the member that counts most", .unit_of = goal_unit,
     .head = "before",
     .head_rank = 1},
    {.key = "after", .type = RT_RESULT_REAL, RT_AT(routh_optimum_goal, after),
     .meaning = "value in the end, likewise", .unit_of = goal_unit, .head = "after",
     .head_rank = 1},
    {.key = "hz", .type = RT_RESULT_REAL, RT_AT(routh_optimum_goal, hz), .nullable = true,
     .unit = "Hz", .meaning = "of a peak: where it is in the end"},
    {.key = "slack", .type = RT_RESULT_REAL, RT_AT(routh_optimum_goal, slack), .nullable = true,
     .meaning = "to the nearer bound, negative where it is violated; `null` where there is none",
     .head = "slack", .head_rank = 3, .unit_of = goal_unit, .cell = goal_cell_slack},
    {.key = "active", .type = RT_RESULT_TRUTH, RT_AT(routh_optimum_goal, active),
     .meaning = "true: it is at that bound"},
    {.key = "objective_by_bound", .type = RT_RESULT_REAL,
     RT_AT(routh_optimum_goal, objective_by_bound), .shown = goal_by_bound_shown,
     .meaning = "derivative of the best objective by that bound; 0 where not active",
     .unit_of = goal_unit, .per_unit = true, .head = "dJ/dbound", .head_rank = 3, .digits = 4},
};
const rt_result_table rt_optimum_goal_table = {"optimum_goal", "Goal", "", RT_FIELDS(goal_fields)};

/* ---- the document ---------------------------------------------------------------------------- */

static const routh_optimum *optimum_of(const rt_result_row *row) { return row->of; }

static const char *const ends[] = {"converged",   "limit of evaluations", "limit of time",
                                   "interrupted", "failed",               "not verified",
                                   NULL};

static const char *optimum_end(const rt_result_row *row)
{
    return routh_optimum_end_name(optimum_of(row)->end);
}

static const char *optimum_message(const rt_result_row *row)
{
    return optimum_of(row)->message[0] ? optimum_of(row)->message : NULL;
}

static const char *optimum_failure(const rt_result_row *row)
{
    return optimum_of(row)->failure[0] ? optimum_of(row)->failure : NULL;
}

static const rt_result_field document_fields[] = {
    {.key = "program",
     .type = RT_RESULT_TEXT,
     .write = rt_result_write_program,
     .meaning = "name and version"},
    {.key = "title",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_optimum, title),
     .meaning = "of the study, or else of the model"},
    {.key = "file",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_optimum, file),
     .meaning = "file of the model"},
    {.key = "study",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_optimum, study),
     .meaning = "file of the study"},
    {.key = "algorithm",
     .type = RT_RESULT_TEXT,
     RT_AT(routh_optimum, algorithm),
     .meaning = "`slsqp`, `mma` or `ccsa`"},
    {.key = "end",
     .type = RT_RESULT_TEXT,
     .text = optimum_end,
     .words = ends,
     .meaning = "why it ended"},
    {.key = "message",
     .type = RT_RESULT_TEXT,
     .text = optimum_message,
     .nullable = true,
     .meaning = "why it failed or shows no optimum, else `null`"},
    {.key = "evaluations",
     .type = RT_RESULT_COUNT,
     RT_AT(routh_optimum, n_evaluations),
     .meaning = "all, those of a resumed log included"},
    {.key = "taken_from_log",
     .type = RT_RESULT_COUNT,
     RT_AT(routh_optimum, n_taken),
     .meaning = "those of a log that was resumed"},
    {.key = "failed",
     .type = RT_RESULT_COUNT,
     RT_AT(routh_optimum, n_failed),
     .meaning = "evaluations without result"},
    {.key = "failure",
     .type = RT_RESULT_TEXT,
     .text = optimum_failure,
     .nullable = true,
     .meaning = "why the first of them failed"},
    {.key = "uncertain",
     .type = RT_RESULT_COUNT,
     RT_AT(routh_optimum, n_uncertain),
     .meaning = "evaluations at which it is not certain which mode is which"},
    {.key = "least_change",
     .type = RT_RESULT_TRUTH,
     RT_AT(routh_optimum, least_change),
     .meaning = "true: nothing was to be small but the change of the variables"},
    {.key = "objective_before",
     .type = RT_RESULT_REAL,
     RT_AT(routh_optimum, before),
     .meaning = "objective at the start"},
    {.key = "objective",
     .type = RT_RESULT_REAL,
     RT_AT(routh_optimum, after),
     .meaning = "objective in the end"},
    {.key = "violation",
     .type = RT_RESULT_REAL,
     RT_AT(routh_optimum, violation),
     .meaning = "largest violation of a bound in the end, relative; 0: none"},
    {.key = "optimality",
     .type = RT_RESULT_REAL,
     RT_AT(routh_optimum, optimality),
     .nullable = true,
     .meaning = "gradient of the Lagrangian over that of the objective, where nothing is active "
                "over that at the start; `null` where bounds are violated"},
    {.key = "variables",
     .type = RT_RESULT_LIST,
     .items = &rt_optimum_variable_table,
     RT_AT(routh_optimum, variables),
     .n_at = RT_PLACE(routh_optimum, n_variables),
     .size = sizeof(routh_optimum_variable),
     .open = true,
     .meaning = "in the order of the study"},
    {.key = "goals",
     .type = RT_RESULT_LIST,
     .items = &rt_optimum_goal_table,
     RT_AT(routh_optimum, goals),
     .n_at = RT_PLACE(routh_optimum, n_goals),
     .size = sizeof(routh_optimum_goal),
     .open = true,
     .meaning = "likewise"},
};
const rt_result_table rt_optimise_document = {
    "optimise", "routh optimise --json",
    "The [guide](../guide/optimisation.md) says what the figures mean.",
    RT_FIELDS(document_fields)};

routh_status routh_optimum_json(const routh_optimum *o, routh_text *text, routh_error *error)
{
    return rt_result_document_json(&rt_optimise_document, &(rt_result_row){.of = o}, text, error);
}
