/* The frequency response as JSON (docs/reference/json.md) and as CSV. */
#include <math.h>

#include "base/number.h"
#include "base/pi.h"
#include "output/response_parts.h"

enum { MOST_MAKERS = 4 };

/* ---- signals -------------------------------------------------------------------------------- */

typedef struct channel_signal {
    const char *name, *unit;
} channel_signal;

static const rt_result_field channel_signal_fields[] = {
    {.key = "name", .type = RT_RESULT_TEXT, RT_AT(channel_signal, name),
     .meaning = "of the signal"},
    {.key = "unit", .type = RT_RESULT_TEXT, RT_AT(channel_signal, unit),
     .meaning = "as in the model file, or empty"},
};
const rt_result_table rt_channel_signal_table = {"signal", "Input or output", "",
                                                     RT_FIELDS(channel_signal_fields)};

void rt_json_channel_signals(rt_json *json, const char *key, char *const *names,
                             char *const *units, int n)
{
    rt_json_array(json, key);
    for (int k = 0; k < n; k++) {
        rt_json_flat_object(json, NULL);
        const channel_signal signal = {names[k], units[k]};
        rt_result_json(json, &rt_channel_signal_table, &(rt_result_row){.of = &signal});
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const routh_response *response_of(const rt_result_row *row)
{
    return row->results->response;
}

static void response_write_inputs(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_response *r = response_of(row);
    rt_json_channel_signals(json, key, r->inputs, r->input_units, r->n_inputs);
}

static void response_write_outputs(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_response *r = response_of(row);
    rt_json_channel_signals(json, key, r->outputs, r->output_units, r->n_outputs);
}

/* ---- channels ------------------------------------------------------------------------------- */

static void peak_cell_kind(rt_table *table, const rt_result_row *row)
{
    const routh_response_peak *peak = row->of;
    rt_table_cell(table, peak->minimum ? "antiresonance" : "peak");
}

static double peak_degrees(const rt_result_row *row)
{
    return ((const routh_response_peak *)row->of)->phase * RT_DEGREES;
}

static const char *peak_unit(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    const routh_response_channel *c = row->parent;
    const routh_response *r = row->work;
    return rt_unit_of_ratio(r->output_units[c->output], r->input_units[c->input], room);
}

static const rt_result_field peak_fields[] = {
    {.key = "antiresonance", .type = RT_RESULT_TRUTH, RT_AT(routh_response_peak, minimum),
     .meaning = "true: a local minimum of the magnitude; false: a peak", .head = "",
     .align = 'l', .cell = peak_cell_kind},
    {.key = "hz", .type = RT_RESULT_REAL, RT_AT(routh_response_peak, hz), .unit = "Hz",
     .meaning = "its frequency", .head = "frequency"},
    {.key = "magnitude", .type = RT_RESULT_REAL, RT_AT(routh_response_peak, magnitude),
     .nullable = true, .meaning = "there; `null` at an undamped pole", .head = "|H|",
     .unit_of = peak_unit, .infinite = "inf"},
    {.key = "phase", .type = RT_RESULT_REAL, RT_AT(routh_response_peak, phase), .nullable = true,
     .shown = peak_degrees, .unit = "rad", .meaning = "there", .head = "phase",
     .head_unit = "deg", .digits = 5},
};
const rt_result_table rt_peak_table = {"peak", "Peak of a frequency response", "",
                                       RT_FIELDS(peak_fields)};

static const routh_response_channel *channel_at(const rt_result_row *row) { return row->of; }

static int channel_static_infinite(const rt_result_row *row)
{
    return isinf(channel_at(row)->static_gain) != 0;
}

static bool channel_has_zeros(const rt_result_row *row) { return channel_at(row)->n_zeros >= 0; }

static bool channel_has_poles_at_rest(const rt_result_row *row)
{
    return channel_has_zeros(row) && channel_at(row)->n_poles_at_rest;
}

static void channel_write_zeros(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_json_matrix(json, key, channel_at(row)->zeros, channel_at(row)->n_zeros, 2);
}

static void channel_write_zero_bounds(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_response_channel *c = channel_at(row);
    rt_json_flat_array(json, key);
    for (int k = 0; k < c->n_zeros; k++) rt_json_real(json, NULL, c->zero_bounds[k]);
    rt_json_end(json);
}

static void channel_write_multiplicities(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_response_channel *c = channel_at(row);
    rt_json_flat_array(json, key);
    for (int k = 0; k < c->n_zeros; k++) rt_json_int(json, NULL, c->zero_multiplicities[k]);
    rt_json_end(json);
}

static bool channel_lacks_zeros(const rt_result_row *row)
{
    return channel_at(row)->zeros_why != NULL;
}

static void channel_write_column(rt_json *json, const char *key, const rt_result_row *row,
                                 const double *values)
{
    const routh_response *r = response_of(row);
    rt_json_flat_array(json, key);
    for (int k = 0; k < r->n; k++)
        rt_json_real(json, NULL, values[(size_t)k * (size_t)r->n_channels + (size_t)row->index]);
    rt_json_end(json);
}

static void channel_write_re(rt_json *json, const char *key, const rt_result_row *row)
{
    channel_write_column(json, key, row, response_of(row)->re);
}

static void channel_write_im(rt_json *json, const char *key, const rt_result_row *row)
{
    channel_write_column(json, key, row, response_of(row)->im);
}

static const rt_result_field channel_fields[] = {
    {.key = "output", .type = RT_RESULT_COUNT, RT_AT(routh_response_channel, output),
     .meaning = "place in `outputs`"},
    {.key = "input", .type = RT_RESULT_COUNT, RT_AT(routh_response_channel, input),
     .meaning = "place in `inputs`"},
    {.key = "static_infinite", .type = RT_RESULT_TRUTH, .count = channel_static_infinite,
     .meaning = "true: a free motion is driven and observed"},
    {.key = "static_gain", .type = RT_RESULT_REAL, RT_AT(routh_response_channel, static_gain),
     .nullable = true, .meaning = "H(0); `null` where it is infinite, or cannot be determined"},
    {.key = "largest", .type = RT_RESULT_REAL, RT_AT(routh_response_channel, largest),
     .nullable = true, .meaning = "largest magnitude in the range; `null` at an undamped pole"},
    {.key = "largest_hz", .type = RT_RESULT_REAL, RT_AT(routh_response_channel, largest_hz),
     .unit = "Hz", .meaning = "where"},
    {.key = "modal_difference", .type = RT_RESULT_REAL,
     RT_AT(routh_response_channel, modal_difference), .nullable = true,
     .meaning = "of the superposition of modes, over the largest magnitude"},
    {.key = "peaks", .type = RT_RESULT_LIST, .items = &rt_peak_table,
     RT_AT(routh_response_channel, peaks), .n_at = RT_PLACE(routh_response_channel, n_peaks),
     .size = sizeof(routh_response_peak), .meaning = "by frequency"},
    {.key = "gain", .type = RT_RESULT_REAL, RT_AT(routh_response_channel, gain),
     .there = channel_has_zeros,
     .meaning = "H(s) = gain prod (s - zero) / (s^poles_at_rest prod (s - pole))"},
    {.key = "poles_at_rest", .type = RT_RESULT_COUNT,
     RT_AT(routh_response_channel, n_poles_at_rest), .there = channel_has_poles_at_rest,
     .meaning = "further poles of the channel at s = 0, where there are any"},
    {.key = "zeros", .type = RT_RESULT_VALUES, .each = RT_RESULT_COMPLEX,
     .write = channel_write_zeros, .there = channel_has_zeros, .unit = "1/s",
     .meaning = "finite transmission zeros, `[re, im]`"},
    {.key = "zero_bounds", .type = RT_RESULT_REALS, .write = channel_write_zero_bounds,
     .there = channel_has_zeros, .unit = "1/s",
     .meaning = "how far the true zero is from each at most, rounding of the model's numbers "
                "included"},
    {.key = "zero_multiplicities", .type = RT_RESULT_VALUES, .each = RT_RESULT_COUNT,
     .write = channel_write_multiplicities, .there = channel_has_zeros,
     .meaning = "how many are one within their bounds; these are given at their mean"},
    {.key = "zeros_why", .type = RT_RESULT_TEXT, RT_AT(routh_response_channel, zeros_why),
     .there = channel_lacks_zeros, .meaning = "why the zeros are not known"},
    {.key = "re", .type = RT_RESULT_REALS, .write = channel_write_re,
     .meaning = "real part of the response, by frequency"},
    {.key = "im", .type = RT_RESULT_REALS, .write = channel_write_im,
     .meaning = "imaginary part of the response, by frequency"},
};
static const rt_result_table channel_table = {"channel", "Channel of a frequency response", "",
                                              RT_FIELDS(channel_fields)};

/* ---- random inputs -------------------------------------------------------------------------- */

static void random_write_shares(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_random_output *o = row->of;
    rt_json_reals(json, key, o->shares, response_of(row)->random->n_shares);
}

static void random_write_psd(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_response *r = response_of(row);
    rt_json_flat_array(json, key);
    for (int k = 0; k < r->n; k++)
        rt_json_real(json, NULL,
                     r->random->psd[(size_t)k * (size_t)r->n_outputs + (size_t)row->index]);
    rt_json_end(json);
}

/* The modes that make most of the mean square of output i. */
static void random_cell_makers(rt_table *table, const rt_result_row *row)
{
    const routh_response *r = response_of(row);
    const routh_modes *modes = row->results->modes;
    const int i = row->index;
    const routh_random *x = r->random;
    rt_text text = {0};
    double last = INFINITY;
    for (int n = 0; modes && n < MOST_MAKERS; n++) {
        int best = -1;
        for (int k = 0; k < x->n_shares; k++) {
            const double share = fabs(x->outputs[i].shares[k]);
            if (share < last && (best < 0 || share > fabs(x->outputs[i].shares[best]))) best = k;
        }
        if (best < 0 || fabs(x->outputs[i].shares[best]) < 0.005) break;
        char a[RT_NUMBER_SIZE], b[RT_NUMBER_SIZE];
        last = fabs(x->outputs[i].shares[best]);
        rt_number_text(a, 100 * x->outputs[i].shares[best], 3);
        rt_number_text(b, modes->modes[x->modes[best]].undamped_frequency_hz, 4);
        rt_text_append(&text, "%s%s %% at %s Hz", n ? ", " : "", a, b);
    }
    rt_table_cell(table, rt_text_string(&text));
    table->cells.failed |= text.failed;
    rt_text_free(&text);
}

static const char *random_name(const rt_result_row *row)
{
    return response_of(row)->outputs[row->index];
}

static const char *random_unit(const rt_result_row *row)
{
    return response_of(row)->output_units[row->index];
}

static const char *random_unit_of(const rt_result_row *row, char room[RT_UNIT_SIZE])
{
    (void)room;
    return random_unit(row);
}

static double random_rms_error(const rt_result_row *row)
{
    const routh_random_output *o = row->of;
    return o->rms > 0 ? o->error / (2 * o->rms) : 0;
}

static const rt_result_field random_output_fields[] = {
    {.type = RT_RESULT_TEXT, .text = random_name, .meaning = "name of the output",
     .head = "random response", .align = 'l'},
    {.key = "rms", .type = RT_RESULT_REAL, RT_AT(routh_random_output, rms),
     .meaning = "root of the mean square over the range", .head = "rms",
     .unit_of = random_unit_of},
    {.type = RT_RESULT_REAL, .real = random_rms_error, .meaning = "what that may be off",
     .unit_of = random_unit_of, .head = "+-", .digits = 2},
    {.type = RT_RESULT_TEXT, .text = random_unit, .meaning = "its unit", .head = "",
     .unit_of = random_unit_of, .names_unit = true, .align = 'l'},
    {.type = RT_RESULT_TEXT, .cell = random_cell_makers,
     .meaning = "the modes that make most of the mean square", .head = "modes", .align = 'l'},
    {.key = "mean_square", .type = RT_RESULT_REAL, RT_AT(routh_random_output, mean_square),
     .meaning = "over the range"},
    {.key = "error", .type = RT_RESULT_REAL, RT_AT(routh_random_output, error),
     .meaning = "of the mean square, estimated by the quadrature"},
    {.key = "shares", .type = RT_RESULT_REALS, .write = random_write_shares,
     .meaning = "fractions of the mean square by mode; may be negative"},
    {.key = "psd", .type = RT_RESULT_REALS, .write = random_write_psd,
     .meaning = "power spectral density, by frequency"},
};
const rt_result_table rt_random_output_table = {"random_output", "Output of random inputs", "",
                                                RT_FIELDS(random_output_fields)};

static void random_write_modes(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_random *x = row->of;
    rt_json_flat_array(json, key);
    for (int k = 0; k < x->n_shares; k++) rt_json_int(json, NULL, x->modes[k]);
    rt_json_end(json);
}

static void random_write_outputs(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_random *x = row->of;
    rt_result_row output = *row;
    rt_json_array(json, key);
    for (int i = 0; i < response_of(row)->n_outputs; i++) {
        output.of = &x->outputs[i], output.index = i;
        rt_json_object(json, NULL);
        rt_result_json(json, &rt_random_output_table, &output);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const rt_result_field random_fields[] = {
    {.key = "by_modes", .type = RT_RESULT_TRUTH, RT_AT(routh_random, by_modes),
     .meaning = "true: the response was superposed from modes"},
    {.key = "modes", .type = RT_RESULT_VALUES, .each = RT_RESULT_COUNT,
     .write = random_write_modes, .meaning = "that `shares` are of: places in `modes`"},
    {.key = "outputs", .type = RT_RESULT_LIST, .items = &rt_random_output_table,
     .write = random_write_outputs, .meaning = "in the order of `outputs`"},
};
static const rt_result_table random_table = {"random", "Random response", "",
                                             RT_FIELDS(random_fields)};

/* ---- the document --------------------------------------------------------------------------- */

static const void *response_part(const rt_result_row *row) { return response_of(row); }

static const void *response_linear(const rt_result_row *row) { return row->results->linear; }

static const void *response_random(const rt_result_row *row) { return response_of(row)->random; }

static bool response_is_random(const rt_result_row *row)
{
    return response_of(row)->random != NULL;
}

static bool response_has_poles(const rt_result_row *row) { return response_of(row)->n_poles > 0; }

static void response_write_poles(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_json_matrix(json, key, response_of(row)->poles, response_of(row)->n_poles, 2);
}

static void response_write_hz(rt_json *json, const char *key, const rt_result_row *row)
{
    rt_json_reals(json, key, response_of(row)->hz, response_of(row)->n);
}

static const rt_result_field response_fields[] = {
    {.key = "inputs", .type = RT_RESULT_LIST, .items = &rt_channel_signal_table,
     .write = response_write_inputs, .meaning = "of the response"},
    {.key = "outputs", .type = RT_RESULT_LIST, .items = &rt_channel_signal_table,
     .write = response_write_outputs, .meaning = "of the response"},
    {.key = "order", .type = RT_RESULT_COUNT, RT_AT(routh_response, order),
     .meaning = "of the system that was solved at every frequency"},
    {.key = "sparse", .type = RT_RESULT_TRUTH, RT_AT(routh_response, sparse),
     .meaning = "true: by sparse factors"},
    {.key = "solves", .type = RT_RESULT_COUNT, RT_AT(routh_response, n_solves),
     .meaning = "factorizations"},
    {.key = "line_error", .type = RT_RESULT_REAL, RT_AT(routh_response, error),
     .meaning = "largest estimate of what a line between two points may be off"},
    {.key = "limited", .type = RT_RESULT_TRUTH, RT_AT(routh_response, limited),
     .meaning = "true: some intervals are too short to be halved (an undamped pole)"},
    {.key = "modes_kept", .type = RT_RESULT_COUNT, RT_AT(routh_response, n_modal),
     .meaning = "in the superposition; -1: there is none"},
    {.key = "modal_difference", .type = RT_RESULT_REAL, RT_AT(routh_response, modal_difference),
     .nullable = true, .meaning = "the largest of the channels"},
    {.key = "poles", .type = RT_RESULT_VALUES, .each = RT_RESULT_COMPLEX,
     .write = response_write_poles, .there = response_has_poles, .unit = "1/s",
     .meaning = "all eigenvalues, `[re, im]`, where all are known"},
    {.key = "hz", .type = RT_RESULT_REALS, .write = response_write_hz, .unit = "Hz",
     .meaning = "frequencies, ascending"},
    {.key = "channels", .type = RT_RESULT_LIST, .items = &channel_table,
     RT_AT(routh_response, channels), .n_at = RT_PLACE(routh_response, n_channels),
     .size = sizeof(routh_response_channel), .open = true,
     .meaning = "each output by each input, outputs first"},
    {.key = "random", .type = RT_RESULT_OBJECT, .items = &random_table, .part = response_random,
     .there = response_is_random, .open = true, .meaning = "with `--psd`"},
};
static const rt_result_table response_table = {"response", "", "", RT_FIELDS(response_fields)};

void rt_json_response(rt_json *json, const routh_results *results)
{
    rt_result_json(json, &response_table,
                   &(rt_result_row){.results = results, .of = results->response});
}

static const rt_result_field response_document_fields[] = {
    {.type = RT_RESULT_PART, .items = &rt_origin_table},
    {.type = RT_RESULT_PART, .items = &rt_method_table, .part = response_linear},
    {.key = "warnings", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     .write = rt_result_write_warnings, .meaning = "sentences"},
    {.type = RT_RESULT_PART, .items = &response_table, .part = response_part},
};
const rt_result_table rt_response_document = {
    "response", "routh response --json",
    "The [guide](../guide/response.md) says what the figures mean. In the CSV each line is a "
    "frequency: `hz`, then `re(output / input)` and `im(output / input)` of every channel, then "
    "`psd(output)`.",
    RT_FIELDS(response_document_fields)};

routh_status routh_response_json(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status = rt_results_check(results, RT_NEED_RESPONSE | RT_NEED_LINEAR, error);
    if (status) return status;
    return rt_result_document_json(&rt_response_document, &(rt_result_row){.results = results},
                                   text, error);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void response_json_head(rt_csv *csv, const routh_response *r, int channel, const char *part)
{
    rt_text name = {0};
    rt_text_append(&name, "%s(", part);
    rt_channel_name(&name, r, channel);
    rt_text_append(&name, ")");
    rt_csv_text(csv, rt_text_string(&name));
    csv->text.failed |= name.failed;
    rt_text_free(&name);
}

static void psd_head(rt_csv *csv, const routh_response *r, int i)
{
    rt_text name = {0};
    rt_text_append(&name, "psd(%s)", r->outputs[i]);
    rt_csv_text(csv, rt_text_string(&name));
    csv->text.failed |= name.failed;
    rt_text_free(&name);
}

/* hz, then real and imaginary part of every channel, spectra of the outputs. */
routh_status routh_response_csv(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_RESPONSE, error);
    if (status) return status;
    const routh_response *r = results->response;
    rt_csv csv = {0};
    rt_csv_text(&csv, "hz");
    for (int k = 0; k < r->n_channels; k++)
        response_json_head(&csv, r, k, "re"), response_json_head(&csv, r, k, "im");
    for (int i = 0; i < r->n_outputs && r->random; i++) psd_head(&csv, r, i);
    rt_csv_line(&csv);
    for (int i = 0; i < r->n; i++) {
        rt_csv_real(&csv, "a frequency", r->hz[i]);
        for (int k = 0; k < r->n_channels; k++) {
            rt_csv_real(&csv, "a response", r->re[(size_t)i * (size_t)r->n_channels + k]);
            rt_csv_real(&csv, "a response", r->im[(size_t)i * (size_t)r->n_channels + k]);
        }
        for (int k = 0; k < r->n_outputs && r->random; k++)
            rt_csv_real(&csv, "a spectrum", r->random->psd[(size_t)i * (size_t)r->n_outputs + k]);
        rt_csv_line(&csv);
    }
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
