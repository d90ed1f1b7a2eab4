/* As many normal modes as it takes: against the dense whole model. */
#include "flexible/reduced.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "support/fe_mesh.h"

static const double TWO_PI = 6.283185307179586;

static const fe_box block = {{6, 2, 2}, {-0.03, 0.02, 0.4}, {0.12, 0.02, 0.014}, 210e9, 0.3, 7800};
static const fe_rod rod = {.elements = 10,
                           .length = 1.3,
                           .young = 210e9,
                           .shear = 80e9,
                           .density = 7800,
                           .area = 6e-4,
                           .inertia_y = 2e-8,
                           .inertia_z = 4.5e-8,
                           .torsion = 4e-8,
                           .lumped = true};
static const int left[] = {1, 8, 15, 22, 29, 36, 43, 50, 57};
static const int right_end[] = {7, 14, 21, 28, 35, 42, 49, 56, 63};
static const rt_interface faces[] = {{1001, 9, left}, {1002, 9, right_end}};
static const rt_interface ends[] = {{10, 1, (const int[]){10}}, {110, 1, (const int[]){110}}};

/* Hz, with the six of rigid motion first. */
static double *whole_model(const rt_fe_model *fe, double shift)
{
    double *f = calloc((size_t)fe->n, sizeof *f);
    assert_non_null(f);
    dense_modes(fe, shift, f, NULL);
    for (int k = 0; k < fe->n; k++) f[k] = sqrt(fmax(f[k], 0)) / TWO_PI;
    return f;
}

static rt_reduction_report run(const rt_fe_model *fe, const rt_reduction *how, rt_arena *arena)
{
    rt_reduction_report found;
    const rt_flexible *f;
    routh_error error = {0};
    if (rt_flexible_reduce(&f, &found, fe, how, arena, &error)) fail_msg("%s", error.message);
    assert_int_equal(found.n, f->n);
    return found;
}

static double worst_excess(const rt_reduction_report *found, const double *right, int n)
{
    double worst = 0;
    for (int k = 0; k < n; k++) worst = fmax(worst, found->frequency[k] / right[6 + k] - 1);
    return worst;
}

/* Right to the accuracy with that many modes, and not with one mode less. */
static void check(const rt_fe_model *fe, const rt_interface *at, double shift, int count,
                  double accuracy)
{
    rt_arena arena = {0};
    double *right = whole_model(fe, shift);
    rt_reduction how = {.kind = RT_REDUCE_CRAIG_BAMPTON,
                        .n_interfaces = 2,
                        .interfaces = at,
                        .below = 0.5 * (right[5 + count] + right[6 + count]),
                        .accuracy = accuracy};
    const rt_reduction_report found = run(fe, &how, &arena);
    assert_int_equal(found.n_whole, count);
    for (int k = 0; k < count; k++) assert_true(fabs(found.whole[k] / right[6 + k] - 1) < 1e-8);
    assert_true(worst_excess(&found, right, count) <= accuracy * (1 + 1e-6));
    how.below = 0, how.n_modes = found.n_normal - 1;
    const rt_reduction_report less = run(fe, &how, &arena);
    assert_true(found.n_normal > 0 && worst_excess(&less, right, count) > accuracy);
    assert_true(fabs(less.first_left_out / found.first_left_out) < 1);
    free(right);
    rt_arena_free(&arena);
}

static void no_mode_more_than_it_takes(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_fe_model *box = make_box(&block, &arena);
    check(box, faces, 1e6, 5, 1e-3);
    check(box, faces, 1e6, 12, 1e-3);
    check(box, faces, 1e6, 5, 1e-5);
    check(make_rod(&rod, &arena), ends, 1e3, 6, 1e-3);
    rt_arena_free(&arena);
}

/* Then the modes that are wanted are in the basis, whatever the interfaces. */
static void free_modes_are_right_at_once(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_fe_model *fe = make_box(&block, &arena);
    double *right = whole_model(fe, 1e6);
    const rt_reduction how = {.kind = RT_REDUCE_CRAIG_BAMPTON,
                              .n_interfaces = 2,
                              .interfaces = faces,
                              .free_modes = true,
                              .n_modes = 7};
    const rt_reduction_report found = run(fe, &how, &arena);
    assert_int_equal(found.n, 7 + 12 - 6);
    assert_true(worst_excess(&found, right, 7) < 1e-8);
    assert_true(fabs(found.first_left_out / right[13] - 1) < 1e-6);
    free(right);
    rt_arena_free(&arena);
}

/* A shape beside interfaces and normal modes: that mode is right at once. */
static void shapes_come_besides(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_fe_model *fe = make_box(&block, &arena);
    const size_t n = (size_t)fe->n;
    double *lambda = calloc(n, sizeof *lambda), *v = calloc(n * n, sizeof *v);
    assert_true(lambda && v);
    dense_modes(fe, 1e6, lambda, v);
    rt_reduction how = {.kind = RT_REDUCE_CRAIG_BAMPTON,
                        .n_interfaces = 2,
                        .interfaces = faces,
                        .n_modes = 2,
                        .n_shapes = 1,
                        .shapes = v + 10 * n};
    const double right = sqrt(lambda[10]) / TWO_PI;
    double nearest[2] = {1, 1};
    for (int pass = 0; pass < 2; pass++, how.n_shapes = 0) {
        const rt_reduction_report found = run(fe, &how, &arena);
        assert_int_equal(found.n, 2 + 12 - 6 + 1 - pass);
        for (int k = 0; k < found.n; k++)
            nearest[pass] = fmin(nearest[pass], fabs(found.frequency[k] / right - 1));
    }
    assert_true(nearest[0] < 1e-8);
    assert_true(nearest[1] > 1e-5);
    free(lambda), free(v);
    rt_arena_free(&arena);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    rt_arena arena = {0};
    const rt_fe_model *fe = make_box(&block, &arena);
    const struct {
        rt_reduction how;
        const char *words;
    } cases[] = {
        {{.below = 10, .n_modes = 3}, "decide how many modes"},
        {{.below = 10, .cut = 3}, "decide how many modes"},
        {{.below = 10, .accuracy = 1}, "between 0 and 1"},
        {{.below = 10, .accuracy = NAN}, "between 0 and 1"},
        {{.below = 10}, "no elastic mode is below 10 Hz"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rt_reduction how = cases[k].how;
        const rt_flexible *f;
        routh_error error = {0};
        how.kind = RT_REDUCE_FREE;
        assert_int_not_equal(rt_flexible_reduce(&f, NULL, fe, &how, &arena, &error), ROUTH_OK);
        assert_non_null(strstr(error.message, cases[k].words));
    }
    rt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_mode_more_than_it_takes),
        cmocka_unit_test(free_modes_are_right_at_once),
        cmocka_unit_test(shapes_come_besides),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
