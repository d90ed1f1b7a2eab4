/* The frequency response for the terminal: each channel's static gain, peaks, antiresonances. */
#include <math.h>

#include "base/number.h"
#include "output/heading.h"
#include "output/response_parts.h"
#include "output/table.h"

enum { NAMED_ROWS = 5, MOST_PEAKS = 24, MOST_ROOTS = 12, MOST_MAKERS = 4 };

static const double DEGREE = 57.295779513082320876798154814105;

static void about(rt_text *text, const routh_response *r)
{
    char a[RT_NUMBER_SIZE], b[RT_NUMBER_SIZE];
    rt_number_text(a, r->hz[0], 4);
    rt_number_text(b, r->hz[r->n - 1], 4);
    rt_heading_line(text, "frequencies", "%d from %s to %s Hz%s", r->n, a, b,
                    r->limited ? "; some lie as near to each other as they may (an undamped mode)"
                               : "");
    rt_number_text(a, r->error, 2);
    if (r->error > 0)
        rt_heading_line(text, "grid",
                        "a straight line in H between neighbours is off by %s at most", a);
    rt_heading_line(text, "solved", "%d complex equations, %d times, by %s factors", r->order,
                    r->n_solves, r->sparse ? "sparse" : "full");
}

/* "inf" where a free motion is driven and seen */
static void gain(rt_text *text, double x)
{
    char a[RT_NUMBER_SIZE];
    if (isnan(x)) {
        rt_text_append(text, "not known");
        return;
    }
    rt_number_text(a, x, 8);
    rt_text_append(text, "%s", isinf(x) ? "infinite (a free motion)" : a);
}

/* "-0.5, -3 +- 4i, ... 1/s" */
static void roots(rt_text *text, const double *roots, int n)
{
    char a[RT_NUMBER_SIZE], b[RT_NUMBER_SIZE];
    int shown = 0;
    for (int k = 0; k < n; k++) {
        const double *z = roots + 2 * k;
        if (z[1] < 0) continue;
        if (shown++ == MOST_ROOTS) {
            rt_text_append(text, ", ...");
            break;
        }
        rt_number_text(a, z[0], 6);
        rt_number_text(b, z[1], 6);
        rt_text_append(text, z[1] > 0 ? "%s%s +- %si" : "%s%s", shown > 1 ? ", " : "", a, b);
    }
    rt_text_append(text, " 1/s");
}

static void response_table_zeros(rt_text *text, const routh_response_channel *c)
{
    if (c->n_zeros < 0 || c->gain == 0) return;
    if (c->n_zeros > 0) rt_text_append(text, "  zeros ");
    if (c->n_zeros > 0) roots(text, c->zeros, c->n_zeros);
    if (c->n_poles_at_rest > 0)
        rt_text_append(text, "%s%d %s at 0 beside those of the model", c->n_zeros > 0 ? "; " : "  ",
                       c->n_poles_at_rest, c->n_poles_at_rest > 1 ? "poles" : "pole");
    if (c->n_zeros > 0 || c->n_poles_at_rest > 0) rt_text_append(text, "\n");
}

static void poles(rt_text *text, const routh_response *r)
{
    rt_text line = {0};
    if (r->n_poles == 0) return;
    roots(&line, r->poles, r->n_poles);
    rt_heading_line(text, "poles", "%s", rt_text_string(&line));
    text->failed |= line.failed;
    rt_text_free(&line);
}

