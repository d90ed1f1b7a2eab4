#include "base/identity.h"
#include "entry/belongs.h"
#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_spectrum_read(routh_spectrum **spectrum, const char *path, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(spectrum);
    RT_GIVEN(path);
    return RT_RUN(ri_spectrum_read(spectrum, path, error));
}

routh_status routh_spectrum_parse(routh_spectrum **spectrum, const char *text, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(spectrum);
    RT_GIVEN(text);
    return RT_RUN(ri_spectrum_parse(spectrum, text, error));
}

routh_status routh_response_compute(routh_response **response, const routh_linear *linear,
                                    const routh_modes *modes, const routh_response_options *options,
                                    routh_error *error)
{
    RT_CALL(error);
    routh_response_options room;
    RT_MADE(response);
    RT_GIVEN(linear);
    RT_MODES(modes, linear);
    options = call.status ? NULL : rt_call_response_options(&call, &room, options);
    const routh_status status =
        RT_RUN(ri_response_compute(response, linear, modes, options, error));
    if (!status) (*response)->of = rt_identity_of_linear(linear);
    return status;
}

routh_status routh_response_compute_sparse(routh_response **response,
                                           const routh_descriptor *descriptor,
                                           const routh_modes *modes,
                                           const routh_response_options *options,
                                           routh_error *error)
{
    RT_CALL(error);
    routh_response_options room;
    RT_MADE(response);
    RT_GIVEN(descriptor);
    if (modes && !call.status && modes->origin != descriptor->linear->origin)
        rt_call_refuse(&call, "modes", "are not of the same operating point as the descriptor");
    options = call.status ? NULL : rt_call_response_options(&call, &room, options);
    const routh_status status =
        RT_RUN(ri_response_compute_sparse(response, descriptor, modes, options, error));
    if (!status) (*response)->of = rt_identity_of_linear(descriptor->linear);
    return status;
}

routh_status routh_response_save(const routh_response *response, const routh_linear *linear,
                                 const char *path, const char *format, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(response);
    RT_GIVEN(linear);
    RT_GIVEN(path);
    RT_CHECK(rt_call_result(&call, response->of, linear, "response"));
    return RT_RUN(ri_response_save(response, linear, path, format, error));
}
