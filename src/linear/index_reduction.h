/* A linear differential-algebraic system reduced to what it determines, exactly:
 *     v' = F (v, w, in, in', ..),      0 = H (v, w, in, in', ..)
 * with as many rows of H as unknowns w. Rows that are free of w are constraints on v; they are kept
 * and differentiated until all of w is found (Luenberger's shuffle). A w that stays free after that
 * is undetermined.
 *
 * Every number has a companion, the sum of the sizes of the terms it was made of: what is 1e-12 of
 * it is rounding of zero. So no unit and no time scale decides about a rank. */
#ifndef RT_LINEAR_INDEX_REDUCTION_H
#define RT_LINEAR_INDEX_REDUCTION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

enum { RT_INPUT_ORDERS = 5 }; /* in, in', .. in'''' */

/* Rows of numbers with their sizes, row-major. */
typedef struct rt_sized_rows {
    int n_rows, width;
    double *value, *size;
} rt_sized_rows;

bool rt_sized_take(rt_sized_rows *rows, int n_rows, int width, rt_arena *arena);
static inline double *rt_sized_value(const rt_sized_rows *rows, int row)
{
    return rows->value + (size_t)rows->width * (size_t)row;
}
static inline double *rt_sized_size(const rt_sized_rows *rows, int row)
{
    return rows->size + (size_t)rows->width * (size_t)row;
}
/* to += scale from, rows of one width */
void rt_sized_add(const rt_sized_rows *to, int row, double scale, const rt_sized_rows *from,
                  int from_row);
void rt_sized_set(const rt_sized_rows *to, int row, int column, double value);
bool rt_sized_is_zero(const rt_sized_rows *rows, int row, int column, double tolerance);

typedef struct rt_differential_algebraic {
    int n_v, n_w, n_in; /* columns: v, w, then n_in of each order */
    rt_sized_rows F;    /* n_v rows */
    rt_sized_rows H;    /* n_w rows; used up */
    double tolerance;   /* 1e-12, or more where the numbers are not exact */
} rt_differential_algebraic;

typedef struct rt_reduced_index {
    rt_sized_rows w;           /* n_w rows; column of a free w: as it stands there */
    int n_free, *free;         /* w that stay free */
    rt_sized_rows constraints; /* n_constraints rows on v and inputs, w eliminated */
    int n_constraints;
    int unbalanced; /* an input that acts where nothing balances it; -1: none */
    bool too_high;  /* constraints that do not end */
    bool unclear;   /* a pivot that is not far from what counts as zero */
    bool stiff;     /* a w that is so weak in its own row that its rate is out of all proportion */
} rt_reduced_index;

routh_status rt_reduce_index(const rt_differential_algebraic *system, rt_reduced_index *out,
                             rt_arena *arena, routh_error *error);

/* Gauss-Jordan on the columns first .. first + n - 1 of the rows: *pivot_of_row (n_rows) the column
 * (from 0) that the row is solved for, scaled to 1, or -1. weight (n, or NULL): columns of small
 * weight are taken late, those of weight 0 not. The rank. *weakest (NULL: not wanted) becomes the
 * smallest pivot over its size, where that is less. */
int rt_sized_eliminate(const rt_sized_rows *rows, int n_rows, int first, int n,
                       const double *weight, double tolerance, int *pivot_of_row, double *weakest);

#endif
