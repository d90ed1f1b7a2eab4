#include "base/kept_memory.h"
#include "methods/manifold.h"

#include "base/parallel_solve.h"

static size_t manifold_list_entries(const rt_manifold *p, int *row, int *column)
{
    const rt_pattern *G = &p->s->m->pattern_G;
    size_t e = 0;
    for (int c = 0; c < G->n_columns; c++)
        for (int k = G->start[c]; k < G->start[c + 1]; k++)
            if (p->slot[G->row[k]] >= 0) row[e] = p->slot[G->row[k]], column[e++] = c;
    for (int k = 0; k < p->z; k++)
        for (int c = 0; c < p->rows[k].n; c++)
            row[e] = p->n_kept + k, column[e++] = p->rows[k].columns[c];
    return e;
}

static routh_status manifold_make_pattern(rt_manifold *p, rt_arena *arena, routh_error *error)
{
    size_t room = (size_t)p->s->m->pattern_G.start[p->n];
    for (int k = 0; k < p->z; k++) room += (size_t)p->rows[k].n;
    int *row = rt_kept_malloc(p->s->m->analyses, (2 * room + 1) * sizeof *row),
        *column = row ? row + room : NULL;
    p->position = RT_TAKE(arena, int, room);
    routh_status status = row && p->position ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        const size_t e = manifold_list_entries(p, row, column);
        status = rt_pattern_build_kept(&p->pattern, p->n, p->n, e, row, column, p->position, arena,
                                       p->s->m->analyses, error);
    }
    rt_kept_free(row);
    if (status) return status;
    p->values = RT_TAKE(arena, double, p->pattern.start[p->n]);
    if (!p->values) return rt_fail_memory(error);
    return rt_factor_create_kept(&p->factor, &p->pattern, RT_ORDER_COLAMD, p->s->m->analyses,
                                 error);
}

routh_status rt_manifold_create(rt_manifold *p, const rt_method_task *task, rt_manifold_level level,
                                rt_arena *arena, routh_error *error)
{
    const rt_search *s = task->search;
    const bool position = level == RT_MANIFOLD_POSITION;
    const int *step = (position ? rt_position_rank(s) : s->rank)->row_step;
    *p = (rt_manifold){
        .s = s, .level = level, .n = s->m->n_u, .z = position ? task->states->z : task->states->z1};
    p->slot = RT_TAKE(arena, int, s->m->n_rows);
    p->full = RT_TAKE(arena, double, s->m->n_rows);
    if (!p->slot || !p->full) return rt_fail_memory(error);
    for (int r = 0; r < s->m->n_rows; r++) p->slot[r] = step[r] < 0 ? -1 : p->n_kept++;
    const routh_status status =
        (position ? rt_state_rows : rt_rate_rows)(task, arena, &p->rows, error);
    return status ? status : manifold_make_pattern(p, arena, error);
}

void rt_manifold_release(rt_manifold *p)
{
    rt_factor_free(p->factor);
    p->factor = NULL;
}

routh_status rt_manifold_factor(rt_manifold *p, const rt_method_task *task, routh_error *error)
{
    const rt_pattern *G = &p->s->m->pattern_G;
    const int *to = p->position;
    if (p->level == RT_MANIFOLD_POSITION)
        rt_state_rows_fill(task, p->rows);
    else
        rt_rate_rows_fill(task, p->rows);
    memset(p->values, 0, (size_t)p->pattern.start[p->n] * sizeof *p->values);
    for (int e = 0; e < G->start[p->n]; e++)
        if (p->slot[G->row[e]] >= 0) p->values[*to++] += p->s->w->G[e];
    for (int k = 0; k < p->z; k++)
        for (int c = 0; c < p->rows[k].n; c++) p->values[*to++] += p->rows[k].s_x[c];
    return rt_factor_numeric(p->factor, p->values, error);
}

static bool manifold_is_zero(const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (b[i] != 0) return false;
    return true;
}

/* Causes that do not move the mechanism leave columns of zeros, which stay so: the others are
 * solved in runs. */
routh_status rt_manifold_solve(const rt_manifold *p, double *B, int n_columns, int threads,
                               routh_error *error)
{
    if (p->solver) return p->solver->solve(p->solver, B, n_columns, error);
    const size_t n = (size_t)p->n;
    routh_status status = ROUTH_OK;
    for (int first = 0, last; first < n_columns && !status; first = last + 1) {
        for (last = first; last < n_columns && !manifold_is_zero(B + n * (size_t)last, n);) last++;
        if (last > first)
            status = rt_factor_solve_parallel(p->factor, p->n, B + n * (size_t)first, last - first,
                                              threads, p->s->progress, error);
    }
    return status;
}

routh_status rt_manifold_solve_transposed(const rt_manifold *p, double *b, routh_error *error)
{
    if (p->solver) return p->solver->solve_transposed(p->solver, b, error);
    return rt_factor_solve_transposed(p->factor, b, 1, NULL, error);
}

void rt_manifold_subtract(const rt_manifold *p, const double *values, const double *x, double *b)
{
    const routh_mechanism *m = p->s->m;
    memset(p->full, 0, (size_t)m->n_rows * sizeof(double));
    rt_sparse_multiply_add(&m->pattern_G, values, 1, x, p->full);
    for (int r = 0; r < m->n_rows; r++)
        if (p->slot[r] >= 0) b[p->slot[r]] -= p->full[r];
}
