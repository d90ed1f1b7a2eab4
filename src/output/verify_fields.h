/* The tables of what routh verify found, for JSON, CSV and terminal. */
#ifndef RT_OUTPUT_VERIFY_FIELDS_H
#define RT_OUTPUT_VERIFY_FIELDS_H

#include "output/descriptor.h"

/* Rows: of a routh_verified_mode; of a routh_unexplained. The former's terminal table needs
 * results->modes. */
extern const rt_result_table rt_verified_mode_table, rt_unexplained_table;

#endif
