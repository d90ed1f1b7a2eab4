/* Eigenvalues of slow modes of stiff systems, from the pencil E y' = F y. */
#ifndef RT_ANSWERS_REFINE_H
#define RT_ANSWERS_REFINE_H

#include "answers/pencil.h"
#include "answers/zeros.h"
#include "base/lapack.h"

/* Right vectors in the units of the states, as rt_eigen stores them, of what was refined. */
typedef struct rt_refined {
    bool *is;      /* n_left: was it? of a pair the first says */
    double *right; /* n x n_left; NULL where nothing was */
} rt_refined;

/* Eigenvalues of e (those of zeros->B, whose error bounds are given) whose bound is large beside
 * them are refined where the linear model has the matrices for it; their values and bounds are
 * replaced where the refined value lies within its bound and the new bound is smaller. None is
 * lost, doubled or moved beyond its bound. Memory is the arena's. */
routh_status rt_refine(const rt_zeros *zeros, const routh_linear *linear, rt_eigen *e,
                       double *bounds, rt_refined *refined, rt_arena *arena, routh_error *error);

#endif
