#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_reduction_compute(routh_reduction **reduced,
                                     const routh_reduction_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_reduction_options room;
    RT_MADE(reduced);
    options = call.status ? NULL : rt_call_reduction_options(&call, &room, options);
    return RT_RUN(ri_reduction_compute(reduced, options, error));
}

routh_status routh_reduction_json(const routh_reduction *reduced, routh_text *text,
                                  routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(reduced);
    RT_TEXT(text);
    return RT_RUN(ri_reduction_json(reduced, text, error));
}

routh_status routh_reduction_table(const routh_reduction *reduced, routh_text *text,
                                   routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(reduced);
    RT_TEXT(text);
    return RT_RUN(ri_reduction_table(reduced, text, error));
}
