/* One element as a load between two frames. */
#include "model/rod.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vec3.h"

void rt_rod_axes(const double d[3], const double side[3], double E[9])
{
    double x[3], y[3], z[3];
    rt_v3_scale(x, 1 / rt_v3_norm(d), d);
    rt_v3_cross(z, x, side);
    rt_v3_scale(z, 1 / rt_v3_norm(z), z);
    rt_v3_cross(y, z, x);
    for (int k = 0; k < 3; k++) E[3 * k] = x[k], E[3 * k + 1] = y[k], E[3 * k + 2] = z[k];
}

/* M = R S R' for both halves of six */
static void turn6(const double R[9], const double S[36], double M[36])
{
    for (int row = 0; row < 6; row += 3)
        for (int column = 0; column < 6; column += 3) {
            double B[9], T[9], C[9];
            for (int k = 0; k < 9; k++) B[k] = S[6 * (row + k / 3) + column + k % 3];
            rt_m3_mul(T, R, B);
            rt_m3_mul_t(C, T, R);
            for (int k = 0; k < 9; k++) M[6 * (row + k / 3) + column + k % 3] = C[k];
        }
}

/* e is measured from the frames as they stand, in the axes R half-way between them, where the
 * element's own axes are R'E. */
bool rt_rod_fill_load(const rt_rod_element *element, const double E[9], double r[2][3],
                      double A[2][9], rt_load *load)
{
    double Q[9], theta[3], half[3], R[9], d[3], e[3], K[36], D[36];
    rt_m3_tmul(Q, A[0], A[1]);
    if (!rt_rotation_log(theta, Q)) return false;
    rt_v3_scale(half, 0.5, theta);
    rt_rotation_exp(Q, half);
    rt_m3_mul(R, A[0], Q);
    rt_v3_sub(d, r[1], r[0]);
    rt_m3_tmul_v(e, R, d);
    rt_m3_tmul(Q, R, E);
    turn6(Q, element->stiffness, K);
    turn6(Q, element->damping, D);
    for (int k = 0; k < 3; k++) {
        load->offset6[k] = rt_plain(e[k]);
        load->offset6[3 + k] = rt_plain(theta[k]);
    }
    for (int k = 0; k < 6; k++) load->preload6[k] = rt_plain(0);
    for (int k = 0; k < 36; k++)
        load->stiffness6[k] = rt_plain(K[k]), load->damping6[k] = rt_plain(D[k]);
    return true;
}

/* The load of type flexible_rod: its section is the same all along, and its axes are x along the
 * line between the markers and y that of the frame half-way, as near as it can be. */
routh_status rt_read_rod_load(rt_reader *r, const rt_yaml *node, rt_load *load)
{
    rt_number position[3], axes[9];
    double C[36], D[36], S[36], x[2][3], A[2][9], E[9], d[3], y[3];
    rt_rod_element element;
    for (int k = 0; k < 2; k++) {
        rt_marker_in_world(r, load->markers[k], position, axes);
        rt_numbers_values(x[k], position, 3);
        rt_numbers_values(A[k], axes, 9);
    }
    rt_numbers_values(C, load->stiffness6, 36);
    rt_numbers_values(D, load->damping6, 36);
    rt_v3_sub(d, x[1], x[0]);
    const double length = rt_v3_norm(d);
    if (!(length > 0) || !isfinite(length))
        return rt_reader_fail(r, node->key_place,
                              "its two markers are at the same point; a rod goes from one to "
                              "another");
    const routh_status status =
        rt_rod_check_symmetric(r, rt_yaml_find(node, "stiffness"), "stiffness", C);
    if (status) return status;
    if (!rt_rod_invert(C, S) || !rt_rod_stiffness_of(S, D, length, &element))
        return rt_reader_fail(r, rt_yaml_find(node, "stiffness")->place,
                              "stiffness is not positive definite: some strain costs no energy, "
                              "or gives some");
    for (int k = 0; k < 3; k++) y[k] = A[0][3 * k + 1] + A[1][3 * k + 1];
    rt_v3_cross(E, d, y);
    if (!(rt_v3_norm(E) > 1e-6 * length * rt_v3_norm(y)))
        return rt_reader_fail(r, node->key_place,
                              "the markers' y axes lie along the line between them, so they do not "
                              "say where the section's y points; turn the markers");
    rt_rod_axes(d, y, E);
    if (!rt_rod_fill_load(&element, E, x, A, load))
        return rt_reader_fail(r, node->key_place,
                              "its markers are turned against each other by half a turn; it holds "
                              "for less");
    return ROUTH_OK;
}
