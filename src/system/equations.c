/* The equations whichever the coordinates are: the own ones of bodies, with numbers of rt_scalar,
 * or joined ones, which are evaluated on the frames of an inner mechanism. */
#include "system/compile.h"
#include "system/flexible.h"
#include "system/joined.h"
#include "system/scatter.h"

/* The frames that elements look at. */
static void equations_used_frames(const routh_mechanism *m, rt_workspace *w, const rt_state *state)
{
    m->joined->set->frames(m->joined, state->q, state->u, state->udot, w->bodies,
                           w->joined->scratch);
    rt_flexible_take(m, w, state);
    for (int k = 0; k < m->inner->n_used; k++) rt_evaluate_marker(m, w, m->inner->used[k]);
}

routh_status rt_evaluate(const routh_mechanism *m, rt_workspace *w, const rt_state *state, int what,
                         routh_error *error)
{
    w->evaluated = 0;
    if (!m->joined) {
        rt_evaluate_frames(m, w, state);
        return rt_evaluate_elements(m, w, state, what, error);
    }
    equations_used_frames(m, w, state);
    rt_angles_refer(m, w, state);
    return rt_joined_evaluate(m, w, state, what, error);
}

/* The state as one list, and whether it is what is there. */
static bool equations_keep_state(const routh_mechanism *m, const rt_state *state, rt_scalar *at)
{
    const size_t n = state->n, n_near = rt_count_near(m);
    bool same = memcmp(at, state->q, n * sizeof *at) == 0 &&
                memcmp(&at[n], &state->t, sizeof state->t) == 0;
    memcpy(at, state->q, n * sizeof *at);
    at[n] = state->t;
    for (size_t k = 0; k < n_near; k++) {
        const rt_scalar near = state->near[k];
        same = same && memcmp(&at[n + 1 + k], &near, sizeof near) == 0;
        at[n + 1 + k] = near;
    }
    return same;
}

routh_status rt_evaluate_once(const routh_mechanism *m, rt_workspace *w, const rt_state *state,
                              int what, routh_error *error)
{
    const int before = w->evaluated;
    if (equations_keep_state(m, state, w->evaluated_at) && (before & what) == what) return ROUTH_OK;
    const routh_status status = rt_evaluate(m, w, state, what, error);
    w->evaluated = status ? 0 : what;
    return status;
}

void rt_marker_motion(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                      int marker, rt_motion *out)
{
    rt_marker_map *map = w->motion;
    *out = (rt_motion){0};
    if (marker < 0 || m->marker_body[marker] == RT_GROUND) return;
    if (m->joined) {
        rt_joined_motion(m, w, marker, out);
        return;
    }
    rt_one_map(m, w, state, marker, map);
    rt_marker_columns(m, marker, w->motion_columns);
    *out = (rt_motion){map->n, w->motion_columns, map->J, map->J1, map->J2u, map->J2x};
}
