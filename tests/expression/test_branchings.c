/* Tests of expression/branchings: which nodes switch, where, what they are on both sides, and how
 * large terms are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"

/* x, y and z move; t is a parameter. */
static const bool moves[N_NAMES] = {true, true, true, false};

typedef struct bench {
    rt_graph *graph;
    rt_arena arena;
    rt_expr e;
    rt_branching *list;
    int n;
} bench;

static void set_up(bench *b, const char *text)
{
    *b = (bench){.graph = rt_graph_create()};
    b->e = read_good(b->graph, text);
    b->n = rt_branchings_of(b->graph, b->e, moves, &b->list, &b->arena);
}

static void tear_down(bench *b)
{
    rt_arena_free(&b->arena);
    rt_graph_free(b->graph);
}

static int count_in(const char *text)
{
    bench b;
    set_up(&b, text);
    const int n = b.n;
    tear_down(&b);
    return n;
}

static void smooth_expressions_have_none(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "x",          "3",           "sin(x)*y^2",        "STEP(x, 0, 0, 1, 1)", "sqrt(x^2 + y^2)",
        "ramp(x, 1)", "tanh(x/0.1)", "smooth_abs(x, 1)",  "table(x, 0, 0, 1, 1)",
        "abs(t)",     "min(t, 1)*x", "max(2, 3)*floor(t)"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (count_in(texts[k]) != 0) fail_msg("%s has branchings", texts[k]);
}

static void each_node_is_told_once(void **state)
{
    (void)state;
    assert_int_equal(count_in("abs(x)"), 1);
    assert_int_equal(count_in("abs(x) + y*abs(x)^2"), 1);
    assert_int_equal(count_in("abs(x) + abs(y)"), 2);
    assert_int_equal(count_in("min(x, y, z)"), 2);
    assert_int_equal(count_in("max(0, abs(x) - t)"), 2);
    assert_int_equal(count_in("mod(x, 3)"), 1);
    assert_int_equal(count_in("mod(x, 3) + abs(x/3)"), 2);
}

/* At random places each node is what its distance's sign says. */
static void sides_are_those_of_the_node(void **state)
{
    (void)state;
    static const char *const texts[] = {"abs(x - y)", "sign(2*x)",     "min(x, y*z)",
                                        "max(x^2, y)", "max(x, 0.3)", "abs(x)*sign(y)"};
    uint64_t seed = 7;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        bench b;
        set_up(&b, texts[k]);
        int seen[2] = {0, 0};
        assert_true(b.n > 0);
        for (int i = 0; i < 200 * b.n; i++) {
            const rt_branching *at = &b.list[i % b.n];
            double x[N_NAMES];
            for (int j = 0; j < N_NAMES; j++) x[j] = random_between(&seed, -1, 1);
            const double distance = value_at(b.graph, at->distance, x);
            const int side = distance > 0;
            const double node = value_at(b.graph, at->node, x);
            seen[side]++;
            if (value_at(b.graph, at->branch[side], x) != node)
                fail_msg("%s is not what its side says", texts[k]);
            if (value_at(b.graph, at->branch[!side], x) == node)
                fail_msg("%s has two equal sides", texts[k]);
        }
        assert_true(seen[0] > 20 && seen[1] > 20);
        tear_down(&b);
    }
}

/* Between two places on a line the node steps as often as the distance changes its sign. */
static void count_steps(const char *text, double from, double to, int expected)
{
    enum { N = 20011 };
    bench b;
    double node = 0, distance = 0;
    int steps = 0, changes = 0;
    set_up(&b, text);
    assert_int_equal(b.n, 1);
    for (int i = 0; i <= N; i++) {
        const double x[N_NAMES] = {from + (to - from) * i / N, 0, 0, 0};
        const double node_now = value_at(b.graph, b.list[0].node, x);
        const double distance_now = value_at(b.graph, b.list[0].distance, x);
        steps += i > 0 && node_now != node;
        changes += i > 0 && (distance_now > 0) != (distance > 0);
        node = node_now, distance = distance_now;
    }
    if (steps != expected || changes != expected)
        fail_msg("%s: %d steps, %d changes of sign, %d expected", text, steps, changes, expected);
    tear_down(&b);
}

static void steps_are_where_the_distance_changes_sign(void **state)
{
    (void)state;
    count_steps("floor(x)", -2.4, 3.3, 6);
    count_steps("ceil(2*x)", -1.2, 1.7, 6);
    count_steps("mod(x, 1.5)", 0.1, 6.4, 4);
    count_steps("mod(x, 1.5)", -6.4, 6.4, 8); /* not at 0, where mod is smooth */
}

static void at_a_tie_the_side_is_that_of_the_derivative(void **state)
{
    (void)state;
    static const char *const texts[] = {"max(3*x, x)", "min(3*x, x)", "max(x, 3*x)", "min(x, 3*x)"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        bench b;
        const double zero[N_NAMES] = {0};
        set_up(&b, texts[k]);
        const rt_expr taken = b.list[0].branch[b.list[0].tie];
        assert_true(value_at(b.graph, rt_derivative(b.graph, b.e, 0), zero) ==
                    value_at(b.graph, rt_derivative(b.graph, taken, 0), zero));
        tear_down(&b);
    }
}

static void nodes_are_replaced(void **state)
{
    (void)state;
    bench b;
    const double x[N_NAMES] = {-0.7, 0.2, 0, 0};
    set_up(&b, "sin(abs(x))*y + abs(x)");
    const rt_expr smooth = rt_replace(b.graph, b.e, &b.list[0].node, &b.list[0].branch[1], 1);
    assert_true(fabs(value_at(b.graph, smooth, x) - (sin(-0.7) * 0.2 - 0.7)) < 1e-16);
    assert_int_equal(rt_replace(b.graph, b.e, NULL, NULL, 0), b.e);
    tear_down(&b);
}

static void sizes_are_of_the_terms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double size;
    } cases[] = {{"x - x*1", 1},          {"x - 3", 5},        {"2*x*y", 12},    {"x/y", 2. / 3},
                 {"sqrt(x - 2)", 2},      {"x^3", 8},          {"x^(-2)", 0.25}, {"abs(-y)", 3},
                 {"exp(1000*y) - 0.5", 1.5}, {"max(x, 10)", 10}, {"0*y", 1},     {"sin(y)", 1}};
    const double sizes[N_NAMES] = {2, 3, 1, 1};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rt_graph *graph = rt_graph_create();
        const rt_expr e = read_good(graph, cases[k].text);
        rt_arena arena = {0};
        rt_sizing sizing;
        assert_true(rt_sizing_take(&sizing, graph, &e, 1, &arena));
        double *of = RT_TAKE(&arena, double, rt_node_count(graph));
        assert_non_null(of);
        rt_sizing_run(&sizing, graph, sizes, of);
        const double size = rt_sizing_of(of, e);
        if (!(fabs(size - cases[k].size) < 1e-15 * size))
            fail_msg("%s: %.17g, %.17g expected", cases[k].text, size, cases[k].size);
        rt_arena_free(&arena);
        rt_graph_free(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_expressions_have_none),
        cmocka_unit_test(each_node_is_told_once),
        cmocka_unit_test(sides_are_those_of_the_node),
        cmocka_unit_test(steps_are_where_the_distance_changes_sign),
        cmocka_unit_test(at_a_tie_the_side_is_that_of_the_derivative),
        cmocka_unit_test(nodes_are_replaced),
        cmocka_unit_test(sizes_are_of_the_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
