/* What the files of this folder share. */
#ifndef ROUTH_DISTRIBUTED_INSIDE_H
#define ROUTH_DISTRIBUTED_INSIDE_H

#include <stdbool.h>

#include <slepceps.h>

#include "distributed/cluster.h"
#include "distributed/fail.h"
#include "distributed/pencil.h"

struct routh_cluster {
    MPI_Comm comm; /* of ours alone */
    int rank, size;
    routh_cluster_lost lost;
    bool mpi, slepc;   /* begun here */
    char message[512]; /* of the first PETSc error since it was cleared */
    PetscErrorCode code;
    routh_cluster_figures last;
    routh_factors counted;          /* that of routh_cluster_solver */
    struct rt_factors_mpi *factors; /* NULL while there are none */
};

/* What rank 0 tells the others to do. */
typedef enum rt_order_kind { RT_ORDER_SOLVE, RT_ORDER_FACTORS, RT_ORDER_DISMISS } rt_order_kind;

typedef struct rt_order {
    int kind;
    int status;                       /* DISMISS */
    int job;                          /* FACTORS: MUMPS's own number of it */
    int n_coordinates, n_constraints; /* SOLVE, and below */
    int wanted, basis, most_restarts, symmetric;
    double shift;
} rt_order;

void rt_cluster_tell(routh_cluster *cluster, rt_order *order); /* a broadcast from rank 0 */

/* All ranks: one step of MUMPS. (collective) */
void rt_cluster_factors_work(routh_cluster *cluster, int job);

/* All ranks after a step: ROUTH_OK where it went well on each, else the same status on each, with
 * the message of the lowest rank that failed. An error of memory on one rank ends them all, since
 * the others may wait within the step. (collective) */
routh_status rt_cluster_agree(routh_cluster *cluster, PetscErrorCode code, routh_error *error);

/* malloc or calloc failed on this rank, and the others do not know. Does not return. */
void rt_cluster_give_up(routh_cluster *cluster, const char *why);

/* All ranks: the whole of one solve. pencil is NULL on ranks above 0. (collective) */
routh_status rt_cluster_solve(routh_cluster *cluster, const rt_order *order,
                              rt_cluster_pencil *pencil, routh_error *error);

#endif
