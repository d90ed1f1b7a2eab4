/* The minimal method of whole systems with dense bases; of minimal.c alone. */
#ifndef RT_METHODS_WHOLE_DENSE_H
#define RT_METHODS_WHOLE_DENSE_H

#include "methods/null_space.h"
#include "methods/whole.h"

/* As rt_whole_minimal, with the tangents of both levels by the basis. */
routh_status rt_whole_minimal_dense(const rt_method_task *task, const rt_null_basis *basis,
                                    rt_arena *arena, rt_sensitivity *out, routh_error *error);

#endif
