/* Wanted eigenvalues of whole systems, in motion, rolling and with controllers: those of all that
 * are nearest, for many numbers, with the zeros, and with a count that is true. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/answers.h"
#include "support/effort.h"
#include "support/mechanisms.h"

typedef struct system_of {
    test_mechanism t;
    routh_operating_point *point;
    routh_descriptor *descriptor;
    routh_linear *linear;
    routh_modes *all;
} system_of;

static void make(system_of *s, const char *yaml)
{
    routh_error error;
    mechanism_make(&s->t, yaml);
    s->point = mechanism_point(&s->t);
    if (routh_descriptor_compute(&s->descriptor, s->t.m, s->point, NULL, &error))
        fail_msg("%s", error.message);
    s->linear = mechanism_linear(&s->t, s->point, NULL);
    if (routh_modes_compute(&s->all, s->linear, &error)) fail_msg("%s", error.message);
    assert_int_equal(s->descriptor->n_differential, s->linear->n_states);
    assert_int_equal(s->descriptor->linear->steady, s->linear->steady);
    assert_int_equal(s->descriptor->linear->n_infinite,
                     s->descriptor->A.n_columns - s->linear->n_states);
}

static void release(system_of *s)
{
    routh_modes_free(s->all);
    routh_linear_free(s->linear);
    routh_descriptor_free(s->descriptor);
    routh_operating_point_free(s->point);
    mechanism_release(&s->t);
}

static double _Complex value(const routh_modes *m, int k)
{
    return m->modes[k].eigenvalue[0] + I * m->modes[k].eigenvalue[1];
}

/* Of a pair the nearer one's distance. */
static double distance(double _Complex lambda, double _Complex near)
{
    return fmin(cabs(lambda - near), cabs(conj(lambda) - near));
}

/* Each found one is one of all, each of all once; all of these within the radius are found. */
static void check(const system_of *s, const routh_modes *found, double _Complex near, double off)
{
    const routh_selection_region *r = &found->wanted.regions[0];
    int *used = calloc((size_t)s->all->n + 1, sizeof *used), inside = 0, found_inside = 0;
    assert_non_null(used);
    if (r->counted == ROUTH_COUNT_NONE)
        fail_msg("%d near %g%+gi are not counted", found->n, creal(near), cimag(near));
    for (int k = 0; k < found->n; k++) {
        const double _Complex lambda = value(found, k);
        int nearest = -1;
        for (int i = 0; i < s->all->n; i++)
            if (!used[i] && found->modes[k].rigid == s->all->modes[i].rigid &&
                (nearest < 0 ||
                 cabs(value(s->all, i) - lambda) < cabs(value(s->all, nearest) - lambda)))
                nearest = i;
        assert_true(nearest >= 0);
        used[nearest] = 1;
        const double d = cabs(value(s->all, nearest) - lambda);
        if (!(d <= off * fmax(cabs(lambda), 1)))
            fail_msg("%.15g%+.15gi is %.1e away from any", creal(lambda), cimag(lambda), d);
        const double bound = found->modes[k].error_bound + s->all->modes[nearest].error_bound;
        if (!(d <= bound))
            fail_msg("%.15g%+.15gi is off by %.1e, more than %.1e", creal(lambda), cimag(lambda), d,
                     bound);
        if (!found->modes[k].rigid)
            assert_true(found->modes[k].error_bound <= 1e-9 * fmax(cabs(lambda), 1));
        found_inside += distance(lambda, near) < r->radius;
        assert_true(found->modes[k].residual <= 1e-9);
    }
    for (int i = 0; i < s->all->n; i++) inside += distance(value(s->all, i), near) < r->radius;
    assert_int_equal(found_inside, inside);
    free(used);
}

