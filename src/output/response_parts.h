/* What the outputs of a frequency response share. */
#ifndef RT_OUTPUT_RESPONSE_PARTS_H
#define RT_OUTPUT_RESPONSE_PARTS_H

#include "output/results.h"

/* "output / input", in the text's memory. */
void rt_channel_name(rt_text *text, const routh_response *response, int channel);

/* Unit of |H|: "m/N", "m/m". */
void rt_channel_unit(rt_text *text, const routh_response *response, int channel);

/* Phases of a channel at every frequency, rad, without jumps of 2 pi; n of the response. */
void rt_channel_phase(const routh_response *response, int channel, double *phase);

#endif
