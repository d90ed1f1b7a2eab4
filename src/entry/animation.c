#include "base/identity.h"
#include "entry/belongs.h"
#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_animation_compute(routh_animation **animation, const routh_mechanism *mechanism,
                                     const routh_operating_point *point, const routh_linear *linear,
                                     const routh_modes *modes,
                                     const routh_animation_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_animation_options room;
    RT_MADE(animation);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    RT_LINEAR(linear, point);
    RT_MODES(modes, linear);
    options = call.status ? NULL : rt_call_animation_options(&call, &room, options);
    const routh_status status =
        RT_RUN(ri_animation_compute(animation, mechanism, point, linear, modes, options, error));
    if (!status) (*animation)->of = rt_identity_of_linear(linear);
    return status;
}
