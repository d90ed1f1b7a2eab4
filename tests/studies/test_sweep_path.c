/* The path of D between two values, of matrices that change in proportion to the parameter, where
 * vectors and derivatives say exactly the same; and what sweeps make of it. */
#define _POSIX_C_SOURCE 200809L /* setenv */
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

#include "routh/routh.h"
#include "studies/sweep_path.h"
#include "support/temporary.h"

typedef double _Complex number;

/* M(t) = mean + [x, y; z, -x], and what changes by t. */
typedef struct family {
    number mean[2], x[2], y[2], z[2];
} family;

static number along(const number c[2], double t) { return c[0] + t * c[1]; }

static number root_at(const family *f, double t)
{
    const number x = along(f->x, t);
    return csqrt(x * x + along(f->y, t) * along(f->z, t));
}

/* The eigenvalues mean +- root, with vectors (y, +-root - x), and derivatives by t. */
typedef struct end {
    rt_solution s;
    number lambda[2], V[4], slope[2];
    double bound[2];
    int conjugate[2];
    bool rigid[2];
} end;

static void make_end(end *e, const family *f, double t)
{
    const number root = root_at(f, t), x = along(f->x, t), y = along(f->y, t), z = along(f->z, t);
    memset(e, 0, sizeof *e);
    for (int k = 0; k < 2; k++) {
        const number r = k ? -root : root;
        e->lambda[k] = along(f->mean, t) + r;
        e->V[2 * k] = y, e->V[1 + 2 * k] = r - x;
        e->slope[k] = f->mean[1] + (2 * x * f->x[1] + y * f->z[1] + z * f->y[1]) / (2 * r);
        e->bound[k] = 1e-16;
        e->conjugate[k] = k;
    }
    e->s = (rt_solution){.value = t,
                         .n = 2,
                         .lambda = e->lambda,
                         .V = e->V,
                         .bound = e->bound,
                         .conjugate = e->conjugate,
                         .rigid = e->rigid};
}

/* sqrt(D) in steps so small that its sign is in no doubt, over what it was. */
static number followed(const family *f, double from, double to)
{
    enum { STEPS = 20000 };
    const number first = root_at(f, from);
    number r = first;
    for (int k = 1; k <= STEPS; k++) {
        const number next = root_at(f, from + (to - from) * k / STEPS);
        r = cabs(next - r) < cabs(next + r) ? next : -next;
    }
    return r / first;
}

static const family families[] = {
    /* a veering; narrow; a crossing at a distance, and a veering, near an exceptional point */
    {{3 * I, 0.2 * I}, {0, I}, {0.3 * I, 0}, {0.3 * I, 0}},
    {{3 * I, 0.2 * I}, {0, I}, {1e-3 * I, 0}, {1e-3 * I, 0}},
    {{3 * I, 0.1}, {0.2, I}, {0.17 * I, 0}, {0.17 * I, 0}},
    {{3 * I, 0.1}, {0.2, I}, {0.23 * I, 0}, {0.23 * I, 0}},
    /* everything changes */
    {{1 + I, 2}, {0.3, I - 0.2}, {0.2 * I, 0.3}, {0.1, 0.2 * I}},
    {{1 + I, 2}, {0.3 - 0.1 * I, I - 0.2}, {0.5, 0.3 * I}, {0.4 * I, -0.2}},
};

static void vectors_and_derivatives_say_the_same(void **state)
{
    (void)state;
    const double ends[][2] = {{-0.7, 0.9}, {-0.2, 1.1}, {0.1, 0.8}};
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        for (int l = 0; l < 3; l++) {
            const family *f = &families[k];
            end a, b;
            rt_match m;
            rt_path vectors, slopes;
            routh_error error;
            make_end(&a, f, ends[l][0]);
            make_end(&b, f, ends[l][1]);
            assert_int_equal(rt_match_find(&m, &a.s, &b.s, false, &error), ROUTH_OK);
            rt_path_by_vectors(&vectors, &m, &a.s, &b.s, 0, 1);
            assert_true(rt_path_by_slopes(&slopes, &m, &a.s, &b.s, a.slope, b.slope, 0, 1));
            const double size = cabs(vectors.a) + cabs(vectors.b);
            assert_true(vectors.off <= 1e-12 * size && slopes.off <= 1e-12 * size);
            assert_true(cabs(slopes.control - vectors.control) <= 1e-12 * size);
            for (int t = 0; t <= 10; t++) { /* the parabola is D */
                const double s = t / 10.0, c = 1 - s;
                const number D = c * c * slopes.a + 2 * s * c * slopes.control + s * s * slopes.b,
                             r = root_at(f, c * a.s.value + s * b.s.value);
                assert_true(cabs(D - r * r) <= 1e-12 * size);
            }
            rt_match_free(&m);
        }
}

