/* Step responses: the linear model against the nonlinear equations, written by hand and the
 * library's own. What the linear model leaves out grows with the square of the step.
 *
 * A pendulum hangs from a cart in a steady wind, so that it leans and nothing is symmetric (with
 * symmetry the difference would grow with the cube). A PID controller whose drive lags and
 * saturates holds the cart. Both sides are integrated by the classical Runge-Kutta method with the
 * same steps: then the linear side is exactly the derivative of the nonlinear one, whatever the
 * step, and nothing of the method's error shows in the difference. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "closed_form/whole_model.h"
#include "operating/operating.h"
#include "system/sensor.h"

static const char yaml[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters:\n"
    "  M: 1.5\n"
    "  m: 0.3\n"
    "  l: 0.4\n"
    "  J: 0.016\n"
    "  wind: 1.2\n"
    "  lean: atan(wind/(m*9.81))\n"
    "  most: 20\n"
    "  drive0: most/2*log((most - wind)/(most + wind))\n" /* most tanh(drive0/most) = -wind */
    "inputs: {target: 0, gust: 0}\n"
    "bodies:\n"
    "  cart: {mass: M, inertia: [0.1, 0.1, 0.1]}\n"
    "  pole:\n"
    "    mass: m\n"
    "    inertia: [J, J, 0.001]\n"
    "    position: [l*sin(lean), 0, -l*cos(lean)]\n"
    "    orientation: {axis: [0, 1, 0], angle: -lean}\n"
    "joints:\n"
    "  rail: {type: translational, between: [cart, ground], at: [0, 0, 0], axis: x}\n"
    "  hinge: {type: revolute, between: [pole, cart], at: [0, 0, 0], axis: y}\n"
    "controllers:\n"
    "  pid: {type: pid, input: target - DX(cart), proportional: 30, integral: 20, derivative: 12,"
    " filter: 0.05, initial: drive0/20}\n"
    "  drive: {type: implicit, equation: 0.04*RATE(drive) + drive - pid, initial: drive0}\n"
    "loads:\n"
    "  motor: {type: force, on: cart, components: [most*tanh(drive/most) - 0.5*VX(cart), 0, 0]}\n"
    "  air: {type: force, on: pole, components: [wind + gust, 0, 0]}\n"
    "  bearing: {type: torsion_spring, between: [pole, cart], at: [0, 0, 0], axis: y,"
    " damping: 0.01}\n"
    "outputs: {place: DX(cart), lean: '-AY(pole, cart)', felt: ACCX(pole)}\n"
    "linearize:\n"
    "  coordinates: {lean: {expression: '-AY(pole, cart)', unit: rad}}\n"
    "  states: [cart.x, lean]\n";

enum { N_STATES = 7, N_OUTPUTS = 3, N_STEPS = 1500 };
static const double duration = 3;
static const double reach[2] = {1, 3}; /* of a step of 1: target in m, gust in N */

/* ---- systems --------------------------------------------------------------------------------- */

/* y' = f(y, in) and the outputs; n numbers. False fails the test. */
typedef struct flow {
    int n;
    void (*rates)(const struct flow *flow, const double *y, const double *in, double *rate,
                  double *out);
    const routh_linear *linear;
    rt_search *search;
} flow;

static void linear_rates(const flow *f, const double *y, const double *in, double *rate,
                         double *out)
{
    const routh_linear *l = f->linear;
    for (int i = 0; i < l->n_states; i++) {
        rate[i] = l->affine[i];
        for (int j = 0; j < l->n_states; j++) rate[i] += l->A[i * l->n_states + j] * y[j];
        for (int j = 0; j < 2; j++) rate[i] += l->B[i * 2 + j] * in[j];
    }
    for (int i = 0; i < l->n_outputs; i++) {
        out[i] = l->outputs[i].value;
        for (int j = 0; j < l->n_states; j++) out[i] += l->C[i * l->n_states + j] * y[j];
        for (int j = 0; j < 2; j++) out[i] += l->D[i * 2 + j] * in[j];
    }
}

