/* The search for a steady motion: its partials, what it says where it ends without one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "operating/steady.h"

/* ---- partials ------------------------------------------------------------------------------- */

/* A cart with a wheel that spins on a tilted axle, steered by a motion, with springs, a relaxing
 * force, a variable that uses accelerations, and everything out of balance. */
static const char cart[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {soft: 0.3}\n"
    "inputs: {steer: 0.2, push: 3}\n"
    "bodies:\n"
    "  cart: {mass: 20, inertia: [1, 2, 2.5, 0.1, 0.2, -0.1], position: [0.3, -0.2, 0.5],"
    " orientation: {axis: [1, 2, 3], angle: 0.3}, velocity: [4, 0.3, 0.1],"
    " angular_velocity: [0.1, -0.2, 0.7]}\n"
    "  fork: {mass: 3, inertia: [0.1, 0.2, 0.15], position: [0.8, -0.1, 0.4],"
    " angular_velocity: [0.1, 0, 0.5]}\n"
    "  wheel: {mass: 2, inertia: [0.1, 0.2, 0.1], position: [0.9, -0.15, 0.3],"
    " orientation: {axis: [1, -1, 0], angle: 0.2}, angular_velocity: [0, 12, 0.4]}\n"
    "markers: {axle: {body: wheel, orientation: {axis: [1, 0, 0], angle: -90 deg}}}\n"
    "joints:\n"
    "  head: {type: revolute, between: [fork, cart], at: [0.7, -0.1, 0.5], axis: [0.2, 0, 1]}\n"
    "  hub: {type: revolute, between: [wheel, fork], at: [0.9, -0.15, 0.3], axis: [0.1, 1, 0.1]}\n"
    "  bars: {type: motion, joint: head, function: steer + 0.1*steer^2}\n"
    "  floor: {type: rolling, between: [axle, ground], radius: 0.3, tube_radius: 0.05}\n"
    "controllers:\n"
    "  lag: {type: differential, rate: '(VX(cart) - lag)/soft + 0.1*ACCX(fork)', initial: 2}\n"
    "  way: {type: differential, rate: VM(cart), initial: 1}\n"
    "variables: {felt: 'push*lag + 0.2*ACCY(cart, ground, fork) + FZ(hub)/50'}\n"
    "loads:\n"
    "  wind: {type: force, on: fork, resolved_in: cart, components: ['felt - VX(cart)', lag, 2]}\n"
    "  legs: {type: bushing, between: [cart, ground], at: [0.3, -0.2, 0],"
    " translation: {stiffness: 300, damping: 10}, rotation: {stiffness: 50, damping: 2}}\n"
    "steady:\n"
    "  axis: [0.1, 0.2, 1]\n"
    "  turn_rate: 0.6\n"
    "  spins: {wheel: {axis: [0.1, 1, 0.05], rate: 11}}\n"
    "  prescribed:\n"
    "    speed: {expression: 'VX(cart, ground, cart)', value: 4}\n"
    "    felt: {expression: 'ACCM(cart) + felt + 0.3*AX(cart)*FX(head)', value: 1}\n"
    "  free: [push, steer]\n"
    "  drifting: [way]\n";

/* A bent arm on a hub that a motion turns, with a wheel that spins at its tip, springs, and what
 * looks at nodes. */
static const char arm[] =
    "gravity: [0.5, 0, -9.81]\n"
    "inputs: {push: 3}\n"
    "bodies:\n"
    "  hub: {mass: 2, inertia: [1, 2, 2.5, 0.1, 0.2, -0.1], angular_velocity: [0, 0, 0.7]}\n"
    "  arm: {type: beam, position: [0.1, 0.05, 0], orientation: {axis: [1, 2, 3], angle: 0.3},"
    " to: [1, 0.2, 0.1], elements: 2, density: 30, area: 0.02, iyy: 2e-3, izz: 1e-3,"
    " torsion_constant: 3e-3, youngs_modulus: 1e5, shear_modulus: 4e4, angular_velocity: [0, 0, "
    "0.7],"
    " damping: {mass: 0.1, stiffness: 0.01}}\n"
    "  free: {type: beam, position: [0.3, 0.7, 0.2], to: [0, 1, 0.1], elements: 2, density: 30,"
    " area: 0.02, iyy: 2e-3, izz: 1e-3, torsion_constant: 3e-3, youngs_modulus: 1e5, "
    "shear_modulus: 4e4,"
    " frame: mean-axis, modes: 3, velocity: [0.2, 0.1, 0.3]}\n"
    "  wheel: {mass: 2, inertia: [0.1, 0.2, 0.1], position: [1.2, 0.4, 0.3],"
    " angular_velocity: [0, 12, 0.4]}\n"
    "markers: {tip: {body: arm, node: last, position: [0.02, 0.1, 0]},"
    " axle: {body: wheel}, end: {body: free, node: first}}\n"
    "joints:\n"
    "  shaft: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: [0.1, 0, 1]}\n"
    "  root: {type: revolute, between: [arm, hub], at: [0.1, 0.05, 0], axis: [0, 1, 0.1]}\n"
    "  hold: {type: spherical, between: [axle, tip]}\n"
    "variables: {felt: 'push + 0.2*ACCX(tip) + AX(tip)*VY(tip)'}\n"
    "loads:\n"
    "  wind: {type: force, on: tip, resolved_in: tip, components: ['felt - VX(tip)', 1, 2]}\n"
    "  legs: {type: spring, between: [tip, end], stiffness: 300, free_length: 0.3}\n"
    "steady:\n"
    "  axis: [0.1, 0.2, 1]\n"
    "  turn_rate: 0.6\n"
    "  spins: {wheel: {axis: [0.1, 1, 0.05], rate: 11}}\n"
    "  prescribed:\n"
    "    speed: {expression: 'VX(tip, ground, tip) + ACCM(end)', value: 4}\n"
    "  free: [push]\n";

typedef struct stand {
    routh_model *model;
    routh_mechanism *m;
    rt_search s;
    rt_steady_search k;
} stand;

static stand take(const char *yaml)
{
    stand x = {0};
    routh_error error = {0};
    if (routh_model_parse(&x.model, yaml, strlen(yaml), "test", NULL, 0, &error) ||
        routh_mechanism_compile(&x.m, x.model, NULL, &error) ||
        rt_search_create(&x.s, x.m, 1e-12, 100, &error))
        fail_msg("%d: %s: %s", error.line, error.element, error.message);
    return x;
}

static void release(stand *x)
{
    rt_steady_release(&x->k);
    rt_state_free(x->s.state);
    rt_search_release(&x->s);
    routh_mechanism_free(x->m);
    routh_model_free(x->model);
}

/* F where unknown j is moved by h. */
static void moved(rt_steady_search *k, int j, double h, double *F)
{
    routh_error error = {0};
    memset(k->step, 0, (size_t)k->n_unknowns * sizeof *k->step);
    k->step[j] = h;
    rt_steady_move(k);
    if (rt_steady_evaluate(k, false, &error)) fail_msg("%s", error.message);
    memcpy(F, k->whole.F, (size_t)k->n_rows * sizeof *F);
}

/* Each column against a difference of sixth order. What changes a drifting state at the later time
 * is left out of the partials, as nothing steady depends on it. */
static void partials_are_those_of_the_equations(void **unused)
{
    (void)unused;
    static const double weight[3] = {45, -9, 1}, h = 1e-3;
    for (int run = 0; run < 8; run++) {
        const bool late = run % 2, accelerated = run >= 4;
        stand x = take(run % 4 < 2 ? cart : arm);
        rt_steady_search *k = &x.k;
        routh_error error = {0};
        if (rt_steady_create(k, &x.s, accelerated, &error)) fail_msg("%s", error.message);
        for (int r = 0; r < x.m->n_rows; r++) x.s.state->lambda[r] = 3 + r % 5;
        for (int e = 0; e < x.m->n_elastic; e++)
            x.s.state->q[x.m->first_elastic_q + e] = 0.02 * (1 + e % 3);
        rt_steady_fit(k, false);
        for (int i = 0; i < 3 && accelerated; i++) k->motion[k->acceleration + i] = 1.5 - 0.7 * i;
        rt_steady_rates(k);
        rt_steady_set_late(k, late);
        if (rt_steady_evaluate(k, true, &error)) fail_msg("%s", error.message);
        rt_steady_keep(k, RT_STEADY_STEP);
        const size_t n = (size_t)k->n_rows;
        double *F = malloc(3 * n * sizeof *F), worst = 0;
        for (int j = 0; j < k->n_unknowns; j++) {
            memset(F + 2 * n, 0, n * sizeof *F);
            for (int p = 1; p <= 3; p++) {
                moved(k, j, p * h, F);
                moved(k, j, -p * h, F + n);
                for (size_t i = 0; i < n; i++)
                    F[2 * n + i] += weight[p - 1] * (F[i] - F[n + i]) / (60 * h);
            }
            double size = 1;
            for (size_t i = 0; i < n; i++) size = fmax(size, fabs(F[2 * n + i]));
            for (size_t i = 0; i < n; i++) {
                if ((int)i >= k->in_gauge && (int)i < k->n_equations) continue;
                const double found = k->whole.J[i + (size_t)k->most_rows * (size_t)j];
                worst = fmax(worst, fabs(found - F[2 * n + i]) / size);
                if (fabs(found - F[2 * n + i]) > 1e-8 * size)
                    fail_msg(
                        "late %d, equation %zu (r %d, Phi %d, Phi' %d, signals %d), unknown %d "
                        "(lambda %d, motion %d, x %d, v %d, input %d, late %d): %.12g, "
                        "difference %.12g",
                        late, i, 0, k->in_phi, k->in_rates, k->in_signals, j, k->at_lambda,
                        k->at_motion, k->at_x, k->at_variable, k->at_input, k->n_columns, found,
                        F[2 * n + i]);
            }
        }
        print_message("    largest difference %.2g of the largest of its column\n", worst);
        free(F);
        release(&x);
    }
}

/* ---- directions that are free --------------------------------------------------------------- */

/* A blade on a hub that turns by itself, or as a function of time says. */
static const char turning[] =
    "bodies:\n"
    "  hub: {mass: 2, inertia: [1, 2, 2.5], angular_velocity: [0, 0, 3]}\n"
    "  blade: {type: beam, to: [1, 0, 0], elements: 2, planar: true, density: 30, area: 0.02,"
    " izz: 1e-3, youngs_modulus: 1e5, angular_velocity: [0, 0, 3]}\n"
    "joints:\n"
    "  shaft: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}\n"
    "  root: {type: fixed, between: [blade, hub], at: [0, 0, 0]}\n"
    "%s"
    "steady: {axis: z%s}\n";

/* The way the mechanism goes is no change of its motion: no step takes it, of any elastic
 * coordinate it has nothing. Where a function of time holds the place on the way, that says so
 * already. */
static void the_way_is_free_unless_time_holds_it(void **unused)
{
    (void)unused;
    for (int driven = 0; driven < 2; driven++) {
        char yaml[2000];
        snprintf(yaml, sizeof yaml, turning,
                 driven ? "  drive: {type: motion, joint: shaft, function: 3*time}\n" : "",
                 driven ? "" : ", turn_rate: 3");
        stand x = take(yaml);
        rt_steady_search *k = &x.k;
        routh_error error = {0};
        if (rt_steady_create(k, &x.s, false, &error)) fail_msg("%s", error.message);
        rt_steady_fit(k, false);
        rt_steady_rates(k);
        if (rt_steady_evaluate(k, true, &error)) fail_msg("%s", error.message);
        double most = 0;
        for (int c = 0; c < x.m->n_u; c++) {
            const double at = k->whole.J[k->in_gauge + (size_t)k->most_rows * (size_t)c];
            if (c >= 6 * x.m->n_bodies) assert_true(at == 0);
            most = fmax(most, fabs(at));
        }
        assert_int_equal(most > 1, !driven);
        assert_int_equal(most == 0, driven);
        release(&x);
    }
}

/* A cart that goes straight on, every which way in space, with a wheel that spins. */
static const char straight[] =
    "bodies:\n"
    "  cart: {mass: 20, inertia: [1, 2, 2.5], orientation: {axis: [1, 2, 3], angle: 0.3},"
    " position: [0.3, -0.2, 0.5], velocity: [20, 0.3, 0.1]}\n"
    "  wheel: {mass: 2, inertia: [0.1, 0.2, 0.1], position: [0.9, -0.15, 0.3],"
    " orientation: {axis: [1, 2, 3], angle: 0.3}, velocity: [20, 0.3, 0.1]}\n"
    "markers:\n"
    "  seat: {body: cart, position: [0.4, 0.1, -0.3], orientation: {axis: [1, 0, 0], angle: -90 "
    "deg}}\n"
    "  hub: {body: wheel, orientation: {axis: [1, 0, 0], angle: -90 deg}}\n"
    "joints: {axle: {type: revolute, between: [hub, seat]}}\n"
    "steady: {axis: z, turn_rate: 0, spins: {wheel: {axis: y, rate: 11}}}\n";

/* Where both bodies move alike, the velocities of the joint are rounding; so is what is left of its
 * rows when the way goes on, and no function of time. The angle of the spin stays a free direction.
 * Rows that hold nothing are not made equations. */
static void rounding_of_velocities_is_no_equation(void **unused)
{
    (void)unused;
    stand x = take(straight);
    rt_steady_search *k = &x.k;
    routh_error error = {0};
    if (rt_assemble(&x.s, &error) || rt_steady_create(k, &x.s, false, &error))
        fail_msg("%s", error.message);
    for (int step = 0; step < 40; step++) {
        double gauge = 0;
        x.s.state->q[7] += 1e-9 * (step % 7);
        rt_steady_fit(k, true);
        rt_steady_rates(k);
        if (rt_steady_evaluate(k, true, &error)) fail_msg("%s", error.message);
        for (int c = 0; c < x.m->n_u; c++)
            gauge =
                fmax(gauge, fabs(k->whole.J[k->in_gauge + 1 + (size_t)k->most_rows * (size_t)c]));
        assert_true(gauge > 0.5);
        if (rt_steady_decompose(k, &error)) fail_msg("%s", error.message);
        for (int i = k->in_phi; i < k->in_signals; i++) assert_true(k->row_scale[i] <= 1);
    }
    release(&x);
}

/* ---- what is said --------------------------------------------------------------------------- */

/* The search ends with NO_EQUILIBRIUM, and its message has all of the words. element NULL: any. */
static void assert_refused(const char *yaml, const char *element, const char *const *words)
{
    routh_model *model = NULL;
    routh_mechanism *m = NULL;
    routh_operating_point *p = NULL;
    routh_error error = {0};
    routh_operating_point_options options = routh_operating_point_defaults();
    options.type = ROUTH_OPERATING_STEADY;
    if (routh_model_parse(&model, yaml, strlen(yaml), "test", NULL, 0, &error) ||
        routh_mechanism_compile(&m, model, NULL, &error))
        fail_msg("%d: %s: %s", error.line, error.element, error.message);
    assert_int_equal(routh_operating_point_find(&p, m, &options, &error), ROUTH_NO_EQUILIBRIUM);
    assert_null(p);
    if (element) assert_string_equal(error.element, element);
    for (int i = 0; words[i]; i++)
        if (!strstr(error.message, words[i]))
            fail_msg("'%s' was expected: %s", words[i], error.message);
    routh_mechanism_free(m);
    routh_model_free(model);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define GRAVITY "gravity: [0, 0, -9.81]\n"
#define BOB(more)                                                                                  \
    GRAVITY "bodies: {bob: {mass: 10, inertia: [0.1, 0.1, 0.1], position: [0.2, 0, -0.4],"         \
            " angular_velocity: [0, 0, 4]}}\n"                                                     \
            "joints: {hang: {type: spherical, between: [bob, ground], at: [0, 0, 0]}}\n" more

static void what_nothing_determines_is_named(void **unused)
{
    (void)unused;
    assert_refused(BOB(""), "",
                   WORDS("nothing determines the rotation rate, the speed of bob",
                         "in 1 independent way", "prescribe one of them"));
    assert_refused("inputs: {push: 0, pull: 0}\n"
                   "bodies: {car: {mass: 2, inertia: [1, 1, 1], velocity: [3, 0, 0]}}\n"
                   "joints: {road: {type: translational, between: [car, ground], axis: x}}\n"
                   "loads: {motor: {type: force, on: car,"
                   " components: [push + 2*pull - VX(car)^2, 0, 0]}}\n"
                   "steady: {turn_rate: 0, free: [push, pull]}\n",
                   "",
                   WORDS("nothing determines the input push, the input pull, the speed of car",
                         "in 2 independent ways", "prescribe as many"));
}

static void what_cannot_be_met_is_named_with_what_it_is(void **unused)
{
    (void)unused;
    /* |DZ| is at most sqrt(0.2^2 + 0.4^2) = 0.447 */
    assert_refused(BOB("steady: {prescribed: {depth: {expression: -DZ(bob), value: 0.6}}}\n"),
                   "body bob",
                   WORDS("body bob stays out of balance", " N", "joint hang is broken",
                         "depth is 0.", "and must be 0.6", "1 value is prescribed"));
    /* two speeds at once */
    assert_refused(BOB("steady:\n  turn_rate: 6\n  prescribed:\n"
                       "    slow: {expression: VM(bob), value: 0.5}\n"
                       "    fast: {expression: VM(bob), value: 2}\n"),
                   "body bob",
                   WORDS("slow is ", "and must be 0.5", "fast is ", "and must be 2",
                         "cannot be prescribed: slow, fast", "3 values are prescribed"));
}

#define ROTOR(inertia, offset, more)                                                               \
    "bodies:\n"                                                                                    \
    "  stator: {mass: 200, inertia: [50, 50, 10]}\n"                                               \
    "  rotor: {mass: 1300, inertia: " inertia ", position: [" offset ", 0, 0.75]}\n"               \
    "joints: {bearing: {type: revolute, between: [rotor, stator], at: [0, 0, 0], axis: z}}\n"      \
    "loads:\n"                                                                                     \
    "  mount: {type: bushing, between: [stator, ground], at: [0, 0, 0],"                           \
    " translation: {stiffness: 1000, damping: 1}, rotation: {stiffness: 1e4, damping: 10}}\n" more \
    "steady: {turn_rate: 0, spins: {rotor: {axis: z, rate: 6}}}\n"

static void a_rotor_out_of_balance_is_refused(void **unused)
{
    (void)unused;
    assert_refused(ROTOR("[500, 500, 1000]", "0.01", ""), "",
                   WORDS("joint bearing is broken",
                         "its centre of mass, which must lie on its axis",
                         "these cannot be prescribed: the spin of rotor"));
    /* the axis of the spin is no principal axis: a moment that turns with it */
    assert_refused(ROTOR("[600, 600, 1000, 0, 20, 0]", "0", ""), NULL,
                   WORDS("balanced for an instant only", "is out of balance",
                         "Balance each body that spins (rotor) about its axis"));
}

static void a_spring_on_the_rim_is_in_balance_for_an_instant_only(void **unused)
{
    (void)unused;
    assert_refused(
        ROTOR("[500, 500, 1000]", "0",
              "  rim: {type: spring, between: [edge, post], stiffness: 10, free_length: 0.5}\n"
              "markers: {edge: {body: rotor, position: [1, 0, 0]},"
              " post: {body: ground, position: [2, 0, 0.75]}}\n"),
        NULL, WORDS("balanced for an instant only", "no forces that rotate with it"));
}

/* A force that grows faster than the rod's resistance, 9 y against 9 + 9 y^2. */
static void an_elastic_coordinate_out_of_balance_is_named(void **unused)
{
    (void)unused;
    assert_refused("bodies:\n"
                   "  rod: {type: beam, to: [1, 0, 0], elements: 2, planar: true, density: 1,"
                   " area: 1, youngs_modulus: 3, izz: 1}\n"
                   "markers: {tip: {body: rod, node: last}}\n"
                   "joints: {clamp: {type: fixed, between: [rod, ground], at: [0, 0, 0]}}\n"
                   "loads: {push: {type: force, on: tip, components: [0, '9 + 9*DY(tip)^2', 0]}}\n",
                   "body rod", WORDS("stays out of balance in its elastic coordinate "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partials_are_those_of_the_equations),
        cmocka_unit_test(the_way_is_free_unless_time_holds_it),
        cmocka_unit_test(rounding_of_velocities_is_no_equation),
        cmocka_unit_test(what_nothing_determines_is_named),
        cmocka_unit_test(what_cannot_be_met_is_named_with_what_it_is),
        cmocka_unit_test(a_rotor_out_of_balance_is_refused),
        cmocka_unit_test(a_spring_on_the_rim_is_in_balance_for_an_instant_only),
        cmocka_unit_test(an_elastic_coordinate_out_of_balance_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
