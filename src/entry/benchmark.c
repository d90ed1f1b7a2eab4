#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_benchmark_run(routh_benchmark **benchmark,
                                 const routh_benchmark_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_benchmark_options room;
    RT_MADE(benchmark);
    options = call.status ? NULL : rt_call_benchmark_options(&call, &room, options);
    return RT_RUN(ri_benchmark_run(benchmark, options, error));
}

routh_status routh_benchmark_model(const char *name, routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(name);
    RT_TEXT(text);
    return RT_RUN(ri_benchmark_model(name, text, error));
}
