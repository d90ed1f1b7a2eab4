#include "entry/inner.h"
#include "entry/options.h"

/* Stopped by the caller: with the best so far. */
static routh_status entry_optimum(routh_status status, const routh_optimum *optimum,
                                  routh_error *error)
{
    const bool stopped = !status && optimum->end == ROUTH_OPTIMISE_INTERRUPTED;
    return stopped ? rt_call_stopped(error) : status;
}

routh_status routh_optimum_find(routh_optimum **optimum, const char *path, const char *study,
                                const routh_optimum_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_optimum_options room;
    RT_MADE(optimum);
    RT_GIVEN(path);
    RT_GIVEN(study);
    options = call.status ? NULL : rt_call_optimum_options(&call, &room, options);
    const routh_status status = RT_RUN(ri_optimum_find(optimum, path, study, options, error));
    return entry_optimum(status, status ? NULL : *optimum, error);
}

routh_status routh_optimum_find_of_model(routh_optimum **optimum, const routh_model *model,
                                         const char *study, const char *text,
                                         const routh_optimum_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_optimum_options room;
    RT_MADE(optimum);
    RT_GIVEN(model);
    RT_GIVEN(study);
    options = call.status ? NULL : rt_call_optimum_options(&call, &room, options);
    const routh_status status =
        RT_RUN(ri_optimum_find_of_model(optimum, model, study, text, options, error));
    return entry_optimum(status, status ? NULL : *optimum, error);
}
