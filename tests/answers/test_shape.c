/* Tests of answers/shape: scale and phase of shapes, and the motion of markers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "answers/shape.h"
#include "linear_model.h"

enum { N = 2, STATES = 2 * N };

/* Markers p and q: displacement x of p is state 0, rotation z of q is 3 times state 1. */
static routh_linear two_oscillators(double *motion)
{
    const double K[] = {3, -1, -1, 5}, C[] = {0.4, -0.1, -0.1, 0.2};
    routh_linear l = model_second_order(N, K, C);
    l.n_markers = 2;
    l.markers = calloc(2, sizeof *l.markers);
    for (int k = 0; k < 2; k++) l.markers[k].motion = motion + 6 * STATES * k;
    motion[0] = 1;
    motion[6 * STATES + 5 * STATES + 1] = 3;
    return l;
}

static void the_largest_marker_motion_is_one_and_real(void **state)
{
    (void)state;
    double motion[12 * STATES] = {0};
    routh_linear l = two_oscillators(motion);
    routh_modes *m;
    assert_int_equal(routh_modes_compute(&m, &l, NULL), ROUTH_OK);
    for (int k = 0; k < STATES; k++) {
        double p[12], q[12];
        routh_mode_marker(&l, &m->modes[k], 0, p);
        routh_mode_marker(&l, &m->modes[k], 1, q);
        const int q_leads = hypot(q[5], q[11]) > hypot(p[0], p[6]);
        const double *lead = q_leads ? q : p, *other = q_leads ? p : q;
        const int at = q_leads ? 5 : 0, beside = q_leads ? 0 : 5;
        assert_true(fabs(lead[at] - 1) < 1e-14 && fabs(lead[6 + at]) < 1e-14);
        assert_true(hypot(other[beside], other[6 + beside]) < 1);
        for (int r = 0; r < 12; r++)
            if (r % 6 != at) assert_true(lead[r] == 0);
        /* motion = rows of the marker times the shape */
        const double *x = m->modes[k].shape;
        assert_true(fabs(p[0] - x[0]) < 1e-15 && fabs(p[6] - x[STATES]) < 1e-15);
        assert_true(fabs(q[5] - 3 * x[1]) < 1e-15 && fabs(q[11] - 3 * x[STATES + 1]) < 1e-15);
        /* a pair is conjugate to the last bit */
        const double *y = m->modes[m->modes[k].conjugate].shape;
        for (int i = 0; i < STATES; i++)
            assert_true(x[i] == y[i] && x[STATES + i] == -y[STATES + i]);
    }
    routh_modes_free(m);
    model_free(&l);
}

static void without_markers_the_largest_state_is_one(void **state)
{
    (void)state;
    double motion[12 * STATES] = {0};
    routh_linear l = two_oscillators(motion);
    l.n_markers = 0;
    routh_modes *m;
    assert_int_equal(routh_modes_compute(&m, &l, NULL), ROUTH_OK);
    for (int k = 0; k < STATES; k++) {
        const double *x = m->modes[k].shape;
        int ones = 0;
        for (int i = 0; i < STATES; i++) {
            ones += fabs(x[i] - 1) < 1e-14 && fabs(x[STATES + i]) < 1e-14;
            assert_true(hypot(x[i], x[STATES + i]) < 1 + 2e-6);
        }
        assert_true(ones >= 1);
    }
    routh_modes_free(m);
    model_free(&l);
}

/* One position, one velocity, one state of a controller, counted in units of their own. */
static void motion_that_is_rounding_beside_controllers_is_none(void **state)
{
    (void)state;
    const routh_linear l = {.n_states = 3, .n_position = 1, .n_velocity = 1, .n_control = 1};
    const double units[] = {1, 1, 1}, others[] = {1, 1, 1e6};
    for (int k = 0; k < 3; k++) {
        double re[] = {1e-15, 0, 0.6}, im[] = {0, -3e-15, 0.8};
        if (k == 1) re[0] = 1e-12; /* more than rounding */
        rt_shape_still(&l, k == 2 ? others : units, re, im);
        assert_true(re[0] == (k == 0 ? 0 : k == 1 ? 1e-12 : 1e-15));
        assert_true(im[1] == (k == 0 ? 0 : -3e-15));
        assert_true(re[2] == 0.6 && im[2] == 0.8);
    }
    double re[] = {1e-200, 0, 0}, im[] = {0, 0, 0};
    rt_shape_still(&l, units, re, im);
    assert_true(re[0] == 1e-200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_marker_motion_is_one_and_real),
        cmocka_unit_test(without_markers_the_largest_state_is_one),
        cmocka_unit_test(motion_that_is_rounding_beside_controllers_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
