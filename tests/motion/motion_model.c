#include "motion/motion_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char double_pendulum_yaml[] =
    "gravity: [9.81, 0, -2]\n"
    "bodies:\n"
    "  rod_1: {mass: 1, inertia: [0.08, 0.09, 0.01], position: [0, 0, -0.5]}\n"
    "  rod_2: {mass: 1.2, inertia: [0.08, 0.07, 0.02], position: [0.1, 0, -1.5],"
    " angular_velocity: [0, 0, 1]}\n"
    "joints:\n"
    "  hinge_1: {type: universal, between: [rod_1, ground], at: [0, 0, 0], axis: x}\n"
    "  hinge_2: {type: spherical, between: [rod_2, rod_1], at: [0, 0, -1]}\n";

const char four_bar_yaml[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.02], position: [0, 0, 0.5]}\n"
    "  coupler: {mass: 2, inertia: [0.02, 0.3, 0.3], position: [1, 0, 1]}\n"
    "  rocker: {mass: 1.5, inertia: [0.2, 0.2, 0.02], position: [2, 0, 0.5]}\n"
    "joints:\n"
    "  a: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: y}\n"
    "  b: {type: revolute, between: [coupler, crank], at: [0, 0, 1], axis: y}\n"
    "  c: {type: spherical, between: [coupler, rocker], at: [2, 0, 1]}\n"
    "  d: {type: revolute, between: [rocker, ground], at: [2, 0, 0], axis: y}\n"
    "loads:\n"
    "  spring: {type: spring, between: [crank, rocker], stiffness: 30, free_length: 1.7}\n"
    "  push: {type: force, on: coupler, components: [3, 0, 0]}\n";

const char disc_yaml[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  disc: {mass: 2, inertia: [0.02, 0.02, 0.04], position: [0, 0, 0.2*cos(0.2)],"
    " orientation: {axis: [1, 0, 0], angle: 90 deg - 0.2}, angular_velocity: [0.3, 6, 0.5]}\n"
    "joints:\n"
    "  rolling: {type: rolling, between: [disc, ground], radius: 0.2}\n";

const char controlled_yaml[] =
    "gravity: [0, 0, -9.81]\n"
    "inputs: {target: 0}\n"
    "simulate: {inputs: {target: 0.3*sin(2*time)}}\n"
    "bodies:\n"
    "  cart: {mass: 1.5, inertia: [0.1, 0.1, 0.1]}\n"
    "  pole: {mass: 0.3, inertia: [0.016, 0.016, 0.001], position: [0, 0, -0.4],"
    " angular_velocity: [0, 2, 0], velocity: [-0.8, 0, 0]}\n"
    "joints:\n"
    "  rail: {type: translational, between: [cart, ground], at: [0, 0, 0], axis: x}\n"
    "  hinge: {type: revolute, between: [pole, cart], at: [0, 0, 0], axis: y}\n"
    "controllers:\n"
    "  pid: {type: pid, input: target - DX(cart), proportional: 30, integral: 20, derivative: 12,"
    " filter: 0.05, initial: 0}\n"
    "  drive: {type: implicit, equation: 0.04*RATE(drive) + drive - pid, initial: 0}\n"
    "loads:\n"
    "  motor: {type: force, on: cart, components: [20*tanh(drive/20) - 0.5*VX(cart), 0, 0]}\n";

const char driven_yaml[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.02], position: [0, 0, 0.5]}\n"
    "  rod: {mass: 0.7, inertia: [0.1, 0.12, 0.02], position: [0, 0, 1.6]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [crank, ground], at: [0, 0, 0], axis: y}\n"
    "  knee: {type: universal, between: [rod, crank], at: [0, 0, 1], axis: x}\n"
    "  drive: {type: motion, joint: pin, function: 0.4*sin(3*time) + 0.8*time}\n";

/* ---- runs ------------------------------------------------------------------------------------ */

static void must(routh_status status, const routh_error *error)
{
    if (status) fail_msg("%s: %s", error->element, error->message);
}

void run_begin(test_run *r, const char *yaml, const char *coordinates,
               const routh_simulation_options *options)
{
    routh_error error = {0};
    routh_operating_point_options given = routh_operating_point_defaults();
    given.type = ROUTH_OPERATING_GIVEN;
    *r = (test_run){0};
    must(routh_model_parse(&r->t.model, yaml, strlen(yaml), "model", NULL, 0, &error), &error);
    must(routh_mechanism_compile(&r->t.m, r->t.model, coordinates, &error), &error);
    must(routh_operating_point_find(&r->point, r->t.m, &given, &error), &error);
    if (options)
        must(routh_simulation_create(&r->simulation, r->t.m, r->point, options, &error), &error);
}

void run_to(test_run *r, double time)
{
    routh_error error = {0};
    if (routh_simulation_advance(r->simulation, time, &error))
        fail_msg("%s in %s coordinates: %s: %s", r->simulation->run.integrator->name,
                 r->t.m->coordinates, error.element, error.message);
}

void run_end(test_run *r)
{
    routh_simulation_free(r->simulation);
    routh_operating_point_free(r->point);
    routh_mechanism_free(r->t.m);
    routh_model_free(r->t.model);
    *r = (test_run){0};
}

/* ---- results --------------------------------------------------------------------------------- */

static double *result_of(const routh_mechanism *m, const rt_frame *bodies, const double *x, int *n)
{
    enum { EACH = 18 };
    const int n_x = m->model->n_control_states;
    *n = EACH * m->n_bodies + n_x;
    double *out = malloc((size_t)*n * sizeof *out);
    assert_non_null(out);
    for (int b = 0; b < m->n_bodies; b++) {
        double *at = out + EACH * b;
        memcpy(at, bodies[b].r, 3 * sizeof *at);
        memcpy(at + 3, bodies[b].A, 9 * sizeof *at);
        memcpy(at + 12, bodies[b].v, 3 * sizeof *at);
        memcpy(at + 15, bodies[b].w, 3 * sizeof *at);
    }
    memcpy(out + EACH * m->n_bodies, x, (size_t)n_x * sizeof *out);
    return out;
}

double *run_result(const test_run *r, int *n)
{
    const routh_simulation *s = r->simulation;
    return result_of(r->t.m, s->run.search.w->bodies, s->shown->signal, n);
}

double largest_difference(const double *a, const double *b, int n)
{
    double worst = 0;
    for (int k = 0; k < n; k++) worst = fmax(worst, fabs(a[k] - b[k]));
    return worst;
}

/* ---- the reference ------------------------------------------------------------------------- */

/* y = (q, u, x) in Euler parameters, where q' = u. */
typedef struct flow {
    rt_search s;
    int n, n_x;
} flow;

static void set_state(flow *f, double t, const double *y)
{
    routh_error error = {0};
    rt_state *state = f->s.state;
    memcpy(state->q, y, (size_t)f->n * sizeof *y);
    memcpy(state->u, y + f->n, (size_t)f->n * sizeof *y);
    memcpy(state->signal, y + 2 * f->n, (size_t)f->n_x * sizeof *y);
    state->t = t;
    must(rt_input_histories_set(f->s.m, state, &error), &error);
}

static void rates(flow *f, double t, const double *y, double *rate)
{
    routh_error error = {0};
    set_state(f, t, y);
    must(rt_find_accelerations(&f->s, &error), &error);
    memcpy(rate, f->s.state->u, (size_t)f->n * sizeof *rate);
    memcpy(rate + f->n, f->s.state->udot, (size_t)f->n * sizeof *rate);
    memcpy(rate + 2 * f->n, f->s.state->signal + f->n_x, (size_t)f->n_x * sizeof *rate);
}

static void project(flow *f, double t, double *y)
{
    routh_error error = {0};
    set_state(f, t, y);
    must(rt_assemble(&f->s, &error), &error);
    must(rt_find_velocities(&f->s, &error), &error);
    memcpy(y, f->s.state->q, (size_t)f->n * sizeof *y);
    memcpy(y + f->n, f->s.state->u, (size_t)f->n * sizeof *y);
}

static void runge_kutta_step(flow *f, double t, double h, double *y, double *k[5], int size)
{
    static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < size; j++) k[4][j] = y[j] + (i ? part[i] * h * k[i - 1][j] : 0);
        rates(f, t + part[i] * h, k[4], k[i]);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < size; j++) y[j] += h / 6 * weight[i] * k[i][j];
}

