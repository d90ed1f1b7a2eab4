/* The N-th allocation fails, for every N, of derivatives by parameters: of an equilibrium, of a
 * state that assembly changes, of a steady motion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oom/refuse.h"
#include "support/effort.h"
#include "routh/routh.h"

static const char equilibrium[] =
    "parameters: {k: 3, l: 1}\ngravity: [0, 0, -9.81]\n"
    "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], position: [0.1, 0, -l]}}\n"
    "joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n"
    "controllers: {v: {type: differential, rate: DX(rod) - v}}\n"
    "loads: {f: {type: force, on: rod, components: [-k*v, 0, 0]}}\n"
    "operating_point: {type: static}\n";

static const char swung[] =
    "parameters: {k: 3, l: 1}\ngravity: [0, 0, -9.81]\n"
    "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], position: [0.1, 0, -l]}}\n"
    "joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n"
    "loads: {f: {type: torsion_spring, between: [rod, ground], axis: y, stiffness: k, damping: "
    "1}}\n"
    "operating_point: {type: static}\nlinearize: {states: [rod.ry]}\n";

/* So many that what the coordinates do is found apart. */
static const char many[] =
    "parameters: {k: 3, l: 1, J: 1, c: 1, g: 9.81, a: 0.1, b: 1, m0: 0.1, m1: 0.1, m2: 0.1,\n"
    "  m3: 0.1, m4: 0.1, m5: 0.1, m6: 0.1, m7: 0.1, m8: 0.1, m9: 0.1, n0: 1, n1: 1, n2: 1, n3: 1,\n"
    "  n4: 1, n5: 1, n6: 1, n7: 1, n8: 1, n9: 1}\ngravity: [0, 0, -g]\n"
    "bodies: {rod: {mass: m0 + m1 + m2 + m3 + m4 + m5 + m6 + m7 + m8 + m9\n"
    "      + n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8 + n9, inertia: [b, J, 0.1], position: [a, "
    "0, -l]}}\n"
    "joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n"
    "loads: {f: {type: torsion_spring, between: [rod, ground], axis: y, stiffness: k, damping: "
    "c}}\n"
    "operating_point: {type: static}\n";

static const char written[] =
    "parameters: {l: 1, t: 0.1}\ngravity: [0, 0, -9.81]\n"
    "bodies: {rod: {mass: 1, inertia: [1, 1, 0.1], position: [t, 0, -l]}}\n"
    "markers: {end: {body: rod, position: [0, 0, l]}, pin: {body: ground}}\n"
    "joints: {hinge: {type: revolute, between: [end, pin], axis: y}}\n"
    "controllers: {v: {type: differential, rate: DX(rod) - v}}\n"
    "loads: {f: {type: force, on: rod, components: [-2*v, 0, 0]}}\n";

static const char steady[] =
    "parameters: {l: 1, w: 4}\ngravity: [0, 0, -9.81]\n"
    "bodies: {ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.8*l, 0, -0.6*l]}}\n"
    "joints: {string: {type: rod, between: [ball, ground], length: l}}\n"
    "operating_point: {type: steady}\nsteady: {turn_rate: w}\n";

static const char beams[] =
    "parameters: {E: 7e10, l: 1, z: 0.01}\n"
    "bodies:\n"
    "  d: {type: modal, stiffness_matrix: examples/flexible/link.sti, modes: 1,\n"
    "      mass_matrix: examples/flexible/link.mas, nodes: examples/flexible/link.inp,\n"
    "      interface: [1001=LEFT], damping_ratio: z, length_unit: mm, mass_unit: t}\n"
    "  a: {type: beam, to: [l, 0, 0], elements: 1, planar: true, density: 1500,\n"
    "      youngs_modulus: E, section: {circle: {radius: 0.02}}}\n"
    "  c: {type: beam, frame: mean-axis, modes: 2, to: [l, 0, 0], elements: 1, planar: true,\n"
    "      density: 1500, youngs_modulus: E, section: {circle: {radius: 0.02}}}\n"
    "beams:\n"
    "  b: {type: material, from: [0, 1, 0], to: [l, 1, 0], elements: 1, density: 2700,\n"
    "      youngs_modulus: E, shear_modulus: 2.7e10, area: 2e-4, iyy: 1.7e-9, izz: 6.7e-9,\n"
    "      torsion_constant: 4.6e-9}\n"
    "markers: {foot: {body: ground, position: [0, 1, 0]}, face: {body: d, node: 1001}}\n"
    "joints:\n"
    "  lowest: {type: fixed, between: [face, ground]}\n"
    "  left: {type: fixed, between: [a, ground]}\n"
    "  middle: {type: fixed, between: [c, ground]}\n"
    "  right: {type: fixed, between: [b.first, foot]}\n";

typedef struct subject {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
} subject;

static routh_status make(const subject *s, double *answer, routh_error *error)
{
    routh_sensitivity *found;
    const routh_status status =
        routh_sensitivity_compute(&found, s->mechanism, s->point, s->modes, NULL, error);
    assert_true((found == NULL) == (status != ROUTH_OK));
    *answer = 0;
    for (int k = 0; found && k < found->n_modes; k++)
        if (found->multiplicity[k] == 1 && found->frequency_by[k] == found->frequency_by[k])
            *answer += found->frequency_by[k];
    routh_sensitivity_free(found);
    return status;
}

