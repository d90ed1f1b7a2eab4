/* Work in segments distributed over several processes, all of which make the same call with the
 * same arguments: what a long call asks for in place of threads. */
#ifndef ROUTH_DEAL_H
#define ROUTH_DEAL_H

#include "routh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_distributor {
    void *context; /* handed to the function below */
    int leads;     /* 1 in the one process that gets all results, else 0 */
    /* Calls run(work, k, &results[k]) for k = 0 .. n - 1, each in one of the processes, one at a
     * time in each. results: n, zeroed; afterwards all are there where leads is 1. The caller frees
     * them in every case. Any status that is not ROUTH_OK is passed on. */
    routh_status (*deal)(void *context, int n, void (*run)(void *work, int k, routh_text *result),
                         void *work, routh_text *results, routh_error *error);
} routh_distributor;

#ifdef __cplusplus
}
#endif
#endif
