#include <math.h>

#include "entry/belongs.h"
#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_simulation_create(routh_simulation **simulation,
                                     const routh_mechanism *mechanism,
                                     const routh_operating_point *point,
                                     const routh_simulation_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_simulation_options room;
    RT_MADE(simulation);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    options = call.status ? NULL : rt_call_simulation_options(&call, &room, options);
    return RT_RUN(ri_simulation_create(simulation, mechanism, point, options, error));
}

routh_status routh_simulation_advance(routh_simulation *simulation, double time, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(simulation);
    RT_FINITE(time);
    return RT_RUN(ri_simulation_advance(simulation, time, error));
}

double routh_simulation_time(const routh_simulation *simulation)
{
    return simulation ? ri_simulation_time(simulation) : NAN;
}

int routh_simulation_stopped(const routh_simulation *simulation)
{
    return simulation ? ri_simulation_stopped(simulation) : 0;
}

routh_status routh_simulation_point(const routh_simulation *simulation,
                                    routh_operating_point **point, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(simulation);
    RT_MADE(point);
    return RT_RUN(ri_simulation_point(simulation, point, error));
}

void routh_simulation_statistics(const routh_simulation *simulation, routh_statistics *statistics)
{
    if (!statistics) return;
    *statistics = (routh_statistics){0};
    if (simulation) ri_simulation_statistics(simulation, statistics);
}

size_t routh_simulation_memory(const routh_simulation *simulation)
{
    return simulation ? ri_simulation_memory(simulation) : 0;
}

routh_status routh_simulation_keep(routh_simulation *simulation, double *numbers,
                                   routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(simulation);
    RT_GIVEN(numbers);
    return RT_RUN(ri_simulation_keep(simulation, numbers, error));
}

routh_status routh_simulation_resume(routh_simulation *simulation, const double *numbers,
                                     routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(simulation);
    RT_GIVEN(numbers);
    return RT_RUN(ri_simulation_resume(simulation, numbers, error));
}
