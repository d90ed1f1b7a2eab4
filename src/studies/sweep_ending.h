/* Where a branch of operating points may end, or cross another one: at zeros of det A, or of the
 * two eigenvalues nearest to zero, which stand for it. */
#ifndef RT_STUDIES_SWEEP_ENDING_H
#define RT_STUDIES_SWEEP_ENDING_H

#include "studies/sweep.h"

/* det A is like (p* - p)^e beside p*. Two points that meet and go no further: states are linear in
 * sqrt(p* - p), and so is det A. A branch that crosses another one, or ends on it as two symmetric
 * ones do: det A is linear. */
static const double RT_ENDING_FOLD = 0.5, RT_ENDING_CROSSING = 1;

/* p* by two values, a then b:  (p* - b)/(p* - a) = (det A_b / det A_a)^(1/e). NAN where det A does
 * not come nearer to zero. */
double rt_ending(const rt_solution *a, const rt_solution *b, double e);

/* Where nothing moves freely: what does stays where it is, or not, as the search goes, so that
 * states of a branch lie on no line. */
bool rt_ending_is_known(const rt_solution *solution);

/* Does det A come near to zero in a step, or next to its end, by its own change or by what the step
 * before (NULL: there is none) leads to? */
bool rt_ending_is_near(const rt_solution *before, const rt_solution *from, const rt_solution *now);

#endif
