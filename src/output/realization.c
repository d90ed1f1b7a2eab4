/* What inputs drive and outputs see, below the table of modes and in their JSON. */
#include <math.h>

#include "base/number.h"
#include "output/results.h"
#include "output/table.h"

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

/* Verdict, margin, strongest signal. */
static void realization_side(rt_table *table, const routh_mode_reach *reach,
                             const routh_signal_name *names, int n)
{
    if (n == 0) return;
    rt_table_cell(table, routh_verdict_name(reach->verdict));
    rt_table_real(table, reach->margin, 2);
    realization_strongest(table, reach, names, n);
}

static void realization_one_line(rt_table *table, int number, const routh_results *results, int i)
{
    const routh_mode *mode = &results->modes->modes[i];
    const routh_mode_realization *z = &results->realization->modes[i];
    const routh_linear *l = results->linear;
    char text[RT_NUMBER_SIZE];
    rt_table_format(table, "%d", number);
    rt_table_real(table, rt_eigenvalue_part(mode, 0), 6);
    rt_number_text(text, fabs(mode->eigenvalue[1]), 6);
    if (mode->conjugate != i)
        rt_table_format(table, "+-%s", text);
    else
        rt_table_cell(table, "");
    realization_side(table, &z->input, l->inputs, l->n_inputs);
    realization_side(table, &z->output, l->outputs, l->n_outputs);
    if (z->copies > 1)
        rt_table_format(table, "%d copies", z->copies);
    else
        rt_table_cell(table, "");
}

static void realization_heads(rt_table *table, const routh_linear *l)
{
    static const char *const rows[2][10] = {{"mode", "real part", "imaginary", "controllable",
                                             "margin", "driven by", "observable", "margin",
                                             "observed by", ""},
                                            {"", "1/s", "rad/s", "", "eps", "", "", "eps", "", ""}};
    for (int row = 0; row < 2; row++)
        for (int k = 0; k < 10; k++)
            if ((k < 3 || k > 5 || l->n_inputs > 0) && (k < 6 || k > 8 || l->n_outputs > 0))
                rt_table_cell(table, rows[row][k]);
}

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
    const routh_linear *l = results->linear;
    if (!results->realization || modes->n == 0) return;
    rt_table table = {.align = l->n_inputs && l->n_outputs ? "rrrlrllrll" : "rrrlrll"};
    int number = 0;
    rt_text_append(text, "\nControllability and observability\n");
    realization_heads(&table, l);
    for (int i = 0; i < modes->n; i++)
        if (modes->modes[i].eigenvalue[1] >= 0 || modes->modes[i].conjugate == i)
            realization_one_line(&table, ++number, results, i);
    rt_table_write(&table, text);
    summary(text, results);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void realization_reach(rt_json *json, const char *key, const routh_mode_reach *r,
                              const routh_signal_name *names, int n)
{
    if (n == 0) {
        rt_json_null(json, key);
        return;
    }
    rt_json_flat_object(json, key);
    rt_json_string(json, "verdict", routh_verdict_name(r->verdict));
    rt_json_real(json, "distance", r->distance);
    rt_json_real(json, "margin", r->margin);
    rt_json_real(json, "noise", r->noise);
    rt_json_real(json, "least", r->least);
    rt_json_flat_object(json, "each");
    for (int j = 0; j < n; j++) rt_json_real(json, names[j].name, r->each[j]);
    rt_json_end(json);
    rt_json_end(json);
}

void rt_json_realization(rt_json *json, const routh_results *results, int mode)
{
    if (!results->realization) return;
    const routh_mode_realization *z = &results->realization->modes[mode];
    rt_json_object(json, "realization");
    rt_json_int(json, "copies", z->copies);
    realization_reach(json, "controllable", &z->input, results->linear->inputs,
                      results->linear->n_inputs);
    realization_reach(json, "observable", &z->output, results->linear->outputs,
                      results->linear->n_outputs);
    rt_json_end(json);
}
