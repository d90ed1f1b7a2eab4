/* Derivatives by the numbers of beams: against closed forms, against differences of the whole
 * chain, and one way of writing a beam against another. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/differences.h"
#include "support/effort.h"

/* p/f df/dp of every mode that oscillates must be the exponent of f = c p^exponent. */
typedef struct law {
    const char *parameter;
    double exponent;
} law;

static routh_sensitivity *sensitivities_of(const char *text, chain *c)
{
    routh_error error = {0};
    routh_sensitivity *s = NULL;
    const difference_model model = {.text = text};
    routh_status status = chain_run(c, &model, NULL, 0, &error);
    if (!status)
        status = routh_sensitivity_compute(&s, c->mechanism, c->point, c->modes, NULL, &error);
    if (status) fail_msg("%s", error.message);
    return s;
}

static double exponent_of(const routh_sensitivity *s, int p, int k)
{
    const double *lam = s->eigenvalues[k], *by = s->eigenvalue_by[p * s->n_modes + k];
    return s->values[p] * (lam[0] * by[0] + lam[1] * by[1]) / (lam[0] * lam[0] + lam[1] * lam[1]);
}

static int find(const routh_sensitivity *s, const char *name)
{
    for (int p = 0; p < s->n_parameters; p++)
        if (strcmp(s->parameters[p], name) == 0) return p;
    fail_msg("%s is not among the parameters", name);
    return -1;
}

static void check_laws(const char *text, const law *laws, int n, int least)
{
    chain c;
    routh_sensitivity *s = sensitivities_of(text, &c);
    assert_int_equal(s->n_warnings, 0);
    assert_true(s->n_modes >= least);
    for (int l = 0; l < n; l++) {
        const int p = find(s, laws[l].parameter);
        for (int k = 0; k < s->n_modes; k++) {
            const double found = exponent_of(s, p, k);
            if (!(fabs(found - laws[l].exponent) <= 1e-9))
                fail_msg("%s, mode %d: the exponent is %.15g", laws[l].parameter, k + 1, found);
        }
    }
    routh_sensitivity_free(s);
    chain_free(&c);
}

/* Everything a frequency has to do with is EI, m and L: f = c sqrt(EI/m)/L^2 at every mode. */
static void cantilever_of_sections(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {EI: 24, m: 0.7, L: 1.3}\n"
        "beams:\n"
        "  blade: {type: sections, from: [0.2, 0, 0], to: [0.2 + L, 0, 0], elements: 6,\n"
        "          mass_per_length: m, inertia_y: 1e-4*m*L^2, inertia_z: 2e-4*m*L^2,\n"
        "          EA: 1e4*EI/L^2, GAy: 3e3*EI/L^2, GAz: 2e3*EI/L^2, GJ: 0.7*EI, EIy: EI,\n"
        "          EIz: 3*EI, mass_y: 0.01*L, shear_z: 0.003*L}\n"
        "markers: {foot: {body: ground, position: [0.2, 0, 0]}}\n"
        "joints: {root: {type: fixed, between: [blade.first, foot]}}\n";
    static const law laws[] = {{"EI", 0.5}, {"m", -0.5}, {"L", -2}};
    check_laws(text, laws, 3, 60);
}

/* E, rho and the size of the section too: f = c sqrt(E/rho) d/L^2 where G is a part of E and all
 * lengths scale, d/L held by writing the one in terms of the other. */
