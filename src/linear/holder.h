/* A routh_linear with the arena its parts live in. */
#ifndef RT_LINEAR_HOLDER_H
#define RT_LINEAR_HOLDER_H

#include "linear/method.h"

typedef struct rt_linear_holder {
    routh_linear linear; /* first: the public pointer is this one's address */
    rt_arena arena;
} rt_linear_holder;

/* Formatted text in the arena; NULL when out of memory. */
char *rt_linear_text(rt_linear_holder *holder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a warning; OUT_OF_MEMORY when it cannot. */
routh_status rt_linear_warn(rt_linear_holder *holder, routh_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* linear->markers and linear->shares from the sensitivities. */
routh_status rt_linear_markers(rt_linear_holder *holder, const rt_search *search,
                               const rt_sensitivity *x, routh_error *error);
routh_status rt_linear_shares(rt_linear_holder *holder, rt_search *search, const rt_sensitivity *x,
                              routh_error *error);

#endif
