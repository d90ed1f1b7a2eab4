/* Columns that are kept apart: those that others span, as the vectors of a defective eigenvalue. */
#ifndef RT_BASE_DD_APART_H
#define RT_BASE_DD_APART_H

#include "base/arena.h"
#include "base/double_double.h"
#include "base/error.h"

/* V (n x n, column-major): where less than the part `least` of a column is outside what the others
 * span, that part of the column's norm is added to it in a direction that none of them has. Others
 * stay as they are, to the bit. */
routh_status rt_dd_keep_apart(int n, rt_dd *V, double least, rt_arena *arena, routh_error *error);

#endif
