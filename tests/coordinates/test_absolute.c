/* The map from (xi, du, du') to the variation levels of a body and of a marker on it, by bending
 * q, u, u' themselves and reading the change of the frame by the rules of frames.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "coordinates/coordinates.h"
#include "support/mechanisms.h"

static const double tolerance = 1e-9;

typedef struct family {
    double q[7], u[6], udot[6];
    double xi[6], du[6], dudot[6];
    double s0[3], A0[9]; /* the marker on the body */
} family;

static void check(double found, double expected, const char *what)
{
    if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
        fail_msg("%s is %.15g and should be %.15g", what, found, expected);
}

static void pack(const rt_frame *f, double *out)
{
    memcpy(out, f->r, 3 * sizeof *out);
    memcpy(out + 3, f->A, 9 * sizeof *out);
    memcpy(out + 12, f->v, 3 * sizeof *out);
    memcpy(out + 15, f->w, 3 * sizeof *out);
    memcpy(out + 18, f->a, 3 * sizeof *out);
    memcpy(out + 21, f->al, 3 * sizeof *out);
}

static void marker_at(const family *x, double eps, rt_frame *body, rt_frame *marker)
{
    double q[7], u[6], udot[6], step[6];
    memcpy(q, x->q, sizeof q);
    for (int k = 0; k < 6; k++) {
        step[k] = eps * x->xi[k];
        u[k] = x->u[k] + eps * x->du[k];
        udot[k] = x->udot[k] + eps * x->dudot[k];
    }
    rt_absolute.advance(1, q, step);
    rt_absolute.frames(1, q, u, udot, body);
    rt_frame_marker(marker, body, x->s0, x->A0);
}

static void bent(void *context, double eps, double *out)
{
    rt_frame body, marker;
    marker_at(context, eps, &body, &marker);
    pack(&marker, out);
}

static family random_family(random_stream *random, int motion)
{
    family x = {0};
    double A[9];
    random_reals(random, 3, x.q);
    random_rotation(random, 3 * random_real(random), A);
    rt_rotation_to_quaternion(x.q + 3, A);
    if (motion == MOTION_VELOCITY || motion == MOTION_BOTH) random_reals(random, 6, x.u);
    if (motion == MOTION_ACCELERATION || motion == MOTION_BOTH) random_reals(random, 6, x.udot);
    random_reals(random, 6, x.xi);
    random_reals(random, 6, x.du);
    random_reals(random, 6, x.dudot);
    random_reals(random, 3, x.s0);
    random_rotation(random, 2, x.A0);
    return x;
}

static void add(double y[6], const rt_map *map, const double *X, const double *x)
{
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < map->n; c++) y[i] += X[i * map->n + c] * x[c];
}

static void maps_of_a_body_and_of_its_markers(void **state)
{
    random_stream random = {91};
    (void)state;
    for (int k = 0; k < with_effort(4 * N_RANDOM_STATES); k++) {
        family x = random_family(&random, k % N_MOTIONS);
        if (k % 5 == 0) rt_v3_set(x.s0, 0, 0, 0);
        rt_frame body, marker;
        rt_map own, map;
        double s[3], d[24], level[3][6] = {{0}}, turn[9], dA[9], expected[24];
        marker_at(&x, 0, &body, &marker);
        rt_absolute.map(0, x.q, x.u, &body, &own);
        rt_v3_sub(s, marker.r, body.r);
        rt_map_marker(&map, &own, &body, s);
        add(level[0], &map, map.J, x.xi);
        add(level[1], &map, map.J, x.du);
        add(level[1], &map, map.J1, x.xi);
        add(level[2], &map, map.J, x.dudot);
        add(level[2], &map, map.J2u, x.du);
        add(level[2], &map, map.J2x, x.xi);
        differentiate(bent, &x, 0.05, 24, d);
        /* dA = dtheta~ A, dw = dtheta' - w x dtheta, dal = dtheta'' - al x dtheta - w x dtheta' */
        rt_m3_skew(turn, level[0] + 3);
        rt_m3_mul(dA, turn, marker.A);
        memcpy(expected, level[0], 3 * sizeof(double));
        memcpy(expected + 3, dA, sizeof dA);
        memcpy(expected + 12, level[1], 6 * sizeof(double));
        memcpy(expected + 18, level[2], 6 * sizeof(double));
        double c[3];
        rt_v3_cross(c, level[0] + 3, marker.w);
        rt_v3_add(expected + 15, expected + 15, c);
        rt_v3_cross(c, level[0] + 3, marker.al);
        rt_v3_add(expected + 21, expected + 21, c);
        rt_v3_cross(c, level[1] + 3, marker.w);
        rt_v3_add(expected + 21, expected + 21, c);
        for (int i = 0; i < 24; i++) check(d[i], expected[i], "bent frame");
    }
}

