/* Each controller element in a small mechanism against the same system written by hand as explicit
 * differential equations: A, B, C and D by complex steps of those, to 1e-10, in every coordinate
 * set by every exact method.
 *
 * The mechanism: two bodies, a of 2 kg and b of 3 kg, slide along x,
 *     2 a'' = -7 a - 0.4 a' - 0.5 a^3 + 5 (b - a) + F
 *     3 b'' = -5 (b - a) + H
 * and F and H are what the case says. */
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
#include "support/differences.h"

static const double tolerance = 1e-10;

/* Places in y: positions, velocities, then the controllers' states. */
enum { XA, XB, VA, VB, C0, C1, C2, C3, C4 };

static const char form[] = "gravity: [0, 0, -9.81]\n"
                           "bodies:\n"
                           "  a: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0],"
                           " velocity: [0.5, 0, 0]}\n"
                           "  b: {mass: 3, inertia: [1, 1, 1], position: [1.1, 0, 0],"
                           " velocity: [-0.2, 0, 0]}\n"
                           "joints:\n"
                           "  rail_a: {type: translational, between: [a, ground], at: [0, 0, 0],"
                           " axis: x}\n"
                           "  rail_b: {type: translational, between: [b, ground], at: [0, 0, 0],"
                           " axis: x}\n"
                           "loads:\n"
                           "  on_a: {type: force, on: a, components: ['-7*DX(a) - 0.4*VX(a)"
                           " - 0.5*DX(a)^3 + 5*(DX(b) - DX(a)) + (%s)', 0, 0]}\n"
                           "  on_b: {type: force, on: b, components: ['-5*(DX(b) - DX(a)) + (%s)',"
                           " 0, 0]}\n"
                           "%s"
                           "linearize: {states: [a.x, b.x]}\n";

/* F and H as the model file has them, and the rest of the file. */
typedef struct element_case {
    const char *name;
    const char *F, *H, *sections;
    explicit_system system;
} element_case;

#define MECHANISM_STATES "a.x", "b.x", "a.x'", "b.x'"
#define MECHANISM_AT 0.3, 1.1, 0.5, -0.2

static void move(const root *y, root F, root H, root *rate)
{
    rate[XA] = y[VA];
    rate[XB] = y[VB];
    rate[VA] =
        (-7 * y[XA] - 0.4 * y[VA] - 0.5 * y[XA] * y[XA] * y[XA] + 5 * (y[XB] - y[XA]) + F) / 2;
    rate[VB] = (-5 * (y[XB] - y[XA]) + H) / 3;
}

static void run(const element_case *x)
{
    char yaml[8192];
    whole_way way = {0};
    snprintf(yaml, sizeof yaml, form, x->F, x->H, x->sections);
    for (int k = 0; whole_next_way(&k, &way);) {
        char what[160];
        whole found = whole_parse(yaml, &way);
        snprintf(what, sizeof what, "%s, %s, %s", x->name, way.coordinates, way.method);
        assert_linearizes(what, found.linear, &x->system, tolerance);
        whole_release(&found);
    }
}

/* ---- differential equations ------------------------------------------------------------------ */

static void explicit_equation(const root *y, const root *in, root *rate, root *out)
{
    const root f = y[C0];
    move(y, 2 * f - 3 * f * y[VA], in[0] * f, rate);
    rate[C0] = (y[XA] * y[VB] - f - 0.2 * f * f * f + in[0]) / 0.3;
    out[0] = f * y[XB];
    out[1] = rate[VA];
    out[2] = rate[C0];
}

static void an_explicit_differential_equation(void **unused)
{
    (void)unused;
    run(&(element_case){
        "differential",
        "2*filter - 3*filter*VX(a)",
        "push*filter",
        "inputs: {push: 0.8}\n"
        "outputs: {product: filter*DX(b), felt: ACCX(a), slope: RATE(filter)}\n"
        "controllers:\n"
        "  filter: {type: differential, rate: (DX(a)*VX(b) - filter - 0.2*filter^3 + push)/0.3,"
        " initial: 0.4}\n",
        {explicit_equation,
         5,
         1,
         3,
         {MECHANISM_STATES, "filter"},
         {MECHANISM_AT, 0.4},
         {"push"},
         {0.8},
         {"product", "felt", "slope"}}});
}

