/* User expressions as a hash-consed graph with exact derivatives.
 *
 * A graph owns its nodes; equal subexpressions are one node. Leaves are constants and inputs; an
 * input is known only by its slot number, what the slot means (a parameter, a measure, time) is
 * the caller's. A graph only grows; nodes are numbered in an order in which arguments come
 * before their users. */
#ifndef RT_EXPRESSION_EXPRESSION_H
#define RT_EXPRESSION_EXPRESSION_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/scalar.h"
#include "expression/unit.h"
#include "expression/user.h"

typedef int32_t rt_expr; /* a node; negative: none (an allocation failed) */
#define RT_NO_EXPR ((rt_expr)-1)

typedef struct rt_graph rt_graph;

rt_graph *rt_graph_create(void); /* NULL when out of memory */
void rt_graph_free(rt_graph *graph);

/* A copy with the same node numbers, which may grow on its own; NULL when out of memory. */
rt_graph *rt_graph_clone(const rt_graph *graph);

/* From here on, where numbers have 113 bits (base/scalar.h), each constant of the graph's tapes is
 * off by a few units in the last place of a double, equal ones equally; short ones (2, 0.5) are
 * exact. Each call, of RT_GRAPH_SHAKES, shakes them in another way. The graph must outlive such
 * tapes. */
enum { RT_GRAPH_SHAKES = 4 };
void rt_graph_shake(rt_graph *graph);

/* Unary functions, in radians. STEP-like and table functions carry the order of derivative
 * themselves. */
typedef enum rt_function_name {
    RT_SIN,
    RT_COS,
    RT_TAN,
    RT_ASIN,
    RT_ACOS,
    RT_ATAN,
    RT_SINH,
    RT_COSH,
    RT_TANH,
    RT_EXP,
    RT_LOG,
    RT_LOG10,
    RT_SQRT,
    RT_ABS,
    RT_SIGN,
    RT_FLOOR,
    RT_CEIL,
} rt_function_name;

/* Constructors: fold constants, apply 0 and 1 identities, share equal nodes. Any negative
 * argument gives RT_NO_EXPR, so errors are checked once at the end of a chain. */
rt_expr rt_constant(rt_graph *graph, double value);
rt_expr rt_input(rt_graph *graph, int slot);
rt_expr rt_add(rt_graph *graph, rt_expr a, rt_expr b);
rt_expr rt_subtract(rt_graph *graph, rt_expr a, rt_expr b);
rt_expr rt_multiply(rt_graph *graph, rt_expr a, rt_expr b);
rt_expr rt_divide(rt_graph *graph, rt_expr a, rt_expr b);
rt_expr rt_negate(rt_graph *graph, rt_expr a);
rt_expr rt_power(rt_graph *graph, rt_expr a, rt_expr b);
rt_expr rt_atan2(rt_graph *graph, rt_expr y, rt_expr x);

/* The angle and so many whole turns that it is nearest to `near`, which it has no derivative by. */
rt_expr rt_count_turns(rt_graph *graph, rt_expr angle, rt_expr near);
rt_expr rt_minimum(rt_graph *graph, rt_expr a, rt_expr b);
rt_expr rt_maximum(rt_graph *graph, rt_expr a, rt_expr b);
rt_expr rt_function_of(rt_graph *graph, rt_function_name name, rt_expr a);

/* The field's STEP(x, x0, h0, x1, h1): h0 below x0, h1 above x1, a cubic between. */
rt_expr rt_step(rt_graph *graph, rt_expr x, rt_expr x0, rt_expr h0, rt_expr x1, rt_expr h1);

/* How a curve goes through the points of a table. Two points: a line, whichever it is. */
typedef enum rt_interpolation {
    RT_MONOTONE, /* piecewise cubic, y' continuous, no extremes between points (Fritsch, Butland) */
    RT_LINEAR,   /* straight pieces */
    RT_CUBIC,    /* natural cubic spline, y'' continuous and 0 at the ends */
} rt_interpolation;

/* A curve through a table of n >= 2 points, x strictly increasing, continued by its end tangents.
 * The table is copied. RT_NO_EXPR also for a table that is not so. */
rt_expr rt_tabulated(rt_graph *graph, rt_interpolation kind, rt_expr x, int n, const double *xs,
                     const double *ys);

/* The same where some of the y are expressions: varying[k] in place of ys[k], or RT_NO_EXPR. Each
 * that varies takes curves of its own. */
enum { RT_TABLE_VARYING = 256 };
rt_expr rt_table_varying(rt_graph *graph, rt_interpolation kind, rt_expr x, int n, const double *xs,
                         const double *ys, const rt_expr *varying);

