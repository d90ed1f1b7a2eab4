/* Nodes of flexible bodies beside markers that stand on them, whose motion goes another way through
 * the library, and the strain energy of parts beside that of the body. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/answers.h"
#include "support/mechanisms.h"

static const char text[] =
    "gravity: [0.4, -0.3, -9.81]\n"
    "bodies:\n"
    "  arm: {type: beam, density: 900, youngs_modulus: 2e7, poissons_ratio: 0.3,\n"
    "        section: {rectangle: {height: 0.05, width: 0.08}}, elements: 3, to: [1.2, 0.3, 0],\n"
    "        orientation: {rpy: [0.1, 0.2, -0.3]}, %s}\n"
    "markers:\n"
    "  root: {body: arm, node: 1}\n"
    "  n2: {body: arm, node: 2}\n"
    "  n3: {body: arm, node: 3}\n"
    "  n4: {body: arm, node: 4}\n"
    "joints:\n"
    "  wall: {type: revolute, between: [root, ground], axis: [0.3, 1, 0.2]}\n"
    "loads:\n"
    "  turn: {type: torsion_spring, between: [root, ground], axis: [0.3, 1, 0.2],\n"
    "         stiffness: 60}\n"
    "operating_point: {type: static}\n";

static void make(test_mechanism *t, const char *kind, routh_linear **l, routh_modes **modes)
{
    growing_text model = {0};
    routh_error error;
    text_add(&model, text, kind);
    mechanism_make(t, model.bytes);
    free(model.bytes);
    routh_operating_point *point = mechanism_point(t);
    *l = mechanism_linear(t, point, NULL);
    routh_operating_point_free(point);
    if (routh_modes_compute(modes, *l, &error)) fail_msg("%s", error.message);
    assert_int_equal((*l)->n_flexible, 1);
    assert_string_equal((*l)->flexible[0].name, "arm");
}

static const routh_marker_motion *marker_on(const routh_linear *l, int node, int *k)
{
    const char name[] = {'n', (char)('0' + node), 0};
    for (*k = 0; *k < l->n_markers; ++*k)
        if (strcmp(l->markers[*k].name, node == 1 ? "root" : name) == 0) return &l->markers[*k];
    fail_msg("there is no marker on node %d", node);
    return NULL;
}

static void assert_near(const double *a, const double *b, int n, double size)
{
    for (int k = 0; k < n; k++) assert_true(fabs(a[k] - b[k]) <= 1e-12 * size);
}

static void nodes_move_as_markers_on_them(const char *kind)
{
    test_mechanism t;
    routh_linear *l;
    routh_modes *modes;
    make(&t, kind, &l, &modes);
    const routh_flexible_body *body = &l->flexible[0];
    double *q = calloc(2 * (size_t)body->n, sizeof *q);
    assert_int_equal(body->n_nodes, 4);
    for (int node = 0; node < 4; node++) {
        int k;
        const routh_marker_motion *marker = marker_on(l, body->nodes[node].number, &k);
        assert_near(body->nodes[node].position, marker->position, 3, 1);
        assert_near(body->nodes[node].orientation, marker->orientation, 9, 1);
        for (int i = 0; i < modes->n; i++) {
            const routh_mode *mode = &modes->modes[i];
            double frame[12], motion[12], wanted[12];
            routh_mode_marker(l, mode, body->marker, frame);
            routh_mode_elastic(l, mode, 0, q);
            routh_mode_node(l, 0, frame, q, node, motion);
            routh_mode_marker(l, mode, k, wanted);
            assert_near(motion, wanted, 12, 1);
        }
    }
    free(q);
    routh_modes_free(modes);
    routh_linear_free(l);
    mechanism_release(&t);
}

static void nodes_of_a_bent_tangent_beam_move_as_markers_on_them(void **state)
{
    (void)state;
    nodes_move_as_markers_on_them("stiffening: true, damping: {mass: 0.2, stiffness: 0.01}");
}

static void those_on_mean_axes_too(void **state)
{
    (void)state;
    nodes_move_as_markers_on_them("frame: mean-axis, damping: {mass: 0.2, stiffness: 0.01}");
}

/* Re(v^H W v) / 4 */
static double energy_of(const routh_energy_fraction *share, int n, const double *shape)
{
    double sum = 0;
    for (int a = 0; a < share->n_rows; a++)
        for (int b = 0; b < share->n_rows; b++) {
            double v[4] = {0};
            for (int j = 0; j < n; j++) {
                v[0] += share->rows[a * n + j] * shape[j];
                v[1] += share->rows[a * n + j] * shape[n + j];
                v[2] += share->rows[b * n + j] * shape[j];
                v[3] += share->rows[b * n + j] * shape[n + j];
            }
            sum += share->weight[a * share->n_rows + b] * (v[0] * v[2] + v[1] * v[3]);
        }
    return sum / 4;
}

static const routh_energy_fraction *share_of(const routh_linear *l, routh_energy_kind kind)
{
    for (int k = 0; k < l->n_shares; k++)
        if (l->shares[k].kind == kind && strcmp(l->shares[k].name, "body arm") == 0)
            return &l->shares[k];
    fail_msg("the beam has no share of kind %d", (int)kind);
    return NULL;
}

/* The parts' energy in the modes from `first` on is that of a share, within a fraction. */
static void parts_hold(const char *kind, routh_energy_kind energy, int last, double tolerance)
{
    test_mechanism t;
    routh_linear *l;
    routh_modes *modes;
    make(&t, kind, &l, &modes);
    double *q = calloc(2 * (size_t)l->flexible[0].n, sizeof *q);
    for (int i = last ? modes->n - last : 0; i < modes->n; i++) {
        double sum = 0;
        const double whole = energy_of(share_of(l, energy), l->n_states, modes->modes[i].shape);
        routh_mode_elastic(l, &modes->modes[i], 0, q);
        for (int p = 0; p < l->flexible[0].n_parts; p++) {
            const double part = routh_mode_part_energy(l, 0, q, p);
            assert_true(part >= 0);
            sum += part;
        }
        assert_true(whole > 0 && fabs(sum - whole) <= tolerance * whole);
    }
    free(q);
    routh_modes_free(modes);
    routh_linear_free(l);
    mechanism_release(&t);
}

static void parts_hold_the_strain_energy(void **state)
{
    (void)state;
    parts_hold("stiffening: false", ROUTH_ENERGY_STRAIN, 0, 1e-10);
}

/* In a stiffened beam the stretch is the bars', and counts in the parts: in fast modes, some of
 * pure stretch, the pull of the weight is the small rest of the body's energy. */
static void stretch_counts_in_the_parts(void **state)
{
    (void)state;
    parts_hold("stiffening: true", ROUTH_ENERGY_STRAIN, 24, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_of_a_bent_tangent_beam_move_as_markers_on_them),
        cmocka_unit_test(those_on_mean_axes_too),
        cmocka_unit_test(parts_hold_the_strain_energy),
        cmocka_unit_test(stretch_counts_in_the_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
