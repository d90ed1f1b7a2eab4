#include "entry/belongs.h"
#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_floquet_compute(routh_floquet **floquet, const routh_mechanism *mechanism,
                                   const routh_operating_point *point,
                                   const routh_floquet_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_floquet_options room;
    RT_MADE(floquet);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    options = call.status ? NULL : rt_call_floquet_options(&call, &room, options);
    return RT_RUN(ri_floquet_compute(floquet, mechanism, point, options, error));
}

routh_status routh_boundary_find(routh_boundary *boundary, const char *path,
                                 const routh_setting *settings, size_t n_settings,
                                 const routh_boundary_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_boundary_options room;
    RT_GIVEN(boundary);
    RT_GIVEN(path);
    RT_SETTINGS(settings, n_settings);
    options = call.status ? NULL : rt_call_boundary_options(&call, &room, options);
    return RT_RUN(ri_boundary_find(boundary, path, settings, n_settings, options, error));
}

routh_status routh_boundary_find_of_model(routh_boundary *boundary, const routh_model *model,
                                          const routh_boundary_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_boundary_options room;
    RT_GIVEN(boundary);
    RT_GIVEN(model);
    options = call.status ? NULL : rt_call_boundary_options(&call, &room, options);
    return RT_RUN(ri_boundary_find_of_model(boundary, model, options, error));
}
