/* Bode and Nyquist diagrams: a panel of magnitudes and one of phases for each unit there is, and a
 * Nyquist curve beside. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/chart.h"
#include "base/pi.h"
#include "output/response_parts.h"

enum { MOST_SHOWN = 8 };

/* Per channel: magnitude, phase, re, im; n each. */
typedef struct curves {
    int n, n_channels;
    double *values;
    rt_text *names, *units;
    rt_chart_series *series; /* 3 n_channels: magnitude, phase, Nyquist */
    rt_chart_panel *panels;
    rt_chart_series *psd; /* n_outputs, with their powers */
    double *powers;
} curves;

static double *response_svg_part(const curves *c, int channel, int which)
{
    return c->values + ((size_t)channel * 4 + (size_t)which) * (size_t)c->n;
}

static bool response_svg_take(curves *c, const routh_response *r)
{
    const size_t m = (size_t)(r->n_channels < MOST_SHOWN ? r->n_channels : MOST_SHOWN);
    *c = (curves){.n = r->n, .n_channels = (int)m};
    c->values = calloc(4 * m * (size_t)r->n + 1, sizeof *c->values);
    c->names = calloc(m, sizeof *c->names);
    c->units = calloc(m, sizeof *c->units);
    c->series = calloc(3 * m, sizeof *c->series);
    c->panels = calloc(4, sizeof *c->panels);
    c->psd = calloc((size_t)r->n_outputs, sizeof *c->psd);
    c->powers = calloc((size_t)r->n_outputs * (size_t)r->n + 1, sizeof *c->powers);
    return c->values && c->names && c->units && c->series && c->panels && c->psd && c->powers;
}

static void response_svg_release(curves *c)
{
    for (int k = 0; k < c->n_channels; k++) {
        if (c->names) rt_text_free(&c->names[k]);
        if (c->units) rt_text_free(&c->units[k]);
    }
    free(c->values);
    free(c->names);
    free(c->units);
    free(c->series);
    free(c->panels);
    free(c->psd);
    free(c->powers);
}

static void response_svg_fill(curves *c, const routh_response *r)
{
    for (int k = 0; k < c->n_channels; k++) {
        double *magnitude = response_svg_part(c, k, 0), *phase = response_svg_part(c, k, 1);
        rt_channel_phase(r, k, phase);
        for (int i = 0; i < r->n; i++) {
            const size_t at = (size_t)i * (size_t)r->n_channels + (size_t)k;
            magnitude[i] = hypot(r->re[at], r->im[at]);
            phase[i] *= RT_DEGREES;
            response_svg_part(c, k, 2)[i] = r->re[at];
            response_svg_part(c, k, 3)[i] = r->im[at];
        }
        rt_channel_name(&c->names[k], r, k);
        rt_channel_unit(&c->units[k], r, k);
        const rt_chart_series line = {.name = rt_text_string(&c->names[k]),
                                      .n = r->n,
                                      .colour = k,
                                      .line = true,
                                      .dashed = k >= 4};
        for (int w = 0; w < 3; w++) {
            rt_chart_series *s = &c->series[w * c->n_channels + k];
            *s = line;
            s->x = w < 2 ? r->hz : response_svg_part(c, k, 2);
            s->y = response_svg_part(c, k, w < 2 ? w : 3);
        }
    }
}

static void panels(curves *c, bool one_unit)
{
    const char *unit = one_unit ? rt_text_string(&c->units[0]) : "output unit / input unit";
    const rt_chart_axis hz = {.title = "frequency, Hz", .logarithmic = true};
    c->panels[0] = (rt_chart_panel){.title = "Magnitude",
                                    .x = hz,
                                    .y = {.title = unit, .logarithmic = true},
                                    .series = c->series,
                                    .n_series = c->n_channels};
    c->panels[1] = (rt_chart_panel){.title = "Phase",
                                    .x = hz,
                                    .y = {.title = "deg", .step = 45},
                                    .series = c->series + c->n_channels,
                                    .n_series = c->n_channels,
                                    .height = 160};
    c->panels[2] = (rt_chart_panel){.title = "Nyquist",
                                    .x = {.title = unit},
                                    .y = {.title = unit},
                                    .equal = true,
                                    .series = c->series + 2 * c->n_channels,
                                    .n_series = c->n_channels,
                                    .height = 320};
}

/* Spectra of the outputs; how many panels there are with it. */
static int add_psd(curves *c, const routh_response *r)
{
    if (!r->random) return 3;
    for (int i = 0; i < r->n_outputs; i++) {
        double *to = c->powers + (size_t)i * (size_t)r->n;
        for (int k = 0; k < r->n; k++)
            to[k] = r->random->psd[(size_t)k * (size_t)r->n_outputs + (size_t)i];
        c->psd[i] = (rt_chart_series){.name = r->outputs[i],
                                      .x = r->hz,
                                      .y = to,
                                      .n = r->n,
                                      .colour = i,
                                      .line = true,
                                      .label = r->outputs[i]};
    }
    c->panels[3] = (rt_chart_panel){.title = "Spectra of the outputs",
                                    .x = {.title = "frequency, Hz", .logarithmic = true},
                                    .y = {.title = "unit^2/Hz", .logarithmic = true},
                                    .series = c->psd,
                                    .n_series = r->n_outputs};
    return 4;
}

routh_status routh_response_svg(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status = rt_results_check(results, RT_NEED_RESPONSE | RT_NEED_LINEAR, error);
    if (status) return status;
    const routh_response *r = results->response;
    curves c;
    rt_text out = {0};
    if (!response_svg_take(&c, r)) {
        response_svg_release(&c);
        return rt_fail_memory(error);
    }
    response_svg_fill(&c, r);
    bool one_unit = true;
    for (int k = 0; k < c.n_channels; k++)
        one_unit &= strcmp(rt_text_string(&c.units[k]), rt_text_string(&c.units[0])) == 0;
    panels(&c, one_unit);
    rt_chart_svg(&(rt_chart){.title = rt_results_title(results),
                             .subtitle = r->n_channels > c.n_channels
                                             ? "Frequency response; only the first 8 channels"
                                             : "Frequency response",
                             .panels = c.panels,
                             .n_panels = add_psd(&c, r)},
                 &out);
    for (int k = 0; k < c.n_channels; k++) out.failed |= c.names[k].failed | c.units[k].failed;
    response_svg_release(&c);
    if (out.failed) {
        rt_text_free(&out);
        return rt_fail_memory(error);
    }
    return rt_results_hand_over(&out, text, error);
}
