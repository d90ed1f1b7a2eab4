/* Tests of the outputs of models with fewer velocities than positions, controllers, inputs and
 * outputs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/sample.h"

/* Two positions, one velocity, a controller's state; an input and two outputs:
 *     x' = v,  y' = 3 x,  v' = -4 x - 0.4 v + 2 c + 5 in,  c' = -c + x */
typedef struct general {
    sample sample;
    routh_state_name states[4];
    routh_signal_name inputs[1], outputs[2];
    double A[16], B[4], B1[4], B2[4], C[8], D[2], D1[2], D2[2];
    double mass[1], damping[1], stiffness[2], coupling[1], force[1], force1[1], force2[1];
    routh_linear linear;
    routh_modes *modes;
    routh_realization *realization;
    routh_results results;
} general;

static void start(general *g)
{
    memset(g, 0, sizeof *g);
    sample_start(&g->sample);
    const double A[] = {0, 0, 1, 0, 3, 0, 0, 0, -4, 0, -0.4, 2, 1, 0, 0, -1};
    memcpy(g->A, A, sizeof A);
    g->B[2] = 5, g->B1[0] = 0.5;
    g->C[1] = 1, g->C[4] = 7;
    g->D[1] = 11;
    g->mass[0] = 2, g->damping[0] = 0.8, g->stiffness[0] = 8, g->coupling[0] = 4, g->force[0] = 10;
    char *const names[] = {"x", "y", "x'", "c"}, *const units[] = {"m", "m", "m/s", "V"};
    for (int i = 0; i < 4; i++)
        g->states[i] = (routh_state_name){names[i], units[i], i < 3 ? "ground" : "", i / 8.0};
    g->inputs[0] = (routh_signal_name){"push", "N", 1.5, 0};
    g->outputs[0] = (routh_signal_name){"place", "m", 0.25, 0};
    g->outputs[1] = (routh_signal_name){"pull, of \"x\"", "", 0, 1};
    g->linear = (routh_linear){.title = "General",
                               .coordinates = "absolute",
                               .method = "augmented",
                               .reference = "ground",
                               .n_position = 2,
                               .n_velocity = 1,
                               .n_control = 1,
                               .n_states = 4,
                               .states = g->states,
                               .A = g->A,
                               .mass = g->mass,
                               .damping = g->damping,
                               .stiffness = g->stiffness,
                               .coupling = g->coupling,
                               .n_inputs = 1,
                               .n_outputs = 2,
                               .inputs = g->inputs,
                               .outputs = g->outputs,
                               .B = g->B,
                               .B1 = g->B1,
                               .B2 = g->B2,
                               .C = g->C,
                               .D = g->D,
                               .D1 = g->D1,
                               .D2 = g->D2,
                               .force = g->force,
                               .force1 = g->force1,
                               .force2 = g->force2,
                               .at_rest = 1,
                               .steady = 1};
    g->results = g->sample.results;
    g->results.linear = &g->linear;
    assert_int_equal(routh_modes_compute(&g->modes, &g->linear, NULL), ROUTH_OK);
    assert_int_equal(routh_realization_compute(&g->realization, &g->linear, g->modes, NULL),
                     ROUTH_OK);
    g->results.modes = g->modes;
    g->results.realization = g->realization;
}

static void end(general *g)
{
    routh_modes_free(g->modes);
    routh_realization_free(g->realization);
    sample_end(&g->sample);
}

static void csv_puts_matrices_under_what_they_multiply(void **state)
{
    (void)state;
    general g;
    routh_text text;
    start(&g);
    assert_int_equal(routh_linear_csv(&g.results, &text, NULL), ROUTH_OK);
    assert_string_equal(text.bytes, "matrix,row,x,y,x',c,push\n"
                                    "A,x,0,0,1,0,\nA,y,3,0,0,0,\n"
                                    "A,x',-4,0,-0.40000000000000002,2,\nA,c,1,0,0,-1,\n"
                                    "B,x,,,,,0\nB,y,,,,,0\nB,x',,,,,5\nB,c,,,,,0\n"
                                    "B1,x,,,,,0.5\nB1,y,,,,,0\nB1,x',,,,,0\nB1,c,,,,,0\n"
                                    "B2,x,,,,,0\nB2,y,,,,,0\nB2,x',,,,,0\nB2,c,,,,,0\n"
                                    "C,place,0,1,0,0,\nC,\"pull, of \"\"x\"\"\",7,0,0,0,\n"
                                    "D,place,,,,,0\nD,\"pull, of \"\"x\"\"\",,,,,11\n"
                                    "D1,place,,,,,0\nD1,\"pull, of \"\"x\"\"\",,,,,0\n"
                                    "D2,place,,,,,0\nD2,\"pull, of \"\"x\"\"\",,,,,0\n"
                                    "mass,x',,,2,,\ndamping,x',,,0.80000000000000004,,\n"
                                    "stiffness,x',8,0,,,\ncoupling,x',,,,4,\n"
                                    "force,x',,,,,10\nforce1,x',,,,,0\nforce2,x',,,,,0\n");
    routh_text_free(&text);
    end(&g);
}

