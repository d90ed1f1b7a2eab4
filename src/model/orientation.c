#include "model/read_values.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

typedef struct written_orientation {
    const rt_yaml *axis, *angle, *euler, *rpy, *x, *z, *matrix;
} written_orientation;

/* Rotation about coordinate axis k by an angle. */
static void turn_about(rt_calculator *c, int k, rt_number angle, rt_number A[9])
{
    const int m = (k + 1) % 3, n = (k + 2) % 3;
    const rt_number cosine = rt_cosine(c, angle), sine = rt_sine(c, angle);
    rt_numbers_identity(A);
    A[3 * m + m] = A[3 * n + n] = cosine;
    A[3 * n + m] = sine;
    A[3 * m + n] = rt_minus(c, rt_plain(0), sine);
}

/* A = R_first(a) R_second(b) R_third(d) */
static void three_turns(rt_calculator *c, const int axes[3], const rt_number angles[3],
                        rt_number A[9])
{
    rt_number first[9], second[9], third[9], both[9];
    turn_about(c, axes[0], angles[0], first);
    turn_about(c, axes[1], angles[1], second);
    turn_about(c, axes[2], angles[2], third);
    rt_numbers_matrix(c, both, first, second);
    rt_numbers_matrix(c, A, both, third);
}

/* Rodrigues: A = cos I + (1 - cos) u u' + sin [u x] */
static void turn_about_vector(rt_calculator *c, const rt_number u[3], rt_number angle,
                              rt_number A[9])
{
    const rt_number cosine = rt_cosine(c, angle), sine = rt_sine(c, angle);
    const rt_number rest = rt_minus(c, rt_plain(1), cosine);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            rt_number entry = rt_times(c, rest, rt_times(c, u[i], u[j]));
            if (i == j)
                entry = rt_plus(c, entry, cosine);
            else if (j == (i + 1) % 3)
                entry = rt_minus(c, entry, rt_times(c, sine, u[3 - i - j]));
            else
                entry = rt_plus(c, entry, rt_times(c, sine, u[3 - i - j]));
            A[3 * i + j] = entry;
        }
}

static routh_status orientation_direction(rt_reader *r, const rt_yaml *node, const char *what,
                                          rt_number out[3])
{
    rt_number given[3];
    double values[3];
    const int named =
        node->kind == RT_YAML_SCALAR ? rt_word_position(node->text, rt_axis_names) : -1;
    if (named >= 0) {
        for (int k = 0; k < 3; k++) out[k] = rt_plain(k == named % 3 ? (named < 3 ? 1 : -1) : 0);
        return ROUTH_OK;
    }
    const routh_status status = rt_read_direction(r, node, what, given);
    if (status) return status;
    rt_numbers_values(values, given, 3);
    const double length = rt_v3_norm(values);
    if (!(length > 0) || !isfinite(length))
        return rt_reader_fail(r, node->place,
                              "orientation: %s has no direction; its length is %.3g", what, length);
    rt_numbers_unit(&r->calculator, out, given);
    return ROUTH_OK;
}

static void set_columns(rt_number A[9], const rt_number x[3], const rt_number y[3],
                        const rt_number z[3])
{
    for (int k = 0; k < 3; k++) A[3 * k] = x[k], A[3 * k + 1] = y[k], A[3 * k + 2] = z[k];
}

/* z as given, x as near to the given one as it can be. Without x: by the rule of joint axes. */
static routh_status from_directions(rt_reader *r, const written_orientation *w, rt_number A[9])
{
    rt_calculator *c = &r->calculator;
    rt_number x[3], y[3], z[3], along[3];
    double zs[3], ys[3];
    routh_status status = orientation_direction(r, w->z, "z", z);
    if (status) return status;
    rt_numbers_values(zs, z, 3);
    if (w->x) {
        status = orientation_direction(r, w->x, "x", along);
        if (status) return status;
    } else {
        double triad[9];
        int start = 0; /* the coordinate axis that x is nearest to, by the value of z */
        rt_triad_of_axis(zs, triad);
        for (int k = 0; k < 3; k++) start = triad[3 * k] > triad[3 * start] ? k : start;
        const bool depends = z[0].expr >= 0 || z[1].expr >= 0 || z[2].expr >= 0;
        for (int k = 0; k < 3; k++) along[k] = rt_plain(depends ? k == start : triad[3 * k]);
    }
    rt_numbers_cross(c, y, z, along);
    rt_numbers_values(ys, y, 3);
    if (!(rt_v3_norm(ys) > 1e-9))
        return rt_reader_fail(r, w->x ? w->x->place : w->z->place,
                              "orientation: x and z are parallel; they must be two directions");
    rt_numbers_unit(c, along, y);
    rt_numbers_cross(c, x, along, z);
    set_columns(A, x, along, z);
    return ROUTH_OK;
}

