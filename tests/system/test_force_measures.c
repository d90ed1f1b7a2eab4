/* Force measures in expressions: r's partials by configuration, velocity, acceleration and
 * multipliers against differences, where loads use the forces of joints and of other loads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/routh.h"
#include "system/system.h"

static const char model_text[] =
    "gravity: [0.3, -9.81, 0.7]\n"
    "bodies:\n"
    "  a: {mass: 2, inertia: [0.2, 0.3, 0.25], position: [0.5, 0.1, 0.2], orientation: {rpy: [0.2, "
    "-0.3, 0.5]}}\n"
    "  b: {mass: 3, inertia: [0.5, 0.4, 0.3], position: [1.4, -0.2, 0.1], orientation: {rpy: "
    "[-0.4, 0.1, 0.9]}}\n"
    "markers:\n"
    "  a1: {body: a, position: [-0.4, 0.1, 0]}\n"
    "  a2: {body: a, position: [0.5, 0.05, -0.1], orientation: {rpy: [0.3, 0.2, 0.1]}}\n"
    "  b1: {body: b, position: [-0.5, 0, 0.2]}\n"
    "  b2: {body: b, position: [0.3, 0.2, 0.1], orientation: {rpy: [0.1, -0.5, 0.4]}}\n"
    "  g1: {body: ground, position: [0.2, 1.5, 0.3]}\n"
    "  g2: {body: ground, position: [0.1, 0.1, 0.2]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [a1, g2], axis: z}\n"
    "  base: {type: revolute, between: [g2, a2], axis: [1, 2, 3]}\n"
    "  rod: {type: rod, between: [a2, b1], length: 0.8}\n"
    "  wall: {type: inplane, between: [ground, b2], axis: x}\n"
    "  spin: {type: spherical, between: [ground, a1]}\n"
    "  roll: {type: spherical, between: [a1, b1]}\n"
    "  law: {type: coupler, joints: [spin, roll], coordinates: [rz, rz], ratios: [2, -3]}\n"
    "loads:\n"
    "  s: {type: spring, between: [b2, g1], stiffness: 40, damping: 3, free_length: 1}\n"
    "  m: {type: bushing, between: [g1, b1], translation: {stiffness: 20, damping: 2}, rotation: "
    "{stiffness: 5, "
    "damping: 1}}\n"
    "  post: {type: bushing, between: [ground, a1], translation: {stiffness: 15, damping: 1}, "
    "rotation: {stiffness: 3, damping: 1}}\n"
    "  twist: {type: torque, on: b, components: ['0.1*TX(post, a)', '0.2*FY(post, b)*VX(b)', "
    "'0.3*TZ(wall, a) + 0.1*FX(wall)']}\n"
    "  friction: {type: torque, on: a, components: [0, '0.2*TX(pin, b)', '-0.3*FM(pin)*WZ(a)'], "
    "resolved_in: b2}\n"
    "  drag: {type: force, on: b1, reaction_on: a2, components: ['0.1*FY(s, a2)*VX(b, a)', "
    "'0.2*FX(rod, b2)', "
    "'0.05*FZ(m, a)^2']}\n"
    "  push: {type: force, on: ground, components: ['0.3*FX(s)', '2*VX(a)', '3*sin(DZ(b, a))'], "
    "resolved_in: a2}\n"
    "  turn: {type: torque, on: ground, components: [1, 'DX(b)', 0], resolved_in: b2}\n"
    "  answer: {type: torque, on: b2, components: ['0.1*FX(push, b1) + 0.2*FY(push)', "
    "'0.1*TZ(turn, a) + 0.1*TX(push)', '0.05*TZ(law) + 0.1*TX(law, b) + 0.1*FX(law, a)']}\n"
    "  chain: {type: spring, between: [a2, b2], stiffness: 12, damping: 1, free_length: 0.4, "
    "preload: 2, force: '0.3*FX(drag) - 0.2*TZ(m, b) + 0.1*TY(base) "
    "+ "
    "0.05*ACCX(b, a)*FZ(base, a)'}\n";

typedef struct fixture {
    routh_model *model;
    routh_mechanism *mechanism;
    rt_workspace *w;
    rt_state *state, *moved;
} fixture;

static double uniform(void) { return 2.0 * rand() / RAND_MAX - 1; }

static int set_up(void **context)
{
    static fixture f;
    routh_error error;
    srand(7);
    if (routh_model_parse(&f.model, model_text, sizeof model_text - 1, "model", NULL, 0, &error) ||
        routh_mechanism_compile(&f.mechanism, f.model, NULL, &error)) {
        print_message("%s: %s\n", error.element, error.message);
        return -1;
    }
    if (rt_workspace_create(&f.w, f.mechanism, &error) ||
        rt_state_create(&f.state, f.mechanism, &error) ||
        rt_state_create(&f.moved, f.mechanism, &error))
        return -1;
    *context = &f;
    return 0;
}

static int tear_down(void **context)
{
    fixture *f = *context;
    rt_state_free(f->state);
    rt_state_free(f->moved);
    rt_workspace_free(f->w);
    routh_mechanism_free(f->mechanism);
    routh_model_free(f->model);
    return 0;
}

enum { CONFIGURATION, VELOCITY, ACCELERATION, MULTIPLIER };

/* r with variable `which` number k moved by h */
static void residual(fixture *f, int which, int k, double h, double *r)
{
    double xi[64] = {0};
    routh_error error;
    rt_state_copy(f->mechanism, f->moved, f->state);
    xi[k] = h;
    if (which == CONFIGURATION) f->mechanism->set->advance(f->mechanism->n_bodies, f->moved->q, xi);
    if (which == VELOCITY) f->moved->u[k] += h;
    if (which == ACCELERATION) f->moved->udot[k] += h;
    if (which == MULTIPLIER) f->moved->lambda[k] += h;
    assert_int_equal(rt_evaluate(f->mechanism, f->w, f->moved, RT_EVALUATE_RESIDUAL, &error),
                     ROUTH_OK);
    memcpy(r, f->w->residual, (size_t)f->mechanism->n_u * sizeof *r);
}

