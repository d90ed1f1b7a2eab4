/* Functions of the caller (routh/function.h) against the same written as expressions: forces, a
 * constraint, a motion over time, variables, controllers and outputs, at rest and moving, in every
 * coordinate set by every method. With derivatives to 1e-12, without to 1e-8. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <routh/routh.h>

#include "closed_form/whole_model.h"
#include "support/effort.h"

/* ---- the functions --------------------------------------------------------------------------- */

/* k x + 900 x^3 + 30 |v| v + 4 v */
#define SPRING(x, v, k) "(" k "*" x " + 900*" x "^3 + 30*abs(" v ")*" v " + 4*" v ")"

static int spring(void *user, const double *x, double *f)
{
    (void)user;
    f[0] = x[2] * x[0] + 900 * x[0] * x[0] * x[0] + 30 * fabs(x[1]) * x[1] + 4 * x[1];
    return 0;
}

static int spring_gradient(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = x[2] + 2700 * x[0] * x[0];
    g[1] = 60 * fabs(x[1]) + 4;
    g[2] = x[0];
    return 0;
}

static int spring_hessian(void *user, const double *x, double *H)
{
    (void)user;
    memset(H, 0, 9 * sizeof *H);
    H[0] = 5400 * x[0];
    H[4] = x[1] > 0 ? 60 : x[1] < 0 ? -60 : 0;
    H[2] = H[6] = 1;
    return 0;
}

/* x (5 + 0.3 y^2) + sinh(x)/2 */
#define BUSH(x, y) "(" x "*(5 + 0.3*" y "^2) + sinh(" x ")/2)"

static int bush(void *user, const double *x, double *f)
{
    (void)user;
    f[0] = x[0] * (5 + 0.3 * x[1] * x[1]) + sinh(x[0]) / 2;
    return 0;
}

static int bush_gradient(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = 5 + 0.3 * x[1] * x[1] + cosh(x[0]) / 2;
    g[1] = 0.6 * x[0] * x[1];
    return 0;
}

static int bush_hessian(void *user, const double *x, double *H)
{
    (void)user;
    H[0] = sinh(x[0]) / 2;
    H[1] = H[2] = 0.6 * x[1];
    H[3] = 0.6 * x[0];
    return 0;
}

/* 20 sin(1.4 atan(3 s)) */
#define MAGIC(s) "(20*sin(1.4*atan(3*" s ")))"

static int magic(void *user, const double *x, double *f)
{
    (void)user;
    f[0] = 20 * sin(1.4 * atan(3 * x[0]));
    return 0;
}

static int magic_gradient(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = 20 * cos(1.4 * atan(3 * x[0])) * 1.4 * 3 / (1 + 9 * x[0] * x[0]);
    return 0;
}

static int magic_hessian(void *user, const double *x, double *H)
{
    (void)user;
    const double q = 1 + 9 * x[0] * x[0], a = 1.4 * atan(3 * x[0]), b = 4.2 / q;
    H[0] = -20 * sin(a) * b * b - 20 * cos(a) * 4.2 * 18 * x[0] / (q * q);
    return 0;
}

static int magic_complex(void *user, const double *x, double *f)
{
    (void)user;
    const double complex z = 20 * csin(1.4 * catan(3 * (x[0] + I * x[1])));
    f[0] = creal(z), f[1] = cimag(z);
    return 0;
}

/* x^2/2 + x^3/10 */
#define CURVE(x) "(" x "^2/2 + " x "^3/10)"

static int curve(void *user, const double *x, double *f)
{
    (void)user;
    f[0] = x[0] * x[0] / 2 + x[0] * x[0] * x[0] / 10;
    return 0;
}

static int curve_gradient(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = x[0] + 0.3 * x[0] * x[0];
    return 0;
}

static int curve_hessian(void *user, const double *x, double *H)
{
    (void)user;
    H[0] = 1 + 0.6 * x[0];
    return 0;
}

/* How much of them is given. */
enum { VALUES, GRADIENTS, COMPLEX, HESSIANS };

enum { N_FUNCTIONS = 4 };