/* The derivative of rt_tabulated by xs[k], as a function of x. */
rt_expr rt_table_by_point(rt_graph *graph, rt_interpolation kind, rt_expr x, int n,
                          const double *xs, const double *ys, int k);

/* A function of the caller's of so many arguments; it must outlive the graph, its copies and their
 * tapes. */
rt_expr rt_user_call(rt_graph *graph, const rt_user_function *function, const rt_expr *arguments);

/* A call of such a function, with its argument nodes. */
typedef struct rt_user_use {
    const rt_user_function *function;
    rt_expr node, argument[RT_USER_ARGUMENTS];
} rt_user_use;

/* The calls that e is made of, into a list in the arena, in the order of their nodes; how many, or
 * -1: out of memory. */
int rt_user_uses_of(const rt_graph *graph, rt_expr e, rt_user_use **list, rt_arena *arena);

/* Is there a node of such a function in the graph? */
bool rt_graph_has_users(const rt_graph *graph);

/* True and *value when the node is a constant. */
bool rt_is_constant(const rt_graph *graph, rt_expr e, double *value);

/* e times what the unit is in SI. */
rt_expr rt_times_unit(rt_graph *graph, rt_expr e, const rt_unit *unit);

/* d e / d input(slot), exact, as a node of the same graph. Memoised. At kinks of ABS, MIN, MAX,
 * SIGN the derivative of the branch that is active (the first argument at a tie; zero for ABS at
 * 0) is taken. Where a root vanishes together with the slope of what is under it (a speed at
 * rest) the first derivative is zero. */
rt_expr rt_derivative(rt_graph *graph, rt_expr e, int slot);

/* The slots e depends on, ascending, into slots (room for max); returns how many there are in
 * all (-1: out of memory). */
int rt_inputs_of(const rt_graph *graph, rt_expr e, int *slots, int max);

/* How many nodes there are; and those that depend on inputs, all of them slots that are `within`
 * (n_slots), ascending, into list (room for all nodes): how many, or -1: out of memory. */
int rt_node_count(const rt_graph *graph);
int rt_nodes_within(const rt_graph *graph, const bool *within, int n_slots, rt_expr *list);

/* e with input(slot) replaced by replacement[slot] for slots < n where that is not RT_NO_EXPR. */
rt_expr rt_substitute(rt_graph *graph, rt_expr e, const rt_expr *replacement, int n);

/* e with nodes[k] replaced by replacement[k], k < n, wherever it stands in e; no node may stand in
 * another. */
rt_expr rt_replace(rt_graph *graph, rt_expr e, const rt_expr *nodes, const rt_expr *replacement,
                   int n);

/* A node of two branches: abs, sign, min, max, floor, ceil, what mod is made of, and tables of
 * straight pieces. */
typedef struct rt_branching {
    const char *name; /* "the switch of abs" */
    rt_expr node;
    rt_expr distance;  /* zero where it switches from one branch to the other, and of other sign on
                          the two sides */
    rt_expr branch[2]; /* what the node is where the distance is negative and positive; of those
                          with many (floor): next to each other */
    const char *sides[2]; /* in words: "with its first argument"; NULL where there are many */
    int tie;              /* which branch's derivative is taken where the distance is zero; -1:
                             neither's */
    const char *between;  /* what is taken there instead, in words */
} rt_branching;

/* The branchings that e is made of and that depend on an input with moves[slot], into a list in the
 * arena, in the order of their nodes; how many, or -1: out of memory. */
int rt_branchings_of(rt_graph *graph, rt_expr e, const bool *moves, rt_branching **list,
                     rt_arena *arena);

/* The size of a node's terms where input slot has the size sizes[slot]: a sum's is the sum of the
 * sizes, a product's the product. Functions that may grow without bound count as 1. For the nodes
 * below n expressions, again and again: they are found once, in the arena (false: out of memory),
 * and then nothing is allocated. */
typedef struct rt_sizing {
    int n;
    const rt_expr *nodes; /* arguments before users */
} rt_sizing;

bool rt_sizing_take(rt_sizing *sizing, const rt_graph *graph, const rt_expr *e, int n,
                    rt_arena *arena);

/* of: by node of the graph; only those of the sizing are set. */
void rt_sizing_run(const rt_sizing *sizing, const rt_graph *graph, const double *sizes, double *of);

/* Positive and finite: 1 where the size of e's terms is neither. */
static inline double rt_sizing_of(const double *of, rt_expr e)
{
    return isnormal(of[e]) ? of[e] : 1;
}

/* A node as text, for messages and documentation; input slots printed through name (NULL: "#3").
 * The text is cut to size, always terminated, and "..." stands for what is nested too deep;
 * returns the length written. */
