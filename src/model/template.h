/* Templates: ready models, as data. Each is a file of src/model/templates that the build puts into
 * the library: the text of a model, readable and changeable by a newcomer, with directives in lines
 * that begin with %; templates/README.md has the language. */
#ifndef RT_MODEL_TEMPLATE_H
#define RT_MODEL_TEMPLATE_H

#include <stdbool.h>

#include "base/text.h"
#include "routh/model.h"

/* What the build made of the folder src/model/templates, in the order of its list
 * (cmake/Templates.cmake); a source without a name ends it. */
typedef struct rt_template_source {
    const char *name;
    const char *about; /* one sentence */
    const char *text;
} rt_template_source;

extern const rt_template_source rt_template_sources[];
extern const size_t rt_template_count;

/* The model's text that the template writes with these settings. A template that is not well formed
 * is refused with its line, as of the file <name>.template. */
routh_status rt_template_make(const rt_template_source *source, const routh_setting *settings,
                              size_t n_settings, rt_text *out, routh_error *error);

#endif
