/* Exact derivatives as nodes of the same graph, remembered by (node, slot). */
#include "expression/graph.h"

#include <limits.h>

/* ---- the memory ------------------------------------------------------------------------------ */

static rt_remembered *derivative_place_of(const rt_graph *graph, rt_expr e, int slot)
{
    const uint64_t mask = (uint64_t)graph->room_memory - 1;
    uint64_t at = rt_mix(((uint64_t)e << 32) + (uint32_t)slot) & mask;
    for (; graph->memory[at].node >= 0; at = (at + 1) & mask)
        if (graph->memory[at].node == e && graph->memory[at].slot == slot) break;
    return &graph->memory[at];
}

static bool more_memory(rt_graph *graph)
{
    rt_remembered *old = graph->memory;
    const int old_room = graph->room_memory, room = old_room ? 2 * old_room : 64;
    if (old_room > INT_MAX / 4) return false;
    rt_remembered *memory = rt_kept_malloc(graph->kept, (size_t)room * sizeof *memory);
    if (!memory) return false;
    for (int i = 0; i < room; i++) memory[i].node = RT_NO_EXPR;
    graph->memory = memory;
    graph->room_memory = room;
    for (int i = 0; i < old_room; i++)
        if (old[i].node >= 0) *derivative_place_of(graph, old[i].node, old[i].slot) = old[i];
    rt_kept_free(old);
    return true;
}

static bool derivative_remember(rt_graph *graph, rt_expr e, int slot, rt_expr derivative)
{
    if (2 * graph->n_memory >= graph->room_memory && !more_memory(graph)) return false;
    rt_remembered *place = derivative_place_of(graph, e, slot);
    if (place->node < 0) graph->n_memory++;
    *place = (rt_remembered){e, slot, derivative};
    return true;
}

/* False when it is not known yet. What cannot depend on the slot has derivative zero. */
static bool recall(rt_graph *graph, rt_expr e, int slot, rt_expr *derivative)
{
    if (!(graph->nodes[e].depends >> (slot % 64) & 1)) {
        *derivative = rt_constant(graph, 0);
        return true;
    }
    if (graph->room_memory == 0) return false;
    const rt_remembered *place = derivative_place_of(graph, e, slot);
    *derivative = place->derivative;
    return place->node >= 0;
}

/* ---- the rules ------------------------------------------------------------------------------- */

static bool derivative_is_zero(const rt_graph *graph, rt_expr e)
{
    double value;
    return rt_is_constant(graph, e, &value) && value == 0;
}

static rt_expr derivative_square(rt_graph *graph, rt_expr a)
{
    return rt_power(graph, a, rt_constant(graph, 2));
}

/* 1 + s a^2 */
static rt_expr one_and_square(rt_graph *graph, double s, rt_expr a)
{
    const rt_expr one = rt_constant(graph, 1);
    return rt_add(graph, one,
                  rt_multiply(graph, rt_constant(graph, s), derivative_square(graph, a)));
}

/* d / sqrt(1 - a^2) */
static rt_expr over_root(rt_graph *graph, rt_expr d, rt_expr a)
{
    return rt_ratio(graph, d, rt_function_of(graph, RT_SQRT, one_and_square(graph, -1, a)));
}

/* f(a)' where e is f(a) and d is a'. Slopes that grow without bound (sqrt at 0, asin at 1) are
 * ratios: where a' vanishes with the divisor the point is a kink, as of sqrt(x^2), or smooth, as of
 * x sqrt(x^2), and in both cases zero is right for the whole. */
