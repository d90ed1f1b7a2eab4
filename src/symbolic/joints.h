/* What holds the natural coordinates together: rows that are zero, sums of products of vectors. */
#ifndef RT_SYMBOLIC_JOINTS_H
#define RT_SYMBOLIC_JOINTS_H

#include "symbolic/measures.h"

typedef struct rt_symbolic_row {
    rt_quadric quadric;
    int joint;         /* -1: of a body itself */
    int body;          /* then */
    const char *label; /* what it keeps */
} rt_symbolic_row;

/* All rows; *rows is to be freed. NOT_SUPPORTED names the joint that leaves the class. */
routh_status rt_natural_rows(const rt_natural_bodies *bodies, rt_graph *graph,
                             rt_symbolic_row **rows, int *n, routh_error *error);

#endif
