/* Wanted eigenvalues of large mechanisms: equal to the dense ones, to a closed form, with exact
 * zeros, near any real number; and what is refused. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routh/answers.h"
#include "support/mechanisms.h"

typedef struct answer {
    test_mechanism t;
    routh_operating_point *point;
    routh_descriptor *descriptor;
    routh_modes *wanted;
    routh_linear *linear; /* NULL where not asked for, and: */
    routh_modes *all;
} answer;

static void solve(answer *a, int count, double near)
{
    routh_error error;
    a->linear = NULL, a->all = NULL;
    a->point = mechanism_point(&a->t);
    if (routh_descriptor_compute(&a->descriptor, a->t.m, a->point, NULL, &error) ||
        routh_modes_select(&a->wanted, a->descriptor, count, near, &error))
        fail_msg("%s", error.message);
}

static void solve_all(answer *a)
{
    routh_error error;
    a->linear = mechanism_linear(&a->t, a->point, NULL);
    if (routh_modes_compute(&a->all, a->linear, &error)) fail_msg("%s", error.message);
}

static void answer_release(answer *a)
{
    routh_modes_free(a->all);
    routh_linear_free(a->linear);
    routh_modes_free(a->wanted);
    routh_descriptor_free(a->descriptor);
    routh_operating_point_free(a->point);
    mechanism_release(&a->t);
}

/* Each wanted one is a different one of all, and none of those left is nearer than the farthest. */
static void check_against_all(const answer *a, double near)
{
    bool *used = calloc((size_t)a->all->n + 1, sizeof *used);
    double farthest = 0;
    assert_non_null(used);
    for (int k = 0; k < a->wanted->n; k++) {
        const double *s = a->wanted->modes[k].eigenvalue;
        double distance = INFINITY;
        int nearest = -1;
        for (int i = 0; i < a->all->n; i++) {
            const double *x = a->all->modes[i].eigenvalue;
            const double d = hypot(x[0] - s[0], x[1] - s[1]);
            if (!used[i] && d < distance) distance = d, nearest = i;
        }
        used[nearest] = true;
        /* both have an error of 1e-16 times the highest frequency, some 1e3 times the lowest, and
         * conditions near 1 */
        if (!(distance <= 1e-10 * fmax(hypot(s[0], s[1]), 1e-3)))
            fail_msg("%.15g %+.15gi is %.1e away from any", s[0], s[1], distance);
        farthest = fmax(farthest, hypot(s[0] - near, s[1]));
    }
    for (int i = 0; i < a->all->n; i++) {
        const double *x = a->all->modes[i].eigenvalue;
        if (!used[i]) assert_true(hypot(x[0] - near, x[1]) >= farthest * (1 - 1e-9));
    }
    free(used);
}

/* A y = lambda y for the shapes, in the states of both, which are the same. */
static void check_shapes(const answer *a)
{
    const int n = a->linear->n_states;
    for (int i = 0; i < n; i++)
        assert_string_equal(a->descriptor->linear->states[i].name, a->linear->states[i].name);
    for (int k = 0; k < a->wanted->n; k++) {
        const routh_mode *mode = &a->wanted->modes[k];
        const double *re = mode->shape, *im = re + n, *s = mode->eigenvalue;
        for (int i = 0; i < n; i++) {
            double off[2] = {-s[0] * re[i] + s[1] * im[i], -s[0] * im[i] - s[1] * re[i]};
            double size = hypot(s[0], s[1]);
            for (int j = 0; j < n; j++) {
                const double entry = a->linear->A[i * n + j];
                off[0] += entry * re[j], off[1] += entry * im[j];
                size += fabs(entry) * hypot(re[j], im[j]);
            }
            assert_true(hypot(off[0], off[1]) <= 1e-9 * size);
        }
    }
}

static void check_quality(const answer *a)
{
    assert_true(a->wanted->wanted.violation <= 1e-12);
    for (int k = 0; k < a->wanted->n; k++) {
        const routh_mode *mode = &a->wanted->modes[k];
        assert_true(mode->residual <= 1e-9);
        assert_true(isnan(mode->condition));
        const routh_mode *other = &a->wanted->modes[mode->conjugate];
        assert_true(other->eigenvalue[1] == -mode->eigenvalue[1]);
    }
}

static void wanted_ones_are_the_lowest_of_all(void **state)
{
    (void)state;
    answer a;
    mechanism_make_template(&a.t, "pendulum-chain", (const char *const[]){"n", "40", NULL});
    solve(&a, 15, 0);
    solve_all(&a);
    assert_int_equal(a.wanted->n, 16); /* a pair is not split */
    assert_int_equal(a.wanted->n_zero, 0);
    assert_int_equal(a.wanted->wanted.count, 15);
    assert_true(a.wanted->wanted.n_solves > 16);
    check_against_all(&a, 0);
    check_shapes(&a);
    check_quality(&a);
    answer_release(&a);
}