static routh_modes *find(const system_of *s, int count, double _Complex near)
{
    const double at[2] = {creal(near), cimag(near)};
    const routh_selection_request request = {.count = count, .n_near = 1, .near = at};
    routh_error error;
    routh_modes *found;
    if (routh_modes_search(&found, s->descriptor, &request, &error))
        fail_msg("%g%+gi: %s", creal(near), cimag(near), error.message);
    return found;
}

static void check_near(const system_of *s, int count, double _Complex near, double off)
{
    routh_modes *found = find(s, count, near);
    int least = count < s->all->n ? count : s->all->n;
    assert_true(found->n >= least);
    check(s, found, near, off);
    routh_modes_free(found);
}

/* ---- small ones: by the state matrix -------------------------------------------------------- */

static void a_rolling_disc_has_its_zeros(void **state)
{
    (void)state;
    system_of s;
    make(&s, "gravity: [0, 0, -9.81]\n"
             "bodies:\n"
             "  disc: {mass: 1.3, inertia: [0.02, 0.04, 0.02], position: [0, 0, 0.25],\n"
             "         velocity: [2, 0, 0], angular_velocity: [0, 8, 0]}\n"
             "markers: {axle: {body: disc, orientation: {axis: [1, 0, 0], angle: -90 deg}}}\n"
             "joints: {contact: {type: rolling, between: [axle, ground], radius: 0.25}}\n"
             "linearize:\n"
             "  states: [disc.x, disc.y, disc.rx, disc.rz, disc.ry]\n"
             "  velocities: [disc.rx, disc.rz, disc.ry]\n");
    assert_int_equal(s.all->n_zero, 6);
    for (int count = 1; count <= 8; count++) {
        routh_modes *found = find(&s, count, 0);
        assert_int_equal(found->n_zero, 6);
        check(&s, found, 0, 1e-12);
        routh_modes_free(found);
        check_near(&s, count, 3 * I, 1e-12);
        check_near(&s, count, -1, 1e-12);
    }
    release(&s);
}

/* Two discs that rest side by side, joined along their way: one mode, and zeros in chains in parts
 * that nothing joins to others. */
static void discs_in_parts_keep_all_their_zeros(void **state)
{
    (void)state;
    system_of s;
    make(&s,
         "bodies:\n"
         "  a: {mass: 0.5, inertia: [0.02, 0.04, 0.02], position: [0, 0, 0.25]}\n"
         "  b: {mass: 2.35, inertia: [0.02, 0.04, 0.02], position: [0, 3, 0.25]}\n"
         "markers:\n"
         "  axle_a: {body: a, orientation: {axis: [1, 0, 0], angle: -90 deg}}\n"
         "  axle_b: {body: b, orientation: {axis: [1, 0, 0], angle: -90 deg}}\n"
         "joints:\n"
         "  contact_a: {type: rolling, between: [axle_a, ground], radius: 0.25}\n"
         "  contact_b: {type: rolling, between: [axle_b, ground], radius: 0.25}\n"
         "loads:\n"
         "  f: {type: force, on: a, reaction_on: b,\n"
         "      components: [\"-100*DX(a, b)\", 0, \"-100*DZ(a, b)\"]}\n");
    assert_int_equal(s.linear->n_states, 16);
    for (int count = 1; count <= 16; count += 5) {
        routh_modes *found = find(&s, count, 0);
        assert_int_equal(found->n_zero, 14);
        assert_true(found->wanted.regions[0].radius > 1);
        routh_modes_free(found);
    }
    release(&s);
}

/* A long row of such discs, the matrices in extended precision: each has six zeros, and the row two
 * more. What a right angle's cosine is off by is no pivot, and bounds that grow along the row do
 * not make zeros of modes. */