/* With the lean b of the pole, towards +x:
 *     (M + m) x'' + m l (b'' cos b - b'^2 sin b) = most tanh(drive/most) - 0.5 x' + W
 *     m l x'' cos b + (J + m l^2) b'' + m g l sin b = W l cos b - 0.01 b',   W = wind + gust
 * y: x, b, x', b', the PID's integral and filtered input, drive. */
static void written_rates(const flow *f, const double *y, const double *in, double *rate,
                          double *out)
{
    (void)f;
    const double M = 1.5, m = 0.3, l = 0.4, J = 0.016, W = 1.2 + in[1];
    const double s = sin(y[1]), c = cos(y[1]), a = M + m, b = m * l * c, d = J + m * l * l;
    const double F = 20 * tanh(y[6] / 20) - 0.5 * y[2] + W + m * l * y[3] * y[3] * s;
    const double T = W * l * c - 0.01 * y[3] - m * 9.81 * l * s;
    const double error = in[0] - y[0];
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (d * F - b * T) / (a * d - b * b);
    rate[3] = (a * T - b * F) / (a * d - b * b);
    rate[4] = error;
    rate[5] = (error - y[5]) / 0.05;
    rate[6] = (30 * error + 20 * y[4] + 12 * rate[5] - y[6]) / 0.04;
    out[0] = y[0];
    out[1] = y[1];
    out[2] = rate[2] + l * (rate[3] * c - y[3] * y[3] * s);
}

/* The library's own equations in relative coordinates: y = q, u and the controllers' states. */
static void library_rates(const flow *f, const double *y, const double *in, double *rate,
                          double *out)
{
    rt_search *s = f->search;
    const routh_mechanism *m = s->m;
    const int n = m->n_u, n_x = m->model->n_control_states;
    const int first_input = 2 * n_x + m->model->n_variables;
    routh_error error = {0};
    rt_arena arena = {0};
    rt_sensor_row *rows;
    memcpy(s->state->q, y, (size_t)n * sizeof *y);
    memcpy(s->state->u, y + n, (size_t)n * sizeof *y);
    memcpy(s->state->signal, y + 2 * n, (size_t)n_x * sizeof *y);
    memcpy(s->state->signal + first_input, in, 2 * sizeof *in);
    if (rt_find_accelerations(s, &error) ||
        rt_sensor_rows(m, RT_SENSOR_OUTPUT, &rows, &arena, &error))
        fail_msg("%s: %s", error.element, error.message);
    for (int k = 0; k < N_OUTPUTS; k++) {
        if (rt_sensor_evaluate(m, s->w, s->state, RT_SENSOR_OUTPUT, k, false, &rows[k], &error))
            fail_msg("%s: %s", error.element, error.message);
        out[k] = rows[k].value;
    }
    rt_arena_free(&arena);
    memcpy(rate, s->state->u, (size_t)n * sizeof *rate);
    memcpy(rate + n, s->state->udot, (size_t)n * sizeof *rate);
    memcpy(rate + 2 * n, s->state->signal + n_x, (size_t)n_x * sizeof *rate);
}

/* ---- simulating ------------------------------------------------------------------------------ */

