/* The tables of a sweep, for JSON, CSV and terminal. */
#ifndef RT_OUTPUT_SWEEP_FIELDS_H
#define RT_OUTPUT_SWEEP_FIELDS_H

#include "output/descriptor.h"

/* Rows: of a routh_sweep_event, parent the line; of point `index` of a boundary, the parent. work:
 * the routh_sweep, from which the heads are. */
extern const rt_result_table rt_sweep_event_table, rt_boundary_point_table;

/* Of a parameter: rad/s where it is the sweep's speed, else NULL. */
const char *rt_sweep_unit(const routh_sweep *sweep, const char *parameter);

#endif
