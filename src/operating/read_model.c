/* Models are read below, where loops cannot be closed: with what closes them. */
#include "model/document.h"
#include "operating/loops.h"

static routh_model_options only_settings(const routh_setting *settings, size_t n)
{
    return (routh_model_options){.settings = settings, .n_settings = n};
}

routh_status routh_model_read_with(routh_model **model, const char *path,
                                   const routh_model_options *options, routh_error *error)
{
    const routh_model_options defaults = {0};
    return rt_model_read(model, path, options ? options : &defaults, &rt_loops_closer, error);
}

routh_status routh_model_parse_with(routh_model **model, const char *text, size_t length,
                                    const char *name, const routh_model_options *options,
                                    routh_error *error)
{
    const routh_model_options defaults = {0};
    return rt_model_parse(model, text, length, name, options ? options : &defaults,
                          &rt_loops_closer, error);
}

routh_status routh_model_build_with(routh_model **model, const routh_document *document,
                                    const routh_model_options *options, routh_error *error)
{
    const routh_model_options defaults = {0};
    return rt_model_build(model, document, options ? options : &defaults, &rt_loops_closer, error);
}

routh_status routh_model_read(routh_model **model, const char *path, const routh_setting *settings,
                              size_t n_settings, routh_error *error)
{
    const routh_model_options options = only_settings(settings, n_settings);
    return routh_model_read_with(model, path, &options, error);
}

routh_status routh_model_parse(routh_model **model, const char *text, size_t length,
                               const char *name, const routh_setting *settings, size_t n_settings,
                               routh_error *error)
{
    const routh_model_options options = only_settings(settings, n_settings);
    return routh_model_parse_with(model, text, length, name, &options, error);
}

routh_status routh_model_build(routh_model **model, const routh_document *document,
                               const routh_setting *settings, size_t n_settings, routh_error *error)
{
    const routh_model_options options = only_settings(settings, n_settings);
    return routh_model_build_with(model, document, &options, error);
}
