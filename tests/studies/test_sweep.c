/* Values where something happens, held against closed forms; branches against continuity; one
 * thread against two. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <routh/routh.h>

#include "support/mechanisms.h"
#include "support/temporary.h"

static routh_sweep *run(const char *example, const char *first, const char *second,
                        const routh_sweep_options *options)
{
    const char *source = getenv("ROUTH_SOURCE");
    char path[1024];
    routh_error error = {0};
    routh_sweep_axis axes[2] = {{0}};
    routh_sweep *sweep = NULL;
    snprintf(path, sizeof path, "%s/examples/%s", source ? source : ".", example);
    if (routh_sweep_axis_parse(&axes[0], first, NULL, &error)) fail_msg("%s", error.message);
    if (second && routh_sweep_axis_parse(&axes[1], second, NULL, &error))
        fail_msg("%s", error.message);
    const routh_status status =
        routh_sweep_run(&sweep, path, axes, second ? 2 : 1, options, &error);
    if (!sweep) fail_msg("%s", error.message);
    assert_int_equal(status, sweep->interrupted ? ROUTH_STOPPED : ROUTH_OK);
    routh_sweep_axis_free(&axes[0]);
    routh_sweep_axis_free(&axes[1]);
    return sweep;
}

static routh_sweep *run_text(const char *yaml, const char *values,
                             const routh_sweep_options *options)
{
    char *path = write_temporary(yaml);
    routh_error error = {0};
    routh_sweep_axis axis;
    routh_sweep *sweep = NULL;
    assert_int_equal(routh_sweep_axis_parse(&axis, values, NULL, &error), ROUTH_OK);
    const routh_status status = routh_sweep_run(&sweep, path, &axis, 1, options, &error);
    unlink(path);
    free(path);
    if (status) fail_msg("%s", error.message);
    routh_sweep_axis_free(&axis);
    return sweep;
}

/* Crossings, meetings and veerings are solved for too. */
static routh_sweep_options everything(void)
{
    routh_sweep_options o = routh_sweep_defaults();
    o.solve = ROUTH_SWEEP_SOLVE_ALL;
    return o;
}

/* The k-th of its kind. */
static const routh_sweep_event *event(const routh_sweep *s, routh_sweep_event_kind kind, int k)
{
    for (int i = 0; i < s->lines[0].n_events; i++)
        if (s->lines[0].events[i].kind == kind && k-- == 0) return &s->lines[0].events[i];
    return NULL;
}

static int count(const routh_sweep *s, routh_sweep_event_kind kind)
{
    int n = 0;
    while (event(s, kind, n)) n++;
    return n;
}

static void near(const routh_sweep_event *e, double value)
{
    assert_non_null(e);
    if (!(fabs(e->value - value) <= 1e-10 * fmax(1, fabs(value))))
        fail_msg("%.15g where %.15g was to be", e->value, value);
    /* the error that is stated holds, but for the rounding of what it is compared with */
    if (!(fabs(e->value - value) <= 10 * e->error + 4e-15 * fabs(value)))
        fail_msg("off by %.2g where %.2g is stated", fabs(e->value - value), e->error);
}

/* ---- the values of an axis ------------------------------------------------------------------- */

static void an_axis_is_a_range_or_a_list(void **state)
{
    routh_sweep_axis axis;
    routh_error error;
    (void)state;
    assert_int_equal(routh_sweep_axis_parse(&axis, "spin=0:2*pi:5", NULL, &error), ROUTH_OK);
    assert_string_equal(axis.parameter, "spin");
    assert_int_equal(axis.n, 5);
    assert_true(axis.values[0] == 0 && axis.values[4] == 2 * 3.14159265358979323846);
    assert_true(fabs(axis.values[1] - 3.14159265358979323846 / 2) < 1e-15);
    routh_sweep_axis_free(&axis);
    assert_int_equal(routh_sweep_axis_parse(&axis, "k = log:1:1e6:7", NULL, &error), ROUTH_OK);
    assert_true(axis.n == 7 && fabs(axis.values[3] - 1e3) < 1e-9 && axis.values[6] == 1e6);
    routh_sweep_axis_free(&axis);
    assert_int_equal(routh_sweep_axis_parse(&axis, "a=3, 2, max(1, 0.5)", NULL, &error), ROUTH_OK);
    assert_true(axis.n == 3 && axis.values[0] == 3 && axis.values[2] == 1);
    routh_sweep_axis_free(&axis);
    assert_int_equal(routh_sweep_axis_parse(&axis, "n=60 rpm", NULL, &error), ROUTH_OK);
    assert_true(axis.n == 1 && fabs(axis.values[0] - 2 * 3.14159265358979323846) < 1e-14);
    routh_sweep_axis_free(&axis);
}

