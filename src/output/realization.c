/* What inputs drive and outputs see, below the table of modes and in their JSON. */
#include <math.h>

#include "base/number.h"
#include "output/mode_fields.h"

/* A smaller figure is rounding. */
static const double NO_PART = 1e-10;

/* The signal with the largest figure, "push 0.71"; "" where all are zero. */
static void realization_strongest(rt_table *table, const routh_mode_reach *reach,
                                  const routh_signal_name *names, int n)
{
    int best = 0;
    char number[RT_NUMBER_SIZE];
    for (int j = 1; j < n; j++)
        if (reach->each[j] > reach->each[best]) best = j;
    if (n == 0 || !(reach->each[best] > NO_PART)) {
        rt_table_cell(table, "");
        return;
    }
    rt_number_text(number, reach->each[best], 2);
    rt_table_format(table, "%s %s", names[best].name, number);
}

/* ---- fields of one side: row->of is a routh_mode_reach, number 0: by inputs, 1: at outputs --- */

static const char *const verdicts[] = {"yes", "no", "cannot tell", NULL};

static const char *reach_verdict(const rt_result_row *row)
{
    return routh_verdict_name(((const routh_mode_reach *)row->of)->verdict);
}

static void reach_write_each(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_linear *l = row->results->linear;
    const routh_mode_reach *reach = row->of;
    const routh_signal_name *names = row->number ? l->outputs : l->inputs;
    rt_json_flat_object(json, key);
    for (int j = 0; j < (row->number ? l->n_outputs : l->n_inputs); j++)
        rt_json_real(json, names[j].name, reach->each[j]);
    rt_json_end(json);
}

static const rt_result_field reach_fields[] = {
    {.key = "verdict", .type = RT_RESULT_TEXT, .text = reach_verdict, .words = verdicts,
     .meaning = "does it hold"},
    {.key = "distance", .type = RT_RESULT_REAL, RT_AT(routh_mode_reach, distance),
     .meaning = "smallest singular value of [A - lambda I, B] or [A - lambda I; C], over the "
                "largest row or column"},
    {.key = "margin", .type = RT_RESULT_REAL, RT_AT(routh_mode_reach, margin),
     .meaning = "the same, in units of eps = 2^-52"},
    {.key = "noise", .type = RT_RESULT_REAL, RT_AT(routh_mode_reach, noise),
     .meaning = "what rounding may make of 0, likewise"},
    {.key = "least", .type = RT_RESULT_REAL, RT_AT(routh_mode_reach, least),
     .meaning = "of the combination of copies that is reached least, 0 to 1; 0 where there are "
                "more copies than signals"},
    {.key = "each", .type = RT_RESULT_MAP, .write = reach_write_each,
     .meaning = "for each input or output by its name: how strongly it drives or observes the "
                "mode, 0 to 1"},
};
static const rt_result_table reach_table = {"reach", "Controllable or observable", "",
                                            RT_FIELDS(reach_fields)};

/* ---- fields of a mode: row->of is a routh_mode_realization, index its place ------------------ */

static const routh_mode_realization *realized_at(const rt_result_row *row) { return row->of; }

static const routh_mode *realized_mode(const rt_result_row *row)
{
    return &row->results->modes->modes[row->index];
}

static bool has_inputs(const rt_result_row *row) { return row->results->linear->n_inputs > 0; }

static bool has_outputs(const rt_result_row *row) { return row->results->linear->n_outputs > 0; }

static int realized_number(const rt_result_row *row) { return row->number; }

static double realized_real_part(const rt_result_row *row)
{
    return rt_eigenvalue_part(realized_mode(row), 0);
}

static void realized_cell_imaginary(rt_table *table, const rt_result_row *row)
{
    const bool pair = realized_mode(row)->conjugate != row->index;
    rt_result_cell_pair(table, pair ? fabs(realized_mode(row)->eigenvalue[1]) : 0, pair, 6);
}

static const char *controllable_verdict(const rt_result_row *row)
{
    return routh_verdict_name(realized_at(row)->input.verdict);
}

static const char *observable_verdict(const rt_result_row *row)
{
    return routh_verdict_name(realized_at(row)->output.verdict);
}

static double controllable_margin(const rt_result_row *row)
{
    return realized_at(row)->input.margin;
}

static double observable_margin(const rt_result_row *row)
{
    return realized_at(row)->output.margin;
}

static void controllable_cell_strongest(rt_table *table, const rt_result_row *row)
{
    const routh_linear *l = row->results->linear;
    realization_strongest(table, &realized_at(row)->input, l->inputs, l->n_inputs);
}

static void observable_cell_strongest(rt_table *table, const rt_result_row *row)
{
    const routh_linear *l = row->results->linear;
    realization_strongest(table, &realized_at(row)->output, l->outputs, l->n_outputs);
}

static void realized_cell_copies(rt_table *table, const rt_result_row *row)
{
    if (realized_at(row)->copies > 1)
        rt_table_format(table, "%d copies", realized_at(row)->copies);
    else
        rt_table_cell(table, "");
}

