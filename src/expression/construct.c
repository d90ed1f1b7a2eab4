/* Constructors: constants are folded, 0 and 1 vanish, signs move outwards. */
#include "expression/graph.h"

#include <math.h>
#include <stddef.h>

static bool is_value(const rt_graph *graph, rt_expr e, double value)
{
    return graph->nodes[e].operation == RT_OP_CONSTANT && graph->nodes[e].value == value;
}

static bool is_operation(const rt_graph *graph, rt_expr e, rt_operation operation)
{
    return graph->nodes[e].operation == operation;
}

static rt_expr argument_of(const rt_graph *graph, rt_expr e, int i)
{
    return graph->nodes[e].argument[i];
}

/* Folds when all arguments are constants, else makes the node. Arguments must be there (not
 * negative). */
static rt_expr construct_make(rt_graph *graph, rt_operation operation, int detail, int table,
                              const rt_expr *argument)
{
    rt_node node = {.operation = operation, .detail = detail, .table = table};
    double x[RT_MOST_ARGUMENTS] = {0};
    bool constant = true;
    const int n = rt_argument_count(&node);
    for (int i = 0; i < RT_MOST_ARGUMENTS; i++) node.argument[i] = i < n ? argument[i] : RT_NO_EXPR;
    for (int i = 0; i < n; i++)
        if (!rt_is_constant(graph, argument[i], &x[i])) constant = false;
    if (!constant) return rt_intern(graph, &node);
    const rt_curve *curve = table >= 0 ? graph->curves[table] : NULL;
    return rt_constant(graph, rt_operation_value(operation, detail, curve, x));
}

static rt_expr make1(rt_graph *graph, rt_operation operation, int detail, rt_expr a)
{
    return construct_make(graph, operation, detail, -1, &a);
}

static rt_expr make2(rt_graph *graph, rt_operation operation, rt_expr a, rt_expr b)
{
    return construct_make(graph, operation, 0, -1, (rt_expr[]){a, b});
}

static bool both_constant(const rt_graph *graph, rt_expr a, rt_expr b)
{
    return is_operation(graph, a, RT_OP_CONSTANT) && is_operation(graph, b, RT_OP_CONSTANT);
}

rt_expr rt_constant(rt_graph *graph, double value)
{
    rt_node node = {.operation = RT_OP_CONSTANT, .table = -1};
    for (int i = 0; i < RT_MOST_ARGUMENTS; i++) node.argument[i] = RT_NO_EXPR;
    node.value = value == 0 ? 0 : isnan(value) ? (double)NAN : value;
    return rt_intern(graph, &node);
}

rt_expr rt_input(rt_graph *graph, int slot)
{
    rt_node node = {.operation = RT_OP_INPUT, .detail = slot, .table = -1};
    for (int i = 0; i < RT_MOST_ARGUMENTS; i++) node.argument[i] = RT_NO_EXPR;
    return slot < 0 ? RT_NO_EXPR : rt_intern(graph, &node);
}

rt_expr rt_add(rt_graph *graph, rt_expr a, rt_expr b)
{
    if (a < 0 || b < 0) return RT_NO_EXPR;
    if (is_value(graph, a, 0)) return b;
    if (is_value(graph, b, 0)) return a;
    if (both_constant(graph, a, b)) return make2(graph, RT_OP_ADD, a, b);
    if (is_operation(graph, b, RT_OP_NEGATE))
        return rt_subtract(graph, a, argument_of(graph, b, 0));
    if (is_operation(graph, a, RT_OP_NEGATE))
        return rt_subtract(graph, b, argument_of(graph, a, 0));
    return a <= b ? make2(graph, RT_OP_ADD, a, b) : make2(graph, RT_OP_ADD, b, a);
}

rt_expr rt_subtract(rt_graph *graph, rt_expr a, rt_expr b)
{
    if (a < 0 || b < 0) return RT_NO_EXPR;
    if (is_value(graph, b, 0)) return a;
    if (both_constant(graph, a, b)) return make2(graph, RT_OP_SUBTRACT, a, b);
    if (is_value(graph, a, 0)) return rt_negate(graph, b);
    if (a == b) return rt_constant(graph, 0);
    if (is_operation(graph, b, RT_OP_NEGATE)) return rt_add(graph, a, argument_of(graph, b, 0));
    return make2(graph, RT_OP_SUBTRACT, a, b);
}

