/* Between the files of the chart writer. */
#ifndef RT_OUTPUT_CHART_PARTS_H
#define RT_OUTPUT_CHART_PARTS_H

#include "output/chart.h"

/* An axis laid out: value low lies at `from`, high at `to` (px). */
typedef struct rt_scale {
    const rt_chart_axis *axis;
    double low, high;
    double from, to;
} rt_scale;

typedef struct rt_plot {
    const rt_chart_panel *panel;
    rt_scale x, y;
} rt_plot;

/* Can the value be shown on such an axis? */
bool rt_scale_takes(const rt_chart_axis *axis, double value);
double rt_scale_place(const rt_scale *scale, double value); /* px */

/* Ranges of both axes by what the panel holds. The places (from, to) are set before. */
void rt_plot_range(rt_plot *plot);

/* Bands, cells, series, labels. */
void rt_plot_marks(rt_text *text, const rt_plot *plot);
void rt_plot_axes(rt_text *text, const rt_plot *plot);
/* To the right of the plot, from x on. */
void rt_plot_colours(rt_text *text, const rt_plot *plot, double x);

/* One mark, as in the legend. */
void rt_chart_mark_at(rt_text *text, const rt_chart_series *series, double x, double y);

/* Range of the colours of the cells; false where no cell is finite. */
bool rt_cells_range(const rt_chart_cells *cells, double *low, double *high);

void rt_chart_number(rt_text *text, double px);            /* two decimals at most */
void rt_chart_escaped(rt_text *text, const char *from);    /* for text and attributes */
double rt_chart_text_width(const char *text, double size); /* px, estimated */
int rt_chart_colour(int colour);                           /* 0 .. 7, or 8 for grey */

/* A value as ticks show it: step is the distance of its neighbours, 0 where there is none. */
void rt_chart_value(rt_text *text, double value, double step);

#endif
