/* The log: a line of JSON about the run, then one for every evaluation. */
#ifndef RT_STUDIES_OPTIMISE_LOG_H
#define RT_STUDIES_OPTIMISE_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include "studies/optimise_values.h"

/* An evaluation. */
typedef struct rt_evaluation {
    double *x;           /* n_x: values of the variables */
    double *value, *hz;  /* members */
    double *by;          /* members x n_x */
    double *eigenvalues; /* 2 x n_branches: re, im of each branch */
    char *message;       /* why there are no values; NULL where there are */
    bool uncertain;
} rt_evaluation;

/* Everything in it is allocated; message NULL. */
routh_status rt_evaluation_make(rt_evaluation *record, const rt_members *members,
                                routh_error *error);
void rt_evaluation_free(rt_evaluation *record);

typedef struct rt_logbook {
    FILE *file; /* NULL: none */
    const char *path;
} rt_logbook;

/* A new file; FILE_ERROR where there is one. */
routh_status rt_log_begin(rt_logbook *log, const char *path, const rt_optimise_task *task,
                          const char *algorithm, routh_error *error);

/* Reads the whole lines there are, cuts off what follows the last, and goes on writing after it.
 * records: allocated, to be freed with all that is in them. A log of another study or algorithm is
 * refused, and what is no log. */
routh_status rt_log_resume(rt_logbook *log, const char *path, const rt_optimise_task *task,
                           const char *algorithm, const rt_members *members,
                           rt_evaluation **records, int *n, routh_error *error);

routh_status rt_log_write(rt_logbook *log, const rt_members *members, const rt_evaluation *record,
                          int number, double objective, double violation, routh_error *error);
void rt_log_end(rt_logbook *log);

#endif