static void a_bad_axis_is_refused(void **state)
{
    static const char *const bad[] = {"spin",      "=1:2:3",    "s=1:2",       "s=1:1:3",
                                      "s=0:1:1",   "s=0:1:2.5", "s=log:0:1:3", "s=log:-1:1:3",
                                      "s=1, 3, 2", "s=1, 1",    "s=x",         "s=1/0",
                                      "s=1:2:3:4", "s=",        "s=0:1:1e9"};
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        routh_sweep_axis axis;
        routh_error error = {0};
        if (routh_sweep_axis_parse(&axis, bad[k], NULL, &error) != ROUTH_BAD_ARGUMENT)
            fail_msg("\"%s\" was not refused", bad[k]);
        assert_true(error.message[0] != '\0');
        assert_null(axis.values);
    }
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* lambda^2 = rate^2 - g/l, but for the ball's inertia of 1e-9 in 0.5 kg m^2 */
static void a_pendulum_on_a_turntable_leaves_the_vertical(void **state)
{
    (void)state;
    const double l = 0.5, m = 2, J = 1e-9;
    const double expected = sqrt(m * 9.81 * l / (m * l * l));
    /* J about the hinge's axis and J against the turn: (m l^2 + J) s^2 = m l^2 rate^2 - m g l */
    (void)J;
    const char *const values[] = {"rate=0:8:33", "rate=8:0:12", "rate=0:2*sqrt(9.81/0.5):33"};
    for (int k = 0; k < 3; k++) {
        routh_sweep *s = run("spinning-pendulum.yaml", values[k], NULL, NULL);
        near(event(s, ROUTH_SWEEP_DIVERGENCE, 0), expected);
        assert_int_equal(event(s, ROUTH_SWEEP_DIVERGENCE, 0)->grows, 1);
        assert_int_equal(s->lines[0].n_events, 1);
        routh_sweep_free(s);
    }
}

/* Unstable above sqrt(k/m) (1 + outer/inner); without damping critical at sqrt(k/m). */
static void a_rotor_with_damping_in_its_shaft(void **state)
{
    (void)state;
    routh_sweep_options o = routh_sweep_defaults();
    o.speed = "spin";
    /* 30 is on the grid of the first, not of the second */
    const char *const values[] = {"spin=0:40:41", "spin=1:39:14"};
    for (int k = 0; k < 2; k++) {
        routh_sweep *s = run("jeffcott-rotor.yaml", values[k], NULL, &o);
        near(event(s, ROUTH_SWEEP_FLUTTER, 0), 30);
        assert_int_equal(event(s, ROUTH_SWEEP_FLUTTER, 0)->grows, 1);
        assert_true(fabs(event(s, ROUTH_SWEEP_FLUTTER, 0)->eigenvalue[1] - 20) < 1e-10);
        assert_int_equal(count(s, ROUTH_SWEEP_FLUTTER), 1);
        assert_int_equal(count(s, ROUTH_SWEEP_CROSSING), 0);
        routh_sweep_free(s);
    }
    const routh_setting settings[] = {{"outer", "0"}, {"inner", "0"}};
    o.settings = settings;
    o.n_settings = 2;
    o.n_orders = 2;
    o.orders[1] = 2;
    routh_sweep *s = run("jeffcott-rotor.yaml", values[1], NULL, &o);
    assert_int_equal(count(s, ROUTH_SWEEP_CRITICAL), 4);
    for (int k = 0; k < 4; k++) {
        const routh_sweep_event *e = event(s, ROUTH_SWEEP_CRITICAL, k);
        near(e, e->order == 1 ? 20 : 10);
    }
    routh_sweep_free(s);
}

/* The damping ratio of z'' + 2 d z' + w^2 z = 0 is d / w: here outer / (2 sqrt(k m)). */
static void a_damping_ratio_is_reached(void **state)
{
    (void)state;
    routh_sweep_options o = everything();
    const routh_setting settings[] = {{"inner", "0"}};
    o.settings = settings;
    o.n_settings = 1;
    o.damping_ratio = 0.3;
    routh_sweep *s = run("jeffcott-rotor.yaml", "outer=0:50:11", NULL, &o);
    assert_int_equal(count(s, ROUTH_SWEEP_DAMPING), 2);
    near(event(s, ROUTH_SWEEP_DAMPING, 0), 0.3 * 2 * sqrt(800 * 2));
    near(event(s, ROUTH_SWEEP_DAMPING, 1), 0.3 * 2 * sqrt(800 * 2));
    routh_sweep_free(s);
    /* critical damping: the pairs become real, defective there */
    s = run("jeffcott-rotor.yaml", "outer=1:101:11", NULL, &o);
    assert_int_equal(count(s, ROUTH_SWEEP_MEETING), 2);
    near(event(s, ROUTH_SWEEP_MEETING, 0), 2 * sqrt(800 * 2));
    routh_sweep_free(s);
}

/* M s^2 + c C s + K(load), rods without mass (the masses are points but for J):
 *     M = [3 + J, 1; 1, 1 + J],  C = [2, -1; -1, 1],  K = [2 - load, load - 1; -1, 1]
 * in m, l, k of 1, absolute angles. Returns the coefficients of s^4 .. s^0. */
