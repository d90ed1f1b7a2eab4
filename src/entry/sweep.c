#include "entry/given.h"
#include "entry/inner.h"
#include "entry/options.h"

/* Stopped by the caller: with what is done. Of a distributed sweep only one process has it. */
static routh_status entry_sweep(routh_status status, const routh_sweep *sweep, routh_error *error)
{
    return !status && sweep && sweep->interrupted ? rt_call_stopped(error) : status;
}

routh_status routh_sweep_axis_parse(routh_sweep_axis *axis, const char *text,
                                    const routh_model *model, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(axis);
    RT_GIVEN(text);
    return RT_RUN(ri_sweep_axis_parse(axis, text, model, error));
}

routh_status routh_sweep_run(routh_sweep **sweep, const char *path, const routh_sweep_axis *axes,
                             int n_axes, const routh_sweep_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_sweep_options room;
    RT_MADE(sweep);
    RT_GIVEN(path);
    RT_CHECK(rt_call_axes(&call, axes, n_axes));
    options = call.status ? NULL : rt_call_sweep_options(&call, &room, options);
    const routh_status status = RT_RUN(ri_sweep_run(sweep, path, axes, n_axes, options, error));
    return entry_sweep(status, status ? NULL : *sweep, error);
}

routh_status routh_sweep_run_of_model(routh_sweep **sweep, const routh_model *model,
                                      const routh_sweep_axis *axes, int n_axes,
                                      const routh_sweep_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_sweep_options room;
    RT_MADE(sweep);
    RT_GIVEN(model);
    RT_CHECK(rt_call_axes(&call, axes, n_axes));
    options = call.status ? NULL : rt_call_sweep_options(&call, &room, options);
    const routh_status status =
        RT_RUN(ri_sweep_run_of_model(sweep, model, axes, n_axes, options, error));
    return entry_sweep(status, status ? NULL : *sweep, error);
}
