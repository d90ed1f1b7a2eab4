/* Tests of expression/table, monotone and corners: curves through tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"

enum { N = 6 };
static const double xs[N] = {-1, 0, 0.5, 2, 3, 5}, ys[N] = {2, -1, 0.25, 1, 4, 3};

static double order_at(rt_graph *graph, rt_expr e, int order, double x)
{
    const double at[N_NAMES] = {x};
    for (int i = 0; i < order; i++) e = rt_derivative(graph, e, 0);
    return value_at(graph, e, at);
}

static void the_curve_passes_through_its_points(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr e = rt_tabulated(graph, RT_CUBIC, rt_input(graph, 0), N, xs, ys);
    for (int i = 0; i < N; i++)
        assert_true(fabs(order_at(graph, e, 0, xs[i]) - ys[i]) <= 1e-15 * 4);
    rt_graph_free(graph);
}

/* The properties that define the natural spline: two continuous derivatives, a cubic between
 * points, no bending at the ends. */
static void value_slope_and_curvature_are_continuous(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr e = rt_tabulated(graph, RT_CUBIC, rt_input(graph, 0), N, xs, ys);
    for (int i = 0; i < N; i++)
        for (int order = 0; order <= 2; order++) {
            const double left = order_at(graph, e, order, xs[i] - 1e-13),
                         right = order_at(graph, e, order, xs[i]);
            assert_true(fabs(left - right) <= 1e-11);
        }
    assert_true(order_at(graph, e, 2, xs[0]) == 0);
    assert_true(order_at(graph, e, 2, xs[N - 1]) == 0);
    for (int i = 0; i + 1 < N; i++) {
        const double a = order_at(graph, e, 3, xs[i]),
                     b = order_at(graph, e, 3, (xs[i] + xs[i + 1]) / 2);
        assert_true(a == b);
        assert_true(a != 0);
    }
    assert_true(order_at(graph, e, 4, 1) == 0);
    rt_graph_free(graph);
}

/* Solved by hand: points (0,0), (1,1), (2,0) give M_1 = -3. */
static void three_points_give_the_curve_solved_by_hand(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const double x[3] = {0, 1, 2}, y[3] = {0, 1, 0};
    const rt_expr e = rt_tabulated(graph, RT_CUBIC, rt_input(graph, 0), 3, x, y);
    assert_true(fabs(order_at(graph, e, 2, 1) + 3) <= 1e-15);
    assert_true(fabs(order_at(graph, e, 0, 0.5) - 0.6875) <= 1e-15);
    assert_true(fabs(order_at(graph, e, 1, 0) - 1.5) <= 1e-15);
    assert_true(fabs(order_at(graph, e, 3, 1.5) - 3) <= 1e-15);
    rt_graph_free(graph);
}

static void beyond_the_ends_the_tangents_go_on(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr e = rt_tabulated(graph, RT_CUBIC, rt_input(graph, 0), N, xs, ys);
    const double left = order_at(graph, e, 1, xs[0]), right = order_at(graph, e, 1, xs[N - 1]);
    assert_true(fabs(order_at(graph, e, 0, -11) - (2 - 10 * left)) <= 1e-13);
    assert_true(fabs(order_at(graph, e, 0, 15) - (3 + 10 * right)) <= 1e-13);
    assert_true(order_at(graph, e, 1, -7) == left && order_at(graph, e, 1, 7) == right);
    assert_true(order_at(graph, e, 2, -7) == 0 && order_at(graph, e, 3, 7) == 0);
    rt_graph_free(graph);
}

static void two_points_are_a_line(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr e = read_good(graph, "table(x, 1, 2, 3, 8)");
    double zero = 1;
    assert_true(order_at(graph, e, 0, 2) == 5 && order_at(graph, e, 1, 9) == 3 &&
                order_at(graph, e, 0, -1) == -4);
    const rt_expr second = rt_derivative(graph, rt_derivative(graph, e, 0), 0);
    assert_true(rt_is_constant(graph, second, &zero) && zero == 0);
    rt_graph_free(graph);
}

static double value_of_order(void *context, double x)
{
    const double at[N_NAMES] = {x};
    void **both = context;
    return value_at(both[0], *(rt_expr *)both[1], at);
}

