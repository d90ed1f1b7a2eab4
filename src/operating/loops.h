/* Loops that close by coordinates which are not written: what the files of it share.
 *
 * Bodies are placed along the tree of joints (model/placing.h), by what is written, y_w, and by
 * what is not, y. Rows of joints beside the tree then close loops:
 *     Phi(y_w, y) = 0,      B dy = -(...),      B = G J,
 * J how the bodies move with y (rt_place_twist). Rows and columns that have to do with each other
 * make a block. Rows are scaled to lengths; y of angles counts as a length too. */
#ifndef RT_OPERATING_LOOPS_H
#define RT_OPERATING_LOOPS_H

#include "model/placing.h"
#include "operating/operating.h"

typedef struct loops_block {
    int n_rows, n_columns, rank;
    int *row, *column;
    double *B, *sigma, *u, *vt; /* NULL before it is factored, which uses B up */
    double *x;                  /* n_columns: what was solved for */
    double *kept_u, *kept_vt, *kept_sigma;
    double largest; /* smallest singular value of its rank, the largest seen */
    double most;    /* the longest correction of a step that is accepted */
} loops_block;

typedef struct loops_blocks {
    int n;
    loops_block *block;
} loops_blocks;

struct rt_loops {
    rt_placing *p, way; /* way: with values alone */
    routh_mechanism *m;
    rt_search s;
    rt_arena arena;
    rt_frame *frames;
    bool *moved;                 /* n_bodies */
    double *dense;               /* n_rows */
    double *size;                /* n_rows: of the rows of G */
    double *phi;                 /* n_rows: scaled, with motions held back */
    double *slope;               /* n_rows: by the part of the way */
    double *lead;                /* n_rows: how far motions are at first */
    bool *off;                   /* n_rows: the row has no position level */
    double *found, *ball, *near; /* copies, to go back to */
    loops_blocks places, rates;
};

/* The bodies at this part of the way: Phi and G. */
routh_status rt_loops_evaluate(rt_loops *loops, double part);

/* The bodies where p->start has them, with their velocities, and their positions as evaluated. */
routh_status rt_loops_evaluate_start(rt_loops *loops);

/* A column of B, scaled, in loops->dense. rates: bodies with velocities of their own stay. */
void rt_loops_column(rt_loops *loops, int c, bool rates);

/* Of y that counts as a length, the coordinate. */
double rt_loops_unit(const rt_loops *loops, int c);

/* Blocks of the rows and columns that are not left out (skip[n_rows], use[columns]) of `passes`
 * configurations: find(loops, pass) evaluates each of them. */
routh_status rt_loops_find_blocks(rt_loops *loops, loops_blocks *blocks, const bool *skip,
                                  const bool *use, bool rates, int passes,
                                  routh_status (*find)(rt_loops *loops, int pass));

/* B of what is evaluated, and its singular values; x of least size with B x = -b; what is left. */
routh_status rt_loops_factor(rt_loops *loops, loops_block *block, bool rates);
void rt_loops_solve(loops_block *block, const double *rows);
double rt_loops_residual(const loops_block *block, const double *rows);

extern const rt_loop_closer rt_loops_closer;

routh_status rt_loops_find(rt_loops *loops);
routh_status rt_loops_find_rates(rt_loops *loops, double *rate);
routh_status rt_loops_find_slopes(rt_loops *loops, bool rates, double *slope);

/* Is the row a motion, prescribed? */
bool rt_loops_is_driven(const rt_loops *loops, int row);

/* Motions that nothing moves but what is written, against that: rows over sizes; what they are of,
 * "coordinate". speed: what counts as 1. */
routh_status rt_loops_check_motions(rt_loops *loops, const loops_blocks *blocks, const double *rows,
                                    bool rates, double speed);

/* y += scale x */
void rt_loops_step(rt_loops *loops, const loops_block *block, double scale);

#endif
