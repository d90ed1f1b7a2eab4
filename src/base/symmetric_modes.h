/* Eigenpairs K x = lambda M x of a large sparse symmetric pencil, M positive semidefinite, and the
 * count of them: none is missed.
 *
 * Lanczos' iteration in blocks on (K - s M)^-1 M, kept orthogonal in M and restarted thick (Wu and
 * Simon 2000), with the symmetric factorization of base/ldl.h. How many eigenvalues lie below a
 * number is told by the signs of the pivots there (Sylvester 1852), so what was found is counted,
 * and sought anew, beside what is found, until the count is met.
 * docs/theory/selected-eigenvalues.md
 */
#ifndef RT_BASE_SYMMETRIC_MODES_H
#define RT_BASE_SYMMETRIC_MODES_H

#include <stdbool.h>

#include "base/sparse.h"
#include "base/progress.h"
#include "routh/factors.h"

/* Of the patterns only what is on and below the diagonal is read; both may be the same. With
 * constraints K is [K G'; G 0] and M is [M 0; 0 0], G of full rank. */
typedef struct rt_symmetric_pencil {
    const rt_pattern *K_pattern, *M_pattern;
    const double *K, *M;
    int n_constraints; /* rows of G; 0: none */
    /* K + K_rest, M + M_rest: what doubles leave of their entries; or NULL, both. Then solutions
     * and quotients have the digits of these. */
    const double *K_rest, *M_rest;
} rt_symmetric_pencil;

typedef struct rt_symmetric_request {
    bool between; /* all from low to high, else count of them nearest to near */
    double low, high;
    int count;
    double near;
    int most;                     /* between: no more than so many; 0: any number */
    const routh_factors *factors; /* NULL: those of base/ldl.h */
    rt_progress *progress;        /* asked at every solution and factorization; NULL: nobody asks */
} rt_symmetric_request;

/* All arrays in the arena of the caller. */
typedef struct rt_symmetric_modes {
    int n, found;
    double *value;  /* found, ascending */
    double *error;  /* found: bound of what rounding and the iteration leave open in value; a value
                        no larger than its error is a zero */
    double *vector; /* n x found, column-major; x' M x = 1 */
    bool counted;   /* always, but where everything there is was found */
    double reach;   /* all nearer than this to `near` are here; infinite: there are no others */
    int n_equal;    /* 0, or how often the last of them is one, where not all copies are here */
    double shift;   /* the last that was used */
    int n_factors;  /* numeric factorizations, those for the count among them */
    int n_solves;   /* right-hand sides */
    int n_restarts;
    size_t factor_bytes;
} rt_symmetric_modes;

/* Fewer than count where the pencil has no more. BAD_ARGUMENT for sizes, patterns and numbers that
 * do not fit; NUMERIC_ERROR where M is not positive semidefinite or where the count is not met,
 * with both numbers; NO_MEMORY. (allocates: 2 to 3 times the wanted vectors beside the factor) */
routh_status rt_symmetric_modes_find(rt_symmetric_modes *modes, const rt_symmetric_pencil *pencil,
                                     const rt_symmetric_request *request, rt_arena *arena,
                                     routh_error *error);

#endif
