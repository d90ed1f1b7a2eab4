/* A flexible body of point masses that turn, every coordinate moving some of them: what the moments
 * say, against the sum over the points. Accelerations of the points are differences in time of
 * their velocities. Displacements of second order have Lagrange's equations of the points' energy
 * for judge, all its derivatives by differences. Points that turn finitely have their energy to
 * second order in the coordinates, for which that of the rotation exp(psi~) is judge. */
#include <stdlib.h>

#include "base/rotation.h"
#include "elements/check_load.h"

#include "elements/flexible_inertia.h"
#include "flexible/section_turn.h"

enum { N = 6, N_POINTS = 10, N_BARS = 2, BAR = 3, MAX_ENTRIES = N * N, N_VALUES = 6 + N };

typedef struct point {
    double m, X[3], j[9], S[N][3], R[N][3], G[N][N][3];
} point;

typedef struct points {
    point point[N_POINTS];
    rt_flexible flexible;
    rt_arena arena;
    double a[3 * N], B[9 * N], h[3 * N], N9[9 * MAX_ENTRIES], M[MAX_ENTRIES], K[MAX_ENTRIES];
    double D[MAX_ENTRIES], a2[3 * MAX_ENTRIES], B2[9 * MAX_ENTRIES];
    double J1[9 * N], J2[9 * MAX_ENTRIES], H_even[3 * MAX_ENTRIES], H_odd[3 * MAX_ENTRIES];
    rt_bar bars[N_BARS];
    int columns[N_BARS][BAR], position[N_BARS][BAR * BAR];
    double c[N_BARS][BAR], g[N_BARS][BAR * BAR];
} points;

/* Coordinate k moves points k .. k + 4. */
static bool moves(int k, int i) { return i >= k && i < k + 5; }
static bool coupled(int k, int l) { return abs(k - l) < 5; }

static void draw_points(points *b, random_stream *stream)
{
    for (int i = 0; i < N_POINTS; i++) {
        point *p = &b->point[i];
        *p = (point){.m = 0.2 + fabs(random_real(stream))};
        random_reals(stream, 3, p->X);
        for (int x = 0; x < 3; x++)
            for (int y = 0; y <= x; y++)
                p->j[3 * x + y] = p->j[3 * y + x] = 0.2 * random_real(stream) + (x == y);
        for (int k = 0; k < N; k++)
            if (moves(k, i)) random_reals(stream, 3, p->S[k]), random_reals(stream, 3, p->R[k]);
    }
}

static void sum_body(points *b)
{
    rt_flexible *f = &b->flexible;
    for (int i = 0; i < N_POINTS; i++) {
        const point *p = &b->point[i];
        f->mass += p->m;
        rt_v3_add_scaled(f->first, p->m, p->X);
        for (int x = 0; x < 9; x++) {
            f->second[x] += p->m * p->X[x / 3] * p->X[x % 3];
            f->rotary[x] += p->j[x];
        }
        for (int k = 0; k < N; k++) {
            double jR[3];
            rt_m3_mul_v(jR, p->j, p->R[k]);
            rt_v3_add_scaled(b->a + 3 * k, p->m, p->S[k]);
            rt_v3_add(b->h + 3 * k, b->h + 3 * k, jR);
            for (int x = 0; x < 9; x++) b->B[9 * k + x] += p->m * p->X[x / 3] * p->S[k][x % 3];
        }
    }
}

static void sum_entry(points *b, int e, int k, int l)
{
    for (int i = 0; i < N_POINTS; i++) {
        const point *p = &b->point[i];
        double jR[3];
        rt_m3_mul_v(jR, p->j, p->R[l]);
        b->M[e] += rt_v3_dot(p->R[k], jR);
        for (int x = 0; x < 9; x++) b->N9[9 * e + x] += p->m * p->S[k][x / 3] * p->S[l][x % 3];
    }
}

static int entry_of(const rt_pattern *p, int k, int l)
{
    for (int e = p->start[l]; e < p->start[l + 1]; e++)
        if (p->row[e] == k) return e;
    fail_msg("no entry %d, %d", k, l);
    return -1;
}

static void draw_matrices(points *b, random_stream *stream)
{
    const rt_pattern *p = &b->flexible.pattern;
    for (int l = 0; l < N; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++) {
            const int k = p->row[e];
            sum_entry(b, e, k, l);
            if (k <= l) b->K[e] = b->K[entry_of(p, l, k)] = 3 * random_real(stream);
            b->D[e] = random_real(stream);
        }
}

