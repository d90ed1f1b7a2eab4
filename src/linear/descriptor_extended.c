/* The sparse descriptor system about a state of rest from equations of 113 bits (system/wide.h):
 * what doubles leave of its entries, and samples of what rounding of the model's numbers does to
 * them. */
#include "base/dd_matrix.h"
#include "linear/descriptor_parts.h"
#include "methods/extended.h"
#include "system/wide.h"
#include "system/varied_state.h"

typedef struct descriptor_extended {
    const rt_linear_task *task;
    const routh_mechanism *m;
    routh_descriptor *d;
    const int *slot;
    rt_wide *wide;
    rt_dd *M, *K, *D, *G, *L;
    rt_dd *E, *A; /* the sums of entries */
} descriptor_extended;

static routh_status descriptor_extended_take(descriptor_extended *x, rt_arena *arena,
                                             routh_error *error)
{
    const routh_mechanism *m = x->m;
    x->M = RT_TAKE(arena, rt_dd, m->pattern_M.start[m->n_u]);
    x->K = RT_TAKE(arena, rt_dd, m->pattern_K.start[m->n_u]);
    x->D = RT_TAKE(arena, rt_dd, m->pattern_K.start[m->n_u]);
    x->G = RT_TAKE(arena, rt_dd, m->pattern_G.start[m->n_u]);
    x->L = RT_TAKE(arena, rt_dd, rt_count_L(m));
    x->E = RT_TAKE(arena, rt_dd, x->d->E.start[x->d->E.n_columns]);
    x->A = RT_TAKE(arena, rt_dd, x->d->A.start[x->d->A.n_columns]);
    return x->M && x->K && x->D && x->G && x->L && x->E && x->A ? ROUTH_OK : rt_fail_memory(error);
}

/* to(row, column) += value, negative where said */
static void descriptor_extended_add(const routh_sparse *s, rt_dd *to, int row, int column,
                                    rt_dd value, bool negative)
{
    const rt_pattern p = {s->n_rows, s->n_columns, s->start, s->row};
    const int at = rt_pattern_find(&p, row, column);
    to[at] = rt_dd_add(to[at], negative ? rt_dd_negative(value) : value);
}

static void descriptor_extended_put(descriptor_extended *x, const rt_pattern *p,
                                    const rt_dd *values, int first_column)
{
    const int n = x->m->n_u;
    for (int c = 0; c < n; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++)
            descriptor_extended_add(&x->d->A, x->A, n + p->row[e], first_column + c, values[e],
                                    true);
}

/* The entries as in descriptor.c: E = diag(I, M, 0), A = [0 I 0; -K -D -(G'+L); -G 0 0]. */
static void descriptor_extended_gather(descriptor_extended *x)
{
    const routh_mechanism *m = x->m;
    const rt_pattern *G = &m->pattern_G, *L = &m->pattern_L, *M = &m->pattern_M;
    routh_descriptor *d = x->d;
    const int n = m->n_u;
    memset(x->E, 0, (size_t)d->E.start[d->E.n_columns] * sizeof *x->E);
    memset(x->A, 0, (size_t)d->A.start[d->A.n_columns] * sizeof *x->A);
    for (int c = 0; c < n; c++) {
        descriptor_extended_add(&d->E, x->E, c, c, rt_dd_of(1), false);
        descriptor_extended_add(&d->A, x->A, c, n + c, rt_dd_of(1), false);
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            descriptor_extended_add(&d->E, x->E, n + M->row[e], n + c, x->M[e], false);
        for (int e = G->start[c]; e < G->start[c + 1]; e++) {
            const int slot = x->slot[G->row[e]];
            if (slot < 0) continue;
            descriptor_extended_add(&d->A, x->A, 2 * n + slot, c, x->G[e], true);
            descriptor_extended_add(&d->A, x->A, n + c, 2 * n + slot, x->G[e], true);
        }
    }
    descriptor_extended_put(x, &m->pattern_K, x->K, 0);
    descriptor_extended_put(x, &m->pattern_K, x->D, n);
    for (int r = 0; r < m->n_rows; r++)
        for (int e = L->start[r]; e < L->start[r + 1]; e++)
            if (x->slot[r] >= 0)
                descriptor_extended_add(&d->A, x->A, n + L->row[e], 2 * n + x->slot[r], x->L[e],
                                        true);
}