double *reference_result(const char *yaml, double end, int n_steps, int *n)
{
    test_run r;
    routh_error error = {0};
    run_begin(&r, yaml, "euler-parameters", NULL);
    flow f = {.n = r.t.m->n_u, .n_x = r.t.model->n_control_states};
    assert_int_equal(r.t.m->n_q, r.t.m->n_u);
    must(rt_search_create(&f.s, r.t.m, 1e-14, 50, &error), &error);
    rt_state_copy(r.t.m, f.s.state, r.point->state);
    must(rt_evaluate(r.t.m, f.s.w, f.s.state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, &error),
         &error);
    must(rt_find_rank(&f.s, &error), &error);
    const int size = 2 * f.n + f.n_x;
    double *memory = calloc(6 * (size_t)size, sizeof *memory), *k[5];
    assert_non_null(memory);
    for (int i = 0; i < 5; i++) k[i] = memory + (size_t)(i + 1) * (size_t)size;
    memcpy(memory, f.s.state->q, (size_t)f.n * sizeof *memory);
    memcpy(memory + f.n, f.s.state->u, (size_t)f.n * sizeof *memory);
    memcpy(memory + 2 * f.n, f.s.state->signal, (size_t)f.n_x * sizeof *memory);
    for (int i = 0; i < n_steps; i++) {
        const double h = end / n_steps;
        runge_kutta_step(&f, i * h, h, memory, k, size);
        project(&f, (i + 1) * h, memory);
    }
    set_state(&f, end, memory);
    rt_evaluate_frames(r.t.m, f.s.w, f.s.state);
    double *result = result_of(r.t.m, f.s.w->bodies, f.s.state->signal, n);
    free(memory);
    rt_state_free(f.s.state);
    rt_search_release(&f.s);
    run_end(&r);
    return result;
}
