/* Eigenvalues held against the motion of the model itself: chains, linkages, rotors, controllers;
 * and a linear model that is not the mechanism's own, which must be found out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <routh/routh.h>

#include "support/effort.h"

static const double two_pi = 6.28318530717958647692;

typedef struct subject {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_error error;
} subject;

static void must(const subject *x, routh_status status)
{
    if (status) fail_msg("%s: %s", x->error.element, x->error.message);
}

static void finish(subject *x, const char *coordinates)
{
    routh_linear_options options = routh_linear_defaults();
    options.shares = 0;
    must(x, routh_mechanism_compile(&x->mechanism, x->model, coordinates, &x->error));
    must(x, routh_operating_point_find(&x->point, x->mechanism, NULL, &x->error));
    must(x, routh_linear_compute(&x->linear, x->mechanism, x->point, &options, &x->error));
    must(x, routh_modes_compute(&x->modes, x->linear, &x->error));
}

static subject of_template(const char *name, const routh_setting *settings, size_t n,
                           const char *coordinates)
{
    subject x = {0};
    routh_text text;
    must(&x, routh_template_write(name, settings, n, &text, &x.error));
    must(&x, routh_model_parse(&x.model, text.bytes, text.length, name, NULL, 0, &x.error));
    routh_text_free(&text);
    finish(&x, coordinates);
    return x;
}

static subject of_text(const char *yaml, const char *coordinates)
{
    subject x = {0};
    must(&x, routh_model_parse(&x.model, yaml, strlen(yaml), "text", NULL, 0, &x.error));
    finish(&x, coordinates);
    return x;
}

static subject of_example(const char *path, const char *coordinates)
{
    subject x = {0};
    must(&x, routh_model_read(&x.model, path, NULL, 0, &x.error));
    finish(&x, coordinates);
    return x;
}

static void release(subject *x)
{
    routh_modes_free(x->modes);
    routh_linear_free(x->linear);
    routh_operating_point_free(x->point);
    routh_mechanism_free(x->mechanism);
    routh_model_free(x->model);
}

static routh_verification *confirm(subject *x, const routh_verification_options *options)
{
    routh_verification *c = NULL;
    must(x, routh_verification_run(&c, x->mechanism, x->point, x->linear, x->modes, options,
                                   &x->error));
    print_message("    %s: %d samples in %g s, amplitude %g, even %.1e, odd %.1e\n", c->integrator,
                  c->n_samples, c->duration, c->amplitude, c->even, c->odd);
    for (int k = 0; k < c->n_modes; k++) {
        const routh_verified_mode *m = &c->modes[k];
        print_message("    %11.7g %11.7g  found %11.7g +-%.1e %11.7g +-%.1e  %s\n",
                      m->eigenvalue[0], m->eigenvalue[1], m->found[0], m->bar[0], m->found[1],
                      m->bar[1], m->why ? m->why : "confirmed");
    }
    return c;
}

/* All are confirmed, nothing is left over, and the bars say something. */
static void assert_confirmed(const routh_verification *c, int n, double part)
{
    assert_int_equal(c->n_confirmed, n);
    assert_int_equal(c->n_modes, n);
    assert_int_equal(c->n_unexplained, 0);
    for (int k = 0; k < n; k++) {
        const routh_verified_mode *m = &c->modes[k];
        const double size = hypot(m->eigenvalue[0], m->eigenvalue[1]);
        assert_true(m->distance <= 1);
        if (size > 0) assert_true(hypot(m->bar[0], m->bar[1]) < part * size);
    }
}

/* All seven stand as peaks in the spectrum, each within a line of where the eigenvalue has it. */
static void a_chain_of_seven_has_its_seven_frequencies(void **unused)
{
    (void)unused;
    const routh_setting settings[] = {{"n", "7"}};
    subject x = of_template("pendulum-chain", settings, 1, "relative");
    const routh_verification_options options = {.seed = 3, .amplitude = 1e-4, .duration = 20};
    routh_verification *c = confirm(&x, &options);
    assert_confirmed(c, 7, 5e-3);
    for (int k = 0; k < 7; k++) {
        const double hertz = c->modes[k].eigenvalue[1] / two_pi;
        assert_true(hertz > 0);
        assert_true(fabs(c->modes[k].peak_hz - hertz) < c->resolution);
        for (int i = 0; i < k; i++) assert_true(c->modes[i].peak_hz < c->modes[k].peak_hz);
    }
    routh_verification_free(c);
    release(&x);
}

/* Gonzalez, Masarati, Cuadrado and Naya (2017), Table 2: -0.2424 +- 2.1340i for one loop, -0.2350
 * +- 1.5276i for five, with c = 1. */
