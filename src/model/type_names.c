/* The types of joints and loads by the names that model files use. */
#include "model/fields.h"

static const char *name_in(const rt_section *section, int type)
{
    for (int k = 0; k < section->n_kinds; k++)
        if (section->kinds[k].type == type) return section->kinds[k].name;
    return "unknown";
}

const char *rt_joint_type_name(rt_joint_type type)
{
    return name_in(&rt_joint_section, (int)type);
}

const char *rt_load_type_name(rt_load_type type)
{
    return name_in(&rt_load_section, (int)type);
}