static routh_status descriptor_extended_evaluate(descriptor_extended *x, bool shaken,
                                                 unsigned long long *seed, routh_error *error)
{
    const rt_state *s = x->task->search.state;
    const rt_varied_state at = rt_varied_state_of(s);
    routh_status status = rt_wide_place(x->wide, &at, s->held, error);
    if (!status && shaken) rt_wide_shake(x->wide, seed);
    if (!status) status = rt_wide_evaluate(x->wide, RT_EVALUATE_ALL, error);
    if (status) return status;
    rt_wide_read(x->wide, RT_VARIED_M, x->M);
    rt_wide_read(x->wide, RT_VARIED_K, x->K);
    rt_wide_read(x->wide, RT_VARIED_D, x->D);
    rt_wide_read(x->wide, RT_VARIED_G, x->G);
    rt_wide_read(x->wide, RT_VARIED_L, x->L);
    descriptor_extended_gather(x);
    return ROUTH_OK;
}

static void descriptor_extended_round(const rt_dd *sums, routh_sparse *to, double *rest)
{
    for (int e = 0; e < to->start[to->n_columns]; e++)
        to->value[e] = sums[e].high, rest[e] = sums[e].low;
}

static void descriptor_extended_compare(const rt_dd *sums, const routh_sparse *of,
                                        const double *rest, double *change)
{
    for (int e = 0; e < of->start[of->n_columns]; e++)
        change[e] = rt_dd_subtract(sums[e], rt_dd_sum_of(of->value[e], rest[e])).high;
}

static routh_status descriptor_extended_fill(descriptor_extended *x, rt_arena *arena,
                                             routh_error *error)
{
    routh_descriptor *d = x->d;
    const size_t n_E = (size_t)d->E.start[d->E.n_columns], n_A = (size_t)d->A.start[d->A.n_columns];
    unsigned long long seed = 1;
    double *E_rest = RT_TAKE(arena, double, n_E), *A_rest = RT_TAKE(arena, double, n_A),
           *E_error = RT_TAKE(arena, double, ROUTH_ERROR_SAMPLES *n_E),
           *A_error = RT_TAKE(arena, double, ROUTH_ERROR_SAMPLES *n_A);
    if (!E_rest || !A_rest || !E_error || !A_error) return rt_fail_memory(error);
    routh_status status = descriptor_extended_evaluate(x, false, &seed, error);
    if (status) return status;
    descriptor_extended_round(x->E, &d->E, E_rest);
    descriptor_extended_round(x->A, &d->A, A_rest);
    for (int k = 0; k < ROUTH_ERROR_SAMPLES && !status; k++) {
        status = descriptor_extended_evaluate(x, true, &seed, error);
        if (status) return status;
        descriptor_extended_compare(x->E, &d->E, E_rest, E_error + (size_t)k * n_E);
        descriptor_extended_compare(x->A, &d->A, A_rest, A_error + (size_t)k * n_A);
    }
    d->E_rest = E_rest, d->A_rest = A_rest, d->E_error = E_error, d->A_error = A_error;
    return ROUTH_OK;
}

routh_status rt_descriptor_extend(routh_descriptor *d, const rt_linear_task *t, const int *slot,
                                  rt_arena *arena, routh_error *error)
{
    const routh_mechanism *m = t->search.m;
    if (!rt_wide_exists() || m->set != &rt_absolute || rt_graph_has_users(m->graph) ||
        rt_extended_is_on_kink(&t->search))
        return ROUTH_OK;
    rt_arena scratch = {0};
    descriptor_extended x = {.task = t, .m = m, .d = d, .slot = slot};
    routh_status status = descriptor_extended_take(&x, &scratch, error);
    if (!status) status = rt_wide_create(&x.wide, m->model, error);
    if (!status) status = descriptor_extended_fill(&x, arena, error);
    rt_wide_free(x.wide);
    rt_arena_free(&scratch);
    return status;
}
