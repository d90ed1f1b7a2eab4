/* Operating points of states that are given: they stay to the last bit where the constraints hold,
 * in every coordinate set; what was found there before is found again; what does not fit is moved
 * or refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "operating/operating.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

enum { N_MECHANISMS = 40 };

static routh_error error;

static routh_operating_point *find(const routh_mechanism *m)
{
    routh_operating_point *p;
    if (routh_operating_point_find(&p, m, NULL, &error)) fail_msg("%s", error.message);
    return p;
}

static routh_operating_point *from_state(const routh_mechanism *m, const rt_state *state)
{
    routh_operating_point *p;
    if (rt_point_from_state(&p, m, state, NULL, &error)) fail_msg("%s", error.message);
    return p;
}

static routh_operating_point *from_given(const routh_mechanism *m, const routh_initial_state *g)
{
    routh_operating_point *p;
    if (routh_operating_point_of_state(&p, m, g, NULL, &error)) fail_msg("%s", error.message);
    return p;
}

static void near(const double *a, const double *b, int n, double tolerance)
{
    const double size = fmax(1, largest_of(b, n));
    for (int k = 0; k < n; k++)
        if (!(fabs(a[k] - b[k]) <= tolerance * size))
            fail_msg("number %d: %.17g and %.17g", k, a[k], b[k]);
}

static void same_bits(const double *a, const double *b, int n)
{
    if (n) assert_memory_equal(a, b, (size_t)n * sizeof *a);
}

/* q, u, x and inputs are what was given. */
static void assert_kept(const routh_mechanism *m, const rt_state *given,
                        const routh_operating_point *p)
{
    const int n_x = m->model->n_control_states, n_in = m->model->n_inputs;
    assert_int_equal(p->type, ROUTH_OPERATING_STATE);
    assert_true(p->state->t == given->t && p->time == given->t);
    same_bits(p->state->q, given->q, m->n_q);
    same_bits(p->state->u, given->u, m->n_u);
    same_bits(p->state->signal, given->signal, n_x);
    for (int level = 0; level < 3; level++) {
        const int at = (level + 1) * m->n_signals - n_in;
        same_bits(p->state->signal + at, given->signal + at, n_in);
    }
    for (int b = 0; b < p->n_bodies; b++) {
        const routh_body_state *body = &p->bodies[b];
        assert_true(body->moved == 0 && body->turned == 0 && body->velocity_change == 0 &&
                    body->angular_velocity_change == 0);
    }
}

/* What follows from the state is what was found there. */
static void assert_same_point(const routh_mechanism *m, const routh_operating_point *a,
                              const routh_operating_point *b)
{
    static const double most = 1e-9;
    assert_int_equal(a->degrees_of_freedom, b->degrees_of_freedom);
    assert_int_equal(a->n_redundant, b->n_redundant);
    near(a->state->udot, b->state->udot, m->n_u, most);
    near(a->state->lambda, b->state->lambda, m->n_rows, most);
    near(a->state->signal, b->state->signal, m->n_signals, most);
    assert_true((a->base_state == NULL) == (b->base_state == NULL));
    if (a->base_state) {
        near(a->base_state->q, b->base_state->q, m->base->n_q, most);
        near(a->base_state->udot, b->base_state->udot, m->base->n_u, most);
    }
    for (int k = 0; k < a->n_bodies; k++) {
        near(a->bodies[k].position, b->bodies[k].position, 3, most);
        near(a->bodies[k].orientation, b->bodies[k].orientation, 9, most);
        near(a->bodies[k].velocity, b->bodies[k].velocity, 3, most);
        near(a->bodies[k].angular_velocity, b->bodies[k].angular_velocity, 3, most);
    }
    for (int k = 0; k < a->n_reactions; k++) {
        near(a->reactions[k].force, b->reactions[k].force, 3, 1e-8);
        near(a->reactions[k].torque, b->reactions[k].torque, 3, 1e-8);
    }
    assert_int_equal(a->n_signals, b->n_signals);
    for (int k = 0; k < a->n_signals; k++)
        assert_true(fabs(a->signals[k].value - b->signals[k].value) <=
                    most * fmax(1, fabs(b->signals[k].value)));
}

static void check_set(const routh_model *model, const char *set)
{
    routh_mechanism *m;
    if (routh_mechanism_compile(&m, model, set, &error)) fail_msg("%s", error.message);
    routh_operating_point *p = find(m);
    routh_operating_point *again = from_state(m, p->state);
    assert_kept(m, p->state, again);
    assert_same_point(m, again, p);
    routh_initial_state *g;
    assert_int_equal(routh_initial_state_of_point(&g, m, p, &error), ROUTH_OK);
    routh_operating_point *third = from_given(m, g);
    assert_kept(m, p->state, third);
    assert_same_point(m, third, p);
    /* once more of that one: to the last bit, whatever was solved for */
    routh_operating_point *fourth = from_state(m, third->state);
    same_bits(fourth->state->udot, third->state->udot, m->n_u);
    same_bits(fourth->state->lambda, third->state->lambda, m->n_rows);
    routh_initial_state_free(g);
    routh_operating_point_free(p);
    routh_operating_point_free(again);
    routh_operating_point_free(third);
    routh_operating_point_free(fourth);
    routh_mechanism_free(m);
}

