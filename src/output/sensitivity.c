/* What routh sensitivity found: table, JSON (docs/reference/json.md), CSV. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "output/descriptor.h"
#include "output/heading.h"
#include "output/sensitivity_parts.h"

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

/* ---- effects -------------------------------------------------------------------------------- */

/* A row of these is a parameter's effect on a mode: of is the whole, index the mode, number the
 * parameter. */
static const routh_sensitivity *effect_whole(const rt_result_row *row) { return row->of; }

static size_t effect_place(const rt_result_row *row)
{
    return (size_t)row->number * (size_t)effect_whole(row)->n_modes + (size_t)row->index;
}

static int effect_mode_number(const rt_result_row *row)
{
    return effect_whole(row)->number[row->index];
}

static double effect_re(const rt_result_row *row)
{
    return effect_whole(row)->eigenvalues[row->index][0];
}

static double effect_im(const rt_result_row *row)
{
    return effect_whole(row)->eigenvalues[row->index][1];
}

static const char *effect_parameter(const rt_result_row *row)
{
    return effect_whole(row)->parameters[row->number];
}

static const char *effect_label(const rt_result_row *row)
{
    return effect_whole(row)->labels[row->number];
}

static double effect_value(const rt_result_row *row)
{
    return effect_whole(row)->values[row->number];
}

static void effect_write_eigenvalue(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_json_reals(json, key, effect_whole(row)->eigenvalue_by[effect_place(row)], 2);
}

static double effect_by_re(const rt_result_row *row)
{
    return effect_whole(row)->eigenvalue_by[effect_place(row)][0];
}

static double effect_by_im(const rt_result_row *row)
{
    return effect_whole(row)->eigenvalue_by[effect_place(row)][1];
}

static double effect_by_frequency(const rt_result_row *row)
{
    return effect_whole(row)->frequency_by[effect_place(row)];
}

static double effect_by_damping(const rt_result_row *row)
{
    return effect_whole(row)->damping_by[effect_place(row)];
}

static double effect_on_frequency(const rt_result_row *row)
{
    return effect_whole(row)->frequency_effect[effect_place(row)];
}

static double effect_on_damping(const rt_result_row *row)
{
    return effect_whole(row)->damping_effect[effect_place(row)];
}

static const rt_result_field effect_fields[] = {
    {.csv = "mode", .type = RT_RESULT_COUNT, .count = effect_mode_number,
     .meaning = "number of the mode, as tables count"},
    {.csv = "real", .type = RT_RESULT_REAL, .real = effect_re, .unit = "1/s",
     .meaning = "real part of the eigenvalue"},
    {.csv = "imaginary", .type = RT_RESULT_REAL, .real = effect_im, .unit = "rad/s",
     .circular = true,
     .meaning = "imaginary part of the eigenvalue"},
    {.key = "parameter", .csv = "parameter", .type = RT_RESULT_TEXT, .text = effect_parameter,
     .meaning = "name of the parameter"},
    {.type = RT_RESULT_TEXT, .text = effect_label, .head = "parameter", .align = 'l',
     .meaning = "name of the parameter, with the unit where its file is not in SI"},
    {.key = "value", .csv = "value", .type = RT_RESULT_REAL, .real = effect_value,
     .meaning = "its value", .head = "value", .digits = 6},
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX, .write = effect_write_eigenvalue,
     .meaning = "derivative of the eigenvalue, `[re, im]`"},
    {.csv = "by_real", .member = "eigenvalue", .type = RT_RESULT_REAL, .real = effect_by_re,
     .meaning = "derivative of the real part", .head = "d(real part)/dp", .head_unit = "1/s",
     .head_rank = 3, .digits = 6},
    {.csv = "by_imaginary", .member = "eigenvalue", .part_of = 1, .type = RT_RESULT_REAL,
     .real = effect_by_im, .meaning = "derivative of the imaginary part",
     .head = "d(imaginary part)/dp", .head_unit = "rad/s", .circular = true, .head_rank = 3,
     .digits = 6},
    {.key = "undamped_frequency_hz", .csv = "by_frequency_hz", .type = RT_RESULT_REAL,
     .real = effect_by_frequency, .meaning = "derivative of the undamped frequency",
     .head = "df/dp", .head_unit = "Hz", .head_rank = 2, .digits = 6},
    {.key = "damping_ratio", .csv = "by_damping_ratio", .type = RT_RESULT_REAL,
     .real = effect_by_damping, .meaning = "derivative of the damping ratio",
     .head = "dzeta/dp", .head_rank = 2, .digits = 6},
    {.key = "frequency_effect", .csv = "frequency_effect", .type = RT_RESULT_REAL,
     .real = effect_on_frequency,
     .meaning = "relative change of the frequency by that of the parameter, p/f df/dp",
     .head = "effect on f", .head_unit = "p/f df/dp", .head_rank = 1, .digits = 6},
    {.key = "damping_effect", .csv = "damping_effect", .type = RT_RESULT_REAL,
     .real = effect_on_damping,
     .meaning = "change of the damping ratio by the relative one of the parameter, p dzeta/dp",
     .head = "effect on zeta", .head_unit = "p dzeta/dp", .head_rank = 1, .digits = 6},
};
static const rt_result_table effect_table = {"effect", "Effect of a parameter on a mode", "",
                                             RT_FIELDS(effect_fields)};

