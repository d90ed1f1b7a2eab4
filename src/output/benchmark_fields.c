/* The tables of the benchmark; its JSON, CSV and terminal. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "output/descriptor.h"
#include "output/heading.h"

static const char *const verdicts[] = {"yes", "no", "cannot tell", NULL};

/* ---- a number: a routh_benchmark_value, whose parent is its problem -------------------------- */

static const routh_benchmark_value *value_at(const rt_result_row *row) { return row->of; }

static const char *value_problem(const rt_result_row *row)
{
    return ((const routh_benchmark_problem *)row->parent)->name;
}

static const char *value_verdict(const rt_result_row *row)
{
    return routh_verdict_name(value_at(row)->verdict);
}

static const char *value_label(const rt_result_row *row)
{
    return value_at(row)->label[0] ? value_at(row)->label : NULL;
}

static const char *value_unit(const rt_result_row *row)
{
    return value_at(row)->unit[0] ? value_at(row)->unit : NULL;
}

/* The name stands beside the first number of a problem. */
static void value_cell_problem(rt_table *table, const rt_result_row *row)
{
    rt_table_cell(table, row->index == 0 ? value_problem(row) : "");
}

static void value_cell_quantity(rt_table *table, const rt_result_row *row)
{
    const routh_benchmark_value *v = row->of;
    rt_table_format(table, "%s%s%s", v->label, v->label[0] ? ": " : "", v->quantity);
}

static void value_cell_published(rt_table *table, const rt_result_row *row)
{
    const routh_benchmark_value *v = row->of;
    rt_table_cell(table, v->published ? v->published : v->formula ? "formula" : "");
}

static void value_cell_digits(rt_table *table, const rt_result_row *row)
{
    const routh_benchmark_value *v = row->of;
    if (isnan(v->computed))
        rt_table_cell(table, "");
    else
        rt_table_format(table, "%d", v->digits);
}

static void value_cell_seconds(rt_table *table, const rt_result_row *row)
{
    if (row->index == 0)
        rt_table_real(table, ((const routh_benchmark_problem *)row->parent)->seconds, 2);
    else
        rt_table_cell(table, "");
}

static void value_cell_remark(rt_table *table, const rt_result_row *row)
{
    const routh_benchmark_value *v = row->of;
    rt_table_cell(table, v->verdict == ROUTH_NO            ? "DISAGREES"
                         : v->verdict == ROUTH_CANNOT_TELL ? "not computed"
                         : v->misprint                     ? "misprint"
                                                           : "");
}

static const rt_result_field value_fields[] = {
    {.csv = "problem", .type = RT_RESULT_TEXT, .text = value_problem,
     .meaning = "name of the problem", .head = "problem", .align = 'l',
     .cell = value_cell_problem},
    {.key = "case", .csv = "case", .type = RT_RESULT_TEXT, .text = value_label, .nullable = true,
     .meaning = "which of the problem's cases, as `N = 5`; `null` where there is one"},
    {.key = "quantity", .csv = "quantity", .type = RT_RESULT_TEXT,
     RT_AT(routh_benchmark_value, quantity), .meaning = "what the number is", .head = "quantity",
     .align = 'l', .cell = value_cell_quantity},
    {.key = "unit", .csv = "unit", .type = RT_RESULT_TEXT, .text = value_unit, .nullable = true,
     .meaning = "of the numbers; `null` of what has none", .head = "unit", .align = 'l'},
    {.key = "published", .csv = "published", .type = RT_RESULT_TEXT,
     RT_AT(routh_benchmark_value, published), .nullable = true,
     .meaning = "the number as the source prints it; `null` where it has a formula",
     .head = "published", .cell = value_cell_published},
    {.key = "formula", .csv = "formula", .type = RT_RESULT_TEXT,
     RT_AT(routh_benchmark_value, formula), .nullable = true,
     .meaning = "the closed form, in the parameters of the model; `null` where there is none"},
    {.key = "reference", .csv = "reference", .type = RT_RESULT_REAL,
     RT_AT(routh_benchmark_value, reference), .nullable = true,
     .meaning = "what is right: by the formula, or to more digits than are printed; else the "
                "printed number; `null` where it was not computed",
     .head = "reference", .digits = 10},
    {.key = "computed", .csv = "computed", .type = RT_RESULT_REAL,
     RT_AT(routh_benchmark_value, computed), .nullable = true,
     .meaning = "by this program; `null` where it was not computed", .head = "computed",
     .digits = 10},
    {.key = "digits", .csv = "digits", .type = RT_RESULT_COUNT,
     RT_AT(routh_benchmark_value, digits),
     .meaning = "leading digits in which both agree, at most 15", .head = "digits",
     .cell = value_cell_digits},
    {.key = "digits_wanted", .csv = "digits_wanted", .type = RT_RESULT_COUNT,
     RT_AT(routh_benchmark_value, digits_wanted),
     .meaning = "in how many they must agree; 0: in those that are printed"},
    {.key = "misprint", .csv = "misprint", .type = RT_RESULT_TRUTH,
     RT_AT(routh_benchmark_value, misprint), .meaning = "true: what is printed is wrong"},
    {.key = "note", .csv = "note", .type = RT_RESULT_TEXT, RT_AT(routh_benchmark_value, note),
     .nullable = true, .meaning = "a sentence; `null` where there is none"},
    {.key = "verdict", .csv = "verdict", .type = RT_RESULT_TEXT, .text = value_verdict,
     .words = verdicts,
     .meaning = "whether they agree so far, and what is printed in all digits (a misprint: "
                "whether it does not); `cannot tell`: not computed"},
    {.type = RT_RESULT_REAL, .cell = value_cell_seconds, .meaning = "of the whole problem",
     .head = "time", .head_unit = "s"},
    {.type = RT_RESULT_TEXT, .cell = value_cell_remark, .meaning = "remark", .head = "",
     .align = 'l'},
};
static const rt_result_table value_table = {"benchmark_value", "Number of a benchmark problem", "",
                                            RT_FIELDS(value_fields)};

