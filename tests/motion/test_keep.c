/* Runs that are kept on the way, and gone on with from numbers: the integrators that remember their
 * last step go on as if nothing had been. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "motion/motion_model.h"

static const char *const methods[] = {"hht", "generalized-alpha"};

/* A bob that swings on a spring so stiff that a step of 0.01 s is 14 of its periods. */
static const char stiff_yaml[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies: {bob: {mass: 1.25, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}}\n"
    "loads: {rod: {type: spring, between: [bob, ground], stiffness: 1e8, free_length: 1}}\n";

/* A ball that bounces on a spring, is pushed from 0.6 s on, and an event that is only told. */
static const char ball_yaml[] =
    "gravity: [0, 0, -9.81]\n"
    "inputs: {push: 0}\n"
    "bodies: {ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1]}}\n"
    "joints: {rail: {type: translational, between: [ball, ground], at: [0, 0, 0], axis: z}}\n"
    "loads:\n"
    "  floor: {type: force, on: ball, components: [0, 0, 'max(0, -2000*DZ(ball))']}\n"
    "  up: {type: force, on: ball, components: [0, 0, push]}\n"
    "events:\n"
    "  bottom: {when: VZ(ball), direction: rising, action: record}\n"
    "  late: {when: time - 0.6, action: set, input: push, value: 15}\n";

/* A screw under a torque: kept at its turn 37. */
static const char screw_yaml[] =
    "bodies: {nut: {mass: 3, inertia: [1, 1, 1.5], angular_velocity: [0, 0, 40]}}\n"
    "joints: {s: {type: screw, between: [nut, ground], at: [0, 0, 0], axis: z, pitch: 0.16}}\n"
    "loads: {t: {type: torque, on: nut, components: [0, 0, 4]}}\n";

static double *keep(const test_run *r)
{
    routh_error error = {0};
    double *numbers = malloc(routh_simulation_memory(r->simulation) * sizeof *numbers);
    assert_non_null(numbers);
    if (routh_simulation_keep(r->simulation, numbers, &error)) fail_msg("%s", error.message);
    return numbers;
}

/* The state at the end of so many steps; kept after every two and a half of them, or not. */
static double *end_of(const char *yaml, const routh_simulation_options *o, int steps, bool kept,
                      int *n)
{
    test_run r;
    routh_statistics count;
    run_begin(&r, yaml, "absolute", o);
    for (double part = 2.5; kept && part < steps; part += 2.5) {
        run_to(&r, part * o->step);
        free(keep(&r));
    }
    run_to(&r, o->end);
    routh_simulation_statistics(r.simulation, &count);
    assert_int_equal(count.steps, steps);
    double *result = run_result(&r, n);
    run_end(&r);
    return result;
}

/* Beginning anew would be off by the square of the step: 1e-5 and more. */
static void keeping_changes_only_rounding(void **state)
{
    (void)state;
    static const char *const models[] = {double_pendulum_yaml, four_bar_yaml, disc_yaml,
                                         controlled_yaml,      driven_yaml,   stiff_yaml};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (int k = 0; k < 2; k++) {
            enum { STEPS = 40 };
            int n;
            routh_simulation_options o = routh_simulation_defaults();
            o.integrator = methods[k];
            o.step = 0.01;
            o.end = STEPS * o.step;
            double *kept = end_of(models[i], &o, STEPS, true, &n);
            double *unbroken = end_of(models[i], &o, STEPS, false, &n);
            const double off = largest_difference(kept, unbroken, n);
            if (!(off < 1e-7)) fail_msg("model %zu by %s: off by %.3g", i, methods[k], off);
            free(kept);
            free(unbroken);
        }
}

typedef struct told {
    double sum;
    int n;
} told;

static void note(void *data, const routh_event *event)
{
    told *t = data;
    t->sum += event->time;
    t->n++;
}

/* The events of a ball's run to 1.2 s, kept after each so many hundredths; 0: not. */
static told events_of(const char *method, int every)
{
    test_run r;
    told events = {0};
    routh_simulation_options o = routh_simulation_defaults();
    o.integrator = method;
    o.on_event = note;
    o.data = &events;
    run_begin(&r, ball_yaml, "relative", &o);
    for (int k = 1; k <= 120; k++) {
        run_to(&r, 0.01 * k);
        if (every && k % every == 0) free(keep(&r));
    }
    run_end(&r);
    return events;
}

/* What goes on from kept numbers does so in the unbroken run too: two such runs say nothing of
 * events that wait. */
static void events_that_wait_happen_as_if_nothing_were_kept(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const told unbroken = events_of(methods[k], 0);
        for (int every = 1; every <= 3; every++) {
            const told kept = events_of(methods[k], every);
            assert_int_equal(kept.n, unbroken.n);
            const double off = fabs(kept.sum - unbroken.sum);
            if (!(off < 1e-7)) fail_msg("by %s: times are off by %.3g s", methods[k], off);
        }
    }
}