/* ---- table ---------------------------------------------------------------------------------- */

static void mode_heading(rt_text *text, const routh_results *results, int i)
{
    const routh_sensitivity *s = results->sensitivities;
    const routh_mode *mode = &results->modes->modes[i];
    char f[RT_UNIT_SIZE], d[RT_NUMBER_SIZE];
    rt_frequency_shown(text, mode->undamped_frequency_hz, 8, f);
    rt_number_text(d, rt_mode_damping(mode), 5);
    rt_text_append(text, "\nmode %d: undamped frequency %s, damping ratio %s", s->number[i], f,
                   d);
    if (s->multiplicity[i] > 1)
        rt_text_append(text, "; one of %d equal, as each parameter alone parts them",
                       s->multiplicity[i]);
    rt_text_append(text, "\n");
}

/* Parameters by falling effect. */
static void mode_table(rt_text *text, const routh_sensitivity *s, int i, int *order)
{
    rt_result_lines lines;
    rt_result_row row = {.of = s, .index = i};
    sensitivity_order_parameters(s, i, order);
    rt_result_begin(&lines, text, &effect_table, &row);
    for (int k = 0; k < s->n_parameters; k++) {
        row.number = order[k];
        rt_result_line(&lines, &row);
    }
    rt_result_end(&lines);
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
    rt_text out = {.units = results->units};
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
        rt_text_append(&out, s->n_parameters ? "\nNone of the selected modes has derivatives.\n"
                                             : "\nThere is no parameter to differentiate by.\n");
    free(order);
    return rt_results_hand_over(&out, text, error);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void sensitivity_write_eigenvalue(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_json_reals(json, key, effect_whole(row)->eigenvalues[row->index], 2);
}

static int sensitivity_mode_index(const rt_result_row *row) { return row->index; }

static int sensitivity_multiplicity(const rt_result_row *row)
{
    return effect_whole(row)->multiplicity[row->index];
}

/* work: the parameters' order. */
static void sensitivity_write_effects(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_sensitivity *s = row->of;
    int *order = row->work;
    rt_result_row effect = *row;
    rt_json_array(json, key);
    sensitivity_order_parameters(s, row->index, order);
    for (int k = 0; k < s->n_parameters; k++) {
        effect.number = order[k];
        rt_json_object(json, NULL);
        rt_result_json(json, &effect_table, &effect);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const rt_result_field sensitivity_mode_fields[] = {
    {.key = "mode", .type = RT_RESULT_COUNT, .count = sensitivity_mode_index,
     .meaning = "place in the `modes` of `routh modes --json`"},
    {.key = "number", .type = RT_RESULT_COUNT, .count = effect_mode_number,
     .meaning = "as tables count, a pair once"},
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX, .write = sensitivity_write_eigenvalue,
     .unit = "1/s", .meaning = "`[re, im]`, 1/s and rad/s"},
    {.key = "multiplicity", .type = RT_RESULT_COUNT, .count = sensitivity_multiplicity,
     .meaning = "how many eigenvalues agree with it"},
    {.key = "by", .type = RT_RESULT_LIST, .items = &effect_table,
     .write = sensitivity_write_effects, .meaning = "parameters by falling effect"},
};
static const rt_result_table sensitivity_mode_table = {
    "sensitivity_mode", "Mode with its derivatives", "", RT_FIELDS(sensitivity_mode_fields)};

static void sensitivity_write_modes(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_sensitivity *s = row->of;
    rt_result_row mode = *row;
    rt_json_array(json, key);
    for (int i = 0; i < s->n_modes; i++) {
        if (!sensitivity_is_shown(s, i)) continue;
        mode.index = i;
        rt_json_object(json, NULL);
        rt_result_json(json, &sensitivity_mode_table, &mode);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void sensitivity_write_warnings(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_sensitivity *s = row->of;
    rt_json_array(json, key);
    for (int k = 0; k < s->n_warnings; k++) rt_json_string(json, NULL, s->warnings[k]);
    rt_json_end(json);
}

static const rt_result_field sensitivity_fields[] = {
    {.key = "warnings", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     .write = sensitivity_write_warnings, .meaning = "parameters that were left out, and why"},
    {.key = "modes", .type = RT_RESULT_LIST, .items = &sensitivity_mode_table,
     .write = sensitivity_write_modes,
     .meaning = "one of each pair and the real ones, rigid-body modes left out"},
};
static const rt_result_table sensitivity_values = {"sensitivities", "", "",
                                                   RT_FIELDS(sensitivity_fields)};

static const rt_result_field sensitivity_document_fields[] = {
    {.type = RT_RESULT_PART, .items = &rt_origin_table},
    {.type = RT_RESULT_PART, .items = &sensitivity_values},
};
const rt_result_table rt_sensitivity_document = {
    "sensitivity", "routh sensitivity --json",
    "The [guide](../guide/sensitivity.md) says what the figures mean.",
    RT_FIELDS(sensitivity_document_fields)};

void rt_json_sensitivities(rt_json *json, const routh_sensitivity *s, int *order)
{
    rt_result_json(json, &sensitivity_values, &(rt_result_row){.of = s, .work = order});
}

routh_status routh_sensitivity_json(const routh_results *results, routh_text *text,
                                    routh_error *error)
{
    int *order;
    routh_status status = sensitivity_begin(results, text, &order, error);
    if (status) return status;
    status = rt_result_document_json(
        &rt_sensitivity_document,
        &(rt_result_row){.results = results, .of = results->sensitivities, .work = order}, text,
        error);
    free(order);
    return status;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

routh_status routh_sensitivity_csv(const routh_results *results, routh_text *text,
                                   routh_error *error)
{
    int *order;
    routh_status status = sensitivity_begin(results, text, &order, error);
    if (status) return status;
    const routh_sensitivity *s = results->sensitivities;
    rt_csv csv = {0};
    rt_result_row row = {.results = results, .of = s};
    rt_result_csv_heads(&csv, &effect_table, &row);
    for (int i = 0; i < s->n_modes; i++) {
        if (!sensitivity_is_shown(s, i)) continue;
        sensitivity_order_parameters(s, i, order);
        for (int k = 0; k < s->n_parameters; k++) {
            row.index = i, row.number = order[k];
            rt_result_csv(&csv, &effect_table, &row);
        }
    }
    free(order);
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
