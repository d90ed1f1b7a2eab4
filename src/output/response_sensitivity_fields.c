/* The tables of what routh sensitivity --response found; its JSON and CSV. */
#include "output/response_sensitivity_fields.h"

#include <math.h>

#include "base/csv.h"

static const routh_response_sensitivity *whole_of(const rt_result_row *row) { return row->parent; }

static const char *response_effect_parameter(const rt_result_row *row)
{
    return whole_of(row)->parameters[row->number];
}

static double response_effect_value(const rt_result_row *row)
{
    return whole_of(row)->values[row->number];
}

/* ---- what a parameter does to a peak --------------------------------------------------------- */

static const routh_peak_sensitivity *peak_at(const rt_result_row *row) { return row->of; }

static double peak_magnitude_effect(const rt_result_row *row)
{
    return peak_at(row)->magnitude_effect[row->number];
}

static double peak_hz_effect(const rt_result_row *row)
{
    return peak_at(row)->hz_effect[row->number];
}

static double peak_magnitude_by(const rt_result_row *row)
{
    return peak_at(row)->magnitude_by[row->number];
}

static double peak_hz_by(const rt_result_row *row) { return peak_at(row)->hz_by[row->number]; }

static const char *peak_effect_unit(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    const routh_peak_sensitivity *peak = row->of;
    const routh_response_sensitivity *s = row->parent;
    return rt_unit_of_ratio(s->output_units[peak->output], s->input_units[peak->input], room);
}

static const rt_result_field peak_effect_fields[] = {
    {.type = RT_RESULT_TEXT, .text = response_effect_parameter, .meaning = "name of the parameter",
     .head = "parameter", .align = 'l'},
    {.type = RT_RESULT_REAL, .real = response_effect_value, .meaning = "its value", .head = "value",
     .digits = 6},
    {.type = RT_RESULT_REAL, .real = peak_magnitude_effect,
     .meaning = "relative change of the height by that of the parameter", .head = "effect on |H|",
     .head_unit = "p/|H| d|H|/dp", .digits = 6},
    {.type = RT_RESULT_REAL, .real = peak_hz_effect,
     .meaning = "relative change of the frequency by that of the parameter", .head = "effect on f",
     .head_unit = "p/f df/dp", .digits = 6},
    {.type = RT_RESULT_REAL, .real = peak_magnitude_by, .meaning = "derivative of the height",
     .unit_of = peak_effect_unit, .head = "d|H|/dp", .digits = 6},
    {.type = RT_RESULT_REAL, .real = peak_hz_by, .unit = "Hz",
     .meaning = "derivative of the frequency", .head = "df/dp", .digits = 6},
};
const rt_result_table rt_peak_effect_table = {"peak_effect", "", "",
                                              RT_FIELDS(peak_effect_fields)};

/* ---- what it does at a frequency ------------------------------------------------------------- */

static size_t response_effect_place(const rt_result_row *row)
{
    const routh_response_sensitivity *s = row->parent;
    return (size_t)row->number * (size_t)s->n * (size_t)s->n_channels + (size_t)row->index;
}

static int response_effect_channel(const rt_result_row *row)
{
    return row->index % whole_of(row)->n_channels;
}

static const char *response_effect_output(const rt_result_row *row)
{
    return whole_of(row)->outputs[response_effect_channel(row) / whole_of(row)->n_inputs];
}

static const char *response_effect_input(const rt_result_row *row)
{
    return whole_of(row)->inputs[response_effect_channel(row) % whole_of(row)->n_inputs];
}

static double response_effect_hz(const rt_result_row *row)
{
    return whole_of(row)->hz[row->index / whole_of(row)->n_channels];
}

static const void *response_effect_response(const rt_result_row *row)
{
    return whole_of(row)->H[row->index];
}

static double response_effect_re(const rt_result_row *row)
{
    return whole_of(row)->H[row->index][0];
}

static double response_effect_im(const rt_result_row *row)
{
    return whole_of(row)->H[row->index][1];
}

static const void *response_effect_by(const rt_result_row *row)
{
    return whole_of(row)->by[response_effect_place(row)];
}

static double response_effect_by_re(const rt_result_row *row)
{
    return whole_of(row)->by[response_effect_place(row)][0];
}

static double response_effect_by_im(const rt_result_row *row)
{
    return whole_of(row)->by[response_effect_place(row)][1];
}

