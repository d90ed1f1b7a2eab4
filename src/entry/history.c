#include "entry/belongs.h"
#include "entry/inner.h"
#include "entry/options.h"
#include "motion/history_channels.h"
#include "motion/simulation.h"

routh_status routh_channels_create(routh_channels **channels, const routh_mechanism *mechanism,
                                   const char *groups, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(channels);
    RT_GIVEN(mechanism);
    return RT_RUN(ri_channels_create(channels, mechanism, groups, error));
}

int routh_channels_count(const routh_channels *channels)
{
    return channels ? ri_channels_count(channels) : 0;
}

const routh_channel *routh_channels_get(const routh_channels *channels, int k)
{
    const bool there = channels && k >= 0 && k < ri_channels_count(channels);
    return there ? ri_channels_get(channels, k) : NULL;
}

int routh_channels_width(const routh_channels *channels)
{
    return channels ? ri_channels_width(channels) : 0;
}

routh_status routh_channels_read(routh_channels *channels, const routh_simulation *simulation,
                                 double *record, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(channels);
    RT_GIVEN(simulation);
    RT_GIVEN(record);
    if (!call.status &&
        rt_mechanism_identity(channels->m) != rt_mechanism_identity(simulation->run.m))
        rt_call_refuse(&call, "simulation", "is of another mechanism than the channels");
    return RT_RUN(ri_channels_read(channels, simulation, record, error));
}

routh_status routh_history_run(const routh_mechanism *mechanism, const routh_operating_point *point,
                               const routh_history_options *options, routh_history_summary *summary,
                               routh_error *error)
{
    RT_CALL(error);
    routh_history_options room;
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    options = call.status ? NULL : rt_call_history_options(&call, &room, options);
    routh_history_summary own = {0};
    routh_history_summary *done = summary ? summary : &own;
    *done = own;
    const routh_status status = RT_RUN(ri_history_run(mechanism, point, options, done, error));
    return !status && done->interrupted ? rt_call_stopped(error) : status;
}