static rt_expr derivative_of_function(rt_graph *graph, rt_function_name name, rt_expr e, rt_expr a,
                                      rt_expr d)
{
    static const double LN_10 = 2.30258509299404568402;
    rt_expr slope = RT_NO_EXPR;
    switch (name) {
    case RT_SIN: slope = rt_function_of(graph, RT_COS, a); break;
    case RT_COS: slope = rt_negate(graph, rt_function_of(graph, RT_SIN, a)); break;
    case RT_TAN: slope = one_and_square(graph, 1, e); break;
    case RT_ASIN: return over_root(graph, d, a);
    case RT_ACOS: return rt_negate(graph, over_root(graph, d, a));
    case RT_ATAN: return rt_divide(graph, d, one_and_square(graph, 1, a));
    case RT_SINH: slope = rt_function_of(graph, RT_COSH, a); break;
    case RT_COSH: slope = rt_function_of(graph, RT_SINH, a); break;
    /* not 1/cosh^2, whose own derivatives are inf/inf far out */
    case RT_TANH: slope = one_and_square(graph, -1, e); break;
    case RT_EXP: slope = e; break;
    case RT_LOG: return rt_divide(graph, d, a);
    case RT_LOG10: return rt_divide(graph, rt_multiply(graph, rt_constant(graph, 1 / LN_10), d), a);
    case RT_SQRT: return rt_ratio(graph, rt_multiply(graph, rt_constant(graph, 0.5), d), e);
    case RT_ABS: slope = rt_function_of(graph, RT_SIGN, a); break;
    case RT_SIGN:
    case RT_FLOOR:
    case RT_CEIL: return rt_constant(graph, 0);
    }
    return rt_multiply(graph, slope, d);
}

/* q = a/b: q' = (a' - q b')/b */
static rt_expr quotient(rt_graph *graph, rt_expr q, rt_expr b, rt_expr da, rt_expr db)
{
    return rt_divide(graph, rt_subtract(graph, da, rt_multiply(graph, q, db)), b);
}

/* (a^c)' = c a' / a^(1-c), a ratio for the same reason as with sqrt */
static rt_expr root(rt_graph *graph, rt_expr a, double c, rt_expr da)
{
    const rt_expr top = rt_multiply(graph, rt_constant(graph, c), da);
    return rt_ratio(graph, top, rt_power(graph, a, rt_constant(graph, 1 - c)));
}

/* (a^b)' = b a^(b-1) a' + a^b log(a) b' */
static rt_expr derivative_power(rt_graph *graph, const rt_node *node, const rt_expr *d)
{
    const rt_expr a = node->argument[0], b = node->argument[1], zero = rt_constant(graph, 0);
    const int m = node->detail % 64, k = node->detail / 64;
    rt_expr first = zero, second = zero;
    double c;
    if (rt_is_constant(graph, b, &c) && c > 0 && c < 1 && node->detail == 0)
        return root(graph, a, c, d[0]);
    if (!derivative_is_zero(graph, d[0]))
        first = rt_multiply(graph, rt_power_partial(graph, m + 1, k, a, b), d[0]);
    if (!derivative_is_zero(graph, d[1]))
        second = rt_multiply(graph, rt_power_partial(graph, m, k + 1, a, b), d[1]);
    return rt_add(graph, first, second);
}

/* atan2(y, x)' = (x y' - y x') / (x^2 + y^2) */
static rt_expr derivative_angle(rt_graph *graph, rt_expr y, rt_expr x, rt_expr dy, rt_expr dx)
{
    const rt_expr top = rt_subtract(graph, rt_multiply(graph, x, dy), rt_multiply(graph, y, dx));
    return rt_divide(graph, top,
                     rt_add(graph, derivative_square(graph, x), derivative_square(graph, y)));
}

/* sum f_k x_k' */
static rt_expr derivative_user(rt_graph *graph, const rt_node *node, const rt_expr *d)
{
    const int n = rt_argument_count(node);
    rt_expr sum = rt_constant(graph, 0);
    for (int k = 0; k < n; k++) {
        if (derivative_is_zero(graph, d[k])) continue;
        const rt_expr by =
            rt_user_partial_of(graph, node->table, node->detail + rt_user_one(k), node->argument);
        sum = rt_add(graph, sum, rt_multiply(graph, by, d[k]));
    }
    return sum;
}

/* Two constants whose sum is no double stay apart: one may be a soft spring beside a stiff one, and
 * evaluation in more digits keeps both. */
