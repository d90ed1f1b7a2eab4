/* What the redundant method's pencils are made of. */
#include <float.h>
#include <stdlib.h>

#include "methods/redundant_parts.h"

/* ---- scales --------------------------------------------------------------------------------- */

double rt_largest_entry(const rt_pattern *p, const double *values, const double *row_unit,
                        const double *unit)
{
    double most = 0;
    for (int c = 0; c < p->n_columns; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            const double size = fabs(values[e]) * unit[c] * (row_unit ? row_unit[p->row[e]] : 1);
            if (!(size <= most)) most = size;
        }
    return most;
}

/* The rate of the motion, and of falling through the typical length by the forces there are. */
static double rate_of_motion(const rt_search *s, double mass)
{
    double rate = mass > 0 ? sqrt(rt_largest_force(s) / mass / s->m->length) : 0;
    for (int c = 0; c < s->m->n_u; c++) {
        const double size = s->unit[c] * s->m->length;
        rate = fmax(rate, fabs(s->state->u[c]) / size);
        rate = fmax(rate, sqrt(fabs(s->state->udot[c]) / size));
    }
    return rate;
}

/* Rounding of what moves and of the forces there are makes a rate too, of 1e-8 of theirs: it counts
 * as none. */
double rt_typical_rate(const rt_search *s)
{
    static const double rounding = 1e-6;
    const routh_mechanism *m = s->m;
    const rt_workspace *w = s->w;
    const double mass = rt_largest_entry(&m->pattern_M, w->M, s->unit, s->unit);
    const double G = rt_largest_entry(&m->pattern_G, w->G, NULL, s->unit);
    const double Ax = rt_largest_entry(&m->pattern_G, w->Ax, NULL, s->unit);
    const double Vx = rt_largest_entry(&m->pattern_G, w->Vx, NULL, s->unit);
    const double motion = rate_of_motion(s, mass);
    double rate = 0;
    if (G > 0) rate = fmax(Vx / G, sqrt(Ax / G));
    if (mass > 0) {
        rate = fmax(rate, sqrt(rt_largest_entry(&m->pattern_K, w->K, s->unit, s->unit) / mass));
        if (rate <= rounding * motion)
            rate = rt_largest_entry(&m->pattern_K, w->D, s->unit, s->unit) / mass;
    }
    if (rate <= rounding * motion) rate = motion;
    return rate > 0 && isfinite(rate) ? rate : 1;
}

static bool negligible(const rt_search *s, const double *values, double G, double rate)
{
    return rt_largest_entry(&s->m->pattern_G, values, NULL, s->unit) <= 64 * DBL_EPSILON * rate * G;
}

static bool row_turns(const rt_state_row *row, const double *unit, double rate)
{
    const double least = 64 * DBL_EPSILON * rate;
    double s = 0, w = 0, u = 0, x = 0;
    for (int c = 0; c < row->n; c++) {
        const double length = unit[row->columns[c]];
        s = fmax(s, fabs(row->s_x[c]) * length), w = fmax(w, fabs(row->w_x[c]) * length);
        u = fmax(u, fabs(row->a_u[c]) * length), x = fmax(x, fabs(row->a_x[c]) * length);
    }
    return w > least * s || u > least * s || x > least * rate * s;
}

bool rt_nothing_turns(const rt_search *s, const rt_state_row *rows, int z, double rate)
{
    const rt_workspace *w = s->w;
    const double G = rt_largest_entry(&s->m->pattern_G, w->G, NULL, s->unit);
    for (int c = 0; c < s->m->n_u; c++)
        if (s->state->u[c] != 0) return false;
    if (!negligible(s, w->Vx, G, rate) || !negligible(s, w->Au, G, rate) ||
        !negligible(s, w->Ax, G, rate * rate))
        return false;
    for (int k = 0; k < z; k++)
        if (row_turns(&rows[k], s->unit, rate)) return false;
    return true;
}

/* ---- dense blocks, column-major ------------------------------------------------------------- */

bool rt_dense_take(rt_dense *b, int rows, int columns, rt_arena *arena)
{
    *b = (rt_dense){rows, columns, RT_TAKE(arena, double, (size_t)rows *(size_t)columns), rows};
    return b->at != NULL;
}

void rt_dense_times_transposed(const rt_dense *A, const rt_dense *B, double s, double *C)
{
    for (int j = 0; j < B->columns; j++)
        for (int i = 0; i < A->columns; i++) {
            const double *a = rt_dense_column(A, i), *b = rt_dense_column(B, j);
            double sum = 0;
            for (int l = 0; l < A->rows; l++) sum += a[l] * b[l];
            C[i + (size_t)A->columns * (size_t)j] = s * sum;
        }
}