/* 0.3 x' + x = 1.7 u, and one whose gain is left out: w' + w = x */
static void lags(const root *y, const root *in, root *rate, root *out)
{
    const root u = in[0] * y[XA] - y[VB] * y[VB];
    move(y, y[C0], y[C1], rate);
    rate[C0] = (1.7 * u - y[C0]) / 0.3;
    rate[C1] = y[C0] - y[C1];
    out[0] = rate[C0];
}

static void lags_follow_their_inputs(void **unused)
{
    (void)unused;
    run(&(element_case){
        "lag",
        "first",
        "second",
        "inputs: {push: 0.8}\n"
        "outputs: {slope: RATE(first)}\n"
        "parameters: {K: 1.7}\n"
        "controllers:\n"
        "  first: {type: lag, input: 'push*DX(a) - VX(b)^2', time_constant: 0.3, gain: K,"
        " initial: 0.4}\n"
        "  second: {type: lag, input: first, time_constant: 1, initial: -0.3, unit: N}\n",
        {lags,
         6,
         1,
         1,
         {MECHANISM_STATES, "first", "second"},
         {MECHANISM_AT, 0.4, -0.3},
         {"push"},
         {0.8},
         {"slope"}}});
}

/* m s^2 + c s + K/(T s + 1) has +-i sqrt(c/(T m)) and -(1/T + c/m) where K = c/T + c^2/m. */
static void an_actuator_that_lags_has_its_critical_gain(void **unused)
{
    (void)unused;
    const double m = 2, c = 8, T = 0.05, w = sqrt(c / (T * m)), fast = -(1 / T + c / m);
    const difference_model model = {.path = "examples/lagging-actuator.yaml"};
    chain x;
    routh_error error;
    int found = 0;
    if (chain_run(&x, &model, "stiffness", c / T + c * c / m, &error))
        fail_msg("%s", error.message);
    for (int k = 0; k < x.modes->n; k++) {
        const double *e = x.modes->modes[k].eigenvalue;
        for (int sign = -1; sign <= 1; sign++)
            found += hypot(e[0] - (sign ? 0 : fast), e[1] - sign * w) <= 1e-12 * fabs(fast);
    }
    assert_int_equal(x.modes->n, 3);
    assert_int_equal(found, 3);
    chain_free(&x);
}

/* r of 0.3 r^3 + r + x - p a = 0 */
static root implicit_rate(root x, root pa)
{
    root r = 0;
    for (int k = 0; k < 60; k++) r -= (0.3 * r * r * r + r + x - pa) / (0.9 * r * r + 1);
    return r;
}

static void implicit_equation(const root *y, const root *in, root *rate, root *out)
{
    rate[C0] = implicit_rate(y[C0], in[0] * y[XA]);
    move(y, y[C0] + 0.7 * rate[C0], 0, rate);
    out[0] = rate[C0] * rate[C0];
    out[1] = rate[VB] - rate[VA];
}

/* The force takes the state's rate as well. */
static void an_implicit_differential_equation(void **unused)
{
    (void)unused;
    run(&(element_case){"implicit",
                        "lag + 0.7*RATE(lag)",
                        "0",
                        "inputs: {push: {value: 1.9, unit: N}}\n"
                        "outputs: {slope: RATE(lag)^2, apart: 'ACCX(b, a)'}\n"
                        "controllers:\n"
                        "  lag: {type: implicit, equation: 0.3*RATE(lag)^3 + RATE(lag) + lag -"
                        " push*DX(a), initial: 0.7}\n",
                        {implicit_equation,
                         5,
                         1,
                         2,
                         {MECHANISM_STATES, "lag"},
                         {MECHANISM_AT, 0.7},
                         {"push"},
                         {1.9},
                         {"slope", "apart"}}});
}

/* Two equations that hold each other's rates: d = 0 is linear in (x', y') with a full matrix. */
static void coupled_equations(const root *y, const root *in, root *rate, root *out)
{
    /* 2 x' + y' = -x + a,  x' - y' + b x' = -y + in */
    const root p = -y[C0] + y[XA], r = -y[C1] + in[0];
    rate[C0] = (p + r) / (3 + y[XB]);
    rate[C1] = p - 2 * rate[C0];
    move(y, y[C0] * y[C1], 0, rate);
    out[0] = rate[C1];
}

