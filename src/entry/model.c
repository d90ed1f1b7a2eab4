#include "entry/inner.h"
#include "entry/call.h"

routh_status routh_model_read(routh_model **model, const char *path, const routh_setting *settings,
                              size_t n_settings, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(model);
    RT_GIVEN(path);
    RT_SETTINGS(settings, n_settings);
    return RT_RUN(ri_model_read(model, path, settings, n_settings, error));
}

routh_status routh_model_parse(routh_model **model, const char *text, size_t length,
                               const char *name, const routh_setting *settings, size_t n_settings,
                               routh_error *error)
{
    RT_CALL(error);
    RT_MADE(model);
    RT_GIVEN(text);
    RT_SETTINGS(settings, n_settings);
    return RT_RUN(ri_model_parse(model, text, length, name, settings, n_settings, error));
}

const char *routh_model_title(const routh_model *model)
{
    return model ? ri_model_title(model) : "";
}

const char *routh_model_description(const routh_model *model)
{
    return model ? ri_model_description(model) : "";
}

double routh_model_time_unit(const routh_model *model)
{
    return model ? ri_model_time_unit(model) : 1;
}

routh_status routh_model_evaluate(const routh_model *model, const char *expression, double *value,
                                  routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(model);
    RT_GIVEN(expression);
    RT_GIVEN(value);
    return RT_RUN(ri_model_evaluate(model, expression, value, error));
}

routh_status routh_model_evaluate_si(const routh_model *model, const char *expression,
                                     const char *unit, double *value, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(model);
    RT_GIVEN(expression);
    RT_GIVEN(unit);
    RT_GIVEN(value);
    return RT_RUN(ri_model_evaluate_si(model, expression, unit, value, error));
}

routh_status routh_model_evaluate_for(const routh_model *model, const char *parameter,
                                      const char *expression, double *value, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(model);
    RT_GIVEN(parameter);
    RT_GIVEN(expression);
    RT_GIVEN(value);
    return RT_RUN(ri_model_evaluate_for(model, parameter, expression, value, error));
}

routh_status routh_model_rewrite(const char *path, const char *to, const routh_setting *settings,
                                 size_t n_settings, routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(path);
    RT_SETTINGS(settings, n_settings);
    RT_TEXT(text);
    return RT_RUN(ri_model_rewrite(path, to, settings, n_settings, text, error));
}

routh_status routh_model_move(const char *content, size_t length, const char *path, const char *to,
                              routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(content);
    RT_GIVEN(path);
    RT_GIVEN(to);
    RT_TEXT(text);
    return RT_RUN(ri_model_move(content, length, path, to, text, error));
}

routh_status routh_model_format(const char *content, size_t length, const char *name, int width,
                                routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(content);
    RT_TEXT(text);
    RT_LEAST(width, 0);
    return RT_RUN(ri_model_format(content, length, name, width, text, error));
}

routh_status routh_template_write(const char *name, const routh_setting *settings,
                                  size_t n_settings, routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(name);
    RT_SETTINGS(settings, n_settings);
    RT_TEXT(text);
    return RT_RUN(ri_template_write(name, settings, n_settings, text, error));
}

routh_status routh_model_schema(routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_TEXT(text);
    return RT_RUN(ri_model_schema(text, error));
}

routh_status routh_model_reference(routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_TEXT(text);
    return RT_RUN(ri_model_reference(text, error));
}
