/* The redundant method with controllers, variables, inputs and nonholonomic joints: its eigenvalues
 * beside those of the descriptor pencil with nothing deflated, signals in units far apart, loops
 * without solution, and how many infinite eigenvalues there are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/lapack.h"
#include "methods/whole.h"
#include "routh/answers.h"
#include "support/mechanisms.h"

/* ---- a task by hand -------------------------------------------------------------------------- */

typedef struct subject {
    test_mechanism t;
    routh_operating_point *point;
    rt_search search;
    rt_reference_frame observer;
    rt_states states;
    rt_method_task task;
    rt_arena arena;
} subject;

static void require(routh_status status, const routh_error *error)
{
    if (status) fail_msg("%s: %s", error->element, error->message);
}

static void subject_make(subject *s, const char *yaml)
{
    routh_error error;
    const rt_preferred none = {0};
    *s = (subject){0};
    mechanism_make(&s->t, yaml);
    s->point = mechanism_point(&s->t);
    require(rt_search_create(&s->search, s->t.m, 1e-12, 20, &error), &error);
    rt_state_copy(s->t.m, s->search.state, s->point->state);
    rt_evaluate_frames(s->t.m, s->search.w, s->search.state);
    rt_reference_frame_set(&s->observer, s->search.w, -1);
    require(rt_choose_states(&s->search, &s->observer, &none, &s->arena, &s->states, &error),
            &error);
    require(rt_evaluate(s->t.m, s->search.w, s->search.state, RT_EVALUATE_ALL, &error), &error);
    s->task = (rt_method_task){.search = &s->search,
                               .observer = &s->observer,
                               .states = &s->states,
                               .threads = 1,
                               .whole = rt_needs_whole(s->t.m)};
    require(rt_task_sensors_take(&s->task, &s->arena, &error), &error);
}

static void subject_release(subject *s)
{
    rt_state_free(s->search.state);
    rt_search_release(&s->search);
    rt_arena_free(&s->arena);
    routh_operating_point_free(s->point);
    mechanism_release(&s->t);
}

static routh_linear *linear_by(const subject *s, const char *method)
{
    routh_linear_options options = routh_linear_defaults();
    routh_linear *linear = NULL;
    routh_error error;
    options.method = method;
    require(routh_linear_compute(&linear, s->t.m, s->point, &options, &error), &error);
    return linear;
}

/* ---- the whole pencil ------------------------------------------------------------------------ */

/* At rest: a pendulum on a cart, held by a controller that uses accelerations, joint forces and the
 * rate of a state. */
static const char at_rest[] =
    "gravity: [0, 0, -9.81]\n"
    "inputs: {wanted: 0, shove: 0}\n"
    "bodies:\n"
    "  cart: {mass: 2, inertia: [0.1, 0.1, 0.1]}\n"
    "  rod: {mass: 0.5, inertia: [0.02, 0.02, 0.001], position: [0, 0, -0.6]}\n"
    "joints:\n"
    "  rail: {type: translational, between: [cart, ground], at: [0, 0, 0], axis: x}\n"
    "  hinge: {type: revolute, between: [rod, cart], at: [0, 0, 0], axis: y}\n"
    "variables:\n"
    "  error: \"wanted - DX(cart) + 0.02*FX(hinge)\"\n"
    "  effort: \"12*error + 3*integral - 2*VX(cart) - 0.3*ACCX(rod) + 0.2*RATE(smooth) + shove\"\n"
    "controllers:\n"
    "  integral: {type: differential, rate: \"error\"}\n"
    "  smooth: {type: implicit, equation: \"0.1*RATE(smooth) + smooth - VX(rod) + "
    "0.05*effort + 0.01*ACCX(cart)\"}\n"
    "loads:\n"
    "  motor: {type: force, on: cart, components: [\"effort - 0.4*smooth + 0.1*RATE(smooth)\", 0, "
    "0]}\n"
    "operating_point: {type: given}\n";

/* Dense, column-major. */
typedef struct pencil {
    int n, m, n_x, n_v, order;
    double *E, *A;
} pencil;

static void put(const pencil *p, double *to, int row, int column, double value)
{
    to[row + (size_t)p->order * (size_t)column] += value;
}

