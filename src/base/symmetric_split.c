#include "base/symmetric_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Neighbours nearer than this, relative to their distance from where they are sought, are copies:
 * as in base/symmetric_modes.c. */
static const double EQUAL = 1e-9;

typedef struct split_value {
    double value, error, distance;
    int part;
    const double *vector; /* of the part's unknowns */
} split_value;

typedef struct symmetric_split {
    const rt_symmetric_pencil *pencil;
    const rt_symmetric_request *request;
    int n, n_parts;
    int *part, *place; /* n */
    int *first, *list; /* unknowns of part p: list[first[p]] .. list[first[p + 1] - 1], ascending */
    rt_arena arena;
    split_value *values;
    int n_values, room;
    double reach;
} symmetric_split;

/* ---- parts ---------------------------------------------------------------------------------- */

static int symmetric_split_root(int *parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void symmetric_split_join(const rt_pattern *p, const double *values, int *parent)
{
    for (int c = 0; c < p->n_columns; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            if (values[e] != 0)
                parent[symmetric_split_root(parent, p->row[e])] = symmetric_split_root(parent, c);
}

static routh_status symmetric_split_number(symmetric_split *s, routh_error *error)
{
    const int n = s->n;
    int *parent = RT_TAKE(&s->arena, int, n), *number = RT_TAKE(&s->arena, int, n);
    s->part = RT_TAKE(&s->arena, int, n);
    s->place = RT_TAKE(&s->arena, int, n);
    s->list = RT_TAKE(&s->arena, int, n);
    s->first = RT_TAKE(&s->arena, int, n + 2);
    if (!parent || !number || !s->part || !s->place || !s->list || !s->first)
        return rt_fail_memory(error);
    for (int i = 0; i < n; i++) parent[i] = i;
    symmetric_split_join(s->pencil->K_pattern, s->pencil->K, parent);
    symmetric_split_join(s->pencil->M_pattern, s->pencil->M, parent);
    for (int i = 0; i < n; i++) {
        const int root = symmetric_split_root(parent, i);
        if (!number[root]) number[root] = ++s->n_parts;
        s->part[i] = number[root] - 1;
        s->place[i] = s->first[s->part[i] + 1]++;
    }
    for (int k = 0; k < s->n_parts; k++) s->first[k + 1] += s->first[k];
    for (int i = 0; i < n; i++) s->list[s->first[s->part[i]] + s->place[i]] = i;
    return ROUTH_OK;
}

/* ---- one part ------------------------------------------------------------------------------- */

/* Columns of a part alone; entries that are zero may lead out of it and are left out. */
static routh_status symmetric_split_take(const symmetric_split *s, int part, const rt_pattern *from,
                                         const double *values, rt_pattern *to, double **numbers,
                                         rt_arena *arena, routh_error *error)
{
    const int *list = s->list + s->first[part], size = s->first[part + 1] - s->first[part];
    int room = 0, n = 0;
    for (int k = 0; k < size; k++) room += from->start[list[k] + 1] - from->start[list[k]];
    *to = (rt_pattern){size, size, RT_TAKE(arena, int, size + 1), RT_TAKE(arena, int, room)};
    *numbers = RT_TAKE(arena, double, room);
    if (!to->start || !to->row || !*numbers) return rt_fail_memory(error);
    for (int k = 0; k < size; k++) {
        for (int e = from->start[list[k]]; e < from->start[list[k] + 1]; e++)
            if (s->part[from->row[e]] == part)
                to->row[n] = s->place[from->row[e]], (*numbers)[n++] = values[e];
        to->start[k + 1] = n;
    }
    return ROUTH_OK;
}

static routh_status symmetric_split_keep(symmetric_split *s, int part, const rt_symmetric_modes *m,
                                         routh_error *error)
{
    if (s->n_values + m->found > s->room) {
        const int room = 2 * s->room + m->found + 64;
        split_value *more = RT_TAKE(&s->arena, split_value, room);
        if (!more) return rt_fail_memory(error);
        if (s->n_values) memcpy(more, s->values, (size_t)s->n_values * sizeof *more);
        s->values = more, s->room = room;
    }
    for (int k = 0; k < m->found; k++)
        s->values[s->n_values++] =
            (split_value){m->value[k], m->error[k], fabs(m->value[k] - s->request->near), part,
                          m->vector + (size_t)m->n * (size_t)k};
    return ROUTH_OK;
}

/* Its eigenvalues, as many as could be wanted of it. */
static routh_status symmetric_split_solve(symmetric_split *s, int part, rt_symmetric_modes *total,
                                          routh_error *error)
{
    const rt_symmetric_pencil *p = s->pencil;
    const int *list = s->list + s->first[part], size = s->first[part + 1] - s->first[part];
    const int inner = s->n - p->n_constraints;
    rt_pattern K_pattern, M_pattern;
    double *K, *M, *K_rest = NULL, *M_rest = NULL;
    rt_symmetric_modes m;
    int rows = 0;
    for (int k = 0; k < size; k++) rows += list[k] >= inner;
    if (size - 2 * rows <= 0) return ROUTH_OK; /* all of it is held */
    routh_status status =
        symmetric_split_take(s, part, p->K_pattern, p->K, &K_pattern, &K, &s->arena, error);
    if (!status)
        status =
            symmetric_split_take(s, part, p->M_pattern, p->M, &M_pattern, &M, &s->arena, error);
    if (status) return status;
    if (p->K_rest) {
        status = symmetric_split_take(s, part, p->K_pattern, p->K_rest, &K_pattern, &K_rest,
                                      &s->arena, error);
        if (!status)
            status = symmetric_split_take(s, part, p->M_pattern, p->M_rest, &M_pattern, &M_rest,
                                          &s->arena, error);
        if (status) return status;
    }
    const rt_symmetric_pencil alone = {&K_pattern, &M_pattern, K, M, rows, K_rest, M_rest};
    status = rt_symmetric_modes_find(&m, &alone, s->request, &s->arena, error);
    if (status) return status;
    total->n_factors += m.n_factors, total->n_solves += m.n_solves;
    total->n_restarts += m.n_restarts;
    if (m.factor_bytes > total->factor_bytes) total->factor_bytes = m.factor_bytes;
    total->shift = m.shift;
    if (!s->request->between) s->reach = fmin(s->reach, m.reach);
    return symmetric_split_keep(s, part, &m, error);
}

/* ---- together ------------------------------------------------------------------------------- */

static int symmetric_split_nearest_first(const void *a, const void *b)
{
    const double x = ((const split_value *)a)->distance, y = ((const split_value *)b)->distance;
    return (x > y) - (x < y);
}

static int symmetric_split_ascending(const void *a, const void *b)
{
    const double x = ((const split_value *)a)->value, y = ((const split_value *)b)->value;
    return (x > y) - (x < y);
}

/* Those wanted and copies of the last of them, if these are not too many. */
static int choose_nearest(symmetric_split *s, rt_symmetric_modes *m)
{
    const int count = s->request->count;
    const split_value *v = s->values;
    qsort(s->values, (size_t)s->n_values, sizeof *v, symmetric_split_nearest_first);
    int n = count < s->n_values ? count : s->n_values, copies = n, first = n;
    if (n == 0) return 0;
    const double width = EQUAL * v[n - 1].distance + v[n - 1].error;
    while (copies < s->n_values &&
           v[copies].distance - v[n - 1].distance <= width + v[copies].error)
        copies++;
    while (first > 0 && v[n - 1].distance - v[first - 1].distance <= width) first--;
    m->reach = s->reach;
    if (copies - n <= RT_MOST_COPIES)
        n = copies;
    else
        m->n_equal = copies - first;
    if (n < s->n_values)
        m->reach = fmin(m->reach, m->n_equal ? v[first].distance * (1 - EQUAL) - width
                                             : 0.5 * (v[n - 1].distance + v[n].distance));
    return n;
}

static routh_status symmetric_split_answer(symmetric_split *s, rt_symmetric_modes *m,
                                           rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)s->n;
    const int found = s->request->between ? s->n_values : choose_nearest(s, m);
    m->value = RT_TAKE(arena, double, found);
    m->error = RT_TAKE(arena, double, found);
    m->vector = RT_TAKE(arena, double, n *(size_t)found);
    if (!m->value || !m->error || !m->vector) return rt_fail_memory(error);
    if (found) qsort(s->values, (size_t)found, sizeof *s->values, symmetric_split_ascending);
    for (int k = 0; k < found; k++) {
        const split_value *v = &s->values[k];
        const int *list = s->list + s->first[v->part];
        m->value[k] = v->value, m->error[k] = v->error;
        for (int i = 0; i < s->first[v->part + 1] - s->first[v->part]; i++)
            m->vector[n * (size_t)k + (size_t)list[i]] = v->vector[i];
    }
    m->found = found;
    m->counted = true;
    return ROUTH_OK;
}

routh_status rt_symmetric_modes_by_parts(rt_symmetric_modes *m, const rt_symmetric_pencil *pencil,
                                         const rt_symmetric_request *request, rt_arena *arena,
                                         routh_error *error)
{
    symmetric_split s = {
        .pencil = pencil, .request = request, .n = pencil->K_pattern->n_columns, .reach = INFINITY};
    routh_status status = request->factors ? ROUTH_OK : symmetric_split_number(&s, error);
    if (!status && s.n_parts < 2) {
        rt_arena_free(&s.arena);
        return rt_symmetric_modes_find(m, pencil, request, arena, error);
    }
    *m = (rt_symmetric_modes){.n = s.n};
    for (int k = 0; k < s.n_parts && !status; k++) status = symmetric_split_solve(&s, k, m, error);
    if (!status) status = symmetric_split_answer(&s, m, arena, error);
    rt_arena_free(&s.arena);
    return status;
}
