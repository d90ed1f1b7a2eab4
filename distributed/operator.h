/* OP = (A - s E)^-1 E on (xi, du), its matrices and factors on all ranks. */
#ifndef ROUTH_DISTRIBUTED_OPERATOR_H
#define ROUTH_DISTRIBUTED_OPERATOR_H

#include "distributed/inside.h"

typedef struct rt_operator_mpi {
    routh_cluster *cluster;
    int n, m; /* coordinates and constraints of this rank */
    double shift;
    bool symmetric;
    Mat saddle, mass, rate; /* as in pencil.h */
    Mat factors;
    Vec a, b, c;                               /* of coordinates */
    Vec right, solution, leftover, correction; /* of the saddle-point matrix */
    PetscReal norm;                            /* of it: its largest row */
    bool singular;                             /* a pivot vanishes */
    int n_solves;
} rt_operator_mpi;

/* Matrices from rank 0 (pencil NULL elsewhere). */
PetscErrorCode rt_operator_make(rt_operator_mpi *op, const rt_order *order,
                                rt_cluster_pencil *pencil);

/* By MUMPS; op->singular. */
PetscErrorCode rt_operator_factor(rt_operator_mpi *op);

/* y = OP x; both hold xi, then du, of this rank. The multipliers that go with y are
 * op->solution from op->n on. */
PetscErrorCode rt_operator_apply(rt_operator_mpi *op, Vec x, Vec y);

PetscErrorCode rt_operator_free(rt_operator_mpi *op);

#endif