/* The same of elements of higher order, which need a stiffness against shear along both axes. */
static void cantilever_of_higher_order(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {EI: 24, m: 0.7, L: 1.3}\n"
        "beams:\n"
        "  blade: {type: sections, from: [0.2, 0, 0], to: [0.2 + L, 0, 0], elements: 2, order: 3,\n"
        "          stations: [0, L/2, L], twist: [0, 0.3, 0.2], mass_per_length: [m, m, m/2],\n"
        "          inertia_y: 1e-4*m*L^2, inertia_z: 2e-4*m*L^2, EA: 1e4*EI/L^2,\n"
        "          GAy: 3e3*EI/L^2, GAz: 2e3*EI/L^2, GJ: 0.7*EI, EIy: EI, EIz: 3*EI,\n"
        "          mass_y: 0.01*L, shear_z: 0.003*L}\n"
        "  bow: {type: sections, points: [[0, 0, 0], [L, 0, 0.1*L], [2*L, 0.3*L, 0]], elements: "
        "1,\n"
        "        order: 2, curved: true, mass_per_length: m, inertia_y: 1e-4*m*L^2,\n"
        "        inertia_z: 2e-4*m*L^2, EA: 1e4*EI/L^2, GAy: 3e3*EI/L^2, GAz: 2e3*EI/L^2,\n"
        "        GJ: 0.7*EI, EIy: EI, EIz: 3*EI, mass_y: 0.01*L, tension_z: 0.003*L}\n"
        "markers: {foot: {body: ground, position: [0.2, 0, 0]}}\n"
        "joints: {root: {type: fixed, between: [blade.first, foot]},\n"
        "         end: {type: fixed, between: [bow.first, ground], at: [0, 0, 0]}}\n";
    static const law laws[] = {{"EI", 0.5}, {"m", -0.5}, {"L", -2}};
    check_laws(text, laws, 3, 30);
}

static void cantilever_of_material(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {E: 7e10, rho: 2700, L: 1.3, d: 0.02*L}\n"
        "beams:\n"
        "  arm: {type: material, from: [0, 0, 0], to: [L, 0, 0], elements: 5, density: rho,\n"
        "        youngs_modulus: E, shear_modulus: 0.4*E, area: d^2, iyy: d^4/12, izz: d^4/9,\n"
        "        torsion_constant: d^4/7}\n"
        "joints: {root: {type: fixed, between: [arm.first, ground]}}\n";
    static const law laws[] = {{"E", 0.5}, {"rho", -0.5}, {"L", -1}};
    check_laws(text, laws, 3, 50);
}

/* All parameters with ROUTH_TEST_EFFORT, else every stride-th from the first-th on. */
static void compare(const char *text, int first, int stride)
{
    const bool all = full_effort();
    static char report[16384];
    difference_tally tally = {0};
    const difference_model model = {.text = text};
    compare_with_differences(&model, all ? 0 : first, all ? 1 : stride, &tally, report,
                             sizeof report);
    print_message("    %d derivatives compared, %d where differences say too little, worst %.2g of "
                  "the others\n",
                  tally.n_compared, tally.n_doubtful, tally.worst);
    if (report[0]) fail_msg("%s", report);
    assert_int_equal(tally.n_refused, 0);
    assert_true(tally.n_compared - tally.n_doubtful >= 10);
}

/* A bent axis in steady rotation, profiles, jumps of the section inside an element, twist, centres
 * beside the axis, damping: every number a parameter's. */
static void bent_and_turning(void **unused)
{
    (void)unused;
    compare(
        "parameters: {w: 30, hub: 0.1, bend: 0.3, up: 0.05, at: 0.33, m: 1.1, EA: 2e5, EI: 40,\n"
        "             twist: 0.2, off: 0.004, ratio: 2e-4, tilt: 0.1}\n"
        "beams:\n"
        "  blade: {type: sections, points: [[hub, 0, 0], [0.8, 0.02, up], [1.2, bend, 0.1]],\n"
        "          elements: 2, side: [0, 1, tilt], stations: [0, at, at, 1.5],\n"
        "          mass_per_length: [m, m, 0.5*m, 0.4], inertia_y: 1e-4, inertia_z: 2e-4*m,\n"
        "          EA: EA, GAy: 1e5, GAz: EA, GJ: [30, 25, 20, 10], EIy: [EI, EI, 20, 15],\n"
        "          EIz: [3*EI, 100, 80, 60], twist: [0, twist, twist, 3*twist],\n"
        "          mass_y: off, tension_z: [0, off, off, 0], shear_y: -off,\n"
        "          damping_ratio: ratio, angular_velocity: [0, 0, w]}\n"
        "bodies: {hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, w]}}\n"
        "markers: {lug: {body: hub, position: [hub, 0, 0]}}\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: bearing, function: w*time}\n"
        "  root: {type: fixed, between: [blade.first, lug]}\n"
        "operating_point: {type: steady}\n",
        2, 5);
}

