/* What routh sensitivity --response found, for the terminal. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "output/heading.h"
#include "output/response_sensitivity_fields.h"

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
    const routh_status status = rt_response_sensitivity_check(results, text, error);
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
    char own[RT_UNIT_SIZE], room[RT_UNIT_SIZE];
    const char *out = s->output_units[c / s->n_inputs], *in = s->input_units[c % s->n_inputs];
    const char *shown, *unit = rt_unit_of_ratio(out, in, own);
    rt_number_text(number, rt_unit_shown(text, unit, false, &shown, room) * size, 6);
    if (shown && shown != unit)
        rt_text_append(text, "|H| = %s %s", number, shown);
    else
        rt_text_append(text, "|H| = %s %s/%s", number, or_one(out), or_one(in));
}

static void peak_table(rt_text *text, const response_sensitivity_found *s,
                       const routh_peak_sensitivity *x, int *order)
{
    const int c = x->output * s->n_inputs + x->input;
    char hz[RT_UNIT_SIZE];
    rt_result_lines lines;
    rt_result_row row = {.of = x, .parent = s};
    rt_text_append(text, "\n%s of ", x->minimum ? "antiresonance" : "peak");
    channel_name(text, s, c);
    rt_text_append(text, " at %s, ", rt_frequency_shown(text, x->hz, 8, hz));
    if (!isfinite(x->magnitude)) {
        rt_text_append(text, "infinite: see the derivatives of the undamped mode there\n");
        return;
    }
    response_sensitivity_magnitude(text, s, c, x->magnitude);
    rt_text_append(text, "\n");
    response_sensitivity_order_parameters(s, x, 0, c, order);
    rt_result_begin(&lines, text, &rt_peak_effect_table, &row);
    for (int k = 0; k < s->n_parameters; k++) {
        row.number = order[k];
        rt_result_line(&lines, &row);
    }
    rt_result_end(&lines);
}

static void frequency_table(rt_text *text, const response_sensitivity_found *s, int k, int c,
                            int *order)
{
    const double *H = s->H[(size_t)k * (size_t)s->n_channels + (size_t)c];
    char hz[RT_UNIT_SIZE];
    rt_result_lines lines;
    rt_result_row row = {.parent = s, .index = k * s->n_channels + c};
    rt_text_append(text, "\n");
    channel_name(text, s, c);
    rt_text_append(text, " at %s, ", rt_frequency_shown(text, s->hz[k], 8, hz));
    if (isnan(H[0])) {
        rt_text_append(text, "infinite: a pole lies there\n");
        return;
    }
    response_sensitivity_magnitude(text, s, c, hypot(H[0], H[1]));
    rt_text_append(text, "\n");
    response_sensitivity_order_parameters(s, NULL, k, c, order);
    rt_result_begin(&lines, text, &rt_response_effect_table, &row);
    for (int i = 0; i < s->n_parameters; i++) {
        row.number = order[i];
        rt_result_line(&lines, &row);
    }
    rt_result_end(&lines);
}

routh_status routh_response_sensitivity_table(const routh_results *results, routh_text *text,
                                              routh_error *error)
{
    int *order;
    const routh_status status = response_sensitivity_begin(results, text, &order, error);
    if (status) return status;
    const response_sensitivity_found *s = results->response_sensitivities;
    rt_text out = {.units = results->units};
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
