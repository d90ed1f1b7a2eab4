/* A part as it is written. */
#ifndef RT_MODEL_PARTS_H
#define RT_MODEL_PARTS_H

#include "model/fields.h"

typedef struct rt_written_part {
    rt_word file, index;
    rt_number at[3], orientation[9], step[3], axis[3], about[3], angle;
    int mirror, count;
    const rt_yaml *set, *connect, *first, *inputs;
} rt_written_part;

#endif
