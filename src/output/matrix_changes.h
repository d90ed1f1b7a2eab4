/* Derivatives of the linear model's matrices by parameters: what is written of them. */
#ifndef RT_OUTPUT_MATRIX_CHANGES_H
#define RT_OUTPUT_MATRIX_CHANGES_H

#include "output/descriptor.h"

/* As a member of the open object, where the results have them. */
void rt_matrix_changes_json(rt_json *json, const char *key, const routh_results *results);

extern const rt_result_table rt_matrix_changes_list;

/* The linear model with its matrices replaced by their derivatives; all else is of `linear`. */
routh_linear rt_matrix_change_as_linear(const routh_linear *linear,
                                        const routh_matrix_change *change);

#endif
