/* Coordinate sets: how bodies move with q and u. One const struct of functions per set (neck 1,
 * upper side).
 *
 * q: configuration variables (n_q), u: velocity variables (n_u). A variation xi of the
 * configuration has n_u components in the basis of u. For a body's frame, with its columns of u,
 *     xi_body   = J xi
 *     xi_body'  = J du  + J1 xi
 *     xi_body'' = J du' + J2u du + J2x xi
 * where d(xi)/dt = du + Gamma xi has been used (EQUATIONS.md). J is 6 x n, rows (translation,
 * rotation), world. */
#ifndef RT_COORDINATES_COORDINATES_H
#define RT_COORDINATES_COORDINATES_H

#include "elements/frames.h"
#include "model/model.h"

enum {
    RT_MAP_COLUMNS = 7,   /* largest number of columns of one body in the sets there are */
    RT_USUAL_COLUMNS = 6, /* what most sets have */
};

/* The map of one frame: row-major 6 x n, n <= RT_MAP_COLUMNS. */
typedef struct rt_map {
    int n;
    bool still; /* J1, J2u and J2x are zero, as at rest; false also where that is not known */
    rt_scalar J[6 * RT_MAP_COLUMNS];
    rt_scalar J1[6 * RT_MAP_COLUMNS];
    rt_scalar J2u[6 * RT_MAP_COLUMNS];
    rt_scalar J2x[6 * RT_MAP_COLUMNS];
} rt_map;

/* A constraint that the coordinates themselves bring, one per body (Euler parameters: p'p = 1), on
 * the body's columns: value, rate and acceleration, the rows at the three levels, and the curvature
 * d(G')/dxi, n x n. */
typedef struct rt_own_row {
    rt_scalar value[3];
    rt_scalar G[RT_MAP_COLUMNS], Vx[RT_MAP_COLUMNS], Au[RT_MAP_COLUMNS], Ax[RT_MAP_COLUMNS];
    rt_scalar curvature[RT_MAP_COLUMNS * RT_MAP_COLUMNS];
} rt_own_row;

typedef struct rt_coordinate_set {
    const char *name; /* as on the command line */
    const char *about;
    int (*count_q)(const routh_model *model);
    int (*count_u)(const routh_model *model);
    /* The columns of u that body's frame depends on: writes at most RT_MAP_COLUMNS, returns how
     * many. */
    int (*columns)(const routh_model *model, int body, int *columns);
    /* q and u from poses and twists. */
    void (*take)(int n_bodies, const rt_frame *frames, rt_scalar *q, rt_scalar *u);
    /* Poses, twists and accelerations of all bodies. */
    void (*frames)(int n_bodies, const rt_scalar *q, const rt_scalar *u, const rt_scalar *udot,
                   rt_frame *frames);
    /* The map of one body's frame. */
    void (*map)(int body, const rt_scalar *q, const rt_scalar *u, const rt_scalar *udot,
                const rt_frame *frame, rt_map *map);
    /* K += d(J'w)/d(xi) for a covector w on the body's frame held fixed in world components; K
     * is n x n. */
    void (*geometric)(int body, const rt_scalar *q, const rt_frame *frame,
                      const rt_scalar wrench[6], rt_scalar *K, int width);
    /* q moved along xi (exactly, to the coordinate set's own retraction). */
    void (*advance)(int n_bodies, rt_scalar *q, const rt_scalar *xi);
    /* Whose column k of u is: the body, and 0 1 2 for displacements, 3 and more for rotations. */
    void (*column)(const routh_model *model, int column, int *body, int *component);
    /* What components 3 and more are called, and their unit; NULL: "rx", "ry", "rz", in radians. */
    const char *const *component_names;
    const char *component_unit;
    /* 1: a turn by a small angle moves a rotational column by so much; 1/2 for Euler parameters. */
    rt_scalar per_radian;
    /* The row each body brings, with its label for messages; NULL where there is none. */
    void (*own_row)(int body, const rt_scalar *q, const rt_scalar *u, const rt_scalar *udot,
                    rt_own_row *row);
    const char *own_label;
    /* Where there is such a row, on four rotational columns that follow three of displacement:
     * S (4 x 3) turns body-fixed angular velocities into them, J_rotation S = A, row S = 0. */
    void (*rotation)(int body, const rt_scalar *q, rt_scalar S[12]);
    /* True where the coordinates of the body are close to a singularity; NULL where they have
     * none. */
    bool (*near_singular)(int body, const rt_scalar *q);
} rt_coordinate_set;

/* Position of the centre of mass and a unit quaternion; u = (velocity, body-fixed angular
 * velocity). */
extern const rt_coordinate_set rt_absolute;

/* Position and Euler parameters p with p'p = 1 as a constraint; u = q' (ME751, 7 nb). */
extern const rt_coordinate_set rt_euler_parameters;

/* Position and 3-1-3 Euler angles; u = (velocity, body-fixed angular velocity) = T(q) q' (Negrut
 * and Ortiz 2006, Eq. 14). */
extern const rt_coordinate_set rt_euler_angles;

/* What joined sets are built upon (joined.h); not in the list. */
extern const rt_coordinate_set rt_spatial_frames;

/* The name of set k = 0, 1, .., those of joined.h among them; NULL past the last. */
const char *rt_coordinate_set_name(int k);

/* By name, or NULL. */
const rt_coordinate_set *rt_coordinate_set_find(const char *name);

/* Poses of the bodies in the reference configuration, at rest; false: they begin there. */
bool rt_reference_frames(const routh_model *model, const rt_slopes *along, rt_frame *frames);

/* Poses and twists where the bodies begin, at no acceleration (along: NULL ordinarily). */
void rt_written_frames(const routh_model *model, const rt_slopes *along, rt_frame *frames);

/* Map of a marker that turns with the body: the body's map carried to the marker's origin. s: the
 * marker's origin relative to the body's with its first and second time derivative, world
 * components; everything follows from xi_r = xi_r_body + dtheta x s. */
void rt_map_marker(rt_map *out, const rt_map *body, const rt_scalar s[3], const rt_scalar s1[3],
                   const rt_scalar s2[3]);

#endif
