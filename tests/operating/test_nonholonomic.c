/* Operating points of mechanisms with nonholonomic joints: a disc that rolls, against its textbook
 * equations; blades, at rest and against other joints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "operating/operating.h"
#include "support/effort.h"
#include "support/mechanisms.h"

/* ---- a disc rolling on the ground ------------------------------------------------------------ */

static const double mass = 1.7, radius = 0.6, diametral = 0.15, polar = 0.29, gravity = 9.81;

/* Mass m, radius r, moments A about a diameter and C about the axle; the plane is z = 0. e1 along
 * the horizontal diameter, e3 along the axle, theta from the vertical, e2 up in the disc. With the
 * angular velocity w = w1 e1 + w2 e2 + w3 e3, that of the axes e_k is W = (w1, w2, w2 cot theta):
 *     (A + m r^2) w1' = A w2 W3 - (C + m r^2) w2 w3 - m g r cos theta
 *     A w2'           = C w3 w1 - A w1 W3
 *     (C + m r^2) w3' = m r^2 w1 w2
 * (Neimark and Fufaev, Dynamics of Nonholonomic Systems, 1972; here from the angular momentum about
 * the centre: H' = -r e2 x F, F = m (a + g), v = w x r e2). */
typedef struct disc {
    double theta, w[3];
    double e[3][3]; /* e_k in the world */
    double rate[3]; /* w_k' */
    double v[3], a[3], spin[3], alpha[3];
} disc;

static void combine(double x[3], const double e[3][3], double c1, double c2, double c3)
{
    for (int i = 0; i < 3; i++) x[i] = c1 * e[0][i] + c2 * e[1][i] + c3 * e[2][i];
}

static void disc_move(disc *d)
{
    const double m = mass, r = radius, A = diametral, C = polar, c = cos(d->theta),
                 s = sin(d->theta);
    const double w1 = d->w[0], w2 = d->w[1], w3 = d->w[2], W3 = w2 * c / s;
    const double e[3][3] = {{1, 0, 0}, {0, c, s}, {0, -s, c}}, frame[3] = {w1, w2, W3};
    memcpy(d->e, e, sizeof e);
    d->rate[0] = (A * w2 * W3 - (C + m * r * r) * w2 * w3 - m * gravity * r * c) / (A + m * r * r);
    d->rate[1] = (C * w3 * w1 - A * w1 * W3) / A;
    d->rate[2] = m * r * r * w1 * w2 / (C + m * r * r);
    double W[3], turn[3];
    combine(d->spin, e, w1, w2, w3);
    combine(W, e, frame[0], frame[1], frame[2]);
    combine(d->v, e, -r * w3, 0, r * w1);
    combine(d->a, e, -r * d->rate[2], 0, r * d->rate[0]);
    rt_v3_cross(turn, W, d->v);
    rt_v3_add(d->a, d->a, turn);
    combine(d->alpha, e, d->rate[0], d->rate[1], d->rate[2]);
    rt_v3_cross(turn, W, d->spin);
    rt_v3_add(d->alpha, d->alpha, turn);
}

static void disc_text(const disc *d, growing_text *text)
{
    text_add(text,
             "gravity: [0, 0, %.17g]\n"
             "bodies:\n"
             "  disc: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [0.3, -0.2, %.17g],\n"
             "    orientation: {axis: [1, 0, 0], angle: %.17g},\n"
             "    angular_velocity: [%.17g, %.17g, %.17g]}\n"
             "joints: {rolls: {type: rolling, between: [disc, ground], radius: %.17g}}\n",
             -gravity, mass, diametral, diametral, polar, radius * sin(d->theta), d->theta,
             d->spin[0], d->spin[1], d->spin[2], radius);
}

static void assert_near(const double *found, const double *expected, double size, const char *what,
                        const char *coordinates)
{
    for (int i = 0; i < 3; i++)
        if (!(fabs(found[i] - expected[i]) <= 1e-11 * fmax(1, size)))
            fail_msg("%s in %s coordinates, component %d: %.15g and not %.15g", what, coordinates,
                     i, found[i], expected[i]);
}

