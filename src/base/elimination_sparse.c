/* Markowitz elimination with threshold pivoting (Duff, Erisman and Reid, Direct Methods for Sparse
 * Matrices, 2nd ed. 2017, ch. 7 and 10; Zlatev 1980 for searching a few lists only). */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/elimination_paths.h"
#include "base/kept_memory.h"

/* A pivot must reach this fraction of the weighted largest entry of its row and of its column. The
 * 0.1 that is usual where only the fill matters lets the rows kept become dependent in rows of
 * loops: their smallest singular value falls by 3 a loop, to 1e-10 for 20 loops. */
static const double THRESHOLD = 0.7;

/* How many rows and columns of lowest count are searched for a pivot of lowest cost. */
enum { SEARCHED = 4 };

/* Lists of unordered entries (and values, for rows) in one buffer; a list that outgrows its room
 * moves to the end of the buffer with twice the room. */
typedef struct bag {
    size_t *start;
    int *length, *room;
    int *item;
    double *value; /* NULL for columns */
    size_t used, capacity;
    rt_analyses *analyses; /* or NULL */
} bag;

/* Rows or columns chained by their count of entries; prev and next are -1 at the ends. */
typedef struct buckets {
    int *head; /* by count */
    int *next, *prev;
    int *count; /* the chain it is in, 0: in none */
} buckets;

typedef struct sparse {
    const rt_elimination_task *task;
    int m, n;
    bag rows, columns;
    buckets row_chains, column_chains;
    double *row_largest;    /* largest column_weight |s| in the row, -1: not known */
    double *column_largest; /* largest row_weight |s| in the column, -1: not known */
    double *rejected;       /* by row: what was dropped or left of it, relative to its growth */
    int *mark;              /* by column: 1 + place in the pivot row, 0 for columns not in it */
    int *hit;               /* by column: the row whose entry has met the pivot row last */
    int *pivot_columns;     /* copy of the pivot row without the pivot */
    double *pivot_values;
    int *pivot_rows; /* copy of the pivot column without the pivot */
    size_t operations;
} sparse;

typedef struct candidate {
    int row, column; /* row -1: none yet */
    double value, weighted;
    int64_t cost; /* (entries of the row - 1) (entries of the column - 1), a bound on the fill */
} candidate;

/* --- lists */

static bool bag_make_room(bag *b, int k)
{
    rt_analyses *analyses = b->analyses;
    const int length = b->length[k], room = 2 * length + 4;
    if (b->used + (size_t)room > b->capacity) {
        const size_t capacity = 2 * b->capacity + (size_t)room;
        int *item = rt_kept_realloc(analyses, b->item, capacity * sizeof *item);
        if (!item) return false;
        b->item = item;
        if (b->value) {
            double *value = rt_kept_realloc(analyses, b->value, capacity * sizeof *value);
            if (!value) return false;
            b->value = value;
        }
        b->capacity = capacity;
    }
    memcpy(b->item + b->used, b->item + b->start[k], (size_t)length * sizeof *b->item);
    if (b->value)
        memcpy(b->value + b->used, b->value + b->start[k], (size_t)length * sizeof *b->value);
    b->start[k] = b->used;
    b->room[k] = room;
    b->used += (size_t)room;
    return true;
}

static bool bag_add(bag *b, int k, int item, double value)
{
    if (b->length[k] == b->room[k] && !bag_make_room(b, k)) return false;
    const size_t at = b->start[k] + (size_t)b->length[k]++;
    b->item[at] = item;
    if (b->value) b->value[at] = value;
    return true;
}

/* The last entry takes the place of the one removed. */
static void bag_remove_at(bag *b, int k, size_t at)
{
    const size_t last = b->start[k] + (size_t)--b->length[k];
    b->item[at] = b->item[last];
    if (b->value) b->value[at] = b->value[last];
}

static size_t bag_find(const bag *b, int k, int item)
{
    size_t at = b->start[k];
    while (b->item[at] != item) at++;
    return at;
}

static void unchain(buckets *c, int k)
{
    if (!c->count[k]) return;
    if (c->prev[k] >= 0)
        c->next[c->prev[k]] = c->next[k];
    else
        c->head[c->count[k]] = c->next[k];
    if (c->next[k] >= 0) c->prev[c->next[k]] = c->prev[k];
    c->count[k] = 0;
}

