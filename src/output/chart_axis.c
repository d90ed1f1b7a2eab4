/* Ranges, ticks and axes of a chart. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number_form.h"
#include "output/chart_parts.h"

/* ---- ranges ---------------------------------------------------------------------------------- */

bool rt_scale_takes(const rt_chart_axis *axis, double value)
{
    return isfinite(value) && (!axis->logarithmic || value > 0);
}

static double chart_axis_counted(const rt_chart_axis *axis, double value)
{
    return axis->logarithmic ? log10(value) : value;
}

static double uncounted(const rt_chart_axis *axis, double value)
{
    return axis->logarithmic ? pow(10, value) : value;
}

double rt_scale_place(const rt_scale *s, double value)
{
    const double low = chart_axis_counted(s->axis, s->low),
                 high = chart_axis_counted(s->axis, s->high);
    const double at = chart_axis_counted(s->axis, value);
    /* halves, as high - low may overflow */
    return s->from + (at / 2 - low / 2) / (high / 2 - low / 2) * (s->to - s->from);
}

static void chart_axis_widen(rt_scale *s, double value)
{
    if (!rt_scale_takes(s->axis, value)) return;
    s->low = fmin(s->low, value), s->high = fmax(s->high, value);
}

static void by_cells(rt_scale *s, const double *edges, int n)
{
    if (!edges) chart_axis_widen(s, 0), chart_axis_widen(s, n);
    for (int k = 0; edges && k <= n; k++) chart_axis_widen(s, edges[k]);
}

static bool chart_axis_is_given(const rt_chart_axis *axis)
{
    return (axis->low != 0 || axis->high != 0) && axis->low < axis->high &&
           rt_scale_takes(axis, axis->low) && rt_scale_takes(axis, axis->high);
}

/* No range, or one of rounding's size: something around it. */
static void open_up(rt_scale *s)
{
    if (!(s->low <= s->high)) s->low = s->axis->logarithmic ? 1 : 0, s->high = s->low;
    const double size = fmax(fabs(s->low), fabs(s->high));
    if (s->axis->logarithmic) {
        if (s->high / s->low < 1 + 1e-9)
            s->low = fmax(s->low / 2, DBL_MIN), s->high = fmin(s->high * 2, DBL_MAX);
    } else if (s->high / 2 - s->low / 2 <= 1e-12 * size || size == 0) {
        const double half = size > 0 ? 0.1 * size : 1;
        s->low -= half, s->high += half;
    }
}

static void add_margin(rt_scale *s, double share)
{
    const double low = chart_axis_counted(s->axis, s->low),
                 high = chart_axis_counted(s->axis, s->high);
    const double more = share * (high - low);
    const double a = uncounted(s->axis, low - more), b = uncounted(s->axis, high + more);
    if (rt_scale_takes(s->axis, a)) s->low = a;
    if (rt_scale_takes(s->axis, b)) s->high = b;
}

static void find_range(const rt_plot *plot, rt_scale *s, bool is_x)
{
    const rt_chart_panel *p = plot->panel;
    s->low = INFINITY, s->high = -INFINITY;
    for (int k = 0; k < p->n_series; k++) {
        const rt_chart_series *a = &p->series[k];
        for (int i = 0; i < a->n; i++)
            if (rt_scale_takes(&p->x, a->x[i]) && rt_scale_takes(&p->y, a->y[i]))
                chart_axis_widen(s, is_x ? a->x[i] : a->y[i]);
    }
    for (int k = 0; k < p->n_labels; k++)
        chart_axis_widen(s, is_x ? p->labels[k].x : p->labels[k].y);
    if (p->cells)
        by_cells(s, is_x ? p->cells->x : p->cells->y, is_x ? p->cells->n_x : p->cells->n_y);
    if (s->axis->names) chart_axis_widen(s, 0), chart_axis_widen(s, s->axis->n_names);
    open_up(s);
    if (!p->cells && (!is_x || p->equal)) add_margin(s, 0.06);
}

