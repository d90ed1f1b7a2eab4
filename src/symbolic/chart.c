/* Where in the plane of two symbols all conditions of stability hold. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/balls.h"

typedef struct plane {
    const routh_symbolic *s;
    const rt_symbol *axis[2];
    double from[2], step[2];
    int n; /* cells a side */
    int n_conditions;
    signed char *sign; /* by condition, corner: -1, 0, 1 */
    acb_ptr values;
    routh_stability_chart *chart;
    int room;
} plane;

/* The exact sign of condition k at (x, y), 0 where it is zero or no precision tells. */
static int chart_sign_at(const plane *w, int k, double x, double y)
{
    enum { MOST = 2048 };
    int sign = 0;
    acb_t z;
    acb_init(z);
    for (slong precision = 64; precision <= MOST && !sign; precision *= 4) {
        arb_set_d(acb_realref(w->values + w->axis[0]->variable), x);
        arb_set_d(acb_realref(w->values + w->axis[1]->variable), y);
        if (!rt_balls_of_symbols(w->s->field, w->values, precision)) continue;
        rt_ball_of(w->s->field, w->s->stability.positive + k, w->values, z, precision);
        sign = arb_is_positive(acb_realref(z)) ? 1 : arb_is_negative(acb_realref(z)) ? -1 : 0;
        if (arb_is_zero(acb_realref(z))) break;
    }
    acb_clear(z);
    return sign;
}

static double chart_place(const plane *w, int axis, int k)
{
    return w->from[axis] + w->step[axis] * k;
}

static signed char *chart_sign_of(const plane *w, int k, int i, int j)
{
    return &w->sign[((size_t)k * (w->n + 1) + (size_t)i) * (w->n + 1) + (size_t)j];
}

/* Where condition k changes sign between two corners: by bisection on exact signs, to the last
 * digit. */
static void chart_cross(const plane *w, int k, const double a[2], const double b[2], double out[2])
{
    double low = 0, high = 1;
    const int sign = chart_sign_at(w, k, a[0], a[1]);
    for (int round = 0; round < 60; round++) {
        const double middle = (low + high) / 2;
        const double x = a[0] + (b[0] - a[0]) * middle, y = a[1] + (b[1] - a[1]) * middle;
        const int here = chart_sign_at(w, k, x, y);
        if (here == 0)
            low = high = middle;
        else if (here == sign)
            low = middle;
        else
            high = middle;
    }
    for (int c = 0; c < 2; c++) out[c] = a[c] + (b[c] - a[c]) * (low + high) / 2;
}

/* A piece of a boundary counts where the other conditions hold beside it. */
static bool bounds(const plane *w, int k, const double a[2], const double b[2])
{
    for (int other = 0; other < w->n_conditions; other++)
        if (other != k && chart_sign_at(w, other, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2) <= 0)
            return false;
    return true;
}

static bool chart_add(plane *w, int k, const double a[2], const double b[2])
{
    routh_stability_chart *c = w->chart;
    if (!bounds(w, k, a, b)) return true;
    if (c->n_pieces == w->room) {
        const int room = w->room ? 2 * w->room : 256;
        routh_boundary_piece *more = realloc(c->pieces, (size_t)room * sizeof *more);
        if (!more) return false;
        c->pieces = more, w->room = room;
    }
    c->pieces[c->n_pieces++] =
        (routh_boundary_piece){.condition = k, .from = {a[0], a[1]}, .to = {b[0], b[1]}};
    return true;
}

/* The sides of a cell in turn; two are crossed, or four, and then they are joined in pairs. */
static bool chart_cell(plane *w, int k, int i, int j)
{
    static const int corner[5][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}};
    double found[4][2];
    int n = 0;
    for (int side = 0; side < 4; side++) {
        const int *p = corner[side], *q = corner[side + 1];
        const int a = *chart_sign_of(w, k, i + p[0], j + p[1]),
                  b = *chart_sign_of(w, k, i + q[0], j + q[1]);
        if ((a > 0) == (b > 0)) continue;
        const double from[2] = {chart_place(w, 0, j + p[1]), chart_place(w, 1, i + p[0])};
        const double to[2] = {chart_place(w, 0, j + q[1]), chart_place(w, 1, i + q[0])};
        if (a > 0)
            chart_cross(w, k, from, to, found[n++]);
        else
            chart_cross(w, k, to, from, found[n++]);
    }
    for (int p = 0; p + 1 < n; p += 2)
        if (!chart_add(w, k, found[p], found[p + 1])) return false;
    return true;
}

