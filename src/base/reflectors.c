#include "base/reflectors.h"

#include <stdbool.h>
#include <string.h>

#include <lapacke.h>

/* Columns of a panel. */
enum { PANEL = 16 };

static const char what[] = "the QR factorization";

static int reflectors_width_of(const rt_reflectors *q, int first)
{
    return q->m - first < PANEL ? q->m - first : PANEL;
}

static double *reflectors_entry(const rt_reflectors *q, int row, int column)
{
    return q->a + row + (size_t)q->n * (size_t)column;
}

/* b := H b or H' b by the panel that begins at column `first`, on its rows of b (`apart` apart) */
static lapack_int apply_panel(const rt_reflectors *q, int first, int transposed, int columns,
                              double *b, int apart)
{
    const int width = reflectors_width_of(q, first), rows = q->last[first / PANEL] - first;
    return LAPACKE_dgemqrt_work(LAPACK_COL_MAJOR, 'L', transposed ? 'T' : 'N', rows, columns, width,
                                width, reflectors_entry(q, first, first), q->n,
                                q->blocks + (size_t)PANEL * (size_t)first, PANEL, b + first, apart,
                                q->work);
}

/* Where the entries of each column begin and end; false where one is not finite. */
static bool reflectors_measure(rt_reflectors *q)
{
    double sum = 0;
    for (int j = 0; j < q->m; j++) {
        const double *column = reflectors_entry(q, 0, j);
        int begin = 0, end = q->n;
        while (end > 0 && column[end - 1] == 0) end--;
        while (begin < end && column[begin] == 0) begin++;
        for (int i = begin; i < end; i++) sum += 0 * column[i];
        q->begin[j] = begin, q->end[j] = end;
    }
    return sum == 0;
}

/* H' on the columns after the panel that have entries in its rows, runs of them at once. One that
 * had entries in the rows of a panel before keeps them in these. */
static lapack_int reflectors_update(const rt_reflectors *q, int first)
{
    const int last = q->last[first / PANEL];
    lapack_int info = 0;
    for (int j = first + reflectors_width_of(q, first); j < q->m && !info; j++) {
        const int from = j;
        while (j < q->m && j - from < RT_REFLECTED_COLUMNS && q->begin[j] < last) j++;
        if (j > from)
            info = apply_panel(q, first, 1, j - from, reflectors_entry(q, 0, from), q->n), j--;
    }
    return info;
}

static lapack_int reduce_panel(rt_reflectors *q, int first, int last)
{
    const int width = reflectors_width_of(q, first);
    q->last[first / PANEL] = last;
    const lapack_int info = LAPACKE_dgeqrt_work(
        LAPACK_COL_MAJOR, last - first, width, width, reflectors_entry(q, first, first), q->n,
        q->blocks + (size_t)PANEL * (size_t)first, PANEL, q->work);
    return info ? info : reflectors_update(q, first);
}

static routh_status reflectors_factor(rt_reflectors *q, routh_error *error)
{
    int last = 0;
    if (!reflectors_measure(q))
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "%s of a matrix of order %d: an entry is not a finite number", what, q->n);
    for (int first = 0; first < q->m; first += PANEL) {
        const int end = first + reflectors_width_of(q, first);
        if (last < end) last = end;
        for (int j = first; j < end; j++)
            if (last < q->end[j]) last = q->end[j];
        const lapack_int info = reduce_panel(q, first, last);
        if (info)
            return rt_fail(error, ROUTH_NUMERIC_ERROR, "%s failed (code %d)", what, (int)info);
    }
    return ROUTH_OK;
}

routh_status rt_reflectors_make(rt_reflectors *q, int n, int m, double *a, rt_arena *arena,
                                routh_error *error)
{
    if (m < 0 || n < m)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "%s needs at least as many rows as columns, not %d x %d", what, n, m);
    *q = (rt_reflectors){.n = n, .m = m, .a = a};
    q->blocks = RT_TAKE(arena, double, (size_t)PANEL *(size_t)m);
    q->last = RT_TAKE(arena, int, m / PANEL + 1);
    q->begin = RT_TAKE(arena, int, m);
    q->end = RT_TAKE(arena, int, m);
    q->work = RT_TAKE(arena, double, PANEL *RT_REFLECTED_COLUMNS);
    if (!q->blocks || !q->last || !q->begin || !q->end || !q->work) return rt_fail_memory(error);
    return reflectors_factor(q, error);
}

/* What LAPACK is given was checked when Q was made, so it cannot fail. */
static void apply_all(const rt_reflectors *q, int transposed, int columns, double *b)
{
    const int n_panels = (q->m + PANEL - 1) / PANEL;
    for (int k = 0; k < n_panels; k++) {
        const int panel = transposed ? k : n_panels - 1 - k;
        (void)apply_panel(q, PANEL * panel, transposed, columns, b, q->n);
    }
}

void rt_reflectors_apply(const rt_reflectors *q, int transposed, int columns, double *b)
{
    for (int k = 0; k < columns; k += RT_REFLECTED_COLUMNS) {
        const int now = columns - k < RT_REFLECTED_COLUMNS ? columns - k : RT_REFLECTED_COLUMNS;
        apply_all(q, transposed, now, b + (size_t)q->n * (size_t)k);
    }
}

void rt_reflectors_null(const rt_reflectors *q, double *basis)
{
    const int z = q->n - q->m;
    memset(basis, 0, (size_t)q->n * (size_t)z * sizeof *basis);
    for (int k = 0; k < z; k++) basis[q->m + k + (size_t)q->n * (size_t)k] = 1;
    rt_reflectors_apply(q, 0, z, basis);
}

void rt_reflectors_multiply(const rt_reflectors *q, double *b)
{
    for (int i = 0; i < q->m; i++) {
        double sum = 0;
        for (int k = i; k < q->m; k++) sum += *reflectors_entry(q, i, k) * b[k];
        b[i] = sum;
    }
}

void rt_reflectors_solve(const rt_reflectors *q, double *b)
{
    for (int i = q->m - 1; i >= 0; i--) {
        const double *column = reflectors_entry(q, 0, i);
        b[i] /= column[i];
        for (int k = 0; k < i && b[i] != 0; k++) b[k] -= column[k] * b[i];
    }
}

void rt_reflectors_solve_transposed(const rt_reflectors *q, double *b)
{
    for (int i = 0; i < q->m; i++) {
        const double *column = reflectors_entry(q, 0, i);
        double sum = b[i];
        for (int k = 0; k < i; k++) sum -= column[k] * b[k];
        b[i] = sum / column[i];
    }
}
