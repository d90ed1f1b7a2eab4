/* The units that tables show numbers in: what routh_units_read has read. */
#ifndef RT_OUTPUT_SHOWN_UNITS_H
#define RT_OUTPUT_SHOWN_UNITS_H

#include <stdbool.h>

#include "base/text.h"
#include "routh/output.h"

enum { RT_UNIT_SIZE = 96 };

/* What a number in `unit` is multiplied by where this text shows it, and in *shown the unit that it
 * then has, in `room` where it is another one. 1 and the unit itself where the text is in SI, where
 * `unit` is NULL or no unit, or where none that is asked for stands in for it. circular: of the
 * imaginary part of an eigenvalue, whose rad/s is no rotation. */
double rt_unit_shown(rt_text *text, const char *unit, bool circular, const char **shown,
                     char room[RT_UNIT_SIZE]);

/* "12.5 Hz", or in the unit that is asked for. */
const char *rt_frequency_shown(rt_text *text, double hz, int digits, char words[RT_UNIT_SIZE]);

/* Says which of the units that are asked for no number has. */
void rt_units_say_unused(rt_text *text);

#endif