static double response_effect_by_magnitude(const rt_result_row *row)
{
    return whole_of(row)->magnitude_by[response_effect_place(row)];
}

static double response_effect_by_phase(const rt_result_row *row)
{
    return whole_of(row)->phase_by[response_effect_place(row)];
}

static double response_effect_on_magnitude(const rt_result_row *row)
{
    return whole_of(row)->magnitude_effect[response_effect_place(row)];
}

static const char *response_effect_unit(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    const routh_response_sensitivity *s = row->parent;
    const int c = response_effect_channel(row);
    return rt_unit_of_ratio(s->output_units[c / s->n_inputs], s->input_units[c % s->n_inputs],
                            room);
}

static const rt_result_field response_effect_fields[] = {
    {.csv = "output", .type = RT_RESULT_TEXT, .text = response_effect_output,
     .meaning = "name of the output"},
    {.csv = "input", .type = RT_RESULT_TEXT, .text = response_effect_input,
     .meaning = "name of the input"},
    {.csv = "hz", .type = RT_RESULT_REAL, .real = response_effect_hz, .unit = "Hz",
     .meaning = "frequency"},
    {.csv = "re", .type = RT_RESULT_REAL, .real = response_effect_re, .nullable = true,
     .meaning = "real part of the response"},
    {.csv = "im", .type = RT_RESULT_REAL, .real = response_effect_im, .nullable = true,
     .meaning = "imaginary part of the response"},
    {.csv = "parameter", .type = RT_RESULT_TEXT, .text = response_effect_parameter,
     .meaning = "name of the parameter", .head = "parameter", .align = 'l'},
    {.csv = "value", .type = RT_RESULT_REAL, .real = response_effect_value, .meaning = "its value",
     .head = "value", .digits = 6},
    {.key = "response", .type = RT_RESULT_COMPLEX, .part = response_effect_by, .nullable = true,
     .meaning = "derivative of the response, `[re, im]`"},
    {.csv = "by_re", .member = "response", .type = RT_RESULT_REAL, .real = response_effect_by_re,
     .nullable = true, .meaning = "derivative of the real part", .head = "dRe H/dp",
     .unit_of = response_effect_unit,
     .head_rank = 3, .digits = 6},
    {.csv = "by_im", .member = "response", .part_of = 1, .type = RT_RESULT_REAL,
     .real = response_effect_by_im, .nullable = true, .meaning = "derivative of the imaginary part",
     .head = "dIm H/dp",
     .unit_of = response_effect_unit, .head_rank = 3, .digits = 6},
    {.key = "magnitude", .csv = "by_magnitude", .type = RT_RESULT_REAL,
     .real = response_effect_by_magnitude, .nullable = true,
     .meaning = "derivative of the magnitude; `null` where the response is 0 or infinite",
     .unit_of = response_effect_unit, .head = "d|H|/dp", .head_rank = 2, .digits = 6},
    {.key = "phase", .csv = "by_phase", .type = RT_RESULT_REAL, .real = response_effect_by_phase,
     .nullable = true, .unit = "rad", .meaning = "derivative of the phase, likewise",
     .head = "dphase/dp", .head_rank = 2, .digits = 6},
    {.key = "magnitude_effect", .csv = "magnitude_effect", .type = RT_RESULT_REAL,
     .real = response_effect_on_magnitude, .nullable = true,
     .meaning = "relative change of the magnitude by that of the parameter, p/|H| d|H|/dp",
     .head = "effect on |H|", .head_unit = "p/|H| d|H|/dp", .head_rank = 1, .digits = 6},
};
const rt_result_table rt_response_effect_table = {
    "response_effect", "Effect of a parameter on a response", "",
    RT_FIELDS(response_effect_fields)};

/* ---- channels -------------------------------------------------------------------------------- */

