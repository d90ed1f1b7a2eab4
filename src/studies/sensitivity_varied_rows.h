/* The derivatives of a pencil's numbers by several parameters: a row for each number that changes
 * at all, which in a large mechanism are few. */
#ifndef RT_STUDIES_SENSITIVITY_VARIED_ROWS_H
#define RT_STUDIES_SENSITIVITY_VARIED_ROWS_H

#include "base/arena.h"
#include "base/error.h"
#include "routh/status.h"

typedef struct rt_varied_rows {
    int n_numbers, width; /* width: derivatives of a row */
    int n;                /* rows in use */
    int *row;             /* n_numbers: which row; -1: none */
    double **block;       /* of rows, as they were needed */
    rt_arena *arena;
} rt_varied_rows;

/* Without rows. Memory is the arena's, also later. */
routh_status rt_varied_rows_create(rt_varied_rows *rows, int n_numbers, int width, rt_arena *arena,
                                   routh_error *error);
/* Without rows again; their memory is used again. */
void rt_varied_rows_clear(rt_varied_rows *rows);

/* The row of a number; one of zeros where it had none; NULL: out of memory. */
double *rt_varied_row(rt_varied_rows *rows, int number);
/* The same where there is one, else NULL. */
const double *rt_varied_row_read(const rt_varied_rows *rows, int number);

#endif