/* A body in free motion, in time: w' = al, and A' = w~ A. */
static void in_time(void *context, double t, double *out)
{
    const family *x = context;
    double q[7], u[6], step[6];
    rt_frame f;
    memcpy(q, x->q, sizeof q);
    for (int k = 0; k < 6; k++) {
        step[k] = t * x->u[k] + t * t / 2 * x->udot[k];
        u[k] = x->u[k] + t * x->udot[k]; /* to first order in t the body rates of that path */
    }
    rt_absolute.advance(1, q, step);
    rt_absolute.frames(1, q, u, x->udot, &f);
    pack(&f, out);
}

static void frames_are_consistent_in_time(void **state)
{
    random_stream random = {92};
    (void)state;
    for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
        family x = random_family(&random, MOTION_BOTH);
        double d[24], W[9], WA[9];
        rt_frame f;
        differentiate(in_time, &x, 0.01, 24, d);
        rt_absolute.frames(1, x.q, x.u, x.udot, &f);
        rt_m3_skew(W, f.w);
        rt_m3_mul(WA, W, f.A);
        for (int i = 0; i < 3; i++) {
            check(d[i], f.v[i], "r'");
            check(d[12 + i], f.a[i], "v'");
            check(d[15 + i], f.al[i], "w'");
        }
        for (int i = 0; i < 9; i++) check(d[3 + i], WA[i], "A'");
    }
}

/* K = d(J'w)/dxi */
typedef struct load_family {
    family x;
    double wrench[6];
} load_family;

static void generalized_force(void *context, double eps, double *out)
{
    const load_family *c = context;
    double q[7], step[6];
    rt_frame f;
    rt_map map;
    memcpy(q, c->x.q, sizeof q);
    for (int k = 0; k < 6; k++) step[k] = eps * c->x.xi[k];
    rt_absolute.advance(1, q, step);
    rt_absolute.frames(1, q, c->x.u, c->x.udot, &f);
    rt_absolute.map(0, q, c->x.u, &f, &map);
    for (int k = 0; k < 6; k++) {
        out[k] = 0;
        for (int i = 0; i < 6; i++) out[k] += map.J[i * map.n + k] * c->wrench[i];
    }
}

static void geometric_stiffness_of_a_held_wrench(void **state)
{
    random_stream random = {93};
    (void)state;
    for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
        load_family c = {.x = random_family(&random, MOTION_BOTH)};
        double K[36] = {0}, d[6];
        rt_frame f;
        random_reals(&random, 6, c.wrench);
        rt_absolute.frames(1, c.x.q, c.x.u, c.x.udot, &f);
        rt_absolute.geometric(0, &f, c.wrench, K, 6);
        differentiate(generalized_force, &c, 0.05, 6, d);
        for (int i = 0; i < 6; i++) {
            double sum = 0;
            for (int j = 0; j < 6; j++) sum += K[6 * i + j] * c.x.xi[j];
            check(sum, d[i], "geometric stiffness");
        }
    }
}

static void starts_as_written(void **state)
{
    (void)state;
    test_mechanism t;
    mechanism_make(
        &t, "bodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n"
            "  b: {mass: 1, inertia: [1, 2, 3], position: [1, 2, 3], velocity: [4, 5, 6],\n"
            "      orientation: {axis: [0, 0, 1], angle: 90 deg}, angular_velocity: [7, 8, 9]}\n");
    static const double A[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    rt_evaluate_frames(t.m, t.w, t.state);
    for (int i = 0; i < 9; i++) check(t.w->bodies[1].A[i], A[i], "A");
    for (int i = 0; i < 3; i++) {
        check(t.w->bodies[1].r[i], 1 + i, "r");
        check(t.w->bodies[1].v[i], 4 + i, "v");
        check(t.w->bodies[1].w[i], 7 + i, "w");
    }
    int body, component;
    t.m->set->column(t.model, 10, &body, &component);
    assert_int_equal(body, 1);
    assert_int_equal(component, 4);
    assert_null(rt_coordinate_set_find("relative?"));
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_of_a_body_and_of_its_markers),
        cmocka_unit_test(frames_are_consistent_in_time),
        cmocka_unit_test(geometric_stiffness_of_a_held_wrench),
        cmocka_unit_test(starts_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
