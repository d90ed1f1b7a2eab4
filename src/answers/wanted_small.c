/* Wanted eigenvalues of whole systems whose parts are small: of each part that nothing joins to the
 * others by its state matrix, all of them, as without a number that is wanted. A system in one
 * piece is one part; machines side by side are many, and a mode that several of them have equal
 * comes as often as there are ones. Where the descriptor has the state matrix, all is one part: its
 * entries are more exact than those that the sparse system gives, and zeros are told by them. */
#include <math.h>
#include <string.h>

#include "answers/wanted_parts.h"

enum { MOST_STATES = 200 };

typedef struct wanted_parts {
    int n_parts, largest;
    int *part;         /* n states: the part each is in */
    int *place;        /* its place among those of the part */
    int *first, *list; /* states of part p: list[first[p]] .. list[first[p + 1] - 1], ascending */
} wanted_parts;

/* ---- parts ---------------------------------------------------------------------------------- */

static int wanted_small_root(int *parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Rows and columns that an entry joins; row and column of a state are one. */
static void wanted_small_join(const rt_shifted *s, int *parent)
{
    const routh_sparse *A = &s->descriptor->A;
    for (int i = 0; i < 2 * s->order; i++) parent[i] = i;
    for (int i = 0; i < s->n; i++) parent[s->order + i] = i;
    for (int c = 0; c < A->n_columns; c++)
        for (int e = A->start[c]; e < A->start[c + 1]; e++)
            if (A->value[e] != 0)
                parent[wanted_small_root(parent, s->order + A->row[e])] =
                    wanted_small_root(parent, c);
}

static routh_status wanted_small_parts(wanted_parts *p, rt_wanted_search *q, routh_error *error)
{
    const rt_shifted *s = q->pencil;
    const int n = s->n;
    int *parent = RT_TAKE(&q->arena, int, 2 * s->order),
        *number = RT_TAKE(&q->arena, int, 2 * s->order);
    p->part = RT_TAKE(&q->arena, int, n);
    p->place = RT_TAKE(&q->arena, int, n);
    p->list = RT_TAKE(&q->arena, int, n);
    p->first = RT_TAKE(&q->arena, int, n + 2);
    if (!parent || !number || !p->part || !p->place || !p->list || !p->first)
        return rt_fail_memory(error);
    wanted_small_join(s, parent);
    if (s->descriptor->linear->A) /* known in one piece */
        for (int i = 1; i < n; i++)
            parent[wanted_small_root(parent, i)] = wanted_small_root(parent, 0);
    p->n_parts = p->largest = 0;
    for (int i = 0; i < n; i++) {
        const int root = wanted_small_root(parent, i);
        if (!number[root]) number[root] = ++p->n_parts;
        p->part[i] = number[root] - 1;
        p->place[i] = p->first[p->part[i] + 1]++;
        if (p->first[p->part[i] + 1] > p->largest) p->largest = p->first[p->part[i] + 1];
    }
    for (int k = 0; k < p->n_parts; k++) p->first[k + 1] += p->first[k];
    for (int i = 0; i < n; i++) p->list[p->first[p->part[i]] + p->place[i]] = i;
    return ROUTH_OK;
}

routh_status rt_wanted_is_small(rt_wanted_search *q, bool *small, routh_error *error)
{
    wanted_parts p;
    *small = false;
    if (!q->pencil->whole) return ROUTH_OK;
    const routh_status status = wanted_small_parts(&p, q, error);
    *small = !status && p.largest <= MOST_STATES;
    rt_arena_free(&q->arena);
    return status;
}

/* ---- state matrices ------------------------------------------------------------------------- */

/* Of every part, row-major, one after another from start[part] on, in the units of the states. The
 * k-th columns of all parts are found together. */
static routh_status make_state_matrices(rt_wanted_search *q, const wanted_parts *p,
                                        const size_t *start, double *A, routh_error *error)
{
    rt_shifted *s = q->pencil;
    const int n = s->n;
    double *unit = RT_TAKE(&q->arena, double, 2 * n + s->order), *rates = unit + n, *y = rates + n,
           terms;
    if (!unit) return rt_fail_memory(error);
    for (int k = 0; k < p->largest; k++) {
        for (int i = 0; i < n; i++) unit[i] = p->place[i] == k;
        const routh_status status = rt_whole_rates(s, unit, y, rates, &terms, error);
        if (status) return status;
        for (int i = 0; i < n; i++) {
            const int part = p->part[i], size = p->first[part + 1] - p->first[part];
            if (k < size)
                A[start[part] + (size_t)(p->place[i] * size + k)] =
                    rates[i] * s->rate * s->scale[i] / s->scale[p->list[p->first[part] + k]];
        }
    }
    return ROUTH_OK;
}

/* The linear model of a part, its names those of the whole one. */
static void make_part(const rt_wanted_search *q, const wanted_parts *p, int part, double *A,
                      routh_linear *linear, routh_state_name *names)
{
    const routh_linear *all = q->pencil->descriptor->linear;
    *linear = *all;
    if (all->A) return;
    linear->A = A;
    linear->states = all->states ? names : NULL;
    linear->n_position = linear->n_velocity = linear->n_control = 0;
    linear->n_states = p->first[part + 1] - p->first[part];
    for (int k = 0; k < linear->n_states; k++) {
        const int i = p->list[p->first[part] + k];
        if (all->states) names[k] = all->states[i];
        if (i < all->n_position)
            linear->n_position++;
        else if (i < all->n_position + all->n_velocity)
            linear->n_velocity++;
        else
            linear->n_control++;
    }
}

/* ---- candidates ----------------------------------------------------------------------------- */

static routh_status wanted_small_read(rt_wanted_search *q, const wanted_parts *p, int part,
                                      const routh_mode *mode, routh_error *error)
{
    rt_shifted *s = q->pencil;
    const int size = p->first[part + 1] - p->first[part];
    rt_candidate c = {.lambda = {mode->eigenvalue[0] / s->rate, mode->eigenvalue[1] / s->rate},
                      .error = mode->error_bound / s->rate,
                      .re = RT_TAKE(&q->arena, double, 2 * size),
                      .rigid = mode->rigid != 0,
                      .part = part};
    if (!c.re) return rt_fail_memory(error);
    c.im = c.re + size;
    for (int k = 0; k < size; k++) {
        const int i = p->list[p->first[part] + k];
        c.re[k] = mode->shape[k] / s->scale[i];
        c.im[k] = mode->shape[size + k] / s->scale[i];
    }
    q->found[q->n_found++] = c;
    return ROUTH_OK;
}

static routh_status wanted_small_read_part(rt_wanted_search *q, const wanted_parts *p, int part,
                                           double *A, routh_state_name *names, routh_error *error)
{
    routh_linear linear;
    routh_modes *all = NULL;
    make_part(q, p, part, A, &linear, names);
    routh_status status = routh_modes_compute(&all, &linear, error);
    for (int k = 0; !status && k < all->n; k++)
        if (all->modes[k].eigenvalue[1] >= 0)
            status = wanted_small_read(q, p, part, &all->modes[k], error);
    routh_modes_free(all);
    return status;
}

/* The whole y in place of the states of the part, and how well it solves the equations. */
static routh_status complete(rt_wanted_search *q, const wanted_parts *p, rt_candidate *c,
                             double *room, routh_error *error)
{
    rt_shifted *s = q->pencil;
    const int *list = p->list + p->first[c->part];
    double terms, *x = room + s->n;
    double *y[2] = {RT_TAKE(&q->arena, double, s->order), RT_TAKE(&q->arena, double, s->order)};
    if (!y[0] || !y[1]) return rt_fail_memory(error);
    for (int part = 0; part < 2; part++) {
        const double *from = part ? c->im : c->re;
        memset(x, 0, (size_t)s->n * sizeof *x);
        for (int k = 0; k < p->first[c->part + 1] - p->first[c->part]; k++) x[list[k]] = from[k];
        const routh_status status = rt_whole_rates(s, x, y[part], room, &terms, error);
        if (status) return status;
    }
    c->re = y[0], c->im = y[1];
    c->errors = rt_shifted_errors(s, c->lambda, c->re, c->im);
    if (c->rigid) c->errors.residual = 0; /* of a chain: by rank */
    return ROUTH_OK;
}

static routh_status wanted_small_find(rt_wanted_search *q, const wanted_parts *p,
                                      routh_error *error)
{
    size_t *start = RT_TAKE(&q->arena, size_t, p->n_parts + 1);
    if (!start) return rt_fail_memory(error);
    for (int k = 0; k < p->n_parts; k++) {
        const size_t size = (size_t)(p->first[k + 1] - p->first[k]);
        start[k + 1] = start[k] + size * size;
    }
    double *A = RT_TAKE(&q->arena, double, start[p->n_parts]);
    routh_state_name *names = RT_TAKE(&q->arena, routh_state_name, p->largest);
    q->found = RT_TAKE(&q->arena, rt_candidate, q->pencil->n);
    if (!A || !names || !q->found) return rt_fail_memory(error);
    const bool known = q->pencil->descriptor->linear->A != NULL;
    routh_status status = known ? ROUTH_OK : make_state_matrices(q, p, start, A, error);
    for (int k = 0; k < p->n_parts && !status; k++)
        status = wanted_small_read_part(q, p, k, A + start[k], names, error);
    return status;
}

/* Where copies of the last one are left out: how many there are. */
static void wanted_small_mark_equal(rt_wanted_search *q, int enough)
{
    if (enough < 1 || enough >= q->n_found) return;
    const rt_candidate *last = &q->found[enough - 1];
    int n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < q->n_found; k++) {
            rt_candidate *c = &q->found[k];
            const double off =
                hypot(c->lambda[0] - last->lambda[0], c->lambda[1] - last->lambda[1]);
            if (c->rigid != last->rigid || off > c->error + last->error) continue;
            if (pass)
                c->n_equal = n;
            else
                n++;
        }
}

routh_status rt_wanted_small(rt_wanted_search *q, routh_error *error)
{
    wanted_parts p;
    rt_arena_free(&q->arena);
    q->n_found = q->n_subspace = 0;
    q->subspace = NULL;
    routh_status status = wanted_small_parts(&p, q, error);
    double *room = RT_TAKE(&q->arena, double, 2 * q->pencil->n);
    if (!status && !room) status = rt_fail_memory(error);
    if (!status) status = wanted_small_find(q, &p, error);
    if (status) return status;
    rt_wanted_sort(q);
    const int enough = rt_wanted_enough(q);
    for (int k = 0; k < enough && !status; k++) status = complete(q, &p, &q->found[k], room, error);
    wanted_small_mark_equal(q, enough);
    q->counted = ROUTH_COUNT_ALL;
    q->radius = rt_wanted_radius(q, enough);
    return status;
}