static void the_four_bar_swings_and_decays_as_published(void **unused)
{
    (void)unused;
    static const double printed[2][2] = {{-0.2424, 2.1340}, {-0.2350, 1.5276}};
    for (int k = 0; k < 2; k++) {
        const routh_setting settings[] = {{"N", k ? "5" : "1"}, {"c", "1"}};
        subject x = of_template("four-bar", settings, 2, NULL);
        routh_verification *c = confirm(&x, NULL);
        assert_confirmed(c, 1, 1e-3);
        for (int i = 0; i < 2; i++)
            assert_true(fabs(c->modes[0].found[i] - printed[k][i]) <= 5e-5 + c->modes[0].bar[i]);
        routh_verification_free(c);
        release(&x);
    }
}

/* Whirling, rocking, and a spin that nothing holds; eigenvalues over two decades, three of them
 * within a third of a line of the spectrum. */
static void a_rotor_whirls_as_it_should_at_speed(void **unused)
{
    (void)unused;
    subject x = of_example("examples/rotor-stator.yaml", "relative");
    assert_false(x.linear->at_rest);
    const routh_verification_options options = {.seed = 1, .amplitude = 1e-4, .duration = 15};
    routh_verification *c = confirm(&x, &options);
    assert_confirmed(c, 8, 1e-3);
    routh_verification_free(c);
    release(&x);
}

/* Seen from a turntable, where the pendulum's place is at rest though it circles. */
static void a_circling_pendulum_is_seen_from_its_turntable(void **unused)
{
    (void)unused;
    subject x = of_example("examples/rotating-pendulum.yaml", NULL);
    routh_verification *c = confirm(&x, NULL);
    assert_confirmed(c, 3, 1e-3);
    routh_verification_free(c);
    release(&x);
}

/* The frame of the steady motion is the observer, and no marker turns with it. */
static void a_circling_pendulum_is_seen_from_its_moving_frame(void **unused)
{
    (void)unused;
    subject x = of_example("examples/conical-pendulum.yaml", NULL);
    assert_string_equal(x.linear->reference, "moving-frame");
    routh_verification *c = confirm(&x, NULL);
    assert_confirmed(c, 3, 1e-4);
    routh_verification_free(c);
    release(&x);
}

/* States of a controller and of a filter; one mode is gone while another has hardly begun. */
static void a_loop_with_a_controller_is_confirmed(void **unused)
{
    (void)unused;
    subject x = of_example("examples/quarter-car-active.yaml", NULL);
    const routh_verification_options options = {.seed = 1, .duration = 8};
    routh_verification *c = confirm(&x, &options);
    assert_confirmed(c, 4, 1e-2);
    routh_verification_free(c);
    release(&x);
}

/* Of second order, with fixed steps: bars are wider, and still right. */
static void the_integrator_of_every_build_does_it_too(void **unused)
{
    (void)unused;
    const routh_setting settings[] = {{"c", "1"}};
    subject x = of_template("four-bar", settings, 1, NULL);
    const routh_verification_options options = {.integrator = "generalized-alpha"};
    routh_verification *c = confirm(&x, &options);
    assert_true(c->fixed_step > 0);
    assert_confirmed(c, 1, 1e-3);
    routh_verification_free(c);
    release(&x);
}

static const char two_alike[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {c: 0.02}\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [0.02, 0.02, 0.01], position: [0, 0, -0.5]}\n"
    "  b: {mass: 1, inertia: [0.02, 0.02, 0.01], position: [1, 0, -0.5]}\n"
    "joints:\n"
    "  pa: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: y}\n"
    "  pb: {type: revolute, between: [b, ground], at: [1, 0, 0], axis: y}\n"
    "loads:\n"
    "  fa: {type: torsion_spring, between: [a, ground], at: [0, 0, 0],"
    " axis: y, damping: c}\n"
    "  fb: {type: torsion_spring, between: [b, ground], at: [1, 0, 0],"
    " axis: y, damping: c}\n";

/* One start would show one motion of that frequency. */
static void two_pendulums_alike_are_two(void **unused)
{
    (void)unused;
    subject x = of_text(two_alike, NULL);
    routh_verification *c = confirm(&x, NULL);
    assert_int_equal(c->n_runs, 2);
    assert_confirmed(c, 2, 1e-3);
    routh_verification_free(c);
    release(&x);
}

/* Two pairs of bending modes of a round bar, a millionth apart: within the record they turn by less
 * than a thousandth of a radian against each other, and what is found is a mixture. */
static void modes_that_the_record_cannot_part_are_not_contradicted(void **unused)
{
    (void)unused;
    if (!full_effort()) skip();
    subject x = of_example("examples/cantilever.yaml", NULL);
    routh_verification *c = confirm(&x, NULL);
    assert_confirmed(c, 6, 0.1);
    routh_verification_free(c);
    release(&x);
}