/* Central differences of order 6. */
static void difference(fixture *f, int which, int k, double *d)
{
    static const double weight[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double h = 5e-3;
    double plus[64], minus[64];
    memset(d, 0, (size_t)f->mechanism->n_u * sizeof *d);
    for (int i = 0; i < 3; i++) {
        residual(f, which, k, (i + 1) * h, plus);
        residual(f, which, k, -(i + 1) * h, minus);
        for (int c = 0; c < f->mechanism->n_u; c++) d[c] += weight[i] * (plus[c] - minus[c]) / h;
    }
}

static double entry(const rt_pattern *p, const double *values, int row, int column)
{
    for (int e = p->start[column]; e < p->start[column + 1]; e++)
        if (p->row[e] == row) return values[e];
    return 0;
}

static double partial(const fixture *f, int which, int row, int k)
{
    const routh_mechanism *m = f->mechanism;
    switch (which) {
    case CONFIGURATION: return entry(&m->pattern_K, f->w->K, row, k);
    case VELOCITY: return entry(&m->pattern_K, f->w->D, row, k);
    case ACCELERATION: return entry(&m->pattern_M, f->w->M, row, k);
    default: return entry(&m->pattern_G, f->w->G, k, row) + entry(&m->pattern_L, f->w->L, row, k);
    }
}

static void check(fixture *f, int which, int n)
{
    double d[64], worst = 0, size = 0;
    routh_error error;
    for (int k = 0; k < n; k++) {
        difference(f, which, k, d);
        assert_int_equal(rt_evaluate(f->mechanism, f->w, f->state, RT_EVALUATE_ALL, &error),
                         ROUTH_OK);
        for (int c = 0; c < f->mechanism->n_u; c++) {
            assert_true(isfinite(partial(f, which, c, k))); /* fmax would pass over a NaN */
            worst = fmax(worst, fabs(partial(f, which, c, k) - d[c]));
            size = fmax(size, fabs(d[c]));
        }
    }
    if (worst > 1e-8 * size) print_message("partial %d: %g of %g\n", which, worst, size);
    assert_true(worst <= 1e-8 * size);
}

static void scatter(fixture *f, double speed, double acceleration)
{
    const routh_mechanism *m = f->mechanism;
    double xi[64];
    memcpy(f->state->q, m->start_q, (size_t)m->n_q * sizeof(double));
    for (int c = 0; c < m->n_u; c++) {
        xi[c] = 0.2 * uniform();
        f->state->u[c] = speed * uniform();
        f->state->udot[c] = acceleration * uniform();
    }
    m->set->advance(m->n_bodies, f->state->q, xi);
    for (int r = 0; r < m->n_rows; r++) f->state->lambda[r] = 5 * uniform();
}

static void partials_agree_with_differences(void **context)
{
    fixture *f = *context;
    for (int trial = 0; trial < 40; trial++) {
        scatter(f, trial % 2 ? 1 : 0, trial % 4 > 1 ? 2 : 0);
        check(f, CONFIGURATION, f->mechanism->n_u);
        check(f, VELOCITY, f->mechanism->n_u);
        check(f, ACCELERATION, f->mechanism->n_u);
        check(f, MULTIPLIER, f->mechanism->n_rows);
    }
}

/* A force given by stiffness and damping, by an expression, or half by each, is one force. */
static void linear_part_and_expression_add(void **context)
{
    (void)context;
    static const char *const law[] = {
        "stiffness: 30, damping: 4, free_length: 0.5", "force: '-30*(DM(m) - 0.5) - 4*VR(m)'",
        "stiffness: 10, damping: 3, free_length: 0.5, force: '-20*(DM(m) - 0.5) - VR(m)'"};
    double force[3][1], mode[3][2];
    for (int k = 0; k < 3; k++) {
        char model[512];
        routh_error error;
        routh_model *m;
        routh_mechanism *mechanism;
        routh_operating_point *point;
        routh_linear *linear;
        snprintf(model, sizeof model,
                 "bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0.3, "
                 "0, 0]}}\n"
                 "markers: {m: {body: b}}\n"
                 "joints: {slide: {type: translational, between: [b, ground], axis: x}}\n"
                 "loads: {s: {type: spring, between: [m, ground], %s}}\n",
                 law[k]);
        assert_int_equal(routh_model_parse(&m, model, strlen(model), "m", NULL, 0, &error),
                         ROUTH_OK);
        assert_int_equal(routh_mechanism_compile(&mechanism, m, NULL, &error), ROUTH_OK);
        assert_int_equal(routh_operating_point_find(&point, mechanism, NULL, &error), ROUTH_OK);
        assert_int_equal(routh_linear_compute(&linear, mechanism, point, NULL, &error), ROUTH_OK);
        force[k][0] = point->reactions[1].force[0];
        mode[k][0] = linear->A[2], mode[k][1] = linear->A[3];
        routh_linear_free(linear);
        routh_operating_point_free(point);
        routh_mechanism_free(mechanism);
        routh_model_free(m);
    }
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(force[k][0] + 30 * 0.5 + 4 * 0.3) < 1e-12);
        assert_true(fabs(mode[k][0] + 15) < 1e-12 && fabs(mode[k][1] + 2) < 1e-12);
    }
}

