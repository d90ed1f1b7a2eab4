/* The types of loads by the names that model files use. */
#include "model/fields.h"

static const char *name_in(const rt_section *section, int type)
{
    for (int k = 0; k < section->n_kinds; k++)
        if (rt_section_kind(section, k)->type == type) return rt_section_kind(section, k)->name;
    return "unknown";
}

const char *rt_load_type_name(rt_load_type type) { return name_in(&rt_load_section, (int)type); }
