/* See entries.h. For mechanisms of either kind of rt_scalar. */
#include "system/entries.h"

#include <stdlib.h>

static bool entries_reserve(rt_entries *e, size_t more)
{
    if (e->failed || e->n + more <= e->room) return !e->failed;
    const size_t room = 2 * e->room + more + 1024;
    int *row = realloc(e->row, room * sizeof *row);
    if (row) e->row = row;
    int *column = realloc(e->column, room * sizeof *column);
    if (column) e->column = column;
    e->failed = !row || !column;
    if (!e->failed) e->room = room;
    return !e->failed;
}

void rt_entries_add(rt_entries *e, int row, int column)
{
    if (!entries_reserve(e, 1)) return;
    e->row[e->n] = row;
    e->column[e->n++] = column;
}

void rt_entries_add_product(rt_entries *e, const int *rows, int n_rows, const int *columns,
                            int n_columns)
{
    if (!entries_reserve(e, (size_t)n_rows * (size_t)n_columns)) return;
    for (int i = 0; i < n_rows; i++)
        for (int j = 0; j < n_columns; j++) {
            e->row[e->n] = rows[i];
            e->column[e->n++] = columns[j];
        }
}

routh_status rt_entries_build(rt_entries *e, rt_pattern *pattern, int n_rows, int n_columns,
                              int **position, rt_arena *arena, routh_error *error)
{
    *position = e->failed ? NULL : RT_TAKE(arena, int, e->n);
    const routh_status status =
        *position ? rt_pattern_build(pattern, n_rows, n_columns, e->n, e->row, e->column,
                                     *position, arena, error)
                  : rt_fail_memory(error);
    free(e->row);
    free(e->column);
    *e = (rt_entries){0};
    return status;
}
