/* Allocations that fail. */
#ifndef TESTS_OOM_REFUSE_H
#define TESTS_OOM_REFUSE_H

#include <stdbool.h>
#include <stdlib.h>

#include "routh/routh.h"

void *__real_malloc(size_t size); /* never refused */

extern _Atomic long n_asked, n_refused; /* allocations since the last start */

/* Counts from 0 and refuses that one (0: none), alone or with all after it. */
void start(long refused, bool all_after);

/* Which one to refuse after the n-th: the next at full effort (support/effort.h), else all of the
 * first 100, where mistakes are likeliest, and then ever fewer. */
long next_allocation(long n);

void catch_output(void);   /* stdout and stderr go to a file.. */
void assert_silence(void); /* .. and come back; fails where anything was written meanwhile */

/* One after the other until one fails; each gives a text or a failure. */
typedef routh_status (*writer)(const routh_results *, routh_text *, routh_error *);
routh_status write_each(const writer *writers, int n, const routh_results *results,
                        routh_error *error);

#endif
