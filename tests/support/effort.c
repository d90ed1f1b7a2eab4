#include "support/effort.h"

#include <math.h>
#include <stdlib.h>

double test_effort(void)
{
    const char *given = getenv("ROUTH_TEST_EFFORT");
    const double effort = given ? atof(given) : 1;
    return effort > 0 ? effort : 1;
}

int with_effort(int n)
{
    return (int)ceil(n * test_effort());
}

int some_of(int n)
{
    const int wanted = with_effort(n);
    return wanted < n ? wanted : n;
}

bool full_effort(void)
{
    return test_effort() > 1;
}

bool is_chosen(int k, int n) { return full_effort() || k % n == 0; }
