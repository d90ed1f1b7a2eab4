/* Parts of the refinement: the vectors, and one sweep over those that are refined. */
#ifndef RT_ANSWERS_REFINE_PARTS_H
#define RT_ANSWERS_REFINE_PARTS_H

#include <complex.h>

#include "answers/pencil.h"

typedef double _Complex rt_complex;

static inline rt_complex rt_complex_of(double re, double im) { return re + im * I; }

/* One eigenvalue that is refined, with Im >= 0. */
typedef struct rt_refinable {
    int at; /* its column, the first of a pair */
    bool is_pair;
    bool stuck; /* not to be told from others that are not refined */
    int group;  /* the first of those that it is not to be told from: its place in the list */
    double change, before; /* by the last sweep, and the one before */
} rt_refinable;

typedef struct rt_refinement {
    rt_pencil pencil;
    int n, n_vectors;  /* columns, which with the vectors of the zeros make a basis */
    double *X, *Y;     /* n x n_vectors: right and left vectors, Y^H F = lambda Y^H E */
    const double *im;  /* n_vectors: not 0 of pairs, of which the second is negative */
    rt_complex *value; /* n_vectors, at the first of a pair: eigenvalues as they are now */
    rt_complex *dual;  /* y^H E x */
    int *item;         /* its place in the list, or -1 */
    int n_list;
    rt_refinable *list;
    double *R, *L, *EX;  /* n x 2 n_list, re and im: (F - lambda E) x, y^H (F - lambda E), E x */
    double *by_Y, *by_X; /* n_vectors x 2 n_list, re and im: Y' R, X' L */
    double *zero;        /* n */
} rt_refinement;

/* The vector of item k in X or Y; the imaginary part of a real one is `zero`. */
rt_complex_vector rt_refine_vector(const rt_refinement *refinement, double *of, int k);

/* y^H b, b of a pair of columns */
rt_complex rt_refine_dot(rt_complex_vector y, rt_complex_vector b, int n);

/* Columns 2 k and 2 k + 1 of a matrix with n rows. */
static inline rt_complex_vector rt_refine_columns(double *of, int n, int k)
{
    return (rt_complex_vector){of + 2 * (size_t)n * (size_t)k,
                               of + (2 * (size_t)k + 1) * (size_t)n};
}

/* R, L and EX */
void rt_refine_residuals(rt_refinement *refinement);

/* by_Y and by_X, and groups of those that are coupled more than first order bears. */
void rt_refine_couple(rt_refinement *refinement);

/* Rayleigh quotients: new values, duals and changes. *turned: vectors of a group were turned, so
 * that they are told apart, and the couplings are no longer theirs. */
routh_status rt_refine_values(rt_refinement *refinement, bool *turned, rt_arena *scratch,
                              routh_error *error);

/* Vectors without what they hold of the other groups, at first order. */
void rt_refine_correct(rt_refinement *refinement);

#endif
