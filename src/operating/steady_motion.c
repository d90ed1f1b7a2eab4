/* The motion that carries all bodies: rates from it, it from rates, and where it leads.
 *
 * In absolute coordinates, u = (v, w in body axes) of each body, with E = A'e:
 *     u  = (v_O + Omega e x r,   Omega E + s a)
 *     u' = (Omega e x v + a_O,   Omega s E x a + s' a),
 * and of elastic coordinates u = u' = 0. */
#include "base/rotation.h"
#include "operating/steady.h"

/* ---- the motion nearest to u ---------------------------------------------------------------- */

/* Adds w c c' and w c d to the normal equations N x = y, of the residual c . x = d. */
static void add_residual(double N[16], double y[4], double w, const double c[4], double d)
{
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) N[4 * i + j] += w * c[i] * c[j];
        y[i] += w * c[i] * d;
    }
}

/* N positive semidefinite, made definite by a little. False where the last unknown was open. */
static bool solve4(double N[16], double x[4])
{
    static const double OPEN = 1e-9;
    const double size = N[15];
    for (int i = 0; i < 4; i++) N[5 * i] += 1e-12 * N[5 * i] + 1e-200;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++) {
            const double f = N[4 * j + i] / N[5 * i];
            for (int l = i; l < 4; l++) N[4 * j + l] -= f * N[4 * i + l];
            x[j] -= f * x[i];
        }
    for (int i = 3; i >= 0; i--) {
        for (int l = i + 1; l < 4; l++) x[i] -= N[4 * i + l] * x[l];
        x[i] /= N[5 * i];
    }
    return N[15] > OPEN * size;
}

double rt_steady_mass(const rt_steady_search *k, int b)
{
    const rt_flexible *shape = k->s->m->model->bodies[b].flexible;
    return shape ? shape->mass : k->s->m->bodies[b].mass;
}

/* v_O + Omega e x r = v, and Omega e = w but along the axis of a spin. */
static void steady_motion_add_body(const rt_steady_search *k, int b, double N[16], double y[4])
{
    const rt_frame *f = &k->s->w->bodies[b];
    const double mass = rt_steady_mass(k, b), length = k->s->m->length;
    double turn[3], axis[3] = {0}, along[3], rest[3];
    rt_v3_cross(turn, k->e, f->r);
    for (int i = 0; i < 3; i++) {
        const double c[4] = {i == 0, i == 1, i == 2, turn[i]};
        add_residual(N, y, mass, c, f->v[i]);
    }
    if (k->spin_of_body[b] >= 0) rt_m3_mul_v(axis, f->A, k->asked->spins[k->spin_of_body[b]].axis);
    rt_v3_copy(along, k->e);
    rt_v3_add_scaled(along, -rt_v3_dot(axis, k->e), axis);
    rt_v3_copy(rest, f->w);
    rt_v3_add_scaled(rest, -rt_v3_dot(axis, f->w), axis);
    for (int i = 0; i < 3; i++) {
        const double c[4] = {0, 0, 0, along[i]};
        add_residual(N, y, mass * length * length, c, rest[i]);
    }
}

bool rt_steady_fit(rt_steady_search *k, bool prescribed)
{
    const rt_steady *asked = k->asked;
    double N[16] = {0}, y[4] = {0};
    rt_evaluate_frames(k->s->m, k->s->w, k->s->state);
    for (int b = 0; b < k->s->m->n_bodies; b++) steady_motion_add_body(k, b, N, y);
    if (prescribed && asked->turn_rate_given) {
        const double c[4] = {0, 0, 0, 1};
        add_residual(N, y, 1e9 * N[15] + 1e-100, c, asked->turn_rate.value);
    }
    const bool known_rate = solve4(N, y);
    if (prescribed && asked->turn_rate_given) y[3] = asked->turn_rate.value;
    memcpy(k->motion, y, sizeof y);
    for (int i = 0; i < asked->n_spins; i++) {
        const rt_frame *f = &k->s->w->bodies[asked->spins[i].body];
        double axis[3], rest[3];
        rt_m3_mul_v(axis, f->A, asked->spins[i].axis);
        rt_v3_copy(rest, f->w);
        rt_v3_add_scaled(rest, -y[3], k->e);
        const bool known = prescribed && asked->spins[i].rate_given;
        k->motion[RT_MOTION_SPINS + i] = known ? asked->spins[i].rate.value : rt_v3_dot(axis, rest);
    }
    if (k->acceleration >= 0) rt_steady_fit_acceleration(k);
    return known_rate;
}

