/* The plan of natural coordinates: which points and unit vectors there are, which of them each
 * body's frame is made of, and who shares them.
 *
 * Bodies that fixed joints tie together form one link; the ground and what is fixed to it are link
 * 0. A link's frame is that of its first body; "local" is in it. Everything here is worked out from
 * the model as written, once: it serves rt_joined_set.compile only. */
#ifndef RT_COORDINATES_NATURAL_PLAN_H
#define RT_COORDINATES_NATURAL_PLAN_H

#include "coordinates/joined.h"
#include "model/joint_class.h"

enum { RT_NATURAL_MEMBERS = 4 }; /* a frame in space: four points and vectors, 12 components */

/* Two directions count as equal. */
#define RT_NATURAL_TOLERANCE 1e-12

/* A point or a unit vector: a constant, or value(q) = along e + q t[0] + q t[1] in a plane with
 * the normal e, or three components. */
typedef struct rt_natural_member {
    bool point, constant;
    int plane;       /* -1: in space */
    double value[3]; /* where constant */
    double height;   /* in a plane: component along its normal */
    int link;        /* the first to have it, and where */
    double local[3];
    int column; /* of its first component */
} rt_natural_member;

typedef struct rt_natural_plane {
    double e[3], t[2][3];
} rt_natural_plane;

typedef struct rt_natural_link {
    int first_body;   /* -1: the ground */
    int plane;        /* -1: moves in space; then normal and height mean nothing */
    double normal[3]; /* local: A normal = e */
    double height;    /* of the origin, along e */
    double size;      /* how far its joints and bodies are from the first of them */
    int n_members;
    int member[RT_NATURAL_MEMBERS];
    double local[RT_NATURAL_MEMBERS][3];
} rt_natural_link;

/* Where a joint's end sits on its link: origin and triad. The triads of both ends are turned (by
 * half turns) so that they coincide where the joint locks all turns. */
typedef struct rt_natural_place {
    int link;
    double at[3], axes[9];
    double sign[3]; /* of the axes: -1 where one was turned */
} rt_natural_place;

/* A row of the coordinates: (a - b) . (c - d) = constant; members, b and d may be -1. */
typedef struct rt_natural_row {
    int a, b, c, d;
    double constant;
    int link;
} rt_natural_row;

typedef struct rt_natural_plan {
    const routh_model *model;
    const bool *wanted; /* NULL: none */
    rt_arena *arena;    /* scratch: the plan does not outlive compile() */
    double origin[3];   /* O: the ground's frame is the world's moved there */
    double length;      /* size of the mechanism */
    double gap;         /* lengths that differ by less are equal */

    int n_links;
    rt_natural_link *links;
    int *link_of;   /* n_bodies */
    double (*Q)[9]; /* n_bodies: axes of the body, local */
    double (*s)[3]; /* n_bodies: its origin, local */

    rt_natural_place (*places)[2]; /* n_joints */
    bool *free_to_share;           /* n_joints: between two links, reaction not wanted */
    int *joint_start, *joint_list; /* of each link, those free to share */
    int *link_order;               /* all links, from the ground outwards */
    int n_joint_order, *joint_order;

    int n_planes, n_members, n_rows;
    rt_natural_plane *planes;
    rt_natural_member *members;
    rt_natural_row *rows;
    int (*rows_of_link)[6], *n_rows_of_link; /* the rows each link has, its own or shared */
} rt_natural_plan;

/* Links, the places of joints on them, their order (natural_links.c). */
routh_status rt_natural_find_links(rt_natural_plan *plan, routh_error *error);

/* Links that move in a plane with a constant normal (natural_plane.c). */
routh_status rt_natural_find_planes(rt_natural_plan *plan, routh_error *error);

/* Members, shared where joints let them; afterwards every link has a full basis
 * (natural_share.c). */
routh_status rt_natural_share(rt_natural_plan *plan, routh_error *error);

/* Numbers the columns, from the ground outwards; returns how many. */
int rt_natural_number_columns(rt_natural_plan *plan);

/* The rows of all links, each once (natural_rows.c). */
routh_status rt_natural_find_rows(rt_natural_plan *plan, routh_error *error);

/* False where a row of the link holds for no q. */
bool rt_natural_link_agrees(const rt_natural_plan *plan, const rt_natural_link *link);

/* What a joint's feature is made of: nothing known, a constant, a member times sign. */
typedef enum rt_natural_kind {
    RT_NATURAL_UNKNOWN,
    RT_NATURAL_CONSTANT,
    RT_NATURAL_MEMBER
} rt_natural_kind;

typedef struct rt_natural_feature {
    rt_natural_kind kind;
    double value[3];
    int member;
    double sign; /* of a vector */
} rt_natural_feature;

rt_natural_feature rt_natural_feature_at(const rt_natural_plan *plan, int link, bool point,
                                         const double local[3]);
bool rt_natural_same(const rt_natural_plan *plan, const rt_natural_feature *a,
                     const rt_natural_feature *b);

/* The rows of joint j that hold of themselves (natural_held.c). */
unsigned rt_natural_held(const rt_natural_plan *plan, int joint);

/* What a joint's rows leave its two links in common. */
typedef struct rt_natural_common {
    bool point, axis, turn; /* the origins; z of the triad; then x too */
    bool stays_level;       /* no displacement along z */
    bool slides;            /* along z alone, and no turn */
} rt_natural_common;

rt_natural_common rt_natural_common_of(const rt_joint *joint);

/* value(q) = c + sum of E[k] q[column + k] over the components; returns how many
 * (natural_affine.c). */
int rt_natural_components(const rt_natural_plan *plan, const rt_natural_member *member, double c[3],
                          double E[3][3]);

/* True where all rows of the joint must stay. */
static inline bool rt_natural_wanted(const rt_natural_plan *plan, int joint)
{
    return plan->wanted && plan->wanted[joint];
}

/* True where two unit vectors have one line. */
static inline bool rt_natural_parallel(const double a[3], const double b[3])
{
    double c[3];
    rt_v3_cross(c, a, b);
    return rt_v3_norm(c) <= RT_NATURAL_TOLERANCE;
}

#endif
