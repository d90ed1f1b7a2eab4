#include "entry/options.h"

#include <math.h>

enum { MOST_SOLVED = ROUTH_SWEEP_SOLVE_ALL };

/* ---- members --------------------------------------------------------------------------------- */

#define RT_TAKE_OPTIONS                                                                            \
    if (!given) return NULL;                                                                       \
    *room = *given

static void options_type(rt_call *call, routh_operating_point_type type, const char *name)
{
    rt_call_choice(call, (long long)type, ROUTH_OPERATING_STEADY + 1, name);
    if (type == ROUTH_OPERATING_STATE)
        rt_call_refuse(call, name,
                       "is ROUTH_OPERATING_STATE; the operating point of a state is made by "
                       "routh_operating_point_of_state");
}

/* 0: the default. */
static void options_number(rt_call *call, double *value, double usual, const char *name)
{
    rt_call_not_negative(call, *value, name);
    if (*value == 0) *value = usual;
}

static void options_count(rt_call *call, int *value, int usual, const char *name)
{
    rt_call_least(call, *value, 0, name);
    if (*value == 0) *value = usual;
}

/* 0: the default, -1: none. */
static void options_most(rt_call *call, int *value, int usual, const char *name)
{
    rt_call_least(call, *value, -1, name);
    *value = *value == 0 ? usual : *value < 0 ? 0 : *value;
}

static void options_finite_or_more(rt_call *call, double value, const char *name)
{
    rt_call_not_negative(call, value, name);
    if (isinf(value)) rt_call_refuse(call, name, "is infinite; it must be a finite number");
}

/* ---- operating points ------------------------------------------------------------------------ */

static void options_operating(rt_call *call, routh_operating_point_options *room,
                              const char *const names[3])
{
    const routh_operating_point_options usual = routh_operating_point_defaults();
    options_type(call, room->type, names[0]);
    options_number(call, &room->tolerance, usual.tolerance, names[1]);
    options_count(call, &room->max_iterations, usual.max_iterations, names[2]);
}

const routh_operating_point_options *rt_call_operating_options(
    rt_call *call, routh_operating_point_options *room, const routh_operating_point_options *given)
{
    RT_TAKE_OPTIONS;
    options_operating(
        call, room,
        (const char *const[]){"options->type", "options->tolerance", "options->max_iterations"});
    return room;
}

const routh_initial_state_options *rt_call_state_options(rt_call *call,
                                                         routh_initial_state_options *room,
                                                         const routh_initial_state_options *given)
{
    RT_TAKE_OPTIONS;
    const routh_initial_state_options usual = routh_initial_state_defaults();
    options_number(call, &room->tolerance, usual.tolerance, "options->tolerance");
    options_number(call, &room->allowed, usual.allowed, "options->allowed");
    options_count(call, &room->max_iterations, usual.max_iterations, "options->max_iterations");
    return room;
}

/* ---- linear models --------------------------------------------------------------------------- */

const routh_linear_options *rt_call_linear_options(rt_call *call, routh_linear_options *room,
                                                   const routh_linear_options *given)
{
    RT_TAKE_OPTIONS;
    rt_call_least(call, room->threads, 0, "options->threads");
    options_finite_or_more(call, room->penalty_alpha, "options->penalty_alpha");
    options_finite_or_more(call, room->penalty_xi, "options->penalty_xi");
    options_finite_or_more(call, room->penalty_omega, "options->penalty_omega");
    return room;
}

const routh_check_options *rt_call_check_options(rt_call *call, routh_check_options *room,
                                                 const routh_check_options *given)
{
    RT_TAKE_OPTIONS;
    const routh_check_options usual = routh_check_defaults();
    options_operating(call, &room->operating,
                      (const char *const[]){"options->operating.type",
                                            "options->operating.tolerance",
                                            "options->operating.max_iterations"});
    options_number(call, &room->tolerance, usual.tolerance, "options->tolerance");
    rt_call_least(call, room->threads, 0, "options->threads");
    options_most(call, &room->most_degrees, usual.most_degrees, "options->most_degrees");
    options_most(call, &room->most_columns, usual.most_columns, "options->most_columns");
    options_most(call, &room->most_eigenvalues, usual.most_eigenvalues,
                 "options->most_eigenvalues");
    options_most(call, &room->most_exact_bodies, usual.most_exact_bodies,
                 "options->most_exact_bodies");
    return room;
}

