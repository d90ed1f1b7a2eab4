/* Absolute coordinates with Euler parameters (Negrut, ME751 note, Eq. 1: the 7 nb form;
 * accelerations by Eq. 21, src/operating/accelerations_small.c).
 *
 * q = (r, p), p = (e0, e), u = q'. With E = [-e, e0 I + e~] (3 x 4) and rho = p'p the body turns
 * by
 *     dtheta = 2 E dp / rho,     w = 2 E p' / rho,     al = 2 E p'' / rho - w rho' / rho
 * (E' p' = 0)
 * exactly, also where p'p is not 1, since A is taken of p / |p|. p'p = 1 is a constraint of the
 * coordinates' own. Variations commute with time here: xi' = du. */
#include "base/rotation.h"
#include "coordinates/body_fixed.h"

static int euler_parameters_count(const routh_model *model) { return 7 * model->n_bodies; }

static int euler_parameters_columns(const routh_model *model, int body, int *out)
{
    (void)model;
    for (int k = 0; k < 7; k++) out[k] = 7 * body + k;
    return 7;
}

static void euler_parameters_fill_E(double E[12], const double p[4])
{
    const double e0 = p[0], x = p[1], y = p[2], z = p[3];
    const double rows[12] = {-x, e0, -z, y, -y, z, e0, -x, -z, -y, x, e0};
    memcpy(E, rows, sizeof rows);
}

static void times_E(double w[3], const double E[12], double s, const double p[4])
{
    for (int i = 0; i < 3; i++) {
        w[i] = 0;
        for (int k = 0; k < 4; k++) w[i] += s * E[4 * i + k] * p[k];
    }
}

