/* The numbers that are read of a part, mirrored and placed in the world (mirror.c). */
#include "model/scope.h"

#include <string.h>

#include "base/vec3.h"
#include "model/placing.h"

/* ---- placing --------------------------------------------------------------------------------- */

static void rotate_vector(rt_reader *r, rt_number x[3])
{
    rt_number y[3];
    if (!r->scope || !r->scope->frame) return;
    rt_numbers_times(&r->calculator, y, r->scope->frame + 3, x);
    memcpy(x, y, sizeof y);
}

void rt_vector_of_part(rt_reader *r, rt_number x[3], bool axial)
{
    for (int k = 0; k < 3; k++)
        x[k] = rt_signed(r, axial ? rt_axial_sign(r, k) : rt_polar_sign(r, k), x[k]);
    rotate_vector(r, x);
}

/* F D A D F', in the axes of the world. */
void rt_rotation_of_part(rt_reader *r, rt_number A[9])
{
    rt_number F[9], B[9];
    for (int k = 0; k < 9; k++)
        A[k] = rt_signed(r, rt_polar_sign(r, k / 3) * rt_polar_sign(r, k % 3), A[k]);
    if (!r->scope || !r->scope->frame) return;
    for (int k = 0; k < 9; k++) F[k] = r->scope->frame[3 + 3 * (k % 3) + k / 3];
    rt_numbers_matrix(&r->calculator, B, r->scope->frame + 3, A);
    rt_numbers_matrix(&r->calculator, A, B, F);
}

void rt_turn_into_world(rt_reader *r, rt_number A[9])
{
    rt_number B[9];
    if (!r->scope || !r->scope->frame) return;
    rt_numbers_matrix(&r->calculator, B, r->scope->frame + 3, A);
    memcpy(A, B, sizeof B);
}

void rt_axes_of_part(rt_reader *r, rt_number A[9])
{
    rt_number B[9];
    if (!r->scope || !r->scope->frame) return;
    rt_numbers_matrix(&r->calculator, B, A, r->scope->frame + 3);
    memcpy(A, B, sizeof B);
}

void rt_into_world(rt_reader *r, rt_number x[3], rt_number A[9])
{
    if (!r->scope || !r->scope->frame) return;
    if (A) rt_turn_into_world(r, A);
    rotate_vector(r, x);
    for (int k = 0; k < 3; k++) x[k] = rt_plus(&r->calculator, x[k], r->scope->frame[k]);
}

/* ---- mirroring ------------------------------------------------------------------------------- */

static void reflect_vector(rt_reader *r, rt_number x[3], bool axial)
{
    for (int k = 0; k < 3; k++)
        x[k] = rt_signed(r, axial ? rt_axial_sign(r, k) : rt_polar_sign(r, k), x[k]);
}

/* D A D */
static void reflect_matrix(rt_reader *r, rt_number A[9])
{
    for (int k = 0; k < 9; k++)
        A[k] = rt_signed(r, rt_polar_sign(r, k / 3) * rt_polar_sign(r, k % 3), A[k]);
}

/* s f of six entries, s K s of 36; of a section in its own axes, d = (1, D_y, det(D) D_y). */
static void reflect_wrench(rt_reader *r, rt_number *x, int n, bool of_section)
{
    int s[6];
    const int det = rt_mirror_sign(r);
    const int section[3] = {1, rt_polar_sign(r, 1), det * rt_polar_sign(r, 1)};
    for (int k = 0; k < 3; k++) {
        s[k] = of_section ? section[k] : rt_polar_sign(r, k);
        s[3 + k] = det * s[k];
    }
    for (int k = 0; k < n; k++) x[k] = rt_signed(r, n == 6 ? s[k] : s[k / 6] * s[k % 6], x[k]);
}

/* The same triad where it depends on parameters: x is reflected, or opposite so that it has again a
 * positive component along the coordinate axis that it began with. */
static void reflect_triad(rt_reader *r, rt_axis *axis, const double before[9], bool axial)
{
    rt_number *T = RT_TAKE(&r->model->arena, rt_number, 9), x[3], y[3], z[3];
    int start = 0;
    if (!T) {
        r->calculator.failed = true; /* the reading ends as out of memory */
        return;
    }
    for (int k = 0; k < 3; k++) start = before[3 * k] > before[3 * start] ? k : start;
    for (int k = 0; k < 3; k++) {
        const int D = rt_polar_sign(r, k), s = axial ? rt_mirror_sign(r) : 1;
        x[k] = rt_signed(r, D * rt_polar_sign(r, start), axis->numbers[3 * k]);
        z[k] = rt_signed(r, D * s, axis->numbers[3 * k + 2]);
    }
    rt_numbers_cross(&r->calculator, y, z, x);
    for (int k = 0; k < 3; k++) T[3 * k] = x[k], T[3 * k + 1] = y[k], T[3 * k + 2] = z[k];
    axis->numbers = T;
}

