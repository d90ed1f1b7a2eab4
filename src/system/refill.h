/* A compiled mechanism with the numbers that its model has now: patterns, tapes and blocks stay. */
#ifndef RT_SYSTEM_REFILL_H
#define RT_SYSTEM_REFILL_H

#include "system/system.h"

typedef struct rt_refill rt_refill;

/* *refill NULL: what is compiled depends on numbers (natural coordinates, massless bodies), and the
 * mechanism has to be compiled again. It must outlive the refill. */
routh_status rt_refill_create(rt_refill **refill, routh_mechanism *mechanism, routh_error *error);
void rt_refill_free(rt_refill *refill); /* NULL is allowed */

/* After the model's numbers have changed, but none of what its structure follows from (retake.h).
 * *again: the mechanism has to be compiled again (bodies have become massless). Allocates
 * nothing. */
routh_status rt_refill_run(rt_refill *refill, bool *again, routh_error *error);

#endif
