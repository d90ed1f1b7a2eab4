/* Where expressions switch from one branch to another, and how large their terms are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "expression/graph.h"

/* ---- nodes of two branches ------------------------------------------------------------------- */

static bool is_function(const rt_graph *graph, rt_expr e, rt_function_name name)
{
    return graph->nodes[e].operation == RT_OP_FUNCTION && graph->nodes[e].detail == (int)name;
}

/* x of sign(x) floor(|x|), which mod is made of; RT_NO_EXPR where e is no such product. It is
 * smooth at x = 0, and steps at every other whole number. */
static rt_expr cut_argument(const rt_graph *graph, rt_expr e)
{
    if (graph->nodes[e].operation != RT_OP_MULTIPLY) return RT_NO_EXPR;
    for (int k = 0; k < 2; k++) {
        const rt_expr sign = graph->nodes[e].argument[k], whole = graph->nodes[e].argument[1 - k];
        if (!is_function(graph, sign, RT_SIGN) || !is_function(graph, whole, RT_FLOOR)) continue;
        const rt_expr inside = graph->nodes[whole].argument[0], x = graph->nodes[sign].argument[0];
        if (is_function(graph, inside, RT_ABS) && graph->nodes[inside].argument[0] == x) return x;
    }
    return RT_NO_EXPR;
}

/* sin(pi x): zero at whole numbers, of other sign between them. Of x = |z| (size) zero is none of
 * them: sin(pi max(x, 1/2)). */
static rt_expr whole_distance(rt_graph *graph, rt_expr x, bool size)
{
    const rt_expr at = size ? rt_maximum(graph, x, rt_constant(graph, 0.5)) : x;
    return rt_function_of(graph, RT_SIN, rt_multiply(graph, rt_constant(graph, RT_PI), at));
}

static rt_branching steps(rt_graph *graph, const char *name, rt_expr e, rt_expr x, bool size)
{
    return (rt_branching){.name = name,
                          .node = e,
                          .distance = whole_distance(graph, x, size),
                          .branch = {e, rt_add(graph, e, rt_constant(graph, 1))},
                          .tie = -1,
                          .between = "no part of the jump"};
}

/* x of x^2 or x x; RT_NO_EXPR */
static rt_expr squared(const rt_graph *graph, rt_expr e)
{
    const rt_node *node = &graph->nodes[e];
    double power;
    if (node->operation == RT_OP_MULTIPLY && node->argument[0] == node->argument[1])
        return node->argument[0];
    if (node->operation != RT_OP_POWER || node->detail != 0) return RT_NO_EXPR;
    return rt_is_constant(graph, node->argument[1], &power) && power == 2 ? node->argument[0]
                                                                          : RT_NO_EXPR;
}

/* sqrt(x^2) switches as abs(x) does. */
static rt_branching branchings_root(rt_graph *graph, rt_expr e)
{
    const rt_expr x = squared(graph, graph->nodes[e].argument[0]);
    if (x < 0) return (rt_branching){.node = RT_NO_EXPR};
    return (rt_branching){
        .name = "the switch of sqrt(x^2)",
        .node = e,
        .distance = x,
        .branch = {rt_negate(graph, x), x},
        .sides = {"where its argument is negative", "where its argument is positive"},
        .tie = -1,
        .between = "the mean of both slopes"};
}

/* atan2(x, 0) and atan2(0, x): a right angle to either side, and half a turn or none, by the sign
 * of x. */
static rt_branching branchings_angle(rt_graph *graph, rt_expr e)
{
    const rt_node node = graph->nodes[e];
    for (int k = 0; k < 2; k++) {
        double zero;
        if (!rt_is_constant(graph, node.argument[k], &zero) || zero != 0) continue;
        return (rt_branching){
            .name = "the switch of atan2",
            .node = e,
            .distance = node.argument[1 - k],
            .branch = {rt_constant(graph, k ? -RT_PI / 2 : RT_PI),
                       rt_constant(graph, k ? RT_PI / 2 : 0)},
            .sides = {"where its argument is negative", "where its argument is positive"},
            .tie = -1,
            .between = "no part of the jump"};
    }
    return (rt_branching){.node = RT_NO_EXPR};
}

