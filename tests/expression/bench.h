/* What the tests of expressions share: text with the quantities x, y, z, t read into a graph,
 * values and jets of a node, and derivatives by differences. */
#ifndef TEST_EXPRESSION_BENCH_H
#define TEST_EXPRESSION_BENCH_H

#include "expression/expression.h"

enum { N_NAMES = 4 }; /* x, y, z, t are the inputs 0 .. 3 */

/* Reads text that must be good; fails the test otherwise. */
rt_expr read_good(rt_graph *graph, const char *text);

/* The value at inputs x[N_NAMES]. */
double value_at(const rt_graph *graph, rt_expr e, const double *x);

/* The jet at input jets x[3 * N_NAMES]. */
void jet_at(const rt_graph *graph, rt_expr e, const double *x, double jet[3]);

/* f' at x by central differences extrapolated to step 0 (Ridders 1982), first step h; *error is its
 * own estimate of the error. */
double difference(double (*f)(void *, double), void *context, double x, double h, double *error);

/* A generator of the test's own, so that a failing case can be repeated: xorshift64* (Vigna 2016).
 */
double random_between(uint64_t *state, double low, double high);
int random_below(uint64_t *state, int n);

#endif
