/* Sparse matrices in compressed columns, and their factorization by KLU.
 *
 * A pattern is made once; values change often. rt_factor keeps the symbolic analysis and the
 * numeric factor. */
#ifndef RT_BASE_SPARSE_H
#define RT_BASE_SPARSE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* Compressed columns: entries of column j are start[j] .. start[j+1]-1, rows ascending, no
 * duplicates. */
typedef struct rt_pattern {
    int n_rows, n_columns;
    int *start; /* n_columns + 1 */
    int *row;   /* start[n_columns] */
} rt_pattern;

/* Builds a pattern from n_entries (row, column) pairs in any order, repeats allowed. position[k]
 * (may be NULL) receives where pair k went. Memory of the pattern comes from the arena. */
routh_status rt_pattern_build(rt_pattern *pattern, int n_rows, int n_columns, size_t n_entries,
                              const int *rows, const int *columns, int *position, rt_arena *arena,
                              routh_error *error);

/* Which entry (row, column) is, or -1 where the pattern has none there. */
int rt_pattern_find(const rt_pattern *pattern, int row, int column);

/* Nearly full columns among short ones? (The measure of AMD.) */
bool rt_pattern_is_bordered(const rt_pattern *pattern);

/* y += s A x ; y += s A' x */
void rt_sparse_multiply_add(const rt_pattern *p, const double *values, double s, const double *x,
                            double *y);
void rt_sparse_transpose_multiply_add(const rt_pattern *p, const double *values, double s,
                                      const double *x, double *y);

typedef struct rt_factor rt_factor;

typedef enum rt_ordering {
    RT_ORDER_AMD,
    RT_ORDER_COLAMD,
    RT_ORDER_COLAMD_LARGEST, /* each pivot the largest entry of its column, not one on the diagonal
                                where that is a thousandth of it */
} rt_ordering;

/* Symbolic analysis (KLU, btf = 0). The pattern must outlive the factor. */
routh_status rt_factor_create(rt_factor **factor, const rt_pattern *pattern, rt_ordering ordering,
                              routh_error *error);

/* For who does the same again and again: symbolic analyses by pattern and ordering, factors that
 * were freed, patterns, eliminations, blocks of arenas. Results are to the bit those that there are
 * without. Any thread may use them. They must outlive the factors and the arenas. */
rt_analyses *rt_analyses_create(void);        /* NULL: out of memory */
void rt_analyses_free(rt_analyses *analyses); /* NULL is allowed */

/* What is done from now on has other sizes: blocks that are not in use go back to the system. NULL
 * is allowed. */
void rt_analyses_trim(rt_analyses *analyses);

/* rt_pattern_build; that of a list of entries which was met before is given again. NULL: none are
 * kept. position: not NULL. */
routh_status rt_pattern_build_kept(rt_pattern *pattern, int n_rows, int n_columns, size_t n_entries,
                                   const int *rows, const int *columns, int *position,
                                   rt_arena *arena, rt_analyses *analyses, routh_error *error);

/* rt_factor_create with the analysis that is kept of a pattern like this, or one that is kept from
 * now on. NULL: none are. */
routh_status rt_factor_create_kept(rt_factor **factor, const rt_pattern *pattern,
                                   rt_ordering ordering, rt_analyses *analyses, routh_error *error);

/* Whose it is; NULL: nobody's. */
rt_analyses *rt_factor_analyses(const rt_factor *factor);

/* Numeric factorization with partial pivoting; later calls refactor on the old pivots and fall back
 * to fresh pivoting when the pivot growth is bad (only then do they allocate). ROUTH_SINGULAR,
 * naming the column, when a pivot vanishes; ROUTH_NUMERIC_ERROR when a value is not finite. values
 * are kept by reference for refinement: they must stay unchanged until the last solve. */
routh_status rt_factor_numeric(rt_factor *factor, const double *values, routh_error *error);

/* The next numeric factorization chooses its pivots anew, as the first did. */
void rt_factor_forget(rt_factor *factor);

/* Solves A X = B in place, n_rhs columns one after another, with one step of iterative refinement.
 * May be called from several threads at once on different b and work: work is 2 * n * min(n_rhs, 4)
 * doubles (NULL: the factor's own, one right-hand side at a time, single thread). Columns of b are
 * n apart. ROUTH_NUMERIC_ERROR when the solution is not finite. Allocates nothing. */
routh_status rt_factor_solve(const rt_factor *factor, double *b, int n_rhs, double *work,
                             routh_error *error);

/* The same of A' X = B. */
routh_status rt_factor_solve_transposed(const rt_factor *factor, double *b, int n_rhs, double *work,
                                        routh_error *error);

/* rt_factor_solve without refinement, for those that refine themselves; work: 4 n doubles. */
routh_status rt_factor_solve_once(const rt_factor *factor, double *b, int n_rhs, double *work,
                                  routh_error *error);

/* Smallest over largest pivot of the last numeric factorization: a cheap, rough reciprocal
 * condition number; 0 when there is none. */
double rt_factor_rcond(const rt_factor *factor);

/* Of the determinant: 1 or -1; 0 when there is no factorization. By one thread at a time. */
int rt_factor_sign(const rt_factor *factor);
size_t rt_factor_bytes(const rt_factor *factor);

/* Patterns of the factors P (R^-1 A) Q = L U of the last numeric factorization, L with its unit
 * diagonal, from the arena. BAD_ARGUMENT when there is none. */
routh_status rt_factor_patterns(rt_factor *factor, rt_pattern *L, rt_pattern *U, rt_arena *arena,
                                routh_error *error);

void rt_factor_free(rt_factor *factor);

#endif
