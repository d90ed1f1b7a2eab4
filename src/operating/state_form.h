/* What the writer and the reader of states share. */
#ifndef RT_OPERATING_STATE_FORM_H
#define RT_OPERATING_STATE_FORM_H

#include <stdbool.h>

#include "routh/state.h"

#define RT_STATE_SCHEMA "routh-state/1"

static inline bool rt_state_has_quaternion(const routh_initial_body *body)
{
    const double *q = body->quaternion;
    return q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0;
}

#endif