static void implicit_equations_that_hold_each_others_rates(void **unused)
{
    (void)unused;
    run(&(element_case){
        "coupled implicit",
        "first*second",
        "0",
        "inputs: {push: 0.3}\n"
        "outputs: {slope: RATE(second)}\n"
        "controllers:\n"
        "  first: {type: implicit, equation: 2*RATE(first) + RATE(second) + first - DX(a),"
        " initial: 0.6}\n"
        "  second: {type: implicit, equation: RATE(first) - RATE(second) + DX(b)*RATE(first)"
        " + second - push, initial: -0.4}\n",
        {coupled_equations,
         6,
         1,
         1,
         {MECHANISM_STATES, "first", "second"},
         {MECHANISM_AT, 0.6, -0.4},
         {"push"},
         {0.3},
         {"slope"}}});
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void state_space_block(const root *y, const root *in, root *rate, root *out)
{
    const root u[2] = {y[XA] + 0.3 * in[0], y[VB] * y[XB]};
    const root y1 = 2 * y[C0] + u[0], y2 = -y[C0] + 3 * y[C1] + 0.5 * u[1];
    rate[C0] = -1.5 * y[C0] + 0.7 * y[C1] + u[0] - 0.2 * u[1];
    rate[C1] = 0.4 * y[C0] - 2 * y[C1] + 1.1 * u[1];
    move(y, y1 - 0.5 * y2 * y[XA], y2, rate);
    out[0] = y1 * y2;
}

static void a_state_space_block(void **unused)
{
    (void)unused;
    run(&(element_case){"state_space",
                        "plant.force - 0.5*plant.y2*DX(a)",
                        "plant.y2",
                        "inputs: {push: -0.7}\n"
                        "outputs: {product: plant.force*plant.y2}\n"
                        "controllers:\n"
                        "  plant:\n"
                        "    type: state_space\n"
                        "    inputs: [DX(a) + 0.3*push, VX(b)*DX(b)]\n"
                        "    A: [[-1.5, 0.7], [0.4, -2]]\n"
                        "    B: [[1, -0.2], [0, 1.1]]\n"
                        "    C: [[2, 0], [-1, 3]]\n"
                        "    D: [[1, 0], [0, 0.5]]\n"
                        "    outputs: [force, y2]\n"
                        "    initial: [0.1, -0.2]\n",
                        {state_space_block,
                         6,
                         1,
                         1,
                         {MECHANISM_STATES, "plant.x1", "plant.x2"},
                         {MECHANISM_AT, 0.1, -0.2},
                         {"push"},
                         {-0.7},
                         {"product"}}});
}

static void general_block(const root *y, const root *in, root *rate, root *out)
{
    const root p = y[C0], r = y[C1], sum = p + r * r + in[0] * y[XB];
    rate[C0] = r * y[VA];
    rate[C1] = -p - csin(r) + y[XA] * in[0];
    move(y, sum, 0.2 * sum * y[VB], rate);
    out[0] = sum;
}

static void a_general_block(void **unused)
{
    (void)unused;
    run(&(element_case){"general",
                        "swing.sum",
                        "0.2*swing.sum*VX(b)",
                        "inputs: {push: 0.45}\n"
                        "outputs: {sum: swing.sum}\n"
                        "controllers:\n"
                        "  swing:\n"
                        "    type: general\n"
                        "    states:\n"
                        "      p: {rate: swing.r*VX(a), initial: 0.25, unit: m}\n"
                        "      r: {rate: -swing.p - sin(swing.r) + DX(a)*push, initial: -0.6}\n"
                        "    outputs: {sum: swing.p + swing.r^2 + push*DX(b)}\n",
                        {general_block,
                         6,
                         1,
                         1,
                         {MECHANISM_STATES, "swing.p", "swing.r"},
                         {MECHANISM_AT, 0.25, -0.6},
                         {"push"},
                         {0.45},
                         {"sum"}}});
}

/* The states are w and its derivatives, (2 s^2 + s + 5) w = input, (s^3 + 0.8 s + 4) w = input. */
static void transfer_functions(const root *y, const root *in, root *rate, root *out)
{
    const root input = y[XA] * in[0] + y[VB];
    rate[C0] = y[C1];
    rate[C1] = (input - y[C1] - 5 * y[C0]) / 2;
    const root proper = 1.5 * rate[C1] + 2 * y[C1] + 3 * y[C0];
    rate[C2] = y[C3];
    rate[C3] = y[C4];
    rate[C4] = proper - 0.8 * y[C3] - 4 * y[C2];
    const root strict = 2 * y[C3] + 3 * y[C2];
    move(y, proper, strict * y[XA], rate);
    out[0] = proper;
    out[1] = strict;
}

/* One whose output follows the input at once, and one behind it whose output does not. */
static void two_transfer_functions(void **unused)
{
    (void)unused;
    run(&(element_case){
        "transfer functions",
        "lead",
        "lag*DX(a)",
        "inputs: {push: -1.3}\n"
        "outputs: {lead: lead, lag: lag}\n"
        "controllers:\n"
        "  lead: {type: transfer_function, input: DX(a)*push + VX(b), numerator: [1.5, 2, 3],"
        " denominator: [2, 1, 5], initial: [0.2, -0.3]}\n"
        "  lag: {type: transfer_function, input: lead, numerator: [2, 3],"
        " denominator: [1, 0, 0.8, 4], initial: [0.1, 0.4, -0.2]}\n",
        {transfer_functions,
         9,
         1,
         2,
         {MECHANISM_STATES, "lead.x1", "lead.x2", "lag.x1", "lag.x2", "lag.x3"},
         {MECHANISM_AT, 0.2, -0.3, 0.1, 0.4, -0.2},
         {"push"},
         {-1.3},
         {"lead", "lag"}}});
}

/* The filter of the derivative rests at the operating point: its state is the input there. */
static void pid_controller(const root *y, const root *in, root *rate, root *out)
{
    const root error = in[0] - y[XA] * y[XB];
    rate[C0] = error;
    rate[C1] = (error - y[C1]) / 0.2;
    const root u = 4 * error + 2.5 * y[C0] + 0.6 * rate[C1];
    move(y, u, u * y[VA], rate);
    out[0] = u;
}

static void a_pid_controller(void **unused)
{
    (void)unused;
    run(&(element_case){
        "pid",
        "steer",
        "steer*VX(a)",
        "inputs: {target: 1.7}\n"
        "outputs: {command: steer}\n"
        "controllers:\n"
        "  steer: {type: pid, input: target - DX(a)*DX(b), proportional: 4, integral: 2.5,"
        " derivative: 0.6, filter: 0.2, initial: 0.35}\n",
        {pid_controller,
         6,
         1,
         1,
         {MECHANISM_STATES, "steer.integral", "steer.derivative"},
         {MECHANISM_AT, 0.35, 1.7 - 0.33},
         {"target"},
         {1.7},
         {"command"}}});
}

/* ---- gains ----------------------------------------------------------------------------------- */

/* Within the dead zone a gain's output does not change, past a limit neither. */
static void gain_between(const root *y, const root *in, root *rate, root *out)
{
    const root v = 4 * (y[XA] + in[0] - 0.1);
    move(y, v, v * v, rate);
    out[0] = v;
}

static void gain_below(const root *y, const root *in, root *rate, root *out)
{
    const root v = 4 * (y[XA] + in[0] + 0.1);
    move(y, v, v * v, rate);
    out[0] = v;
}

static void gain_at_upper(const root *y, const root *in, root *rate, root *out)
{
    (void)in;
    move(y, 3, 9, rate);
    out[0] = 3;
}

static void gain_at_lower(const root *y, const root *in, root *rate, root *out)
{
    (void)in;
    move(y, -2, 4, rate);
    out[0] = -2;
}

static void gain_dead(const root *y, const root *in, root *rate, root *out)
{
    (void)in;
    move(y, 0, 0, rate);
    out[0] = 0;
}

static void a_gain_with_limits_and_a_dead_zone(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        double in;
        explicit_rhs *rhs;
    } places[] = {{"gain, between", 0.2, gain_between},
                  {"gain, below zero", -0.6, gain_below},
                  {"gain, above", 0.9, gain_at_upper},
                  {"gain, beneath", -1.5, gain_at_lower},
                  {"gain, dead zone", -0.33, gain_dead}};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        char sections[512];
        snprintf(sections, sizeof sections,
                 "inputs: {push: %g}\n"
                 "outputs: {opening: valve}\n"
                 "controllers:\n"
                 "  valve: {type: gain, input: DX(a) + push, gain: 4, lower: -2, upper: 3,"
                 " dead_zone: 0.1}\n",
                 places[k].in);
        run(&(element_case){places[k].name,
                            "valve",
                            "valve^2",
                            sections,
                            {places[k].rhs,
                             4,
                             1,
                             1,
                             {MECHANISM_STATES},
                             {MECHANISM_AT},
                             {"push"},
                             {places[k].in},
                             {"opening"}}});
    }
}

