#include "base/elimination.h"

#include <math.h>
#include <string.h>

#include "base/elimination_paths.h"
#include "base/kept_memory.h"

/* Full pivoting looks at every entry at every step, which gives the best conditioned choice; on the
 * Jacobians of mechanisms it takes 3 us for 400 entries, 12 us for 1000, 66 us for 3500, the sparse
 * path 3, 6 and 15 us. */
static const double DENSE_ENTRIES = 1024;

/* Pivots and what was rejected must differ by this factor for a clear answer. */
static const double CLEAR_GAP = 1e3;

/* The result and its five arrays are one allocation. */
size_t rt_elimination_bytes(int n_rows, int n_columns)
{
    const size_t m = (size_t)n_rows, n = (size_t)n_columns, most = m < n ? m : n;
    return sizeof(rt_elimination) + most * sizeof(double) + (m + n + 2 * most) * sizeof(int);
}

static void set_arrays(rt_elimination *e)
{
    const size_t m = (size_t)e->n_rows, n = (size_t)e->n_columns, most = m < n ? m : n;
    e->pivot_size = (double *)(void *)(e + 1);
    e->row_step = (int *)(void *)(e->pivot_size + most);
    e->column_step = e->row_step + m;
    e->pivot_row = e->column_step + n;
    e->pivot_column = e->pivot_row + most;
}

static rt_elimination *new_result(int n_rows, int n_columns, rt_analyses *analyses)
{
    rt_elimination *e = rt_kept_malloc(analyses, rt_elimination_bytes(n_rows, n_columns));
    if (!e) return NULL;
    *e = (rt_elimination){.n_rows = n_rows, .n_columns = n_columns, .smallest_pivot = INFINITY};
    set_arrays(e);
    for (int i = 0; i < n_rows + n_columns; i++) e->row_step[i] = -1;
    return e;
}

rt_elimination *rt_elimination_copy(const rt_elimination *elimination, rt_analyses *analyses)
{
    const size_t bytes = rt_elimination_bytes(elimination->n_rows, elimination->n_columns);
    rt_elimination *e = rt_kept_malloc(analyses, bytes);
    if (!e) return NULL;
    memcpy(e, elimination, bytes);
    set_arrays(e);
    return e;
}

static routh_status elimination_fill_weights(double *to, const double *from, int n,
                                             const char *what, routh_error *error)
{
    for (int i = 0; i < n; i++) {
        to[i] = from ? from[i] : 1;
        if (!(to[i] >= 1e-100 && to[i] <= 1e100))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "the weight of %s %d of an elimination is %g: it must lie "
                           "between 1e-100 and 1e100",
                           what, i, to[i]);
    }
    return ROUTH_OK;
}

/* row_scale_i = 1 / max_j |a_ij| */
static routh_status elimination_scale_rows(rt_elimination_task *t, routh_error *error)
{
    const rt_pattern *p = t->pattern;
    for (int i = 0; i < p->n_rows; i++) t->row_scale[i] = 0;
    for (int k = 0; k < p->start[p->n_columns]; k++) {
        const double size = fabs(t->values[k]);
        if (!isfinite(size))
            return rt_fail(
                error, ROUTH_NUMERIC_ERROR,
                "row %d of a matrix to be eliminated holds an entry that is not a finite number",
                p->row[k]);
        if (size > t->row_scale[p->row[k]]) t->row_scale[p->row[k]] = size;
    }
    /* a largest entry too small to be inverted is as good as zero */
    for (int i = 0; i < p->n_rows; i++)
        t->row_scale[i] = t->row_scale[i] > 1e-300 ? 1 / t->row_scale[i] : 0;
    return ROUTH_OK;
}

static routh_status elimination_prepare(rt_elimination_task *t, double *memory,
                                        const double *row_weight, const double *column_weight,
                                        routh_error *error)
{
    const int m = t->pattern->n_rows, n = t->pattern->n_columns;
    t->row_scale = memory;
    t->row_weight = t->row_scale + m;
    t->growth = t->row_weight + m;
    t->column_weight = t->growth + m;
    for (int i = 0; i < m; i++) t->growth[i] = 1;
    routh_status status = elimination_fill_weights(t->row_weight, row_weight, m, "row", error);
    if (!status)
        status = elimination_fill_weights(t->column_weight, column_weight, n, "column", error);
    if (!status) status = elimination_scale_rows(t, error);
    return status;
}

static routh_status elimination_run(rt_elimination_task *t, int path, routh_error *error)
{
    const double entries = (double)t->pattern->n_rows * t->pattern->n_columns;
    if (path == 0) path = entries <= DENSE_ENTRIES ? 1 : 2;
    const routh_status status =
        path == 1 ? rt_eliminate_dense(t, error) : rt_eliminate_sparse(t, error);
    rt_elimination *e = t->result;
    const bool gap =
        e->largest_rejected == 0 || e->smallest_pivot >= CLEAR_GAP * e->largest_rejected;
    e->clear = gap ? RT_YES : RT_CANNOT_TELL;
    return status;
}

routh_status rt_eliminate(rt_elimination **out, const rt_pattern *pattern, const double *values,
                          const double *row_weight, const double *column_weight, double tolerance,
                          int path, routh_error *error)
{
    return rt_eliminate_in(out, pattern, values, row_weight, column_weight, tolerance, path, NULL,
                           error);
}

routh_status rt_eliminate_in(rt_elimination **out, const rt_pattern *pattern, const double *values,
                             const double *row_weight, const double *column_weight,
                             double tolerance, int path, rt_analyses *analyses, routh_error *error)
{
    enum { SMALL = 64 };
    double small[SMALL];
    const size_t need = 3 * (size_t)pattern->n_rows + (size_t)pattern->n_columns;
    *out = NULL;
    if (!(tolerance >= 0 && tolerance < 1) || path < 0 || path > 2)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "an elimination with tolerance %g and path %d: the tolerance must "
                       "be in [0, 1) and the path 0, 1 or 2",
                       tolerance, path);
    rt_elimination_task task = {.pattern = pattern,
                                .values = values,
                                .tolerance = fmax(tolerance, 1e-100),
                                .analyses = analyses};
    double *memory = need <= SMALL ? small : rt_kept_malloc(analyses, need * sizeof *memory);
    task.result = new_result(pattern->n_rows, pattern->n_columns, analyses);
    routh_status status = memory && task.result ? ROUTH_OK : rt_fail_memory(error);
    if (!status) status = elimination_prepare(&task, memory, row_weight, column_weight, error);
    if (!status) status = elimination_run(&task, path, error);
    if (memory != small) rt_kept_free(memory);
    if (status)
        rt_elimination_free(task.result);
    else
        *out = task.result;
    return status;
}

void rt_elimination_free(rt_elimination *elimination) { rt_kept_free(elimination); }
