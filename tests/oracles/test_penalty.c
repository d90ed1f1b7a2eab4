/* The penalty method: every eigenvalue is as near to an exact one as its bound says, at rest and
 * moving, whatever the options; the error falls with alpha and knows no units. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/lapack.h"
#include "oracles/penalty.h"
#include "support/bounded_spectrum.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

/* ---- linear models -------------------------------------------------------------------------- */

static routh_linear *linear_by(const test_mechanism *t, const routh_operating_point *point,
                               const char *method, const rt_penalty_options *o)
{
    routh_linear_options options = routh_linear_defaults();
    routh_linear *linear;
    routh_error error;
    options.method = method;
    options.shares = options.markers = 0;
    if (o) {
        options.penalty_alpha = o->alpha;
        options.penalty_xi = o->xi;
        options.penalty_omega = o->omega;
    }
    if (routh_linear_compute(&linear, t->m, point, &options, &error))
        fail_msg("%s: %s", method, error.message);
    return linear;
}

static bounded_spectrum compare_at(const test_mechanism *t, const routh_operating_point *point,
                                   const rt_penalty_options *o)
{
    routh_linear *exact = linear_by(t, point, "augmented", NULL);
    routh_linear *penalized = linear_by(t, point, "penalty", o);
    const bounded_spectrum b = compare_spectrum(penalized, exact);
    routh_linear_free(exact);
    routh_linear_free(penalized);
    return b;
}

static bounded_spectrum compared(const test_mechanism *t, const rt_penalty_options *o)
{
    routh_operating_point *point = mechanism_point(t);
    const bounded_spectrum b = compare_at(t, point, o);
    routh_operating_point_free(point);
    return b;
}

static bounded_spectrum of_template(const char *name, const char *const *settings,
                                    const rt_penalty_options *o)
{
    test_mechanism t;
    mechanism_make_template(&t, name, settings);
    const bounded_spectrum b = compared(&t, o);
    mechanism_release(&t);
    return b;
}

/* ---- random mechanisms ---------------------------------------------------------------------- */

typedef struct tally {
    double ratio[100000];
    int n;
    double worst, error, bound;
} tally;