static void column(double J, double c, double load, double a[5])
{
    const double M[4] = {3 + J, 1, 1, 1 + J}, C[4] = {2 * c, -c, -c, c},
                 K[4] = {2 - load, load - 1, -1, 1};
    a[0] = M[0] * M[3] - M[1] * M[2];
    a[1] = M[0] * C[3] + C[0] * M[3] - M[1] * C[2] - C[1] * M[2];
    a[2] = M[0] * K[3] + K[0] * M[3] - M[1] * K[2] - K[1] * M[2] + C[0] * C[3] - C[1] * C[2];
    a[3] = C[0] * K[3] + K[0] * C[3] - C[1] * K[2] - K[1] * C[2];
    a[4] = K[0] * K[3] - K[1] * K[2];
}

/* Undamped: a2^2 - 4 a0 a4; damped, by Hurwitz: a1 a2 a3 - a0 a3^2 - a1^2 a4. */
static double column_function(double c, double load)
{
    double a[5];
    column(1e-6, c, load, a);
    return c == 0 ? a[2] * a[2] - 4 * a[0] * a[4]
                  : (a[1] * a[2] * a[3] - a[0] * a[3] * a[3] - a[1] * a[1] * a[4]) / (c * c);
}

static double column_zero(double c, double from, double to)
{
    for (int k = 0; k < 80; k++) {
        const double middle = (from + to) / 2;
        if ((column_function(c, middle) > 0) == (column_function(c, from) > 0))
            from = middle;
        else
            to = middle;
    }
    return (from + to) / 2;
}

static void a_column_under_a_following_load_flutters(void **state)
{
    (void)state;
    /* points: (7/2 - sqrt(2)) k/l, and 41/28 k/l with vanishing damping */
    assert_true(fabs(column_zero(0, 1, 2.5) - (3.5 - sqrt(2))) < 1e-4);
    assert_true(fabs(column_zero(1e-4, 1, 2) - 41.0 / 28) < 1e-4);
    const routh_setting damped[] = {{"c", "0.05"}};
    routh_sweep_options o = routh_sweep_defaults();
    routh_sweep *s = run("ziegler-column.yaml", "load=0:3:7", NULL, &o);
    near(event(s, ROUTH_SWEEP_FLUTTER, 0), column_zero(0, 1, 2.5));
    assert_int_equal(event(s, ROUTH_SWEEP_FLUTTER, 0)->grows, 1);
    assert_int_equal(s->lines[0].n_events, 1);
    routh_sweep_free(s);
    o.settings = damped;
    o.n_settings = 1;
    s = run("ziegler-column.yaml", "load=0:3:7", NULL, &o);
    near(event(s, ROUTH_SWEEP_FLUTTER, 0), column_zero(0.05, 1, 2));
    assert_int_equal(count(s, ROUTH_SWEEP_FLUTTER), 1);
    routh_sweep_free(s);
}

/* Weave and capsize speeds of the benchmark bicycle (Meijaard, Papadopoulos, Ruina, Schwab,
 * Proc. R. Soc. A 463, 2007), which is stable between them. */
static void the_benchmark_bicycle_is_stable_between_its_two_speeds(void **state)
{
    (void)state;
    routh_sweep *s = run("bicycle-whipple.yaml", "v=1:10:19", NULL, NULL);
    assert_int_equal(s->lines[0].n_events, 2);
    near(event(s, ROUTH_SWEEP_FLUTTER, 0), 4.29238253634111);
    near(event(s, ROUTH_SWEEP_DIVERGENCE, 0), 6.02426201538837);
    assert_int_equal(event(s, ROUTH_SWEEP_FLUTTER, 0)->grows, 0);
    assert_int_equal(event(s, ROUTH_SWEEP_DIVERGENCE, 0)->grows, 1);
    routh_sweep_free(s);
}

/* ---- the rotor in its stator ----------------------------------------------------------------- */

typedef long double _Complex number;

/* The lateral quartic of papers/VALUES.md, with its derivatives; forward whirl has Im > 0. */
static number quartic(number s, long double spin, number *by_s, number *by_spin)
{
    const long double mt = 1500, S = 975, J = 1281.25L, Iz = 1000, K = 1000, C = 1, Kt = 1e4L,
                      Ct = 10;
    const number g = Ct - I * Iz * spin, gs = -I * Iz;
    const number a[5] = {K * Kt, C * Kt + K * g, mt * Kt + J * K + C * g, mt * g + J * C,
                         mt * J - S * S},
                 b[5] = {0, K * gs, C * gs, mt * gs, 0};
    number f = 0;
    *by_s = *by_spin = 0;
    for (int k = 4; k >= 0; k--) {
        *by_s = *by_s * s + f;
        f = f * s + a[k];
        *by_spin = *by_spin * s + b[k];
    }
    return f;
}

