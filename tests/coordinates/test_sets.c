/* The map from (xi, du, du') to the variation levels of a body and of a marker on it, by bending
 * q, u, u' themselves and reading the change of the frame by the rules of frames.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "coordinates/coordinates.h"
#include "support/effort.h"
#include "support/mechanisms.h"

static const double tolerance = 1e-9;

static const rt_coordinate_set *const sets[] = {&rt_absolute, &rt_euler_parameters,
                                                &rt_euler_angles};
enum { N_SETS = sizeof sets / sizeof sets[0] };

static const rt_coordinate_set *set; /* the one under test, and its number of velocity variables */
static int n_u;

static void choose(int k)
{
    static const routh_model one_body = {.n_bodies = 1};
    set = sets[k];
    n_u = set->count_u(&one_body);
}

typedef struct family {
    double q[7], u[7], udot[7];
    double xi[7], du[7], dudot[7];
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
    double q[7], u[7], udot[7], step[7];
    memcpy(q, x->q, sizeof q);
    for (int k = 0; k < n_u; k++) {
        step[k] = eps * x->xi[k];
        u[k] = x->u[k] + eps * x->du[k];
        udot[k] = x->udot[k] + eps * x->dudot[k];
    }
    set->advance(1, q, step);
    set->frames(1, q, u, udot, body);
    rt_frame_marker(marker, body, x->s0, x->A0);
}

static void bent(void *context, double eps, double *out)
{
    rt_frame body, marker;
    marker_at(context, eps, &body, &marker);
    pack(&marker, out);
}

/* Any orientation; Euler parameters also off the unit sphere, Euler angles off their poles. */
static void random_orientation(random_stream *random, double *q)
{
    double A[9];
    random_rotation(random, 3 * random_real(random), A);
    rt_rotation_to_quaternion(q, A);
    if (set == &rt_euler_parameters) {
        const double size = 1 + 0.2 * random_real(random);
        for (int k = 0; k < 4; k++) q[k] *= size;
    }
    if (set == &rt_euler_angles) {
        random_reals(random, 3, q);
        q[1] = 1.6 + 0.8 * q[1];
        q[3] = random_real(random) > 0;
    }
}

static family random_family(random_stream *random, int motion)
{
    family x = {0};
    random_reals(random, 3, x.q);
    random_orientation(random, x.q + 3);
    if (motion == MOTION_VELOCITY || motion == MOTION_BOTH) random_reals(random, n_u, x.u);
    if (motion == MOTION_ACCELERATION || motion == MOTION_BOTH) random_reals(random, n_u, x.udot);
    random_reals(random, n_u, x.xi);
    random_reals(random, n_u, x.du);
    random_reals(random, n_u, x.dudot);
    random_reals(random, 3, x.s0);
    random_rotation(random, 2, x.A0);
    return x;
}

static void add(double y[6], const rt_map *map, const double *X, const double *x)
{
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < map->n; c++) y[i] += X[i * map->n + c] * x[c];
}

/* What is said to be still has no rates. */
static void check_still(const rt_map *map)
{
    for (int k = 0; k < 6 * map->n && map->still; k++) {
        assert_true(map->J1[k] == 0);
        assert_true(map->J2u[k] == 0);
        assert_true(map->J2x[k] == 0);
    }
}