int rt_expression_text(const rt_graph *graph, rt_expr e, const char *(*name)(void *, int),
                       void *context, char *text, size_t size);

/* ---- tapes: evaluation without allocation --------------------------------------------------- */

/* A tape is a list of instructions that computes chosen outputs from inputs. Immutable; lives in
 * the arena. */
typedef struct rt_tape rt_tape;

/* Compiles outputs[n]. Inputs are renumbered: tape input k is slot slots[k] of the graph. All
 * slots that the outputs depend on must be among slots[n_slots]. NULL when out of memory. */
const rt_tape *rt_tape_compile(const rt_graph *graph, const rt_expr *outputs, int n_outputs,
                               const int *slots, int n_slots, rt_arena *arena);

/* Doubles of work space that an evaluation needs (both kinds). */
size_t rt_tape_work(const rt_tape *tape);

/* outputs[n_outputs] from inputs[n_slots]. */
void rt_tape_evaluate(const rt_tape *tape, const rt_scalar *inputs, rt_scalar *outputs,
                      rt_scalar *work);

/* The same along a motion: inputs and outputs are jets, three doubles each: value, first and
 * second time derivative. Exact (truncated Taylor arithmetic). */
void rt_tape_evaluate_jets(const rt_tape *tape, const rt_scalar *inputs, rt_scalar *outputs,
                           rt_scalar *work);

/* After an evaluation that gave a number that is not finite: was it a function of the caller? Then
 * text says which, and at what arguments. work: of rt_tape_evaluate (stride 1), of
 * rt_tape_evaluate_jets (3). */
bool rt_tape_blame(const rt_tape *tape, const rt_scalar *work, int stride, char *text, size_t size);

/* ---- parsing -------------------------------------------------------------------------------- */

/* An argument of a call in the text: a bare name (a marker, an element) or any expression. */
typedef struct rt_call_argument {
    const char *name; /* the bare identifier, NULL when the argument is not one */
    rt_expr value;    /* RT_NO_EXPR when name is given and is not a known quantity */
    int column;       /* 1-based offset of the argument within the text */
} rt_call_argument;

/* How the text's names get their meaning. Functions built in (sin, STEP, ...) need no resolver.
 * Both callbacks return false when they do not know the name; when they know it but it is used
 * wrongly they write a message into problem (size 256) and return false. */
typedef struct rt_resolver {
    void *context;
    bool (*quantity)(void *context, const char *name, rt_expr *out, char *problem);
    bool (*call)(void *context, const char *name, const rt_call_argument *arguments, int n,
                 rt_expr *out, char *problem);
    /* known names for "did you mean", NULL-terminated list or NULL */
    const char *const *suggestions;
    /* whether a unit's name is also that of a quantity; NULL: of one that `quantity` knows */
    bool (*taken)(void *context, const char *name);
    /* the dimension of a quantity that `quantity` knows; NULL: none is known */
    rt_dimension (*dimension)(void *context, const char *name);
    /* of the value of a call that `call` knows; NULL: none is known */
    rt_dimension (*measured)(void *context, const char *name);
    /* hears of dimensions that do not agree, of which one is measured; NULL: nobody does */
    void (*warn)(void *context, const char *message);
    /* the units that values are in; NULL: SI. A number with a unit becomes one in them */
    const rt_unit_system *units;
    /* where nobody knows these units: what to say of a number with a unit of length or mass, which
     * is refused; NULL: they are known */
    const char *unknown_units;
} rt_resolver;

/* Parses text such as "2*k*DX(hub, seat) + STEP(time, 0, 0, 1, 5)" or "30 deg". Grammar: + - * /
 * ^ (right associative, also **), unary minus, parentheses, calls, numbers with optional
 * exponent, constants pi and e, and a unit (expression/unit.h: mm, mm^2, kN/m) after a number or a
 * closed parenthesis, and after their powers (10^3 mm). The unit has its own powers and multiplies
 * what is before it; texts with two readings (1/2 mm) are refused.
 * Function names are read in any letter case. Nesting is limited to 100, length to 10 000
 * characters. On failure *error has the message and, in column, the 1-based offset within text. */
routh_status rt_parse(rt_graph *graph, const char *text, const rt_resolver *resolver, rt_expr *out,
                      routh_error *error);

/* And the dimension of the whole. Sums of what is known to be of two dimensions are refused by
 * both. */
routh_status rt_parse_dimension(rt_graph *graph, const char *text, const rt_resolver *resolver,
                                rt_expr *out, rt_dimension *dimension, routh_error *error);

#endif