static routh_status check_rotation(rt_reader *r, const rt_yaml *node, const rt_number A[9])
{
    double v[9], product[9], cross[3];
    rt_numbers_values(v, A, 9);
    rt_m3_mul_t(product, v, v);
    for (int k = 0; k < 9; k++)
        if (!(fabs(product[k] - (k % 4 == 0)) < 1e-6))
            return rt_reader_fail(r, node->place,
                                  "orientation: the matrix is not a rotation: its rows must be "
                                  "unit vectors perpendicular to each other (within 1e-6)");
    rt_v3_cross(cross, v, v + 3);
    if (rt_v3_dot(cross, v + 6) < 0)
        return rt_reader_fail(r, node->place,
                              "orientation: the matrix is a reflection (its determinant is -1); "
                              "change the sign of one column");
    return ROUTH_OK;
}

/* The rows as written, made orthonormal to rounding. */
static routh_status from_matrix(rt_reader *r, const rt_yaml *node, rt_number A[9])
{
    rt_calculator *c = &r->calculator;
    rt_number given[9], x[3], y[3], z[3], along[3], column[3];
    char found[96];
    if (node->kind != RT_YAML_LIST || node->count != 3)
        return rt_reader_fail(r, node->place,
                              "orientation: matrix must be 3 rows of 3 numbers, not %s",
                              rt_yaml_describe(node, found, sizeof found));
    routh_status status = ROUTH_OK;
    int k = 0;
    for (const rt_yaml *row = node->first; row && !status; row = row->next, k++)
        status = rt_read_numbers(r, row, "a row of the matrix", 3, given + 3 * k);
    if (!status) status = check_rotation(r, node, given);
    if (status) return status;
    for (k = 0; k < 3; k++) column[k] = given[3 * k + 2], along[k] = given[3 * k];
    rt_numbers_unit(c, z, column);
    rt_numbers_cross(c, y, z, along);
    rt_numbers_unit(c, along, y);
    rt_numbers_cross(c, x, along, z);
    set_columns(A, x, along, z);
    return ROUTH_OK;
}

static routh_status orientation_sort_out(rt_reader *r, const rt_yaml *node, written_orientation *w)
{
    char hint[128];
    const rt_yaml **slots[] = {&w->axis, &w->angle, &w->euler, &w->rpy, &w->x, &w->z, &w->matrix};
    for (const rt_yaml *entry = node->first; entry; entry = entry->next) {
        int k = 0;
        while (rt_orientation_forms[k] && strcmp(rt_orientation_forms[k], entry->key) != 0) k++;
        if (!rt_orientation_forms[k]) {
            rt_did_you_mean(entry->key, rt_orientation_forms, hint, sizeof hint);
            return rt_reader_fail(r, entry->key_place,
                                  "'%.60s' is not part of an orientation%s%s one of {axis, angle}, "
                                  "{euler}, {rpy}, {z, x}, {matrix}",
                                  entry->key, hint, hint[0] ? " It is" : "; it is");
        }
        *slots[k] = entry;
    }
    return ROUTH_OK;
}

static bool is_one_form(const written_orientation *w)
{
    const int n = (w->axis && w->angle) + (w->euler != NULL) + (w->rpy != NULL) + (w->z != NULL) +
                  (w->matrix != NULL);
    return n == 1 && !w->axis == !w->angle && (!w->x || w->z);
}

static routh_status from_axis(rt_reader *r, const written_orientation *w, rt_number A[9])
{
    rt_number axis[3], angle;
    routh_status status = orientation_direction(r, w->axis, "axis", axis);
    if (!status) status = rt_read_number(r, w->angle, "angle", RT_ANY, &angle);
    if (!status) turn_about_vector(&r->calculator, axis, angle, A);
    return status;
}

static routh_status from_angles(rt_reader *r, const written_orientation *w, rt_number A[9])
{
    static const int euler[3] = {2, 0, 2}, roll_pitch_yaw[3] = {2, 1, 0};
    rt_number angles[3];
    const routh_status status =
        rt_read_numbers(r, w->euler ? w->euler : w->rpy, w->euler ? "euler" : "rpy", 3, angles);
    if (status) return status;
    if (w->rpy) {
        const rt_number swap = angles[0];
        angles[0] = angles[2], angles[2] = swap;
    }
    three_turns(&r->calculator, w->euler ? euler : roll_pitch_yaw, angles, A);
    return ROUTH_OK;
}

static routh_status from_form(rt_reader *r, const written_orientation *w, rt_number A[9])
{
    if (w->matrix) return from_matrix(r, w->matrix, A);
    if (w->z) return from_directions(r, w, A);
    return w->axis ? from_axis(r, w, A) : from_angles(r, w, A);
}

routh_status rt_read_orientation(rt_reader *r, const rt_yaml *node, rt_number A[9])
{
    written_orientation w = {0};
    routh_status status = ROUTH_OK;
    if (node->kind == RT_YAML_MAPPING) status = orientation_sort_out(r, node, &w);
    if (status) return status;
    if (node->kind != RT_YAML_MAPPING || !is_one_form(&w))
        return rt_reader_fail(r, node->place,
                              "orientation must be one of {axis: [x, y, z], angle: a}, {euler: "
                              "[psi, theta, phi]}, {rpy: [roll, pitch, yaw]}, {z: [..], x: [..]}, "
                              "{matrix: [[..], [..], [..]]}");
    const char *before = r->unit;
    r->unit = w.matrix ? RT_UNIT_NONE : "rad";
    status = from_form(r, &w, A);
    r->unit = before;
    return status;
}
