/* Equations that are nearly redundant: a hinge whose axis is 1e-8 rad from that of another.
 *
 * A row r with a small pivot is, but for a small rest, a sum of rows that are soundly independent:
 *     [W G'; G 0] [x; y] = [g_r; 0],     G'y + W x = g_r,
 * W weighs rotations by the typical length squared. x is the motion that the sound rows leave free
 * and the row r takes away; g_r x over the size of the motion is what is missing: the length or the
 * angle by which the joints are not in line. */
#include <stdio.h>
#include <stdlib.h>

#include "operating/contradiction.h"

int rt_near_redundant(const rt_search *s)
{
    const int sound = rt_sound_rank(s->rank);
    return s->sound_nearby > sound ? 0 : s->rank->rank - sound;
}

typedef struct near_task {
    rt_search *s;
    int row;
    double *size; /* n_rows */
    bool *part;   /* n_rows: the row, and those that it nearly follows from */
    int *keep;    /* n_rows: the sound ones */
    double missing;
    const char *unit;
} near_task;

static int number_of_row(const rt_search *s, int k)
{
    const rt_elimination *e = s->rank;
    for (int step = 0; step < e->rank; step++)
        if (e->pivot_size[step] <= RT_NEAR_REDUNDANT && k-- == 0) return e->pivot_row[step];
    return -1;
}

static void near_take_row(const near_task *t, int *keep)
{
    const rt_search *s = t->s;
    const rt_pattern *M = &s->m->pattern_M, *G = &s->m->pattern_G;
    memset(s->x, 0, (size_t)s->m->n_u * sizeof *s->x);
    memset(s->y, 0, (size_t)s->m->n_rows * sizeof *s->y);
    s->w->evaluated = 0; /* M is another one from here */
    for (int c = 0; c < M->n_columns; c++) {
        for (int p = M->start[c]; p < M->start[c + 1]; p++)
            s->w->M[p] = M->row[p] == c ? 1 / (s->unit[c] * s->unit[c]) : 0;
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            if (G->row[p] == t->row) s->x[c] = s->w->G[p];
    }
    for (int r = 0; r < s->m->n_rows; r++) {
        const int step = s->rank->row_step[r];
        keep[r] = step >= 0 && s->rank->pivot_size[step] > RT_NEAR_REDUNDANT ? step : -1;
    }
}

static routh_status near_solve(near_task *t, routh_error *error)
{
    rt_search *s = t->s;
    rt_kkt *kkt = NULL;
    near_take_row(t, t->keep);
    routh_status status = rt_kkt_create(&kkt, s->m, &s->m->pattern_M, t->keep, error);
    if (!status) status = rt_kkt_factor(kkt, s->w->M, s->w->G, NULL, 0, error);
    if (!status) status = rt_kkt_solve(kkt, s->x, s->y, error);
    rt_kkt_free(kkt);
    for (int r = 0; r < s->m->n_rows && !status; r++)
        t->part[r] = r == t->row || fabs(s->y[r]) * t->size[r] > 1e-3 * t->size[t->row];
    return status;
}

/* The row is of angles between directions. */
static bool near_is_angle(const routh_mechanism *m, int row)
{
    const rt_constraint *c = &m->constraints[m->row_constraint[row]].constraint;
    const rt_row *what = &c->rows[row - c->first_row];
    if (what->kind == RT_ROW_COORDINATES) return what->coordinate[0].angle;
    return what->what &&
           (what->what->kind == RT_JOINT_ROW_DOT1 || what->what->kind == RT_JOINT_ROW_SYMMETRY);
}

/* An angle of a row of angles as the bodies turn by a radian, and of a row of lengths as they move
 * by a unit of length; else a length, or what is left of one. */
static void near_measure(near_task *t)
{
    const rt_search *s = t->s;
    const rt_pattern *G = &s->m->pattern_G;
    double change = 0, turn = 0, move = 0;
    for (int c = 0; c < s->m->n_u; c++) {
        int body;
        bool angle;
        double per_radian;
        rt_column(s->m, c, &body, &angle, &per_radian);
        if (angle)
            turn = fmax(turn, fabs(s->x[c]) / per_radian);
        else
            move = fmax(move, fabs(s->x[c]));
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            if (G->row[p] == t->row) change += s->w->G[p] * s->x[c];
    }
    const bool turns = turn * s->m->length > 0.1 * move, of_angle = near_is_angle(s->m, t->row);
    const double by = turns ? turn : move;
    t->missing = by > 0 ? fabs(change) / by / (of_angle ? 1 : t->size[t->row]) : 0;
    t->unit = of_angle == turns ? "rad" : of_angle ? "rad/m" : "m";
}

