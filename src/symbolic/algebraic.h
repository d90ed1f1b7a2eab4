/* Eigenvalues as algebraic numbers: the irreducible polynomial with whole coefficients that each is
 * a zero of. */
#ifndef RT_SYMBOLIC_ALGEBRAIC_H
#define RT_SYMBOLIC_ALGEBRAIC_H

#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>

#include "symbolic/balls.h"

/* factors: irreducible ones of a polynomial that every eigenvalue is a zero of; values: balls of
 * the symbols at the operating point. False, and none: more than one unknown, an unknown that does
 * not stand in sines and cosines alone, or a degree beyond 200. */
bool rt_eigenvalue_factors(const routh_symbolic *s, acb_srcptr values, slong precision,
                           fmpz_poly_factor_t factors);

/* The only factor that can vanish in the ball; -1: there are several. */
slong rt_factor_of(const fmpz_poly_factor_t factors, const acb_t eigenvalue, slong precision);

#endif
