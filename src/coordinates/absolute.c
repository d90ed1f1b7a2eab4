/* Absolute coordinates: centre of mass and orientation of every body.
 *
 * q = (r, e0 e1 e2 e3) per body, always of unit length; u = (v, w_b) with w_b the angular velocity
 * in body axes. See body_fixed.h. */
#include "base/rotation.h"
#include "coordinates/body_fixed.h"

static int absolute_count_q(const routh_model *model) { return 7 * model->n_bodies; }

static void absolute_take(int n_bodies, const rt_frame *f, rt_scalar *q, rt_scalar *u)
{
    for (int b = 0; b < n_bodies; b++, f++, q += 7, u += 6) {
        rt_v3_copy(q, f->r);
        rt_rotation_to_quaternion(q + 3, f->A);
        rt_body_fixed_take(f, u);
    }
}

static void absolute_frames(int n_bodies, const rt_scalar *q, const rt_scalar *u,
                            const rt_scalar *udot, rt_frame *out)
{
    for (int b = 0; b < n_bodies; b++, q += 7, u += 6, udot += 6) {
        rt_v3_copy(out[b].r, q);
        rt_rotation_from_quaternion(out[b].A, q + 3);
        rt_body_fixed_rates(&out[b], u, udot);
    }
}

static void absolute_advance(int n_bodies, rt_scalar *q, const rt_scalar *xi)
{
    for (int b = 0; b < n_bodies; b++, q += 7, xi += 6) {
        rt_scalar A[9], turn[9], next[9];
        rt_v3_add(q, q, xi);
        rt_rotation_from_quaternion(A, q + 3);
        rt_rotation_exp(turn, xi + 3);
        rt_m3_mul(next, A, turn);
        rt_rotation_to_quaternion(q + 3, next);
    }
}

const rt_coordinate_set rt_absolute = {
    .name = "absolute",
    .about = "centre of mass and orientation of every body, body-fixed virtual rotations",
    .count_q = absolute_count_q,
    .count_u = rt_body_fixed_count_u,
    .columns = rt_body_fixed_columns,
    .take = absolute_take,
    .frames = absolute_frames,
    .map = rt_body_fixed_map,
    .geometric = rt_body_fixed_geometric,
    .advance = absolute_advance,
    .column = rt_body_fixed_column,
    .per_radian = 1,
};
