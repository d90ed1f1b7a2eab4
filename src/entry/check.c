#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_check_run(routh_check **check, const routh_model *model,
                             const routh_check_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_check_options room;
    RT_MADE(check);
    RT_GIVEN(model);
    options = call.status ? NULL : rt_call_check_options(&call, &room, options);
    return RT_RUN(ri_check_run(check, model, options, error));
}
