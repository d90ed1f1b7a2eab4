/* Torsion spring, damper and actuator about an axis. */
#include "elements/load_block.h"
#include "elements/loads.h"
#include "model/load_fields.h"

/* The angle from x_j to the projection of x_i on the plane x_j, y_j, and what its derivatives are
 * made of:
 *     S = x_i . y_j,    C = x_i . x_j,    rho = S^2 + C^2,    q = C y_j - S x_j
 *     d angle = g . (dtheta_i - dtheta_j),    g = x_i x q / rho */
typedef struct torsion_angle {
    rt_scalar value;
    rt_scalar S, C, rho;
    rt_scalar x[3], xx[3], xy[3]; /* x_i, x_i x x_j, x_i x y_j */
    rt_scalar q[3], g[3];
} torsion_angle;

/* false, with g = 0, when x_i stands along z_j, where the angle is not defined. */
static bool torsion_find_angle(const rt_frame *i, const rt_frame *j, const double triad[9],
                               torsion_angle *a)
{
    /* of rho, the squared sine between x_i and z_j: rounding of the axes */
    const double undefined = 1e-28;
    rt_scalar X[3], Y[3], column[3];
    for (int k = 0; k < 3; k++) column[k] = triad[3 * k];
    rt_m3_mul_v(a->x, i->A, column);
    rt_m3_mul_v(X, j->A, column);
    for (int k = 0; k < 3; k++) column[k] = triad[3 * k + 1];
    rt_m3_mul_v(Y, j->A, column);
    a->S = rt_v3_dot(a->x, Y);
    a->C = rt_v3_dot(a->x, X);
    a->rho = a->S * a->S + a->C * a->C;
    a->value = rt_atan_of(a->S, a->C);
    rt_v3_cross(a->xx, a->x, X);
    rt_v3_cross(a->xy, a->x, Y);
    rt_v3_scale(a->q, a->C, Y);
    rt_v3_add_scaled(a->q, -a->S, X);
    rt_v3_set(a->g, 0, 0, 0);
    if (!(rt_re(a->rho) > undefined)) return false;
    rt_v3_cross(a->g, a->x, a->q);
    rt_v3_scale(a->g, 1 / a->rho, a->g);
    return true;
}

/* g is carried along when both frames turn, so with d = dtheta_i - dtheta_j
 *     dg = dtheta_j x g + H d,
 *     H = (x_i q' + (x_i x y_j)(x_i x x_j)' - (x_i x x_j)(x_i x y_j)')/rho
 *         - 2 g (S x_i x y_j + C x_i x x_j)'/rho                                  (x_i . q = 0) */
static void gradient_turn(const torsion_angle *a, rt_scalar H[9])
{
    rt_scalar by_rho[3];
    rt_v3_scale(by_rho, a->S, a->xy);
    rt_v3_add_scaled(by_rho, a->C, a->xx);
    memset(H, 0, 9 * sizeof *H);
    rt_m3_add_outer(H, 1 / a->rho, a->x, a->q);
    rt_m3_add_outer(H, 1 / a->rho, a->xy, a->xx);
    rt_m3_add_outer(H, -1 / a->rho, a->xx, a->xy);
    rt_m3_add_outer(H, -2 / a->rho, a->g, by_rho);
}

void rt_torsion_measure(const rt_frame *i, const rt_frame *j, const double triad[9], double near,
                        rt_scalar *value, rt_scalar *rate)
{
    torsion_angle a;
    rt_scalar w[3];
    torsion_find_angle(i, j, triad, &a);
    rt_v3_sub(w, i->w, j->w);
    *value = rt_counted(a.value, near);
    *rate = rt_v3_dot(a.g, w);
}

/* t = value g on i, -t on j:
 *     dt = g (by_x g . d + by_rate (g . d' + g' . d)) + value dg,     g' = w_j x g + H (w_i - w_j)
 * where d' is the derivative of d along the motion, level xi'. */
static void torsion_partials_of(const torsion_angle *a, const rt_scalar wj[3], const rt_scalar w[3],
                                rt_law law, rt_load_result *out)
{
    rt_scalar H[9], G[9], stiffness[9], damping[9] = {0}, g_rate[3];
    rt_scalar *position = out->partial[RT_LEVEL_POSITION];
    gradient_turn(a, H);
    rt_m3_mul_v(g_rate, H, w);
    rt_v3_cross_add(g_rate, wj, a->g);
    for (int k = 0; k < 9; k++) stiffness[k] = law.value * H[k];
    rt_m3_add_outer(stiffness, law.by_x, a->g, a->g);
    rt_m3_add_outer(stiffness, law.by_rate, a->g, g_rate);
    rt_m3_add_outer(damping, law.by_rate, a->g, a->g);
    rt_block_pair(position, 1, stiffness);
    rt_block_pair(out->partial[RT_LEVEL_VELOCITY], 1, damping);
    /* value dtheta_j x g */
    rt_m3_skew(G, a->g);
    rt_block_add(position, 1, 3, -law.value, G);
    rt_block_add(position, 3, 3, law.value, G);
}