static rt_expr derivative_sum(rt_graph *graph, rt_operation operation, rt_expr a, rt_expr b)
{
    double x, y;
    if (rt_is_constant(graph, a, &x) && rt_is_constant(graph, b, &y)) {
        const double z = operation == RT_OP_ADD ? y : -y, sum = x + z, of_z = sum - x;
        const double rest = (x - (sum - of_z)) + (z - of_z); /* exact: Knuth 4.2.2 */
        if (isfinite(sum) && rest != 0) {
            rt_node node = {.operation = operation, .table = -1};
            for (int i = 0; i < RT_MOST_ARGUMENTS; i++) node.argument[i] = RT_NO_EXPR;
            node.argument[0] = a, node.argument[1] = b;
            return rt_intern(graph, &node);
        }
    }
    return operation == RT_OP_ADD ? rt_add(graph, a, b) : rt_subtract(graph, a, b);
}

/* The derivative of node number e from those of its arguments. */
static rt_expr rule(rt_graph *graph, rt_expr e, const rt_expr *d)
{
    /* a copy: the graph's array moves when it grows */
    const rt_node node = graph->nodes[e];
    const rt_expr a = node.argument[0], b = node.argument[1];
    switch (node.operation) {
    case RT_OP_CONSTANT:
    case RT_OP_INPUT: return rt_constant(graph, 0);
    case RT_OP_ADD:
    case RT_OP_SUBTRACT: return derivative_sum(graph, node.operation, d[0], d[1]);
    case RT_OP_MULTIPLY:
        return rt_add(graph, rt_multiply(graph, d[0], b), rt_multiply(graph, a, d[1]));
    case RT_OP_DIVIDE:
    /* a kink has no second derivative: where the ratio is 0/0 this is not a number */
    case RT_OP_RATIO: return quotient(graph, e, b, d[0], d[1]);
    case RT_OP_NEGATE: return rt_negate(graph, d[0]);
    case RT_OP_POWER: return derivative_power(graph, &node, d);
    case RT_OP_ATAN2: return derivative_angle(graph, a, b, d[0], d[1]);
    case RT_OP_COUNTED: return d[0];
    case RT_OP_MINIMUM: return rt_select(graph, a, b, d[0], d[1]);
    case RT_OP_MAXIMUM: return rt_select(graph, b, a, d[0], d[1]);
    case RT_OP_SELECT: return rt_select(graph, a, b, d[2], d[3]);
    case RT_OP_FUNCTION:
        return derivative_of_function(graph, (rt_function_name)node.detail, e, a, d[0]);
    case RT_OP_BLEND:
        return rt_multiply(
            graph, rt_unit_step(graph, (rt_blend)(node.detail % 4), node.detail / 4 + 1, a), d[0]);
    case RT_OP_TABLE:
        return rt_multiply(graph, rt_table_order(graph, node.table, node.detail + 1, a), d[0]);
    case RT_OP_USER: return derivative_user(graph, &node, d);
    }
    return RT_NO_EXPR;
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* The derivative of e, whose arguments' derivatives are known. */
static bool derivative_differentiate(rt_graph *graph, rt_expr e, int slot)
{
    rt_expr d[RT_MOST_ARGUMENTS] = {0};
    rt_expr result;
    if (recall(graph, e, slot, &result)) return result >= 0;
    if (graph->nodes[e].operation == RT_OP_INPUT) {
        result = rt_constant(graph, graph->nodes[e].detail == slot);
    } else {
        const int n = rt_argument_count(&graph->nodes[e]);
        for (int i = 0; i < n; i++)
            if (!recall(graph, graph->nodes[e].argument[i], slot, &d[i]) || d[i] < 0) return false;
        result = rule(graph, e, d);
    }
    return result >= 0 && derivative_remember(graph, e, slot, result);
}

rt_expr rt_derivative(rt_graph *graph, rt_expr e, int slot)
{
    rt_expr result;
    rt_reach reach = {0};
    if (e < 0 || slot < 0) return RT_NO_EXPR;
    if (recall(graph, e, slot, &result)) return result;
    bool good = rt_reach_add(&reach, graph, e);
    rt_reach_sort(&reach);
    for (int i = 0; good && i < reach.n; i++)
        good = derivative_differentiate(graph, reach.nodes[i], slot);
    rt_reach_free(&reach);
    return good && recall(graph, e, slot, &result) ? result : RT_NO_EXPR;
}
