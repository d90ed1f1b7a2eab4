#include "entry/call.h"
#include "entry/inner.h"

routh_status routh_document_create(routh_document **document, const char *name, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(document);
    return RT_RUN(ri_document_create(document, name, error));
}

routh_status routh_document_write(const routh_document *document, routh_text *text,
                                  routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(document);
    RT_TEXT(text);
    return RT_RUN(ri_document_write(document, text, error));
}

routh_status routh_document_parse(routh_document **document, const char *text, size_t length,
                                  const char *name, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(document);
    RT_GIVEN(text);
    return RT_RUN(ri_document_parse(document, text, length, name, error));
}

routh_status routh_document_parts_find(routh_document_parts **parts, const routh_document *document,
                                       routh_error *error)
{
    RT_CALL(error);
    RT_MADE(parts);
    RT_GIVEN(document);
    return RT_RUN(ri_document_parts_find(parts, document, error));
}

routh_status routh_model_build(routh_model **model, const routh_document *document,
                               const routh_setting *settings, size_t n_settings, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(model);
    RT_GIVEN(document);
    RT_SETTINGS(settings, n_settings);
    return RT_RUN(ri_model_build(model, document, settings, n_settings, error));
}
