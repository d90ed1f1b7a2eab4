/* What the linear model says of the nominal motion, where it can be worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"

/* From a table that turns with W about z, at the table's axes: a ball at (1, 0, 0) that flies with
 * v along y and spins with p about x has
 *     S'  = v - W x r,                        w - W
 *     S'' = -2 W x S' - W x (W x r),          -W x w */
static void the_nominal_motion_is_what_a_turning_observer_sees(void **state)
{
    (void)state;
    static const char text[] =
        "bodies:\n"
        "  table: {mass: 1, inertia: [1, 1, 1]}\n"
        "  ball: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0, 5, 0],\n"
        "         angular_velocity: [7, 0, 0]}\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [table, ground], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: bearing, along: rz, function: 3*time}\n"
        "linearize: {reference: table}\n";
    static const char *const names[] = {"ball.x",  "ball.y",  "ball.z",
                                        "ball.rx", "ball.ry", "ball.rz"};
    static const double v = 5, p = 7, W = 3;
    const double rate[6] = {0, v - W, 0, p, 0, -W},
                 acceleration[6] = {2 * W * (v - W) + W * W, 0, 0, 0, -W * p, 0};
    test_mechanism t;
    mechanism_make(&t, text);
    const char *coordinates;
    for (int set = 0; (coordinates = routh_coordinate_name(set)); set++) {
        routh_mechanism *m = NULL;
        routh_operating_point *point = NULL;
        routh_linear *linear = NULL;
        routh_error error;
        if (routh_mechanism_compile(&m, t.model, coordinates, &error) ||
            routh_operating_point_find(&point, m, NULL, &error) ||
            routh_linear_compute(&linear, m, point, NULL, &error))
            fail_msg("%s: %s", coordinates, error.message);
        assert_int_equal(linear->n_position, 6);
        int n_found = 0;
        for (int k = 0; k < 6; k++)
            for (int c = 0; c < 6; c++) {
                if (strcmp(linear->states[k].name, names[c]) != 0) continue;
                assert_true(fabs(linear->affine[k] - rate[c]) <= 1e-12 * 30);
                assert_true(fabs(linear->affine[6 + k] - acceleration[c]) <= 1e-12 * 30);
                n_found++;
            }
        assert_int_equal(n_found, 6);
        routh_linear_free(linear);
        routh_operating_point_free(point);
        routh_mechanism_free(m);
    }
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nominal_motion_is_what_a_turning_observer_sees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
