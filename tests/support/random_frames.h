/* Random frames for tests, families of motions through them, and derivatives taken by differences.
 *
 * Two families are offered. perturbed_frame() bends a frame to first order by the rules of
 * frames.h: any of the 18 variations alone. joint_frame() is a motion in time by three
 * displacements and three successive turns, whose twist, acceleration and variation levels are
 * worked out without those rules, so it can vouch for them. */
#ifndef SUPPORT_RANDOM_FRAMES_H
#define SUPPORT_RANDOM_FRAMES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/rotation.h"
#include "elements/frames.h"

enum { N_RANDOM_STATES = 200 };

/* What moves in a random state. */
enum { MOTION_REST, MOTION_VELOCITY, MOTION_ACCELERATION, MOTION_BOTH, N_MOTIONS };

/* ---- numbers ------------------------------------------------------------------------- */

typedef struct random_stream {
    uint64_t state;
} random_stream;

/* splitmix64 (Steele, Lea, Flood 2014) */
static inline uint64_t random_bits(random_stream *stream)
{
    uint64_t z = stream->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in (-1, 1). */
static inline double random_real(random_stream *stream)
{
    return ldexp((double)(random_bits(stream) >> 11), -52) - 1;
}

static inline void random_reals(random_stream *stream, int n, double *x)
{
    for (int k = 0; k < n; k++) x[k] = random_real(stream);
}

/* A random rotation by the given angle. */
static inline void random_rotation(random_stream *stream, double angle, double A[9])
{
    double axis[3], n;
    do {
        random_reals(stream, 3, axis);
        n = rt_v3_norm(axis);
    } while (n > 1 || n < 0.1);
    rt_v3_scale(axis, angle / n, axis);
    rt_rotation_exp(A, axis);
}

/* ---- motions in time ----------------------------------------------------------------- */

/* Three displacements, then turns about z, x, z; each with first and second time derivative. */
typedef struct joint_motion {
    double q[6], rate[6], acceleration[6];
} joint_motion;

static inline joint_motion random_joint_motion(random_stream *stream, int motion)
{
    joint_motion m = {0};
    random_reals(stream, 6, m.q);
    for (int k = 3; k < 6; k++) m.q[k] *= 3;
    if (motion == MOTION_VELOCITY || motion == MOTION_BOTH) random_reals(stream, 6, m.rate);
    if (motion == MOTION_ACCELERATION || motion == MOTION_BOTH)
        random_reals(stream, 6, m.acceleration);
    return m;
}

/* m + eps d, level by level. */
static inline joint_motion joint_motion_plus(const joint_motion *m, double eps,
                                             const joint_motion *d)
{
    joint_motion sum = *m;
    for (int k = 0; k < 6; k++) {
        sum.q[k] += eps * d->q[k];
        sum.rate[k] += eps * d->rate[k];
        sum.acceleration[k] += eps * d->acceleration[k];
    }
    return sum;
}

/* The motion t later, its acceleration staying. */
static inline joint_motion joint_motion_later(const joint_motion *m, double t)
{
    joint_motion later = *m;
    for (int k = 0; k < 6; k++) {
        later.q[k] += t * (m->rate[k] + t / 2 * m->acceleration[k]);
        later.rate[k] += t * m->acceleration[k];
    }
    return later;
}

/* The frame, and the axes of its three turns with their first and second time derivatives. */
typedef struct joint_axes {
    double b[3][3], b_rate[3][3], b_acceleration[3][3];
} joint_axes;

static inline void joint_frame_and_axes(const joint_motion *m, rt_frame *f, joint_axes *x)
{
    static const double local[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 0, 1}};
    *f = (rt_frame){0};
    rt_v3_copy(f->r, m->q);
    rt_v3_copy(f->v, m->rate);
    rt_v3_copy(f->a, m->acceleration);
    rt_m3_identity(f->A);
    for (int k = 0; k < 3; k++) {
        double turn[3], E[9], A[9];
        /* the axis rides on the turns before it */
        rt_m3_mul_v(x->b[k], f->A, local[k]);
        rt_v3_cross(x->b_rate[k], f->w, x->b[k]);
        rt_v3_cross(x->b_acceleration[k], f->al, x->b[k]);
        rt_v3_cross_add(x->b_acceleration[k], f->w, x->b_rate[k]);
        rt_v3_scale(turn, m->q[3 + k], local[k]);
        rt_rotation_exp(E, turn);
        rt_m3_mul(A, f->A, E);
        memcpy(f->A, A, sizeof A);
        rt_v3_add_scaled(f->al, m->acceleration[3 + k], x->b[k]);
        rt_v3_add_scaled(f->al, m->rate[3 + k], x->b_rate[k]);
        rt_v3_add_scaled(f->w, m->rate[3 + k], x->b[k]);
    }
}

static inline rt_frame joint_frame(const joint_motion *m)
{
    rt_frame f;
    joint_axes x;
    joint_frame_and_axes(m, &f, &x);
    return f;
}

/* The three levels (xi, xi', xi''), six each, of the family m + eps d at eps = 0:
 * dtheta = sum of d_k b_k, and its time derivatives by the product rule. */