/* Newton for s = re + i (slope spin + offset) in re and spin. */
static long double meeting_speed(long double spin, long double slope, long double offset)
{
    long double re = -1e-3L;
    for (int k = 0; k < 60; k++) {
        number by_s, by_spin;
        const number s = re + I * (slope * spin + offset), f = quartic(s, spin, &by_s, &by_spin),
                     u = by_s, v = by_s * I * slope + by_spin;
        const long double det = creall(u) * cimagl(v) - cimagl(u) * creall(v);
        re -= (creall(f) * cimagl(v) - cimagl(f) * creall(v)) / det;
        spin -= (creall(u) * cimagl(f) - cimagl(u) * creall(f)) / det;
    }
    return spin;
}

static void critical_speeds_of_rotor_and_stator(void **state)
{
    (void)state;
    routh_sweep_options o = routh_sweep_defaults();
    o.speed = "spin";
    routh_sweep *s = run("rotor-stator.yaml", "spin=0:2*pi:41", NULL, &o);
    const double vertical = sqrt(1000.0 / 1500 - 1 / (4 * 1500.0 * 1500));
    assert_int_equal(count(s, ROUTH_SWEEP_CRITICAL), 4);
    near(event(s, ROUTH_SWEEP_CRITICAL, 0), (double)meeting_speed(0.798L, -1, 0));
    near(event(s, ROUTH_SWEEP_CRITICAL, 1), (double)meeting_speed(0.8L, 1, 0));
    near(event(s, ROUTH_SWEEP_CRITICAL, 2), vertical);
    near(event(s, ROUTH_SWEEP_CRITICAL, 3), (double)meeting_speed(2.52L, -1, 0));
    /* Figure 7 (a): shares of the branches at 1 Hz (papers/VALUES.md) */
    static const double at_one_hertz[] = {0.12446451, 0.12811374, 0.12994946,
                                          0.23350247, 1.77425478, 15.89558749};
    const routh_sweep_point *last = &s->lines[0].points[s->lines[0].n_points - 1];
    for (int k = 0; k < 6; k++) {
        int found = 0;
        for (int b = 0; b < s->lines[0].n_branches; b++) {
            char name[8];
            snprintf(name, sizeof name, "%d", k + 3);
            if (strcmp(s->lines[0].names[b], name) != 0) continue;
            found = 1;
            assert_true(fabs(fabs(last->eigenvalues[b][1]) / (2 * 3.14159265358979323846) -
                             at_one_hertz[k]) < 1e-8);
        }
        assert_true(found);
    }
    routh_sweep_free(s);
}

/* Seen from the rotor every lateral s becomes s - i spin. */
static void crossings_seen_from_the_rotor(void **state)
{
    (void)state;
    routh_sweep_options o = everything();
    o.speed = "spin";
    o.orders[0] = 0;
    o.reference = "hub";
    routh_sweep *s = run("rotor-stator.yaml", "spin=0:2*pi:41", NULL, &o);
    const long double w = sqrtl(1000.0L / 1500 - 1 / (4 * 1500.0L * 1500));
    near(event(s, ROUTH_SWEEP_CRITICAL, 0), (double)meeting_speed(0.8L, 1, 0));
    assert_int_equal(count(s, ROUTH_SWEEP_CRITICAL), 1);
    /* backward |s| + spin = w; forward: spin - |s| = w */
    near(event(s, ROUTH_SWEEP_CROSSING, 0), (double)meeting_speed(0.017L, 1, -w));
    near(event(s, ROUTH_SWEEP_CROSSING, 1), (double)meeting_speed(1.6L, 1, -w));
    assert_int_equal(count(s, ROUTH_SWEEP_CROSSING), 4);
    assert_int_equal(count(s, ROUTH_SWEEP_AMBIGUOUS), 0);
    routh_sweep_free(s);
}

/* ---- veering --------------------------------------------------------------------------------- */

/* Two masses of 1 kg on springs of 1 and p N/m, with one of e between them: with
 * S = sum of squares of the two frequencies = 1 + p + 2 e and Q = their product,
 * Q^2 = (1 + e)(p + e) - e^2, the gap is sqrt(S - 2 Q), least where Q = 1 + e. */
static const char two_masses[] =
    "parameters: {p: 1, coupling: 0.01}\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  slide_a: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"
    "  slide_b: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}\n"
    "loads:\n"
    "  on_a: {type: force, on: a, components: [-DX(a) - coupling*(DX(a) - DX(b)), 0, 0]}\n"
    "  on_b: {type: force, on: b, components: [-p*DX(b) - coupling*(DX(b) - DX(a)), 0, 0]}\n"
    "operating_point: {type: given}\n"
    "linearize: {states: [a.x, b.x]}\n";

