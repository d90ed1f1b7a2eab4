/* Saved linear models stand by themselves: y' = A y + B in, out = C y + D in, where the model has
 * terms by the rates of its inputs too (docs/theory/realization.md). */
#ifndef RT_OUTPUT_EXCHANGE_RATES_H
#define RT_OUTPUT_EXCHANGE_RATES_H

#include "output/exchange_record.h"
#include "routh/exchange.h"

/* Does any rate of an input act on a state or an output? */
bool rt_rates_act(const routh_linear *linear);

/* Adds "rates.note", which says what A, B, C, D are; where rates act. */
routh_status rt_rates_note(rt_record *record, const routh_linear *linear, routh_error *error);

/* Changes B, D and the names of the states in the record to those of z = y - B2 in' - (B1 + A B2)
 * in; takes D away where that leaves rates of inputs in an output. */
routh_status rt_rates_realize(rt_record *record, const routh_linear *linear, routh_error *error);

/* Makes inputs of their own of those rates that act, named in' and in''. */
routh_status rt_rates_add_inputs(rt_record *record, const routh_linear *linear, routh_error *error);

#endif
