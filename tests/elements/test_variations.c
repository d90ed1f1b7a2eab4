/* Tests of what frames.h says of variations, and of the families that the other tests lean on. */
#include "elements/check_load.h"

/* A frame as 24 numbers. */
static void numbers_of(const rt_frame *f, double *x)
{
    memcpy(x, f->r, 3 * sizeof *x);
    memcpy(x + 3, f->A, 9 * sizeof *x);
    memcpy(x + 12, f->v, 3 * sizeof *x);
    memcpy(x + 15, f->w, 3 * sizeof *x);
    memcpy(x + 18, f->a, 3 * sizeof *x);
    memcpy(x + 21, f->al, 3 * sizeof *x);
}

static void frame_in_time(void *context, double t, double *x)
{
    const joint_motion later = joint_motion_later(context, t);
    const rt_frame f = joint_frame(&later);
    numbers_of(&f, x);
}

/* r' = v, A' = w~A, v' = a, w' = al, all by differences in time. */
static void a_motion_has_the_twist_and_acceleration_it_says(void **state)
{
    (void)state;
    random_stream stream = {51};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        joint_motion m = random_joint_motion(&stream, MOTION_BOTH);
        const rt_frame f = joint_frame(&m);
        double rate[24], W[9], A_rate[9];
        differentiate(frame_in_time, &m, 0.05, 24, rate);
        rt_m3_skew(W, f.w);
        rt_m3_mul(A_rate, W, f.A);
        assert_close("r'", 3, f.v, rate, 1e-10, 1);
        assert_close("A'", 9, A_rate, rate + 3, 1e-10, 1);
        assert_close("v'", 3, f.a, rate + 12, 1e-10, 1);
        assert_close("w'", 3, f.al, rate + 15, 1e-10, 1);
    }
}

typedef struct two_families {
    joint_motion m, d;
    rt_frame f;
    double xi[18];
} two_families;

static void frame_of_motions(void *context, double eps, double *x)
{
    const two_families *s = context;
    const joint_motion m = joint_motion_plus(&s->m, eps, &s->d);
    const rt_frame f = joint_frame(&m);
    numbers_of(&f, x);
}

static void frame_by_rules(void *context, double eps, double *x)
{
    const two_families *s = context;
    const rt_frame f = perturbed_frame(&s->f, eps, s->xi);
    numbers_of(&f, x);
}

/* dA = dtheta~A, dw = dtheta' - w x dtheta, dal = dtheta'' - al x dtheta - w x dtheta' against the
 * derivative of a frame along motions that know nothing of them. */
static void a_motion_varies_by_the_rules_of_frames(void **state)
{
    (void)state;
    random_stream stream = {52};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        two_families s;
        double truth[24], ruled[24], S[9], dA[9], d[3];
        s.m = random_joint_motion(&stream, MOTION_BOTH);
        s.d = random_joint_motion(&stream, MOTION_BOTH);
        s.f = joint_frame(&s.m);
        joint_variation(&s.m, &s.d, s.xi);
        differentiate(frame_of_motions, &s, 0.01, 24, truth);

        const double *th = s.xi + 3, *th1 = s.xi + 9, *th2 = s.xi + 15;
        rt_m3_skew(S, th);
        rt_m3_mul(dA, S, s.f.A);
        assert_close("dA", 9, dA, truth + 3, 1e-9, 5);
        rt_v3_cross(d, th, s.f.w);
        rt_v3_add(d, d, th1);
        assert_close("dw", 3, d, truth + 15, 1e-9, 10);
        rt_v3_cross(d, th, s.f.al);
        rt_v3_cross_add(d, th1, s.f.w);
        rt_v3_add(d, d, th2);
        assert_close("dal", 3, d, truth + 21, 1e-9, 20);

        differentiate(frame_by_rules, &s, 0.02, 24, ruled);
        assert_close("the perturbed frame", 24, ruled, truth, 1e-9, 20);
    }
}

/* The levels of a variation are its time derivatives: xi at t by differences gives xi' and xi''. */
static void levels_in_time(void *context, double t, double *xi)
{
    const two_families *s = context;
    const joint_motion m = joint_motion_later(&s->m, t), d = joint_motion_later(&s->d, t);
    joint_variation(&m, &d, xi);
}

static void the_levels_are_time_derivatives_of_each_other(void **state)
{
    (void)state;
    random_stream stream = {53};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        two_families s;
        double rate[18];
        s.m = random_joint_motion(&stream, MOTION_BOTH);
        s.d = random_joint_motion(&stream, MOTION_BOTH);
        joint_variation(&s.m, &s.d, s.xi);
        differentiate(levels_in_time, &s, 0.05, 18, rate);
        assert_close("levels", 12, s.xi + 6, rate, 1e-10, 20);
    }
}

typedef struct marker_family {
    rt_frame body;
    double s0[3], A0[9], xi[18];
} marker_family;

static void marker_at(void *context, double eps, double *x)
{
    const marker_family *s = context;
    const rt_frame body = perturbed_frame(&s->body, eps, s->xi);
    rt_frame marker;
    rt_frame_marker(&marker, &body, s->s0, s->A0);
    numbers_of(&marker, x);
}


/* A marker's variation is its body's, carried by dr_m = dr + dtheta x s and this relation's time
 * derivatives. */
static void a_marker_varies_with_its_body(void **state)
{
    (void)state;
    random_stream stream = {54};
    for (int k = 0; k < N_RANDOM_STATES; k++) {
        marker_family s;
        two_families carried = {0};
        double truth[24], ruled[24], arm[3], arm1[3], arm2[3];
        s.body = random_frame(&stream, MOTION_BOTH);
        random_reals(&stream, 3, s.s0);
        random_rotation(&stream, 2, s.A0);
        random_reals(&stream, 18, s.xi);
        differentiate(marker_at, &s, 0.02, 24, truth);

        rt_frame_marker(&carried.f, &s.body, s.s0, s.A0);
        rt_v3_sub(arm, carried.f.r, s.body.r);
        rt_v3_sub(arm1, carried.f.v, s.body.v);
        rt_v3_sub(arm2, carried.f.a, s.body.a);
        memcpy(carried.xi, s.xi, sizeof s.xi);
        const double *th = s.xi + 3, *th1 = s.xi + 9, *th2 = s.xi + 15;
        rt_v3_cross_add(carried.xi, th, arm);
        rt_v3_cross_add(carried.xi + 6, th1, arm);
        rt_v3_cross_add(carried.xi + 6, th, arm1);
        rt_v3_cross_add(carried.xi + 12, th2, arm);
        rt_v3_cross_add(carried.xi + 12, th1, arm1);
        rt_v3_cross_add(carried.xi + 12, th1, arm1);
        rt_v3_cross_add(carried.xi + 12, th, arm2);
        differentiate(frame_by_rules, &carried, 0.02, 24, ruled);
        assert_close("marker", 24, ruled, truth, 1e-9, 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_has_the_twist_and_acceleration_it_says),
        cmocka_unit_test(a_motion_varies_by_the_rules_of_frames),
        cmocka_unit_test(the_levels_are_time_derivatives_of_each_other),
        cmocka_unit_test(a_marker_varies_with_its_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