static void add(tally *all, const bounded_spectrum *b)
{
    for (int k = 0; k < b->n_ratios && all->n < 100000; k++) all->ratio[all->n++] = b->ratio[k];
    all->worst = fmax(all->worst, b->worst);
    all->error = fmax(all->error, b->error);
    all->bound = fmax(all->bound, b->bound);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(tally *all)
{
    qsort(all->ratio, (size_t)all->n, sizeof *all->ratio, ascending);
    return all->ratio[all->n / 2];
}

static void random_bounds_hold(int what, int n)
{
    static tally all;
    random_stream random = {(uint64_t)(77 + what)};
    int n_without = 0;
    memset(&all, 0, sizeof all);
    for (int k = 0; k < with_effort(n); k++) {
        random_mechanism mechanism;
        growing_text text = {0};
        test_mechanism t;
        routh_operating_point *point;
        routh_error error;
        random_mechanism_make(&mechanism, &random, what);
        random_mechanism_write(&mechanism, &no_disguise, &text);
        mechanism_make(&t, text.bytes);
        /* one in thousands has no equilibrium that is found */
        if (routh_operating_point_find(&point, t.m, NULL, &error)) {
            mechanism_release(&t);
            free(text.bytes);
            n_without++;
            continue;
        }
        const bounded_spectrum b = compare_at(&t, point, NULL);
        if (!(b.worst <= 1))
            fail_msg(
                "an error is %.3g of its bound (largest error %.2g, largest bound %.2g) in\n%s",
                b.worst, b.error, b.bound, text.bytes);
        add(&all, &b);
        routh_operating_point_free(point);
        mechanism_release(&t);
        free(text.bytes);
    }
    assert_true(n_without <= with_effort(n) / 50);
    assert_true(all.n > n); /* there is something to bound */
    const double middle = median(&all);
    print_message("    %d errors, at most %.3g of their bounds; bound over error: median %.4f, "
                  "largest %.3g; largest error %.1e, bound %.1e\n",
                  all.n, all.worst, middle, all.ratio[all.n - 1], all.error, all.bound);
    assert_true(middle <= 1.1); /* to first order the bound is the error */
}

static void bounds_hold_at_rest(void **state)
{
    (void)state;
    random_bounds_hold(RANDOM_STATIC, 150);
}

static void bounds_hold_in_motion(void **state)
{
    (void)state;
    random_bounds_hold(RANDOM_MOVING, 150);
}

/* The same mechanism in mm and t, its bodies in another order: the penalty knows no units. Were it
 * otherwise, the spectra would differ by as much as their bounds. */
static void the_error_knows_no_units(void **state)
{
    (void)state;
    random_stream random = {4};
    double worst = 0;
    int n_compared = 0;
    for (int k = 0; k < 20; k++) {
        random_mechanism mechanism;
        growing_text text = {0}, other = {0};
        test_mechanism t[2];
        disguise as = no_disguise;
        random_mechanism_make(&mechanism, &random, RANDOM_STATIC);
        as.length = 1e-3, as.mass = 1e3;
        random_mechanism_write(&mechanism, &no_disguise, &text);
        random_mechanism_write(&mechanism, &as, &other);
        mechanism_make(&t[0], text.bytes);
        mechanism_make(&t[1], other.bytes);
        routh_operating_point *points[2];
        routh_linear *linear[2];
        for (int i = 0; i < 2; i++) {
            points[i] = mechanism_point(&t[i]);
            linear[i] = linear_by(&t[i], points[i], "penalty", NULL);
        }
        const bounded_spectrum b = compare_spectrum(linear[0], linear[1]);
        assert_true(isfinite(b.bound) && isfinite(b.error));
        /* multipliers of redundant rows are a choice, which units sway */
        if (points[0]->n_redundant == 0 && b.bound > 1e-7)
            worst = fmax(worst, b.error / b.bound), n_compared++;
        for (int i = 0; i < 2; i++) {
            routh_linear_free(linear[i]);
            routh_operating_point_free(points[i]);
            mechanism_release(&t[i]);
        }
        free(text.bytes);
        free(other.bytes);
    }
    print_message("    at most %.1e of the bound\n", worst);
    assert_true(n_compared > 10 && worst <= 1e-4); /* rounding, of 1e-11 */
}

/* The eigenvalues of T, n of them, 1/s. */
static void eigenvalues_of(const rt_penalty_modes *modes, int n, double *re, double *im)
{
    double *T = malloc((size_t)(3 * n + 1) * (size_t)n * sizeof *T);
    assert_non_null(T);
    rt_eigen e = {re, im, T + n * n, T + 2 * n * n, T + 3 * n * n, 0};
    routh_error error;
    memcpy(T, modes->T, (size_t)n * (size_t)n * sizeof *T);
    if (rt_general_eigen(n, T, &e, &error)) fail_msg("%s", error.message);
    for (int k = 0; k < n; k++) re[k] *= modes->rate, im[k] *= modes->rate;
    free(T);
}

static double farthest(int n, const double *re, const double *im, const double *re2,
                       const double *im2)
{
    double worst = 0;
    for (int k = 0; k < n; k++) {
        double best = INFINITY;
        for (int i = 0; i < n; i++) best = fmin(best, hypot(re[k] - re2[i], im[k] - im2[i]));
        if (!(best <= worst)) worst = best;
    }
    return worst;
}

/* Two ways to the same invariant subspace, compared by their eigenvalues. */
static void compare_ways(const test_mechanism *t, double *worst)
{
    rt_search s;
    rt_penalty_space space;
    rt_arena arena = {0};
    rt_reference_frame observer;
    rt_states states;
    routh_error error;
    routh_operating_point *point = mechanism_point(t);
    assert_int_equal(rt_search_create(&s, t->m, 1e-12, 1, &error), ROUTH_OK);
    rt_state_copy(t->m, s.state, point->state);
    rt_evaluate_frames(t->m, s.w, s.state);
    rt_reference_frame_set(&observer, s.w, -1);
    assert_int_equal(rt_choose_states(&s, &observer, NULL, &arena, &states, &error), ROUTH_OK);
    assert_int_equal(rt_evaluate(t->m, s.w, s.state, RT_EVALUATE_ALL, &error), ROUTH_OK);
    const rt_method_task task = {.search = &s,
                                 .observer = &observer,
                                 .states = &states,
                                 .threads = 1,
                                 .penalty = {1e6, 1, 10}};
    if (rt_penalty_space_make(&space, &task, &arena, &error)) fail_msg("%s", error.message);
    rt_penalty_modes modes = {0};
    const int n = 2 * space.z;
    double *x = malloc(4 * (size_t)n * sizeof *x + 1);
    bool found;
    assert_non_null(x);
    assert_int_equal(rt_penalty_iterate(&space, &modes, &found, &arena, &error), ROUTH_OK);
    assert_true(found);
    eigenvalues_of(&modes, n, x, x + n);
    assert_int_equal(rt_penalty_equations(&space, &modes, &arena, &error), ROUTH_OK);
    if (rt_penalty_schur(&space, &modes, &arena, &error)) fail_msg("%s", error.message);
    eigenvalues_of(&modes, n, x + 2 * n, x + 3 * n);
    const double size = modes.rate;
    *worst = fmax(*worst, farthest(n, x, x + n, x + 2 * n, x + 3 * n) / size);
    *worst = fmax(*worst, farthest(n, x + 2 * n, x + 3 * n, x, x + n) / size);
    free(x);
    rt_arena_free(&arena);
    rt_state_free(s.state);
    rt_search_release(&s);
    routh_operating_point_free(point);
}

static void iteration_and_the_least_violation_find_the_same_eigenvalues(void **state)
{
    (void)state;
    random_stream random = {21};
    double worst = 0;
    for (int k = 0; k < 20; k++) {
        random_mechanism mechanism;
        growing_text text = {0};
        test_mechanism t;
        random_mechanism_make(&mechanism, &random, RANDOM_STATIC);
        random_mechanism_write(&mechanism, &no_disguise, &text);
        mechanism_make(&t, text.bytes);
        compare_ways(&t, &worst);
        mechanism_release(&t);
        free(text.bytes);
    }
    print_message("    apart by %.1e of the fastest rate\n", worst);
    assert_true(worst > 0 && worst <= 1e-10); /* rounding, times conditions of some thousands */
}

/* ---- known mechanisms ----------------------------------------------------------------------- */

static const rt_penalty_options of_the_paper = {1e6, 1, 10};

/* Gonzalez et al., Table 1, with the digits of an independent computation. The paper's rows
 * d^2 - l^2 give errors of 4.1e-7 to 9.1e-7; ours are other rows of the same constraints. */
static void the_paper_s_four_bars_are_of_the_paper_s_accuracy(void **state)
{
    (void)state;
    static const struct {
        const char *loops;
        double frequency;
    } table[] = {{"1", 2.147676638502},
                 {"5", 1.545522030224},
                 {"10", 1.435199986023},
                 {"15", 1.395475966422},
                 {"20", 1.374986715471}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        test_mechanism t;
        mechanism_make_template(&t, "four-bar",
                                (const char *const[]){"N", table[k].loops, "c", "0", NULL});
        routh_operating_point *point = mechanism_point(&t);
        routh_linear *linear = linear_by(&t, point, "penalty", &of_the_paper);
        assert_int_equal(linear->n_bounds, 2);
        const double error =
            hypot(linear->bound_re[0], fabs(linear->bound_im[0]) - table[k].frequency);
        print_message("    N = %s: error %.2e, bound %.2e\n", table[k].loops, error,
                      linear->bound[0]);
        /* twelve decimals are given */
        assert_true(error <= linear->bound[0] + 1e-12);
        assert_true(error <= 3e-6 && linear->bound[0] <= 3e-6); /* the paper says: below 3e-6 */
        routh_linear_free(linear);
        routh_operating_point_free(point);
        mechanism_release(&t);
    }
}

static void bounds_hold_on_every_template(void **state)
{
    (void)state;
    static const char *const all[][6] = {{"rotor-stator"},
                                         {"four-bar", "N", "3", "c", "1"},
                                         {"slider-pendulum", "c", "20"},
                                         {"rotating-pendulum"},
                                         {"spatial-four-bar", "a", "1", "b", "2"},
                                         {"pendulum-chain", "n", "12"},
                                         {"mcpherson"}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const bounded_spectrum b = of_template(all[k][0], all[k] + 1, NULL);
        print_message("    %s: error %.1e, bound %.1e\n", all[k][0], b.error, b.bound);
        assert_true(b.worst <= 1);
        assert_true(b.bound < 1e-3);
    }
}

/* ds = mu' lambda / (alpha p(s) y' P'(s) v) */
static void the_error_falls_with_alpha_until_rounding(void **state)
{
    (void)state;
    double first = 0;
    for (double alpha = 1e3; alpha < 1e15; alpha *= 10) {
        const rt_penalty_options o = {alpha, 1, 10};
        const bounded_spectrum b =
            of_template("four-bar", (const char *const[]){"N", "2", "c", "1", NULL}, &o);
        assert_true(b.worst <= 1);
        if (alpha == 1e3) first = b.error * alpha;
        /* the next order is 1/alpha smaller, times a number of order one */
        if (alpha <= 1e9) assert_true(fabs(b.error * alpha / first - 1) <= 0.01);
        if (alpha > 1e12) assert_true(b.error <= 1e-11);
    }
}

/* Small alpha and odd options give poor eigenvalues, never poor bounds. */
static void bounds_hold_for_poor_options(void **state)
{
    (void)state;
    static const rt_penalty_options poor[] = {
        {100, 1, 10}, {100, 0.1, 10}, {1e4, 5, 1}, {1e3, 1, 1e3}, {1e6, 0.7, 0.5}};
    for (size_t k = 0; k < sizeof poor / sizeof *poor; k++) {
        const bounded_spectrum b =
            of_template("pendulum-chain", (const char *const[]){"n", "3", NULL}, &poor[k]);
        assert_true(b.worst <= 1);
        assert_true(b.error > 1e-9);
    }
}

/* A damped pendulum with an eigenvalue at -10: I s^2 + c s + m g l = 0. */
static const char at_minus_ten[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {l: 0.5, I: 1.2 + 2*l^2, c: (100*I + 2*9.81*l)/10}\n"
    "bodies: {bob: {mass: 2, inertia: [1, 1.2, 1], position: [0, 0, -l]}}\n"
    "joints: {hinge: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: y}}\n"
    "loads: {rub: {type: torque, on: bob, components: [0, -c*WY(bob), 0]}}\n";

static void eigenvalues_that_mix_with_spurious_ones_are_refused_or_avoided(void **state)
{
    (void)state;
    test_mechanism t;
    routh_linear *linear;
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    mechanism_make(&t, at_minus_ten);
    routh_operating_point *point = mechanism_point(&t);
    options.method = "penalty";
    options.penalty_omega = 10;
    assert_int_equal(routh_linear_compute(&linear, t.m, point, &options, &error),
                     ROUTH_NUMERIC_ERROR);
    assert_null(linear);
    assert_non_null(strstr(error.message, "its 2 true eigenvalues"));
    assert_non_null(strstr(error.message, "another omega"));
    const bounded_spectrum b = compared(&t, NULL); /* no omega asked for */
    assert_true(b.worst <= 1 && b.bound < 1e-4);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

/* A torque that feels the force in the hinge: the motion's rows have (G' + L) lambda. */
static const char with_reaction[] =
    "gravity: [0, -9.81, 0]\n"
    "bodies: {bob: {mass: 2, inertia: [1, 1.2, 1], position: [0, -0.5, 0]}}\n"
    "joints: {hinge: {type: revolute, between: [bob, ground], at: [0, 0, 0], axis: z}}\n"
    "loads: {push: {type: torque, on: bob, components: [0, 0, 0.2*FX(hinge)]}}\n";

static void loads_may_use_joint_reactions(void **state)
{
    (void)state;
    test_mechanism t;
    mechanism_make(&t, with_reaction);
    assert_true(t.m->pattern_L.start[t.m->n_rows] > 0);
    const bounded_spectrum b = compared(&t, NULL);
    assert_true(b.worst <= 1);
    assert_true(b.n_ratios > 0 && b.ratio[0] < 1.01);
    mechanism_release(&t);
}

/* ---- options and limits --------------------------------------------------------------------- */

static void options_that_are_no_positive_numbers_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"alpha", "xi", "omega"};
    const double bad[] = {-1, NAN, INFINITY};
    test_mechanism t;
    routh_error error;
    mechanism_make_template(&t, "slider-pendulum", (const char *const[]){NULL});
    routh_operating_point *point = mechanism_point(&t);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            routh_linear_options options = routh_linear_defaults();
            routh_linear *linear;
            double *const fields[] = {&options.penalty_alpha, &options.penalty_xi,
                                      &options.penalty_omega};
            options.method = "penalty";
            *fields[i] = bad[k];
            assert_int_equal(routh_linear_compute(&linear, t.m, point, &options, &error),
                             ROUTH_BAD_ARGUMENT);
            assert_null(linear);
            assert_non_null(strstr(error.message, names[i]));
        }
    routh_operating_point_free(point);
    mechanism_release(&t);
}

