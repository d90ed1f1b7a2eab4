/* Gauss-Jordan elimination in the field: T G = [1 F; 0 0] up to the order of columns, with the rank
 * found exactly. */
#ifndef RT_SYMBOLIC_ELIMINATION_H
#define RT_SYMBOLIC_ELIMINATION_H

#include "symbolic/field.h"

enum { RT_MOST_TERMS = 400 }; /* of an entry, above and below the bar together */

typedef struct rt_exact_elimination {
    rt_exact_field *field;
    int m, n, rank;
    rt_exact *G;    /* m x n, eliminated */
    rt_exact *T;    /* m x m */
    int *pivot_row; /* rank: of pivot k */
    int *pivot_column;
    int *column; /* n: its pivot, or -1: free */
    int *row;    /* m: its pivot, or -1: nothing is left of it */
} rt_exact_elimination;

/* Of G[m x n], which is overwritten and stays the caller's. OUT_OF_MEMORY; LIMIT_EXCEEDED: entries
 * of more than RT_MOST_TERMS terms. */
routh_status rt_exact_eliminate(rt_exact_elimination *e, rt_exact_field *field, int m, int n,
                                rt_exact *G, routh_error *error);
void rt_exact_elimination_end(rt_exact_elimination *e);

/* y[n] with G y = b and zero in free columns. */
void rt_exact_particular(const rt_exact_elimination *e, const rt_exact *b, rt_exact *y);
/* y[n]: the null vector that is 1 in that free column. */
void rt_exact_null(const rt_exact_elimination *e, int free_column, rt_exact *y);
/* lambda[m] with (G' lambda)[c] = R[c] in pivot columns. */
void rt_exact_multipliers(const rt_exact_elimination *e, const rt_exact *R, rt_exact *lambda);

#endif
