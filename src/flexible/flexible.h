/* The shape of a flexible body in its floating frame: plain data, below the model.
 *
 * A point with the undeformed position X (frame's axes, from the frame's origin) is at
 *     s = X + sum_k S_k(X) q_k                                   (axes of the frame)
 * and a cross-section or node there is turned by the rotation vector psi = sum_k R_k(X) q_k. Shapes
 * S_k, R_k are fixed: nodal functions of finite elements (local, few at a node) or modes
 * (everywhere). Of the distribution of mass only moments are kept (Shabana, Dynamics of Multibody
 * Systems, sec. 5.4; the shape integrals), all constant:
 *     mass = int dm,   first = int X dm,   second = int X X' dm
 *     a_k = int S_k dm,   B_k = int X S_k' dm,   N_kl = int S_k S_l' dm
 * and what turning brings beyond them, small rotations of sections and nodes with their own
 * inertia j (and whatever a consistent mass matrix has beyond a scalar density):
 *     rotary = int j dm,   h_k: momentum of turning at unit q_k',   M_kl: part of q_k' q_l'
 * The kinetic energy is
 *     T = 1/2 int |v + w x s + s'|^2 dm + 1/2 w.rotary w + w . sum h_k q_k' + 1/2 q'.M q'
 *       + 1/2 w.(J1_k q_k + J2_kl q_k q_l) w + w.H_kl q_k q_l'
 * with v, w of the frame in its own axes. Its first term is exact for the assumed field, for any q
 * and w; those of sections and nodes that turn are of second order in q and q' (section_turn.h),
 * H_kl = S_kl + A_kl with a symmetric and an antisymmetric part. At rest and undeformed the mass
 * matrix of q is trace(N_kl) + M_kl.
 *
 * The elastic energy is 1/2 q.K q + the energy of the bars (rt_bar), or that of the flexures
 * (rt_flexure); nothing else depends on q.
 *
 * Where bending shortens, points are displaced to second order too, by
 *     s2 = 1/2 sum_kl G_kl(X) q_k q_l,   G_kl = G_lk,   zero at the nodes.
 * Its inertia and weight count as those of a small change of place on the undeformed body: with
 * gravity g in the frame's axes the Lagrangian has, besides T and the potential of the rest,
 *     L2 = int (v + w x X).(w x s2 + s2') dm + int g.s2 dm,
 * whose terms are of order q^2; those with s2 and S_k q_k, of order q^3 and above, are left out. It
 * needs two more moments, again constant:
 *     a_kl = int G_kl dm,   B_kl = int X G_kl' dm
 */
#ifndef RT_FLEXIBLE_FLEXIBLE_H
#define RT_FLEXIBLE_FLEXIBLE_H

#include <stdbool.h>

#include "base/scalar.h"
#include "base/sparse.h"

/* Geometric stiffening: the axial force of a beam element does work on the shortening that bending
 * brings. With the mean strain of the element
 *     e = sum_a c_a q_a + 1/2 sum_ab g_ab q_a q_b      (c: stretch; g = 1/l int w'w' there)
 * its energy is 1/2 stiffness e^2 (stiffness = E A l), in place of the stretch's part of K, which
 * holds bending and torsion alone where there are bars. Its damping is of the same strain: the
 * force damping e_t along e_a, e_t the rate of e, in place of the stretch's part of D. */
typedef struct rt_bar {
    double stiffness;
    int n;               /* coordinates it sees */
    const int *column;   /* n, ascending */
    const double *c;     /* n */
    const double *g;     /* n x n row-major, symmetric */
    const int *position; /* n x n: entry of (row a, column b) in pattern */
    double damping;
} rt_bar;

/* The same of a spatial beam, with all that finite rotations of its nodes bring: elements/flexure.h
 * has its strains. It has the elastic force of bending, twist and stretch, in place of K and of the
 * stiffness part of D. */
enum { RT_FLEXURE_NUMBERS = 6 };
typedef struct rt_flexure {
    const double *numbers; /* l, E A, G J, E Iy, E Iz, stiffness part of the damping */
    int n;                 /* coordinates it sees */
    const int *column;     /* n, ascending */
    const int *place;      /* n: u v w rx ry rz of its left node are 0 .. 5, of its right 6 .. 11 */
    const int *position;   /* n x n: entry of (row a, column b) in pattern */
} rt_flexure;

/* What a coordinate is, for names, units and scales. */
typedef enum rt_elastic_kind {
    RT_ELASTIC_LENGTH,    /* a displacement: metres */
    RT_ELASTIC_ANGLE,     /* a rotation: radians */
    RT_ELASTIC_AMPLITUDE, /* of a mode; its shape moves `size` metres at most when it is 1 */
} rt_elastic_kind;

typedef struct rt_elastic {
    const char *name; /* within the body: "5.y", "5.rz", "mode 3", "6.rx" of an interface */
    rt_elastic_kind kind;
    double size; /* largest displacement of a node at unit amplitude (AMPLITUDE); else 1 */
} rt_elastic;

