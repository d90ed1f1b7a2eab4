/* The pencil of rank 0 as rows for all ranks; numbers only, no MPI.
 *
 * With y = (xi, du, lambda), E = diag(I, M, 0) and A = [0 I 0; -K -D -H; -G 0 0] the solution of
 * (A - s E) z = E y is, row by row,
 *     du' = xi + s xi',
 *     [K + s D + s^2 M, H; G, 0] (xi', lambda') = (-M du - (D + s M) xi, 0),
 * so that a matrix of little more than half the order is factored, symmetric where K, D are and H =
 * G'. docs/theory/redundant.md */
#ifndef ROUTH_DISTRIBUTED_PENCIL_H
#define ROUTH_DISTRIBUTED_PENCIL_H

#include <stdbool.h>

#include "routh/routh.h"

/* Compressed rows, columns ascending. */
typedef struct rt_rows {
    int n;
    int *start, *column; /* n + 1 */
    double *value;
} rt_rows;

typedef enum rt_part {
    RT_PART_SADDLE, /* [K + s D + s^2 M, H; G, 0], numbered by rank, its diagonal in full */
    RT_PART_MASS,   /* M */
    RT_PART_RATE,   /* D + s M */
    RT_N_PARTS
} rt_part;

typedef struct rt_cluster_pencil {
    routh_shift_invert *problem;
    int size;   /* ranks */
    int *place; /* n_coordinates + n_constraints: where the saddle-point matrix has each */
    bool symmetric;
    rt_rows rows; /* of the part made last */
    int *work_row;
    double *work_value;
} rt_cluster_pencil;

/* Where the share of a rank begins, of n things over `size` ranks; that of rank `size` is n. */
int rt_share(int n, int rank, int size);

/* BAD_ARGUMENT where the matrices are not of that form. Close in every case. */
routh_status rt_cluster_pencil_open(rt_cluster_pencil *pencil, routh_shift_invert *problem,
                                    int size, routh_error *error);
void rt_cluster_pencil_close(rt_cluster_pencil *pencil);

/* Makes pencil->rows; allocates nothing. */
void rt_cluster_pencil_make(rt_cluster_pencil *pencil, rt_part part);

/* No part will be made any more: frees what they are made in, so that the factors have the room. */
void rt_cluster_pencil_finish(rt_cluster_pencil *pencil);

#endif
