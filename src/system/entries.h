/* A growing list of (row, column) pairs, of which a pattern is made. */
#ifndef RT_SYSTEM_ENTRIES_H
#define RT_SYSTEM_ENTRIES_H

#include <stdbool.h>

#include "base/sparse.h"

typedef struct rt_entries {
    int *row, *column;
    size_t n, room;
    bool failed; /* memory ran out; later additions do nothing */
} rt_entries;

void rt_entries_add(rt_entries *entries, int row, int column);

/* All pairs of rows[n_rows] and columns[n_columns], row by row. */
void rt_entries_add_product(rt_entries *entries, const int *rows, int n_rows, const int *columns,
                            int n_columns);

/* The pattern of what was added, and where each addition went: position, in the arena. The list is
 * empty afterwards, whatever the status. */
routh_status rt_entries_build(rt_entries *entries, rt_pattern *pattern, int n_rows, int n_columns,
                              int **position, rt_arena *arena, routh_error *error);

#endif
