/* Flexible bodies in the data of the report's page: what is drawn of them, how it moves in the
 * modes and where strain energy sits. Large bodies are thinned out. */
#ifndef RT_OUTPUT_REPORT_FLEXIBLE_H
#define RT_OUTPUT_REPORT_FLEXIBLE_H

#include "output/results.h"

typedef struct rt_drawing rt_drawing;

/* Free by rt_drawing_free, which allows NULL. */
routh_status rt_drawing_create(rt_drawing **drawing, const routh_linear *linear,
                               routh_error *error);
void rt_drawing_free(rt_drawing *drawing);

/* "flexible": [{"body", "radius", "nodes", "undeformed", "axes", "lines", "triangles"}] */
void rt_json_flexible(rt_json *json, const rt_drawing *drawing);

/* How many of the first n modes in `order` may carry the motion of nodes; at least one. */
int rt_drawing_modes(rt_drawing *drawing, const routh_modes *modes, const int *order, int n);

/* "flexible": [{"unit", "re", "im", "strain"}] of one mode */
void rt_json_flexible_mode(rt_json *json, rt_drawing *drawing, const routh_mode *mode);

#endif