/* A state of one coordinate set taken up in another. */
static void check_across(const routh_model *model, const char *from, const char *to)
{
    routh_mechanism *a, *b;
    assert_int_equal(routh_mechanism_compile(&a, model, from, &error), ROUTH_OK);
    assert_int_equal(routh_mechanism_compile(&b, model, to, &error), ROUTH_OK);
    routh_operating_point *p = find(a), *expected = find(b);
    routh_initial_state *g;
    assert_int_equal(routh_initial_state_of_point(&g, a, p, &error), ROUTH_OK);
    routh_operating_point *found = from_given(b, g);
    assert_same_point(b, found, expected);
    routh_initial_state_free(g);
    routh_operating_point_free(p);
    routh_operating_point_free(found);
    routh_operating_point_free(expected);
    routh_mechanism_free(a);
    routh_mechanism_free(b);
}

static void check_model(const routh_model *model)
{
    const char *name, *other;
    for (int k = 0; (name = routh_coordinate_name(k)); k++) check_set(model, name);
    for (int k = 0; (name = routh_coordinate_name(k)); k++) {
        other = routh_coordinate_name(k + 1) ? routh_coordinate_name(k + 1) : "absolute";
        check_across(model, name, other);
    }
}

static void a_consistent_state_stays(void **unused)
{
    (void)unused;
    random_stream random = {.state = 71};
    for (int k = 0; k < with_effort(N_MECHANISMS); k++) {
        random_mechanism mechanism;
        growing_text text = {0};
        routh_model *model;
        random_mechanism_make(&mechanism, &random, k % 2 ? RANDOM_MOVING : 0);
        random_mechanism_write(&mechanism, &no_disguise, &text);
        if (routh_model_parse(&model, text.bytes, text.length, "test", NULL, 0, &error))
            fail_msg("%s", error.message);
        check_model(model);
        routh_model_free(model);
        free(text.bytes);
    }
}

/* Controllers, inputs, nonholonomic joints, closed loops. */
static void examples_stay(void **unused)
{
    (void)unused;
    static const char *const names[] = {"cart-pendulum-lqr", "half-car-active",   "bicycle",
                                        "four-bar",          "rolling-disc",      "crank-slider",
                                        "abs-wheel",         "quarter-car-active"};
    const char *source = getenv("ROUTH_SOURCE");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[1024];
        routh_model *model;
        snprintf(path, sizeof path, "%s/examples/%s.yaml", source ? source : ".", names[k]);
        if (routh_model_read(&model, path, NULL, 0, &error)) fail_msg("%s", error.message);
        check_model(model);
        routh_model_free(model);
    }
}

/* ---- states that do not fit ----------------------------------------------------------------- */

static const char pendulum[] =
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod: {mass: 2, inertia: [1, 1, 1], position: [0, -0.5, 0], angular_velocity: [0, 0, 3]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: z}\n"
    "operating_point: {type: given}\n";

static void a_state_that_does_not_fit_is_moved(void **unused)
{
    (void)unused;
    const char *name;
    for (int k = 0; (name = routh_coordinate_name(k)); k++) {
        test_mechanism t;
        routh_mechanism *m;
        routh_operating_point *p;
        routh_initial_state_options options = routh_initial_state_defaults();
        mechanism_make(&t, pendulum);
        assert_int_equal(routh_mechanism_compile(&m, t.model, name, &error), ROUTH_OK);
        routh_initial_body rod = {.name = "rod",
                                  .position = {0.02, -0.5, 0},
                                  .quaternion = {1, 0, 0, 0},
                                  .velocity = {0, 0, 0},
                                  .angular_velocity = {0, 0, 3}};
        const routh_initial_state g = {.time = 2.5, .n_bodies = 1, .bodies = &rod};
        assert_int_equal(routh_operating_point_of_state(&p, m, &g, NULL, &error),
                         ROUTH_NOT_ASSEMBLED);
        assert_null(p);
        assert_string_equal(error.element, "body rod");
        assert_non_null(strstr(error.message, "needs the largest correction"));
        options.allowed = INFINITY;
        assert_int_equal(routh_operating_point_of_state(&p, m, &g, &options, &error), ROUTH_OK);
        const routh_body_state *b = &p->bodies[0];
        assert_true(p->time == 2.5);
        assert_true(p->constraint_error <= 1e-13);
        /* the pin holds now, and the body was moved no further than it had to be */
        const double arm = hypot(b->position[0], b->position[1]);
        assert_true(fabs(arm - 0.5) <= 1e-13);
        assert_true(b->moved > 1e-3 && b->moved <= 0.02);
        assert_true(fabs(hypot(b->position[0] - 0.02, b->position[1] + 0.5) - b->moved) <= 1e-12);
        assert_true(fabs(2 * sin(b->turned / 2) -
                         hypot(b->orientation[0] - 1, b->orientation[3])) <= 1e-12);
        /* v = w x r */
        assert_true(fabs(b->velocity[0] + b->angular_velocity[2] * b->position[1]) <= 1e-12);
        assert_true(fabs(b->velocity[1] - b->angular_velocity[2] * b->position[0]) <= 1e-12);
        assert_true(b->velocity_change > 0.1);
        assert_int_equal(p->n_warnings, 1);
        assert_non_null(strstr(p->warnings[0], "does not fit the joints exactly"));
        routh_operating_point_free(p);
        /* velocities alone */
        rod.position[0] = 0;
        assert_int_equal(routh_operating_point_of_state(&p, m, &g, NULL, &error),
                         ROUTH_NOT_ASSEMBLED);
        assert_non_null(strstr(error.message, "the velocities do not satisfy the joints"));
        routh_mechanism_free(m);
        mechanism_release(&t);
    }
}