static void functions_of(int given, routh_function list[N_FUNCTIONS])
{
    const routh_function all[N_FUNCTIONS] = {
        {"spring", 3, spring, spring_gradient, spring_hessian, NULL, NULL, NULL},
        {"bush", 2, bush, bush_gradient, bush_hessian, NULL, NULL, NULL},
        {"magic", 1, magic, magic_gradient, magic_hessian, NULL, NULL, NULL},
        {"curve", 1, curve, curve_gradient, curve_hessian, NULL, NULL, NULL}};
    memcpy(list, all, sizeof all);
    for (int k = 0; k < N_FUNCTIONS; k++) {
        if (given < HESSIANS) list[k].hessian = NULL;
        if (given < GRADIENTS) list[k].gradient = NULL;
    }
    if (given == COMPLEX) {
        list[2].complex_value = magic_complex;
        list[2].gradient = NULL;
    }
}

/* ---- the models ------------------------------------------------------------------------------ */

/* A slider, a bead on a wire and a carriage that is driven. */
static const char *const FORM =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {k: 700, g: 0.4}\n"
    "bodies:\n"
    "  a: {mass: 2, inertia: [1, 1, 1], position: [0.1, 0, 0]%s}\n"
    "  bead: {mass: 3, inertia: [1, 1, 1], position: [0.5, 0, 0.1375]%s}\n"
    "  cart: {mass: 1, inertia: [1, 1, 1], position: [0, 3, 0]}\n"
    "joints:\n"
    "  rail: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"
    "  wire: {type: expression, expression: 'DZ(bead) - %s'}\n"
    "  plane: {type: expression, expression: DY(bead)}\n"
    "  upright: {type: orientation, between: [bead, ground]}\n"
    "  track: {type: translational, between: [cart, ground], at: [0, 3, 0], axis: x}\n"
    "  drive: {type: motion, joint: track, function: '%s'}\n"
    "inputs: {push: 0.8}\n"
    "variables: {pull: '%s'}\n"
    "controllers:\n"
    "  filter: {type: differential, rate: '%s - 3*filter', initial: 0.4}\n"
    "loads:\n"
    "  on_a: {type: force, on: a, components: ['-%s + push + filter', 0, 0]}\n"
    "  on_bead: {type: force, on: bead, components: ['-pull', 0, 0]}\n"
    "outputs: {felt: '%s + ACCX(a)', rate: RATE(filter)}\n"
    "linearize: {states: [a.x, bead.x]}\n"
    "operating_point: {%s}\n";

/* moving: with velocities, at the state as given; else in balance. */
static void write_model(char *yaml, size_t size, bool functions, bool moving)
{
    const char *const with[] = {
        "curve(DX(bead))",         "curve(2*time)",           "bush(DX(bead) - DX(a), g*push)",
        "magic(DX(a) - VX(bead))", "spring(DX(a), VX(a), k)", "bush(DX(bead), push)"};
    const char *const without[] = {CURVE("DX(bead)"),
                                   CURVE("(2*time)"),
                                   BUSH("(DX(bead) - DX(a))", "(g*push)"),
                                   MAGIC("(DX(a) - VX(bead))"),
                                   SPRING("DX(a)", "VX(a)", "k"),
                                   BUSH("DX(bead)", "push")};
    const char *const *of = functions ? with : without;
    snprintf(yaml, size, FORM, moving ? ", velocity: [0.5, 0, 0]" : "",
             moving ? ", velocity: [-0.2, 0, -0.115]" : "", of[0], moving ? of[1] : "0", of[2],
             of[3], of[4], of[5], moving ? "time: 0.3" : "type: static");
}

