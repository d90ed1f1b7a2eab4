#include "base/linear_holder.h"

void routh_linear_free(routh_linear *linear)
{
    if (!linear) return;
    rt_linear_holder *holder = (rt_linear_holder *)(void *)linear;
    rt_arena_free(&holder->arena);
    rt_kept_free(holder);
}
