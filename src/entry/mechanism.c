#include <math.h>

#include "entry/belongs.h"
#include "entry/given.h"
#include "entry/inner.h"
#include "entry/options.h"
#include "linear/again.h"

static bool entry_column(const routh_joint_space *space, int column)
{
    return space && column >= 0 && column < ri_joint_space_n_u(space);
}

static void entry_no_numbers(double *numbers, int n)
{
    for (int k = 0; k < n; k++) numbers[k] = NAN;
}

routh_status routh_mechanism_compile(routh_mechanism **mechanism, const routh_model *model,
                                     const char *coordinates, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(mechanism);
    RT_GIVEN(model);
    return RT_RUN(ri_mechanism_compile(mechanism, model, coordinates, error));
}

routh_status routh_operating_point_find(routh_operating_point **point,
                                        const routh_mechanism *mechanism,
                                        const routh_operating_point_options *options,
                                        routh_error *error)
{
    RT_CALL(error);
    routh_operating_point_options room;
    RT_MADE(point);
    RT_GIVEN(mechanism);
    options = call.status ? NULL : rt_call_operating_options(&call, &room, options);
    return RT_RUN(ri_operating_point_find(point, mechanism, options, error));
}

routh_status routh_operating_point_find_from(routh_operating_point **point,
                                             const routh_mechanism *mechanism,
                                             const routh_operating_point *start,
                                             const routh_operating_point_options *options,
                                             routh_error *error)
{
    RT_CALL(error);
    routh_operating_point_options room;
    RT_MADE(point);
    RT_GIVEN(mechanism);
    RT_POINT(start, mechanism);
    options = call.status ? NULL : rt_call_operating_options(&call, &room, options);
    return RT_RUN(ri_operating_point_find_from(point, mechanism, start, options, error));
}

routh_status routh_operating_point_of_state(routh_operating_point **point,
                                            const routh_mechanism *mechanism,
                                            const routh_initial_state *state,
                                            const routh_initial_state_options *options,
                                            routh_error *error)
{
    RT_CALL(error);
    routh_initial_state_options room;
    RT_MADE(point);
    RT_GIVEN(mechanism);
    RT_CHECK(rt_call_state(&call, state, "state"));
    options = call.status ? NULL : rt_call_state_options(&call, &room, options);
    return RT_RUN(ri_operating_point_of_state(point, mechanism, state, options, error));
}

routh_status routh_operating_point_find_near(routh_operating_point **point,
                                             const routh_mechanism *mechanism,
                                             const routh_initial_state *state,
                                             const routh_initial_state_options *state_options,
                                             const routh_operating_point_options *options,
                                             routh_error *error)
{
    RT_CALL(error);
    routh_initial_state_options state_room;
    routh_operating_point_options room;
    RT_MADE(point);
    RT_GIVEN(mechanism);
    RT_CHECK(rt_call_state(&call, state, "state"));
    state_options = call.status ? NULL : rt_call_state_options(&call, &state_room, state_options);
    options = call.status ? NULL : rt_call_operating_options(&call, &room, options);
    return RT_RUN(
        ri_operating_point_find_near(point, mechanism, state, state_options, options, error));
}

routh_status routh_initial_state_of_point(routh_initial_state **state,
                                          const routh_mechanism *mechanism,
                                          const routh_operating_point *point, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(state);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    return RT_RUN(ri_initial_state_of_point(state, mechanism, point, error));
}

routh_status routh_branches_find(routh_branches **branches, const routh_mechanism *mechanism,
                                 const routh_operating_point *point, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(branches);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    return RT_RUN(ri_branches_find(branches, mechanism, point, error));
}

routh_status routh_rotor_point_find(routh_operating_point **point,
                                    const routh_mechanism *mechanism,
                                    const routh_operating_point *from, const char *const *blades,
                                    routh_error *error)
{
    RT_CALL(error);
    RT_MADE(point);
    RT_GIVEN(mechanism);
    RT_POINT(from, mechanism);
    RT_GIVEN(blades);
    return RT_RUN(ri_rotor_point_find(point, mechanism, from, blades, error));
}

routh_status routh_linear_compute(routh_linear **linear, const routh_mechanism *mechanism,
                                  const routh_operating_point *point,
                                  const routh_linear_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_linear_options room;
    RT_MADE(linear);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    options = call.status ? NULL : rt_call_linear_options(&call, &room, options);
    return RT_RUN(ri_linear_compute(linear, mechanism, point, options, error));
}

