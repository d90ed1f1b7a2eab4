/* Derivatives of mode shapes against differences of sixth order of shapes at neighbouring
 * parameters, and a closed form. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/sensitivity.h"
#include "support/mechanisms.h"

typedef struct found {
    test_mechanism t;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_shape_sensitivity *s;
} found;

static void find_modes(found *f, const char *yaml, const char *const *parameters)
{
    routh_error error = {0};
    *f = (found){0};
    mechanism_make_with(&f->t, yaml, parameters);
    f->point = mechanism_point(&f->t);
    f->linear = mechanism_linear(&f->t, f->point, NULL);
    assert_int_equal(routh_modes_compute(&f->modes, f->linear, &error), ROUTH_OK);
}

static void find(found *f, const char *yaml)
{
    static const char *const none[] = {NULL};
    routh_error error = {0};
    find_modes(f, yaml, none);
    if (routh_shape_sensitivity_compute(&f->s, f->t.m, f->point, f->linear, f->modes, NULL, &error))
        fail_msg("%s", error.message);
}

static void drop(found *f)
{
    routh_shape_sensitivity_free(f->s);
    routh_modes_free(f->modes);
    routh_linear_free(f->linear);
    routh_operating_point_free(f->point);
    mechanism_release(&f->t);
}

enum { MOST = 400 };

/* Shapes of the same modes with the parameter at value: all as they come. */
static void at_value(const found *f, const char *yaml, const char *name, double value, double *out)
{
    char text[40];
    const char *const set[] = {name, text, NULL};
    found g;
    snprintf(text, sizeof text, "%.17g", value);
    find_modes(&g, yaml, set);
    const int n = 2 * f->s->n_states;
    assert_int_equal(g.modes->n, f->modes->n);
    for (int k = 0; k < f->s->n_modes; k++) {
        const double *to = f->modes->modes[f->s->modes[k]].eigenvalue;
        int best = 0;
        double least = INFINITY;
        for (int i = 0; i < g.modes->n; i++) {
            const double *x = g.modes->modes[i].eigenvalue;
            const double far = hypot(x[0] - to[0], x[1] - to[1]);
            if (far < least) best = i, least = far;
        }
        memcpy(out + k * n, g.modes->modes[best].shape, (size_t)n * sizeof *out);
    }
    drop(&g);
}

static void compare(const char *yaml, int n_modes, double allowed)
{
    static const double weight[] = {45 / 60.0, -9 / 60.0, 1 / 60.0};
    found f;
    find(&f, yaml);
    assert_int_equal(f.s->n_modes, n_modes);
    const int n = 2 * f.s->n_states, all = n * n_modes;
    assert_true(all <= MOST && f.s->n_parameters > 0);
    for (int p = 0; p < f.s->n_parameters; p++) {
        const char *name = f.s->parameters[p];
        const double x = f.s->values[p], size = fabs(x) > 0 ? fabs(x) : 1, h = 1e-3 * size;
        double sum[MOST] = {0}, side[MOST];
        for (int i = 1; i <= 3; i++)
            for (int sign = -1; sign <= 1; sign += 2) {
                at_value(&f, yaml, name, x + sign * i * h, side);
                for (int k = 0; k < all; k++) sum[k] += sign * weight[i - 1] * side[k] / h;
            }
        for (int k = 0; k < all; k++) {
            const double *shape = f.modes->modes[f.s->modes[k / n]].shape;
            double most = 0;
            for (int i = 0; i < n; i++) most = fmax(most, fabs(shape[i]));
            const double got = f.s->shape_by[(size_t)p * (size_t)all + (size_t)k];
            if (!(fabs(got - sum[k]) <= allowed * fmax(fabs(sum[k]), most / size)))
                fail_msg("%s, mode %d (%s), number %d: %.12g is not %.12g", name, k / n,
                         f.s->held[k / n], k % n, got, sum[k]);
        }
    }
    drop(&f);
}

/* Two masses on a line: a shape (1, r) with r from k and m, whose larger is 1. */
#define CHAIN                                                                                      \
    "parameters: {m: 2, k: 30, q: 14, c: 0.4, d: 0.7}\n"                                           \
    "bodies:\n  a: {mass: m, inertia: [1, 1, 1], position: [1, 0, 0]}\n"                           \
    "  b: {mass: 3, inertia: [1, 1, 1], position: [3, 0, 0]}\n"                                    \
    "markers:\n  o: {body: ground, position: [0, 0, 0]}\n"                                         \
    "  p: {body: ground, position: [5, 0, 0]}\n"                                                   \
    "joints:\n  i: {type: translational, between: [a, ground], axis: x}\n"                         \
    "  j: {type: translational, between: [b, ground], axis: x}\n"                                  \
    "loads:\n  q: {type: spring, between: [a, o], stiffness: k, damping: c}\n"                     \
    "  r: {type: spring, between: [b, p], stiffness: 9}\n"                                         \
    "  t: {type: spring, between: [a, b], stiffness: q, damping: d}\n"                             \
    "operating_point: {type: static}\n"

