#include "base/sparse.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Scratch of one build: the pairs ordered by row, then by column within the ascending rows. */
typedef struct sorter {
    int *by_row;    /* pair indices, rows ascending */
    int *by_column; /* pair indices, columns ascending and rows ascending within a column */
    int *count;     /* max(n_rows, n_columns) + 1 */
} sorter;

static routh_status sparse_pattern_check(int n_rows, int n_columns, size_t n_entries,
                                         const int *rows, const int *columns, routh_error *error)
{
    if (n_rows < 0 || n_columns < 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "a sparse matrix of %d rows and %d columns: sizes must be 0 or more", n_rows,
                       n_columns);
    if (n_entries > INT_MAX - 1)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "a sparse matrix of %zu entries: at most %d are possible", n_entries,
                       INT_MAX - 1);
    for (size_t k = 0; k < n_entries; k++)
        if (rows[k] < 0 || rows[k] >= n_rows || columns[k] < 0 || columns[k] >= n_columns)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "entry %zu of a sparse matrix is at (%d, %d), outside its %d x %d", k,
                           rows[k], columns[k], n_rows, n_columns);
    return ROUTH_OK;
}

/* One stable counting sort: out = the indices in (NULL: 0, 1, 2, ...) ordered by key. */
static void counting_sort(int n, int n_keys, const int *key, const int *in, int *out, int *count)
{
    for (int k = 0; k <= n_keys; k++) count[k] = 0;
    for (int e = 0; e < n; e++) count[key[e] + 1]++;
    for (int k = 0; k < n_keys; k++) count[k + 1] += count[k];
    for (int e = 0; e < n; e++) {
        const int entry = in ? in[e] : e;
        out[count[key[entry]]++] = entry;
    }
}

/* Walks the sorted pairs, storing each different one once. */
static void sparse_pattern_merge(rt_pattern *p, int n, const int *rows, const int *columns,
                                 const int *order, int *position)
{
    int stored = 0, column = -1;
    for (int e = 0; e < n; e++) {
        const int k = order[e];
        const int repeat =
            e && columns[k] == columns[order[e - 1]] && rows[k] == rows[order[e - 1]];
        while (column < columns[k]) p->start[++column] = stored;
        if (!repeat) p->row[stored++] = rows[k];
        if (position) position[k] = stored - 1;
    }
    while (column < p->n_columns) p->start[++column] = stored;
}

routh_status rt_pattern_build(rt_pattern *pattern, int n_rows, int n_columns, size_t n_entries,
                              const int *rows, const int *columns, int *position, rt_arena *arena,
                              routh_error *error)
{
    *pattern = (rt_pattern){0};
    const routh_status status =
        sparse_pattern_check(n_rows, n_columns, n_entries, rows, columns, error);
    if (status) return status;
    const int n = (int)n_entries, n_keys = n_rows > n_columns ? n_rows : n_columns;
    rt_pattern p = {n_rows, n_columns, RT_TAKE(arena, int, (size_t)n_columns + 1),
                    RT_TAKE(arena, int, n_entries)};
    sorter s = {rt_kept_malloc(arena->kept, (n_entries + 1) * sizeof(int)),
                rt_kept_malloc(arena->kept, (n_entries + 1) * sizeof(int)),
                rt_kept_malloc(arena->kept, ((size_t)n_keys + 1) * sizeof(int))};
    const int ok = p.start && p.row && s.by_row && s.by_column && s.count;
    if (ok) {
        counting_sort(n, n_rows, rows, NULL, s.by_row, s.count);
        counting_sort(n, n_columns, columns, s.by_row, s.by_column, s.count);
        sparse_pattern_merge(&p, n, rows, columns, s.by_column, position);
        *pattern = p;
    }
    rt_kept_free(s.by_row), rt_kept_free(s.by_column), rt_kept_free(s.count);
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

int rt_pattern_find(const rt_pattern *p, int row, int column)
{
    int low = p->start[column], high = p->start[column + 1] - 1;
    while (low <= high) {
        const int middle = low + (high - low) / 2;
        if (p->row[middle] == row) return middle;
        if (p->row[middle] < row)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

/* A zero of negative sign, which + 0 makes one of positive sign. No sum makes one of others. */
static bool has_minus_zero(const double *y, int n)
{
    static const uint64_t MINUS_ZERO = (uint64_t)1 << 63;
    uint64_t bits, top = 0;
    for (int i = 0; i < n; i++) {
        memcpy(&bits, &y[i], sizeof bits);
        bits ^= MINUS_ZERO;
        top |= (bits - 1) & ~bits; /* the highest bit: of zero alone */
    }
    return top >> 63;
}

/* Columns by which 0 is added are left out where that is the same to the bit. */
void rt_sparse_multiply_add(const rt_pattern *p, const double *values, double s, const double *x,
                            double *y)
{
    const bool all = has_minus_zero(y, p->n_rows);
    for (int j = 0; j < p->n_columns; j++) {
        const double f = s * x[j];
        if (f == 0 && !all) continue;
        for (int k = p->start[j]; k < p->start[j + 1]; k++) y[p->row[k]] += f * values[k];
    }
}

void rt_sparse_transpose_multiply_add(const rt_pattern *p, const double *values, double s,
                                      const double *x, double *y)
{
    for (int j = 0; j < p->n_columns; j++) {
        double sum = 0;
        for (int k = p->start[j]; k < p->start[j + 1]; k++) sum += values[k] * x[p->row[k]];
        y[j] += s * sum;
    }
}

bool rt_pattern_is_bordered(const rt_pattern *p)
{
    const double dense = fmax(16, 10 * sqrt(p->n_columns));
    for (int c = 0; c < p->n_columns; c++)
        if (p->start[c + 1] - p->start[c] > dense) return true;
    return false;
}
