#include "entry/given.h"
#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_parametric_create(routh_parametric **parametric, const routh_model *model,
                                     const char *const *parameters, const char *coordinates,
                                     const routh_operating_point_options *point_options,
                                     const routh_linear_options *linear_options, routh_error *error)
{
    RT_CALL(error);
    routh_operating_point_options point_room;
    routh_linear_options linear_room;
    RT_MADE(parametric);
    RT_GIVEN(model);
    RT_GIVEN(parameters);
    point_options =
        call.status ? NULL : rt_call_operating_options(&call, &point_room, point_options);
    linear_options =
        call.status ? NULL : rt_call_linear_options(&call, &linear_room, linear_options);
    return RT_RUN(ri_parametric_create(parametric, model, parameters, coordinates, point_options,
                                       linear_options, error));
}

routh_status routh_parametric_set(routh_parametric *parametric, int index, double value,
                                  routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(parametric);
    RT_CHECK(rt_call_index(&call, index, routh_parametric_count(parametric), "index"));
    RT_CHECK(rt_call_finite(&call, value, "value"));
    return RT_RUN(ri_parametric_set(parametric, index, value, error));
}

routh_status routh_parametric_model(routh_parametric *parametric, const routh_model **model,
                                    routh_error *error)
{
    RT_CALL(error);
    RT_MADE(model);
    RT_GIVEN(parametric);
    return RT_RUN(ri_parametric_model(parametric, model, error));
}

routh_status routh_parametric_mechanism(routh_parametric *parametric,
                                        const routh_mechanism **mechanism, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(mechanism);
    RT_GIVEN(parametric);
    return RT_RUN(ri_parametric_mechanism(parametric, mechanism, error));
}

routh_status routh_parametric_point(routh_parametric *parametric,
                                    const routh_operating_point **point, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(point);
    RT_GIVEN(parametric);
    return RT_RUN(ri_parametric_point(parametric, point, error));
}

routh_status routh_parametric_linear(routh_parametric *parametric, const routh_linear **linear,
                                     routh_error *error)
{
    RT_CALL(error);
    RT_MADE(linear);
    RT_GIVEN(parametric);
    return RT_RUN(ri_parametric_linear(parametric, linear, error));
}

routh_status routh_parametric_modes(routh_parametric *parametric, const routh_modes **modes,
                                    routh_error *error)
{
    RT_CALL(error);
    RT_MADE(modes);
    RT_GIVEN(parametric);
    return RT_RUN(ri_parametric_modes(parametric, modes, error));
}
