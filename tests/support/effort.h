/* How much the tests do: ROUTH_TEST_EFFORT, 1 where it is not set (./dev test), 10 by ./dev test
 * --all. */
#ifndef TESTS_SUPPORT_EFFORT_H
#define TESTS_SUPPORT_EFFORT_H

#include <stdbool.h>

/* The factor itself, positive. */
double test_effort(void);

/* n random cases, or as many as the effort makes of them; at least one. */
int with_effort(int n);

/* Of n cases in a list so many as are done: all at an effort of 1, below (under the sanitizers of
 * ./dev test) its share of them; at least one. */
int some_of(int n);

/* Whether everything is asked for: an effort above 1. */
bool full_effort(void);

/* Whether case k of a list of like ones is done: every n-th, each at full effort. */
bool is_chosen(int k, int n);

#endif
