/* A routh_initial_state with the arena that its parts live in: routh_initial_state_free frees both.
 * */
#ifndef RT_BASE_STATE_HOLDER_H
#define RT_BASE_STATE_HOLDER_H

#include "base/arena.h"
#include "routh/state.h"

/* To be had zeroed, by calloc. */
typedef struct rt_state_holder {
    routh_initial_state state; /* first: the public pointer is this one's address */
    rt_arena arena;
} rt_state_holder;

#endif
