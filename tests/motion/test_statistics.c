/* What is said of a run: the lengths of its steps, and how far its joints are from closed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion/simulation.h"
#include "routh/history.h"
#include "support/mechanisms.h"

/* A pendulum 50 m long on a ball: its joint is closed where its body's frame says so. */
static const char yaml[] = "gravity: [0, 0, -9.81]\n"
                           "operating_point: {type: given, time: 1.5}\n"
                           "bodies:\n"
                           "  bob: {mass: 2, inertia: [10, 20, 15], position: [30, 0, 40], "
                           "angular_velocity: [0, 1, 0.3]}\n"
                           "joints:\n"
                           "  ball: {type: spherical, between: [bob, ground], at: [0, 0, 0]}\n";

/* Where the point of the bob lies that the joint holds at the origin. */
static double gap_of(const rt_frame *f)
{
    const double point[3] = {-30, 0, -40};
    double off[3], worst = 0;
    rt_m3_mul_v(off, f->A, point);
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(off[i] + f->r[i]));
    return worst;
}

typedef struct steps {
    double end, smallest, largest;
    int n, wrong; /* wrong: not from where the one before ended */
} steps;

static int note_step(void *data, const routh_progress *progress)
{
    steps *q = data;
    q->wrong += fabs(progress->time - progress->step - q->end) > 1e-12 * progress->step;
    q->smallest = q->n ? fmin(q->smallest, progress->time - q->end) : progress->time - q->end;
    q->largest = fmax(q->largest, progress->time - q->end);
    q->end = progress->time;
    q->n++;
    return 0;
}

static void check_run(const char *integrator, double step)
{
    test_mechanism t;
    routh_simulation *s = NULL;
    routh_channels *c = NULL;
    routh_error error = {0};
    routh_statistics counts;
    steps taken = {.end = 1.5};
    double record[3], worst = 0;
    routh_simulation_options o = routh_simulation_defaults();
    o.integrator = integrator, o.step = step, o.tolerance = step > 0 ? 0 : 1e-5;
    o.on_step = note_step, o.data = &taken;
    mechanism_make(&t, yaml);
    routh_operating_point *start = mechanism_point(&t);
    if (routh_simulation_create(&s, t.m, start, &o, &error) ||
        routh_channels_create(&c, t.m, "residuals", &error))
        fail_msg("%s: %s", integrator, error.message);
    assert_int_equal(routh_channels_width(c), 3);
    for (int k = 1; k <= 40; k++) {
        if (routh_simulation_advance(s, 1.5 + 0.1 * k, &error) ||
            routh_channels_read(c, s, record, &error))
            fail_msg("%s: %s", integrator, error.message);
        const double gap = gap_of(&s->run.search.w->bodies[0]);
        assert_true(fabs(record[1] - gap) < 2e-14); /* rounding of 50 m */
        worst = fmax(worst, gap);
    }
    routh_simulation_statistics(s, &counts);
    assert_true(worst > 1e-12); /* more than rounding */
    assert_true(fabs(counts.position_error - worst) < 2e-14);
    assert_int_equal(taken.wrong, 0);
    assert_int_equal(taken.n, counts.steps);
    assert_true(fabs(counts.smallest_step - taken.smallest) < 1e-15);
    assert_true(fabs(counts.largest_step - taken.largest) < 1e-15);
    assert_true(taken.largest > taken.smallest);
    routh_channels_free(c);
    routh_simulation_free(s);
    routh_operating_point_free(start);
    mechanism_release(&t);
}

static void steps_and_gaps_are_those_of_the_run(void **unused)
{
    (void)unused;
    check_run("hht", 0);
    check_run("hht", 0.07);
    check_run("generalized-alpha", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_and_gaps_are_those_of_the_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