/* y_1 and y_3 as expressions: the curve of their values, and by y its part. */
static void y_may_be_expressions(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr x = rt_input(graph, 0), y = rt_input(graph, 1);
    const double at[N_NAMES] = {1.3, 0.75};
    rt_expr varying[N] = {RT_NO_EXPR, y,         RT_NO_EXPR, rt_multiply(graph, y, y),
                          RT_NO_EXPR, RT_NO_EXPR};
    double values[N], by_y[N] = {0, 1, 0, 2 * at[1], 0, 0};
    for (int k = 0; k < N; k++) values[k] = ys[k];
    values[1] = at[1], values[3] = at[1] * at[1];
    const rt_expr found = rt_table_varying(graph, RT_CUBIC, x, N, xs, ys, varying);
    const rt_expr same = rt_tabulated(graph, RT_CUBIC, x, N, xs, values);
    const rt_expr part = rt_tabulated(graph, RT_CUBIC, x, N, xs, by_y);
    for (int order = 0; order < 3; order++) {
        rt_expr e[3] = {found, same, rt_derivative(graph, found, 1)}, p = part;
        for (int i = 0; i < order; i++) {
            for (int k = 0; k < 3; k++) e[k] = rt_derivative(graph, e[k], 0);
            p = rt_derivative(graph, p, 0);
        }
        assert_true(fabs(value_at(graph, e[0], at) - value_at(graph, e[1], at)) <= 1e-14 * 8);
        assert_true(fabs(value_at(graph, e[2], at) - value_at(graph, p, at)) <= 1e-14 * 8);
        assert_true(fabs(value_at(graph, p, at)) > 0.1);
    }
    rt_graph_free(graph);
}

/* The value of a derivative of a table's, by where one of its points is. */
typedef struct moved_point {
    int n, k, order;
    double at;
    rt_interpolation kind;
} moved_point;

static double with_point_at(void *context, double x)
{
    const moved_point *m = context;
    double points[N];
    rt_graph *graph = rt_graph_create();
    memcpy(points, xs, sizeof points);
    points[m->k] = x;
    const rt_expr e = rt_tabulated(graph, m->kind, rt_input(graph, 0), m->n, points, ys);
    const double value = order_at(graph, e, m->order, m->at);
    rt_graph_free(graph);
    return value;
}

static void check_by_point(rt_interpolation kind, int n, int k)
{
    rt_graph *graph = rt_graph_create();
    const rt_expr e = rt_table_by_point(graph, kind, rt_input(graph, 0), n, xs, ys, k);
    for (int order = 0; order <= 2; order++)
        for (double x = -1.75; x < 6; x += 0.5) {
            double error;
            moved_point moved = {n, k, order, x, kind};
            const double d = difference(with_point_at, &moved, xs[k], 0.05, &error);
            if (!(fabs(order_at(graph, e, order, x) - d) <= 1e-9 * (1 + fabs(d))))
                fail_msg("kind %d, %d points, by %d, order %d at %g: %.12g, not %.12g", (int)kind,
                         n, k, order, x, order_at(graph, e, order, x), d);
        }
    rt_graph_free(graph);
}

/* Between points and beyond the ends, of tables of every length, of its slope and curvature too. */
static void derivatives_by_points_agree_with_differences(void **state)
{
    (void)state;
    for (int kind = RT_MONOTONE; kind <= RT_CUBIC; kind++)
        for (int n = 2; n <= N; n++)
            for (int k = 0; k < n; k++) check_by_point((rt_interpolation)kind, n, k);
}

/* ---- monotone -------------------------------------------------------------------------------- */

/* Slopes by hand. h = 1, 1, 2; s = 1, 3, 1/2: d_1 = 6/(3/1 + 3/3) = 1.5, d_2 = 9/(5/3 + 4/(1/2)) =
 * 27/29; d_0 = (3 s_0 - s_1)/2 = 0; d_3 = ((2 2 + 1) s_2 - 2 s_1)/3 = -7/6, of other sign: 0. */
