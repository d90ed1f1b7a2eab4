/* Modes of large sparse matrices M x'' + C x' + K x = 0 from files, as finite element programs
 * write them: only some, by sparse factorizations, and counted where that can be. */
#ifndef ROUTH_MATRICES_H
#define ROUTH_MATRICES_H

#include "routh/factors.h"
#include "routh/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Symmetric ones may hold both triangles or only what is on and below the diagonal. */
typedef struct routh_matrices {
    int n;                                 /* order of all */
    routh_sparse mass, damping, stiffness; /* damping.n_rows: 0 where there is none */
    int symmetric; /* 1: all are, and hold the lower triangle alone; 0: all entries are there */
} routh_matrices;

/* Reads Matrix Market files of the coordinate form (real or integer, general or symmetric); damping
 * may be NULL. A general matrix whose triangles agree in every digit counts as symmetric. The error
 * has the file's name and line: FILE_ERROR, SYNTAX_ERROR, MODEL_ERROR where the matrices are not
 * square and of one order, LIMIT_EXCEEDED above 4 GiB. Free with routh_matrices_free. */
ROUTH_API routh_status routh_matrices_load(routh_matrices **matrices, const char *mass,
                                           const char *stiffness, const char *damping,
                                           routh_error *error);
ROUTH_API void routh_matrices_free(routh_matrices *matrices); /* NULL is allowed */

/* Frequencies in Hz; a mode with lambda^2 = -(2 pi f)^2. */
typedef struct routh_matrix_request {
    int between;      /* 1: all modes from low to high; 0: count modes nearest to near */
    double low, high; /* Hz */
    int count;        /* how many modes, where between is 0 */
    double near;      /* Hz; nearness is that of the squares */
    /* with damping or without symmetry near is a real number in 1/s, or in its place: */
    int n_points;
    const double *points; /* 2 x n_points: real and imaginary parts, 1/s and rad/s */
    int uncounted;        /* 1: without the count by the winding number */
} routh_matrix_request;

typedef struct routh_matrix_mode {
    double eigenvalue[2]; /* 1/s, rad/s; of a pair the one with positive imaginary part */
    double frequency_hz;  /* |lambda| / 2 pi; exactly 0 for a rigid one */
    double damping_ratio; /* -Re lambda / |lambda|; 0 for a rigid one */
    double error_bound;   /* of the eigenvalue, 1/s: what rounding and the iteration leave open */
    int rigid;            /* 1: no more than its own error bound away from 0 */
    const double *shape;  /* 2 x n: real parts, then imaginary parts (NULL in undamped modes: 0);
                            undamped: x' M x = 1, else largest component 1 */
} routh_matrix_mode;

typedef struct routh_matrix_modes {
    int n;                    /* modes, by frequency: a pair of eigenvalues is one mode */
    routh_matrix_mode *modes; /* n */
    int order;                /* of the matrices */
    int counted;   /* there are no others where these were sought: 1 by the signs of pivots, 2 by
                    the winding number of the determinant, 3 as these are all; 0: not counted,
                    copies of one may be missing */
    double shift;  /* the last that was used, (1/s)^2; in 1/s where not counted */
    int n_factors; /* numeric factorizations, those of the count too; 0: not known */
    int n_solves;  /* with these factors */
    double factor_bytes;    /* of the largest factor; 0: not known */
    double *storage, *more; /* hold the shapes; the library's own */
} routh_matrix_modes;

/* Symmetric and undamped: block Lanczos with a symmetric factorization that counts the eigenvalues
 * below a number (Sylvester; in floating point, so that a pivot of rounding's size counts by its
 * sign); NUMERIC_ERROR where fewer are found than counted. Else on the first-order pencil as
 * routh_modes_search (routh/answers.h); NOT_SUPPORTED with between. Memory goes with the factor.
 * Fewer than count where there are no more. */
ROUTH_API routh_status routh_matrix_modes_compute(routh_matrix_modes **modes,
                                                  const routh_matrices *matrices,
                                                  const routh_matrix_request *request,
                                                  routh_error *error);

/* The same with the factors of somebody else, of symmetric matrices without damping alone:
 * NOT_SUPPORTED for others. */
ROUTH_API routh_status routh_matrix_modes_compute_by(routh_matrix_modes **modes,
                                                     const routh_matrices *matrices,
                                                     const routh_matrix_request *request,
                                                     const routh_factors *factors,
                                                     routh_error *error);
ROUTH_API void routh_matrix_modes_free(routh_matrix_modes *modes); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
