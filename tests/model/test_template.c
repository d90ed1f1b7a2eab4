/* Tests of model/template: each template reads back, and the examples are what the templates write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_text.h"

static routh_text write_with(const char *name, const char *key, const char *value)
{
    routh_text text = {0};
    routh_error error = {0};
    const routh_setting setting = {key, value};
    if (routh_template_write(name, &setting, key ? 1 : 0, &text, &error))
        fail_msg("%s: %s", name, error.message);
    assert_int_equal(strlen(text.bytes), text.length);
    return text;
}

static routh_model *model_of(const char *name, const char *key, const char *value)
{
    routh_text text = write_with(name, key, value);
    routh_model *model = read_model(text.bytes);
    routh_text_free(&text);
    return model;
}

/* In the order of the list, one a line; remarks begin with #. */
static void every_template_of_the_list_is_there(void **state)
{
    (void)state;
    size_t length, n = 0;
    char *list = read_source("src/model/templates/list.txt", &length);
    for (const char *line = list; *line; line += strcspn(line, "\n") + 1) {
        char name[100];
        if (*line == '#' || *line == '\n') continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "\n"), line);
        assert_non_null(routh_template_name(n));
        assert_string_equal(routh_template_name(n++), name);
    }
    free(list);
    assert_true(n >= 10);
    assert_null(routh_template_name(n));
    assert_null(routh_template_about(n));
}

static void every_template_reads_back(void **state)
{
    (void)state;
    for (size_t n = 0; routh_template_name(n); n++) {
        routh_model *model = model_of(routh_template_name(n), NULL, NULL);
        assert_true(strlen(model->title) > 0);
        assert_true(strlen(routh_template_about(n)) > 10);
        routh_model_free(model);
    }
}

static void the_examples_are_what_the_templates_write(void **state)
{
    (void)state;
    for (size_t k = 0; routh_template_name(k); k++) {
        char path[200];
        size_t length;
        snprintf(path, sizeof path, "examples/%s.yaml", routh_template_name(k));
        char *committed = read_source(path, &length);
        routh_text text = write_with(routh_template_name(k), NULL, NULL);
        assert_string_equal(text.bytes, committed);
        routh_text_free(&text);
        free(committed);
    }
}

static int body_of(const routh_model *m, int marker)
{
    return marker < 0 ? -1 : m->markers[marker].body;
}

static void a_chain_of_loops_has_the_joints_it_should(void **state)
{
    (void)state;
    routh_model *m = model_of("four-bar", "N", "7");
    assert_int_equal(m->n_bodies, 15);
    assert_int_equal(m->n_joints, 22);
    assert_int_equal(m->n_loads, 7);
    for (int k = 0; k < m->n_joints; k++)
        assert_string_equal(rt_joint_type_name(&m->joints[k]), "revolute");
    routh_model_free(m);
    m = model_of("blade-segments", "segments", "20");
    assert_int_equal(m->n_bodies, 21);
    assert_int_equal(m->n_joints, 22);
    routh_model_free(m);
    m = model_of("pendulum-chain", "n", "12");
    assert_int_equal(m->n_bodies, 12);
    assert_int_equal(m->n_joints, 12);
    assert_int_equal(m->n_loads, 0);
    routh_model_free(m);
}

static void springs_stand_in_every_hinge_of_a_chain(void **state)
{
    (void)state;
    routh_model *m = model_of("pendulum-chain", "k", "2*60");
    assert_int_equal(m->n_joints, 5);
    assert_int_equal(m->n_loads, 5);
    for (int k = 0; k < m->n_loads; k++) {
        assert_int_equal(m->loads[k].type, RT_LOAD_TORSION_SPRING);
        assert_near(m->loads[k].stiffness.value, 120, 1e-12);
        /* the same two bodies, at the same place */
        for (int side = 0; side < 2; side++)
            assert_int_equal(body_of(m, m->loads[k].markers[side]),
                             body_of(m, m->joints[k].markers[side]));
    }
    routh_model_free(m);
}

/* The two markers of each joint that holds points together coincide in the configuration as
 * written. */