/* The joint that the row is nearly a consequence of; NULL where it is not one alone. */
static const rt_constraint *near_other(const near_task *t)
{
    const routh_mechanism *m = t->s->m;
    const rt_constraint *own = &m->constraints[m->row_constraint[t->row]].constraint, *other = NULL;
    for (int r = 0; r < m->n_joint_rows; r++) {
        const rt_constraint *c = &m->constraints[m->row_constraint[r]].constraint;
        if (!t->part[r] || c == own) continue;
        if (other && c != other) return NULL;
        other = c;
    }
    return other;
}

static const double *near_origin(const rt_search *s, int marker)
{
    static const double origin[3];
    return marker < 0 ? origin : s->w->markers[marker].r;
}

/* Of two hinges or guides: how far their axes are from being one line. "" where they are not meant
 * to be, or are. */
static void near_axes(const near_task *t, char *text, size_t room)
{
    const rt_search *s = t->s;
    const rt_constraint *a = &s->m->constraints[s->m->row_constraint[t->row]].constraint;
    const rt_constraint *b = near_other(t);
    double x[3], y[3], cross[3], d[3], across[3];
    *text = 0;
    if (!b || !rt_keeps_axis(a) || !rt_keeps_axis(b)) return;
    const rt_joint *i = &s->m->model->joints[a->joint], *j = &s->m->model->joints[b->joint];
    rt_joint_world_axis(s, i, i->markers[1], 2, x);
    rt_joint_world_axis(s, j, j->markers[1], 2, y);
    rt_v3_cross(cross, x, y);
    rt_v3_sub(d, near_origin(s, j->markers[1]), near_origin(s, i->markers[1]));
    rt_v3_cross(across, x, d);
    const double angle = rt_v3_norm(cross), apart = rt_v3_norm(across);
    if (angle > 1e-3 || apart > 1e-3 * s->m->length) return;
    if (angle > 1e-14 && apart > 2 * angle * rt_v3_norm(d))
        snprintf(text, room, "; their axes differ by %.3g rad and %.3g m", angle, apart);
    else if (angle > 1e-14)
        snprintf(text, room, "; their axes differ by %.3g rad", angle);
    else if (apart > 0)
        snprintf(text, room, "; their axes are parallel and %.3g m apart", apart);
}

static routh_status near_say(const near_task *t, char *text, size_t room)
{
    const rt_search *s = t->s;
    const int here = s->m->n_u - s->rank->rank, sound = s->m->n_u - rt_sound_rank(s->rank);
    char element[192], others[320], axes[80];
    const char *label;
    rt_place place;
    rt_row_describe(s->m, t->row, element, &place, &label);
    rt_list_rows(s, t->row, t->part, others, sizeof others);
    near_axes(t, axes, sizeof axes);
    snprintf(text, room,
             "%.80s (\"%.50s\") takes away a degree of freedom only by a misalignment of %.3g %s "
             "against %s%s; the mechanism has %d here, and %d where they are aligned; write axes, "
             "angles and positions exactly (pi/2, not 1.5707963), or use a joint without this "
             "equation",
             element, label, t->missing, t->unit, others[0] ? others : "its own equations", axes,
             here, sound);
    return ROUTH_OK;
}

routh_status rt_near_redundant_words(rt_search *s, int k, char *text, size_t room,
                                     routh_error *error)
{
    rt_arena arena = {.kept = s->m->analyses};
    near_task t = {.s = s, .row = number_of_row(s, k)};
    const int n_rows = s->m->n_rows;
    t.size = RT_TAKE(&arena, double, n_rows);
    t.part = RT_TAKE(&arena, bool, n_rows);
    t.keep = RT_TAKE(&arena, int, n_rows);
    routh_status status = t.size && t.part && t.keep ? ROUTH_OK : rt_fail_memory(error);
    if (!status)
        status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (!status) {
        rt_row_sizes(s, t.size);
        status = near_solve(&t, error);
    }
    if (!status) {
        near_measure(&t);
        status = near_say(&t, text, room);
    }
    rt_arena_free(&arena);
    return status;
}