/* ---- the motion that a search begins at ------------------------------------------------------ */

static double steady_motion_between(double x, const double *other, double part)
{
    return other ? x + part * (*other - x) : x;
}

bool rt_steady_begin(rt_steady_search *k, bool prescribed)
{
    const rt_steady *asked = k->asked;
    const routh_steady *a = k->s->motion.motion, *b = k->s->motion.other;
    const double part = k->s->motion.part;
    if (!a || a->n_spins != asked->n_spins) return false;
    if (b && b->n_spins != asked->n_spins) b = NULL;
    double *motion = k->motion;
    double *accelerated = k->acceleration < 0 ? NULL : motion + k->acceleration;
    for (int i = 0; i < 3; i++) {
        motion[i] = steady_motion_between(a->origin_velocity[i], b ? &b->origin_velocity[i] : NULL,
                                          part);
        if (accelerated)
            accelerated[i] = steady_motion_between(a->frame_acceleration[i],
                                                   b ? &b->frame_acceleration[i] : NULL, part);
    }
    const bool given = prescribed && asked->turn_rate_given;
    motion[RT_MOTION_RATE] =
        given ? asked->turn_rate.value
              : steady_motion_between(a->turn_rate, b ? &b->turn_rate : NULL, part);
    for (int i = 0; i < asked->n_spins; i++) {
        const bool known = prescribed && asked->spins[i].rate_given;
        motion[RT_MOTION_SPINS + i] =
            known ? asked->spins[i].rate.value
                  : steady_motion_between(a->spins[i].rate, b ? &b->spins[i].rate : NULL, part);
        if (accelerated)
            accelerated[3 + i] = steady_motion_between(
                a->spins[i].acceleration, b ? &b->spins[i].acceleration : NULL, part);
    }
    return true;
}

/* ---- rates ---------------------------------------------------------------------------------- */

static void steady_motion_rates_of_body(rt_steady_search *k, int b)
{
    const rt_frame *f = &k->s->w->bodies[b];
    const int spin = k->spin_of_body[b];
    const double rate = k->motion[RT_MOTION_RATE];
    double *u = k->s->state->u + 6 * (size_t)b, *udot = k->s->state->udot + 6 * (size_t)b;
    double E[3], turn[3];
    rt_m3_tmul_v(E, f->A, k->e);
    rt_v3_cross(turn, k->e, f->r);
    rt_v3_copy(u, k->motion);
    rt_v3_add_scaled(u, rate, turn);
    rt_v3_scale(u + 3, rate, E);
    rt_v3_cross(udot, k->e, u);
    rt_v3_scale(udot, rate, udot);
    rt_v3_add(udot, udot, rt_steady_acceleration(k));
    rt_v3_set(udot + 3, 0, 0, 0);
    if (spin < 0) return;
    const double *a = k->asked->spins[spin].axis, s = k->motion[RT_MOTION_SPINS + spin];
    rt_v3_add_scaled(u + 3, s, a);
    rt_v3_cross(udot + 3, E, a);
    rt_v3_scale(udot + 3, rate * s, udot + 3);
    rt_v3_add_scaled(udot + 3, rt_steady_spin_acceleration(k, spin), a);
}

void rt_steady_rates(rt_steady_search *k)
{
    rt_state *state = k->s->state;
    for (int c = k->s->m->first_elastic; c < k->s->m->n_u; c++) state->u[c] = state->udot[c] = 0;
    rt_evaluate_frames(k->s->m, k->s->w, state);
    for (int b = 0; b < k->s->m->n_bodies; b++) steady_motion_rates_of_body(k, b);
}

/* ---- where it leads ------------------------------------------------------------------------- */

/* D v = integral of R(Omega e tau) v = (sin(a) v_p + (1 - cos(a)) e x v) / Omega + v_e t,
 * a = Omega t, v_p across the axis and v_e along it; series for small a. */
