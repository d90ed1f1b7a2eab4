/* Charts as SVG for the whole house: one figure of several panels, whose text stands alone (no
 * font, style or script from elsewhere) and follows the reader's light or dark theme. Numbers have
 * a point whatever the locale. Nothing is allocated but the text that is appended to.
 *
 *     const double x[] = {1, 10, 100}, y[] = {1, NAN, 3};
 *     const rt_chart_series lines[] = {{.name = "front", .x = x, .y = y, .n = 3, .line = true}};
 *     const rt_chart_panel panels[] = {{.x = {.title = "frequency, Hz", .logarithmic = true},
 *                                       .y = {.title = "amplitude, m"},
 *                                       .series = lines, .n_series = 1}};
 *     rt_chart_svg(&(rt_chart){.title = "Response", .panels = panels, .n_panels = 1}, &text);
 *
 * A Campbell diagram is a panel of lines and points (a series for each kind: colour and mark), with
 * grey dashed series for the orders; a root locus one with `equal` or without; a stability map or a
 * heat map has cells, and names in place of numbers along its axes. What is zero or NULL takes its
 * default. Not finite numbers (on a logarithmic axis: not positive ones) break a line and leave a
 * point or a cell out. What lies outside an axis is clipped, exactly at its border. */
#ifndef RT_OUTPUT_CHART_H
#define RT_OUTPUT_CHART_H

#include <stdbool.h>

#include "base/text.h"

/* Colours 0 .. 7 of the palette of Okabe and Ito (2008), which the colour-blind tell apart too;
 * others are taken modulo 8. Series of one kind should differ in mark or dashes as well. */
enum { RT_CHART_COLOURS = 8, RT_CHART_GREY = -1 };

typedef enum rt_chart_mark {
    RT_MARK_NONE,
    RT_MARK_CIRCLE,
    RT_MARK_SQUARE,
    RT_MARK_TRIANGLE,
    RT_MARK_DIAMOND,
    RT_MARK_CROSS, /* x, as poles are drawn */
    RT_MARK_PLUS,
    RT_MARK_RING, /* an open circle, as zeros are drawn */
    RT_MARK_COUNT
} rt_chart_mark;

typedef struct rt_chart_axis {
    const char *title; /* with its unit, "frequency, Hz"; NULL: none */
    bool logarithmic;
    double low, high; /* both 0: from the data, y with a margin */
    double step;      /* between ticks of a linear axis, doubled where they would crowd (90 for
                         degrees); 0: 1, 2 or 5 times a power of ten */
    const char *const *names; /* n_names: in place of numbers, the k-th at k + 1/2; NULL: numbers */
    int n_names;
} rt_chart_axis;

typedef struct rt_chart_series {
    const char *name;    /* in the legend, once for the whole figure; NULL: not there */
    const double *x, *y; /* n each */
    int n;
    int colour; /* of the palette, or RT_CHART_GREY */
    bool line, dashed;
    double width; /* of the line, 1.6 */
    rt_chart_mark mark;
    double size;       /* of the marks, 3.5: about their radius */
    const char *label; /* written at the last point that is seen; NULL: none */
} rt_chart_series;

/* Shaded cells, for maps: value[i * n_x + j] in the cell x[j] .. x[j + 1], y[i] .. y[i + 1]. */
typedef struct rt_chart_cells {
    int n_x, n_y;
    const double *x, *y; /* edges: n_x + 1 and n_y + 1, either may be NULL for 0, 1, 2, .. */
    const double *value; /* n_y x n_x; not finite: an empty cell */
    double low, high;    /* of the colours; both 0: of the data */
    bool diverging;      /* blue, white, red, with white at the middle; else dark to light */
    bool numbers;        /* the values are written in the cells */
    const char *title;   /* of the bar of colours */
} rt_chart_cells;

/* A text at a place. */
typedef struct rt_chart_label {
    double x, y;
    const char *text;
    int colour;
} rt_chart_label;

/* A lightly shaded rectangle behind everything; an infinite side reaches the border. */
typedef struct rt_chart_band {
    double x0, x1, y0, y1;
    int colour;
} rt_chart_band;

typedef struct rt_chart_panel {
    const char *title; /* NULL: none */
    rt_chart_axis x, y;
    bool equal; /* linear axes: a unit is as long on both */
    const rt_chart_series *series;
    int n_series;
    const rt_chart_cells *cells; /* NULL: none */
    const rt_chart_label *labels;
    int n_labels;
    const rt_chart_band *bands;
    int n_bands;
    double height; /* of the plot itself, 240 */
} rt_chart_panel;

typedef struct rt_chart {
    const char *title, *subtitle; /* NULL: none */
    const char *description;      /* for screen readers; NULL: the title */
    const rt_chart_panel *panels;
    int n_panels;
    int columns;      /* panels in a row, 1 */
    double width;     /* of the whole, 760 */
    bool hide_legend; /* the names are known from labels */
} rt_chart;

/* Appends one <svg> element and a line feed. Memory fails as that of any text (rt_text.failed). */
void rt_chart_svg(const rt_chart *chart, rt_text *text);

/* ---- ticks, for those who draw themselves ---------------------------------------------------- */

enum { RT_CHART_TICKS = 64 };
typedef struct rt_chart_ticks {
    int n;
    double at[RT_CHART_TICKS];
    bool labelled[RT_CHART_TICKS]; /* of a logarithmic axis some are only strokes */
} rt_chart_ticks;

/* Ticks within low .. high (low < high), about `most` of them labelled. */
void rt_chart_ticks_find(rt_chart_ticks *ticks, const rt_chart_axis *axis, double low, double high,
                         int most);

#endif