static void a_row_of_discs_keeps_its_modes(void **state)
{
    (void)state;
    for (int n = 24; n <= 40; n += 16) {
        growing_text text = {0};
        test_mechanism t;
        routh_error error;
        routh_modes *all = NULL;
        routh_linear_options options = routh_linear_defaults();
        options.extended = 1;
        text_add(&text, "bodies:\n");
        for (int i = 0; i < n; i++)
            text_add(&text,
                     "  b%d: {mass: %g, inertia: [0.02, 0.04, 0.02], position: [0, %d, 0.25]}\n", i,
                     0.5 + 0.37 * (i * 5 % 7), 3 * i);
        text_add(&text, "markers:\n");
        for (int i = 0; i < n; i++)
            text_add(&text,
                     "  a%d: {body: b%d, orientation: {axis: [1, 0, 0], angle: -90 deg}}\n", i, i);
        text_add(&text, "joints:\n");
        for (int i = 0; i < n; i++)
            text_add(&text, "  c%d: {type: rolling, between: [a%d, ground], radius: 0.25}\n", i, i);
        text_add(&text, "loads:\n");
        for (int i = 1; i < n; i++)
            text_add(&text,
                     "  f%d: {type: force, on: b%d, reaction_on: b%d,\n"
                     "       components: [\"-100*DX(b%d, b%d)\", 0, \"-100*DZ(b%d, b%d)\"]}\n",
                     i, i - 1, i, i - 1, i, i - 1, i);
        mechanism_make(&t, text.bytes);
        routh_operating_point *point = mechanism_point(&t);
        routh_linear *linear;
        if (routh_linear_compute(&linear, t.m, point, &options, &error) ||
            routh_modes_compute(&all, linear, &error))
            fail_msg("%s", error.message);
        int oscillate = 0;
        for (int k = 0; k < all->n; k++) oscillate += all->modes[k].eigenvalue[1] > 0.1;
        assert_int_equal(oscillate, n - 1);
        assert_int_equal(all->n_zero, 6 * n + 2);
        routh_modes_free(all);
        routh_linear_free(linear);
        routh_operating_point_free(point);
        mechanism_release(&t);
        free(text.bytes);
    }
}

/* Joints whose axes turn: a spinning ball on a swinging arm on a turntable. */
static void joints_turn_with_what_they_join(void **state)
{
    (void)state;
    system_of s;
    make(&s, "gravity: [0, 0, -9.81]\n"
             "bodies:\n"
             "  table: {mass: 5, inertia: [1, 1, 2], angular_velocity: [0, 0, 3]}\n"
             "  arm: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0, -0.5],\n"
             "        velocity: [0, 3, 0.4], angular_velocity: [0, -0.8, 3]}\n"
             "  ball: {mass: 1, inertia: [0.3, 0.2, 0.2], position: [1.6, 0, -1],\n"
             "         velocity: [0, 4.8, 0.88], angular_velocity: [5, -0.8, 3]}\n"
             "joints:\n"
             "  pivot: {type: revolute, between: [table, ground], at: [0, 0, 0], axis: z}\n"
             "  hinge: {type: revolute, between: [arm, table], at: [0.5, 0, 0], axis: y}\n"
             "  axle: {type: revolute, between: [ball, arm], at: [1.6, 0, -1], axis: x}\n");
    assert_int_equal(s.linear->n_states, 6);
    for (int count = 1; count <= 6; count++) check_near(&s, count, 0.3 * count * I, 1e-11);
    release(&s);
}

/* carts with a lagging controller each, in pairs that nothing joins */
static void add_pairs(growing_text *text, int n)
{
    text_add(text, "bodies:\n");
    for (int i = 0; i < 2 * n; i++) text_add(text, "  b%d: {mass: 2, inertia: [1, 1, 1]}\n", i);
    text_add(text, "joints:\n");
    for (int i = 0; i < 2 * n; i++)
        text_add(text, "  j%d: {type: translational, between: [b%d, ground], axis: x}\n", i, i);
    text_add(text, "loads:\n");
    for (int i = 0; i < n; i++)
        text_add(text,
                 "  g%d: {type: bushing, between: [b%d, ground], at: [0, 0, 0],\n"
                 "        translation: {stiffness: [90, 0, 0], damping: [1, 0, 0]}}\n"
                 "  c%d: {type: bushing, between: [b%d, b%d], at: [0, 0, 0],\n"
                 "        translation: {stiffness: [40, 0, 0], damping: [0.5, 0, 0]}}\n"
                 "  f%d: {type: force, on: b%d, components: [-x%d, 0, 0]}\n",
                 i, 2 * i, i, 2 * i, 2 * i + 1, i, 2 * i + 1, i);
    text_add(text, "controllers:\n");
    for (int i = 0; i < n; i++)
        text_add(text, "  x%d: {type: differential, rate: \"9*VX(b%d) + 30*DX(b%d) - 4*x%d\"}\n", i,
                 2 * i + 1, 2 * i + 1, i);
}

