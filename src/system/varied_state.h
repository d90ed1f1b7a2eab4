/* A state of a mechanism in absolute coordinates, as a variation takes it. */
#ifndef RT_SYSTEM_VARIED_STATE_H
#define RT_SYSTEM_VARIED_STATE_H

#include "system/system.h"
#include "system/variation.h"

/* Its numbers are those of the state, which must outlive it. */
static inline rt_varied_state rt_varied_state_of(const rt_state *s)
{
    return (rt_varied_state){.t = s->t,
                             .q = s->q,
                             .u = s->u,
                             .udot = s->udot,
                             .lambda = s->lambda,
                             .signal = s->signal,
                             .near = s->near};
}

#endif