/* ---- variables ------------------------------------------------------------------------------- */

/* u = 0.3 sin w + a,  w = 0.5 u^2 a' - in + 0.2 w^2, near w = -in */
static void solve_pair(const root *y, root in, root *u, root *w)
{
    *u = y[XA], *w = -in;
    for (int k = 0; k < 60; k++) {
        const root f = *u - 0.3 * csin(*w) - y[XA];
        const root g = *w - 0.5 * *u * *u * y[VA] + in - 0.2 * *w * *w;
        const root fw = -0.3 * ccos(*w), gu = -*u * y[VA], gw = 1 - 0.4 * *w;
        const root d = gw - fw * gu;
        *u -= (gw * f - fw * g) / d;
        *w -= (g - gu * f) / d;
    }
}

static void variable_pair(const root *y, const root *in, root *rate, root *out)
{
    root u, w;
    solve_pair(y, in[0], &u, &w);
    move(y, u * w, w, rate);
    out[0] = u;
    out[1] = w;
}

static void variables_that_depend_on_one_another(void **unused)
{
    (void)unused;
    run(&(element_case){"variables",
                        "u*w",
                        "w",
                        "inputs: {push: 0.6}\n"
                        "outputs: {first: u, second: w}\n"
                        "variables:\n"
                        "  u: 0.3*sin(w) + DX(a)\n"
                        "  w: {expression: 0.5*u^2*VX(a) - push + 0.2*w^2, guess: -0.5, unit: N}\n",
                        {variable_pair,
                         4,
                         1,
                         2,
                         {MECHANISM_STATES},
                         {MECHANISM_AT},
                         {"push"},
                         {0.6},
                         {"first", "second"}}});
}

