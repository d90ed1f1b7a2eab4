/* The frequency response for the terminal: each channel's static gain, peaks, antiresonances. */
#include <math.h>

#include "base/number.h"
#include "output/heading.h"
#include "output/response_parts.h"

enum { NAMED_ROWS = 5, MOST_PEAKS = 24, MOST_ROOTS = 12 };

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

static void write_root(rt_text *text, const double z[2])
{
    char a[RT_NUMBER_SIZE], b[RT_NUMBER_SIZE];
    rt_number_text(a, z[0], 6);
    rt_number_text(b, z[1], 6);
    rt_text_append(text, z[1] > 0 ? "%s +- %si" : "%s", a, b);
}

/* "-0.5, -3 +- 4i, ... 1/s" */
static void write_roots(rt_text *text, const double *roots, int n)
{
    int shown = 0;
    for (int k = 0; k < n && shown <= MOST_ROOTS; k++) {
        if (roots[2 * k + 1] < 0) continue;
        if (shown) rt_text_append(text, ", ");
        if (shown++ < MOST_ROOTS)
            write_root(text, roots + 2 * k);
        else
            rt_text_append(text, "...");
    }
    rt_text_append(text, " 1/s");
}

static bool is_same_zero(const routh_response_channel *c, int k, int j)
{
    return c->zeros[2 * k] == c->zeros[2 * j] && c->zeros[2 * k + 1] == c->zeros[2 * j + 1];
}

/* "-1000 (19 times, within 240)": a multiple one once, and bounds that six digits do not show. */
static void write_zeros(rt_text *text, const routh_response_channel *c)
{
    static const double SHOWN = 5e-6;
    int shown = 0;
    for (int k = 0; k < c->n_zeros && shown <= MOST_ROOTS; k++) {
        bool before = c->zeros[2 * k + 1] < 0;
        int times = 0;
        for (int j = 0; j < c->n_zeros; j++) {
            before = before || (j < k && is_same_zero(c, k, j));
            times += is_same_zero(c, k, j);
        }
        if (before) continue;
        if (shown) rt_text_append(text, ", ");
        if (shown++ == MOST_ROOTS) {
            rt_text_append(text, "...");
            break;
        }
        write_root(text, c->zeros + 2 * k);
        const bool wide = c->zeros[2 * k] != 0 &&
                          c->zero_bounds[k] > SHOWN * hypot(c->zeros[2 * k], c->zeros[2 * k + 1]);
        char bound[RT_NUMBER_SIZE];
        rt_number_text(bound, c->zero_bounds[k], 2);
        if (times > 1)
            rt_text_append(text, wide ? " (%d times, within %s)" : " (%d times)", times, bound);
        else if (wide)
            rt_text_append(text, " (within %s)", bound);
    }
    rt_text_append(text, " 1/s");
}

static void response_table_zeros(rt_text *text, const routh_response_channel *c)
{
    if (c->zeros_why) rt_text_append(text, "  zeros not known: %s\n", c->zeros_why);
    if (c->n_zeros < 0 || c->gain == 0) return;
    if (c->n_zeros > 0) rt_text_append(text, "  zeros ");
    if (c->n_zeros > 0) write_zeros(text, c);
    if (c->n_poles_at_rest > 0)
        rt_text_append(text, "%s%d %s at 0 beside those of the model", c->n_zeros > 0 ? "; " : "  ",
                       c->n_poles_at_rest, c->n_poles_at_rest > 1 ? "poles" : "pole");
    if (c->n_zeros > 0 || c->n_poles_at_rest > 0) rt_text_append(text, "\n");
}

static void poles(rt_text *text, const routh_response *r)
{
    rt_text line = {0};
    if (r->n_poles == 0) return;
    write_roots(&line, r->poles, r->n_poles);
    rt_heading_line(text, "poles", "%s", rt_text_string(&line));
    text->failed |= line.failed;
    rt_text_free(&line);
}

static void response_table_peaks(rt_text *text, const routh_response *r,
                                 const routh_response_channel *c)
{
    if (c->n_peaks == 0) return;
    rt_result_print(text, &rt_peak_table, &(rt_result_row){.of = c, .work = (void *)r}, c->peaks,
                    c->n_peaks < MOST_PEAKS ? c->n_peaks : MOST_PEAKS, sizeof *c->peaks);
    if (c->n_peaks > MOST_PEAKS)
        rt_text_append(text, "  and %d more (--json has all)\n", c->n_peaks - MOST_PEAKS);
}

/* Writes the unit of |H|; what |H| is multiplied by. */
static double shown_channel_unit(rt_text *text, const routh_response *r, int k)
{
    char own[RT_UNIT_SIZE], room[RT_UNIT_SIZE];
    const char *shown, *unit = rt_unit_of_ratio(r->output_units[r->channels[k].output],
                                                r->input_units[r->channels[k].input], own);
    const double scale = rt_unit_shown(text, unit, false, &shown, room);
    if (shown && shown != unit)
        rt_text_append(text, "%s", shown);
    else
        rt_channel_unit(text, r, k);
    return scale;
}

static void response_table_channel(rt_text *text, const routh_response *r, int k)
{
    const routh_response_channel *c = &r->channels[k];
    char a[RT_NUMBER_SIZE], b[RT_UNIT_SIZE];
    rt_text name = {0};
    rt_channel_name(&name, r, k);
    rt_text_append(text, "\n");
    rt_text_plain(text, rt_text_string(&name));
    text->failed |= name.failed;
    rt_text_free(&name);
    rt_text_append(text, ", ");
    const double scale = shown_channel_unit(text, r, k);
    rt_text_append(text, "\n  at rest ");
    gain(text, scale * c->static_gain);
    rt_number_text(a, scale * c->largest, 8);
    rt_text_append(text, "; largest %s at %s\n", isinf(c->largest) ? "without bound" : a,
                   rt_frequency_shown(text, c->largest_hz, 8, b));
    response_table_zeros(text, c);
    response_table_peaks(text, r, c);
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

static void response_table_random_response(rt_text *text, const routh_results *results)
{
    const routh_response *r = results->response;
    if (!r->random) return;
    rt_text_append(text, "\n");
    rt_result_print(text, &rt_random_output_table, &(rt_result_row){.results = results, .of = r},
                    r->random->outputs, r->n_outputs, sizeof *r->random->outputs);
}

routh_status routh_response_table(const routh_results *results, routh_text *text,
                                  routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status = rt_results_check(results, RT_NEED_RESPONSE | RT_NEED_LINEAR, error);
    if (status) return status;
    const routh_response *r = results->response;
    rt_text out = {.units = results->units};
    rt_heading(&out, results, NAMED_ROWS);
    about(&out, r);
    superposition(&out, r, results->linear);
    poles(&out, r);
    rt_heading_warnings(&out, results);
    for (int k = 0; k < r->n_channels; k++) response_table_channel(&out, r, k);
    response_table_random_response(&out, results);
    return rt_results_hand_over(&out, text, error);
}
