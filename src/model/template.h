/* Templates: ready models, written as text that a newcomer can read and change. */
#ifndef RT_MODEL_TEMPLATE_H
#define RT_MODEL_TEMPLATE_H

#include <stdbool.h>

#include "base/text.h"

/* A setting `name=value`. Whole numbers and words shape the model; other numbers become parameters
 * of the written file. */
typedef struct rt_template_setting {
    const char *name;
    const char *fallback;
    bool whole;
    double least, most;
    const char *about;
    const char *const *words; /* the values it may have, NULL-terminated; NULL: numbers */
} rt_template_setting;

enum { RT_TEMPLATE_SETTINGS = 5 };

/* A value as the user gave it: the number, or the word's place among those of the setting; and the
 * text to write into the file. */
typedef struct rt_template_value {
    double number;
    const char *text;
} rt_template_value;

typedef struct rt_template {
    const char *name;
    const char *about;
    rt_template_setting settings[RT_TEMPLATE_SETTINGS]; /* until name is NULL */
    void (*write)(rt_text *text, const rt_template_value *values);
} rt_template;

void rt_write_rotor_stator(rt_text *text, const rt_template_value *values);
void rt_write_four_bar(rt_text *text, const rt_template_value *values);
void rt_write_slider_pendulum(rt_text *text, const rt_template_value *values);
void rt_write_rotating_pendulum(rt_text *text, const rt_template_value *values);
void rt_write_spatial_four_bar(rt_text *text, const rt_template_value *values);
void rt_write_pendulum_chain(rt_text *text, const rt_template_value *values);
void rt_write_humanoid(rt_text *text, const rt_template_value *values);
void rt_write_flexible_double_pendulum(rt_text *text, const rt_template_value *values);
void rt_write_blade_segments(rt_text *text, const rt_template_value *values);
void rt_write_mcpherson(rt_text *text, const rt_template_value *values);

/* `  name: value` of the section `parameters`, quoted where YAML needs it, with a comment. */
void rt_template_parameter(rt_text *text, const char *name, const rt_template_value *value,
                           const char *comment);

#endif
