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
    if (!m->joined) {
        rt_evaluate_frames(m, w, state);
        return rt_evaluate_elements(m, w, state, what, error);
    }
    equations_used_frames(m, w, state);
    rt_angles_refer(m, w, state);
    return rt_joined_evaluate(m, w, state, what, error);
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