static void a_large_mechanism_is_refused(void **state)
{
    (void)state;
    test_mechanism t;
    routh_linear *linear;
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    options.method = "penalty";
    mechanism_make_template(&t, "pendulum-chain", (const char *const[]){"n", "167", NULL});
    routh_operating_point *point = mechanism_point(&t);
    assert_int_equal(routh_linear_compute(&linear, t.m, point, &options, &error),
                     ROUTH_LIMIT_EXCEEDED);
    assert_non_null(strstr(error.message, "at most 1000 velocity variables"));
    assert_non_null(strstr(error.message, "--method augmented"));
    routh_operating_point_free(point);
    mechanism_release(&t);
}

static void the_linear_model_says_that_it_is_approximate(void **state)
{
    (void)state;
    test_mechanism t;
    mechanism_make_template(&t, "slider-pendulum", (const char *const[]){NULL});
    routh_operating_point *point = mechanism_point(&t);
    routh_linear *linear = linear_by(&t, point, "penalty", NULL);
    assert_string_equal(linear->method, "penalty");
    assert_int_equal(linear->n_warnings, 1);
    assert_non_null(strstr(linear->warnings[0], "approximate"));
    assert_non_null(strstr(linear->warnings[0], "alpha 1e+06, xi 1, omega 10"));
    routh_linear_free(linear);
    linear = linear_by(&t, point, "augmented", NULL);
    assert_int_equal(linear->n_bounds, 0);
    assert_null(linear->bound);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

/* Not the eigenvalues alone: the matrix itself, of states that an observer on a turning table sees,
 * whose rates are those of the world less what the table turns them by. With alpha a million the
 * constraints give way by about a millionth. */
static void a_turning_observer_sees_the_matrix_of_the_exact_method(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  table: {mass: 5, inertia: [1, 1, 2], angular_velocity: [0, 0, 3]}\n"
        "  ball: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.8, 0.1, -0.5]}\n"
        "markers: {post: {body: table, position: [0.8, 0, 0.4]}}\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [table, ground], at: [0, 0, 0], axis: z}\n"
        "  arm: {type: universal, between: [ball, table], at: [0.8, 0, 0], axis: z}\n"
        "loads: {hold: {type: spring, between: [ball, post], stiffness: 300, damping: 4}}\n"
        "linearize: {reference: table}\n";
    test_mechanism t;
    mechanism_make(&t, text);
    routh_operating_point *point = mechanism_point(&t);
    routh_linear *exact = linear_by(&t, point, "augmented", NULL);
    routh_linear *penalized = linear_by(&t, point, "penalty", NULL);
    const int n = exact->n_states;
    double largest = 0, worst = 0;
    assert_int_equal(penalized->n_states, n);
    for (int i = 0; i < n; i++)
        assert_string_equal(penalized->states[i].name, exact->states[i].name);
    for (int k = 0; k < n * n; k++) {
        largest = fmax(largest, fabs(exact->A[k]));
        worst = fmax(worst, fabs(penalized->A[k] - exact->A[k]));
    }
    if (!(worst <= 1e-4 * largest)) fail_msg("A is off by %.3g of %.3g", worst, largest);
    routh_linear_free(exact);
    routh_linear_free(penalized);
    routh_operating_point_free(point);
    mechanism_release(&t);
}

/* ---- bounds for matrices -------------------------------------------------------------------- */

/* A = B + size times numbers in [-1, 1]; how the eigenvalues of A are bounded. */
static double bounded(int n, const double *B, const double *exact_re, double size, double *largest)
{
    double A[36], re[6], im[6], bound[6], worst = 0;
    int taken[6] = {0};
    random_stream random = {9};
    routh_error error;
    *largest = 0;
    for (int k = 0; k < n * n; k++) A[k] = B[k] + size * random_real(&random);
    if (rt_eigenvalue_bounds(n, A, B, (rt_penalty_doubt){1e-15, NULL}, re, im, bound, &error))
        fail_msg("%s", error.message);
    for (int k = 0; k < n; k++) {
        int best = -1;
        for (int i = 0; i < n; i++)
            if (!taken[i] && (best < 0 || hypot(re[k] - exact_re[i], im[k]) <
                                              hypot(re[k] - exact_re[best], im[k])))
                best = i;
        taken[best] = 1;
        const double e = hypot(re[k] - exact_re[best], im[k]);
        assert_true(isfinite(e) && isfinite(bound[k]));
        worst = fmax(worst, e / bound[k]);
        *largest = fmax(*largest, bound[k]);
    }
    return worst;
}

static void eigenvalues_are_bounded_simple_repeated_and_defective(void **state)
{
    (void)state;
    static const double simple[] = {1, 0, 0, 5, 2, 0, -3, 7, 4}, simple_values[] = {1, 2, 4};
    static const double repeated[] = {2, 0, 0, 0, 2, 0, 0, 0, 5}, repeated_values[] = {2, 2, 5};
    static const double defective[] = {2, 0, 0, 1, 2, 0, 3, 1, 5};
    double largest;
    assert_true(bounded(3, simple, simple_values, 1e-7, &largest) <= 1);
    assert_true(largest < 1e-5); /* of a condition of some tens */
    assert_true(bounded(3, repeated, repeated_values, 1e-7, &largest) <= 1);
    assert_true(largest < 1e-6);
    assert_true(bounded(3, defective, repeated_values, 1e-8, &largest) <= 1);
    assert_true(largest < 1e-2); /* sqrt(1e-8), times some ten */
    assert_true(bounded(3, defective, repeated_values, 0, &largest) <= 1);
    assert_true(largest < 1e-5); /* rounding alone */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_at_rest),
        cmocka_unit_test(bounds_hold_in_motion),
        cmocka_unit_test(the_error_knows_no_units),
        cmocka_unit_test(iteration_and_the_least_violation_find_the_same_eigenvalues),
        cmocka_unit_test(the_paper_s_four_bars_are_of_the_paper_s_accuracy),
        cmocka_unit_test(bounds_hold_on_every_template),
        cmocka_unit_test(the_error_falls_with_alpha_until_rounding),
        cmocka_unit_test(bounds_hold_for_poor_options),
        cmocka_unit_test(eigenvalues_that_mix_with_spurious_ones_are_refused_or_avoided),
        cmocka_unit_test(loads_may_use_joint_reactions),
        cmocka_unit_test(options_that_are_no_positive_numbers_are_refused),
        cmocka_unit_test(a_large_mechanism_is_refused),
        cmocka_unit_test(the_linear_model_says_that_it_is_approximate),
        cmocka_unit_test(a_turning_observer_sees_the_matrix_of_the_exact_method),
        cmocka_unit_test(eigenvalues_are_bounded_simple_repeated_and_defective),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