/* A section given as a matrix, sagging; and one element alone between bodies. */
static void matrices(void **unused)
{
    (void)unused;
    compare(
        "parameters: {a: 2e4, b: 300, c: 0.5, d: 1e-3, L: 0.9, turn: 0.3, h: 0.02}\n"
        "gravity: [0, 0, -9.81]\n"
        "beams:\n"
        "  arm: {type: sections, from: [0, 0, 0], to: [L, 0, h], elements: 2,\n"
        "        mass_per_length: c, inertia_y: 1e-3, inertia_z: 1e-3,\n"
        "        stiffness: [[a, 0, 0, 0, 0, b], [0, 5e3, 0, 10, 0, 0], [0, 0, 6e3, 0, 0, 0],\n"
        "                    [0, 10, 0, 40, c, 0], [0, 0, 0, c, 50, 0], [b, 0, 0, 0, 0, 60]],\n"
        "        damping: [[d, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0],\n"
        "                  [0, 0, 0, d, 0, 0], [0, 0, 0, 0, d, 0], [0, 0, 0, 0, 0, 0.2]]}\n"
        "bodies: {tip: {mass: c, inertia: [0.01, 0.02, 0.015], position: [L + 0.4, h, h]}}\n"
        "markers:\n"
        "  end: {body: tip, orientation: {axis: [1, 2, 3], angle: turn}}\n"
        "joints: {root: {type: fixed, between: [arm.first, ground]}}\n"
        "loads:\n"
        "  last: {type: flexible_rod, between: [arm.last, end],\n"
        "         stiffness: [[a, 0, 0, 0, 0, 0], [0, 5e3, 0, 0, 0, 0], [0, 0, 6e3, 0, 0, 0],\n"
        "                     [0, 0, 0, 40, 0, 0], [0, 0, 0, 0, 50 + b, 0], [0, 0, 0, 0, 0, 60]],\n"
        "         damping: [[d, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0],\n"
        "                   [0, 0, 0, d, 0, 0], [0, 0, 0, 0, d, 0], [0, 0, 0, 0, 0, 0.2]]}\n"
        "operating_point: {type: static}\n",
        0, 3);
}

/* Finite elements: everything of E, rho, L and a round section in proportion to it. */
static void cantilever_of_finite_elements(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {E: 7e10, rho: 2700, L: 1.3, r: 0.02*L, ratio: 0.3}\n"
        "bodies:\n"
        "  arm: {type: beam, from: [0.1*L, 0, 0], to: [L, 0.2*L, 0], elements: 4, density: rho,\n"
        "        youngs_modulus: E, poissons_ratio: ratio, rotary_inertia: true,\n"
        "        section: {tube: {outer_radius: r, inner_radius: 0.4*r}}}\n"
        "joints: {root: {type: fixed, between: [arm, ground]}}\n";
    static const law laws[] = {{"E", 0.5}, {"rho", -0.5}, {"L", -1}};
    check_laws(text, laws, 3, 24);
}

/* Two links of finite elements that hang and swing, a ball on a node of the first. */
/* The same of elements of higher order, along a curve and with corners. */
static void curved_and_turning(void **unused)
{
    (void)unused;
    compare(
        "parameters: {w: 30, hub: 0.1, bend: 0.3, up: 0.05, m: 1.1, EA: 2e5, EI: 40,\n"
        "             twist: 0.2, off: 0.004, ratio: 2e-4, tilt: 0.1, C: 3}\n"
        "beams:\n"
        "  blade: {type: sections, points: [[hub, 0, 0], [0.5, 0.02, up], [0.8, 0.1, 0.08],\n"
        "          [1, 0.2, 0.1], [1.2, bend, 0.1]], curved: true, elements: 2, order: 2,\n"
        "          side: [0, 1, tilt], stations: [0, 5],\n"
        "          mass_per_length: [m, 0.4], inertia_y: 1e-4, inertia_z: 2e-4*m,\n"
        "          EA: EA, GAy: 1e5, GAz: EA, GJ: [30, 10], EIy: [EI, 15],\n"
        "          EIz: [3*EI, 60], twist: [0, 3*twist],\n"
        "          mass_y: off, tension_z: [0, off], shear_y: -off,\n"
        "          damping_ratio: ratio, angular_velocity: [0, 0, w]}\n"
        "  arm: {type: sections, points: [[-hub, 0, 0], [-0.8, 0.02, up], [-1, bend, 0]],\n"
        "        elements: 1, order: 2, mass_per_length: m, inertia_y: 1e-3, inertia_z: 1e-3,\n"
        "        stiffness: [[1e5,0,0,0,0,0], [0,1e5,0,0,0,0], [0,0,1e5,C,0,0], [0,0,C,30,0,0],\n"
        "        [0,0,0,0,EI,0], [0,0,0,0,0,90]], twist: twist, angular_velocity: [0, 0, w]}\n"
        "bodies: {hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, w]}}\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: bearing, function: w*time}\n"
        "  root: {type: fixed, between: [blade.first, hub], at: [0.1, 0, 0]}\n"
        "  other: {type: fixed, between: [arm.first, hub], at: [-0.1, 0, 0]}\n"
        "operating_point: {type: steady}\n"
        "steady: {axis: z}\n",
        1, 4);
}

