/* The motions without inertia span N; the joints hold them all where G N has full column rank.
 * Then v'M v > 0 for every v with G v = 0, and [M G'; G 0] is regular over the independent rows. */
#include "operating/massless.h"

#include <math.h>

#include <stdio.h>

#include "system/auxiliary.h"

typedef struct massless_columns {
    int n;
    rt_massless_motion *motion;
} massless_columns;

static void list_body(const routh_mechanism *m, int b, massless_columns *list)
{
    const rt_body *body = &m->model->bodies[b];
    double axis[3];
    const rt_inertia_kind kind = rt_inertia_kind_of(body, axis);
    for (int k = 0; k < 3 && !body->flexible && body->mass.value == 0; k++)
        list->motion[list->n++] = (rt_massless_motion){b, k, {k == 0, k == 1, k == 2}};
    for (int k = 0; k < 3 && kind == RT_INERTIA_NONE; k++)
        list->motion[list->n++] = (rt_massless_motion){b, 3, {k == 0, k == 1, k == 2}};
    if (kind == RT_INERTIA_OF_A_ROD)
        list->motion[list->n++] = (rt_massless_motion){b, 3, {axis[0], axis[1], axis[2]}};
}

/* Column c of G N, in units of length, as entries; how many. */
static size_t massless_list_column(const rt_search *s, const rt_massless_motion *v, int c, int *row,
                                   int *column, double *value)
{
    const routh_mechanism *m = s->m;
    const rt_pattern *G = &m->pattern_G;
    const int *columns = m->bodies[v->body].block.columns;
    size_t e = 0;
    for (int k = 0; k < 3; k++) {
        const int from = columns[(v->component < 3 ? 0 : 3) + k];
        if (v->axis[k] == 0) continue;
        for (int p = G->start[from]; p < G->start[from + 1]; p++, e++) {
            row[e] = G->row[p], column[e] = c;
            value[e] = v->axis[k] * s->w->G[p] * s->unit[from];
        }
    }
    return e;
}

static routh_status eliminate(const rt_search *s, const massless_columns *list, rt_arena *arena,
                              rt_elimination **rank, routh_error *error)
{
    static const double tolerance = 1e-9; /* that of rank */
    size_t room = 1, e = 0;
    const rt_pattern *G = &s->m->pattern_G;
    for (int c = 0; c < list->n; c++) {
        const int *columns = s->m->bodies[list->motion[c].body].block.columns;
        for (int k = 0; k < 6; k++)
            room += (size_t)(G->start[columns[k] + 1] - G->start[columns[k]]);
    }
    int *row = RT_TAKE(arena, int, room), *column = RT_TAKE(arena, int, room);
    int *position = RT_TAKE(arena, int, room);
    double *value = RT_TAKE(arena, double, room);
    if (!row || !column || !position || !value) return rt_fail_memory(error);
    for (int c = 0; c < list->n; c++)
        e += massless_list_column(s, &list->motion[c], c, row + e, column + e, value + e);
    rt_pattern pattern;
    const routh_status status =
        rt_pattern_build(&pattern, s->m->n_rows, list->n, e, row, column, position, arena, error);
    if (status) return status;
    double *values = RT_TAKE(arena, double, pattern.start[list->n]);
    double *size = RT_TAKE(arena, double, s->m->n_rows);
    if (!values || !size) return rt_fail_memory(error);
    for (size_t k = 0; k < e; k++) values[position[k]] += value[k];
    rt_row_sizes(s, size); /* rounding of a row of G is none, however small the row of G N is */
    for (int p = 0; p < pattern.start[list->n]; p++)
        if (fabs(values[p]) <= tolerance * size[pattern.row[p]]) values[p] = 0;
    return rt_eliminate(rank, &pattern, values, NULL, NULL, tolerance, 0, error);
}

routh_status rt_massless_is_free(const rt_search *s, bool *free, rt_massless_motion *motion,
                                 routh_error *error)
{
    const routh_mechanism *m = s->m->plain ? s->m->plain : s->m;
    rt_arena arena = {.kept = s->m->analyses};
    massless_columns list = {0, RT_TAKE(&arena, rt_massless_motion, 6 * (size_t)m->n_bodies)};
    rt_elimination *rank = NULL;
    *free = false;
    routh_status status = list.motion ? ROUTH_OK : rt_fail_memory(error);
    for (int b = 0; b < m->n_bodies && !status; b++) list_body(m, b, &list);
    if (!status && list.n > 0) status = eliminate(s, &list, &arena, &rank, error);
    if (!status && list.n > 0 && rank->rank < list.n) {
        *free = true;
        for (int c = list.n - 1; c >= 0 && motion; c--)
            if (rank->column_step[c] < 0) *motion = list.motion[c];
    }
    rt_elimination_free(rank);
    rt_arena_free(&arena);
    return status;
}