static void draw_bars(points *b, random_stream *stream)
{
    for (int s = 0; s < N_BARS; s++) {
        rt_bar *bar = &b->bars[s];
        for (int x = 0; x < BAR; x++) b->columns[s][x] = 2 * x + s;
        random_reals(stream, BAR, b->c[s]);
        for (int x = 0; x < BAR; x++)
            for (int y = 0; y < BAR; y++) {
                if (y <= x) b->g[s][BAR * x + y] = b->g[s][BAR * y + x] = random_real(stream);
                b->position[s][BAR * x + y] =
                    entry_of(&b->flexible.pattern, b->columns[s][x], b->columns[s][y]);
            }
        *bar =
            (rt_bar){5 + random_real(stream), BAR, b->columns[s], b->c[s], b->g[s], b->position[s],
                     1 + random_real(stream)};
    }
}

static void draw_body(points *b, random_stream *stream)
{
    int rows[MAX_ENTRIES], columns[MAX_ENTRIES];
    size_t n = 0;
    *b = (points){0};
    rt_flexible *f = &b->flexible;
    f->n = N, f->a = b->a, f->B = b->B, f->h = b->h, f->N = b->N9, f->M = b->M, f->K = b->K;
    f->D = b->D, f->n_bars = N_BARS, f->bars = b->bars;
    for (int k = 0; k < N; k++)
        for (int l = 0; l < N; l++)
            if (coupled(k, l)) rows[n] = k, columns[n++] = l;
    assert_int_equal(rt_pattern_build(&f->pattern, N, N, n, rows, columns, NULL, &b->arena, NULL),
                     ROUTH_OK);
    draw_points(b, stream);
    sum_body(b);
    draw_matrices(b, stream);
    draw_bars(b, stream);
}

static void leave_out_damping(points *b)
{
    memset(b->D, 0, sizeof b->D);
    for (int s = 0; s < N_BARS; s++) b->bars[s].damping = 0;
}

/* Displacements of second order: of the points that both coordinates move. */
static void draw_second(points *b, random_stream *stream)
{
    const rt_pattern *p = &b->flexible.pattern;
    for (int i = 0; i < N_POINTS; i++)
        for (int k = 0; k < N; k++)
            for (int l = 0; l <= k; l++)
                if (moves(k, i) && moves(l, i)) {
                    random_reals(stream, 3, b->point[i].G[k][l]);
                    rt_v3_copy(b->point[i].G[l][k], b->point[i].G[k][l]);
                }
    for (int l = 0; l < N; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++)
            for (int i = 0; i < N_POINTS; i++) {
                const point *x = &b->point[i];
                const double *G = x->G[p->row[e]][l];
                rt_v3_add_scaled(b->a2 + 3 * e, x->m, G);
                for (int c = 0; c < 9; c++) b->B2[9 * e + c] += x->m * x->X[c / 3] * G[c % 3];
            }
    b->flexible.a2 = b->a2, b->flexible.B2 = b->B2;
}

/* Points that turn finitely. */
static void draw_turning(points *b)
{
    const rt_pattern *p = &b->flexible.pattern;
    for (int i = 0; i < N_POINTS; i++) {
        const point *x = &b->point[i];
        for (int l = 0; l < N; l++) {
            rt_section_add_first(b->J1 + 9 * l, x->j, x->R[l]);
            for (int e = p->start[l]; e < p->start[l + 1]; e++) {
                const double *R_k = x->R[p->row[e]];
                rt_section_add_second(b->J2 + 9 * e, x->j, R_k, x->R[l]);
                rt_section_add_momentum(b->H_even + 3 * e, b->H_odd + 3 * e, x->j, R_k, x->R[l]);
            }
        }
    }
    b->flexible.J1 = b->J1, b->flexible.J2 = b->J2;
    b->flexible.H_even = b->H_even, b->flexible.H_odd = b->H_odd;
}

/* A motion: the frame's, and that of the elastic coordinates. */
typedef struct motion {
    joint_motion frame;
    double q[N], u[N], udot[N], gravity[3];
} motion;

static motion draw_motion(random_stream *stream, int kind)
{
    motion m = {.frame = random_joint_motion(stream, kind)};
    random_reals(stream, 3, m.gravity);
    random_reals(stream, N, m.q);
    if (kind == MOTION_VELOCITY || kind == MOTION_BOTH) random_reals(stream, N, m.u);
    if (kind == MOTION_ACCELERATION || kind == MOTION_BOTH) random_reals(stream, N, m.udot);
    for (int k = 0; k < 6; k++) m.frame.rate[k] *= 3, m.frame.acceleration[k] *= 4;
    return m;
}

