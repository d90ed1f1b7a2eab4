/* Static equilibrium from poor starts: it ends at a stable one, or says which body is not held. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "operating/operating.h"
#include "support/effort.h"
#include "support/mechanisms.h"

static const double pi = 3.14159265358979323846;

/* The smallest eigenvalue of the linear model's symmetric stiffness is at least about zero. */
static void check_stable(const test_mechanism *t, const routh_operating_point *point,
                         const char *what)
{
    routh_linear *linear = mechanism_linear(t, point, NULL);
    const int z = linear->n_position;
    double *L = calloc((size_t)z * (size_t)z + 1, sizeof *L),
           size = largest_of(linear->stiffness, z * z);
    /* Cholesky of K + small: fails where K has a negative eigenvalue */
    for (int j = 0; j < z; j++)
        for (int i = j; i < z; i++) {
            double sum = linear->stiffness[i * z + j] + (i == j ? 1e-9 * size : 0);
            for (int k = 0; k < j; k++) sum -= L[i * z + k] * L[j * z + k];
            if (i == j && !(sum > 0)) fail_msg("%s: the equilibrium is unstable", what);
            L[i * z + j] = i == j ? sqrt(sum) : sum / L[j * z + j];
        }
    free(L);
    routh_linear_free(linear);
    assert_true(point->residual <= 1e-9);
    assert_true(point->constraint_error <= 1e-11);
    for (int b = 0; b < point->n_bodies; b++) {
        assert_true(rt_v3_norm(point->bodies[b].velocity) == 0);
        assert_true(rt_v3_norm(point->bodies[b].angular_velocity) == 0);
    }
}

/* n rods of 1 m, one hung from the next, written with the given angles from hanging. */
static void chain_text(growing_text *text, const double *angle, int n)
{
    double end[2] = {0, 0};
    text_add(text, "gravity: [0, 0, -9.81]\nbodies:\n");
    for (int k = 0; k < n; k++) {
        const double y = sin(angle[k]), z = -cos(angle[k]);
        text_add(text,
                 "  rod_%d: {mass: 1, inertia: [0.08, 0.08, 0.001], position: [0, %.17g, %.17g], "
                 "orientation: {axis: [1, 0, 0], angle: %.17g}}\n",
                 k, end[0] + y / 2, end[1] + z / 2, angle[k]);
        end[0] += y, end[1] += z;
    }
    text_add(text, "markers:\n");
    for (int k = 0; k < n; k++)
        text_add(text,
                 "  top_%d: {body: rod_%d, position: [0, 0, 0.5]}\n  end_%d: {body: rod_%d, "
                 "position: [0, 0, -0.5]}\n",
                 k, k, k, k);
    text_add(text, "joints:\n  hinge_0: {type: revolute, between: [top_0, ground], axis: x}\n");
    for (int k = 1; k < n; k++)
        text_add(text, "  hinge_%d: {type: revolute, between: [top_%d, end_%d], axis: x}\n", k, k,
                 k - 1);
    text_add(text, "operating_point: {type: static}\n");
}

static void check_chain(const double *angle, int n, const char *what)
{
    growing_text text = {0};
    test_mechanism t;
    chain_text(&text, angle, n);
    mechanism_make(&t, text.bytes);
    routh_operating_point *point = mechanism_point(&t);
    check_stable(&t, point, what);
    for (int k = 0; k < n; k++) assert_true(fabs(point->bodies[k].position[2] + k + 0.5) < 1e-9);
    routh_operating_point_free(point);
    mechanism_release(&t);
    free(text.bytes);
}

static void a_pendulum_falls_from_anywhere(void **state)
{
    static const double degrees[] = {0, 1, 45, 90, -90, 120, 170, 179.9, 180, -180};
    (void)state;
    for (size_t k = 0; k < sizeof degrees / sizeof degrees[0]; k++) {
        const double angle = degrees[k] * pi / 180;
        check_chain(&angle, 1, "pendulum");
    }
}

static void a_chain_falls_from_anywhere(void **state)
{
    random_stream random = {31};
    (void)state;
    for (int k = 0; k < with_effort(30); k++) {
        double angle[4];
        random_reals(&random, 4, angle);
        for (int i = 0; i < 4; i++) angle[i] *= pi;
        check_chain(angle, 2 + k % 3, "chain");
    }
    const double upright[3] = {pi, pi, pi}, folded[3] = {0, pi, 0};
    check_chain(upright, 3, "upright chain");
    check_chain(folded, 3, "folded chain");
}

