/* A finite-element model in SI units on the way to its modes. */
#ifndef RT_FLEXIBLE_BODY_H
#define RT_FLEXIBLE_BODY_H

#include "flexible/reduced.h"

typedef struct rt_body_fe {
    const rt_fe_model *fe;
    int n, n_nodes;
    double *X;             /* 3 each, m */
    double *M, *K;         /* on the pattern */
    int *dof;              /* 6 a node: x y z rx ry rz; -1: it has none */
    double size;           /* largest distance from the centre of mass */
    double rigid_mass[36]; /* R'MR about the origin, translations first */
    double mass, first[3], centre[3];
    double *R;      /* n x 6 column-major: rigid motion, translations, rotations about the centre */
    double *Q;      /* n x 6: the same, Q'MQ = 1 */
    double largest; /* of K_ii / M_ii */
} rt_body_fe;

/* Scales to SI and checks directions, masses, freedom; rigid motion and mass properties. */
routh_status rt_body_prepare(rt_body_fe *b, const rt_fe_model *fe, const rt_reduction *how,
                             rt_arena *arena, routh_error *error);

/* y = A x on the pattern of the model. */
void rt_body_times(const rt_body_fe *b, const double *values, const double *x, double *y);

double rt_body_dot(int n, const double *x, const double *y);

/* Solving with a matrix on the pattern of the model; the solver lies in the arena, its factor is
 * freed with rt_body_solver_free (NULL is allowed). values must stay. x: n x n_rhs, in place; by
 * one thread at a time. */
typedef struct rt_body_solver rt_body_solver;
routh_status rt_body_solver_create(rt_body_solver **solver, const rt_body_fe *b, rt_arena *arena,
                                   routh_error *error);
routh_status rt_body_solver_factor(rt_body_solver *solver, const double *values,
                                   routh_error *error);
routh_status rt_body_solve(const rt_body_solver *solver, double *x, int n_rhs, routh_error *error);
void rt_body_solver_free(rt_body_solver *solver);

/* Interfaces as rows of C: coordinate c is row . u. */
typedef struct rt_body_rows {
    int n;      /* rows */
    int *start; /* n + 1 */
    int *dof;
    double *weight;
} rt_body_rows;

/* Row k of C times u. */
double rt_body_row(const rt_body_rows *rows, int k, const double *u);

routh_status rt_body_interfaces(rt_body_rows *rows, const rt_body_fe *b, const rt_reduction *how,
                                rt_arena *arena, routh_error *error);

/* The index of the node of that number; -1. */
int rt_body_node(const rt_body_fe *b, int number);

/* Weights of the mean motion of a set of nodes, 6 x 3 n: rows displacement, rotation; columns the
 * displacements of the nodes; and its place. */
routh_status rt_body_mean(const rt_body_fe *b, const rt_interface *face, double *weights,
                          double place[3], routh_error *error);

/* Modes: M-orthonormal columns, and what was found on the way. */
typedef struct rt_body_modes {
    int n;
    double *shape;  /* n_dofs x n */
    double *lambda; /* n, ascending, rad^2/s^2 */
} rt_body_modes;

routh_status rt_body_reduce(rt_body_modes *modes, rt_reduction_report *report, const rt_body_fe *b,
                            const rt_reduction *how, rt_arena *arena, routh_error *error);

/* Moments of mass, stiffness, damping. */
routh_status rt_body_moments(rt_flexible *f, const rt_body_fe *b, const rt_body_modes *modes,
                             double damping_ratio, rt_arena *arena, routh_error *error);

/* y_i += sum_j m_ij x_j over all nodes, 3 numbers each, of the scalar density (moments.c). */
void rt_body_density_times(const rt_body_fe *b, const double *x, double *y);

/* J1, J2, H_even, H_odd of what the mass matrix has beyond its scalar density; none: NULL. */
routh_status rt_body_turning(rt_flexible *f, const rt_body_fe *b, const rt_body_modes *modes,
                             rt_arena *arena, routh_error *error);

/* Nodes that are kept, and what is drawn. */
routh_status rt_body_nodes(rt_flexible *f, const rt_body_fe *b, const rt_body_modes *modes,
                           const rt_reduction *how, rt_arena *arena, routh_error *error);

/* Strain energy at the nodes that are kept, as parts. */
routh_status rt_body_energies(rt_flexible *f, const rt_body_fe *b, const rt_body_modes *modes,
                              rt_arena *arena, routh_error *error);

#endif
