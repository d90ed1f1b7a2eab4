/* Uniformly accelerated motion: the frame's own velocity grows by a_O, constant in the frame, so
 * that of each body
 *     v(t) = R(Omega e t)(v + a_O t),    v' = Omega e x v + R a_O,
 *     r(t) = r + D v + B a_O,   B = integral of tau R(Omega e tau) d tau.
 * Bodies that spin may do so faster and faster, s(t) = s + s' t: the wheels of a car that brakes,
 * whose slip stays. Straight on, or along the axis of a rotation, it lasts as long as no force
 * feels the velocity. */

#include "base/kept_memory.h"
#include "base/lapack.h"
#include "operating/steady.h"

const double *rt_steady_acceleration(const rt_steady_search *k)
{
    static const double none[3] = {0};
    return k->acceleration < 0 ? none : k->motion + k->acceleration;
}

double rt_steady_spin_acceleration(const rt_steady_search *k, int spin)
{
    return k->acceleration < 0 ? 0 : k->motion[k->acceleration + 3 + spin];
}

double rt_steady_spin_angle(const rt_steady_search *k, int spin, double t)
{
    return (k->motion[RT_MOTION_SPINS + spin] + rt_steady_spin_acceleration(k, spin) * t / 2) * t;
}

/* At u = u' = 0 the accelerations of constraints are what time itself makes of them. */
routh_status rt_steady_is_driven(rt_search *s, bool *accelerated, routh_error *error)
{
    static const double none = 1e-12;
    rt_state *still = NULL;
    routh_status status = rt_state_create(&still, s->m, error);
    *accelerated = false;
    if (status) return status;
    rt_state_copy(s->m, still, s->state);
    memset(still->u, 0, (size_t)s->m->n_u * sizeof *still->u);
    memset(still->udot, 0, (size_t)s->m->n_u * sizeof *still->udot);
    status = rt_evaluate(s->m, s->w, still, RT_EVALUATE_PHI, error);
    for (int r = 0; r < s->m->n_rows && !status; r++)
        if (fabs(s->w->phi[2][r]) > none) *accelerated = true;
    rt_state_free(still);
    return status;
}

/* The mean of u' - Omega e x v, weighted by mass. */
static void take_mean(const rt_steady_search *k, double a[3])
{
    double mass = 0;
    rt_v3_set(a, 0, 0, 0);
    for (int b = 0; b < k->s->m->n_bodies; b++) {
        const double *u = k->s->state->u + 6 * (size_t)b, own = rt_steady_mass(k, b);
        double turn[3];
        rt_v3_cross(turn, k->e, u);
        rt_v3_add_scaled(a, own, k->s->state->udot + 6 * (size_t)b);
        rt_v3_add_scaled(a, -own * k->motion[RT_MOTION_RATE], turn);
        mass += own;
    }
    if (mass > 0) rt_v3_scale(a, 1 / mass, a);
}

/* da of least |G da + Phi''|, G of the translation of all bodies together: N x = y, N = G'G and a
 * little. */
static void step_to_joints(const rt_steady_search *k, double a[3])
{
    const rt_search *s = k->s;
    const rt_pattern *G = &s->m->pattern_G;
    double N[9] = {0}, y[3] = {0},
           *row = rt_kept_calloc(s->m->analyses, (size_t)s->m->n_rows * 3 + 1, sizeof *row);
    int pivots[3];
    if (!row) return;
    for (int c = 0; c < s->m->first_elastic; c++)
        for (int p = G->start[c]; p < G->start[c + 1] && c % 6 < 3; p++)
            row[3 * G->row[p] + c % 6] += s->w->G[p];
    for (int r = 0; r < s->m->n_rows; r++)
        for (int i = 0; i < 3; i++) {
            y[i] -= row[3 * r + i] * s->w->phi[2][r];
            for (int j = 0; j < 3; j++) N[3 * i + j] += row[3 * r + i] * row[3 * r + j];
        }
    const double little = 1e-10 * (N[0] + N[4] + N[8]) + 1e-300;
    for (int i = 0; i < 3; i++) N[4 * i] += little;
    if (!rt_lu_factor(3, N, pivots, NULL) && !rt_lu_solve(3, N, pivots, 1, y, 0, NULL))
        rt_v3_add(a, a, y);
    rt_kept_free(row);
}

/* Of what rolls s'/s = v'/v; of what stands as the state has it. */
static void fit_spins(rt_steady_search *k)
{
    const double *a = rt_steady_acceleration(k), square = rt_v3_dot(k->motion, k->motion);
    for (int i = 0; i < k->asked->n_spins; i++) {
        const rt_spin *spin = &k->asked->spins[i];
        const double *udot = k->s->state->udot + 6 * (size_t)spin->body + 3;
        k->motion[k->acceleration + 3 + i] =
            square > 0 ? k->motion[RT_MOTION_SPINS + i] * rt_v3_dot(a, k->motion) / square
                       : rt_v3_dot(spin->axis, udot);
    }
}

void rt_steady_fit_acceleration(rt_steady_search *k)
{
    rt_search *s = k->s;
    double *a = k->motion + k->acceleration;
    take_mean(k, a);
    fit_spins(k);
    rt_steady_rates(k);
    if (!rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, NULL))
        step_to_joints(k, a);
}

/* Integrals from 0 to 1 of x cos(a x), x sin(a x), x^2 cos(a x), x^2 sin(a x), a series for small
 * a. */
static void acceleration_moments(double a, double out[4])
{
    const double s = sin(a), c = cos(a), a2 = a * a;
    if (fabs(a) < 0.03) {
        out[0] = 0.5 - a2 / 8 + a2 * a2 / 144;
        out[1] = a * (1.0 / 3 - a2 / 30 + a2 * a2 / 840);
        out[2] = 1.0 / 3 - a2 / 10 + a2 * a2 / 168;
        out[3] = a * (0.25 - a2 / 36 + a2 * a2 / 960);
        return;
    }
    out[0] = (a * s + c - 1) / a2;
    out[1] = (s - a * c) / a2;
    out[2] = ((a2 - 2) * s + 2 * a * c) / (a2 * a);
    out[3] = ((2 - a2) * c + 2 * a * s - 2) / (a2 * a);
}

void rt_steady_acceleration_displacement(const rt_steady_search *k, double t, double B[9],
                                         double by_rate[9])
{
    double of[4], S[9];
    acceleration_moments(k->motion[RT_MOTION_RATE] * t, of);
    rt_m3_skew(S, k->e);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double along = k->e[i] * k->e[j], P = (i == j) - along;
            B[3 * i + j] = t * t * (along / 2 + of[0] * P + of[1] * S[3 * i + j]);
            by_rate[3 * i + j] = t * t * t * (of[2] * S[3 * i + j] - of[3] * P);
        }
}
