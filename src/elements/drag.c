/* Quadratic drag: a force against the velocity of a point through a medium that moves with the
 * second marker.
 *     v = v_i - v_j - w_j x d,    d = r_i - r_j
 *     f = -c |v| v on i,          -f on j at the same place, about whose origin it has -d x f
 * With B = c (|v| 1 + v v'/|v|), which is zero where v is:
 *     df = -B dv,   dv = dr_i' - dr_j' + d~ dtheta_j' - w_j~ (dr_i - dr_j) - d~ w_j~ dtheta_j */
#include "elements/load_block.h"
#include "elements/loads.h"
#include "model/load_fields.h"

static void drag_velocity(const rt_load_at *at, rt_scalar d[3], rt_scalar v[3])
{
    rt_scalar carried[3];
    rt_v3_sub(d, at->i->r, at->j->r);
    rt_v3_sub(v, at->i->v, at->j->v);
    rt_v3_cross(carried, at->j->w, d);
    rt_v3_sub(v, v, carried);
}

/* The rows of df = X dr_i - X dr_j + Y dtheta_j of one level: of the force on i, the force on j,
 * and -d~ df of the torque on j. */
static void drag_add_rows(rt_scalar P[144], const rt_scalar D[9], const rt_scalar X[9],
                          const rt_scalar Y[9])
{
    rt_scalar DX[9], DY[9];
    rt_block_pair(P, 0, X);
    rt_block_add(P, 0, 3, 1, Y);
    rt_block_add(P, 2, 3, -1, Y);
    rt_m3_mul(DX, D, X);
    rt_m3_mul(DY, D, Y);
    rt_block_add(P, 3, 0, -1, DX);
    rt_block_add(P, 3, 2, 1, DX);
    rt_block_add(P, 3, 3, -1, DY);
}

static void drag_partials(const rt_load_at *at, const rt_scalar d[3], const rt_scalar v[3],
                          const rt_scalar f[3], rt_load_result *out)
{
    const rt_scalar c = at->numbers[0], speed = rt_v3_norm(v);
    rt_scalar B[9] = {0}, D[9], W[9], F[9], DW[9], X[9], Y[9];
    rt_m3_skew(D, d);
    rt_m3_skew(W, at->j->w);
    rt_m3_skew(F, f);
    B[0] = B[4] = B[8] = -c * speed;
    if (rt_re(speed) > 0) rt_m3_add_outer(B, -c / speed, v, v);
    rt_m3_mul(Y, B, D);
    drag_add_rows(out->partial[RT_LEVEL_VELOCITY], D, B, Y);
    rt_m3_mul(X, B, W);
    rt_m3_mul(DW, D, W);
    rt_m3_mul(Y, B, DW);
    for (int k = 0; k < 9; k++) X[k] = -X[k], Y[k] = -Y[k];
    drag_add_rows(out->partial[RT_LEVEL_POSITION], D, X, Y);
    /* -dd x f = f~ dd */
    rt_block_add(out->partial[RT_LEVEL_POSITION], 3, 0, 1, F);
    rt_block_add(out->partial[RT_LEVEL_POSITION], 3, 2, -1, F);
}

static bool drag_evaluate(const rt_load_at *at, bool partials, rt_load_result *out)
{
    rt_scalar d[3], v[3];
    drag_velocity(at, d, v);
    memset(out->wrench, 0, sizeof out->wrench);
    rt_v3_scale(out->wrench[0], -at->numbers[0] * rt_v3_norm(v), v);
    rt_v3_scale(out->wrench[1], -1, out->wrench[0]);
    rt_v3_cross(out->wrench[1] + 3, d, out->wrench[1]);
    if (!partials) return true;
    memset(out->partial, 0, sizeof out->partial);
    drag_partials(at, d, v, out->wrench[0], out);
    return true;
}

static const rt_field drag_fields[] = {
    LOAD_TYPE,
    LOAD_BETWEEN("the marker that is slowed down, and the marker whose body carries the medium: "
                 "ground where it is at rest"),
    {"coefficient", RT_FIELD_NUMBER, LOAD(load.own[0]), .required = true, .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .varies = true, .unit = "N s^2/m^2",
     .doc = "c of the force c v^2 against the velocity v: density * drag coefficient * area / 2"}};

const rt_load_class rt_load_class_drag = {
    .kind = {"drag", RT_LOAD_DRAG, LOAD_FIELDS(drag_fields),
             .doc = "Drag that grows with the square of the velocity."},
    .numbers = {RT_NUMBERS_OF(own)},
    .points = 1,
    .between_bodies = true,
    .evaluate = drag_evaluate,
    .picture = RT_PICTURE_PLAIN,
    .kink_at_rest = true,
    .sample_parameters = "c: 0.7",
    .sample = "between: [i, j], coefficient: c",
};