/* Column of a signal: of its value in A, or (rates) of X in E; -1 for inputs. */
static void put_signal(const pencil *p, int row, int place, double value)
{
    const int X = 2 * p->n + p->m, V = X + p->n_x;
    if (place < p->n_x)
        put(p, p->A, row, X + place, -value);
    else if (place < 2 * p->n_x)
        put(p, p->E, row, X + place - p->n_x, value);
    else if (place < 2 * p->n_x + p->n_v)
        put(p, p->A, row, V + place - 2 * p->n_x, -value);
}

static void put_pattern(const pencil *p, double *to, const rt_pattern *pattern,
                        const double *values, double scale, int row, int column, bool transposed)
{
    for (int c = 0; c < pattern->n_columns; c++)
        for (int e = pattern->start[c]; e < pattern->start[c + 1]; e++)
            put(p, to, row + (transposed ? c : pattern->row[e]),
                column + (transposed ? pattern->row[e] : c), scale * values[e]);
}

/* y = (xi, du, lambda, X, V),
 *     xi' = du,                 M du' + R_x' X' = -(K xi + D du + (G'+L) lambda + R_x X + R_v V),
 *     0 = -G xi,                g_a du' + g_x' X' = -(g_x xi + g_u du + g_l lambda + g_X X + g_V V)
 * with g the equations of controllers and of variables. All rows of G, which are independent. */
static void pencil_make(pencil *p, const subject *s)
{
    const routh_mechanism *m = s->t.m;
    const rt_workspace *w = s->search.w;
    *p = (pencil){.n = m->n_u,
                  .m = m->n_rows,
                  .n_x = m->model->n_control_states,
                  .n_v = m->model->n_variables};
    const int n = p->n, X = 2 * n + p->m;
    p->order = X + p->n_x + p->n_v;
    const size_t size = (size_t)p->order * (size_t)p->order;
    p->E = calloc(2 * size, sizeof *p->E);
    assert_non_null(p->E);
    p->A = p->E + size;
    for (int i = 0; i < n; i++) put(p, p->E, i, i, 1), put(p, p->A, i, n + i, 1);
    put_pattern(p, p->E, &m->pattern_M, w->M, 1, n, n, false);
    put_pattern(p, p->A, &m->pattern_K, w->K, -1, n, 0, false);
    put_pattern(p, p->A, &m->pattern_K, w->D, -1, n, n, false);
    put_pattern(p, p->A, &m->pattern_G, w->G, -1, n, 2 * n, true);
    put_pattern(p, p->A, &m->pattern_L, w->L, -1, n, 2 * n, false);
    put_pattern(p, p->A, &m->pattern_G, w->G, -1, 2 * n, 0, false);
    for (int j = 0; j < m->n_signals; j++)
        for (int e = m->pattern_R.start[j]; e < m->pattern_R.start[j + 1]; e++)
            put_signal(p, n + m->pattern_R.row[e], j, w->L[e]);
    for (int i = 0; i < p->n_x + p->n_v; i++) {
        const rt_sensor_row *row =
            i < p->n_x ? &s->task.equations[i] : &s->task.variables[i - p->n_x];
        for (int k = 0; k < row->n_columns; k++) {
            put(p, p->E, X + i, n + row->columns[k], row->by_a[k]);
            put(p, p->A, X + i, n + row->columns[k], -row->by_u[k]);
            put(p, p->A, X + i, row->columns[k], -row->by_x[k]);
        }
        for (int k = 0; k < row->n_lambda; k++)
            put(p, p->A, X + i, 2 * n + row->lambda[k], -row->by_lambda[k]);
        for (int k = 0; k < row->n_signals; k++)
            put_signal(p, X + i, row->signals[k], row->by_signal[k]);
    }
}

/* Infinite ones, in chains of three, come out of QZ as large as eps^(-1/3), 1e5; finite ones lie
 * below 100 here. QZ keeps some 10 digits of the finite part at best. */
