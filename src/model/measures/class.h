/* What the files of this folder write their classes with. */
#ifndef RT_MODEL_MEASURES_CLASS_H
#define RT_MODEL_MEASURES_CLASS_H

#include "model/measure_class.h"

enum { X, Y, Z };

/* A family is its array of measures. */
#define FAMILY(array)                                                                              \
    {                                                                                              \
        (array), (int)(sizeof(array) / sizeof((array)[0]))                                         \
    }

/* ---- arguments ------------------------------------------------------------------------------- */

#define TAKES(...)                                                                                 \
    .n_arguments = (int)(sizeof((rt_measure_argument_kind[]){__VA_ARGS__}) /                       \
                         sizeof(rt_measure_argument_kind)),                                        \
    .arguments = {__VA_ARGS__}
#define I RT_ARGUMENT_I
#define J RT_ARGUMENT_J
#define K RT_ARGUMENT_K
#define L RT_ARGUMENT_L
#define ELEMENT RT_ARGUMENT_ELEMENT
#define STATE RT_ARGUMENT_STATE

#endif
