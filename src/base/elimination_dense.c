#include <math.h>
#include <string.h>

#include "base/elimination_paths.h"
#include "base/kept_memory.h"

/* Entries must beat the best so far by this to replace it, so that equal ones go by lowest row and
 * column whatever the last digit. */
static const double TIE = 1 + 1e-10;

/* The matrix s and the rows and columns not yet eliminated, in ascending order. */
typedef struct dense {
    const rt_elimination_task *task;
    int n_rows, n_columns; /* remaining */
    size_t stride;
    double *s;
    int *rows, *columns;
} dense;

static void elimination_dense_load(dense *d)
{
    const rt_elimination_task *t = d->task;
    const rt_pattern *p = t->pattern;
    memset(d->s, 0, (size_t)p->n_rows * d->stride * sizeof *d->s);
    for (int j = 0; j < p->n_columns; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            d->s[(size_t)p->row[k] * d->stride + (size_t)j] +=
                t->row_scale[p->row[k]] * t->values[k];
    for (int i = 0; i < p->n_rows; i++) d->rows[i] = i;
    for (int j = 0; j < p->n_columns; j++) d->columns[j] = j;
}

/* The weighted largest entry that is not zero, as positions in rows and columns; false when none is
 * left. */
static bool elimination_dense_find(const dense *d, int *row_at, int *column_at)
{
    const rt_elimination_task *t = d->task;
    double best = 0;
    for (int a = 0; a < d->n_rows; a++) {
        const int i = d->rows[a];
        const double *s = d->s + (size_t)i * d->stride;
        const double zero = t->tolerance * t->growth[i];
        for (int b = 0; b < d->n_columns; b++) {
            const int j = d->columns[b];
            const double size = fabs(s[j]),
                         weighted = t->row_weight[i] * t->column_weight[j] * size;
            if (weighted > TIE * best && size > zero) best = weighted, *row_at = a, *column_at = b;
        }
    }
    return best > 0;
}

static void elimination_dense_drop(int *list, int *length, int at)
{
    --*length;
    memmove(list + at, list + at + 1, (size_t)(*length - at) * sizeof *list);
}

/* s_ij -= (s_iq / s_pq) s_pj for the remaining rows i and columns j */
static void elimination_dense_update(dense *d, int p, int q)
{
    const rt_elimination_task *t = d->task;
    const double *pivot = d->s + (size_t)p * d->stride;
    for (int a = 0; a < d->n_rows; a++) {
        const int i = d->rows[a];
        double *s = d->s + (size_t)i * d->stride;
        if (s[q] == 0) continue;
        const double l = s[q] / pivot[q];
        for (int b = 0; b < d->n_columns; b++) {
            const double product = l * pivot[d->columns[b]];
            s[d->columns[b]] -= product;
            t->growth[i] = fmax(t->growth[i], fabs(product));
        }
        t->result->operations += (size_t)d->n_columns;
    }
}

static double largest_left(const dense *d)
{
    double largest = 0;
    for (int a = 0; a < d->n_rows; a++)
        for (int b = 0; b < d->n_columns; b++) {
            const int i = d->rows[a];
            largest = fmax(largest, fabs(d->s[(size_t)i * d->stride + (size_t)d->columns[b]]) /
                                        d->task->growth[i]);
        }
    return largest;
}

routh_status rt_eliminate_dense(const rt_elimination_task *task, routh_error *error)
{
    const int m = task->pattern->n_rows, n = task->pattern->n_columns;
    dense d = {.task = task, .n_rows = m, .n_columns = n, .stride = (size_t)n};
    const size_t bytes = (size_t)m * (size_t)n * sizeof *d.s;
    d.s = rt_kept_malloc(task->analyses, bytes + ((size_t)m + (size_t)n + 1) * sizeof(int));
    if (!d.s) return rt_fail_memory(error);
    d.rows = (int *)((char *)d.s + bytes);
    d.columns = d.rows + m;
    elimination_dense_load(&d);
    int a, b;
    while (elimination_dense_find(&d, &a, &b)) {
        const int p = d.rows[a], q = d.columns[b];
        const double size = fabs(d.s[(size_t)p * d.stride + (size_t)q]) / task->growth[p];
        rt_elimination_accept(task->result, p, q, size);
        elimination_dense_drop(d.rows, &d.n_rows, a);
        elimination_dense_drop(d.columns, &d.n_columns, b);
        elimination_dense_update(&d, p, q);
    }
    task->result->largest_rejected = largest_left(&d);
    rt_kept_free(d.s);
    return ROUTH_OK;
}
