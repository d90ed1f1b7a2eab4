#include "entry/belongs.h"

#include <stdio.h>

#include "base/identity.h"
#include "system/system.h"

void rt_call_point(rt_call *call, const routh_operating_point *point,
                   const routh_mechanism *mechanism, const char *name)
{
    if (!rt_call_given(call, mechanism, "mechanism") || !rt_call_given(call, point, name)) return;
    if (!point->state || point->state->of != rt_mechanism_identity(mechanism))
        rt_call_refuse(call, name,
                       "is an operating point of another mechanism; find it with this one, of "
                       "this model in these coordinates");
}

void rt_call_linear(rt_call *call, const routh_linear *linear, const routh_operating_point *point,
                    const char *name)
{
    if (!rt_call_given(call, linear, name)) return;
    if (linear->origin != rt_state_identity(point->state))
        rt_call_refuse(call, name,
                       "is a linear model of another mechanism or another operating point, or "
                       "was read from a file; compute it at this point");
}

void rt_call_whole(rt_call *call, const routh_linear *linear, const char *name)
{
    if (!rt_call_given(call, linear, name)) return;
    const routh_linear *l = linear;
    if (l->n_position < 0 || l->n_velocity < 0 || l->n_control < 0 ||
        l->n_states != l->n_position + l->n_velocity + l->n_control)
        rt_call_refuse(call, name,
                       "has %d states, which are not its %d positions, %d velocities and %d of "
                       "controllers",
                       l->n_states, l->n_position, l->n_velocity, l->n_control);
}

void rt_call_mode(rt_call *call, const routh_mode *mode, int n_states, const char *name)
{
    if (!rt_call_given(call, mode, name)) return;
    if (!mode->shape)
        rt_call_refuse(call, name, "has no shape");
    else if (mode->n_states && mode->n_states != n_states)
        rt_call_refuse(call, name, "has a shape of %d states, and the linear model has %d",
                       mode->n_states, n_states);
}

void rt_call_modes(rt_call *call, const routh_modes *modes, const routh_linear *linear,
                   const char *name)
{
    if (!rt_call_given(call, linear, "linear") || !rt_call_given(call, modes, name)) return;
    if (modes->of && modes->of != rt_identity_of_linear(linear))
        rt_call_refuse(call, name, "are modes of another linear model; compute them of this one");
    for (int k = 0; k < modes->n && !call->status; k++)
        rt_call_mode(call, &modes->modes[k], linear->n_states, name);
}

void rt_call_modes_at(rt_call *call, const routh_modes *modes, const routh_operating_point *point,
                      const char *name)
{
    if (!rt_call_given(call, modes, name)) return;
    if (modes->origin != rt_state_identity(point->state))
        rt_call_refuse(call, name,
                       "are modes of another mechanism or another operating point, or of a "
                       "linear model that was read from a file");
}

void rt_call_result(rt_call *call, unsigned long long of, const routh_linear *linear,
                    const char *name)
{
    if (of && linear && of != rt_identity_of_linear(linear))
        rt_call_refuse(call, name, "it was computed of another linear model");
}

void rt_call_compared(rt_call *call, const routh_compared *compared, const char *name)
{
    char part[96];
    if (!rt_call_given(call, compared, name)) return;
    const struct {
        const char *member;
        const void *there;
    } members[] = {{"mechanism", compared->mechanism},
                   {"point", compared->point},
                   {"linear", compared->linear},
                   {"modes", compared->modes}};
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        snprintf(part, sizeof part, "%s->%s", name, members[k].member);
        if (!rt_call_given(call, members[k].there, part)) return;
    }
    snprintf(part, sizeof part, "%s->point", name);
    rt_call_point(call, compared->point, compared->mechanism, part);
    snprintf(part, sizeof part, "%s->linear", name);
    if (!call->status) rt_call_linear(call, compared->linear, compared->point, part);
    snprintf(part, sizeof part, "%s->modes", name);
    if (!call->status) rt_call_modes(call, compared->modes, compared->linear, part);
}

/* Every mode has its row in a result that is one row a mode. */
static void belongs_rows(rt_call *call, int rows, const routh_modes *modes, const char *name)
{
    if (modes && rows != modes->n)
        rt_call_refuse(call, name, "is of %d modes, and there are %d", rows, modes->n);
}

static void belongs_by_mode(rt_call *call, const routh_results *r, const char *name)
{
    char part[96];
    const routh_linear *l = r->linear;
    if (r->realization && !call->status) {
        snprintf(part, sizeof part, "%s->realization", name);
        belongs_rows(call, r->realization->n, r->modes, part);
        rt_call_result(call, r->realization->of, l, part);
    }
    if (r->attribution && !call->status) {
        snprintf(part, sizeof part, "%s->attribution", name);
        belongs_rows(call, r->attribution->n_modes, r->modes, part);
        rt_call_result(call, r->attribution->of, l, part);
    }
    if (r->sensitivities && !call->status) {
        snprintf(part, sizeof part, "%s->sensitivities", name);
        belongs_rows(call, r->sensitivities->n_modes, r->modes, part);
        if (r->sensitivities->of && r->modes && r->modes->of != r->sensitivities->of)
            rt_call_refuse(call, part, "are of other modes");
    }
}

static void belongs_one(rt_call *call, const routh_results *r, const char *name)
{
    char part[96];
    snprintf(part, sizeof part, "%s->linear", name);
    if (r->linear && r->linear->origin && r->point && r->point->state)
        rt_call_linear(call, r->linear, r->point, part);
    snprintf(part, sizeof part, "%s->modes", name);
    if (r->linear && r->modes && !call->status) rt_call_modes(call, r->modes, r->linear, part);
    belongs_by_mode(call, r, name);
    snprintf(part, sizeof part, "%s->verification", name);
    if (r->verification && !call->status)
        rt_call_result(call, r->verification->of, r->linear, part);
    snprintf(part, sizeof part, "%s->response", name);
    if (r->response && !call->status) rt_call_result(call, r->response->of, r->linear, part);
    snprintf(part, sizeof part, "%s->animation", name);
    if (r->animation && !call->status) rt_call_result(call, r->animation->of, r->linear, part);
    snprintf(part, sizeof part, "%s->animated", name);
    if (!call->status) rt_call_list(call, r->animated, r->n_animated, part, "n_animated");
    for (int k = 0; k < r->n_animated && r->modes && !call->status; k++)
        rt_call_index(call, r->animated[k], r->modes->n, part);
}

void rt_call_results(rt_call *call, const routh_results *results, const char *name)
{
    char part[96];
    if (!rt_call_given(call, results, name)) return;
    belongs_one(call, results, name);
    snprintf(part, sizeof part, "%s->second", name);
    if (results->second && !call->status) belongs_one(call, results->second, part);
}
