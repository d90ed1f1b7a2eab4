/* What a compiled set of natural coordinates keeps for its calls. */
#ifndef RT_COORDINATES_NATURAL_SET_H
#define RT_COORDINATES_NATURAL_SET_H

#include "coordinates/natural_affine.h"

/* A point or vector whose components are variables: x = c + sum of E[k] q[column + k]. */
typedef struct rt_natural_variable {
    bool point;
    int body, column, n;
    double local[3]; /* in the body's axes */
    double c[3], E[3][3];
} rt_natural_variable;

/* A row of a joint that holds of itself: its ends on the first bodies of their links (-1: the
 * ground). What it reads at the end `from` is shared, so that on the other link it is a matter of
 * that link's own rows; -1: constants alone, and no force passes. */
typedef struct rt_natural_held_row {
    int joint, row;
    int from;
    rt_joint_row_kind kind;
    int p; /* of the world, where the kind is a point */
    int body[2];
    double at[2][3], axis[2][3]; /* axis p of the first end, axis q of the second */
} rt_natural_held_row;

/* The bodies of a link, which have the same columns, and its rows. */
typedef struct rt_natural_group {
    int first_body;
    int n_rows, rows[6];
} rt_natural_group;

typedef struct rt_natural_set {
    int n_variables;
    rt_natural_variable *variables;
    /* of body b, 12 each: the constant, then the coefficients of its columns, from start[b] + b */
    double (*pose)[RT_NATURAL_FRAME];
    /* of row r, alike from own_start[r] + r */
    double (*X)[3], (*Y)[3];
    double *constant;
    int n_held, n_groups;
    rt_natural_held_row *held_rows;
    rt_natural_group *groups;
    int *group_of; /* n_bodies; -1: on the ground */
} rt_natural_set;

/* The coefficients of column k of body b are [k]. */
static inline const double (*rt_natural_coefficients(const rt_joined *joined,
                                                     int b))[RT_NATURAL_FRAME]
{
    const rt_natural_set *set = joined->data;
    return (const double(*)[RT_NATURAL_FRAME])set->pose + joined->start[b] + b + 1;
}

/* h = 1/2 sum a_i x b_i over the columns of A and B, from the products of their rows. */
static inline void rt_natural_half_cross(double h[3], const double A[9], const double B[9])
{
    h[0] = (rt_v3_dot(A + 3, B + 6) - rt_v3_dot(A + 6, B + 3)) / 2;
    h[1] = (rt_v3_dot(A + 6, B) - rt_v3_dot(A, B + 6)) / 2;
    h[2] = (rt_v3_dot(A, B + 3) - rt_v3_dot(A + 3, B)) / 2;
}

/* Forces between links, for rt_joined_set.own_multipliers (natural_forces.c). */
routh_status rt_natural_compile_forces(rt_joined *joined, rt_natural_set *set,
                                       const rt_natural_plan *plan, rt_arena *arena,
                                       routh_error *error);
void rt_natural_own_multipliers(const rt_joined *joined, const double *q, const double *udot,
                                const rt_frame *bodies, const double *wrench,
                                const double (*lambda)[6], double *own, double *work);

#endif
