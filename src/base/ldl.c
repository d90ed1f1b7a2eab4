#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/kept_memory.h"
#include "base/ldl_parts.h"

enum { SCALINGS = 3 };

/* ---- structure ------------------------------------------------------------------------------ */

static routh_status ldl_list_entries(rt_ldl *l, routh_error *error)
{
    const rt_pattern *p = l->pattern;
    const int n = l->tree.n, *place = l->tree.place;
    l->entry_start = RT_TAKE(&l->arena, int, (size_t)n + 2);
    if (!l->entry_start) return rt_fail_memory(error);
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < n; c++)
            for (int e = p->start[c]; e < p->start[c + 1]; e++) {
                if (p->row[e] < c) continue;
                const int a = place[c], b = place[p->row[e]], column = a < b ? a : b;
                if (pass) {
                    const int to = l->entry_start[column + 1]++;
                    l->entry[to] = e, l->entry_row[to] = a < b ? b : a;
                } else {
                    l->entry_start[column + 2]++;
                }
            }
        if (pass) break;
        for (int c = 0; c < n; c++) l->entry_start[c + 2] += l->entry_start[c + 1];
        l->entry = RT_TAKE(&l->arena, int, l->entry_start[n + 1]);
        l->entry_row = RT_TAKE(&l->arena, int, l->entry_start[n + 1]);
        if (!l->entry || !l->entry_row) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

static routh_status ldl_build(rt_ldl *l, routh_error *error)
{
    routh_status status = rt_ldl_tree_build(&l->tree, l->pattern, &l->arena, error);
    if (!status) status = ldl_list_entries(l, error);
    if (status) return status;
    l->scale = RT_TAKE(&l->arena, double, l->tree.n);
    l->position = RT_TAKE(&l->arena, int, l->tree.n);
    l->fronts = RT_TAKE(&l->arena, rt_front, l->tree.n_fronts);
    l->rests = RT_TAKE(&l->arena, rt_ldl_rest, l->tree.n_fronts);
    return l->scale && l->position && l->fronts && l->rests ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_ldl_create(rt_ldl **ldl, const rt_pattern *pattern, routh_error *error)
{
    return rt_ldl_create_kept(ldl, pattern, NULL, error);
}

/* For whom it is to be found by again. */
static routh_status ldl_copy_pattern(rt_ldl *l, routh_error *error)
{
    const rt_pattern *p = l->pattern;
    const size_t n = (size_t)p->n_columns, entries = (size_t)p->start[n];
    l->own = (rt_pattern){p->n_rows, p->n_columns, RT_TAKE(&l->arena, int, n + 1),
                          RT_TAKE(&l->arena, int, entries)};
    if (!l->own.start || !l->own.row) return rt_fail_memory(error);
    memcpy(l->own.start, p->start, (n + 1) * sizeof *p->start);
    memcpy(l->own.row, p->row, entries * sizeof *p->row);
    return ROUTH_OK;
}

routh_status rt_ldl_create_kept(rt_ldl **ldl, const rt_pattern *pattern, rt_analyses *analyses,
                                routh_error *error)
{
    *ldl = NULL;
    if (pattern->n_rows != pattern->n_columns)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a matrix of %d rows and %d columns is not symmetric: it must be square",
                       pattern->n_rows, pattern->n_columns);
    *ldl = rt_ldl_take_kept(analyses, pattern);
    if (*ldl) return ROUTH_OK;
    rt_ldl *l = rt_kept_calloc(analyses, 1, sizeof *l);
    if (!l) return rt_fail_memory(error);
    l->arena.kept = analyses;
    l->pattern = pattern;
    routh_status status = ldl_build(l, error);
    if (!status && analyses) status = ldl_copy_pattern(l, error);
    if (status) {
        rt_ldl_free(l);
        return status;
    }
    l->analyses = analyses;
    *ldl = l;
    return ROUTH_OK;
}

static void drop_front(rt_front *f)
{
    rt_kept_free(f->place), rt_kept_free(f->full), rt_kept_free(f->pivot);
    f->place = NULL, f->full = f->pivot = NULL;
}

