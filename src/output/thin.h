/* A flexible body with fewer nodes, to draw it: nodes that are near each other become the first of
 * them. */
#ifndef RT_OUTPUT_THIN_H
#define RT_OUTPUT_THIN_H

#include "base/error.h"
#include "routh/linear.h"

typedef struct rt_thin_body {
    double span;  /* its longest side */
    int n_nodes;
    int *node;    /* n_nodes: which of the body's */
    int *drawn;   /* of every node of the body: which of these stands for it */
    double *size; /* n_nodes: mass, length, area or volume of the parts that hang on it */
    int n_lines, *lines, n_triangles, *triangles;
} rt_thin_body;

/* At most `most` nodes, 2 at the least. Free by rt_thin_free, after a failure too. */
routh_status rt_thin(rt_thin_body *thin, const routh_flexible_body *body, int most,
                     routh_error *error);
void rt_thin_free(rt_thin_body *thin);

#endif