static void the_finite_eigenvalues_are_those_of_the_pencil_with_nothing_deflated(void **state)
{
    (void)state;
    subject s;
    pencil p;
    routh_error error;
    routh_modes *modes = NULL;
    subject_make(&s, at_rest);
    pencil_make(&p, &s);
    const size_t order = (size_t)p.order, size = order * order;
    double *Q = malloc((2 * size + 3 * order) * sizeof *Q);
    assert_non_null(Q);
    double *Z = Q + size, *re = Z + size, *im = re + order, *beta = im + order;
    require(rt_qz(p.order, p.A, p.E, Q, Z, re, im, beta, &error), &error);
    routh_linear *linear = linear_by(&s, "redundant");
    require(routh_modes_compute(&modes, linear, &error), &error);
    assert_int_equal(modes->n, 6);
    int n_finite = 0;
    for (size_t k = 0; k < order; k++) n_finite += hypot(re[k], im[k]) < 1000 * beta[k];
    assert_int_equal(n_finite, modes->n);
    for (int i = 0; i < modes->n; i++) {
        const double *e = modes->modes[i].eigenvalue;
        double nearest = INFINITY;
        for (size_t k = 0; k < order; k++)
            if (beta[k] > 0)
                nearest = fmin(nearest, hypot(re[k] / beta[k] - e[0], im[k] / beta[k] - e[1]));
        if (!(nearest <= 1e-8 * hypot(e[0], e[1])))
            fail_msg("%g%+gi is %.1e off the pencil's", e[0], e[1], nearest);
    }
    routh_modes_free(modes);
    routh_linear_free(linear);
    free(Q);
    free(p.E);
    subject_release(&s);
}

/* ---- against the augmented method ------------------------------------------------------------ */

