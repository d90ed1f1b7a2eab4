/* Force and torque given by components. */
#include "elements/load_block.h"
#include "elements/loads.h"
#include "model/load_fields.h"

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

/* ---- the classes ---------------------------------------------------------------------------- */

bool rt_components_load(const rt_load_at *at, bool partials, rt_load_result *out)
{
    rt_vector_load_evaluate(at->i, at->j, at->k, at->functions, at->functions + 3, partials, out,
                            at->by_axes);
    return true;
}

bool rt_components_unit(const rt_load_at *at, int k, rt_load_result *out)
{
    rt_scalar unit[6] = {0};
    unit[k] = 1;
    rt_vector_load_evaluate(at->i, at->j, at->k, unit, unit + 3, false, out, NULL);
    return true;
}

static bool force_evaluate(const rt_load_at *at, bool partials, rt_load_result *out)
{
    const rt_scalar none[3] = {0};
    rt_vector_load_evaluate(at->i, at->j, at->k, at->functions, none, partials, out, at->by_axes);
    return true;
}

static bool torque_evaluate(const rt_load_at *at, bool partials, rt_load_result *out)
{
    const rt_scalar none[3] = {0};
    rt_vector_load_evaluate(at->i, at->j, at->k, none, at->functions, partials, out, at->by_axes);
    return true;
}

static bool torque_unit(const rt_load_at *at, int k, rt_load_result *out)
{
    return rt_components_unit(at, 3 + k, out);
}

#define VECTOR_LOAD_FIELDS(what, sense_, unit_, reaction)                                          \
    LOAD_TYPE, {"on",       RT_FIELD_MARKER,                                                       \
                LOAD(on),   .required = true,                                                      \
                .unit = "", .doc = "the marker it acts on"},                                       \
        {"components",     RT_FIELD_FUNCTIONS,                                                     \
         LOAD(components), .required = true,                                                       \
         .sense = sense_, .unit = unit_,                                                    \
         .doc = "three expressions of measures, signals, time and parameters"},                    \
        {"resolved_in",                                                                            \
         RT_FIELD_MARKER,                                                                          \
         LOAD(resolved_in),                                                                        \
         .unit = "",                                                                               \
         .fallback = "ground",                                                                     \
         .doc = "the marker whose axes the components are in; the marker it acts on makes it "     \
                "follow the body"},                                                                \
    {                                                                                              \
        "reaction_on", RT_FIELD_MARKER, LOAD(reaction_on), .unit = "", .fallback = "none",         \
                                                           .doc = reaction                         \
    }
static const rt_field force_fields[] = {VECTOR_LOAD_FIELDS(
    "force", RT_PARTS_POLAR, "N",
    "a marker whose body takes the opposite force, at the same point of space as `on`")};
static const rt_field torque_fields[] = {
    VECTOR_LOAD_FIELDS("torque", RT_PARTS_AXIAL, "N m",
                       "a marker whose body takes the opposite torque")};

const rt_load_class rt_load_class_force = {
    .kind = {"force", RT_LOAD_FORCE, LOAD_FIELDS(force_fields), .doc = "A force on a marker."},
    .n_functions = 3,
    .all_functions = true,
    .resolved = true,
    .points = 1,
    .evaluate = force_evaluate,
    .unit = rt_components_unit,
    .picture = RT_PICTURE_ARROW,
    .closed_form = RT_CLOSED_FORCE,
    .closed_sample = "on: m, components: [\"-k*DX(m, n)\", 0, \"-c*VZ(m)\"]",
    .sample_parameters = "f: 3, g: 0.5",
    .sample = "on: i, components: [f, \"g*VX(i, j)\", \"f*sin(DX(i, j))\"], resolved_in: k, "
              "reaction_on: j",
};

const rt_load_class rt_load_class_torque = {
    .kind = {"torque", RT_LOAD_TORQUE, LOAD_FIELDS(torque_fields), .doc = "A torque on a marker."},
    .n_functions = 3,
    .all_functions = true,
    .resolved = true,
    .evaluate = torque_evaluate,
    .unit = torque_unit,
    .picture = RT_PICTURE_RING,
    .closed_form = RT_CLOSED_TORQUE,
    .closed_sample = "on: m, components: [0, \"-k*DX(m, n) - c*WY(m)\", 0]",
    .sample_parameters = "f: 3, g: 0.5",
    .sample = "on: i, components: [f, \"g*WX(i, j)\", \"f*sin(DX(i, j))\"], resolved_in: k, "
              "reaction_on: j",
};
