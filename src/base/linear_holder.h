/* A routh_linear with the arena that its parts live in: routh_linear_free frees both. */
#ifndef RT_BASE_LINEAR_HOLDER_H
#define RT_BASE_LINEAR_HOLDER_H

#include "base/arena.h"
#include "routh/linear.h"

/* To be had zeroed, by rt_kept_calloc. */
typedef struct rt_linear_holder {
    routh_linear linear; /* first: the public pointer is this one's address */
    rt_arena arena;
} rt_linear_holder;

#endif
