/* Tests of model/beam_body and model/nodes: beams as written, markers on nodes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec3.h"
#include "model_text.h"

static const double pi = 3.14159265358979323846;

/* A model of one beam b with these fields, and what follows. */
static routh_model *beam_with(const char *fields, const char *rest)
{
    char text[2000];
    snprintf(text, sizeof text, "parameters: {N: 4}\nbodies: {b: {type: beam, %s}}\n%s", fields,
             rest);
    return read_model(text);
}

#define STEEL "density: 7800, youngs_modulus: 2e11, poissons_ratio: 0.25"
#define ALONG_X "to: [2, 0, 0], elements: 4, " STEEL ", section: {circle: {radius: 0.1}}"

/* ---- shapes ---------------------------------------------------------------------------------- */

static void a_beam_has_its_nodes_and_its_mass(void **state)
{
    (void)state;
    routh_model *m = beam_with("to: [2, 0, 0], elements: 2*N, " STEEL
                               ", section: {circle: {radius: 0.1}}, velocity: [1, 2, 3]",
                               "");
    const rt_flexible *shape = m->bodies[0].flexible;
    assert_non_null(shape);
    assert_int_equal(shape->n_nodes, 9);
    assert_int_equal(shape->n, 6 * 8);
    assert_near(shape->mass, 7800 * pi * 0.01 * 2, 1e-11);
    assert_near(m->bodies[0].mass.value, 0, 0); /* all inertia is the shape's */
    for (int k = 0; k < 9; k++) assert_near(m->bodies[0].inertia[k].value, 0, 0);
    assert_near(m->bodies[0].velocity[2].value, 3, 0);
    assert_true(m->bodies[0].velocity_given);
    assert_near(shape->nodes[8].X[0], 2, 0);
    routh_model_free(m);
    m = beam_with("to: [2, 0, 0], planar: true, " STEEL ", area: 0.5, izz: 1", "");
    assert_int_equal(m->bodies[0].flexible->n, 3 * 10); /* ten elements if nothing is said */
    assert_near(m->bodies[0].flexible->mass, 7800, 1e-11);
    routh_model_free(m);
}

static void a_body_without_a_type_is_rigid(void **state)
{
    (void)state;
    routh_model *m = read_model("bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {type: rigid, mass: "
                                "2, inertia: [1, 1, 1]}}\n");
    for (int b = 0; b < 2; b++) {
        assert_null(m->bodies[b].flexible);
        assert_near(m->bodies[b].mass.value, b + 1, 0);
        assert_int_equal(m->markers[b].node, -1);
    }
    routh_model_free(m);
}

static void assert_same_entries(const double *a, const double *b, size_t n)
{
    double largest = 0;
    for (size_t k = 0; k < n; k++) largest = fmax(largest, fabs(a[k]));
    assert_true(largest > 0);
    for (size_t k = 0; k < n; k++) assert_near(a[k], b[k], 1e-12 * largest);
}

/* The section as a shape and as these numbers give one beam. */
static void check_section(const char *section, double area, double iyy, double izz, double torsion)
{
    char fields[600];
    snprintf(fields, sizeof fields,
             "to: [2, 0, 0], elements: 3, rotary_inertia: true, " STEEL ", section: {%s}", section);
    routh_model *by_shape = beam_with(fields, "");
    snprintf(fields, sizeof fields,
             "to: [2, 0, 0], elements: 3, rotary_inertia: true, density: 7800, youngs_modulus: "
             "2e11, shear_modulus: 8e10, area: %.17g, iyy: %.17g, izz: %.17g, torsion_constant: "
             "%.17g",
             area, iyy, izz, torsion);
    routh_model *by_numbers = beam_with(fields, "");
    const rt_flexible *a = by_shape->bodies[0].flexible, *b = by_numbers->bodies[0].flexible;
    assert_near(a->mass, 7800 * area * 2, 1e-12 * a->mass);
    assert_int_equal(a->pattern.start[a->n], b->pattern.start[b->n]);
    const size_t n = (size_t)a->pattern.start[a->n];
    assert_same_entries(a->K, b->K, n);
    assert_same_entries(a->M, b->M, n);
    assert_same_entries(a->N, b->N, 9 * n);
    routh_model_free(by_shape);
    routh_model_free(by_numbers);
}

/* Saint-Venant's series with the sides exchanged, which is another series for the same number:
 *     J = a^3 b/3 (1 - 192/pi^5 a/b sum_{n odd} tanh(n pi b/2a)/n^5),  a >= b. */
static double torsion_by_the_other_side(double a, double b)
{
    double sum = 0;
    for (int n = 4001; n > 0; n -= 2) sum += tanh(n * pi * b / (2 * a)) / pow(n, 5);
    return a * a * a * b / 3 * (1 - 192 / pow(pi, 5) * a / b * sum);
}

