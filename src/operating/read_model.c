/* Models are read below, where loops cannot be closed: with what closes them. */
#include "model/document.h"
#include "operating/loops.h"

routh_status routh_model_read(routh_model **model, const char *path, const routh_setting *settings,
                              size_t n_settings, routh_error *error)
{
    return rt_model_read(model, path, settings, n_settings, &rt_loops_closer, error);
}

routh_status routh_model_parse(routh_model **model, const char *text, size_t length,
                               const char *name, const routh_setting *settings, size_t n_settings,
                               routh_error *error)
{
    return rt_model_parse(model, text, length, name, settings, n_settings, &rt_loops_closer, error);
}

routh_status routh_model_build(routh_model **model, const routh_document *document,
                               const routh_setting *settings, size_t n_settings, routh_error *error)
{
    return rt_model_build(model, document, settings, n_settings, &rt_loops_closer, error);
}
