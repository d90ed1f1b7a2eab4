/* A sweep as pictures: frequencies and damping ratios against the parameter, the root locus, and
 * of two parameters a map of the largest real part with its boundaries. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "base/arena.h"
#include "output/chart.h"
#include "output/results.h"
#include "output/sweep_words.h"

enum { FREQUENCY, DAMPING, LOCUS, PANELS };

typedef struct sweep_svg_picture {
    const routh_sweep *sweep;
    const routh_sweep_line *line;
    rt_arena arena;
    rt_chart_series *series[PANELS];
    int n[PANELS];
    bool failed;
} sweep_svg_picture;

static rt_chart_series *sweep_svg_add(sweep_svg_picture *p, int panel, int points)
{
    rt_chart_series *s = &p->series[panel][p->n[panel]];
    double *x = RT_TAKE(&p->arena, double, points + 1), *y = RT_TAKE(&p->arena, double, points + 1);
    if (!x || !y) {
        p->failed = true;
        return NULL;
    }
    *s = (rt_chart_series){.x = x, .y = y, .n = points};
    p->n[panel]++;
    return s;
}

static void sweep_svg_set(rt_chart_series *s, int k, double x, double y)
{
    ((double *)s->x)[k] = x;
    ((double *)s->y)[k] = y;
}

static char *sweep_svg_label(sweep_svg_picture *p, const char *name)
{
    char *text = rt_arena_text(&p->arena, name, strcspn(name, "*"));
    p->failed = p->failed || !text;
    return text;
}

static bool sweep_svg_is_shown(const routh_sweep_line *line, int b)
{
    for (int k = 0; k < line->n_points; k++)
        if (rt_sweep_shows(line, &line->points[k], b)) return true;
    return false;
}

static void sweep_svg_branch(sweep_svg_picture *p, int b)
{
    const routh_sweep_line *line = p->line;
    const int n = line->n_points;
    rt_chart_series *s[PANELS];
    for (int panel = 0; panel < PANELS; panel++) {
        s[panel] = sweep_svg_add(p, panel, n);
        if (!s[panel]) return;
        s[panel]->line = true;
        s[panel]->colour = (int)strtol(line->names[b], NULL, 10);
        s[panel]->label = sweep_svg_label(p, line->names[b]);
    }
    for (int k = 0; k < n; k++) {
        const routh_sweep_point *at = &line->points[k];
        const bool shown = rt_sweep_shows(line, at, b);
        const double *e = at->eigenvalues[b];
        const rt_sweep_figures f = shown ? rt_sweep_figures_of(e) : (rt_sweep_figures){NAN, NAN};
        sweep_svg_set(s[FREQUENCY], k, at->value, f.hertz);
        sweep_svg_set(s[DAMPING], k, at->value, f.ratio);
        sweep_svg_set(s[LOCUS], k, shown ? e[0] : NAN, shown ? fabs(e[1]) : NAN);
    }
}

/* Frequency = order speed / 2 pi */
static void sweep_svg_order(sweep_svg_picture *p, double number)
{
    const routh_sweep_line *line = p->line;
    rt_chart_series *s = sweep_svg_add(p, FREQUENCY, line->n_points);
    if (!s) return;
    s->line = s->dashed = true;
    s->colour = RT_CHART_GREY;
    for (int k = 0; k < line->n_points; k++)
        sweep_svg_set(s, k, line->points[k].value,
                      number * fabs(line->points[k].speed) / RT_TWO_PI);
}

static const struct {
    routh_sweep_event_kind kind;
    const char *name;
    rt_chart_mark mark;
} marked[] = {
    {ROUTH_SWEEP_FLUTTER, "flutter", RT_MARK_DIAMOND},
    {ROUTH_SWEEP_DIVERGENCE, "divergence", RT_MARK_SQUARE},
    {ROUTH_SWEEP_MEETING, "meeting", RT_MARK_PLUS},
    {ROUTH_SWEEP_CRITICAL, "critical speed", RT_MARK_CIRCLE},
    {ROUTH_SWEEP_DAMPING, "damping reached", RT_MARK_TRIANGLE},
    {ROUTH_SWEEP_VEERING, "veering", RT_MARK_RING},
};
enum { MARKED = sizeof marked / sizeof *marked };

