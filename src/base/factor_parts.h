/* A sparse factor from inside, and what is kept of factors for others like them; private to
 * factor*.c. */
#ifndef RT_BASE_FACTOR_PARTS_H
#define RT_BASE_FACTOR_PARTS_H

#include <klu.h>

#include "base/sparse.h"

struct rt_factor {
    int n;
    const rt_pattern *pattern;
    rt_ordering ordering;
    const double *values; /* of the last numeric factorization, borrowed */
    klu_common common;
    klu_symbolic *symbolic; /* NULL when n = 0 */
    bool patient;           /* pivots are sought by PATIENCE */
    klu_numeric *numeric;   /* NULL before the first numeric factorization and after a failed one */
    double *own_work;       /* 2 n, for solves without work of the caller */
    double rcond;

    /* of one that is kept: */
    rt_analyses *analyses; /* to which it goes back, and whose the symbolic analysis is; or NULL */
    int entry;             /* there */
    bool again;  /* it has been another's: the next pivots are those that a new factor chooses */
    bool known;  /* numeric is that of the values `at` */
    bool chosen; /* by the pivots that a new factor chooses for them */
    double *at;  /* NULL: there was no memory for it */
    size_t pivots_room;
    double *noted; /* numbers by which pivots were chosen; NULL: none were */
    size_t noted_room;
    int *pivots; /* why they were chosen (factor_pivots.c); NULL: not known */
};

void rt_factor_release(rt_factor *factor);

/* ---- factor_analyses.c ---------------------------------------------------------------------- */

/* A factor that was given back, for a pattern like its own; NULL: there is none. */
rt_factor *rt_analyses_take(rt_analyses *analyses, const rt_pattern *pattern, rt_ordering ordering);

/* The symbolic analysis that is kept of a pattern like this, into a new factor; it stays without
 * where none can be kept. */
void rt_analyses_join(rt_analyses *analyses, rt_factor *factor);

/* Back to where it came from; false: to nobody. */
bool rt_analyses_give(rt_factor *factor);

/* ---- factor_choose.c ------------------------------------------------------------------------- */

/* Pivots by KLU's rules into the last factorization, and what is in L and U in KLU's order. False:
 * there are none, or no memory for it; the factorization is then no longer one. */
bool rt_factor_choose_pivots(rt_factor *factor, const double *values);

/* ---- factor_pivots.c ------------------------------------------------------------------------ */

/* After pivots were chosen: notes by what. */
void rt_factor_note_pivots(rt_factor *factor);

/* Factors by the pivots there are. True: KLU would choose the same for these values, so that every
 * number is the one that it would compute. */
bool rt_factor_pivots_again(rt_factor *factor, double *values);

/* Factors by pivots that are chosen anew, in the memory of the last factorization. True: every
 * number is the one that KLU would compute; false: KLU has to. */
bool rt_factor_pivots_anew(rt_factor *factor, double *values);

/* Is the numeric factorization that of these values, as it would come out now? And: it is. */
bool rt_factor_has(const rt_factor *factor, const double *values);
void rt_factor_know(rt_factor *factor, const double *values);

#endif