/* ---- states that are none ------------------------------------------------------------------- */

static const char controlled[] = "bodies:\n"
                                 "  a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}\n"
                                 "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                                 "inputs: {push: 1}\n"
                                 "controllers:\n"
                                 "  lag: {type: differential, rate: push - lag, initial: 0}\n"
                                 "loads:\n"
                                 "  f: {type: force, on: a, components: [lag, 0, 0]}\n";

static const routh_initial_body two[] = {{.name = "a", .quaternion = {1}},
                                         {.name = "b", .position = {1}, .quaternion = {1}}};
static const routh_initial_signal lag[] = {{.name = "lag"}}, push[] = {{.name = "push"}};

static void refused(const routh_mechanism *m, const routh_initial_state *g, const char *why)
{
    routh_operating_point *p;
    assert_int_equal(routh_operating_point_of_state(&p, m, g, NULL, &error), ROUTH_BAD_ARGUMENT);
    assert_null(p);
    if (!strstr(error.message, why)) fail_msg("\"%s\" is not in \"%s\"", why, error.message);
}

static void what_is_no_state_is_refused(void **unused)
{
    (void)unused;
    test_mechanism t;
    mechanism_make(&t, controlled);
    const routh_initial_state good = {
        .n_bodies = 2, .bodies = two, .n_states = 1, .states = lag, .n_inputs = 1, .inputs = push};
    routh_operating_point_free(from_given(t.m, &good));
    routh_initial_state g = good;
    routh_initial_body b[2] = {two[0], two[1]};
    routh_initial_signal x = lag[0];
    g.time = NAN;
    refused(t.m, &g, "time of the state is not finite");
    g = good, g.n_bodies = 1;
    refused(t.m, &g, "the state has no body b, but the model has; give all bodies");
    g = good, g.n_states = 0;
    refused(t.m, &g, "the state has no state of a controller lag");
    g = good, g.bodies = b;
    b[1].name = "a";
    refused(t.m, &g, "bodies[1] of the state: body a is given already, as bodies[0]");
    b[1].name = "bb";
    refused(t.m, &g, "bodies[1].name of the state: the model has no body \"bb\"");
    b[1] = two[1], b[1].name = NULL;
    refused(t.m, &g, "bodies of routh_operating_point_of_state has no name at [1]");
    b[1] = two[1], b[1].velocity[2] = INFINITY;
    refused(t.m, &g, "bodies[1] of the state (b): a number is not finite");
    b[1] = two[1], b[1].orientation[0] = b[1].orientation[4] = b[1].orientation[8] = 1;
    refused(t.m, &g, "it has both an orientation and a quaternion");
    b[1].quaternion[0] = 0, b[1].orientation[8] = -1;
    refused(t.m, &g, "orientation is not a rotation");
    b[1] = two[1], b[1].quaternion[0] = 0;
    refused(t.m, &g, "it has neither an orientation nor a quaternion");
    b[1].quaternion[0] = 1.01;
    refused(t.m, &g, "quaternion is not of length 1");
    g = good, g.states = &x;
    x.value = NAN;
    refused(t.m, &g, "control_states[0] of the state (lag): a number is not finite");
    x = lag[0], x.name = "leg";
    refused(t.m, &g, "the model has no state of a controller \"leg\", did you mean \"lag\"?");
    const double q[14] = {0, 0, 0, 1, 0, 0, 0, 1, 0.001, 0, 1, 0, 0, 0}, u[12] = {0};
    g = good, g.coordinates = "absolute";
    refused(t.m, &g,
            "q and u of the state have 0 and 0 numbers, but in absolute coordinates this "
            "mechanism has 14 and 12");
    g.n_q = 14, g.n_u = 12, g.q = q, g.u = u;
    refused(t.m, &g,
            "body b of the state has another position or velocity than q and u give in absolute");
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_consistent_state_stays),
        cmocka_unit_test(examples_stay),
        cmocka_unit_test(a_state_that_does_not_fit_is_moved),
        cmocka_unit_test(what_is_no_state_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
