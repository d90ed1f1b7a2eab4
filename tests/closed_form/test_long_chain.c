/* Straight chains of rods let go at an angle: the forces in their hinges, and with them the
 * accelerations, by hand, in relative and in absolute coordinates, of 10, 100 and 1000 rods. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "routh/routh.h"

static const double angle = 0.7, g = 9.81;

/* Rods of mass and length 1, at rest in line. Across the line hinge i pushes rod i with f_i, and
 * f_n+1 = 0; with the weight w across,
 *     y_i'' = f_i - f_i+1 + w,   theta_i'' = -6 (f_i + f_i+1),
 * and the ends y_i - theta_i/2 and y_i-1 + theta_i-1/2 stay together:
 *     2 f_i-1 + 8 f_i + 2 f_i+1 = 0,   of the first  4 f_1 + 2 f_2 = -w. */
static void hinge_forces(int n, double *f)
{
    const double w = g * sin(angle);
    double *up = calloc((size_t)n + 1, sizeof *up);
    assert_non_null(up);
    up[1] = 2 / 4.0, f[1] = -w / 4;
    for (int i = 2; i <= n; i++) {
        const double pivot = 8 - 2 * up[i - 1];
        up[i] = 2 / pivot;
        f[i] = -2 * f[i - 1] / pivot;
    }
    for (int i = n - 1; i >= 1; i--) f[i] -= up[i] * f[i + 1];
    free(up);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Along the line a hinge carries the weight of what hangs on it. Across: f along (cos, -sin) of
 * (x, z), which is where the end goes as the chain swings back. */
static void check_reactions(const char *coordinates, int n, const routh_operating_point *point)
{
    double *f = calloc((size_t)n + 2, sizeof *f);
    assert_non_null(f);
    hinge_forces(n, f);
    assert_int_equal(point->n_reactions, n);
    assert_int_equal(point->degrees_of_freedom, n);
    for (int i = 1; i <= n; i++) {
        const double along = (n - i + 1) * g * cos(angle), s = sin(angle), c = cos(angle);
        const double expected[3] = {c * f[i] + s * along, 0, -s * f[i] + c * along};
        for (int k = 0; k < 3; k++) {
            const double found = point->reactions[i - 1].force[k];
            if (!(fabs(found - expected[k]) <= 1e-11 * n * g))
                fail_msg("%s, %d rods: force %d of hinge %d is %.15g and should be %.15g",
                         coordinates, n, k + 1, i, found, expected[k]);
        }
    }
    free(f);
}

static void check_chain(const char *coordinates, int n)
{
    char rods[16], turn[32];
    routh_text text = {0};
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_error error;
    snprintf(rods, sizeof rods, "%d", n);
    snprintf(turn, sizeof turn, "%.17g", angle);
    const routh_setting settings[2] = {{"n", rods}, {"angle", turn}};
    if (routh_template_write("pendulum-chain", settings, 2, &text, &error) ||
        routh_model_parse(&model, text.bytes, text.length, "chain", NULL, 0, &error))
        fail_msg("%s", error.message);
    const double start = seconds();
    if (routh_mechanism_compile(&mechanism, model, coordinates, &error))
        fail_msg("%s", error.message);
    const double compiled = seconds();
    if (routh_operating_point_find(&point, mechanism, NULL, &error)) fail_msg("%s", error.message);
    print_message("    %s, %d rods: compiled in %.3g ms, operating point in %.3g ms\n", coordinates,
                  n, 1e3 * (compiled - start), 1e3 * (seconds() - compiled));
    check_reactions(coordinates, n, point);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    routh_text_free(&text);
}

static void chains_let_go_push_as_by_hand(void **unused)
{
    (void)unused;
    for (int n = 10; n <= 1000; n *= 10) {
        check_chain("relative", n);
        check_chain("absolute", n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_let_go_push_as_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