static motion later(const motion *m, double t)
{
    motion x = *m;
    x.frame = joint_motion_later(&m->frame, t);
    for (int k = 0; k < N; k++) {
        x.q[k] += t * (m->u[k] + t / 2 * m->udot[k]);
        x.u[k] += t * m->udot[k];
    }
    return x;
}

typedef struct evaluation {
    double elastic[N], scale[N], by_elastic[3][6 * N], by_frame[3][6 * N], inner[3][MAX_ENTRIES];
    rt_flexible_result result;
} evaluation;

static void evaluate_at(const points *b, const rt_frame *f, const motion *m, bool partials,
                        evaluation *v)
{
    const rt_elastic_state state = {m->q, m->u, m->udot};
    rt_flexible_result *r = &v->result;
    *r = (rt_flexible_result){.elastic = v->elastic, .scale = v->scale};
    for (int level = 0; level < 3; level++) {
        r->by_elastic[level] = v->by_elastic[level];
        r->by_frame[level] = v->by_frame[level];
        r->inner[level] = v->inner[level];
    }
    rt_flexible_evaluate(&b->flexible, NULL, f, &state, m->gravity, partials, r);
}

/* (wrench, r_k) */
static void values_at(const points *b, const rt_frame *f, const motion *m, double *values)
{
    evaluation v;
    evaluate_at(b, f, m, false, &v);
    memcpy(values, v.result.wrench, 6 * sizeof *values);
    memcpy(values + 6, v.elastic, N * sizeof *values);
}

/* ---- the sum over the points --------------------------------------------------------- */

static void place(const point *p, const double *q, double s[3])
{
    rt_v3_copy(s, p->X);
    for (int k = 0; k < N; k++) rt_v3_add_scaled(s, q[k], p->S[k]);
}

/* s2 of a point and its rate */
static void second_place(const point *p, const motion *m, double s2[3], double rate[3])
{
    memset(s2, 0, 3 * sizeof *s2);
    memset(rate, 0, 3 * sizeof *rate);
    for (int k = 0; k < N; k++)
        for (int l = 0; l < N; l++) {
            rt_v3_add_scaled(s2, m->q[k] * m->q[l] / 2, p->G[k][l]);
            rt_v3_add_scaled(rate, m->q[k] * m->u[l], p->G[k][l]);
        }
}

/* Velocity (world) and momentum of turning (the frame's axes) of each point. */
static void velocities(const points *b, const motion *m, double v[N_POINTS][3],
                       double L[N_POINTS][3])
{
    const rt_frame f = joint_frame(&m->frame);
    for (int i = 0; i < N_POINTS; i++) {
        const point *p = &b->point[i];
        double s[3], rate[3] = {0}, world[3], turn[3];
        place(p, m->q, s);
        rt_m3_tmul_v(turn, f.A, f.w);
        for (int k = 0; k < N; k++) {
            rt_v3_add_scaled(rate, m->u[k], p->S[k]);
            rt_v3_add_scaled(turn, m->u[k], p->R[k]);
        }
        rt_m3_mul_v(v[i], f.A, rate);
        rt_m3_mul_v(world, f.A, s);
        rt_v3_add(v[i], v[i], f.v);
        rt_v3_cross_add(v[i], f.w, world);
        rt_m3_mul_v(L[i], p->j, turn);
    }
}

typedef struct road {
    const points *body;
    const motion *motion;
} road;

/* velocities, momenta in the frame's axes, momenta in the world */
static void velocities_later(void *context, double t, double *values)
{
    const road *x = context;
    const motion m = later(x->motion, t);
    const rt_frame f = joint_frame(&m.frame);
    double v[N_POINTS][3], L[N_POINTS][3];
    velocities(x->body, &m, v, L);
    memcpy(values, v, sizeof v);
    memcpy(values + 3 * N_POINTS, L, sizeof L);
    for (int i = 0; i < N_POINTS; i++) rt_m3_mul_v(values + 6 * N_POINTS + 3 * i, f.A, L[i]);
}

static double bar_slope(const rt_bar *bar, int x, const double *q)
{
    double slope = bar->c[x];
    for (int y = 0; y < BAR; y++) slope += bar->g[BAR * x + y] * q[bar->column[y]];
    return slope;
}

