/* Several processes (MPI) at one problem, or at many: the optional component of --distributed.
 *
 * Rank 0 runs the program and holds the model; the others serve it. Only here is MPI begun, and
 * PETSc, SLEPc and MUMPS are called. Nothing is printed, and PETSc's errors come back as statuses.
 */
#ifndef ROUTH_DISTRIBUTED_CLUSTER_H
#define ROUTH_DISTRIBUTED_CLUSTER_H

#include "routh/routh.h"

typedef struct routh_cluster routh_cluster;

/* Called on a rank that alone cannot go on (memory, as a rule) just before all are ended with
 * MPI_Abort, exit status 1: the others would wait for it for ever. */
typedef void (*routh_cluster_lost)(int rank, const char *why);

/* Begins MPI, in every process that mpirun has started, once in the life of a process. lost may be
 * NULL. OUT_OF_MEMORY; NOT_SUPPORTED where MPI, PETSc or SLEPc cannot begin. */
routh_status routh_cluster_open(routh_cluster **cluster, routh_cluster_lost lost,
                                routh_error *error);

/* "3.18.2, 3.18.5": of SLEPc and PETSc; may be called before all others. */
void routh_cluster_versions(char *text, size_t size);

int routh_cluster_rank(const routh_cluster *cluster);
int routh_cluster_size(const routh_cluster *cluster);

/* Ends MPI: the last call, by every rank. NULL is allowed. */
void routh_cluster_close(routh_cluster *cluster);

/* ---- one problem ---------------------------------------------------------------------------- */

/* Ranks above 0: work on what rank 0 gives, until it dismisses them; returns the number it gives
 * them then. */
int routh_cluster_serve(routh_cluster *cluster);

/* Rank 0, while the others serve: ends that. */
void routh_cluster_dismiss(routh_cluster *cluster, int status);

/* Rank 0, while the others serve: for routh_modes_select_by. Matrices, factors and vectors lie on
 * all ranks. NUMERIC_ERROR where the factorization or the iteration breaks down, OUT_OF_MEMORY. */
routh_eigensolver routh_cluster_solver(routh_cluster *cluster);

/* Rank 0, while the others serve: L D L' by MUMPS on all ranks, for counted modes
 * (routh_matrix_modes_compute_by; routh_cluster_solver has them in it). Right-hand sides, and the
 * iteration, are on rank 0. OUT_OF_MEMORY and NUMERIC_ERROR as above. */
routh_factors routh_cluster_factors(routh_cluster *cluster);

/* What the last solve took; of all ranks together. */
typedef struct routh_cluster_figures {
    int order;                              /* of the matrix that is factored */
    int symmetric;                          /* 1: L D L', 0: L U */
    double factor_entries;                  /* of all factors */
    double analysis_s, factor_s, iterate_s; /* factor_s: of all factorizations */
    double solve_s;          /* of routh_cluster_factors: of all solves; iterate_s is 0 */
    int n_factors, n_solves; /* likewise, of single right-hand sides */
} routh_cluster_figures;
routh_cluster_figures routh_cluster_last(const routh_cluster *cluster);

/* ---- many cases ----------------------------------------------------------------------------- */

/* What came of one case. */
typedef struct routh_case {
    int status;           /* the caller's own */
    routh_text out, said; /* what goes to standard output and to standard error */
} routh_case;

/* All ranks: cases 0 .. n - 1 by `run`, each by the rank that is free first. On rank 0 all cases
 * are filled afterwards, on the others none. The caller frees their texts. run fills the case that
 * it is given, which is zeroed. (collective) */
routh_status routh_cluster_cases(routh_cluster *cluster, int n, routh_case *cases,
                                 void (*run)(void *context, int k, routh_case *result),
                                 void *context, routh_error *error);

/* All ranks: the same for calls that take a dealer; rank 0 leads. */
routh_distributor routh_cluster_dealer(routh_cluster *cluster);

#endif