/* Accelerations in the loop: F = -0.8 a'' + 0.3 b'', H = 0.6 a'' a + in, both linear in
 * (a'', b''). */
static void felt_accelerations(const root *y, const root *in, root *rate, root *out)
{
    root still[4];
    move(y, 0, in[0], still);
    /* 2 A + 0.8 A - 0.3 B = 2 still_a,  3 B - 0.6 a A = 3 still_b */
    const root p = 2 * still[VA], r = 3 * still[VB], d = 2.8 * 3 - 0.3 * 0.6 * y[XA];
    rate[XA] = y[VA];
    rate[XB] = y[VB];
    rate[VA] = (3 * p + 0.3 * r) / d;
    rate[VB] = (2.8 * r + 0.6 * y[XA] * p) / d;
    rate[C0] = rate[VA] * rate[VB] - y[C0];
    out[0] = rate[VA];
}

static void accelerations_in_the_loop(void **unused)
{
    (void)unused;
    run(&(element_case){"accelerations",
                        "-0.8*felt + 0.3*other",
                        "0.6*felt*DX(a) + push",
                        "inputs: {push: 0.6}\n"
                        "outputs: {felt: felt}\n"
                        "variables: {felt: ACCX(a), other: ACCX(b)}\n"
                        "controllers:\n"
                        "  power: {type: differential, rate: felt*other - power, initial: 0.2}\n",
                        {felt_accelerations,
                         5,
                         1,
                         1,
                         {MECHANISM_STATES, "power"},
                         {MECHANISM_AT, 0.2},
                         {"push"},
                         {0.6},
                         {"felt"}}});
}

/* Friction in proportion to the rail's force N, where c presses down and is led by N itself, and
 * what presses is less the more N there is:
 *     N = 2 g + 4 b c + in - 0.3 N,   c' = 0.1 N - c. */
static void felt_reaction(const root *y, const root *in, root *rate, root *out)
{
    const root N = (2 * 9.81 + 4 * y[XB] * y[C0] + in[0]) / 1.3;
    move(y, -0.15 * N * y[VA], 0, rate);
    rate[C0] = 0.1 * N - y[C0];
    out[0] = N;
}

static void a_joint_reaction_in_the_loop(void **unused)
{
    (void)unused;
    const char *const extra = "  press: {type: force, on: a, components: [0, 0,"
                              " -4*DX(b)*presses - push + 0.3*normal]}\n"
                              "inputs: {push: 0.6}\n"
                              "outputs: {normal: normal}\n"
                              "variables: {normal: FZ(rail_a)}\n"
                              "controllers:\n"
                              "  presses: {type: differential, rate: 0.1*normal - presses,"
                              " initial: 0.9}\n";
    run(&(element_case){"reaction",
                        "-0.15*normal*VX(a)",
                        "0",
                        extra,
                        {felt_reaction,
                         5,
                         1,
                         1,
                         {MECHANISM_STATES, "presses"},
                         {MECHANISM_AT, 0.9},
                         {"push"},
                         {0.6},
                         {"normal"}}});
}

