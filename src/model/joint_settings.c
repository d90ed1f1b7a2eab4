/* Coordinates and rates of joints that the caller sets, as parameters are set: `crank.angle`. They
 * are fields of the joint's entry, written by the caller instead. */
#include "model/joint_class.h"
#include "model/reader.h"

#include <string.h>

static const char *const coordinate_fields[] = {"angle",
                                                "rate",
                                                "displacement",
                                                "velocity",
                                                "x",
                                                "y",
                                                "z",
                                                "vx",
                                                "vy",
                                                "vz",
                                                "angle_x",
                                                "angle_y",
                                                "rate_x",
                                                "rate_y",
                                                "orientation",
                                                "angular_velocity",
                                                NULL};

/* The length of the joint's name in that of a setting; 0: it is no coordinate's. */
static size_t length_of_joint(const char *setting)
{
    const char *dot = strrchr(setting, '.');
    for (int k = 0; dot && coordinate_fields[k]; k++)
        if (!strcmp(dot + 1, coordinate_fields[k])) return (size_t)(dot - setting);
    return 0;
}

static bool names_joint(const char *setting, const char *joint)
{
    const size_t length = length_of_joint(setting);
    return length && strlen(joint) == length && !strncmp(setting, joint, length);
}

bool rt_is_joint_setting(const rt_reader *r, const char *name)
{
    const rt_yaml *section = r->joint_section;
    if (!section || section->kind != RT_YAML_MAPPING || !length_of_joint(name)) return false;
    for (const rt_yaml *e = section->first; e; e = e->next)
        if (names_joint(name, e->key)) return true;
    return false;
}

bool rt_is_field_set(const rt_reader *r, const char *joint, const char *field)
{
    for (size_t k = 0; k < r->n_settings; k++) {
        const char *name = r->settings[k].name ? r->settings[k].name : "";
        if (names_joint(name, joint) && !strcmp(strrchr(name, '.') + 1, field) &&
            rt_names_find(&r->index->parameters, name) < 0)
            return true;
    }
    return false;
}

bool rt_is_joint_coordinate(const routh_model *model, const char *name)
{
    const size_t length = length_of_joint(name);
    for (int j = 0; j < model->n_joints && length; j++) {
        const rt_joint *joint = &model->joints[j];
        const rt_kind *kind = &joint->class->kind;
        if (!names_joint(name, joint->name)) continue;
        for (int f = 0; f < kind->n_fields; f++)
            if (!strcmp(kind->fields[f].name, name + length + 1))
                return kind->fields[f].type == RT_FIELD_NUMBER;
    }
    return false;
}

/* A value as a node without a place in a file. */
static routh_status parse_setting(rt_reader *r, const routh_setting *setting, const char *field,
                                  rt_yaml **out)
{
    const rt_yaml *root;
    routh_error problem = {0};
    const char *text = setting->value ? setting->value : "";
    rt_yaml *node = *out = RT_TAKE(&r->scratch, rt_yaml, 1);
    if (!node) return rt_fail_memory(r->error);
    if (rt_yaml_parse(&root, text, strlen(text), r->file, &r->scratch, &problem)) {
        if (problem.status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
        return rt_reader_fail(r, (rt_place){0},
                              "%s is set to '%.60s': it must be a number or an "
                              "expression, such as 30 deg",
                              field, text);
    }
    *node = *root;
    node->key = rt_arena_text(&r->scratch, field, strlen(field));
    node->place = node->key_place = (rt_place){0};
    return node->key ? ROUTH_OK : rt_fail_memory(r->error);
}

/* In place of the entry's field of that name, else behind the others. */
static routh_status put_in_entry(rt_reader *r, rt_yaml *entry, rt_yaml *field)
{
    rt_yaml **end = &entry->first;
    bool found = false;
    for (const rt_yaml *e = *end; e; e = e->next) {
        rt_yaml *copy = field;
        const bool same = !strcmp(e->key, field->key);
        found = found || same;
        if (!same) {
            copy = RT_TAKE(&r->scratch, rt_yaml, 1);
            if (!copy) return rt_fail_memory(r->error);
            *copy = *e;
        }
        *end = copy;
        end = &copy->next;
    }
    if (!found) {
        *end = field;
        end = &field->next;
        entry->count++;
    }
    *end = NULL;
    return ROUTH_OK;
}

routh_status rt_set_joint(rt_reader *r, const rt_yaml *entry, const rt_yaml **with)
{
    *with = entry;
    if (entry->kind != RT_YAML_MAPPING) return ROUTH_OK;
    for (size_t k = 0; k < r->n_settings; k++) {
        const char *name = r->settings[k].name ? r->settings[k].name : "";
        rt_yaml *field, *changed;
        if (!names_joint(name, entry->key) || rt_names_find(&r->index->parameters, name) >= 0)
            continue;
        routh_status status = parse_setting(r, &r->settings[k], strrchr(name, '.') + 1, &field);
        if (status) return status;
        changed = RT_TAKE(&r->scratch, rt_yaml, 1);
        if (!changed) return rt_fail_memory(r->error);
        *changed = **with;
        status = put_in_entry(r, changed, field);
        if (status) return status;
        *with = changed;
    }
    return ROUTH_OK;
}
