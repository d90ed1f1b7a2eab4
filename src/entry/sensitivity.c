#include "entry/belongs.h"
#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_sensitivity_compute(routh_sensitivity **sensitivities,
                                       const routh_mechanism *mechanism,
                                       const routh_operating_point *point, const routh_modes *modes,
                                       const routh_sensitivity_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_sensitivity_options room;
    RT_MADE(sensitivities);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    RT_MODES_AT(modes, point);
    options = call.status ? NULL : rt_call_sensitivity_options(&call, &room, options);
    const routh_status status =
        RT_RUN(ri_sensitivity_compute(sensitivities, mechanism, point, modes, options, error));
    if (!status) (*sensitivities)->of = modes->of;
    return status;
}

routh_status routh_point_sensitivity_compute(routh_point_sensitivity **sensitivities,
                                             const routh_mechanism *mechanism,
                                             const routh_operating_point *point,
                                             const routh_sensitivity_options *options,
                                             routh_error *error)
{
    RT_CALL(error);
    routh_sensitivity_options room;
    RT_MADE(sensitivities);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    options = call.status ? NULL : rt_call_sensitivity_options(&call, &room, options);
    return RT_RUN(ri_point_sensitivity_compute(sensitivities, mechanism, point, options, error));
}

routh_status routh_matrix_sensitivity_compute(routh_matrix_sensitivity **sensitivities,
                                              const routh_mechanism *mechanism,
                                              const routh_operating_point *point,
                                              const routh_linear *linear,
                                              const routh_sensitivity_options *options,
                                              routh_error *error)
{
    RT_CALL(error);
    routh_sensitivity_options room;
    RT_MADE(sensitivities);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    RT_LINEAR(linear, point);
    options = call.status ? NULL : rt_call_sensitivity_options(&call, &room, options);
    return RT_RUN(
        ri_matrix_sensitivity_compute(sensitivities, mechanism, point, linear, options, error));
}

routh_status routh_shape_sensitivity_compute(routh_shape_sensitivity **sensitivities,
                                             const routh_mechanism *mechanism,
                                             const routh_operating_point *point,
                                             const routh_linear *linear, const routh_modes *modes,
                                             const routh_sensitivity_options *options,
                                             routh_error *error)
{
    RT_CALL(error);
    routh_sensitivity_options room;
    RT_MADE(sensitivities);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    RT_LINEAR(linear, point);
    RT_MODES(modes, linear);
    options = call.status ? NULL : rt_call_sensitivity_options(&call, &room, options);
    return RT_RUN(ri_shape_sensitivity_compute(sensitivities, mechanism, point, linear, modes,
                                               options, error));
}

routh_status routh_response_sensitivity_compute(
    routh_response_sensitivity **sensitivities, const routh_mechanism *mechanism,
    const routh_operating_point *point, const routh_linear *linear, const routh_response *response,
    const routh_response_options *response_options,
    const routh_response_sensitivity_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_response_options response_room;
    routh_response_sensitivity_options room;
    RT_MADE(sensitivities);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    RT_LINEAR(linear, point);
    RT_GIVEN(response);
    RT_CHECK(rt_call_result(&call, response->of, linear, "response"));
    response_options =
        call.status ? NULL : rt_call_response_options(&call, &response_room, response_options);
    options = call.status ? NULL : rt_call_response_sensitivity_options(&call, &room, options);
    return RT_RUN(ri_response_sensitivity_compute(sensitivities, mechanism, point, linear, response,
                                                  response_options, options, error));
}