static void frequencies_veer(void **state)
{
    (void)state;
    const char *const couplings[] = {"0.05", "1e-3", "1e-5"};
    const char *const grids[] = {"p=0.5:1.7:13", "p=1.8:0.3:8", "p=0.3:1.7:101"};
    for (int k = 0; k < 9; k++) {
        const routh_setting settings[] = {{"coupling", couplings[k % 3]}};
        routh_sweep_options o = everything();
        o.settings = settings;
        o.n_settings = 1;
        routh_sweep *s = run_text(two_masses, grids[k / 3], &o);
        const double e = strtod(couplings[k % 3], NULL),
                     p = ((1 + e) * (1 + e) + e * e) / (1 + e) - e,
                     gap = sqrt(1 + p + 2 * e - 2 * (1 + e));
        assert_int_equal(s->lines[0].n_events, 1);
        near(event(s, ROUTH_SWEEP_VEERING, 0), p);
        assert_true(fabs(event(s, ROUTH_SWEEP_VEERING, 0)->gap - gap) < 1e-6 * gap + 1e-12);
        /* the lower frequency stays the lower one */
        const routh_sweep_line *l = &s->lines[0];
        for (int m = 0; m < l->n_points; m++) {
            double w[2];
            for (int b = 0, n = 0; b < l->n_branches; b++)
                if (!strchr(l->names[b], '*')) w[n++] = fabs(l->points[m].eigenvalues[b][1]);
            assert_true(w[0] < w[1]);
        }
        routh_sweep_free(s);
    }
}

/* Two translations of a rotor in magnetic bearings are equal at all speeds: they come nearest
 * nowhere. */
static void equal_frequencies_do_not_veer(void **state)
{
    (void)state;
    const routh_sweep_options o = everything();
    routh_sweep *s = run("magnetic-bearing-rotor.yaml", "spin=0:40000 rpm:41", NULL, &o);
    assert_int_equal(count(s, ROUTH_SWEEP_VEERING), 0);
    assert_int_equal(count(s, ROUTH_SWEEP_AMBIGUOUS), 0);
    routh_sweep_free(s);
}

/* Without a coupling they cross. */
static void frequencies_cross(void **state)
{
    (void)state;
    const routh_setting settings[] = {{"coupling", "0"}};
    routh_sweep_options o = everything();
    o.settings = settings;
    o.n_settings = 1;
    /* 1 is on the grid of the second */
    const char *const grids[] = {"p=0.5:1.7:14", "p=0.5:1.5:11"};
    for (int k = 0; k < 2; k++) {
        routh_sweep *s = run_text(two_masses, grids[k], &o);
        assert_int_equal(s->lines[0].n_events, 1);
        near(event(s, ROUTH_SWEEP_CROSSING, 0), 1);
        const routh_sweep_line *l = &s->lines[0];
        for (int b = 0; b < l->n_branches; b++) {
            const double first = l->points[0].eigenvalues[b][1];
            const double last = l->points[l->n_points - 1].eigenvalues[b][1];
            /* one stays at 1, the other goes from sqrt(0.5) on */
            assert_true(fabs(fabs(first) - 1) < 1e-12 ? fabs(last - first) < 1e-12
                                                      : fabs(last) > 1.2);
        }
        routh_sweep_free(s);
    }
}

/* ---- with derivatives and without ------------------------------------------------------------ */

/* The k-th event of both is the same one, within what is stated; evaluations of all in sum[2]. */
static void same_events(routh_sweep *const s[2], int sum[2])
{
    const routh_sweep_line *a = &s[0]->lines[0], *b = &s[1]->lines[0];
    assert_int_equal(a->n_events, b->n_events);
    assert_true(a->n_events > 0);
    for (int k = 0; k < a->n_events; k++) {
        const routh_sweep_event *e = &a->events[k], *f = &b->events[k];
        assert_int_equal(e->kind, f->kind);
        assert_true(fabs(e->value - f->value) <= e->error + f->error);
        assert_int_equal(e->derivatives, 0);
        sum[0] += e->evaluations, sum[1] += f->evaluations;
    }
}

