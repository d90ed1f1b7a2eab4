/* The linear model along a motion, seen from the ground, in states that stay the same:
 *     y' = A(t) y,      y = (S, W, X),
 * made once, and run at one state of the motion after another. Where the states have become poor
 * ones another is made at that state, and y carried over exactly. */
#ifndef RT_LINEAR_ALONG_H
#define RT_LINEAR_ALONG_H

#include "methods/method.h"

typedef struct rt_along rt_along;

/* States are those that the model wants, as far as the point's configuration leaves them free, and
 * others to fill up. It is run at the point. The mechanism must outlive it, the point need not. */
routh_status rt_along_create(rt_along **along, const routh_mechanism *m,
                             const routh_operating_point *point, routh_error *error);
void rt_along_free(rt_along *along); /* NULL is allowed */

/* Everything at another state of the motion, complete. Of mechanisms without signals and without
 * nonholonomic joints it allocates nothing, unless a factorization needs fresh pivots. SINGULAR
 * where the states no longer fix the motion. */
routh_status rt_along_run(rt_along *along, const rt_state *state, routh_error *error);

/* Only what rt_along_values and rt_along_change (`to`) look at, which has no singular places. */
routh_status rt_along_look(rt_along *along, const rt_state *state, routh_error *error);

/* Of the last run. */
const double *rt_along_matrix(const rt_along *along);    /* n x n, row-major */
const rt_search *rt_along_search(const rt_along *along); /* the state, everything evaluated */

int rt_along_size(const rt_along *along); /* n */
const rt_states *rt_along_states(const rt_along *along);
const char *rt_along_name(const rt_along *along, int k); /* of state k < n; the along's own */
const char *rt_along_unit(const rt_along *along, int k);

/* How large a change of state k is that moves the mechanism by a typical length or a radian; of
 * rates per second; 1 of states of controllers. */
double rt_along_state_size(const rt_along *along, int k);

/* S and S' of state k < z, or of rate k < z1 (`rate`), as the ground sees them. */
void rt_along_values(const rt_along *along, bool rate, int k, double value[3]);

/* The most that a change of one state by its size moves anything, in typical lengths and radians:
 * large where the states are poor ones. */
double rt_along_reach(const rt_along *along);

/* y of `to` = T y of `from`, both run at the same state; T n x n, row-major. */
void rt_along_change(const rt_along *from, rt_along *to, double *T);

/* q, u and x of the state that it was run at, moved by y, into `state`, which is a copy of it. */
void rt_along_move(const rt_along *along, const double *y, rt_state *state);

#endif