static rt_branching branchings_of_function(rt_graph *graph, rt_expr e)
{
    const rt_node node = graph->nodes[e]; /* a copy: the graph's array moves when it grows */
    const rt_expr a = node.argument[0];
    const bool size = is_function(graph, a, RT_ABS);
    switch ((rt_function_name)node.detail) {
    case RT_ABS:
        return (rt_branching){
            .name = "the switch of abs",
            .node = e,
            .distance = a,
            .branch = {rt_negate(graph, a), a},
            .sides = {"where its argument is negative", "where its argument is positive"},
            .tie = -1,
            .between = "the mean of both slopes"};
    case RT_SIGN:
        return (rt_branching){
            .name = "the switch of sign",
            .node = e,
            .distance = a,
            .branch = {rt_constant(graph, -1), rt_constant(graph, 1)},
            .sides = {"where its argument is negative", "where its argument is positive"},
            .tie = -1,
            .between = "no part of the jump"};
    case RT_SQRT: return branchings_root(graph, e);
    case RT_FLOOR: return steps(graph, "the switch of floor", e, a, size);
    case RT_CEIL: return steps(graph, "the switch of ceil", e, a, size);
    default: return (rt_branching){.node = RT_NO_EXPR};
    }
}

/* The first argument is taken at a tie. */
static rt_branching branchings_extreme(rt_graph *graph, rt_expr e)
{
    const rt_node node = graph->nodes[e];
    const rt_expr a = node.argument[0], b = node.argument[1];
    const bool largest = node.operation == RT_OP_MAXIMUM;
    rt_branching x = {.name = largest ? "the switch of max" : "the switch of min",
                      .node = e,
                      .distance = rt_subtract(graph, a, b),
                      .branch = {a, b},
                      .sides = {"with its first argument", "with its last argument"},
                      .tie = largest};
    if (largest) {
        x.branch[0] = b, x.branch[1] = a;
        x.sides[0] = "with its last argument", x.sides[1] = "with its first argument";
    }
    return x;
}

/* A table of straight pieces, not its slope, which jumps. */
static bool has_corners(const rt_graph *graph, const rt_node *node)
{
    return node->operation == RT_OP_TABLE && node->detail == 0 &&
           graph->curves[node->table]->corners;
}

static rt_branching branchings_table(rt_graph *graph, rt_expr e)
{
    const rt_node node = graph->nodes[e];
    rt_branching x = {.name = "a corner of a table",
                      .node = e,
                      .distance = RT_NO_EXPR,
                      .tie = -1,
                      .between = "the slope above the point"};
    if (!rt_corners_of(graph, node.table, node.argument[0], &x.distance, x.branch))
        x.distance = RT_NO_EXPR;
    return x;
}

/* The node as a branching; node RT_NO_EXPR where it is none. */
static rt_branching branching_of(rt_graph *graph, rt_expr e)
{
    const rt_operation operation = graph->nodes[e].operation;
    if (operation == RT_OP_FUNCTION) return branchings_of_function(graph, e);
    if (operation == RT_OP_MINIMUM || operation == RT_OP_MAXIMUM)
        return branchings_extreme(graph, e);
    if (operation == RT_OP_ATAN2) return branchings_angle(graph, e);
    if (has_corners(graph, &graph->nodes[e])) return branchings_table(graph, e);
    const rt_expr x = cut_argument(graph, e);
    if (x < 0) return (rt_branching){.node = RT_NO_EXPR};
    return steps(graph, "the switch of mod", e, rt_function_of(graph, RT_ABS, x), true);
}

