/* The tables of what routh compare found, for JSON and terminal. */
#ifndef RT_OUTPUT_COMPARE_FIELDS_H
#define RT_OUTPUT_COMPARE_FIELDS_H

#include "output/descriptor.h"

enum { RT_COMPARE_SHOWN = 12 }; /* parts of a change, the largest; others together */

/* What a row has as its work. */
typedef struct rt_compare_work {
    const routh_results *sides[2];
    int *order;       /* room for as many as there are terms or parameters */
    int most;         /* parts of a change that are written */
    const char *name; /* of the part that the row is about */
} rt_compare_work;

/* Rows: of a routh_shift, which is a part of a change. */
extern const rt_result_table rt_compare_part_table;

/* What is needed is there; *order is to be freed. */
routh_status rt_comparison_check(const routh_comparison *c, const routh_results *a,
                                 const routh_results *b, int **order, routh_text *text,
                                 routh_error *error);

double rt_comparison_size(const routh_shift *shift);

/* By falling size; not a number last. */
void rt_comparison_order(const routh_shift *parts, int n, int *order);

#endif