static void monotone_slopes_are_those_by_hand(void **state)
{
    static const double x[4] = {0, 1, 2, 4}, y[4] = {0, 1, 4, 5};
    static const double slopes[4] = {0, 1.5, 27.0 / 29, 0};
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr e = rt_tabulated(graph, RT_MONOTONE, rt_input(graph, 0), 4, x, y);
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(order_at(graph, e, 0, x[i]) - y[i]) <= 1e-15);
        assert_true(fabs(order_at(graph, e, 1, x[i]) - slopes[i]) <= 1e-15);
        assert_true(fabs(order_at(graph, e, 1, x[i] - 1e-13) - slopes[i]) <= 1e-11);
    }
    /* the cubic of Hermite at 1/2: y = 1/2 - d_1/8 with h = 1 */
    assert_true(fabs(order_at(graph, e, 0, 0.5) - (0.5 - 1.5 / 8)) <= 1e-15);
    assert_true(order_at(graph, e, 0, -3) == 0 && order_at(graph, e, 0, 7) == 5);
    rt_graph_free(graph);
}

/* A table whose spline swings to -1393 between 0 and 100. */
static void a_monotone_curve_stays_between_its_points(void **state)
{
    static const double x[6] = {0, 1, 2, 2.001, 3, 10}, y[6] = {0, 0, 0, 100, 100, 100};
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr monotone = rt_tabulated(graph, RT_MONOTONE, rt_input(graph, 0), 6, x, y);
    const rt_expr cubic = rt_tabulated(graph, RT_CUBIC, rt_input(graph, 0), 6, x, y);
    double lowest = 0, before = 0;
    for (int k = -100; k <= 1100; k++) {
        const double value = order_at(graph, monotone, 0, k / 100.0);
        assert_true(value >= before - 1e-13 * 100 && value <= 100 + 1e-13 * 100);
        before = value;
        lowest = fmin(lowest, order_at(graph, cubic, 0, k / 100.0));
    }
    assert_true(fabs(before - 100) <= 1e-13 * 100 && lowest < -1000);
    rt_graph_free(graph);
}

static void monotone_is_the_default_of_the_text(void **state)
{
    static const double x[3] = {0, 1, 3}, y[3] = {0, 1, 0};
    static const char *const texts[] = {"table(x, 0, 0, 1, 1, 3, 0)",
                                        "table_linear(x, 0, 0, 1, 1, 3, 0)",
                                        "table_cubic(x, 0, 0, 1, 1, 3, 0)"};
    (void)state;
    rt_graph *graph = rt_graph_create();
    for (int kind = RT_MONOTONE; kind <= RT_CUBIC; kind++)
        assert_int_equal(read_good(graph, texts[kind]),
                         rt_tabulated(graph, (rt_interpolation)kind, rt_input(graph, 0), 3, x, y));
    rt_graph_free(graph);
}

/* ---- any kind -------------------------------------------------------------------------------- */

/* All orders, on the pieces and beyond the ends. */
static void every_kind_has_its_derivatives(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    for (int kind = RT_MONOTONE; kind <= RT_CUBIC; kind++) {
        rt_expr e = rt_tabulated(graph, (rt_interpolation)kind, rt_input(graph, 0), N, xs, ys);
        for (int order = 1; order <= 3; order++) {
            const rt_expr slope = rt_derivative(graph, e, 0);
            void *both[2] = {graph, &e};
            for (double x = -1.75; x < 6; x += 0.5) {
                double error;
                const double d = difference(value_of_order, both, x, 0.1, &error);
                assert_true(fabs(order_at(graph, slope, 0, x) - d) <= 1e-9 * (1 + fabs(d)));
            }
            e = slope;
        }
    }
    rt_graph_free(graph);
}

/* The curve through the values that expressions have, for values of either sign of the slopes, and
 * at their equality; and its derivative by what they depend on. */
static double at_values(rt_interpolation kind, double a, double x, int order)
{
    const double y[N] = {2, a, 0.25, a * a, 4, a - 1};
    rt_graph *graph = rt_graph_create();
    const double value =
        order_at(graph, rt_tabulated(graph, kind, rt_input(graph, 0), N, xs, y), order, x);
    rt_graph_free(graph);
    return value;
}

