/* The numbers of a model with 113 bits, as expressions say of its parameters: a difference that
 * cancels in doubles keeps its digits, and what rounding of the parameters does to it is known. For
 * system/wide.c alone. */
#ifndef RT_SYSTEM_WIDE_NUMBERS_H
#define RT_SYSTEM_WIDE_NUMBERS_H

#include "system/system.h"

typedef struct rt_wide_numbers {
    const routh_model *model;
    int n_expr;
    rt_expr *expr; /* nodes of the graph that depend on parameters alone */
    const rt_tape *tape;
    rt_scalar *independent; /* parameters as written, for fill */
    rt_scalar *parameter;   /* all, and made numbers */
    rt_scalar *by_expr;     /* by node; of others than those not a number */
    rt_scalar *outputs, *work, *in, *out, *making_work;
    rt_slopes exact; /* of these arrays */
} rt_wide_numbers;

/* In the arena; values are those of the model as it is. */
routh_status rt_wide_numbers_create(rt_wide_numbers *numbers, const routh_mechanism *mechanism,
                                    rt_arena *arena, routh_error *error);

/* All from `independent`, where parameters that are written in terms of others do not count. */
void rt_wide_numbers_fill(rt_wide_numbers *numbers);

#endif
