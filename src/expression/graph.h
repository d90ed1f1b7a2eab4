/* Inside of the expression room: nodes, their storage, and the numbers behind each operation. */
#ifndef RT_EXPRESSION_GRAPH_H
#define RT_EXPRESSION_GRAPH_H

#include "expression/expression.h"
#include "expression/user.h"

/* detail holds: INPUT the slot, FUNCTION the rt_function_name, POWER m + 64 k (the m-th derivative
 * in the base and the k-th in the exponent of a^b), BLEND kind + 4 order, TABLE the order of
 * derivative, USER the orders by each argument (user.h). */
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
    RT_OP_COUNTED, /* an angle a, and whole turns so that it is nearest to b */
    RT_OP_MINIMUM,
    RT_OP_MAXIMUM,
    RT_OP_SELECT, /* a <= b ? c : d */
    RT_OP_FUNCTION,
    RT_OP_BLEND,
    RT_OP_TABLE,
    RT_OP_USER, /* a function of the caller's */
} rt_operation;

/* Unit steps s(u): 0 below u = 0, 1 above u = 1. */
typedef enum rt_blend { RT_BLEND_CUBIC, RT_BLEND_QUINTIC, RT_BLEND_HAVERSINE } rt_blend;

enum { RT_MOST_ARGUMENTS = RT_USER_ARGUMENTS, RT_MOST_ORDER = 30 };

/* A cubic between points, of its values and y'' there, and lines beyond the ends with the slopes
 * `ends`. y'' falls where the curve says so (monotone ones, a point that moves), y where a point of
 * straight pieces moves: there `left` and `before` are y and y'' from the left, `y` and `second`
 * from the right. */
typedef struct rt_curve {
    int n;
    bool corners; /* straight pieces, whose slope jumps from one to the next */
    uint64_t hash;
    double *x, *y, *left, *second, *before, *ends; /* n each, 2 ends, one after another */
} rt_curve;

typedef struct rt_node {
    double value;     /* of a constant */
    uint64_t depends; /* bit slot % 64 set for every input below */
    rt_expr argument[RT_MOST_ARGUMENTS];
    rt_operation operation;
    int detail;
    int table; /* index of the curve, of the function of the caller's, or -1 */
} rt_node;

/* One entry of the memory of derivatives. */
typedef struct rt_remembered {
    rt_expr node;
    int slot;
    rt_expr derivative;
} rt_remembered;

struct rt_graph {
    int shaken; /* 1 .. RT_GRAPH_SHAKES: constants are off by their rounding (rt_graph_shake) */
    rt_node *nodes;
    int n_nodes, room_nodes;
    int *buckets; /* open addressing, -1 is empty; a power of two long */
    int n_buckets;
    rt_curve **curves;
    int n_curves, room_curves;
    const rt_user_function **users; /* of the owner of the graph */
    int n_users;
    rt_remembered *memory; /* open addressing, node -1 is empty; a power of two long */
    int n_memory, room_memory;
    rt_analyses *kept; /* whose memory all of this is (base/kept_memory.h); NULL: the system's */
};

int rt_argument_count(const rt_node *node);

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
rt_expr rt_user_partial_of(rt_graph *graph, int user, int orders, const rt_expr *arguments);

/* The same operation as the node on other arguments, folded anew. */
rt_expr rt_rebuild(rt_graph *graph, const rt_node *node, const rt_expr *argument);

/* The value of an operation (no CONSTANT, no INPUT) on argument values x. */
rt_scalar rt_operation_value(rt_operation operation, int detail, const rt_curve *curve,
                             const rt_scalar *x);

/* What the caller gave last in an evaluation of a tape, whose nodes take one entry each; begins
 * with function NULL. */
typedef struct rt_user_memory {
    const rt_user_function *function;
    double x[RT_USER_ARGUMENTS];
    bool has[2]; /* gradient, Hessian */
    double gradient[RT_USER_ARGUMENTS], hessian[RT_USER_ARGUMENTS * RT_USER_ARGUMENTS];
} rt_user_memory;

/* rt_user_partial, without asking again for what is remembered. */
double rt_user_recall(rt_user_memory *memory, const rt_user_function *user, int orders,
                      const double *x);
rt_scalar rt_user_value(rt_user_memory *memory, const rt_user_function *user, int orders,
                        const rt_scalar *x);

rt_scalar rt_function_value(rt_function_name name, rt_scalar x);
rt_scalar rt_power_value(rt_scalar a, rt_scalar b, int m, int k);
rt_scalar rt_blend_value(rt_blend kind, int order, rt_scalar u);
rt_scalar rt_curve_value(const rt_curve *curve, int order, rt_scalar x);

/* The piece i with x_i <= x < x_{i+1}; the first or the last where x is beyond the table. */
int rt_curve_interval(const rt_curve *curve, double x);

/* One block of memory with the curve and its arrays; NULL when x is not increasing or not finite,
 * or when out of memory. */
rt_curve *rt_curve_create(rt_interpolation kind, int n, const double *x, const double *y);

/* At the points x, with no values yet; hashed by rt_curve_finish once it has them. */
rt_curve *rt_curve_at(int n, const double *x);
rt_curve *rt_curve_finish(rt_curve *curve);

/* y'' of the pieces out of the values, and slopes at both sides of each point; NULL: the same. */
void rt_curve_bend(rt_curve *curve, const double *from_left, const double *from_right);

/* What a curve changes by where point k moves along x; NULL: out of memory. */
rt_curve *rt_curve_by_point(rt_interpolation kind, const rt_curve *curve, int k);
rt_curve *rt_curve_copy(const rt_curve *curve);
size_t rt_curve_count(int n);                         /* of its numbers */
void rt_curve_place(rt_curve *curve, double *values); /* they are there */
bool rt_curve_same(const rt_curve *a, const rt_curve *b);

/* The curve at x. The graph keeps the curve, or has one like it; NULL gives RT_NO_EXPR. */
rt_expr rt_on_curve(rt_graph *graph, rt_curve *curve, rt_expr x);

/* Slopes of the monotone curve at its points (monotone.c): d[n]; and what they change by where the
 * lengths of the pieces and their slopes do: .h, .s, n - 1 each. */
void rt_monotone_slopes(int n, const double *x, const double *y, double *d);
bool rt_monotone_rates(int n, const double *x, const double *y, const double *h_rate,
                       const double *s_rate, double *d_rate);
rt_expr rt_monotone_varying(rt_graph *graph, rt_expr x, int n, const double *xs, const double *ys,
                            const rt_expr *varying);

/* Of a curve of straight pieces at x: zero at its inner points, of other sign on the two sides, and
 * the curve as it goes on from the negative, the positive side. False: out of memory. */
bool rt_corners_of(rt_graph *graph, int table, rt_expr x, rt_expr *distance, rt_expr branch[2]);

/* All nodes below e, itself included, in ascending order (arguments before users). */
typedef struct rt_reach {
    rt_expr *nodes;
    int n, room;
    int *set; /* open addressing over nodes, -1 is empty */
    int n_set;
    rt_analyses *kept; /* as of the graph */
} rt_reach;

/* rt_graph_clone in memory that is kept there, and so all that is made of the clone. */
rt_graph *rt_graph_clone_kept(const rt_graph *graph, rt_analyses *analyses);

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
