/* What the redundant method's pencils are made of: dense blocks, orthogonal steps, and a
 * mechanism's matrices in typical lengths and rates. Of redundant_*.c alone. */
#ifndef RT_METHODS_REDUNDANT_PARTS_H
#define RT_METHODS_REDUNDANT_PARTS_H

#include "base/reflectors.h"
#include "methods/redundant_pencil.h"

/* Columns `apart` entries from one another; a part of a block shares its entries. */
typedef struct rt_dense {
    int rows, columns;
    double *at;
    int apart;
} rt_dense;

static inline double *rt_dense_column(const rt_dense *b, int k)
{
    return b->at + (size_t)b->apart * (size_t)k;
}

static inline rt_dense rt_dense_part(const rt_dense *b, int first_row, int rows)
{
    return (rt_dense){rows, b->columns, b->at + first_row, b->apart};
}

/* Zeroed, in the arena. False: out of memory. */
bool rt_dense_take(rt_dense *b, int rows, int columns, rt_arena *arena);

/* C = s A' B, C of A->columns rows */
void rt_dense_times_transposed(const rt_dense *A, const rt_dense *B, double s, double *C);

/* C = A B, taken. False: out of memory. */
bool rt_dense_times(rt_dense *C, const rt_dense *A, const rt_dense *B, rt_arena *arena);

double rt_dense_largest(const rt_dense *b);

/* The last columns of Q in F' = Q [R; 0], as many as F' has rows too many: an orthonormal basis of
 * all y with F y = 0. F' is overwritten. q (NULL: not wanted) keeps Q and R. */
routh_status rt_deflate(rt_dense *transposed, rt_dense *basis, rt_reflectors *q, rt_arena *arena,
                        routh_error *error);

/* Largest entry of row_unit A unit; rows unscaled where row_unit is NULL. */
double rt_largest_entry(const rt_pattern *p, const double *values, const double *row_unit,
                        const double *unit);

/* Columns of u are counted in typical lengths (unit), time in 1/rate. */
typedef struct rt_parts {
    const rt_search *s;
    const rt_state_row *rows;
    int n, m, z;
    int *slot;    /* all rows of Phi: place among the independent ones, or -1 */
    double *full; /* n_rows */
    double *x;    /* n */
    double rate;
} rt_parts;

bool rt_parts_prepare(rt_parts *p, const rt_search *s, const rt_state_row *rows, int z,
                      rt_arena *arena);

/* to[c + apart * slot] = factor unit_c G_rc: the transposed rows that have a slot */
void rt_parts_put_G(const rt_parts *p, const int *slot, double factor, double *to, int apart);

/* to[c + apart * slot] += factor unit_c L_cr */
void rt_parts_add_L(const rt_parts *p, double factor, double *to, int apart);

/* y (n) += factor unit A unit x */
void rt_parts_add_product(const rt_parts *p, const rt_pattern *pattern, const double *values,
                          double factor, const double *x, double *y);

/* y (m) += factor (the independent rows) unit x */
void rt_parts_add_rows(const rt_parts *p, const double *values, double factor, const double *x,
                       double *y);

/* (one of a state row's lists) unit x */
double rt_parts_state_times(const rt_parts *p, const rt_state_row *row, const double *entries,
                            const double *x);

/* to = unit basis, in the units of u */
void rt_parts_put_motion(const rt_parts *p, const rt_dense *basis, double *to);

#endif
