#include "base/rotation.h"
#include "elements/load_block.h"
#include "elements/loads.h"
#include "model/load_fields.h"

/* Everything is worked out in the axes of j, in the relative variation
 *     y = (D, P),   D = A_j'(dr_i - dr_j + d x dtheta_j),   P = A_j'(dtheta_i - dtheta_j),
 *         d = r_i - r_j,
 * by which de = B y with B = diag(1, J), J = Jl(theta)^-1: since A_j'(dtheta_i - dtheta_j)~ turns
 * A_j'A_i from the left. Along the motion, y becomes the relative twist. */
typedef struct bushing_relative {
    rt_scalar d[3]; /* r_i - r_j, world */
    rt_scalar d_rate[3];
    rt_scalar theta[3];
    rt_scalar J[9];
    rt_scalar e[6], rate[6];
} bushing_relative;

static bool find_relative(const rt_frame *i, const rt_frame *j, const rt_scalar offset[6],
                          bushing_relative *s)
{
    rt_scalar R[9], u[3], w[3];
    rt_v3_sub(s->d, i->r, j->r);
    rt_v3_sub(s->d_rate, i->v, j->v);
    rt_m3_tmul(R, j->A, i->A);
    const bool regular = rt_rotation_log(s->theta, R);
    rt_rotation_left_inverse(s->J, s->theta);
    rt_m3_tmul_v(s->e, j->A, s->d);
    rt_v3_copy(s->e + 3, s->theta);
    for (int k = 0; k < 6; k++) s->e[k] -= offset[k];
    rt_v3_copy(u, s->d_rate);
    rt_v3_cross_add(u, s->d, j->w);
    rt_m3_tmul_v(s->rate, j->A, u);
    rt_v3_sub(u, i->w, j->w);
    rt_m3_tmul_v(w, j->A, u);
    rt_m3_mul_v(s->rate + 3, s->J, w);
    return regular;
}

bool rt_bushing_deflection(const rt_frame *i, const rt_frame *j, const rt_scalar offset[6],
                           rt_scalar e[6], rt_scalar rate[6])
{
    bushing_relative s;
    const bool regular = find_relative(i, j, offset, &s);
    memcpy(e, s.e, sizeof s.e);
    memcpy(rate, s.rate, sizeof s.rate);
    return regular;
}

/* rows[3][12] of 3x3 blocks: rows[:, block] += M */
static void bushing_place(rt_scalar rows[36], int block, rt_scalar s, const rt_scalar M[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) rows[12 * i + 3 * block + k] += s * M[3 * i + k];
}

/* C[3][12] += s M B, M 3x3 with the given leading dimension */
static void bushing_multiply_add(rt_scalar C[36], rt_scalar s, const rt_scalar *M, int leading,
                                 const rt_scalar B[36])
{
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < 3; l++) {
            const rt_scalar m = s * M[leading * i + l];
            for (int k = 0; k < 12; k++) C[12 * i + k] += m * B[12 * l + k];
        }
}

/* E (6 x 12): e' = E xi', de = E xi. */
static void deflection_rows(const bushing_relative *s, const rt_scalar Aj[9], rt_scalar E[72])
{
    rt_scalar At[9], S[9], AtS[9], P[36] = {0};
    memset(E, 0, 72 * sizeof *E);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) At[3 * i + k] = Aj[3 * k + i];
    rt_m3_skew(S, s->d);
    rt_m3_mul(AtS, At, S);
    bushing_place(E, 0, 1, At);
    bushing_place(E, 2, -1, At);
    bushing_place(E, 3, 1, AtS);
    bushing_place(P, 1, 1, At);
    bushing_place(P, 3, -1, At);
    bushing_multiply_add(E + 36, 1, s->J, 3, P);
}

/* E' (6 x 12), so that d(e') = E xi' + E' xi. With A_j'' = -A_j' w_j~,
 *     D: A_j'(d' x dtheta_j) - A_j' w_j x (dr_i - dr_j + d x dtheta_j)
 *     P: -A_j' w_j x (dtheta_i - dtheta_j),          J' = derivative of J along theta' */