static void the_table_names_rows_and_columns(void **state)
{
    (void)state;
    general g;
    routh_text text;
    start(&g);
    assert_int_equal(routh_linear_table(&g.results, &text, NULL), ROUTH_OK);
    const char *const parts[] = {
        "2 of position, 1 of velocity, and 1 state of controllers (4 states)\n",
        "    4  c      V              0.375\n",
        "\nInputs\n  no.  input  unit  value\n    1  push   N       1.5\n",
        "    1  place         m      0.25\n",
        "\nMass M\n  x'  2\n",
        "\nStiffness K\n      x  y\n  x'  8  0\n",
        "\nForces of the controllers (M W' + C W + K S = .. X)\n      c\n  x'  4\n",
        "\nForces of the inputs (M W' + C W + K S = .. in)\n      push\n  x'    10\n",
        "\nB (y' = .. + B in)\n      push\n  x      0\n",
        "\nB1 (y' = .. + B1 in')\n      push\n  x    0.5\n",
        "  place         0  1   0  0\n",
        "\nZero, and not shown: B2, D1, D2 (rates of the inputs).\n",
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (!strstr(text.bytes, parts[k])) fail_msg("no \"%s\" in\n%s", parts[k], text.bytes);
    assert_null(strstr(text.bytes, "\nB2"));
    routh_text_free(&text);
    end(&g);
}

/* What acts through the rates of inputs is shown; what is nothing beside the rest is named. */
static void the_table_names_what_is_zero(void **state)
{
    (void)state;
    general g;
    routh_text text;
    start(&g);
    g.coupling[0] = 0, g.force[0] = 3e-40, g.force1[0] = 6e-31, g.force2[0] = -1.5;
    g.damping[0] = 3e-86;
    g.B1[0] = 5e-31, g.outputs[0].value = 1e-30;
    assert_int_equal(routh_linear_table(&g.results, &text, NULL), ROUTH_OK);
    const char *const parts[] = {
        "\nZero, and not shown: forces of the controllers, forces of the inputs.\n",
        "\nForces of the inputs' accelerations (M W' + C W + K S = .. in'')\n"
        "      push\n"
        "  x'  -1.5\n",
        "\nDamping C\n  x'  0\n",
        "\nZero, and not shown: B1, B2, D1, D2 (rates of the inputs).\n",
        "    1  place         m         0\n",
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (!strstr(text.bytes, parts[k])) fail_msg("no \"%s\" in\n%s", parts[k], text.bytes);
    assert_null(strstr(text.bytes, "inputs' rates"));
    routh_text_free(&text);
    end(&g);
}

static void what_is_not_finite_is_refused(void **state)
{
    (void)state;
    general g;
    routh_text text;
    routh_error error = {0};
    start(&g);
    g.D1[1] = NAN;
    assert_int_equal(routh_linear_table(&g.results, &text, &error), ROUTH_NUMERIC_ERROR);
    assert_non_null(strstr(error.message, "D1[1][0] "));
    assert_int_equal(routh_linear_csv(&g.results, &text, &error), ROUTH_NUMERIC_ERROR);
    end(&g);
}

/* y is nobody's cause: a zero that is seen by `place` and driven. */
static void modes_tell_of_controllers_and_reach(void **state)
{
    (void)state;
    general g;
    routh_text text;
    start(&g);
    assert_int_equal(routh_modes_table(&g.results, &text, NULL), ROUTH_OK);
    const char *const parts[] = {"  controllers  ",
                                 "; controller",
                                 "\nControllability and observability\n",
                                 "driven by",
                                 "  yes        ",
                                 "push 0.",
                                 "4 of 4 eigenvalues are controllable and observable.\n"};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (!strstr(text.bytes, parts[k])) fail_msg("no \"%s\" in\n%s", parts[k], text.bytes);
    routh_text_free(&text);
    assert_int_equal(routh_modes_json(&g.results, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    assert_true(sample_number(json, "degrees_of_freedom control") == 1);
    assert_true(sample_number(json, "modes 1 control") == g.modes->modes[1].control);
    const char *const side[] = {"controllable", "observable"};
    for (int k = 0; k < 2; k++) {
        const json_t *mode = json_object_get(sample_at(json, "modes 2 realization"), side[k]);
        const routh_mode_reach *reach =
            k ? &g.realization->modes[2].output : &g.realization->modes[2].input;
        assert_string_equal(json_string_value(sample_at(mode, "verdict")), "yes");
        assert_true(sample_number(mode, "margin") == reach->margin);
        assert_true(sample_number(mode, k ? "each place" : "each push") == reach->each[0]);
    }
    json_decref(json);
    routh_text_free(&text);
    assert_int_equal(routh_modes_csv(&g.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, ",error_bound,control\n"));
    routh_text_free(&text);
    end(&g);
}

/* Without outputs there is one side alone. */
static void one_side_alone_is_shown_alone(void **state)
{
    (void)state;
    general g;
    routh_text text;
    start(&g);
    routh_realization_free(g.realization);
    g.linear.n_outputs = 0;
    assert_int_equal(routh_realization_compute(&g.realization, &g.linear, g.modes, NULL), ROUTH_OK);
    g.results.realization = g.realization;
    assert_int_equal(routh_modes_table(&g.results, &text, NULL), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "controllable"));
    assert_null(strstr(text.bytes, "observable"));
    routh_text_free(&text);
    assert_int_equal(routh_modes_json(&g.results, &text, NULL), ROUTH_OK);
    json_t *json = sample_json(&text);
    assert_true(json_is_null(sample_at(json, "modes 0 realization observable")));
    json_decref(json);
    routh_text_free(&text);
    end(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_puts_matrices_under_what_they_multiply),
        cmocka_unit_test(the_table_names_rows_and_columns),
        cmocka_unit_test(the_table_names_what_is_zero),
        cmocka_unit_test(what_is_not_finite_is_refused),
        cmocka_unit_test(modes_tell_of_controllers_and_reach),
        cmocka_unit_test(one_side_alone_is_shown_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
