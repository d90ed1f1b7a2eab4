/* What routh sensitivity --response found: table, JSON (docs/reference/json.md), CSV. */
#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/number.h"
#include "output/heading.h"
#include "output/table.h"

enum { NAMED_ROWS = 5 };

typedef routh_response_sensitivity response_sensitivity_found;

static size_t response_sensitivity_place(const response_sensitivity_found *s, int p, int k, int c)
{
    return ((size_t)p * (size_t)s->n + (size_t)k) * (size_t)s->n_channels + (size_t)c;
}

/* Parameters by falling effect: of a peak, or with peak NULL at frequency k. */
static double response_sensitivity_effect(const response_sensitivity_found *s,
                                          const routh_peak_sensitivity *peak, int p, int k, int c)
{
    return peak ? hypot(peak->magnitude_effect[p], peak->hz_effect[p])
                : hypot(s->magnitude_effect[response_sensitivity_place(s, p, k, c)],
                        s->values[p] * s->phase_by[response_sensitivity_place(s, p, k, c)]);
}

static void response_sensitivity_order_parameters(const response_sensitivity_found *s,
                                                  const routh_peak_sensitivity *peak, int k, int c,
                                                  int *order)
{
    for (int p = 0; p < s->n_parameters; p++) {
        int at = p;
        for (; at > 0 && response_sensitivity_effect(s, peak, order[at - 1], k, c) <
                             response_sensitivity_effect(s, peak, p, k, c);
             at--)
            order[at] = order[at - 1];
        order[at] = p;
    }
}

