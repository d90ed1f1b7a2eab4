/* The tables of what routh sensitivity --response found, for JSON, CSV and terminal. */
#ifndef RT_OUTPUT_RESPONSE_SENSITIVITY_FIELDS_H
#define RT_OUTPUT_RESPONSE_SENSITIVITY_FIELDS_H

#include "output/response_parts.h"

/* Rows: a parameter, row->number, and what it does to the peak `of`, or at the place row->index,
 * k n_channels + c, of the whole; parent: the whole. */
extern const rt_result_table rt_peak_effect_table, rt_response_effect_table;

routh_status rt_response_sensitivity_check(const routh_results *results, routh_text *text,
                                           routh_error *error);

#endif
