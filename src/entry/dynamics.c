#include <math.h>

#include "entry/belongs.h"
#include "entry/inner.h"

routh_status routh_dynamics_create(routh_dynamics **dynamics, const routh_mechanism *mechanism,
                                   const routh_operating_point *point, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(dynamics);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    return RT_RUN(ri_dynamics_create(dynamics, mechanism, point, error));
}

int routh_dynamics_n_states(const routh_dynamics *dynamics)
{
    return dynamics ? ri_dynamics_n_states(dynamics) : 0;
}

int routh_dynamics_n_coordinates(const routh_dynamics *dynamics)
{
    return dynamics ? ri_dynamics_n_coordinates(dynamics) : 0;
}

const routh_dynamics_state *routh_dynamics_get_state(const routh_dynamics *dynamics, int k)
{
    return dynamics && k >= 0 ? ri_dynamics_get_state(dynamics, k) : NULL;
}

void routh_dynamics_start(const routh_dynamics *dynamics, double *t, double *x, double *u)
{
    if (dynamics)
        ri_dynamics_start(dynamics, t, x, u);
    else if (t)
        *t = NAN;
}

/* The function inside looks at the numbers of x and u: it knows their names. */
routh_status routh_dynamics_evaluate(routh_dynamics *dynamics, double t, const double *x,
                                     const double *u, double *rate, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(dynamics);
    RT_FINITE(t);
    RT_GIVEN(x);
    RT_GIVEN(rate);
    return RT_RUN(ri_dynamics_evaluate(dynamics, t, x, u, rate, error));
}

routh_status routh_dynamics_inputs(routh_dynamics *dynamics, double t, double *u,
                                   routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(dynamics);
    RT_FINITE(t);
    RT_GIVEN(u);
    return RT_RUN(ri_dynamics_inputs(dynamics, t, u, error));
}

routh_status routh_dynamics_choose_inputs(routh_dynamics *dynamics, const int *given,
                                          routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(dynamics);
    return RT_RUN(ri_dynamics_choose_inputs(dynamics, given, error));
}

routh_status routh_dynamics_point(routh_dynamics *dynamics, double t, const double *x,
                                  const double *u, routh_operating_point **point,
                                  routh_error *error)
{
    RT_CALL(error);
    RT_MADE(point);
    RT_GIVEN(dynamics);
    RT_FINITE(t);
    RT_GIVEN(x);
    return RT_RUN(ri_dynamics_point(dynamics, t, x, u, point, error));
}
