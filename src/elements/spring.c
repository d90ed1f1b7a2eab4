/* Spring, damper and actuator along the line between two points. */
#include "elements/load_block.h"
#include "elements/loads.h"
#include "model/load_fields.h"

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

/* ---- the class ------------------------------------------------------------------------------ */

/* numbers */
enum { STIFFNESS, DAMPING, PRELOAD, FREE_LENGTH };

static rt_scalar spring_length(const rt_load_at *at)
{
    rt_scalar length, rate;
    rt_spring_measure(at->i, at->j, &length, &rate);
    return length;
}

static bool spring_on_points(const rt_load_at *at, bool partials, rt_point_force *out)
{
    rt_scalar length, rate;
    rt_spring_measure(at->i, at->j, &length, &rate);
    const rt_law law = rt_linear_law(at, length, rate);
    out->damped = rt_re(law.by_rate) != 0;
    return rt_spring_force(at->i, at->j, law, out->force, partials ? out->stiffness : NULL,
                           out->damping);
}

static bool spring_evaluate(const rt_load_at *at, bool partials, rt_load_result *out)
{
    rt_scalar length, rate;
    rt_spring_measure(at->i, at->j, &length, &rate);
    return rt_spring_evaluate(at->i, at->j, rt_linear_law(at, length, rate), partials, out);
}

static bool spring_unit(const rt_load_at *at, int k, rt_load_result *out)
{
    (void)k;
    return rt_spring_evaluate(at->i, at->j, (rt_law){1, 0, 0}, false, out);
}

static rt_scalar spring_energy(const rt_load_at *at)
{
    return rt_linear_energy(at, spring_length(at));
}

static const rt_field spring_fields[] = {
    LOAD_TYPE,
    LOAD_BETWEEN("the two markers it pulls together or pushes apart"),
    {"stiffness", RT_FIELD_NUMBER, LOAD(load.stiffness), .sense = RT_SCALAR, .varies = true,
     .unit = "N/m", .fallback = "0", .doc = "force per extension"},
    {"damping", RT_FIELD_NUMBER, LOAD(load.damping), .sense = RT_SCALAR, .varies = true,
     .unit = "N s/m", .fallback = "0", .doc = "force per rate of extension"},
    {"free_length", RT_FIELD_NUMBER, LOAD(load.free_length), .range = RT_NOT_NEGATIVE,
     .sense = RT_SCALAR, .varies = true, .unit = "m",
     .fallback = "the length in the reference configuration",
     .doc = "the length at which stiffness gives no force"},
    {"preload", RT_FIELD_NUMBER, LOAD(load.preload), .sense = RT_SCALAR, .varies = true,
     .unit = "N", .fallback = "0",
     .doc = "force at the free length; positive pushes the markers apart"},
    {"force", RT_FIELD_FUNCTION, LOAD(function), .sense = RT_SCALAR, .unit = "N",
     .excludes = "table",
     .doc = "a further force that pushes the markers apart, as an expression of measures, signals "
            "and time"},
    {"table", RT_FIELD_TABLE, LOAD(table), .sense = RT_SCALAR, .unit = "m, N",
     .doc = "pairs [extension, force], extension counted from the free length and increasing; the "
            "force pulls the markers together, as stiffness * extension does; a curve goes through "
            "them and on along its last slopes"},
    RT_INTERPOLATION_FIELD(LOAD(interpolation), "")};

const rt_load_class rt_load_class_spring = {
    .kind = {"spring", RT_LOAD_SPRING, LOAD_FIELDS(spring_fields),
             .one_of = {"stiffness", "damping", "preload", "force", "table"},
             .doc = "A spring, damper or actuator along the line between two markers."},
    .numbers = {RT_NUMBERS_OF(stiffness), RT_NUMBERS_OF(damping), RT_NUMBERS_OF(preload),
                RT_NUMBERS_OF(free_length)},
    .n_functions = 1,
    .points = 2,
    .between_bodies = true,
    .evaluate = spring_evaluate,
    .undefined = "its two markers are at the same point, so the force has no direction; move one "
                 "of them",
    .unit = spring_unit,
    .on_points = spring_on_points,
    .measure = spring_length,
    .free = FREE_LENGTH,
    .energy = spring_energy,
    .picture = RT_PICTURE_COIL,
    .closed_form = RT_CLOSED_LENGTH,
    .closed_sample = "between: [m, w], stiffness: k, damping: c",
    .sample_parameters = "k: 40, c: 3, l0: 0.6, p: 2",
    .sample = "between: [i, j], stiffness: k, damping: c, free_length: l0, preload: p, force: "
              "\"0.2*VX(i, j)^2\"",
};
