/* A figure: its style, title, legend and panels. */
#include "output/chart.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "output/chart_parts.h"

enum { EDGE = 10, BELOW = 46, LINE = 18, BAR = 74 };

/* Okabe and Ito (2008), jfly.uni-koeln.de/color; yellow and black, which one theme or the other
 * would hide, are replaced by an olive and a violet. */
static const char *const light_colours[RT_CHART_COLOURS + 1] = {"#0072b2", "#d55e00", "#009e73",
                                                                "#cc79a7", "#e69f00", "#56b4e9",
                                                                "#6b6b00", "#5b3fa0", "#767676"};
static const char *const dark_colours[RT_CHART_COLOURS + 1] = {"#4aa8e0", "#ff8a3c", "#2ec79b",
                                                               "#e79cc6", "#f2b632", "#8ccdf5",
                                                               "#c9c95a", "#a68df0", "#9a9a9a"};

int rt_chart_colour(int colour)
{
    return colour < 0 ? RT_CHART_COLOURS : colour % RT_CHART_COLOURS;
}

void rt_chart_number(rt_text *text, double px)
{
    char digits[RT_NUMBER_SIZE];
    const double rounded = round(100 * px) / 100;
    rt_number_text(digits, rounded == 0 ? 0 : rounded, 9);
    rt_text_append(text, "%s", digits);
}

/* Characters that XML does not allow are left out. */
void rt_chart_escaped(rt_text *text, const char *from)
{
    for (; *from; from++) {
        if (*from == '&')
            rt_text_append(text, "&amp;");
        else if (*from == '<')
            rt_text_append(text, "&lt;");
        else if (*from == '>')
            rt_text_append(text, "&gt;");
        else if (*from == '"')
            rt_text_append(text, "&quot;");
        else if ((unsigned char)*from >= ' ' || *from == '\t' || *from == '\n')
            rt_text_bytes(text, from, 1);
    }
}

double rt_chart_text_width(const char *text, double size)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return 0.56 * size * n;
}

/* ---- style ----------------------------------------------------------------------------------- */

static void theme(rt_text *text, const char *const colours[], const char *paper, const char *ink,
                  const char *soft, const char *grid)
{
    rt_text_append(text,
                   ".rt-chart .paper{fill:%s}.rt-chart text{fill:%s}.rt-chart .soft{fill:%s}"
                   ".rt-chart .grid,.rt-chart .minor,.rt-chart .zero,.rt-chart .frame{stroke:%s}\n",
                   paper, ink, soft, grid);
    for (int k = 0; k <= RT_CHART_COLOURS; k++)
        rt_text_append(text, ".rt-chart .s%d{stroke:%s}.rt-chart .f%d{fill:%s}\n", k, colours[k], k,
                       colours[k]);
}

static void style(rt_text *text)
{
    rt_text_append(text, "<style>\n.rt-chart .line,.rt-chart .ring,.rt-chart .frame{fill:none}"
                         ".rt-chart .line{stroke-linejoin:round}.rt-chart .ring{stroke-width:1.6}"
                         ".rt-chart .minor{stroke-opacity:.45}.rt-chart .zero{stroke-width:1.8}"
                         ".rt-chart .band{fill-opacity:.12}\n");
    theme(text, light_colours, "#fff", "#222", "#595959", "#d4d4d4");
    rt_text_append(text, "@media (prefers-color-scheme:dark){\n");
    theme(text, dark_colours, "#16181c", "#e8e8e8", "#a8a8a8", "#3c4048");
    rt_text_append(text, "}\n</style>\n");
}

/* ---- layout ---------------------------------------------------------------------------------- */

static double longest_name(const rt_chart_axis *axis)
{
    double longest = 0;
    for (int k = 0; axis->names && k < axis->n_names; k++)
        longest = fmax(longest, rt_chart_text_width(axis->names[k], 12));
    return longest;
}