/* Bending and stretch of a pendulum of one element, and those of another stiffness. */
static void a_flexible_pendulum_swings_and_bends(void **unused)
{
    (void)unused;
    if (!full_effort()) skip();
    static const char yaml[] =
        "gravity: [0, -9.81, 0]\n"
        "parameters: {E: %s}\n"
        "bodies:\n"
        "  link: {type: beam, orientation: {x: [0, -1, 0], z: [0, 0, 1]}, to: [1, 0, 0],"
        " elements: 1, planar: true, density: 1000, area: 1e-3, youngs_modulus: E, izz: 2.5e-5}\n"
        "joints: {O: {type: revolute, between: [link, ground], at: [0, 0, 0], axis: z}}\n"
        "operating_point: {type: static}\n";
    char text[2][1000];
    snprintf(text[0], sizeof text[0], yaml, "1e5");
    snprintf(text[1], sizeof text[1], yaml, "1.001e5");
    subject x = of_text(text[0], NULL), y = of_text(text[1], NULL);
    const routh_verification_options options = {.seed = 1, .amplitude = 1e-4, .duration = 4};
    routh_verification *c = confirm(&x, &options);
    assert_confirmed(c, 4, 1e-3);
    routh_verification_free(c);
    must(&x,
         routh_verification_run(&c, x.mechanism, x.point, y.linear, y.modes, &options, &x.error));
    assert_true(c->n_contradicted >= 3);
    routh_verification_free(c);
    release(&x);
    release(&y);
}

/* Finer, its fastest mode is a thousand times as fast as its swinging: one record holds the slow
 * ones only, and those of another stiffness are found out there too. */
static void a_fine_mesh_is_confirmed_in_a_band(void **unused)
{
    (void)unused;
    if (!full_effort()) skip();
    static const char yaml[] =
        "gravity: [0, -9.81, 0]\n"
        "parameters: {E: %s}\n"
        "bodies:\n"
        "  link: {type: beam, orientation: {x: [0, -1, 0], z: [0, 0, 1]}, to: [1, 0, 0],"
        " elements: 4, planar: true, density: 1000, area: 1e-3, youngs_modulus: E, izz: 1e-6}\n"
        "joints: {O: {type: revolute, between: [link, ground], at: [0, 0, 0], axis: z}}\n"
        "operating_point: {type: static}\n";
    char text[2][1000];
    snprintf(text[0], sizeof text[0], yaml, "1e7");
    snprintf(text[1], sizeof text[1], yaml, "1.05e7");
    subject x = of_text(text[0], NULL), y = of_text(text[1], NULL);
    const routh_verification_options all = {.seed = 1, .amplitude = 1e-5};
    routh_verification *c = confirm(&x, &all);
    assert_confirmed(c, 2, 1e-2);
    assert_int_equal(c->n_faster, x.modes->n / 2 - 2);
    assert_true(c->below > c->modes[1].eigenvalue[1] / two_pi);
    assert_string_equal(c->integrator, "generalized-alpha");
    routh_verification_free(c);
    must(&x, routh_verification_run(&c, x.mechanism, x.point, y.linear, y.modes, &all, &x.error));
    assert_int_equal(c->modes[1].verdict, ROUTH_CONTRADICTED);
    routh_verification_free(c);
    const routh_verification_options one = {.amplitude = 1e-5, .below = 2};
    c = confirm(&x, &one);
    assert_confirmed(c, 1, 1e-2);
    assert_true(c->n_faster == x.modes->n / 2 - 1 && c->below == 2);
    routh_verification_free(c);
    const routh_verification_options none = {.below = 0.1}, no_limit = {.below = -1};
    assert_int_equal(
        routh_verification_run(&c, x.mechanism, x.point, x.linear, x.modes, &none, &x.error),
        ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(x.error.message, "no eigenvalue is below 0.1 Hz"));
    assert_int_equal(
        routh_verification_run(&c, x.mechanism, x.point, x.linear, x.modes, &no_limit, &x.error),
        ROUTH_BAD_ARGUMENT);
    release(&x);
    release(&y);
}

