/* What the integrators by SUNDIALS share: a context, vectors whose norm is the largest component,
 * and the words of SUNDIALS's errors. */
#ifndef RT_MOTION_SUNDIALS_COMMON_H
#define RT_MOTION_SUNDIALS_COMMON_H

#include "motion/motion.h"

#ifdef ROUTH_HAS_SUNDIALS

enum { RT_HAS_SUNDIALS = 1 };

#include <sundials/sundials_context.h>
#include <sundials/sundials_nvector.h>

/* Of all numbers of y the largest |y_k| weight_k is what is measured, so that a tolerance means the
 * same for one body and for a thousand. NULL: out of memory. */
N_Vector rt_sundials_vector(int n, SUNContext context);

/* What was said last: an error handler for CVODE, ARKODE and IDA, its data an rt_words. */
typedef struct rt_words {
    char text[256];
} rt_words;

void rt_sundials_handler(int code, const char *module, const char *function, char *message,
                         void *words);

#else
enum { RT_HAS_SUNDIALS = 0 };
#endif

/* NOT_SUPPORTED: the integrators by SUNDIALS where there is none. */
routh_status rt_sundials_missing(rt_run *run, routh_error *error);

/* The step failed: says so, with the body that is accelerated most, at run->now. */
routh_status rt_sundials_stuck(const rt_run *run, const char *words, routh_error *error);

#endif
