/* What moved a mode: closed forms, sums that close, pairs of modes, and what is refused. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "routh/compare.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

typedef struct side {
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
} side;

static routh_status try_to_find(side *s, const char *text, const char *set,
                                const routh_setting *settings, size_t n, routh_error *error)
{
    *s = (side){0};
    routh_status status =
        routh_model_parse(&s->model, text, strlen(text), "test", settings, n, error);
    if (!status) status = routh_mechanism_compile(&s->m, s->model, set, error);
    if (!status) status = routh_operating_point_find(&s->point, s->m, NULL, error);
    if (!status) status = routh_linear_compute(&s->linear, s->m, s->point, NULL, error);
    return status ? status : routh_modes_compute(&s->modes, s->linear, error);
}

static void find(side *s, const char *text, const routh_setting *settings, size_t n)
{
    routh_error error = {0};
    if (try_to_find(s, text, NULL, settings, n, &error)) fail_msg("%s in\n%s", error.message, text);
}

static void drop(side *s)
{
    routh_modes_free(s->modes);
    routh_linear_free(s->linear);
    routh_operating_point_free(s->point);
    routh_mechanism_free(s->m);
    routh_model_free(s->model);
    *s = (side){0};
}

static routh_compared of(const side *s)
{
    return (routh_compared){s->m, s->point, s->linear, s->modes};
}

static routh_comparison *compare(const side *a, const side *b)
{
    routh_comparison *c;
    routh_error error = {0};
    const routh_compared x = of(a), y = of(b);
    if (routh_comparison_compute(&c, &x, &y, &error)) fail_msg("%s", error.message);
    return c;
}

static routh_comparison *compare_texts(const char *a, const char *b)
{
    side x, y;
    find(&x, a, NULL, 0);
    find(&y, b, NULL, 0);
    routh_comparison *c = compare(&x, &y);
    drop(&y);
    drop(&x);
    return c;
}

static const routh_shift *part(const routh_comparison *c, int pair, const char *term)
{
    for (int t = 0; t < c->n_terms; t++)
        if (strcmp(c->terms[t], term) == 0) return &c->parts[pair * c->n_terms + t];
    fail_msg("there is no %s", term);
    return NULL;
}

static void assert_near(double got, double wanted, double size, const char *what)
{
    if (!(fabs(got - wanted) <= 1e-12 * size))
        fail_msg("%s: %.15g is not %.15g", what, got, wanted);
}

static void assert_part(const routh_comparison *c, int pair, const char *term, double _Complex d)
{
    const routh_shift *s = part(c, pair, term);
    const double size = 1 + cabs(d);
    assert_near(s->eigenvalue[0], creal(d), size, term);
    assert_near(s->eigenvalue[1], cimag(d), size, term);
}

static double _Complex value(const routh_comparison *c, int pair, int of_side)
{
    const double *x = c->pairs[pair].eigenvalue[of_side];
    return x[0] + I * x[1];
}

/* All figures of the parts against those of the change. */
static void check_sums(const routh_comparison *c, double tolerance)
{
    for (int k = 0; k < c->n_pairs; k++) {
        const routh_mode_pair *p = &c->pairs[k];
        const double _Complex a = value(c, k, 0), b = value(c, k, 1);
        const double f = (cabs(b) - cabs(a)) / (2 * 3.14159265358979323846),
                     z = creal(a) / cabs(a) - creal(b) / cabs(b);
        double sum[4] = {0}, size = cabs(a), per_size = 1;
        for (int t = 0; t < c->n_terms; t++) {
            const routh_shift *s = &c->parts[k * c->n_terms + t];
            sum[0] += s->eigenvalue[0], sum[1] += s->eigenvalue[1];
            sum[2] += s->frequency_hz, sum[3] += s->damping_ratio;
            size += hypot(s->eigenvalue[0], s->eigenvalue[1]);
            per_size += fabs(s->damping_ratio);
        }
        if (!(p->closure <= tolerance)) fail_msg("pair %d closes to %.1e", k, p->closure);
        assert_true(fabs(sum[0] - creal(b - a)) <= tolerance * size);
        assert_true(fabs(sum[1] - cimag(b - a)) <= tolerance * size);
        assert_true(fabs(sum[2] - f) <= tolerance * size);
        assert_true(fabs(sum[3] - z) <= tolerance * per_size);
        assert_true(fabs(p->shift.frequency_hz - f) <= 1e-12 * size);
        assert_true(fabs(p->shift.damping_ratio - z) <= 1e-12);
    }
}

/* ---- closed forms --------------------------------------------------------------------------- */

