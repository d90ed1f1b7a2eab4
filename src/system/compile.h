/* Pieces of the compilation of a mechanism. */
#ifndef RT_SYSTEM_COMPILE_H
#define RT_SYSTEM_COMPILE_H

#include <stdio.h>

#include "system/load.h"

/* Patterns of K, M and G, and every block's positions in them. */
routh_status rt_make_patterns(routh_mechanism *mechanism, routh_error *error);

#endif