static void machines_side_by_side_have_equal_modes(void **state)
{
    (void)state;
    enum { N = 40 };
    growing_text text = {0};
    system_of s;
    add_pairs(&text, N);
    make(&s, text.bytes);
    routh_modes *found = find(&s, 3, 5 * I);
    assert_int_equal(found->n, 2 * N); /* a pair, N times */
    for (int k = 0; k < found->n; k++) assert_int_equal(found->modes[k].multiplicity, N);
    check(&s, found, 5 * I, 1e-11);
    routh_modes_free(found);
    for (int k = 0; k < 8; k++) check_near(&s, 2 + k, -3 + 0.9 * k * (1 + I), 1e-11);
    free(text.bytes);
    release(&s);
}

static void more_equal_modes_than_are_given_are_told(void **state)
{
    (void)state;
    enum { N = 150 };
    growing_text text = {0};
    system_of s;
    add_pairs(&text, N);
    mechanism_make(&s.t, text.bytes);
    routh_error error;
    s.point = mechanism_point(&s.t);
    assert_int_equal(routh_descriptor_compute(&s.descriptor, s.t.m, s.point, NULL, &error), 0);
    routh_modes *found = find(&s, 6, 5 * I);
    assert_int_equal(found->n, 6);
    for (int k = 0; k < found->n; k++) assert_int_equal(found->modes[k].multiplicity, N);
    /* none of these copies is in the disc that is said to be known */
    assert_true(found->wanted.regions[0].radius < distance(value(found, 0), 5 * I));
    routh_modes_free(found);
    s.all = NULL, s.linear = NULL;
    free(text.bytes);
    release(&s);
}

/* ---- large ones: by iteration, with the winding number --------------------------------------- */

/* A row of carts, each tenth with a controller. */
static void a_row_of_carts_with_controllers(void **state)
{
    (void)state;
    enum { N = 100 };
    growing_text text = {0};
    system_of s;
    text_add(&text, "bodies:\n");
    for (int i = 0; i < N; i++) text_add(&text, "  b%d: {mass: 2, inertia: [1, 1, 1]}\n", i);
    text_add(&text, "joints:\n");
    for (int i = 0; i < N; i++)
        text_add(&text, "  j%d: {type: translational, between: [b%d, ground], axis: x}\n", i, i);
    text_add(&text, "loads:\n");
    for (int i = 1; i < N; i++)
        text_add(&text,
                 "  c%d: {type: bushing, between: [b%d, b%d], at: [0, 0, 0],\n"
                 "        translation: {stiffness: [%d, 0, 0], damping: [%g, 0, 0]}}\n",
                 i, i, i - 1, 400 + i, 0.01 * (i % 7));
    for (int i = 0; i < N; i += 10)
        text_add(&text, "  f%d: {type: force, on: b%d, components: [-x%d, 0, 0]}\n", i, i, i);
    text_add(&text, "controllers:\n");
    for (int i = 0; i < N; i += 10)
        text_add(&text, "  x%d: {type: differential, rate: \"90*VX(b%d) + 30*DX(b%d) - %d*x%d\"}\n",
                 i, i, i, 4 + i, i);
    make(&s, text.bytes);
    assert_true(s.all->n > 200);
    for (int k = 0; k < 6; k++) {
        if (!is_chosen(k, 3)) continue;
        check_near(&s, 4 + k, 4.9 * k * I, 1e-9);
        check_near(&s, 3 + 2 * k, -0.3 * k + (20.0 - k) * I, 1e-9);
        check_near(&s, 2 + k, -0.5 - 3.1 * k, 1e-9);
    }
    free(text.bytes);
    release(&s);
}

