#include "distributed/pencil.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "distributed/fail.h"

/* Entries farther from symmetric than this fraction of the largest make a matrix unsymmetric. K of
 * an equilibrium is as far from symmetric as that is from balance, some 1e-14; refinement with the
 * matrix as it is takes out what L D L' of one triangle leaves. */
static const double SYMMETRIC = 1e-12;

int rt_share(int n, int rank, int size) { return (int)((long long)n * rank / size); }

static int block_of(const routh_shift_invert *p, int index)
{
    return index < p->n_coordinates ? 0 : index < 2 * p->n_coordinates ? 1 : 2;
}

/* ---- the form ------------------------------------------------------------------------------- */

static bool as_expected(const routh_shift_invert *p, int row, int column, double E, double A)
{
    static const bool in_A[3][3] = {{false, true, false}, {true, true, true}, {true, false, false}};
    const int r = block_of(p, row), c = block_of(p, column);
    if ((A != 0 && !in_A[r][c]) || (E != 0 && (r != c || r == 2))) return false;
    if (r != 0) return true;
    const double one = c == 0 ? E : A; /* the scaling may leave an ulp */
    if (c == 2) return true;
    return row == column - c * p->n_coordinates ? fabs(one - 1) < 1e-14 : one == 0;
}

static bool has_the_form(const routh_shift_invert *p)
{
    int ones = 0;
    for (int c = 0; c < p->order; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            if (!as_expected(p, p->row[e], c, p->E[e], p->A[e])) return false;
            ones += block_of(p, p->row[e]) == 0 && (p->E[e] != 0 || p->A[e] != 0);
        }
    return ones == 2 * p->n_coordinates;
}

/* ---- the parts ------------------------------------------------------------------------------ */

/* The entries of one column with rows ascending, those that are 0 left out but for the diagonal.
 * Rows count coordinates, then constraints. */
typedef struct column {
    int n, diagonal; /* diagonal -1: not kept where it is 0 */
    int *row;
    double *value;
} column;

static void add(column *c, int row, double value)
{
    if (c->diagonal >= 0 && row > c->diagonal) { /* passed by without an entry */
        c->row[c->n] = c->diagonal;
        c->value[c->n++] = 0;
        c->diagonal = -1;
    }
    if (row == c->diagonal)
        c->diagonal = -1;
    else if (value == 0)
        return;
    c->row[c->n] = row;
    c->value[c->n++] = value;
}

static void end(column *c)
{
    if (c->diagonal >= 0) add(c, c->diagonal, 0);
}

/* D + s M or M, from the columns of du */
static void rate_column(const routh_shift_invert *p, int k, double by_D, double by_M, column *c)
{
    const int j = p->n_coordinates + k;
    for (int e = p->start[j]; e < p->start[j + 1]; e++)
        if (block_of(p, p->row[e]) == 1)
            add(c, p->row[e] - p->n_coordinates, -by_D * p->A[e] + by_M * p->E[e]);
}

/* K + s D + s^2 M and G, from the columns of xi and of du, both ascending */
static void coordinate_column(const routh_shift_invert *p, int k, column *c)
{
    const int n = p->n_coordinates, j = n + k;
    const double s = p->shift;
    int a = p->start[k], b = p->start[j];
    while (a < p->start[k + 1] && p->row[a] < n) a++;
    while (b < p->start[j + 1] && p->row[b] < n) b++;
    while (a < p->start[k + 1] || b < p->start[j + 1]) {
        const int row_a = a < p->start[k + 1] ? p->row[a] : p->order;
        const int row_b = b < p->start[j + 1] ? p->row[b] : p->order;
        const int row = row_a < row_b ? row_a : row_b;
        double value = 0;
        if (row_a == row) value -= p->A[a++];
        if (row_b == row) value += s * (s * p->E[b] - p->A[b]), b++;
        add(c, row - n, value);
    }
}

/* H */
static void constraint_column(const routh_shift_invert *p, int k, column *c)
{
    const int j = 2 * p->n_coordinates + k;
    for (int e = p->start[j]; e < p->start[j + 1]; e++)
        if (block_of(p, p->row[e]) == 1) add(c, p->row[e] - p->n_coordinates, -p->A[e]);
}

static column column_of(const rt_cluster_pencil *pencil, rt_part part, int k)
{
    const routh_shift_invert *p = pencil->problem;
    const bool saddle = part == RT_PART_SADDLE;
    column c = {.diagonal = saddle ? k : -1, .row = pencil->work_row, .value = pencil->work_value};
    if (!saddle)
        rate_column(p, k, part == RT_PART_RATE, part == RT_PART_RATE ? p->shift : 1, &c);
    else if (k < p->n_coordinates)
        coordinate_column(p, k, &c);
    else
        constraint_column(p, k - p->n_coordinates, &c);
    end(&c);
    for (int e = 0; saddle && e < c.n; e++) c.row[e] = pencil->place[c.row[e]];
    return c;
}

static void count_column(rt_cluster_pencil *pencil, rt_part part, int k)
{
    const column c = column_of(pencil, part, k);
    for (int e = 0; e < c.n; e++) pencil->rows.start[c.row[e] + 1]++;
}

