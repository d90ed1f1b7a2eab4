/* Options as they were given, looked at, and with their defaults in place of zeros. Each takes room
 * for a copy and gives it back; NULL of NULL, which is every option at its default. Called once no
 * argument is refused, or whatever they give is not used. */
#ifndef RT_ENTRY_OPTIONS_H
#define RT_ENTRY_OPTIONS_H

#include "entry/call.h"

/* X(type of the options, name of the function) */
#define RT_OPTIONS_LIST(X)                                                                         \
    X(routh_operating_point_options, rt_call_operating_options)                                    \
    X(routh_initial_state_options, rt_call_state_options)                                          \
    X(routh_linear_options, rt_call_linear_options)                                                \
    X(routh_check_options, rt_call_check_options)                                                  \
    X(routh_verification_options, rt_call_verification_options)                                    \
    X(routh_animation_options, rt_call_animation_options)                                          \
    X(routh_simulation_options, rt_call_simulation_options)                                        \
    X(routh_history_options, rt_call_history_options)                                              \
    X(routh_floquet_options, rt_call_floquet_options)                                              \
    X(routh_boundary_options, rt_call_boundary_options)                                            \
    X(routh_response_options, rt_call_response_options)                                            \
    X(routh_sensitivity_options, rt_call_sensitivity_options)                                      \
    X(routh_response_sensitivity_options, rt_call_response_sensitivity_options)                    \
    X(routh_optimum_options, rt_call_optimum_options)                                              \
    X(routh_sweep_options, rt_call_sweep_options)                                                  \
    X(routh_symbolic_options, rt_call_symbolic_options)                                            \
    X(routh_benchmark_options, rt_call_benchmark_options)                                          \
    X(routh_reduction_options, rt_call_reduction_options)                                          \
    X(routh_selection_request, rt_call_selection_request)                                          \
    X(routh_matrix_request, rt_call_matrix_request)

#define RT_OPTIONS_DECLARE(type, function)                                                         \
    const type *function(rt_call *call, type *room, const type *given);
RT_OPTIONS_LIST(RT_OPTIONS_DECLARE)
#undef RT_OPTIONS_DECLARE

#endif
