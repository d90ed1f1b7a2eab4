/* The commands: one table that main goes by and that the help is made from. */
#ifndef ROUTH_CLI_COMMANDS_H
#define ROUTH_CLI_COMMANDS_H

#include <stdio.h>

#include "options.h"

typedef struct command {
    const char *name;
    const char *arguments;            /* "MODEL" */
    const char *about;                /* one line */
    const char *more;                 /* what the help of the command adds; may be NULL */
    int groups;                       /* of options */
    int least, most;                  /* how many words that are no options */
    int (*run)(const options *given); /* an exit status */
} command;

/* Until one with name NULL. */
extern const command commands[];

/* NULL where there is none of that name. */
const command *command_find(const char *name);

/* The nearest name, or NULL. */
const char *command_suggest(const char *name);

/* "routh 0.1.0" */
void print_version(void);

/* What 0, 1 and 2 mean. */
extern const char exit_statuses[];

void help_overview(FILE *to);
void help_command(FILE *to, const command *c);

int run_modes(const options *given);
int run_linearize(const options *given);
int run_equilibrium(const options *given);
int run_simulate(const options *given);
int run_check(const options *given);
int run_verify(const options *given);
int run_response(const options *given);
int run_sweep(const options *given);
int run_optimise(const options *given);
int run_floquet(const options *given);
int run_sensitivity(const options *given);
int run_compare(const options *given);
int run_symbolic(const options *given);
int run_report(const options *given);
int run_reduce(const options *given);
int run_benchmark(const options *given);
int run_format(const options *given);
int run_template(const options *given);
int run_schema(const options *given);
int run_reference(const options *given);
int run_version(const options *given);
int run_completion(const options *given);
int run_man(const options *given);
int run_help(const options *given);

#endif
