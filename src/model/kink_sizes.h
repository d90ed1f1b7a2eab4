/* How large what jumps at kinks is: sizes of quantities follow from the numbers of the model, those
 * of expressions from them (rt_sizing). A jump of an element's functions or slopes counts against
 * its size, by weights that are numbers made (model.h: rt_kink_weight), so that they follow where
 * parameters change (retake.h). */
#ifndef RT_MODEL_KINK_SIZES_H
#define RT_MODEL_KINK_SIZES_H

#include "model/model.h"

typedef struct rt_kink_sizes rt_kink_sizes;

/* What they are found with, in the arena; the model must outlive it. */
routh_status rt_kink_sizes_take(rt_kink_sizes **sizes, const routh_model *model, rt_arena *arena,
                                routh_error *error);

/* The weights and the scales of kinks, of the numbers that the model has now. Allocates nothing. */
void rt_kink_sizes_run(rt_kink_sizes *sizes, routh_model *model);

#endif