static void drop_factor(rt_ldl *l)
{
    for (int f = 0; l->fronts && l->rests && f < l->tree.n_fronts; f++) {
        drop_front(&l->fronts[f]);
        rt_kept_free(l->rests[f].place), rt_kept_free(l->rests[f].value);
        l->fronts[f] = (rt_front){0};
        l->rests[f] = (rt_ldl_rest){0};
    }
    rt_kept_free(l->work);
    l->work = NULL;
    l->n_work = l->n_entries = l->n_bytes = 0;
    l->largest_front = 0;
    l->done = false;
    l->count = (rt_front_count){.smallest = INFINITY, .where = -1};
}

void rt_ldl_release(rt_ldl *l)
{
    rt_arena_free(&l->arena);
    rt_kept_free(l);
}

void rt_ldl_free(rt_ldl *l)
{
    if (!l) return;
    drop_factor(l);
    if (!rt_ldl_give_kept(l)) rt_ldl_release(l);
}

/* ---- scaling -------------------------------------------------------------------------------- */

/* Rows are divided by the root of their largest entry, a few times (Ruiz 2001), and S kept to
 * powers of 2, so that it rounds nothing. most: n numbers. */
static void choose_scale(rt_ldl *l, const double *values, double *most)
{
    const rt_pattern *p = l->pattern;
    const int n = l->tree.n;
    double *s = l->scale;
    for (int i = 0; i < n; i++) s[i] = 1;
    for (int k = 0; k < SCALINGS; k++) {
        memset(most, 0, (size_t)n * sizeof *most);
        for (int c = 0; c < n; c++)
            for (int e = p->start[c]; e < p->start[c + 1]; e++) {
                const int r = p->row[e];
                if (r < c) continue;
                const double size = fabs(values[e]) * s[r] * s[c];
                if (size > most[r]) most[r] = size;
                if (size > most[c]) most[c] = size;
            }
        for (int i = 0; i < n; i++)
            if (most[i] > 0) s[i] /= sqrt(most[i]);
    }
    for (int i = 0; i < n; i++) s[i] = isfinite(s[i]) && s[i] > 0 ? exp2(rint(log2(s[i]))) : 1;
}

/* ---- fronts --------------------------------------------------------------------------------- */

static routh_status need_work(rt_ldl *l, int n, routh_error *error)
{
    const size_t needed = rt_front_work(n);
    if (needed <= l->n_work) return ROUTH_OK;
    rt_kept_free(l->work);
    l->work = rt_kept_malloc(l->arena.kept, needed * sizeof *l->work);
    l->n_work = l->work ? needed : 0;
    return l->work ? ROUTH_OK : rt_fail_memory(error);
}

/* Rows of front f: its own places, those put off to it, those beyond. first_child: list by next. */
static routh_status open_front(rt_ldl *l, int f, const int *child, const int *next,
                               rt_ldl_rest *schur, routh_error *error)
{
    const rt_ldl_tree *t = &l->tree;
    const int own = t->first[f + 1] - t->first[f], beyond = (int)(t->start[f + 1] - t->start[f]);
    int late = 0, n = 0;
    for (int c = child[f]; c >= 0; c = next[c]) late += l->fronts[c].n_full - l->fronts[c].n_pivots;
    rt_front *front = &l->fronts[f];
    *front = (rt_front){.n = own + late + beyond, .n_full = own + late};
    front->place = rt_kept_malloc(l->arena.kept, ((size_t)front->n + 1) * sizeof(int));
    front->full =
        rt_kept_calloc(l->arena.kept, (size_t)front->n * (size_t)front->n_full + 1, sizeof(double));
    front->pivot = rt_kept_malloc(l->arena.kept, 2 * ((size_t)front->n_full + 1) * sizeof(double));
    *schur = (rt_ldl_rest){.n = beyond,
                           .value = rt_kept_calloc(
                               l->arena.kept, (size_t)beyond * (size_t)beyond + 1, sizeof(double))};
    front->rest = schur->value;
    if (!front->place || !front->full || !front->pivot || !schur->value)
        return rt_fail_memory(error);
    for (int k = t->first[f]; k < t->first[f + 1]; k++) front->place[n++] = k;
    for (int c = child[f]; c >= 0; c = next[c])
        for (int k = 0; k < l->fronts[c].n_full - l->fronts[c].n_pivots; k++)
            front->place[n++] = l->rests[c].place[k];
    memcpy(front->place + n, t->row + t->start[f], (size_t)beyond * sizeof(int));
    for (int i = 0; i < front->n; i++) l->position[front->place[i]] = i;
    return need_work(l, front->n, error);
}

