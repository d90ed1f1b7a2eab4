/* A linear model as the bytes of a file of MATLAB's version 5. */
#ifndef RT_OUTPUT_EXCHANGE_MAT_WRITE_H
#define RT_OUTPUT_EXCHANGE_MAT_WRITE_H

#include "output/exchange_record.h"

/* Replaces the file at path by the record, whole or not at all. */
routh_status rt_mat_write(const rt_record *record, const char *path, routh_error *error);

#endif
