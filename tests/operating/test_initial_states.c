/* Where states of controllers start that have no initial value, at a given motion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/mechanisms.h"

/* 2 kg at 3 m/s on a track, at x = 0.5 */
#define CART                                                                                       \
    "bodies: {cart: {mass: 2, inertia: [1, 1, 1], position: [0.5, 0, 0], velocity: [3, 0, 0]}}\n"  \
    "joints: {track: {type: translational, between: [ground, cart], axis: x}}\n"
#define STILL                                                                                      \
    "bodies: {cart: {mass: 2, inertia: [1, 1, 1], position: [0.5, 0, 0]}}\n"                       \
    "joints: {track: {type: translational, between: [ground, cart], axis: x}}\n"

typedef struct found {
    test_mechanism t;
    routh_operating_point *p;
} found;

static found find(const char *yaml)
{
    found f;
    mechanism_make(&f.t, yaml);
    f.p = mechanism_point(&f.t);
    return f;
}

static void release(found *f)
{
    routh_operating_point_free(f->p);
    mechanism_release(&f->t);
}

static const routh_signal *signal_of(const found *f, const char *name)
{
    for (int k = 0; k < f->p->n_signals; k++)
        if (!strcmp(f->p->signals[k].name, name)) return &f->p->signals[k];
    fail_msg("there is no signal %s", name);
    return NULL;
}

static void is(const found *f, const char *name, double value, double rate, int placed)
{
    static const double within = 1e-13;
    const routh_signal *s = signal_of(f, name);
    if (!(fabs(s->value - value) <= within * fmax(1, fabs(value))) ||
        !(fabs(s->rate - rate) <= within * fmax(1, fabs(rate))) || s->placed != placed)
        fail_msg("%s is %.17g with the rate %.17g, placed %d", name, s->value, s->rate, s->placed);
}

static void a_lag_starts_where_it_is_at_rest(void **state)
{
    (void)state;
    found f =
        find(CART "controllers: {lag: {type: differential, rate: \"(VX(cart) - lag)/0.2\"}}\n");
    is(&f, "lag", 3, 0, 1);
    release(&f);
}

static void what_is_written_stays(void **state)
{
    (void)state;
    found f = find(CART "controllers: {lag: {type: differential, rate: \"(VX(cart) - lag)/0.2\", "
                        "initial: 2}}\n");
    is(&f, "lag", 2, 5, 0);
    assert_true(f.p->residual > 0.1);
    release(&f);
}

/* Beside one that is given, and runs: next = held/2; the clock runs too, and is the only one of
 * those free that cannot rest, whichever comes first. */
static void the_others_are_placed_beside_it(void **state)
{
    (void)state;
    found f = find(CART "controllers:\n"
                        "  next: {type: differential, rate: \"held - 2*next\"}\n"
                        "  clock: {type: differential, rate: \"1 + 0*next\"}\n"
                        "  held: {type: differential, rate: \"-held/4\", initial: 2}\n");
    is(&f, "next", 1, 0, 1);
    is(&f, "clock", 0, 1, 0);
    is(&f, "held", 2, -0.5, 0);
    release(&f);
}

/* An integrator of something that does not vanish stays at zero and runs; what depends on it is
 * placed for that. */
static void an_integrator_that_cannot_rest_stays_at_zero(void **state)
{
    (void)state;
    found f = find(CART "controllers:\n"
                        "  way: {type: differential, rate: \"VX(cart)\"}\n"
                        "  lag: {type: differential, rate: \"2*way + 8 - 4*lag\"}\n"
                        "  free: {type: differential, rate: \"DX(cart) - 0.5\"}\n");
    is(&f, "way", 0, 3, 0);
    is(&f, "lag", 2, 0, 1);
    is(&f, "free", 0, 0, 1);
    release(&f);
}

/* A double integrator with feedback: x1' = x2, x2' = u - x1, rests at x1 = u */
static void states_are_placed_together(void **state)
{
    (void)state;
    found f = find(CART "inputs: {u: 7}\n"
                        "controllers:\n"
                        "  x1: {type: differential, rate: x2}\n"
                        "  x2: {type: implicit, equation: \"3*RATE(x2) + x1 - u + x2^3\"}\n");
    is(&f, "x1", 7, 0, 1);
    is(&f, "x2", 0, 0, 1);
    release(&f);
}

/* What pushes is felt: lag = ACCX, 2 a = 10 - 3 lag */
static void states_are_placed_with_the_accelerations(void **state)
{
    (void)state;
    found f = find(STILL "controllers: {lag: {type: differential, rate: \"ACCX(cart) - lag\"}}\n"
                         "loads: {push: {type: force, on: cart, components: [\"10 - 3*lag\", 0, "
                         "0]}}\n");
    is(&f, "lag", 2, 0, 1);
    release(&f);
}

/* lag^2 = 4 has no slope where the search begins, 0; from a variable it is found */
static void a_place_that_cannot_be_seen_is_not_found(void **state)
{
    (void)state;
    found f = find(STILL "controllers: {lag: {type: differential, rate: \"4 - lag^2\"}}\n");
    is(&f, "lag", 0, 4, 0);
    release(&f);
}

/* At rest, spring and controller: nothing moves. */
static void a_point_with_its_controllers_at_rest_is_at_rest(void **state)
{
    (void)state;
    found f =
        find(STILL "controllers:\n"
                   "  hold: {type: pid, input: \"0.5 - DX(cart)\", proportional: 3, integral: "
                   "2, derivative: 1, filter: 0.1}\n"
                   "  lag: {type: differential, rate: \"DX(cart) - lag\"}\n"
                   "loads: {push: {type: force, on: cart, components: [hold, 0, 0]}}\n");
    is(&f, "hold.integral", 0, 0, 1);
    is(&f, "lag", 0.5, 0, 1);
    assert_true(f.p->residual <= 1e-15);
    release(&f);
}

/* Forces that cancel leave accelerations of rounding, and a sensor of them rates of it. */
static void rounding_of_accelerations_is_rest(void **state)
{
    (void)state;
    found f =
        find("gravity: [0, 0, -9.81]\n"
             "bodies: {cart: {mass: 0.7, inertia: [1, 1, 1], position: [0.5, 0, 0]}}\n"
             "joints: {track: {type: translational, between: [ground, cart], axis: z}}\n"
             "variables: {felt: \"ACCZ(cart)\"}\n"
             "controllers:\n"
             "  smooth: {type: differential, rate: \"900*(felt - smooth)\", initial: 0}\n"
             "  direct: {type: differential, rate: \"900*(ACCZ(cart) - direct)\", initial: 0}\n"
             "loads: {lift: {type: force, on: cart, components: [0, 0, "
             "\"0.7*9.81*(1 + 3e-16)\"]}}\n");
    assert_true(f.p->state->signal[3] != 0); /* the rate of direct */
    assert_true(signal_of(&f, "direct")->rate == 0);
    assert_true(f.p->residual <= 1e-12);
    release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lag_starts_where_it_is_at_rest),
        cmocka_unit_test(what_is_written_stays),
        cmocka_unit_test(the_others_are_placed_beside_it),
        cmocka_unit_test(an_integrator_that_cannot_rest_stays_at_zero),
        cmocka_unit_test(states_are_placed_together),
        cmocka_unit_test(states_are_placed_with_the_accelerations),
        cmocka_unit_test(a_place_that_cannot_be_seen_is_not_found),
        cmocka_unit_test(a_point_with_its_controllers_at_rest_is_at_rest),
        cmocka_unit_test(rounding_of_accelerations_is_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