/* What the textbook says keeps the rows, whatever the search makes of it. */
static void check_rows(const test_mechanism *t, const disc *d)
{
    routh_error error;
    double local[3];
    rt_state *s = t->state;
    rt_v3_copy(s->u, d->v);
    rt_v3_copy(s->udot, d->a);
    for (int k = 0; k < 3; k++) {
        local[k] = rt_v3_dot(d->e[k], d->spin);
        s->u[3 + k] = local[k];
        s->udot[3 + k] = rt_v3_dot(d->e[k], d->alpha);
    }
    assert_int_equal(rt_evaluate(t->m, t->w, s, RT_EVALUATE_PHI, &error), ROUTH_OK);
    assert_int_equal(t->m->n_nonholonomic, 2);
    const double speed = largest_of(s->u, 6), acceleration = largest_of(s->udot, 6);
    assert_true(fabs(t->w->phi[0][0]) < 1e-15);
    for (int r = 0; r < 3; r++) {
        assert_true(t->m->nonholonomic[r] == (r > 0));
        assert_true(r == 0 || t->w->phi[0][r] == 0);
        assert_true(fabs(t->w->phi[1][r]) < 1e-14 * fmax(1, speed));
        assert_true(fabs(t->w->phi[2][r]) < 1e-13 * fmax(1, acceleration));
    }
}

/* The multipliers are minus R = m (a + g) of the contact: the first row pushes along z only, the
 * others along x and y. */
static void check_forces(const routh_mechanism *m, const double *lambda, const disc *d,
                         double acceleration)
{
    const double *row = lambda + m->constraints[0].constraint.first_row;
    const double found[3] = {row[1], row[2], row[0]};
    double expected[3];
    for (int i = 0; i < 3; i++) expected[i] = -mass * (d->a[i] + (i == 2 ? gravity : 0));
    assert_near(found, expected, mass * fmax(acceleration, gravity), "the contact force",
                m->coordinates);
}

static void check_disc(const disc *d)
{
    growing_text text = {0};
    test_mechanism t;
    const char *coordinates;
    disc_text(d, &text);
    mechanism_make(&t, text.bytes);
    check_rows(&t, d);
    for (int set = 0; (coordinates = routh_coordinate_name(set)); set++) {
        routh_mechanism *m;
        rt_workspace *w = NULL;
        routh_operating_point *p = NULL;
        routh_error error;
        if (routh_mechanism_compile(&m, t.model, coordinates, &error) ||
            routh_operating_point_find(&p, m, NULL, &error) || rt_workspace_create(&w, m, &error))
            fail_msg("%s: %s", coordinates, error.message);
        assert_int_equal(p->degrees_of_freedom, 3);
        assert_int_equal(p->n_redundant, 0);
        assert_int_equal(rt_evaluate(m, w, p->state, RT_EVALUATE_ALL, &error), ROUTH_OK);
        const double speed = fmax(rt_v3_norm(d->v), rt_v3_norm(d->spin));
        const double acceleration = fmax(rt_v3_norm(d->a), rt_v3_norm(d->alpha));
        assert_near(w->bodies[0].v, d->v, speed, "velocity", coordinates);
        assert_near(w->bodies[0].w, d->spin, speed, "angular velocity", coordinates);
        assert_near(w->bodies[0].a, d->a, acceleration, "acceleration", coordinates);
        assert_near(w->bodies[0].al, d->alpha, acceleration, "angular acceleration", coordinates);
        check_forces(m, p->state->lambda, d, acceleration);
        rt_workspace_free(w);
        routh_operating_point_free(p);
        routh_mechanism_free(m);
    }
    mechanism_release(&t);
    free(text.bytes);
}

