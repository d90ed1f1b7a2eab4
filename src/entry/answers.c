#include <math.h>

#include "answers/energy_fractions.h"
#include "base/identity.h"
#include "entry/belongs.h"
#include "entry/given.h"
#include "entry/inner.h"
#include "entry/options.h"

/* What a call without a status gives where it was asked for what there is not. */
static void entry_unknown(double *numbers, int n)
{
    for (int k = 0; k < n; k++) numbers[k] = NAN;
}

routh_status routh_modes_compute(routh_modes **modes, const routh_linear *linear,
                                 routh_error *error)
{
    RT_CALL(error);
    RT_MADE(modes);
    RT_GIVEN(linear);
    RT_WHOLE(linear);
    return RT_RUN(ri_modes_compute(modes, linear, error));
}

routh_status routh_modes_search(routh_modes **modes, const routh_descriptor *descriptor,
                                const routh_selection_request *request, routh_error *error)
{
    RT_CALL(error);
    routh_selection_request room;
    RT_MADE(modes);
    RT_GIVEN(descriptor);
    request = call.status ? NULL : rt_call_selection_request(&call, &room, request);
    return RT_RUN(ri_modes_search(modes, descriptor, request, error));
}

routh_status routh_modes_select(routh_modes **modes, const routh_descriptor *descriptor, int count,
                                double near, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(modes);
    RT_GIVEN(descriptor);
    RT_LEAST(count, 1);
    RT_FINITE(near);
    return RT_RUN(ri_modes_select(modes, descriptor, count, near, error));
}

routh_status routh_modes_select_by(routh_modes **modes, const routh_descriptor *descriptor,
                                   int count, double near, const routh_eigensolver *solver,
                                   routh_error *error)
{
    RT_CALL(error);
    RT_MADE(modes);
    RT_GIVEN(descriptor);
    RT_GIVEN(solver);
    RT_LEAST(count, 1);
    RT_FINITE(near);
    RT_CHECK(rt_call_given(&call, solver->solve ? solver : NULL, "solver->solve"));
    RT_CHECK(rt_call_factors(&call, solver->factors, "solver->factors"));
    return RT_RUN(ri_modes_select_by(modes, descriptor, count, near, solver, error));
}

void routh_mode_marker(const routh_linear *linear, const routh_mode *mode, int marker,
                       double motion[12])
{
    RT_CALL(NULL);
    if (!motion) return;
    RT_GIVEN(linear);
    RT_MODE(mode, linear->n_states);
    RT_INDEX(marker, linear->n_markers);
    if (call.status)
        entry_unknown(motion, 12);
    else
        ri_mode_marker(linear, mode, marker, motion);
}

void routh_mode_blades(const routh_linear *linear, const routh_mode *mode,
                       routh_blade_motion *motion)
{
    RT_CALL(NULL);
    if (!motion) return;
    *motion = (routh_blade_motion){.name = "", .share = NAN, .whirl = NAN, .frequency_hz = NAN};
    RT_GIVEN(linear);
    RT_MODE(mode, linear->n_states);
    if (!call.status) ri_mode_blades(linear, mode, motion);
}

void routh_mode_elastic(const routh_linear *linear, const routh_mode *mode, int body, double *q)
{
    RT_CALL(NULL);
    RT_GIVEN(q);
    RT_GIVEN(linear);
    RT_INDEX(body, linear->n_flexible);
    if (call.status) return;
    RT_MODE(mode, linear->n_states);
    if (call.status)
        entry_unknown(q, 2 * linear->flexible[body].n);
    else
        ri_mode_elastic(linear, mode, body, q);
}

void routh_mode_node(const routh_linear *linear, int body, const double frame[12], const double *q,
                     int node, double motion[12])
{
    RT_CALL(NULL);
    if (!motion) return;
    RT_GIVEN(linear);
    RT_INDEX(body, linear->n_flexible);
    RT_GIVEN(frame);
    RT_GIVEN(q);
    RT_INDEX(node, linear->flexible[body].n_nodes);
    if (call.status)
        entry_unknown(motion, 12);
    else
        ri_mode_node(linear, body, frame, q, node, motion);
}

double routh_mode_part_energy(const routh_linear *linear, int body, const double *q, int part)
{
    RT_CALL(NULL);
    RT_GIVEN(linear);
    RT_INDEX(body, linear->n_flexible);
    RT_GIVEN(q);
    RT_INDEX(part, linear->flexible[body].n_parts);
    return call.status ? NAN : ri_mode_part_energy(linear, body, q, part);
}

void routh_mode_energy_fractions(const routh_linear *linear, const routh_mode *mode,
                                 routh_energy_kind kind, double *fractions)
{
    RT_CALL(NULL);
    RT_GIVEN(fractions);
    RT_GIVEN(linear);
    if (call.status) return;
    RT_MODE(mode, linear->n_states);
    RT_CHOICE(kind, ROUTH_ENERGY_DISSIPATION + 1);
    if (call.status)
        entry_unknown(fractions, linear->n_shares);
    else
        ri_mode_energy_fractions(linear, mode, kind, fractions);
}

routh_status routh_energy_forms_create(routh_energy_forms **forms, const routh_linear *linear,
                                       routh_error *error)
{
    RT_CALL(error);
    RT_MADE(forms);
    RT_GIVEN(linear);
    return RT_RUN(ri_energy_forms_create(forms, linear, error));
}

void routh_energy_forms_fractions(routh_energy_forms *forms, const routh_mode *mode,
                                  routh_energy_kind kind, double *fractions)
{
    RT_CALL(NULL);
    RT_GIVEN(fractions);
    RT_GIVEN(forms);
    if (call.status) return;
    RT_MODE(mode, rt_energy_forms_states(forms));
    RT_CHOICE(kind, ROUTH_ENERGY_DISSIPATION + 1);
    if (call.status)
        entry_unknown(fractions, rt_energy_forms_shares(forms));
    else
        ri_energy_forms_fractions(forms, mode, kind, fractions);
}

routh_status routh_realization_compute(routh_realization **realization, const routh_linear *linear,
                                       const routh_modes *modes, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(realization);
    RT_GIVEN(linear);
    RT_MODES(modes, linear);
    const routh_status status = RT_RUN(ri_realization_compute(realization, linear, modes, error));
    if (!status) (*realization)->of = rt_identity_of_linear(linear);
    return status;
}

routh_status routh_modes_notable(const routh_modes *modes, const int *chosen, int n_chosen,
                                 int *order, int *n, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(modes);
    RT_GIVEN(order);
    RT_GIVEN(n);
    RT_LIST(chosen, n_chosen);
    return RT_RUN(ri_modes_notable(modes, chosen, n_chosen, order, n, error));
}