/* ---- a problem ------------------------------------------------------------------------------- */

static const routh_benchmark_problem *problem_at(const rt_result_row *row) { return row->of; }

static const char *problem_verdict(const rt_result_row *row)
{
    return routh_verdict_name(problem_at(row)->verdict);
}

static const char *problem_where(const rt_result_row *row)
{
    return problem_at(row)->where[0] ? problem_at(row)->where : NULL;
}

static void problem_write_values(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_benchmark_problem *p = row->of;
    rt_json_array(json, key);
    for (int k = 0; k < p->n_values; k++) {
        rt_json_object(json, NULL);
        rt_result_json(json, &value_table,
                       &(rt_result_row){.of = &p->values[k], .parent = p, .index = k});
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const rt_result_field problem_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(routh_benchmark_problem, name),
     .meaning = "of the problem", .head = "problem", .align = 'l'},
    {.key = "title", .type = RT_RESULT_TEXT, RT_AT(routh_benchmark_problem, title),
     .meaning = "what it is, in a line", .head = "", .align = 'l'},
    {.key = "source", .type = RT_RESULT_TEXT, RT_AT(routh_benchmark_problem, source),
     .meaning = "where its numbers are from, in full"},
    {.key = "where", .type = RT_RESULT_TEXT, .text = problem_where, .nullable = true,
     .meaning = "the table, equation or section there"},
    {.key = "model", .type = RT_RESULT_TEXT, RT_AT(routh_benchmark_problem, model),
     .meaning = "`template NAME`, `example NAME`, or `its own`"},
    {.key = "verdict", .type = RT_RESULT_TEXT, .text = problem_verdict, .words = verdicts,
     .meaning = "`no` where one of its numbers is wrong, else `cannot tell` where one was not "
                "computed"},
    {.key = "seconds", .type = RT_RESULT_REAL, RT_AT(routh_benchmark_problem, seconds),
     .unit = "s", .meaning = "time of the clock for all of its numbers, with reading the model"},
    {.key = "fault", .type = RT_RESULT_TEXT, RT_AT(routh_benchmark_problem, fault),
     .nullable = true, .meaning = "what could not be computed and why; `null`: all was"},
    {.key = "values", .type = RT_RESULT_LIST, .items = &value_table,
     .write = problem_write_values, .meaning = "its numbers"},
};
static const rt_result_table problem_table = {"benchmark_problem", "Benchmark problem", "",
                                              RT_FIELDS(problem_fields)};

/* ---- the document ---------------------------------------------------------------------------- */