/* The linear model of another damping, or of another stiffness of a thousandth, is found out. */
static void a_wrong_linear_model_is_contradicted(void **unused)
{
    (void)unused;
    static const char *const settings[2][2] = {{"c", "1.01"}, {"k", "25.025"}};
    for (int k = 0; k < 2; k++) {
        const routh_setting right[] = {{"c", "1"}},
                            wrong[] = {{settings[k][0], settings[k][1]}, {"m", "1"}};
        const routh_setting both[] = {{"c", "1"}, wrong[0]};
        subject x = of_template("four-bar", right, 1, NULL);
        subject y =
            k ? of_template("four-bar", both, 2, NULL) : of_template("four-bar", wrong, 1, NULL);
        routh_verification *c = NULL;
        must(&x,
             routh_verification_run(&c, x.mechanism, x.point, y.linear, y.modes, NULL, &x.error));
        assert_int_equal(c->n_contradicted, 1);
        assert_true(c->modes[0].distance > 1);
        /* what was found is that of the mechanism */
        const double *eigenvalue = x.modes->modes[0].eigenvalue;
        const double own[2] = {eigenvalue[0], fabs(eigenvalue[1])};
        for (int i = 0; i < 2; i++)
            assert_true(fabs(c->modes[0].found[i] - own[i]) <= c->modes[0].bar[i]);
        routh_verification_free(c);
        release(&x);
        release(&y);
    }
}

static const char fallen[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  rod: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0.5, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}\n"
    "operating_point: {type: given}\n";

/* A constant linear model, and a mass that passes through the middle. */
static const char swinging[] =
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
    "joints: {g: {type: translational, between: [a, ground], axis: x}}\n"
    "loads: {s: {type: bushing, between: [a, ground], translation: {stiffness: 4}}}\n"
    "operating_point: {type: given}\n";

static void what_swings_through_the_middle_is_refused_for_what_it_is(void **unused)
{
    (void)unused;
    subject x = of_text(swinging, NULL);
    routh_verification *c = NULL;
    assert_int_equal(
        routh_verification_run(&c, x.mechanism, x.point, x.linear, x.modes, NULL, &x.error),
        ROUTH_NOT_SUPPORTED);
    assert_non_null(strstr(x.error.message, "the rates of its states change"));
    release(&x);
}

static void motion_that_is_not_steady_is_refused(void **unused)
{
    (void)unused;
    subject x = of_text(fallen, NULL);
    routh_verification *c = NULL;
    assert_int_equal(
        routh_verification_run(&c, x.mechanism, x.point, x.linear, x.modes, NULL, &x.error),
        ROUTH_NOT_SUPPORTED);
    assert_null(c);
    assert_non_null(strstr(x.error.message, "not steady"));
    release(&x);
}

static void what_cannot_be_is_refused(void **unused)
{
    (void)unused;
    subject x = of_text(two_alike, NULL), y = of_text(fallen, NULL);
    routh_verification *c = NULL;
    const routh_verification_options large = {.amplitude = 0.6},
                                     unknown = {.integrator = "leapfrog"};
    assert_int_equal(
        routh_verification_run(&c, x.mechanism, x.point, x.linear, x.modes, &large, &x.error),
        ROUTH_BAD_ARGUMENT);
    assert_int_equal(
        routh_verification_run(&c, x.mechanism, x.point, x.linear, x.modes, &unknown, &x.error),
        ROUTH_NOT_SUPPORTED);
    assert_int_equal(
        routh_verification_run(&c, x.mechanism, x.point, y.linear, y.modes, NULL, &x.error),
        ROUTH_BAD_ARGUMENT);
    release(&x);
    release(&y);
}

static void a_record_that_is_too_short_does_not_contradict(void **unused)
{
    (void)unused;
    const routh_setting settings[] = {{"n", "7"}};
    subject x = of_template("pendulum-chain", settings, 1, "relative");
    const routh_verification_options options = {.duration = 0.2};
    routh_verification *c = confirm(&x, &options);
    assert_int_equal(c->n_contradicted, 0);
    routh_verification_free(c);
    release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_seven_has_its_seven_frequencies),
        cmocka_unit_test(the_four_bar_swings_and_decays_as_published),
        cmocka_unit_test(a_rotor_whirls_as_it_should_at_speed),
        cmocka_unit_test(a_circling_pendulum_is_seen_from_its_turntable),
        cmocka_unit_test(a_circling_pendulum_is_seen_from_its_moving_frame),
        cmocka_unit_test(a_loop_with_a_controller_is_confirmed),
        cmocka_unit_test(the_integrator_of_every_build_does_it_too),
        cmocka_unit_test(two_pendulums_alike_are_two),
        cmocka_unit_test(modes_that_the_record_cannot_part_are_not_contradicted),
        cmocka_unit_test(a_flexible_pendulum_swings_and_bends),
        cmocka_unit_test(a_fine_mesh_is_confirmed_in_a_band),
        cmocka_unit_test(a_wrong_linear_model_is_contradicted),
        cmocka_unit_test(motion_that_is_not_steady_is_refused),
        cmocka_unit_test(what_swings_through_the_middle_is_refused_for_what_it_is),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_record_that_is_too_short_does_not_contradict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
