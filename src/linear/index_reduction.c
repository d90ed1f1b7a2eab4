#include "linear/index_reduction.h"

#include <math.h>
#include <string.h>

bool rt_sized_take(rt_sized_rows *rows, int n_rows, int width, rt_arena *arena)
{
    const size_t n = (size_t)n_rows * (size_t)width;
    *rows = (rt_sized_rows){n_rows, width, RT_TAKE(arena, double, n), RT_TAKE(arena, double, n)};
    return rows->value && rows->size;
}

void rt_sized_add(const rt_sized_rows *to, int row, double scale, const rt_sized_rows *from,
                  int from_row)
{
    double *x = rt_sized_value(to, row), *s = rt_sized_size(to, row);
    const double *y = rt_sized_value(from, from_row), *t = rt_sized_size(from, from_row);
    for (int c = 0; c < to->width && scale != 0; c++) {
        x[c] += scale * y[c];
        s[c] += fabs(scale) * t[c];
    }
}

void rt_sized_set(const rt_sized_rows *to, int row, int column, double value)
{
    rt_sized_value(to, row)[column] = value;
    rt_sized_size(to, row)[column] = fabs(value);
}

bool rt_sized_is_zero(const rt_sized_rows *rows, int row, int column, double tolerance)
{
    return fabs(rt_sized_value(rows, row)[column]) <= tolerance * rt_sized_size(rows, row)[column];
}

/* ---- elimination ---------------------------------------------------------------------------- */

/* The largest entry of the row, of what is not rounding; 0: none. */
static double shuffle_largest_of(const rt_sized_rows *rows, int row, int first, int n,
                                 double tolerance)
{
    double largest = 0;
    for (int c = first; c < first + n; c++)
        if (!rt_sized_is_zero(rows, row, c, tolerance))
            largest = fmax(largest, fabs(rt_sized_value(rows, row)[c]));
    return largest;
}

static bool shuffle_find_pivot(const rt_sized_rows *rows, int n_rows, int first, int n,
                               const double *weight, double tolerance, const int *pivot_of_row,
                               int *row, int *column)
{
    double best = 0;
    for (int i = 0; i < n_rows; i++) {
        const double largest =
            pivot_of_row[i] < 0 ? shuffle_largest_of(rows, i, first, n, tolerance) : 0;
        for (int c = 0; c < n && largest > 0; c++) {
            if (rt_sized_is_zero(rows, i, first + c, tolerance)) continue;
            const double size =
                fabs(rt_sized_value(rows, i)[first + c]) / largest * (weight ? weight[c] : 1);
            if (size > best) best = size, *row = i, *column = c;
        }
    }
    return best > 0;
}

static void shuffle_scale_row(const rt_sized_rows *rows, int row, double scale)
{
    for (int c = 0; c < rows->width; c++) {
        rt_sized_value(rows, row)[c] *= scale;
        rt_sized_size(rows, row)[c] *= fabs(scale);
    }
}

/* Takes the pivot row, 1 in the column, from the row. */
static void clear_column(const rt_sized_rows *rows, int row, int pivot, int column)
{
    rt_sized_add(rows, row, -rt_sized_value(rows, row)[column], rows, pivot);
    rt_sized_set(rows, row, column, 0);
}

int rt_sized_eliminate(const rt_sized_rows *rows, int n_rows, int first, int n,
                       const double *weight, double tolerance, int *pivot_of_row, double *weakest)
{
    int rank = 0, row, column;
    for (int i = 0; i < n_rows; i++) pivot_of_row[i] = -1;
    while (shuffle_find_pivot(rows, n_rows, first, n, weight, tolerance, pivot_of_row, &row,
                              &column)) {
        if (weakest)
            *weakest = fmin(*weakest, fabs(rt_sized_value(rows, row)[first + column]) /
                                          rt_sized_size(rows, row)[first + column]);
        shuffle_scale_row(rows, row, 1 / rt_sized_value(rows, row)[first + column]);
        rt_sized_set(rows, row, first + column, 1);
        pivot_of_row[row] = column;
        for (int i = 0; i < n_rows; i++)
            if (i != row) clear_column(rows, i, row, first + column);
        rank++;
    }
    return rank;
}

/* ---- the shuffle ---------------------------------------------------------------------------- */

typedef struct shuffle {
    const rt_differential_algebraic *system;
    rt_reduced_index *out;
    rt_sized_rows scratch; /* one row */
    int *pivot_of_row;     /* n_w */
    bool *dropped;         /* n_w: rows that say nothing */
} shuffle;

static bool is_empty(const shuffle *k, int row, int first, int n)
{
    return shuffle_largest_of(&k->system->H, row, first, n, k->system->tolerance) == 0;
}