/* Discs that spin in a row: gyroscopic, and free to turn about their axis. */
static void spinning_discs_in_a_row(void **state)
{
    (void)state;
    enum { N = 18 };
    growing_text text = {0};
    system_of s;
    text_add(&text, "bodies:\n");
    for (int i = 0; i < N; i++)
        text_add(&text,
                 "  d%d: {mass: 3, inertia: [0.5, 0.3, 0.3], position: [%d, 0, 0],\n"
                 "       angular_velocity: [40, 0, 0]}\n",
                 i, i);
    text_add(&text, "loads:\n");
    for (int i = 0; i < N; i++)
        text_add(&text,
                 "  g%d: {type: bushing, between: [d%d, ground], at: [%d, 0, 0],\n"
                 "        translation: {stiffness: %d, damping: 0.3}}\n",
                 i, i, i, 900 + 11 * i);
    for (int i = 1; i < N; i++)
        text_add(&text,
                 "  c%d: {type: bushing, between: [d%d, d%d], at: [%g, 0, 0],\n"
                 "        rotation: {stiffness: [70, 50, 50]}}\n",
                 i, i, i - 1, i - 0.5);
    make(&s, text.bytes);
    assert_true(s.all->n > 200);
    assert_int_equal(s.all->n_zero, 4); /* it turns, and stands in any direction */
    for (int k = 0; k < 5; k++) {
        check_near(&s, 3 + k, 0, 1e-8);
        check_near(&s, 4 + k, 17.3 * k * I, 1e-8);
        check_near(&s, 5 + k, -0.1 + (3 + 14.7 * k) * I, 1e-8);
    }
    free(text.bytes);
    release(&s);
}

/* Rotors on bushings whose rotational stiffness depends on how far they have turned: nothing is
 * accelerated, and yet the motion is not steady. */
static void a_change_of_stiffness_is_no_steady_motion(void **state)
{
    (void)state;
    enum { N = 18 };
    growing_text text = {0};
    system_of s;
    text_add(&text, "bodies:\n");
    for (int i = 0; i < N; i++)
        text_add(&text,
                 "  d%d: {mass: 2, inertia: [0.3, 0.3, 0.5], position: [0, %d, 0],\n"
                 "       angular_velocity: [0, 0, 13]}\n",
                 i, i);
    text_add(&text, "loads:\n");
    for (int i = 0; i < N; i++)
        text_add(&text,
                 "  g%d: {type: bushing, between: [d%d, ground], at: [0, %d, 0],\n"
                 "        translation: {stiffness: %d}, rotation: {stiffness: [50, 50, 0]}}\n",
                 i, i, i, 30 + i);
    make(&s, text.bytes);
    assert_true(s.all->n > 200);
    assert_int_equal(s.linear->steady, 0);
    assert_int_equal(s.descriptor->linear->steady, 0);
    free(text.bytes);
    release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rolling_disc_has_its_zeros),
        cmocka_unit_test(discs_in_parts_keep_all_their_zeros),
        cmocka_unit_test(a_change_of_stiffness_is_no_steady_motion),
        cmocka_unit_test(a_row_of_discs_keeps_its_modes),
        cmocka_unit_test(joints_turn_with_what_they_join),
        cmocka_unit_test(machines_side_by_side_have_equal_modes),
        cmocka_unit_test(more_equal_modes_than_are_given_are_told),
        cmocka_unit_test(a_row_of_carts_with_controllers),
        cmocka_unit_test(spinning_discs_in_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