static void a_wrong_derivative_is_a_disagreement(void **state)
{
    (void)state;
    end a, b;
    rt_match m;
    rt_path path;
    routh_error error;
    double where;
    make_end(&a, &families[0], -0.7);
    make_end(&b, &families[0], 0.9);
    assert_int_equal(rt_match_find(&m, &a.s, &b.s, false, &error), ROUTH_OK);
    assert_true(rt_path_by_slopes(&path, &m, &a.s, &b.s, a.slope, b.slope, 0, 1));
    assert_int_equal(rt_path_passage(&path, &where), RT_PASSES_FAR);
    for (int k = 0; k < 2; k++) b.slope[k] = -b.slope[k];
    assert_true(rt_path_by_slopes(&path, &m, &a.s, &b.s, a.slope, b.slope, 0, 1));
    assert_int_equal(rt_path_passage(&path, &where), RT_PASSES_OPEN);
    b.slope[0] = NAN;
    assert_false(rt_path_by_slopes(&path, &m, &a.s, &b.s, a.slope, b.slope, 0, 1));
    rt_match_free(&m);
}

static void roots_are_followed_past_zero(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof families / sizeof *families; k++) {
        const family *f = &families[k];
        end a, b;
        rt_match m;
        rt_path path;
        routh_error error;
        double where;
        make_end(&a, f, -1.1);
        make_end(&b, f, 0.9);
        assert_int_equal(rt_match_find(&m, &a.s, &b.s, false, &error), ROUTH_OK);
        assert_true(rt_path_by_slopes(&path, &m, &a.s, &b.s, a.slope, b.slope, 0, 1));
        assert_true(cabs(rt_path_turn(&path) - followed(f, -1.1, 0.9)) < 1e-9);
        assert_int_not_equal(rt_path_passage(&path, &where), RT_PASSES_OPEN);
        if (k == 1) { /* nearest zero at t = 0 */
            assert_int_equal(rt_path_passage(&path, &where), RT_PASSES_NEAR);
            assert_true(fabs(where - 1.1 / 2) < 1e-12);
        }
        rt_match_free(&m);
    }
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static routh_sweep *run(const char *path, const char *over, const routh_setting *settings, size_t n,
                        int derivatives)
{
    routh_error error = {0};
    routh_sweep_axis axis;
    routh_sweep *sweep;
    routh_sweep_options o = routh_sweep_defaults();
    o.settings = settings, o.n_settings = n;
    o.solve = ROUTH_SWEEP_SOLVE_ALL;
    o.derivatives = derivatives;
    assert_int_equal(routh_sweep_axis_parse(&axis, over, NULL, &error), ROUTH_OK);
    if (routh_sweep_run(&sweep, path, &axis, 1, &o, &error)) fail_msg("%s", error.message);
    routh_sweep_axis_free(&axis);
    return sweep;
}

static routh_sweep *run_text(const char *yaml, const char *over, const routh_setting *settings,
                             size_t n, int derivatives)
{
    char *path = write_temporary(yaml);
    routh_sweep *s = run(path, over, settings, n, derivatives);
    unlink(path);
    free(path);
    return s;
}

static int between(const routh_sweep *s)
{
    int n = 0;
    for (int k = 0; k < s->lines[0].n_points; k++) n += !s->lines[0].points[k].on_grid;
    return n;
}

/* Two masses of 1 kg on springs of 1 and p N/m with one of e between, a damper at one and its
 * opposite at the other: eigenvalues are equal where p = 1 and e = 2 d, nearly. Below that the
 * frequencies cross and the real parts stay away from zero; above, frequencies stay apart. */
static const char damped[] =
    "parameters: {p: 1, coupling: 0.01, d: 0.01}\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  slide_a: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}\n"
    "  slide_b: {type: translational, between: [b, ground], at: [0, 0, 0], axis: x}\n"
    "loads:\n"
    "  on_a: {type: force, on: a, components: [-DX(a) - 2*d*VX(a) - coupling*(DX(a) - DX(b)), 0, "
    "0]}\n"
    "  on_b: {type: force, on: b, components: [-p*DX(b) + 2*d*VX(b) - coupling*(DX(b) - DX(a)), 0, "
    "0]}\n"
    "operating_point: {type: given}\n"
    "linearize: {states: [a.x, b.x]}\n";

/* What of its first value each branch must keep: the sign of the real part, or the place. */
static void check_branches(const routh_sweep *s, bool cross)
{
    const routh_sweep_line *l = &s->lines[0];
    int upper[2];
    for (int b = 0, n = 0; b < l->n_branches; b++)
        if (!strchr(l->names[b], '*')) upper[n++ < 1 ? 0 : 1] = b;
    for (int k = 0; k < l->n_points; k++) {
        double(*x)[2] = l->points[k].eigenvalues, (*first)[2] = l->points[0].eigenvalues;
        for (int b = 0; b < 2 && cross; b++) assert_true(x[upper[b]][0] * first[upper[b]][0] > 0);
        if (!cross) assert_true(x[upper[0]][1] < x[upper[1]][1]);
    }
}

