/* Wanted eigenvalues of large mechanisms: equal to the dense ones, to a closed form, with exact
 * zeros, near any real number; and what is refused. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

static void a_moving_mechanism_has_no_descriptor(void **state)
{
    (void)state;
    test_mechanism t;
    routh_error error;
    routh_descriptor *descriptor;
    mechanism_make_template(&t, "rotor-stator", (const char *const[]){NULL});
    routh_operating_point *point = mechanism_point(&t);
    assert_int_equal(routh_descriptor_compute(&descriptor, t.m, point, NULL, &error),
                     ROUTH_NOT_SUPPORTED);
    assert_null(descriptor);
    assert_non_null(strstr(error.message, "--method augmented"));
    routh_operating_point_free(point);
    mechanism_release(&t);
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
        cmocka_unit_test(a_moving_mechanism_has_no_descriptor),
        cmocka_unit_test(a_shift_far_off_says_what_to_change),
        cmocka_unit_test(threads_wait_for_each_other_and_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
