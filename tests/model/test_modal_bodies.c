/* Tests of model/modal_body: reduced bodies by file and by matrices, and what nodes that do not
 * turn can carry. The link of examples/flexible is of steel, 120 x 20 x 10 mm. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "flexible/reduced.h"
#include "model_text.h"
#include "routh/routh.h"

#define MATRICES                                                                                   \
    "stiffness_matrix: examples/flexible/link.sti, mass_matrix: examples/flexible/link.mas, "      \
    "nodes: examples/flexible/link.inp, length_unit: mm, mass_unit: t"
#define ENDS "interface: [1001=LEFT, 1002=RIGHT], modes: 8, damping_ratio: 0.01"

static routh_model *link_with(const char *fields, const char *rest)
{
    char text[2000];
    snprintf(text, sizeof text,
             "bodies: {b: {type: modal, %s}, c: {mass: 1, inertia: [1, 1, 1]}}\n%s", fields, rest);
    return read_model(text);
}

static void refuse(const char *fields, const char *rest, const char *message)
{
    char text[2000];
    snprintf(text, sizeof text,
             "bodies: {b: {type: modal, %s}, c: {mass: 1, inertia: [1, 1, 1]}}\n%s", fields, rest);
    refuse_model(text, message);
}

static void assert_same(const double *a, const double *b, size_t n)
{
    double largest = 0;
    for (size_t k = 0; k < n; k++) largest = fmax(largest, fabs(a[k]));
    assert_true(largest > 0);
    for (size_t k = 0; k < n; k++) assert_near(a[k], b[k], 1e-15 * largest);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void a_file_gives_the_body_that_matrices_give(void **state)
{
    (void)state;
    char *bytes, path[80], fields[200];
    size_t length;
    routh_error error = {0};
    routh_model *raw = link_with(MATRICES ", " ENDS, "");
    const rt_flexible *a = raw->bodies[0].flexible;
    assert_int_equal(a->n, 14);
    assert_near(a->mass, 7800 * 0.12 * 0.02 * 0.01, 1e-6);
    assert_near(raw->bodies[0].mass.value, 0, 0); /* all inertia is the shape's */
    assert_int_equal(rt_flexible_json(a, NULL, &bytes, &length, &error), ROUTH_OK);
    snprintf(path, sizeof path, "%s/routh-modal-XXXXXX", P_tmpdir);
    const int number = mkstemp(path);
    assert_true(number >= 0);
    assert_int_equal(close(number), 0);
    write_file(path, bytes, length);
    snprintf(fields, sizeof fields, "file: %s", path);
    routh_model *by_file = link_with(fields, "");
    remove(path);
    const rt_flexible *b = by_file->bodies[0].flexible;
    const size_t n = (size_t)a->n;
    assert_int_equal(b->n, a->n);
    assert_int_equal(b->n_nodes, a->n_nodes);
    assert_same(a->K, b->K, n * n);
    assert_same(a->D, b->D, n * n);
    assert_same(a->N, b->N, 9 * n * n);
    free(bytes);
    routh_model_free(raw);
    routh_model_free(by_file);
}

static void paths_are_from_the_folder_of_the_model(void **state)
{
    (void)state;
    static const char text[] = "bodies: {b: {type: modal, stiffness_matrix: link.sti, mass_matrix: "
                               "link.mas, nodes: link.inp, length_unit: mm, mass_unit: t}}\n";
    routh_model *model = NULL;
    routh_error error = {0};
    if (routh_model_parse(&model, text, strlen(text), "examples/flexible/made-up.yaml", NULL, 0,
                          &error))
        fail_msg("%s", error.message);
    assert_int_equal(model->bodies[0].flexible->n, 10); /* free-free modes where nothing is said */
    routh_model_free(model);
    assert_int_equal(routh_model_parse(&model, text, strlen(text), "made-up.yaml", NULL, 0, &error),
                     ROUTH_MODEL_ERROR);
    assert_non_null(strstr(error.message, "link.sti"));
}

static void a_cut_keeps_what_lies_below(void **state)
{
    (void)state;
    routh_model *m = link_with(MATRICES ", cut: 9000", "");
    assert_int_equal(m->bodies[0].flexible->n, 2); /* CalculiX: 3683, 6867, 10317 Hz */
    routh_model_free(m);
}

/* ---- in a mechanism -------------------------------------------------------------------------- */

/* Column 4 of the lines "number eigenvalue rad cycles imaginary". */
static int read_frequencies(double *f, int most)
{
    size_t length;
    char *text = read_source("examples/flexible/link-frequencies.txt", &length);
    int n = 0;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line && n < most;
         line = strtok_r(NULL, "\n", &rest)) {
        double x[4];
        int number;
        if (sscanf(line, "%d %lf %lf %lf %lf", &number, &x[0], &x[1], &x[2], &x[3]) == 5)
            f[n++] = x[2];
    }
    free(text);
    return n;
}