static void ldl_add(rt_front *f, int i, int j, double value)
{
    const int r = i > j ? i : j, c = i > j ? j : i;
    if (c < f->n_full)
        f->full[r + (size_t)f->n * (size_t)c] += value;
    else
        f->rest[r - f->n_full + (size_t)(f->n - f->n_full) * (size_t)(c - f->n_full)] += value;
}

static void assemble_entries(rt_ldl *l, int f, const double *values)
{
    const rt_ldl_tree *t = &l->tree;
    for (int c = t->first[f]; c < t->first[f + 1]; c++) {
        const double s = l->scale[t->unknown[c]];
        for (int e = l->entry_start[c]; e < l->entry_start[c + 1]; e++)
            ldl_add(&l->fronts[f], l->position[l->entry_row[e]], l->position[c],
                    s * values[l->entry[e]] * l->scale[t->unknown[l->entry_row[e]]]);
    }
}

/* Adds what a child left. */
static void assemble_child(rt_ldl *l, int f, rt_ldl_rest *r)
{
    rt_front *front = &l->fronts[f];
    const int n = r->n, m = front->n - front->n_full;
    int *to = r->place; /* becomes positions */
    bool ascending = true;
    for (int i = 0; i < n; i++) {
        to[i] = l->position[to[i]];
        if (i && to[i] < to[i - 1]) ascending = false;
    }
    for (int j = 0; j < n; j++) {
        const double *from = r->value + (size_t)n * (size_t)j;
        if (!ascending) {
            for (int i = j; i < n; i++) ldl_add(front, to[i], to[j], from[i]);
            continue;
        }
        double *column = to[j] < front->n_full
                             ? front->full + (size_t)front->n * (size_t)to[j]
                             : front->rest + (size_t)m * (size_t)(to[j] - front->n_full);
        const int before = to[j] < front->n_full ? 0 : front->n_full;
        for (int i = j; i < n; i++) column[to[i] - before] += from[i];
    }
    rt_kept_free(r->place), rt_kept_free(r->value);
    *r = (rt_ldl_rest){0};
}

/* The rest for the parent: columns put off, then the Schur complement. */
static routh_status close_front(rt_ldl *l, int f, rt_ldl_rest *schur, routh_error *error)
{
    rt_front *front = &l->fronts[f];
    const int late = front->n_full - front->n_pivots, beyond = schur->n, n = late + beyond;
    front->rest = NULL;
    l->n_entries += (size_t)front->n * (size_t)front->n_pivots;
    l->n_bytes += (size_t)front->n * (size_t)front->n_full * sizeof(double);
    if (front->n > l->largest_front) l->largest_front = front->n;
    if (n == 0) {
        rt_kept_free(schur->value);
        return ROUTH_OK;
    }
    rt_ldl_rest *r = &l->rests[f];
    r->n = n;
    r->place = rt_kept_malloc(l->arena.kept, (size_t)n * sizeof(int));
    r->value =
        late ? rt_kept_malloc(l->arena.kept, (size_t)n * (size_t)n * sizeof(double)) : schur->value;
    if (!r->place || !r->value) {
        if (late) rt_kept_free(schur->value);
        return rt_fail_memory(error);
    }
    memcpy(r->place, front->place + front->n_pivots, (size_t)n * sizeof(int));
    if (!late) return ROUTH_OK;
    for (int j = 0; j < n; j++) {
        double *to = r->value + (size_t)n * (size_t)j;
        const double *from = j < late ? front->full + front->n_pivots +
                                            (size_t)front->n * (size_t)(front->n_pivots + j)
                                      : schur->value + (size_t)beyond * (size_t)(j - late) - late;
        memcpy(to + j, from + j, (size_t)(n - j) * sizeof(double));
    }
    rt_kept_free(schur->value);
    return ROUTH_OK;
}

