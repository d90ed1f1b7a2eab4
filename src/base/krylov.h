/* What the iterations of this program share: a basis V of k columns of n numbers, orthonormal in
 * the inner product x^H M y, M the caller's. Users: block_lanczos.h (real, symmetric M),
 * krylov_schur.h (complex, M = 1). ARPACK (arnoldi.h) keeps its own basis. */
#ifndef RT_BASE_KRYLOV_H
#define RT_BASE_KRYLOV_H

#include <stdbool.h>

/* One pass: W -= V C, C = V' M W, for m columns W. Of M V and M W one is given, the other NULL;
 * both NULL: M = 1. Where most of W went, what is left has parts of the size of rounding: the
 * caller makes a second pass, with M W of what is left. C: k x m, ldc numbers from one column to
 * the next. */
void rt_take_out(int n, int k, const double *V, const double *MV, int m, double *W,
                 const double *MW, double *C, int ldc);

/* w -= V c, c = V^H w, twice; both times added to h (k; NULL: not wanted). c: room for k. */
void rt_take_out_twice(int n, int k, const double _Complex *V, double _Complex *w,
                       double _Complex *c, double _Complex *h);

/* What is left of a vector of the length `before` when a basis was taken out of it is a direction
 * of its own: no rounding, which is below that share of it, and finite. */
bool rt_is_new(double left, double before, double share);

/* V becomes V Y, `keep` columns, in its place; Y: k x keep, ldy numbers from one column to the
 * next. rows: room for RT_ROWS_AT_ONCE x keep. */
enum { RT_ROWS_AT_ONCE = 256 };
void rt_turn_basis(int n, int k, double *V, int keep, const double *Y, int ldy, double *rows);
void rt_turn_complex_basis(int n, int k, double _Complex *V, int keep, const double _Complex *Y,
                           int ldy, double _Complex *rows);

/* The next of numbers without a pattern, from -0.5 to 0.5. */
double rt_no_pattern(unsigned *seed);

#endif
