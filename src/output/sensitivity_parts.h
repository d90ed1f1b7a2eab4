/* What the outputs of derivatives by parameters share. */
#ifndef RT_OUTPUT_SENSITIVITY_PARTS_H
#define RT_OUTPUT_SENSITIVITY_PARTS_H

#include "output/results.h"

/* "warnings" and "modes" of routh sensitivity --json, into an object that is open. order: room for
 * n_parameters + 1. */
void rt_json_sensitivities(rt_json *json, const routh_sensitivity *sensitivities, int *order);

#endif
