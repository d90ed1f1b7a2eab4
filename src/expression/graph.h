/* Inside of the expression room: nodes, their storage, and the numbers behind each operation. */
#ifndef RT_EXPRESSION_GRAPH_H
#define RT_EXPRESSION_GRAPH_H

#include "expression/expression.h"

/* detail holds: INPUT the slot, FUNCTION the rt_function_name, POWER m + 64 k (the m-th derivative
 * in the base and the k-th in the exponent of a^b), BLEND kind + 4 order, TABLE the order of
 * derivative. */
typedef enum rt_operation {
    RT_OP_CONSTANT,
    RT_OP_INPUT,
    RT_OP_ADD,
    RT_OP_SUBTRACT,
    RT_OP_MULTIPLY,
    RT_OP_DIVIDE,
    RT_OP_RATIO, /* a/b, and 0 where a is 0: slopes at a kink, where both vanish */
    RT_OP_NEGATE,
    RT_OP_POWER,
    RT_OP_ATAN2,
    RT_OP_MINIMUM,
    RT_OP_MAXIMUM,
    RT_OP_SELECT, /* a <= b ? c : d */
    RT_OP_FUNCTION,
    RT_OP_BLEND,
    RT_OP_TABLE,
} rt_operation;

/* Unit steps s(u): 0 below u = 0, 1 above u = 1. */
typedef enum rt_blend { RT_BLEND_CUBIC, RT_BLEND_QUINTIC, RT_BLEND_HAVERSINE } rt_blend;

enum { RT_MOST_ARGUMENTS = 4, RT_MOST_ORDER = 30 };

/* A cubic between points, of y and y'' there. y' is continuous, and y'' too but where a point moves
 * (rt_curve_by_point): there `before` is y'' from the left, `second` from the right. */
typedef struct rt_curve {
    int n;
    uint64_t hash;
    double *x, *y, *second, *before; /* n each, one after another */
} rt_curve;

typedef struct rt_node {
    double value;     /* of a constant */
    uint64_t depends; /* bit slot % 64 set for every input below */
    rt_expr argument[RT_MOST_ARGUMENTS];
    rt_operation operation;
    int detail;
    int table; /* index of the curve, or -1 */
} rt_node;

/* One entry of the memory of derivatives. */
typedef struct rt_remembered {
    rt_expr node;
    int slot;
    rt_expr derivative;
} rt_remembered;

struct rt_graph {
    bool shaken; /* constants are off by their rounding (rt_graph_shake) */
    rt_node *nodes;
    int n_nodes, room_nodes;
    int *buckets; /* open addressing, -1 is empty; a power of two long */
    int n_buckets;
    rt_curve **curves;
    int n_curves, room_curves;
    rt_remembered *memory; /* open addressing, node -1 is empty; a power of two long */
    int n_memory, room_memory;
};

int rt_argument_count(rt_operation operation);

/* The node of this content, an old one where there is one. */
rt_expr rt_intern(rt_graph *graph, const rt_node *node);

/* Constructors that the header of the room does not show. */
rt_expr rt_power_partial(rt_graph *graph, int m, int k, rt_expr a, rt_expr b);
rt_expr rt_ratio(rt_graph *graph, rt_expr a, rt_expr b);
rt_expr rt_select(rt_graph *graph, rt_expr a, rt_expr b, rt_expr c, rt_expr d);
rt_expr rt_unit_step(rt_graph *graph, rt_blend kind, int order, rt_expr u);
rt_expr rt_blend_of(rt_graph *graph, rt_blend kind, rt_expr x, rt_expr x0, rt_expr h0, rt_expr x1,
                    rt_expr h1);
rt_expr rt_table_order(rt_graph *graph, int table, int order, rt_expr x);

/* The same operation as the node on other arguments, folded anew. */
rt_expr rt_rebuild(rt_graph *graph, const rt_node *node, const rt_expr *argument);

/* The value of an operation (no CONSTANT, no INPUT) on argument values x. */
rt_scalar rt_operation_value(rt_operation operation, int detail, const rt_curve *curve,
                             const rt_scalar *x);

rt_scalar rt_function_value(rt_function_name name, rt_scalar x);
rt_scalar rt_power_value(rt_scalar a, rt_scalar b, int m, int k);
rt_scalar rt_blend_value(rt_blend kind, int order, rt_scalar u);
rt_scalar rt_curve_value(const rt_curve *curve, int order, rt_scalar x);

/* One block of memory with the curve and its arrays; NULL when x is not increasing or not finite,
 * or when out of memory. */
rt_curve *rt_curve_create(int n, const double *x, const double *y);

/* What a natural spline changes by where point k moves along x; NULL: out of memory. */
rt_curve *rt_curve_by_point(const rt_curve *curve, int k);
rt_curve *rt_curve_copy(const rt_curve *curve);
void rt_curve_place(rt_curve *curve, double *values); /* its 4 n numbers are there */
bool rt_curve_same(const rt_curve *a, const rt_curve *b);

/* All nodes below e, itself included, in ascending order (arguments before users). */
typedef struct rt_reach {
    rt_expr *nodes;
    int n, room;
    int *set; /* open addressing over nodes, -1 is empty */
    int n_set;
} rt_reach;

bool rt_reach_add(rt_reach *reach, const rt_graph *graph, rt_expr e); /* false: out of memory */
void rt_reach_sort(rt_reach *reach);
int rt_reach_find(const rt_reach *reach, rt_expr e); /* position after sorting, -1: not there */
void rt_reach_free(rt_reach *reach);

/* A mixing of bits for hash tables (the finalizer of splitmix64, Steele et al. 2014). */
static inline uint64_t rt_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

#endif
