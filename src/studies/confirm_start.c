/* The start of a run: a sum of all modes, each with a phase of its own,
 *
 *     S = sum Re(c z),   S' = sum Re(s c z),   X = sum Re(c z_X),      |c| = amplitude / size of z
 *
 * put on the bodies, with Omega the observer's angular velocity and w the body's, by
 *
 *     dr = X_r S,                   dtheta = X_theta S
 *     dv = X_r S' + Omega x dr,     dw = X_theta S' + Omega x dtheta + dtheta x w
 *
 * on elastic coordinates that are states by S and S', and then brought onto the constraints. It
 * need not be the sum exactly: it only has to set everything swinging. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "base/rotation.h"
#include "studies/confirm.h"

/* Uniform in 0 .. 1, of a seed, a run and a mode (splitmix64). */
static double random_of(unsigned seed, int run, int mode)
{
    unsigned long long x = seed * 0x9E3779B97F4A7C15ull +
                           (unsigned long long)(run + 1) * 0xBF58476D1CE4E5B9ull +
                           (unsigned long long)(mode + 1) * 0x94D049BB133111EBull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

typedef struct disturbance {
    double *S, *rate, *X;
} disturbance;

/* Of a rigid mode, which may drift: no farther than the amplitude within the record. */
static double drift_of(const rt_confirm_holder *h, const routh_mode *mode)
{
    double largest = 0;
    if (h->linear->n_velocity != h->n_position) return 0;
    for (int k = 0; k < h->n_position; k++)
        largest = fmax(largest, fabs(mode->shape[h->n_position + k]));
    return largest * h->result.duration;
}

static void confirm_start_add_mode(const rt_confirm_holder *h, int run, int k, double amplitude,
                                   disturbance *d)
{
    const routh_mode *mode = &h->modes->modes[k];
    const int n = h->linear->n_states, z = h->n_position;
    const double *re = mode->shape, *im = re + n;
    const double size = h->shape_size[k] > 0 ? h->shape_size[k] : 1;
    const double phase = RT_TWO_PI * random_of(h->options.seed, run, k);
    double a = amplitude / size, b = 0;
    if (mode->rigid)
        a /= fmax(1, drift_of(h, mode) / size);
    else if (mode->eigenvalue[1] == 0)
        a *= phase < RT_PI ? 1 : -1;
    else
        b = a * sin(phase), a *= cos(phase);
    const double s = mode->eigenvalue[0], w = mode->eigenvalue[1];
    for (int i = 0; i < z; i++) {
        const double x = a * re[i] - b * im[i], y = a * im[i] + b * re[i];
        d->S[i] += x;
        d->rate[i] += s * x - w * y;
        if (mode->rigid && h->linear->n_velocity == z) d->rate[i] += a * re[z + i];
    }
    for (int i = 0; i < h->n_x; i++) {
        const int at = z + h->linear->n_velocity + i;
        d->X[i] += a * re[at] - b * im[at];
    }
}

/* 6 numbers: the motion of body b with the states S */
static void confirm_start_move(const rt_confirm_holder *h, int b, const double *S, double motion[6])
{
    const int n = h->linear->n_states;
    for (int r = 0; r < 6; r++) {
        motion[r] = 0;
        for (int i = 0; i < h->n_position; i++)
            motion[r] += h->linear->markers[b].motion[r * n + i] * S[i];
    }
}

static void disturb_body(const rt_confirm_holder *h, int b, const disturbance *d,
                         routh_initial_body *body)
{
    double x[6], rate[6], R[9], A[9];
    const double *Omega = h->observer_rate;
    confirm_start_move(h, b, d->S, x);
    confirm_start_move(h, b, d->rate, rate);
    rt_v3_cross_add(rate, Omega, x);
    rt_v3_cross_add(rate + 3, Omega, x + 3);
    rt_v3_cross_add(rate + 3, x + 3, body->angular_velocity);
    rt_rotation_exp(R, x + 3);
    rt_m3_mul(A, R, body->orientation);
    memcpy(body->orientation, A, sizeof A);
    for (int i = 0; i < 3; i++) {
        body->position[i] += x[i];
        body->velocity[i] += rate[i];
        body->angular_velocity[i] += rate[3 + i];
    }
}

/* Elastic coordinates of all bodies, in numbers of their own in `room`: 2 n_elastic. */
static void disturb_elastic(const rt_confirm_holder *h, const disturbance *d, double *room,
                            routh_initial_body *bodies)
{
    const routh_mechanism *m = h->m;
    double *rate = room + m->n_elastic;
    for (int b = 0; b < m->n_bodies; b++) {
        const int first = m->elastic_start[b], n = bodies[b].n_elastic;
        if (n == 0) continue;
        memcpy(room + first, bodies[b].elastic, (size_t)n * sizeof *room);
        if (bodies[b].elastic_rates)
            memcpy(rate + first, bodies[b].elastic_rates, (size_t)n * sizeof *room);
        bodies[b].elastic = room + first;
        bodies[b].elastic_rates = rate + first;
    }
    for (int k = 0; k < h->n_position; k++) {
        const int e = rt_confirm_elastic(h, k);
        if (e < 0) continue;
        room[e] += d->S[k];
        rate[e] += d->rate[k];
    }
}

static routh_status confirm_start_make_point(const rt_confirm_holder *h,
                                             const routh_initial_state *from, const disturbance *d,
                                             rt_arena *arena, routh_operating_point **point,
                                             routh_error *error)
{
    routh_initial_state state = *from;
    routh_initial_state_options options = routh_initial_state_defaults();
    routh_initial_body *bodies = RT_TAKE(arena, routh_initial_body, from->n_bodies);
    routh_initial_signal *states = RT_TAKE(arena, routh_initial_signal, from->n_states);
    double *elastic = RT_TAKE(arena, double, 2 * h->m->n_elastic + 1);
    if (!bodies || !states || !elastic) return rt_fail_memory(error);
    for (int b = 0; b < from->n_bodies; b++) {
        bodies[b] = from->bodies[b];
        disturb_body(h, b, d, &bodies[b]);
    }
    disturb_elastic(h, d, elastic, bodies);
    for (int k = 0; k < from->n_states; k++) {
        states[k] = from->states[k];
        states[k].value += d->X[k];
    }
    state.bodies = bodies;
    state.states = states;
    state.coordinates = NULL;
    options.allowed = INFINITY;
    options.tolerance = 1e-13;
    return routh_operating_point_of_state(point, h->m, &state, &options, error);
}

routh_status rt_confirm_start(const rt_confirm_holder *h, int run, double amplitude,
                              routh_operating_point **point, routh_error *error)
{
    rt_arena arena = {0};
    routh_initial_state *state = NULL;
    double *room = RT_TAKE(&arena, double, 2 * h->n_position + h->n_x + 1);
    if (!room) return rt_fail_memory(error);
    disturbance d = {room, room + h->n_position, room + 2 * h->n_position};
    for (int k = 0; k < h->modes->n; k++)
        if (h->modes->modes[k].eigenvalue[1] >= 0 && rt_confirm_has(h, &h->modes->modes[k]))
            confirm_start_add_mode(h, run, k, amplitude, &d);
    routh_status status = routh_initial_state_of_point(&state, h->m, h->point, error);
    if (!status) status = confirm_start_make_point(h, state, &d, &arena, point, error);
    routh_initial_state_free(state);
    rt_arena_free(&arena);
    return status;
}
