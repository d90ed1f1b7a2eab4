/* From the matrices of body frames to those of a joined set (coordinates/joined.h).
 *
 * The elements are evaluated by an inner mechanism on spatial frames: wrench r0 and partials K0,
 * D0, M0 of the levels Xi, Xi', Xi'', and rows with phi, V0, A_u0, A_x0. With the screws of every
 * body,
 *     r   = sum_b J_b' r0_b
 *     M   = J' M0 J,    D = J' (D0 J + M0 J2u),    K = J' (K0 J + D0 J1 + M0 J2x) + d(J'r0)/dxi
 *     G   = phi J,      V_x = phi J1 + V0 J,       A_u = phi J2u + A_u0 J,
 *     A_x = phi J2x + A_u0 J1 + A_x0 J
 * The 6 x 6 blocks of pairs of bodies are walked by one of two ways: along the tree where the
 * columns form one (tree_blocks.c, O(n d)), else pair by pair (pair_blocks.c). */
#ifndef RT_SYSTEM_JOINED_H
#define RT_SYSTEM_JOINED_H

#include "system/entries.h"
#include "system/system.h"

/* The 6 x 6 block of bodies (a, b): entry (i, j) is at + i + stride j in the inner K and D, and
 * mass + i + mass_stride j in the inner M; mass is -1 where there is none. */
typedef struct rt_pair {
    int a, b, at, stride, mass, mass_stride;
} rt_pair;

/* Six entries of an inner row (or column of L) on one body, at + stride k, and where the products
 * with the body's columns go. */
typedef struct rt_row_part {
    int body, at, stride;
    const int *position;
} rt_row_part;

typedef struct rt_tree_tables rt_tree_tables;

/* Elastic coordinate e (which is its own column of u) and body b of the inner K: entries
 * (6 b + i, e) at row + i, entries (e, 6 b + j) at column + stride j; the same of the inner M (-1:
 * none). The positions in K of (body's columns, e) and (e, body's columns). */
typedef struct rt_elastic_cross {
    int body, e;
    int row, column, stride;
    int mass_row, mass_column, mass_stride;
    const int *by_elastic, *by_frame;
} rt_elastic_cross;

/* Entries that are carried over as they are; mass: of the inner M, or -1. */
typedef struct rt_elastic_entry {
    int from, mass, to;
} rt_elastic_entry;

typedef struct rt_joined_elastic {
    int n_crosses, n_inner, n_rows, n_lambda;
    rt_elastic_cross *crosses;
    rt_elastic_entry *inner;  /* K */
    rt_elastic_entry *rows;   /* G */
    rt_elastic_entry *lambda; /* L */
} rt_joined_elastic;

typedef struct rt_joined_tables {
    int n_pairs;
    rt_pair *pairs;
    int n_row_parts, n_lambda_parts;
    rt_row_part *row_parts, *lambda_parts;
    const int *own_position;      /* of the coordinates' own rows in G */
    int *own_curvature_start;     /* n_own + 1 */
    const int *own_curvature;     /* positions in K */
    const int *mass_position;     /* of the set's own mass in K; NULL where it has none */
    double *weight;               /* with it, n_u: the forces that gravity gives, in r */
    const int *const *pair_position; /* n_a x n_b of each pair in K; NULL where there is a tree */
    rt_tree_tables *tree;         /* NULL where there is none */
    rt_joined_elastic *elastic;   /* NULL where there are no elastic coordinates */
    int most_columns;             /* of one body */
} rt_joined_tables;

/* Numbers that change. */
typedef struct rt_joined_work {
    rt_workspace *inner;
    rt_screws screws;
    rt_scalar *scratch;   /* the set's own */
    rt_scalar *composite; /* tree: n_u x 36 three times: K, D, M of what a column carries */
    rt_scalar *wrench;    /* tree: n_u x 6: wrench that the column carries, spatial */
    rt_scalar *scale;     /* the same of the largest single contributions */
    rt_own_rows own;
    rt_scalar *block;     /* n x n for the most columns n of a body or of an own row */
} rt_joined_work;

/* Of a mechanism whose inner mechanism and joined set are there: numbers of rows and columns,
 * patterns, tables. */
routh_status rt_joined_make_tables(routh_mechanism *mechanism, routh_error *error);
/* After the numbers of the inner mechanism have changed (refill.h): those that it shares by value,
 * and where the bodies begin. */
