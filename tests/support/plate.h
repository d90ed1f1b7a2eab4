/* A free plate in bending by rectangular elements of four nodes (Adini and Clough 1961, Melosh
 * 1963), w and its slopes w,x and w,y in each node: stiffness and consistent mass, sparse. */
#ifndef TESTS_SUPPORT_PLATE_H
#define TESTS_SUPPORT_PLATE_H

#include "base/sparse.h"

typedef struct plate {
    int nx, ny;           /* elements */
    double width, height; /* m */
    double stiffness;     /* E t^3 / 12 (1 - nu^2), Nm */
    double poisson;
    double mass; /* kg/m^2 */
} plate;

typedef struct plate_matrices {
    int n; /* 3 (nx + 1) (ny + 1): unknown 3 node + 0, 1, 2; nodes in rows along x */
    rt_pattern pattern;
    double *K, *M; /* on the pattern, lower triangle */
} plate_matrices;

/* Unknowns in fixed (n bytes, NULL: none) keep a 1 on K's diagonal and nothing in M. */
routh_status plate_build(plate_matrices *out, const plate *p, const char *fixed, rt_arena *arena,
                         routh_error *error);

#endif