static routh_status ldl_eliminate(rt_ldl *l, int f, const int *child, const int *next,
                                  const double *values, routh_error *error)
{
    rt_ldl_rest schur;
    routh_status status = open_front(l, f, child, next, &schur, error);
    if (status) {
        rt_kept_free(schur.value);
        return status;
    }
    assemble_entries(l, f, values);
    for (int c = child[f]; c >= 0; c = next[c]) assemble_child(l, f, &l->rests[c]);
    rt_front_eliminate(&l->fronts[f], l->work, &l->count);
    status = close_front(l, f, &schur, error);
    if (l->count_only) drop_front(&l->fronts[f]);
    return status;
}

/* room: 2 n_fronts numbers and n doubles */
static routh_status eliminate_all(rt_ldl *l, const double *values, int *room, double *most,
                                  routh_error *error)
{
    const rt_ldl_tree *t = &l->tree;
    int *child = room, *next = room + t->n_fronts;
    choose_scale(l, values, most);
    for (int f = 0; f < t->n_fronts; f++) child[f] = -1;
    for (int f = t->n_fronts - 1; f >= 0; f--)
        if (t->parent[f] >= 0) next[f] = child[t->parent[f]], child[t->parent[f]] = f;
    for (int f = 0; f < t->n_fronts; f++) {
        const routh_status status = ldl_eliminate(l, f, child, next, values, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status ldl_check(const rt_ldl *l, const double *values, routh_error *error)
{
    const int n = l->tree.n;
    double sum = 0;
    for (int e = 0; e < l->pattern->start[n]; e++) sum += 0 * values[e];
    if (sum == 0) return ROUTH_OK;
    return rt_fail(error, ROUTH_NUMERIC_ERROR,
                   "a symmetric matrix of order %d to be factored holds an entry that is not a "
                   "finite number",
                   n);
}

static routh_status ldl_factor(rt_ldl *l, bool count_only, const double *values, routh_error *error)
{
    drop_factor(l);
    l->count_only = count_only;
    routh_status status = ldl_check(l, values, error);
    if (status) return status;
    int *room = rt_kept_malloc(l->arena.kept, (2 * (size_t)l->tree.n_fronts + 1) * sizeof *room);
    double *most = rt_kept_malloc(l->arena.kept, ((size_t)l->tree.n + 1) * sizeof *most);
    status = room && most ? eliminate_all(l, values, room, most, error) : rt_fail_memory(error);
    rt_kept_free(room), rt_kept_free(most), rt_kept_free(l->work);
    l->work = NULL, l->n_work = 0;
    if (status) {
        drop_factor(l);
        return status;
    }
    l->done = !count_only;
    const rt_inertia i = rt_ldl_inertia(l);
    if (!i.zero) return ROUTH_OK;
    return rt_fail(error, ROUTH_SINGULAR,
                   "a symmetric matrix of order %d is singular: nothing is left for %d of its "
                   "unknowns, one of them number %d (from 0), after the others are eliminated",
                   l->tree.n, i.zero, i.where);
}

routh_status rt_ldl_factor(rt_ldl *l, const double *values, routh_error *error)
{
    return ldl_factor(l, false, values, error);
}

routh_status rt_ldl_count(rt_ldl *l, const double *values, routh_error *error)
{
    return ldl_factor(l, true, values, error);
}

rt_inertia rt_ldl_inertia(const rt_ldl *l)
{
    const rt_front_count *c = &l->count;
    return (rt_inertia){.positive = c->positive,
                        .negative = c->negative,
                        .zero = c->zero,
                        .smallest = c->where >= 0 ? c->smallest : 1,
                        .where = c->where >= 0 ? l->tree.unknown[c->where] : -1};
}

size_t rt_ldl_entries(const rt_ldl *l) { return l->n_entries; }
double rt_ldl_operations(const rt_ldl *l) { return l->count.operations; }
size_t rt_ldl_bytes(const rt_ldl *l) { return sizeof *l + l->arena.used + l->n_bytes; }