void rt_steady_displacement(const rt_steady_search *k, double t, double D[9], double by_rate[9])
{
    const double a = k->motion[RT_MOTION_RATE] * t, h = a / 2;
    const bool small = fabs(a) < 1e-3;
    const double sinc = fabs(a) < 1e-4 ? 1 - a * a / 6 : sin(a) / a;
    const double half = fabs(h) < 1e-4 ? 1 - h * h / 6 : sin(h) / h;
    const double across = small ? -a / 3 + a * a * a / 30 : (a * cos(a) - sin(a)) / (a * a);
    const double turned = small ? 0.5 - a * a / 8 : (a * sin(a) - 1 + cos(a)) / (a * a);
    double S[9];
    rt_m3_skew(S, k->e);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double along = k->e[i] * k->e[j], P = (i == j) - along;
            /* (1 - cos a)/a = sin(h)^2/h */
            D[3 * i + j] = t * (along + sinc * P + half * half * h * S[3 * i + j]);
            by_rate[3 * i + j] = t * t * (across * P + turned * S[3 * i + j]);
        }
}

/* Each body's own: r by its velocity, A <- R(Omega e t) A R(a s t). */
static void steady_motion_carry_body(rt_steady_search *k, int b, double t)
{
    const int spin = k->spin_of_body[b];
    double *q = k->s->state->q + 7 * (size_t)b;
    const double *v = k->s->state->u + 6 * (size_t)b;
    double d[3], D[9], unused[9], theta[3], A[9], turned[9], next[9], turn[9];
    rt_steady_displacement(k, t, D, unused);
    rt_m3_mul_v(d, D, v);
    rt_v3_add(q, q, d);
    rt_steady_acceleration_displacement(k, t, D, unused);
    rt_m3_mul_v(d, D, rt_steady_acceleration(k));
    rt_v3_add(q, q, d);
    rt_rotation_from_quaternion(A, q + 3);
    rt_v3_scale(theta, k->motion[RT_MOTION_RATE] * t, k->e);
    rt_rotation_exp(turn, theta);
    rt_m3_mul(turned, turn, A);
    rt_m3_identity(turn);
    if (spin >= 0) {
        rt_v3_scale(theta, rt_steady_spin_angle(k, spin, t), k->asked->spins[spin].axis);
        rt_rotation_exp(turn, theta);
    }
    rt_m3_mul(next, turned, turn);
    rt_rotation_to_quaternion(q + 3, next);
}

void rt_steady_carry(rt_steady_search *k, double t)
{
    rt_state *state = k->s->state;
    const int n_x = k->s->m->model->n_control_states;
    double turned[3], across[3];
    /* angles that count turns go on at the rates they have */
    rt_evaluate_frames(k->s->m, k->s->w, state);
    rt_angles_refer(k->s->m, k->s->w, state);
    rt_angles_settle(k->s->m, k->s->w, state, false);
    for (int b = 0; b < k->s->m->n_bodies; b++) steady_motion_carry_body(k, b, t);
    /* v_O' of the point at the world's origin: what is there later comes from elsewhere; it follows
     * from any body, v_O = v - Omega e x r, and u is taken anew */
    const double a = k->motion[RT_MOTION_RATE] * t, rate = k->motion[RT_MOTION_RATE];
    double R[9], theta[3], v[3];
    rt_v3_scale(theta, a, k->e);
    rt_rotation_exp(R, theta);
    rt_v3_copy(v, state->u); /* v + a_O t in the frame */
    rt_v3_add_scaled(v, t, rt_steady_acceleration(k));
    rt_m3_mul_v(across, R, v);
    rt_v3_copy(v, across);
    if (k->acceleration >= 0) {
        rt_m3_mul_v(across, R, rt_steady_acceleration(k));
        rt_v3_copy(k->motion + k->acceleration, across);
    }
    rt_v3_cross(turned, k->e, state->q);
    rt_v3_copy(across, v);
    rt_v3_add_scaled(across, -rate, turned);
    rt_v3_copy(k->motion, across);
    for (int i = 0; i < k->asked->n_spins; i++)
        k->motion[RT_MOTION_SPINS + i] += rt_steady_spin_acceleration(k, i) * t;
    for (int i = 0; i < n_x; i++) state->signal[i] += state->signal[n_x + i] * t;
    state->t += t;
}
