/* --distributed: the program in several processes that mpirun has started. Rank 0 speaks; the
 * others are silent and serve it. Without the component all of it is refused. */
#ifndef ROUTH_CLI_CLUSTER_H
#define ROUTH_CLI_CLUSTER_H

#include <stdbool.h>

#include "distributed/cluster.h"

/* Is --distributed among the words, as an option? */
bool cluster_is_asked(int n, char **argv);

/* What it is, for routh version. */
routh_component cluster_component(void);

/* Before anything else; an exit status. The second is the last call of every rank. */
int cluster_begin(void);
int cluster_end(int status);

/* At the same place of the program in every rank: those above 0 serve until rank 0 ends, and
 * return true then, with its exit status. */
bool cluster_served(int *status);

/* Rank 0, while the others serve. */
routh_eigensolver cluster_solver(void);
routh_factors cluster_factors(void);

/* All ranks, as routh_cluster_cases; an exit status. */
int cluster_cases(int n, routh_case *cases, void (*run)(void *context, int k, routh_case *result),
                  void *context);
routh_distributor cluster_dealer(void);
int cluster_rank(void); /* 0 without --distributed */

#endif
