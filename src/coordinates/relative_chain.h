/* Joints as chains of elementary steps, gone through from the second marker to the first.
 *
 * With T the pose of the first marker relative to the second (axes of the joint),
 *     T = step_1(q_1) step_2(q_2) ... C,
 * C a constant turn by 0 or pi about an axis: axes that a joint keeps parallel may point the same
 * way or opposite ways, and stay as they are written. */
#ifndef RT_COORDINATES_RELATIVE_CHAIN_H
#define RT_COORDINATES_RELATIVE_CHAIN_H

#include "model/model.h"

typedef enum rt_step_kind {
    RT_STEP_TURN,  /* about an axis */
    RT_STEP_SLIDE, /* along an axis */
    RT_STEP_SCREW, /* both together */
    RT_STEP_BALL,  /* any turn: a unit quaternion, three columns */
} rt_step_kind;

typedef struct rt_chain_step {
    rt_step_kind kind;
    int axis; /* 0 x, 1 y, 2 z */
} rt_chain_step;

enum { RT_CHAIN_STEPS = 4, RT_CHAIN_JOINT_COLUMNS = 3 };

typedef struct rt_chain {
    bool is_joint; /* false: such a joint is never in the tree */
    int n;
    rt_chain_step step[RT_CHAIN_STEPS];
} rt_chain;

/* NULL for the types that are no chain. */
const rt_chain *rt_chain_of(rt_joint_type type);

/* A free body. */
extern const rt_chain rt_chain_floating;

static inline int rt_step_columns(rt_step_kind kind) { return kind == RT_STEP_BALL ? 3 : 1; }
static inline int rt_step_numbers(rt_step_kind kind) { return kind == RT_STEP_BALL ? 4 : 1; }

/* How many columns of u the joint has; it holds six less so many rows. */
int rt_chain_columns(const rt_chain *chain);

/* C, of those that the type allows the nearest to the turn R. */
void rt_chain_branch(rt_joint_type type, const double R[9], double C[9]);

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