/* A joint between ground and body gives opposite reactions, whichever marker comes first. */
static void reaction_is_seen_from_both_ends(void **context)
{
    (void)context;
    static const char text[] = "gravity: [0, 0, -10]\n"
                               "bodies: {w: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
                               "markers: {o: {body: w, position: [-1, 0, 0]}}\n"
                               "joints: {hold: {type: fixed, between: [%s]}}\n";
    static const char *const order[] = {"o, ground", "ground, o"};
    for (int k = 0; k < 2; k++) {
        char model[512];
        routh_error error;
        routh_model *m;
        routh_mechanism *mechanism;
        routh_operating_point *point;
        snprintf(model, sizeof model, text, order[k]);
        assert_int_equal(routh_model_parse(&m, model, strlen(model), "m", NULL, 0, &error),
                         ROUTH_OK);
        assert_int_equal(routh_mechanism_compile(&mechanism, m, NULL, &error), ROUTH_OK);
        assert_int_equal(routh_operating_point_find(&point, mechanism, NULL, &error), ROUTH_OK);
        const double sign = k ? -1 : 1; /* weight 20 N at 1 m: the hold lifts by 20 N and turns
                                           by -20 N m about y */
        assert_true(fabs(point->reactions[0].force[2] - 20 * sign) < 1e-12);
        assert_true(fabs(point->reactions[0].torque[1] + 20 * sign) < 1e-12);
        routh_operating_point_free(point);
        routh_mechanism_free(mechanism);
        routh_model_free(m);
    }
}

