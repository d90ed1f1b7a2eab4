/* Objects of another mechanism are refused, errors begin and end empty, and zeros are options. */
#define _XOPEN_SOURCE 700 /* P_tmpdir */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <unistd.h>

#include <cmocka.h>

#include "routh/routh.h"

typedef struct chain {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
} chain;

/* Two pendulums that differ in a length alone: all sizes agree. */
static const char *const pendulum =
    "parameters: {l: 1, c: 0.1}\n"
    "bodies: {bob: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, -l]}}\n"
    "joints: {pin: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: y}}\n"
    "loads: {damper: {type: torque, on: bob, components: [0, -c*WY(bob), 0]}}\n"
    "operating_point: {type: static}\n";

static void chain_make(chain *x, const char *length, const char *coordinates)
{
    const routh_setting setting = {"l", length};
    routh_error e;
    if (routh_model_parse(&x->model, pendulum, strlen(pendulum), NULL, &setting, 1, &e) ||
        routh_mechanism_compile(&x->mechanism, x->model, coordinates, &e) ||
        routh_operating_point_find(&x->point, x->mechanism, NULL, &e) ||
        routh_linear_compute(&x->linear, x->mechanism, x->point, NULL, &e) ||
        routh_modes_compute(&x->modes, x->linear, &e))
        fail_msg("%s: %s", e.element, e.message);
}

static void chain_free(chain *x)
{
    routh_modes_free(x->modes);
    routh_linear_free(x->linear);
    routh_operating_point_free(x->point);
    routh_mechanism_free(x->mechanism);
    routh_model_free(x->model);
}

/* place: of the pointer to what was to be made. */
static void refused(routh_status status, const void *place, const routh_error *e, const char *what)
{
    assert_int_equal(status, ROUTH_BAD_ARGUMENT);
    assert_int_equal(e->status, ROUTH_BAD_ARGUMENT);
    void *result = NULL;
    if (place) memcpy(&result, place, sizeof result);
    assert_null(result);
    if (strncmp(e->message, what, strlen(what)) != 0)
        fail_msg("'%s' is not about %s", e->message, what);
}

static void objects_of_another_mechanism_are_refused(void **state)
{
    (void)state;
    chain a, b;
    chain_make(&a, "1", NULL);
    chain_make(&b, "2", NULL);
    routh_error e = {0};
    routh_linear *linear;
    routh_attribution *attribution;
    routh_realization *realization;
    routh_text text;
    refused(routh_linear_compute(&linear, a.mechanism, b.point, NULL, &e), &linear, &e, "point of");
    refused(routh_attribution_compute(&attribution, a.mechanism, a.point, b.linear, b.modes, &e),
            &attribution, &e, "linear of");
    refused(routh_attribution_compute(&attribution, a.mechanism, a.point, a.linear, b.modes, &e),
            &attribution, &e, "modes of");
    refused(routh_realization_compute(&realization, a.linear, b.modes, &e), &realization, &e,
            "modes of");
    const routh_results mixed = {.linear = a.linear, .modes = b.modes, .point = a.point},
                        other = {.linear = a.linear, .modes = a.modes, .point = b.point};
    refused(routh_modes_table(&mixed, &text, &e), &text.bytes, &e, "results->modes of");
    refused(routh_linear_json(&other, &text, &e), &text.bytes, &e, "results->linear of");
    chain_free(&a);
    chain_free(&b);
}

/* The same model in other coordinates is another mechanism; compiled again it is the same. */
static void a_model_that_is_compiled_again_is_the_same(void **state)
{
    (void)state;
    chain a;
    chain_make(&a, "1", "relative");
    routh_error e = {0};
    routh_mechanism *again, *absolute;
    routh_operating_point *point;
    routh_linear *linear, *loaded;
    assert_int_equal(routh_mechanism_compile(&again, a.model, "relative", &e), ROUTH_OK);
    assert_int_equal(routh_mechanism_compile(&absolute, a.model, NULL, &e), ROUTH_OK);
    assert_int_equal(routh_linear_compute(&linear, again, a.point, NULL, &e), ROUTH_OK);
    for (int k = 0; k < 4; k++) assert_true(linear->A[k] == a.linear->A[k]);
    routh_linear_free(linear);
    refused(routh_linear_compute(&linear, absolute, a.point, NULL, &e), &linear, &e, "point of");
    assert_int_equal(routh_operating_point_find(&point, again, NULL, &e), ROUTH_OK);
    routh_attribution *attribution;
    assert_int_equal(routh_attribution_compute(&attribution, again, point, a.linear, a.modes, &e),
                     ROUTH_OK);
    routh_attribution_free(attribution);
    routh_operating_point_free(point);
    char path[200];
    snprintf(path, sizeof path, "%s/routh-belongs-%ld.json", P_tmpdir, (long)getpid());
    assert_int_equal(routh_linear_save(a.linear, path, NULL, &e), ROUTH_OK);
    assert_int_equal(routh_linear_load(&loaded, path, NULL, &e), ROUTH_OK);
    remove(path);
    const routh_results results = {.linear = loaded, .modes = a.modes};
    routh_text text;
    assert_int_equal(routh_modes_table(&results, &text, &e), ROUTH_OK);
    routh_text_free(&text);
    refused(routh_attribution_compute(&attribution, again, a.point, loaded, a.modes, &e),
            &attribution, &e, "linear of");
    routh_linear_free(loaded);
    routh_mechanism_free(again);
    routh_mechanism_free(absolute);
    chain_free(&a);
}