static void exact_derivatives_take_fewer_operating_points(void **state)
{
    (void)state;
    static const struct {
        const char *example, *values, *speed;
        routh_setting setting;
    } cases[] = {{"jeffcott-rotor.yaml", "spin=1:39:14", "spin", {"inner", "4"}},
                 {"ziegler-column.yaml", "load=0:3:7", NULL, {"c", "0.05"}},
                 {NULL, "p=0.5:1.7:13", NULL, {"coupling", "0.05"}},
                 {NULL, "p=0.5:1.7:13", NULL, {"coupling", "1e-4"}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        routh_sweep *s[2];
        int sum[2] = {0};
        for (int d = 0; d < 2; d++) {
            routh_sweep_options o = everything();
            o.derivatives = d;
            o.speed = cases[k].speed;
            o.settings = &cases[k].setting;
            o.n_settings = 1;
            s[d] = cases[k].example ? run(cases[k].example, cases[k].values, NULL, &o)
                                    : run_text(two_masses, cases[k].values, &o);
            assert_int_equal(s[d]->derivatives, d);
            assert_null(s[d]->refused);
        }
        same_events(s, sum);
        for (int e = 0; e < s[1]->lines[0].n_events; e++)
            assert_int_equal(s[1]->lines[0].events[e].derivatives, 1);
        if (!(4 * sum[1] <= 3 * sum[0])) fail_msg("%d against %d evaluations", sum[1], sum[0]);
        routh_sweep_free(s[0]);
        routh_sweep_free(s[1]);
    }
}

/* A long table of a spring is not differentiated: that is said, and brackets alone solve. */
static void refused_derivatives_are_said(void **state)
{
    (void)state;
    growing_text table = {0}, text = {0};
    text_add_long_table(&table, "p");
    text_add(&text,
             "parameters: {p: 1}\n"
             "gravity: [0, 0, 0]\n"
             "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
             "markers: {wall: {body: ground, position: [-1, 0, 0]}}\n"
             "joints: {slide: {type: translational, between: [a, ground], at: [0, 0, 0],\n"
             "                 axis: [1, 0, 0]}}\n"
             "loads:\n"
             "  drive: {type: force, on: a, components: [(p - 1)*VX(a), 0, 0]}\n"
             "  hold: {type: spring, between: [a, wall], free_length: 1,\n"
             "         table: %s}\n"
             "operating_point: {type: given}\n",
             table.bytes);
    routh_sweep *s = run_text(text.bytes, "p=0.5:1.6:7", NULL);
    free(table.bytes);
    free(text.bytes);
    assert_int_equal(s->derivatives, 0);
    assert_non_null(s->refused);
    assert_non_null(strstr(s->refused, "load 'hold'"));
    near(event(s, ROUTH_SWEEP_FLUTTER, 0), 1);
    assert_int_equal(event(s, ROUTH_SWEEP_FLUTTER, 0)->derivatives, 0);
    routh_sweep_free(s);
}

/* ---- branches -------------------------------------------------------------------------------- */

/* Along every branch the eigenvalue changes by little more than its slope says, and of a pair of
 * crossing branches each goes straight on. */
static void branches_go_straight_through_crossings(void **state)
{
    (void)state;
    routh_sweep_options o = everything();
    o.reference = "hub";
    routh_sweep *s = run("rotor-stator.yaml", "spin=0:2*pi:64", NULL, &o);
    const routh_sweep_line *l = &s->lines[0];
    for (int b = 0; b < l->n_branches; b++)
        for (int k = 2; k < l->n_points; k++) {
            const routh_sweep_point *p = &l->points[k - 2];
            const double h = p[1].value - p[0].value, g = p[2].value - p[1].value;
            const double slope[2] = {(p[1].eigenvalues[b][1] - p[0].eigenvalues[b][1]) / h,
                                     (p[2].eigenvalues[b][1] - p[1].eigenvalues[b][1]) / g};
            /* second derivatives of these curves are below 1 here */
            assert_true(fabs(slope[1] - slope[0]) < h + g);
        }
    routh_sweep_free(s);
}

static void the_result_does_not_depend_on_threads(void **state)
{
    (void)state;
    routh_text text[2];
    for (int k = 0; k < 2; k++) {
        routh_error error;
        routh_sweep_options o = everything();
        o.speed = "spin";
        o.threads = k + 1;
        routh_sweep *s = run("rotor-stator.yaml", "spin=0:2*pi:60", "k=800:1200:3", &o);
        assert_int_equal(s->n_lines, 3);
        assert_int_equal(routh_sweep_json(s, &text[k], &error), ROUTH_OK);
        routh_sweep_free(s);
    }
    assert_int_equal(text[0].length, text[1].length);
    assert_memory_equal(text[0].bytes, text[1].bytes, text[0].length);
    routh_text_free(&text[0]);
    routh_text_free(&text[1]);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static int stop_after(void *data, int done, int all)
{
    (void)all;
    return done >= *(const int *)data;
}

/* 200 values are 7 pieces with 8 starts: stopped among these, and after. Branches are those of the
 * whole sweep. */
static void a_sweep_that_is_stopped_keeps_what_is_done(void **state)
{
    (void)state;
    const int stops[] = {1, 3, 8, 10, 30};
    routh_sweep *all = run("jeffcott-rotor.yaml", "spin=1:40:200", NULL, NULL);
    for (int k = 0; k < 5; k++) {
        routh_sweep_options o = routh_sweep_defaults();
        int stop = stops[k];
        o.on_progress = stop_after;
        o.data = &stop;
        o.threads = 1;
        routh_sweep *s = run("jeffcott-rotor.yaml", "spin=1:40:200", NULL, &o);
        assert_int_equal(s->interrupted, 1);
        assert_int_equal(s->n_lines, 1);
        assert_int_equal(s->lines[0].n_points, stop);
        for (int i = 0, j = 0; i < s->lines[0].n_points; i++) {
            const routh_sweep_point *p = &s->lines[0].points[i], *q = all->lines[0].points;
            while (q[j].value != p->value) assert_true(++j < all->lines[0].n_points);
            for (int b = 0; b < 4; b++) {
                assert_string_equal(s->lines[0].names[b], all->lines[0].names[b]);
                for (int c = 0; c < 2; c++)
                    assert_true(fabs(p->eigenvalues[b][c] - q[j].eigenvalues[b][c]) < 1e-12);
            }
        }
        routh_text text;
        routh_error error;
        assert_int_equal(routh_sweep_table(s, NULL, &text, &error), ROUTH_OK);
        routh_text_free(&text);
        routh_sweep_free(s);
    }
    routh_sweep_free(all);
}

/* Force -sin(x - p) - x/20, x in cm: the equilibrium that follows p, and others near those a turn
 * away, where one long step to the end of a piece leads. Every value is on the first, in one piece
 * and in three. */
static void a_piece_ends_on_the_branch_that_it_begins_on(void **state)
{
    (void)state;
    static const char caught[] =
        "parameters: {p: 0}\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {s: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}\n"
        "loads:\n"
        "  f: {type: force, on: b, components: [-sin(100*DX(b) - p) - 5*DX(b), 0, 0]}\n"
        "operating_point: {type: static}\n";
    static const char *const over[] = {"p=0:4:2", "p=0:4:21", "p=0:4:65"};
    for (int g = 0; g < 3; g++) {
        routh_sweep *s = run_text(caught, over[g], NULL);
        const routh_sweep_line *l = &s->lines[0];
        assert_int_equal(count(s, ROUTH_SWEEP_LOST), 0);
        for (int k = 0; k < l->n_points; k++) {
            const double p = l->points[k].value;
            double x = p; /* Newton from the side where x < p */
            for (int n = 0; n < 50; n++) x -= (sin(x - p) + x / 20) / (cos(x - p) + 0.05);
            double w = 0;
            for (int b = 0; b < l->n_branches; b++)
                if (l->points[k].partner[b] >= 0) w = fmax(w, l->points[k].eigenvalues[b][1]);
            if (!(fabs(w * w / 100 - cos(x - p) - 0.05) < 1e-9))
                fail_msg("at p = %g: %.15g", p, w * w);
        }
        routh_sweep_free(s);
    }
}

static void wrong_parameters_are_refused(void **state)
{
    (void)state;
    char path[1024];
    const char *source = getenv("ROUTH_SOURCE");
    snprintf(path, sizeof path, "%s/examples/jeffcott-rotor.yaml", source ? source : ".");
    routh_sweep_axis axes[2];
    routh_error error = {0};
    routh_sweep *s;
    assert_int_equal(routh_sweep_axis_parse(&axes[0], "speed=0:1:3", NULL, &error), ROUTH_OK);
    assert_int_equal(routh_sweep_run(&s, path, axes, 1, NULL, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "spin"));
    assert_null(s);
    routh_sweep_axis_free(&axes[0]);
    assert_int_equal(routh_sweep_axis_parse(&axes[0], "spin=0:1:3", NULL, &error), ROUTH_OK);
    assert_int_equal(routh_sweep_axis_parse(&axes[1], "spin=0:1:3", NULL, &error), ROUTH_OK);
    assert_int_equal(routh_sweep_run(&s, path, axes, 2, NULL, &error), ROUTH_BAD_ARGUMENT);
    routh_sweep_options o = routh_sweep_defaults();
    o.speed = "rate";
    assert_int_equal(routh_sweep_run(&s, path, axes, 1, &o, &error), ROUTH_BAD_ARGUMENT);
    routh_sweep_axis_free(&axes[0]);
    routh_sweep_axis_free(&axes[1]);
}

/* A bar pressed flat: at y the load is k (L - s) y / s with s = sqrt(1 + y^2), largest where
 * s^3 = L, and there the equilibrium ends. */
static void an_equilibrium_that_ends_is_said(void **state)
{
    (void)state;
    static const char truss[] =
        "parameters: {load: 0}\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {top: {mass: 1, inertia: [1, 1, 1], position: [0, 0.3, 0]}}\n"
        "joints: {guide: {type: translational, between: [top, ground], at: [0, 0, 0], axis: y}}\n"
        "markers: {foot: {body: ground, position: [1, 0, 0]}, head: {body: top}}\n"
        "loads:\n"
        "  bar: {type: spring, between: [head, foot], stiffness: 1000, damping: 1}\n"
        "  weight: {type: force, on: head, components: [0, -load, 0]}\n"
        "operating_point: {type: static}\n";
    const double L = sqrt(1.09), s0 = cbrt(L), expected = 1000 * (L - s0) * sqrt(s0 * s0 - 1) / s0;
    routh_sweep *s = run_text(truss, "load=0:8:20", NULL);
    const routh_sweep_event *e = event(s, ROUTH_SWEEP_LOST, 0);
    assert_non_null(e);
    assert_true(fabs(e->value - expected) <= e->error + 1e-12 * expected);
    assert_true(e->error < 1e-9 * expected);
    assert_int_equal(count(s, ROUTH_SWEEP_LOST), 1);
    /* what is beyond has nothing to do with it, though it has as many modes */
    const routh_sweep_line *l = &s->lines[0];
    for (int k = 0; k < l->n_points; k++)
        for (int b = 0; b < l->n_branches && l->points[k].n > 0; b++)
            assert_true((l->points[k].partner[b] >= 0) ==
                        ((b < 2) == (l->points[k].value < e->value)));
    /* below, K = k (1 - L / s^3) and m = 1 give the frequency, whatever was passed before */
    const routh_sweep_point *p = &s->lines[0].points[0];
    double w = 0;
    for (int b = 0; b < s->lines[0].n_branches; b++) w = fmax(w, p->eigenvalues[b][1]);
    assert_true(fabs(w * w + 0.25 * pow(0.09 / 1.09, 2) - 1000 * 0.09 / 1.09) < 1e-9);
    routh_sweep_free(s);
}

static void check_followed(routh_sweep *s)
{
    const routh_sweep_line *l = &s->lines[0];
    assert_int_equal(count(s, ROUTH_SWEEP_LOST), 0);
    assert_int_equal(l->n_branches, 2);
    assert_int_equal(l->n_points, 4);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(l->points[k].n, 2);
        assert_true(fabs(fabs(l->points[k].eigenvalues[0][1]) - 1) < 1e-9);
    }
    routh_sweep_free(s);
}

/* A mass on a slide that a spring holds at 10 p: the long steps between values lead too far to be
 * followed, small ones do not, and so nothing is lost. */
static void an_equilibrium_that_goes_far_is_followed(void **state)
{
    (void)state;
#define SLIDE                                                                                      \
    "parameters: {p: 0}\n"                                                                         \
    "gravity: [0, 0, 0]\n"                                                                         \
    "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"                                                 \
    "joints: {s: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}}\n"           \
    "operating_point: {type: static}\n"
    check_followed(run_text(SLIDE
                            "markers: {foot: {body: ground, position: [-90, 0, 0]}, head: {body: "
                            "b}}\n"
                            "loads:\n"
                            "  spring: {type: spring, between: [head, foot], stiffness: 1, "
                            "free_length: 90}\n"
                            "  f: {type: force, on: b, components: [10*p, 0, 0]}\n",
                            "p=0:12:4", NULL));
    /* as written nothing is found at p = 3 */
    check_followed(run_text(
        SLIDE "loads: {f: {type: force, on: b, components: [-sinh(DX(b) - 10*p), 0, 0]}}\n",
        "p=0:3:4", NULL));
}

/* A mass that is negative for some values: these say so, and the others are there; without mass,
 * two eigenvalues are infinite. */
static void a_value_without_operating_point_is_said(void **state)
{
    (void)state;
    routh_sweep *s = run("jeffcott-rotor.yaml", "m=-2:2:5", NULL, NULL);
    const routh_sweep_line *l = &s->lines[0];
    assert_int_equal(l->n_points, 5);
    for (int k = 0; k < 5; k++) {
        const double m = l->points[k].value;
        assert_int_equal(l->points[k].message == NULL, m >= 0);
        assert_int_equal(l->points[k].n, m > 0 ? 4 : m < 0 ? 0 : 2);
    }
    routh_sweep_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_axis_is_a_range_or_a_list),
        cmocka_unit_test(a_bad_axis_is_refused),
        cmocka_unit_test(a_pendulum_on_a_turntable_leaves_the_vertical),
        cmocka_unit_test(a_rotor_with_damping_in_its_shaft),
        cmocka_unit_test(a_damping_ratio_is_reached),
        cmocka_unit_test(a_column_under_a_following_load_flutters),
        cmocka_unit_test(the_benchmark_bicycle_is_stable_between_its_two_speeds),
        cmocka_unit_test(critical_speeds_of_rotor_and_stator),
        cmocka_unit_test(crossings_seen_from_the_rotor),
        cmocka_unit_test(frequencies_veer),
        cmocka_unit_test(equal_frequencies_do_not_veer),
        cmocka_unit_test(frequencies_cross),
        cmocka_unit_test(exact_derivatives_take_fewer_operating_points),
        cmocka_unit_test(refused_derivatives_are_said),
        cmocka_unit_test(branches_go_straight_through_crossings),
        cmocka_unit_test(the_result_does_not_depend_on_threads),
        cmocka_unit_test(a_sweep_that_is_stopped_keeps_what_is_done),
        cmocka_unit_test(a_piece_ends_on_the_branch_that_it_begins_on),
        cmocka_unit_test(wrong_parameters_are_refused),
        cmocka_unit_test(an_equilibrium_that_ends_is_said),
        cmocka_unit_test(an_equilibrium_that_goes_far_is_followed),
        cmocka_unit_test(a_value_without_operating_point_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
