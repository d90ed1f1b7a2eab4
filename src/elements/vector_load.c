#include "elements/load_block.h"
#include "elements/loads.h"

/* On j: force -f, torque -t - d x f with d = r_i - r_j. The components turn with k, df = dtheta_k
 * x f, so
 *     on i:  df = -f~ dtheta_k                 dt = -t~ dtheta_k
 *     on j:  d(-t - d x f) = f~ (dr_i - dr_j) + (t~ + d~ f~) dtheta_k */
static void vector_load_partials_of(const rt_scalar f[3], const rt_scalar t[3],
                                    const rt_scalar arm[3], bool reaction, rt_scalar partial[144],
                                    rt_scalar partial_k[12 * 3])
{
    rt_scalar F[9], T[9], D[9], DF[9];
    rt_m3_skew(F, f);
    rt_m3_skew(T, t);
    for (int k = 0; k < 9; k++) partial_k[k] = -F[k], partial_k[9 + k] = -T[k];
    if (!reaction) return;
    rt_m3_skew(D, arm);
    rt_m3_mul(DF, D, F);
    for (int k = 0; k < 9; k++) partial_k[18 + k] = F[k], partial_k[27 + k] = T[k] + DF[k];
    rt_block_add(partial, 3, 0, 1, F);
    rt_block_add(partial, 3, 2, -1, F);
}

void rt_vector_load_evaluate(const rt_frame *i, const rt_frame *j, const rt_frame *k,
                             const rt_scalar force[3], const rt_scalar torque[3], bool partials,
                             rt_load_result *out, rt_scalar partial_k[12 * 3])
{
    rt_scalar f[3], t[3], arm[3] = {0};
    rt_m3_mul_v(f, k->A, force);
    rt_m3_mul_v(t, k->A, torque);
    memset(out->wrench, 0, sizeof out->wrench);
    rt_v3_copy(out->wrench[0], f);
    rt_v3_copy(out->wrench[0] + 3, t);
    if (j) {
        rt_scalar moment[3];
        rt_v3_sub(arm, i->r, j->r);
        rt_v3_cross(moment, f, arm);
        rt_v3_scale(out->wrench[1], -1, f);
        rt_v3_sub(out->wrench[1] + 3, moment, t);
    }
    if (partials) {
        memset(out->partial, 0, sizeof out->partial);
        memset(partial_k, 0, 12 * 3 * sizeof *partial_k);
        vector_load_partials_of(f, t, arm, j != NULL, out->partial[RT_LEVEL_POSITION], partial_k);
    }
}
