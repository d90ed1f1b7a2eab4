/* See sensitivity_levels.h. With R = [R1; L2 R2; L3 R3], L what is below the blocks,
 *     x1 = R1^-1 b1,  b -= L x1,  x2 = R2^-1 b2, ...        g3 = R3'^-1 b3,  b2 -= L' g, ... */
#include "studies/sensitivity_levels.h"

#include <string.h>

/* ---- making --------------------------------------------------------------------------------- */

typedef struct sensitivity_levels_entries {
    int n, *row, *column, *position;
    double *value;
} sensitivity_levels_entries;

static bool sensitivity_levels_take_entries(sensitivity_levels_entries *e, int n, rt_arena *arena)
{
    *e = (sensitivity_levels_entries){.row = RT_TAKE(arena, int, n),
                                      .column = RT_TAKE(arena, int, n),
                                      .position = RT_TAKE(arena, int, n),
                                      .value = RT_TAKE(arena, double, n)};
    return e->row && e->column && e->position && e->value;
}

static routh_status sensitivity_levels_build(sensitivity_levels_entries *e, int n_rows,
                                             int n_columns, rt_pattern *pattern, double **values,
                                             rt_arena *arena, routh_error *error)
{
    const routh_status status = rt_pattern_build(pattern, n_rows, n_columns, (size_t)e->n, e->row,
                                                 e->column, e->position, arena, error);
    if (status) return status;
    *values = RT_TAKE(arena, double, pattern->start[n_columns]);
    if (!*values) return rt_fail_memory(error);
    for (int k = 0; k < e->n; k++) (*values)[e->position[k]] += e->value[k];
    return ROUTH_OK;
}

static void sensitivity_levels_put(sensitivity_levels_entries *e, int row, int column, double value)
{
    e->row[e->n] = row, e->column[e->n] = column, e->value[e->n++] = value;
}

static routh_status build_level(rt_pencil_levels *levels, int l, sensitivity_levels_entries *all,
                                sensitivity_levels_entries *block,
                                sensitivity_levels_entries *below, rt_arena *arena,
                                routh_error *error)
{
    rt_level *to = &levels->level[l];
    block->n = below->n = 0;
    for (int k = 0; k < all->n; k++) {
        const int c = all->column[k] - to->first;
        if (c < 0 || c >= to->n) continue;
        if (all->row[k] < to->first + to->n)
            sensitivity_levels_put(block, all->row[k] - to->first, c, all->value[k]);
        else if (all->value[k] != 0)
            sensitivity_levels_put(below, all->row[k], c, all->value[k]);
    }
    const routh_status status =
        sensitivity_levels_build(block, to->n, to->n, &to->pattern, &to->values, arena, error);
    return status ? status
                  : sensitivity_levels_build(below, levels->n, to->n, &to->below, &to->below_values,
                                             arena, error);
}

static bool sensitivity_levels_same(const rt_level *a, const rt_level *b)
{
    const size_t n = (size_t)a->n;
    if (a->n != b->n || memcmp(a->pattern.start, b->pattern.start, (n + 1) * sizeof(int)) != 0)
        return false;
    const size_t size = (size_t)a->pattern.start[n];
    return memcmp(a->pattern.row, b->pattern.row, size * sizeof(int)) == 0 &&
           memcmp(a->values, b->values, size * sizeof(double)) == 0;
}

