/* One search for eigenpairs about a shift: what is found, and sought anew; for base/symmetric_modes
 * alone. */
#ifndef RT_BASE_SYMMETRIC_SEARCH_H
#define RT_BASE_SYMMETRIC_SEARCH_H

#include "base/block_lanczos.h"

enum { RT_SEARCH_MORE = 2 }; /* sought beyond the wanted, to tell where they end */

typedef struct rt_found_pair {
    double value, distance;
    int ritz;
} rt_found_pair;

typedef struct rt_symmetric_search {
    const rt_symmetric_request *request;
    rt_shifted_pencil pencil;
    rt_lanczos lanczos;
    rt_arena arena; /* of the iteration */
    double near, shift;
    double scale;     /* rounding of the eigenvalues, without their vectors */
    double low, high; /* between */
    int expected;     /* between: eigenvalues there are */
    int growth;       /* of the basis, 1 or more */
    int block;        /* vectors at a time; 0: a few, by the size */
    int need;         /* else: pairs that shall converge about the shift */
    int n_pairs;
    rt_found_pair *pairs; /* converged, nearest to `near` first */
    bool all;             /* the basis holds everything there is */
    bool whole;           /* it would: all pairs are taken at once */
    rt_symmetric_modes *modes;
    rt_arena *answer;
    double *multipliers; /* n: room for those of one vector; NULL without constraints */
} rt_symmetric_search;

bool rt_search_inside(const rt_symmetric_search *q, const rt_found_pair *p);
int rt_search_n_inside(const rt_symmetric_search *q);

/* Of largest modulus, converged, at least so far as to be told apart, without a gap. */
int rt_search_n_leading(const rt_symmetric_search *q);

/* Has the Ritz value converged in full? */
bool rt_search_settled(const rt_symmetric_search *q, int ritz);

/* Iterates about the shift, which moves where it has to, for `need` pairs. */
routh_status rt_search_run(rt_symmetric_search *q, double shift, int need, routh_error *error);

/* Once more with numbers without a pattern, beside what has converged, until `need` have. */
routh_status rt_search_renew(rt_symmetric_search *q, int need, routh_error *error);

#endif
