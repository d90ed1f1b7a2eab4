/* The links between the steps of a tree of joints: massless, one after each step. */
#ifndef RT_COORDINATES_RELATIVE_LINKS_H
#define RT_COORDINATES_RELATIVE_LINKS_H

#include "coordinates/relative_chain.h"
#include "elements/frames.h"

typedef struct rt_pose {
    double r[3], A[9];
} rt_pose;

/* Pose counted from the point O, and twist V = (v_O, w) and its time derivative, both at O. Doubles
 * only: links live in the caller's scratch. */
typedef struct rt_link {
    rt_pose pose;
    double V[6], rate[6];
} rt_link;

/* One elementary step, from the link `previous` (-1: the ground) to the link after it. */
typedef struct rt_joint_step {
    rt_chain_step what;
    double sign;    /* -1 where the joint is gone through from its first marker to its second: the
                       axis is reversed */
    double advance; /* screw: along the axis, per radian */
    int previous;
    int q, column;  /* its first number in q and its first column of u */
    bool placed;    /* before is not the identity */
    rt_pose before; /* where the step stands in the previous link */
} rt_joint_step;

/* pose = first second */
void rt_pose_join(rt_pose *pose, const rt_pose *first, const rt_pose *second);
void rt_pose_invert(rt_pose *inverse, const rt_pose *pose);

/* What stands on the ground stands on this, which is at rest at O with the world's axes. */
extern const rt_link rt_ground_link;

/* The link that number k of the links is, -1 the ground. */
static inline const rt_link *rt_link_of(const rt_link *links, int k)
{
    return k < 0 ? &rt_ground_link : &links[k];
}

/* Screw k of the step (0 <= k < 3 for a ball, else 0), where its link has its pose. */
void rt_step_screw(const rt_joint_step *step, const rt_link *link, int k, double S[6]);

/* c = a x b, spatial: the rate of the screw b that rides on what moves with a.
 *     (v, w) x (s, a) = (w x s + v x a, w x a) */
static inline void rt_twist_cross(double c[6], const double a[6], const double b[6])
{
    rt_v3_cross(c, a + 3, b);
    rt_v3_cross_add(c, a, b + 3);
    rt_v3_cross(c + 3, a + 3, b + 3);
}

/* The link after the step, from the one before it; q, u, udot are the step's own. */
void rt_step_go(const rt_joint_step *step, const rt_link *previous, const double *q,
                const double *u, const double *udot, rt_link *link);

/* The frame, counted from O, of what stands at the pose in the link. */
void rt_link_frame(const rt_link *link, const rt_pose *pose, rt_frame *frame);

#endif
