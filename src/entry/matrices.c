#include "entry/given.h"
#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_matrices_load(routh_matrices **matrices, const char *mass, const char *stiffness,
                                 const char *damping, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(matrices);
    RT_GIVEN(mass);
    RT_GIVEN(stiffness);
    return RT_RUN(ri_matrices_load(matrices, mass, stiffness, damping, error));
}

routh_status routh_matrix_modes_compute(routh_matrix_modes **modes, const routh_matrices *matrices,
                                        const routh_matrix_request *request, routh_error *error)
{
    RT_CALL(error);
    routh_matrix_request room;
    RT_MADE(modes);
    RT_GIVEN(matrices);
    request = call.status ? NULL : rt_call_matrix_request(&call, &room, request);
    return RT_RUN(ri_matrix_modes_compute(modes, matrices, request, error));
}

routh_status routh_matrix_modes_compute_by(routh_matrix_modes **modes,
                                           const routh_matrices *matrices,
                                           const routh_matrix_request *request,
                                           const routh_factors *factors, routh_error *error)
{
    RT_CALL(error);
    routh_matrix_request room;
    RT_MADE(modes);
    RT_GIVEN(matrices);
    RT_GIVEN(factors);
    RT_CHECK(rt_call_factors(&call, factors, "factors"));
    request = call.status ? NULL : rt_call_matrix_request(&call, &room, request);
    return RT_RUN(ri_matrix_modes_compute_by(modes, matrices, request, factors, error));
}