static void add_forces(const points *b, const motion *m, double *values)
{
    const rt_pattern *p = &b->flexible.pattern;
    for (int l = 0; l < N; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++)
            values[6 + p->row[e]] += b->K[e] * m->q[l] + b->D[e] * m->u[l];
    for (int s = 0; s < N_BARS; s++) {
        const rt_bar *bar = &b->bars[s];
        double strain = 0, rate = 0;
        for (int x = 0; x < BAR; x++) {
            rate += bar_slope(bar, x, m->q) * m->u[bar->column[x]];
            strain += bar->c[x] * m->q[bar->column[x]];
            for (int y = 0; y < BAR; y++)
                strain += bar->g[BAR * x + y] * m->q[bar->column[x]] * m->q[bar->column[y]] / 2;
        }
        for (int x = 0; x < BAR; x++)
            values[6 + bar->column[x]] +=
                (bar->stiffness * strain + bar->damping * rate) * bar_slope(bar, x, m->q);
    }
}

static void sum_points(const points *b, const motion *m, double *values)
{
    const rt_frame f = joint_frame(&m->frame);
    road x = {b, m};
    double rates[9 * N_POINTS];
    differentiate(velocities_later, &x, 0.02, 9 * N_POINTS, rates);
    memset(values, 0, N_VALUES * sizeof *values);
    for (int i = 0; i < N_POINTS; i++) {
        const point *p = &b->point[i];
        double s[3], world[3], force[3], along[3];
        rt_v3_sub(force, rates + 3 * i, m->gravity);
        rt_v3_scale(force, p->m, force);
        place(p, m->q, s);
        rt_m3_mul_v(world, f.A, s);
        rt_v3_add(values, values, force);
        rt_v3_cross_add(values + 3, world, force);
        rt_v3_add(values + 3, values + 3, rates + 6 * N_POINTS + 3 * i);
        rt_m3_tmul_v(along, f.A, force);
        for (int k = 0; k < N; k++)
            values[6 + k] +=
                rt_v3_dot(p->S[k], along) + rt_v3_dot(p->R[k], rates + 3 * N_POINTS + 3 * i);
    }
    add_forces(b, m, values);
}

/* ---- the tests ----------------------------------------------------------------------- */

/* psi and psi' of a point */
static void turn_of(const point *p, const motion *m, double psi[3], double rate[3])
{
    memset(psi, 0, 3 * sizeof *psi);
    memset(rate, 0, 3 * sizeof *rate);
    for (int k = 0; k < N; k++) {
        rt_v3_add_scaled(psi, m->q[k], p->R[k]);
        rt_v3_add_scaled(rate, m->u[k], p->R[k]);
    }
}

/* In the axes of the point W = w + psi' + w x psi + 1/2 psi x (psi x w - psi') + ..: 1/2 W.j W to
 * second order */
static double turning_energy(const point *p, const motion *m, const double w[3])
{
    double psi[3], rate[3], first[3], x[3], second[3], j_w[3], j_first[3];
    turn_of(p, m, psi, rate);
    rt_v3_copy(first, rate);
    rt_v3_cross_add(first, w, psi);
    rt_v3_cross(x, psi, w);
    rt_v3_sub(x, x, rate);
    rt_v3_cross(second, psi, x);
    rt_m3_mul_v(j_w, p->j, w);
    rt_m3_mul_v(j_first, p->j, first);
    return (rt_v3_dot(w, j_w) + 2 * rt_v3_dot(first, j_w) + rt_v3_dot(first, j_first) +
            rt_v3_dot(second, j_w)) /
           2;
}

/* Exactly: 1/2 W.E j E' W, W = w + T psi', E = exp(psi~), of psi and psi' eps times as large */
static double turned_energy(const point *p, const motion *m, const double w[3], double eps)
{
    static const double none[3];
    double psi[3], rate[3], E[9], T[3][9], turn[3], local[3], momentum[3];
    turn_of(p, m, psi, rate);
    rt_v3_scale(psi, eps, psi);
    rt_v3_scale(rate, eps, rate);
    rt_rotation_exp(E, psi);
    rt_rotation_left_jet(T, psi, none, none);
    rt_m3_mul_v(turn, T[0], rate);
    rt_v3_add(turn, turn, w);
    rt_m3_tmul_v(local, E, turn);
    rt_m3_mul_v(momentum, p->j, local);
    return rt_v3_dot(local, momentum) / 2;
}

