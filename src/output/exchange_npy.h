/* One array in NumPy's format .npy (NEP 1), in memory. */
#ifndef RT_OUTPUT_EXCHANGE_NPY_H
#define RT_OUTPUT_EXCHANGE_NPY_H

#include "base/file.h"
#include "output/exchange_record.h"

/* The bytes of a value; to be freed. */
routh_status rt_npy_write(const rt_value *value, rt_file *bytes, routh_error *error);

/* Adds the array to the record; SYNTAX_ERROR, NOT_SUPPORTED for kinds of numbers that are neither
 * whole nor real. */
routh_status rt_npy_read(rt_record *record, const char *name, const rt_file *bytes,
                         routh_error *error);

#endif
