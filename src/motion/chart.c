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

/* z unless it turns faster about another by more than rounding. */
static int chart_fastest(const double w[3])
{
    int first = 2;
    for (int k = 0; k < 2; k++)
        if (fabs(w[k]) > (1 + 1e-6) * fabs(w[first])) first = k;
    return first;
}

void rt_chart_refer(rt_coordinate_chart *chart, const rt_workspace *w, const rt_state *state)
{
    for (int k = 0; k < chart->n_turns; k++) {
        rt_turn *t = &chart->turn[k];
        chart_orientation(t, w, state, t->reference);
        t->first = chart_fastest(state->u + t->column);
    }
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

/* p' by w. */
static void turn_rate(const double p[4], const double w[3], double rate[4])
{
    double cross[3];
    rt_v3_cross(cross, p + 1, w);
    rate[0] = -rt_v3_dot(p + 1, w) / 2;
    for (int i = 0; i < 3; i++) rate[1 + i] = (p[0] * w[i] + cross[i]) / 2;
}

/* N and E of the function about an axis, and their rates where p has the rate given. */
typedef struct turn_form {
    double N, E, N1, E1;
} turn_form;

static turn_form turn_twist(int axis, const double p[4], const double rate[4])
{
    return (turn_form){.N = p[1 + axis], .E = p[0], .N1 = rate[1 + axis], .E1 = rate[0]};
}

static turn_form turn_tilt(int first, int axis, const double p[4], const double rate[4])
{
    const int k = 1 + first, i = 1 + axis, j = 1 + 3 - first - axis;
    const double sign = (axis - first + 3) % 3 == 1 ? -1 : 1;
    return (turn_form){
        .N = p[0] * p[i] + sign * p[k] * p[j],
        .E = p[0] * p[0] + p[k] * p[k],
        .N1 = rate[0] * p[i] + p[0] * rate[i] + sign * (rate[k] * p[j] + p[k] * rate[j]),
        .E1 = 2 * (p[0] * rate[0] + p[k] * rate[k]),
    };
}

static turn_form turn_function(int first, int axis, const double p[4], const double rate[4])
{
    return axis == first ? turn_twist(axis, p, rate) : turn_tilt(first, axis, p, rate);
}

/* 2 (E N'' - N E'') / r where w' = 0: of linear forms nothing, of quadratic ones twice the forms of
 * the rates. */
static double turn_bend(const rt_turn *t, int axis, const double rate[4], const turn_form *f)
{
    static const double none[4] = {0};
    if (axis == t->first) return 0;
    const turn_form of_rates = turn_tilt(t->first, axis, rate, none);
    return 4 * (f->E * of_rates.N - f->N * of_rates.E) / (f->E * f->E + f->N * f->N);
}

static void chart_turn_value(const rt_turn *t, const double w[3], int axis, rt_chart_value *out)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double *p = t->p;
    double rate[4];
    turn_form f;
    *out = (rt_chart_value){.n = 3, .first = t->column};
    for (int c = 0; c < 3; c++) {
        turn_rate(p, unit[c], rate);
        f = turn_function(t->first, axis, p, rate);
        out->row[c] = 2 * (f.E * f.N1 - f.N * f.E1) / (f.E * f.E + f.N * f.N);
    }
    turn_rate(p, w, rate);
    f = turn_function(t->first, axis, p, rate);
    out->value = 2 * atan2(f.N, f.E);
    out->rate = rt_v3_dot(out->row, w);
    out->bend = turn_bend(t, axis, rate, &f) -
                out->rate * 2 * (f.E * f.E1 + f.N * f.N1) / (f.E * f.E + f.N * f.N);
    out->room = p[0] * p[0] + p[1 + t->first] * p[1 + t->first];
}

void rt_chart_value_of(const rt_coordinate_chart *chart, const rt_state *state, int column,
                       rt_chart_value *out)
{
    const int place = chart->place[column];
    if (place < 0) {
        const rt_turn *t = &chart->turn[-1 - place];
        chart_turn_value(t, state->u + t->column, column - t->column, out);
        return;
    }
    *out = (rt_chart_value){.value = state->q[place],
                            .rate = state->u[column],
                            .n = 1,
                            .first = column,
                            .row = {1},
                            .room = 1};
}

double rt_chart_lack(const rt_coordinate_chart *chart, int column, double target, double value)
{
    return chart->place[column] >= 0 ? target - value : remainder(target - value, RT_TWO_PI);
}