static void place_write_by(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_result_row effect = *row;
    rt_json_array(json, key);
    for (effect.number = 0; effect.number < whole_of(row)->n_parameters; effect.number++) {
        rt_json_flat_object(json, NULL);
        rt_result_json(json, &rt_response_effect_table, &effect);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const rt_result_field place_fields[] = {
    {.key = "hz", .type = RT_RESULT_REAL, .real = response_effect_hz, .unit = "Hz",
     .meaning = "frequency"},
    {.key = "response", .type = RT_RESULT_COMPLEX, .part = response_effect_response,
     .nullable = true, .meaning = "`[re, im]`; `null` at a pole"},
    {.key = "by", .type = RT_RESULT_LIST, .items = &rt_response_effect_table,
     .write = place_write_by, .meaning = "in the order of `parameters`"},
};
static const rt_result_table place_table = {"response_place", "Response at a frequency", "",
                                            RT_FIELDS(place_fields)};

static int channel_output(const rt_result_row *row)
{
    return row->index / whole_of(row)->n_inputs;
}

static int channel_input(const rt_result_row *row) { return row->index % whole_of(row)->n_inputs; }

static void channel_write_at(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_response_sensitivity *s = row->parent;
    rt_result_row place = *row;
    rt_json_array(json, key);
    for (int k = 0; k < s->n; k++) {
        place.index = k * s->n_channels + row->index;
        rt_json_object(json, NULL);
        rt_result_json(json, &place_table, &place);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const rt_result_field channel_fields[] = {
    {.key = "output", .type = RT_RESULT_COUNT, .count = channel_output,
     .meaning = "place in `outputs`"},
    {.key = "input", .type = RT_RESULT_COUNT, .count = channel_input,
     .meaning = "place in `inputs`"},
    {.key = "at", .type = RT_RESULT_LIST, .items = &place_table, .write = channel_write_at,
     .meaning = "one for each frequency"},
};
static const rt_result_table channel_table = {"channel_effects", "Channel with its derivatives", "",
                                              RT_FIELDS(channel_fields)};

static void write_channels(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_response_sensitivity *s = row->of;
    rt_json_array(json, key);
    for (int c = 0; c < s->n_channels; c++) {
        rt_json_object(json, NULL);
        rt_result_json(json, &channel_table, &(rt_result_row){.parent = s, .index = c});
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* ---- peaks ----------------------------------------------------------------------------------- */

/* One number for each parameter. */
static void peak_write(rt_json *json, const char *key, const rt_result_row *row,
                       const double *values)
{
    rt_json_flat_array(json, key);
    for (int p = 0; p < whole_of(row)->n_parameters; p++)
        rt_json_real_or_null(json, NULL, values[p]);
    rt_json_end(json);
}

static void peak_write_hz_by(rt_json *json, const char *key, const rt_result_row *row)
{
    peak_write(json, key, row, peak_at(row)->hz_by);
}

static void peak_write_magnitude_by(rt_json *json, const char *key, const rt_result_row *row)
{
    peak_write(json, key, row, peak_at(row)->magnitude_by);
}

static void peak_write_hz_effect(rt_json *json, const char *key, const rt_result_row *row)
{
    peak_write(json, key, row, peak_at(row)->hz_effect);
}

static void peak_write_magnitude_effect(rt_json *json, const char *key, const rt_result_row *row)
{
    peak_write(json, key, row, peak_at(row)->magnitude_effect);
}

static const rt_result_field peak_fields[] = {
    {.key = "output", .type = RT_RESULT_COUNT, RT_AT(routh_peak_sensitivity, output),
     .meaning = "place in `outputs`"},
    {.key = "input", .type = RT_RESULT_COUNT, RT_AT(routh_peak_sensitivity, input),
     .meaning = "place in `inputs`"},
    {.key = "antiresonance", .type = RT_RESULT_TRUTH, RT_AT(routh_peak_sensitivity, minimum),
     .meaning = "true: a local minimum of the magnitude; false: a peak"},
    {.key = "hz", .type = RT_RESULT_REAL, RT_AT(routh_peak_sensitivity, hz), .unit = "Hz",
     .meaning = "its frequency"},
    {.key = "magnitude", .type = RT_RESULT_REAL, RT_AT(routh_peak_sensitivity, magnitude),
     .nullable = true, .meaning = "there; `null` at an undamped pole"},
    {.key = "hz_by", .type = RT_RESULT_REALS, .write = peak_write_hz_by, .nullable = true,
     .unit = "Hz", .meaning = "derivatives of its frequency, by parameter"},
    {.key = "magnitude_by", .type = RT_RESULT_REALS, .write = peak_write_magnitude_by,
     .nullable = true, .meaning = "derivatives of its height, by parameter"},
    {.key = "hz_effect", .type = RT_RESULT_REALS, .write = peak_write_hz_effect, .nullable = true,
     .meaning = "p/f df/dp, by parameter"},
    {.key = "magnitude_effect", .type = RT_RESULT_REALS, .write = peak_write_magnitude_effect,
     .nullable = true, .meaning = "p/|H| d|H|/dp, by parameter"},
};
static const rt_result_table peak_table = {"peak_effects", "Peak with its derivatives", "",
                                           RT_FIELDS(peak_fields)};

/* ---- the document ---------------------------------------------------------------------------- */

static const rt_result_field parameter_fields[] = {
    {.key = "parameter", .type = RT_RESULT_TEXT, .text = response_effect_parameter,
     .meaning = "name of the parameter"},
    {.key = "value", .type = RT_RESULT_REAL, .real = response_effect_value, .meaning = "its value"},
};
static const rt_result_table parameter_table = {"parameter", "Parameter", "",
                                                RT_FIELDS(parameter_fields)};

static void response_write_parameters(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_result_row parameter = {.parent = row->of};
    rt_json_array(json, key);
    for (; parameter.number < whole_of(&parameter)->n_parameters; parameter.number++) {
        rt_json_flat_object(json, NULL);
        rt_result_json(json, &parameter_table, &parameter);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void write_warnings(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_response_sensitivity *s = row->of;
    rt_json_array(json, key);
    for (int k = 0; k < s->n_warnings; k++) rt_json_string(json, NULL, s->warnings[k]);
    rt_json_end(json);
}

static void write_inputs(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_response_sensitivity *s = row->of;
    rt_json_channel_signals(json, key, s->inputs, s->input_units, s->n_inputs);
}

static void write_outputs(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_response_sensitivity *s = row->of;
    rt_json_channel_signals(json, key, s->outputs, s->output_units, s->n_outputs);
}

static const rt_result_field document_fields[] = {
    {.type = RT_RESULT_PART, .items = &rt_origin_table},
    {.key = "warnings", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT, .write = write_warnings,
     .meaning = "parameters that were left out, and why"},
    {.key = "parameters", .type = RT_RESULT_LIST, .items = &parameter_table,
     .write = response_write_parameters, .meaning = "lists by parameter below are in this order"},
    {.key = "inputs", .type = RT_RESULT_LIST, .items = &rt_channel_signal_table,
     .write = write_inputs, .meaning = "of the response"},
    {.key = "outputs", .type = RT_RESULT_LIST, .items = &rt_channel_signal_table,
     .write = write_outputs, .meaning = "of the response"},
    {.key = "peaks", .type = RT_RESULT_LIST, .items = &peak_table,
     RT_AT(routh_response_sensitivity, peaks),
     .n_at = RT_PLACE(routh_response_sensitivity, n_peaks),
     .size = sizeof(routh_peak_sensitivity), .open = true,
     .meaning = "by channel, then by frequency"},
    {.key = "channels", .type = RT_RESULT_LIST, .items = &channel_table, .write = write_channels,
     .meaning = "every output with every input"},
};
const rt_result_table rt_response_sensitivity_document = {
    "response_sensitivity", "routh sensitivity --response --json", "",
    RT_FIELDS(document_fields)};

routh_status rt_response_sensitivity_check(const routh_results *results, routh_text *text,
                                           routh_error *error)
{
    *text = (routh_text){0};
    return rt_results_check(results, RT_NEED_RESPONSE_SENSITIVITIES | RT_NEED_POINT, error);
}

routh_status routh_response_sensitivity_json(const routh_results *results, routh_text *text,
                                             routh_error *error)
{
    const routh_status status = rt_response_sensitivity_check(results, text, error);
    if (status) return status;
    return rt_result_document_json(
        &rt_response_sensitivity_document,
        &(rt_result_row){.results = results, .of = results->response_sensitivities}, text, error);
}

/* A line for each channel, frequency and parameter. */
routh_status routh_response_sensitivity_csv(const routh_results *results, routh_text *text,
                                            routh_error *error)
{
    routh_status status = rt_response_sensitivity_check(results, text, error);
    if (status) return status;
    const routh_response_sensitivity *s = results->response_sensitivities;
    rt_csv csv = {0};
    rt_result_row row = {.results = results, .parent = s};
    rt_result_csv_heads(&csv, &rt_response_effect_table, &row);
    for (int c = 0; c < s->n_channels; c++)
        for (int k = 0; k < s->n; k++)
            for (row.number = 0; row.number < s->n_parameters; row.number++) {
                row.index = k * s->n_channels + c;
                rt_result_csv(&csv, &rt_response_effect_table, &row);
            }
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
