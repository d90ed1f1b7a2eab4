/* A strain of a beam element that is kept zero: stretch of an inextensible beam, shear of one
 * without shear deformation. At a point of Gauss, with z = (x, p, s), q_j and x_0 as in
 * spectral_rod.c (order 1: the element of rod.c, whose middle frame p/|p| is),
 *     Phi = c . e,     e = (p* x p/|p|^2 - x_0,  2 Vec(p* s)/|p|^2).
 * c holds the weight of the point and the section's axis, so Phi is a length, and its multiplier
 * the force in the section: the sum over the points is what the axis is longer. */
#ifndef RT_ELEMENTS_STRAIN_ROW_H
#define RT_ELEMENTS_STRAIN_ROW_H

#include "elements/frame_dot.h"

/* Of each: x_0, then the parts of c on the places and on the rotations. */
enum { RT_STRAIN_NUMBERS = 9 };

typedef struct rt_strain_row {
    int n_nodes; /* order + 1; 0: the row is none of this kind */
    const int *nodes;
    int point;             /* of Gauss */
    const rt_scalar *axes; /* n_nodes x 9: base axes in those of each node's marker */
    const rt_scalar *own;  /* RT_STRAIN_NUMBERS */
} rt_strain_row;

/* Value, rate and acceleration along the motion, and the jets of phi. Where two nodes that follow
 * each other are half a revolution apart, the values are not finite. */
void rt_strain_evaluate(const rt_strain_row *row, rt_frames frames, rt_scalar value[3],
                        rt_gradient *phi);

/* H += scale d(phi')/d(xi), as rt_dot_curvature. */
void rt_strain_curvature(const rt_strain_row *row, rt_frames frames, rt_scalar scale,
                         const int *list, int n, rt_scalar *H);

#endif