static routh_status response_sensitivity_begin(const routh_results *results, routh_text *text,
                                               int **order, routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status =
        rt_results_check(results, RT_NEED_RESPONSE_SENSITIVITIES | RT_NEED_POINT, error);
    if (status) return status;
    *order = calloc((size_t)results->response_sensitivities->n_parameters + 1, sizeof **order);
    return *order ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- table ---------------------------------------------------------------------------------- */

static void channel_name(rt_text *text, const response_sensitivity_found *s, int c)
{
    rt_text_append(text, "%s / %s", s->outputs[c / s->n_inputs], s->inputs[c % s->n_inputs]);
}

static const char *or_one(const char *unit) { return *unit ? unit : "1"; }

static void response_sensitivity_magnitude(rt_text *text, const response_sensitivity_found *s,
                                           int c, double size)
{
    char number[RT_NUMBER_SIZE];
    rt_number_text(number, size, 6);
    rt_text_append(text, "|H| = %s %s/%s", number, or_one(s->output_units[c / s->n_inputs]),
                   or_one(s->input_units[c % s->n_inputs]));
}

static void peak_table(rt_text *text, const response_sensitivity_found *s,
                       const routh_peak_sensitivity *x, int *order)
{
    static const char *const heads[] = {"parameter",   "value",   "effect on |H|",
                                        "effect on f", "d|H|/dp", "df/dp"};
    static const char *const units[] = {"", "", "p/|H| d|H|/dp", "p/f df/dp", "", "Hz"};
    const int c = x->output * s->n_inputs + x->input;
    char hz[RT_NUMBER_SIZE];
    rt_table table = {.align = "lrrrrr"};
    rt_number_text(hz, x->hz, 8);
    rt_text_append(text, "\n%s of ", x->minimum ? "antiresonance" : "peak");
    channel_name(text, s, c);
    rt_text_append(text, " at %s Hz, ", hz);
    if (!isfinite(x->magnitude)) {
        rt_text_append(text, "infinite: see the derivatives of the undamped mode there\n");
        return;
    }
    response_sensitivity_magnitude(text, s, c, x->magnitude);
    rt_text_append(text, "\n");
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    response_sensitivity_order_parameters(s, x, 0, c, order);
    for (int k = 0; k < s->n_parameters; k++) {
        const int p = order[k];
        rt_table_cell(&table, s->parameters[p]);
        rt_table_real(&table, s->values[p], 6);
        rt_table_real(&table, x->magnitude_effect[p], 6);
        rt_table_real(&table, x->hz_effect[p], 6);
        rt_table_real(&table, x->magnitude_by[p], 6);
        rt_table_real(&table, x->hz_by[p], 6);
    }
    rt_table_write(&table, text);
}

static void frequency_table(rt_text *text, const response_sensitivity_found *s, int k, int c,
                            int *order)
{
    static const char *const heads[] = {"parameter", "value",    "effect on |H|", "d|H|/dp",
                                        "dphase/dp", "dRe H/dp", "dIm H/dp"};
    static const char *const units[] = {"", "", "p/|H| d|H|/dp", "", "rad", "", ""};
    const double *H = s->H[(size_t)k * (size_t)s->n_channels + (size_t)c];
    char hz[RT_NUMBER_SIZE];
    rt_table table = {.align = "lrrrrrr"};
    rt_number_text(hz, s->hz[k], 8);
    rt_text_append(text, "\n");
    channel_name(text, s, c);
    rt_text_append(text, " at %s Hz, ", hz);
    if (isnan(H[0])) {
        rt_text_append(text, "infinite: a pole lies there\n");
        return;
    }
    response_sensitivity_magnitude(text, s, c, hypot(H[0], H[1]));
    rt_text_append(text, "\n");
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    response_sensitivity_order_parameters(s, NULL, k, c, order);
    for (int i = 0; i < s->n_parameters; i++) {
        const size_t at = response_sensitivity_place(s, order[i], k, c);
        rt_table_cell(&table, s->parameters[order[i]]);
        rt_table_real(&table, s->values[order[i]], 6);
        rt_table_real(&table, s->magnitude_effect[at], 6);
        rt_table_real(&table, s->magnitude_by[at], 6);
        rt_table_real(&table, s->phase_by[at], 6);
        rt_table_real(&table, s->by[at][0], 6);
        rt_table_real(&table, s->by[at][1], 6);
    }
    rt_table_write(&table, text);
}

routh_status routh_response_sensitivity_table(const routh_results *results, routh_text *text,
                                              routh_error *error)
{
    int *order;
    const routh_status status = response_sensitivity_begin(results, text, &order, error);
    if (status) return status;
    const response_sensitivity_found *s = results->response_sensitivities;
    rt_text out = {0};
    rt_heading(&out, results, NAMED_ROWS);
    rt_heading_warnings(&out, results);
    for (int k = 0; k < s->n_warnings; k++) rt_heading_line(&out, "warning", "%s", s->warnings[k]);
    for (int k = 0; k < s->n_peaks; k++) peak_table(&out, s, &s->peaks[k], order);
    for (int c = 0; c < s->n_channels; c++)
        for (int k = 0; k < s->n; k++) frequency_table(&out, s, k, c, order);
    if (s->n_peaks + s->n == 0)
        rt_text_append(&out, "\nThe response has no peak there; give --frequencies.\n");
    free(order);
    return rt_results_hand_over(&out, text, error);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void response_sensitivity_names(rt_json *json, const char *key, char *const *name,
                                       char *const *unit, int n)
{
    rt_json_array(json, key);
    for (int k = 0; k < n; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", name[k]);
        rt_json_string(json, "unit", unit[k]);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* null where one is not finite */
static void response_sensitivity_reals(rt_json *json, const char *key, const double *x, int n)
{
    rt_json_flat_array(json, key);
    for (int k = 0; k < n; k++) rt_json_real_or_null(json, NULL, x[k]);
    rt_json_end(json);
}

static void json_peak(rt_json *json, const response_sensitivity_found *s,
                      const routh_peak_sensitivity *x)
{
    const int n = s->n_parameters;
    rt_json_object(json, NULL);
    rt_json_int(json, "output", x->output);
    rt_json_int(json, "input", x->input);
    rt_json_bool(json, "antiresonance", x->minimum);
    rt_json_real(json, "hz", x->hz);
    rt_json_real_or_null(json, "magnitude", x->magnitude);
    response_sensitivity_reals(json, "hz_by", x->hz_by, n);
    response_sensitivity_reals(json, "magnitude_by", x->magnitude_by, n);
    response_sensitivity_reals(json, "hz_effect", x->hz_effect, n);
    response_sensitivity_reals(json, "magnitude_effect", x->magnitude_effect, n);
    rt_json_end(json);
}

static void json_channel(rt_json *json, const response_sensitivity_found *s, int c)
{
    rt_json_object(json, NULL);
    rt_json_int(json, "output", c / s->n_inputs);
    rt_json_int(json, "input", c % s->n_inputs);
    rt_json_array(json, "at");
    for (int k = 0; k < s->n; k++) {
        rt_json_object(json, NULL);
        rt_json_real(json, "hz", s->hz[k]);
        response_sensitivity_reals(json, "response",
                                   s->H[(size_t)k * (size_t)s->n_channels + (size_t)c], 2);
        rt_json_array(json, "by");
        for (int p = 0; p < s->n_parameters; p++) {
            const size_t at = response_sensitivity_place(s, p, k, c);
            rt_json_flat_object(json, NULL);
            response_sensitivity_reals(json, "response", s->by[at], 2);
            rt_json_real_or_null(json, "magnitude", s->magnitude_by[at]);
            rt_json_real_or_null(json, "phase", s->phase_by[at]);
            rt_json_real_or_null(json, "magnitude_effect", s->magnitude_effect[at]);
            rt_json_end(json);
        }
        rt_json_end(json);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_end(json);
}

routh_status routh_response_sensitivity_json(const routh_results *results, routh_text *text,
                                             routh_error *error)
{
    int *order;
    routh_status status = response_sensitivity_begin(results, text, &order, error);
    if (status) return status;
    free(order);
    const response_sensitivity_found *s = results->response_sensitivities;
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_origin(&json, results);
    rt_json_array(&json, "warnings");
    for (int k = 0; k < s->n_warnings; k++) rt_json_string(&json, NULL, s->warnings[k]);
    rt_json_end(&json);
    rt_json_array(&json, "parameters");
    for (int p = 0; p < s->n_parameters; p++) {
        rt_json_flat_object(&json, NULL);
        rt_json_string(&json, "parameter", s->parameters[p]);
        rt_json_real(&json, "value", s->values[p]);
        rt_json_end(&json);
    }
    rt_json_end(&json);
    response_sensitivity_names(&json, "inputs", s->inputs, s->input_units, s->n_inputs);
    response_sensitivity_names(&json, "outputs", s->outputs, s->output_units, s->n_outputs);
    rt_json_array(&json, "peaks");
    for (int k = 0; k < s->n_peaks; k++) json_peak(&json, s, &s->peaks[k]);
    rt_json_end(&json);
    rt_json_array(&json, "channels");
    for (int c = 0; c < s->n_channels; c++) json_channel(&json, s, c);
    rt_json_end(&json);
    rt_json_end(&json);
    status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

routh_status routh_response_sensitivity_csv(const routh_results *results, routh_text *text,
                                            routh_error *error)
{
    static const char *const heads[] = {
        "output", "input", "hz",    "re",           "im",       "parameter",
        "value",  "by_re", "by_im", "by_magnitude", "by_phase", "magnitude_effect",
    };
    int *order;
    routh_status status = response_sensitivity_begin(results, text, &order, error);
    if (status) return status;
    free(order);
    const response_sensitivity_found *s = results->response_sensitivities;
    rt_csv csv = {0};
    rt_csv_heads(&csv, heads, sizeof heads / sizeof *heads);
    for (int c = 0; c < s->n_channels; c++)
        for (int k = 0; k < s->n; k++)
            for (int p = 0; p < s->n_parameters; p++) {
                const size_t at = response_sensitivity_place(s, p, k, c);
                const double *H = s->H[(size_t)k * (size_t)s->n_channels + (size_t)c];
                rt_csv_text(&csv, s->outputs[c / s->n_inputs]);
                rt_csv_text(&csv, s->inputs[c % s->n_inputs]);
                rt_csv_real(&csv, "a frequency", s->hz[k]);
                rt_csv_real_or_empty(&csv, H[0]);
                rt_csv_real_or_empty(&csv, H[1]);
                rt_csv_text(&csv, s->parameters[p]);
                rt_csv_real(&csv, "a parameter", s->values[p]);
                rt_csv_real_or_empty(&csv, s->by[at][0]);
                rt_csv_real_or_empty(&csv, s->by[at][1]);
                rt_csv_real_or_empty(&csv, s->magnitude_by[at]);
                rt_csv_real_or_empty(&csv, s->phase_by[at]);
                rt_csv_real_or_empty(&csv, s->magnitude_effect[at]);
                rt_csv_line(&csv);
            }
    status = rt_csv_finish(&csv, error);
    return status ? status : rt_results_hand_over(&csv.text, text, error);
}
