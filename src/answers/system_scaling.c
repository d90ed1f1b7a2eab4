#include "answers/system_scaling.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "answers/scaling.h"
#include "base/error.h"

/* Rounding errors: entries of A smaller than this part of the largest, in the units of
 * answers/scaling.h, and of an input's column or an output's row; then entries smaller than this
 * part of what the fit makes of them. */
static const double ROUNDING = 1e-13, NO_ENTRY = 1e-10;

enum { MOST_PASSES = 8, MOST_STEPS = 2000 };

/* One entry that is not zero: log size + x[column] - x[row] - power x[rate] should be 0. */
typedef struct system_scaling_entry {
    int row, column;
    double power, size; /* size: log |entry| */
} system_scaling_entry;

/* Unknowns: logarithms of the scales of states, inputs, outputs, and of the rate. */
typedef struct system_scaling_fit {
    int n_states, n_inputs, n_outputs, n; /* n: unknowns */
    system_scaling_entry *entries;
    size_t n_entries;
    double *x, *r, *p, *q; /* n: solution, and room for conjugate gradients */
} system_scaling_fit;

static double misfit(const system_scaling_fit *f, const system_scaling_entry *e, const double *x)
{
    return x[e->column] - x[e->row] - e->power * x[f->n - 1];
}

static void add_transposed(const system_scaling_fit *f, const system_scaling_entry *e, double value,
                           double *y)
{
    y[e->column] += value;
    y[e->row] -= value;
    y[f->n - 1] -= e->power * value;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* A matrix, and where it stands among the unknowns. factor brings its entries to those of A, of B
 * or of C. */
typedef struct system_scaling_block {
    const double *values;
    int rows, columns, first_row, first_column;
    double power, factor;
} system_scaling_block;

/* Entry (i, j), states counted in `base`. */
static double system_scaling_counted(const system_scaling_block *b, const double *base, int i,
                                     int j)
{
    const double row = b->first_row == 0 ? base[i] : 1;
    const double column = b->first_column == 0 ? base[j] : 1;
    return b->values ? fabs(b->values[(size_t)i * (size_t)b->columns + (size_t)j]) * column / row
                     : 0;
}

static double system_scaling_largest(const system_scaling_block *b, const double *base, int row,
                                     int column)
{
    double most = 0;
    for (int i = row < 0 ? 0 : row; i < (row < 0 ? b->rows : row + 1); i++)
        for (int j = column < 0 ? 0 : column; j < (column < 0 ? b->columns : column + 1); j++)
            most = fmax(most, b->factor * system_scaling_counted(b, base, i, j));
    return most;
}

static void system_scaling_add_entry(system_scaling_fit *f, const system_scaling_block *b,
                                     const double *base, int i, int j, double whole)
{
    const double a = system_scaling_counted(b, base, i, j);
    if (!(a > 0) || b->factor * a < ROUNDING * whole) return;
    f->entries[f->n_entries++] =
        (system_scaling_entry){b->first_row + i, b->first_column + j, b->power, log(a)};
}

static bool share_a_unit(const routh_linear *l, int i, int k)
{
    if (i == k || !l->outputs) return i == k;
    const char *a = l->outputs[i].unit, *b = l->outputs[k].unit;
    return a && b && *a && !strcmp(a, b);
}

/* The largest entry of the rows of C in the unit of row i: where an output does not move to first
 * order, its row is rounding errors throughout, and only others of its kind show it. */
static double largest_of_unit(const routh_linear *l, const double *row, int i)
{
    double most = row[i];
    for (int k = 0; k < l->n_outputs; k++)
        if (row[k] > most && share_a_unit(l, i, k)) most = row[k];
    return most;
}

static void system_scaling_add_entries(system_scaling_fit *f, const routh_linear *l,
                                       const double *base)
{
    const int n = f->n_states, m = f->n_inputs, in = n, out = n + m;
    const system_scaling_block A = {l->A, n, n, 0, 0, 1, 1},
                               C = {l->C, f->n_outputs, n, out, 0, 0, 1};
    const double rate = system_scaling_largest(&A, base, -1, -1);
    const system_scaling_block B[] = {{l->B, n, m, 0, in, 1, 1},
                                      {l->B1, n, m, 0, in, 0, rate},
                                      {l->B2, n, m, 0, in, -1, rate * rate}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) system_scaling_add_entry(f, &A, base, i, j, rate);
    for (int j = 0; j < m; j++) {
        double whole = 0;
        for (int k = 0; k < 3; k++) whole = fmax(whole, system_scaling_largest(&B[k], base, -1, j));
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < n; i++) system_scaling_add_entry(f, &B[k], base, i, j, whole);
    }
    for (int i = 0; i < f->n_outputs; i++) f->q[i] = system_scaling_largest(&C, base, i, -1);
    for (int i = 0; i < f->n_outputs; i++) {
        const double whole = largest_of_unit(l, f->q, i);
        for (int j = 0; j < n; j++) system_scaling_add_entry(f, &C, base, i, j, whole);
    }
}