/* The axis with room to spare shows more, on both sides alike. */
static void make_equal(rt_plot *plot)
{
    rt_scale *x = &plot->x, *y = &plot->y;
    const double px = (x->high - x->low) / fabs(x->to - x->from);
    const double py = (y->high - y->low) / fabs(y->to - y->from);
    rt_scale *s = px < py ? x : y;
    const double wanted = fmax(px, py) * fabs(s->to - s->from);
    const double middle = s->low / 2 + s->high / 2;
    s->low = middle - wanted / 2, s->high = middle + wanted / 2;
}

void rt_plot_range(rt_plot *plot)
{
    rt_scale *s[2] = {&plot->x, &plot->y};
    for (int k = 0; k < 2; k++)
        if (chart_axis_is_given(s[k]->axis))
            s[k]->low = s[k]->axis->low, s[k]->high = s[k]->axis->high;
        else
            find_range(plot, s[k], k == 0);
    if (plot->panel->equal && !plot->x.axis->logarithmic && !plot->y.axis->logarithmic)
        make_equal(plot);
}

/* ---- ticks ----------------------------------------------------------------------------------- */

static void chart_axis_add(rt_chart_ticks *t, double at, bool labelled)
{
    if (t->n == RT_CHART_TICKS) return;
    t->at[t->n] = at, t->labelled[t->n] = labelled;
    t->n++;
}

/* At least `raw`: 1, 2, 5 times a power of ten, or what is given, doubled as often as needed. */
static double round_step(double raw, double given)
{
    if (!(raw > 0) || !isfinite(raw)) return 0;
    if (given > 0) return given * pow(2, fmax(0, ceil(log2(raw / given) - 1e-9)));
    const double power = pow(10, floor(log10(raw)));
    const double multiples[] = {1, 2, 5};
    for (int k = 0; k < 3; k++)
        if (multiples[k] * power >= raw * (1 - 1e-12)) return multiples[k] * power;
    return 10 * power;
}

static void linear_ticks(rt_chart_ticks *t, const rt_chart_axis *axis, double low, double high,
                         int most)
{
    const double step = round_step((high / most - low / most), axis->step);
    const double slack = 1e-9 * step;
    if (!(step > 0) || !isfinite(step)) return;
    for (double k = ceil((low - slack) / step); k * step <= high + slack; k++) {
        if (t->n == RT_CHART_TICKS) return;
        chart_axis_add(t, k == 0 ? 0 : k * step, true);
    }
}

/* Powers of ten, some of them labelled; within less than `most` of them also what lies between. */
static void log_ticks(rt_chart_ticks *t, double low, double high, int most)
{
    const double a = log10(low), b = log10(high);
    const double decades = b - a;
    const int stride = (int)fmax(1, ceil(decades / most));
    const bool between = decades <= 7;
    const bool few = decades < 2.5; /* 2 and 5 are labelled as well */
    for (double p = floor(a); p <= b; p++) {
        const double power = pow(10, p);
        for (int m = 1; m <= (between ? 9 : 1); m++) {
            const double at = m * power;
            if (at < low * (1 - 1e-12) || at > high * (1 + 1e-12)) continue;
            const bool whole = m == 1 && fmod(p, stride) == 0;
            chart_axis_add(t, at, whole || (few && (m == 1 || m == 2 || m == 5)));
        }
    }
}

