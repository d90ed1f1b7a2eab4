#include "studies/attribution_terms.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- from one numbering to another ---------------------------------------------------------- */

static void attribution_terms_copy(double _Complex *to, const double _Complex *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

/* Of rows of G that both count */
static void by_rows(const rt_side *from, const int *slot_from, const double _Complex *x,
                    const int *slot_to, double _Complex *to)
{
    for (int r = 0; r < from->m->n_rows; r++)
        if (slot_from[r] >= 0 && slot_to[r] >= 0) to[slot_to[r]] = x[slot_from[r]];
}

/* y += J x on the columns of the map (transposed: J' x) */
static void add_map(const rt_motion *map, const double *J, double sign, const double _Complex *x,
                    double _Complex y[6])
{
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) y[i] += sign * J[6 * i + c] * x[map->columns[c]];
}

static void put_transposed(const rt_motion *map, const double _Complex y[6], double _Complex *x)
{
    for (int c = 0; c < 6; c++) {
        x[map->columns[c]] = 0;
        for (int i = 0; i < 6; i++) x[map->columns[c]] += map->J[6 * i + c] * y[i];
    }
}

static void map_of(const rt_side *s, int body, rt_motion *map)
{
    const rt_search *at = &s->task.search;
    rt_marker_motion(s->m, at->w, at->state, body, map);
}

/* The body's variation in the world, levels x = (xi, u, u') by n columns, from one side's columns
 * to the other's: J is orthogonal in absolute coordinates.
 *     xi = J'y,   u = J'(y' - J1 xi),   u' = J'(y'' - J2u u - J2x xi) */
static void attribution_terms_turn_body(const rt_side *from, const double _Complex *x,
                                        const rt_side *to, int body, double _Complex *out)
{
    const int n = from->m->n_u;
    double _Complex y[3][6] = {{0}};
    rt_motion map;
    map_of(from, body, &map);
    for (int l = 0; l < 3; l++) add_map(&map, map.J, 1, x + l * n, y[l]);
    add_map(&map, map.J1, 1, x, y[1]);
    add_map(&map, map.J2u, 1, x + n, y[2]);
    add_map(&map, map.J2x, 1, x, y[2]);
    map_of(to, body, &map);
    put_transposed(&map, y[0], out);
    add_map(&map, map.J1, -1, out, y[1]);
    put_transposed(&map, y[1], out + n);
    add_map(&map, map.J2u, -1, out + n, y[2]);
    add_map(&map, map.J2x, -1, out, y[2]);
    put_transposed(&map, y[2], out + 2 * n);
}

static void attribution_terms_clear(const rt_side *s, double _Complex *x)
{
    memset(x, 0, (size_t)(s->pencil.n1 + s->pencil.n2) * sizeof *x);
}

void rt_carry_right(const rt_side *from, const double _Complex *x, const rt_side *to,
                    double _Complex *out)
{
    const rt_levels_pencil *a = &from->pencil, *b = &to->pencil;
    attribution_terms_clear(to, out);
    attribution_terms_copy(out, x, a->n1 + 3 * a->n);
    for (int k = 0; k < from->m->n_bodies; k++)
        attribution_terms_turn_body(from, x + a->n1, to, k, out + b->n1);
    by_rows(from, a->slot, x + a->n1 + a->lambda, b->slot, out + b->n1 + b->lambda);
    attribution_terms_copy(out + b->n1 + b->rate, x + a->n1 + a->rate, a->n_x + a->n_v);
}