/* A node: its undeformed place, and which coordinates move it. */
typedef struct rt_flexible_node {
    int number; /* as the user counts: 1, 2, ... or the finite-element program's number */
    double X[3];
    double axes[9]; /* undeformed orientation, columns in the frame's axes: a beam's x along it */
    bool point;     /* of solid elements: displaced but not turned (R is zero), carries no moment */
    int n;          /* coordinates; 0: fixed in the frame */
    const int *column;   /* n, ascending */
    const double *S, *R; /* 3 x n each, row-major: displacement and rotation at unit q */
} rt_flexible_node;

/* What a beam is made of, for the limits of its theory; y, z of the section. */
typedef struct rt_flexible_beam {
    double axis[3], length, density, area, young, shear, inertia_y, inertia_z, torsion;
    double damping_mass;
    bool planar, tangent, rotary_inertia;
} rt_flexible_beam;

typedef struct rt_flexible {
    int n; /* elastic coordinates */
    const rt_elastic *coordinate;
    double mass, first[3], second[9], rotary[9];
    const double *a; /* 3 n: a_k at a + 3 k */
    const double *B; /* 9 n: B_k row-major at B + 9 k, B_k[3 i + j] = int X_i S_kj dm */
    const double *h; /* 3 n */
    rt_pattern
        pattern; /* n x n, structurally symmetric, with its diagonal; column by column as there */
    const double *N; /* 9 for every entry (k, l), row k: int S_ki S_lj dm at 3 i + j */
    /* of second order, 3 and 9 for every entry, symmetric in k, l; both NULL: there is no s2 */
    const double *a2, *B2; /* a_kl; B_kl as B_k */
    /* of turning: J1_k, 9 n; J2_kl (symmetric, also in k, l), S_kl and A_kl, 9, 3 and 3 for every
     * entry (k, l), row k. All NULL: nothing turns, or it is not known how */
    const double *J1, *J2, *H_even, *H_odd;
    const rt_flexible_beam *beam; /* NULL: it is none */
    bool turning_unknown;         /* of a file that does not say it, though something turns */
    const double *M, *K, *D;      /* one for every entry: above; stiffness; damping (force D q') */
    int n_bars;
    const rt_bar *bars;
    int n_flexures; /* with them K is the stiffness of bending and twist at q = 0, and no force */
    const rt_flexure *flexures;
    int n_nodes;
    const rt_flexible_node *nodes; /* ascending numbers */
    /* to draw it: */
    int n_lines;
    const int *lines; /* n_lines x 2 node indices */
    int n_triangles;
    const int *triangles; /* n_triangles x 3 */
    /* where strain energy sits: parts (elements) with their own stiffness, so that the sum of
     * 1/2 q.k q over the parts is that of K; n_parts 0: not known */
    int n_parts;
    const struct rt_flexible_part *parts;
} rt_flexible;

typedef struct rt_flexible_part {
    int n;
    const int *column;
    const double *k; /* n x n row-major */
    int n_nodes;
    int nodes[4]; /* indices of nodes it spans */
    /* of a node of a reduced body (node_energy.c), else 0: the mass there; k = rows' rows */
    double size;
    int n_rows;
    const double *rows; /* n_rows x n */
} rt_flexible_part;

/* A number of a shape where the equations are evaluated. The derivatives of all numbers of a shape
 * are a shape of their own, of the same pattern; NULL: there are none. Sources that are compiled
 * for variations look at it (base/scalar.h). For those that are compiled for extended precision
 * such a shape holds what doubles leave of the numbers. */
static inline rt_scalar rt_shape_number(const double *values, const double *slopes, size_t k)
{
#ifdef RT_VARIATION
    if (slopes) return rt_complex(values[k], slopes[k]);
#elif defined RT_WIDE
    if (slopes) return (rt_scalar)values[k] + slopes[k];
#endif
    (void)slopes;
    return values[k];
}

/* What of a number a shape that is compiled for variations holds: the derivative. */
static inline double rt_held(rt_scalar x)
{
#ifdef RT_VARIATION
    return rt_im(x);
#else
    return rt_re(x);
#endif
}

/* The same where it is summed: in extended precision all of it. */
#ifdef RT_WIDE
typedef rt_scalar rt_held_sum;
static inline rt_held_sum rt_held_all(rt_scalar x) { return x; }
#else
typedef double rt_held_sum;
static inline rt_held_sum rt_held_all(rt_scalar x) { return rt_held(x); }
#endif

/* One with a name: of the same member of both. */
#define RT_SHAPE_NUMBER(shape, slope, member, k)                                                   \
    rt_shape_number((shape)->member, (slope) ? (slope)->member : NULL, k)

/* The node of that number; -1: there is none. */
int rt_flexible_find_node(const rt_flexible *flexible, int number);

#endif
