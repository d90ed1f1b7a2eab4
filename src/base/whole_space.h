/* All eigenpairs of a small symmetric pencil at once, in place of an iteration whose basis would
 * become the whole space. */
#ifndef RT_BASE_WHOLE_SPACE_H
#define RT_BASE_WHOLE_SPACE_H

#include "base/block_lanczos.h"

/* The pencil was factored: every theta of OP that is not zero, at most l->most, and its vector, as
 * Ritz pairs that have converged. Nothing is left beside them. (allocates) */
routh_status rt_lanczos_take_all(rt_lanczos *l, routh_error *error);

#endif
