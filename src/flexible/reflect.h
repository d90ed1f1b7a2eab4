/* The mirror image of a flexible body. */
#ifndef RT_FLEXIBLE_REFLECT_H
#define RT_FLEXIBLE_REFLECT_H

#include "base/error.h"
#include "flexible/flexible.h"

/* Of a reduced body, in a frame whose axes A become D A D, D diagonal of 1 and -1. What is along
 * an axis of a node or frame is along the axis of the same name in the image; amplitudes of modes
 * are what they were. Everything lies in the arena, or in that of the body. */
routh_status rt_flexible_reflect(const rt_flexible **image, const rt_flexible *body, const int D[3],
                                 rt_arena *arena, routh_error *error);

#endif
