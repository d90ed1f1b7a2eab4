/* Angles that count their turns: what they are near to belongs to the state. */
#include "system/system.h"

/* The principal angle of marker i relative to j, and its rate. */
static void angle_jet_of(const rt_workspace *w, const rt_counted_angle *a, rt_scalar jet[2])
{
    rt_vector p_i = {.kind = RT_VECTOR_AXIS, .i = a->i, .j = RT_GROUND, .l = RT_GROUND};
    rt_vector p_j = p_i, q_j = p_i;
    rt_scalar p[3][3], along[3][3], across[3][3];
    const rt_frames frames = {w->markers};
    p_j.i = q_j.i = a->j;
    memcpy(p_i.local, a->p, sizeof a->p);
    memcpy(p_j.local, a->p, sizeof a->p);
    memcpy(q_j.local, a->q, sizeof a->q);
    rt_vector_jet(frames, &p_i, p);
    rt_vector_jet(frames, &p_j, along);
    rt_vector_jet(frames, &q_j, across);
    const rt_scalar s = rt_v3_dot(p[0], across[0]), c = rt_v3_dot(p[0], along[0]);
    const rt_scalar s1 = rt_v3_dot(p[1], across[0]) + rt_v3_dot(p[0], across[1]);
    const rt_scalar c1 = rt_v3_dot(p[1], along[0]) + rt_v3_dot(p[0], along[1]);
    const rt_scalar square = s * s + c * c;
    jet[0] = rt_atan_of(s, c);
    jet[1] = rt_re(square) > 0 ? (c * s1 - s * c1) / square : 0;
}

void rt_angles_refer(const routh_mechanism *m, rt_workspace *w, const rt_state *state)
{
    const int n = m->model->n_angles;
    for (int k = 0; k < n; k++)
        w->near[k] = state->near[k] + state->near[n + k] * (rt_re(state->t) - state->near[2 * n]);
}

/* Markers that no element looks at may have old frames. */
static void bring_marker(const routh_mechanism *m, rt_workspace *w, int marker)
{
    if (marker >= 0) rt_evaluate_marker(m, w, marker);
}

void rt_angles_settle(const routh_mechanism *m, rt_workspace *w, rt_state *state, bool still)
{
    const int n = m->model->n_angles;
    if (n == 0) return;
    for (int k = 0; k < n; k++) {
        const rt_counted_angle *a = &m->model->angles[k];
        rt_scalar jet[2];
        bring_marker(m, w, a->i);
        bring_marker(m, w, a->j);
        angle_jet_of(w, a, jet);
        state->near[k] = rt_re(rt_counted(jet[0], w->near[k]));
        state->near[n + k] = still ? 0 : rt_re(jet[1]);
    }
    state->near[2 * n] = rt_re(state->t);
}

void rt_take_angles(const routh_mechanism *m, rt_state *to, const rt_state *from)
{
    if (m->model->n_angles) memcpy(to->near, from->near, rt_count_near(m) * sizeof *to->near);
}