static double room_left(const rt_chart_panel *p)
{
    return fmax(48, longest_name(&p->y) + 12) + (p->y.title ? 20 : 0);
}

static double room_below(const rt_chart_panel *p)
{
    return BELOW + fmin(120, fmax(0, 0.6 * longest_name(&p->x) - 20));
}

static double room_above(const rt_chart_panel *p)
{
    return p->title || (p->cells && p->cells->title) ? 28 : 12;
}

static double height_of(const rt_chart_panel *p) { return p->height > 0 ? p->height : 240; }

static void chart_write(rt_text *text, const char *style, double x, double y, const char *what)
{
    rt_text_append(text, "<text%s x=\"", style);
    rt_chart_number(text, x);
    rt_text_append(text, "\" y=\"");
    rt_chart_number(text, y);
    rt_text_append(text, "\">");
    rt_chart_escaped(text, what);
    rt_text_append(text, "</text>\n");
}

static void titles(rt_text *text, const rt_plot *plot, double left, double bottom)
{
    const rt_chart_panel *p = plot->panel;
    if (p->title)
        chart_write(text, " font-weight=\"bold\"", plot->x.from, plot->y.to - 9, p->title);
    if (p->x.title)
        chart_write(text, " text-anchor=\"middle\"", (plot->x.from + plot->x.to) / 2, bottom - 9,
                    p->x.title);
    if (!p->y.title) return;
    rt_text_append(text, "<text text-anchor=\"middle\" transform=\"translate(");
    rt_chart_number(text, left + 12);
    rt_text_append(text, " ");
    rt_chart_number(text, (plot->y.from + plot->y.to) / 2);
    rt_text_append(text, ") rotate(-90)\">");
    rt_chart_escaped(text, p->y.title);
    rt_text_append(text, "</text>\n");
}

static void frame(rt_text *text, const rt_plot *plot)
{
    const double at[4] = {plot->x.from, plot->y.to, plot->x.to - plot->x.from,
                          plot->y.from - plot->y.to};
    const char *const names[4] = {"x", "y", "width", "height"};
    rt_text_append(text, "<rect class=\"frame\"");
    for (int k = 0; k < 4; k++) {
        rt_text_append(text, " %s=\"", names[k]);
        rt_chart_number(text, at[k]);
        rt_text_append(text, "\"");
    }
    rt_text_append(text, "/>\n");
}

/* A panel whose upper left corner is at (x, y); `below` and `above` are those of its row. */
static void draw_panel(rt_text *text, const rt_chart_panel *p, double x, double y, double width,
                       double above, double below)
{
    const double right = x + width - (p->cells ? BAR + 8 : 14);
    const double bottom = y + above + height_of(p);
    rt_plot plot = {.panel = p,
                    .x = {.axis = &p->x, .from = x + room_left(p), .to = right},
                    .y = {.axis = &p->y, .from = bottom, .to = y + above}};
    rt_plot_range(&plot);
    rt_text_append(text, "<g>\n");
    rt_plot_axes(text, &plot);
    rt_plot_marks(text, &plot);
    if (p->cells) rt_plot_colours(text, &plot, right + 12);
    frame(text, &plot);
    titles(text, &plot, x, bottom + below);
    rt_text_append(text, "</g>\n");
}

/* ---- legend ---------------------------------------------------------------------------------- */

/* Does a series before it carry the same name? */
static bool is_named_before(const rt_chart *chart, int panel, int series)
{
    const char *name = chart->panels[panel].series[series].name;
    for (int i = 0; i <= panel; i++)
        for (int k = 0; k < chart->panels[i].n_series; k++) {
            if (i == panel && k == series) return false;
            const char *other = chart->panels[i].series[k].name;
            if (other && strcmp(other, name) == 0) return true;
        }
    return false;
}