rt_expr rt_negate(rt_graph *graph, rt_expr a)
{
    if (a < 0) return RT_NO_EXPR;
    if (is_operation(graph, a, RT_OP_NEGATE)) return argument_of(graph, a, 0);
    if (is_operation(graph, a, RT_OP_SUBTRACT)) {
        const rt_expr first = argument_of(graph, a, 0), second = argument_of(graph, a, 1);
        return rt_subtract(graph, second, first);
    }
    return make1(graph, RT_OP_NEGATE, 0, a);
}

/* value * b where b is not a constant: c (d x) is (c d) x, c (d/x) is (c d)/x, c (-x) is (-c) x. */
static rt_expr construct_scale(rt_graph *graph, double value, rt_expr b)
{
    double inner;
    if (value == 0) return rt_constant(graph, 0);
    if (value == 1) return b;
    if (value == -1) return rt_negate(graph, b);
    if (is_operation(graph, b, RT_OP_NEGATE))
        return construct_scale(graph, -value, argument_of(graph, b, 0));
    if (is_operation(graph, b, RT_OP_MULTIPLY) &&
        rt_is_constant(graph, argument_of(graph, b, 0), &inner) && isnormal(value * inner))
        return construct_scale(graph, value * inner, argument_of(graph, b, 1));
    if (is_operation(graph, b, RT_OP_DIVIDE) &&
        rt_is_constant(graph, argument_of(graph, b, 0), &inner) && isnormal(value * inner)) {
        const rt_expr denominator = argument_of(graph, b, 1);
        return rt_divide(graph, rt_constant(graph, value * inner), denominator);
    }
    const rt_expr c = rt_constant(graph, value);
    return c < 0 ? c : make2(graph, RT_OP_MULTIPLY, c, b);
}

rt_expr rt_multiply(rt_graph *graph, rt_expr a, rt_expr b)
{
    double value;
    if (a < 0 || b < 0) return RT_NO_EXPR;
    if (both_constant(graph, a, b)) return make2(graph, RT_OP_MULTIPLY, a, b);
    if (rt_is_constant(graph, a, &value)) return construct_scale(graph, value, b);
    if (rt_is_constant(graph, b, &value)) return construct_scale(graph, value, a);
    if (is_operation(graph, a, RT_OP_NEGATE))
        return rt_negate(graph, rt_multiply(graph, argument_of(graph, a, 0), b));
    if (is_operation(graph, b, RT_OP_NEGATE))
        return rt_negate(graph, rt_multiply(graph, a, argument_of(graph, b, 0)));
    return a <= b ? make2(graph, RT_OP_MULTIPLY, a, b) : make2(graph, RT_OP_MULTIPLY, b, a);
}

rt_expr rt_divide(rt_graph *graph, rt_expr a, rt_expr b)
{
    if (a < 0 || b < 0) return RT_NO_EXPR;
    if (both_constant(graph, a, b)) return make2(graph, RT_OP_DIVIDE, a, b);
    if (is_value(graph, b, 1)) return a;
    if (is_value(graph, b, -1)) return rt_negate(graph, a);
    if (is_value(graph, a, 0)) return a;
    if (is_operation(graph, a, RT_OP_NEGATE))
        return rt_negate(graph, rt_divide(graph, argument_of(graph, a, 0), b));
    if (is_operation(graph, b, RT_OP_NEGATE))
        return rt_negate(graph, rt_divide(graph, a, argument_of(graph, b, 0)));
    return make2(graph, RT_OP_DIVIDE, a, b);
}

rt_expr rt_ratio(rt_graph *graph, rt_expr a, rt_expr b)
{
    double value;
    if (a < 0 || b < 0) return RT_NO_EXPR;
    if (is_value(graph, a, 0)) return a;
    if (rt_is_constant(graph, b, &value) && value != 0) return rt_divide(graph, a, b);
    if (is_operation(graph, a, RT_OP_NEGATE))
        return rt_negate(graph, rt_ratio(graph, argument_of(graph, a, 0), b));
    return make2(graph, RT_OP_RATIO, a, b);
}