static void maps_of_a_body_and_of_its_markers(void **state)
{
    random_stream random = {91};
    (void)state;
    for (int k = 0; k < with_effort(4 * N_SETS * N_RANDOM_STATES); k++) {
        choose(k / 4 % N_SETS);
        family x = random_family(&random, k % N_MOTIONS);
        if (k % 5 == 0) rt_v3_set(x.s0, 0, 0, 0);
        rt_frame body, marker;
        rt_map own, map;
        double s[3], s1[3], s2[3], d[24], level[3][6] = {{0}}, turn[9], dA[9], expected[24];
        marker_at(&x, 0, &body, &marker);
        set->map(0, x.q, x.u, x.udot, &body, &own);
        rt_v3_sub(s, marker.r, body.r);
        rt_v3_sub(s1, marker.v, body.v);
        rt_v3_sub(s2, marker.a, body.a);
        rt_map_marker(&map, &own, s, s1, s2);
        check_still(&own);
        check_still(&map);
        if (set == &rt_absolute && k % N_MOTIONS == MOTION_REST) assert_true(map.still);
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
    double q[7], u[7], step[7];
    rt_frame f;
    memcpy(q, x->q, sizeof q);
    for (int k = 0; k < n_u; k++) {
        step[k] = t * x->u[k] + t * t / 2 * x->udot[k];
        u[k] = x->u[k] + t * x->udot[k]; /* to first order in t the body rates of that path */
    }
    set->advance(1, q, step);
    set->frames(1, q, u, x->udot, &f);
    pack(&f, out);
}

static void frames_are_consistent_in_time(void **state)
{
    random_stream random = {92};
    (void)state;
    for (int k = 0; k < with_effort(N_SETS * N_RANDOM_STATES); k++) {
        choose(k % N_SETS);
        family x = random_family(&random, MOTION_BOTH);
        double d[24], W[9], WA[9];
        rt_frame f;
        differentiate(in_time, &x, 0.01, 24, d);
        set->frames(1, x.q, x.u, x.udot, &f);
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
    double q[7], step[7];
    rt_frame f;
    rt_map map;
    memcpy(q, c->x.q, sizeof q);
    for (int k = 0; k < n_u; k++) step[k] = eps * c->x.xi[k];
    set->advance(1, q, step);
    set->frames(1, q, c->x.u, c->x.udot, &f);
    set->map(0, q, c->x.u, c->x.udot, &f, &map);
    for (int k = 0; k < n_u; k++) {
        out[k] = 0;
        for (int i = 0; i < 6; i++) out[k] += map.J[i * map.n + k] * c->wrench[i];
    }
}

static void geometric_stiffness_of_a_held_wrench(void **state)
{
    random_stream random = {93};
    (void)state;
    for (int k = 0; k < with_effort(N_SETS * N_RANDOM_STATES); k++) {
        choose(k % N_SETS);
        load_family c = {.x = random_family(&random, MOTION_BOTH)};
        double K[49] = {0}, d[7];
        rt_frame f;
        random_reals(&random, 6, c.wrench);
        set->frames(1, c.x.q, c.x.u, c.x.udot, &f);
        set->geometric(0, c.x.q, &f, c.wrench, K, n_u);
        differentiate(generalized_force, &c, 0.05, n_u, d);
        for (int i = 0; i < n_u; i++) {
            double sum = 0;
            for (int j = 0; j < n_u; j++) sum += K[n_u * i + j] * c.x.xi[j];
            check(sum, d[i], "geometric stiffness");
        }
    }
}

/* The row that Euler parameters bring: p'p = 1, bent like the frames. */
static void bent_row(void *context, double eps, double *out)
{
    const family *x = context;
    double q[7], u[7], udot[7];
    rt_own_row row;
    for (int k = 0; k < 7; k++) {
        q[k] = x->q[k] + eps * x->xi[k];
        u[k] = x->u[k] + eps * x->du[k];
        udot[k] = x->udot[k] + eps * x->dudot[k];
    }
    set->own_row(0, q, u, udot, &row);
    memcpy(out, row.value, sizeof row.value);
    memcpy(out + 3, row.G, sizeof row.G);
}

static double dot7(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < 7; k++) sum += a[k] * b[k];
    return sum;
}

static void own_row_and_its_levels(void **state)
{
    random_stream random = {94};
    (void)state;
    choose(1);
    for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
        family x = random_family(&random, MOTION_BOTH);
        rt_own_row row;
        double d[10];
        set->own_row(0, x.q, x.u, x.udot, &row);
        differentiate(bent_row, &x, 0.05, 10, d);
        check(d[0], dot7(row.G, x.xi), "dPhi");
        check(d[1], dot7(row.G, x.du) + dot7(row.Vx, x.xi), "dPhi'");
        check(d[2], dot7(row.G, x.dudot) + dot7(row.Au, x.du) + dot7(row.Ax, x.xi), "dPhi''");
        for (int i = 0; i < 7; i++) check(d[3 + i], dot7(row.curvature + 7 * i, x.xi), "dG'");
        check(row.value[1], dot7(row.G, x.u), "Phi'");
    }
}

static void starts_as_written(void **state)
{
    (void)state;
    test_mechanism t;
    static const char text[] =
        "bodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n"
        "  b: {mass: 1, inertia: [1, 2, 3], position: [1, 2, 3], velocity: [4, 5, 6],\n"
        "      orientation: {axis: [0, 0, 1], angle: 90 deg}, angular_velocity: [7, 8, 9]}\n"
        "  c: {mass: 1, inertia: [1, 2, 3], orientation: {axis: [1, 0, 0], angle: 90 deg}}\n";
    static const double A[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    static const double C[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    mechanism_make(&t, text);
    for (int k = 0; k < N_SETS; k++) {
        double q[21], u[21], none[21] = {0};
        rt_frame frames[3];
        choose(k);
        assert_ptr_equal(rt_coordinate_set_find(set->name), set);
        rt_written_frames(t.model, NULL, frames);
        set->take(3, frames, q, u);
        set->frames(3, q, u, none, frames);
        for (int i = 0; i < 9; i++) {
            check(frames[1].A[i], A[i], "A of b");
            check(frames[2].A[i], C[i], "A of c");
            check(frames[0].A[i], i % 4 == 0, "A of a");
        }
        for (int i = 0; i < 3; i++) {
            check(frames[1].r[i], 1 + i, "r");
            check(frames[1].v[i], 4 + i, "v");
            check(frames[1].w[i], 7 + i, "w");
        }
        for (int b = 0; b < 3 && set->near_singular; b++) assert_false(set->near_singular(b, q));
        int body, component;
        set->column(t.model, n_u + 4, &body, &component);
        assert_int_equal(body, 1);
        assert_true(component >= 3);
    }
    assert_null(rt_coordinate_set_find("relative?"));
    for (int k = 0; rt_coordinate_set_name(k); k++)
        assert_true(rt_coordinate_set_find(rt_coordinate_set_name(k)) ||
                    rt_joined_set_find(rt_coordinate_set_name(k)));
    assert_string_equal(rt_coordinate_set_name(0), "absolute");
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_of_a_body_and_of_its_markers),
        cmocka_unit_test(frames_are_consistent_in_time),
        cmocka_unit_test(geometric_stiffness_of_a_held_wrench),
        cmocka_unit_test(own_row_and_its_levels),
        cmocka_unit_test(starts_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
