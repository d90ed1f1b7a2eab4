/* Absolute coordinates: centre of mass and orientation of every body.
 *
 * q = (r, e0 e1 e2 e3) per body, u = (v, w_b) with w_b the angular velocity in body axes. The
 * rotational part of xi is the body-fixed virtual rotation eta, dA = A eta~, for which eta' =
 * dw_b - w_b x eta, so with dtheta = A eta
 *     dtheta'  = A dw_b,      dtheta'' = A dw_b' + A (w_b x dw_b),
 * and no orientation is singular. (EQUATIONS.md, first section.) */
#include "coordinates/coordinates.h"

#include "base/rotation.h"

static int count_q(const routh_model *model) { return 7 * model->n_bodies; }
static int count_u(const routh_model *model) { return 6 * model->n_bodies; }

static int columns(const routh_model *model, int body, int *out)
{
    (void)model;
    for (int k = 0; k < 6; k++) out[k] = 6 * body + k;
    return 6;
}

static void start_body(const rt_body *body, double *q, double *u)
{
    double A[9], w[3];
    for (int k = 0; k < 9; k++) A[k] = body->orientation[k].value;
    for (int k = 0; k < 3; k++) {
        q[k] = body->position[k].value;
        u[k] = body->velocity[k].value;
        w[k] = body->angular_velocity[k].value;
    }
    rt_rotation_to_quaternion(q + 3, A);
    rt_m3_tmul_v(u + 3, A, w);
}

static void start(const routh_model *model, double *q, double *u)
{
    for (int b = 0; b < model->n_bodies; b++) start_body(&model->bodies[b], q + 7 * b, u + 6 * b);
}

static void frames(int n_bodies, const double *q, const double *u, const double *udot,
                   rt_frame *out)
{
    for (int b = 0; b < n_bodies; b++, q += 7, u += 6, udot += 6) {
        rt_frame *f = &out[b];
        rt_v3_copy(f->r, q);
        rt_rotation_from_quaternion(f->A, q + 3);
        rt_v3_copy(f->v, u);
        rt_m3_mul_v(f->w, f->A, u + 3);
        rt_v3_copy(f->a, udot);
        rt_m3_mul_v(f->al, f->A, udot + 3);
    }
}

static void map(int body, const double *q, const double *u, const rt_frame *frame, rt_map *out)
{
    (void)q;
    *out = (rt_map){.n = 6};
    double w_skew[9], Aw[9];
    rt_m3_skew(w_skew, u + 6 * body + 3);
    rt_m3_mul(Aw, frame->A, w_skew);
    for (int i = 0; i < 3; i++) {
        out->J[7 * i] = 1;
        for (int j = 0; j < 3; j++) {
            out->J[6 * (3 + i) + 3 + j] = frame->A[3 * i + j];
            out->J2u[6 * (3 + i) + 3 + j] = Aw[3 * i + j];
        }
    }
}

/* d(A' t) eta = -A'((A eta) x t) = (A't) x eta ... = (A't)~ eta */
static void geometric(int body, const rt_frame *frame, const double wrench[6], double *K, int width)
{
    (void)body;
    double t[3], S[9];
    rt_m3_tmul_v(t, frame->A, wrench + 3);
    rt_m3_skew(S, t);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) K[(3 + i) * width + 3 + j] += S[3 * i + j];
}

static void advance(int n_bodies, double *q, const double *xi)
{
    for (int b = 0; b < n_bodies; b++, q += 7, xi += 6) {
        double A[9], turn[9], next[9];
        rt_v3_add(q, q, xi);
        rt_rotation_from_quaternion(A, q + 3);
        rt_rotation_exp(turn, xi + 3);
        rt_m3_mul(next, A, turn);
        rt_rotation_to_quaternion(q + 3, next);
    }
}

static void column(const routh_model *model, int k, int *body, int *component)
{
    (void)model;
    *body = k / 6;
    *component = k % 6;
}

const rt_coordinate_set rt_absolute = {
    .name = "absolute",
    .about = "centre of mass and orientation of every body, body-fixed virtual rotations",
    .count_q = count_q,
    .count_u = count_u,
    .columns = columns,
    .start = start,
    .frames = frames,
    .map = map,
    .geometric = geometric,
    .advance = advance,
    .column = column,
};