static whole make(const char *yaml, int given, const whole_way *way)
{
    routh_function list[N_FUNCTIONS];
    functions_of(given, list);
    const routh_model_options read = {.functions = list, .n_functions = N_FUNCTIONS};
    routh_linear_options options = routh_linear_defaults();
    routh_error error = {0};
    whole x = {0};
    options.method = way->method;
    if (routh_model_parse_with(&x.model, yaml, strlen(yaml), "test", &read, &error) ||
        routh_mechanism_compile(&x.mechanism, x.model, way->coordinates, &error) ||
        routh_operating_point_find(&x.point, x.mechanism, NULL, &error) ||
        routh_linear_compute(&x.linear, x.mechanism, x.point, &options, &error) ||
        routh_modes_compute(&x.modes, x.linear, &error))
        fail_msg("%s, %s: %s: %s", way->coordinates, way->method, error.element, error.message);
    return x;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Of the largest entry. */
static double apart(const double *a, const double *b, int n)
{
    double worst = 0, size = 0;
    for (int k = 0; k < n; k++) {
        assert_true(isfinite(a[k]) && isfinite(b[k]));
        worst = fmax(worst, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return size > 0 ? worst / size : worst;
}

/* moving: a0 is no rounding. */
static void assert_same(const char *what, const whole *a, const whole *b, bool moving,
                        double tolerance)
{
    const routh_linear *x = a->linear, *y = b->linear;
    const int n = y->n_states, v = y->n_velocity, in = y->n_inputs, out = y->n_outputs;
    const struct {
        const char *name;
        const double *a, *b;
        int n;
    } all[] = {{"A", x->A, y->A, n * n},
               {"B", x->B, y->B, n * in},
               {"C", x->C, y->C, out * n},
               {"D", x->D, y->D, out * in},
               {"mass", x->mass, y->mass, v * v},
               {"damping", x->damping, y->damping, v * v},
               {"stiffness", x->stiffness, y->stiffness, v * y->n_position},
               {"coupling", x->coupling, y->coupling, v * y->n_control},
               {"a0", x->affine, y->affine, moving ? n : 0}};
    assert_int_equal(x->n_states, n);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const double off = apart(all[k].a, all[k].b, all[k].n);
        if (!(off <= tolerance)) fail_msg("%s: %s is %.2e apart", what, all[k].name, off);
    }
    /* each entry of A may be off by `tolerance` of the largest */
    double size = 0;
    for (int k = 0; k < n * n; k++) size = fmax(size, fabs(y->A[k]));
    assert_int_equal(a->modes->n, b->modes->n);
    for (int k = 0; k < b->modes->n; k++) {
        const routh_mode *p = &a->modes->modes[k], *q = &b->modes->modes[k];
        const double off =
            hypot(p->eigenvalue[0] - q->eigenvalue[0], p->eigenvalue[1] - q->eigenvalue[1]);
        if (!(off <= n * tolerance * size * fmax(1, q->condition) + q->error_bound))
            fail_msg("%s: mode %d is %.2e apart", what, k, off);
    }
}

static const double exact = 1e-12, differenced = 1e-8;

static void compare_all(bool moving)
{
    char with[4096], without[4096];
    whole_way way = {0};
    write_model(with, sizeof with, true, moving);
    write_model(without, sizeof without, false, moving);
    for (int k = 0, n = 0; whole_next_way(&k, &way); n++) {
        if (n % 5 && !full_effort()) continue;
        whole expected = make(without, HESSIANS, &way);
        for (int given = VALUES; given <= HESSIANS; given += full_effort() ? 1 : HESSIANS) {
            char what[160];
            snprintf(what, sizeof what, "%s, %s, given %d", way.coordinates, way.method, given);
            whole found = make(with, given, &way);
            assert_same(what, &found, &expected, moving, given == HESSIANS ? exact : differenced);
            assert_int_equal(found.linear->n_warnings, expected.linear->n_warnings);
            whole_release(&found);
        }
        whole_release(&expected);
    }
}

static void functions_are_expressions_in_balance(void **unused)
{
    (void)unused;
    compare_all(false);
}

static void functions_are_expressions_in_motion(void **unused)
{
    (void)unused;
    compare_all(true);
}

/* ---- sensitivities --------------------------------------------------------------------------- */

static void derivatives_by_parameters_agree(void **unused)
{
    static const int levels[] = {VALUES, GRADIENTS, COMPLEX, HESSIANS};
    (void)unused;
    for (int moving = 0; moving < 2; moving++) {
        char with[4096], without[4096];
        const whole_way way = {.coordinates = "absolute"};
        routh_sensitivity *expected, *found;
        routh_error error;
        write_model(with, sizeof with, true, moving);
        write_model(without, sizeof without, false, moving);
        whole b = make(without, HESSIANS, &way);
        if (routh_sensitivity_compute(&expected, b.mechanism, b.point, b.modes, NULL, &error))
            fail_msg("%s", error.message);
        for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
            whole a = make(with, levels[k], &way);
            if (routh_sensitivity_compute(&found, a.mechanism, a.point, a.modes, NULL, &error))
                fail_msg("given %d: %s", levels[k], error.message);
            const int n = expected->n_parameters * expected->n_modes;
            const double off = apart(found->eigenvalue_by[0], expected->eigenvalue_by[0], 2 * n);
            /* third derivatives are differences of the second ones that are given */
            if (!(off <= differenced)) fail_msg("given %d: %.2e apart", levels[k], off);
            routh_sensitivity_free(found);
            whole_release(&a);
        }
        routh_sensitivity_free(expected);
        whole_release(&b);
    }
}

/* ---- a run ----------------------------------------------------------------------------------- */

static void runs_agree(void **unused)
{
    char yaml[4096];
    double x[3][8];
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const int given = k == 1 ? VALUES : HESSIANS;
        const whole_way way = {.coordinates = "absolute"};
        routh_simulation_options options = routh_simulation_defaults();
        routh_simulation *run;
        routh_operating_point *end;
        routh_error error;
        write_model(yaml, sizeof yaml, k > 0, true);
        whole a = make(yaml, given, &way);
        options.step = 0.01;
        if (routh_simulation_create(&run, a.mechanism, a.point, &options, &error) ||
            routh_simulation_advance(run, 0.8, &error) || routh_simulation_point(run, &end, &error))
            fail_msg("%s", error.message);
        for (int b = 0; b < 3; b++) {
            x[k][b] = end->bodies[b].position[0];
            x[k][3 + b] = end->bodies[b].velocity[0];
        }
        routh_operating_point_free(end);
        routh_simulation_free(run);
        whole_release(&a);
    }
    assert_true(apart(x[2], x[0], 6) <= 1e-11);
    assert_true(apart(x[1], x[0], 6) <= differenced);
}

