/* Finite-element models made by the tests' own small assembler. */
#ifndef TESTS_SUPPORT_FE_MESH_H
#define TESTS_SUPPORT_FE_MESH_H

#include "flexible/reduced.h"

/* A box of nx x ny x nz elements with eight nodes, trilinear, integrated by 2 x 2 x 2 points,
 * consistent mass; from the corner `at`, edges `size`. Node 1 + i + (nx + 1) (j + (ny + 1) k) at
 * step i, j, k; three degrees of freedom a node. Faces of z = least are triangles to draw. */
typedef struct fe_box {
    int elements[3];
    double at[3], size[3];
    double young, poisson, density;
} fe_box;
rt_fe_model *make_box(const fe_box *box, rt_arena *arena);

/* Beam elements along x, six degrees of freedom a node, number 10, 20, ..: Euler-Bernoulli,
 * consistent mass, or, lumped, half of the mass of an element at each of its ends without inertia
 * against bending rotation. */
typedef struct fe_rod {
    int elements;
    double length, young, shear, density, area, inertia_y, inertia_z, torsion;
    bool lumped;
} fe_rod;
rt_fe_model *make_rod(const fe_rod *rod, rt_arena *arena);

/* Dense: K v = lambda M v of the whole model; lambda ascending, v in columns of vectors (n x n) or
 * NULL. M may be singular: lambda is then infinite. shift: to be added to K's part, such as a tenth
 * of the first elastic lambda. */
void dense_modes(const rt_fe_model *fe, double shift, double *lambda, double *vectors);

/* y = A x */
void fe_times(const rt_fe_model *fe, const double *values, const double *x, double *y);

#endif