/* ---- motions --------------------------------------------------------------------------------- */

/* A third body c of 1.5 kg is driven: c = 0.9 + 0.2 t + 0.6 in + 0.1 in^2, at t = 0, and hangs on a
 * by a spring of 11 and a damper of 0.7. The motion's force, 1.5 c'' + what they pull, pushes b. */
static void driven_by_an_input(const root *y, const root *in, root *rate, root *out)
{
    const root s = in[0], s1 = in[1], s2 = in[2];
    const root c = 0.9 + 0.6 * s + 0.1 * s * s;
    const root c1 = 0.2 + (0.6 + 0.2 * s) * s1, c2 = (0.6 + 0.2 * s) * s2 + 0.2 * s1 * s1;
    const root pull = 11 * (c - y[XA]) + 0.7 * (c1 - y[VA]);
    move(y, pull, 0.3 * c2 + 0.2 * (1.5 * c2 + pull), rate);
    out[0] = c;
    out[1] = c1;
    out[2] = c2;
    out[3] = 1.5 * c2 + pull;
}

static void an_input_that_drives_a_motion(void **unused)
{
    (void)unused;
    char yaml[8192];
    whole_way way = {0};
    const explicit_system system = {driven_by_an_input,
                                    4,
                                    1,
                                    4,
                                    {MECHANISM_STATES},
                                    {MECHANISM_AT},
                                    {"shake"},
                                    {0.4},
                                    {"place", "speed", "felt", "force"}};
    snprintf(yaml, sizeof yaml,
             "bodies:\n"
             "  a: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0], velocity: [0.5, 0, 0]}\n"
             "  b: {mass: 3, inertia: [1, 1, 1], position: [1.1, 0, 0], velocity: [-0.2, 0, 0]}\n"
             "  c: {mass: 1.5, inertia: [1, 1, 1], position: [0.9, 0, 0]}\n"
             "joints:\n"
             "  rail_a: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"
             "  rail_b: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}\n"
             "  rail_c: {type: translational, between: [c, ground], axis: x}\n"
             "  drive: {type: motion, joint: rail_c,"
             " function: 0.9 + 0.2*time + 0.6*shake + 0.1*shake^2}\n"
             "inputs: {shake: 0.4}\n"
             "variables: {felt_force: FX(drive)}\n"
             "outputs: {place: DX(c), speed: VX(c), felt: ACCX(c), force: FX(drive)}\n"
             "loads:\n"
             "  on_a: {type: force, on: a, components: ['-7*DX(a) - 0.4*VX(a) - 0.5*DX(a)^3"
             " + 5*(DX(b) - DX(a)) + 11*(DX(c) - DX(a)) + 0.7*(VX(c) - VX(a))', 0, 0]}\n"
             "  on_b: {type: force, on: b, components: ['-5*(DX(b) - DX(a)) + 0.3*ACCX(c) + "
             "0.2*felt_force', 0,"
             " 0]}\n"
             "  on_c: {type: force, on: c, components: ['-11*(DX(c) - DX(a))"
             " - 0.7*(VX(c) - VX(a))', 0, 0]}\n"
             "linearize: {states: [a.x, b.x]}\n");
    for (int k = 0; whole_next_way(&k, &way);) {
        char what[160];
        whole found = whole_parse(yaml, &way);
        snprintf(what, sizeof what, "motion, %s, %s", way.coordinates, way.method);
        assert_linearizes(what, found.linear, &system, tolerance);
        whole_release(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_explicit_differential_equation),
        cmocka_unit_test(lags_follow_their_inputs),
        cmocka_unit_test(an_actuator_that_lags_has_its_critical_gain),
        cmocka_unit_test(an_implicit_differential_equation),
        cmocka_unit_test(implicit_equations_that_hold_each_others_rates),
        cmocka_unit_test(a_state_space_block),
        cmocka_unit_test(a_general_block),
        cmocka_unit_test(two_transfer_functions),
        cmocka_unit_test(a_pid_controller),
        cmocka_unit_test(a_gain_with_limits_and_a_dead_zone),
        cmocka_unit_test(variables_that_depend_on_one_another),
        cmocka_unit_test(accelerations_in_the_loop),
        cmocka_unit_test(a_joint_reaction_in_the_loop),
        cmocka_unit_test(an_input_that_drives_a_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