typedef struct varied {
    rt_interpolation kind;
    double x;
    int order;
} varied;

static double with_value(void *context, double a)
{
    const varied *v = context;
    return at_values(v->kind, a, v->x, v->order);
}

static void every_kind_takes_expressions_for_values(void **state)
{
    static const double values[] = {-3, -0.7, 0.3, 1.1, 2.6, 5.5};
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr x = rt_input(graph, 0), a = rt_input(graph, 1), none = RT_NO_EXPR;
    const rt_expr varying[N] = {none, a,
                                none, rt_multiply(graph, a, a),
                                none, rt_subtract(graph, a, rt_constant(graph, 1))};
    for (int kind = RT_MONOTONE; kind <= RT_CUBIC; kind++) {
        rt_expr e = rt_table_varying(graph, (rt_interpolation)kind, x, N, xs, ys, varying);
        for (int order = 0; order <= 2; order++) {
            const rt_expr by = rt_derivative(graph, e, 1);
            for (int i = 0; i < 6; i++)
                for (double at_x = -1.75; at_x < 6; at_x += 0.5) {
                    const double at[N_NAMES] = {at_x, values[i]};
                    varied v = {(rt_interpolation)kind, at_x, order};
                    double error;
                    const double wanted = with_value(&v, values[i]);
                    const double slope = difference(with_value, &v, values[i], 0.02, &error);
                    if (!(fabs(value_at(graph, e, at) - wanted) <= 1e-13 * (30 + fabs(wanted))) ||
                        !(fabs(value_at(graph, by, at) - slope) <= 1e-8 * (1 + fabs(slope))))
                        fail_msg("kind %d, order %d, a = %g at %g: %.12g, %.12g, not %.12g, %.12g",
                                 kind, order, values[i], at_x, value_at(graph, e, at),
                                 value_at(graph, by, at), wanted, slope);
                }
            e = rt_derivative(graph, e, 0);
        }
    }
    rt_graph_free(graph);
}

/* ---- corners --------------------------------------------------------------------------------- */

static void straight_pieces_tell_of_their_corners(void **state)
{
    static const bool moves[] = {true};
    (void)state;
    for (int n = 3; n <= N; n++) {
        rt_graph *graph = rt_graph_create();
        rt_arena arena = {0};
        rt_branching *list;
        const rt_expr e = rt_tabulated(graph, RT_LINEAR, rt_input(graph, 0), n, xs, ys);
        assert_int_equal(rt_branchings_of(graph, e, moves, &list, &arena), 1);
        for (int i = 0; i < n; i++) {
            const double at = order_at(graph, list[0].distance, 0, xs[i]);
            if (i == 0 || i == n - 1) {
                assert_true(at != 0);
                continue;
            }
            const double h = 0.01, left = order_at(graph, list[0].distance, 0, xs[i] - h),
                         right = order_at(graph, list[0].distance, 0, xs[i] + h);
            assert_true(at == 0 && left * right < 0);
            /* each side's branch is the curve there, and goes straight on over the corner */
            for (int side = 0; side < 2; side++) {
                const double s = side ? h : -h, d = side ? right : left;
                const rt_expr branch = list[0].branch[d > 0];
                const double slope = order_at(graph, e, 1, xs[i] + s);
                assert_true(fabs(order_at(graph, branch, 0, xs[i] + s) -
                                 order_at(graph, e, 0, xs[i] + s)) <= 1e-14 * 4);
                assert_true(fabs(order_at(graph, branch, 0, xs[i] - s) -
                                 (order_at(graph, e, 0, xs[i]) - s * slope)) <= 1e-14 * 4);
                assert_true(fabs(order_at(graph, branch, 1, xs[i]) - slope) <= 1e-14 * 8);
            }
        }
        rt_arena_free(&arena);
        rt_graph_free(graph);
    }
}