static void elimination_sparse_chain(buckets *c, int k, int count)
{
    c->count[k] = count;
    if (!count) return;
    c->prev[k] = -1;
    c->next[k] = c->head[count];
    if (c->next[k] >= 0) c->prev[c->next[k]] = k;
    c->head[count] = k;
}

/* --- choosing a pivot */

static double elimination_sparse_value_at(sparse *s, int row, int column)
{
    s->operations += (size_t)s->rows.length[row];
    return s->rows.value[bag_find(&s->rows, row, column)];
}

/* Is s_ij more than rounding? Rows of which nothing counts have left the matrix. */
static bool elimination_sparse_counts(const sparse *s, int i, double value)
{
    return fabs(value) > s->task->tolerance * s->task->growth[i];
}

static double row_largest(sparse *s, int i)
{
    if (s->row_largest[i] >= 0) return s->row_largest[i];
    const size_t start = s->rows.start[i], end = start + (size_t)s->rows.length[i];
    double largest = 0;
    for (size_t e = start; e < end; e++)
        if (elimination_sparse_counts(s, i, s->rows.value[e]))
            largest =
                fmax(largest, s->task->column_weight[s->rows.item[e]] * fabs(s->rows.value[e]));
    s->operations += end - start;
    return s->row_largest[i] = largest;
}

static double column_largest(sparse *s, int j)
{
    if (s->column_largest[j] >= 0) return s->column_largest[j];
    const size_t start = s->columns.start[j], end = start + (size_t)s->columns.length[j];
    double largest = 0;
    for (size_t e = start; e < end; e++) {
        const int i = s->columns.item[e];
        const double value = elimination_sparse_value_at(s, i, j);
        if (elimination_sparse_counts(s, i, value))
            largest = fmax(largest, s->task->row_weight[i] * fabs(value));
    }
    return s->column_largest[j] = largest;
}

/* Takes (i, j) as the best candidate when it is cheaper, or as cheap and larger, and large enough.
 */
static void elimination_sparse_offer(sparse *s, candidate *best, int i, int j, double value)
{
    const int64_t cost = (int64_t)(s->rows.length[i] - 1) * (s->columns.length[j] - 1);
    const double by_column = s->task->column_weight[j] * fabs(value),
                 by_row = s->task->row_weight[i] * fabs(value);
    const double weighted = s->task->row_weight[i] * by_column;
    s->operations++;
    if (best->row >= 0 && (cost > best->cost || (cost == best->cost && weighted <= best->weighted)))
        return;
    if (!elimination_sparse_counts(s, i, value) || by_column < THRESHOLD * row_largest(s, i))
        return;
    if (by_row < THRESHOLD * column_largest(s, j)) return;
    *best = (candidate){i, j, value, weighted, cost};
}

static void search_row(sparse *s, candidate *best, int i)
{
    const size_t start = s->rows.start[i], end = start + (size_t)s->rows.length[i];
    for (size_t e = start; e < end; e++)
        elimination_sparse_offer(s, best, i, s->rows.item[e], s->rows.value[e]);
}

/* A column without acceptable entry leaves its chain until elimination touches it again, or it
 * would be searched in vain at every step. */
static void search_column(sparse *s, candidate *best, int j)
{
    const size_t start = s->columns.start[j], end = start + (size_t)s->columns.length[j];
    candidate own = {.row = -1};
    for (size_t e = start; e < end; e++) {
        const int i = s->columns.item[e];
        elimination_sparse_offer(s, &own, i, j, elimination_sparse_value_at(s, i, j));
    }
    if (own.row < 0)
        unchain(&s->column_chains, j);
    else if (best->row < 0 || own.cost < best->cost ||
             (own.cost == best->cost && own.weighted > best->weighted))
        *best = own;
}

/* From a row, to the largest of its row, to the largest of that column, ..., until both agree:
 * always acceptable. */
static candidate climb(sparse *s, int i)
{
    candidate c = {.row = -1, .weighted = 0};
    for (;;) {
        bool better = false;
        const size_t start = s->rows.start[i], end = start + (size_t)s->rows.length[i];
        for (size_t e = start; e < end; e++) {
            const int j = s->rows.item[e];
            const double value = s->rows.value[e];
            const double weighted =
                s->task->row_weight[i] * s->task->column_weight[j] * fabs(value);
            if (weighted > c.weighted && elimination_sparse_counts(s, i, value))
                c = (candidate){i, j, value, weighted, 0}, better = true;
        }
        s->operations += end - start;
        if (!better) return c;
        const size_t first = s->columns.start[c.column],
                     last = first + (size_t)s->columns.length[c.column];
        for (size_t e = first; e < last; e++) {
            const int k = s->columns.item[e];
            const double value = elimination_sparse_value_at(s, k, c.column);
            const double weighted =
                s->task->row_weight[k] * s->task->column_weight[c.column] * fabs(value);
            if (weighted > c.weighted && elimination_sparse_counts(s, k, value))
                c = (candidate){k, c.column, value, weighted, 0}, i = k;
        }
        if (i != c.row) return c;
    }
}