static void a_descriptor_counts_its_infinite_eigenvalues(void **state)
{
    (void)state;
    answer a;
    mechanism_make_template(&a.t, "pendulum-chain", (const char *const[]){"n", "5", NULL});
    solve(&a, 2, 0);
    const routh_descriptor *d = a.descriptor;
    assert_int_equal(d->n_coordinates, a.t.m->n_u);
    assert_int_equal(d->n_constraints, a.t.m->n_u - a.point->degrees_of_freedom);
    assert_int_equal(d->linear->n_infinite,
                     2 * d->n_coordinates + d->n_constraints - d->linear->n_states);
    assert_null(d->linear->A);
    assert_true(d->linear->at_rest && d->linear->steady);
    answer_release(&a);
}

/* Gonzalez et al., Table 1, in closed form, in the angle phi of the cranks (VALUES, sec. 1). */
static void two_thousand_loops_have_the_eigenvalue_of_their_closed_form(void **state)
{
    (void)state;
    const double n = 2000, g = 9.81, k = 25, c = 1, root = sqrt(2);
    const double weight = ((n + 1) / 2 + n) * g, mass = (n + 1) / 3 + n;
    double phi = 1.8;
    for (int i = 0; i < 50; i++) { /* V' = weight cos - (n k) (2 cos(phi/2) - root) sin(phi/2) */
        const double l = 2 * cos(phi / 2) - root, s = sin(phi / 2);
        const double V1 = weight * cos(phi) - n * k * l * s;
        const double V2 = -weight * sin(phi) - n * k * (l * cos(phi / 2) / 2 - s * s);
        phi -= V1 / V2;
    }
    const double l = 2 * cos(phi / 2) - root, s = sin(phi / 2);
    const double K = -weight * sin(phi) - n * k * (l * cos(phi / 2) / 2 - s * s);
    const double re = -n * c * s * s / 2 / mass, im = sqrt(K / mass - re * re);
    answer a;
    mechanism_make_template(&a.t, "four-bar", (const char *const[]){"N", "2000", "c", "1", NULL});
    solve(&a, 2, 0);
    assert_int_equal(a.wanted->n, 2);
    for (int i = 0; i < 2; i++) {
        const double *x = a.wanted->modes[i].eigenvalue;
        if (!(hypot(x[0] - re, fabs(x[1]) - im) <= 1e-9 * hypot(re, im)))
            fail_msg("%.15g %+.15gi should be %.15g +-%.15gi", x[0], x[1], re, im);
    }
    check_quality(&a);
    answer_release(&a);
}

/* Twelve bodies that float, each on a bushing to the next: six motions of the whole, each a double
 * zero that no digit of the others may suffer from. */
static void zeros_of_a_floating_chain_are_exact_and_counted(void **state)
{
    (void)state;
    answer a;
    growing_text text = {0};
    text_add(&text, "gravity: [0, 0, 0]\nbodies:\n");
    for (int k = 0; k < 12; k++)
        text_add(&text, "  b%d: {mass: %g, inertia: [1, %g, %g], position: [%d, 0, 0]}\n", k,
                 1 + 0.3 * k, 1 + 0.1 * k, 1.2 + 0.1 * k, k);
    text_add(&text, "loads:\n");
    for (int k = 0; k < 11; k++)
        text_add(&text,
                 "  s%d: {type: bushing, between: [b%d, b%d], at: [%g, 0, 0],\n"
                 "       translation: {stiffness: [100, 120, 90], damping: 0.01},\n"
                 "       rotation: {stiffness: [10, 20, 30], damping: 0.01}}\n",
                 k, k, k + 1, k + 0.5);
    mechanism_make(&a.t, text.bytes);
    solve(&a, 20, 0);
    solve_all(&a);
    assert_int_equal(a.all->n_zero, 12);
    assert_int_equal(a.wanted->n_zero, 12);
    assert_true(a.wanted->wanted.regions[0].shift[0] != 0);
    for (int k = 0; k < 12; k++) {
        assert_true(a.wanted->modes[k].rigid);
        assert_true(a.wanted->modes[k].eigenvalue[0] == 0);
        assert_true(a.wanted->modes[k].eigenvalue[1] == 0);
    }
    check_against_all(&a, 0);
    check_shapes(&a);
    check_quality(&a);
    free(text.bytes);
    answer_release(&a);
}

