/* The energies of bodies, joints and loads against the whole: at rest the forms of each kind,
 * brought on the states, sum to
 *     mass = sum of the kinetic ones,  damping = of the losses,  stiffness = of the strain,
 * of which the matrices come from the linearization and know nothing of the parts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/mechanisms.h"

#define BEAM                                                                                       \
    "type: beam, density: 900, youngs_modulus: 2e7, poissons_ratio: 0.3, "                         \
    "section: {rectangle: {height: 0.05, width: 0.08}}, elements: 3"

/* Two spatial beams, bent by weight; one hangs on the other by a joint off its node, with a spring
 * from node to node, a bushing and a torsion spring between nodes, and forces that bend. */
static const char hanging[] =
    "gravity: [0.4, -0.3, -9.81]\n"
    "bodies:\n"
    "  arm: {" BEAM ", to: [1.2, 0, 0], stiffening: %s,\n"
    "        damping: {mass: 0.2, stiffness: 0.01}}\n"
    "  tip: {" BEAM ", position: [1.25, 0.02, -0.03], to: [0.3, 0.1, -0.9], frame: %s}\n"
    "  bob: {mass: 0.7, inertia: [0.02, 0.03, 0.04], position: [1.5, 0.15, -1.0]}\n"
    "markers:\n"
    "  root: {body: arm, node: first}\n"
    "  end: {body: arm, node: last, position: [0.05, 0.02, -0.03]}\n"
    "  middle: {body: arm, node: 2, position: [0, 0.04, 0.01]}\n"
    "  top: {body: tip, node: 1}\n"
    "  low: {body: tip, node: last, position: [0.02, 0, 0.1]}\n"
    "  waist: {body: tip, node: 3}\n"
    "joints:\n"
    "  wall: {type: revolute, between: [root, ground], axis: [0.3, 1, 0.2]}\n"
    "  link: {type: spherical, between: [top, end]}\n"
    "  hold: {type: spherical, between: [bob, low],}\n"
    "loads:\n"
    "  turn: {type: torsion_spring, between: [root, ground], axis: [0.3, 1, 0.2], stiffness: 60,\n"
    "         damping: 2}\n"
    "  stay: {type: spring, between: [middle, waist], stiffness: 40, damping: 3, free_length: "
    "0.6}\n"
    "  pad: {type: bushing, between: [end, top], translation: {stiffness: [50, 60, 70],\n"
    "        damping: 1}, rotation: {stiffness: [3, 4, 5], damping: 0.1}}\n";

/* sum += R' W R */
static void add_form(const routh_energy_fraction *share, int n, double *sum)
{
    for (int a = 0; a < share->n_rows; a++)
        for (int b = 0; b < share->n_rows; b++) {
            const double w = share->weight[a * share->n_rows + b];
            for (int i = 0; i < n && w != 0; i++)
                for (int j = 0; j < n; j++)
                    sum[i * n + j] += w * share->rows[a * n + i] * share->rows[b * n + j];
        }
}

/* The largest difference of the sum of a kind from the symmetric part of a matrix on the states
 * from `first` on, and of its other entries from zero, relative to the matrix' largest. */
static double off_whole(const routh_linear *l, routh_energy_kind kind, const double *matrix,
                        int first)
{
    const int n = l->n_states, z = l->n_position;
    double *sum = calloc((size_t)n * (size_t)n, sizeof *sum), worst = 0, size = 0;
    for (int k = 0; k < l->n_shares; k++)
        if (l->shares[k].kind == kind) add_form(&l->shares[k], n, sum);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const bool inside = i >= first && i < first + z && j >= first && j < first + z;
            const int a = i - first, b = j - first;
            const double whole = inside ? (matrix[a * z + b] + matrix[b * z + a]) / 2 : 0;
            worst = fmax(worst, fabs(sum[i * n + j] - whole));
            size = fmax(size, fabs(whole));
        }
    free(sum);
    return worst / size;
}