/* start[row] is where the row goes on; after all columns it is where it ends */
static void put_column(rt_cluster_pencil *pencil, rt_part part, int k, int number)
{
    const column c = column_of(pencil, part, k);
    for (int e = 0; e < c.n; e++) {
        const int at = pencil->rows.start[c.row[e]]++;
        pencil->rows.column[at] = number;
        pencil->rows.value[at] = c.value[e];
    }
}

/* All columns as they are numbered by rank: coordinates of a rank, then its constraints. */
static void put_all(rt_cluster_pencil *pencil, rt_part part)
{
    const int n = pencil->problem->n_coordinates, m = pencil->problem->n_constraints;
    int number = 0;
    for (int r = 0; r < pencil->size; r++) {
        for (int k = rt_share(n, r, pencil->size); k < rt_share(n, r + 1, pencil->size); k++)
            put_column(pencil, part, k, number++);
        for (int k = rt_share(m, r, pencil->size);
             k < rt_share(m, r + 1, pencil->size) && part == RT_PART_SADDLE; k++)
            put_column(pencil, part, n + k, number++);
    }
}

void rt_cluster_pencil_make(rt_cluster_pencil *pencil, rt_part part)
{
    const routh_shift_invert *p = pencil->problem;
    rt_rows *rows = &pencil->rows;
    rows->n = p->n_coordinates + (part == RT_PART_SADDLE ? p->n_constraints : 0);
    memset(rows->start, 0, ((size_t)rows->n + 1) * sizeof *rows->start);
    for (int k = 0; k < rows->n; k++) count_column(pencil, part, k);
    for (int k = 0; k < rows->n; k++) rows->start[k + 1] += rows->start[k];
    put_all(pencil, part);
    memmove(rows->start + 1, rows->start, (size_t)rows->n * sizeof *rows->start);
    rows->start[0] = 0;
}

/* ---- symmetry ------------------------------------------------------------------------------- */

static double entry(const rt_rows *rows, int row, int number)
{
    int from = rows->start[row], to = rows->start[row + 1];
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (rows->column[middle] == number) return rows->value[middle];
        if (rows->column[middle] < number)
            from = middle + 1;
        else
            to = middle;
    }
    return 0;
}

static bool is_symmetric(const rt_rows *rows)
{
    double largest = 0, off = 0;
    for (int e = 0; e < rows->start[rows->n]; e++) largest = fmax(largest, fabs(rows->value[e]));
    for (int r = 0; r < rows->n; r++)
        for (int e = rows->start[r]; e < rows->start[r + 1]; e++)
            off = fmax(off, fabs(rows->value[e] - entry(rows, rows->column[e], r)));
    return off <= SYMMETRIC * largest;
}

/* ---- from beginning to end ------------------------------------------------------------------ */

static void place_all(rt_cluster_pencil *pencil)
{
    const int n = pencil->problem->n_coordinates, m = pencil->problem->n_constraints;
    int number = 0;
    for (int r = 0; r < pencil->size; r++) {
        for (int k = rt_share(n, r, pencil->size); k < rt_share(n, r + 1, pencil->size); k++)
            pencil->place[k] = number++;
        for (int k = rt_share(m, r, pencil->size); k < rt_share(m, r + 1, pencil->size); k++)
            pencil->place[n + k] = number++;
    }
}

routh_status rt_cluster_pencil_open(rt_cluster_pencil *pencil, routh_shift_invert *p, int size,
                                    routh_error *error)
{
    *pencil = (rt_cluster_pencil){.problem = p, .size = size};
    if (!has_the_form(p))
        return rt_cluster_fail(error, ROUTH_BAD_ARGUMENT,
                               "the distributed solver takes descriptors with E = diag(I, M, 0) "
                               "and A = [0 I 0; -K -D -H; -G 0 0], and this one is not");
    const size_t n = (size_t)p->n_coordinates + (size_t)p->n_constraints;
    const size_t most = (size_t)p->start[p->order] + n; /* the diagonal */
    pencil->place = malloc((n + 1) * sizeof(int));
    pencil->work_row = malloc((n + 1) * sizeof(int));
    pencil->work_value = malloc((n + 1) * sizeof(double));
    pencil->rows.start = malloc((n + 2) * sizeof(int));
    pencil->rows.column = malloc((most + 1) * sizeof(int));
    pencil->rows.value = malloc((most + 1) * sizeof(double));
    if (!pencil->place || !pencil->work_row || !pencil->work_value || !pencil->rows.start ||
        !pencil->rows.column || !pencil->rows.value)
        return rt_cluster_fail(error, ROUTH_OUT_OF_MEMORY, "out of memory");
    place_all(pencil);
    rt_cluster_pencil_make(pencil, RT_PART_SADDLE);
    pencil->symmetric = is_symmetric(&pencil->rows);
    return ROUTH_OK;
}

void rt_cluster_pencil_finish(rt_cluster_pencil *pencil)
{
    free(pencil->place);
    free(pencil->work_row);
    free(pencil->work_value);
    free(pencil->rows.start);
    free(pencil->rows.column);
    free(pencil->rows.value);
    pencil->place = pencil->work_row = NULL;
    pencil->work_value = NULL;
    pencil->rows = (rt_rows){0};
}

void rt_cluster_pencil_close(rt_cluster_pencil *pencil)
{
    rt_cluster_pencil_finish(pencil);
    *pencil = (rt_cluster_pencil){0};
}