static const char chain[] =
    "parameters: {m: 3, k: 30, c: 0.2}\n"
    "bodies:\n"
    "  a: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
    "  b: {mass: m, inertia: [1, 1, 1], position: [2, 0, 0]}\n"
    "joints:\n"
    "  ga: {type: translational, between: [a, ground], axis: x}\n"
    "  gb: {type: translational, between: [b, ground], axis: x}\n"
    "loads:\n"
    "  k1: {type: spring, between: [a, ground], stiffness: 50, damping: 1}\n"
    "  k2: {type: spring, between: [a, b], stiffness: k, damping: c}\n";

/* What has not changed has no part, and what has, all of it. */
static void chain_of_two(void **unused)
{
    (void)unused;
    const routh_setting stiff[] = {{"k", "75"}, {"c", "0.9"}}, heavy[] = {{"m", "8"}};
    side a, b;
    find(&a, chain, NULL, 0);
    for (int which = 0; which < 2; which++) {
        find(&b, chain, which ? heavy : stiff, which ? 1 : 2);
        routh_comparison *c = compare(&a, &b);
        assert_int_equal(c->n_pairs, 2);
        assert_int_equal(c->n_alone[0] + c->n_alone[1], 0);
        for (int k = 0; k < 2; k++) {
            const double _Complex d = value(c, k, 1) - value(c, k, 0);
            assert_true(cabs(d) > 1e-2);
            assert_part(c, k, "load k2", which ? 0 : d);
            assert_part(c, k, "body b", which ? d : 0);
            assert_part(c, k, "load k1", 0);
            assert_part(c, k, "body a", 0);
            assert_part(c, k, "joint ga", 0);
        }
        check_sums(c, 1e-12);
        routh_comparison_free(c);
        drop(&b);
    }
    drop(&a);
}

#define PENDULUM(mass, inertia)                                                                    \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "bodies: {rod: {mass: " mass ", inertia: [0.6, " inertia ", 0.6], position: [0, 0, -1]}}\n"    \
    "joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n"

/* J s^2 + m g l = 0: the body's part is -s_B^2 dJ, the hinge's -d(m g l), over (s_A + s_B) J_A. */
static void heavier_pendulum(void **unused)
{
    (void)unused;
    routh_comparison *c = compare_texts(PENDULUM("2", "0.4"), PENDULUM("5", "0.9"));
    const double J = 0.4 + 2, dJ = 0.5 + 3, dk = 3 * 9.81;
    assert_int_equal(c->n_pairs, 1);
    const double _Complex s = value(c, 0, 1), per = (value(c, 0, 0) + s) * J;
    assert_part(c, 0, "body rod", -s * s * dJ / per);
    assert_part(c, 0, "joint hinge", -dk / per);
    check_sums(c, 1e-12);
    routh_comparison_free(c);
}

#define TOP(spin)                                                                                  \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "bodies:\n"                                                                                    \
    "  r: {mass: 2, inertia: [0.3, 0.3, 0.5], position: [0, 0, -0.5], velocity: [0, 0, 0],\n"      \
    "      angular_velocity: [0, 0, " spin "]}\n"                                                  \
    "joints: {ball: {type: spherical, between: [r, ground], at: [0, 0, 0]}}\n"                     \
    "linearize: {states: [r.rx, r.ry, r.rz]}\n"

/* Jt w^2 -+ Jp W w - m g l = 0: spinning faster is the body's doing alone. */
static void faster_top(void **unused)
{
    (void)unused;
    routh_comparison *c = compare_texts(TOP("12"), TOP("20"));
    const double Jt = 0.3 + 2 * 0.25, Jp = 0.5, k = 2 * 9.81 * 0.5;
    assert_int_equal(c->n_pairs, 2);
    for (int p = 0; p < 2; p++) {
        const double sign = p ? 1 : -1;
        for (int of_side = 0; of_side < 2; of_side++) {
            const double h = sign * Jp * (of_side ? 20 : 12) / (2 * Jt);
            assert_near(cimag(value(c, p, of_side)), h + sqrt(h * h + k / Jt), 10, "whirling");
        }
        assert_part(c, p, "body r", value(c, p, 1) - value(c, p, 0));
        assert_part(c, p, "joint ball", 0);
    }
    check_sums(c, 1e-12);
    routh_comparison_free(c);
}