/* The lowest count that any row has, from here on; 0 when no row is left. */
static int lowest_count(const sparse *s)
{
    for (int k = 1; k <= s->n; k++)
        if (s->row_chains.head[k] >= 0) return k;
    return 0;
}

static candidate elimination_sparse_choose(sparse *s)
{
    candidate best = {.row = -1};
    const int lowest = lowest_count(s);
    if (!lowest) return best;
    const int first = s->row_chains.head[lowest];
    int searched = 0;
    for (int k = 1; k <= s->m || k <= s->n; k++) {
        const int64_t least = (int64_t)(k - 1) * (k - 1);
        for (int j = k <= s->m ? s->column_chains.head[k] : -1, next; j >= 0 && searched < SEARCHED;
             j = next) {
            next = s->column_chains.next[j];
            search_column(s, &best, j);
            searched++;
            if (best.row >= 0 && best.cost <= least) return best;
        }
        for (int i = k <= s->n ? s->row_chains.head[k] : -1; i >= 0 && searched < 2 * SEARCHED;
             i = s->row_chains.next[i]) {
            search_row(s, &best, i);
            searched++;
            if (best.row >= 0 && (best.cost <= least || searched >= SEARCHED)) return best;
        }
        if (searched >= SEARCHED || k > s->n + s->m) break;
    }
    return best.row >= 0 ? best : climb(s, first);
}

/* --- elimination */

/* Takes the pivot row out of all columns, and out of the chains the columns it touches; copies row
 * and column. */
static int take_pivot(sparse *s, int p, int q, int *n_rows)
{
    int width = 0, height = 0;
    const size_t start = s->rows.start[p], end = start + (size_t)s->rows.length[p];
    for (size_t e = start; e < end; e++) {
        const int j = s->rows.item[e];
        bag_remove_at(&s->columns, j, bag_find(&s->columns, j, p));
        unchain(&s->column_chains, j);
        s->column_largest[j] = -1;
        if (j == q) continue;
        s->pivot_columns[width] = j;
        s->pivot_values[width++] = s->rows.value[e];
        s->mark[j] = width;
    }
    unchain(&s->row_chains, p);
    for (size_t e = s->columns.start[q]; height < s->columns.length[q]; e++)
        s->pivot_rows[height++] = s->columns.item[e];
    s->columns.length[q] = 0;
    *n_rows = height;
    return width;
}

/* A difference of operands this size is rounding. Errors inherited from earlier steps are larger
 * than one rounding. */
static bool cancels(double difference, double operand)
{
    static const double rounding = 1e-12;
    return fabs(difference) <= rounding * operand;
}

/* The entries of row i that are there already: s_ij -= l s_pj, dropped where they cancel. */
static void subtract_present(sparse *s, int i, double l)
{
    const size_t start = s->rows.start[i];
    for (size_t e = start; e < start + (size_t)s->rows.length[i];) {
        const int j = s->rows.item[e], at = s->mark[j];
        if (at) {
            s->hit[j] = i;
            const double old = s->rows.value[e], product = l * s->pivot_values[at - 1];
            s->rows.value[e] = old - product;
            s->task->growth[i] = fmax(s->task->growth[i], fabs(product));
            if (cancels(old - product, fmax(fabs(old), fabs(product)))) {
                bag_remove_at(&s->columns, j, bag_find(&s->columns, j, i));
                bag_remove_at(&s->rows, i, e);
                continue;
            }
        }
        e++;
    }
    s->operations += (size_t)s->rows.length[i];
}

/* The others: fill -l s_pj. */
static bool add_fill(sparse *s, int i, double l, int width)
{
    for (int e = 0; e < width; e++) {
        const int j = s->pivot_columns[e];
        const double value = -l * s->pivot_values[e];
        if (s->hit[j] == i || value == 0) continue;
        s->task->growth[i] = fmax(s->task->growth[i], fabs(value));
        if (!bag_add(&s->rows, i, j, value) || !bag_add(&s->columns, j, i, 0)) return false;
    }
    s->operations += (size_t)width;
    return true;
}