static void sweep_svg_events(sweep_svg_picture *p, int m)
{
    const routh_sweep_line *line = p->line;
    int n = 0;
    for (int k = 0; k < line->n_events; k++) n += line->events[k].kind == marked[m].kind;
    if (n == 0) return;
    for (int panel = 0; panel < PANELS; panel++) {
        rt_chart_series *s = sweep_svg_add(p, panel, n);
        if (!s) return;
        s->mark = marked[m].mark;
        s->size = 4.5;
        s->colour = m + 1;
        s->name = panel == 0 ? marked[m].name : NULL;
        for (int k = 0, at = 0; k < line->n_events; k++) {
            const routh_sweep_event *e = &line->events[k];
            if (e->kind != marked[m].kind) continue;
            const rt_sweep_figures f = rt_sweep_figures_of(e->eigenvalue);
            if (panel == LOCUS)
                sweep_svg_set(s, at++, e->eigenvalue[0], fabs(e->eigenvalue[1]));
            else
                sweep_svg_set(s, at++, e->value, panel == FREQUENCY ? f.hertz : f.ratio);
        }
    }
}

/* Curves over both parameters; returns how many. */
static int sweep_svg_boundaries(sweep_svg_picture *p, rt_chart_series *series)
{
    const routh_sweep *s = p->sweep;
    for (int k = 0; k < s->n_boundaries; k++) {
        const routh_sweep_boundary *b = &s->boundaries[k];
        double *x = RT_TAKE(&p->arena, double, b->n + 1), *y = RT_TAKE(&p->arena, double, b->n + 1);
        if (!x || !y) {
            p->failed = true;
            return 0;
        }
        for (int i = 0; i < b->n; i++) x[i] = b->points[i].value, y[i] = b->points[i].second;
        series[k] = (rt_chart_series){.x = x, .y = y, .n = b->n, .line = true, .colour = k};
        for (int m = 0; m < MARKED; m++)
            if (marked[m].kind == b->kind) series[k].label = marked[m].name;
    }
    return s->n_boundaries;
}

static void sweep_svg_draw_line(sweep_svg_picture *p, rt_text *out)
{
    const routh_sweep *s = p->sweep;
    const size_t most = (size_t)p->line->n_branches + (size_t)s->n_orders + MARKED + 1;
    for (int panel = 0; panel < PANELS; panel++) {
        p->series[panel] = RT_TAKE(&p->arena, rt_chart_series, most);
        if (!p->series[panel]) p->failed = true;
    }
    for (int k = 0; k < s->n_orders && !p->failed; k++)
        if (s->orders[k] != 0) sweep_svg_order(p, s->orders[k]);
    for (int b = 0; b < p->line->n_branches && !p->failed; b++)
        if (sweep_svg_is_shown(p->line, b)) sweep_svg_branch(p, b);
    for (int m = 0; m < MARKED && !p->failed; m++) sweep_svg_events(p, m);
    rt_chart_series *curves = RT_TAKE(&p->arena, rt_chart_series, s->n_boundaries + 1);
    p->failed = p->failed || !curves;
    const int n_curves = p->failed ? 0 : sweep_svg_boundaries(p, curves);
    if (p->failed) return;
    const rt_chart_panel panels[PANELS + 1] = {
        {.x = {.title = s->parameter},
         .y = {.title = "frequency, Hz"},
         .series = p->series[FREQUENCY],
         .n_series = p->n[FREQUENCY],
         .height = 300},
        {.x = {.title = s->parameter},
         .y = {.title = "damping ratio"},
         .series = p->series[DAMPING],
         .n_series = p->n[DAMPING]},
        {.x = {.title = "real part, 1/s"},
         .y = {.title = "imaginary part, rad/s"},
         .series = p->series[LOCUS],
         .n_series = p->n[LOCUS],
         .height = 300},
        {.x = {.title = s->parameter},
         .y = {.title = s->boundary},
         .series = curves,
         .n_series = n_curves,
         .height = 300},
    };
    rt_chart_svg(&(rt_chart){.title = s->title,
                             .description = "Frequencies, damping ratios and eigenvalues against a "
                                            "parameter",
                             .panels = panels,
                             .n_panels = PANELS + (n_curves > 0)},
                 out);
}

/* ---- two parameters -------------------------------------------------------------------------- */

/* Edges half way between the values. */
static double *edges(sweep_svg_picture *p, const double *values, int n)
{
    double *out = RT_TAKE(&p->arena, double, n + 1);
    if (!out) {
        p->failed = true;
        return NULL;
    }
    for (int k = 1; k < n; k++) out[k] = (values[k - 1] + values[k]) / 2;
    out[0] = n > 1 ? 2 * values[0] - out[1] : values[0] - 0.5;
    out[n] = n > 1 ? 2 * values[n - 1] - out[n - 1] : values[0] + 0.5;
    return out;
}