static routh_status sensitivity_levels_factor(rt_pencil_levels *levels, routh_error *error)
{
    levels->twice = sensitivity_levels_same(&levels->level[0], &levels->level[1]);
    for (int l = 0; l < RT_LEVELS; l++) {
        rt_level *to = &levels->level[l];
        if (l == 1 && levels->twice) {
            to->factor = levels->level[0].factor;
            continue;
        }
        routh_status status = rt_factor_create(&to->factor, &to->pattern, RT_ORDER_COLAMD, error);
        if (!status) status = rt_factor_numeric(to->factor, to->values, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

routh_status rt_levels_create(rt_pencil_levels *levels, const int start[RT_LEVELS + 1],
                              int n_entries, const int *row, const int *column, const double *value,
                              rt_arena *arena, routh_error *error)
{
    rt_arena scratch = {0};
    sensitivity_levels_entries all = {
        .n = n_entries, .row = (int *)row, .column = (int *)column, .value = (double *)value};
    sensitivity_levels_entries block, below;
    *levels = (rt_pencil_levels){.n = start[RT_LEVELS]};
    levels->work = RT_TAKE(arena, double, 3 * RT_LEVEL_COLUMNS * (size_t)levels->n);
    routh_status status = levels->work &&
                                  sensitivity_levels_take_entries(&block, n_entries, &scratch) &&
                                  sensitivity_levels_take_entries(&below, n_entries, &scratch)
                              ? ROUTH_OK
                              : rt_fail_memory(error);
    for (int l = 0; l < RT_LEVELS && !status; l++) {
        levels->level[l] = (rt_level){.first = start[l], .n = start[l + 1] - start[l]};
        status = build_level(levels, l, &all, &block, &below, arena, error);
    }
    rt_arena_free(&scratch);
    return status ? status : sensitivity_levels_factor(levels, error);
}

void rt_levels_release(rt_pencil_levels *levels)
{
    for (int l = 0; l < RT_LEVELS; l++) {
        if (l != 1 || !levels->twice) rt_factor_free(levels->level[l].factor);
        levels->level[l].factor = NULL;
    }
}

/* ---- solving -------------------------------------------------------------------------------- */

static bool sensitivity_levels_is_zero(const double *x, int n)
{
    for (int k = 0; k < n; k++)
        if (x[k] != 0) return false;
    return true;
}

/* Some columns of a level, packed. */
static routh_status solve_packed(const rt_pencil_levels *levels, const rt_level *l, bool transposed,
                                 double *const *x, int n, routh_error *error)
{
    const size_t size = (size_t)l->n;
    double *packed = levels->work, *work = packed + RT_LEVEL_COLUMNS * size;
    for (int c = 0; c < n; c++) memcpy(packed + size * c, x[c] + l->first, size * sizeof *packed);
    const routh_status status = transposed
                                    ? rt_factor_solve_transposed(l->factor, packed, n, work, error)
                                    : rt_factor_solve(l->factor, packed, n, work, error);
    for (int c = 0; c < n && !status; c++) {
        memcpy(x[c] + l->first, packed + size * c, size * sizeof *packed);
        if (!transposed)
            rt_sparse_multiply_add(&l->below, l->below_values, -1, packed + size * c, x[c]);
    }
    return status;
}

void rt_levels_take_off(const rt_pencil_levels *levels, int level, double *x)
{
    const rt_level *l = &levels->level[level];
    rt_sparse_multiply_add(&l->below, l->below_values, -1, x + l->first, x);
}

routh_status rt_levels_solve_one(const rt_pencil_levels *levels, int level, bool transposed,
                                 double *X, int n_columns, routh_error *error)
{
    const rt_level *l = &levels->level[level];
    double *column[RT_LEVEL_COLUMNS];
    int n = 0;
    for (int c = 0; c < n_columns; c++) {
        double *x = X + (size_t)c * (size_t)levels->n;
        if (transposed)
            rt_sparse_transpose_multiply_add(&l->below, l->below_values, -1, x, x + l->first);
        if (!sensitivity_levels_is_zero(x + l->first, l->n)) column[n++] = x;
        if (n < RT_LEVEL_COLUMNS && c < n_columns - 1) continue;
        const routh_status status = solve_packed(levels, l, transposed, column, n, error);
        if (status) return status;
        n = 0;
    }
    return ROUTH_OK;
}

routh_status rt_levels_solve(const rt_pencil_levels *levels, double *X, int n_columns,
                             routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int l = 0; l < RT_LEVELS && !status; l++)
        status = rt_levels_solve_one(levels, l, false, X, n_columns, error);
    return status;
}