/* b (b-1) ... (b-m+1) a^(b-m) for a constant b. */
static rt_expr power_of_constant(rt_graph *graph, int m, rt_expr a, double b)
{
    double factor = 1;
    for (int i = 0; i < m; i++) factor *= b - i;
    if (factor == 0) return rt_constant(graph, 0);
    return rt_multiply(graph, rt_constant(graph, factor),
                       rt_power(graph, a, rt_constant(graph, b - m)));
}

rt_expr rt_power_partial(rt_graph *graph, int m, int k, rt_expr a, rt_expr b)
{
    double value;
    if (a < 0 || b < 0) return RT_NO_EXPR;
    if (m > RT_MOST_ORDER || k > RT_MOST_ORDER) return rt_constant(graph, (double)NAN);
    if (rt_is_constant(graph, b, &value) && k == 0) {
        if (m > 0) return power_of_constant(graph, m, a, value);
        if (value == 0) return rt_constant(graph, 1);
        if (value == 1) return a;
    }
    if (m == 0 && is_value(graph, a, 1)) return rt_constant(graph, k == 0);
    return construct_make(graph, RT_OP_POWER, m + 64 * k, -1, (rt_expr[]){a, b});
}

rt_expr rt_power(rt_graph *graph, rt_expr a, rt_expr b)
{
    return rt_power_partial(graph, 0, 0, a, b);
}

rt_expr rt_atan2(rt_graph *graph, rt_expr y, rt_expr x)
{
    return x < 0 || y < 0 ? RT_NO_EXPR : make2(graph, RT_OP_ATAN2, y, x);
}

rt_expr rt_count_turns(rt_graph *graph, rt_expr angle, rt_expr near)
{
    return angle < 0 || near < 0 ? RT_NO_EXPR : make2(graph, RT_OP_COUNTED, angle, near);
}

rt_expr rt_minimum(rt_graph *graph, rt_expr a, rt_expr b)
{
    if (a < 0 || b < 0) return RT_NO_EXPR;
    return a == b ? a : make2(graph, RT_OP_MINIMUM, a, b);
}

rt_expr rt_maximum(rt_graph *graph, rt_expr a, rt_expr b)
{
    if (a < 0 || b < 0) return RT_NO_EXPR;
    return a == b ? a : make2(graph, RT_OP_MAXIMUM, a, b);
}

rt_expr rt_select(rt_graph *graph, rt_expr a, rt_expr b, rt_expr c, rt_expr d)
{
    double x, y;
    if (a < 0 || b < 0 || c < 0 || d < 0) return RT_NO_EXPR;
    if (c == d) return c;
    if (rt_is_constant(graph, a, &x) && rt_is_constant(graph, b, &y)) return x <= y ? c : d;
    return construct_make(graph, RT_OP_SELECT, 0, -1, (rt_expr[]){a, b, c, d});
}

rt_expr rt_function_of(rt_graph *graph, rt_function_name name, rt_expr a)
{
    return a < 0 ? RT_NO_EXPR : make1(graph, RT_OP_FUNCTION, (int)name, a);
}

rt_expr rt_unit_step(rt_graph *graph, rt_blend kind, int order, rt_expr u)
{
    static const int last[] = {
        [RT_BLEND_CUBIC] = 3, [RT_BLEND_QUINTIC] = 5, [RT_BLEND_HAVERSINE] = 1000};
    if (u < 0) return RT_NO_EXPR;
    if (order > last[kind]) return rt_constant(graph, 0);
    return make1(graph, RT_OP_BLEND, (int)kind + 4 * order, u);
}

/* h0 + (h1 - h0) s((x - x0) / (x1 - x0)) */
rt_expr rt_blend_of(rt_graph *graph, rt_blend kind, rt_expr x, rt_expr x0, rt_expr h0, rt_expr x1,
                    rt_expr h1)
{
    const rt_expr u = rt_divide(graph, rt_subtract(graph, x, x0), rt_subtract(graph, x1, x0));
    const rt_expr s = rt_unit_step(graph, kind, 0, u);
    return rt_add(graph, h0, rt_multiply(graph, rt_subtract(graph, h1, h0), s));
}