static void deflection_rate_rows(const bushing_relative *s, const rt_frame *j, rt_scalar Er[72])
{
    rt_scalar W[9], S[9], AtW[9], AtWS[9], AtSr[9], Jr[9], P[36] = {0}, Pr[36] = {0}, At[9];
    memset(Er, 0, 72 * sizeof *Er);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) At[3 * i + k] = j->A[3 * k + i];
    rt_m3_skew(W, j->w);
    rt_m3_mul(AtW, At, W);
    rt_m3_skew(S, s->d);
    rt_m3_mul(AtWS, AtW, S);
    rt_m3_skew(S, s->d_rate);
    rt_m3_mul(AtSr, At, S);
    bushing_place(Er, 0, -1, AtW);
    bushing_place(Er, 2, 1, AtW);
    bushing_place(Er, 3, 1, AtSr);
    bushing_place(Er, 3, -1, AtWS);
    /* theta' is the rate of e's second half, the offset being constant */
    rt_rotation_left_inverse_along(Jr, s->theta, s->rate + 3);
    bushing_place(P, 1, 1, At);
    bushing_place(P, 3, -1, At);
    bushing_place(Pr, 1, -1, AtW);
    bushing_place(Pr, 3, 1, AtW);
    bushing_multiply_add(Er + 36, 1, Jr, 3, P);
    bushing_multiply_add(Er + 36, 1, s->J, 3, Pr);
}

/* The whole 12x12 from its two upper thirds df, dt (of f and t on i): on j,
 *     -df   and   d(-t - d x f) = -dt - d x df + f x (dr_i - dr_j),   the last at level xi only. */
static void fill_partial(rt_scalar partial[144], const rt_scalar df[36], const rt_scalar dt[36],
                         const rt_scalar d[3])
{
    rt_scalar S[9];
    rt_m3_skew(S, d);
    memcpy(partial, df, 36 * sizeof *df);
    memcpy(partial + 36, dt, 36 * sizeof *dt);
    for (int k = 0; k < 36; k++) partial[72 + k] = -df[k], partial[108 + k] = -dt[k];
    bushing_multiply_add(partial + 108, -1, S, 3, df);
}

/* Level with dF (6 x 12) given, in the axes of j: df = A_j dF_f, dt = A_j J' dF_m. */
static void to_world(const rt_scalar Aj[9], const rt_scalar J[9], const rt_scalar dF[72],
                     rt_scalar df[36], rt_scalar dt[36])
{
    rt_scalar AJt[9];
    rt_m3_mul_t(AJt, Aj, J);
    memset(df, 0, 36 * sizeof *df);
    memset(dt, 0, 36 * sizeof *dt);
    bushing_multiply_add(df, 1, Aj, 3, dF);
    bushing_multiply_add(dt, 1, AJt, 3, dF + 36);
}

/* C[6][12] -= M B, M 6x6 */
static void bushing_subtract_product(rt_scalar C[72], const rt_scalar M[36], const rt_scalar B[72])
{
    for (int row = 0; row < 6; row += 3)
        for (int l = 0; l < 6; l += 3)
            bushing_multiply_add(C + 12 * row, -1, M + 6 * row + l, 6, B + 12 * l);
}

/* f = A_j F_f,  t = A_j J' F_m:   df = A_j dF_f + dtheta_j x f
 *                                 dt = A_j (J' dF_m + d(J'F_m)/dtheta dtheta) + dtheta_j x t
 *     dF = -K E xi - C (E xi' + E' xi) */
