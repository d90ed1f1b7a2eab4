/* The data of the report's page (viewer/data.schema.json says what it holds). */
#ifndef RT_OUTPUT_REPORT_DATA_H
#define RT_OUTPUT_REPORT_DATA_H

#include "output/results.h"

/* Needs all parts of the results. */
routh_status rt_report_data(const routh_results *results, rt_json *json, routh_error *error);

#endif