static void smooth_tables_and_lines_have_no_corners(void **state)
{
    static const bool moves[] = {true};
    static const double line[N] = {-2, 0, 1, 4, 6, 10};
    (void)state;
    rt_graph *graph = rt_graph_create();
    rt_arena arena = {0};
    rt_branching *list;
    const rt_expr x = rt_input(graph, 0);
    const rt_expr e[] = {rt_tabulated(graph, RT_MONOTONE, x, N, xs, ys),
                         rt_tabulated(graph, RT_CUBIC, x, N, xs, ys),
                         rt_tabulated(graph, RT_LINEAR, x, 2, xs, ys),
                         rt_tabulated(graph, RT_LINEAR, x, N, xs, line)};
    for (int k = 0; k < 4; k++)
        assert_int_equal(rt_branchings_of(graph, e[k], moves, &list, &arena), 0);
    rt_arena_free(&arena);
    rt_graph_free(graph);
}

/* ---- moving points --------------------------------------------------------------------------- */

/* Where it stands, the value changes by less the slope; at the other points, not. */
static void a_moving_point_is_on_the_curve(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr s = rt_tabulated(graph, RT_CUBIC, rt_input(graph, 0), N, xs, ys);
    for (int k = 0; k < N; k++) {
        const rt_expr e = rt_table_by_point(graph, RT_CUBIC, rt_input(graph, 0), N, xs, ys, k);
        for (int i = 0; i < N; i++) {
            const double wanted = i == k ? -order_at(graph, s, 1, xs[k]) : 0;
            assert_true(fabs(order_at(graph, e, 0, xs[i]) - wanted) <= 1e-14);
            const double slope = order_at(graph, e, 1, xs[i]);
            assert_true(fabs(order_at(graph, e, 1, xs[i] - 1e-13) - slope) <= 1e-10);
        }
    }
    rt_graph *clone = rt_graph_clone(graph); /* keeps curves that jump */
    const rt_expr e = rt_table_by_point(graph, RT_CUBIC, rt_input(graph, 0), N, xs, ys, 2);
    assert_true(order_at(clone, e, 2, 0.7) == order_at(graph, e, 2, 0.7));
    rt_graph_free(clone);
    rt_graph_free(graph);
}

static void a_bad_table_gives_no_node(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr x = rt_input(graph, 0);
    const double same[2] = {1, 1}, falling[2] = {1, 0}, nan[2] = {0, (double)NAN}, good[2] = {0, 1};
    assert_int_equal(rt_tabulated(graph, RT_CUBIC, x, 1, good, good), RT_NO_EXPR);
    assert_int_equal(rt_tabulated(graph, RT_CUBIC, x, 2, same, good), RT_NO_EXPR);
    assert_int_equal(rt_tabulated(graph, RT_CUBIC, x, 2, falling, good), RT_NO_EXPR);
    assert_int_equal(rt_tabulated(graph, RT_CUBIC, x, 2, nan, good), RT_NO_EXPR);
    assert_int_equal(rt_tabulated(graph, RT_CUBIC, x, 2, good, nan), RT_NO_EXPR);
    assert_int_equal(rt_table_by_point(graph, RT_CUBIC, x, 2, good, nan, 1), RT_NO_EXPR);
    assert_true(rt_tabulated(graph, RT_CUBIC, x, 2, good, good) >= 0);
    rt_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve_passes_through_its_points),
        cmocka_unit_test(value_slope_and_curvature_are_continuous),
        cmocka_unit_test(three_points_give_the_curve_solved_by_hand),
        cmocka_unit_test(beyond_the_ends_the_tangents_go_on),
        cmocka_unit_test(two_points_are_a_line),
        cmocka_unit_test(derivatives_by_points_agree_with_differences),
        cmocka_unit_test(a_moving_point_is_on_the_curve),
        cmocka_unit_test(y_may_be_expressions),
        cmocka_unit_test(monotone_slopes_are_those_by_hand),
        cmocka_unit_test(a_monotone_curve_stays_between_its_points),
        cmocka_unit_test(monotone_is_the_default_of_the_text),
        cmocka_unit_test(every_kind_has_its_derivatives),
        cmocka_unit_test(every_kind_takes_expressions_for_values),
        cmocka_unit_test(straight_pieces_tell_of_their_corners),
        cmocka_unit_test(smooth_tables_and_lines_have_no_corners),
        cmocka_unit_test(a_bad_table_gives_no_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
