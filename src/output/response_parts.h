/* What the outputs of a frequency response share. */
#ifndef RT_OUTPUT_RESPONSE_PARTS_H
#define RT_OUTPUT_RESPONSE_PARTS_H

#include "output/descriptor.h"

/* Rows: of a routh_response_peak; of a routh_random_output, number `index` of the results'. */
extern const rt_result_table rt_peak_table, rt_random_output_table;

/* "output / input", in the text's memory. */
void rt_channel_name(rt_text *text, const routh_response *response, int channel);

/* Unit of |H|: "m/N", "m/m". */
void rt_channel_unit(rt_text *text, const routh_response *response, int channel);

/* The same of units of an output and an input; NULL where it does not fit. */
const char *rt_unit_of_ratio(const char *output, const char *input, char room[RT_UNIT_SIZE]);

/* Phases of a channel at every frequency, rad, without jumps of 2 pi; n of the response. */
void rt_channel_phase(const routh_response *response, int channel, double *phase);

#endif
