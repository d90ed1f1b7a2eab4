/* Is a file of MATLAB's version 5 in order, piece by piece? */
#ifndef RT_OUTPUT_EXCHANGE_MAT_CHECK_H
#define RT_OUTPUT_EXCHANGE_MAT_CHECK_H

#include "base/file.h"

/* The first bytes of such files. */
extern const char rt_mat_magic[];

/* SYNTAX_ERROR unless all of it is matrices of numbers, texts and cells of texts, not compressed,
 * each as long as its entries need. matio trusts the lengths that it finds. */
routh_status rt_mat_check(const rt_file *file, routh_error *error);

#endif