static void assert_sums(const char *text, bool damped)
{
    test_mechanism t;
    mechanism_make(&t, text);
    const char *coordinates;
    for (int set = 0; (coordinates = routh_coordinate_name(set)); set++) {
        routh_mechanism *m = NULL;
        routh_operating_point *point = NULL;
        routh_linear *l = NULL;
        routh_error error;
        if (routh_mechanism_compile(&m, t.model, coordinates, &error) ||
            routh_operating_point_find(&point, m, NULL, &error) ||
            routh_linear_compute(&l, m, point, NULL, &error))
            fail_msg("%s: %s", coordinates, error.message);
        assert_int_equal(l->at_rest, 1);
        const double off[3] = {
            off_whole(l, ROUTH_ENERGY_KINETIC, l->mass, l->n_position),
            off_whole(l, ROUTH_ENERGY_STRAIN, l->stiffness, 0),
            damped ? off_whole(l, ROUTH_ENERGY_DISSIPATION, l->damping, l->n_position) : 0};
        for (int k = 0; k < 3; k++)
            if (!(off[k] < 1e-10)) fail_msg("%s: kind %d is off by %.1e", coordinates, k, off[k]);
        routh_linear_free(l);
        routh_operating_point_free(point);
        routh_mechanism_free(m);
    }
    mechanism_release(&t);
}

static void parts_sum_to_the_whole(const char *stiffening, const char *frame)
{
    growing_text text = {0};
    text_add(&text, hanging, stiffening, frame);
    text_add(&text, "operating_point: {type: static}\n");
    assert_sums(text.bytes, true);
    free(text.bytes);
}

static void the_parts_of_beams_sum_to_the_whole(void **state)
{
    (void)state;
    parts_sum_to_the_whole("false", "tangent");
}

static void those_of_stiffened_beams_and_mean_axes_too(void **state)
{
    (void)state;
    parts_sum_to_the_whole("true", "mean-axis");
}

static const routh_energy_fraction *find(const routh_linear *l, const char *name,
                                         routh_energy_kind kind)
{
    for (int k = 0; k < l->n_shares; k++)
        if (l->shares[k].kind == kind && strcmp(l->shares[k].name, name) == 0) return &l->shares[k];
    return NULL;
}

/* A uniform bar that hardly bends, hung by its end: a rigid pendulum, whose weight acts at its
 * centre of mass through the joint, m g l / 2 by the angle. */
static void a_stiff_beam_has_the_shares_of_a_rigid_one(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies: {bar: {type: beam, to: [0, 0, -2], density: 500, youngs_modulus: 1e13,\n"
        "  poissons_ratio: 0.3, section: {circle: {radius: 0.1}}, elements: 2}}\n"
        "joints: {pin: {type: revolute, between: [bar, ground], at: [0, 0, 0], axis: y}}\n"
        "operating_point: {type: static}\n"
        "linearize: {states: [bar.ry]}\n";
    test_mechanism t;
    mechanism_make(&t, text);
    routh_operating_point *point = mechanism_point(&t);
    routh_linear *l = mechanism_linear(&t, point, NULL);
    const int n = l->n_states;
    double *sum = calloc((size_t)n * (size_t)n, sizeof *sum);
    const routh_energy_fraction *pin = find(l, "joint pin", ROUTH_ENERGY_STRAIN);
    assert_non_null(pin);
    assert_string_equal(l->states[0].name, "bar.ry");
    add_form(pin, n, sum);
    const double mass = 500 * 0.01 * 3.14159265358979323846 * 2;
    assert_true(fabs(sum[0] - mass * 9.81) < 1e-6 * mass);
    memset(sum, 0, (size_t)n * (size_t)n * sizeof *sum);
    add_form(find(l, "body bar", ROUTH_ENERGY_STRAIN), n, sum);
    assert_true(fabs(sum[0]) < 1e-6 * mass);
    free(sum);
    routh_linear_free(l);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parts_of_beams_sum_to_the_whole),
        cmocka_unit_test(those_of_stiffened_beams_and_mean_axes_too),
        cmocka_unit_test(a_stiff_beam_has_the_shares_of_a_rigid_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
