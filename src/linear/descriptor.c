/* The linear model as a sparse descriptor system, nothing eliminated (Gonzalez et al. 2017, Eq. 8
 * to 10). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear/descriptor_parts.h"
#include "methods/redundant_pencil.h"
#include "methods/whole.h"
#include "operating/massless.h"

typedef struct descriptor_holder {
    routh_descriptor descriptor; /* first: the public pointer is this one's address */
    rt_arena arena;
} descriptor_holder;

void routh_descriptor_free(routh_descriptor *descriptor)
{
    if (!descriptor) return;
    descriptor_holder *h = (descriptor_holder *)(void *)descriptor;
    routh_linear_free(descriptor->linear);
    rt_arena_free(&h->arena);
    free(h);
}

/* ---- matrices from lists of entries --------------------------------------------------------- */

bool rt_descriptor_take(rt_descriptor_list *l, size_t room, rt_arena *arena)
{
    l->n = 0;
    l->row = RT_TAKE(arena, int, room);
    l->column = RT_TAKE(arena, int, room);
    l->position = RT_TAKE(arena, int, room);
    l->value = RT_TAKE(arena, double, room);
    return l->row && l->column && l->position && l->value;
}

void rt_descriptor_add_block(rt_descriptor_list *l, const rt_pattern *p, const double *values,
                             double sign, int first_row, int first_column)
{
    for (int c = 0; c < p->n_columns; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            rt_descriptor_add(l, first_row + p->row[e], first_column + c, sign * values[e]);
}

routh_status rt_descriptor_compress(routh_sparse *out, const rt_descriptor_list *l, int n_rows,
                                    int n_columns, rt_arena *arena, routh_error *error)
{
    rt_pattern p;
    const routh_status status =
        rt_pattern_build(&p, n_rows, n_columns, l->n, l->row, l->column, l->position, arena, error);
    if (status) return status;
    *out = (routh_sparse){n_rows, n_columns, p.start, p.row,
                          RT_TAKE(arena, double, p.start[n_columns])};
    if (!out->value) return rt_fail_memory(error);
    for (size_t k = 0; k < l->n; k++) out->value[l->position[k]] += l->value[k];
    return ROUTH_OK;
}

static size_t descriptor_count(const rt_pattern *p) { return (size_t)p->start[p->n_columns]; }

/* ---- the three matrices --------------------------------------------------------------------- */

typedef struct descriptor_parts {
    const rt_search *s;
    int n, m;
    int *slot; /* all rows of Phi: place among the independent ones, or -1 */
} descriptor_parts;

/* E = diag(I, M, 0) */
static routh_status descriptor_fill_E(const descriptor_parts *p, routh_sparse *E, rt_arena *work,
                                      rt_arena *arena, routh_error *error)
{
    const rt_pattern *M = &p->s->m->pattern_M;
    const int order = 2 * p->n + p->m;
    rt_descriptor_list l;
    if (!rt_descriptor_take(&l, (size_t)p->n + descriptor_count(M), work))
        return rt_fail_memory(error);
    for (int c = 0; c < p->n; c++) rt_descriptor_add(&l, c, c, 1);
    rt_descriptor_add_block(&l, M, p->s->w->M, 1, p->n, p->n);
    return rt_descriptor_compress(E, &l, order, order, arena, error);
}

/* A = [0 I 0; -K -D -(G'+L); -G 0 0] */
static routh_status descriptor_fill_A(const descriptor_parts *p, routh_sparse *A, rt_arena *work,
                                      rt_arena *arena, routh_error *error)
{
    const routh_mechanism *m = p->s->m;
    const rt_workspace *w = p->s->w;
    const rt_pattern *G = &m->pattern_G, *L = &m->pattern_L;
    const int n = p->n, order = 2 * n + p->m;
    rt_descriptor_list l;
    if (!rt_descriptor_take(&l,
                            (size_t)n + 2 * descriptor_count(&m->pattern_K) +
                                2 * descriptor_count(G) + descriptor_count(L),
                            work))
        return rt_fail_memory(error);
    for (int c = 0; c < n; c++) rt_descriptor_add(&l, c, n + c, 1);
    rt_descriptor_add_block(&l, &m->pattern_K, w->K, -1, n, 0);
    rt_descriptor_add_block(&l, &m->pattern_K, w->D, -1, n, n);
    for (int c = 0; c < n; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++) {
            const int slot = p->slot[G->row[e]];
            if (slot < 0) continue;
            rt_descriptor_add(&l, 2 * n + slot, c, -w->G[e]);
            rt_descriptor_add(&l, n + c, 2 * n + slot, -w->G[e]);
        }
    for (int r = 0; r < m->n_rows; r++)
        for (int e = L->start[r]; e < L->start[r + 1]; e++)
            if (p->slot[r] >= 0) rt_descriptor_add(&l, n + L->row[e], 2 * n + p->slot[r], -w->L[e]);
    return rt_descriptor_compress(A, &l, order, order, arena, error);
}

/* S = s_x xi, W = s_x du */
static routh_status descriptor_fill_states(const descriptor_parts *p, const rt_state_row *rows,
                                           int z, routh_sparse *out, rt_arena *work,
                                           rt_arena *arena, routh_error *error)
{
    size_t room = 0;
    rt_descriptor_list l;
    for (int k = 0; k < z; k++) room += 2 * (size_t)rows[k].n;
    if (!rt_descriptor_take(&l, room, work)) return rt_fail_memory(error);
    for (int k = 0; k < z; k++)
        for (int c = 0; c < rows[k].n; c++) {
            rt_descriptor_add(&l, k, rows[k].columns[c], rows[k].s_x[c]);
            rt_descriptor_add(&l, z + k, p->n + rows[k].columns[c], rows[k].s_x[c]);
        }
    return rt_descriptor_compress(out, &l, 2 * z, 2 * p->n + p->m, arena, error);
}

/* Only undamped ones are solved with more than doubles (answers/shifted_symmetric.h). */
static bool descriptor_is_damped(const rt_search *s)
{
    const size_t n = descriptor_count(&s->m->pattern_K);
    for (size_t e = 0; e < n; e++)
        if (s->w->D[e] != 0) return true;
    return false;
}

static routh_status descriptor_fill_alone(descriptor_holder *h, rt_linear_task *t,
                                          const rt_state_row *rows, bool extended,
                                          routh_error *error)
{
    const rt_search *s = &t->search;
    const int z = t->states.z;
    descriptor_parts p = {.s = s, .n = s->m->n_u, .m = s->rank->rank};
    p.slot = RT_TAKE(&t->arena, int, s->m->n_rows);
    if (!p.slot) return rt_fail_memory(error);
    for (int r = 0, kept = 0; r < s->m->n_rows; r++)
        p.slot[r] = s->rank->row_step[r] < 0 ? -1 : kept++;
    routh_descriptor *d = &h->descriptor;
    d->n_coordinates = p.n;
    d->n_constraints = p.m;
    routh_status status = descriptor_fill_E(&p, &d->E, &t->arena, &h->arena, error);
    if (!status) status = descriptor_fill_A(&p, &d->A, &t->arena, &h->arena, error);
    if (!status && extended && !descriptor_is_damped(s))
        status = rt_descriptor_extend(d, t, p.slot, &h->arena, error);
    return status ? status
                  : descriptor_fill_states(&p, rows, z, &d->states, &t->arena, &h->arena, error);
}

/* Does the mechanism have what only the whole system has: states of controllers, variables, rows of
 * velocities? */
static bool descriptor_has_more(const routh_mechanism *m)
{
    return m->n_nonholonomic > 0 || m->model->n_control_states > 0 || m->model->n_variables > 0;
}

static routh_status descriptor_fill(descriptor_holder *h, rt_linear_holder *l, rt_linear_task *t,
                                    bool extended, routh_error *error)
{
    const rt_search *s = &t->search;
    const int z = t->states.z;
    rt_method_task work = {.search = &t->search,
                           .observer = &t->observer,
                           .states = &t->states,
                           .threads = 1,
                           .whole = rt_needs_whole(s->m)};
    rt_state_row *rows;
    routh_status status = rt_state_rows(&work, &t->arena, &rows, error);
    if (status) return status;
    if (!descriptor_has_more(s->m) && rt_nothing_turns(s, rows, z, rt_typical_rate(s)))
        return descriptor_fill_alone(h, t, rows, extended, error);
    if (work.whole) status = rt_task_sensors_take(&work, &t->arena, error);
    if (!status) status = rt_linear_find_undetermined(l, &work, &t->arena, error);
    return status ? status
                  : rt_descriptor_fill_whole(&h->descriptor, &work, &t->arena, &h->arena, error);
}

/* Do the rates of the states stay as they are, where the motion is now? */
static bool rates_stay(const rt_linear_task *t)
{
    static const double small = 1e-6;
    const double rate = rt_linear_fastest(&t->search), length = fmin(1, t->search.m->length);
    for (int k = 0; k < t->states.z1; k++) {
        double value[3];
        const double unit = rt_candidate_size(t->search.m, t->states.user, t->states.rate[k]);
        rt_linear_state_values(t, t->states.rate[k], value);
        if (!(fabs(value[2]) <= small * rate * rate * fmax(length, unit))) return false;
    }
    return true;
}

/* Systems of so many states are linearized with full matrices too. */
enum { MOST_KEPT = 200, MOST_JUDGED = 600 };

static routh_status descriptor_copy(const double *from, double **to, size_t n, rt_arena *arena,
                                    routh_error *error)
{
    if (!from) return ROUTH_OK;
    *to = RT_TAKE(arena, double, n);
    if (!*to) return rt_fail_memory(error);
    memcpy(*to, from, n * sizeof *from);
    return ROUTH_OK;
}

/* The state matrix, as exact as it is known: eigenvalues of small systems come from it. */
static routh_status descriptor_keep(rt_linear_holder *l, const routh_linear *all,
                                    routh_error *error)
{
    const size_t size = (size_t)all->n_states * (size_t)all->n_states;
    double *A_error = NULL;
    routh_status status = descriptor_copy(all->A, &l->linear.A, size, &l->arena, error);
    if (!status) status = descriptor_copy(all->A_rest, &l->linear.A_rest, size, &l->arena, error);
    if (!status)
        status =
            descriptor_copy(all->A_error, &A_error, ROUTH_ERROR_SAMPLES * size, &l->arena, error);
    l->linear.A_error = A_error;
    return status;
}

/* Is the motion steady? All but large mechanisms are asked as without a number that is wanted; of a
 * large one, in no steady motion that was sought, the accelerations alone are looked at. */
static routh_status descriptor_judge(rt_linear_holder *l, const rt_linear_task *t,
                                     const routh_operating_point *point, bool whole,
                                     const routh_linear_options *o, routh_error *error)
{
    routh_linear *linear = &l->linear, *all;
    routh_linear_options simple = *o;
    linear->drift = 0;
    linear->steady = linear->at_rest || point->steady;
    const bool keep = whole && linear->n_states <= MOST_KEPT;
    if (linear->steady && !keep) return ROUTH_OK;
    if (linear->n_states > MOST_JUDGED) {
        linear->steady = rates_stay(t);
        return ROUTH_OK;
    }
    simple.method = rt_method_augmented.name;
    simple.markers = simple.shares = 0;
    simple.extended = keep;
    routh_status status = routh_linear_compute(&all, t->search.m, point, &simple, error);
    if (status) return status;
    linear->drift = all->drift;
    linear->steady = all->steady;
    if (keep) status = descriptor_keep(l, all, error);
    routh_linear_free(all);
    return status;
}

routh_status routh_descriptor_compute(routh_descriptor **descriptor, const routh_mechanism *m,
                                      const routh_operating_point *point,
                                      const routh_linear_options *options, routh_error *error)
{
    *descriptor = NULL;
    const routh_status refused =
        rt_refuse_massless_point(m, point, "the search for selected eigenvalues", error);
    if (refused) return refused;
    routh_linear_options o = options ? *options : routh_linear_defaults();
    o.method = rt_method_redundant.name;
    descriptor_holder *h = calloc(1, sizeof *h);
    rt_linear_holder *l = rt_kept_calloc(NULL, 1, sizeof *l);
    rt_linear_task t = {0};
    routh_status status = ROUTH_OK;
    if (h && l)
        h->descriptor.linear = &l->linear;
    else
        rt_kept_free(l), status = rt_fail_memory(error);
    if (!status) status = rt_linear_prepare(l, &t, m, point, &o, error);
    if (!status) status = descriptor_fill(h, l, &t, o.extended, error);
    if (!status) {
        l->linear.n_infinite = h->descriptor.A.n_columns - l->linear.n_states;
        status = descriptor_judge(l, &t, point, h->descriptor.n_differential > 0, &o, error);
    }
    rt_linear_task_release(&t);
    if (status) {
        if (h) routh_descriptor_free(&h->descriptor);
        return status;
    }
    *descriptor = &h->descriptor;
    return ROUTH_OK;
}