static void a_disc_rolls_as_the_textbook_says(void **state)
{
    random_stream random = {71};
    (void)state;
    for (int k = 0; k < with_effort(20); k++) {
        disc d = {.theta = 1.1 + 0.6 * random_real(&random)};
        for (int i = 0; i < 3; i++) d.w[i] = 4 * random_real(&random);
        disc_move(&d);
        check_disc(&d);
    }
}

/* On a circle: w1 = 0 and w1' = 0, the spin that goes with a lean and a turn. Nothing changes as
 * seen from the axes e_k, and the centre is drawn to the centre of its circle. */
static void a_disc_rolls_steadily_on_a_circle(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        disc d = {.theta = 0.5 + 0.15 * k};
        const double turn = 0.8 + 0.3 * k, c = cos(d.theta);
        d.w[1] = turn * sin(d.theta);
        d.w[2] = (diametral * d.w[1] * turn * c - mass * gravity * radius * c) /
                 ((polar + mass * radius * radius) * d.w[1]);
        disc_move(&d);
        assert_true(largest_of(d.rate, 3) < 1e-13);
        assert_true(fabs(rt_v3_norm(d.a) - turn * rt_v3_norm(d.v)) < 1e-12);
        check_disc(&d);
    }
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* The configuration may go five ways, the velocity three: two rows hold velocities only. */
static void positions_and_velocities_are_counted_apart(void **state)
{
    (void)state;
    growing_text text = {0};
    test_mechanism t;
    routh_error error;
    rt_search s;
    disc d = {.theta = 1.2, .w = {0.3, 0.5, -2}};
    disc_move(&d);
    disc_text(&d, &text);
    mechanism_make(&t, text.bytes);
    assert_int_equal(rt_search_create(&s, t.m, 1e-12, 100, &error), ROUTH_OK);
    assert_int_equal(rt_evaluate(t.m, s.w, s.state, RT_EVALUATE_JACOBIAN, &error), ROUTH_OK);
    assert_int_equal(rt_find_rank(&s, &error), ROUTH_OK);
    assert_int_equal(t.m->n_u - s.rank->rank, 3);
    assert_non_null(s.position_rank);
    assert_int_equal(t.m->n_u - s.position_rank->rank, 5);
    for (int r = 0; r < t.m->n_rows; r++)
        assert_true((s.position_rank->row_step[r] < 0) == t.m->nonholonomic[r]);
    rt_state_free(s.state);
    rt_search_release(&s);
    mechanism_release(&t);
    free(text.bytes);
    mechanism_make(&t, "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                       "joints: {h: {type: revolute, between: [a, ground]}}\n");
    assert_int_equal(rt_search_create(&s, t.m, 1e-12, 100, &error), ROUTH_OK);
    assert_int_equal(rt_evaluate(t.m, s.w, s.state, RT_EVALUATE_JACOBIAN, &error), ROUTH_OK);
    assert_int_equal(rt_find_rank(&s, &error), ROUTH_OK);
    assert_null(s.position_rank);
    rt_state_free(s.state);
    rt_search_release(&s);
    mechanism_release(&t);
}

/* ---- assembly -------------------------------------------------------------------------------- */

/* A blade across x is no obstacle to assembly along x, though steps along x are what it forbids. */
static void assembly_does_not_ask_nonholonomic_joints(void **state)
{
    (void)state;
    test_mechanism t;
    mechanism_make(&t, "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0.3, 0, 0]}}\n"
                       "joints:\n"
                       "  blade: {type: nonholonomic, expressions: [\"VY(a, ground, a) + "
                       "VX(a)\"]}\n"
                       "  flat: {type: planar, between: [a, ground]}\n"
                       "  place: {type: expression, expression: \"DX(a) - 0.5\"}\n");
    routh_operating_point *point = mechanism_point(&t);
    assert_true(fabs(point->bodies[0].position[0] - 0.5) < 1e-15);
    assert_int_equal(point->degrees_of_freedom, 1);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

/* ---- contradictions -------------------------------------------------------------------------- */

static void check_contradiction(const char *more, const char *element, const char *const *named,
                                const char *innocent)
{
    growing_text text = {0};
    test_mechanism t;
    routh_error error;
    routh_operating_point *point;
    text_add(&text,
             "bodies:\n"
             "  a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.2, 0, 0]}\n"
             "  b: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.7, 0, 0]}\n%s",
             more);
    mechanism_make(&t, text.bytes);
    assert_int_equal(routh_operating_point_find(&point, t.m, NULL, &error), ROUTH_NOT_ASSEMBLED);
    assert_string_equal(error.element, element);
    assert_true(error.line > 0);
    for (; *named; named++)
        if (!strstr(error.message, *named)) fail_msg("not named is %s: %s", *named, error.message);
    if (strstr(error.message, innocent)) fail_msg("named is %s: %s", innocent, error.message);
    mechanism_release(&t);
    free(text.bytes);
}

static void a_speed_that_joints_do_not_allow_names_both(void **state)
{
    (void)state;
    static const char *const held[] = {"joint hold (", "by 3", NULL};
    static const char *const chain[] = {"joint rail (", "joint tie (", NULL};
    check_contradiction("joints:\n"
                        "  hold: {type: fixed, between: [a, ground]}\n"
                        "  loose: {type: revolute, between: [a, b]}\n"
                        "  drive: {type: nonholonomic, expressions: [\"VX(a) - 3\"]}\n",
                        "joint drive", held, "loose");
    /* whichever comes first */
    check_contradiction("joints:\n"
                        "  drive: {type: nonholonomic, expressions: [\"VX(a) - 3\"]}\n"
                        "  hold: {type: fixed, between: [a, ground]}\n"
                        "  loose: {type: revolute, between: [a, b]}\n",
                        "joint drive", held, "loose");
    /* through two joints: b cannot move along y but with a, which cannot */
    check_contradiction("joints:\n"
                        "  rail: {type: translational, between: [a, ground], axis: x}\n"
                        "  tie: {type: fixed, between: [b, a]}\n"
                        "  drive: {type: nonholonomic, expressions: [\"VY(b) - 0.1\"]}\n",
                        "joint drive", chain, "the other joints");
}

/* ---- at rest --------------------------------------------------------------------------------- */

/* On a slope that falls along y: a blade at an angle to it, which slides but not across, on a
 * spring along the way it may go. The blade takes the weight across, the spring that along. */
static void a_blade_takes_what_is_across(void **state)
{
    (void)state;
    static const double angle = 0.4, m = 2, g = 9.81, k = 300;
    growing_text text = {0};
    test_mechanism t;
    text_add(
        &text,
        "gravity: [0, -9.81, 0]\n"
        "operating_point: {type: static}\n"
        "bodies: {a: {mass: 2, inertia: [0.1, 0.1, 0.1], orientation: {axis: [0, 0, 1], "
        "angle: %.17g}}}\n"
        "markers: {foot: {body: ground, orientation: {axis: [0, 0, 1], angle: %.17g}}}\n"
        "joints:\n"
        "  flat: {type: planar, between: [a, ground]}\n"
        "  blade: {type: knife_edge, between: [a, ground]}\n"
        "loads:\n"
        "  along: {type: force, on: a, components: [\"-300*DX(a, foot, foot)\", \"0\", \"0\"], "
        "resolved_in: foot}\n"
        "  straight: {type: torsion_spring, between: [a, foot], stiffness: 50, free_angle: 0}\n",
        angle, angle);
    mechanism_make(&t, text.bytes);
    const char *coordinates;
    for (int set = 0; (coordinates = routh_coordinate_name(set)); set++) {
        routh_mechanism *mechanism;
        routh_operating_point *p = NULL;
        routh_error error;
        if (routh_mechanism_compile(&mechanism, t.model, coordinates, &error) ||
            routh_operating_point_find(&p, mechanism, NULL, &error))
            fail_msg("%s: %s", coordinates, error.message);
        const double along = -m * g * sin(angle) / k;
        assert_true(fabs(p->bodies[0].position[0] - along * cos(angle)) < 1e-9);
        assert_true(fabs(p->bodies[0].position[1] - along * sin(angle)) < 1e-9);
        assert_int_equal(p->degrees_of_freedom, 2);
        /* G'lambda = f: across, down */
        const rt_constraint_block *blade = &mechanism->constraints[1];
        const double across = p->state->lambda[blade->constraint.first_row];
        if (!(fabs(across + m * g * cos(angle)) < 1e-8))
            fail_msg("%s: the blade takes %.12g", coordinates, across);
        routh_operating_point_free(p);
        routh_mechanism_free(mechanism);
    }
    mechanism_release(&t);
    free(text.bytes);
}

/* A blade that points across the slope carries the weight, m g; turned by theta it lets m g theta
 * along. So s along the blade and theta obey
 *     m s'' + k s + m g theta = 0,     I theta'' + c theta = 0
 * whose frequencies are those of the springs, though with m g > 2 sqrt(k c) the stiffness matrix
 * [k, m g; 0, c] is not definite; with c < 0 it is unstable. */
static void a_weight_on_a_blade_is_stable_as_its_springs_are(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        growing_text text = {0};
        test_mechanism t;
        routh_operating_point *p;
        routh_error error;
        routh_operating_point_options options = routh_operating_point_defaults();
        text_add(&text,
                 "gravity: [0, -9.81, 0]\n"
                 "operating_point: {type: static}\n"
                 "bodies: {a: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
                 "joints:\n"
                 "  flat: {type: planar, between: [a, ground]}\n"
                 "  blade: {type: knife_edge, between: [a, ground]}\n"
                 "loads:\n"
                 "  along: {type: force, on: a, components: [\"-5*DX(a)\", \"0\", \"0\"]}\n"
                 "  straight: {type: torsion_spring, between: [a, ground], stiffness: %d, "
                 "free_angle: 0}\n",
                 turn ? -10 : 10);
        mechanism_make(&t, text.bytes);
        options.accept_unstable = turn;
        assert_int_equal(routh_operating_point_find(&p, t.m, &options, &error), ROUTH_OK);
        assert_true(largest_of(p->bodies[0].position, 3) < 1e-9);
        assert_int_equal(p->n_warnings, turn);
        if (turn) assert_non_null(strstr(p->warnings[0], "unstable"));
        routh_operating_point_free(p);
        mechanism_release(&t);
        free(text.bytes);
    }
}

static void a_speed_asked_for_at_rest_is_refused(void **state)
{
    (void)state;
    test_mechanism t;
    routh_operating_point *p;
    routh_error error;
    mechanism_make(&t, "operating_point: {type: static}\n"
                       "bodies: {a: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
                       "joints: {belt: {type: nonholonomic, expressions: [\"VX(a) - 0.3\"]}}\n");
    assert_int_equal(routh_operating_point_find(&p, t.m, NULL, &error), ROUTH_NO_EQUILIBRIUM);
    assert_string_equal(error.element, "joint belt");
    assert_non_null(strstr(error.message, "0.3"));
    mechanism_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_rolls_as_the_textbook_says),
        cmocka_unit_test(a_disc_rolls_steadily_on_a_circle),
        cmocka_unit_test(positions_and_velocities_are_counted_apart),
        cmocka_unit_test(assembly_does_not_ask_nonholonomic_joints),
        cmocka_unit_test(a_speed_that_joints_do_not_allow_names_both),
        cmocka_unit_test(a_blade_takes_what_is_across),
        cmocka_unit_test(a_weight_on_a_blade_is_stable_as_its_springs_are),
        cmocka_unit_test(a_speed_asked_for_at_rest_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