/* Kinetic energy, less L2's in the world: (v + w x A X).(w x A s2 + A s2') */
static double kinetic_of_points(const points *b, const motion *m)
{
    const rt_frame f = joint_frame(&m->frame);
    double v[N_POINTS][3], L[N_POINTS][3], sum = 0;
    velocities(b, m, v, L);
    for (int i = 0; i < N_POINTS; i++) {
        const point *p = &b->point[i];
        double turn[3], s2[3], rate[3], world[3], carried[3], moved[3];
        rt_m3_tmul_v(turn, f.A, f.w);
        if (b->flexible.J2) sum += turning_energy(p, m, turn);
        for (int k = 0; k < N; k++) rt_v3_add_scaled(turn, m->u[k], p->R[k]);
        sum += (p->m * rt_v3_dot(v[i], v[i])) / 2;
        if (!b->flexible.J2) sum += rt_v3_dot(turn, L[i]) / 2;
        second_place(p, m, s2, rate);
        rt_m3_mul_v(world, f.A, p->X);
        rt_v3_cross(carried, f.w, world);
        rt_v3_add(carried, carried, f.v);
        rt_m3_mul_v(moved, f.A, rate);
        rt_m3_mul_v(world, f.A, s2);
        rt_v3_cross_add(moved, f.w, world);
        sum += p->m * rt_v3_dot(carried, moved);
    }
    return sum;
}

static double weight_of_points(const points *b, const motion *m)
{
    const rt_frame f = joint_frame(&m->frame);
    double sum = 0;
    for (int i = 0; i < N_POINTS; i++) {
        const point *p = &b->point[i];
        double s[3], s2[3], rate[3], world[3];
        place(p, m->q, s);
        second_place(p, m, s2, rate);
        rt_v3_add(s, s, s2);
        rt_m3_mul_v(world, f.A, s);
        rt_v3_add(world, world, f.r);
        sum -= p->m * rt_v3_dot(world, m->gravity);
    }
    return sum;
}

static double elastic_energy(const points *b, const double *q)
{
    const rt_pattern *p = &b->flexible.pattern;
    double sum = 0;
    for (int l = 0; l < N; l++)
        for (int e = p->start[l]; e < p->start[l + 1]; e++)
            sum += q[p->row[e]] * b->K[e] * q[l] / 2;
    for (int s = 0; s < N_BARS; s++) {
        const rt_bar *bar = &b->bars[s];
        double strain = 0;
        for (int x = 0; x < BAR; x++)
            strain += (bar->c[x] + bar_slope(bar, x, q)) / 2 * q[bar->column[x]];
        sum += bar->stiffness * strain * strain / 2;
    }
    return sum;
}

/* Place k of a motion: the frame's six coordinates, then q; level 0 itself, 1 its rate. */
static double *place_of(motion *m, int level, int k)
{
    if (k < 6) return (level ? m->frame.rate : m->frame.q) + k;
    return (level ? m->u : m->q) + k - 6;
}

/* By the rates, in which the kinetic energy is of second degree: differences are exact. */
static void momenta_later(void *context, double t, double *momenta)
{
    const road *x = context;
    for (int k = 0; k < N_VALUES; k++) {
        motion m = later(x->motion, t);
        double *rate = place_of(&m, 1, k);
        *rate += 1;
        const double plus = kinetic_of_points(x->body, &m);
        *rate -= 2;
        momenta[k] = (plus - kinetic_of_points(x->body, &m)) / 2;
    }
}

static void lagrangians_along(void *context, double eps, double *values)
{
    const road *x = context;
    for (int k = 0; k < N_VALUES; k++) {
        motion m = *x->motion;
        *place_of(&m, 0, k) += eps;
        values[k] = kinetic_of_points(x->body, &m) - weight_of_points(x->body, &m) -
                    elastic_energy(x->body, m.q);
    }
}

/* What the wrench is to the frame's own coordinates. */
static void project(const motion *m, const double *values, double *forces)
{
    memcpy(forces, values, N_VALUES * sizeof *forces);
    for (int k = 0; k < 6; k++) {
        joint_motion d = {0};
        double xi[18];
        d.q[k] = 1;
        joint_variation(&m->frame, &d, xi);
        forces[k] = 0;
        for (int i = 0; i < 6; i++) forces[k] += xi[i] * values[i];
    }
}

static void its_equations_are_lagranges(void **state)
{
    (void)state;
    random_stream stream = {38};
    for (int trial = 0; trial < N_RANDOM_STATES; trial++) {
        points b;
        double values[N_VALUES], found[N_VALUES], rates[N_VALUES], slopes[N_VALUES];
        draw_body(&b, &stream);
        draw_second(&b, &stream);
        if (trial / N_MOTIONS % 2) draw_turning(&b);
        leave_out_damping(&b);
        const motion m = draw_motion(&stream, trial % N_MOTIONS);
        const rt_frame f = joint_frame(&m.frame);
        road x = {&b, &m};
        values_at(&b, &f, &m, values);
        project(&m, values, found);
        differentiate(momenta_later, &x, 0.02, N_VALUES, rates);
        differentiate(lagrangians_along, &x, 0.02, N_VALUES, slopes);
        for (int k = 0; k < N_VALUES; k++) rates[k] -= slopes[k];
        assert_close("Lagrange's equations", N_VALUES, found, rates, 1e-9,
                     largest_entry(N_VALUES, rates, 1));
        rt_arena_free(&b.arena);
    }
}

