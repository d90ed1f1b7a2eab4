/* The classes of loads (of rt_scalar) by their types. */
#include "model/load_class.h"

#define LOAD_CLASS(NAME, name, reader) [RT_LOAD_##NAME] = &rt_load_class_##name,
static const rt_load_class *const classes[RT_LOAD_N_TYPES] = {RT_LOAD_LIST(LOAD_CLASS)};

const rt_load_class *rt_load_class_of(rt_load_type type)
{
    return classes[type];
}