routh_status routh_descriptor_compute(routh_descriptor **descriptor,
                                      const routh_mechanism *mechanism,
                                      const routh_operating_point *point,
                                      const routh_linear_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_linear_options room;
    RT_MADE(descriptor);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    options = call.status ? NULL : rt_call_linear_options(&call, &room, options);
    return RT_RUN(ri_descriptor_compute(descriptor, mechanism, point, options, error));
}

routh_status routh_linearizer_create(routh_linearizer **linearizer,
                                     const routh_mechanism *mechanism,
                                     const routh_operating_point *point, const char *reference,
                                     const char *const *states, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(linearizer);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    return RT_RUN(ri_linearizer_create(linearizer, mechanism, point, reference, states, error));
}

routh_status routh_linearizer_run(routh_linearizer *linearizer, const routh_operating_point *point,
                                  routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(linearizer);
    RT_CHECK(rt_call_point(&call, point, rt_linearizer_mechanism(linearizer), "point"));
    return RT_RUN(ri_linearizer_run(linearizer, point, error));
}

const routh_linear *routh_linearizer_linear(const routh_linearizer *linearizer)
{
    return linearizer ? ri_linearizer_linear(linearizer) : NULL;
}

routh_status routh_joint_space_create(routh_joint_space **space, const routh_mechanism *mechanism,
                                      routh_error *error)
{
    RT_CALL(error);
    RT_MADE(space);
    RT_GIVEN(mechanism);
    return RT_RUN(ri_joint_space_create(space, mechanism, error));
}

int routh_joint_space_n_q(const routh_joint_space *space)
{
    return space ? ri_joint_space_n_q(space) : 0;
}

int routh_joint_space_n_u(const routh_joint_space *space)
{
    return space ? ri_joint_space_n_u(space) : 0;
}

const char *routh_joint_space_body(const routh_joint_space *space, int column)
{
    return entry_column(space, column) ? ri_joint_space_body(space, column) : NULL;
}

int routh_joint_space_is_angle(const routh_joint_space *space, int column)
{
    return entry_column(space, column) ? ri_joint_space_is_angle(space, column) : 0;
}

void routh_joint_space_start(const routh_joint_space *space, const routh_operating_point *point,
                             double *q, double *u, double *udot)
{
    RT_CALL(NULL);
    RT_GIVEN(space);
    RT_GIVEN(q);
    RT_GIVEN(u);
    RT_GIVEN(udot);
    if (call.status) return;
    if (point) RT_POINT(point, rt_joint_space_mechanism(space));
    if (!call.status) {
        ri_joint_space_start(space, point, q, u, udot);
        return;
    }
    entry_no_numbers(q, ri_joint_space_n_q(space));
    entry_no_numbers(u, ri_joint_space_n_u(space));
    entry_no_numbers(udot, ri_joint_space_n_u(space));
}

routh_status routh_joint_space_accelerations(routh_joint_space *space, double time, const double *q,
                                             const double *u, const double *tau, double *udot,
                                             routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(space);
    RT_GIVEN(q);
    RT_GIVEN(udot);
    RT_FINITE(time);
    RT_ALL_FINITE(q, ri_joint_space_n_q(space));
    if (u) RT_ALL_FINITE(u, ri_joint_space_n_u(space));
    if (tau) RT_ALL_FINITE(tau, ri_joint_space_n_u(space));
    return RT_RUN(ri_joint_space_accelerations(space, time, q, u, tau, udot, error));
}

routh_status routh_joint_space_evaluate(routh_joint_space *space, double time, const double *q,
                                        const double *u, const double *udot, double *A, double *B,
                                        routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(space);
    RT_GIVEN(q);
    RT_FINITE(time);
    RT_ALL_FINITE(q, ri_joint_space_n_q(space));
    if (u) RT_ALL_FINITE(u, ri_joint_space_n_u(space));
    if (udot) RT_ALL_FINITE(udot, ri_joint_space_n_u(space));
    return RT_RUN(ri_joint_space_evaluate(space, time, q, u, udot, A, B, error));
}

routh_status routh_sparsity_find(routh_sparsity **sparsity, const routh_mechanism *mechanism,
                                 const routh_operating_point *point, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(sparsity);
    RT_GIVEN(mechanism);
    RT_POINT(point, mechanism);
    return RT_RUN(ri_sparsity_find(sparsity, mechanism, point, error));
}