static inline void joint_variation(const joint_motion *m, const joint_motion *d, double xi[18])
{
    rt_frame f;
    joint_axes x;
    joint_frame_and_axes(m, &f, &x);
    memset(xi, 0, 18 * sizeof *xi);
    rt_v3_copy(xi, d->q);
    rt_v3_copy(xi + 6, d->rate);
    rt_v3_copy(xi + 12, d->acceleration);
    for (int k = 0; k < 3; k++) {
        const double q = d->q[3 + k], rate = d->rate[3 + k], acceleration = d->acceleration[3 + k];
        rt_v3_add_scaled(xi + 3, q, x.b[k]);
        rt_v3_add_scaled(xi + 9, rate, x.b[k]);
        rt_v3_add_scaled(xi + 9, q, x.b_rate[k]);
        rt_v3_add_scaled(xi + 15, acceleration, x.b[k]);
        rt_v3_add_scaled(xi + 15, 2 * rate, x.b_rate[k]);
        rt_v3_add_scaled(xi + 15, q, x.b_acceleration[k]);
    }
}

/* ---- single frames ------------------------------------------------------------------- */

static inline rt_frame random_frame(random_stream *stream, int motion)
{
    const joint_motion m = random_joint_motion(stream, motion);
    return joint_frame(&m);
}

/* A family through f at eps = 0 with the variation xi[18] = (xi, xi', xi''), by the rules of
 * frames.h. */
static inline rt_frame perturbed_frame(const rt_frame *f, double eps, const double xi[18])
{
    rt_frame p = *f;
    double turn[3], E[9];
    const double *th = xi + 3, *th_rate = xi + 9, *th_acceleration = xi + 15;
    rt_v3_add_scaled(p.r, eps, xi);
    rt_v3_add_scaled(p.v, eps, xi + 6);
    rt_v3_add_scaled(p.a, eps, xi + 12);
    rt_v3_scale(turn, eps, th);
    rt_rotation_exp(E, turn);
    rt_m3_mul(p.A, E, f->A);
    rt_v3_add_scaled(p.w, eps, th_rate);
    rt_v3_add_scaled(p.al, eps, th_acceleration);
    rt_v3_scale(turn, -eps, f->w);
    rt_v3_cross_add(p.w, turn, th);
    rt_v3_cross_add(p.al, turn, th_rate);
    rt_v3_scale(turn, -eps, f->al);
    rt_v3_cross_add(p.al, turn, th);
    return p;
}

/* The same frame seen from elsewhere: r -> Q r + c, all vectors turned by Q. */
static inline rt_frame moved_frame(const rt_frame *f, const double Q[9], const double c[3])
{
    rt_frame m;
    rt_m3_mul_v(m.r, Q, f->r);
    rt_v3_add(m.r, m.r, c);
    rt_m3_mul(m.A, Q, f->A);
    rt_m3_mul_v(m.v, Q, f->v);
    rt_m3_mul_v(m.w, Q, f->w);
    rt_m3_mul_v(m.a, Q, f->a);
    rt_m3_mul_v(m.al, Q, f->al);
    return m;
}

/* The frame with a rigid motion of the world laid over its velocities: v += V + W x r, w += W. */
static inline rt_frame carried_frame(const rt_frame *f, const double V[3], const double W[3])
{
    rt_frame m = *f;
    rt_v3_add(m.v, m.v, V);
    rt_v3_cross_add(m.v, W, f->r);
    rt_v3_add(m.w, m.w, W);
    return m;
}

/* The cosine of half the angle between two frames, from the trace: 0 at pi. */
static inline double half_angle_cosine(const rt_frame *i, const rt_frame *j)
{
    double R[9];
    rt_m3_tmul(R, j->A, i->A);
    return sqrt(fmax(0, 1 + R[0] + R[4] + R[8])) / 2;
}

/* ---- derivatives by differences ------------------------------------------------------ */

enum { MAX_DIFFERENCED = 192 };

typedef void (*family_function)(void *context, double eps, double *value);

/* d value / d eps at 0 (n <= MAX_DIFFERENCED values): central differences at steps h, h/2, h/4,
 * h/8 and Richardson's extrapolation, error of order h^8. */
static inline void differentiate(family_function family, void *context, double h, int n,
                                 double *derivative)
{
    enum { N_STEPS = 4 };
    double table[N_STEPS][MAX_DIFFERENCED], plus[MAX_DIFFERENCED], minus[MAX_DIFFERENCED];
    for (int s = 0; s < N_STEPS; s++, h /= 2) {
        family(context, h, plus);
        family(context, -h, minus);
        for (int k = 0; k < n; k++) table[s][k] = (plus[k] - minus[k]) / (2 * h);
    }
    double power = 4;
    for (int order = 1; order < N_STEPS; order++, power *= 4)
        for (int s = N_STEPS - 1; s >= order; s--)
            for (int k = 0; k < n; k++)
                table[s][k] += (table[s][k] - table[s - 1][k]) / (power - 1);
    memcpy(derivative, table[N_STEPS - 1], (size_t)n * sizeof *derivative);
}

#endif
