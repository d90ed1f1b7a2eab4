/* R = [G; S]^-1 [0; I]: the tangent of the constraint manifold. */
#include <stdlib.h>

#include "operating/operating.h"

static size_t basis_list_entries(const rt_search *s, const int *slot, const int *independent, int z,
                                 int *row, int *column)
{
    const rt_pattern *G = &s->m->pattern_G;
    size_t e = 0;
    for (int c = 0; c < G->n_columns; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            if (slot[G->row[p]] >= 0) row[e] = slot[G->row[p]], column[e++] = c;
    for (int k = 0; k < z; k++) row[e] = s->rank->rank + k, column[e++] = independent[k];
    return e;
}

static void basis_fill(const rt_search *s, const int *slot, int z, const int *position,
                       double *values)
{
    const rt_pattern *G = &s->m->pattern_G;
    for (int c = 0; c < G->n_columns; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            if (slot[G->row[p]] >= 0) values[*position++] = s->w->G[p];
    for (int k = 0; k < z; k++) values[*position++] = 1;
}

routh_status rt_tangent_basis(const rt_search *s, const int *independent, int z, double *R,
                              routh_error *error)
{
    const int n = s->m->n_u, m = s->m->n_rows;
    rt_arena arena = {.kept = s->m->analyses};
    rt_pattern pattern;
    rt_factor *factor = NULL;
    const size_t room = (size_t)s->m->pattern_G.start[n] + (size_t)z;
    int *slot = RT_TAKE(&arena, int, m), *row = RT_TAKE(&arena, int, room);
    int *column = RT_TAKE(&arena, int, room), *position = RT_TAKE(&arena, int, room);
    double *values = RT_TAKE(&arena, double, room);
    routh_status status =
        slot && row && column && position && values ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        for (int r = 0, kept = 0; r < m; r++) slot[r] = s->rank->row_step[r] < 0 ? -1 : kept++;
        const size_t e = basis_list_entries(s, slot, independent, z, row, column);
        status = rt_pattern_build_kept(&pattern, n, n, e, row, column, position, &arena,
                                       s->m->analyses, error);
    }
    if (!status) {
        basis_fill(s, slot, z, position, values);
        status = rt_factor_create_kept(&factor, &pattern, RT_ORDER_COLAMD, s->m->analyses, error);
    }
    if (!status) status = rt_factor_numeric(factor, values, error);
    if (!status) {
        memset(R, 0, (size_t)n * (size_t)z * sizeof *R);
        for (int k = 0; k < z; k++) R[(size_t)k * n + s->rank->rank + k] = 1;
        status = rt_factor_solve(factor, R, z, NULL, error);
    }
    rt_factor_free(factor);
    rt_arena_free(&arena);
    return status;
}