static void an_error_is_empty_after_a_success(void **state)
{
    (void)state;
    chain a;
    chain_make(&a, "1", NULL);
    routh_error e;
    memset(&e, 7, sizeof e);
    routh_modes *modes;
    double value;
    assert_int_equal(routh_model_evaluate(a.model, "2*nothing", &value, &e), ROUTH_BAD_ARGUMENT);
    assert_int_equal(e.status, ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_modes_compute(&modes, a.linear, &e), ROUTH_OK);
    assert_int_equal(e.status, ROUTH_OK);
    assert_int_equal(e.line, 0);
    assert_string_equal(e.message, "");
    assert_string_equal(e.element, "");
    routh_modes_free(modes);
    chain_free(&a);
}

/* {0} gives the same operating point and the same A, to the last bit. */
static void zeros_are_options(void **state)
{
    (void)state;
    chain a;
    chain_make(&a, "1", NULL);
    routh_error e = {0};
    const routh_operating_point_options find = {0};
    const routh_linear_options how = {0};
    routh_operating_point *point;
    routh_linear *linear;
    assert_int_equal(routh_operating_point_find(&point, a.mechanism, &find, &e), ROUTH_OK);
    assert_true(point->tolerance == a.point->tolerance);
    assert_int_equal(routh_linear_compute(&linear, a.mechanism, point, &how, &e), ROUTH_OK);
    assert_int_equal(linear->n_states, a.linear->n_states);
    assert_memory_equal(linear->A, a.linear->A, sizeof(double) * 4);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    chain_free(&a);
}

static void options_out_of_range_are_named(void **state)
{
    (void)state;
    chain a;
    chain_make(&a, "1", "relative");
    routh_error e = {0};
    routh_operating_point *point;
    routh_linear *linear;
    routh_operating_point_options find = {.type = (routh_operating_point_type)77};
    routh_linear_options how = {.threads = -5};
    refused(routh_operating_point_find(&point, a.mechanism, &find, &e), &point, &e,
            "options->type");
    refused(routh_linear_compute(&linear, a.mechanism, a.point, &how, &e), &linear, &e,
            "options->threads");
    routh_joint_space *space;
    double q[1], u[1], udot[1], A[4], B[2];
    assert_int_equal(routh_joint_space_create(&space, a.mechanism, &e), ROUTH_OK);
    assert_null(routh_joint_space_body(space, 7000));
    assert_string_equal(routh_joint_space_body(space, 0), "bob");
    routh_joint_space_start(space, a.point, q, u, udot);
    assert_int_equal(routh_joint_space_evaluate(space, 0, q, NULL, NULL, A, B, &e), ROUTH_OK);
    assert_int_equal(routh_joint_space_evaluate(space, 0, q, NULL, NULL, NULL, B, &e), ROUTH_OK);
    q[0] = NAN;
    refused(routh_joint_space_evaluate(space, 0, q, u, udot, A, B, &e), NULL, &e, "q of");
    double motion[12];
    routh_mode_marker(a.linear, &a.modes->modes[0], 7000, motion);
    assert_true(isnan(motion[0]) && isnan(motion[11]));
    routh_joint_space_free(space);
    chain_free(&a);
}

/* What structures hold in lists of their own. */
static void lists_are_looked_at(void **state)
{
    (void)state;
    chain a;
    chain_make(&a, "1", NULL);
    routh_error e = {0};
    routh_operating_point *point;
    routh_response *response;
    routh_initial_coordinate angle = {NULL, 0.1};
    routh_initial_state given = {.time = NAN, .n_joints = 1};
    const double hz[] = {1, NAN};
    routh_response_options how = {.n_hz = 2};
    refused(routh_operating_point_of_state(&point, a.mechanism, &given, NULL, &e), &point, &e,
            "state->joints of");
    given.joints = &angle;
    refused(routh_operating_point_of_state(&point, a.mechanism, &given, NULL, &e), &point, &e,
            "state->joints of");
    angle = (routh_initial_coordinate){"pin.angle", NAN};
    refused(routh_operating_point_of_state(&point, a.mechanism, &given, NULL, &e), &point, &e,
            "joints[0] of the state (pin.angle)");
    refused(routh_response_compute(&response, a.linear, a.modes, &how, &e), &response, &e,
            "options->hz of");
    how.hz = hz;
    refused(routh_response_compute(&response, a.linear, a.modes, &how, &e), &response, &e,
            "options->hz of");
    chain_free(&a);
}

