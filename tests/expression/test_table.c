/* Tests of expression/table: the natural cubic spline. */
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
    const rt_expr e = rt_table(graph, rt_input(graph, 0), N, xs, ys);
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
    const rt_expr e = rt_table(graph, rt_input(graph, 0), N, xs, ys);
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
    const rt_expr e = rt_table(graph, rt_input(graph, 0), 3, x, y);
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
    const rt_expr e = rt_table(graph, rt_input(graph, 0), N, xs, ys);
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

static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    rt_expr e = rt_table(graph, rt_input(graph, 0), N, xs, ys);
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
    rt_graph_free(graph);
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
    const rt_expr found = rt_table_varying(graph, x, N, xs, ys, varying);
    const rt_expr same = rt_table(graph, x, N, xs, values), part = rt_table(graph, x, N, xs, by_y);
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
} moved_point;

static double with_point_at(void *context, double x)
{
    const moved_point *m = context;
    double points[N];
    rt_graph *graph = rt_graph_create();
    memcpy(points, xs, sizeof points);
    points[m->k] = x;
    const rt_expr e = rt_table(graph, rt_input(graph, 0), m->n, points, ys);
    const double value = order_at(graph, e, m->order, m->at);
    rt_graph_free(graph);
    return value;
}

/* Between points and beyond the ends, of tables of every length, of its slope and curvature too. */
static void derivatives_by_points_agree_with_differences(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    for (int n = 2; n <= N; n++)
        for (int k = 0; k < n; k++)
            for (int order = 0; order <= 2; order++) {
                const rt_expr e = rt_table_by_point(graph, rt_input(graph, 0), n, xs, ys, k);
                for (double x = -1.75; x < 6; x += 0.5) {
                    double error;
                    moved_point moved = {n, k, order, x};
                    const double d = difference(with_point_at, &moved, xs[k], 0.05, &error);
                    assert_true(fabs(order_at(graph, e, order, x) - d) <= 1e-9 * (1 + fabs(d)));
                }
            }
    rt_graph_free(graph);
}

/* Where it stands, the value changes by less the slope; at the other points, not. */
static void a_moving_point_is_on_the_curve(void **state)
{
    (void)state;
    rt_graph *graph = rt_graph_create();
    const rt_expr s = rt_table(graph, rt_input(graph, 0), N, xs, ys);
    for (int k = 0; k < N; k++) {
        const rt_expr e = rt_table_by_point(graph, rt_input(graph, 0), N, xs, ys, k);
        for (int i = 0; i < N; i++) {
            const double wanted = i == k ? -order_at(graph, s, 1, xs[k]) : 0;
            assert_true(fabs(order_at(graph, e, 0, xs[i]) - wanted) <= 1e-14);
            const double slope = order_at(graph, e, 1, xs[i]);
            assert_true(fabs(order_at(graph, e, 1, xs[i] - 1e-13) - slope) <= 1e-10);
        }
    }
    rt_graph *clone = rt_graph_clone(graph); /* keeps curves that jump */
    const rt_expr e = rt_table_by_point(graph, rt_input(graph, 0), N, xs, ys, 2);
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
    assert_int_equal(rt_table(graph, x, 1, good, good), RT_NO_EXPR);
    assert_int_equal(rt_table(graph, x, 2, same, good), RT_NO_EXPR);
    assert_int_equal(rt_table(graph, x, 2, falling, good), RT_NO_EXPR);
    assert_int_equal(rt_table(graph, x, 2, nan, good), RT_NO_EXPR);
    assert_int_equal(rt_table(graph, x, 2, good, nan), RT_NO_EXPR);
    assert_int_equal(rt_table_by_point(graph, x, 2, good, nan, 1), RT_NO_EXPR);
    assert_true(rt_table(graph, x, 2, good, good) >= 0);
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
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(y_may_be_expressions),
        cmocka_unit_test(a_bad_table_gives_no_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