/* The rest is of third order: eight times less at half the size. */
static void turning_is_right_to_second_order(void **state)
{
    (void)state;
    random_stream stream = {39};
    for (int trial = 0; trial < N_RANDOM_STATES; trial++) {
        points b;
        double w[3], rest[2];
        draw_body(&b, &stream);
        const motion m = draw_motion(&stream, MOTION_BOTH);
        random_reals(&stream, 3, w);
        for (int k = 0; k < 2; k++) {
            const double eps = 0.004 / (k + 1);
            motion small = m;
            for (int i = 0; i < N; i++) small.q[i] *= eps, small.u[i] *= eps;
            rest[k] =
                turned_energy(&b.point[4], &m, w, eps) - turning_energy(&b.point[4], &small, w);
        }
        assert_close("third order", 1, &rest[0], &(double){8 * rest[1]}, 0.1, fabs(rest[0]) + 1e-9);
        rt_arena_free(&b.arena);
    }
}

static void it_is_the_sum_over_the_points(void **state)
{
    (void)state;
    random_stream stream = {31};
    for (int trial = 0; trial < N_RANDOM_STATES; trial++) {
        points b;
        double found[N_VALUES], sum[N_VALUES];
        draw_body(&b, &stream);
        const motion m = draw_motion(&stream, trial % N_MOTIONS);
        const rt_frame f = joint_frame(&m.frame);
        values_at(&b, &f, &m, found);
        sum_points(&b, &m, sum);
        assert_close("sum over the points", N_VALUES, found, sum, 1e-9,
                     largest_entry(N_VALUES, sum, 1));
        rt_arena_free(&b.arena);
    }
}

typedef struct family {
    const points *body;
    const rt_frame *frame;
    const motion *motion;
    double xi[18], d[3][N];
} family;

static void values_along(void *context, double eps, double *values)
{
    const family *s = context;
    const rt_frame f = perturbed_frame(s->frame, eps, s->xi);
    motion m = *s->motion;
    for (int k = 0; k < N; k++) {
        m.q[k] += eps * s->d[0][k];
        m.u[k] += eps * s->d[1][k];
        m.udot[k] += eps * s->d[2][k];
    }
    values_at(s->body, &f, &m, values);
}

static void predicted_by_frame(const evaluation *v, int level, int column, double *values)
{
    for (int i = 0; i < 6; i++) values[i] = v->result.frame[level][6 * i + column];
    for (int k = 0; k < N; k++) values[6 + k] = v->by_frame[level][6 * k + column];
}

static void predicted_by_elastic(const points *b, const evaluation *v, int level, int column,
                                 double *values)
{
    const rt_pattern *p = &b->flexible.pattern;
    for (int i = 0; i < 6; i++) values[i] = v->by_elastic[level][N * i + column];
    for (int k = 0; k < N; k++) values[6 + k] = 0;
    for (int e = p->start[column]; e < p->start[column + 1]; e++)
        values[6 + p->row[e]] = v->inner[level][e];
}

static void check_columns(const points *b, const rt_frame *f, const motion *m, const evaluation *v,
                          int level)
{
    for (int column = 0; column < 6 + N; column++) {
        family s = {.body = b, .frame = f, .motion = m};
        double difference[N_VALUES], predicted[N_VALUES];
        if (column < 6) {
            s.xi[6 * level + column] = 1;
            predicted_by_frame(v, level, column, predicted);
        } else {
            s.d[level][column - 6] = 1;
            predicted_by_elastic(b, v, level, column - 6, predicted);
        }
        differentiate(values_along, &s, 0.02, N_VALUES, difference);
        assert_close("partial", N_VALUES, predicted, difference, 1e-9,
                     largest_entry(N_VALUES, difference, 1));
    }
}

static void partials_match_differences(void **state)
{
    (void)state;
    random_stream stream = {32};
    for (int trial = 0; trial < N_RANDOM_STATES; trial++) {
        points b;
        evaluation v;
        draw_body(&b, &stream);
        if (trial / N_MOTIONS % 2) draw_second(&b, &stream);
        if (trial / N_MOTIONS % 3) draw_turning(&b);
        const motion m = draw_motion(&stream, trial % N_MOTIONS);
        const rt_frame f = joint_frame(&m.frame);
        evaluate_at(&b, &f, &m, true, &v);
        for (int level = 0; level < RT_N_LEVELS; level++) check_columns(&b, &f, &m, &v, level);
        rt_arena_free(&b.arena);
    }
}

