/* Parts of the search for wanted eigenvalues; for answers/wanted*.c alone. Time in 1/rate. */
#ifndef RT_ANSWERS_WANTED_PARTS_H
#define RT_ANSWERS_WANTED_PARTS_H

#include "answers/shifted_complex.h"
#include "base/krylov_schur.h"
#include "routh/answers.h"

/* A pair is accepted up to this residual; rounding leaves some 1e-14. */
#define RT_WORST_RESIDUAL 1e-9

/* OP larger than this is that of a shift that is an eigenvalue. */
#define RT_MOST_GROWTH 1e12

enum { RT_MOST_RESTARTS = 200, RT_CHAIN = 3 };

/* A real eigenvalue, or one of a pair with positive imaginary part. */
typedef struct rt_candidate {
    double lambda[2];
    double distance; /* from near */
    double error;    /* of lambda, estimated */
    rt_pair_errors errors;
    double *re, *im; /* order; scaled y */
    bool rigid;
    int part;    /* wanted_small.c: of the states whose part re and im are until they are kept */
    int n_equal; /* 0, or how many eigenvalues equal it, where not all of them are modes */
} rt_candidate;

/* About one number. */
typedef struct rt_wanted_search {
    rt_shifted *pencil;
    const routh_eigensolver *solver; /* NULL: own */
    int count;                       /* wanted; pairs are kept whole */
    double near[2];                  /* imaginary part 0 or more */
    double shift[2];                 /* used */
    routh_count counted;             /* how */
    double radius;                   /* nothing else is nearer than this; 0: not known */
    int n_solves, n_restarts;
    rt_candidate *found; /* nearest first, in the arena; more than wanted, as far as known */
    int n_found;
    bool doubtful; /* by symmetry, which may not be there (shifted_symmetric.h) */
    rt_arena arena;
    /* for a second look: an invariant subspace, orthonormal, of (xi, du) */
    const double *subspace;
    int n_subspace;
} rt_wanted_search;

static inline int rt_values_of(const rt_candidate *c) { return c->lambda[1] != 0 ? 2 : 1; }

/* Distance from near, nearest first. */
void rt_wanted_sort(rt_wanted_search *q);

/* Of those found, nearest first, as many as are wanted and copies of the last, if these are not too
 * many. */
int rt_wanted_enough(const rt_wanted_search *q);

/* How far nothing else is than those: half the way to the next, or the way to the copies of which
 * not all are among them. */
double rt_wanted_radius(const rt_wanted_search *q, int enough);

/* lambda is known: its conjugate above, du = lambda xi, residuals. Zeros are told: far nearer to 0
 * than the shift is, and in balance without any motion. */
void rt_wanted_examine(rt_wanted_search *q, rt_candidate *c);

/* An eigenvalue of this size, that leaves this for the size 0: is it a zero torn by rounding? */
bool rt_wanted_is_zero(const rt_wanted_search *q, double size, const rt_pair_errors *errors);

/* Of the whole system: which of those found are zeros that rounding has torn. Those found come in
 * another order. */
routh_status rt_wanted_tell_zeros(rt_wanted_search *q, routh_error *error);

/* The whole system where its parts that nothing joins are small: all are found, by their state
 * matrices. */
routh_status rt_wanted_is_small(rt_wanted_search *q, bool *small, routh_error *error);
routh_status rt_wanted_small(rt_wanted_search *q, routh_error *error);

/* About a real number, by ARPACK-NG over KLU or by the solver: found, subspace. */
routh_status rt_wanted_real(rt_wanted_search *q, routh_error *error);

/* About a complex number, or once more about the real shift beside the subspace: until `missing`
 * more than there were are found and the number wanted. */
typedef struct rt_wanted_complex {
    rt_shifted_complex shifted;
    rt_krylov_schur krylov;
    bool begun;
    rt_arena arena;
} rt_wanted_complex;

routh_status rt_wanted_complex_run(rt_wanted_search *q, rt_wanted_complex *w, int missing,
                                   routh_error *error);
void rt_wanted_complex_free(rt_wanted_complex *w);

/* error of one of the whole system, by its left vector. Factors another matrix. */
routh_status rt_wanted_bound(rt_wanted_search *q, rt_shifted_complex *shifted, rt_candidate *c,
                             routh_error *error);

/* Finds and counts those of a pencil that is no symmetric one: NUMERIC_ERROR where some stay
 * missing. uncounted: does not count. */
routh_status rt_wanted_general(rt_wanted_search *q, bool uncounted, routh_error *error);

/* Undamped symmetric pencils, near a number i omega, or between two numbers omega (their squares
 * with the sign of the number, so that negative ones are of what is not stable). */
routh_status rt_wanted_symmetric(rt_wanted_search *q, routh_error *error);
routh_status rt_wanted_between(rt_wanted_search *q, double low, double high, routh_error *error);

/* The modes of the first n_kept candidates. */
routh_status rt_wanted_modes(const rt_shifted *pencil, const rt_candidate *kept, int n_kept,
                             const routh_selection *how, routh_modes **modes, routh_error *error);

#endif