/* Alone in space it rings as CalculiX says (seven digits), in each set of coordinates. */
static void a_free_link_rings_as_calculix_says(void **state)
{
    (void)state;
    static const char *const sets[] = {"absolute", "relative", "natural"};
    double right[12];
    assert_int_equal(read_frequencies(right, 12), 12);
    const char text[] = "bodies: {b: {type: modal, " MATRICES ", modes: 6, position: [1, 2, 3], "
                        "orientation: {rpy: [0.3, 0.5, 0.7]}}}\n";
    for (int k = 0; k < 3; k++) {
        routh_model *model = read_model(text);
        routh_mechanism *mechanism = NULL;
        routh_operating_point *point = NULL;
        routh_linear *linear = NULL;
        routh_modes *modes = NULL;
        routh_error error = {0};
        if (routh_mechanism_compile(&mechanism, model, sets[k], &error) ||
            routh_operating_point_find(&point, mechanism, NULL, &error) ||
            routh_linear_compute(&linear, mechanism, point, NULL, &error) ||
            routh_modes_compute(&modes, linear, &error))
            fail_msg("%s: %s", sets[k], error.message);
        int n = 0;
        for (int i = 0; i < modes->n; i++) {
            const double hertz = modes->modes[i].eigenvalue[1] / (2 * 3.14159265358979323846);
            if (hertz < 100) continue;
            assert_true(n < 6 && fabs(hertz / right[6 + n] - 1) < 1e-6);
            n++;
        }
        assert_int_equal(n, 6);
        routh_modes_free(modes);
        routh_linear_free(linear);
        routh_operating_point_free(point);
        routh_mechanism_free(mechanism);
        routh_model_free(model);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void nodes_that_do_not_turn_carry_points_alone(void **state)
{
    (void)state;
    static const char body[] = MATRICES ", " ENDS;
    static const char *const kept[] = {
        "joints: {j: {type: spherical, between: [n, c]}}",
        "joints: {j: {type: rod, between: [n, c], length: 1}}",
        "joints: {j: {type: inline, between: [n, c], axis: x}}",
        "loads: {l: {type: spring, between: [n, c], stiffness: 1}}",
        "loads: {l: {type: force, on: n, components: [0, 0, 1]}}",
    };
    static const char *const refused[] = {
        "joints: {j: {type: revolute, between: [c, n]}}",
        "joints: {j: {type: fixed, between: [n, c]}}",
        "joints: {j: {type: inline, between: [c, n], axis: x}}",
        "loads: {l: {type: torque, on: n, components: [0, 0, 1]}}",
        "loads: {l: {type: bushing, between: [n, c], translation: {stiffness: 1}}}",
        "loads: {l: {type: force, on: c, resolved_in: n, components: [0, 0, 1]}}",
    };
    char rest[300];
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        snprintf(rest, sizeof rest, "markers: {n: {body: b, node: 46}}\n%s\n", kept[k]);
        routh_model_free(link_with(body, rest));
    }
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        snprintf(rest, sizeof rest, "markers: {n: {body: b, node: 46}}\n%s\n", refused[k]);
        refuse(body, rest, "cannot be on node 46 of b, which is displaced but does not rotate");
        snprintf(rest, sizeof rest, "markers: {n: {body: b, node: 1002}}\n%s\n", refused[k]);
        routh_model_free(link_with(body, rest)); /* the face turns */
    }
    refuse(body, "markers: {n: {body: b, node: 46, position: [0, 0, 0.1]}}\n",
           "so a marker on it lies at the node itself");
}

static void interfaces_are_read_strictly(void **state)
{
    (void)state;
    refuse(MATRICES ", interface: [1001=MIDDLE]", "", "there is no *NSET with NSET=MIDDLE");
    refuse(MATRICES ", interface: [77]", "", "the body has no node 77, which interface 77 names");
    refuse(MATRICES ", interface: [1001=]", "", "interface must be a list of nodes");
    refuse(MATRICES ", interface: [-3]", "", "interface must be a list of nodes");
    refuse(MATRICES ", interface: [5000000000]", "", "interface must be a list of nodes");
    refuse(MATRICES ", interface: 12", "", "interface must be a list of nodes");
    refuse(MATRICES ", interface: []", "", "interface must be a list of nodes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_gives_the_body_that_matrices_give),
        cmocka_unit_test(paths_are_from_the_folder_of_the_model),
        cmocka_unit_test(a_cut_keeps_what_lies_below),
        cmocka_unit_test(a_free_link_rings_as_calculix_says),
        cmocka_unit_test(nodes_that_do_not_turn_carry_points_alone),
        cmocka_unit_test(interfaces_are_read_strictly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