/* Heavy dampers make real eigenvalues; those nearest -3 are neither the lowest nor the highest. */
static void eigenvalues_near_another_number_are_found(void **state)
{
    (void)state;
    answer a;
    growing_text text = {0};
    text_add(&text, "gravity: [0, 0, 0]\nbodies:\n");
    for (int k = 0; k < 10; k++)
        text_add(&text, "  b%d: {mass: 1, inertia: [1, 2, 3], position: [%d, 0, 0]}\n", k, k);
    text_add(&text, "loads:\n");
    for (int k = 0; k < 10; k++)
        text_add(&text,
                 "  s%d: {type: bushing, between: [b%d, ground], at: [%d, 0, 0],\n"
                 "       translation: {stiffness: [%d, 20, 30], damping: [%d, 9, 8]},\n"
                 "       rotation: {stiffness: [30, 20, %d], damping: [20, %d, 4]}}\n",
                 k, k, k, 10 + k, 12 + k, 20 + k, 5 + k);
    mechanism_make(&a.t, text.bytes);
    solve(&a, 7, -3);
    solve_all(&a);
    assert_true(a.wanted->wanted.regions[0].near[0] == -3);
    check_against_all(&a, -3);
    check_quality(&a);
    free(text.bytes);
    answer_release(&a);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    answer a;
    routh_error error;
    routh_modes *modes;
    mechanism_make_template(&a.t, "pendulum-chain", (const char *const[]){"n", "5", NULL});
    solve(&a, 10, 0); /* all there are */
    assert_int_equal(a.wanted->n, 10);
    assert_int_equal(routh_modes_select(&modes, a.descriptor, 11, 0, &error), ROUTH_BAD_ARGUMENT);
    assert_null(modes);
    assert_non_null(strstr(error.message, "has 10"));
    assert_int_equal(routh_modes_select(&modes, a.descriptor, 0, 0, &error), ROUTH_BAD_ARGUMENT);
    assert_int_equal(routh_modes_select(&modes, a.descriptor, 2, NAN, &error), ROUTH_BAD_ARGUMENT);
    answer_release(&a);
}

/* Seven degrees of freedom that whirl, and two zeros. */
static void a_moving_mechanism_is_found_too(void **state)
{
    (void)state;
    answer a;
    mechanism_make_template(&a.t, "rotor-stator", (const char *const[]){NULL});
    solve(&a, 6, 0);
    solve_all(&a);
    assert_int_equal(a.descriptor->n_differential, 14);
    assert_int_equal(a.wanted->n_zero, 2);
    check_against_all(&a, 0);
    check_quality(&a);
    answer_release(&a);
}

/* ---- equal ones ------------------------------------------------------------------------------ */

