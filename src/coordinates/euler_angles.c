/* Absolute coordinates with 3-1-3 Euler angles (Negrut and Ortiz 2006, Eqs. 14 and 15b).
 *
 * q = (r, psi, theta, phi, chart) per body, A = Rz(psi) Rx(theta) Rz(phi) C(chart)'; u = (v, w_b) =
 * T(q) q'. The angles are singular at sin theta = 0, where most bodies are written, so that each
 * body has a constant frame C of its own, chosen once from two by how the body is written. The
 * rotational part of xi is body-fixed as in body_fixed.h, and moves q by dq = T^-1 xi. */
#include "base/pi.h"
#include "base/rotation.h"
#include "coordinates/body_fixed.h"

/* The two frames: chart 0 turns the angles by a right angle about x, chart 1 not at all. */
static void chart_frame(double chart, double C[9])
{
    static const double quarter[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    if (chart == 0)
        memcpy(C, quarter, sizeof quarter);
    else
        rt_m3_identity(C);
}

/* psi, theta, phi of B = Rz(psi) Rx(theta) Rz(phi); theta in [0, pi] */
static void angles_of(const double B[9], double angles[3])
{
    const double s = hypot(B[2], B[5]);
    angles[0] = atan2(B[2], -B[5]);
    angles[1] = atan2(s, B[8]);
    angles[2] = atan2(B[6], B[7]);
}

static int euler_angles_count_q(const routh_model *model) { return 7 * model->n_bodies; }

static void euler_angles_orientation(const double *angles, double A[9])
{
    double B[9], C[9];
    rt_rotation_from_euler_313(B, angles);
    chart_frame(angles[3], C);
    rt_m3_mul_t(A, B, C);
}

/* The chart in which the body is farther from the singularity. */
static void start_angles(const double A[9], double *angles)
{
    double best = -1;
    for (int chart = 0; chart < 2; chart++) {
        double C[9], B[9], found[3];
        chart_frame(chart, C);
        rt_m3_mul(B, A, C);
        angles_of(B, found);
        if (sin(found[1]) <= best + 1e-3) continue;
        best = sin(found[1]);
        memcpy(angles, found, sizeof found);
        angles[3] = chart;
    }
}

static void euler_angles_take(int n_bodies, const rt_frame *f, double *q, double *u)
{
    for (int b = 0; b < n_bodies; b++, f++, q += 7, u += 6) {
        rt_v3_copy(q, f->r);
        start_angles(f->A, q + 3);
        rt_body_fixed_take(f, u);
    }
}

static void euler_angles_frames(int n_bodies, const double *q, const double *u, const double *udot,
                                rt_frame *out)
{
    for (int b = 0; b < n_bodies; b++, q += 7, u += 6, udot += 6) {
        rt_v3_copy(out[b].r, q);
        euler_angles_orientation(q + 3, out[b].A);
        rt_body_fixed_rates(&out[b], u, udot);
    }
}

/* (psi, theta, phi)' from the angular velocity in the axes of B:
 *     w = (psi' s_t s_p + theta' c_p, psi' s_t c_p - theta' s_p, psi' c_t + phi') */
static void rates_of(const double *angles, const double w[3], double rates[3])
{
    const double s_t = sin(angles[1]), c_t = cos(angles[1]);
    const double s_p = sin(angles[2]), c_p = cos(angles[2]);
    rates[0] = (s_p * w[0] + c_p * w[1]) / s_t;
    rates[1] = c_p * w[0] - s_p * w[1];
    rates[2] = w[2] - c_t * rates[0];
}

/* q' = T^-1 u from 0 to 1 with u = xi held, by one step of the classical Runge-Kutta method: to
 * first order dq = T^-1 xi. For short ways, over which T changes little. */
static void move_a_little(double *angles, const double *xi)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double C[9], w[3], rate[3] = {0, 0, 0}, sum[3] = {0, 0, 0};
    chart_frame(angles[3], C);
    rt_m3_tmul_v(w, C, xi); /* from the axes of A = B C' to those of B */
    for (int k = 0; k < 4; k++) {
        double there[3];
        for (int i = 0; i < 3; i++) there[i] = angles[i] + at[k] * rate[i];
        rates_of(there, w, rate);
        rt_v3_add_scaled(sum, weight[k], rate);
    }
    rt_v3_add(angles, angles, sum);
}

static const double SINGULAR = 0.1; /* |sin theta| below it */

/* A exp(xi), which is what xi held makes of A, in angles that follow the old ones; in the other
 * frame where they come near their singularity. */
static void move_far(double *angles, const double *xi)
{
    double A[9], R[9], moved[9], B[9], C[9], found[3];
    euler_angles_orientation(angles, A);
    rt_rotation_exp(R, xi);
    rt_m3_mul(moved, A, R);
    chart_frame(angles[3], C);
    rt_m3_mul(B, moved, C);
    angles_of(B, found);
    if (sin(found[1]) < SINGULAR) {
        start_angles(moved, angles);
        return;
    }
    for (int i = 0; i < 3; i += 2) /* psi and phi count their turns */
        angles[i] = found[i] + 2 * RT_PI * round((angles[i] - found[i]) / (2 * RT_PI));
    angles[1] = found[1];
}

static void move_angles(double *angles, const double *xi)
{
    static const double little = 1e-3;
    const double way = rt_v3_norm(xi), room = fabs(sin(angles[1]));
    if (room >= SINGULAR && way <= little * room)
        move_a_little(angles, xi);
    else
        move_far(angles, xi);
}

static void euler_angles_advance(int n_bodies, double *q, const double *xi)
{
    for (int b = 0; b < n_bodies; b++, q += 7, xi += 6) {
        rt_v3_add(q, q, xi);
        move_angles(q + 3, xi + 3);
    }
}

static bool near_singular(int body, const double *q)
{
    return fabs(sin(q[7 * body + 4])) < SINGULAR;
}

const rt_coordinate_set rt_euler_angles = {
    .name = "euler-angles",
    .about = "centre of mass and 3-1-3 Euler angles of every body",
    .count_q = euler_angles_count_q,
    .count_u = rt_body_fixed_count_u,
    .columns = rt_body_fixed_columns,
    .take = euler_angles_take,
    .frames = euler_angles_frames,
    .map = rt_body_fixed_map,
    .geometric = rt_body_fixed_geometric,
    .advance = euler_angles_advance,
    .column = rt_body_fixed_column,
    .per_radian = 1,
    .near_singular = near_singular,
};
