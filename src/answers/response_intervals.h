/* First intervals of the integral over the spectra of random inputs. */
#ifndef RT_ANSWERS_RESPONSE_INTERVALS_H
#define RT_ANSWERS_RESPONSE_INTERVALS_H

#include "answers/response_random.h"

/* Increasing frequencies between which spectrum and response are smooth, as far as is known; none
 * where the spectrum is zero all over the response's range. */
typedef struct rt_intervals {
    double *hz;
    int n, room;
} rt_intervals;

/* work: rt_spectrum_work doubles */
routh_status rt_intervals_find(const rt_random_task *task, const routh_response *response,
                               double *work, rt_arena *scratch, rt_intervals *intervals,
                               routh_error *error);
void rt_intervals_free(rt_intervals *intervals);

#endif