static void make_pendulums(answer *a, int n)
{
    growing_text text = {0};
    text_add(&text, "gravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < n; i++)
        text_add(&text, "  b%d: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, %d, -1]}\n", i,
                 i);
    text_add(&text, "joints:\n");
    for (int i = 0; i < n; i++)
        text_add(&text,
                 "  j%d: {type: revolute, between: [b%d, ground], at: [0, %d, 0], axis: y}\n", i, i,
                 i);
    mechanism_make(&a->t, text.bytes);
    free(text.bytes);
}

/* All copies of the last wanted one come, if these are not very many; then they are told. */
static void equal_pendulums_are_all_counted(void **state)
{
    (void)state;
    const int sizes[] = {50, 150, 1000}, given[] = {100, 6, 6};
    for (int i = 0; i < 3; i++) {
        answer a;
        make_pendulums(&a, sizes[i]);
        solve(&a, 6, 0);
        assert_int_equal(a.wanted->n, given[i]);
        for (int k = 0; k < a.wanted->n; k++) {
            const routh_mode *mode = &a.wanted->modes[k];
            const double omega = sqrt(9.81 / 1.1);
            assert_true(fabs(fabs(mode->eigenvalue[1]) - omega) <= 1e-13 * omega);
            assert_int_equal(mode->multiplicity, sizes[i]);
        }
        const routh_selection_region *region = &a.wanted->wanted.regions[0];
        assert_int_equal(region->counted, ROUTH_COUNT_INERTIA);
        if (i == 0)
            assert_true(isinf(region->radius));
        else
            assert_true(region->radius < sqrt(9.81 / 1.1) && region->radius > 2.98);
        answer_release(&a);
    }
}

/* Carts of mass 1 on springs of stiffness k, each on the one it hangs on: b0 on the ground, nine on
 * each. */
static void add_tree(growing_text *joints, growing_text *loads, growing_text *bodies, int *n,
                     int on, int levels)
{
    const int own = (*n)++;
    char parent[32] = "ground";
    if (on >= 0) snprintf(parent, sizeof parent, "b%d", on);
    text_add(bodies, "  b%d: {mass: 1, inertia: [1, 1, 1]}\n", own);
    text_add(joints, "  j%d: {type: translational, between: [b%d, %s], axis: x}\n", own, own,
             parent);
    text_add(loads,
             "  s%d: {type: bushing, between: [b%d, %s], at: [0, 0, 0],\n"
             "        translation: {stiffness: [100, 0, 0]}}\n",
             own, own, parent);
    for (int k = 0; k < 9 && levels > 1; k++) add_tree(joints, loads, bodies, n, own, levels - 1);
}

/* A branch moves against another one and nothing else does: eight such motions for each cart with
 * nine branches, as if each branch stood on the ground. */
static void a_tree_has_equal_modes(void **state)
{
    (void)state;
    answer a;
    growing_text bodies = {0}, joints = {0}, loads = {0};
    int n = 0;
    text_add(&bodies, "bodies:\n");
    text_add(&joints, "joints:\n");
    text_add(&loads, "loads:\n");
    add_tree(&joints, &loads, &bodies, &n, -1, 4);
    assert_int_equal(n, 820);
    text_add(&bodies, "%s%s", joints.bytes, loads.bytes);
    mechanism_make(&a.t, bodies.bytes);
    solve(&a, 30, 0);
    /* 1, then 8 of branches of three levels, then 72 of branches of two: (1000 - x)(100 - x) =
     * 9 * 100^2 */
    const double two = sqrt((1100 - sqrt(1170000)) / 2);
    int n_two = 0;
    assert_int_equal(a.wanted->n, 2 * (1 + 8 + 72));
    for (int k = 0; k < a.wanted->n; k++) {
        const routh_mode *mode = &a.wanted->modes[k];
        const double omega = fabs(mode->eigenvalue[1]);
        if (omega < 0.5) continue;
        assert_int_equal(mode->multiplicity, omega < 2 ? 8 : 72);
        n_two += fabs(omega - two) <= 1e-11 * two;
    }
    assert_int_equal(n_two, 2 * 72);
    free(bodies.bytes);
    free(joints.bytes);
    free(loads.bytes);
    answer_release(&a);
}

/* From far away all of them look alike. */
static void a_shift_far_off_says_what_to_change(void **state)
{
    (void)state;
    answer a;
    routh_error error;
    routh_modes *modes;
    mechanism_make_template(&a.t, "pendulum-chain", (const char *const[]){"n", "40", NULL});
    solve(&a, 2, 0);
    assert_int_equal(routh_modes_select(&modes, a.descriptor, 4, 1e9, &error), ROUTH_NUMERIC_ERROR);
    assert_null(modes);
    assert_non_null(strstr(error.message, "--near"));
    answer_release(&a);
}

/* ---- threads --------------------------------------------------------------------------------- */

typedef struct job {
    const routh_descriptor *descriptor;
    routh_modes *modes;
    routh_status status;
} job;

static void *work(void *argument)
{
    job *j = argument;
    j->status = routh_modes_select(&j->modes, j->descriptor, 6, 0, NULL);
    return NULL;
}

static void threads_wait_for_each_other_and_agree(void **state)
{
    (void)state;
    enum { N = 4 };
    answer a;
    job jobs[N];
    pthread_t threads[N];
    mechanism_make_template(&a.t, "pendulum-chain", (const char *const[]){"n", "30", NULL});
    solve(&a, 6, 0);
    for (int k = 0; k < N; k++) {
        jobs[k] = (job){a.descriptor, NULL, ROUTH_OK};
        assert_int_equal(pthread_create(&threads[k], NULL, work, &jobs[k]), 0);
    }
    for (int k = 0; k < N; k++) {
        pthread_join(threads[k], NULL);
        assert_int_equal(jobs[k].status, ROUTH_OK);
        assert_int_equal(jobs[k].modes->n, a.wanted->n);
        for (int i = 0; i < a.wanted->n; i++)
            for (int part = 0; part < 2; part++)
                assert_true(fabs(jobs[k].modes->modes[i].eigenvalue[part] -
                                 a.wanted->modes[i].eigenvalue[part]) <=
                            a.wanted->modes[i].error_bound);
        routh_modes_free(jobs[k].modes);
    }
    answer_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wanted_ones_are_the_lowest_of_all),
        cmocka_unit_test(a_descriptor_counts_its_infinite_eigenvalues),
        cmocka_unit_test(two_thousand_loops_have_the_eigenvalue_of_their_closed_form),
        cmocka_unit_test(zeros_of_a_floating_chain_are_exact_and_counted),
        cmocka_unit_test(eigenvalues_near_another_number_are_found),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(a_moving_mechanism_is_found_too),
        cmocka_unit_test(equal_pendulums_are_all_counted),
        cmocka_unit_test(a_tree_has_equal_modes),
        cmocka_unit_test(a_shift_far_off_says_what_to_change),
        cmocka_unit_test(threads_wait_for_each_other_and_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