static void sections_are_what_they_are_called(void **state)
{
    (void)state;
    const double I = pi / 4 * (pow(0.12, 4) - pow(0.1, 4));
    check_section("circle: {radius: 0.1}", pi * 0.01, pi / 4 * 1e-4, pi / 4 * 1e-4, pi / 2 * 1e-4);
    check_section("tube: {outer_radius: 0.12, inner_radius: 0.1}", pi * (0.0144 - 0.01), I, I,
                  2 * I);
    check_section("rectangle: {height: 0.3, width: 0.1}", 0.03, 0.3 * 1e-3 / 12, 0.1 * 27e-3 / 12,
                  torsion_by_the_other_side(0.3, 0.1));
    check_section("rectangle: {height: 0.2, width: 0.25}", 0.05, 0.2 * 0.25 * 0.25 * 0.25 / 12,
                  0.25 * 8e-3 / 12, torsion_by_the_other_side(0.25, 0.2));
    check_section("rectangle: {height: 0.2, width: 0.2}", 0.04, 16e-4 / 12, 16e-4 / 12,
                  torsion_by_the_other_side(0.2, 0.2));
}

static void check_axes(const char *line, const double axes[9])
{
    char fields[400];
    snprintf(fields, sizeof fields, "%s, " STEEL ", section: {circle: {radius: 0.1}}", line);
    routh_model *m = beam_with(fields, "");
    for (int k = 0; k < 9; k++)
        assert_near(m->bodies[0].flexible->nodes[3].axes[k], axes[k], 1e-15);
    routh_model_free(m);
}

/* Columns: along the beam, y, z of the section. */
static void the_section_stands_upright_unless_told(void **state)
{
    (void)state;
    check_axes("to: [2, 0, 0]", (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1});
    check_axes("from: [0, 1, 0], to: [0, -1, 0]", (double[9]){0, 1, 0, -1, 0, 0, 0, 0, 1});
    check_axes("to: [0, 0, 3]", (double[9]){0, 1, 0, 0, 0, 1, 1, 0, 0});
    check_axes("to: [2, 0, 0], side: [5, 0, 1]", (double[9]){1, 0, 0, 0, 0, -1, 0, 1, 0});
}

/* ---- markers --------------------------------------------------------------------------------- */

#define TURNED "position: [5, 0, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}, "

static void a_marker_knows_its_node(void **state)
{
    (void)state;
    routh_model *m =
        beam_with(TURNED ALONG_X, "markers:\n"
                                  "  frame: {body: b, position: [1, 2, 3]}\n"
                                  "  third: {body: b, node: 3, position: [0, 0.5, 0]}\n"
                                  "  end: {body: b, node: last}\n"
                                  "  fourth: {body: b, node: N}\n"
                                  "  at: {body: b, at: [5, 1.5, 0]}\n"
                                  "  off: {body: b, node: 4, at: [5, 1.5, 0.25]}\n");
    static const int nodes[] = {-1, 2, 4, 3, 3, 3};
    for (int k = 0; k < 6; k++) {
        assert_int_equal(m->markers[k + 1].node, nodes[k]);
        assert_int_equal(m->markers[k + 1].body, 0);
    }
    assert_null(rt_marker_node(m, 1));
    assert_near(rt_marker_node(m, 2)->X[0], 1, 0);
    assert_int_equal(rt_marker_node(m, 3)->number, 5);
    assert_near(m->markers[1].position[2].value, 3, 0);
    assert_near(m->markers[2].position[1].value, 0.5, 0);
    for (int i = 0; i < 3; i++) {
        assert_near(m->markers[5].position[i].value, 0, 0);
        assert_near(m->markers[6].position[i].value, i == 2 ? 0.25 : 0, 1e-15);
    }
    routh_model_free(m);
}

/* The first node of a tangent frame does not move: the marker is one of the frame. */
static void a_node_that_stays_gives_a_marker_of_the_frame(void **state)
{
    (void)state;
    routh_model *m = beam_with(
        "from: [0, 1, 0], to: [0, -1, 0], elements: 4, " STEEL ", section: {circle: {radius: 0.1}}",
        "markers:\n"
        "  m: {body: b, node: first, position: [0.25, 0.5, 0], orientation: {axis: [1, "
        "0, 0], angle: 90 deg}}\n");
    const rt_marker *marker = &m->markers[1];
    /* the node's axes: x along -y, y along x, z */
    static const double p[3] = {0.5, 0.75, 0}, A[9] = {0, 0, -1, -1, 0, 0, 0, 1, 0};
    assert_int_equal(marker->node, -1);
    for (int k = 0; k < 3; k++) assert_near(marker->position[k].value, p[k], 1e-15);
    for (int k = 0; k < 9; k++) assert_near(marker->orientation[k].value, A[k], 1e-15);
    routh_model_free(m);
}

