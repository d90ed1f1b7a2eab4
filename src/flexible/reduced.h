/* Modal bodies: finite-element matrices reduced to interface nodes and modes. */
#ifndef RT_FLEXIBLE_REDUCED_H
#define RT_FLEXIBLE_REDUCED_H

#include "flexible/flexible.h"

/* A finite-element model as its program wrote it: degrees of freedom are (node, direction) with
 * directions 0 1 2 displacements along, 3 4 5 rotations about x, y, z. Full symmetric matrices. */
typedef struct rt_fe_model {
    int n_nodes;
    int *number;    /* ascending */
    double *X;      /* 3 each */
    int n;          /* degrees of freedom */
    int *node;      /* n: index of the node */
    int *direction; /* n: 0 .. 5 */
    rt_pattern pattern;
    double *M, *K;               /* on the pattern, both triangles */
    int n_lines, *lines;         /* to draw: pairs of node indices */
    int n_triangles, *triangles; /* triples */
} rt_fe_model;

typedef enum rt_reduction_kind {
    RT_REDUCE_CRAIG_BAMPTON, /* constraint modes of the interface, fixed-interface modes */
    RT_REDUCE_FREE,          /* free-free modes alone */
    RT_REDUCE_USER,          /* shapes given by the user */
} rt_reduction_kind;

typedef struct rt_reduction {
    rt_reduction_kind kind;
    int n_interface;
    const int *interface_nodes; /* numbers; all their degrees of freedom are kept */
    int n_modes;                /* normal modes kept */
    double cut;                 /* or all below this frequency, Hz; 0: not used */
    double damping_ratio;       /* of every elastic mode */
    int n_shapes;               /* USER: n x n_shapes column-major */
    const double *shapes;
    double unit;      /* metres per length unit of the file; 1 */
    double unit_mass; /* kilograms per mass unit of the file; 1 */
} rt_reduction;

/* Rigid-body motion is taken out: the frame is at the model's origin with its axes and moves with
 * the mean of the body. For Craig-Bampton the reduced problem is solved free-free and its six rigid
 * modes dropped, so that coordinates are amplitudes of modes. Everything lies in the arena. */
routh_status rt_flexible_reduce(const rt_flexible **flexible, const rt_fe_model *fe,
                                const rt_reduction *reduction, rt_arena *arena, routh_error *error);

#endif