/* Row c(v, in) of H becomes c_v v' + c_in in' + ... */
static void differentiate_row(const shuffle *k, int row)
{
    const rt_differential_algebraic *s = k->system;
    const int inputs = s->n_v + s->n_w;
    double *x = rt_sized_value(&s->H, row), *size = rt_sized_size(&s->H, row);
    double *t = rt_sized_value(&k->scratch, 0), *t_size = rt_sized_size(&k->scratch, 0);
    memcpy(t, x, (size_t)s->H.width * sizeof *t);
    memcpy(t_size, size, (size_t)s->H.width * sizeof *t);
    memset(x, 0, (size_t)s->H.width * sizeof *x);
    memset(size, 0, (size_t)s->H.width * sizeof *size);
    for (int c = inputs; c + s->n_in < s->H.width; c++) {
        x[c + s->n_in] = t[c];
        size[c + s->n_in] = t_size[c];
    }
    for (int c = 0; c < s->n_v; c++)
        if (!rt_sized_is_zero(&k->scratch, 0, c, s->tolerance))
            rt_sized_add(&s->H, row, t[c], &s->F, c);
}

/* An input in a row that has nothing else. */
static int find_input(const shuffle *k, int row)
{
    const rt_differential_algebraic *s = k->system;
    for (int c = s->n_v + s->n_w; c < s->H.width; c++)
        if (!rt_sized_is_zero(&s->H, row, c, s->tolerance)) return (c - s->n_v - s->n_w) % s->n_in;
    return -1;
}

/* Keeps the rows without w as constraints and differentiates them; how many there were. */
static int take_constraints(const shuffle *k)
{
    const rt_differential_algebraic *s = k->system;
    int n = 0;
    for (int i = 0; i < s->n_w; i++) {
        if (k->pivot_of_row[i] >= 0 || k->dropped[i]) continue;
        for (int c = s->n_v; c < s->n_v + s->n_w; c++) rt_sized_set(&s->H, i, c, 0);
        if (is_empty(k, i, 0, s->n_v)) {
            k->dropped[i] = true;
            if (k->out->unbalanced < 0) k->out->unbalanced = find_input(k, i);
            continue;
        }
        const int to = k->out->n_constraints++;
        memset(rt_sized_value(&k->out->constraints, to), 0, (size_t)s->H.width * sizeof(double));
        memset(rt_sized_size(&k->out->constraints, to), 0, (size_t)s->H.width * sizeof(double));
        rt_sized_add(&k->out->constraints, to, 1, &s->H, i);
        differentiate_row(k, i);
        n++;
    }
    return n;
}

static bool shuffle_take(shuffle *k, int rounds, rt_arena *arena)
{
    const rt_differential_algebraic *s = k->system;
    const size_t n = (size_t)s->n_w;
    k->pivot_of_row = RT_TAKE(arena, int, n);
    k->dropped = RT_TAKE(arena, bool, n);
    k->out->free = RT_TAKE(arena, int, n);
    bool ok = k->pivot_of_row && k->dropped && k->out->free;
    ok = ok && rt_sized_take(&k->scratch, 1, s->H.width, arena);
    ok = ok && rt_sized_take(&k->out->constraints, rounds * s->n_w, s->H.width, arena);
    ok = ok && rt_sized_take(&k->out->w, s->n_w, s->H.width, arena);
    for (size_t i = 0; i < n && ok; i++) k->dropped[i] = false;
    return ok;
}

/* w = - the rest of its row */
static void shuffle_solve(const shuffle *k)
{
    const rt_differential_algebraic *s = k->system;
    rt_reduced_index *out = k->out;
    bool *found = k->dropped; /* no longer needed */
    for (int j = 0; j < s->n_w; j++) found[j] = false;
    for (int i = 0; i < s->n_w; i++) {
        const int j = k->pivot_of_row[i];
        if (j < 0) continue;
        found[j] = true;
        rt_sized_add(&out->w, j, -1, &s->H, i);
        rt_sized_set(&out->w, j, s->n_v + j, 0);
    }
    for (int j = 0; j < s->n_w; j++)
        if (!found[j]) out->free[out->n_free++] = j;
}

routh_status rt_reduce_index(const rt_differential_algebraic *system, rt_reduced_index *out,
                             rt_arena *arena, routh_error *error)
{
    enum { ROUNDS = 5 };
    static const double STIFF = 1e-5; /* of the size, which is a hundredth of the largest */
    *out = (rt_reduced_index){.unbalanced = -1};
    shuffle k = {.system = system, .out = out};
    if (!shuffle_take(&k, ROUNDS, arena)) return rt_fail_memory(error);
    for (int round = 0; round < ROUNDS; round++) {
        double weakest = 1;
        rt_sized_eliminate(&system->H, system->n_w, system->n_v, system->n_w, NULL,
                           system->tolerance, k.pivot_of_row, &weakest);
        if (weakest < 100 * system->tolerance) out->unclear = true;
        if (round == 0 && weakest < STIFF) out->stiff = true;
        if (round == ROUNDS - 1) {
            for (int i = 0; i < system->n_w; i++)
                out->too_high |= k.pivot_of_row[i] < 0 && !k.dropped[i];
            break;
        }
        if (take_constraints(&k) == 0) break;
    }
    shuffle_solve(&k);
    return ROUTH_OK;
}
