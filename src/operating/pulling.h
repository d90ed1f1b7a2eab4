/* Tyres that pull on the road at an operating point. */
#ifndef RT_OPERATING_PULLING_H
#define RT_OPERATING_PULLING_H

#include <stdbool.h>

#include "operating/operating.h"

/* A sentence about the tyres of a point that was searched for, with its reactions; false: none of
 * them pulls. The frames of the workspace are those of the point. */
bool rt_pulling_words(const rt_search *s, const routh_operating_point *point, char *text,
                      size_t size);

#endif