/* A load that is there in one of the two, in either order. */
static void one_more_load(void **unused)
{
    (void)unused;
    static const char with[] =
        PENDULUM("2", "0.4") "loads: {stay: {type: bushing, between: [rod, ground], rotation: "
                             "{stiffness: 7, damping: 0.3}}}\n";
    for (int turned = 0; turned < 2; turned++) {
        routh_comparison *c = turned ? compare_texts(with, PENDULUM("2", "0.4"))
                                     : compare_texts(PENDULUM("2", "0.4"), with);
        assert_int_equal(c->n_pairs, 1);
        assert_part(c, 0, "load stay", value(c, 0, 1) - value(c, 0, 0));
        check_sums(c, 1e-12);
        routh_comparison_free(c);
    }
}

/* ---- pairs ---------------------------------------------------------------------------------- */

#define PLATE(x, y)                                                                                \
    "bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"                                                 \
    "joints: {plane: {type: planar, between: [b, ground], axis: z}}\n"                             \
    "loads: {k: {type: bushing, between: [b, ground], translation: {stiffness: [" x ", " y         \
    ", 1],\n"                                                                                      \
    "        damping: 0.4}, rotation: {stiffness: 7}}}\n"

/* Two equal modes part, and two become equal: any vectors of a space serve. */
static void equal_modes(void **unused)
{
    (void)unused;
    for (int turned = 0; turned < 2; turned++) {
        routh_comparison *c = turned ? compare_texts(PLATE("90", "60"), PLATE("50", "50"))
                                     : compare_texts(PLATE("50", "50"), PLATE("90", "60"));
        assert_int_equal(c->n_pairs, 3);
        double sizes = 0;
        for (int k = 0; k < 3; k++) {
            const double _Complex d = value(c, k, 1) - value(c, k, 0);
            assert_part(c, k, "load k", d);
            sizes += cabs(d);
        }
        assert_true(sizes > 2);
        check_sums(c, 1e-12);
        routh_comparison_free(c);
    }
}

#define DAMPED(c)                                                                                  \
    "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"                                                 \
    "joints: {j: {type: translational, between: [b, ground], axis: x}}\n"                          \
    "loads: {s: {type: bushing, between: [b, ground], translation: {stiffness: 25, damping: " c    \
    "}}}\n"

/* An oscillation becomes two motions that do not oscillate: one of them has no partner. */
static void overdamped(void **unused)
{
    (void)unused;
    routh_comparison *c = compare_texts(DAMPED("8"), DAMPED("12"));
    assert_int_equal(c->n_pairs, 1);
    assert_int_equal(c->n_alone[0], 0);
    assert_int_equal(c->n_alone[1], 1);
    assert_int_not_equal(c->alone[1][0], c->pairs[0].number[1]);
    check_sums(c, 1e-12);
    routh_comparison_free(c);
}

/* ---- random mechanisms ---------------------------------------------------------------------- */

/* Gravity and all loads changed, so that equilibria, geometry and forces in joints change. */
static void change(random_mechanism *x)
{
    for (int i = 0; i < 3; i++) x->gravity[i] *= 1.1;
    for (int k = 0; k < x->n_loads; k++)
        if (x->load[k].kind == LOAD_SPRING || x->load[k].kind == LOAD_BUSHING)
            for (int i = 0; i < 3; i++) x->load[k].number[i] *= 1.04;
}

static bool find_both(side *a, side *b, const char *one, const char *other, const char *set)
{
    routh_error error = {0};
    const routh_status first = try_to_find(a, one, set, NULL, 0, &error),
                       second = try_to_find(b, other, set, NULL, 0, &error);
    return !first && !second;
}

static void in_every_set(void **unused)
{
    (void)unused;
    random_stream random = {11};
    int compared = 0;
    for (int k = 0; k < with_effort(5); k++) {
        random_mechanism x;
        growing_text one = {0}, other = {0};
        random_mechanism_make(&x, &random, RANDOM_STATIC);
        random_mechanism_write(&x, &no_disguise, &one);
        change(&x);
        random_mechanism_write(&x, &no_disguise, &other);
        const char *set;
        for (int n = 0; (set = routh_coordinate_name(n)); n++) {
            side a, b;
            routh_comparison *c = NULL;
            routh_error error = {0};
            const bool there = find_both(&a, &b, one.bytes, other.bytes, set);
            const routh_compared p = of(&a), q = of(&b);
            /* the two may have chosen other states */
            if (there && !routh_comparison_compute(&c, &p, &q, &error)) {
                check_sums(c, 1e-9);
                compared += c->n_pairs;
            }
            routh_comparison_free(c);
            drop(&b);
            drop(&a);
        }
        free(one.bytes);
        free(other.bytes);
    }
    assert_true(compared > 30);
}

/* ---- parameters ----------------------------------------------------------------------------- */

typedef struct path {
    side place[2];
    int turn;
} path;