const routh_verification_options *rt_call_verification_options(
    rt_call *call, routh_verification_options *room, const routh_verification_options *given)
{
    RT_TAKE_OPTIONS;
    options_finite_or_more(call, room->duration, "options->duration");
    options_finite_or_more(call, room->amplitude, "options->amplitude");
    rt_call_not_negative(call, room->below, "options->below");
    return room;
}

const routh_animation_options *rt_call_animation_options(rt_call *call,
                                                         routh_animation_options *room,
                                                         const routh_animation_options *given)
{
    RT_TAKE_OPTIONS;
    const routh_animation_options usual = routh_animation_defaults();
    options_count(call, &room->most_modes, usual.most_modes, "options->most_modes");
    options_number(call, &room->most_work, usual.most_work, "options->most_work");
    rt_call_list(call, room->chosen, room->n_chosen, "options->chosen", "options->n_chosen");
    return room;
}

/* ---- motion ---------------------------------------------------------------------------------- */

static void options_simulation(rt_call *call, const routh_simulation_options *o,
                               const char *const names[5])
{
    options_finite_or_more(call, o->tolerance, names[0]);
    options_finite_or_more(call, o->step, names[1]);
    options_finite_or_more(call, o->largest_step, names[2]);
    if (isnan(o->end)) rt_call_refuse(call, names[3], "is not a number");
    if (isinf(o->dissipation)) rt_call_refuse(call, names[4], "is infinite");
}

const routh_simulation_options *rt_call_simulation_options(rt_call *call,
                                                           routh_simulation_options *room,
                                                           const routh_simulation_options *given)
{
    RT_TAKE_OPTIONS;
    options_simulation(call, room,
                       (const char *const[]){"options->tolerance", "options->step",
                                             "options->largest_step", "options->end",
                                             "options->dissipation"});
    return room;
}

const routh_history_options *rt_call_history_options(rt_call *call, routh_history_options *room,
                                                     const routh_history_options *given)
{
    rt_call_given(call, given, "options");
    RT_TAKE_OPTIONS;
    options_simulation(
        call, &room->simulate,
        (const char *const[]){"options->simulate.tolerance", "options->simulate.step",
                              "options->simulate.largest_step", "options->simulate.end",
                              "options->simulate.dissipation"});
    rt_call_finite(call, room->end, "options->end");
    options_finite_or_more(call, room->every, "options->every");
    rt_call_given(call, room->file, "options->file");
    rt_call_least(call, room->block, 0, "options->block");
    return room;
}

const routh_floquet_options *rt_call_floquet_options(rt_call *call, routh_floquet_options *room,
                                                     const routh_floquet_options *given)
{
    rt_call_given(call, given, "options");
    RT_TAKE_OPTIONS;
    options_number(call, &room->tolerance, routh_floquet_defaults().tolerance,
                   "options->tolerance");
    options_finite_or_more(call, room->period, "options->period");
    rt_call_least(call, room->steps, 0, "options->steps");
    return room;
}

const routh_boundary_options *rt_call_boundary_options(rt_call *call, routh_boundary_options *room,
                                                       const routh_boundary_options *given)
{
    rt_call_given(call, given, "options");
    RT_TAKE_OPTIONS;
    const routh_boundary_options usual = routh_boundary_defaults();
    rt_call_given(call, room->parameter, "options->parameter");
    rt_call_given(call, room->period, "options->period");
    rt_call_finite(call, room->from, "options->from");
    rt_call_finite(call, room->to, "options->to");
    rt_call_choice(call, (long long)room->crossing, ROUTH_CROSSING_ANY + 1, "options->crossing");
    options_number(call, &room->tolerance, usual.tolerance, "options->tolerance");
    options_count(call, &room->most, usual.most, "options->most");
    return room;
}