static double total_energy(const points *b, const motion *m)
{
    const rt_frame f = joint_frame(&m->frame);
    const rt_elastic_state state = {m->q, m->u, m->udot};
    const rt_flexible_energy e = rt_flexible_energies(&b->flexible, &f, &state, m->gravity);
    return e.kinetic + e.elastic + e.weight;
}

static void energy_later(void *context, double t, double *energy)
{
    const road *x = context;
    const motion m = later(x->motion, t);
    *energy = total_energy(x->body, &m);
}

/* d/dt (T + U) = f.v + t.w + r_k q_k' - q'.D q' */
static void power_is_the_rate_of_energy(void **state)
{
    (void)state;
    random_stream stream = {33};
    for (int trial = 0; trial < N_RANDOM_STATES; trial++) {
        points b;
        double values[N_VALUES], rate, power = 0, largest = 1;
        draw_body(&b, &stream);
        if (trial % 2) draw_second(&b, &stream);
        if (trial % 3) draw_turning(&b);
        leave_out_damping(&b);
        const motion m = draw_motion(&stream, MOTION_BOTH);
        const rt_frame f = joint_frame(&m.frame);
        road x = {&b, &m};
        values_at(&b, &f, &m, values);
        for (int k = 0; k < N_VALUES; k++) {
            const double by = k < 3 ? f.v[k] : k < 6 ? f.w[k - 3] : m.u[k - 6];
            power += values[k] * by;
            largest = fmax(largest, fabs(values[k] * by));
        }
        differentiate(energy_later, &x, 0.02, 1, &rate);
        assert_close("power", 1, &power, &rate, 1e-9, largest);
        rt_arena_free(&b.arena);
    }
}

static void energies_are_those_of_the_points(void **state)
{
    (void)state;
    random_stream stream = {34};
    for (int trial = 0; trial < N_RANDOM_STATES; trial++) {
        points b;
        draw_body(&b, &stream);
        if (trial % 2) draw_second(&b, &stream);
        if (trial % 3) draw_turning(&b);
        const motion m = draw_motion(&stream, MOTION_BOTH);
        const rt_frame f = joint_frame(&m.frame);
        const rt_elastic_state elastic = {m.q, m.u, m.udot};
        const rt_flexible_energy e = rt_flexible_energies(&b.flexible, &f, &elastic, m.gravity);
        const double kinetic = kinetic_of_points(&b, &m), weight = weight_of_points(&b, &m);
        const double elastic_part = elastic_energy(&b, m.q);
        assert_close("kinetic energy", 1, &e.kinetic, &kinetic, 1e-13, fabs(kinetic) + 100);
        assert_close("elastic energy", 1, &e.elastic, &elastic_part, 1e-13, 100);
        assert_close("weight", 1, &e.weight, &weight, 1e-13, 100);
        rt_arena_free(&b.arena);
    }
}

/* j, or (1 + psi~ + psi~^2 / 2) j (1 - psi~ + psi~^2 / 2) without what is above second order */
static void turned_inertia(const point *p, const motion *m, bool turns, double j[9])
{
    double psi[3] = {0}, t[9], tt[9], tj[9], ttj[9], tjt[9];
    for (int k = 0; k < N && turns; k++) rt_v3_add_scaled(psi, m->q[k], p->R[k]);
    rt_m3_skew(t, psi);
    rt_m3_mul(tt, t, t);
    rt_m3_mul(tj, t, p->j);
    rt_m3_mul(ttj, tt, p->j);
    rt_m3_mul(tjt, tj, t);
    for (int x = 0; x < 9; x++) {
        const int other = 3 * (x % 3) + x / 3;
        j[x] = p->j[x] + tj[x] + tj[other] + (ttj[x] + ttj[other]) / 2 - tjt[x];
    }
}

