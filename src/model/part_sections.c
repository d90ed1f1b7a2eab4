/* The sections of a part's file, and what is in them. */
#include "model/parts.h"

#include <string.h>

const char *const rt_part_sections[] = {"parameters", "bodies",      "beams",  "markers",
                                        "joints",     "loads",       "inputs", "outputs",
                                        "variables",  "controllers", "events", NULL};

const rt_yaml *rt_section_of(const rt_yaml *root, const char *name)
{
    const rt_yaml *section = root ? rt_yaml_find(root, name) : NULL;
    return section && section->kind == RT_YAML_MAPPING ? section : NULL;
}

const rt_yaml *rt_first_in(const rt_yaml *section) { return section ? section->first : NULL; }

bool rt_part_has(const rt_yaml *root, const char *name, size_t length)
{
    for (int k = 0; rt_part_sections[k]; k++)
        for (const rt_yaml *e = rt_first_in(rt_section_of(root, rt_part_sections[k])); e;
             e = e->next)
            if (!strncmp(e->key, name, length) && !e->key[length]) return true;
    for (const rt_yaml *e = rt_first_in(rt_section_of(root, "parts")); e; e = e->next)
        if (!strncmp(e->key, name, length) && !e->key[length]) return true;
    return false;
}

routh_status rt_read_mapping(rt_reader *r, const rt_yaml *node, const char *name,
                             const rt_yaml **out)
{
    char found[96];
    *out = rt_yaml_find(node, name);
    if (!*out || (*out)->kind == RT_YAML_MAPPING) return ROUTH_OK;
    return rt_reader_fail(r, (*out)->place, "%s must be a mapping, lines of `name: value`, not %s",
                          name, rt_yaml_describe(*out, found, sizeof found));
}