/* ---- steady motion --------------------------------------------------------------------------- */

/* A ball on a spring about the vertical; the rate is looked for. */
static void steady_motions_agree(void **unused)
{
    static const char form[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  ball: {mass: 10, inertia: [0.01, 0.01, 0.01], position: [0.25, 0, -0.4],"
        " velocity: [0, 1.24, 0]}\n"
        "joints:\n  upright: {type: orientation, between: [ball, ground]}\n"
        "loads:\n"
        "  string: {type: spring, between: [ball, ground], force: '-%s'}\n"
        "operating_point: {type: steady}\n"
        "steady:\n  spins: {ball: z}\n"
        "  prescribed:\n    height: {expression: DZ(ball), value: -0.4, unit: m}\n"
        "linearize: {states: [ball.x, ball.y, ball.z]}\n";
    char with[2048], without[2048];
    whole_way way = {0};
    (void)unused;
    snprintf(with, sizeof with, form, "spring(DM(ball), VR(ball), 45)");
    snprintf(without, sizeof without, form, SPRING("DM(ball)", "VR(ball)", "45"));
    for (int k = 0, n = 0; whole_next_way(&k, &way); n++) {
        if (n % 5 && !full_effort()) continue;
        whole expected = make(without, HESSIANS, &way);
        for (int given = VALUES; given <= HESSIANS; given += full_effort() ? 1 : HESSIANS) {
            char what[160];
            snprintf(what, sizeof what, "%s, %s, given %d", way.coordinates, way.method, given);
            whole found = make(with, given, &way);
            assert_same(what, &found, &expected, false, given == HESSIANS ? exact : differenced);
            whole_release(&found);
        }
        whole_release(&expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_expressions_in_balance),
        cmocka_unit_test(functions_are_expressions_in_motion),
        cmocka_unit_test(derivatives_by_parameters_agree),
        cmocka_unit_test(runs_agree),
        cmocka_unit_test(steady_motions_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