static void bushing_partials_of(const bushing_relative *s, const rt_frame *j,
                                const rt_scalar stiffness[36], const rt_scalar damping[36],
                                const rt_scalar F[6], rt_load_result *out)
{
    const rt_scalar *f = out->wrench[0], *t = out->wrench[0] + 3;
    rt_scalar E[72], Er[72], dF[72] = {0}, df[36], dt[36], M[9], AM[9];
    deflection_rows(s, j->A, E);
    deflection_rate_rows(s, j, Er);

    bushing_subtract_product(dF, damping, E);
    to_world(j->A, s->J, dF, df, dt);
    fill_partial(out->partial[RT_LEVEL_VELOCITY], df, dt, s->d);

    memset(dF, 0, sizeof dF);
    bushing_subtract_product(dF, stiffness, E);
    bushing_subtract_product(dF, damping, Er);
    to_world(j->A, s->J, dF, df, dt);
    rt_rotation_right_inverse_gradient(M, s->theta, F + 3);
    rt_m3_mul(AM, j->A, M);
    bushing_multiply_add(dt, 1, AM, 3, E + 36);
    rt_m3_skew(M, f);
    bushing_place(df, 3, -1, M);
    rt_m3_skew(M, t);
    bushing_place(dt, 3, -1, M);
    rt_scalar *position = out->partial[RT_LEVEL_POSITION];
    fill_partial(position, df, dt, s->d);
    rt_m3_skew(M, f);
    rt_block_add(position, 3, 0, 1, M);
    rt_block_add(position, 3, 2, -1, M);
}

/* F = preload - K e - C e' */
static void find_force(const bushing_relative *s, const rt_scalar stiffness[36],
                       const rt_scalar damping[36], const rt_scalar preload[6], rt_scalar F[6])
{
    for (int i = 0; i < 6; i++) {
        F[i] = preload[i];
        for (int k = 0; k < 6; k++)
            F[i] -= stiffness[6 * i + k] * s->e[k] + damping[6 * i + k] * s->rate[k];
    }
}

bool rt_bushing_evaluate(const rt_frame *i, const rt_frame *j, const rt_scalar stiffness[36],
                         const rt_scalar damping[36], const rt_scalar preload[6],
                         const rt_scalar offset[6], bool partials, rt_load_result *out)
{
    bushing_relative s;
    rt_scalar F[6], moment[3], arm_moment[3];
    memset(out->wrench, 0, sizeof out->wrench);
    if (partials) memset(out->partial, 0, sizeof out->partial);
    if (!find_relative(i, j, offset, &s)) return false;
    find_force(&s, stiffness, damping, preload, F);
    rt_scalar *f = out->wrench[0], *t = out->wrench[0] + 3;
    rt_m3_mul_v(f, j->A, F);
    rt_m3_tmul_v(moment, s.J, F + 3);
    rt_m3_mul_v(t, j->A, moment);
    rt_v3_cross(arm_moment, f, s.d);
    rt_v3_scale(out->wrench[1], -1, f);
    rt_v3_sub(out->wrench[1] + 3, arm_moment, t);
    if (partials) bushing_partials_of(&s, j, stiffness, damping, F, out);
    return true;
}

/* ---- the class ------------------------------------------------------------------------------ */

bool rt_bushing_load(const rt_load_at *at, bool partials, rt_load_result *out)
{
    const rt_scalar *x = at->numbers;
    return rt_bushing_evaluate(at->i, at->j, x + RT_BUSHING_STIFFNESS, x + RT_BUSHING_DAMPING,
                               x + RT_BUSHING_PRELOAD, x + RT_BUSHING_OFFSET, partials, out);
}

rt_scalar rt_bushing_energy(const rt_load_at *at)
{
    rt_scalar e[6], rates[6];
    rt_bushing_deflection(at->i, at->j, at->numbers + RT_BUSHING_OFFSET, e, rates);
    return rt_matrix_energy(at->numbers, e);
}

static const rt_field translation_fields[] = {
    {"stiffness", RT_FIELD_TRIPLE, LOAD(translation_stiffness), .sense = RT_SCALAR, .varies = true,
     .unit = "N/m", .fallback = "0", .doc = "one number for all directions, or [kx, ky, kz]"},
    {"damping", RT_FIELD_TRIPLE, LOAD(translation_damping), .sense = RT_SCALAR, .varies = true,
     .unit = "N s/m", .fallback = "0", .doc = "one number for all directions, or [cx, cy, cz]"}};
/* Without stiffness, damping and preload against rotation its forces go by no angle. */
static bool bushing_rotates(const rt_load *load)
{
    bool felt = false;
    for (int i = 0; i < 36; i++)
        if (i / 6 > 2 || i % 6 > 2)
            felt = felt || load->stiffness6[i].value != 0 || load->damping6[i].value != 0;
    for (int i = 3; i < 6; i++) felt = felt || load->preload6[i].value != 0;
    return felt;
}