static bool branchings_is_good(const rt_branching *b)
{
    return b->distance >= 0 && b->branch[0] >= 0 && b->branch[1] >= 0;
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Below the node: its arguments; of a cut only what is cut. */
static void mark_below(const rt_graph *graph, const rt_reach *reach, rt_expr e, bool *wanted)
{
    const rt_node *node = &graph->nodes[e];
    const rt_expr x = cut_argument(graph, e);
    if (x >= 0) {
        wanted[rt_reach_find(reach, x)] = true;
        return;
    }
    for (int k = 0; k < rt_argument_count(node); k++)
        wanted[rt_reach_find(reach, node->argument[k])] = true;
}

/* Which nodes are reached from the last one, and which depend on what moves. */
static void branchings_mark(const rt_graph *graph, const rt_reach *reach, const bool *moves,
                            bool *wanted, bool *moving)
{
    wanted[reach->n - 1] = true;
    for (int i = reach->n - 1; i >= 0; i--)
        if (wanted[i]) mark_below(graph, reach, reach->nodes[i], wanted);
    for (int i = 0; i < reach->n; i++) {
        const rt_node *node = &graph->nodes[reach->nodes[i]];
        moving[i] = node->operation == RT_OP_INPUT && moves[node->detail];
        for (int k = 0; k < rt_argument_count(node); k++)
            moving[i] = moving[i] || moving[rt_reach_find(reach, node->argument[k])];
    }
}

static int branchings_collect(rt_graph *graph, const rt_reach *reach, const bool *moves,
                              rt_branching **list, rt_arena *arena)
{
    int n = 0;
    bool *wanted = calloc(2 * (size_t)reach->n, sizeof *wanted);
    *list = RT_TAKE(arena, rt_branching, reach->n);
    if (!wanted || !*list)
        n = -1;
    else
        branchings_mark(graph, reach, moves, wanted, wanted + reach->n);
    for (int i = 0; i < reach->n && n >= 0; i++) {
        if (!wanted[i] || !wanted[reach->n + i]) continue;
        const rt_branching b = branching_of(graph, reach->nodes[i]);
        if (b.node < 0) continue;
        (*list)[n] = b;
        n = branchings_is_good(&b) ? n + 1 : -1;
    }
    free(wanted);
    return n;
}

int rt_branchings_of(rt_graph *graph, rt_expr e, const bool *moves, rt_branching **list,
                     rt_arena *arena)
{
    rt_reach reach = {0};
    int n = -1;
    *list = NULL;
    if (e < 0 || graph->nodes[e].depends == 0) return 0;
    if (rt_reach_add(&reach, graph, e)) {
        rt_reach_sort(&reach);
        n = branchings_collect(graph, &reach, moves, list, arena);
    }
    rt_reach_free(&reach);
    return n;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static double size_of_function(rt_function_name name, double a)
{
    switch (name) {
    case RT_SQRT: return sqrt(a);
    case RT_ABS:
    case RT_FLOOR:
    case RT_CEIL: return a;
    case RT_SIN:
    case RT_TAN:
    case RT_ASIN:
    case RT_ATAN:
    case RT_SINH:
    case RT_TANH: return a < 1 ? a : 1;
    default: return 1;
    }
}

/* The m-th derivative of a power in its base. */
static double size_of_power(const rt_graph *graph, const rt_node *node, double a, double b)
{
    if (rt_is_constant(graph, node->argument[1], &b)) b -= node->detail % 64;
    const double size = pow(a, b);
    return a > 0 && isfinite(size) ? size : 1;
}

/* The largest value, slope, curvature at the points. */
static double size_of_table(const rt_curve *c, int order)
{
    double size = 0;
    for (int i = 0; i < c->n; i++) {
        const double rise = i ? c->left[i] - c->y[i - 1] : 0;
        const double one = order == 0   ? fmax(fabs(c->y[i]), fabs(c->left[i]))
                           : order == 1 ? (i ? fabs(rise) / (c->x[i] - c->x[i - 1]) : 0)
                           : order == 2 ? fmax(fabs(c->second[i]), fabs(c->before[i]))
                                        : 1;
        size = fmax(size, one);
    }
    return size > 0 ? size : 1;
}

static double size_of_node(const rt_graph *graph, const rt_node *node, const double *x)
{
    switch (node->operation) {
    case RT_OP_CONSTANT: return fabs(node->value);
    case RT_OP_ADD:
    case RT_OP_SUBTRACT: return x[0] + x[1];
    case RT_OP_MULTIPLY: return x[0] * x[1];
    case RT_OP_DIVIDE:
    case RT_OP_RATIO: return x[1] > 0 ? x[0] / x[1] : x[0];
    case RT_OP_NEGATE: return x[0];
    case RT_OP_POWER: return size_of_power(graph, node, x[0], x[1]);
    case RT_OP_MINIMUM: return fmin(x[0], x[1]);
    case RT_OP_MAXIMUM: return fmax(x[0], x[1]);
    case RT_OP_SELECT: return fmax(x[2], x[3]);
    case RT_OP_FUNCTION: return size_of_function((rt_function_name)node->detail, x[0]);
    case RT_OP_TABLE: return size_of_table(graph->curves[node->table], node->detail);
    default: return 1;
    }
}

bool rt_sizing_take(rt_sizing *sizing, const rt_graph *graph, const rt_expr *e, int n,
                    rt_arena *arena)
{
    rt_reach reach = {0};
    bool good = true;
    for (int k = 0; k < n && good; k++) good = rt_reach_add(&reach, graph, e[k]);
    rt_expr *nodes = good ? RT_TAKE(arena, rt_expr, reach.n) : NULL;
    if (nodes) {
        rt_reach_sort(&reach);
        if (reach.n > 0) memcpy(nodes, reach.nodes, (size_t)reach.n * sizeof *nodes);
        *sizing = (rt_sizing){reach.n, nodes};
    }
    rt_reach_free(&reach);
    return nodes != NULL;
}

void rt_sizing_run(const rt_sizing *sizing, const rt_graph *graph, const double *sizes, double *of)
{
    for (int i = 0; i < sizing->n; i++) {
        const rt_expr e = sizing->nodes[i];
        const rt_node *node = &graph->nodes[e];
        double x[RT_MOST_ARGUMENTS] = {0};
        for (int k = 0; k < rt_argument_count(node); k++) x[k] = of[node->argument[k]];
        of[e] = node->operation == RT_OP_INPUT ? sizes[node->detail] : size_of_node(graph, node, x);
    }
}
