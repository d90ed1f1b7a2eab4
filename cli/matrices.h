/* `routh modes` of matrices from files, in place of a model. */
#ifndef ROUTH_CLI_MATRICES_H
#define ROUTH_CLI_MATRICES_H

#include "options.h"

bool matrices_are_given(const options *given);

/* An exit status, having said what went wrong. */
int run_matrices(const options *given);

#endif