/* What a system at rest does to the ground, from statics alone. */
static void check_signals(const char *model, const double *wanted, int n)
{
    routh_error error = {0};
    routh_model *m;
    routh_mechanism *mechanism;
    routh_operating_point *point = NULL;
    if (routh_model_parse(&m, model, strlen(model), "m", NULL, 0, &error) ||
        routh_mechanism_compile(&mechanism, m, NULL, &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error))
        fail_msg("%s: %s", error.element, error.message);
    assert_true(point->n_signals >= n);
    for (int k = 0; k < n; k++)
        if (!(fabs(point->signals[k].value - wanted[k]) < 1e-11))
            fail_msg("%s is %.12g, not %.12g", point->signals[k].name, point->signals[k].value,
                     wanted[k]);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(m);
}

/* A force and a torque on the ground are what their components say, with and without a reaction;
 * the force's reaction on p, 0.6 away in y from where it acts, is not a torque on the ground. */
static void a_force_on_ground_is_measured(void **context)
{
    (void)context;
    static const char model[] =
        "bodies: {b: {mass: 2, inertia: [1, 2, 3], position: [0.5, 0.3, 0]}}\n"
        "markers: {p: {body: b, position: [0, 0.3, 0], orientation: {rpy: [0, 0, pi/2]}}}\n"
        "joints: {w: {type: fixed, between: [b, ground]}}\n"
        "loads:\n"
        "  f: {type: force, on: ground, components: [3, 4, 0]}\n"
        "  g: {type: force, on: ground, components: [3, 4, 0], reaction_on: p}\n"
        "  r: {type: force, on: ground, components: [3, 4, 0], resolved_in: p}\n"
        "  t: {type: torque, on: ground, components: [0, 0, 2.45]}\n"
        "outputs: {a: FX(f), b: 'FX(f, p)', c: FM(f), d: TZ(f), fx: FX(g), f: TZ(g), g: FX(r), h: "
        "'FY(r, p)', i: TZ(t), j: TM(t), k: FX(t)}\n";
    static const double wanted[] = {3, 4, 5, 0, 3, 0, -4, 4, 2.45, 2.45, 0};
    check_signals(model, wanted, 11);
}

/* A coupler 2 q1 = 3 q2 of hinges from the ground to a and from a to b, one marker on a for both:
 * with q1 = -A, q2 = A - B the virtual work of torques 1 on a and 0.5 on b and of the spring T on
 * b is A + (0.5 + T) B = 0 with 3 B = 5 A, so T = -1.1; on b the coupler does 0.6, on a -1, on the
 * ground what is left, 0.4. Were both hinges on the ground, 2 A = 3 B with A + (0.5 + T) B = 0: T =
 * -2, the coupler does 1.5 to b, -1 to a, -0.5 to the ground. */
static void a_coupler_on_ground_is_measured(void **context)
{
    (void)context;
    static const char model[] =
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 2, inertia: [1, 2, 3]}, b: {mass: 2, inertia: [1, 2, 3]}}\n"
        "joints:\n"
        "  h1: {type: revolute, between: [ground, a]}\n"
        "  h2: {type: revolute, between: [%s, b]}\n"
        "  c: {type: coupler, joints: [h1, h2], ratios: [2, -3]}\n"
        "loads:\n"
        "  t: {type: torque, on: a, components: [0, 0, 1]}\n"
        "  u: {type: torque, on: b, components: [0, 0, 0.5]}\n"
        "  s: {type: torsion_spring, between: [b, ground], axis: z, stiffness: 100}\n"
        "outputs: {torque: TZ(c), force: FX(c), spring: TZ(s)}\n"
        "operating_point: {type: static}\n";
    static const double wanted[2][3] = {{0.4, 0, -1.1}, {-0.5, 0, -2}};
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text, model, k ? "ground" : "a");
        check_signals(text, wanted[k], 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partials_agree_with_differences),
        cmocka_unit_test(linear_part_and_expression_add),
        cmocka_unit_test(reaction_is_seen_from_both_ends),
        cmocka_unit_test(a_force_on_ground_is_measured),
        cmocka_unit_test(a_coupler_on_ground_is_measured),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
