/* Which variants hold in a model file that is rewritten, by what it says and by settings. */
#ifndef RT_MODEL_REWRITE_VARIANTS_H
#define RT_MODEL_REWRITE_VARIANTS_H

#include "model/yaml.h"
#include "routh/model.h"

typedef struct rt_choices {
    const rt_yaml *root;
    const routh_setting *settings;
    size_t n_settings;
} rt_choices;

/* The file's own variant; that of a part by its entry; NULL: none. */
const rt_yaml *rt_variant_of_file(const rt_choices *c);
const rt_yaml *rt_variant_of_part(const rt_choices *c, const rt_yaml *part);

/* The field of a part's entry, or of its variant where that has it; NULL: neither. */
const rt_yaml *rt_field_of_part(const rt_choices *c, const rt_yaml *part, const char *field);

/* The setting chooses a variant; then where that is written, or why it cannot be. */
bool rt_is_choice(const rt_choices *c, const routh_setting *setting);
routh_status rt_find_written_choice(const rt_choices *c, const char *path,
                                    const routh_setting *setting, const rt_yaml **node,
                                    routh_error *error);

#endif