static void branches_near_an_exceptional_point(void **state)
{
    (void)state;
    const char *const grids[] = {"p=0.872:1.121:4", "p=0.919:1.053:5", "p=0.945:1.078:2",
                                 "p=0.871:1.071:5", "p=0.93:1.11:3",   "p=0.8:1.25:8"};
    const double d[] = {0.005, 0.01, 0.016}, ratio[] = {0.35, 0.45, 0.8, 1.3, 2, 3};
    for (int k = 0; k < 6 * 3 * 6; k++) {
        char value[2][32];
        const double e = 2 * d[k / 6 % 3] * ratio[k / 18];
        snprintf(value[0], sizeof value[0], "%.9g", d[k / 6 % 3]);
        snprintf(value[1], sizeof value[1], "%.9g", e);
        const routh_setting settings[] = {{"d", value[0]}, {"coupling", value[1]}};
        routh_sweep *s = run_text(damped, grids[k % 6], settings, 2, 1);
        check_branches(s, ratio[k / 18] < 1);
        for (int n = 0; n < s->lines[0].n_events; n++)
            assert_int_not_equal(s->lines[0].events[n].kind, ROUTH_SWEEP_AMBIGUOUS);
        routh_sweep_free(s);
    }
}

/* Vectors alone may say more beside it, or leave something in doubt, as rounding has it. */
static const routh_sweep_event *only(const routh_sweep *s, routh_sweep_event_kind kind)
{
    const routh_sweep_line *l = &s->lines[0];
    const routh_sweep_event *found = NULL;
    for (int k = 0; k < l->n_events; k++) {
        if (l->events[k].kind != kind) continue;
        assert_null(found);
        found = &l->events[k];
    }
    assert_non_null(found);
    return found;
}

/* The same events with a quarter of the values between, or none; in all fewer values. How many the
 * search for one limit takes depends on rounding: at a double eigenvalue as many as those saved. */
static void derivatives_take_fewer_values(void **state)
{
    (void)state;
    static const struct {
        const char *example, *over;
        routh_setting settings[2];
    } cases[] = {{"ziegler-column.yaml", "load=0:3:7", {{"c", "0"}, {"k", "1"}}},
                 {NULL, "p=0.5:1.7:13", {{"coupling", "1e-3"}, {"d", "0"}}},
                 {NULL, "p=0.5:1.7:13", {{"coupling", "1e-5"}, {"d", "0"}}}};
    int all[2] = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *source = getenv("ROUTH_SOURCE");
        char path[1024];
        routh_sweep *s[2];
        for (int d = 0; d < 2; d++) {
            snprintf(path, sizeof path, "%s/examples/%s", source ? source : ".",
                     cases[k].example ? cases[k].example : "");
            s[d] = cases[k].example ? run(path, cases[k].over, cases[k].settings, 1, d)
                                    : run_text(damped, cases[k].over, cases[k].settings, 2, d);
        }
        if (!(4 * between(s[1]) <= between(s[0])))
            fail_msg("%d against %d", between(s[1]), between(s[0]));
        for (int d = 0; d < 2; d++) all[d] += (int)s[d]->n_computed;
        assert_int_equal(s[1]->lines[0].n_events, 1);
        const routh_sweep_event *f = s[1]->lines[0].events, *e = only(s[0], f->kind);
        assert_true(fabs(e->value - f->value) <= e->error + f->error);
        routh_sweep_free(s[0]);
        routh_sweep_free(s[1]);
    }
    assert_true(4 * all[1] < 3 * all[0]);
}

/* Nothing is told by numbers that are none. */
static void a_path_that_is_not_known_is_open(void **state)
{
    (void)state;
    const rt_path clear = {.a = 1, .b = 1, .control = 1};
    double where;
    assert_int_equal(rt_path_passage(&clear, &where), RT_PASSES_FAR);
    rt_path p[4] = {clear, clear, clear, clear};
    p[0].a = NAN, p[1].control = NAN * I, p[2].off = INFINITY, p[3].noise = NAN;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(rt_path_passage(&p[k], &where), RT_PASSES_OPEN);
        assert_true(where > 0 && where < 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_and_derivatives_say_the_same),
        cmocka_unit_test(a_path_that_is_not_known_is_open),
        cmocka_unit_test(a_wrong_derivative_is_a_disagreement),
        cmocka_unit_test(roots_are_followed_past_zero),
        cmocka_unit_test(branches_near_an_exceptional_point),
        cmocka_unit_test(derivatives_take_fewer_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