/* ---- responses and sensitivities ------------------------------------------------------------- */

const routh_response_options *rt_call_response_options(rt_call *call, routh_response_options *room,
                                                       const routh_response_options *given)
{
    RT_TAKE_OPTIONS;
    rt_call_choice(call, (long long)room->base, ROUTH_BASE_Z + 1, "options->base");
    rt_call_choice(call, (long long)room->reference, ROUTH_ACCELERATION + 1, "options->reference");
    options_finite_or_more(call, room->low, "options->low");
    options_finite_or_more(call, room->high, "options->high");
    rt_call_least(call, room->n_points, 0, "options->n_points");
    options_number(call, &room->error, routh_response_defaults().error, "options->error");
    options_finite_or_more(call, room->modal_high, "options->modal_high");
    rt_call_list(call, room->hz, room->n_hz, "options->hz", "options->n_hz");
    for (int k = 0; k < room->n_hz && !call->status; k++)
        options_finite_or_more(call, room->hz[k], "options->hz");
    return room;
}

const routh_sensitivity_options *rt_call_sensitivity_options(rt_call *call,
                                                             routh_sensitivity_options *room,
                                                             const routh_sensitivity_options *given)
{
    RT_TAKE_OPTIONS;
    rt_call_list(call, room->numbers, room->n_numbers, "options->numbers", "options->n_numbers");
    return room;
}

const routh_response_sensitivity_options *rt_call_response_sensitivity_options(
    rt_call *call, routh_response_sensitivity_options *room,
    const routh_response_sensitivity_options *given)
{
    RT_TAKE_OPTIONS;
    rt_call_least(call, room->n_hz, 0, "options->n_hz");
    for (int k = 0; room->hz && k < room->n_hz; k++)
        options_finite_or_more(call, room->hz[k], "options->hz");
    return room;
}

/* ---- studies --------------------------------------------------------------------------------- */

const routh_optimum_options *rt_call_optimum_options(rt_call *call, routh_optimum_options *room,
                                                     const routh_optimum_options *given)
{
    RT_TAKE_OPTIONS;
    options_type(call, room->type, "options->type");
    rt_call_settings(call, room->settings, room->n_settings, "options->settings",
                     "options->n_settings");
    rt_call_least(call, room->evaluations, 0, "options->evaluations");
    rt_call_not_negative(call, room->seconds, "options->seconds");
    return room;
}

static void options_orders(rt_call *call, const routh_sweep_options *o)
{
    rt_call_least(call, o->n_orders, 0, "options->n_orders");
    if (o->n_orders > ROUTH_SWEEP_ORDERS)
        rt_call_refuse(call, "options->n_orders", "is %d, of at most %d", o->n_orders,
                       ROUTH_SWEEP_ORDERS);
    for (int k = 0; k < o->n_orders && !call->status; k++)
        options_finite_or_more(call, o->orders[k], "options->orders");
}

const routh_sweep_options *rt_call_sweep_options(rt_call *call, routh_sweep_options *room,
                                                 const routh_sweep_options *given)
{
    RT_TAKE_OPTIONS;
    const routh_sweep_options usual = routh_sweep_defaults();
    options_type(call, room->type, "options->type");
    rt_call_settings(call, room->settings, room->n_settings, "options->settings",
                     "options->n_settings");
    rt_call_least(call, room->threads, 0, "options->threads");
    if (room->dealer && !room->dealer->deal)
        rt_call_refuse(call, "options->dealer", "has no function");
    rt_call_least(call, room->halvings, 0, "options->halvings");
    if (room->solve < 0 || room->solve > MOST_SOLVED)
        rt_call_refuse(call, "options->solve", "is %d, no sum of ROUTH_SWEEP_SOLVE_..",
                       room->solve);
    if (room->below == 0) room->below = usual.below;
    options_count(call, &room->points, usual.points, "options->points");
    if (room->damping_ratio == 0) room->damping_ratio = usual.damping_ratio;
    if (isinf(room->damping_ratio)) rt_call_refuse(call, "options->damping_ratio", "is infinite");
    options_orders(call, room);
    rt_call_finite(call, room->boundary_low, "options->boundary_low");
    rt_call_finite(call, room->boundary_high, "options->boundary_high");
    return room;
}

