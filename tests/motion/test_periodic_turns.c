/* Kinks that a periodic motion passes are told; steps of forces and events are refused. */
#include "subject.h"

#define ONE_MASS                                                                                   \
    "gravity: [0, 0, 0]\n"                                                                         \
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"                                                 \
    "joints: {slide: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}}\n"       \
    "operating_point: {type: given}\n"                                                             \
    "linearize: {states: [a.x]}\n"
#define PULL(force)                                                                                \
    ONE_MASS "loads: {pull: {type: force, on: a, components: [\"" force "\", 0, 0]}}\n"

static const double rate = 1.3, damping = 0.2;

/* x'' = -4 x - 3 max(0, x) - 0.2 x' + cos 1.3 t and a small variation of it */
static void slope(double t, const double *x, double *f)
{
    const double k = x[0] > 0 ? 7 : 4;
    f[0] = x[1];
    f[1] = -k * x[0] - damping * x[1] + cos(rate * t);
    for (int c = 2; c < 6; c += 2) f[c] = x[c + 1], f[c + 1] = -k * x[c] - damping * x[c + 1];
}

static void step(double t, double h, double *x)
{
    double k[4][6], y[6];
    slope(t, x, k[0]);
    for (int s = 1; s < 4; s++) {
        const double part = s == 3 ? h : h / 2;
        for (int i = 0; i < 6; i++) y[i] = x[i] + part * k[s - 1][i];
        slope(t + part, y, k[s]);
    }
    for (int i = 0; i < 6; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* The multipliers by ordinary integration, when the motion has settled; the first zero of x. */
static void settle(double start[2], double mu[4], double *first)
{
    enum { STEPS = 20000, PERIODS = 60 };
    const double h = two_pi / rate / STEPS;
    double x[6] = {0};
    *first = NAN;
    for (int k = 0; k < STEPS * (PERIODS + 1); k++) {
        if (k == STEPS * PERIODS) {
            start[0] = x[0], start[1] = x[1];
            x[2] = x[5] = 1, x[3] = x[4] = 0;
        }
        const double before = x[0];
        step(h * (k % STEPS), h, x);
        if (k >= STEPS * PERIODS && isnan(*first) && before * x[0] < 0)
            *first = h * (k % STEPS + before / (before - x[0]));
    }
    const double Y[4] = {x[2], x[4], x[3], x[5]};
    eigenvalues_of_two(Y, mu);
}

/* Steps are not ended at kinks: no more digits than these are asked for. */
static void find_roughly(subject *s, double period, double tolerance)
{
    routh_floquet_options o = routh_floquet_defaults();
    o.period = period, o.tolerance = tolerance;
    find(s, &o);
}

static void kinks_that_are_passed_are_told(void **state)
{
    (void)state;
    static const char model[] = PULL("-4*DX(a) - 3*max(0, DX(a)) - 0.2*VX(a) + cos(1.3*time)");
    double start[2], mu[4], first;
    settle(start, mu, &first);
    subject s = of_text(model, NULL);
    find_roughly(&s, two_pi / rate, 1e-3);
    const routh_floquet *f = s.floquet;
    assert_true(fabs(f->bodies[0].position[0] - start[0]) < 1e-5);
    assert_int_equal(f->n_switches, 1);
    assert_string_equal(f->switches[0].element, "load pull");
    assert_string_equal(f->switches[0].what, "the switch of max");
    assert_int_equal(f->switches[0].times, 2);
    const double h = f->period / f->steps; /* a straight line over a step is off by its square */
    assert_true(fabs(f->switches[0].time - first) < h * h);
    /* the error says how good it is, and it is not as good as that of smooth motions */
    has_multiplier(&s, mu[0], mu[1], 20 * f->error + 1e-6);
    assert_true(f->error < 1e-3 && f->error > 1e-9);
    forget(&s);
}

/* Drag is smooth enough; so is a switch far away. */
static void what_has_no_kink_where_it_passes_is_not_told(void **state)
{
    (void)state;
    subject s =
        of_text(PULL("-4*DX(a) - VX(a)*abs(VX(a)) + cos(1.3*time) + max(0, DX(a) - 50)"), NULL);
    find_roughly(&s, two_pi / rate, 1e-3);
    assert_int_equal(s.floquet->n_switches, 0);
    assert_true(s.floquet->error < 1e-3);
    forget(&s);
}

/* Hill's equation with a square wave (Meissner 1918): k is 5 for the first and last quarter of the
 * period, 3 between; Y = R(w1, T/4) R(w2, T/2) R(w1, T/4). */
static void stiffness_may_step_at_given_times(void **state)
{
    (void)state;
    subject s = of_text(PULL("-(4 + sign(cos(time)))*DX(a)"), NULL);
    find_roughly(&s, two_pi, 1e-3);
    const double w[3] = {sqrt(5), sqrt(3), sqrt(5)}, part[3] = {0.25, 0.5, 0.25};
    double Y[4] = {1, 0, 0, 1}, mu[4];
    for (int k = 0; k < 3; k++) {
        const double c = cos(w[k] * part[k] * two_pi), d = sin(w[k] * part[k] * two_pi);
        const double Z[4] = {c * Y[0] + d / w[k] * Y[2], c * Y[1] + d / w[k] * Y[3],
                             -w[k] * d * Y[0] + c * Y[2], -w[k] * d * Y[1] + c * Y[3]};
        memcpy(Y, Z, sizeof Y);
    }
    eigenvalues_of_two(Y, mu);
    has_multiplier(&s, mu[0], mu[1], 4 * s.floquet->error + 1e-9);
    assert_true(s.floquet->error < 1e-3);
    forget(&s);
}

static void refused(const char *yaml, double period, const char *element, const char *words)
{
    subject s = of_text(yaml, NULL);
    routh_floquet_options o = routh_floquet_defaults();
    o.period = period;
    assert_int_equal(routh_floquet_compute(&s.floquet, s.mechanism, s.point, &o, &s.error),
                     ROUTH_NOT_SUPPORTED);
    assert_null(s.floquet);
    assert_string_equal(s.error.element, element);
    if (!strstr(s.error.message, words)) fail_msg("it says: %s", s.error.message);
    forget(&s);
}

static void forces_that_step_by_the_motion_are_refused_by_name(void **state)
{
    (void)state;
    refused(PULL("-4*DX(a) - 0.1*sign(VX(a)) + cos(1.3*time)"), two_pi / rate, "load pull",
            "it steps from one value to another at t = ");
    refused(ONE_MASS "inputs: {push: 1}\n"
                     "loads: {pull: {type: force, on: a, components: [\"-4*DX(a) - 0.3*VX(a) + "
                     "push*cos(1.3*time)\", 0, 0]}}\n"
                     "events: {late: {when: DX(a) - 0.1, action: set, input: push, value: 2}}\n",
            two_pi / rate, "event late", "it sets an input at t = ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinks_that_are_passed_are_told),
        cmocka_unit_test(what_has_no_kink_where_it_passes_is_not_told),
        cmocka_unit_test(stiffness_may_step_at_given_times),
        cmocka_unit_test(forces_that_step_by_the_motion_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