/* A double pendulum in a wind: markers turn with the equilibrium, and one far out moves most. */
#define PENDULUM                                                                                   \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "parameters: {m: 2, l: 0.7, J: 0.05, wind: 6, c: 0.2, arm: 3}\n"                               \
    "bodies:\n  a: {mass: m, inertia: [J, J, J], position: [0, 0, -l/2]}\n"                        \
    "  b: {mass: 1, inertia: [J, J, J], position: [0, 0, -l - 0.3]}\n"                             \
    "markers:\n  tip: {body: b, position: [arm, 0, -0.5]}\n"                                       \
    "joints:\n  i: {type: revolute, between: [a, ground], at: [0, 0, 0], axis: y}\n"               \
    "  j: {type: revolute, between: [b, a], at: [0, 0, -l], axis: y}\n"                            \
    "loads:\n  q: {type: torsion_spring, between: [a, ground], axis: y, stiffness: 2, damping: "   \
    "c}\n"                                                                                         \
    "  w: {type: force, on: b, components: [wind, 0, 0]}\n"                                        \
    "operating_point: {type: static}\nlinearize: {states: [a.ry, b.ry]}\n"

/* A controller that is integrated, so that shapes have states of its own; a real mode too. */
#define CONTROLLED                                                                                 \
    "parameters: {m: 2, k: 30, gain: 5, leak: 0.6}\n"                                              \
    "bodies:\n  a: {mass: m, inertia: [1, 1, 1], position: [1, 0, 0]}\n"                           \
    "joints:\n  i: {type: translational, between: [a, ground], axis: x}\n"                         \
    "controllers:\n  s: {type: differential, rate: DX(a) - s/leak, initial: 0}\n"                  \
    "markers:\n  o: {body: ground, position: [0, 0, 0]}\n"                                         \
    "loads:\n  q: {type: spring, between: [a, o], stiffness: k}\n"                                 \
    "  f: {type: force, on: a, components: [-gain*s, 0, 0]}\n"                                     \
    "operating_point: {type: given}\n"

static void differences(void **unused)
{
    (void)unused;
    compare(CHAIN, 2, 1e-7);
    compare(PENDULUM, 2, 1e-7);
    compare(CONTROLLED, 2, 1e-7);
}

/* Shapes and eigenvalues come from one solution: the eigenvalues' are those of the other way. */
static void eigenvalues(void **unused)
{
    (void)unused;
    routh_error error = {0};
    routh_sensitivity *e;
    found f;
    find(&f, PENDULUM);
    assert_int_equal(routh_sensitivity_compute(&e, f.t.m, f.point, f.modes, NULL, &error),
                     ROUTH_OK);
    for (int k = 0; k < f.s->n_modes; k++)
        assert_non_null(strstr(f.s->held[k], "tip: displacement"));
    for (int p = 0; p < f.s->n_parameters; p++)
        for (int k = 0; k < f.s->n_modes; k++) {
            const double *a = f.s->eigenvalue_by[p * f.s->n_modes + k];
            const double *b = e->eigenvalue_by[p * e->n_modes + f.s->modes[k]];
            const double size = hypot(b[0], b[1]) + 1e-3;
            assert_true(hypot(a[0] - b[0], a[1] - b[1]) <= 1e-9 * size);
        }
    routh_sensitivity_free(e);
    drop(&f);
}

/* Repeated eigenvalues are left out, and it is said why. */
static void repeated(void **unused)
{
    (void)unused;
    found f;
    find(&f, "parameters: {m: 2}\n"
             "bodies:\n  b: {mass: m, inertia: [1, 1, 1], position: [0, 0, 0]}\n"
             "markers:\n  w: {body: ground, position: [0, 0, 0]}\n"
             "joints:\n  g: {type: orientation, between: [b, ground]}\n"
             "loads:\n  s: {type: bushing, between: [b, ground], translation: {stiffness: [8, 8, "
             "3], damping: 0}}\n");
    assert_int_equal(f.s->n_modes, 1);
    assert_int_equal(f.s->n_warnings, 2);
    assert_non_null(strstr(f.s->warnings[0], "repeated"));
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences),
        cmocka_unit_test(eigenvalues),
        cmocka_unit_test(repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
