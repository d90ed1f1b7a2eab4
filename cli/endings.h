/* Which files a command writes: names whose endings promise another form are refused. */
#ifndef ROUTH_CLI_ENDINGS_H
#define ROUTH_CLI_ENDINGS_H

#include "options.h"

/* Before anything is computed: have the names of --output, --save-state, --write-model and of
 * pictures an ending that the command knows? Says what is wrong; returns an exit status. */
int endings_check(const char *command, const options *given);

#endif
