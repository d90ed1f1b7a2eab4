/* An orthogonal matrix Q kept as Householder's reflectors, never formed:
 *
 *     A = Q [R; 0],    A: n x m, n >= m, column-major
 *
 * Panels of columns are reduced on the rows between their first and last entry only, so a matrix
 * whose columns come with their last entries in about ascending order (a staircase) costs in
 * proportion to n times the square of its width, a full one the usual 2 n m^2. */
#ifndef RT_BASE_REFLECTORS_H
#define RT_BASE_REFLECTORS_H

#include "base/arena.h"
#include "base/error.h"

typedef struct rt_reflectors {
    int n, m;
    double *a;      /* n x m, the caller's: R in its upper triangle, reflectors below */
    double *blocks; /* the triangles of the panels' block reflectors */
    int *last;      /* of each panel: one past its last row */
    int *begin;     /* of each column of A: its first entry, and one past its last */
    int *end;
    double *work; /* for blocks of RT_REFLECTED_COLUMNS columns */
} rt_reflectors;

enum { RT_REFLECTED_COLUMNS = 64 };

/* Factors a, which is overwritten and must stay. NUMERIC_ERROR where an entry is not finite,
 * BAD_ARGUMENT where n < m. Memory comes from the arena. */
routh_status rt_reflectors_make(rt_reflectors *q, int n, int m, double *a, rt_arena *arena,
                                routh_error *error);

/* b := Q b or Q' b; b: n x columns. Uses q->work: one thread at a time. Allocates nothing. */
void rt_reflectors_apply(const rt_reflectors *q, int transposed, int columns, double *b);

/* The last n - m columns of Q: an orthonormal basis of all x with A'x = 0. basis: n x (n - m) */
void rt_reflectors_null(const rt_reflectors *q, double *basis);

/* b := R^-1 b, R'^-1 b, R b; b: m. A zero on R's diagonal gives infinities. */
void rt_reflectors_solve(const rt_reflectors *q, double *b);
void rt_reflectors_solve_transposed(const rt_reflectors *q, double *b);
void rt_reflectors_multiply(const rt_reflectors *q, double *b);

#endif
