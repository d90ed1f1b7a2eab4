/* Eigenpairs of a symmetric pencil whose unknowns fall into parts that no entry joins, as machines
 * side by side: of each part alone, and put together. What parts have equal comes as often as there
 * are parts, whatever a block of vectors can tell apart. */
#ifndef RT_BASE_SYMMETRIC_SPLIT_H
#define RT_BASE_SYMMETRIC_SPLIT_H

#include "base/symmetric_modes.h"

/* So many copies of the last wanted one are given; if there are more, none beyond count. */
enum { RT_MOST_COPIES = 100 };

/* As rt_symmetric_modes_find. */
routh_status rt_symmetric_modes_by_parts(rt_symmetric_modes *modes,
                                         const rt_symmetric_pencil *pencil,
                                         const rt_symmetric_request *request, rt_arena *arena,
                                         routh_error *error);

#endif