static void response_table_peaks(rt_text *text, const routh_response_channel *c)
{
    static const char *const heads[] = {"", "frequency", "|H|", "phase"};
    static const char *const units[] = {"", "Hz", "", "deg"};
    rt_table table = {.align = "lrrr"};
    if (c->n_peaks == 0) return;
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    for (int k = 0; k < c->n_peaks && k < MOST_PEAKS; k++) {
        rt_table_cell(&table, c->peaks[k].minimum ? "antiresonance" : "peak");
        rt_table_real(&table, c->peaks[k].hz, 8);
        rt_table_real(&table, c->peaks[k].magnitude, 8);
        if (isnan(c->peaks[k].phase))
            rt_table_cell(&table, "");
        else
            rt_table_real(&table, c->peaks[k].phase * DEGREE, 5);
    }
    rt_table_write(&table, text);
    if (c->n_peaks > MOST_PEAKS)
        rt_text_append(text, "  and %d more (--json has all)\n", c->n_peaks - MOST_PEAKS);
}

static void response_table_channel(rt_text *text, const routh_response *r, int k)
{
    const routh_response_channel *c = &r->channels[k];
    char a[RT_NUMBER_SIZE], b[RT_NUMBER_SIZE];
    rt_text name = {0};
    rt_channel_name(&name, r, k);
    rt_text_append(text, "\n");
    rt_text_plain(text, rt_text_string(&name));
    text->failed |= name.failed;
    rt_text_free(&name);
    rt_text_append(text, ", ");
    rt_channel_unit(text, r, k);
    rt_text_append(text, "\n  at rest ");
    gain(text, c->static_gain);
    rt_number_text(a, c->largest, 8);
    rt_number_text(b, c->largest_hz, 8);
    rt_text_append(text, "; largest %s at %s Hz\n", isinf(c->largest) ? "without bound" : a, b);
    response_table_zeros(text, c);
    response_table_peaks(text, c);
}

static void superposition(rt_text *text, const routh_response *r, const routh_linear *l)
{
    char a[RT_NUMBER_SIZE];
    if (r->n_modal < 0) {
        rt_heading_line(text, "modes", "no superposition: %s", r->modal_why ? r->modal_why : "");
        return;
    }
    rt_number_text(a, r->modal_difference, 2);
    rt_heading_line(text, "modes",
                    "superposition of %d of %d eigenvalues%s differs by %s of the "
                    "largest |H|",
                    r->n_modal, l->n_states, r->n_modal < l->n_states ? ", others at rest," : "",
                    a);
}

/* The modes that make most of the mean square of output i. */
static void makers(rt_table *table, const routh_response *r, const routh_modes *modes, int i)
{
    const routh_random *x = r->random;
    rt_text text = {0};
    double last = INFINITY;
    for (int n = 0; n < MOST_MAKERS; n++) {
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

static void response_table_random_response(rt_text *text, const routh_results *results)
{
    static const char *const heads[] = {"random response", "rms", "+-", "", "modes"};
    const routh_response *r = results->response;
    rt_table table = {.align = "lrrll"};
    if (!r->random) return;
    rt_text_append(text, "\n");
    rt_table_heads(&table, heads);
    for (int i = 0; i < r->n_outputs; i++) {
        const routh_random_output *o = &r->random->outputs[i];
        rt_table_cell(&table, r->outputs[i]);
        rt_table_real(&table, o->rms, 8);
        rt_table_real(&table, o->rms > 0 ? o->error / (2 * o->rms) : 0, 2);
        rt_table_cell(&table, r->output_units[i]);
        if (results->modes)
            makers(&table, r, results->modes, i);
        else
            rt_table_cell(&table, "");
    }
    rt_table_write(&table, text);
}

routh_status routh_response_table(const routh_results *results, routh_text *text,
                                  routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status = rt_results_check(results, RT_NEED_RESPONSE | RT_NEED_LINEAR, error);
    if (status) return status;
    const routh_response *r = results->response;
    rt_text out = {0};
    rt_heading(&out, results, NAMED_ROWS);
    about(&out, r);
    superposition(&out, r, results->linear);
    poles(&out, r);
    rt_heading_warnings(&out, results);
    for (int k = 0; k < r->n_channels; k++) response_table_channel(&out, r, k);
    response_table_random_response(&out, results);
    return rt_results_hand_over(&out, text, error);
}