static void hanging_links(void **unused)
{
    (void)unused;
    compare(
        "parameters: {L: 2, r: 0.05, h: 0.12, E: 1e8, rho: 1500, turn: 0.3, nu: 0.3, s: 1e-3}\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  one: {type: beam, orientation: {x: [0, -1, 0], z: [0, 0, 1]}, to: [L, 0, 0],\n"
        "        elements: 2, density: rho, youngs_modulus: E, poissons_ratio: nu,\n"
        "        side: [0, cos(turn), sin(turn)], section: {rectangle: {height: h, width: r}},\n"
        "        damping: {mass: s, stiffness: 0.1*s}}\n"
        "  two: {type: beam, position: [0, -L, 0], orientation: {x: [0, -1, 0], z: [0, 0, 1]},\n"
        "        to: [L, 0, 0], elements: 2, planar: true, density: rho,\n"
        "        youngs_modulus: E, section: {circle: {radius: r}}}\n"
        "  ball: {mass: 1, inertia: [r, r, r], position: [h, -L/2, 0]}\n"
        "markers: {seat: {body: one, at: [0, -L/2, 0]}}\n"
        "joints:\n"
        "  top: {type: revolute, between: [one, ground], at: [0, 0, 0], axis: z}\n"
        "  middle: {type: revolute, between: [two, one], at: [0, -L, 0], axis: z}\n"
        "loads:\n"
        "  bush: {type: bushing, between: [ball, seat], translation: {stiffness: 500},\n"
        "         rotation: {stiffness: 40}}\n"
        "operating_point: {type: static}\n",
        0, 3);
}

/* Mean axes, all modes or a few. Shapes change with length, and by rotary inertia with the section.
 */
static void mean_axes(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {E: 7e10, rho: 2700, L: 1.3, r: 0.06*L, ratio: 0.3}\n"
        "bodies:\n"
        "  arm: {type: beam, frame: mean-axis, modes: %s, from: [0.1*L, 0, 0],\n"
        "        to: [L, 0.2*L, 0], elements: 4, density: rho, youngs_modulus: E,\n"
        "        poissons_ratio: ratio, rotary_inertia: true,\n"
        "        section: {tube: {outer_radius: r, inner_radius: 0.4*r}}}\n"
        "joints: {root: {type: fixed, between: [arm, ground], at: [0.1*L, 0, 0]}}\n";
    static const law laws[] = {{"E", 0.5}, {"rho", -0.5}, {"L", -1}};
    char written[1024];
    snprintf(written, sizeof written, text, "24");
    check_laws(written, laws, 3, 24);
    snprintf(written, sizeof written, text, "7");
    check_laws(written, laws, 3, 1);
}

