/* Eliminations of matrices that were met before, the last few of them. */
#include <string.h>

#include "base/analyses.h"
#include "base/elimination_paths.h"

/* Larger ones take longer to compare and to keep than is worth it. */
static const size_t MOST_ENTRIES = 1 << 16;

/* The arguments as lists, one after another, then the result. */
typedef struct argument_list {
    const void *at[5];
    size_t bytes[5], whole, result;
} argument_list;

static argument_list arguments_of(const rt_pattern *p, const double *values,
                                  const double *row_weight, const double *column_weight)
{
    const size_t n = (size_t)p->n_columns, m = (size_t)p->n_rows, entries = (size_t)p->start[n];
    argument_list l = {.at = {values, row_weight, column_weight, p->start, p->row},
                       .bytes = {entries * sizeof(double), row_weight ? m * sizeof(double) : 0,
                                 column_weight ? n * sizeof(double) : 0, (n + 1) * sizeof(int),
                                 entries * sizeof(int)},
                       .result = rt_elimination_bytes(p->n_rows, p->n_columns)};
    for (int i = 0; i < 5; i++) l.whole += l.bytes[i];
    l.whole = (l.whole + 15) / 16 * 16;
    return l;
}

static bool is_elimination_of(const rt_kept_elimination *k, const rt_kept_elimination *of,
                              const argument_list *l)
{
    if (!k->bytes || k->n_rows != of->n_rows || k->n_columns != of->n_columns ||
        k->path != of->path || k->tolerance != of->tolerance || k->row_weights != of->row_weights ||
        k->column_weights != of->column_weights || k->room != of->room)
        return false;
    const unsigned char *at = k->bytes;
    for (int i = 0; i < 5; at += l->bytes[i], i++)
        if (l->bytes[i] && memcmp(at, l->at[i], l->bytes[i]) != 0) return false;
    return true;
}

/* In place of the oldest; without memory it is not kept. */
static void keep_elimination(rt_analyses *a, const rt_kept_elimination *of, const argument_list *l,
                             const rt_elimination *result)
{
    rt_kept_elimination *k = &a->elimination[a->oldest];
    a->oldest = (a->oldest + 1) % RT_MOST_ELIMINATIONS;
    unsigned char *bytes = k->room == of->room ? k->bytes : NULL;
    if (!bytes) {
        rt_kept_free(k->bytes);
        bytes = rt_kept_malloc(a, of->room);
    }
    *k = *of;
    k->bytes = bytes;
    if (!bytes) return;
    for (int i = 0; i < 5; bytes += l->bytes[i], i++)
        if (l->bytes[i]) memcpy(bytes, l->at[i], l->bytes[i]);
    memcpy(k->bytes + l->whole, result, l->result);
}

static const rt_elimination *find_elimination(const rt_analyses *a, const rt_kept_elimination *of,
                                              const argument_list *l)
{
    for (int k = 0; k < RT_MOST_ELIMINATIONS; k++)
        if (is_elimination_of(&a->elimination[k], of, l))
            return (const rt_elimination *)(const void *)(a->elimination[k].bytes + l->whole);
    return NULL;
}

routh_status rt_eliminate_kept(rt_elimination **out, const rt_pattern *p, const double *values,
                               const double *row_weight, const double *column_weight,
                               double tolerance, rt_analyses *a, routh_error *error)
{
    const bool large = (size_t)p->start[p->n_columns] > MOST_ENTRIES;
    if (large || !rt_analyses_begin(a))
        return rt_eliminate_in(out, p, values, row_weight, column_weight, tolerance, 0, a, error);
    const argument_list l = arguments_of(p, values, row_weight, column_weight);
    const rt_kept_elimination of = {.room = l.whole + l.result,
                                    .n_rows = p->n_rows,
                                    .n_columns = p->n_columns,
                                    .tolerance = tolerance,
                                    .row_weights = row_weight != NULL,
                                    .column_weights = column_weight != NULL};
    const rt_elimination *found = find_elimination(a, &of, &l);
    routh_status status = ROUTH_OK;
    if (found) {
        *out = rt_elimination_copy(found, a);
        if (!*out) status = rt_fail_memory(error);
    } else {
        status = rt_eliminate_in(out, p, values, row_weight, column_weight, tolerance, 0, a, error);
        if (!status) keep_elimination(a, &of, &l, *out);
    }
    rt_analyses_end(a);
    return status;
}
