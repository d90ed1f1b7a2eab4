#include "entry/call.h"
#include "entry/inner.h"

static void call_model_options(rt_call *call, const routh_model_options *o)
{
    if (!o) return;
    rt_call_settings(call, o->settings, o->n_settings, "options.settings", "options.n_settings");
    if (call->status) return;
    rt_call_list(call, o->functions, (long long)o->n_functions, "options.functions",
                 "options.n_functions");
}

routh_status routh_model_read_with(routh_model **model, const char *path,
                                   const routh_model_options *options, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(model);
    RT_GIVEN(path);
    RT_CHECK(call_model_options(&call, options));
    return RT_RUN(ri_model_read_with(model, path, options, error));
}

routh_status routh_model_parse_with(routh_model **model, const char *text, size_t length,
                                    const char *name, const routh_model_options *options,
                                    routh_error *error)
{
    RT_CALL(error);
    RT_MADE(model);
    RT_GIVEN(text);
    RT_CHECK(call_model_options(&call, options));
    return RT_RUN(ri_model_parse_with(model, text, length, name, options, error));
}

routh_status routh_model_build_with(routh_model **model, const routh_document *document,
                                    const routh_model_options *options, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(model);
    RT_GIVEN(document);
    RT_CHECK(call_model_options(&call, options));
    return RT_RUN(ri_model_build_with(model, document, options, error));
}
