/* A value for every parameter of every public function with which the call succeeds, and objects of
 * another mechanism of the same sizes. */
#ifndef TESTS_ENTRY_SAMPLES_H
#define TESTS_ENTRY_SAMPLES_H

#include "entry/calls.h"

/* Makes all objects; fails the test where one cannot be made. */
void samples_make(void);
void samples_free(void);

/* The value for a parameter that is neither an error nor a place for what is made or written; fails
 * the test where there is none: samples.c then needs one. */
call_value sample_of(const public_call *call, const call_parameter *parameter);

/* An object of that type of another mechanism; NULL: there is none. */
void *sample_foreign(const char *type);

#endif