static routh_status make_shapes(const subject *s, double *answer, routh_error *error)
{
    routh_shape_sensitivity *found;
    const routh_status status = routh_shape_sensitivity_compute(&found, s->mechanism, s->point,
                                                                s->linear, s->modes, NULL, error);
    assert_true((found == NULL) == (status != ROUTH_OK));
    *answer = 0;
    for (int k = 0; found && k < found->n_parameters * found->n_modes; k++)
        *answer += found->eigenvalue_by[k][1];
    routh_shape_sensitivity_free(found);
    return status;
}

static routh_status make_response(const subject *s, double *answer, routh_error *error)
{
    static const double hz[] = {0.1, 1};
    const routh_response_options o = {
        .inputs = "rod.ry", .outputs = "rod.ry", .low = 0.1, .high = 3, .n_points = 30};
    const routh_response_sensitivity_options options = {.hz = hz, .n_hz = 2};
    routh_response *response;
    routh_response_sensitivity *found = NULL;
    *answer = 0;
    routh_status status = routh_response_compute(&response, s->linear, s->modes, &o, error);
    if (!status)
        status = routh_response_sensitivity_compute(&found, s->mechanism, s->point, s->linear,
                                                    response, &o, &options, error);
    for (int k = 0; found && k < found->n_parameters * found->n * found->n_channels; k++)
        *answer += found->by[k][0];
    for (int k = 0; found && k < found->n_peaks; k++) *answer += found->peaks[k].magnitude_by[0];
    routh_response_sensitivity_free(found);
    routh_response_free(response);
    return status;
}

static routh_status make_point(const subject *s, double *answer, routh_error *error)
{
    routh_point_sensitivity *found;
    const routh_status status =
        routh_point_sensitivity_compute(&found, s->mechanism, s->point, NULL, error);
    assert_true((found == NULL) == (status != ROUTH_OK));
    *answer = 0;
    for (int p = 0; found && p < found->n_parameters; p++)
        for (int b = 0; b < found->by[p].n_bodies; b++)
            *answer += found->by[p].bodies[b].position[2] + found->by[p].bodies[b].position[0];
    routh_point_sensitivity_free(found);
    return status;
}

static routh_status make_matrices(const subject *s, double *answer, routh_error *error)
{
    routh_matrix_sensitivity *found;
    const routh_status status = routh_matrix_sensitivity_compute(&found, s->mechanism, s->point,
                                                                 s->linear, NULL, error);
    assert_true((found == NULL) == (status != ROUTH_OK));
    *answer = 0;
    for (int p = 0; found && p < found->n_parameters; p++)
        for (int k = 0; k < found->n_states * found->n_states; k++) *answer += found->by[p].A[k];
    routh_matrix_sensitivity_free(found);
    return status;
}

typedef routh_status (*maker)(const subject *s, double *answer, routh_error *error);

static void refuse_each(maker make_it, const char *text, long least)
{
    subject s = {0};
    double whole = 0;
    long refused = 1, n_told = 0;
    routh_error error = {0};
    start(0, false);
    if (routh_model_parse(&s.model, text, strlen(text), "test", NULL, 0, &error) ||
        routh_mechanism_compile(&s.mechanism, s.model, NULL, &error) ||
        routh_operating_point_find(&s.point, s.mechanism, NULL, &error) ||
        routh_linear_compute(&s.linear, s.mechanism, s.point, NULL, &error) ||
        routh_modes_compute(&s.modes, s.linear, &error) || make_it(&s, &whole, &error))
        fail_msg("%s", error.message);
    assert_true(whole != 0);
    for (long n = 1; refused > 0; n = next_allocation(n)) {
        double answer = 0;
        catch_output();
        start(n, false);
        const routh_status status = make_it(&s, &answer, &error);
        refused = n_refused;
        start(0, false);
        assert_silence();
        if (status != ROUTH_OK && status != ROUTH_OUT_OF_MEMORY)
            fail_msg("allocation %ld: %d %s", n, (int)status, error.message);
        if (status == ROUTH_OK) assert_true(answer == whole);
        n_told += status != ROUTH_OK;
    }
    if (n_told < least) fail_msg("%ld times told, not %ld", n_told, least);
    routh_modes_free(s.modes);
    routh_linear_free(s.linear);
    routh_operating_point_free(s.point);
    routh_mechanism_free(s.mechanism);
    routh_model_free(s.model);
}

static void each_allocation(void **unused)
{
    (void)unused;
    refuse_each(make, equilibrium, 100);
    refuse_each(make, many, 100);
    refuse_each(make, written, 100);
    refuse_each(make, steady, 100);
    refuse_each(make, beams, 100);
    refuse_each(make_point, equilibrium, 100);
    refuse_each(make_point, beams, 100);
    refuse_each(make_point, steady, 100);
    refuse_each(make_matrices, equilibrium, 100);
    refuse_each(make_matrices, steady, 100);
    refuse_each(make_shapes, equilibrium, 100);
    refuse_each(make_response, swung, full_effort() ? 150 : 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
