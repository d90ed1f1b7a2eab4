/* Polynomials through the points of Gauss, Lobatto and Legendre between -1 and 1, and their values
 * at the points of Gauss and Legendre: what elements of higher order are made of. Compiled for each
 * kind of rt_scalar. */
#ifndef RT_BASE_LOBATTO_H
#define RT_BASE_LOBATTO_H

#include "base/scalar.h"

enum { RT_LOBATTO_ORDER = 8 };

/* Of order p, 1 to RT_LOBATTO_ORDER: p points of Gauss, p + 1 of Lobatto (both ends among them),
 * and their weights. Both integrate polynomials of degree 2 p - 1 exactly; the sum of weights
 * is 2. */
const double *rt_gauss_points(int order);
const double *rt_gauss_weights(int order);
const double *rt_lobatto_points(int order);
const double *rt_lobatto_weights(int order);

/* At point g of Gauss the p + 1 polynomials that are one at one point of Lobatto and zero at the
 * others, and their slopes. */
void rt_lobatto_shapes(int order, int g, rt_scalar *shape, rt_scalar *slope);

/* The slopes at any x from -1 to 1. */
void rt_lobatto_slopes(int order, rt_scalar x, rt_scalar *slope);

#endif
