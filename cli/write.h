/* Where a command's result goes. */
#ifndef ROUTH_CLI_WRITE_H
#define ROUTH_CLI_WRITE_H

#include "options.h"
#include "routh/routh.h"

/* To the file at path, whole or not at all; NULL and "-" are standard output. Frees the text.
 * Returns an exit status; what went wrong is said. */
int write_text(routh_text *text, const char *path);

/* The result as the options ask for it: to --output; a table on a terminal is coloured. The same
 * otherwise. */
int write_result(routh_text *text, const options *given);

/* What `make` prints, to --output. */
int write_made(void (*make)(FILE *to), const options *given);

/* Flushes standard output and returns status, or EXIT_FAULT when not all of it could be written. */
int close_output(int status);

/* Is writing to path going to overwrite the file that is read from model? */
int same_file(const char *path, const char *model);

#endif
