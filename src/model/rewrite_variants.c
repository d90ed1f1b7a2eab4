/* Variants in a model file that is rewritten (part_variants.c): no other file is looked at. */
#include "model/rewrite_variants.h"

#include <stdio.h>
#include <string.h>

static const rt_yaml *inside(const rt_yaml *node, const char *name)
{
    return node && node->kind == RT_YAML_MAPPING ? rt_yaml_find(node, name) : NULL;
}

static const char *word_of(const rt_yaml *node)
{
    return node && node->kind == RT_YAML_SCALAR ? node->text : NULL;
}

/* The value of the last setting of this name; NULL: there is none. */
static const char *value_set(const rt_choices *c, const char *name)
{
    const char *value = NULL;
    for (size_t k = 0; k < c->n_settings; k++)
        if (c->settings[k].name && !strcmp(c->settings[k].name, name)) value = c->settings[k].value;
    return value;
}

const rt_yaml *rt_variant_of_file(const rt_choices *c)
{
    const rt_yaml *variants = inside(c->root, "variants");
    const char *name = value_set(c, "variant");
    if (!name) name = word_of(inside(c->root, "variant"));
    return name ? inside(variants, name) : NULL;
}

/* What the file's variant says of the part. */
static const rt_yaml *said_by_file(const rt_choices *c, const char *part)
{
    return inside(inside(rt_variant_of_file(c), "parts"), part);
}

const rt_yaml *rt_variant_of_part(const rt_choices *c, const rt_yaml *part)
{
    const rt_yaml *variants = inside(part, "variants");
    const char *name = variants ? value_set(c, part->key) : NULL;
    if (!name && variants) name = word_of(said_by_file(c, part->key));
    if (!name) name = word_of(inside(part, "variant"));
    return name ? inside(variants, name) : NULL;
}

const rt_yaml *rt_field_of_part(const rt_choices *c, const rt_yaml *part, const char *field)
{
    const rt_yaml *own = inside(rt_variant_of_part(c, part), field);
    return own ? own : inside(part, field);
}

/* The entry of a part with this name, or that such a name begins with. */
static const rt_yaml *part_at_start(const rt_choices *c, const char *name)
{
    const rt_yaml *parts = inside(c->root, "parts");
    const size_t n = strcspn(name, ".");
    const rt_yaml *e = parts && parts->kind == RT_YAML_MAPPING ? parts->first : NULL;
    while (e && (strlen(e->key) != n || strncmp(e->key, name, n))) e = e->next;
    return e;
}

static bool is_of_file(const rt_choices *c, const char *name)
{
    return !strcmp(name, "variant") && inside(c->root, "variants");
}

bool rt_is_choice(const rt_choices *c, const routh_setting *setting)
{
    const rt_yaml *part = part_at_start(c, setting->name);
    return is_of_file(c, setting->name) || (part && !strcmp(part->key, setting->name));
}

routh_status rt_find_written_choice(const rt_choices *c, const char *path,
                                    const routh_setting *setting, const rt_yaml **node,
                                    routh_error *error)
{
    const bool of_file = is_of_file(c, setting->name);
    const rt_yaml *part = of_file ? NULL : part_at_start(c, setting->name);
    const rt_yaml *said = part ? said_by_file(c, part->key) : NULL;
    char element[96];
    snprintf(element, sizeof element, "part %.80s", part ? part->key : "");
    if (said)
        return rt_fail_at(error, ROUTH_NOT_SUPPORTED, path, said->place, element,
                          "the variant '%.60s' of the file chooses that of the part, and so no "
                          "other is written; choose another variant of the file, or change it",
                          rt_variant_of_file(c)->key);
    *node = inside(part ? part : c->root, "variant");
    if (*node && (*node)->kind == RT_YAML_SCALAR) return ROUTH_OK;
    return rt_fail_at(error, ROUTH_MODEL_ERROR, path, part ? part->place : c->root->place,
                      part ? element : NULL,
                      "%s has no `variant` in whose place '%.60s' could be written; put one there",
                      part ? "the part" : "the file", setting->value);
}