static const char oscillator[] =
    "parameters: {m: 2, k: 50, c: 1}\n"
    "bodies: {b: {mass: m, inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: translational, between: [b, ground], axis: x}}\n"
    "loads: {s: {type: bushing, between: [b, ground], translation: {stiffness: k, damping: c}}}\n";

static routh_status at(void *context, double t, routh_compared *there, routh_error *error)
{
    path *p = context;
    char m[40], k[40];
    snprintf(m, sizeof m, "%.17g", 2 + 1 * t);
    snprintf(k, sizeof k, "%.17g", 50 + 40 * t);
    const routh_setting settings[] = {{"m", m}, {"k", k}};
    side *s = &p->place[p->turn];
    p->turn = !p->turn;
    drop(s);
    const routh_status status = try_to_find(s, oscillator, NULL, settings, 2, error);
    *there = of(s);
    return status;
}

/* d(lambda)/dk = -1/(2 m s + c), d(lambda)/dm = -s^2/(2 m s + c), by Simpson's rule of the test's
 * own */
static void by_parameters(void **unused)
{
    (void)unused;
    enum { N = 2000 };
    const routh_setting settings[] = {{"m", "3"}, {"k", "90"}};
    const char *const names[] = {"k", "m", NULL}, *const wrong[] = {"kk", NULL};
    side a, b;
    path p = {0};
    routh_error error = {0};
    const routh_compare_path way = {&p, at};
    find(&a, oscillator, NULL, 0);
    find(&b, oscillator, settings, 2);
    routh_comparison *c = compare(&a, &b);
    const routh_compared x = of(&a), y = of(&b);
    assert_int_equal(routh_comparison_by_parameters(c, &x, &y, &way, wrong, 6, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_comparison_by_parameters(c, &x, &y, &way, names, 0, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_int_equal(c->n_parameters, 0);
    if (routh_comparison_by_parameters(c, &x, &y, &way, names, 8, &error))
        fail_msg("%s", error.message);
    double _Complex by_k = 0, by_m = 0;
    for (int i = 0; i <= N; i++) {
        const double t = (double)i / N, m = 2 + t, k = 50 + 40 * t;
        const double _Complex s = (-1 + csqrt(1 - 4 * m * k)) / (2 * m);
        const double weight = (i == 0 || i == N ? 1 : i % 2 ? 4 : 2) / (3.0 * N);
        by_k -= weight * 40 / (2 * m * s + 1);
        by_m -= weight * s * s / (2 * m * s + 1);
    }
    const routh_shift *found = c->by_parameter;
    assert_true(cabs(found[0].eigenvalue[0] + I * found[0].eigenvalue[1] - by_k) < 1e-9);
    assert_true(cabs(found[1].eigenvalue[0] + I * found[1].eigenvalue[1] - by_m) < 1e-9);
    assert_true(c->pairs[0].parameters_left < 1e-9);
    assert_true(c->values[0][0] == 50 && c->values[1][1] == 3);
    routh_comparison_free(c);
    drop(&p.place[0]);
    drop(&p.place[1]);
    drop(&b);
    drop(&a);
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void assert_refused(const char *a, const char *b, const char *says)
{
    side x, y;
    routh_comparison *c;
    routh_error error = {0};
    find(&x, a, NULL, 0);
    find(&y, b, NULL, 0);
    const routh_compared p = of(&x), q = of(&y);
    assert_int_equal(routh_comparison_compute(&c, &p, &q, &error), ROUTH_BAD_ARGUMENT);
    assert_null(c);
    if (!strstr(error.message, says)) fail_msg("%s", error.message);
    drop(&y);
    drop(&x);
}

static void refusals(void **unused)
{
    (void)unused;
    static const char other_joint[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies: {rod: {mass: 2, inertia: [1, 1, 0.1], position: [0, 0, -1]}}\n"
        "joints: {pin: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n";
    static const char controlled[] =
        DAMPED("8") "controllers: {lag: {type: differential, rate: DX(b) - lag}}\n";
    assert_refused(PENDULUM("2", "0.4"), DAMPED("8"), "body 'rod'");
    assert_refused(PENDULUM("2", "0.4"), other_joint, "joint 'hinge'");
    assert_refused(DAMPED("8"), controlled, "the first has no state of a controller 'lag'");
    assert_refused(controlled, DAMPED("8"), "the second has no state of a controller 'lag'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_of_two), cmocka_unit_test(heavier_pendulum),
        cmocka_unit_test(faster_top),   cmocka_unit_test(one_more_load),
        cmocka_unit_test(equal_modes),  cmocka_unit_test(overdamped),
        cmocka_unit_test(in_every_set), cmocka_unit_test(by_parameters),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
