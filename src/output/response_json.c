/* The frequency response as JSON (docs/reference/json.md) and as CSV. */
#include <math.h>

#include "base/csv.h"
#include "output/response_parts.h"

static void response_json_signals(rt_json *json, const char *key, char *const *names,
                                  char *const *units, int n)
{
    rt_json_array(json, key);
    for (int k = 0; k < n; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", names[k]);
        rt_json_string(json, "unit", units[k]);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void response_json_peaks(rt_json *json, const routh_response_channel *c)
{
    rt_json_array(json, "peaks");
    for (int k = 0; k < c->n_peaks; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_bool(json, "antiresonance", c->peaks[k].minimum);
        rt_json_real(json, "hz", c->peaks[k].hz);
        rt_json_real_or_null(json, "magnitude", c->peaks[k].magnitude);
        rt_json_real_or_null(json, "phase", c->peaks[k].phase);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void response_json_column(rt_json *json, const char *key, const routh_response *r,
                                 int channel, const double *values)
{
    rt_json_flat_array(json, key);
    for (int k = 0; k < r->n; k++)
        rt_json_real(json, NULL, values[(size_t)k * (size_t)r->n_channels + (size_t)channel]);
    rt_json_end(json);
}

static void response_json_channel(rt_json *json, const routh_response *r, int k)
{
    const routh_response_channel *c = &r->channels[k];
    rt_json_object(json, NULL);
    rt_json_int(json, "output", c->output);
    rt_json_int(json, "input", c->input);
    rt_json_bool(json, "static_infinite", isinf(c->static_gain));
    rt_json_real_or_null(json, "static_gain", c->static_gain);
    rt_json_real_or_null(json, "largest", c->largest);
    rt_json_real(json, "largest_hz", c->largest_hz);
    rt_json_real_or_null(json, "modal_difference", c->modal_difference);
    response_json_peaks(json, c);
    if (c->n_zeros >= 0) {
        rt_json_real(json, "gain", c->gain);
        if (c->n_poles_at_rest) rt_json_int(json, "poles_at_rest", c->n_poles_at_rest);
        rt_json_matrix(json, "zeros", c->zeros, c->n_zeros, 2);
    }
    response_json_column(json, "re", r, k, r->re);
    response_json_column(json, "im", r, k, r->im);
    rt_json_end(json);
}

static void response_json_random_response(rt_json *json, const routh_response *r)
{
    const routh_random *x = r->random;
    rt_json_object(json, "random");
    rt_json_bool(json, "by_modes", x->by_modes);
    rt_json_flat_array(json, "modes");
    for (int k = 0; k < x->n_shares; k++) rt_json_int(json, NULL, x->modes[k]);
    rt_json_end(json);
    rt_json_array(json, "outputs");
    for (int i = 0; i < r->n_outputs; i++) {
        const routh_random_output *o = &x->outputs[i];
        rt_json_object(json, NULL);
        rt_json_real(json, "rms", o->rms);
        rt_json_real(json, "mean_square", o->mean_square);
        rt_json_real(json, "error", o->error);
        rt_json_reals(json, "shares", o->shares, x->n_shares);
        rt_json_flat_array(json, "psd");
        for (int k = 0; k < r->n; k++)
            rt_json_real(json, NULL, x->psd[(size_t)k * (size_t)r->n_outputs + (size_t)i]);
        rt_json_end(json);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_end(json);
}

void rt_json_response(rt_json *json, const routh_response *r)
{
    response_json_signals(json, "inputs", r->inputs, r->input_units, r->n_inputs);
    response_json_signals(json, "outputs", r->outputs, r->output_units, r->n_outputs);
    rt_json_int(json, "order", r->order);
    rt_json_bool(json, "sparse", r->sparse);
    rt_json_int(json, "solves", r->n_solves);
    rt_json_real(json, "line_error", r->error);
    rt_json_bool(json, "limited", r->limited);
    rt_json_int(json, "modes_kept", r->n_modal);
    rt_json_real_or_null(json, "modal_difference", r->modal_difference);
    if (r->n_poles > 0) rt_json_matrix(json, "poles", r->poles, r->n_poles, 2);
    rt_json_reals(json, "hz", r->hz, r->n);
    rt_json_array(json, "channels");
    for (int k = 0; k < r->n_channels; k++) response_json_channel(json, r, k);
    rt_json_end(json);
    if (r->random) response_json_random_response(json, r);
}

routh_status routh_response_json(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    routh_status status = rt_results_check(results, RT_NEED_RESPONSE | RT_NEED_LINEAR, error);
    if (status) return status;
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_origin(&json, results);
    rt_json_method(&json, results);
    rt_json_warnings(&json, results, NULL);
    rt_json_response(&json, results->response);
    rt_json_end(&json);
    status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}

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
