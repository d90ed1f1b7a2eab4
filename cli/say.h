/* What the program says on standard error, and its exit statuses. */
#ifndef ROUTH_CLI_SAY_H
#define ROUTH_CLI_SAY_H

#include <stdio.h>

#include "routh/routh.h"

typedef enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAULT = 1, /* the model, the numbers or a file are at fault */
    EXIT_USAGE = 2  /* the command line is */
} exit_status;

/* "error: ...", "warning: ..." and "note: ..." */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Where they and the others below go from now on; NULL: to standard error again. */
void say_to(FILE *to);

/* The model that they are about from now on, whose name goes before what does not hold it. NULL:
 * none. */
void say_about(const char *model);

/* The same; returns EXIT_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the error and returns its exit status: what was asked for is at fault when the
 * library calls an argument bad or not supported without naming a place in the model's file; else
 * the model or the numbers. */
int fault(const routh_error *error);

#endif