bool rt_dense_times(rt_dense *C, const rt_dense *A, const rt_dense *B, rt_arena *arena)
{
    if (!rt_dense_take(C, A->rows, B->columns, arena)) return false;
    for (int j = 0; j < B->columns; j++)
        for (int l = 0; l < A->columns; l++) {
            const double b = rt_dense_column(B, j)[l], *a = rt_dense_column(A, l);
            double *c = rt_dense_column(C, j);
            for (int i = 0; i < A->rows && b != 0; i++) c[i] += b * a[i];
        }
    return true;
}

double rt_dense_largest(const rt_dense *b)
{
    double most = 0;
    for (int j = 0; j < b->columns; j++)
        for (int i = 0; i < b->rows; i++) most = fmax(most, fabs(rt_dense_column(b, j)[i]));
    return most;
}

routh_status rt_deflate(rt_dense *transposed, rt_dense *basis, rt_reflectors *q, rt_arena *arena,
                        routh_error *error)
{
    const int n = transposed->rows, m = transposed->columns;
    rt_reflectors own;
    if (!q) q = &own;
    if (!rt_dense_take(basis, n, n - m, arena)) return rt_fail_memory(error);
    const routh_status status = rt_reflectors_make(q, n, m, transposed->at, arena, error);
    if (!status) rt_reflectors_null(q, basis->at);
    return status;
}

/* ---- a mechanism in its units  ---------------------------------------------------------- */

bool rt_parts_prepare(rt_parts *p, const rt_search *s, const rt_state_row *rows, int z,
                      rt_arena *arena)
{
    *p = (rt_parts){.s = s, .rows = rows, .n = s->m->n_u, .m = s->rank->rank, .z = z};
    p->slot = RT_TAKE(arena, int, s->m->n_rows);
    p->full = RT_TAKE(arena, double, s->m->n_rows);
    p->x = RT_TAKE(arena, double, p->n);
    if (!p->slot || !p->full || !p->x) return false;
    if (!rt_number_rows(s, p->slot, arena)) return false;
    p->rate = rt_typical_rate(s);
    return true;
}

void rt_parts_put_G(const rt_parts *p, const int *slot, double factor, double *to, int apart)
{
    const rt_pattern *G = &p->s->m->pattern_G;
    for (int c = 0; c < p->n; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            if (slot[G->row[e]] >= 0)
                to[c + (size_t)apart * (size_t)slot[G->row[e]]] =
                    factor * p->s->unit[c] * p->s->w->G[e];
}

void rt_parts_add_L(const rt_parts *p, double factor, double *to, int apart)
{
    const rt_pattern *L = &p->s->m->pattern_L;
    for (int r = 0; r < p->s->m->n_rows; r++)
        for (int e = L->start[r]; e < L->start[r + 1] && p->slot[r] >= 0; e++)
            to[L->row[e] + (size_t)apart * (size_t)p->slot[r]] +=
                factor * p->s->unit[L->row[e]] * p->s->w->L[e];
}

void rt_parts_add_product(const rt_parts *p, const rt_pattern *pattern, const double *values,
                          double factor, const double *x, double *y)
{
    for (int c = 0; c < p->n; c++) {
        const double entry = factor * p->s->unit[c] * x[c];
        for (int e = pattern->start[c]; e < pattern->start[c + 1]; e++)
            y[pattern->row[e]] += p->s->unit[pattern->row[e]] * values[e] * entry;
    }
}

void rt_parts_add_rows(const rt_parts *p, const double *values, double factor, const double *x,
                       double *y)
{
    for (int c = 0; c < p->n; c++) p->x[c] = p->s->unit[c] * x[c];
    memset(p->full, 0, (size_t)p->s->m->n_rows * sizeof(double));
    rt_sparse_multiply_add(&p->s->m->pattern_G, values, factor, p->x, p->full);
    for (int r = 0; r < p->s->m->n_rows; r++)
        if (p->slot[r] >= 0) y[p->slot[r]] += p->full[r];
}

double rt_parts_state_times(const rt_parts *p, const rt_state_row *row, const double *entries,
                            const double *x)
{
    double sum = 0;
    for (int c = 0; c < row->n; c++)
        sum += entries[c] * p->s->unit[row->columns[c]] * x[row->columns[c]];
    return sum;
}

void rt_parts_put_motion(const rt_parts *p, const rt_dense *basis, double *to)
{
    for (int k = 0; k < basis->columns; k++)
        for (int c = 0; c < p->n; c++)
            to[c + (size_t)p->n * (size_t)k] = p->s->unit[c] * rt_dense_column(basis, k)[c];
}