void rt_carry_left(const rt_side *from, const double _Complex *x, const rt_side *to,
                   double _Complex *out)
{
    const rt_levels_pencil *a = &from->pencil, *b = &to->pencil;
    attribution_terms_clear(to, out);
    attribution_terms_copy(out, x, a->n1);
    x += a->n1, out += b->n1;
    by_rows(from, a->position_slot, x + a->position, b->position_slot, out + b->position);
    attribution_terms_copy(out + b->position + b->m_position, x + a->position + a->m_position,
                           a->z);
    by_rows(from, a->slot, x + a->velocity, b->slot, out + b->velocity);
    attribution_terms_copy(out + b->velocity + b->m, x + a->velocity + a->m, a->z1);
    attribution_terms_copy(out + b->motion, x + a->motion, a->n);
    for (int k = 0; k < from->m->n_bodies; k++) {
        double _Complex y[6] = {0};
        rt_motion map;
        map_of(from, k, &map);
        add_map(&map, map.J, 1, x + a->motion, y);
        map_of(to, k, &map);
        put_transposed(&map, y, out + b->motion);
    }
    by_rows(from, a->slot, x + a->rows, b->slot, out + b->rows);
    attribution_terms_copy(out + b->equations, x + a->equations, a->n_x + a->n_v);
}

/* ---- which term ----------------------------------------------------------------------------- */

typedef struct attribution_terms_places {
    int body, joint, states, sensors, loads, n;
} attribution_terms_places;

static attribution_terms_places attribution_terms_places_of(const rt_side *s)
{
    attribution_terms_places at = {0};
    at.joint = s->m->n_bodies;
    at.states = at.joint + s->m->n_constraints;
    at.sensors = at.states + 1;
    at.loads = at.sensors + s->pencil.n_x + s->pencil.n_v;
    at.n = at.loads + s->m->n_loads;
    return at;
}

int rt_count_terms(const rt_side *s) { return attribution_terms_places_of(s).n; }

static char *attribution_terms_name_of(const char *kind, const char *name)
{
    const size_t size = strlen(kind) + strlen(name) + 2;
    char *text = malloc(size);
    if (text) snprintf(text, size, "%s%s%s", kind, *kind ? " " : "", name);
    return text;
}

char *rt_term_name(const rt_side *s, int term)
{
    const attribution_terms_places at = attribution_terms_places_of(s);
    const routh_model *model = s->m->model;
    if (term < at.joint) return attribution_terms_name_of("body", model->bodies[term].name);
    if (term < at.states)
        return attribution_terms_name_of(
            "joint", model->joints[s->m->constraints[term - at.joint].constraint.joint].name);
    if (term == at.states) return attribution_terms_name_of("", "states");
    const int k = term - at.sensors;
    if (k < s->pencil.n_x)
        return attribution_terms_name_of("controller", model->control_states[k].name);
    if (term < at.loads)
        return attribution_terms_name_of("variable", model->variables[k - s->pencil.n_x].name);
    return attribution_terms_name_of("load", model->loads[term - at.loads].name);
}

/* ---- values --------------------------------------------------------------------------------- */

/* Whose is row r of Phi: a joint's, or of the coordinates of a body? */
static int term_of_row(const rt_side *s, int r)
{
    const routh_mechanism *m = s->m;
    return r < m->n_joint_rows ? m->n_bodies + m->row_constraint[r] : r - m->n_joint_rows;
}

/* The row of Phi that is number k among the independent ones. */
static void attribution_terms_invert(const rt_side *s, const int *slot, int *row)
{
    for (int r = 0; r < s->m->n_rows; r++)
        if (slot[r] >= 0) row[slot[r]] = r;
}

/* Which term an entry of the pencil belongs to; -1: to the element that makes it. */
static int term_of_entry(const rt_side *s, const rt_term *t, const int *row, const int *position)
{
    const rt_levels_pencil *p = &s->pencil;
    const attribution_terms_places at = attribution_terms_places_of(s);
    const int r = t->row - p->n1, c = t->column - p->n1;
    const double *G = p->s->w->G;
    if (r < p->position) return at.states;
    if (r < p->velocity)
        return r - p->position < p->m_position ? term_of_row(s, position[r - p->position])
                                               : at.states;
    if (r < p->motion)
        return r - p->velocity < p->m ? term_of_row(s, row[r - p->velocity]) : at.states;
    if (r >= p->equations) return at.sensors + r - p->equations;
    if (r >= p->rows) return term_of_row(s, row[r - p->rows]);
    const bool of_G = t->from >= G && t->from < G + s->m->pattern_G.start[p->n];
    return of_G && c >= p->lambda && c < p->rate ? term_of_row(s, row[c - p->lambda]) : -1;
}

