/* Linear models that were saved, in place of a model file. */
#ifndef ROUTH_CLI_SAVED_H
#define ROUTH_CLI_SAVED_H

#include "run.h"

/* Is what the command is given a saved linear model? */
bool saved_is_given(const options *given);

/* Reads it into r->linear. What only a mechanism can answer is refused. */
int saved_load(run *r, const options *given);

/* A command that needs the mechanism itself says so. */
int saved_refuse(const options *given);

/* The format that the result is to be saved in, or NULL: it is to be printed. Refuses what does not
 * go together by returning an exit status that is not EXIT_DONE. */
int saved_format(const char **format, const options *given);

int saved_write(const run *r, const options *given, const char *format);

#endif