/* The axis, and the triad that belongs to the new one by the rule of axes. */
static void reflect_axis(rt_reader *r, rt_axis *axis, bool axial)
{
    double z[3], before[9];
    if (!r->scope || !r->scope->mirrored) return;
    memcpy(before, axis->triad, sizeof before);
    for (int k = 0; k < 3; k++)
        z[k] = (axial ? rt_axial_sign(r, k) : rt_polar_sign(r, k)) * before[3 * k + 2];
    rt_triad_of_axis(z, axis->triad);
    if (axis->numbers) reflect_triad(r, axis, before, axial);
}

static void place_number_field(rt_reader *r, const rt_field *f, rt_number *x)
{
    switch (f->sense) {
    case RT_PSEUDOSCALAR: *x = rt_signed(r, rt_mirror_sign(r), *x); break;
    case RT_POINT:
        reflect_vector(r, x, false);
        rt_into_world(r, x, NULL);
        break;
    case RT_POLAR:
    case RT_AXIAL:
        reflect_vector(r, x, f->sense == RT_AXIAL);
        rotate_vector(r, x);
        break;
    case RT_LOCAL_POLAR: reflect_vector(r, x, false); break;
    case RT_ATTITUDE:
        reflect_matrix(r, x);
        rt_turn_into_world(r, x);
        break;
    case RT_LOCAL_ATTITUDE:
    case RT_LOCAL_INERTIA: reflect_matrix(r, x); break;
    case RT_WRENCH:
    case RT_SECTION_WRENCH:
        reflect_wrench(r, x, f->type == RT_FIELD_VECTOR6 ? 6 : 36, f->sense == RT_SECTION_WRENCH);
        break;
    default: break;
    }
}

/* Fields that were not given are placed too where they have a value then. */
void rt_place_fields(rt_reader *r, const rt_kind *kind, rt_given given, void *target)
{
    if (!r->scope || (!r->scope->mirrored && !r->scope->frame)) return;
    for (int k = 0; k < kind->n_fields; k++) {
        const rt_field *f = &kind->fields[k];
        void *at = (char *)target + f->offset;
        if (!(given >> k & 1u) && !f->fallback) continue;
        if (f->sense == RT_AXIS_POLAR || f->sense == RT_AXIS_AXIAL)
            reflect_axis(r, at, f->sense == RT_AXIS_AXIAL);
        else if (f->sense > RT_SCALAR && f->sense < RT_READ_LATER)
            place_number_field(r, f, at);
    }
}

/* ---- coordinates of joints ------------------------------------------------------------------- */

static rt_sense sense_of_axis(const rt_joint *joint)
{
    const rt_kind *kind = &joint->class->kind;
    for (int k = 0; k < kind->n_fields; k++)
        if (kind->fields[k].type == RT_FIELD_AXIS) return kind->fields[k].sense;
    return RT_SENSE_NOT_SAID;
}

/* The triad of the joint in the part that was not mirrored: T_0 = T(s D z), s = 1 or det(D). */
static void triad_before(const rt_reader *r, const rt_joint *joint, rt_sense sense, double T[9])
{
    double z[3];
    rt_m3_identity(T);
    if (sense == RT_SENSE_NOT_SAID) return;
    for (int k = 0; k < 3; k++)
        z[k] = (sense == RT_AXIS_AXIAL ? rt_axial_sign(r, k) : rt_polar_sign(r, k)) *
               joint->triad[3 * k + 2];
    rt_triad_of_axis(z, T);
}

/* Axis c of the joint is D T_0 e_c or the opposite: e_c . T' D T_0 e_c tells, and det(D) times that
 * of rotations about it. */
routh_status rt_coordinate_sign(rt_reader *r, rt_place place, const rt_joint *joint,
                                rt_coordinate which, int *sign)
{
    const bool angle = which >= RT_COORDINATE_RX;
    const int c = (int)which - (angle ? (int)RT_COORDINATE_RX : (int)RT_COORDINATE_X);
    const rt_sense sense = sense_of_axis(joint);
    double T[9], same = 0;
    *sign = 1;
    if (!r->scope || !r->scope->mirrored) return ROUTH_OK;
    if (joint->axis.turned && c != 2)
        return rt_reader_fail(r, place,
                              "it is mirrored, and its coordinate is across an axis that depends "
                              "on parameters; give the axis as plain numbers");
    triad_before(r, joint, sense, T);
    for (int k = 0; k < 3; k++)
        same += joint->triad[3 * k + c] * rt_polar_sign(r, k) * T[3 * k + c];
    *sign = same < 0 ? -1 : 1;
    if (joint->axis.turned) *sign = sense == RT_AXIS_AXIAL ? rt_mirror_sign(r) : 1;
    if (angle) *sign *= rt_mirror_sign(r);
    return ROUTH_OK;
}
