/* Lines, points, cells and labels of a chart. */
#include <math.h>

#include "base/number.h"
#include "output/chart_parts.h"

typedef struct chart_marks_point {
    double x, y; /* px */
} chart_marks_point;

static bool chart_marks_place(const rt_plot *plot, double x, double y, chart_marks_point *out)
{
    if (!rt_scale_takes(plot->x.axis, x) || !rt_scale_takes(plot->y.axis, y)) return false;
    *out = (chart_marks_point){rt_scale_place(&plot->x, x), rt_scale_place(&plot->y, y)};
    return isfinite(out->x) && isfinite(out->y);
}

static double chart_marks_least(const rt_scale *s) { return fmin(s->from, s->to); }
static double greatest(const rt_scale *s) { return fmax(s->from, s->to); }

static bool chart_marks_is_seen(const rt_plot *plot, chart_marks_point p)
{
    return p.x >= chart_marks_least(&plot->x) - 0.01 && p.x <= greatest(&plot->x) + 0.01 &&
           p.y >= chart_marks_least(&plot->y) - 0.01 && p.y <= greatest(&plot->y) + 0.01;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* One border: t of a + t (b - a) is kept where d t <= n. Liang and Barsky, ACM Trans. Graph. 3
 * (1984). */
static bool chart_marks_keep(double d, double n, double t[2])
{
    if (d == 0) return n >= 0;
    const double at = n / d;
    if (d < 0) {
        if (at > t[1]) return false;
        t[0] = fmax(t[0], at);
    } else {
        if (at < t[0]) return false;
        t[1] = fmin(t[1], at);
    }
    return true;
}

/* The part of a .. b within the plot. */
static bool clip(const rt_plot *plot, chart_marks_point *a, chart_marks_point *b)
{
    const chart_marks_point d = {b->x - a->x, b->y - a->y};
    const chart_marks_point from = *a;
    double t[2] = {0, 1};
    if (!chart_marks_keep(-d.x, a->x - chart_marks_least(&plot->x), t) ||
        !chart_marks_keep(d.x, greatest(&plot->x) - a->x, t) ||
        !chart_marks_keep(-d.y, a->y - chart_marks_least(&plot->y), t) ||
        !chart_marks_keep(d.y, greatest(&plot->y) - a->y, t))
        return false;
    *a = (chart_marks_point){from.x + t[0] * d.x, from.y + t[0] * d.y};
    *b = (chart_marks_point){from.x + t[1] * d.x, from.y + t[1] * d.y};
    return true;
}

static void to(rt_text *text, char letter, chart_marks_point p)
{
    rt_text_bytes(text, &letter, 1);
    rt_chart_number(text, p.x);
    rt_text_append(text, " ");
    rt_chart_number(text, p.y);
}

static void chart_marks_draw_line(rt_text *text, const rt_plot *plot, const rt_chart_series *s)
{
    chart_marks_point before = {0}, pen = {NAN, NAN};
    bool have = false;
    rt_text_append(text, "<path class=\"line s%d\"", rt_chart_colour(s->colour));
    if (s->dashed) rt_text_append(text, " stroke-dasharray=\"6 4\"");
    rt_text_append(text, " stroke-width=\"");
    rt_chart_number(text, s->width > 0 ? s->width : 1.6);
    rt_text_append(text, "\" d=\"");
    for (int k = 0; k < s->n; k++) {
        chart_marks_point p;
        if (!chart_marks_place(plot, s->x[k], s->y[k], &p)) {
            have = false;
            continue;
        }
        chart_marks_point a = before, b = p;
        if (have && clip(plot, &a, &b)) {
            if (pen.x != a.x || pen.y != a.y) to(text, 'M', a);
            to(text, 'L', b);
            pen = b;
        }
        before = p, have = true;
    }
    rt_text_append(text, "\"/>\n");
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Shapes in units of the mark's size, '*' where a point has its place. */
static const struct {
    const char *style;
    int n;
    double x[12], y[12];
    const char *letters;
} shapes[RT_MARK_COUNT] = {
    [RT_MARK_SQUARE] = {"f", 4, {-0.9, 0.9, 0.9, -0.9}, {-0.9, -0.9, 0.9, 0.9}, "MLLL"},
    [RT_MARK_TRIANGLE] = {"f", 3, {0, 1.15, -1.15}, {-1.25, 0.9, 0.9}, "MLL"},
    [RT_MARK_DIAMOND] = {"f", 4, {0, 1.25, 0, -1.25}, {-1.25, 0, 1.25, 0}, "MLLL"},
    [RT_MARK_CROSS] = {"s", 4, {-1, 1, -1, 1}, {-1, 1, 1, -1}, "MLML"},
    [RT_MARK_PLUS] = {"s", 4, {-1.2, 1.2, 0, 0}, {0, 0, -1.2, 1.2}, "MLML"},
};

void rt_chart_mark_at(rt_text *text, const rt_chart_series *s, double x, double y)
{
    const double size = s->size > 0 ? s->size : 3.5;
    const int colour = rt_chart_colour(s->colour);
    if (s->mark == RT_MARK_CIRCLE || s->mark == RT_MARK_RING) {
        rt_text_append(text, "<circle class=\"%s%d\" cx=\"",
                       s->mark == RT_MARK_RING ? "ring s" : "f", colour);
        rt_chart_number(text, x);
        rt_text_append(text, "\" cy=\"");
        rt_chart_number(text, y);
        rt_text_append(text, "\" r=\"");
        rt_chart_number(text, size);
        rt_text_append(text, "\"/>\n");
        return;
    }
    if (s->mark <= RT_MARK_NONE || s->mark >= RT_MARK_COUNT) return;
    const bool open = shapes[s->mark].style[0] == 's';
    rt_text_append(text, "<path class=\"%s%d\" d=\"", open ? "line s" : "f", colour);
    for (int k = 0; k < shapes[s->mark].n; k++)
        to(text, shapes[s->mark].letters[k],
           (chart_marks_point){x + size * shapes[s->mark].x[k], y + size * shapes[s->mark].y[k]});
    rt_text_append(text, open ? "\"/>\n" : "Z\"/>\n");
}

static void draw_points(rt_text *text, const rt_plot *plot, const rt_chart_series *s)
{
    for (int k = 0; k < s->n; k++) {
        chart_marks_point p;
        if (chart_marks_place(plot, s->x[k], s->y[k], &p) && chart_marks_is_seen(plot, p))
            rt_chart_mark_at(text, s, p.x, p.y);
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void write_at(rt_text *text, const rt_plot *plot, chart_marks_point p, int colour,
                     const char *what)
{
    const bool left = p.x + 6 + rt_chart_text_width(what, 12) > greatest(&plot->x) + 14;
    rt_text_append(text, "<text class=\"label f%d\" text-anchor=\"%s\" x=\"",
                   rt_chart_colour(colour), left ? "end" : "start");
    rt_chart_number(text, p.x + (left ? -5 : 5));
    rt_text_append(text, "\" y=\"");
    rt_chart_number(text, fmax(p.y - 5, chart_marks_least(&plot->y) + 11));
    rt_text_append(text, "\">");
    rt_chart_escaped(text, what);
    rt_text_append(text, "</text>\n");
}

static void label_line(rt_text *text, const rt_plot *plot, const rt_chart_series *s)
{
    chart_marks_point p;
    for (int k = s->n - 1; k >= 0; k--)
        if (chart_marks_place(plot, s->x[k], s->y[k], &p) && chart_marks_is_seen(plot, p)) {
            write_at(text, plot, p, s->colour, s->label);
            return;
        }
}

/* ---- cells and bands ------------------------------------------------------------------------- */

bool rt_cells_range(const rt_chart_cells *c, double *low, double *high)
{
    *low = c->low, *high = c->high;
    if (*low < *high) return true;
    *low = INFINITY, *high = -INFINITY;
    for (int k = 0; k < c->n_x * c->n_y; k++)
        if (isfinite(c->value[k])) *low = fmin(*low, c->value[k]), *high = fmax(*high, c->value[k]);
    if (!(*low <= *high)) return false;
    if (c->diverging) {
        *high = fmax(fabs(*low), fabs(*high));
        *low = -*high;
    }
    if (*low == *high) *low -= 1, *high += 1;
    return true;
}

/* viridis (S. van der Walt and N. Smith, public domain) and a blue to red of ColorBrewer. */
static const unsigned char ramps[2][9][3] = {
    {{68, 1, 84},
     {72, 40, 120},
     {62, 74, 137},
     {49, 104, 142},
     {38, 130, 142},
     {31, 158, 137},
     {53, 183, 121},
     {110, 206, 88},
     {253, 231, 37}},
    {{33, 102, 172},
     {67, 147, 195},
     {146, 197, 222},
     {209, 229, 240},
     {247, 247, 247},
     {253, 219, 199},
     {244, 165, 130},
     {214, 96, 77},
     {178, 24, 43}},
};

/* The colour of a share 0 .. 1; returns how light it is, 0 .. 255. */
static double colour_of(const rt_chart_cells *c, double share, int rgb[3])
{
    const double at = 8 * fmin(1, fmax(0, share));
    const int k = (int)fmin(7, floor(at));
    for (int i = 0; i < 3; i++) {
        const double a = ramps[c->diverging][k][i], b = ramps[c->diverging][k + 1][i];
        rgb[i] = (int)(a + (at - k) * (b - a) + 0.5);
    }
    return 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2];
}

static void chart_marks_rectangle(rt_text *text, double x0, double x1, double y0, double y1)
{
    const double at[4] = {fmin(x0, x1), fmin(y0, y1), fabs(x1 - x0), fabs(y1 - y0)};
    const char *const names[4] = {"x", "y", "width", "height"};
    rt_text_append(text, "<rect");
    for (int k = 0; k < 4; k++) {
        rt_text_append(text, " %s=\"", names[k]);
        rt_chart_number(text, at[k]);
        rt_text_append(text, "\"");
    }
}

/* px of a value that is brought into the axis; infinities to its ends. */
static double chart_marks_within(const rt_scale *s, double value)
{
    if (!(value > s->low)) return s->from;
    return value < s->high ? rt_scale_place(s, value) : s->to;
}

static double chart_marks_edge(const double *edges, int k) { return edges ? edges[k] : k; }

static void draw_cell(rt_text *text, const rt_plot *plot, const rt_chart_cells *c, int i, int j,
                      const double range[2])
{
    const double value = c->value[i * c->n_x + j];
    const double x0 = chart_marks_within(&plot->x, chart_marks_edge(c->x, j)),
                 x1 = chart_marks_within(&plot->x, chart_marks_edge(c->x, j + 1));
    const double y0 = chart_marks_within(&plot->y, chart_marks_edge(c->y, i)),
                 y1 = chart_marks_within(&plot->y, chart_marks_edge(c->y, i + 1));
    if (!isfinite(value) || x0 == x1 || y0 == y1) return;
    int rgb[3];
    const double light = colour_of(c, (value - range[0]) / (range[1] - range[0]), rgb);
    chart_marks_rectangle(text, x0, x1, y0, y1);
    rt_text_append(text, " fill=\"#%02x%02x%02x\"/>\n", (unsigned)rgb[0], (unsigned)rgb[1],
                   (unsigned)rgb[2]);
    if (!c->numbers) return;
    rt_text_append(text, "<text text-anchor=\"middle\" font-size=\"11\" style=\"fill:%s\" x=\"",
                   light > 128 ? "#111" : "#fff");
    rt_chart_number(text, (x0 + x1) / 2);
    rt_text_append(text, "\" y=\"");
    rt_chart_number(text, (y0 + y1) / 2 + 4);
    rt_text_append(text, "\">");
    char digits[RT_NUMBER_SIZE];
    rt_number_text(digits, value, 3);
    rt_chart_escaped(text, digits);
    rt_text_append(text, "</text>\n");
}

static void draw_cells(rt_text *text, const rt_plot *plot)
{
    const rt_chart_cells *c = plot->panel->cells;
    double range[2];
    if (!c || !rt_cells_range(c, &range[0], &range[1])) return;
    rt_text_append(text, "<g shape-rendering=\"crispEdges\">\n");
    for (int i = 0; i < c->n_y; i++)
        for (int j = 0; j < c->n_x; j++) draw_cell(text, plot, c, i, j, range);
    rt_text_append(text, "</g>\n");
}

void rt_plot_colours(rt_text *text, const rt_plot *plot, double x)
{
    enum { STEPS = 32, WIDTH = 12 };
    const rt_chart_cells *c = plot->panel->cells;
    double low, high;
    if (!c || !rt_cells_range(c, &low, &high)) return;
    const rt_chart_axis axis = {.title = c->title};
    const rt_scale s = {&axis, low, high, plot->y.from, plot->y.to};
    for (int k = 0; k < STEPS; k++) {
        int rgb[3];
        colour_of(c, (k + 0.5) / STEPS, rgb);
        const double step = (s.to - s.from) / STEPS;
        /* a little over the next, against seams */
        chart_marks_rectangle(text, x, x + WIDTH, s.from + k * step,
                              s.from + (k + 1) * step + (k + 1 < STEPS ? -0.5 : 0));
        rt_text_append(text, " fill=\"#%02x%02x%02x\"/>\n", (unsigned)rgb[0], (unsigned)rgb[1],
                       (unsigned)rgb[2]);
    }
    rt_chart_ticks t;
    rt_chart_ticks_find(&t, &axis, low, high, (int)(fabs(s.to - s.from) / 36));
    for (int k = 0; k < t.n; k++) {
        rt_text_append(text, "<text x=\"");
        rt_chart_number(text, x + WIDTH + 5);
        rt_text_append(text, "\" y=\"");
        rt_chart_number(text, rt_scale_place(&s, t.at[k]) + 4);
        rt_text_append(text, "\">");
        rt_chart_value(text, t.at[k], t.n > 1 ? t.at[1] - t.at[0] : 0);
        rt_text_append(text, "</text>\n");
    }
    if (!c->title) return;
    rt_text_append(text, "<text text-anchor=\"end\" x=\"");
    rt_chart_number(text, x + 66);
    rt_text_append(text, "\" y=\"");
    rt_chart_number(text, s.to - 8);
    rt_text_append(text, "\">");
    rt_chart_escaped(text, c->title);
    rt_text_append(text, "</text>\n");
}

void rt_plot_marks(rt_text *text, const rt_plot *plot)
{
    const rt_chart_panel *p = plot->panel;
    for (int k = 0; k < p->n_bands; k++) {
        const rt_chart_band *b = &p->bands[k];
        chart_marks_rectangle(
            text, chart_marks_within(&plot->x, b->x0), chart_marks_within(&plot->x, b->x1),
            chart_marks_within(&plot->y, b->y0), chart_marks_within(&plot->y, b->y1));
        rt_text_append(text, " class=\"band f%d\"/>\n", rt_chart_colour(b->colour));
    }
    draw_cells(text, plot);
    for (int k = 0; k < p->n_series; k++)
        if (p->series[k].line) chart_marks_draw_line(text, plot, &p->series[k]);
    for (int k = 0; k < p->n_series; k++)
        if (p->series[k].mark) draw_points(text, plot, &p->series[k]);
    for (int k = 0; k < p->n_series; k++)
        if (p->series[k].label) label_line(text, plot, &p->series[k]);
    for (int k = 0; k < p->n_labels; k++) {
        chart_marks_point at;
        if (chart_marks_place(plot, p->labels[k].x, p->labels[k].y, &at) &&
            chart_marks_is_seen(plot, at))
            write_at(text, plot, at, p->labels[k].colour, p->labels[k].text);
    }
}