/* A row of which only rounding is left says nothing new: it leaves the matrix. */
static void reject_if_small(sparse *s, int i)
{
    const size_t start = s->rows.start[i], end = start + (size_t)s->rows.length[i];
    double largest = 0;
    for (size_t e = start; e < end; e++) largest = fmax(largest, fabs(s->rows.value[e]));
    if (largest > s->task->tolerance * s->task->growth[i]) return;
    s->rejected[i] = fmax(s->rejected[i], largest) / s->task->growth[i];
    for (size_t e = start; e < end; e++) {
        const int j = s->rows.item[e];
        bag_remove_at(&s->columns, j, bag_find(&s->columns, j, i));
        s->column_largest[j] = -1;
        if (s->mark[j]) continue; /* of the pivot row: chained again when the step is done */
        unchain(&s->column_chains, j);
        elimination_sparse_chain(&s->column_chains, j, s->columns.length[j]);
    }
    s->rows.length[i] = 0;
}

static bool eliminate_row(sparse *s, int i, int q, double pivot, int width)
{
    const size_t at = bag_find(&s->rows, i, q);
    const double l = s->rows.value[at] / pivot;
    unchain(&s->row_chains, i);
    bag_remove_at(&s->rows, i, at);
    subtract_present(s, i, l);
    const bool ok = add_fill(s, i, l, width);
    s->row_largest[i] = -1;
    if (ok) reject_if_small(s, i);
    elimination_sparse_chain(&s->row_chains, i, s->rows.length[i]);
    return ok;
}

static bool elimination_sparse_eliminate(sparse *s, const candidate *pivot)
{
    int n_rows;
    const int p = pivot->row, q = pivot->column, width = take_pivot(s, p, q, &n_rows);
    bool ok = true;
    /* hit must not remember this row from an earlier step */
    for (int e = 0; e < width; e++) s->hit[s->pivot_columns[e]] = -1;
    for (int e = 0; e < n_rows && ok; e++)
        ok = eliminate_row(s, s->pivot_rows[e], q, pivot->value, width);
    for (int e = 0; e < width; e++) {
        const int j = s->pivot_columns[e];
        s->mark[j] = 0;
        elimination_sparse_chain(&s->column_chains, j, s->columns.length[j]);
    }
    return ok;
}

/* --- setting up */

static bool bag_create(bag *b, int n, size_t capacity, bool values, rt_analyses *analyses)
{
    b->analyses = analyses;
    b->start = rt_kept_calloc(analyses, (size_t)n + 1, sizeof *b->start);
    b->length = rt_kept_calloc(analyses, (size_t)n + 1, sizeof *b->length);
    b->room = rt_kept_calloc(analyses, (size_t)n + 1, sizeof *b->room);
    b->item = rt_kept_malloc(analyses, (capacity + 1) * sizeof *b->item);
    b->value = values ? rt_kept_malloc(analyses, (capacity + 1) * sizeof *b->value) : NULL;
    b->capacity = capacity;
    b->used = 0;
    return b->start && b->length && b->room && b->item && (!values || b->value);
}

static void bag_free(bag *b)
{
    rt_kept_free(b->start), rt_kept_free(b->length), rt_kept_free(b->room), rt_kept_free(b->item),
        rt_kept_free(b->value);
}

/* Room as counted in room; lengths 0. */
static void bag_lay_out(bag *b, int n)
{
    for (int k = 0; k < n; k++) {
        b->start[k] = b->used;
        b->used += (size_t)b->room[k];
    }
}

static bool buckets_create(buckets *c, int n, int most, rt_analyses *analyses)
{
    c->head = rt_kept_malloc(analyses, ((size_t)most + 1) * sizeof *c->head);
    c->next = rt_kept_malloc(analyses, ((size_t)n + 1) * sizeof *c->next);
    c->prev = rt_kept_malloc(analyses, ((size_t)n + 1) * sizeof *c->prev);
    c->count = rt_kept_calloc(analyses, (size_t)n + 1, sizeof *c->count);
    for (int k = 0; c->head && k <= most; k++) c->head[k] = -1;
    return c->head && c->next && c->prev && c->count;
}

