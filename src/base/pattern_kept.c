/* Patterns of lists of entries that were met before. */
#include <stdlib.h>
#include <string.h>

#include "base/analyses.h"

static bool is_pattern_of(const rt_kept_pattern *k, const rt_kept_pattern *of)
{
    const size_t bytes = of->n_entries * sizeof(int);
    return k->n_rows == of->n_rows && k->n_columns == of->n_columns &&
           k->n_entries == of->n_entries && memcmp(k->rows, of->rows, bytes) == 0 &&
           memcmp(k->columns, of->columns, bytes) == 0;
}

static bool give_pattern(const rt_kept_pattern *k, rt_pattern *out, int *position, rt_arena *arena)
{
    const size_t n = (size_t)k->n_columns + 1, stored = (size_t)k->start[k->n_columns];
    *out = (rt_pattern){k->n_rows, k->n_columns, RT_TAKE(arena, int, n),
                        RT_TAKE(arena, int, k->n_entries)};
    if (!out->start || !out->row) return false;
    memcpy(out->start, k->start, n * sizeof *out->start);
    memcpy(out->row, k->row, stored * sizeof *out->row);
    if (position) memcpy(position, k->position, k->n_entries * sizeof *position);
    return true;
}

/* Without memory, or with enough of them, it is not kept. */
static void keep_pattern(rt_analyses *a, const rt_kept_pattern *of, const rt_pattern *p,
                         const int *position)
{
    const size_t n = of->n_entries, columns = (size_t)of->n_columns + 1;
    if (a->n_patterns == RT_MOST_PATTERNS) return;
    rt_kept_pattern *k = &a->pattern[a->n_patterns];
    *k = *of;
    k->rows = malloc((4 * n + columns) * sizeof *k->rows);
    if (!k->rows) return;
    k->columns = k->rows + n;
    k->position = k->columns + n;
    k->row = k->position + n;
    k->start = k->row + n;
    memcpy(k->rows, of->rows, n * sizeof(int));
    memcpy(k->columns, of->columns, n * sizeof(int));
    memcpy(k->position, position, n * sizeof(int));
    memcpy(k->row, p->row, (size_t)p->start[p->n_columns] * sizeof(int));
    memcpy(k->start, p->start, columns * sizeof(int));
    a->n_patterns++;
}

routh_status rt_pattern_build_kept(rt_pattern *pattern, int n_rows, int n_columns, size_t n_entries,
                                   const int *rows, const int *columns, int *position,
                                   rt_arena *arena, rt_analyses *analyses, routh_error *error)
{
    if (!rt_analyses_begin(analyses))
        return rt_pattern_build(pattern, n_rows, n_columns, n_entries, rows, columns, position,
                                arena, error);
    const rt_kept_pattern of = {n_rows, n_columns, (int *)rows, (int *)columns,
                                NULL,   NULL,      NULL,        n_entries};
    routh_status status = ROUTH_OK;
    int found = 0;
    while (found < analyses->n_patterns && !is_pattern_of(&analyses->pattern[found], &of)) found++;
    if (found < analyses->n_patterns) {
        if (!give_pattern(&analyses->pattern[found], pattern, position, arena))
            status = rt_fail_memory(error);
    } else {
        status = rt_pattern_build(pattern, n_rows, n_columns, n_entries, rows, columns, position,
                                  arena, error);
        if (!status) keep_pattern(analyses, &of, pattern, position);
    }
    rt_analyses_end(analyses);
    return status;
}
