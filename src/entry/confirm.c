#include "base/identity.h"
#include "entry/belongs.h"
#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_verification_run(routh_verification **verification,
                                    const routh_mechanism *mechanism,
                                    const routh_operating_point *point, const routh_linear *linear,
                                    const routh_modes *modes,
                                    const routh_verification_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_verification_options room;
    RT_MADE(verification);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    RT_GIVEN(linear); /* whether it is of this mechanism is the question */
    RT_MODES(modes, linear);
    options = call.status ? NULL : rt_call_verification_options(&call, &room, options);
    const routh_status status =
        RT_RUN(ri_verification_run(verification, mechanism, point, linear, modes, options, error));
    if (!status) (*verification)->of = rt_identity_of_linear(linear);
    return status;
}
