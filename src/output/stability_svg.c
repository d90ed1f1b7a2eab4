/* Stability over two symbols, as a picture. */
#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "output/chart.h"
#include "output/results.h"
#include "routh/symbolic.h"

/* Two of its four corners at least are stable. */
static bool is_shaded(const routh_stability_chart *c, int i, int j)
{
    const unsigned char *s = c->stable + (size_t)i * (size_t)(c->n + 1) + (size_t)j;
    return s[0] + s[1] + s[c->n + 1] + s[c->n + 2] >= 2;
}

static double stability_svg_place(const routh_stability_chart *c, int axis, int k)
{
    return c->from[axis] + (c->to[axis] - c->from[axis]) * k / c->n;
}

/* Runs of shaded cells along each row; at most n/2 + 1 in one. */
static int fill_bands(const routh_stability_chart *c, rt_chart_band *bands)
{
    int n = 0;
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < c->n; j++) {
            if (!is_shaded(c, i, j)) continue;
            const int first = j;
            while (j < c->n && is_shaded(c, i, j)) j++;
            bands[n++] =
                (rt_chart_band){stability_svg_place(c, 0, first), stability_svg_place(c, 0, j),
                                stability_svg_place(c, 1, i), stability_svg_place(c, 1, i + 1), 2};
        }
    return n;
}

/* All pieces of a condition as one line that breaks. */
static bool stability_svg_fill_line(const routh_stability_chart *c, int condition,
                                    rt_chart_series *s, rt_arena *arena)
{
    int n = 0;
    for (int k = 0; k < c->n_pieces; k++) n += c->pieces[k].condition == condition;
    double *x = RT_TAKE(arena, double, 3 * n + 1), *y = RT_TAKE(arena, double, 3 * n + 1);
    char *name = RT_TAKE(arena, char, 32);
    if (!x || !y || !name) return false;
    snprintf(name, 32, "condition %d", condition + 1);
    *s = (rt_chart_series){.name = n ? name : NULL,
                           .x = x,
                           .y = y,
                           .n = 3 * n,
                           .colour = condition + 1,
                           .line = true,
                           .width = 2};
    for (int k = 0, at = 0; k < c->n_pieces; k++) {
        const routh_boundary_piece *p = &c->pieces[k];
        if (p->condition != condition) continue;
        x[at] = p->from[0], y[at++] = p->from[1];
        x[at] = p->to[0], y[at++] = p->to[1];
        x[at] = y[at] = NAN, at++;
    }
    return true;
}

routh_status routh_stability_chart_svg(const routh_stability_chart *c, routh_text *out,
                                       routh_error *error)
{
    rt_arena arena = {0};
    rt_text text = {0};
    int n = 0, n_bands = 0;
    for (int k = 0; k < c->n_pieces; k++)
        if (c->pieces[k].condition >= n) n = c->pieces[k].condition + 1;
    rt_chart_series *series = RT_TAKE(&arena, rt_chart_series, n + 1);
    rt_chart_band *bands =
        RT_TAKE(&arena, rt_chart_band, (size_t)c->n * (size_t)(c->n / 2 + 1) + 1);
    bool done = series && bands;
    if (done) n_bands = fill_bands(c, bands);
    for (int k = 0; k < n && done; k++) done = stability_svg_fill_line(c, k, &series[k], &arena);
    if (done) {
        const rt_chart_panel panel = {
            .x = {.title = c->names[0], .low = c->from[0], .high = c->to[0]},
            .y = {.title = c->names[1], .low = c->from[1], .high = c->to[1]},
            .series = series,
            .n_series = n,
            .bands = bands,
            .n_bands = n_bands,
            .height = 420};
        rt_chart_svg(&(rt_chart){.title = c->title,
                                 .subtitle = c->marginal ? "shaded: no motion grows"
                                                         : "shaded: asymptotically stable",
                                 .panels = &panel,
                                 .n_panels = 1},
                     &text);
    }
    rt_arena_free(&arena);
    if (!done) return rt_fail_memory(error);
    return rt_results_hand_over(&text, out, error);
}