rt_expr rt_step(rt_graph *graph, rt_expr x, rt_expr x0, rt_expr h0, rt_expr x1, rt_expr h1)
{
    return rt_blend_of(graph, RT_BLEND_CUBIC, x, x0, h0, x1, h1);
}

rt_expr rt_table_order(rt_graph *graph, int table, int order, rt_expr x)
{
    if (x < 0) return RT_NO_EXPR;
    if (order > 3 || (order > 1 && graph->curves[table]->n == 2)) return rt_constant(graph, 0);
    return construct_make(graph, RT_OP_TABLE, order, table, &x);
}

/* The same as table functions, of as many arguments as it has. */
rt_expr rt_user_partial_of(rt_graph *graph, int user, int orders, const rt_expr *argument)
{
    const rt_user_function *f = graph->users[user];
    rt_node node = {.operation = RT_OP_USER, .detail = orders, .table = user};
    double x[RT_MOST_ARGUMENTS] = {0};
    bool constant = true;
    if (rt_user_total(orders) > RT_USER_ORDER) return rt_constant(graph, (double)NAN);
    for (int i = 0; i < RT_MOST_ARGUMENTS; i++) {
        node.argument[i] = i < f->n ? argument[i] : RT_NO_EXPR;
        if (i >= f->n) continue;
        if (argument[i] < 0) return RT_NO_EXPR;
        constant = rt_is_constant(graph, argument[i], &x[i]) && constant;
    }
    return constant ? rt_constant(graph, rt_user_partial(f, orders, x)) : rt_intern(graph, &node);
}

rt_expr rt_user_call(rt_graph *graph, const rt_user_function *function, const rt_expr *argument)
{
    int k = 0;
    while (k < graph->n_users && graph->users[k] != function) k++;
    if (k == graph->n_users) {
        const rt_user_function **users =
            rt_kept_realloc(graph->kept, graph->users, ((size_t)k + 1) * sizeof *graph->users);
        if (!users) return RT_NO_EXPR;
        graph->users = users;
        graph->users[graph->n_users++] = function;
    }
    return rt_user_partial_of(graph, k, 0, argument);
}

rt_expr rt_rebuild(rt_graph *graph, const rt_node *node, const rt_expr *x)
{
    switch (node->operation) {
    case RT_OP_CONSTANT: return rt_constant(graph, node->value);
    case RT_OP_INPUT: return rt_input(graph, node->detail);
    case RT_OP_ADD: return rt_add(graph, x[0], x[1]);
    case RT_OP_SUBTRACT: return rt_subtract(graph, x[0], x[1]);
    case RT_OP_MULTIPLY: return rt_multiply(graph, x[0], x[1]);
    case RT_OP_DIVIDE: return rt_divide(graph, x[0], x[1]);
    case RT_OP_RATIO: return rt_ratio(graph, x[0], x[1]);
    case RT_OP_NEGATE: return rt_negate(graph, x[0]);
    case RT_OP_POWER:
        return rt_power_partial(graph, node->detail % 64, node->detail / 64, x[0], x[1]);
    case RT_OP_ATAN2: return rt_atan2(graph, x[0], x[1]);
    case RT_OP_COUNTED: return rt_count_turns(graph, x[0], x[1]);
    case RT_OP_MINIMUM: return rt_minimum(graph, x[0], x[1]);
    case RT_OP_MAXIMUM: return rt_maximum(graph, x[0], x[1]);
    case RT_OP_SELECT: return rt_select(graph, x[0], x[1], x[2], x[3]);
    case RT_OP_FUNCTION: return rt_function_of(graph, (rt_function_name)node->detail, x[0]);
    case RT_OP_BLEND:
        return rt_unit_step(graph, (rt_blend)(node->detail % 4), node->detail / 4, x[0]);
    case RT_OP_TABLE: return rt_table_order(graph, node->table, node->detail, x[0]);
    case RT_OP_USER: return rt_user_partial_of(graph, node->table, node->detail, x);
    }
    return RT_NO_EXPR;
}
