/* The functions that every expression knows. */
#ifndef RT_EXPRESSION_BUILTIN_H
#define RT_EXPRESSION_BUILTIN_H

#include "expression/graph.h"

enum { RT_PROBLEM_SIZE = 256 };

typedef struct rt_builtin {
    const char *name;  /* in the letter case that messages use */
    const char *usage; /* "atan2(y, x)" */
    const char *doc;   /* what its value is, for the reference */
    int least, most;   /* how many arguments; most < 0: no limit */
    /* Makes the node. On wrong use writes into problem (RT_PROBLEM_SIZE) and sets *at to the
     * argument that is wrong; RT_NO_EXPR without a problem is out of memory. */
    rt_expr (*build)(rt_graph *graph, int detail, const rt_expr *argument, int n, char *problem,
                     int *at);
    int detail;
    /* What arguments must be, as far as their dimensions are known: `1` a plain number or an angle,
     * letters alike of one dimension, `.` anything. The last `repeat` of them stand for all
     * further ones; without, those are anything. NULL: all are. */
    const char *dimensions;
    int repeat;
    /* Of what dimension the value is, as far as it is known: a letter, as the arguments of this
     * letter; `r` the root of the first, `p` the first to the power of the second; 0 unknown. */
    char result;
} rt_builtin;

/* What is wrong with the dimensions of the arguments; false: nothing. *at: which argument. */
struct rt_dimension;
bool rt_dimensions_problem(const rt_builtin *builtin, const struct rt_dimension *of, int n,
                           char *problem, int *at);

/* The dimension of the value; power: the second argument where it is a constant, else NAN. */
struct rt_dimension rt_builtin_dimension(const rt_builtin *builtin, const struct rt_dimension *of,
                                         int n, double power);

extern const rt_builtin rt_builtins[]; /* ends with a NULL name */

/* By name in any letter case; NULL when there is none. */
const rt_builtin *rt_builtin_find(const char *name);

/* What is wrong with a / b and a ^ b when both or one are constants; false: nothing. */
bool rt_quotient_problem(const rt_graph *graph, rt_expr b, char *problem);
bool rt_power_problem(const rt_graph *graph, rt_expr a, rt_expr b, char *problem);

#endif