/* Links of a few modes, thick, that sag and hold a ball by a node; one lies skew in its frame. */
static void hanging_links_in_mean_axes(void **unused)
{
    (void)unused;
    compare(
        "parameters: {L: 2, r: 0.2, h: 0.3, E: 1e8, rho: 1500, turn: 0.3, nu: 0.3, s: 1e-3,\n"
        "             skew: 0.1}\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  one: {type: beam, orientation: {x: [0, -1, 0], z: [0, 0, 1]}, to: [L, 0, 0],\n"
        "        frame: mean-axis, modes: 6, elements: 4, density: rho, youngs_modulus: E,\n"
        "        poissons_ratio: nu, side: [0, cos(turn), sin(turn)], rotary_inertia: true,\n"
        "        section: {rectangle: {height: h, width: r}},\n"
        "        damping: {mass: s, stiffness: 0.1*s}}\n"
        "  two: {type: beam, position: [0, -L, 0], orientation: {x: [0, -1, 0], z: [0, 0, 1]},\n"
        "        to: [L, skew, 0], elements: 4, planar: true, density: rho,\n"
        "        frame: mean-axis, youngs_modulus: E, section: {circle: {radius: r}}}\n"
        "  ball: {mass: 1, inertia: [r, r, r], position: [h, -L/2, 0]}\n"
        "markers: {seat: {body: one, at: [0, -L/2, 0]}, tip: {body: one, at: [0, -L, 0]}}\n"
        "joints:\n"
        "  top: {type: revolute, between: [one, ground], at: [0, 0, 0], axis: z}\n"
        "  middle: {type: revolute, between: [two, one], at: [0, -L, 0], axis: z}\n"
        "loads:\n"
        "  bush: {type: bushing, between: [ball, seat], translation: {stiffness: 500},\n"
        "         rotation: {stiffness: 40}}\n"
        "operating_point: {type: static}\n",
        0, 3);
}

/* A link of few modes that a loop bends as it is put together: amplitudes move by their units. */
static void bent_together(void **unused)
{
    (void)unused;
    compare("parameters: {L: 1, r: 0.05, E: 1e7, rho: 1500, up: 0.03, k: 300}\n"
            "bodies:\n"
            "  link: {type: beam, to: [L, 0, 0], frame: mean-axis, modes: 4, elements: 3,\n"
            "         planar: true, density: rho, youngs_modulus: E,\n"
            "         section: {circle: {radius: r}}}\n"
            "  end: {mass: 1, inertia: [r, r, r], position: [L, up, 0]}\n"
            "markers:\n"
            "  foot: {body: ground, position: [0, up/2, 0]}\n"
            "  pin: {body: end}\n"
            "  left: {body: link, node: 1}\n"
            "  right: {body: link, node: 4}\n"
            "  held: {body: ground, position: [L, up, 0]}\n"
            "joints:\n"
            "  root: {type: fixed, between: [left, foot]}\n"
            "  tip: {type: revolute, between: [right, pin], axis: z}\n"
            "  slide: {type: translational, between: [pin, held], axis: x}\n"
            "loads: {spring: {type: bushing, between: [pin, held],\n"
            "        translation: {stiffness: k, damping: 2}}}\n",
            0, 1);
}

/* A reduced body that swings: its damping ratio, and where it begins. */
static void damping_of_modal_bodies(void **unused)
{
    (void)unused;
    compare(
        "parameters: {zeta: 0.02, l: 0.15, m: 0.3, c: 0.1}\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  link: {type: modal, stiffness_matrix: examples/flexible/link.sti,\n"
        "         mass_matrix: examples/flexible/link.mas, nodes: examples/flexible/link.inp,\n"
        "         interface: [1001=LEFT, 1002=RIGHT], modes: 3, damping_ratio: zeta/2 + zeta^2,\n"
        "         length_unit: mm, mass_unit: t}\n"
        "  bob: {mass: m, inertia: [1e-3, 1e-4, 1e-3], position: [0.12, 0.01 - l, 0.005]}\n"
        "markers: {left: {body: link, node: 1001}, right: {body: link, node: 1002}}\n"
        "joints:\n"
        "  pin: {type: revolute, between: [left, ground], axis: z}\n"
        "  hang: {type: fixed, between: [bob, right]}\n"
        "loads: {turn: {type: torsion_spring, between: [link, ground], axis: z, stiffness: 3,\n"
        "        damping: c}}\n",
        0, 2);
}

/* Exponents of one mode of hanging links must add up by their units, whatever the equation: of
 * mass, of time, of length. Stiff links: the slowest mode is 5000 times below the fastest, whose
 * stiffness must not round its derivatives away. */
