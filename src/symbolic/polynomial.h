/* The characteristic polynomial. */
#ifndef RT_SYMBOLIC_POLYNOMIAL_H
#define RT_SYMBOLIC_POLYNOMIAL_H

#include "symbolic/field.h"

enum { RT_MOST_POLYNOMIAL = 10, RT_MOST_WITH_SYMBOLS = 5 };

/* c[2 n + 1], that of s^k at k: det(M s^2 + C s + K), M, C, K n x n, n <= RT_MOST_POLYNOMIAL. NULL:
 * out of memory. */
rt_exact *rt_characteristic(rt_exact_field *field, int n, const rt_exact *M, const rt_exact *C,
                            const rt_exact *K);

#endif
