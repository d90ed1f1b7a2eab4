/* Joints as chains of elementary steps (model/joint_class.h), gone through from the second marker
 * to the first. C is a constant turn by 0 or pi about an axis: axes that a joint keeps parallel may
 * point the same way or opposite ways, and stay as they are written. */
#ifndef RT_COORDINATES_RELATIVE_CHAIN_H
#define RT_COORDINATES_RELATIVE_CHAIN_H

#include "model/joint_class.h"

/* NULL for the types that are no chain. */
static inline const rt_chain *rt_chain_of(const rt_joint *joint)
{
    return joint->class->chain.is_joint ? &joint->class->chain : NULL;
}

/* A free body. */
extern const rt_chain rt_chain_floating;

static inline int rt_step_columns(rt_step_kind kind) { return kind == RT_STEP_BALL ? 3 : 1; }
static inline int rt_step_numbers(rt_step_kind kind) { return kind == RT_STEP_BALL ? 4 : 1; }

/* How many columns of u the joint has; it holds six less so many rows. */
int rt_chain_columns(const rt_chain *chain);

/* C, of those that the chain allows the nearest to the turn R. */
void rt_chain_branch(const rt_chain *chain, const double R[9], double C[9]);

/* The first marker relative to the second, components in the second's axes. */
typedef struct rt_chain_motion {
    double d[3], R[9]; /* R is taken without C: its own times C' */
    double v[3], w[3]; /* at the first marker's origin */
} rt_chain_motion;

/* The number and the rate of a step that is no ball; exact where the motion satisfies the joint,
 * near it else. A screw's number is the angle, within half a turn. */
double rt_chain_number(const rt_chain_step *step, const rt_chain_motion *motion);
double rt_chain_rate(const rt_chain_step *step, const rt_chain_motion *motion);

#endif