static void realized_write_side(rt_json *json, const char *key, const rt_result_row *row, int side)
{
    const routh_mode_realization *z = row->of;
    if (!(side ? has_outputs(row) : has_inputs(row))) {
        rt_json_null(json, key);
        return;
    }
    rt_json_flat_object(json, key);
    rt_result_json(json, &reach_table,
                   &(rt_result_row){.results = row->results,
                                    .of = side ? &z->output : &z->input,
                                    .number = side});
    rt_json_end(json);
}

static void realized_write_input(rt_json *json, const char *key, const rt_result_row *row)
{
    realized_write_side(json, key, row, 0);
}

static void realized_write_output(rt_json *json, const char *key, const rt_result_row *row)
{
    realized_write_side(json, key, row, 1);
}

static const rt_result_field realized_fields[] = {
    {.type = RT_RESULT_COUNT, .count = realized_number, .meaning = "number of the mode",
     .head = "mode"},
    {.type = RT_RESULT_REAL, .real = realized_real_part, .unit = "1/s", .meaning = "real part",
     .head = "real part", .digits = 6},
    {.type = RT_RESULT_REAL, .cell = realized_cell_imaginary, .unit = "rad/s", .circular = true,
     .meaning = "imaginary part", .head = "imaginary"},
    {.key = "copies", .type = RT_RESULT_COUNT, RT_AT(routh_mode_realization, copies),
     .meaning = "how many eigenvalues agree with it", .head = "", .head_rank = 3, .align = 'l',
     .cell = realized_cell_copies},
    {.key = "controllable", .type = RT_RESULT_OBJECT, .items = &reach_table, .nullable = true,
     .write = realized_write_input, .meaning = "by the inputs; `null` without inputs"},
    {.type = RT_RESULT_TEXT, .text = controllable_verdict, .there = has_inputs,
     .meaning = "by the inputs", .head = "controllable", .head_rank = 1, .align = 'l'},
    {.type = RT_RESULT_REAL, .real = controllable_margin, .there = has_inputs,
     .meaning = "its margin", .head = "margin", .head_unit = "eps", .head_rank = 1, .digits = 2},
    {.type = RT_RESULT_TEXT, .cell = controllable_cell_strongest, .there = has_inputs,
     .meaning = "the input that drives it most", .head = "driven by", .head_rank = 1,
     .align = 'l'},
    {.key = "observable", .type = RT_RESULT_OBJECT, .items = &reach_table, .nullable = true,
     .write = realized_write_output, .meaning = "by the outputs; `null` without outputs"},
    {.type = RT_RESULT_TEXT, .text = observable_verdict, .there = has_outputs,
     .meaning = "at the outputs", .head = "observable", .head_rank = 2, .align = 'l'},
    {.type = RT_RESULT_REAL, .real = observable_margin, .there = has_outputs,
     .meaning = "its margin", .head = "margin", .head_unit = "eps", .head_rank = 2, .digits = 2},
    {.type = RT_RESULT_TEXT, .cell = observable_cell_strongest, .there = has_outputs,
     .meaning = "the output that observes it most", .head = "observed by", .head_rank = 2,
     .align = 'l'},
};
const rt_result_table rt_mode_realization_table = {
    "realization", "Realization of a mode", "See [the guide](../guide/realization.md).",
    RT_FIELDS(realized_fields)};

/* ---- the terminal table ---------------------------------------------------------------------- */

/* How many are driven and seen, which a minimal realization keeps. */
static void summary(rt_text *text, const routh_results *results)
{
    const routh_realization *z = results->realization;
    int kept = 0, doubtful = 0;
    if (z->n_inputs == 0 || z->n_outputs == 0) return;
    for (int i = 0; i < z->n; i++) {
        const routh_verdict in = z->modes[i].input.verdict, out = z->modes[i].output.verdict;
        kept += in == ROUTH_YES && out == ROUTH_YES;
        doubtful += in != ROUTH_NO && out != ROUTH_NO && !(in == ROUTH_YES && out == ROUTH_YES);
    }
    rt_text_append(text, "%d of %d eigenvalues are controllable and observable", kept, z->n);
    if (doubtful) rt_text_append(text, "; %d cannot be decided", doubtful);
    rt_text_append(text, ".\n");
}

void rt_realization_table(rt_text *text, const routh_results *results)
{
    const routh_modes *modes = results->modes;
    if (!results->realization || modes->n == 0) return;
    rt_result_lines lines;
    rt_result_row row = {.results = results};
    rt_text_append(text, "\nControllability and observability\n");
    rt_result_begin(&lines, text, &rt_mode_realization_table, &row);
    for (int i = 0; i < modes->n; i++) {
        if (modes->modes[i].eigenvalue[1] < 0 && modes->modes[i].conjugate != i) continue;
        row.of = &results->realization->modes[i], row.index = i, row.number++;
        rt_result_line(&lines, &row);
    }
    rt_result_end(&lines);
    summary(text, results);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

void rt_json_realization(rt_json *json, const routh_results *results, int mode)
{
    if (!results->realization) return;
    rt_json_object(json, "realization");
    rt_result_json(json, &rt_mode_realization_table,
                   &(rt_result_row){.results = results,
                                    .of = &results->realization->modes[mode],
                                    .index = mode});
    rt_json_end(json);
}