static void hanging_links_by_units(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {L: 4, r: 0.15, E: 1e8, rho: 1500, g: 9.81}\n"
        "gravity: [0, -g, 0]\n"
        "bodies:\n"
        "  one: {type: beam, orientation: {x: [0, -1, 0], z: [0, 0, 1]}, to: [L, 0, 0],\n"
        "        elements: 10, planar: true, density: rho, youngs_modulus: E,\n"
        "        section: {circle: {radius: r}}}\n"
        "  two: {type: beam, position: [0, -L, 0], orientation: {x: [0, -1, 0], z: [0, 0, 1]},\n"
        "        to: [L, 0, 0], elements: 10, planar: true, density: rho, youngs_modulus: E,\n"
        "        section: {circle: {radius: r}}}\n"
        "joints:\n"
        "  top: {type: revolute, between: [one, ground], at: [0, 0, 0], axis: z}\n"
        "  middle: {type: revolute, between: [two, one], at: [0, -L, 0], axis: z}\n"
        "operating_point: {type: static}\n";
    static const struct {
        const char *unit, *parameters[4];
        double sum;
    } laws[] = {{"mass", {"E", "rho"}, 0},
                {"time", {"E", "g"}, 0.5},
                {"length at the same gravity", {"L", "r", "E"}, -0.5}};
    chain c;
    routh_sensitivity *s = sensitivities_of(text, &c);
    assert_true(s->n_modes >= 100);
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++)
        for (int k = 0; k < s->n_modes; k++) {
            double sum = 0;
            for (int p = 0; laws[l].parameters[p]; p++)
                sum += exponent_of(s, find(s, laws[l].parameters[p]), k);
            if (!(fabs(sum - laws[l].sum) <= 1e-7))
                fail_msg("%s, mode %d: the exponents add up to %.15g", laws[l].unit, k + 1, sum);
        }
    routh_sensitivity_free(s);
    chain_free(&c);
}

/* Whole numbers have no derivative, and what has none is refused by name. */
static void refusals(void **unused)
{
    (void)unused;
    static const char text[] =
        "parameters: {n: 2, E: 7e10}\n"
        "bodies:\n"
        "  arm: {type: beam, to: [1, 0, 0], elements: n, planar: true, density: 1000,\n"
        "        youngs_modulus: E, section: {circle: {radius: 0.01}}}\n"
        "beams:\n"
        "  rod: {type: material, from: [0, 1, 0], to: [1, 1, 0], elements: n, density: 2700,\n"
        "        youngs_modulus: E, shear_modulus: 2.7e10, area: 2e-4, iyy: 1.7e-9, izz: 6.7e-9,\n"
        "        torsion_constant: 4.6e-9}\n"
        "markers: {foot: {body: ground, position: [0, 1, 0]}}\n"
        "joints:\n"
        "  left: {type: fixed, between: [arm, ground]}\n"
        "  right: {type: fixed, between: [rod.first, foot]}\n";
    static const char *const asked[] = {"n", NULL};
    chain c;
    routh_error error = {0};
    routh_sensitivity *s = sensitivities_of(text, &c), *none = NULL;
    routh_sensitivity_options options = {.parameters = asked};
    assert_int_equal(s->n_parameters, 1);
    assert_int_equal(s->n_warnings, 1);
    assert_string_equal(s->warnings[0],
                        "the parameter n was left out: it acts through elements of beam rod, a "
                        "whole number, which has no derivative");
    assert_int_equal(
        routh_sensitivity_compute(&none, c.mechanism, c.point, c.modes, &options, &error),
        ROUTH_NOT_SUPPORTED);
    assert_non_null(strstr(error.message, "a whole number, which has no derivative"));
    routh_sensitivity_free(s);
    chain_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilever_of_sections),
        cmocka_unit_test(cantilever_of_higher_order),
        cmocka_unit_test(cantilever_of_material),
        cmocka_unit_test(cantilever_of_finite_elements),
        cmocka_unit_test(bent_and_turning),
        cmocka_unit_test(curved_and_turning),
        cmocka_unit_test(hanging_links),
        cmocka_unit_test(mean_axes),
        cmocka_unit_test(hanging_links_in_mean_axes),
        cmocka_unit_test(bent_together),
        cmocka_unit_test(damping_of_modal_bodies),
        cmocka_unit_test(hanging_links_by_units),
        cmocka_unit_test(matrices),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
