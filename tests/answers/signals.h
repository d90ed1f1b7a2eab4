/* Responses with known modes, and random numbers. */
#ifndef TEST_IDENTIFY_SIGNALS_H
#define TEST_IDENTIFY_SIGNALS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "answers/identify.h"

typedef struct truth {
    double re, im;
    double size; /* of all amplitudes, which are random below it; 0: 1 */
} truth;

/* Uniform in (-1, 1); standard normal. */
double random_sample(uint64_t *state);
double random_normal(uint64_t *state);

/* A record of the modes with random amplitudes, and noise of that standard deviation. The caller
 * frees y by release_record. */
rt_sampled_record make_record(const truth *modes, int n_modes, int n_runs, int n_channels,
                              int n_samples, double step, double noise, uint64_t seed);
void release_record(rt_sampled_record *record);

/* The identified mode nearest to the truth. */
const rt_found_mode *nearest(const rt_identified *found, const truth *mode);

rt_identified identify(const rt_sampled_record *record, rt_arena *arena);

#endif