static void attribution_terms_add_entries(const rt_side *s, const rt_between *x, const int *row,
                                          const int *position, double _Complex *terms)
{
    const rt_levels_pencil *p = &s->pencil;
    for (int k = 0; k < p->n_terms; k++) {
        const rt_term *t = &p->terms[k];
        const int term = term_of_entry(s, t, row, position);
        if (term >= 0)
            terms[term] += conj(x->left[t->row]) * (t->from ? t->sign * *t->from : t->sign) *
                           x->right[t->column];
    }
}

static double _Complex all_of(const rt_work *w)
{
    return w->position + w->rate + w->inertia + w->signal;
}

/* M u' + D u + K xi, signals and reactions that loads read. */
static void add_works(const rt_side *s, const rt_between *x, const rt_parted_motion *v,
                      double _Complex *terms)
{
    const routh_mechanism *m = s->m;
    const attribution_terms_places at = attribution_terms_places_of(s);
    const double _Complex *test = x->left + s->pencil.n1 + s->pencil.motion;
    for (int b = 0; b < m->n_bodies; b++) {
        const rt_work w = rt_work_of_body(&s->worker, b, test, v);
        terms[b] += all_of(&w);
    }
    for (int c = 0; c < m->n_constraints; c++) {
        const rt_work w = rt_work_of_joint(&s->worker, c, test, v);
        terms[at.joint + c] += all_of(&w);
    }
    for (int k = 0; k < m->n_loads; k++) {
        const rt_work w = rt_work_of_load(&s->worker, k, test, v);
        terms[at.loads + k] += all_of(&w);
    }
}

static bool take_motion(const rt_side *s, const rt_between *x, rt_parted_motion *v, rt_arena *arena)
{
    const rt_levels_pencil *p = &s->pencil;
    const routh_mechanism *m = s->m;
    double _Complex *zero = RT_TAKE(arena, double _Complex, m->n_u), *g = x->right + p->n1;
    v->lambda = RT_TAKE(arena, double _Complex, m->n_rows);
    v->signal = RT_TAKE(arena, double _Complex, m->n_signals);
    if (!zero || !v->lambda || !v->signal) return false;
    v->xi = g + p->xi, v->u_rate = g + p->u, v->a_inertia = g + p->a;
    v->u_position = v->a_position = v->a_rate = zero;
    for (int r = 0; r < m->n_rows; r++)
        if (p->slot[r] >= 0) v->lambda[r] = g[p->lambda + p->slot[r]];
    attribution_terms_copy(v->signal, x->right + p->z + p->z1, p->n_x);
    attribution_terms_copy(v->signal + p->n_x, g + p->rate, p->n_x);
    attribution_terms_copy(v->signal + 2 * p->n_x, g + p->v, p->n_v);
    return true;
}

routh_status rt_terms(const rt_side *s, const rt_between *x, double _Complex *terms,
                      routh_error *error)
{
    rt_arena arena = {0};
    rt_parted_motion v;
    int *row = RT_TAKE(&arena, int, s->m->n_rows), *position = RT_TAKE(&arena, int, s->m->n_rows);
    const bool ok = row && position && take_motion(s, x, &v, &arena);
    if (ok) {
        memset(terms, 0, (size_t)rt_count_terms(s) * sizeof *terms);
        attribution_terms_invert(s, s->pencil.slot, row);
        attribution_terms_invert(s, s->pencil.position_slot, position);
        attribution_terms_add_entries(s, x, row, position, terms);
        add_works(s, x, &v, terms);
    }
    rt_arena_free(&arena);
    return ok ? ROUTH_OK : rt_fail_memory(error);
}
