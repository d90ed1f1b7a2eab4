/* The response to random inputs, of a response that is there already. */
#ifndef RT_ANSWERS_RESPONSE_RANDOM_H
#define RT_ANSWERS_RESPONSE_RANDOM_H

#include "answers/response_spectrum.h"

typedef struct rt_random_task {
    rt_transfer *transfer; /* what is integrated */
    const rt_modal *modal; /* for the shares of modes; NULL: none */
    const routh_modes *modes;
    const int *power; /* of s, by which inputs are divided */
    const routh_spectrum *spectrum;
    const int *place; /* of its names among the inputs */
    double *room;     /* set by the call */
} rt_random_task;

routh_status rt_random_compute(rt_random_task *task, routh_response *response, rt_arena *arena,
                               rt_arena *scratch, routh_error *error);

#endif
