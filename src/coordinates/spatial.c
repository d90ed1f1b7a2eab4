/* Body frames in spatial form: what joined sets are built upon (joined.h).
 *
 * The columns of a body are the variation Xi = (Xi_O, dtheta) at a fixed point O, from which the
 * frames given to map and geometric are counted, and the three levels Xi, Xi', Xi'' stand for xi,
 * du, du':
 *     dr   = Xi_O - r~ dtheta
 *     dr'  = Xi_O' - r~ dtheta' - v~ dtheta
 *     dr'' = Xi_O'' - r~ dtheta'' - 2 v~ dtheta' - a~ dtheta
 * It is no set of its own: a twist at the origin does not commute with time in this way. */
#include "coordinates/body_fixed.h"

static void spatial_add_skew(rt_scalar *X, rt_scalar s, const rt_scalar v[3])
{
    rt_scalar S[9];
    rt_m3_skew(S, v);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) X[6 * i + 3 + j] += s * S[3 * i + j];
}

static void spatial_map(int body, const rt_scalar *q, const rt_scalar *u, const rt_scalar *udot,
                        const rt_frame *frame, rt_map *out)
{
    (void)body, (void)q, (void)u, (void)udot;
    *out = (rt_map){.n = 6};
    for (int i = 0; i < 6; i++) out->J[7 * i] = 1;
    spatial_add_skew(out->J, -1, frame->r);
    spatial_add_skew(out->J1, -1, frame->v);
    spatial_add_skew(out->J2u, -2, frame->v);
    spatial_add_skew(out->J2x, -1, frame->a);
}

/* The torque about O is t + r x f; dr x f = -f~ (Xi_O - r~ dtheta) */
static void spatial_geometric(int body, const rt_scalar *q, const rt_frame *frame,
                              const rt_scalar wrench[6], rt_scalar *K, int width)
{
    rt_scalar F[9], R[9], FR[9];
    (void)body, (void)q;
    rt_m3_skew(F, wrench);
    rt_m3_skew(R, frame->r);
    rt_m3_mul(FR, F, R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            K[(3 + i) * width + j] -= F[3 * i + j];
            K[(3 + i) * width + 3 + j] += FR[3 * i + j];
        }
}

static int spatial_count_q(const routh_model *model) { return rt_absolute.count_q(model); }

static void spatial_take(int n_bodies, const rt_frame *in, rt_scalar *q, rt_scalar *u)
{
    rt_absolute.take(n_bodies, in, q, u);
}

static void spatial_frames(int n_bodies, const rt_scalar *q, const rt_scalar *u,
                           const rt_scalar *udot, rt_frame *out)
{
    rt_absolute.frames(n_bodies, q, u, udot, out);
}

static void spatial_advance(int n_bodies, rt_scalar *q, const rt_scalar *xi)
{
    rt_absolute.advance(n_bodies, q, xi);
}

const rt_coordinate_set rt_spatial_frames = {
    .name = "spatial",
    .about = "frames of bodies, spatial variations",
    .count_q = spatial_count_q,
    .count_u = rt_body_fixed_count_u,
    .columns = rt_body_fixed_columns,
    .take = spatial_take,
    .frames = spatial_frames,
    .map = spatial_map,
    .geometric = spatial_geometric,
    .advance = spatial_advance,
    .column = rt_body_fixed_column,
    .per_radian = 1,
};