void rt_joined_refill(routh_mechanism *mechanism, rt_workspace *workspace);
/* The weight of a set with its own mass, at the state as written. */
routh_status rt_joined_weigh(routh_mechanism *mechanism, rt_workspace *workspace,
                             const rt_state *state, routh_error *error);
#if !defined RT_VARIATION && !defined RT_WIDE
routh_status rt_joined_work_create(rt_joined_work **work, const routh_mechanism *mechanism,
                                   rt_arena *arena, routh_error *error);
void rt_joined_work_free(rt_joined_work *work);

routh_status rt_joined_evaluate(const routh_mechanism *mechanism, rt_workspace *workspace,
                                const rt_state *state, int what, routh_error *error);

void rt_joined_motion(const routh_mechanism *mechanism, const rt_workspace *workspace, int marker,
                      rt_motion *motion);
#else /* what is compiled again is in absolute coordinates: none of this is reached */
static inline routh_status rt_joined_work_create(rt_joined_work **work, const routh_mechanism *m,
                                                 rt_arena *arena, routh_error *error)
{
    (void)work, (void)m, (void)arena;
    return rt_fail(error, ROUTH_BAD_ARGUMENT, "shared coordinates are compiled once");
}
static inline void rt_joined_work_free(rt_joined_work *work) { (void)work; }
static inline routh_status rt_joined_evaluate(const routh_mechanism *m, rt_workspace *w,
                                              const rt_state *state, int what, routh_error *error)
{
    (void)m, (void)w, (void)state, (void)what;
    return rt_fail(error, ROUTH_BAD_ARGUMENT, "shared coordinates are compiled once");
}
static inline void rt_joined_motion(const routh_mechanism *m, const rt_workspace *w, int marker,
                                    rt_motion *motion)
{
    (void)m, (void)w, (void)marker, (void)motion;
}
#endif


/* ---- elastic coordinates (joined_flexible.c) ------------------------------------------------ */

/* Entries are listed, then their positions taken, in this order, of K, G and L. */
routh_status rt_joined_elastic_make(routh_mechanism *mechanism, rt_joined_tables *tables,
                                    routh_error *error);
void rt_joined_elastic_entries(const routh_mechanism *mechanism, rt_entries *entries);
const int *rt_joined_elastic_positions(const routh_mechanism *mechanism, const int *position);
void rt_joined_elastic_row_entries(const routh_mechanism *mechanism, rt_entries *entries);
const int *rt_joined_elastic_row_positions(const routh_mechanism *mechanism, const int *position);
routh_status rt_joined_elastic_lambda(routh_mechanism *mechanism, rt_entries *entries,
                                      routh_error *error);
void rt_joined_elastic_lambda_positions(const routh_mechanism *mechanism, const int *position);

/* Numbers. */
void rt_joined_elastic_residual(const routh_mechanism *mechanism, rt_workspace *workspace);
void rt_joined_elastic_blocks(const routh_mechanism *mechanism, rt_workspace *workspace,
                              bool tangent);
void rt_joined_elastic_rows(const routh_mechanism *mechanism, rt_workspace *workspace, bool levels);
void rt_joined_elastic_L(const routh_mechanism *mechanism, rt_workspace *workspace);

/* ---- the two ways --------------------------------------------------------------------------- */

/* Adds the entries of K to the list, later the tables that follow from their positions. */
void rt_pair_entries(const rt_joined *joined, const rt_joined_tables *tables, rt_entries *entries);
routh_status rt_pair_positions(const rt_joined *joined, rt_joined_tables *tables,
                               const int *position, rt_arena *arena, routh_error *error);
routh_status rt_tree_make(const rt_joined *joined, rt_joined_tables *tables, rt_entries *entries,
                          rt_arena *arena, routh_error *error);
size_t rt_tree_positions(const rt_joined *joined, rt_joined_tables *tables, const int *position);

/* K, D (where tangent), M from the inner matrices; K from the geometric stiffness. */
void rt_pair_blocks(const routh_mechanism *mechanism, rt_workspace *workspace,
                    const rt_state *state, bool tangent);
void rt_tree_blocks(const routh_mechanism *mechanism, rt_workspace *workspace, bool tangent);

/* Wrenches and scales carried by the columns, and r. */
void rt_pair_wrenches(const routh_mechanism *mechanism, rt_workspace *workspace);
void rt_tree_wrenches(const routh_mechanism *mechanism, rt_workspace *workspace);

#endif