static void mass_properties_are_those_of_the_points(void **state)
{
    (void)state;
    random_stream stream = {35};
    for (int trial = 0; trial < N_RANDOM_STATES; trial++) {
        points b;
        double mass, centre[3], inertia[9], sum[9] = {0}, moment[3] = {0};
        draw_body(&b, &stream);
        if (trial % 2) draw_second(&b, &stream);
        if (trial % 3) draw_turning(&b);
        const motion m = draw_motion(&stream, MOTION_REST);
        rt_flexible_mass_properties(&b.flexible, m.q, &mass, centre, inertia);
        for (int i = 0; i < N_POINTS; i++) {
            const point *p = &b.point[i];
            double s[3], s2[3], rate[3], S[9], S2[9], X[9], SS[9], XS2[9];
            place(p, m.q, s);
            second_place(p, &m, s2, rate);
            rt_m3_skew(S, s);
            rt_m3_skew(S2, s2);
            rt_m3_skew(X, p->X);
            rt_m3_tmul(SS, S, S);
            rt_m3_tmul(XS2, X, S2);
            double j[9];
            turned_inertia(p, &m, b.flexible.J2 != NULL, j);
            for (int x = 0; x < 9; x++)
                sum[x] += p->m * (SS[x] + XS2[x] + XS2[3 * (x % 3) + x / 3]) + j[x];
            rt_v3_add(s, s, s2);
            rt_v3_sub(s, s, centre);
            rt_v3_add_scaled(moment, p->m, s);
        }
        double C[9], CC[9];
        rt_m3_skew(C, centre);
        rt_m3_tmul(CC, C, C);
        for (int x = 0; x < 9; x++) sum[x] -= mass * CC[x];
        assert_close("inertia", 9, inertia, sum, 1e-13, largest_entry(9, sum, 1));
        assert_close("moment about the centre", 3, moment, (double[3]){0}, 1e-13,
                     largest_entry(9, sum, 1));
        rt_arena_free(&b.arena);
    }
}

/* A world turned, shifted and carried along steadily, gravity turned with it, sees the same. */
static void it_is_objective(void **state)
{
    (void)state;
    random_stream stream = {36};
    for (int trial = 0; trial < N_RANDOM_STATES; trial++) {
        points b;
        double Q[9], shift[3], V[3], here[N_VALUES], there[N_VALUES], turned[N_VALUES];
        static const double no_turn[3];
        draw_body(&b, &stream);
        draw_second(&b, &stream);
        motion m = draw_motion(&stream, MOTION_BOTH);
        const rt_frame f = joint_frame(&m.frame);
        values_at(&b, &f, &m, here);
        random_rotation(&stream, 2, Q);
        random_reals(&stream, 3, shift);
        random_reals(&stream, 3, V);
        const rt_frame moved = moved_frame(&f, Q, shift),
                       carried = carried_frame(&moved, V, no_turn);
        double gravity[3];
        rt_m3_mul_v(gravity, Q, m.gravity);
        rt_v3_copy(m.gravity, gravity);
        values_at(&b, &carried, &m, there);
        memcpy(turned, here, sizeof here);
        rt_m3_mul_v(turned, Q, here);
        rt_m3_mul_v(turned + 3, Q, here + 3);
        assert_close("in a moved world", N_VALUES, there, turned, 1e-13,
                     10 * largest_entry(N_VALUES, here, 1));
        rt_arena_free(&b.arena);
    }
}

/* In free fall without other motion only the elastic forces are left; the weight is what gravity
 * alone takes, and the scale of a row the largest of its terms. */
static void weight_and_scale_are_told(void **state)
{
    (void)state;
    random_stream stream = {37};
    points b;
    evaluation v, without;
    draw_body(&b, &stream);
    motion m = draw_motion(&stream, MOTION_REST);
    rt_frame f = joint_frame(&m.frame);
    evaluate_at(&b, &f, &m, false, &v);
    assert_close("weight", 6, v.result.weight, v.result.wrench, 1e-14,
                 largest_entry(6, v.result.wrench, 1));
    rt_v3_copy(f.a, m.gravity);
    evaluate_at(&b, &f, &m, false, &v);
    assert_close("free fall", 6, v.result.wrench, (double[6]){0}, 1e-14,
                 largest_entry(6, v.result.weight, 1));
    memset(m.gravity, 0, sizeof m.gravity);
    memset(f.a, 0, sizeof f.a);
    b.flexible.n_bars = 0;
    evaluate_at(&b, &f, &m, false, &without);
    for (int k = 0; k < N; k++) {
        double largest = 0;
        const rt_pattern *p = &b.flexible.pattern;
        for (int e = p->start[k]; e < p->start[k + 1]; e++)
            largest = fmax(largest, fabs(b.K[e] * m.q[p->row[e]]));
        assert_close("scale", 1, &without.scale[k], &largest, 1e-15, largest);
    }
    rt_arena_free(&b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_sum_over_the_points),
        cmocka_unit_test(turning_is_right_to_second_order),
        cmocka_unit_test(its_equations_are_lagranges),
        cmocka_unit_test(partials_match_differences),
        cmocka_unit_test(power_is_the_rate_of_energy),
        cmocka_unit_test(energies_are_those_of_the_points),
        cmocka_unit_test(mass_properties_are_those_of_the_points),
        cmocka_unit_test(it_is_objective),
        cmocka_unit_test(weight_and_scale_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
