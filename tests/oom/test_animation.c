/* The N-th allocation fails, for every N, of modes at a finite amplitude. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "oom/refuse.h"
#include "routh/routh.h"

static const char pendulum[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], position: [0, 0, -1]}}\n"
    "joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n";

typedef struct subject {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
} subject;

static routh_status animate(const subject *s, double *answer, routh_error *error)
{
    routh_animation *animation = NULL;
    const routh_status status = routh_animation_compute(&animation, s->mechanism, s->point,
                                                        s->linear, s->modes, NULL, error);
    assert_true((animation == NULL) == (status != ROUTH_OK));
    if (!status && animation->n_paths) *answer = animation->paths[0].term[0];
    routh_animation_free(animation);
    return status;
}

static void make(subject *s)
{
    routh_linear_options options = routh_linear_defaults();
    options.markers = 1;
    start(0, false);
    assert_int_equal(
        routh_model_parse(&s->model, pendulum, strlen(pendulum), "test", NULL, 0, NULL), 0);
    assert_int_equal(routh_mechanism_compile(&s->mechanism, s->model, "relative", NULL), 0);
    assert_int_equal(routh_operating_point_find(&s->point, s->mechanism, NULL, NULL), 0);
    assert_int_equal(routh_linear_compute(&s->linear, s->mechanism, s->point, &options, NULL), 0);
    assert_int_equal(routh_modes_compute(&s->modes, s->linear, NULL), 0);
}

static void each_allocation(void **unused)
{
    (void)unused;
    subject s = {0};
    double whole = 0;
    long refused = 1, n_told = 0;
    make(&s);
    assert_int_equal(animate(&s, &whole, NULL), ROUTH_OK);
    assert_true(whole != 0);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        double answer = 0;
        routh_error error = {0};
        catch_output();
        start(n, false);
        const routh_status status = animate(&s, &answer, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        if (status != ROUTH_OK && status != ROUTH_OUT_OF_MEMORY)
            fail_msg("allocation %ld: %d %s", n, (int)status, error.message);
        if (status == ROUTH_OK) assert_true(answer == whole);
        n_told += status != ROUTH_OK;
    }
    assert_true(n_told > 20);
    routh_modes_free(s.modes);
    routh_linear_free(s.linear);
    routh_operating_point_free(s.point);
    routh_mechanism_free(s.mechanism);
    routh_model_free(s.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
