/* Values that a rewritten model file takes, in units. */
#ifndef RT_MODEL_REWRITE_UNITS_H
#define RT_MODEL_REWRITE_UNITS_H

#include "model/yaml.h"
#include "routh/model.h"

/* Fails where the value of a part's parameter is in the units of the part's file, as all but a
 * number with its unit may be, and the model file at path, in which it is to be written under the
 * part's `set`, is in others. part: its entry, NULL: none; name: of its file. */
routh_status rt_check_written_units(const char *path, const rt_yaml *root, const rt_yaml *part,
                                    const rt_yaml *name, const routh_setting *setting,
                                    routh_error *error);

/* A number without a unit that comes in the place of a number with one is written in that unit, so
 * that what it is of stays known. old: the text; *value: any, which stays where it is none. */
routh_status rt_write_in_unit(const rt_yaml *root, const char *old, const char **value,
                              rt_arena *arena, routh_error *error);

#endif
