/* The table of Floquet multipliers, for JSON, CSV and terminal. */
#ifndef RT_OUTPUT_FLOQUET_FIELDS_H
#define RT_OUTPUT_FLOQUET_FIELDS_H

#include "output/descriptor.h"

/* Rows: of a routh_floquet_mode. */
extern const rt_result_table rt_multiplier_table;

#endif
