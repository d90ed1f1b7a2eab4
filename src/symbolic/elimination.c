#include "symbolic/elimination.h"

#include <stdlib.h>

void rt_exact_elimination_end(rt_exact_elimination *e)
{
    free(e->pivot_row);
    e->pivot_row = NULL;
}

/* How dear it is to eliminate with this entry: its length, then the entries beside it. */
static slong price(const rt_exact_elimination *e, int i, int j, const int *filled)
{
    const rt_exact *entry = e->G + (size_t)i * e->n + j;
    const slong length =
        rt_exact_is_rational(e->field, entry) ? 0 : rt_exact_length(e->field, entry);
    return 1000 * length + filled[i];
}

static bool elimination_choose(const rt_exact_elimination *e, int *filled, int *row, int *column)
{
    slong least = -1;
    for (int i = 0; i < e->m; i++) {
        if (e->row[i] >= 0) continue;
        filled[i] = 0;
        for (int j = 0; j < e->n; j++)
            filled[i] += !rt_exact_is_zero(e->field, e->G + (size_t)i * e->n + j);
        for (int j = 0; j < e->n && filled[i]; j++) {
            if (rt_exact_is_zero(e->field, e->G + (size_t)i * e->n + j)) continue;
            const slong p = price(e, i, j, filled);
            if (least >= 0 && p >= least) continue;
            least = p, *row = i, *column = j;
        }
    }
    return least >= 0;
}

static void scale_row(rt_exact_elimination *e, rt_exact *row, int n, const rt_exact *by)
{
    for (int k = 0; k < n; k++)
        if (!rt_exact_is_zero(e->field, row + k)) rt_exact_divide(e->field, row + k, row + k, by);
}

/* False: an entry grows beyond what a reader or a computer can do anything with. */
static bool elimination_subtract_row(rt_exact_elimination *e, rt_exact *row, const rt_exact *from,
                                     int n, const rt_exact *factor)
{
    for (int k = 0; k < n; k++) {
        if (rt_exact_is_zero(e->field, from + k)) continue;
        rt_exact_subtract_product(e->field, row + k, from + k, factor);
        if (rt_exact_length(e->field, row + k) > RT_MOST_TERMS) return false;
    }
    return true;
}

static bool elimination_eliminate(rt_exact_elimination *e, int row, int column, rt_exact *w)
{
    rt_exact *G = e->G + (size_t)row * e->n, *T = e->T + (size_t)row * e->m;
    rt_exact_set(e->field, w, G + column);
    scale_row(e, T, e->m, w);
    scale_row(e, G, e->n, w);
    for (int i = 0; i < e->m; i++) {
        rt_exact *other = e->G + (size_t)i * e->n;
        if (i == row || rt_exact_is_zero(e->field, other + column)) continue;
        rt_exact_set(e->field, w, other + column);
        if (!elimination_subtract_row(e, other, G, e->n, w) ||
            !elimination_subtract_row(e, e->T + (size_t)i * e->m, T, e->m, w))
            return false;
    }
    return !rt_exact_field_exhausted(e->field); /* else pivots are none */
}

static routh_status too_many_terms(const rt_exact_field *field, routh_error *error)
{
    const rt_symbol *all;
    const char *names[2] = {"", ""};
    const int n_all = rt_exact_field_symbols(field, &all);
    int n = 0;
    for (int k = 0; k < n_all; k++)
        if (all[k].kind == RT_SYMBOL_PARAMETER && n++ < 2) names[n - 1] = all[k].name;
    if (n < 2)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the formulas have more than %d terms in one entry, because the numbers "
                       "contain too many roots; give simpler numbers",
                       RT_MOST_TERMS);
    return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                   "with %d parameters as symbols the formulas have more than %d terms in one "
                   "entry; keep fewer symbols, such as --symbols %s,%s",
                   n, RT_MOST_TERMS, names[0], names[1]);
}

routh_status rt_exact_eliminate(rt_exact_elimination *e, rt_exact_field *field, int m, int n,
                                rt_exact *G, routh_error *error)
{
    *e = (rt_exact_elimination){.field = field, .m = m, .n = n, .G = G};
    e->T = rt_exact_zeros(field, m * m + 1);
    e->pivot_row = malloc(((size_t)n * 3 + (size_t)m * 2 + 1) * sizeof *e->pivot_row);
    if (!e->T || !e->pivot_row) {
        rt_exact_elimination_end(e);
        return rt_fail_memory(error);
    }
    e->pivot_column = e->pivot_row + n;
    e->column = e->pivot_column + n;
    e->row = e->column + n;
    int *filled = e->row + m, row = 0, column = 0;
    for (int j = 0; j < n; j++) e->column[j] = -1;
    for (int i = 0; i < m; i++) {
        e->row[i] = -1;
        rt_exact_set_integer(field, e->T + (size_t)i * m + i, 1);
    }
    while (elimination_choose(e, filled, &row, &column)) {
        if (!elimination_eliminate(e, row, column, e->T + (size_t)m * m)) {
            rt_exact_elimination_end(e);
            return too_many_terms(field, error);
        }
        e->pivot_row[e->rank] = row, e->pivot_column[e->rank] = column;
        e->row[row] = e->column[column] = e->rank++;
    }
    return ROUTH_OK;
}

void rt_exact_particular(const rt_exact_elimination *e, const rt_exact *b, rt_exact *y)
{
    for (int j = 0; j < e->n; j++) {
        rt_exact_set_integer(e->field, y + j, 0);
        if (e->column[j] < 0) continue;
        const rt_exact *T = e->T + (size_t)e->pivot_row[e->column[j]] * e->m;
        for (int i = 0; i < e->m; i++) rt_exact_add_product(e->field, y + j, T + i, b + i);
    }
}

void rt_exact_null(const rt_exact_elimination *e, int free_column, rt_exact *y)
{
    for (int j = 0; j < e->n; j++) {
        if (e->column[j] < 0)
            rt_exact_set_integer(e->field, y + j, j == free_column);
        else
            rt_exact_negate(e->field, y + j,
                            e->G + (size_t)e->pivot_row[e->column[j]] * e->n + free_column);
    }
}

void rt_exact_multipliers(const rt_exact_elimination *e, const rt_exact *R, rt_exact *lambda)
{
    for (int i = 0; i < e->m; i++) {
        rt_exact_set_integer(e->field, lambda + i, 0);
        for (int k = 0; k < e->rank; k++)
            rt_exact_add_product(e->field, lambda + i, e->T + (size_t)e->pivot_row[k] * e->m + i,
                                 R + e->pivot_column[k]);
    }
}