/* V' = 0 and V'' > 0 at phi = -pi/2 and at the angle of the papers, 2.234331019017586 (one
 * loop). */
static void a_four_bar_ends_at_one_of_its_stable_equilibria(void **state)
{
    static const char *const starts[] = {"2.24", "1.2", "3.0",   "pi/2", "0.4",
                                         "2.9",  "-1",  "-pi/2", "4"};
    (void)state;
    routh_error error;
    routh_text text;
    if (routh_template_write("four-bar", NULL, 0, &text, &error)) fail_msg("%s", error.message);
    for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++) {
        const char *const parameters[] = {"phi", starts[k], NULL};
        test_mechanism t;
        mechanism_make_with(&t, text.bytes, parameters);
        routh_operating_point *point = mechanism_point(&t);
        check_stable(&t, point, starts[k]);
        const double *A = point->bodies[0].orientation, phi = atan2(A[3], A[0]);
        assert_true(fabs(phi - 2.234331019017586) < 1e-9 || fabs(phi + pi / 2) < 1e-9);
        routh_operating_point_free(point);
        mechanism_release(&t);
    }
    routh_text_free(&text);
}

static void an_unstable_one_is_kept_only_when_accepted(void **state)
{
    (void)state;
    const double upright = pi;
    growing_text text = {0};
    test_mechanism t;
    routh_error error;
    routh_operating_point *point;
    routh_operating_point_options options = routh_operating_point_defaults();
    options.accept_unstable = 1;
    chain_text(&text, &upright, 1);
    mechanism_make(&t, text.bytes);
    assert_int_equal(routh_operating_point_find(&point, t.m, &options, &error), ROUTH_OK);
    assert_true(fabs(point->bodies[0].position[2] - 0.5) < 1e-9);
    assert_int_equal(point->n_warnings, 1);
    assert_non_null(strstr(point->warnings[0], "unstable"));
    routh_operating_point_free(point);
    mechanism_release(&t);
    free(text.bytes);
}

/* ---- templates, scrambled -------------------------------------------------------------------- */

/* Moves every body at random, closes the mechanism again and looks for equilibrium. false where
 * the scrambled bodies do not close, which is no matter of equilibrium. */
static bool settle_from(rt_search *s, random_stream *random, double amount)
{
    routh_error error;
    double *xi = malloc((size_t)s->m->n_u * sizeof *xi);
    memcpy(s->state->q, s->m->start_q, (size_t)s->m->n_q * sizeof *xi);
    memset(s->state->lambda, 0, (size_t)s->m->n_rows * sizeof *xi);
    memset(s->state->u, 0, (size_t)s->m->n_u * sizeof *xi);
    for (int c = 0; c < s->m->n_u; c++)
        xi[c] = amount * random_real(random) * s->unit[c] * s->m->length;
    s->m->set->advance(s->m->n_bodies, s->state->q, xi);
    free(xi);
    if (rt_assemble(s, &error) || rt_find_rank(s, &error)) return false;
    if (rt_find_equilibrium(s, false, &error)) fail_msg("%s: %s", error.element, error.message);
    return true;
}

