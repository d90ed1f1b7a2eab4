/* Which operating point a state is, of which mechanism: the same numbers of the same mechanism are
 * the same point, however it was found. */
#include "system/system.h"

uint64_t rt_state_identity(const rt_state *state)
{
    const uint64_t identity = rt_identity_of_doubles(state->of, &state->t, 1);
    return rt_identity_of_doubles(identity, state->q, state->n);
}