static double difference(const double *a, const double *b, int n)
{
    double worst = 0, size = 0;
    for (int k = 0; k < n; k++) {
        if (!isfinite(a[k]) || !isfinite(b[k])) return NAN;
        worst = fmax(worst, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return size > 0 ? worst / size : worst;
}

static void assert_as_augmented(const subject *s, double bound)
{
    routh_linear *a = linear_by(s, "redundant"), *b = linear_by(s, "augmented");
    const int n = b->n_states, in = b->n_inputs, out = b->n_outputs, z1 = b->n_velocity;
    assert_int_equal(a->n_states, n);
    const struct {
        const char *name;
        const double *a, *b;
        int n;
    } all[] = {{"A", a->A, b->A, n * n},
               {"B", a->B, b->B, n * in},
               {"C", a->C, b->C, out * n},
               {"mass", a->mass, b->mass, z1 * z1}};
    for (int k = 0; k < 4; k++) {
        const double off = difference(all[k].a, all[k].b, all[k].n);
        if (!(off <= bound)) fail_msg("%s differs by %.2e", all[k].name, off);
    }
    routh_linear_free(a);
    routh_linear_free(b);
}

/* A magnetic bearing: places of 1e-4 m, currents of 1 A, an integral of 1e-6 m s, a heat of 5e6 J;
 * the largest entry of A is 1e11. What the rates are larger by than the states must not be lost. */
static void signals_in_units_far_apart_lose_no_digits(void **state)
{
    (void)state;
    subject s;
    subject_make(
        &s, "gravity: [0, 0, -9.81]\n"
            "inputs: {reference: 0, disturbance: 0}\n"
            "bodies: {rotor: {mass: 3, inertia: [0.02, 0.02, 0.01], position: [0, 0, 0.0001]}}\n"
            "joints: {guide: {type: translational, between: [rotor, ground], at: [0, 0, 0], "
            "axis: z}}\n"
            "variables:\n"
            "  error: \"reference - DZ(rotor)\"\n"
            "  speed: \"(error - lag)*1e3\"\n"
            "  command: \"1e4*error + 2e5*integral + 20*speed + 1.2357\"\n"
            "controllers:\n"
            "  integral: {type: differential, rate: \"error\", initial: 1e-6}\n"
            "  lag: {type: differential, rate: \"(error - lag)*1e3\", initial: 0}\n"
            "  coil: {type: differential, rate: \"(command - coil)*5e3\", initial: 0.7}\n"
            "  heat: {type: differential, rate: \"(coil^2*1e7 - heat)/300\", initial: 5e6}\n"
            "loads:\n"
            "  bearing: {type: force, on: rotor, components: [0, 0, \"40*coil*(1 + 1e-9*heat) + "
            "2e5*DZ(rotor) + disturbance\"]}\n"
            "outputs: {z: \"DZ(rotor)\", a: \"ACCZ(rotor)\", heat_now: \"heat\"}\n"
            "operating_point: {type: given}\n");
    assert_as_augmented(&s, 1e-12);
    subject_release(&s);
}

/* Two bars and a plate on pins: 24 rows, 17 of them independent. The joint forces of the others
 * stay as they are in both methods. */
static void redundant_rows_are_left_out(void **state)
{
    (void)state;
    subject s;
    subject_make(
        &s, "gravity: [0, 0, -9.81]\n"
            "inputs: {push: 2}\n"
            "bodies:\n"
            "  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, -0.5]}\n"
            "  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, -0.5]}\n"
            "  bar: {mass: 4, inertia: [0.1, 2, 2], position: [0.5, 0.1, -1]}\n"
            "joints:\n"
            "  a0: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: y}\n"
            "  b0: {type: revolute, between: [b, ground], at: [1, 0, 0], axis: y}\n"
            "  a1: {type: revolute, between: [a, bar], at: [0, 0, -1], axis: y}\n"
            "  b1: {type: revolute, between: [b, bar], at: [1, 0, -1], axis: y}\n"
            "controllers:\n"
            "  lag: {type: differential, rate: \"(push - lag - 30*DX(bar))/0.1\", initial: 0.4}\n"
            "loads: {f: {type: force, on: bar, components: [lag, 0, 0]}}\n"
            "outputs: {r: \"FX(a0)\", t: \"TX(b1)\"}\n"
            "operating_point: {type: given}\n");
    assert_true(s.search.rank->rank < s.t.m->n_rows);
    assert_as_augmented(&s, 1e-12);
    subject_release(&s);
}

/* ---- how many are infinite ------------------------------------------------------------------- */

/* y = (S, W, X, xi, u, u', lambda, X', V) */
static void assert_infinite(const char *yaml, int z, int z1, int n_x, int n_v)
{
    subject s;
    subject_make(&s, yaml);
    routh_linear *linear = linear_by(&s, "redundant");
    const int n = s.t.m->n_u;
    assert_int_equal(linear->n_position, z);
    assert_int_equal(linear->n_velocity, z1);
    assert_int_equal(linear->n_control, n_x);
    assert_int_equal(linear->n_infinite, 3 * n + (n - z1) + n_x + n_v);
    assert_as_augmented(&s, 1e-12);
    routh_linear_free(linear);
    subject_release(&s);
}

static void infinite_eigenvalues_are_counted_with_rows_of_velocities_and_signals(void **state)
{
    (void)state;
    assert_infinite(at_rest, 2, 2, 2, 2);
    assert_infinite("parameters: {r: 0.3, m: 2, v: 2}\n"
                    "gravity: [0, 0, -9.81]\n"
                    "bodies:\n"
                    "  disc: {mass: m, inertia: [m*r^2/4, m*r^2/4, m*r^2/2], position: [0, 0, r],\n"
                    "         orientation: {axis: [1, 0, 0], angle: 90 deg}, velocity: [v, 0, 0],\n"
                    "         angular_velocity: [0, v/r, 0]}\n"
                    "joints: {wheel: {type: rolling, between: [disc, ground], radius: r}}\n"
                    "controllers: {lag: {type: differential, rate: \"WX(disc) - lag\"}}\n"
                    "operating_point: {type: given}\n",
                    5, 3, 1, 0);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* a = 2 b, b = 0.5 a: the second factor is 0.4 in the model, as no operating point is found for
 * 0.5. */
static void a_loop_without_solution_is_named(void **state)
{
    (void)state;
    subject s;
    routh_error error = {0};
    rt_sensitivity out;
    subject_make(&s, "bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}\n"
                     "joints: {rail: {type: translational, between: [cart, ground], axis: x}}\n"
                     "variables:\n"
                     "  other: \"DX(cart)\"\n"
                     "  a: \"2*b + other\"\n"
                     "  b: \"0.4*a\"\n"
                     "loads: {motor: {type: force, on: cart, components: [b, 0, 0]}}\n"
                     "operating_point: {type: given}\n");
    require(rt_method_redundant.run(&s.task, &s.arena, &out, &error), &error);
    rt_sensor_row *b = &s.task.variables[2];
    for (int k = 0; k < b->n_signals; k++)
        if (b->signals[k] == 1) b->by_signal[k] = -0.5;
    assert_int_equal(rt_method_redundant.run(&s.task, &s.arena, &out, &error), ROUTH_SINGULAR);
    assert_string_equal(error.element, "variable a");
    assert_non_null(strstr(error.message, "a, b depend on each other"));
    subject_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_finite_eigenvalues_are_those_of_the_pencil_with_nothing_deflated),
        cmocka_unit_test(signals_in_units_far_apart_lose_no_digits),
        cmocka_unit_test(redundant_rows_are_left_out),
        cmocka_unit_test(infinite_eigenvalues_are_counted_with_rows_of_velocities_and_signals),
        cmocka_unit_test(a_loop_without_solution_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
