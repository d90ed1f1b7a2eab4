/* Quantities that are affine in q: frames of bodies, and the differences of members whose products
 * are the rows of the coordinates. */
#ifndef RT_COORDINATES_NATURAL_AFFINE_H
#define RT_COORDINATES_NATURAL_AFFINE_H

#include "coordinates/natural_plan.h"

enum {
    RT_NATURAL_COLUMNS = 3 * RT_NATURAL_MEMBERS, /* of one frame */
    RT_NATURAL_FRAME = 12,                       /* numbers of a pose: r, then A row-major */
};

/* A frame's pose, pose = P[0] + sum of P[1 + k] q[column[k]]; columns ascending. */
typedef struct rt_natural_pose {
    int n;
    int column[RT_NATURAL_COLUMNS];
    double P[1 + RT_NATURAL_COLUMNS][RT_NATURAL_FRAME];
} rt_natural_pose;

/* Of a link's own frame. */
void rt_natural_link_pose(const rt_natural_plan *plan, const rt_natural_link *link,
                          rt_natural_pose *pose);

/* Of a frame at s with the axes Q in the one given. */
void rt_natural_carry_pose(const rt_natural_pose *link, const double s[3], const double Q[9],
                           rt_natural_pose *pose);

/* x . y - constant with x = X[0] + sum of X[1 + k] q[column[k]], y alike. */
typedef struct rt_natural_form {
    int n;
    int column[RT_NATURAL_COLUMNS];
    double X[1 + RT_NATURAL_COLUMNS][3], Y[1 + RT_NATURAL_COLUMNS][3];
    double constant;
} rt_natural_form;

/* The form of a row (natural_rows.c). */
void rt_natural_row_form(const rt_natural_plan *plan, const rt_natural_row *row,
                         rt_natural_form *form);

#endif