static double dot4(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* p' = E' w / 2 where p'p = 1 */
static void euler_parameters_take(int n_bodies, const rt_frame *f, double *q, double *u)
{
    for (int b = 0; b < n_bodies; b++, f++, q += 7, u += 7) {
        double E[12];
        rt_v3_copy(q, f->r);
        rt_v3_copy(u, f->v);
        rt_rotation_to_quaternion(q + 3, f->A);
        euler_parameters_fill_E(E, q + 3);
        for (int k = 0; k < 4; k++)
            u[3 + k] = (E[k] * f->w[0] + E[4 + k] * f->w[1] + E[8 + k] * f->w[2]) / 2;
    }
}

static void euler_parameters_frames(int n_bodies, const double *q, const double *u,
                                    const double *udot, rt_frame *out)
{
    for (int b = 0; b < n_bodies; b++, q += 7, u += 7, udot += 7) {
        rt_frame *f = &out[b];
        double E[12];
        const double rho = dot4(q + 3, q + 3), rho1 = 2 * dot4(q + 3, u + 3);
        euler_parameters_fill_E(E, q + 3);
        rt_v3_copy(f->r, q);
        rt_rotation_from_quaternion(f->A, q + 3);
        rt_v3_copy(f->v, u);
        times_E(f->w, E, 2 / rho, u + 3);
        rt_v3_copy(f->a, udot);
        times_E(f->al, E, 2 / rho, udot + 3);
        rt_v3_add_scaled(f->al, -rho1 / rho, f->w);
    }
}

/* J = 2 E s with s = 1/rho, and its two time derivatives: J1 = J', J2u = 2 J', J2x = J''. */
static void euler_parameters_map(int body, const double *q, const double *u, const double *udot,
                                 const rt_frame *frame, rt_map *out)
{
    (void)frame;
    const double *p = q + 7 * body + 3, *p1 = u + 7 * body + 3, *p2 = udot + 7 * body + 3;
    double E[12], E1[12], E2[12];
    const double rho = dot4(p, p), rho1 = 2 * dot4(p, p1), rho2 = 2 * (dot4(p1, p1) + dot4(p, p2));
    const double s = 1 / rho, s1 = -rho1 * s * s, s2 = -rho2 * s * s + 2 * rho1 * rho1 * s * s * s;
    euler_parameters_fill_E(E, p);
    euler_parameters_fill_E(E1, p1);
    euler_parameters_fill_E(E2, p2);
    *out = (rt_map){.n = 7};
    for (int i = 0; i < 3; i++) {
        out->J[8 * i] = 1;
        for (int k = 0; k < 4; k++) {
            const int at = 7 * (3 + i) + 3 + k, e = 4 * i + k;
            const double J1 = 2 * (E1[e] * s + E[e] * s1);
            out->J[at] = 2 * E[e] * s;
            out->J1[at] = J1;
            out->J2u[at] = 2 * J1;
            out->J2x[at] = 2 * (E2[e] * s + 2 * E1[e] * s1 + E[e] * s2);
        }
    }
}

/* J't = 2 E't / rho with E't = W p, W = [0 -t'; t t~], so
 * d(J't) = 2 W dp / rho - (2 W p) (2 p'dp) / rho^2 */
static void euler_parameters_geometric(int body, const double *q, const rt_frame *frame,
                                       const double wrench[6], double *K, int width)
{
    (void)frame;
    const double *p = q + 7 * body + 3, *t = wrench + 3;
    const double W[16] = {0,    -t[0], -t[1], -t[2], t[0], 0,     -t[2], t[1],
                          t[1], t[2],  0,     -t[0], t[2], -t[1], t[0],  0};
    const double rho = dot4(p, p);
    for (int i = 0; i < 4; i++) {
        const double g = 2 * dot4(W + 4 * i, p);
        for (int j = 0; j < 4; j++)
            K[(3 + i) * width + 3 + j] += 2 * W[4 * i + j] / rho - 2 * g * p[j] / (rho * rho);
    }
}

static void euler_parameters_advance(int n_bodies, double *q, const double *xi)
{
    for (int k = 0; k < 7 * n_bodies; k++) q[k] += xi[k];
}

static void euler_parameters_column(const routh_model *model, int k, int *body, int *component)
{
    (void)model;
    *body = k / 7;
    *component = k % 7;
}

/* (p'p - 1)/2 = 0 */
static void euler_parameters_own_row(int body, const double *q, const double *u, const double *udot,
                                     rt_own_row *row)
{
    const double *p = q + 7 * body + 3, *p1 = u + 7 * body + 3, *p2 = udot + 7 * body + 3;
    *row = (rt_own_row){.value = {(dot4(p, p) - 1) / 2, dot4(p, p1), dot4(p, p2) + dot4(p1, p1)}};
    for (int k = 0; k < 4; k++) {
        row->G[3 + k] = p[k];
        row->Vx[3 + k] = p1[k];
        row->Au[3 + k] = 2 * p1[k];
        row->Ax[3 + k] = p2[k];
        row->curvature[8 * (3 + k)] = 1;
    }
}

/* p' = G'w_b / 2, G = [-e, e0 I - e~]: 2 E S / rho = A as A = E G' / rho, and G p = 0 */
static void euler_parameters_rotation(int body, const double *q, double S[12])
{
    const double *p = q + 7 * body + 3;
    const double e0 = p[0], x = p[1], y = p[2], z = p[3];
    const double rows[12] = {-x, -y, -z, e0, -z, y, z, e0, -x, -y, x, e0};
    for (int k = 0; k < 12; k++) S[k] = rows[k] / 2;
}

static const char *const euler_parameters_names[] = {"e0", "e1", "e2", "e3"};

const rt_coordinate_set rt_euler_parameters = {
    .name = "euler-parameters",
    .about = "centre of mass and Euler parameters of every body, with their norm as a constraint",
    .count_q = euler_parameters_count,
    .count_u = euler_parameters_count,
    .columns = euler_parameters_columns,
    .take = euler_parameters_take,
    .frames = euler_parameters_frames,
    .map = euler_parameters_map,
    .geometric = euler_parameters_geometric,
    .advance = euler_parameters_advance,
    .column = euler_parameters_column,
    .component_names = euler_parameters_names,
    .component_unit = "",
    .per_radian = 0.5,
    .own_row = euler_parameters_own_row,
    .own_label = "Euler parameters of unit length",
    .rotation = euler_parameters_rotation,
};