static const rt_field rotation_fields[] = {
    {"stiffness", RT_FIELD_TRIPLE, LOAD(rotation_stiffness), .sense = RT_SCALAR, .varies = true,
     .unit = "N m/rad", .fallback = "0", .doc = "one number for all axes, or three"},
    {"damping", RT_FIELD_TRIPLE, LOAD(rotation_damping), .sense = RT_SCALAR, .varies = true,
     .unit = "N m s/rad", .fallback = "0", .doc = "one number for all axes, or three"}};
static const rt_kind translation_kind[] = {
    {"translation", 0, LOAD_FIELDS(translation_fields), .doc = "The three forces of a bushing."}};
static const rt_kind rotation_kind[] = {
    {"rotation", 0, LOAD_FIELDS(rotation_fields), .doc = "The three torques of a bushing."}};
static const rt_section translation_group = {"translation", "translation", translation_kind, 1,
                                             .doc = ""};
static const rt_section rotation_group = {"rotation", "rotation", rotation_kind, 1, .doc = ""};

static const rt_field bushing_fields[] = {
    LOAD_TYPE,
    LOAD_BETWEEN("the two markers; force and torque act on the first, and are resolved in the axes "
                 "of the second"),
    LOAD_AT,
    {"translation", RT_FIELD_GROUP, 0, .unit = "", .excludes = "stiffness",
     .doc = "stiffness and damping against displacement", .inside = &translation_group},
    {"rotation", RT_FIELD_GROUP, 0, .unit = "", .excludes = "stiffness",
     .doc = "stiffness and damping against rotation", .inside = &rotation_group},
    {"stiffness", RT_FIELD_MATRIX6, LOAD(load.stiffness6), .sense = RT_WRENCH, .varies = true,
     .unit = "N/m, N, N m/rad",
     .doc = "instead of translation and rotation: the whole matrix, 6 rows of 6 numbers, for "
            "(x, y, z, rx, ry, rz)"},
    {"damping", RT_FIELD_MATRIX6, LOAD(load.damping6), .sense = RT_WRENCH, .varies = true,
     .unit = "N s/m, N s, N m s/rad", .needs = "stiffness",
     .doc = "the whole damping matrix, beside the whole stiffness matrix"},
    {"preload", RT_FIELD_VECTOR6, LOAD(load.preload6), .sense = RT_WRENCH, .varies = true,
     .unit = "N, N m", .fallback = "0",
     .doc = "force and torque on the first marker when the two coincide"}};

const rt_load_class rt_load_class_bushing = {
    .kind = {"bushing", RT_LOAD_BUSHING, LOAD_FIELDS(bushing_fields),
             .one_of = {"translation", "rotation", "stiffness", "preload"},
             .doc = "Stiffness and damping in six directions between two markers."},
    .numbers = RT_BUSHING_NUMBERS,
    .wound = RT_BUSHING_WOUND,
    .rotates = bushing_rotates,
    .between_bodies = true,
    .evaluate = rt_bushing_load,
    .undefined = RT_BUSHING_UNDEFINED,
    .energy = rt_bushing_energy,
    .picture = RT_PICTURE_RUBBER,
    .closed_form = RT_CLOSED_BUSHING,
    .closed_sample = "between: [m, n], translation: {stiffness: k, damping: c}, "
                     "rotation: {stiffness: c}",
    .sample_parameters = "k: 40, c: 3, kr: 7, cr: 0.5, p: 2",
    .sample = "between: [i, j], stiffness: [[k,2,1,0.5,0,1], [2,k/2,3,0,0.4,0], "
              "[1,3,20,0,0,0.3], [0.5,0,0,kr,1,0], [0,0.4,0,1,8,0], [1,0,0.3,0,0,kr]], damping: "
              "[[c,0.2,0,0.1,0,0], [0.3,2,0,0,0.1,0], [0,0,4,0,0,0], [0.1,0,0,cr,0.2,0], "
              "[0,0.1,0,0.3,0.9,0], [0,0,0,0,0,0.8]], preload: [p, -2, 3, 0.5, -0.4, 0.3]",
};