static void settings_come_once_and_axes_go_one_way(void **state)
{
    (void)state;
    chain a;
    chain_make(&a, "1", NULL);
    routh_error e = {0};
    const routh_setting twice[] = {{"l", "1"}, {"c", "2"}, {"l", "3"}};
    routh_model *model;
    routh_sweep *sweep;
    const size_t length = strlen(pendulum);
    refused(routh_model_parse(&model, pendulum, length, NULL, twice, 3, &e), &model, &e,
            "settings of routh_model_parse sets 'l' twice, to '1' and to '3'");
    assert_int_equal(routh_model_parse(&model, pendulum, length, NULL, twice, 2, &e), ROUTH_OK);
    routh_model_free(model);
    double rise[] = {0.5, 1, 2}, fall[] = {2, 1, 0.5}, turn[] = {0.5, 2, 1}, stay[] = {1, 1, 2};
    char name[] = "l";
    routh_sweep_axis axis = {.parameter = name, .n = 3, .values = turn};
    routh_sweep_options how = {.settings = twice, .n_settings = 3};
    refused(routh_sweep_run_of_model(&sweep, a.model, &axis, 1, NULL, &e), &sweep, &e,
            "axes->values of routh_sweep_run_of_model must increase or decrease, but 1 follows 2");
    axis.values = stay;
    refused(routh_sweep_run_of_model(&sweep, a.model, &axis, 1, NULL, &e), &sweep, &e,
            "axes->values of routh_sweep_run_of_model must increase or decrease, but 1 follows 1");
    axis.values = rise;
    refused(routh_sweep_run_of_model(&sweep, a.model, &axis, 1, &how, &e), &sweep, &e,
            "options->settings of routh_sweep_run_of_model sets 'l' twice");
    axis.values = fall;
    assert_int_equal(routh_sweep_run_of_model(&sweep, a.model, &axis, 1, NULL, &e), ROUTH_OK);
    routh_sweep_free(sweep);
    chain_free(&a);
}

/* Zeros ask for no damping ratio: what is found is the limit of stability alone. */
static void zeros_ask_for_no_damping_ratio(void **state)
{
    (void)state;
    static const char swing[] =
        "parameters: {c: 0.1}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {bob: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, -1]}}\n"
        "joints: {pin: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: y}}\n"
        "loads: {damper: {type: torque, on: bob, components: [0, -c*WY(bob), 0]}}\n";
    routh_error e = {0};
    routh_model *model;
    routh_sweep *sweep;
    char damping[] = "c";
    double through[] = {-1, 0.3, 1};
    const routh_sweep_axis axis = {.parameter = damping, .n = 3, .values = through};
    const routh_sweep_options how = {.solve = ROUTH_SWEEP_SOLVE_LIMITS, .halvings = 20};
    assert_int_equal(routh_model_parse(&model, swing, strlen(swing), NULL, NULL, 0, &e), ROUTH_OK);
    assert_int_equal(routh_sweep_run_of_model(&sweep, model, &axis, 1, &how, &e), ROUTH_OK);
    assert_int_equal(sweep->lines[0].n_events, 1);
    assert_int_equal(sweep->lines[0].events[0].kind, ROUTH_SWEEP_FLUTTER);
    routh_sweep_free(sweep);
    routh_model_free(model);
}

/* A point of the dynamics is one of the mechanism. */
static void states_of_dynamics_are_looked_at(void **state)
{
    (void)state;
    chain a;
    chain_make(&a, "1", NULL);
    routh_error e = {0};
    routh_dynamics *dynamics;
    routh_operating_point *point;
    routh_linear *linear;
    double t, x[2], rate[2];
    assert_int_equal(routh_dynamics_create(&dynamics, a.mechanism, a.point, &e), ROUTH_OK);
    assert_int_equal(routh_dynamics_n_states(dynamics), 2);
    routh_dynamics_start(dynamics, &t, x, NULL);
    assert_int_equal(routh_dynamics_point(dynamics, t, x, NULL, &point, &e), ROUTH_OK);
    assert_int_equal(routh_linear_compute(&linear, a.mechanism, point, NULL, &e), ROUTH_OK);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    x[1] = NAN;
    refused(routh_dynamics_evaluate(dynamics, t, x, NULL, rate, &e), NULL, &e, "x: the state bob.");
    refused(routh_dynamics_point(dynamics, t, x, NULL, &point, &e), &point, &e,
            "x: the state bob.");
    routh_dynamics_start(NULL, &t, x, NULL);
    assert_true(isnan(t));
    routh_dynamics_free(dynamics);
    chain_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_of_another_mechanism_are_refused),
        cmocka_unit_test(a_model_that_is_compiled_again_is_the_same),
        cmocka_unit_test(an_error_is_empty_after_a_success),
        cmocka_unit_test(zeros_are_options),
        cmocka_unit_test(options_out_of_range_are_named),
        cmocka_unit_test(lists_are_looked_at),
        cmocka_unit_test(settings_come_once_and_axes_go_one_way),
        cmocka_unit_test(zeros_ask_for_no_damping_ratio),
        cmocka_unit_test(states_of_dynamics_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
