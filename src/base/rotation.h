/* Rotations: matrices (row-major, axes as columns), rotation vectors, quaternions, Euler angles.
 *
 * exp(theta) turns by |theta| about theta. With dA = phi~ A (phi in the frame A maps into) or dA =
 * A psi~ (phi in the frame A maps from), theta of A changes by
 *     dtheta = Jl(theta)^-1 phi = Jr(theta)^-1 psi,      Jr(theta) = Jl(-theta) = Jl(theta)'. */
#ifndef RT_BASE_ROTATION_H
#define RT_BASE_ROTATION_H

#include <stdbool.h>

#include "base/scalar.h"

/* A = exp(theta~). */
void rt_rotation_exp(rt_scalar A[9], const rt_scalar theta[3]);

/* The rotation vector of A, |theta| < pi. At pi (to rounding) it has two: one of them is given,
 * and false. */
bool rt_rotation_log(rt_scalar theta[3], const rt_scalar A[9]);

/* J = Jl(theta)^-1, for |theta| <= pi. */
void rt_rotation_left_inverse(rt_scalar J[9], const rt_scalar theta[3]);

/* J = Jr(theta)^-1, for |theta| <= pi. */
void rt_rotation_right_inverse(rt_scalar J[9], const rt_scalar theta[3]);

/* dJ: derivative of Jl(theta)^-1 in the direction dtheta. */
void rt_rotation_left_inverse_along(rt_scalar dJ[9], const rt_scalar theta[3],
                                    const rt_scalar dtheta[3]);

/* D = d/dtheta of Jr(theta)^-1 m = Jl(theta)^-T m, m held fixed. */
void rt_rotation_right_inverse_gradient(rt_scalar D[9], const rt_scalar theta[3],
                                        const rt_scalar m[3]);

/* D = d/dtheta of Jl(theta)' m, m held fixed. For |theta| up to some turns. */
void rt_rotation_left_gradient(rt_scalar D[9], const rt_scalar theta[3], const rt_scalar m[3]);

/* T = Jl(theta) and its first and second derivative along theta(t) with theta' = theta1, theta'' =
 * theta2. For |theta| up to some turns. */
void rt_rotation_left_jet(rt_scalar T[3][9], const rt_scalar theta[3], const rt_scalar theta1[3],
                          const rt_scalar theta2[3]);

/* Quaternions, scalar first. The norm does not matter, but must not be zero. */
void rt_rotation_from_quaternion(rt_scalar A[9], const rt_scalar q[4]);

/* A unit quaternion of A, its scalar not negative. */
void rt_rotation_to_quaternion(rt_scalar q[4], const rt_scalar A[9]);

/* 3-1-3 Euler angles: A = Rz(angles[0]) Rx(angles[1]) Rz(angles[2]). */
void rt_rotation_from_euler_313(rt_scalar A[9], const rt_scalar angles[3]);

#endif