static void check_same(const test_run *a, const test_run *b)
{
    const rt_state *x = rt_simulation_state(a->simulation);
    const rt_state *y = rt_simulation_state(b->simulation);
    const routh_mechanism *m = a->t.m;
    assert_true(x->t == y->t);
    assert_memory_equal(x->q, y->q, (size_t)m->n_q * sizeof *x->q);
    assert_memory_equal(x->u, y->u, (size_t)m->n_u * sizeof *x->u);
    assert_memory_equal(x->udot, y->udot, (size_t)m->n_u * sizeof *x->u);
    assert_memory_equal(x->lambda, y->lambda, (size_t)m->n_rows * sizeof *x->lambda);
    assert_memory_equal(x->near, y->near, rt_count_near(m) * sizeof *x->near);
}

static void turns_are_kept(void **state)
{
    (void)state;
    static const char *const sets[] = {"absolute", "euler-parameters", "relative", "natural"};
    for (size_t i = 0; i < 2 * sizeof sets / sizeof *sets; i++) {
        test_run a, b;
        routh_error error = {0};
        routh_simulation_options o = routh_simulation_defaults();
        o.integrator = methods[i % 2];
        run_begin(&a, screw_yaml, sets[i / 2], &o);
        run_begin(&b, screw_yaml, sets[i / 2], &o);
        run_to(&a, 5.05);
        const double way = a.simulation->run.search.w->bodies[0].r[2];
        assert_in_range((long)(way / 0.16), 37, 39);
        double *numbers = keep(&a);
        if (routh_simulation_resume(b.simulation, numbers, &error)) fail_msg("%s", error.message);
        free(numbers);
        for (double t = 5.25; t < 8; t += 0.25) {
            run_to(&a, t);
            run_to(&b, t);
            check_same(&a, &b);
        }
        const double *r = a.simulation->run.search.w->bodies[0].r;
        /* a turn that is lost is ten times that */
        const double lead = 0.16 / 6.283185307179586, at = rt_simulation_state(a.simulation)->t;
        const double turned = 40 * at + 4 / (1.5 + 3 * lead * lead) / 2 * at * at;
        assert_true(fabs(r[2] - lead * turned) < 0.1 * 0.16);
        run_end(&a);
        run_end(&b);
    }
}

/* A run to 1.2 s that is kept at every hundredth, and another that takes it up after `first`. The
 * steps are longer than that: events wait in the step at hand where it is kept. */
static bool check_going_on(const char *yaml, const char *method, int first)
{
    enum { LAST = 120 };
    test_run a, b;
    told of_a = {0}, of_b = {0};
    routh_error error = {0};
    routh_simulation_options o = routh_simulation_defaults();
    o.integrator = method;
    o.on_event = note;
    o.data = &of_a;
    run_begin(&a, yaml, "relative", &o);
    o.data = &of_b;
    run_begin(&b, yaml, "relative", &o);
    for (int k = 1; k < first; k++) {
        run_to(&a, 0.01 * k);
        free(keep(&a));
    }
    run_to(&a, 0.01 * first);
    double *numbers = keep(&a);
    const bool waits = isfinite(a.simulation->events.time);
    if (routh_simulation_resume(b.simulation, numbers, &error)) fail_msg("%s", error.message);
    free(numbers);
    check_same(&a, &b);
    of_a = (told){0};
    for (int k = first + 1; k <= LAST; k++) {
        run_to(&a, 0.01 * k);
        run_to(&b, 0.01 * k);
        check_same(&a, &b);
        free(keep(&a));
        free(keep(&b));
    }
    assert_int_equal(of_a.n, of_b.n);
    assert_true(of_a.sum == of_b.sum);
    run_end(&a);
    run_end(&b);
    return waits;
}

/* A contact that begins smoothly: steps end at it, and nobody is told of that. */
static const char smooth_yaml[] =
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], position: [0.755, 0, 0]}\n"
    "joints:\n"
    "  i: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"
    "  j: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}\n"
    "loads:\n"
    "  c: {type: contact, between: [a, b], radius: 0.1, other_radius: 0.1, stiffness: 1e4,\n"
    "      exponent: 2}\n";

static void goes_on_to_the_last_bit(void **state)
{
    (void)state;
    const char *const models[2] = {ball_yaml, smooth_yaml};
    for (int k = 0; k < 4; k++) {
        int waiting = 0;
        for (int first = 3; first < 120; first += 3)
            waiting += check_going_on(models[k / 2], methods[k % 2], first);
        if (k < 2 && waiting == 0)
            fail_msg("by %s in model %d no event ever waits", methods[k % 2], k / 2);
    }
}

static void refuses_numbers_of_another(void **state)
{
    (void)state;
    test_run a, b;
    routh_error error = {0};
    const routh_simulation_options o = routh_simulation_defaults();
    run_begin(&a, ball_yaml, "relative", &o);
    run_begin(&b, stiff_yaml, "relative", &o);
    double *numbers = keep(&a);
    assert_int_equal(routh_simulation_resume(b.simulation, numbers, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "do not belong to this model"));
    free(numbers);
    run_end(&a);
    run_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeping_changes_only_rounding),
        cmocka_unit_test(events_that_wait_happen_as_if_nothing_were_kept),
        cmocka_unit_test(turns_are_kept),
        cmocka_unit_test(goes_on_to_the_last_bit),
        cmocka_unit_test(refuses_numbers_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