static void templates_settle_wherever_they_start(void **state)
{
    static const struct {
        const char *name;
        const char *settings[3];
        double amount;
        bool unique; /* it has one stable equilibrium, at least near its place as written */
    } cases[] = {
        {"rotor-stator", {"spin", "0", NULL}, 0.3, false}, /* the rotor's angle is neutral */
        {"four-bar", {"N", "1", NULL}, 0.5, false},
        {"four-bar", {"N", "4", NULL}, 0.3, false},
        {"slider-pendulum", {NULL}, 0.7, true},
        {"spatial-four-bar", {NULL}, 0.2, true},
        {"pendulum-chain", {"n", "4", NULL}, 1, true},
        {"mcpherson", {NULL}, 0.1, true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        test_mechanism t;
        rt_search s;
        routh_error error;
        random_stream random = {40 + k};
        mechanism_make_template(&t, cases[k].name, cases[k].settings[0] ? cases[k].settings : NULL);
        routh_operating_point_options options = routh_operating_point_defaults();
        options.type = ROUTH_OPERATING_STATIC;
        routh_operating_point *home;
        if (routh_operating_point_find(&home, t.m, &options, &error))
            fail_msg("%s: %s", cases[k].name, error.message);
        check_stable(&t, home, cases[k].name);
        assert_int_equal(rt_search_create(&s, t.m, 1e-12, 200, &error), ROUTH_OK);
        int closed = 0;
        const int wanted = with_effort(12);
        for (int i = 0; i < wanted; i++) {
            if (!settle_from(&s, &random, cases[k].amount)) continue;
            closed++;
            rt_evaluate_frames(t.m, s.w, s.state);
            for (int b = 0; b < t.m->n_bodies && cases[k].unique; b++) {
                double d[3];
                rt_v3_sub(d, s.w->bodies[b].r, home->bodies[b].position);
                if (!(rt_v3_norm(d) < 1e-7))
                    fail_msg("%s settles %g m from its place, body %s", cases[k].name,
                             rt_v3_norm(d), home->bodies[b].name);
            }
        }
        assert_true(closed > wanted / 2);
        rt_state_free(s.state);
        rt_search_release(&s);
        routh_operating_point_free(home);
        mechanism_release(&t);
    }
}

/* ---- no equilibrium -------------------------------------------------------------------------- */

static void check_refused(const char *yaml, const char *body)
{
    test_mechanism t;
    routh_error error;
    routh_operating_point *point;
    mechanism_make(&t, yaml);
    assert_int_equal(routh_operating_point_find(&point, t.m, NULL, &error), ROUTH_NO_EQUILIBRIUM);
    assert_null(point);
    assert_string_equal(error.element, body);
    assert_true(error.line > 0);
    mechanism_release(&t);
}

static void a_body_that_nothing_holds_is_named(void **state)
{
    (void)state;
    check_refused("gravity: [0, 0, -9.81]\nbodies:\n  free: {mass: 2, inertia: [1, 1, "
                  "1]}\noperating_point: {type: static}\n",
                  "body free");
    check_refused("gravity: [0, 0, -9.81]\nbodies:\n  held: {mass: 2, inertia: [1, 1, 1]}\n  "
                  "loose: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                  "joints: {pin: {type: fixed, between: [held, ground]}}\n"
                  "operating_point: {type: static}\n",
                  "body loose");
    check_refused(
        "gravity: [0, 0, -9.81]\nbodies:\n  slide: {mass: 2, inertia: [1, 1, 1]}\n"
        "joints: {rail: {type: translational, between: [slide, ground], axis: [0, 1, 1]}}\n"
        "operating_point: {type: static}\n",
        "body slide");
}

static void a_body_that_rests_on_a_level_rail_needs_no_more(void **state)
{
    (void)state;
    test_mechanism t;
    mechanism_make(&t, "gravity: [0, 0, -9.81]\nbodies:\n  slide: {mass: 2, inertia: [1, 1, 1]}\n"
                       "joints: {rail: {type: translational, between: [slide, ground], axis: y}}\n"
                       "operating_point: {type: static}\n");
    routh_operating_point *point = mechanism_point(&t);
    assert_int_equal(point->degrees_of_freedom, 1);
    assert_true(fabs(point->reactions[0].force[2] - 2 * 9.81) < 1e-12);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

/* About an equilibrium that stays where it is: the least mu of dense matrices lies just above what
 * inertia says it does. */
static void check_softest(const test_mechanism *t, const char *what)
{
    rt_search s;
    routh_error error;
    double mu = 0, rounding;
    assert_int_equal(rt_search_create(&s, t->m, 1e-12, 200, &error), ROUTH_OK);
    if (rt_assemble(&s, &error) || rt_find_rank(&s, &error) ||
        rt_find_equilibrium(&s, true, &error) || rt_softest_direction(&s, &mu, &error))
        fail_msg("%s: %s", what, error.message);
    const double step = 1e-6 * fmax(fabs(mu), 1);
    for (int side = -1; side <= 1; side += 2) {
        bool above = side > 0;
        const double at = mu + side * step;
        assert_int_equal(rt_softest_above(&s, at, &above, &rounding, &error), ROUTH_OK);
        if (above != (side < 0)) fail_msg("%s: %.9g and %.9g", what, mu, at);
        assert_true(rounding > 0 && rounding < step);
    }
    rt_state_free(s.state);
    rt_search_release(&s);
}

static void inertia_tells_what_the_softest_direction_does(void **state)
{
    static const char *const names[] = {"four-bar", "slider-pendulum", "spatial-four-bar",
                                        "mcpherson"};
    static const double upright[4] = {pi, pi, 0, pi};
    (void)state;
    for (int k = 0; k < 4; k++) {
        test_mechanism t;
        mechanism_make_template(&t, names[k], NULL);
        check_softest(&t, names[k]);
        mechanism_release(&t);
    }
    for (int n = 1; n <= 4; n++) { /* mu below 0 */
        growing_text text = {0};
        test_mechanism t;
        chain_text(&text, upright, n);
        mechanism_make(&t, text.bytes);
        check_softest(&t, "upright chain");
        mechanism_release(&t);
        free(text.bytes);
    }
}

/* What is large is examined too: 480 degrees of freedom, and the same on a slide that is free. */
static void large_ones_are_told_to_be_stable(void **state)
{
    (void)state;
    for (int free_to_slide = 0; free_to_slide < 2; free_to_slide++) {
        growing_text text = {0};
        test_mechanism t;
        text_add(&text, "gravity: [0, 0, -9.81]\nbodies:\n");
        for (int k = 0; k < 80; k++) text_add(&text, "  b_%d: {mass: 1, inertia: [1, 1, 1]}\n", k);
        text_add(&text, "  slide: {mass: 1, inertia: [1, 1, 1]}\n"
                        "joints: {rail: {type: translational, between: [slide, ground], "
                        "axis: y}}\nloads:\n");
        if (!free_to_slide)
            text_add(
                &text,
                "  s: {type: bushing, between: [slide, ground], translation: {stiffness: 5}}\n");
        for (int k = 0; k < 80; k++)
            text_add(&text,
                     "  l_%d: {type: bushing, between: [b_%d, ground], "
                     "translation: {stiffness: 100}, rotation: {stiffness: 10}}\n",
                     k, k);
        text_add(&text, "operating_point: {type: static}\n");
        mechanism_make(&t, text.bytes);
        routh_operating_point *point = mechanism_point(&t);
        assert_true(point->degrees_of_freedom == 481);
        assert_int_equal(point->n_warnings, free_to_slide);
        if (free_to_slide) assert_non_null(strstr(point->warnings[0], "not certain"));
        routh_operating_point_free(point);
        mechanism_release(&t);
        free(text.bytes);
    }
}

/* A pendulum on a driven shaft: at rest its frequency is sqrt(m g l / (J + m l^2)) where the drive
 * stands, and there is no rest where it moves, or begins to. */
static void a_drive_that_moves_leaves_no_equilibrium(void **unused)
{
    (void)unused;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n  hub: {mass: 1, inertia: [1, 1, 1]}\n"
        "  bob: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.3, 0, -0.4]}\n"
        "joints:\n  bearing: {type: revolute, between: [hub, ground], axis: z}\n"
        "  drive: {type: motion, joint: bearing, function: '%s'}\n"
        "  hinge: {type: revolute, between: [bob, hub], at: [0, 0, 0], axis: y}\n"
        "operating_point: {type: static}\n";
    static const char *const moving[] = {"5*time", "2*time^2", "sin(3*time)"};
    char model[800];
    test_mechanism t;
    for (size_t k = 0; k < sizeof moving / sizeof *moving; k++) {
        routh_operating_point *point;
        routh_error error = {0};
        snprintf(model, sizeof model, text, moving[k]);
        mechanism_make(&t, model);
        assert_int_equal(routh_operating_point_find(&point, t.m, NULL, &error),
                         ROUTH_NO_EQUILIBRIUM);
        assert_non_null(strstr(error.element, "drive"));
        assert_non_null(strstr(error.message, k == 1 ? "an acceleration (4)" : "a velocity"));
        mechanism_release(&t);
    }
    snprintf(model, sizeof model, text, "0.3 + 0*time");
    mechanism_make(&t, model);
    routh_operating_point *point = mechanism_point(&t);
    routh_linear *linear = mechanism_linear(&t, point, NULL);
    const double J = 0.1 + 2 * 0.25, k = 2 * 9.81 * 0.5;
    assert_true(fabs(linear->A[2] + k / J) < 1e-10 * k / J);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drive_that_moves_leaves_no_equilibrium),
        cmocka_unit_test(a_pendulum_falls_from_anywhere),
        cmocka_unit_test(a_chain_falls_from_anywhere),
        cmocka_unit_test(a_four_bar_ends_at_one_of_its_stable_equilibria),
        cmocka_unit_test(an_unstable_one_is_kept_only_when_accepted),
        cmocka_unit_test(templates_settle_wherever_they_start),
        cmocka_unit_test(a_body_that_nothing_holds_is_named),
        cmocka_unit_test(a_body_that_rests_on_a_level_rail_needs_no_more),
        cmocka_unit_test(inertia_tells_what_the_softest_direction_does),
        cmocka_unit_test(large_ones_are_told_to_be_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