static routh_status chart_fill(plane *w, routh_error *error)
{
    const size_t corners = (size_t)(w->n + 1) * (w->n + 1);
    w->sign = malloc(corners * (size_t)(w->n_conditions + 1));
    w->chart->stable = malloc(corners);
    if (!w->sign || !w->chart->stable) return rt_fail_memory(error);
    memset(w->chart->stable, !w->s->stability.never, corners);
    for (int k = 0; k < w->n_conditions; k++)
        for (int i = 0; i <= w->n; i++)
            for (int j = 0; j <= w->n; j++) {
                const int sign = chart_sign_at(w, k, chart_place(w, 0, j), chart_place(w, 1, i));
                *chart_sign_of(w, k, i, j) = (signed char)sign;
                if (sign <= 0) w->chart->stable[(size_t)i * (w->n + 1) + (size_t)j] = 0;
            }
    for (int k = 0; k < w->n_conditions; k++)
        for (int i = 0; i < w->n; i++)
            for (int j = 0; j < w->n; j++)
                if (!chart_cell(w, k, i, j)) return rt_fail_memory(error);
    return ROUTH_OK;
}

void routh_stability_chart_free(routh_stability_chart *c)
{
    if (!c) return;
    free(c->title);
    free(c->names[0]);
    free(c->names[1]);
    free(c->stable);
    free(c->pieces);
    free(c);
}

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static routh_status chart_check(const routh_symbolic *s, const routh_chart_axis axes[2], int n,
                                routh_error *error)
{
    if (!s->has_stability)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the formulas have no stability conditions, so "
                       "there is nothing to draw; leave out --chart");
    if (s->reduction.n_forces)
        return rt_fail(
            error, ROUTH_NOT_SUPPORTED,
            "a chart needs an operating point that is known in the symbols; leave out --unknown");
    if (n < 2 || n > 1000)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the chart has %d cells per side; give from 2 to "
                       "1000",
                       n);
    for (int k = 0; k < 2; k++)
        if (!(axes[k].from < axes[k].to) || !isfinite(axes[k].to - axes[k].from))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "the range of %s is not increasing; give the "
                           "smaller value first (--over)",
                           axes[k].name);
    return ROUTH_OK;
}

/* Symbols that are no axis stay at their values, exactly as the doubles they are. */
static routh_status symbolic_chart_begin(plane *w, const routh_chart_axis axes[2],
                                         routh_error *error)
{
    const rt_symbol *all;
    const int n = rt_exact_field_symbols(w->s->field, &all);
    for (int i = 0; i < n; i++) {
        if (all[i].kind != RT_SYMBOL_PARAMETER) continue;
        arb_set_d(acb_realref(w->values + all[i].variable), all[i].value);
        for (int k = 0; k < 2; k++)
            if (strcmp(all[i].name, axes[k].name) == 0) w->axis[k] = all + i;
    }
    for (int k = 0; k < 2; k++) {
        if (!w->axis[k])
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "'%s' is not a symbol of the formulas; name "
                           "one of their symbols (--over, --symbols)",
                           axes[k].name);
        w->from[k] = axes[k].from;
        w->step[k] = (axes[k].to - axes[k].from) / w->n;
        w->chart->from[k] = axes[k].from;
        w->chart->to[k] = axes[k].to;
        w->chart->names[k] = copy_of(axes[k].name);
        if (!w->chart->names[k]) return rt_fail_memory(error);
    }
    w->chart->n = w->n;
    w->chart->marginal = w->s->stability.marginal;
    w->chart->title = copy_of(w->s->title);
    return w->chart->title ? ROUTH_OK : rt_fail_memory(error);
}

routh_status routh_stability_chart_find(routh_stability_chart **out, const routh_symbolic *s,
                                        const routh_chart_axis axes[2], int n, routh_error *error)
{
    *out = NULL;
    routh_status status = chart_check(s, axes, n, error);
    if (status) return status;
    plane w = {.s = s, .n = n, .n_conditions = s->stability.n};
    w.chart = calloc(1, sizeof *w.chart);
    if (!w.chart) return rt_fail_memory(error);
    w.values = _acb_vec_init(RT_MOST_VARIABLES);
    status = symbolic_chart_begin(&w, axes, error);
    if (!status) status = chart_fill(&w, error);
    _acb_vec_clear(w.values, RT_MOST_VARIABLES);
    free(w.sign);
    if (status)
        routh_stability_chart_free(w.chart);
    else
        *out = w.chart;
    return status;
}
