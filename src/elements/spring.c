#include "elements/load_block.h"
#include "elements/loads.h"

void rt_spring_measure(const rt_frame *i, const rt_frame *j, rt_scalar *length, rt_scalar *rate)
{
    rt_scalar d[3], v[3];
    rt_v3_sub(d, i->r, j->r);
    rt_v3_sub(v, i->v, j->v);
    *length = rt_v3_norm(d);
    *rate = rt_re(*length) > 0 ? rt_v3_dot(d, v) / *length : 0;
}

/* With n the unit vector from j to i, l the length and T = (I - n n')/l:
 *     dl = n . d,     dl' = n . d' + n' . d,     dn = T d,     n' = T v,     d = dr_i - dr_j
 *     f = value n,    df = n (by_x dl + by_rate dl') + value dn */
static void spring_partials_of(const rt_scalar n[3], const rt_scalar v[3], rt_scalar length,
                               rt_law law, rt_scalar stiffness[9], rt_scalar damping[9])
{
    rt_scalar turn[9] = {0}, n_rate[3];
    turn[0] = turn[4] = turn[8] = 1 / length;
    rt_m3_add_outer(turn, -1 / length, n, n);
    rt_m3_mul_v(n_rate, turn, v);
    for (int k = 0; k < 9; k++) stiffness[k] = law.value * turn[k];
    rt_m3_add_outer(stiffness, law.by_x, n, n);
    rt_m3_add_outer(stiffness, law.by_rate, n, n_rate);
    memset(damping, 0, 9 * sizeof *damping);
    rt_m3_add_outer(damping, law.by_rate, n, n);
}

bool rt_spring_force(const rt_frame *i, const rt_frame *j, rt_law law, rt_scalar force[3],
                     rt_scalar stiffness[9], rt_scalar damping[9])
{
    rt_scalar n[3], v[3];
    rt_v3_sub(n, i->r, j->r);
    const rt_scalar length = rt_v3_norm(n);
    if (!(rt_re(length) > 0)) return false;
    rt_v3_scale(n, 1 / length, n);
    rt_v3_sub(v, i->v, j->v);
    rt_v3_scale(force, law.value, n);
    if (stiffness) spring_partials_of(n, v, length, law, stiffness, damping);
    return true;
}

bool rt_spring_evaluate(const rt_frame *i, const rt_frame *j, rt_law law, bool partials,
                        rt_load_result *out)
{
    rt_scalar stiffness[9], damping[9];
    memset(out->wrench, 0, sizeof out->wrench);
    if (partials) memset(out->partial, 0, sizeof out->partial);
    if (!rt_spring_force(i, j, law, out->wrench[0], partials ? stiffness : NULL, damping))
        return false;
    rt_v3_scale(out->wrench[1], -1, out->wrench[0]);
    if (!partials) return true;
    rt_block_pair(out->partial[RT_LEVEL_POSITION], 0, stiffness);
    rt_block_pair(out->partial[RT_LEVEL_VELOCITY], 0, damping);
    return true;
}
