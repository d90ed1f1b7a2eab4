/* The tables of what an optimisation reached, for JSON and terminal. */
#ifndef RT_OUTPUT_OPTIMISE_FIELDS_H
#define RT_OUTPUT_OPTIMISE_FIELDS_H

#include "output/descriptor.h"

/* Rows: of a routh_optimum_variable; of a routh_optimum_goal. */
extern const rt_result_table rt_optimum_variable_table, rt_optimum_goal_table;

#endif
