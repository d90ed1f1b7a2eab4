#include "base/state_holder.h"

#include <stdlib.h>

void routh_initial_state_free(routh_initial_state *state)
{
    if (!state) return;
    rt_state_holder *holder = (rt_state_holder *)(void *)state;
    rt_arena_free(&holder->arena);
    free(holder);
}
