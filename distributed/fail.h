/* Errors of this folder. */
#ifndef ROUTH_DISTRIBUTED_FAIL_H
#define ROUTH_DISTRIBUTED_FAIL_H

#include "routh/routh.h"

/* error may be NULL; returns status. */
routh_status rt_cluster_fail(routh_error *error, routh_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
