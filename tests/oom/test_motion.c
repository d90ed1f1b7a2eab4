/* The N-th allocation fails, for every N, from the beginning of a simulation to some way on, for
 * every integrator: the caller is told OUT_OF_MEMORY, or the memory was not needed after all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "oom/refuse.h"
#include "routh/routh.h"

/* A loop with redundant rows, whose crank leaves every partition of natural coordinates. */
static const char loop[] =
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [0.2, 0, 0],\n"
    "          velocity: [0, 2.4, 0], angular_velocity: [0, 0, 12]}\n"
    "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.9, 0.15, 0]}\n"
    "  rocker: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.35, 0.4, 0]}\n"
    "joints:\n"
    "  a: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: z}\n"
    "  b: {type: revolute, between: [crank, rod], at: [0.4, 0, 0], axis: z}\n"
    "  c: {type: revolute, between: [rod, rocker], at: [1.4, 0.8, 0], axis: z}\n"
    "  d: {type: revolute, between: [rocker, ground], at: [1.3, 0, 0], axis: z}\n"
    "controllers:\n"
    "  z: {type: differential, rate: VX(rod) - z, initial: 1}\n"
    "operating_point: {type: given}\n";

typedef struct subject {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
} subject;

static routh_status go(const subject *s, const char *integrator, routh_error *error)
{
    routh_simulation *simulation = NULL;
    routh_simulation_options options = routh_simulation_defaults();
    options.integrator = integrator;
    options.tolerance = 1e-4;
    routh_status status =
        routh_simulation_create(&simulation, s->mechanism, s->point, &options, error);
    assert_true(!simulation == !!status);
    if (!status) status = routh_simulation_advance(simulation, 0.15, error);
    routh_simulation_free(simulation);
    return status;
}

/* integrator NULL: the equations as a function, at some way from the point. */
static routh_status evaluate(const subject *s, routh_error *error)
{
    routh_dynamics *dynamics = NULL;
    routh_operating_point *point = NULL;
    double t, x[16], rate[16];
    routh_status status = routh_dynamics_create(&dynamics, s->mechanism, s->point, error);
    assert_true(!dynamics == !!status);
    if (status) return status;
    routh_dynamics_start(dynamics, &t, x, NULL);
    x[0] += 0.05;
    status = routh_dynamics_evaluate(dynamics, t, x, NULL, rate, error);
    if (!status) status = routh_dynamics_point(dynamics, t, x, NULL, &point, error);
    assert_true(!point == !!status);
    routh_operating_point_free(point);
    routh_dynamics_free(dynamics);
    return status;
}

static routh_status run_or_evaluate(const subject *s, const char *integrator, routh_error *error)
{
    return integrator ? go(s, integrator, error) : evaluate(s, error);
}

static void refuse_each(const char *coordinates, const char *integrator)
{
    subject s = {0};
    routh_error error;
    long n_told = 0, last;
    assert_int_equal(routh_model_parse(&s.model, loop, strlen(loop), "loop", NULL, 0, &error),
                     ROUTH_OK);
    assert_int_equal(routh_mechanism_compile(&s.mechanism, s.model, coordinates, &error), ROUTH_OK);
    assert_int_equal(routh_operating_point_find(&s.point, s.mechanism, NULL, &error), ROUTH_OK);
    start(0, false);
    assert_int_equal(run_or_evaluate(&s, integrator, &error), ROUTH_OK);
    last = n_asked;
    for (long n = 1; n <= last; n = next_allocation(n)) {
        error.status = ROUTH_OK;
        start(n, false);
        const routh_status status = run_or_evaluate(&s, integrator, &error);
        start(0, false);
        if (status == ROUTH_OK) continue;
        if (status != ROUTH_OUT_OF_MEMORY)
            fail_msg("%s, %s: allocation %ld of %ld: %s", coordinates,
                     integrator ? integrator : "dynamics", n, last, error.message);
        assert_int_equal(error.status, ROUTH_OUT_OF_MEMORY);
        n_told++;
    }
    assert_true(n_told > 20);
    routh_operating_point_free(s.point);
    routh_mechanism_free(s.mechanism);
    routh_model_free(s.model);
}

static void each_allocation_of_a_simulation(void **state)
{
    (void)state;
    for (int k = 0; routh_integrator_name(k); k++) {
        if (!routh_integrator_available(k)) continue;
        refuse_each("absolute", routh_integrator_name(k));
        refuse_each("natural", routh_integrator_name(k));
    }
}

static void each_allocation_of_the_dynamics(void **state)
{
    (void)state;
    refuse_each("absolute", NULL);
    refuse_each("natural", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_of_a_simulation),
        cmocka_unit_test(each_allocation_of_the_dynamics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
