/* What routh sensitivity found: table, JSON (docs/reference/json.md), CSV. */
#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/number.h"
#include "output/heading.h"
#include "output/sensitivity_parts.h"
#include "output/table.h"

enum { NAMED_ROWS = 5 };

/* Is the mode in the table: asked for, and has it derivatives? */
static bool sensitivity_is_shown(const routh_sensitivity *s, int i)
{
    if (s->number[i] == 0 || s->n_parameters == 0) return false;
    return !isnan(s->eigenvalue_by[i][0]);
}

static double sensitivity_effect(const routh_sensitivity *s, int p, int i)
{
    const size_t at = (size_t)p * (size_t)s->n_modes + (size_t)i;
    return hypot(s->frequency_effect[at], s->damping_effect[at]);
}

/* Parameters by falling effect on mode i. */
static void sensitivity_order_parameters(const routh_sensitivity *s, int i, int *order)
{
    for (int k = 0; k < s->n_parameters; k++) {
        int at = k;
        for (; at > 0 && sensitivity_effect(s, order[at - 1], i) < sensitivity_effect(s, k, i);
             at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

/* ---- table ---------------------------------------------------------------------------------- */

static void mode_heading(rt_text *text, const routh_results *results, int i)
{
    const routh_sensitivity *s = results->sensitivities;
    const routh_mode *mode = &results->modes->modes[i];
    char f[RT_NUMBER_SIZE], d[RT_NUMBER_SIZE];
    rt_number_text(f, mode->undamped_frequency_hz, 8);
    rt_number_text(d, mode->damping_ratio, 5);
    rt_text_append(text, "\nmode %d: undamped frequency %s Hz, damping ratio %s", s->number[i], f,
                   d);
    if (s->multiplicity[i] > 1)
        rt_text_append(text, "; one of %d equal, as each parameter alone parts them",
                       s->multiplicity[i]);
    rt_text_append(text, "\n");
}

static void mode_table(rt_text *text, const routh_sensitivity *s, int i, int *order)
{
    static const char *const heads[] = {
        "parameter", "value",    "effect on f",     "effect on zeta",
        "df/dp",     "dzeta/dp", "d(real part)/dp", "d(imaginary part)/dp"};
    static const char *const units[] = {"",   "", "p/f df/dp", "p dzeta/dp",
                                        "Hz", "", "1/s",       "rad/s"};
    rt_table table = {.align = "lrrrrrrr"};
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    sensitivity_order_parameters(s, i, order);
    for (int k = 0; k < s->n_parameters; k++) {
        const size_t at = (size_t)order[k] * (size_t)s->n_modes + (size_t)i;
        rt_table_cell(&table, s->parameters[order[k]]);
        rt_table_real(&table, s->values[order[k]], 6);
        rt_table_real(&table, s->frequency_effect[at], 6);
        rt_table_real(&table, s->damping_effect[at], 6);
        rt_table_real(&table, s->frequency_by[at], 6);
        rt_table_real(&table, s->damping_by[at], 6);
        rt_table_real(&table, s->eigenvalue_by[at][0], 6);
        rt_table_real(&table, s->eigenvalue_by[at][1], 6);
    }
    rt_table_write(&table, text);
}

static routh_status sensitivity_begin(const routh_results *results, routh_text *text, int **order,
                                      routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status =
        rt_results_check(results, RT_NEED_SENSITIVITIES | RT_NEED_MODES, error);
    if (status) return status;
    *order = calloc((size_t)results->sensitivities->n_parameters + 1, sizeof **order);
    return *order ? ROUTH_OK : rt_fail_memory(error);
}

routh_status routh_sensitivity_table(const routh_results *results, routh_text *text,
                                     routh_error *error)
{
    int *order, shown = 0;
    const routh_status status = sensitivity_begin(results, text, &order, error);
    if (status) return status;
    const routh_sensitivity *s = results->sensitivities;
    rt_text out = {0};
    rt_heading(&out, results, NAMED_ROWS);
    rt_heading_warnings(&out, results);
    for (int k = 0; k < s->n_warnings; k++) rt_heading_line(&out, "warning", "%s", s->warnings[k]);
    for (int i = 0; i < s->n_modes; i++) {
        if (!sensitivity_is_shown(s, i)) continue;
        mode_heading(&out, results, i);
        mode_table(&out, s, i, order);
        shown++;
    }
    if (!shown)
        rt_text_append(&out, s->n_parameters ? "\nNo mode that was asked for has derivatives.\n"
                                             : "\nThere is no parameter to differentiate by.\n");
    free(order);
    return rt_results_hand_over(&out, text, error);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void one_parameter(rt_json *json, const routh_sensitivity *s, int p, int i)
{
    const size_t at = (size_t)p * (size_t)s->n_modes + (size_t)i;
    rt_json_object(json, NULL);
    rt_json_string(json, "parameter", s->parameters[p]);
    rt_json_real(json, "value", s->values[p]);
    rt_json_reals(json, "eigenvalue", s->eigenvalue_by[at], 2);
    rt_json_real(json, "undamped_frequency_hz", s->frequency_by[at]);
    rt_json_real(json, "damping_ratio", s->damping_by[at]);
    rt_json_real(json, "frequency_effect", s->frequency_effect[at]);
    rt_json_real(json, "damping_effect", s->damping_effect[at]);
    rt_json_end(json);
}

static void sensitivity_one_mode(rt_json *json, const routh_sensitivity *s, int i, int *order)
{
    rt_json_object(json, NULL);
    rt_json_int(json, "mode", i);
    rt_json_int(json, "number", s->number[i]);
    rt_json_reals(json, "eigenvalue", s->eigenvalues[i], 2);
    rt_json_int(json, "multiplicity", s->multiplicity[i]);
    rt_json_array(json, "by");
    sensitivity_order_parameters(s, i, order);
    for (int k = 0; k < s->n_parameters; k++) one_parameter(json, s, order[k], i);
    rt_json_end(json);
    rt_json_end(json);
}

void rt_json_sensitivities(rt_json *json, const routh_sensitivity *s, int *order)
{
    rt_json_array(json, "warnings");
    for (int k = 0; k < s->n_warnings; k++) rt_json_string(json, NULL, s->warnings[k]);
    rt_json_end(json);
    rt_json_array(json, "modes");
    for (int i = 0; i < s->n_modes; i++)
        if (sensitivity_is_shown(s, i)) sensitivity_one_mode(json, s, i, order);
    rt_json_end(json);
}

routh_status routh_sensitivity_json(const routh_results *results, routh_text *text,
                                    routh_error *error)
{
    int *order;
    routh_status status = sensitivity_begin(results, text, &order, error);
    if (status) return status;
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_origin(&json, results);
    rt_json_sensitivities(&json, results->sensitivities, order);
    rt_json_end(&json);
    free(order);
    status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void csv_line(rt_csv *csv, const routh_sensitivity *s, int p, int i)
{
    const size_t at = (size_t)p * (size_t)s->n_modes + (size_t)i;
    rt_csv_int(csv, s->number[i]);
    rt_csv_real(csv, "the real part of an eigenvalue", s->eigenvalues[i][0]);
    rt_csv_real(csv, "the imaginary part of an eigenvalue", s->eigenvalues[i][1]);
    rt_csv_text(csv, s->parameters[p]);
    rt_csv_real(csv, "a parameter", s->values[p]);
    rt_csv_real(csv, "a derivative", s->eigenvalue_by[at][0]);
    rt_csv_real(csv, "a derivative", s->eigenvalue_by[at][1]);
    rt_csv_real(csv, "a derivative of a frequency", s->frequency_by[at]);
    rt_csv_real(csv, "a derivative of a damping ratio", s->damping_by[at]);
    rt_csv_real(csv, "an effect on a frequency", s->frequency_effect[at]);
    rt_csv_real(csv, "an effect on a damping ratio", s->damping_effect[at]);
    rt_csv_line(csv);
}

routh_status routh_sensitivity_csv(const routh_results *results, routh_text *text,
                                   routh_error *error)
{
    static const char *const heads[] = {
        "mode",           "real",         "imaginary",       "parameter",        "value",
        "by_real",        "by_imaginary", "by_frequency_hz", "by_damping_ratio", "frequency_effect",
        "damping_effect",
    };
    int *order;
    routh_status status = sensitivity_begin(results, text, &order, error);
    if (status) return status;
    const routh_sensitivity *s = results->sensitivities;
    rt_csv csv = {0};
    rt_csv_heads(&csv, heads, sizeof heads / sizeof *heads);
    for (int i = 0; i < s->n_modes; i++) {
        if (!sensitivity_is_shown(s, i)) continue;
        sensitivity_order_parameters(s, i, order);
        for (int k = 0; k < s->n_parameters; k++) csv_line(&csv, s, order[k], i);
    }
    free(order);
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
