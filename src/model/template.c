#include "model/template.h"

#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "model/template_program.h"

const char *routh_template_name(size_t index)
{
    return index < rt_template_count ? rt_template_sources[index].name : NULL;
}

const char *routh_template_about(size_t index)
{
    return index < rt_template_count ? rt_template_sources[index].about : NULL;
}

static const rt_template_source *find_template(const char *name)
{
    for (const rt_template_source *s = rt_template_sources; s->name; s++)
        if (!strcmp(s->name, name)) return s;
    return NULL;
}

static const char *template_name_at(int k) { return rt_template_sources[k].name; }

static routh_status fail_unknown_template(const char *name, routh_error *error)
{
    rt_arena arena = {0};
    char all[600];
    const char **names = RT_TAKE(&arena, const char *, rt_template_count + 1);
    for (size_t k = 0; names && k < rt_template_count; k++) names[k] = rt_template_sources[k].name;
    const char *near = rt_suggest(name, names);
    rt_list_names(all, sizeof all, template_name_at);
    const routh_status status =
        names ? rt_fail(error, ROUTH_BAD_ARGUMENT,
                        "template '%.60s' is not defined%s%s%s The templates are %s.", name,
                        near ? "; did you mean '" : ".", near ? near : "", near ? "'?" : "", all)
              : rt_fail_memory(error);
    rt_arena_free(&arena);
    return status;
}

routh_status rt_template_make(const rt_template_source *source, const routh_setting *settings,
                              size_t n_settings, rt_text *out, routh_error *error)
{
    rt_template_program program = {0};
    routh_status status = rt_template_compile(&program, source, error);
    rt_template_value *values = RT_TAKE(&program.arena, rt_template_value, program.n_settings);
    if (!status && !values) status = rt_fail_memory(error);
    if (!status) status = rt_template_settings(&program, settings, n_settings, values, error);
    if (!status) status = rt_template_run(&program, values, out, error);
    rt_template_free(&program);
    return status;
}

routh_status routh_template_write(const char *name, const routh_setting *settings,
                                  size_t n_settings, routh_text *text, routh_error *error)
{
    rt_text out = {0};
    if (!text || !name || (!settings && n_settings))
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "name, text or settings is NULL");
    *text = (routh_text){0};
    const rt_template_source *source = find_template(name);
    if (!source) return fail_unknown_template(name, error);
    const routh_status status = rt_template_make(source, settings, n_settings, &out, error);
    if (status) {
        rt_text_free(&out);
        return status;
    }
    text->length = out.length;
    text->bytes = rt_text_take(&out);
    return text->bytes ? ROUTH_OK : rt_fail_memory(error);
}
