/* Modes at a finite amplitude in the data of the report's page. */
#ifndef RT_OUTPUT_REPORT_PATHS_H
#define RT_OUTPUT_REPORT_PATHS_H

#include "output/report_modes.h"

/* "paths": {"largest", "markers", "list": [{"mode", "amplitude", "unit", "terms", "data"}],
 * "straight"}: the first paths that fit beside what is written already, and the modes that open
 * joints and have none. */
void rt_json_report_paths(rt_json *json, rt_report_modes *modes);

#endif