void rt_chart_ticks_find(rt_chart_ticks *t, const rt_chart_axis *axis, double low, double high,
                         int most)
{
    t->n = 0;
    if (most < 2) most = 2;
    if (axis->logarithmic && high / low >= 5)
        log_ticks(t, low, high, most);
    else
        linear_ticks(t, axis, low, high, most);
    if (!axis->logarithmic) return;
    int n = 0; /* linear ones of a short logarithmic axis */
    for (int k = 0; k < t->n; k++)
        if (t->at[k] > 0) t->at[n] = t->at[k], t->labelled[n++] = t->labelled[k];
    t->n = n;
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Far from 1 as a power of ten, raised. */
void rt_chart_value(rt_text *text, double value, double step)
{
    rt_number_form form;
    rt_number_form_short(&form, value, rt_number_tick_digits(value, step));
    const char *digits = form.digits;
    if (form.power && (strcmp(digits, "1") == 0 || strcmp(digits, "-1") == 0))
        rt_text_append(text, "%s", *digits == '-' ? "-" : "");
    else
        rt_text_append(text, "%s%s", digits, form.power ? "\xc2\xb7" : "");
    if (form.power)
        rt_text_append(text, "10<tspan dy=\"-4\" font-size=\"9\">%d</tspan>", form.power);
}

static void stroke(rt_text *text, const char *style, double x0, double y0, double x1, double y1)
{
    const double at[4] = {x0, y0, x1, y1};
    const char *const names[4] = {"x1", "y1", "x2", "y2"};
    rt_text_append(text, "<line class=\"%s\"", style);
    for (int k = 0; k < 4; k++) {
        rt_text_append(text, " %s=\"", names[k]);
        rt_chart_number(text, at[k]);
        rt_text_append(text, "\"");
    }
    rt_text_append(text, "/>\n");
}

static void begin_text(rt_text *text, double x, double y, const char *anchor)
{
    rt_text_append(text, "<text text-anchor=\"%s\" x=\"", anchor);
    rt_chart_number(text, x);
    rt_text_append(text, "\" y=\"");
    rt_chart_number(text, y);
    rt_text_append(text, "\">");
}

static void end_text(rt_text *text) { rt_text_append(text, "</text>\n"); }

static void name_ticks(rt_text *text, const rt_plot *plot, bool is_x)
{
    const rt_scale *s = is_x ? &plot->x : &plot->y;
    const double room = fabs(s->to - s->from) / fmax(1, s->axis->n_names);
    for (int k = 0; k < s->axis->n_names; k++) {
        const double at = k + 0.5;
        if (at < s->low || at > s->high) continue;
        const double px = rt_scale_place(s, at);
        const char *name = s->axis->names[k];
        if (!is_x) {
            begin_text(text, plot->x.from - 7, px + 4, "end");
        } else if (rt_chart_text_width(name, 12) < room) {
            begin_text(text, px, plot->y.from + 16, "middle");
        } else {
            rt_text_append(text, "<text text-anchor=\"end\" transform=\"translate(");
            rt_chart_number(text, px + 3);
            rt_text_append(text, " ");
            rt_chart_number(text, plot->y.from + 12);
            rt_text_append(text, ") rotate(-35)\">");
        }
        rt_chart_escaped(text, name);
        end_text(text);
    }
}

static void number_ticks(rt_text *text, const rt_plot *plot, bool is_x)
{
    const rt_scale *s = is_x ? &plot->x : &plot->y;
    const rt_scale *other = is_x ? &plot->y : &plot->x;
    rt_chart_ticks t;
    rt_chart_ticks_find(&t, s->axis, s->low, s->high,
                        (int)(fabs(s->to - s->from) / (is_x ? 80 : 36)));
    const double step = t.n > 1 ? t.at[1] - t.at[0] : 0;
    for (int k = 0; k < t.n; k++) {
        const double px = rt_scale_place(s, t.at[k]);
        const char *style = t.at[k] == 0 ? "zero" : t.labelled[k] ? "grid" : "minor";
        if (is_x)
            stroke(text, style, px, other->from, px, other->to);
        else
            stroke(text, style, other->from, px, other->to, px);
        if (!t.labelled[k]) continue;
        if (is_x)
            begin_text(text, px, other->from + 16, "middle");
        else
            begin_text(text, other->from - 7, px + 4, "end");
        rt_chart_value(text, t.at[k], s->axis->logarithmic ? 0 : step);
        end_text(text);
    }
}

void rt_plot_axes(rt_text *text, const rt_plot *plot)
{
    if (plot->x.axis->names)
        name_ticks(text, plot, true);
    else
        number_ticks(text, plot, true);
    if (plot->y.axis->names)
        name_ticks(text, plot, false);
    else
        number_ticks(text, plot, false);
}