routh_status rt_look_for_massless(const rt_search *s, int *free, routh_error *error)
{
    bool found;
    if (s->m->plain || !rt_model_has_massless(s->m->model)) return ROUTH_OK;
    const routh_status status = rt_massless_is_free(s, &found, NULL, error);
    *free = found;
    return status;
}

void rt_massless_words(const routh_model *model, const rt_massless_motion *v, char *text,
                       size_t room)
{
    const char *name = model->bodies[v->body].name;
    if (v->component < 3)
        snprintf(text, room, "the displacement of body %.160s along %c", name, "xyz"[v->component]);
    else
        snprintf(text, room, "the rotation of body %.160s about its axis [%.3g, %.3g, %.3g]", name,
                 0 + v->axis[0], 0 + v->axis[1], 0 + v->axis[2]);
}

static routh_status massless_refuse(const routh_model *model, const rt_massless_motion *v,
                                    const char *what, routh_error *error)
{
    char motion[256], element[192];
    rt_massless_words(model, v, motion, sizeof motion);
    snprintf(element, sizeof element, "body %.180s", model->bodies[v->body].name);
    return rt_fail_at(error, ROUTH_NOT_SUPPORTED, model->file, model->bodies[v->body].place,
                      element,
                      "%s needs the inertia of every motion, but %s has none and the joints leave "
                      "it free; give the body %s, or a joint that holds it",
                      what, motion, v->component < 3 ? "a mass" : "an inertia");
}

routh_status rt_refuse_massless(const rt_search *s, const char *what, routh_error *error)
{
    bool free;
    rt_massless_motion motion;
    if (!rt_model_has_massless(s->m->model)) return ROUTH_OK;
    const routh_status status = rt_massless_is_free(s, &free, &motion, error);
    return status || !free ? status : massless_refuse(s->m->model, &motion, what, error);
}

routh_status rt_refuse_massless_point(const routh_mechanism *m, const routh_operating_point *point,
                                      const char *what, routh_error *error)
{
    const routh_mechanism *absolute = m->base ? m->base : m;
    const rt_state *state = m->base ? point->base_state : point->state;
    rt_search s;
    if (!point->massless || !state) return ROUTH_OK;
    bool free = false;
    rt_massless_motion motion = {0};
    routh_status status = rt_search_create(&s, absolute, 1e-12, 1, error);
    if (!status) status = rt_evaluate(absolute, s.w, state, RT_EVALUATE_JACOBIAN, error);
    if (!status) status = rt_massless_is_free(&s, &free, &motion, error);
    if (!status && free) status = massless_refuse(m->model, &motion, what, error);
    rt_state_free(s.state);
    rt_search_release(&s);
    return status;
}

static routh_status refuse_moving(const rt_search *s, const char *what, routh_error *error)
{
    bool free;
    rt_massless_motion v = {0};
    char motion[256], element[192];
    const routh_model *model = s->m->model;
    const routh_status status = rt_massless_is_free(s, &free, &v, error);
    if (status) return status;
    rt_massless_words(model, &v, motion, sizeof motion);
    snprintf(element, sizeof element, "body %.180s", model->bodies[v.body].name);
    return rt_fail_at(error, ROUTH_NOT_SUPPORTED, model->file, model->bodies[v.body].place, element,
                      "%s has no inertia and the joints leave it free, which is possible at rest "
                      "and in balance only, but this state %s; use the operating point `static`, "
                      "or give the body %s",
                      motion, what, v.component < 3 ? "a mass" : "an inertia");
}

routh_status rt_check_massless_rest(rt_search *s, routh_error *error)
{
    static const double balanced = 1e-9, rest = 1e-12;
    double speed = 0;
    for (int c = 0; c < s->m->n_u; c++)
        speed = fmax(speed, fabs(s->state->u[c]) / s->unit[c] / s->m->length);
    const int what = RT_EVALUATE_RESIDUAL | RT_EVALUATE_TANGENT | RT_EVALUATE_JACOBIAN;
    routh_status status = rt_evaluate(s->m, s->w, s->state, what, error);
    if (status) return status;
    const double force = rt_largest_force(s), inertia = rt_largest_inertia(s);
    bool still = inertia <= balanced * force;
    if (!still && inertia <= rt_rounding_force(s))
        status = rt_rest_within_rounding(s, &still, error);
    if (status) return status;
    if (speed <= rest && still) return ROUTH_OK;
    return refuse_moving(s, speed > rest ? "moves" : "is not in balance", error);
}