static void step(const flow *f, double *y, const double *in, double h)
{
    double k[4][N_STATES], at[N_STATES], out[N_OUTPUTS];
    f->rates(f, y, in, k[0], out);
    for (int i = 0; i < f->n; i++) at[i] = y[i] + h / 2 * k[0][i];
    f->rates(f, at, in, k[1], out);
    for (int i = 0; i < f->n; i++) at[i] = y[i] + h / 2 * k[1][i];
    f->rates(f, at, in, k[2], out);
    for (int i = 0; i < f->n; i++) at[i] = y[i] + h * k[2][i];
    f->rates(f, at, in, k[3], out);
    for (int i = 0; i < f->n; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* The largest difference of any output, in steps of `size`, and the largest response. */
static double largest_difference(const flow *a, const double *a0, const flow *b, const double *b0,
                                 int input, double size, int n_steps, double *response)
{
    const double h = duration / n_steps;
    double x[N_STATES], y[N_STATES], in[2] = {0}, rate[N_STATES], worst = 0;
    memcpy(x, a0, sizeof x);
    memcpy(y, b0, sizeof y);
    in[input] = size * reach[input];
    *response = 0;
    for (int k = 0; k <= n_steps; k++) {
        double p[N_OUTPUTS], r[N_OUTPUTS];
        a->rates(a, x, in, rate, p);
        b->rates(b, y, in, rate, r);
        for (int i = 0; i < N_OUTPUTS; i++) {
            worst = fmax(worst, fabs(p[i] - r[i]));
            *response = fmax(*response, fabs(r[i] - b->linear->outputs[i].value));
        }
        step(a, x, in, h);
        step(b, y, in, h);
    }
    return worst;
}

/* The order with which the difference shrinks over two decades of steps, by least squares. */
static void assert_square(const char *what, const flow *a, const double *a0, const flow *b,
                          const double *b0, int n_steps)
{
    enum { N_SIZES = 9 };
    for (int input = 0; input < 2; input++) {
        double sx = 0, sy = 0, sxx = 0, sxy = 0;
        for (int k = 0; k < N_SIZES; k++) {
            const double size = 0.1 * pow(10, -k / 4.0);
            double response;
            const double d = largest_difference(a, a0, b, b0, input, size, n_steps, &response);
            /* there is a response, and the linear model has most of it */
            if (!(response > 0.1 * size) || !(d < 3 * size * response))
                fail_msg("%s: a step of %g moves by %g, and the difference is %g", what, size,
                         response, d);
            const double x = log(size), y = log(d);
            sx += x, sy += y, sxx += x * x, sxy += x * y;
        }
        const double order = (N_SIZES * sxy - sx * sy) / (N_SIZES * sxx - sx * sx);
        print_message("    %s, input %d: order %.4f\n", what, input, order);
        if (!(order > 1.9 && order < 2.1))
            fail_msg("%s: the difference shrinks with order %g", what, order);
    }
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void by_equations_written_here(void **unused)
{
    (void)unused;
    const double lean = atan(1.2 / (0.3 * 9.81)), drive = 10 * log((20 - 1.2) / (20 + 1.2));
    const double start[N_STATES] = {0, lean, 0, 0, drive / 20, 0, drive}, zero[N_STATES] = {0};
    whole x = whole_parse(yaml, NULL);
    assert_true(x.linear->at_rest);
    assert_int_equal(x.linear->n_states, N_STATES);
    const flow written = {N_STATES, written_rates, NULL, NULL};
    const flow linear = {N_STATES, linear_rates, x.linear, NULL};
    assert_square("equations written here", &written, start, &linear, zero, N_STEPS);
    whole_release(&x);
}

static void by_the_librarys_own_equations(void **unused)
{
    (void)unused;
    const whole_way relative = {.coordinates = "relative", .method = "minimal"};
    const double zero[N_STATES] = {0};
    double start[N_STATES];
    rt_search search;
    routh_error error = {0};
    whole x = whole_parse(yaml, &relative);
    const routh_mechanism *m = x.mechanism;
    assert_int_equal(m->n_u, 2);
    assert_int_equal(m->n_rows, 0);
    assert_int_equal(m->model->n_control_states, 3);
    if (rt_search_create(&search, m, 1e-12, 50, &error)) fail_msg("%s", error.message);
    rt_state_copy(m, search.state, x.point->state);
    if (rt_evaluate(m, search.w, search.state, RT_EVALUATE_ALL, &error) ||
        rt_find_rank(&search, &error))
        fail_msg("%s", error.message);
    memcpy(start, x.point->state->q, 2 * sizeof *start);
    memcpy(start + 2, x.point->state->u, 2 * sizeof *start);
    memcpy(start + 4, x.point->state->signal, 3 * sizeof *start);
    const flow own = {N_STATES, library_rates, NULL, &search};
    const flow linear = {N_STATES, linear_rates, x.linear, NULL};
    assert_square("the library's equations", &own, start, &linear, zero, 300);
    rt_state_free(search.state);
    rt_search_release(&search);
    whole_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_equations_written_here),
        cmocka_unit_test(by_the_librarys_own_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