static void assert_assembled(const routh_model *m)
{
    for (int k = 0; k < m->n_joints; k++) {
        double x[2][3];
        if (!strcmp(rt_joint_type_name(&m->joints[k]), "rod") ||
            !strcmp(rt_joint_type_name(&m->joints[k]), "orientation"))
            continue;
        for (int side = 0; side < 2; side++) {
            const int marker = m->joints[k].markers[side];
            for (int i = 0; i < 3; i++) {
                x[side][i] = 0;
                if (marker < 0) continue;
                const rt_marker *on = &m->markers[marker];
                const rt_body *body = on->body < 0 ? NULL : &m->bodies[on->body];
                const rt_flexible_node *node = rt_marker_node(m, marker);
                x[side][i] = body ? body->position[i].value : on->position[i].value;
                for (int j = 0; body && j < 3; j++)
                    x[side][i] += body->orientation[3 * i + j].value *
                                  (node ? node->X[j] : on->position[j].value);
                for (int j = 0; node && j < 3; j++) assert_near(on->position[j].value, 0, 0);
            }
        }
        for (int i = 0; i < 3; i++) assert_near(x[0][i], x[1][i], 1e-12);
    }
}

static void templates_are_assembled_as_written(void **state)
{
    (void)state;
    for (size_t k = 0; routh_template_name(k); k++) {
        routh_model *m = model_of(routh_template_name(k), NULL, NULL);
        assert_assembled(m);
        routh_model_free(m);
    }
    routh_model *m = model_of("spatial-four-bar", "b", "2");
    assert_assembled(m);
    routh_model_free(m);
    m = model_of("four-bar", "N", "30");
    assert_assembled(m);
    routh_model_free(m);
}

static void a_word_shapes_the_model(void **state)
{
    (void)state;
    for (int on = 0; on < 2; on++) {
        routh_model *m = model_of("flexible-double-pendulum", "stiffening", on ? "on" : "off");
        for (int b = 0; b < 2; b++)
            assert_int_equal(m->bodies[b].flexible->n_bars, on ? 10 : 0); /* one an element */
        routh_model_free(m);
    }
}

static void a_numeric_setting_becomes_a_parameter(void **state)
{
    (void)state;
    static const char *const values[] = {"3.25", "2*pi*0.5", "-(1 + 1)", "1e-3", "-7"};
    static const double numbers[] = {3.25, 3.14159265358979312, -2, 1e-3, -7};
    for (int k = 0; k < 5; k++) {
        routh_model *m = model_of("rotor-stator", "spin", values[k]);
        assert_near(m->bodies[1].angular_velocity[2].value, numbers[k], 1e-15);
        assert_string_equal(m->parameters[0].name, "spin");
        routh_model_free(m);
    }
}

static void wrong_settings_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][4] = {
        {"four-bar", "n", "3", "did you mean 'N'? Its settings are N (number of loops)"},
        {"four-bar", "N", "0", "out of range"},
        {"four-bar", "N", "2.5", "whole number"},
        {"four-bar", "N", "many", "not known"},
        {"four-bar", "N", "1e9", "out of range"},
        {"four-bar", "N", "", "N="},
        {"mcpherson", "a", "3", "no settings"},
        {"rotor-stator", "spin", "\"}", "spin"},
        {"flexible-double-pendulum", "stiffening", "maybe", "must be one of off, on"},
        {"flexible-double-pendulum", "elements", "0", "out of range"},
        {"rotor", "spin", "3", "template 'rotor' is not defined"},
        {"four_bar", "N", "3", "did you mean 'four-bar'"}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        routh_text text = {0};
        routh_error error = {0};
        const routh_setting setting = {wrong[k][1], wrong[k][2]};
        assert_int_equal(routh_template_write(wrong[k][0], &setting, 1, &text, &error),
                         ROUTH_BAD_ARGUMENT);
        assert_null(text.bytes);
        if (!strstr(error.message, wrong[k][3])) fail_msg("%s", error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_template_of_the_list_is_there),
        cmocka_unit_test(every_template_reads_back),
        cmocka_unit_test(the_examples_are_what_the_templates_write),
        cmocka_unit_test(a_chain_of_loops_has_the_joints_it_should),
        cmocka_unit_test(springs_stand_in_every_hinge_of_a_chain),
        cmocka_unit_test(templates_are_assembled_as_written),
        cmocka_unit_test(a_word_shapes_the_model),
        cmocka_unit_test(a_numeric_setting_becomes_a_parameter),
        cmocka_unit_test(wrong_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
