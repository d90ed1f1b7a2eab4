/* Structures that callers fill: lists that are there, functions that are there, numbers. */
#ifndef RT_ENTRY_GIVEN_H
#define RT_ENTRY_GIVEN_H

#include "entry/call.h"

/* NULL is allowed. */
void rt_call_factors(rt_call *call, const routh_factors *factors, const char *name);
void rt_call_state(rt_call *call, const routh_initial_state *state, const char *name);
/* One or two of them. */
void rt_call_axes(rt_call *call, const routh_sweep_axis *axes, int n);
/* n texts that outputs gave, and their labels where there are any. */
void rt_call_texts(rt_call *call, const routh_text *texts, long long n);
void rt_call_components(rt_call *call, const routh_component *more, int n);
#endif
