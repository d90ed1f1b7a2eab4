/* Many cases of one command: one after another, or spread over the ranks of --distributed. */
#ifndef ROUTH_CLI_CASES_H
#define ROUTH_CLI_CASES_H

#include <stdbool.h>

#include "cluster.h"

/* Case k: its result as a text; what it says goes by complain and its like, and is kept. Returns an
 * exit status; a text may be there where it is not EXIT_DONE. */
typedef int (*case_step)(void *context, int k, routh_text *out);

/* Runs cases 0 .. n - 1 and tells, in their order, what they said. cases: n, zeroed; their status
 * and out are filled on rank 0, on others none. Returns EXIT_DONE where all could be run, however
 * they ended. Free the cases in every case. */
int cases_run(int n, case_step step, void *context, bool distributed, routh_case *cases);
void cases_free(int n, routh_case *cases);

#endif