static void buckets_free(buckets *c)
{
    rt_kept_free(c->head), rt_kept_free(c->next), rt_kept_free(c->prev), rt_kept_free(c->count);
}

static bool elimination_sparse_create(sparse *s)
{
    rt_analyses *analyses = s->task->analyses;
    const size_t entries = (size_t)s->task->pattern->start[s->n], m = (size_t)s->m + 1,
                 n = (size_t)s->n + 1;
    bool ok = bag_create(&s->rows, s->m, entries, true, analyses);
    ok = bag_create(&s->columns, s->n, entries, false, analyses) && ok;
    ok = buckets_create(&s->row_chains, s->m, s->n, analyses) && ok;
    ok = buckets_create(&s->column_chains, s->n, s->m, analyses) && ok;
    s->row_largest = rt_kept_malloc(analyses, m * sizeof(double));
    s->column_largest = rt_kept_malloc(analyses, n * sizeof(double));
    s->rejected = rt_kept_calloc(analyses, m, sizeof(double));
    s->mark = rt_kept_calloc(analyses, n, sizeof(int));
    s->hit = rt_kept_malloc(analyses, n * sizeof(int));
    s->pivot_columns = rt_kept_malloc(analyses, n * sizeof(int));
    s->pivot_values = rt_kept_malloc(analyses, n * sizeof(double));
    s->pivot_rows = rt_kept_malloc(analyses, m * sizeof(int));
    return ok && s->row_largest && s->column_largest && s->rejected && s->mark && s->hit &&
           s->pivot_columns && s->pivot_values && s->pivot_rows;
}

static void destroy(sparse *s)
{
    bag_free(&s->rows), bag_free(&s->columns);
    buckets_free(&s->row_chains), buckets_free(&s->column_chains);
    rt_kept_free(s->row_largest), rt_kept_free(s->column_largest), rt_kept_free(s->rejected),
        rt_kept_free(s->mark), rt_kept_free(s->hit);
    rt_kept_free(s->pivot_columns), rt_kept_free(s->pivot_values), rt_kept_free(s->pivot_rows);
}

static bool elimination_sparse_load(sparse *s)
{
    const rt_elimination_task *t = s->task;
    const rt_pattern *p = t->pattern;
    bool ok = true;
    for (int k = 0; k < p->start[s->n]; k++) s->rows.room[p->row[k]]++;
    for (int j = 0; j < s->n; j++) s->columns.room[j] = p->start[j + 1] - p->start[j];
    bag_lay_out(&s->rows, s->m);
    bag_lay_out(&s->columns, s->n);
    for (int j = 0; j < s->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            const int i = p->row[k];
            const double value = t->row_scale[i] * t->values[k];
            if (fabs(value) <= t->tolerance) {
                s->rejected[i] = fmax(s->rejected[i], fabs(value));
                continue;
            }
            ok = bag_add(&s->rows, i, j, value) && bag_add(&s->columns, j, i, 0) && ok;
        }
    /* backwards, so that the lowest of equal count comes first */
    for (int i = s->m - 1; i >= 0; i--)
        elimination_sparse_chain(&s->row_chains, i, s->rows.length[i]);
    for (int j = s->n - 1; j >= 0; j--)
        elimination_sparse_chain(&s->column_chains, j, s->columns.length[j]);
    for (int i = 0; i < s->m; i++) s->row_largest[i] = -1;
    for (int j = 0; j < s->n; j++) s->column_largest[j] = -1;
    return ok;
}

routh_status rt_eliminate_sparse(const rt_elimination_task *task, routh_error *error)
{
    sparse s = {.task = task, .m = task->pattern->n_rows, .n = task->pattern->n_columns};
    rt_elimination *result = task->result;
    bool ok = elimination_sparse_create(&s) && elimination_sparse_load(&s);
    while (ok) {
        const candidate pivot = elimination_sparse_choose(&s);
        if (pivot.row < 0) break;
        rt_elimination_accept(result, pivot.row, pivot.column,
                              fabs(pivot.value) / task->growth[pivot.row]);
        ok = elimination_sparse_eliminate(&s, &pivot);
    }
    for (int i = 0; ok && i < s.m; i++)
        if (result->row_step[i] < 0)
            result->largest_rejected = fmax(result->largest_rejected, s.rejected[i]);
    result->operations = s.operations;
    destroy(&s);
    return ok ? ROUTH_OK : rt_fail_memory(error);
}
