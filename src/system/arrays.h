/* The arrays of a workspace and a state by name (variation.h), for those who read them one by one.
 */
#ifndef RT_SYSTEM_ARRAYS_H
#define RT_SYSTEM_ARRAYS_H

#include "system/system.h"
#include "system/variation.h"

/* The numbers, of rt_scalar, and how many there are. */
const rt_scalar *rt_array_of(const routh_mechanism *mechanism, const rt_workspace *workspace,
                             const rt_state *state, rt_varied_array which, int *n);

#endif
