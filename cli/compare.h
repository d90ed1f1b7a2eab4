/* Two models beside each other, for routh compare and for the report. */
#ifndef ROUTH_CLI_COMPARE_H
#define ROUTH_CLI_COMPARE_H

#include "run.h"

/* The two, and places between them: as many of these as are looked at at a time. */
typedef struct pair {
    const options *given;
    run run[2], between[2];
    options options[2]; /* of each: one model, its settings */
    int turn;
    double *values[2]; /* of the parameters of --versus */
    int failed;        /* exit status of what a place between said itself */
    routh_comparison *comparison;
} pair;

/* Both to their modes, and what moved them. *p holds the options and is else zero; an exit status,
 * having said what went wrong. Free with pair_free in every case. */
int pair_find(pair *p);
void pair_free(pair *p);

/* What a comparison has no use for: an exit status. */
int pair_check(const options *given);

#endif
