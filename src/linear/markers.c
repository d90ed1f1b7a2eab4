/* How every marker moves with the states: xi_marker = J X S. */
#include "linear/holder.h"

static routh_status one_marker(rt_linear_holder *h, const rt_search *s, const rt_sensitivity *x,
                               int k, routh_error *error)
{
    const rt_marker *marker = &s->m->model->markers[k];
    const int n_states = h->linear.n_states;
    routh_marker_motion *out = &h->linear.markers[k];
    rt_motion map;
    out->name = rt_linear_text(h, "%s", marker->name);
    out->body = marker->body == RT_GROUND
                    ? rt_linear_text(h, "ground")
                    : rt_linear_text(h, "%s", s->m->model->bodies[marker->body].name);
    out->motion = RT_TAKE(&h->arena, double, 6 * (size_t)n_states);
    if (!out->name || !out->body || !out->motion) return rt_fail_memory(error);
    rt_v3_copy(out->position, s->w->markers[k].r);
    memcpy(out->orientation, s->w->markers[k].A, sizeof out->orientation);
    rt_marker_motion(s->m, s->w, s->state, k, &map);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < x->z; j++) {
            double sum = 0;
            for (int c = 0; c < map.n; c++)
                sum += map.J[i * map.n + c] * x->X[(size_t)j * x->n + map.columns[c]];
            out->motion[(size_t)i * n_states + j] = sum;
        }
    return ROUTH_OK;
}

routh_status rt_linear_markers(rt_linear_holder *h, const rt_search *s, const rt_sensitivity *x,
                               routh_error *error)
{
    h->linear.markers = RT_TAKE(&h->arena, routh_marker_motion, s->m->n_markers);
    if (!h->linear.markers) return rt_fail_memory(error);
    h->linear.n_markers = s->m->n_markers;
    for (int k = 0; k < s->m->n_markers; k++) {
        const routh_status status = one_marker(h, s, x, k, error);
        if (status) return status;
    }
    return ROUTH_OK;
}
