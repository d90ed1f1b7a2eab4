#include "motion/chart.h"

#include "base/pi.h"
#include "base/rotation.h"

static void chart_add_turn(rt_coordinate_chart *chart, int column, int q, int body)
{
    chart->turn[chart->n_turns] = (rt_turn){.column = column, .q = q, .body = body};
    for (int k = 0; k < 3; k++) chart->place[column + k] = -1 - chart->n_turns;
    chart->n_turns++;
}

/* Columns that the bodies share. */
static void place_joined(rt_coordinate_chart *chart, const rt_joined *j)
{
    for (int c = 0; c < j->n_u; c++) chart->place[c] = j->place ? j->place[c] : c;
    for (int c = 0; j->ball && c + 2 < j->n_u; c++)
        if (j->ball[c]) chart_add_turn(chart, c, j->place[c], j->column_body[c]), c += 2;
}

/* Six columns a body, a displacement and a body-fixed turn, whatever numbers stand for it. */
static void place_bodies(rt_coordinate_chart *chart)
{
    for (int b = 0; b < chart->m->n_bodies; b++) {
        for (int k = 0; k < 3; k++) chart->place[6 * b + k] = 7 * b + k;
        chart_add_turn(chart, 6 * b + 3, -1, b);
    }
}

routh_status rt_chart_create(rt_coordinate_chart *chart, const routh_mechanism *m, rt_arena *arena,
                             routh_error *error)
{
    *chart = (rt_coordinate_chart){.m = m};
    chart->turn = RT_TAKE(arena, rt_turn, m->n_u / 3);
    chart->place = RT_TAKE(arena, int, m->n_u);
    if (!chart->turn || !chart->place) return rt_fail_memory(error);
    for (int e = 0; e < m->n_elastic; e++)
        chart->place[m->first_elastic + e] = m->first_elastic_q + e;
    if (m->joined)
        place_joined(chart, m->joined);
    else if (m->n_u == m->n_q) /* Euler parameters */
        for (int c = 0; c < m->n_u; c++) chart->place[c] = c;
    else
        place_bodies(chart);
    return ROUTH_OK;
}

static void chart_orientation(const rt_turn *t, const rt_workspace *w, const rt_state *state,
                              double p[4])
{
    if (t->q < 0)
        rt_rotation_to_quaternion(p, w->bodies[t->body].A);
    else
        memcpy(p, state->q + t->q, 4 * sizeof *p);
}

void rt_chart_refer(rt_coordinate_chart *chart, const rt_workspace *w, const rt_state *state)
{
    for (int k = 0; k < chart->n_turns; k++)
        chart_orientation(&chart->turn[k], w, state, chart->turn[k].reference);
    rt_chart_look(chart, w, state);
}

/* conj(a) b */
static void relative_to(double p[4], const double a[4], const double b[4])
{
    double cross[3];
    rt_v3_cross(cross, a + 1, b + 1);
    p[0] = a[0] * b[0] + rt_v3_dot(a + 1, b + 1);
    for (int i = 0; i < 3; i++) p[1 + i] = a[0] * b[1 + i] - b[0] * a[1 + i] - cross[i];
}

void rt_chart_look(rt_coordinate_chart *chart, const rt_workspace *w, const rt_state *state)
{
    for (int k = 0; k < chart->n_turns; k++) {
        rt_turn *t = &chart->turn[k];
        double now[4];
        chart_orientation(t, w, state, now);
        relative_to(t->p, t->reference, now);
    }
}

void rt_chart_value_of(const rt_coordinate_chart *chart, const rt_state *state, int column,
                       rt_chart_value *out)
{
    const int place = chart->place[column];
    if (place >= 0) {
        *out = (rt_chart_value){.value = state->q[place],
                                .rate = state->u[column],
                                .n = 1,
                                .first = column,
                                .row = {1},
                                .room = 1};
        return;
    }
    const rt_turn *t = &chart->turn[-1 - place];
    const double *p = t->p + 1, *w = state->u + t->column, p0 = t->p[0];
    const int k = column - t->column, i = (k + 1) % 3, j = (k + 2) % 3;
    const double d = p0 * p0 + p[k] * p[k];
    *out = (rt_chart_value){.value = 2 * atan2(p[k], p0), .n = 3, .first = t->column, .room = d};
    /* 2 (p_0 p_k' - p_k p_0') = p_0 (p_0 w_k + (p x w)_k) + p_k p.w */
    out->row[k] = 1;
    out->row[j] = (p0 * p[i] + p[k] * p[j]) / d;
    out->row[i] = (-p0 * p[j] + p[k] * p[i]) / d;
    out->rate = rt_v3_dot(out->row, w);
    const double rate0 = -rt_v3_dot(p, w) / 2;
    const double rate_k = (p0 * w[k] + p[i] * w[j] - p[j] * w[i]) / 2;
    out->bend = -out->rate * 2 * (p0 * rate0 + p[k] * rate_k) / d;
}

double rt_chart_lack(const rt_coordinate_chart *chart, int column, double target, double value)
{
    return chart->place[column] >= 0 ? target - value : remainder(target - value, RT_TWO_PI);
}