static void document_write_problems(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_benchmark *b = row->of;
    rt_json_array(json, key);
    for (int k = 0; k < b->n; k++) {
        rt_json_object(json, NULL);
        rt_result_json(json, &problem_table,
                       &(rt_result_row){.of = &b->problems[k], .parent = b, .index = k});
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const rt_result_field document_fields[] = {
    {.key = "program", .type = RT_RESULT_TEXT, .write = rt_result_write_program,
     .meaning = "name and version"},
    {.key = "numbers", .type = RT_RESULT_COUNT, RT_AT(routh_benchmark, n_values),
     .meaning = "of all problems"},
    {.key = "agree", .type = RT_RESULT_COUNT, RT_AT(routh_benchmark, n_agree),
     .meaning = "numbers that are right"},
    {.key = "disagree", .type = RT_RESULT_COUNT, RT_AT(routh_benchmark, n_wrong),
     .meaning = "numbers that are not"},
    {.key = "not_computed", .type = RT_RESULT_COUNT, RT_AT(routh_benchmark, n_unknown),
     .meaning = "numbers that this program could not compute, or was not asked to"},
    {.key = "seconds", .type = RT_RESULT_REAL, RT_AT(routh_benchmark, seconds), .unit = "s",
     .meaning = "of all problems"},
    {.key = "problems", .type = RT_RESULT_LIST, .items = &problem_table,
     .write = document_write_problems, .meaning = "the problems, as they are listed"},
};
const rt_result_table rt_benchmark_document = {"benchmark", "routh benchmark --json", "",
                                               RT_FIELDS(document_fields)};

routh_status routh_benchmark_json(const routh_benchmark *b, routh_text *text, routh_error *error)
{
    return rt_result_document_json(&rt_benchmark_document, &(rt_result_row){.of = b}, text, error);
}

routh_status routh_benchmark_csv(const routh_benchmark *b, routh_text *text, routh_error *error)
{
    rt_csv csv = {0};
    *text = (routh_text){0};
    rt_result_csv_heads(&csv, &value_table, &(rt_result_row){.of = b});
    for (int p = 0; p < b->n; p++)
        for (int k = 0; k < b->problems[p].n_values; k++)
            rt_result_csv(&csv, &value_table,
                          &(rt_result_row){.of = &b->problems[p].values[k],
                                           .parent = &b->problems[p],
                                           .index = k});
    const routh_status status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}

/* ---- terminal -------------------------------------------------------------------------------- */

static void benchmark_faults(rt_text *out, const routh_benchmark *b)
{
    for (int p = 0; p < b->n; p++)
        if (b->problems[p].fault) {
            rt_text_append(out, "\n%s: ", b->problems[p].name);
            rt_text_plain(out, b->problems[p].fault);
            rt_text_append(out, "\n");
        }
}

routh_status routh_benchmark_table(const routh_benchmark *b, routh_text *text, routh_error *error)
{
    rt_text out = {0};
    rt_result_lines lines;
    char seconds[RT_NUMBER_SIZE];
    *text = (routh_text){0};
    rt_result_begin(&lines, &out, &value_table, &(rt_result_row){.of = b});
    for (int p = 0; p < b->n; p++)
        for (int k = 0; k < b->problems[p].n_values; k++)
            rt_result_line(&lines, &(rt_result_row){.of = &b->problems[p].values[k],
                                                    .parent = &b->problems[p],
                                                    .index = k});
    rt_result_end(&lines);
    benchmark_faults(&out, b);
    rt_number_text(seconds, b->seconds, 3);
    rt_text_append(&out,
                   "\n%d problem%s, %d number%s: %d agree, %d disagree, %d not computed; %s s\n",
                   b->n, b->n == 1 ? "" : "s", b->n_values, b->n_values == 1 ? "" : "s", b->n_agree,
                   b->n_wrong, b->n_unknown, seconds);
    return rt_results_hand_over(&out, text, error);
}

routh_status routh_benchmark_list(const routh_benchmark *b, routh_text *text, routh_error *error)
{
    rt_text out = {0};
    *text = (routh_text){0};
    rt_result_print(&out, &problem_table, &(rt_result_row){.of = b}, b->problems, b->n,
                    sizeof *b->problems);
    return rt_results_hand_over(&out, text, error);
}