static int grid_points(const routh_sweep_line *line, double *values)
{
    int n = 0;
    for (int k = 0; k < line->n_points; k++)
        if (line->points[k].on_grid) {
            if (values) values[n] = line->points[k].value;
            n++;
        }
    return n;
}

static void sweep_svg_fill_cells(const routh_sweep *s, int n, double *value)
{
    for (int l = 0; l < s->n_lines; l++) {
        int at = 0;
        for (int k = 0; k < s->lines[l].n_points && at < n; k++)
            if (s->lines[l].points[k].on_grid)
                value[l * n + at++] = rt_sweep_largest(&s->lines[l], &s->lines[l].points[k]);
        while (at < n) value[l * n + at++] = NAN;
    }
}

static int boundary(sweep_svg_picture *p, int m, rt_chart_series *to)
{
    const routh_sweep *s = p->sweep;
    int n = 0;
    for (int l = 0; l < s->n_lines; l++)
        for (int k = 0; k < s->lines[l].n_events; k++)
            n += s->lines[l].events[k].kind == marked[m].kind;
    if (n == 0) return 0;
    double *x = RT_TAKE(&p->arena, double, n), *y = RT_TAKE(&p->arena, double, n);
    if (!x || !y) {
        p->failed = true;
        return 0;
    }
    int at = 0;
    for (int l = 0; l < s->n_lines; l++)
        for (int k = 0; k < s->lines[l].n_events; k++)
            if (s->lines[l].events[k].kind == marked[m].kind)
                x[at] = s->lines[l].events[k].value, y[at++] = s->lines[l].second;
    *to = (rt_chart_series){.name = marked[m].name,
                            .x = x,
                            .y = y,
                            .n = n,
                            .mark = marked[m].mark,
                            .size = 3,
                            .colour = m + 1};
    return 1;
}

static void draw_map(sweep_svg_picture *p, rt_text *out)
{
    const routh_sweep *s = p->sweep;
    const int n = grid_points(&s->lines[0], NULL);
    double *x = RT_TAKE(&p->arena, double, n + 1), *y = RT_TAKE(&p->arena, double, s->n_lines + 1),
           *value = RT_TAKE(&p->arena, double, (size_t)n *(size_t)s->n_lines + 1);
    rt_chart_series series[MARKED];
    p->failed = !x || !y || !value;
    if (p->failed) return;
    grid_points(&s->lines[0], x);
    for (int l = 0; l < s->n_lines; l++) y[l] = s->lines[l].second;
    sweep_svg_fill_cells(s, n, value);
    double most = 0;
    for (int k = 0; k < n * s->n_lines; k++)
        if (fabs(value[k]) > most) most = fabs(value[k]);
    int n_series = 0;
    for (int m = 0; m < MARKED && !p->failed; m++) n_series += boundary(p, m, &series[n_series]);
    const rt_chart_cells cells = {.n_x = n,
                                  .n_y = s->n_lines,
                                  .x = edges(p, x, n),
                                  .y = edges(p, y, s->n_lines),
                                  .value = value,
                                  .low = -most,
                                  .high = most > 0 ? most : 1,
                                  .diverging = true,
                                  .title = "largest real part, 1/s"};
    const rt_chart_panel panel = {.x = {.title = s->parameter},
                                  .y = {.title = s->second},
                                  .series = series,
                                  .n_series = n_series,
                                  .cells = &cells,
                                  .height = 420};
    if (p->failed) return;
    rt_chart_svg(&(rt_chart){.title = s->title,
                             .description = "Map of the largest real part over two parameters",
                             .panels = &panel,
                             .n_panels = 1},
                 out);
}

routh_status routh_sweep_svg(const routh_sweep *s, routh_text *text, routh_error *error)
{
    rt_text out = {0};
    sweep_svg_picture p = {.sweep = s, .line = s->lines};
    *text = (routh_text){0};
    if (s->n_lines < 1)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "the sweep has no values to draw");
    if (s->second)
        draw_map(&p, &out);
    else
        sweep_svg_draw_line(&p, &out);
    rt_arena_free(&p.arena);
    if (p.failed) {
        rt_text_free(&out);
        return rt_fail_memory(error);
    }
    return rt_results_hand_over(&out, text, error);
}
