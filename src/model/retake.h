/* Numbers of a model at other values of its parameters, put into the model that was read. Every
 * number that depends on parameters has the value of its expression, by one tape for all, when it
 * is read and here, so that what comes out is to the bit what reading again would give. Where the
 * reader used a value for more than that (model.h: rt_guard), it has to read again. */
#ifndef RT_MODEL_RETAKE_H
#define RT_MODEL_RETAKE_H

#include "model/model.h"

typedef struct rt_retake rt_retake;

/* Of these parameters (n, by index), whose values are plain numbers, set by the caller. The model
 * must outlive it, and no other thread may use the model any more. */
routh_status rt_retake_create(rt_retake **retake, routh_model *model, const int *parameters, int n,
                              routh_error *error);
void rt_retake_free(rt_retake *retake); /* NULL is allowed */

/* Does the reader have to read again where the value of parameter k of these is another one? */
bool rt_retake_shapes(const rt_retake *retake, int k);

/* All numbers with these values (n); the model is another one by its identity. False: reading again
 * may give an error, or another model; the numbers are then not to be used. Allocates nothing. */
bool rt_retake_run(rt_retake *retake, const double *values);

/* At the end of reading: the numbers of the model by their expressions. */
routh_status rt_settle_numbers(routh_model *model, routh_error *error);

#endif
