#include "entry/given.h"
#include "entry/inner.h"

int routh_build_component(int k, routh_component *component)
{
    return component ? ri_build_component(k, component) : 0;
}

routh_status routh_build_table(const routh_component *more, int n_more, routh_text *text,
                               routh_error *error)
{
    RT_CALL(error);
    RT_TEXT(text);
    RT_CHECK(rt_call_components(&call, more, n_more));
    return RT_RUN(ri_build_table(more, n_more, text, error));
}

routh_status routh_build_json(const routh_component *more, int n_more, routh_text *text,
                              routh_error *error)
{
    RT_CALL(error);
    RT_TEXT(text);
    RT_CHECK(rt_call_components(&call, more, n_more));
    return RT_RUN(ri_build_json(more, n_more, text, error));
}