bool rt_torsion_evaluate(const rt_frame *i, const rt_frame *j, const double triad[9], rt_law law,
                         bool partials, rt_load_result *out)
{
    torsion_angle a;
    rt_scalar w[3];
    memset(out->wrench, 0, sizeof out->wrench);
    if (partials) memset(out->partial, 0, sizeof out->partial);
    if (!torsion_find_angle(i, j, triad, &a)) return false;
    rt_v3_scale(out->wrench[0] + 3, law.value, a.g);
    rt_v3_scale(out->wrench[1] + 3, -law.value, a.g);
    rt_v3_sub(w, i->w, j->w);
    if (partials) torsion_partials_of(&a, j->w, w, law, out);
    return true;
}

/* ---- the class ------------------------------------------------------------------------------ */

/* numbers */
enum { STIFFNESS, DAMPING, PRELOAD, FREE_ANGLE };

static rt_scalar torsion_angle_of(const rt_load_at *at)
{
    rt_scalar angle, rate;
    rt_torsion_measure(at->i, at->j, at->load->triad, at->near, &angle, &rate);
    return angle;
}

static bool torsion_evaluate(const rt_load_at *at, bool partials, rt_load_result *out)
{
    rt_scalar angle, rate;
    rt_torsion_measure(at->i, at->j, at->load->triad, at->near, &angle, &rate);
    return rt_torsion_evaluate(at->i, at->j, at->load->triad, rt_linear_law(at, angle, rate),
                               partials, out);
}

static bool torsion_unit(const rt_load_at *at, int k, rt_load_result *out)
{
    (void)k;
    return rt_torsion_evaluate(at->i, at->j, at->load->triad, (rt_law){1, 0, 0}, false, out);
}

static rt_scalar torsion_energy(const rt_load_at *at)
{
    return rt_linear_energy(at, torsion_angle_of(at));
}

static const rt_field torsion_fields[] = {
    LOAD_TYPE,
    LOAD_BETWEEN("the two markers; the torque acts on the first"),
    LOAD_AT,
    {"axis", RT_FIELD_AXIS, LOAD(load.axis), .sense = RT_AXIS_AXIAL, .unit = "", .fallback = "z",
     .doc =
         "the axis it rotates about in the markers' own axes (with `at`: in the world): x, y, z, "
         "-x, -y, -z or a vector"},
    {"stiffness", RT_FIELD_NUMBER, LOAD(load.stiffness), .sense = RT_SCALAR, .varies = true,
     .unit = "N m/rad", .fallback = "0", .doc = "torque per angle"},
    {"damping", RT_FIELD_NUMBER, LOAD(load.damping), .sense = RT_SCALAR, .varies = true,
     .unit = "N m s/rad", .fallback = "0", .doc = "torque per rate of the angle"},
    {"free_angle", RT_FIELD_NUMBER, LOAD(load.free_length), .sense = RT_SCALAR, .varies = true,
     .unit = "rad", .fallback = "the angle in the reference configuration",
     .doc = "the angle at which stiffness gives no torque; the spring starts within half a "
            "revolution of it and counts its revolutions from there"},
    {"preload", RT_FIELD_NUMBER, LOAD(load.preload), .sense = RT_SCALAR, .varies = true,
     .unit = "N m", .fallback = "0", .doc = "torque on the first marker at the free angle"},
    {"torque", RT_FIELD_FUNCTION, LOAD(function), .sense = RT_SCALAR, .unit = "N m",
     .excludes = "table",
     .doc = "a further torque on the first marker, as an expression of measures, signals and time"},
    {"table", RT_FIELD_TABLE, LOAD(table), .sense = RT_SCALAR, .unit = "rad, N m",
     .doc = "pairs [angle, torque], the angle counted from the free angle and increasing; the "
            "torque rotates the first marker back, as stiffness * angle does; a curve goes through "
            "them and on along its last slopes"},
    RT_INTERPOLATION_FIELD(LOAD(interpolation), "")};

const rt_load_class rt_load_class_torsion_spring = {
    .kind = {"torsion_spring", RT_LOAD_TORSION_SPRING, LOAD_FIELDS(torsion_fields),
             .one_of = {"stiffness", "damping", "preload", "torque", "table"},
             .doc = "A spring, damper or actuator about an axis."},
    .numbers = {RT_NUMBERS_OF(stiffness), RT_NUMBERS_OF(damping), RT_NUMBERS_OF(preload),
                RT_NUMBERS_OF(free_length)},
    .n_functions = 1,
    .about_axis = true,
    .counts_turns = true,
    .between_bodies = true,
    .evaluate = torsion_evaluate,
    .undefined = "its two markers are tilted by a right angle against each other, where the angle "
                 "about its axis is not defined; rotate one of them or choose another axis",
    .unit = torsion_unit,
    .measure = torsion_angle_of,
    .free = FREE_ANGLE,
    .energy = torsion_energy,
    .picture = RT_PICTURE_RING,
    .closed_form = RT_CLOSED_ANGLE,
    .closed_sample = "between: [m, n], axis: y, stiffness: k, damping: c",
    .sample_parameters = "k: 4, c: 0.3, a0: 0.1, p: 0.2",
    .sample = "between: [i, j], stiffness: k, damping: c, free_angle: a0, preload: p, torque: "
              "\"0.2*WX(i, j)^2\"",
};