/* A_body A_node A_marker = 1, without A_node where the marker is one of the frame. */
static void assert_worlds_axes(const routh_model *m, int k)
{
    const rt_marker *marker = &m->markers[k];
    const rt_flexible_node *node = rt_marker_node(m, k);
    double body[9], carried[9], own[9], both[9], product[9];
    for (int i = 0; i < 9; i++) {
        body[i] = m->bodies[0].orientation[i].value;
        own[i] = marker->orientation[i].value;
    }
    rt_m3_identity(carried);
    rt_m3_mul(both, body, node ? node->axes : carried);
    rt_m3_mul(product, both, own);
    for (int i = 0; i < 9; i++) assert_near(product[i], i % 4 == 0, 1e-15);
}

static void a_joint_at_a_point_takes_the_node_there(void **state)
{
    (void)state;
    routh_model *m = beam_with(TURNED "from: [0, 0, 1], to: [0, 0, -1], elements: 4, " STEEL
                                      ", section: {circle: {radius: 0.1}}",
                               "joints:\n"
                               "  root: {type: fixed, between: [b, ground], at: [5, 0, 1]}\n"
                               "  middle: {type: fixed, between: [b, ground], at: [5, 0, 0]}\n");
    const int root = m->joints[0].markers[0], middle = m->joints[1].markers[0];
    assert_int_equal(m->markers[root].node, -1);
    assert_int_equal(m->markers[middle].node, 2);
    assert_near(m->markers[root].position[2].value, 1, 1e-15);
    for (int k = 0; k < 3; k++) assert_near(m->markers[middle].position[k].value, 0, 0);
    assert_worlds_axes(m, root);
    assert_worlds_axes(m, middle);
    routh_model_free(m);
}

/* A point near a node that it does not lie at, in the node's axes: x along -z, y along x. */
static void a_point_is_carried_by_the_node_that_is_named(void **state)
{
    (void)state;
    routh_model *m = beam_with("from: [0, 0, 1], to: [0, 0, -1], elements: 4, " STEEL
                               ", section: {circle: {radius: 0.1}}",
                               "markers: {m: {body: b, node: 4, at: [0.1, 0.2, -0.4]}}\n");
    static const double p[3] = {-0.1, 0.1, -0.2};
    assert_int_equal(m->markers[1].node, 3);
    for (int k = 0; k < 3; k++) assert_near(m->markers[1].position[k].value, p[k], 1e-15);
    routh_model_free(m);
}

/* Within a billionth of the beam's length a point is that of a node. */
static void a_point_almost_at_a_node_is_taken(void **state)
{
    (void)state;
    routh_model_free(beam_with(ALONG_X, "markers: {m: {body: b, at: [1, 1.9e-9, 0]}}\n"));
    refuse_model("bodies: {b: {type: beam, " ALONG_X "}}\n"
                 "markers: {m: {body: b, at: [1, 2.1e-9, 0]}}\n",
                 "the nearest is node 3, 2.1e-09 m away");
}

/* The spring's length as written is counted from the node, not from the frame. */
static void a_spring_measures_from_the_undeformed_node(void **state)
{
    (void)state;
    routh_model *m = beam_with(TURNED ALONG_X,
                               "markers:\n"
                               "  tip: {body: b, node: last, position: [0, 0.5, 0]}\n"
                               "  wall: {body: ground, position: [4.5, 2, 7]}\n"
                               "loads: {s: {type: spring, between: [tip, wall], stiffness: 1}}\n");
    assert_near(m->loads[0].free_length.value, 7, 1e-15);
    routh_model_free(m);
}

/* ---- states ---------------------------------------------------------------------------------- */

static void elastic_coordinates_are_states(void **state)
{
    (void)state;
    routh_model *m =
        beam_with(ALONG_X, "linearize: {states: [b.5.rz, b.x, b.2.y], velocities: [b.3.z]}\n");
    assert_int_equal(m->n_states, 3);
    assert_string_equal(m->states[0], "b.5.rz");
    assert_string_equal(m->velocities[0], "b.3.z");
    routh_model_free(m);
    routh_model_free(beam_with("to: [2, 0, 0], elements: 4, frame: mean-axis, modes: 5, " STEEL
                               ", section: {circle: {radius: 0.1}}",
                               "linearize: {states: [b.mode 5]}\n"));
    refuse_model("bodies: {b: {type: beam, " ALONG_X "}}\nlinearize: {states: [b.5]}\n",
                 "'5' is not a coordinate of this flexible body");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_beam_has_its_nodes_and_its_mass),
        cmocka_unit_test(a_body_without_a_type_is_rigid),
        cmocka_unit_test(sections_are_what_they_are_called),
        cmocka_unit_test(the_section_stands_upright_unless_told),
        cmocka_unit_test(a_marker_knows_its_node),
        cmocka_unit_test(a_node_that_stays_gives_a_marker_of_the_frame),
        cmocka_unit_test(a_joint_at_a_point_takes_the_node_there),
        cmocka_unit_test(a_point_is_carried_by_the_node_that_is_named),
        cmocka_unit_test(a_point_almost_at_a_node_is_taken),
        cmocka_unit_test(a_spring_measures_from_the_undeformed_node),
        cmocka_unit_test(elastic_coordinates_are_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
