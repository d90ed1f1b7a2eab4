#include "base/identity.h"
#include "entry/belongs.h"
#include "entry/inner.h"

routh_status routh_attribution_compute(routh_attribution **attribution,
                                       const routh_mechanism *mechanism,
                                       const routh_operating_point *point,
                                       const routh_linear *linear, const routh_modes *modes,
                                       routh_error *error)
{
    RT_CALL(error);
    RT_MADE(attribution);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    RT_LINEAR(linear, point);
    RT_MODES(modes, linear);
    const routh_status status =
        RT_RUN(ri_attribution_compute(attribution, mechanism, point, linear, modes, error));
    if (!status) (*attribution)->of = rt_identity_of_linear(linear);
    return status;
}