/* Leaves out what the scales show to be rounding errors. */
static bool drop_noise(system_scaling_fit *f)
{
    size_t kept = 0;
    for (size_t k = 0; k < f->n_entries; k++)
        if (f->entries[k].size + misfit(f, &f->entries[k], f->x) >= log(NO_ENTRY))
            f->entries[kept++] = f->entries[k];
    const bool dropped = kept < f->n_entries;
    f->n_entries = kept;
    return dropped;
}

/* ---- least squares --------------------------------------------------------------------------- */

static double system_scaling_dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void system_scaling_apply(const system_scaling_fit *f, const double *x, double *y)
{
    memset(y, 0, (size_t)f->n * sizeof *y);
    for (size_t k = 0; k < f->n_entries; k++)
        add_transposed(f, &f->entries[k], misfit(f, &f->entries[k], x), y);
}

/* Conjugate gradients on the normal equations, from 0: of all minima the smallest x. */
static void system_scaling_solve(system_scaling_fit *f)
{
    memset(f->x, 0, (size_t)f->n * sizeof *f->x);
    memset(f->r, 0, (size_t)f->n * sizeof *f->r);
    for (size_t k = 0; k < f->n_entries; k++)
        add_transposed(f, &f->entries[k], -f->entries[k].size, f->r);
    memcpy(f->p, f->r, (size_t)f->n * sizeof *f->p);
    double size = system_scaling_dot(f->r, f->r, f->n);
    const double enough = 1e-26 * size;
    for (int step = 0; step < MOST_STEPS && size > enough; step++) {
        system_scaling_apply(f, f->p, f->q);
        const double curve = system_scaling_dot(f->p, f->q, f->n);
        if (!(curve > 0)) return;
        const double alpha = size / curve, before = size;
        for (int i = 0; i < f->n; i++) f->x[i] += alpha * f->p[i], f->r[i] -= alpha * f->q[i];
        size = system_scaling_dot(f->r, f->r, f->n);
        for (int i = 0; i < f->n; i++) f->p[i] = f->r[i] + size / before * f->p[i];
    }
}

routh_status rt_scale_system(rt_system_scale *scale, const routh_linear *l, rt_arena *arena,
                             routh_error *error)
{
    const size_t n = (size_t)l->n_states, m = (size_t)l->n_inputs, p = (size_t)l->n_outputs;
    system_scaling_fit f = {
        l->n_states, l->n_inputs, l->n_outputs, (int)(n + m + p + 1), NULL, 0, 0, 0, 0, 0};
    rt_arena room = {0};
    f.entries = RT_TAKE(&room, system_scaling_entry, n * n + 3 * n * m + p * n);
    f.r = RT_TAKE(&room, double, f.n), f.p = RT_TAKE(&room, double, f.n);
    f.q = RT_TAKE(&room, double, f.n), f.x = RT_TAKE(arena, double, f.n);
    double *base = RT_TAKE(&room, double, n);
    const bool taken = f.entries && f.r && f.p && f.q && f.x && base;
    if (taken) {
        rt_scale_states(l, base);
        system_scaling_add_entries(&f, l, base);
        for (int pass = 0; pass < MOST_PASSES && (pass == 0 || drop_noise(&f)); pass++)
            system_scaling_solve(&f);
        for (int i = 0; i < f.n; i++) f.x[i] = exp(f.x[i]) * (i < l->n_states ? base[i] : 1);
        *scale = (rt_system_scale){f.x, f.x + n, f.x + n + m, f.x[f.n - 1]};
    }
    rt_arena_free(&room);
    return taken ? ROUTH_OK : rt_fail_memory(error);
}