const routh_symbolic_options *rt_call_symbolic_options(rt_call *call, routh_symbolic_options *room,
                                                       const routh_symbolic_options *given)
{
    (void)call;
    RT_TAKE_OPTIONS;
    return room;
}

const routh_benchmark_options *rt_call_benchmark_options(rt_call *call,
                                                         routh_benchmark_options *room,
                                                         const routh_benchmark_options *given)
{
    RT_TAKE_OPTIONS;
    rt_call_words(call, room->names, room->n_names, "options->names", "options->n_names");
    return room;
}

/* ---- matrices -------------------------------------------------------------------------------- */

const routh_reduction_options *rt_call_reduction_options(rt_call *call,
                                                         routh_reduction_options *room,
                                                         const routh_reduction_options *given)
{
    rt_call_given(call, given, "options");
    RT_TAKE_OPTIONS;
    rt_call_given(call, room->stiffness, "options->stiffness");
    rt_call_given(call, room->mass, "options->mass");
    options_finite_or_more(call, room->length_unit, "options->length_unit");
    options_finite_or_more(call, room->mass_unit, "options->mass_unit");
    options_finite_or_more(call, room->time_unit, "options->time_unit");
    rt_call_list(call, room->interfaces, room->n_interfaces, "options->interfaces",
                 "options->n_interfaces");
    for (int k = 0; k < room->n_interfaces && !call->status; k++)
        if (!room->interfaces[k].set)
            rt_call_list(call, room->interfaces[k].nodes, room->interfaces[k].n_nodes,
                         "options->interfaces->nodes", "options->interfaces->n_nodes");
    rt_call_least(call, room->modes, 0, "options->modes");
    options_finite_or_more(call, room->cut, "options->cut");
    options_finite_or_more(call, room->frequencies_below, "options->frequencies_below");
    options_finite_or_more(call, room->accuracy, "options->accuracy");
    options_finite_or_more(call, room->damping_ratio, "options->damping_ratio");
    rt_call_least(call, room->draw, -1, "options->draw");
    return room;
}

const routh_selection_request *rt_call_selection_request(rt_call *call,
                                                         routh_selection_request *room,
                                                         const routh_selection_request *given)
{
    rt_call_given(call, given, "request");
    RT_TAKE_OPTIONS;
    rt_call_finite(call, room->low, "request->low");
    rt_call_finite(call, room->high, "request->high");
    if (room->between) return room;
    rt_call_least(call, room->count, 1, "request->count");
    rt_call_list(call, room->near, room->n_near, "request->near", "request->n_near");
    if (!call->status)
        rt_call_all_finite(call, room->near, 2 * (size_t)room->n_near, "request->near");
    return room;
}

const routh_matrix_request *rt_call_matrix_request(rt_call *call, routh_matrix_request *room,
                                                   const routh_matrix_request *given)
{
    rt_call_given(call, given, "request");
    RT_TAKE_OPTIONS;
    rt_call_finite(call, room->low, "request->low");
    rt_call_finite(call, room->high, "request->high");
    if (room->between) return room;
    rt_call_least(call, room->count, 1, "request->count");
    rt_call_finite(call, room->near, "request->near");
    rt_call_list(call, room->points, room->n_points, "request->points", "request->n_points");
    if (!call->status)
        rt_call_all_finite(call, room->points, 2 * (size_t)room->n_points, "request->points");
    return room;
}