static void legend_entry(rt_text *text, const rt_chart_series *s, double x, double y)
{
    if (s->line) {
        rt_text_append(text, "<path class=\"line s%d\"%s stroke-width=\"2\" d=\"M",
                       rt_chart_colour(s->colour), s->dashed ? " stroke-dasharray=\"6 4\"" : "");
        rt_chart_number(text, x);
        rt_text_append(text, " ");
        rt_chart_number(text, y - 4);
        rt_text_append(text, "h24\"/>\n");
    }
    if (s->mark) rt_chart_mark_at(text, s, x + 12, y - 4);
    chart_write(text, "", x + 30, y, s->name);
}

/* From y on; returns the height. text NULL: only that. */
static double legend(rt_text *text, const rt_chart *chart, double width, double y)
{
    double x = EDGE, height = 0;
    for (int i = 0; i < chart->n_panels && !chart->hide_legend; i++)
        for (int k = 0; k < chart->panels[i].n_series; k++) {
            const rt_chart_series *s = &chart->panels[i].series[k];
            if (!s->name || is_named_before(chart, i, k)) continue;
            const double room = 30 + rt_chart_text_width(s->name, 12) + 18;
            if (height == 0) height = LINE;
            if (x > EDGE && x + room > width - EDGE) x = EDGE, height += LINE;
            if (text) legend_entry(text, s, x, y + height - 4);
            x += room;
        }
    return height > 0 ? height + 6 : 0;
}

/* ---- the figure ------------------------------------------------------------------------------ */

typedef struct row_room {
    double above, plot, below;
} row_room;

static row_room room_of_row(const rt_chart *chart, int first, int columns)
{
    row_room r = {0};
    for (int k = first; k < first + columns && k < chart->n_panels; k++) {
        const rt_chart_panel *p = &chart->panels[k];
        r.above = fmax(r.above, room_above(p));
        r.plot = fmax(r.plot, height_of(p));
        r.below = fmax(r.below, room_below(p));
    }
    return r;
}

static double chart_head_of(const rt_chart *chart)
{
    return EDGE + (chart->title ? 22 : 0) + (chart->subtitle ? LINE : 0);
}

static void output_chart_begin(rt_text *text, const rt_chart *chart, double width, double height)
{
    const char *what = chart->description ? chart->description
                       : chart->title     ? chart->title
                                          : "Chart";
    rt_text_append(text,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rt-chart\" role=\"img\" "
                   "width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
                   "font-family=\"sans-serif\" font-size=\"12\" aria-label=\"",
                   width, height, width, height);
    rt_chart_escaped(text, what);
    rt_text_append(text, "\">\n");
    style(text);
    rt_text_append(text, "<rect class=\"paper\" width=\"%.0f\" height=\"%.0f\"/>\n", width, height);
    if (chart->title)
        chart_write(text, " font-size=\"16\" font-weight=\"bold\"", EDGE, EDGE + 14, chart->title);
    if (chart->subtitle)
        chart_write(text, " class=\"soft\"", EDGE, chart_head_of(chart) - 4, chart->subtitle);
}

void rt_chart_svg(const rt_chart *chart, rt_text *text)
{
    const double width = round(chart->width > 0 ? chart->width : 760);
    const int columns = chart->columns > 0 ? chart->columns : 1;
    const double each = (width - 2 * EDGE) / columns;
    const double top = chart_head_of(chart) + legend(NULL, chart, width, 0);
    double height = top + EDGE;
    for (int k = 0; k < chart->n_panels; k += columns) {
        const row_room r = room_of_row(chart, k, columns);
        height += r.above + r.plot + r.below;
    }
    output_chart_begin(text, chart, width, ceil(height));
    legend(text, chart, width, chart_head_of(chart));
    double y = top;
    for (int k = 0; k < chart->n_panels; k += columns) {
        const row_room r = room_of_row(chart, k, columns);
        for (int j = 0; j < columns && k + j < chart->n_panels; j++)
            draw_panel(text, &chart->panels[k + j], EDGE + j * each, y, each, r.above, r.below);
        y += r.above + r.plot + r.below;
    }
    rt_text_append(text, "</svg>\n");
}
