/* What a linear model says of where it comes from. */
#include "linear/holder.h"

static routh_status record_body(rt_linear_holder *h, const routh_body_state *from,
                                routh_body_pose *to, routh_error *error)
{
    to->name = rt_linear_text(h, "%s", from->name);
    rt_v3_copy(to->position, from->position);
    memcpy(to->orientation, from->orientation, sizeof to->orientation);
    rt_v3_copy(to->velocity, from->velocity);
    rt_v3_copy(to->angular_velocity, from->angular_velocity);
    return to->name ? ROUTH_OK : rt_fail_memory(error);
}

static const char *type_name(routh_operating_point_type type)
{
    switch (type) {
    case ROUTH_OPERATING_STATIC: return "static";
    case ROUTH_OPERATING_STATE: return "state";
    case ROUTH_OPERATING_STEADY: return "steady";
    default: return "given";
    }
}

routh_status rt_linear_record(rt_linear_holder *h, const routh_operating_point *point,
                              routh_error *error)
{
    routh_operating_record *out = &h->linear.point;
    h->linear.version = rt_linear_text(h, "%s", ROUTH_VERSION);
    out->type = rt_linear_text(h, "%s", type_name(point->type));
    out->time = point->time;
    out->tolerance = point->tolerance;
    out->constraint_error = point->constraint_error;
    out->n_bodies = point->n_bodies;
    out->bodies = RT_TAKE(&h->arena, routh_body_pose, point->n_bodies);
    if (!h->linear.version || !out->type || !out->bodies) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    for (int b = 0; b < point->n_bodies && !status; b++)
        status = record_body(h, &point->bodies[b], &out->bodies[b], error);
    return status;
}
